"""Slips of the record that an honest scorer makes: each says what stands where, and what should.

`COSTS` says how unlikely each kind is; among equally many slips the cheaper explanation comes first.
Dealers are facts and stay where they are recorded (deal.fact).
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from ..derive import Step
from ..events import DealPlayed, Event, Fine
from ..model import SEATS, AllPass, Calls, Contract, Deal, Dest, Misere, Seat, Strain
from ..rules import TRICKS, Rules, Value

COSTS: dict[str, float] = {
    "tricks": 1.0,
    "calls": 1.1,
    "level": 1.2,
    "declarer": 1.2,
    "strain": 2.0,
    "dest": 1.0,
    "outbid": 1.2,
    "misere-tricks": 1.0,
    "allpass-tricks": 1.0,
    "allpass-swap": 1.0,
    "left-out": 2.5,
    "twice": 1.0,
    "swapped": 1.1,
    "fine-missing": 2.0,
    "fine-twice": 1.0,
    "fine-seat": 1.2,
    "paper-price": 1.0,
    "paper-double": 1.0,
    "paper-gentleman": 1.0,
    "paper-consolation": 1.0,
    "paper-short": 1.1,
    "paper-clean": 1.1,
    "paper-prize": 1.1,
    "paper-sum": 3.0,
    "paper-cell": 2.5,
    "switch": 1.5,
}
"""What a slip of each kind costs, before what makes it less plain; docs/reconcile.md explains them."""

TWO_TRICKS = 0.3
"""More for two tricks than for one."""
A_CHOICE_TOO = 0.3
"""More where the slip must also have lost a wish for pool or gora."""
PLAYED_AFTER_ALL = 0.9
"""More where a game recorded as unplayed was played: its tricks are not known."""
FAR_APART = 2.0
"""More where the two equal deals do not follow each other."""
UNUSUAL_FINE = 0.5
"""More for a fine that is no undertrick at a level."""
PER_PROBLEM = 0.5
"""More for each problem the game has with the slip put right, less for each it mends; at most four."""

LAST_RESORT = frozenset(("paper-sum", "paper-cell"))
"""Kinds that can explain almost anything: they come after all others of equally many slips."""

USUAL_FINES = frozenset((4, 5, 8, 10, 12, 16, 20))
FINES = (*range(1, 41), 50, 60, 80, 100)
"""Amounts of a fine left out that are tried, besides those the claims themselves suggest."""

Amount = tuple[int, str, Seat, Seat | None, int]
"""Semester, account, seat, on, amount: one number on paper, as it is off the record."""


class Slip(NamedTuple):
    """One slip. In the record `events` should stand for the `removed` ones from `at` on.

    On paper `amounts` are off; `note` tells how. `switch` is read with `value` all night.
    """

    kind: str
    at: int
    removed: int
    events: tuple[Event, ...]
    cost: float
    second: int = -1
    amounts: tuple[Amount, ...] = ()
    note: tuple[str | int, ...] = ()
    switch: str = ""
    value: Value = 0

    @property
    def where(self) -> str:
        """Return where the slip was made: ledger, paper or rules."""
        if self.kind == "switch":
            return "rules"
        return "paper" if self.kind.startswith("paper-") else "ledger"


Changed = tuple[str, Deal, float]
"""A kind, the deal that should stand there, and what it costs more than its kind."""


def of_record(steps: Sequence[Step], rules: Rules) -> Iterator[Slip]:
    """Yield every slip that one line of the record, or two neighbours, may hold.

    What the rules forbid in its place is among them; who weighs a slip sees that.
    """
    deals = [place for place, taken in enumerate(steps) if isinstance(taken.event, DealPlayed)]
    for place in deals:
        event = cast(DealPlayed, steps[place].event)
        for kind, deal, more in changed(event.deal, steps[place].dealer, rules):
            yield Slip(kind, place, 1, (event._replace(deal=deal),), COSTS[kind] + more)
    yield from _twice(steps, deals)
    yield from _swapped(steps, deals)
    yield from _fines(steps)


def changed(deal: Deal, dealer: Seat, rules: Rules) -> Iterator[Changed]:
    """Yield what one deal may have been instead."""
    if isinstance(deal, Contract):
        yield from _tricks(deal)
        yield from _calls(deal)
        yield from _bid(deal, rules)
        if deal.calls == "pp":
            yield "dest", deal._replace(dest=_other(deal.dest)), 0.0
    elif isinstance(deal, Misere):
        for tricks in (deal.tricks - 1, deal.tricks + 1):
            if 0 <= tricks <= TRICKS:
                yield "misere-tricks", Misere(deal.declarer, tricks, None), 0.0
        if deal.tricks == 1:
            yield "misere-tricks", Misere(deal.declarer, 0, "gora"), A_CHOICE_TOO
        if deal.tricks == 0:
            yield "dest", deal._replace(dest=_other(deal.dest)), 0.0
    else:
        yield from _allpass(deal)
    if not isinstance(deal, AllPass):
        for seat in SEATS:
            if seat not in (deal.declarer, dealer):
                yield "declarer", deal._replace(declarer=seat), 0.0


def _other(dest: Dest | None) -> Dest | None:
    return None if dest == "gora" else "gora"


def _tricks(deal: Contract) -> Iterator[Changed]:
    """Yield one or two tricks moved from one player to another."""
    seats = range(len(deal.tricks))
    for giver in seats:
        for taker in seats:
            if giver == taker or (deal.calls != "ww" and giver and taker):
                continue
            for count in range(1, min(2, deal.tricks[giver]) + 1):
                tricks = list(deal.tricks)
                tricks[giver] -= count
                tricks[taker] += count
                more = TWO_TRICKS if count == 2 else 0.0
                yield "tricks", deal._replace(tricks=tuple(tricks), dest=None), more


_ALL_CALLS: tuple[Calls, ...] = ("ww", "wp", "pw", "pp", "ph", "wh")


def _calls(deal: Contract) -> Iterator[Changed]:
    """Yield other calls of the defenders; the other one whisting is the likeliest."""
    for calls in _ALL_CALLS:
        if calls == deal.calls or ("h" in calls and deal.level > 7):
            continue
        turned = 0.0 if {calls, deal.calls} == {"wp", "pw"} else 0.1
        if "w" not in calls:
            bare = deal._replace(calls=calls, tricks=(), dest=None)
            yield "calls", bare, turned
            if calls == "pp":
                yield "calls", bare._replace(dest="gora"), turned + A_CHOICE_TOO
            continue
        for tricks, more in _played(deal, calls):
            yield "calls", deal._replace(calls=calls, tricks=tricks, dest=None), turned + more


def _played(deal: Contract, calls: Calls) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield the tricks a deal may have been played to under other calls."""
    if len(deal.tricks) == 3 or (len(deal.tricks) == 2 and calls != "ww"):
        yield deal.tricks, 0.0
        return
    known = deal.tricks[:1] or range(TRICKS + 1)
    for own in known:
        more = 0.0 if deal.tricks else PLAYED_AFTER_ALL + 0.05 * abs(own - deal.level)
        if calls != "ww":
            yield (own, TRICKS - own), more
        else:
            for first in range(TRICKS - own + 1):
                yield (own, first, TRICKS - own - first), more


