"""The smallest set of honest slips that makes every claim true, and where to look for them.

Slips are of the record, of the paper, or one rule read otherwise. They are ordered by their number,
then by what kinds of slips cost (slips.COSTS). Each explanation is proved by a full derivation.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from operator import ne
from typing import TYPE_CHECKING, NamedTuple

from ..derive import History
from ..model import SEATS
from ..rules import WHISTS_PER_GORA, WHISTS_PER_POOL
from . import claims, effects
from .cells import Cell
from .claims import Answer, Claim
from .scale import FIELD, Scale
from .search import Progress, Proved, Search, ranked
from .slips import Slip

if TYPE_CHECKING:
    from fractions import Fraction

SHOWN_MAX = 12
"""How many explanations are shown."""
EQUAL_MAX = 8
"""How many further slips of the same effect are shown with each."""
TRIED_MAX = 4
"""How many slips of one effect are derived before the next effect is tried."""
PROOFS_MAX = 1500
"""How many derivations the proofs of pairs may take."""
MISSES_MAX = 3
LOOKED_AT = 24
"""Among how many slips that leave the fewest claims off the nearest are sought."""
PLAIN_ENOUGH = 3.0
"""Two slips are looked for unless one alone, of at most this cost, explains all."""


class Explanation(NamedTuple):
    """Slips that make every claim true; `equal` are others that do, with the same effect on every total.

    `history` is the game with the record's slips put right, `satisfies` the claims that are true in it.
    """

    slips: tuple[Slip, ...]
    cost: float
    equal: tuple[tuple[Slip, ...], ...]
    history: History
    satisfies: tuple[str, ...] = ()


class Miss(NamedTuple):
    """Slips that come near: which claims stay off, claimed − then computed, in whole units."""

    slips: tuple[Slip, ...]
    off: tuple[tuple[Claim, "Fraction"], ...]


class Contradiction(NamedTuple):
    """Why no game can have what is claimed, and the claims: nets (that do not sum to 0), twice (two
    numbers for one cell), sum (parts and whole), fraction and pool (which only wrong paper has)."""

    kind: str
    claims: tuple[Claim, ...]
    amount: "Fraction"


class Outcome(NamedTuple):
    """All that was found. `derivations` counts full ones; `complete` is false where it was interrupted."""

    explanations: tuple[Explanation, ...]
    misses: tuple[Miss, ...]
    contradictions: tuple[Contradiction, ...]
    derivations: int
    seconds: float
    complete: bool
    base: effects.Base | None = None


def reconcile(
    history: History,
    told: Sequence[Claim],
    max_slips: int,
    clock: Callable[[], float],
    progress: Progress,
) -> Outcome:
    """Return the explanations of what is claimed, the likeliest first.

    `clock` gives seconds. Raises IllegalEventError (E401), NotationError (E419).
    """
    began = clock()
    found: list[Explanation] = []
    misses: list[Miss] = []
    contradictions: list[Contradiction] = []
    complete, derivations = True, 0
    answers = [_answer(history, claim) for claim in told]
    answers.sort(key=lambda answer: answer.claim.about)
    one = None
    try:
        contradictions += contradicting(history, answers)
        one = _search(history, answers, progress)
        if all(answer.ok for answer in answers):
            found.append(Explanation((), 0.0, (), one.base.history))
        else:
            one.weigh()
            if all(found_one.kind == "pool" for found_one in contradictions):  # paper may add up wrongly
                _find(one, max_slips, found)
            if not found:
                misses += _nearest(one, answers)
    except KeyboardInterrupt:
        complete = False
    if one is not None:
        derivations = one.derivations
    texts = tuple(claim.text for claim in told)
    return Outcome(
        tuple(explanation._replace(satisfies=texts) for explanation in found),
        tuple(misses),
        tuple(contradictions),
        derivations,
        clock() - began,
        complete,
        one.base if one is not None else None,
    )


def _answer(history: History, claim: Claim) -> Answer:
    """Return the claim beside what is recorded; a semester the record has not reached is empty."""
    from fractions import Fraction

    semester = claim.cell.semester or 0
    then = history.until(claim.after) if claim.after else history
    if then.state.semester < semester <= history.header.rules.semesters:
        zero = Fraction(0)
        ok = abs(claim.number) < 1 if claim.about else not claim.number
        return Answer(claim, zero, claim.number, ok)
    return claims.answer(history, claim)


def _search(history: History, answers: Sequence[Answer], progress: Progress) -> Search:
    """Return the search for what the claims are off; exact claims come first in `answers`."""
    events = effects.recorded(history)
    end = len(events) + 1
    asked = []
    for answer in answers:
        after = answer.claim.after
        at = len(history.until(after).steps) if after else end
        asked.append((answer.claim.cell, end if at == len(events) else at))
    exact = sum(not answer.claim.about for answer in answers)
    semesters = max(20, history.header.rules.semesters)
    base = effects.Base(history.header, events, Scale(asked, exact, end, semesters))
    wanted = [_whole(answer) for answer in answers]
    return Search(base, wanted, [answer.claim.cell.unit for answer in answers], progress)


def _whole(answer: Answer) -> int:
    """Return what a claim is off in the cell's units, rounded where no game has such a number."""
    off = answer.difference * answer.claim.cell.unit
    return off.numerator // off.denominator


