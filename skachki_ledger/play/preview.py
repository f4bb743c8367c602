"""What a line that is being typed would write, or why it cannot be written; nothing is recorded."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from .. import canon, gamefile, lexer, live, notation, vocabulary
from ..deal_lines import FaultyDealError
from ..derive import History, Step, refusals
from ..errors import Fault, NotationError, told
from ..events import DealPlayed
from ..i18n import _
from ..legality import legality
from ..model import Calls, Contract, Entry, Misere
from ..names import Seats
from ..reports import next_text
from ..settlement import rational
from ..state import State

_QUOTES = str.maketrans("“”„«»", '"""""')
_MISSING = frozenset(("E101", "E107", "E115", "E121", "E127"))
"""Faults of a line that is only not finished yet."""


class Preview(NamedTuple):
    """A typed line judged: `ready` to be recorded, `unfinished`, `wrong` or `empty`.

    `taken` is the step it would be, `lines` what to tell about it, `column` (from 0) where its
    first fault is. `brief` is what it would write in a few words.
    """

    kind: Literal["empty", "ready", "unfinished", "wrong"]
    taken: Step | None = None
    lines: tuple[str, ...] = ()
    brief: str = ""
    column: int = 0


def plain(text: str) -> str:
    """Return a line with a phone's quotes made straight, where it has no straight ones."""
    return text if '"' in text else text.translate(_QUOTES)


def judge(text: str, history: History, tokens: canon.Tokens) -> Preview:
    """Return what a line typed in the game as it stands would do. Never raises."""
    text = plain(text)
    if not text.strip():
        return Preview("empty")
    state, seats = history.state, history.seats
    try:
        reading = notation.read_line(text, seats)
    except NotationError as error:
        return _unread(text, error, state, seats)
    taken = history.taking(reading.event)
    if refused := refusals(taken):
        return _refused(text, refused, seats, reading.event)
    lines = live.written(taken, tokens)
    brief = in_brief(taken.entries, taken.players)
    if reading.retyped:
        typed = canon.line(reading.event, state.players, canon.shown(signs=False))
        lines.insert(1, _("other keyboard layout, read as: {line}").format(line=typed))
    if isinstance(reading.event, DealPlayed) and not taken.after.over:
        lines.append(_("then: {next}").format(next=next_text(taken.after)))
    return Preview("ready", taken, tuple(lines), brief)


def _unread(text: str, error: NotationError, state: State, seats: Seats) -> Preview:
    """Return why a line says nothing: it is wrong, or only not finished."""
    faults = error.faults
    event = error.event if isinstance(error, FaultyDealError) else None
    if all(fault.code in _MISSING for fault in faults):
        begun, early = _early(text, state, seats)
        if early:
            return _refused(text, early, seats, begun)
        return Preview("unfinished", None, (told(faults),), "", len(text))
    return _refused(text, faults, seats, event)


def _refused(text: str, faults: Sequence[Fault], seats: Seats, event: object) -> Preview:
    known = event if isinstance(event, DealPlayed) else None
    line = gamefile.Line(0, text, 0, seats, known, tuple(faults), False)
    column = max(0, min(gamefile.columns(line)) - 1)
    return Preview("wrong", None, (told(faults),), "", min(column, len(text)))


def _early(text: str, state: State, seats: Seats) -> tuple[DealPlayed | None, list[Fault]]:
    """Return why a contract cannot be played now, as soon as its words so far say so."""
    try:
        words = lexer.tokenize(text)[0]
    except NotationError:
        return None, []
    if len(words) < 2 or not seats.knows(words[0]):
        return None, []
    seat, bid = seats.find(words[0]), vocabulary.contract(words[1])
    deal: Contract | Misere
    if bid is None:
        if not vocabulary.MISERE.find(words[1]):
            return None, []
        deal, parts = Misere(seat, 0, None), {"declarer", "contract"}
    else:
        calls = vocabulary.calls(words[2]) if len(words) > 2 else None
        deal = trial(seat, bid[0], bid[1], bid[2], calls or "ww")
        parts = {"declarer", "contract", "calls"} if calls else {"declarer", "contract"}
    event = DealPlayed(deal)
    return event, [fault for fault in legality(state, event, state.dealer) if fault.part in parts]


def trial(declarer: int, level: int, strain: str, outbid: bool, calls: Calls) -> Contract:
    """Return a contract that was just made, to ask whether its bid and calls are legal."""
    tricks = () if calls in ("pp", "ph") else (level, 10 - level, 0)
    suit = vocabulary.STRAINS[strain]
    return Contract(declarer, level, suit, outbid, calls, tricks, None)


def in_brief(entries: Sequence[Entry], players: Sequence[str]) -> str:
    """Return what entries add up to, cell by cell: "Vera pool +4 · Anna→Vera +24"."""
    cells: dict[tuple[int, str, int | None], int] = {}
    for entry in entries:
        key = (entry.seat, entry.account, entry.on)
        cells[key] = cells.get(key, 0) + entry.amount
    parts = []
    for (seat, account, on), amount in cells.items():
        text = rational(amount) if on is not None else str(amount)
        sign = "" if text.startswith("-") else "+"
        if on is not None:
            parts.append(f"{players[seat]}→{players[on]} {sign}{text}")
        else:
            word = _("pool") if account == "pool" else _("gora")
            parts.append(f"{players[seat]} {word} {sign}{text}")
    return " · ".join(parts)


def legal_calls(state: State, declarer: int, level: int, strain: str) -> list[Calls]:
    """Return the pairs of calls that are legal on a contract, in the order they are asked."""
    every: tuple[Calls, ...] = ("ww", "wp", "wh", "pw", "pp", "ph")
    allowed: list[Calls] = []
    for calls in every:
        played = DealPlayed(trial(declarer, level, strain, False, calls))
        faults = legality(state, played, state.dealer)
        if not any(fault.part == "calls" for fault in faults):
            allowed.append(calls)
    return allowed


def words_of(text: str) -> list[str]:
    """Return the words of what follows a command. Raises NotationError for an open quote."""
    return [str(word) for word in lexer.tokenize(plain(text))[0]]


def pasted_lines(text: str) -> list[str]:
    """Return the lines of a pasted text that say something: no comments, tags or deal numbers."""
    rows = [row.strip() for row in text.replace("\r", "\n").split("\n")]
    return [_without_number(row) for row in rows if row and row[0] not in ";["]


def _without_number(row: str) -> str:
    number, dot, rest = row.partition(".")
    return rest.strip() if dot and number.isdecimal() and rest[:1].isspace() else row
