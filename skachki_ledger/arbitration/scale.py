"""Packed numbers: what an amount in any cell is in every claimed cell at once.

One field of `FIELD` bits a claim and one a total of the final sheet, so that effects add up as whole
numbers. Pool and gora are points, whists and nets twelfths of a whist.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

from ..model import SEATS, Seat
from ..state import State
from .cells import Cell

FIELD = 32

Row = tuple[int, ...]


class Weights(NamedTuple):
    """What one unit in each cell is worth, packed, in the sheet as it stands before event `at`."""

    at: int
    pool: tuple[Row, ...]
    gora: tuple[Row, ...]
    whists: Row


class Scale:
    """The fields: one a claimed cell at its place in time, exact ones first, then 20 final totals."""

    def __init__(self, asked: Sequence[tuple[Cell, int]], exact: int, end: int, semesters: int) -> None:
        """Take (cell, before which event) pairs, the first `exact` of them to be met to the unit.

        `end` is one more than the number of events: what is asked of the end sees all of them."""
        self.exact = exact
        self.count = len(asked)
        self.mask = (1 << FIELD * exact) - 1
        totals = [Cell(seat, account) for account in ("pool", "gora") for seat in SEATS]
        totals += [Cell(seat, "whists", on) for seat in SEATS for on in SEATS if on != seat]
        fields = [*asked, *((cell, end) for cell in totals)]
        self.bias = sum(1 << FIELD * place + FIELD - 1 for place in range(len(fields)))
        self.fields = len(fields)
        self.weights = tuple(
            _weights(
                at, [(place, cell) for place, (cell, then) in enumerate(fields) if then == at], semesters
            )
            for at in sorted({then for _cell, then in fields})
        )

    def field(self, moved: int, place: int) -> int:
        """Return one field of a packed change."""
        return ((moved + self.bias) >> FIELD * place & (1 << FIELD) - 1) - (1 << FIELD - 1)

    def raw(self, moved: int) -> tuple[int, ...]:
        """Return all claimed fields of a packed change, each raised by half a field."""
        low = moved + self.bias & (1 << FIELD * self.count) - 1
        return struct.unpack(f"<{self.count}I", low.to_bytes(FIELD // 8 * self.count, "little"))

    def claimed(self, moved: int) -> tuple[int, ...]:
        """Return all claimed fields of a packed change."""
        return tuple(amount - (1 << FIELD - 1) for amount in self.raw(moved))

    def packed(self, amounts: Sequence[int]) -> int:
        """Return amounts, one a claim, as a packed change of the claimed fields."""
        return sum(amount << FIELD * place for place, amount in enumerate(amounts))


def coefficient(cell: Cell, account: str, seat: Seat, on: Seat | None, semester: int) -> int:
    """Return what one unit of an account adds to a cell, in the cell's units (settle.net)."""
    if cell.account == "net":
        if account == "whists":
            return (cell.seat == seat) - (cell.seat == on)
        return (60 if account == "pool" else -30) * (3 if cell.seat == seat else -1)
    same = (cell.account, cell.seat, cell.on) == (account, seat, on)
    return int(same and cell.semester in (None, semester))


def _weights(at: int, fields: Sequence[tuple[int, Cell]], semesters: int) -> Weights:
    def weight(account: str, seat: Seat, on: Seat | None, semester: int) -> int:
        return sum(
            coefficient(cell, account, seat, on, semester) << FIELD * place for place, cell in fields
        )

    numbers = range(1, semesters + 1)
    return Weights(
        at,
        tuple(tuple(weight("pool", seat, None, number) for seat in SEATS) for number in numbers),
        tuple(tuple(weight("gora", seat, None, number) for seat in SEATS) for number in numbers),
        tuple(weight("whists", seat, on, 0) for seat in SEATS for on in SEATS),
    )


def summed(several: Sequence[Weights]) -> Weights:
    """Return the weights of what is seen in each of several sheets."""
    semesters = range(len(several[0].pool))
    return Weights(
        several[0].at,
        tuple(tuple(map(sum, zip(*(w.pool[row] for w in several), strict=True))) for row in semesters),
        tuple(tuple(map(sum, zip(*(w.gora[row] for w in several), strict=True))) for row in semesters),
        tuple(map(sum, zip(*(w.whists for w in several), strict=True))),
    )


def apart(weights: Weights, new: State, old: State) -> int:
    """Return what two states are apart in the fields of one place in time, packed."""
    total = 0
    if new.whists != old.whists:
        for weight, a, b in zip(weights.whists, new.whists, old.whists, strict=True):
            if a != b:
                total += weight * (a - b)
    if new.semester == old.semester and new.closed == old.closed:
        return total + _row_apart(weights, new.semester, (new.pool, new.gora), (old.pool, old.gora))
    zero = ((0, 0, 0, 0), (0, 0, 0, 0))
    a_rows = [*new.closed, (new.pool, new.gora)]
    b_rows = [*old.closed, (old.pool, old.gora)]
    for place in range(max(len(a_rows), len(b_rows))):
        a_row = a_rows[place] if place < len(a_rows) else zero
        b_row = b_rows[place] if place < len(b_rows) else zero
        total += _row_apart(weights, place + 1, a_row, b_row)
    return total


def _row_apart(weights: Weights, semester: int, new: tuple[Row, Row], old: tuple[Row, Row]) -> int:
    total = 0
    if new[0] != old[0]:
        for weight, a, b in zip(weights.pool[semester - 1], new[0], old[0], strict=True):
            total += weight * (a - b)
    if new[1] != old[1]:
        for weight, a, b in zip(weights.gora[semester - 1], new[1], old[1], strict=True):
            total += weight * (a - b)
    return total