def _find(one: Search, max_slips: int, found: list[Explanation]) -> None:
    """Add the explanations to `found`, each as soon as it is proved."""
    groups: dict[int, list[tuple[float, tuple[Slip, ...]]]] = {}
    for single in one.singles():
        groups.setdefault(_totals(one, single.moved), []).append((single.cost, (single.slip,)))
    for group in list(groups.values())[:SHOWN_MAX]:
        _prove_group(one, group, found)
    if max_slips < 2 or any(ranked(e.cost, e.slips) <= (False, PLAIN_ENOUGH) for e in found):
        return
    pairs: dict[int, list[tuple[float, tuple[Slip, ...]]]] = {}
    for cost, first, second in one.pairs():
        key = _totals(one, first.moved + second.moved)
        pairs.setdefault(key, []).append((cost, (first.slip, second.slip)))
    limit = one.derivations + PROOFS_MAX
    shown = 0
    for group in pairs.values():
        if shown == SHOWN_MAX or one.derivations > limit:
            return
        shown += _prove_group(one, group, found)


def _totals(one: Search, moved: int) -> int:
    """Return the changes of the final totals alone, packed."""
    return (moved + one.scale.bias) >> FIELD * one.scale.count


def _prove_group(
    one: Search, group: Sequence[tuple[float, tuple[Slip, ...]]], found: list[Explanation]
) -> int:
    """Derive the slips of one effect, the likeliest first; add them as one explanation if one holds."""
    place = -1
    for number, (cost, slips) in enumerate(group):
        if place < 0 and number == TRIED_MAX:
            return 0
        if place >= 0 and len(found[place].equal) == EQUAL_MAX:
            break
        proved = one.prove(slips)
        if proved is None or not one.fits(proved.moved):
            continue
        if place < 0:
            place = len(found)
            found.append(Explanation(slips, cost, (), proved.history))
        else:
            found[place] = found[place]._replace(equal=(*found[place].equal, slips))
    return int(place >= 0)


# ------------------------------------------------------------------ what comes near


def _nearest(one: Search, answers: Sequence[Answer]) -> list[Miss]:
    """Return the single slips, or none at all, that leave the fewest claims off, and by the least."""
    tried: list[tuple[tuple[int, ...], int, tuple[Slip, ...]]] = [(_distance(one, 0), 0, ())]
    wanted = one.scale.raw(one.target)
    unmet = [sum(map(ne, one.scale.raw(single.moved), wanted)) for single in one.weighed]
    few = max(heapq.nsmallest(LOOKED_AT, unmet), default=0)
    for number, single in enumerate(one.weighed, 1):
        if unmet[number - 1] <= few:
            tried.append((_distance(one, single.moved), number, (single.slip,)))
    misses: list[Miss] = []
    seen: set[tuple[int, ...]] = set()
    for distance, _number, slips in heapq.nsmallest(LOOKED_AT, tried):
        if distance in seen or len(misses) == MISSES_MAX:
            continue
        proved = one.prove(slips)
        if proved is None:
            continue
        seen.add(distance)
        misses.append(Miss(slips, tuple(_off(one, answers, proved))))
        if not slips:
            break
    return misses


def _distance(one: Search, moved: int) -> tuple[int, ...]:
    """Return how many claims a change leaves off, and by how much together."""
    unmet, off = 0, 0.0
    exact = one.scale.exact
    for place, (got, wanted) in enumerate(zip(one.scale.claimed(moved), one.wanted, strict=True)):
        if got != wanted:
            left = abs(got - wanted)
            if place < exact or left >= one.units[place]:
                unmet += 1
                off += left / one.units[place]
    return unmet, round(off * 12)