def _bid(deal: Contract, rules: Rules) -> Iterator[Changed]:
    """Yield another level, strain or /m. A strain changes no score: it is the calls that go with it."""
    for level in (deal.level - 1, deal.level + 1):
        if 6 <= level <= 10 and not ("h" in deal.calls and level > 7):
            outbid = deal.outbid and level >= 9
            yield "level", deal._replace(level=level, outbid=outbid), 0.0
            if deal.dest == "gora":
                yield "level", deal._replace(level=level, outbid=outbid, dest=None), A_CHOICE_TOO
    if deal.level >= 9:
        yield "outbid", deal._replace(outbid=not deal.outbid), 0.0
    if deal.level == 6 and rules.stalingrad != "off":
        spades = deal.strain == "s"
        strain: Strain = "c" if spades else "s"
        for _kind, other, more in _calls(deal):
            allowed = "ww" if rules.stalingrad == "both" else "w"
            if spades or allowed in cast(Contract, other).calls:
                yield "strain", cast(Contract, other)._replace(strain=strain), more


def _allpass(deal: AllPass) -> Iterator[Changed]:
    """Yield one trick moved, two seats' tricks swapped, one seat's wish turned."""
    for giver in SEATS:
        if deal.tricks[giver] == 0:
            yield "dest", _with(deal, deal.tricks, giver, _other(deal.dests[giver])), 0.0
        for taker in SEATS:
            if giver == taker or not deal.tricks[giver]:
                continue
            tricks = list(deal.tricks)
            tricks[giver] -= 1
            tricks[taker] += 1
            yield from _wishing("allpass-tricks", deal, tricks, giver)
    for one in SEATS:
        for other in range(one + 1, 4):
            tricks = list(deal.tricks)
            tricks[one], tricks[other] = tricks[other], tricks[one]
            if tricks != list(deal.tricks):
                wished = deal.dests[one] or deal.dests[other]
                clean = next((seat for seat in (one, other) if tricks[seat] == 0), None)
                if wished == "gora" and clean is not None:
                    yield "allpass-swap", _with(deal, tuple(tricks), clean, "gora"), 0.0
                    yield "allpass-swap", _with(deal, tuple(tricks), clean, None), A_CHOICE_TOO
                else:
                    yield from _wishing("allpass-swap", deal, tricks, clean)


