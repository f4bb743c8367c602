"""What differs between two histories of one game, cell by cell."""

from typing import NamedTuple

from .derive import History
from .model import SEATS
from .settlement import net


class Change(NamedTuple):
    """One cell that differs: a seat's account, for whists `on` a seat. Whists and nets are twelfths.

    `semester` is None for whists and nets, which run through the whole game.
    """

    account: str
    seat: int
    on: int | None
    semester: int | None
    old: int
    new: int


def cells(before: History, after: History) -> list[Change]:
    """Return the cells that differ: by semester pool and gora, then whists each on each, then nets."""
    changes: list[Change] = []
    for account in ("pool", "gora"):
        old_rows, new_rows = _rows(before, account), _rows(after, account)
        for place in range(max(len(old_rows), len(new_rows))):
            old = old_rows[place] if place < len(old_rows) else (0, 0, 0, 0)
            new = new_rows[place] if place < len(new_rows) else (0, 0, 0, 0)
            changes += [Change(account, seat, None, place + 1, old[seat], new[seat]) for seat in SEATS]
    old_whists, new_whists = before.state.whists, after.state.whists
    changes += [
        Change("whists", seat, on, None, old_whists[4 * seat + on], new_whists[4 * seat + on])
        for seat in SEATS
        for on in SEATS
    ]
    old_net, new_net = net(before.state), net(after.state)
    changes += [Change("net", seat, None, None, old_net[seat], new_net[seat]) for seat in SEATS]
    return [change for change in changes if change.old != change.new]


def _rows(history: History, account: str) -> list[tuple[int, ...]]:
    state = history.state
    closed = [pool if account == "pool" else gora for pool, gora in state.closed]
    return [*closed, state.pool if account == "pool" else state.gora]