def _off(one: Search, answers: Sequence[Answer], proved: Proved) -> Iterator[tuple[Claim, "Fraction"]]:
    from fractions import Fraction

    for place, answer in enumerate(answers):
        left = answer.difference - Fraction(one.scale.field(proved.moved, place), one.units[place])
        if left and not (answer.claim.about and abs(left) < 1):
            yield answer.claim, left


# ------------------------------------------------------------------ what cannot be


def contradicting(history: History, answers: Sequence[Answer]) -> list[Contradiction]:
    """Return why no game at all can have these numbers."""
    found = list(_twice(answers))
    found += _impossible(history, answers)
    exact = [answer.claim for answer in answers if not answer.claim.about]
    for after in dict.fromkeys(claim.after for claim in exact):
        said = {claim.cell: claim for claim in exact if claim.after == after}
        found += _nets(said)
        found += _sums(said, history)
    return found


def _twice(answers: Sequence[Answer]) -> Iterator[Contradiction]:
    """Yield two numbers claimed of one cell."""
    seen: dict[tuple[object, ...], Claim] = {}
    for answer in answers:
        claim = answer.claim
        other = seen.setdefault((claim.cell, claim.after), claim)
        apart = claim.number - other.number
        if abs(apart) >= claim.about + other.about and apart:
            yield Contradiction("twice", (other, claim), apart)


def _impossible(history: History, answers: Sequence[Answer]) -> Iterator[Contradiction]:
    """Yield numbers no game of this kind can reach.

    Pool and gora are whole; without adjustments and odd pinned prices the pool is even and not below 0.
    """
    from ..events import Adjustment, DealPlayed
    from ..model import AllPass

    adjusted = any(
        (isinstance(taken.event, Adjustment) and taken.event.account == "pool")
        or (
            isinstance(taken.event, DealPlayed)
            and isinstance(taken.event.deal, AllPass)
            and (taken.event.deal.pinned or 0) % 2
        )
        for taken in history.steps
    )
    for answer in answers:
        claim, number = answer.claim, answer.claim.number
        if claim.about:
            continue
        if (number * claim.cell.unit).denominator > 1:
            yield Contradiction("fraction", (claim,), number)
        elif claim.cell.account == "pool" and not adjusted and (number < 0 or number % 2):
            yield Contradiction("pool", (claim,), number)


def _nets(said: dict[Cell, Claim]) -> Iterator[Contradiction]:
    """Yield four nets that do not sum to 0 (settle.net)."""
    nets = [claim for cell, claim in said.items() if cell.account == "net"]
    total = sum(claim.number for claim in nets)
    if len(nets) == len(SEATS) and total:
        yield Contradiction("nets", tuple(nets), total + nets[0].number * 0)


def _sums(said: dict[Cell, Claim], history: History) -> Iterator[Contradiction]:
    """Yield totals that are not what their parts sum to: semesters, and nets from everything else."""
    from fractions import Fraction

    count = history.state.semester
    for seat in SEATS:
        for account in ("pool", "gora"):
            total = said.get(Cell(seat, account))
            rows = [said.get(Cell(seat, account, None, number)) for number in range(1, count + 1)]
            parts = [row for row in rows if row is not None]
            if total is not None and len(parts) == count:
                apart = total.number - sum(row.number for row in parts)
                if apart:
                    yield Contradiction("sum", (total, *parts), apart)
    cells = [Cell(seat, account) for account in ("pool", "gora") for seat in SEATS]
    cells += [Cell(seat, "whists", on) for seat in SEATS for on in SEATS if on != seat]
    if any(cell not in said for cell in cells):
        return
    for seat in SEATS:
        net = said.get(Cell(seat, "net"))
        if net is None:
            continue
        value = Fraction(0)
        for cell in cells:
            value += said[cell].number * _on_net(cell, seat)
        if net.number != value:
            yield Contradiction("sum", (net,), net.number - value)


def _on_net(cell: Cell, seat: int) -> "Fraction":
    """Return what one whole unit of a cell adds to a seat's net, in whists (settle.net)."""
    from fractions import Fraction

    if cell.account == "whists":
        return Fraction((cell.seat == seat) - (cell.on == seat))
    each = WHISTS_PER_POOL if cell.account == "pool" else -WHISTS_PER_GORA
    return Fraction(each * (3 if cell.seat == seat else -1), len(SEATS))
