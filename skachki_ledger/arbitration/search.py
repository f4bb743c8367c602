"""Which slips, alone or two together, move the claimed cells by what the claims are off.

Every slip's effect is weighed once, as one packed number. Two slips meet in the middle: the effect
that a slip leaves over is looked up among the others.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from .. import rules
from ..derive import History, derive, refusals
from ..events import Event
from ..rules import Value
from . import leftout
from .effects import Base
from .flips import flips
from .quick import NEVER_ENDS, Effect
from .scale import apart
from .slips import COSTS, FINES, LAST_RESORT, PER_PROBLEM, Slip, fines_missing, of_record
from .slips_paper import of_paper
from .whatif import values_tried

MATCHES_MAX = 4000
"""How many pairs are kept, the cheapest ones."""
CLASS_MAX = 6
"""How many slips of one claimed effect, but of other effects, are tried in pairs."""

Progress = Callable[[int, int], None]
"""Told what is done of how much: a hook for the screen."""


class Weighed(NamedTuple):
    """A slip with what it moves, packed; `prizes` is the part of prizes that change hands later.

    `pool_in`, `gora_in`: the semester whose pool or gora prize, and the final one, it may touch.
    """

    slip: Slip
    moved: int
    prizes: int
    cost: float
    pool_in: int
    gora_in: int


class Proved(NamedTuple):
    """What a full derivation with the slips put right gives."""

    history: History
    moved: int


def ranked(cost: float, slips: Iterable[Slip]) -> tuple[bool, float]:
    """Return the order among equally many slips: what could explain almost anything comes last."""
    return any(slip.kind in LAST_RESORT for slip in slips), round(cost, 4)


class Search:
    """One game, one set of claims: `target` is what they are off, packed; `wanted` field by field."""

    def __init__(self, base: Base, wanted: Sequence[int], units: Sequence[int], progress: Progress) -> None:
        """`units`: how much a field that is only about right may be off, exclusive."""
        self.base, self.scale = base, base.scale
        self.wanted, self.units = wanted, units
        self.target = self.scale.packed(wanted)
        self.progress = progress
        self.derivations = 1
        self.weighed: list[Weighed] = []

    def fits(self, moved: int) -> bool:
        """Tell whether a change makes every claim true."""
        scale = self.scale
        if (moved - self.target) & scale.mask:
            return False
        return all(
            abs(scale.field(moved, place) - self.wanted[place]) < self.units[place]
            for place in range(scale.exact, scale.count)
        )

    # -------------------------------------------------------------- one slip

    def weigh(self) -> None:
        """Weigh every slip: of the record, of the paper, of the rules."""
        base = self.base
        for slip in of_record(base.steps, base.header.rules):
            self.add(slip)
        self.progress(1, 4)
        for slip in fines_missing(self._fine_places(), self._fine_amounts()):
            self.add(slip)
        for slip, effect in leftout.at_gaps(base):
            self._keep(slip, effect)
        self.progress(2, 4)
        self._weigh_paper()
        self._weigh_switches()
        self.progress(3, 4)

    def add(self, slip: Slip) -> None:
        """Weigh a slip of the record, unless it may not be put right so, or changes nothing."""
        effect = self.base.effect(slip.at, slip.removed, slip.events)
        if effect is not None:
            self._keep(slip, effect)

    def _keep(self, slip: Slip, effect: Effect) -> None:
        if effect.moved:
            cost = slip.cost + PER_PROBLEM * max(-4, min(4, effect.faults))
            self.weighed.append(
                Weighed(slip, effect.moved, effect.prizes, cost, effect.pool_in, effect.gora_in)
            )

    def _weigh_paper(self) -> None:
        base = self.base
        cache: dict[tuple[int, int, str, int, int | None], int] = {}
        for slip in of_paper(base.steps, base.history.start):
            moved = 0
            for semester, account, seat, on, amount in slip.amounts:
                key = base.passed[slip.at], semester, account, seat, on
                one = cache.get(key)
                if one is None:
                    one = cache[key] = base.written(slip.at, semester, account, seat, on, 1)
                moved += one * amount
            if moved:
                self.weighed.append(Weighed(slip, moved, 0, slip.cost, 0, 0))

    def _weigh_switches(self) -> None:
        base = self.base
        for switch, current in rules.switches(base.header.rules).items():
            for value in values_tried(switch, current):
                slip = Slip("switch", 0, 0, (), COSTS["switch"], switch=switch, value=value)
                proved = self.prove((slip,))
                if proved is not None and proved.moved:
                    self.weighed.append(Weighed(slip, proved.moved, 0, slip.cost, 0, 0))

    def _fine_places(self) -> list[int]:
        """Return where a forgotten fine goes: before each semester's last deal, and at the end."""
        base = self.base
        places = sorted(base.ends_at.values())
        return places if base.states[-1].over and places else [*places, base.end]

    def _fine_amounts(self) -> list[int]:
        """Return the amounts tried for forgotten fines: common ones, and those the claims suggest."""
        found = set(FINES)
        for amount in map(abs, self.wanted):
            found |= {amount // part for part in (1, 12, 36, 30, 90) if amount and amount % part == 0}
        return sorted(amount for amount in found if amount <= 1000)

    def singles(self) -> list[Weighed]:
        """Return the slips that alone make every claim true, the likeliest first."""
        found = [one for one in self.weighed if self.fits(one.moved)]
        if self.scale.exact:
            before = len(self.weighed)
            for slip in leftout.elsewhere(self.base, self.target):
                self.add(slip)
            found += [one for one in self.weighed[before:] if self.fits(one.moved)]
            del self.weighed[before:]
        self.progress(4, 4)
        return sorted(found, key=lambda one: ranked(one.cost, (one.slip,)))

    # -------------------------------------------------------------- two slips

    def pairs(self) -> list[tuple[float, Weighed, Weighed]]:
        """Return pairs that together should make every claim true, the likeliest first."""
        by_effect: dict[int, list[Weighed]] = {}
        for one in self.weighed:
            by_effect.setdefault(one.moved, []).append(one)
        for same in by_effect.values():
            same.sort(key=lambda one: ranked(one.cost, (one.slip,)))
        kept = [one for same in by_effect.values() for one in same[:2]]
        index = self._index(kept, lambda one: one.moved)
        bare = self._index(kept, lambda one: one.moved - one.prizes)
        found: dict[tuple[int, int], tuple[tuple[bool, float], int, Weighed, Weighed]] = {}
        for number, one in enumerate(kept):
            if number % 512 == 0:
                self.progress(number, len(kept))
            for other in self._partners(one, index, bare):
                self._note(found, one, other)
        best = heapq.nsmallest(MATCHES_MAX, found.values(), key=lambda match: match[:2])
        return [(rank[1], one, other) for rank, _number, one, other in best]

    def _note(
        self,
        found: dict[tuple[int, int], tuple[tuple[bool, float], int, Weighed, Weighed]],
        one: Weighed,
        other: Weighed,
    ) -> None:
        first, second = (one, other) if one.slip.at <= other.slip.at else (other, one)
        key = id(first), id(second)
        if key in found or (key[1], key[0]) in found or overlap(first.slip, second.slip):
            return
        rank = ranked(first.cost + second.cost, (first.slip, second.slip))
        found[key] = rank, len(found), first, second

    def _key(self, moved: int) -> int:
        """Return under what a change is looked up: its exact fields, else one field, roughly."""
        if self.scale.exact:
            return moved & self.scale.mask
        return self.scale.field(moved, 0) // self.units[0]

    def _index(self, kept: Iterable[Weighed], change: Callable[[Weighed], int]) -> dict[int, list[Weighed]]:
        index: dict[int, list[Weighed]] = {}
        for one in kept:
            index.setdefault(self._key(change(one)), []).append(one)
        for same in index.values():
            same.sort(key=lambda one: ranked(one.cost, (one.slip,)))
            del same[CLASS_MAX:]
        return index

    def _partners(
        self, one: Weighed, index: dict[int, list[Weighed]], bare: dict[int, list[Weighed]]
    ) -> Iterator[Weighed]:
        """Yield what `one` may go with: their effects add up, but for prizes that change hands."""
        left = self.target - one.moved
        if not self.scale.exact:
            key = self._key(left)
            for near in (key - 1, key, key + 1):
                yield from (other for other in index.get(near, ()) if self.fits(one.moved + other.moved))
            return
        for other in index.get(left & self.scale.mask, ()):
            if self.fits(one.moved + other.moved):
                yield other
        if one.pool_in or one.gora_in:
            left += one.prizes
            kinds = (("pool",) if one.pool_in else ()) + (("gora",) if one.gora_in else ())
            for prizes in flips(self.base, one.pool_in or one.gora_in, kinds):
                yield from bare.get((left - prizes) & self.scale.mask, ())

    # -------------------------------------------------------------- proof

    def prove(self, slips: Sequence[Slip]) -> Proved | None:
        """Derive the game with the slips put right; None where one may not be recorded so."""
        self.derivations += 1
        base = self.base
        header = base.header
        for slip in slips:
            if slip.switch:
                header = header._replace(rules=with_value(header.rules, slip.switch, slip.value))
        events, fresh = put_right(base.events, slips)
        history = derive(header, events)
        if any(refusals(history.steps[place]) for place in fresh):
            return None
        moved = 0
        for weights in self.scale.weights:
            place = len(events) if weights.at > base.end else _moved_place(weights.at, slips)
            state = history.steps[place - 1].after if place else history.start
            moved += apart(weights, state, base.states[min(weights.at, base.end)])
        for slip in slips:
            for semester, account, seat, on, amount in slip.amounts:
                moved += base.written(slip.at, semester, account, seat, on, amount)
        return Proved(history, moved)


def with_value(current: rules.Rules, switch: str, value: Value) -> rules.Rules:
    """Return the rules with one switch read otherwise."""
    return rules.with_switch(current, switch, value)


def overlap(one: Slip, other: Slip) -> bool:
    """Tell whether two slips are of the same line, or both of the rules: they cannot be added."""
    if one.where != other.where:
        return False
    if one.where == "paper":
        return one is other
    if one.where == "rules":
        return True
    first, second = (one, other) if one.at <= other.at else (other, one)
    return first is second or second.at < first.at + first.removed


def put_right(events: Sequence[Event], slips: Sequence[Slip]) -> tuple[list[Event], list[int]]:
    """Return the events with the record's slips put right, and the places of the new ones."""
    changed = list(events)
    record = sorted((slip for slip in slips if slip.where == "ledger"), key=lambda slip: slip.at)
    for slip in reversed(record):
        changed[slip.at : slip.at + slip.removed] = slip.events
    fresh: list[int] = []
    shift = 0
    for slip in record:
        fresh += range(slip.at + shift, slip.at + shift + len(slip.events))
        shift += len(slip.events) - slip.removed
    return changed, fresh


def _moved_place(at: int, slips: Sequence[Slip]) -> int:
    """Return where the sheet before event `at` is to be read in the game put right."""
    if at >= NEVER_ENDS:
        return at
    shift = 0
    for slip in slips:
        if slip.where != "ledger" or at <= slip.at:
            continue
        shift += len(slip.events) - slip.removed
    return at + shift
