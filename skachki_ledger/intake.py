"""From a file to a game: every line must be readable and legal where it stands, or nothing is taken.

After a faulty line the game goes on as it was probably meant, so that the lines after it are
judged too; where that is a guess, faults that depend on the guess are not reported.
"""

from typing import NamedTuple

from .derive import History, Step, refusals, step
from .errors import Fault
from .events import Event
from .gamefile import GameFile, Line, columns, looks_like_deal
from .header import Header
from .legality import DEALER_DECLARES
from .state import State, start

_BY_PHASE = frozenset(("E202", "E203", "E212", "E215", "E216"))
"""Refusals that hang on all deals before: not told after a line that could not be read."""


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
    tag_lines = dict.fromkeys(line for line, _, _ in file.faults)
    faulty = [_faulty_tag(file, line) for line in tag_lines]
    if file.header is None:
        faulty += [_faulty(line, line.faults) for line in file.lines if line.faults]
        return Intake(None, (), tuple(faulty), ())
    return _play(file.header, file.lines)


def _play(header: Header, lines: tuple[Line, ...]) -> Intake:
    state = before = start(header.rules, header.players, header.dealer)
    steps: list[Step] = []
    faulty: list[FaultyLine] = []
    retyped: list[tuple[int, Event, tuple[str, ...]]] = []
    guessed = False
    for line in lines:
        if line.event is None:
            faulty.append(_faulty(line, line.faults))
            if looks_like_deal(line.text):
                state, guessed = _as_if_played(state), True
            continue
        taken = step(state, line.event)
        faults = line.faults
        if taken.faults:
            faults += tuple(f for f in refusals(taken) if not (guessed and f.code in _BY_PHASE))
        if faults:
            faulty.append(_faulty(line, faults))
        if line.retyped:
            retyped.append((line.number, line.event, state.players))
        steps.append(taken)
        state = taken.after
        if faults and any(fault.code == DEALER_DECLARES for fault in faults):
            state = _as_if_played(state)
    if faulty:
        return Intake(None, (), tuple(faulty), tuple(retyped))
    typed = tuple(line.text.strip() for line in lines)
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


def _faulty_tag(file: GameFile, line: int) -> FaultyLine:
    placed = [(column, fault) for at, column, fault in file.faults if at == line]
    return FaultyLine(line, tuple(c for c, _ in placed), tuple(f for _, f in placed))
