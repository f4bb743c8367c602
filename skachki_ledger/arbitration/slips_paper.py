"""Slips of the paper, where the record is right: what a hand-kept sheet has instead of an entry.

Each is a list of amounts by which the paper is off. They are local: paper that gives a prize to the
wrong seat is a slip of its own (paper-prize).
"""

from collections.abc import Iterator, Sequence

from ..derive import Step
from ..events import DealPlayed
from ..model import SEATS, WHIST, AllPass, Contract, Entry, Seat, defenders
from ..rules import ALLPASS_PRICES, GORA_PER_POOL, PRIZE_GORA, PRIZE_POOL
from ..scoring import prize
from ..state import Prize, State
from .slips import COSTS, Amount, Slip

Found = Iterator[tuple[str, list[Amount], float, tuple[str | int, ...]]]
"""Kind, amounts, what it costs more than its kind, and how it is told."""

FURTHER = 0.3
"""More for an entry in a cell that is not next to its own."""

SUMS = (1, -1, 2, -2, 10, -10, 100, -100)
"""By how much an addition goes wrong, in points or whole whists."""


def of_paper(steps: Sequence[Step], start: State) -> Iterator[Slip]:
    """Yield every slip the paper may hold, deal by deal, then cell by cell."""
    before = start
    for place, taken in enumerate(steps):
        for kind, amounts, more, note in _of_step(taken, before):
            yield Slip(kind, place, 0, (), COSTS[kind] + more, -1, tuple(amounts), note)
        before = taken.after
    yield from _sums(steps)


def _of_step(taken: Step, before: State) -> Found:
    event = taken.event
    if isinstance(event, DealPlayed) and taken.entries:
        if isinstance(event.deal, AllPass):
            yield from _allpass(taken)
        elif isinstance(event.deal, Contract):
            yield from _contract(taken, event.deal)
    for award in taken.after.prizes[len(before.prizes) :]:
        yield from _prize(taken, award)
    yield from _neighbours(taken)


def _amount(taken: Step, entry: Entry, amount: int) -> Amount:
    return taken.semester, entry.account, entry.seat, entry.on, amount


