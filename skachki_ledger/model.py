"""The values of the game: seats, contracts, misères, all-passes, and the entries they write.

Values on the hot path are NamedTuples: they cost least to define and to make. Values of different
kinds are never compared with `==` (tuples of equal content are equal).
"""

from typing import Literal, NamedTuple

Seat = int
"""0–3 in seat order, clockwise; people see 1–4 or the name."""

SEATS: tuple[Seat, ...] = (0, 1, 2, 3)

Strain = Literal["s", "c", "d", "h", "n"]
Calls = Literal["ww", "wp", "pw", "pp", "ph", "wh"]
Dest = Literal["pool", "gora"]
Account = Literal["pool", "gora", "whists"]

Four = tuple[int, int, int, int]
"""One number a seat, in seat order."""

WHIST = 12
"""Whists are counted in twelfths, so halves, thirds and quarters are whole numbers."""


class Contract(NamedTuple):
    """A game of level 6–10 that somebody declared.

    `tricks` is empty where nothing was played (`pp`, `ph`), else (declarer, pair) or
    (declarer, first defender, second defender). `outbid`: it was bid over a misère.
    `dest`: where the declarer wants his points; None says nothing, which means the pool.
    """

    declarer: Seat
    level: int
    strain: Strain
    outbid: bool
    calls: Calls
    tricks: tuple[int, ...]
    dest: Dest | None


class Misere(NamedTuple):
    """A misère with the tricks its declarer was made to take."""

    declarer: Seat
    tricks: int
    dest: Dest | None


class AllPass(NamedTuple):
    """An all-pass: tricks and wishes in seat order; `pinned` is the price really played, if noted."""

    tricks: tuple[int, ...]
    dests: tuple[Dest | None, ...]
    pinned: int | None


Deal = Contract | Misere | AllPass


class Entry(NamedTuple):
    """One amount written in one cell under one rule of docs/rules.md.

    `amount` is in pool points, gora points or twelfths of a whist. For whists, `seat` writes on
    seat `on`; else `on` is None. `why` is the arithmetic: a kind of `wording.ARITHMETIC` and the
    numbers that go into it.
    """

    rule: str
    seat: Seat
    account: Account
    on: Seat | None
    amount: int
    why: tuple[str | int, ...]


def defenders(declarer: Seat, dealer: Seat) -> tuple[Seat, Seat]:
    """Return the two defenders in clockwise order after the declarer ("first", "second")."""
    first, second, third = (declarer + 1) % 4, (declarer + 2) % 4, (declarer + 3) % 4
    if first == dealer:
        return second, third
    if second == dealer:
        return first, third
    return first, second
