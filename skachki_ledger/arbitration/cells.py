"""The cells of a score sheet by name, and the entries that stand in each."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .. import vocabulary
from ..derive import History, Step
from ..errors import Fault, NotationError
from ..model import SEATS, WHIST, Entry, Seat
from ..names import Seats
from ..rules import WHISTS_PER_GORA, WHISTS_PER_POOL
from ..settlement import net

ON = ("on", "на", "→")
"""Words between whists and a player that go without saying: "Anna: whists on Boris"."""
NET_WORDS = ("net", "итог", "расчёт", "расчет", "сальдо")


class Cell(NamedTuple):
    """One number of the sheet: a seat's pool, gora or net, or its whists on another seat.

    `semester` None: the game's total.
    """

    seat: Seat
    account: str
    on: Seat | None = None
    semester: int | None = None

    @property
    def unit(self) -> int:
        """Return what one shown unit is made of: twelfths for whists and nets, points else."""
        return WHIST if self.account in ("whists", "net") else 1


class Written(NamedTuple):
    """An entry in its step; `effect` is what it adds to the cell asked about, in the cell's units."""

    step: Step
    place: int
    entry: Entry
    effect: int


def read(words: Sequence[str], seats: Seats) -> Cell:
    """Return the cell that SEAT ACCOUNT [SEAT2] names. Raises NotationError (E102, E103, E415)."""
    words = [word for word in words if word.lower() not in ON] if len(words) > 3 else words
    seat = seats.find(words[0] if seats.knows(words[0]) else words[0].rstrip(":")) if words else -1
    account = account_word(words[1]) if len(words) > 1 else ""
    if account == "whists" and len(words) == 3:
        on = seats.find(words[2])
        if on == seat:
            raise NotationError(Fault("E117", -1, {"seat": seats.players[seat]}))
        return Cell(seat, account, on)
    if account in ("pool", "gora", "net") and len(words) == 2:
        return Cell(seat, account)
    raise NotationError(Fault("E415", -1, {"word": " ".join(words)[:80]}))


def account_word(word: str) -> str:
    """Return pool, gora, whists or net for a word in either language, "" for any other."""
    return "net" if word.lower() in NET_WORDS else vocabulary.ACCOUNTS.find(word) or ""


def value(history: History, cell: Cell) -> int:
    """Return what stands in a cell: points, or twelfths of a whist."""
    state = history.state
    if cell.account == "net":
        return net(state)[cell.seat]
    if cell.account == "whists":
        assert cell.on is not None
        return state.whists[4 * cell.seat + cell.on]
    if cell.semester is not None:
        rows = [*state.closed, (state.pool, state.gora)]
        pool, gora = rows[cell.semester - 1]  # callers ask of no semester there is none of
        return (pool if cell.account == "pool" else gora)[cell.seat]
    return (state.pool_total() if cell.account == "pool" else state.gora_total())[cell.seat]


def entries(history: History, cell: Cell) -> Iterator[Written]:
    """Yield every entry that moves a cell, in the order in which they count; the effects sum to it."""
    for place, taken in enumerate(history.steps):
        if cell.semester is not None and taken.semester != cell.semester:
            continue
        for entry in taken.entries:
            effect = effect_on(entry, cell)
            if effect:
                yield Written(taken, place, entry, effect)


def effect_on(entry: Entry, cell: Cell) -> int:
    """Return what an entry adds to a cell, in the cell's units."""
    if cell.account == "net":
        return net_effect(entry, cell.seat)
    same = (entry.account, entry.seat, entry.on) == (cell.account, cell.seat, cell.on)
    return entry.amount if same else 0


def net_effect(entry: Entry, seat: Seat) -> int:
    """Return what an entry adds to a seat's net, in twelfths of a whist (settle.net)."""
    if entry.account == "whists":
        return entry.amount * ((seat == entry.seat) - (seat == entry.on))
    per_point = WHISTS_PER_POOL if entry.account == "pool" else -WHISTS_PER_GORA
    share = 3 if seat == entry.seat else -1
    return entry.amount * per_point * share * WHIST // len(SEATS)
