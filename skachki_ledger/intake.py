"""From a file to a game: every line must be readable and legal where it stands, or nothing is taken.

After a faulty line the game goes on as it was probably meant, so that the lines after it are
judged too; where that is a guess, faults that depend on the guess are not reported.
"""

from typing import NamedTuple

from .derive import History, Step, refusals, step
from .errors import Fault
from .events import Event
from .gamefile import GameFile, Line, columns
from .header import Header
from .legality import DEALER_DECLARES
from .names import shown
from .notation import first_keyword
from .state import State, start

_HANGS_ON = {
    "": frozenset(("E202", "E203", "E212", "E215", "E216")),
    "stop": frozenset(("E215", "E216")),
    "dealer": frozenset(("E201", "E204")),
    "seat": frozenset(("E102", "E103", "E120")),
}
"""What hangs on a line ("" for a deal) of each kind: not told any more once such a line was unreadable."""


class FaultyLine(NamedTuple):
    """All faults of one line; line 0 is the file as a whole, columns count from 1."""

    line: int
    columns: tuple[int, ...]
    faults: tuple[Fault, ...]


class Intake(NamedTuple):
    """What became of a file: its game and the lines as typed, or (None) the faults.

    `retyped` are lines read in the other keyboard layout, as (line number, event, names then
    seated).
    """

    history: History | None
    typed: tuple[str, ...]
    faulty: tuple[FaultyLine, ...]
    retyped: tuple[tuple[int, Event, tuple[str, ...]], ...]


def admit(file: GameFile) -> Intake:
    """Return the game of a file that was read, or all that is wrong with it. Never raises."""
    placed: dict[int, list[tuple[int, Fault]]] = {}
    for at, column, fault in file.faults:
        placed.setdefault(at, []).append((column, fault))
    faulty = [
        FaultyLine(at, tuple(column for column, _ in found), tuple(fault for _, fault in found))
        for at, found in placed.items()
    ]
    if file.header is None:
        faulty += [_faulty(line, line.faults) for line in file.lines if line.faults]
        return Intake(None, (), tuple(faulty), ())
    return _play(file.header, file.lines)


def _play(header: Header, lines: tuple[Line, ...]) -> Intake:
    state = before = start(header.rules, header.players, header.dealer)
    steps: list[Step] = []
    faulty: list[FaultyLine] = []
    retyped: list[tuple[int, Event, tuple[str, ...]]] = []
    unsure: frozenset[str] = frozenset()
    for line in lines:
        taken = None if line.event is None else step(state, line.event)
        found = line.faults + (refusals(taken) if taken is not None and taken.faults else ())
        faults = tuple(fault for fault in found if fault.code not in unsure) if unsure else found
        if faults:
            faulty.append(_faulty(line, faults))
        if taken is None:
            keyword = first_keyword(line.text[line.skip :])
            unsure |= _HANGS_ON.get(keyword, frozenset())
            state = state if keyword else _as_if_played(state)
            continue
        if line.retyped:
            retyped.append((line.number, taken.event, state.players))
        steps.append(taken)
        state = taken.after
        if any(fault.code == DEALER_DECLARES for fault in faults):
            state = _as_if_played(state)
    if faulty:
        return Intake(None, (), tuple(faulty), tuple(retyped))
    typed = tuple(shown(line.text[line.skip :].strip().replace("\t", " ")) for line in lines)
    return Intake(History(header, before, tuple(steps)), typed, (), tuple(retyped))


def _as_if_played(state: State) -> State:
    """Return the state after a deal of which only the dealer is known."""
    dealer = (state.dealer + 1) % 4
    return state._replace(
        deals=state.deals + 1,
        semester_deals=state.semester_deals + 1,
        first_dealer=state.first_dealer if state.semester_deals else state.dealer,
        turn=dealer,
        dealer=dealer,
        due=0,
    )


def _faulty(line: Line, faults: tuple[Fault, ...]) -> FaultyLine:
    return FaultyLine(line.number, columns(line._replace(faults=faults)), faults)
