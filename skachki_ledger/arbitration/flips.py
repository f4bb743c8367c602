"""What changes where prizes still to come are won by others: effects add up but for these."""

from functools import lru_cache

from ..model import SEATS
from .effects import Base
from .quick import NEVER_ENDS

BOTH = ("pool", "gora")


@lru_cache(maxsize=64)
def flips(base: Base, semester: int, kinds: tuple[str, ...] = BOTH) -> tuple[int, ...]:
    """Return what changes where a semester's prize, the final one, or both, are won by others.

    Packed; no change stands first. Both together only for winners alone.
    """
    found = [0]
    for kind in kinds:
        first, final = _of(base, semester, kind), _of(base, 0, kind)
        found += [*first, *final, *(a + b for a in first[:4] for b in final[:4])]
    return tuple(dict.fromkeys(found))


def _of(base: Base, semester: int, kind: str) -> list[int]:
    """Return what changes where one prize is won by others, one winner first."""
    place = base.ends_at.get(semester, NEVER_ENDS) if semester else base.finals_at
    if place == NEVER_ENDS:
        return []
    sets = [tuple(seat for seat in SEATS if bits >> seat & 1) for bits in range(1, 16)]
    sets.sort(key=len)
    return [base.changed_prize(place, semester, kind, winners) for winners in sets]
