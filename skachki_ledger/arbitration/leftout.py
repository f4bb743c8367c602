"""Deals that were played but not recorded: which ones fit, and where.

A deal left out shows where the recorded dealers jump (deal.fact): there every plausible deal is
weighed. Elsewhere the deals of each dealer stand in a table by what they write; one representative a
phase tells what a place adds to that, and the rest is looked up.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from ..events import DealPlayed
from ..model import SEATS, AllPass, Calls, Contract, Deal, Dest, Misere, Seat
from ..rules import DEALER_TRICKS_MAX, TRICKS, Rules
from ..scoring import is_whisted, score
from .effects import Base
from .flips import flips
from .quick import Effect, Local, Quick, phase_class
from .slips import A_CHOICE_TOO, COSTS, Slip

GAPS_MAX = 6
"""At how many jumps of the dealer every plausible deal is weighed."""


Row = tuple[int, ...]


class Plausible(NamedTuple):
    """A deal that seat 0 dealt, what it costs more than a plain one, what it does and writes.

    `alike`: what decides the phases after it and whether it may be recorded. `cells` are amounts by
    cell: 0–3 pool, 4–7 gora, from 8 on whists row by row.
    """

    deal: Deal
    more: float
    phase: str
    alike: tuple[object, ...]
    cells: tuple[tuple[int, int], ...]
    pool: Row
    gora: Row


def _plausible(deal: Deal, more: float, rules: Rules, price: int) -> Plausible:
    rows = [0] * 24
    for _rule, seat, account, on, amount, _why in score(deal, rules, 0, price):
        place = {"pool": seat, "gora": 4 + seat}.get(account, 8 + 4 * seat + (on or 0))
        rows[place] += amount
    phase = phase_class(deal, rules)
    level = deal.level if isinstance(deal, Contract) else 0
    cells = tuple((place, amount) for place, amount in enumerate(rows) if amount)
    alike = phase, level, is_whisted(deal), type(deal)
    return Plausible(deal, more, phase, alike, cells, tuple(rows[:4]), tuple(rows[4:8]))


def _rotated(row: Row, by: Seat) -> Row:
    return row[-by:] + row[:-by] if by else row


@lru_cache(maxsize=4)
def plausible(rules: Rules) -> tuple[Plausible, ...]:
    """Return the deals that seat 0 may have dealt, one strain for all: strains change no score."""
    found: list[tuple[Deal, float]] = []
    for declarer in SEATS[1:]:
        for level in range(6, 11):
            found += _contracts(declarer, level, rules)
        found.append((Misere(declarer, 0, None), 0.0))
        if rules.misere_choice:
            found.append((Misere(declarer, 0, "gora"), A_CHOICE_TOO))
        found += [(Misere(declarer, tricks, None), 0.1 * tricks) for tricks in range(1, TRICKS + 1)]
    return tuple(_plausible(deal, more, rules, 0) for deal, more in found)


@lru_cache(maxsize=16)
def plausible_allpasses(rules: Rules, price: int) -> tuple[Plausible, ...]:
    """Return the all-passes that seat 0 may have dealt, at a price."""
    return tuple(_plausible(deal, more, rules, price) for deal, more in _allpasses(0, rules))


def turned(deal: Deal, by: Seat) -> Deal:
    """Return the deal with every seat `by` further round the table."""
    if isinstance(deal, AllPass):
        back = [(seat - by) % 4 for seat in SEATS]
        return AllPass(
            tuple(deal.tricks[seat] for seat in back), tuple(deal.dests[seat] for seat in back), deal.pinned
        )
    return deal._replace(declarer=(deal.declarer + by) % 4)


def _contracts(declarer: Seat, level: int, rules: Rules) -> Iterator[tuple[Deal, float]]:
    calls_possible: tuple[Calls, ...] = ("ww", "wp", "pw", "ph", "wh")
    if level > 7 or not rules.half_whist:
        calls_possible = ("ww", "wp", "pw")
    yield Contract(declarer, level, "d", False, "pp", (), None), 0.0
    if level in rules.unwhisted_choice:
        yield Contract(declarer, level, "d", False, "pp", (), "gora"), A_CHOICE_TOO
    for calls in calls_possible:
        if calls == "ph":
            yield Contract(declarer, level, "d", False, calls, (), None), 0.2
            continue
        for own in range(TRICKS + 1):
            more = 0.05 * abs(own - level) + (0.2 if calls == "wh" else 0.0)
            splits = range(TRICKS - own + 1) if calls == "ww" else (-1,)
            for first in splits:
                rest = TRICKS - own
                tricks = (own, rest) if first < 0 else (own, first, rest - first)
                yield Contract(declarer, level, "d", False, calls, tricks, None), more
                if own < level and level in rules.forced_after:
                    yield Contract(declarer, level, "d", True, calls, tricks, None), more + 0.3


def _allpasses(dealer: Seat, rules: Rules) -> Iterator[tuple[Deal, float]]:
    for a, b, c in itertools.product(range(TRICKS + 1), repeat=3):
        tricks = (a, b, c, TRICKS - a - b - c)
        if tricks[3] < 0 or tricks[dealer] > DEALER_TRICKS_MAX:
            continue
        choosers = [seat for seat in SEATS if not tricks[seat] and (seat != dealer or rules.dealer_clean)]
        for wishes in itertools.product((None, "gora"), repeat=len(choosers)):
            dests: list[Dest | None] = [None] * 4
            for seat, wish in zip(choosers, wishes, strict=True):
                dests[seat] = cast(Dest | None, wish)
            more = A_CHOICE_TOO * sum(wish is not None for wish in wishes)
            yield AllPass(tricks, tuple(dests), None), more


def _slip(base: Base, place: int, deal: Deal, more: float) -> Slip:
    """Return the slip of a deal left out before event `place`, dealt by whoever's turn it was."""
    dealer = base.states[place].turn
    before = [taken.label for taken in base.steps[:place] if taken.label]
    label = f"{before[-1] if before else '0'}+"
    event = DealPlayed(deal, "", dealer, label)
    return Slip("left-out", place, 0, (event,), COSTS["left-out"] + more)