def _wishing(kind: str, deal: AllPass, tricks: list[int], clean: Seat | None) -> Iterator[Changed]:
    """Yield an all-pass with other tricks; who is clean now may have wished for the gora."""
    yield kind, _with(deal, tuple(tricks), 0, deal.dests[0]), 0.0
    if clean is not None and tricks[clean] == 0:
        yield kind, _with(deal, tuple(tricks), clean, "gora"), A_CHOICE_TOO


def _with(deal: AllPass, tricks: tuple[int, ...], seat: Seat, dest: Dest | None) -> AllPass:
    """Return the all-pass with these tricks and one seat's wish; who took tricks has none."""
    dests = tuple((dest if at == seat else deal.dests[at]) if tricks[at] == 0 else None for at in SEATS)
    return AllPass(tricks, dests, deal.pinned)


def _twice(steps: Sequence[Step], deals: Sequence[int]) -> Iterator[Slip]:
    """Yield deals that stand there a second time."""
    seen: dict[tuple[object, ...], int] = {}
    for number, place in enumerate(deals):
        deal = cast(DealPlayed, steps[place].event).deal
        key = (type(deal), *deal)
        if key in seen:
            far = FAR_APART if number - seen[key] > 1 else 0.0
            yield Slip("twice", place, 1, (), COSTS["twice"] + far, deals[seen[key]])
            first = deals[seen[key]]
            if not far and steps[first].dealer != steps[place].dealer:
                yield Slip("twice", first, 1, (), COSTS["twice"], place)
        seen[key] = number


def _swapped(steps: Sequence[Step], deals: Sequence[int]) -> Iterator[Slip]:
    """Yield two neighbours in the other order: each dealt by whoever is recorded in that place, or by
    its own dealer."""
    for first, second in itertools.pairwise(deals):
        a, b = cast(DealPlayed, steps[first].event), cast(DealPlayed, steps[second].event)
        between = tuple(taken.event for taken in steps[first + 1 : second])
        if a.deal == b.deal:
            continue
        ways = [(a.dealer, b.dealer), (b.dealer, a.dealer)]
        for dealers in ways[: 1 + (a.dealer != b.dealer)]:
            events = (
                b._replace(dealer=dealers[0], label=a.label),
                *between,
                a._replace(dealer=dealers[1], label=b.label),
            )
            yield Slip("swapped", first, second - first + 1, events, COSTS["swapped"], second)


def _fines(steps: Sequence[Step]) -> Iterator[Slip]:
    """Yield fines that stand there twice, are doubled, or stand on the wrong seat."""
    seen: dict[tuple[object, ...], int] = {}
    for place, taken in enumerate(steps):
        fine = taken.event
        if not isinstance(fine, Fine):
            continue
        if fine[:4] in seen:
            yield Slip("fine-twice", place, 1, (), COSTS["fine-twice"], seen[fine[:4]])
        elif fine.amount % 2 == 0:
            half = fine._replace(amount=fine.amount // 2)
            yield Slip("fine-twice", place, 1, (half,), COSTS["fine-twice"] + A_CHOICE_TOO)
        seen[fine[:4]] = place
        for seat in SEATS:
            if seat != fine.seat:
                yield Slip("fine-seat", place, 1, (moved(fine, seat),), COSTS["fine-seat"])


def moved(fine: Fine, seat: Seat) -> Fine:
    """Return a fine on another seat; who would write on himself changes places with the fined."""
    if len(fine.writers) == 3:
        return fine._replace(seat=seat, writers=tuple(other for other in SEATS if other != seat))
    writers = tuple(fine.seat if writer == seat else writer for writer in fine.writers)
    return fine._replace(seat=seat, writers=writers)


def fines_missing(places: Sequence[int], amounts: Sequence[int]) -> Iterator[Slip]:
    """Yield fines left out: gora before each of the places, whists before the last of them."""
    for amount in amounts:
        cost = COSTS["fine-missing"] + (0.0 if amount in USUAL_FINES else UNUSUAL_FINE)
        for seat in SEATS:
            for place in places:
                yield Slip("fine-missing", place, 0, (Fine(seat, amount, "gora", (), ""),), cost)
            others = tuple(other for other in SEATS if other != seat)
            for writers in (*((other,) for other in others), others):
                fine = Fine(seat, amount, "whists", writers, "")
                yield Slip("fine-missing", places[-1], 0, (fine,), cost + 0.1)