def _allpass(taken: Step) -> Found:
    """Yield the other prices, for the whole deal and for a clean seat alone, and the other column."""
    entries = [entry for entry in taken.entries if entry.rule.startswith("allpass.")]
    price = taken.price or 0
    for other in ALLPASS_PRICES:
        if other == price:
            continue
        scaled = [_amount(taken, entry, entry.amount // price * (other - price)) for entry in entries]
        if abs(other - price) == 2:
            yield "paper-price", scaled, 0.0, (price, other)
        for entry, amount in zip(entries, scaled, strict=True):
            if entry.rule == "allpass.clean":
                yield "paper-clean", [amount], 0.0, ("price", entry.seat, price, other)
    for entry in entries:
        if entry.rule == "allpass.clean":
            gora = -GORA_PER_POOL * price
            sign = 1 if entry.account == "pool" else -1
            yield (
                "paper-clean",
                [
                    (taken.semester, "pool", entry.seat, None, -sign * price),
                    (taken.semester, "gora", entry.seat, None, sign * gora),
                ],
                0.0,
                ("column", entry.seat, "gora" if sign > 0 else "pool"),
            )


def _contract(taken: Step, deal: Contract) -> Found:
    first, second = defenders(deal.declarer, taken.dealer)
    yield from _double(taken)
    passer = {"wp": second, "pw": first}.get(deal.calls)
    for entry in taken.entries:
        less = [_amount(taken, entry, -entry.amount)]
        if entry.rule == "whist.gentleman" and passer is not None and entry.seat != passer:
            split = [
                _amount(taken, entry, entry.amount),
                (taken.semester, "whists", passer, entry.on, -entry.amount),
            ]
            yield "paper-gentleman", split, 0.0, (entry.seat, passer)
        elif entry.rule == "whist.consolation" and entry.seat in (taken.dealer, passer):
            yield "paper-consolation", less, 0.0, (entry.seat,)
    yield from _short(taken, first, second)


def _double(taken: Step) -> Found:
    """Yield whists on a set declarer that were not doubled: all of them, one sort, one writer's."""
    sorts = ("tricks", "tricks-half", "consolation")
    doubled = [
        entry
        for entry in taken.entries
        if entry.why[0] in sorts and len(entry.why) == 4 and entry.why[3] == 2
    ]
    if not doubled:
        return
    yield "paper-double", _halved(taken, doubled), 0.0, ("all",)
    consolation = [entry for entry in doubled if entry.why[0] == "consolation"]
    tricks = [entry for entry in doubled if entry.why[0] != "consolation"]
    if consolation and tricks:
        yield "paper-double", _halved(taken, consolation), 0.2, ("consolation",)
        yield "paper-double", _halved(taken, tricks), 0.2, ("tricks",)
    writers = dict.fromkeys(entry.seat for entry in doubled)
    if len(writers) > 1:
        for seat in writers:
            own = [entry for entry in doubled if entry.seat == seat]
            yield "paper-double", _halved(taken, own), 0.3, ("writer", seat)


def _halved(taken: Step, entries: Sequence[Entry]) -> list[Amount]:
    return [_amount(taken, entry, -entry.amount // 2) for entry in entries]


def _short(taken: Step, first: Seat, second: Seat) -> Found:
    """Yield a shortage at the full price, each or all, and one fined to the other whister."""
    short = [entry for entry in taken.entries if entry.rule == "whist.short"]
    full = [_amount(taken, entry, entry.amount) for entry in short]
    if len(full) > 1:
        yield "paper-short", full, 0.0, ("full", -1)
    for entry, amount in zip(short, full, strict=True):
        yield "paper-short", [amount], 0.1 if len(full) > 1 else 0.0, ("full", entry.seat)
        other = second if entry.seat == first else first
        turned: list[Amount] = [
            (taken.semester, "gora", entry.seat, None, -entry.amount),
            (taken.semester, "gora", other, None, entry.amount),
        ]
        yield "paper-short", turned, 0.0 if len(full) == 1 else 0.3, ("other", entry.seat, other)


def _prize(taken: Step, award: Prize) -> Found:
    """Yield a prize that is missing, stands with others than won it, or is not shared."""
    whists = PRIZE_POOL if award.kind == "pool" else PRIZE_GORA
    said: tuple[str | int, ...] = (award.kind, award.semester)
    right = _written(taken, whists, award.winners, -1)
    if right:
        yield "paper-prize", right, 0.0, ("missing", *said)
    for bits in range(1, 15):
        winners = tuple(seat for seat in SEATS if bits >> seat & 1)
        if winners == award.winners:
            continue
        related = set(winners) < set(award.winners) or set(winners) > set(award.winners)
        alone = len(winners) == len(award.winners) == 1
        amounts = right + _written(taken, whists, winners, 1)
        yield "paper-prize", amounts, 0.0 if alone else 0.1 if related else 0.6, ("seats", *said, bits)
    if len(award.winners) in (2, 3):
        each = [(*amount[:4], -amount[4] * (len(award.winners) - 1)) for amount in right]
        yield "paper-prize", each, 0.1, ("each", *said)


def _written(taken: Step, whists: int, winners: tuple[Seat, ...], sign: int) -> list[Amount]:
    return [_amount(taken, entry, sign * entry.amount) for entry in prize("", whists, winners)]


def _neighbours(taken: Step) -> Found:
    """Yield each entry in another cell: a neighbour's, then one further off, then the other column."""
    for entry in taken.entries:
        if not entry.amount:
            continue
        right = (entry.account, entry.seat, -1 if entry.on is None else entry.on)
        for seat, on, account, more in _cells_beside(entry):
            turned: list[Amount] = [
                _amount(taken, entry, -entry.amount),
                (taken.semester, account, seat, on, entry.amount),
            ]
            wrong = (account, seat) if on is None else (account, seat, on)
            yield "paper-cell", turned, more, (*right, *wrong)


def _cells_beside(entry: Entry) -> Iterator[tuple[Seat, Seat | None, str, float]]:
    """Yield seat, on, account and how much less likely: side by side stand a writer's own whists, and
    the pools and goras of neighbours."""
    others = [seat for seat in SEATS if seat != entry.seat]
    if entry.on is None:
        for seat in others:
            yield seat, None, entry.account, FURTHER if (seat - entry.seat) % 4 == 2 else 0.0
        yield entry.seat, None, "gora" if entry.account == "pool" else "pool", FURTHER
        return
    for on in others:
        if on != entry.on:
            yield entry.seat, on, "whists", 0.0
    for seat in others:
        if seat != entry.on:
            yield seat, entry.on, "whists", FURTHER
    yield entry.on, entry.seat, "whists", FURTHER


Running = dict[tuple[int, str, Seat, Seat | None], dict[int, int]]
"""Of each cell – semester (0: whists), account, seat, on – its running total by event."""


def _running(steps: Sequence[Step]) -> Running:
    found: Running = {}
    for place, taken in enumerate(steps):
        for entry in taken.entries:
            semester = 0 if entry.account == "whists" else taken.semester
            totals = found.setdefault((semester, entry.account, entry.seat, entry.on), {})
            last = next(reversed(totals.values())) if totals else 0
            totals[place] = last + entry.amount
    return found


def _sums(steps: Sequence[Step]) -> Iterator[Slip]:
    """Yield a cell wrongly added up: by a little, or with two digits of a total transposed."""
    for (semester, account, seat, on), totals in _running(steps).items():
        unit = WHIST if account == "whists" else 1
        first = next(iter(totals))
        row = semester or 1
        tried: dict[int, tuple[int, tuple[str | int, ...]]] = {
            unit * by: (first, ("by", by)) for by in SUMS
        }
        for place, total in totals.items():
            for wrong in transposed(total // unit if total % unit == 0 else 0):
                tried.setdefault(unit * wrong - total, (place, ("digits", total // unit, wrong)))
        for off, (place, note) in tried.items():
            amounts = ((row, account, seat, on, off),)
            told = (*note, account, seat, *(() if on is None else (on,)))
            yield Slip("paper-sum", place, 0, (), COSTS["paper-sum"], -1, amounts, told)


def transposed(number: int) -> Iterator[int]:
    """Yield the number with two neighbouring digits in the other order, where that is another one."""
    digits = str(abs(number))
    for place in range(len(digits) - 1):
        a, b = digits[place], digits[place + 1]
        if a != b and not (place == 0 and b == "0"):
            turned = int(digits[:place] + b + a + digits[place + 2 :])
            yield turned if number > 0 else -turned