def at_gaps(base: Base) -> Iterator[tuple[Slip, Effect]]:
    """Yield every plausible deal where the dealers jump, and after the last deal of a game not over.

    Deals that differ in whists and gora alone share the derivation of their phases.
    """
    rules = base.header.rules
    for place in gaps(base):
        state = base.states[place]
        weights, turn = _weights(base, place), state.turn
        for one in (*plausible(rules), *plausible_allpasses(rules, state.price)):
            moved = sum([weights[cell] * amount for cell, amount in one.cells])
            local = Local((place, 0, one.alike, one.pool), moved, _rotated(one.gora, turn), 0)
            slip = _slip(base, place, turned(one.deal, turn), one.more)
            effect = base.effect_alike(local, place, slip.events)
            if effect is not None:
                yield slip, effect


def _weights(base: Base, place: int) -> list[int]:
    """Return what one unit in each cell of `Plausible.cells` is worth before event `place`, packed."""
    state = base.states[place]
    weights = base.later[base.passed[place]]
    seats = [(seat + state.turn) % 4 for seat in SEATS]
    row = state.semester - 1
    return [
        *(weights.pool[row][seat] for seat in seats),
        *(weights.gora[row][seat] for seat in seats),
        *(weights.whists[4 * a + b] for a in seats for b in seats),
    ]


def gaps(base: Base) -> list[int]:
    """Return the places before deals that somebody else dealt than the rotation says."""
    found = []
    for place, event in enumerate(base.events):
        turn = base.states[place].turn
        if isinstance(event, DealPlayed) and event.dealer != turn and not base.states[place].over:
            found.append((event.dealer != (turn + 1) % 4, place))
    places = [place for _jump, place in sorted(found)[:GAPS_MAX]]
    return [*places, base.end] if not base.states[-1].over else places


Rows = dict[str, dict[int, list[Plausible]]]
"""Plausible deals by phase and then by what they write in the claimed cells, packed."""


class Table:
    """The plausible deals of each dealer by phase and by what they write in the claimed cells."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self._built: dict[tuple[int, ...], Rows] = {}

    def of(self, place: int) -> list[Rows]:
        """Return the deals that may stand before event `place`, all-passes apart."""
        base, state = self.base, self.base.states[place]
        rules = base.header.rules
        key = self.key(place)
        if (*key, 0) not in self._built:
            self._built[*key, 0] = self._rows(place, plausible(rules))
        if (*key, state.price) not in self._built:
            self._built[*key, state.price] = self._rows(place, plausible_allpasses(rules, state.price))
        return [self._built[*key, 0], self._built[*key, state.price]]

    def key(self, place: int) -> tuple[int, int, int]:
        """Return on what it depends what a deal before event `place` moves."""
        base, state = self.base, self.base.states[place]
        return state.turn, base.passed[place], state.semester if base.by_semester else 0

    def _rows(self, place: int, deals: Sequence[Plausible]) -> Rows:
        weights, mask = _weights(self.base, place), self.base.scale.mask
        found: Rows = {}
        for one in deals:
            moved = sum([weights[cell] * amount for cell, amount in one.cells])
            found.setdefault(one.phase, {}).setdefault(moved & mask, []).append(one)
        return found

    def local(self, place: int, one: Plausible) -> int:
        """Return what the deal itself writes, packed."""
        base, state = self.base, self.base.states[place]
        entries = score(turned(one.deal, state.turn), base.header.rules, state.turn, state.price)
        return base.packed(place, state.semester, entries)


def elsewhere(base: Base, target: int) -> Iterator[Slip]:
    """Yield deals left out before other deals that may move the claimed cells by `target`."""
    table, known, mask = Table(base), set(gaps(base)), base.scale.mask
    found: dict[tuple[object, ...], list[Plausible]] = {}
    for place, event in enumerate(base.events):
        state = base.states[place]
        if not isinstance(event, DealPlayed) or place in known or state.over:
            continue
        for rows in table.of(place):
            for phase, by_moved in rows.items():
                shift = _shift(base, table, place, phase, by_moved)
                if shift is None:
                    continue
                key = (*table.key(place), state.semester, phase, shift, state.price)
                if key not in found:
                    needs = {(target - shift - prizes) & mask for prizes in flips(base, state.semester)}
                    found[key] = [one for need in sorted(needs) for one in by_moved.get(need, ())]
                for one in found[key]:
                    yield _slip(base, place, turned(one.deal, state.turn), one.more)


def _shift(
    base: Base, table: Table, place: int, phase: str, by_moved: dict[int, list[Plausible]]
) -> int | None:
    """Return what a deal of this phase moves besides what it writes; None where it may not stand here."""
    state = base.states[place]
    if phase in ("", "exit") and not state.is_open and not state.reached:
        return 0
    if state.due and phase != "all-pass":
        return None
    for deals in itertools.islice(by_moved.values(), 40):
        event = DealPlayed(turned(deals[0].deal, state.turn), "", state.turn, "+")
        effect = base.quick.effect(place, 0, (event,))
        if effect is not None:  # undecided: the semester would end elsewhere, which its gap would show
            decided = effect is not Quick.UNDECIDED
            return effect.moved - effect.prizes - table.local(place, deals[0]) if decided else None
    return None
