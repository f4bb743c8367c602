"""The game between two events: all that the rules need to know of what came before."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .model import Four, Seat
from .rules import Rules, allpass_price

NOTHING = (0, 0, 0, 0)
"""A row of pool or gora before anything is written."""


class Prize(NamedTuple):
    """A prize as it was awarded; `semester` 0: after the game. Names are those then seated."""

    semester: int
    kind: str
    winners: tuple[Seat, ...]
    names: tuple[str, ...]
    whists: int


class State(NamedTuple):
    """The game between two events. Fours are in seat order; whists are twelfths, row by row."""

    rules: Rules
    players: tuple[str, ...]
    deals: int
    semester: int
    turn: Seat
    """Whose deal it is by the rotation."""
    dealer: Seat
    """Who deals next: `turn`, or the seat a `dealer` line named."""
    semester_deals: int
    """Deals of this semester so far."""
    first_dealer: Seat
    """Who really dealt the semester's first deal; means nothing before it."""
    position: int
    """All-passes since the last exit or the semester's start (allpass.price)."""
    is_open: bool
    open_since: str
    """Label of the deal that opened the all-pass, "" before one did."""
    due: int
    """Position whose price the all-pass that is due is played at; 0 where none is due."""
    reached: tuple[Seat, ...]
    """Who reached the target first this semester (semester.reached)."""
    pool: tuple[int, ...]
    gora: tuple[int, ...]
    whists: tuple[int, ...]
    closed: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """(pool, gora) of each semester that has ended."""
    prizes: tuple[Prize, ...]
    over: str
    """"", "finished" or "stopped"."""

    @property
    def price(self) -> int:
        """Return what a trick costs at the next all-pass, in gora points."""
        return allpass_price(self.due or self.position + 1)

    @property
    def min_level(self) -> int:
        """Return the lowest contract that may be played next (allpass.hard-exit)."""
        return self.rules.min_exit_level if self.is_open else 6

    def pool_total(self) -> Four:
        """Return each seat's pool points of all semesters."""
        return _totals([pool for pool, _ in self.closed] + [self.pool])

    def gora_total(self) -> Four:
        """Return each seat's gora points of all semesters."""
        return _totals([gora for _, gora in self.closed] + [self.gora])


def _totals(rows: Sequence[tuple[int, ...]]) -> Four:
    a, b, c, d = (sum(column) for column in zip(*rows, strict=True))
    return a, b, c, d


def start(rules: Rules, players: Iterable[str], dealer: Seat) -> State:
    """Return the state before the first deal, which `dealer` deals."""
    empty = State(
        rules=rules,
        players=tuple(players),
        deals=0,
        semester=1,
        turn=dealer,
        dealer=dealer,
        semester_deals=0,
        first_dealer=dealer,
        position=0,
        is_open=False,
        open_since="",
        due=0,
        reached=(),
        pool=NOTHING,
        gora=NOTHING,
        whists=NOTHING * 4,
        closed=(),
        prizes=(),
        over="",
    )
    return with_new_semester(empty, dealer)


def with_new_semester(state: State, dealer: Seat) -> State:
    """Return the state at a semester's start: an all-pass is due at the first price (allpass.opening)."""
    return state._replace(
        turn=dealer,
        dealer=dealer,
        semester_deals=0,
        first_dealer=dealer,
        position=0,
        is_open=True,
        open_since="",
        due=1,
        reached=(),
        pool=NOTHING,
        gora=NOTHING,
    )
