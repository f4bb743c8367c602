"""What may happen at the table, one value a kind. The union is closed: a new kind fails mypy until
every place that reads events says what it does with it.
"""

from typing import NamedTuple

from .model import Account, Deal, Seat


class DealPlayed(NamedTuple):
    """A deal with its result.

    `irregular` is the reason it was marked with, "" where it was not. `dealer` is who really dealt,
    where that is recorded; None means whoever the rotation or a `dealer` line says (deal.fact).
    `label` is its name in the ledger; "" means its number. `announced` is what the table saw when it
    was recorded: (semester, price of the all-pass or None).
    """

    deal: Deal
    irregular: str = ""
    dealer: Seat | None = None
    label: str = ""
    announced: tuple[int, int | None] | None = None


class Fine(NamedTuple):
    """A penalty on `seat`: gora points, or whists that each of `writers` writes on it (fine)."""

    seat: Seat
    amount: int
    account: Account
    writers: tuple[Seat, ...]
    reason: str


class Adjustment(NamedTuple):
    """A correction by agreement, of either sign, written as a fine is (adjust)."""

    seat: Seat
    amount: int
    account: Account
    writers: tuple[Seat, ...]
    reason: str


class DealerNamed(NamedTuple):
    """`seat` deals the next deal, whoever's turn it was (deal.fact)."""

    seat: Seat
    reason: str


class Substitution(NamedTuple):
    """A person called `name` takes over `seat` from here (substitute)."""

    seat: Seat
    name: str
    reason: str


class Stop(NamedTuple):
    """The game ends here; `final`: the final prizes are awarded all the same (settle.early)."""

    final: bool
    reason: str


class Agreement(NamedTuple):
    """The table has compared and agrees with everything up to here."""

    note: str


class Note(NamedTuple):
    """A remark that stands in the protocol."""

    text: str


Event = DealPlayed | Fine | Adjustment | DealerNamed | Substitution | Stop | Agreement | Note
