"""How often `reconcile` finds a planted slip: python tests/bench/reconcile.py [--games N] [--jobs N]

Plants slips in random legal games, always the same ones, claims the final pool, gora and net of all
four, and counts how often the true slip, or one with the same effect on every cell of the sheet's
totals, is among the first three explanations. Kinds of the record: the slip stands in the record and
the claims are true. Kinds of the paper: the record is right and the claims carry the slip through.
A switch: the claims come from the other value. Then two slips at once, kinds drawn by the seed; then
the same games with two players' nets alone; then how long a game of 100 deals takes, in full
derivations of it.

The planting below shares no code with the search: it is what a tired scorer does, not what
`arbitration.slips` expects.
"""

from __future__ import annotations

import argparse
import functools
import gc
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple, cast

sys.path.insert(0, str(Path(__file__).parent.parent))

import random_games

from skachki_ledger import gamefile, rules
from skachki_ledger.arbitration import cells, whatif
from skachki_ledger.arbitration.claims import Claim
from skachki_ledger.arbitration.effects import recorded
from skachki_ledger.arbitration.reconcile import Explanation, Outcome, reconcile
from skachki_ledger.arbitration.search import put_right
from skachki_ledger.arbitration.slips import Slip
from skachki_ledger.derive import History, Step, derive, refusals, step
from skachki_ledger.events import DealPlayed, Event, Fine
from skachki_ledger.header import Header
from skachki_ledger.intake import admit
from skachki_ledger.model import AllPass, Calls, Contract, Deal, Entry, Misere, defenders
from skachki_ledger.scoring import score

PRESETS = ("piter", "gambler", "horse-racing")
LEDGER = (
    *("tricks", "calls", "level", "declarer", "strain", "dest", "outbid", "misere-tricks"),
    *("allpass-tricks", "allpass-swap", "left-out", "twice", "swapped"),
    *("fine-missing", "fine-twice", "fine-seat"),
)
PAPER = (
    *("paper-price", "paper-double", "paper-gentleman", "paper-consolation", "paper-short"),
    *("paper-clean", "paper-prize", "paper-sum", "paper-cell"),
)
KINDS = (*LEDGER, *PAPER, "switch")
SINGLE_BOUND, PAIR_BOUND = 0.95, 0.80
TOP = 3
CELLS = tuple(cells.Cell(seat, account) for account in ("pool", "gora", "net") for seat in range(4))
NETS = tuple(cells.Cell(seat, "net") for seat in (0, 1))

Amounts = list[tuple[int, str, int, int | None, int]]
"""Semester, account, seat, on, amount: what the paper has more than it should."""
Sheet = tuple[tuple[int, ...], ...]
"""Pool rows, gora rows and whists, flat; pool and gora by semester."""


class Planted(NamedTuple):
    """A record with what is claimed of it, and the sheet behind the claims."""

    record: History
    claimed: dict[cells.Cell, int]
    truth: Sheet


class Result(NamedTuple):
    """Whether the true effect was among the first three: on all totals, and, with the equal slips shown
    in the same explanation, on every semester's row."""

    found: bool
    strictly: bool
    derivations: int
    seconds: float


# ------------------------------------------------------------------ games


@functools.lru_cache(maxsize=512)
def night(seed: int, preset: str, deals: int = 100) -> History:
    """A random game, played to its end or `deals` deals, with a fine or two and no irregular deal."""
    rng = random.Random(seed)
    made = random_games.play(rng, preset, {}, random_games.Mix(events=25, irregular=0, pinned=0), deals)
    history = admit(gamefile.read(made.text())).history
    assert history is not None
    return history


def events_of(history: History) -> list[Event]:
    """The events with their real dealers, as a ledger records them."""
    return [
        taken.event._replace(dealer=taken.dealer) if isinstance(taken.event, DealPlayed) else taken.event
        for taken in history.steps
    ]


def sheet(history: History, amounts: Amounts) -> Sheet:
    """Every cell, with what the paper has more."""
    state = history.state
    rows = [*state.closed, (state.pool, state.gora)]
    flat = {("pool", n, seat): row[0][seat] for n, row in enumerate(rows, 1) for seat in range(4)}
    flat |= {("gora", n, seat): row[1][seat] for n, row in enumerate(rows, 1) for seat in range(4)}
    whists = list(state.whists)
    for semester, account, seat, on, amount in amounts:
        if account == "whists":
            whists[4 * seat + (on or 0)] += amount
        else:
            key = (account, semester, seat)
            flat[key] = flat.get(key, 0) + amount
    pool = tuple(flat.get(("pool", n, seat), 0) for n in range(1, 9) for seat in range(4))
    gora = tuple(flat.get(("gora", n, seat), 0) for n in range(1, 9) for seat in range(4))
    return pool, gora, tuple(whists)


def totals(of: Sheet) -> Sheet:
    """The same with pool and gora summed over the semesters."""
    pool, gora, whists = of
    return (
        tuple(sum(pool[seat::4]) for seat in range(4)),
        tuple(sum(gora[seat::4]) for seat in range(4)),
        whists,
    )


def values(of: Sheet) -> dict[cells.Cell, int]:
    """What stands in the claimed cells; nets are twelfths of a whist."""
    pool, gora, whists = totals(of)
    found = {}
    for seat in range(4):
        found[cells.Cell(seat, "pool")] = pool[seat]
        found[cells.Cell(seat, "gora")] = gora[seat]
        written = sum(whists[4 * seat + on] - whists[4 * on + seat] for on in range(4))
        by_pool, by_gora = 4 * pool[seat] - sum(pool), 4 * gora[seat] - sum(gora)
        found[cells.Cell(seat, "net")] = 60 * by_pool - 30 * by_gora + written
    return found


# ------------------------------------------------------------------ slips of the record


def _pick(rng: random.Random, steps: Sequence[Step], wanted: Callable[[Deal], bool]) -> int:
    """The place of a random deal of the wanted sort, -1 where there is none."""
    places = [
        place
        for place, taken in enumerate(steps)
        if isinstance(taken.event, DealPlayed) and wanted(taken.event.deal)
    ]
    return rng.choice(places) if places else -1


def _split(rng: random.Random, total: int) -> tuple[int, int]:
    first = rng.randrange(total + 1)
    return first, total - first


def other_deal(rng: random.Random, kind: str, deal: Deal, dealer: int) -> Deal | None:
    """What a slip of this kind makes of a deal."""
    if isinstance(deal, AllPass):
        return _other_allpass(rng, kind, deal)
    if kind == "declarer":
        return deal._replace(declarer=rng.choice([s for s in range(4) if s not in (deal.declarer, dealer)]))
    if isinstance(deal, Misere):
        if kind == "misere-tricks":
            tricks = deal.tricks + rng.choice((-1, 1))
            return Misere(deal.declarer, tricks, None) if 0 <= tricks <= 10 else None
        return deal._replace(dest=None if deal.dest else "gora")
    return _other_contract(rng, kind, deal)


def _other_allpass(rng: random.Random, kind: str, deal: AllPass) -> Deal:
    tricks, dests = list(deal.tricks), list(deal.dests)
    a, b = rng.sample(range(4), 2)
    if kind == "allpass-swap":
        tricks[a], tricks[b] = tricks[b], tricks[a]
        dests[a], dests[b] = dests[b], dests[a]
    elif kind == "allpass-tricks":
        if tricks[a]:
            tricks[a] -= 1
            tricks[b] += 1
            dests[b] = None
    else:
        clean = [seat for seat in range(4) if not tricks[seat]]
        if clean:
            seat = rng.choice(clean)
            dests[seat] = None if dests[seat] else "gora"
    return AllPass(tuple(tricks), tuple(dests), deal.pinned)


def _other_contract(rng: random.Random, kind: str, deal: Contract) -> Deal | None:
    if kind == "tricks":
        tricks = list(deal.tricks)
        a, b = rng.sample(range(len(tricks)), 2)
        count = rng.choice((1, 1, 2))
        tricks[a], tricks[b] = tricks[a] - count, tricks[b] + count
        return deal._replace(tricks=tuple(tricks), dest=None) if tricks[a] >= 0 else None
    if kind == "level":
        level = deal.level + rng.choice((-1, 1))
        return deal._replace(level=level, outbid=deal.outbid and level > 8) if 6 <= level <= 10 else None
    if kind == "outbid":
        return deal._replace(outbid=not deal.outbid)
    if kind == "dest":
        return deal._replace(dest=None if deal.dest else "gora")
    every: tuple[Calls, ...] = ("ww", "wp", "pw", "pp", "ph", "wh")
    if kind == "strain":  # six spades, which both must whist, and another six
        if deal.level != 6:
            return None
        spades = deal.strain == "s"
        calls: Calls = rng.choice(every[1:]) if spades else "ww"
        if not spades and deal.calls == "ww":
            return None
        return _with_calls(rng, deal._replace(strain="c" if spades else "s"), calls)
    return _with_calls(rng, deal, rng.choice([calls for calls in every if calls != deal.calls]))


def _with_calls(rng: random.Random, deal: Contract, calls: Calls) -> Contract:
    """The same game under other calls; tricks nobody recorded are made up."""
    if "w" not in calls:
        return deal._replace(calls=calls, tricks=(), dest=None)
    own = deal.tricks[0] if deal.tricks else min(10, deal.level + rng.choice((-2, -1, 0, 0, 0, 1)))
    tricks: tuple[int, ...] = deal.tricks if len(deal.tricks) == 3 else (own, *_split(rng, 10 - own))
    if calls != "ww" and not deal.tricks:
        tricks = (own, 10 - own)
    return deal._replace(calls=calls, tricks=tricks, dest=None)


_SORTS: dict[str, Callable[[Deal], bool]] = {
    "tricks": lambda deal: isinstance(deal, Contract) and bool(deal.tricks),
    "calls": lambda deal: isinstance(deal, Contract),
    "level": lambda deal: isinstance(deal, Contract),
    "declarer": lambda deal: not isinstance(deal, AllPass),
    "strain": lambda deal: isinstance(deal, Contract) and deal.level == 6,
    "dest": lambda deal: not isinstance(deal, Contract) or deal.calls == "pp",
    "outbid": lambda deal: isinstance(deal, Contract) and deal.level > 8,
    "misere-tricks": lambda deal: isinstance(deal, Misere),
    "allpass-tricks": lambda deal: isinstance(deal, AllPass),
    "allpass-swap": lambda deal: isinstance(deal, AllPass),
}


def misrecorded(rng: random.Random, kind: str, true: History) -> list[Event] | None:
    """The record of a game with a slip of this kind in it, None where this try gives none."""
    events = events_of(true)
    if kind in ("left-out", "twice", "swapped"):
        return _misplaced(rng, kind, events)
    if kind.startswith("fine"):
        return _misfined(rng, kind, events)
    place = _pick(rng, true.steps, _SORTS[kind])
    if place < 0:
        return None
    event = cast(DealPlayed, events[place])
    deal = other_deal(rng, kind, event.deal, true.steps[place].dealer)
    if deal is None or deal == event.deal:
        return None
    before = true.steps[place - 1].after if place else true.start
    if refusals(step(before, event._replace(deal=deal))):
        return None
    events[place] = event._replace(deal=deal)
    return events


def _misplaced(rng: random.Random, kind: str, events: list[Event]) -> list[Event]:
    deals = [place for place, event in enumerate(events) if isinstance(event, DealPlayed)]
    place = rng.randrange(len(deals) - 1)
    at, following = deals[place], deals[place + 1]
    if kind == "left-out":
        del events[at]
    elif kind == "twice":
        events.insert(at + 1, events[at])
    else:
        one, other = cast(DealPlayed, events[at]), cast(DealPlayed, events[following])
        events[at] = other._replace(dealer=one.dealer)
        events[following] = one._replace(dealer=other.dealer)
    return events


def a_fine(rng: random.Random) -> Fine:
    """A fine as tables give it: an undertrick at the level bid, in gora or whists."""
    seat, amount = rng.randrange(4), rng.choice((4, 8, 12, 16, 20, 5, 10))
    others = tuple(other for other in range(4) if other != seat)
    if rng.random() < 0.6:
        return Fine(seat, amount, "gora", (), "")
    return Fine(seat, amount, "whists", rng.choice((others, (rng.choice(others),))), "")


def _misfined(rng: random.Random, kind: str, events: list[Event]) -> list[Event] | None:
    fines = [place for place, event in enumerate(events) if isinstance(event, Fine)]
    if not fines:
        return None
    at = rng.choice(fines)
    fine = cast(Fine, events[at])
    if kind == "fine-missing":
        del events[at]
    elif kind == "fine-twice":
        events.insert(at + 1, fine)
    else:
        seat = rng.choice([other for other in range(4) if other != fine.seat])
        writers = tuple(other for other in range(4) if other != seat)
        if len(fine.writers) == 1:
            writers = tuple(fine.seat if writer == seat else writer for writer in fine.writers)
        events[at] = fine._replace(seat=seat, writers=writers if fine.writers else ())
    return events


def with_fine(rng: random.Random, history: History) -> History:
    """The game with one more fine somewhere."""
    events = events_of(history)
    events.insert(rng.randrange(len(events) - 1), a_fine(rng))
    return derive(history.header, events)


# ------------------------------------------------------------------ slips of the paper


def _amounts(taken: Step, entries: Iterable[Entry], sign: int) -> Amounts:
    return [(taken.semester, e.account, e.seat, e.on, sign * e.amount) for e in entries]


def miswritten(rng: random.Random, kind: str, record: History) -> Amounts | None:
    """What the paper has more than the record, None where this try gives nothing."""
    if kind == "paper-sum":
        return _missummed(rng, record)
    place = rng.randrange(len(record.steps))
    taken = record.steps[place]
    event = taken.event
    if kind == "paper-cell":
        return _misplaced_entry(rng, taken)
    if kind == "paper-prize":
        return _misawarded(rng, record)
    if not isinstance(event, DealPlayed) or not taken.entries:
        return None
    header = record.header
    if kind in ("paper-price", "paper-clean"):
        return _mispriced(rng, kind, header, taken, event.deal)
    if not isinstance(event.deal, Contract):
        return None
    if kind == "paper-double":
        single = header.rules._replace(set_whist_factor=1)
        old = score(event.deal, header.rules, taken.dealer, 0)
        return _amounts(taken, old, -1) + _amounts(taken, score(event.deal, single, taken.dealer, 0), 1)
    return _misdefended(rng, kind, taken, event.deal)


def _mispriced(rng: random.Random, kind: str, header: Header, taken: Step, deal: Deal) -> Amounts | None:
    if not isinstance(deal, AllPass) or taken.price is None:
        return None
    ladder = (2, 4, 6)
    if kind == "paper-price":
        price = taken.price + rng.choice((-2, 2))
        if price not in ladder:
            return None
        old = score(deal, header.rules, taken.dealer, taken.price)
        return _amounts(taken, old, -1) + _amounts(taken, score(deal, header.rules, taken.dealer, price), 1)
    clean = [entry for entry in taken.entries if entry.rule == "allpass.clean"]
    if not clean:
        return None
    entry = rng.choice(clean)
    gone = _amounts(taken, [entry], -1)
    if rng.random() < 0.5:
        price = rng.choice([other for other in ladder if other != taken.price])
        amount = entry.amount // taken.price * price
        return [*gone, (taken.semester, entry.account, entry.seat, None, amount)]
    if entry.account == "pool":
        return [*gone, (taken.semester, "gora", entry.seat, None, -2 * taken.price)]
    return [*gone, (taken.semester, "pool", entry.seat, None, taken.price)]


def _misdefended(rng: random.Random, kind: str, taken: Step, deal: Contract) -> Amounts | None:
    first, second = defenders(deal.declarer, taken.dealer)
    passer = {"wp": second, "pw": first}.get(deal.calls)
    if kind == "paper-gentleman":
        halves = [entry for entry in taken.entries if entry.rule == "whist.gentleman"]
        if len(halves) != 2:
            return None
        whister = first if passer == second else second
        on, amount = deal.declarer, halves[0].amount
        return [(0, "whists", whister, on, amount), (0, "whists", passer or 0, on, -amount)]
    if kind == "paper-consolation":
        less = [
            entry
            for entry in taken.entries
            if entry.rule == "whist.consolation" and entry.seat in (taken.dealer, passer)
        ]
        return _amounts(taken, [rng.choice(less)], -1) if less else None
    short = [entry for entry in taken.entries if entry.rule == "whist.short"]
    if not short:
        return None
    if rng.random() < 0.5:
        return _amounts(taken, short, 1)
    entry = rng.choice(short)
    other = second if entry.seat == first else first
    return [*_amounts(taken, [entry], -1), (taken.semester, "gora", other, None, entry.amount)]


def _misawarded(rng: random.Random, record: History) -> Amounts | None:
    awards = record.state.prizes
    if not awards:
        return None
    award = rng.choice(awards)
    whole = 12 * (300 if award.kind == "pool" else 200)
    right = _prize(award.winners, whole)
    gone: Amounts = [(0, "whists", seat, on, -amount) for _s, _a, seat, on, amount in right]
    how = rng.randrange(3)
    if how == 0:
        return gone or None
    if how == 1:
        seat = rng.choice([seat for seat in range(4) if seat not in award.winners] or [0])
        return gone + _prize((seat, *award.winners[1:]), whole)
    if len(award.winners) > 1:
        return gone + _prize(award.winners[:1], whole)
    seat = rng.choice([seat for seat in range(4) if seat not in award.winners])
    return gone + _prize(tuple(sorted((seat, *award.winners))), whole)


def _prize(winners: tuple[int, ...], whole: int) -> Amounts:
    return [
        (0, "whists", seat, on, whole // len(winners))
        for seat in winners
        for on in range(4)
        if on not in winners
    ]


def _missummed(rng: random.Random, record: History) -> Amounts | None:
    """One cell off by a little, or two digits of a running total in the other order."""
    taken = rng.choice(record.steps)
    if not taken.entries:
        return None
    entry = rng.choice(taken.entries)
    unit = 12 if entry.account == "whists" else 1
    if rng.random() < 0.75:
        off = rng.choice((1, 2, 10, 100)) * rng.choice((-1, 1))
    else:
        total = sum(
            e.amount
            for s in record.steps[: record.steps.index(taken) + 1]
            for e in s.entries
            if (e.account, e.seat, e.on) == (entry.account, entry.seat, entry.on)
            and (entry.account == "whists" or s.semester == taken.semester)
        )
        digits = str(total // unit)
        if total % unit or total < unit * 10:
            return None
        at = rng.randrange(len(digits) - 1)
        turned = digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :]
        if turned[0] == "0":
            return None
        off = int(turned) - total // unit
    return [(taken.semester, entry.account, entry.seat, entry.on, off * unit)] if off else None


def _misplaced_entry(rng: random.Random, taken: Step) -> Amounts | None:
    """An entry that stands in a neighbour's cell."""
    if not taken.entries:
        return None
    entry = rng.choice(taken.entries)
    gone = _amounts(taken, [entry], -1)
    if entry.on is None:
        seat = (entry.seat + rng.choice((1, 3))) % 4
        return [*gone, (taken.semester, entry.account, seat, None, entry.amount)]
    on = rng.choice([seat for seat in range(4) if seat not in (entry.seat, entry.on)])
    return [*gone, (0, "whists", entry.seat, on, entry.amount)]


# ------------------------------------------------------------------ planting


def plant(rng: random.Random, kinds: Sequence[str], true: History) -> Planted | None:
    """A game with slips of these kinds, None where this try gives none that shows."""
    if any(kind.startswith("fine") for kind in kinds):
        true = with_fine(rng, true)
    record, amounts, header = true, Amounts(), true.header
    for kind in kinds:
        if kind == "switch":
            name = rng.choice(list(rules.switches(header.rules)))
            tried = whatif.values_tried(name, getattr(header.rules, name))
            if not tried:
                return None
            header = header._replace(rules=rules.with_switch(header.rules, name, rng.choice(tried)))
        elif kind in PAPER:
            more = miswritten(rng, kind, true)
            if more is None:
                return None
            amounts += more
        else:
            events = misrecorded(rng, kind, record)
            if events is None:
                return None
            record = derive(record.header, events)
    truth = sheet(derive(header, events_of(true)), amounts)
    claimed = values(truth)
    if claimed == values(sheet(record, Amounts())):
        return None
    return Planted(record, claimed, truth)


def planted(seed: int, preset: str, kinds: Sequence[str]) -> Planted:
    """The seed's game with slips of these kinds; tries the next game where a slip finds no place."""
    for attempt in range(1000):
        rng = random.Random(f"{seed} {preset} {kinds} {attempt}")
        found = plant(rng, kinds, night(1000 * attempt + seed, preset, 40 + (7 * seed + 13 * attempt) % 61))
        if found is not None:
            return found
    raise AssertionError(f"no game for {kinds} under {preset}")


def claims_on(planted_one: Planted, asked: Sequence[cells.Cell]) -> list[Claim]:
    """The claims on these cells, in whole units."""
    return [Claim(str(cell), cell, Fraction(planted_one.claimed[cell], cell.unit)) for cell in asked]


def effect_of(one: Explanation) -> Sheet:
    """The whole sheet as an explanation has it."""
    return sheet(one.history, _of_paper(one.slips))


def _of_paper(slips: Sequence[Slip]) -> Amounts:
    return [amount for slip in slips for amount in slip.amounts]


def judged(game: Planted, outcome: Outcome, seconds: float) -> Result:
    """Whether the truth is among the first explanations."""
    first = outcome.explanations[:TOP]
    alike = [
        sheet(derive(game.record.header, put_right(recorded(game.record), slips)[0]), _of_paper(slips))
        for one in first
        for slips in one.equal
        if not any(slip.switch for slip in slips)
    ]
    return Result(
        any(totals(effect_of(one)) == totals(game.truth) for one in first),
        game.truth in [*map(effect_of, first), *alike],
        outcome.derivations,
        seconds,
    )


def silent(_done: int, _of: int) -> None:
    """Say nothing of the progress."""


def run(seed: int, preset: str, kinds: Sequence[str], asked: Sequence[cells.Cell]) -> Result:
    """Plant, search, judge."""
    game = planted(seed, preset, kinds)
    began = time.perf_counter()
    outcome = reconcile(game.record, claims_on(game, asked), 2, time.perf_counter, silent)
    return judged(game, outcome, time.perf_counter() - began)


def pair_of(seed: int, preset: str) -> tuple[str, str]:
    """Two kinds drawn by the seed."""
    rng = random.Random(f"{seed} {preset}")
    return rng.choice(KINDS), rng.choice(KINDS)


# ------------------------------------------------------------------ the table


Task = tuple[int, str, tuple[str, ...], bool]


def _task(task: Task) -> Result:
    seed, preset, kinds, few = task
    gc.disable()
    result = run(seed, preset, kinds, NETS if few else CELLS)
    gc.enable()
    gc.collect()
    return result


def _rate(results: Sequence[Result]) -> float:
    return sum(result.found for result in results) / len(results)


def _row(name: str, by_preset: dict[str, list[Result]], bound: float | None) -> tuple[str, bool]:
    shown, low = [], False
    for results in by_preset.values():
        rate = _rate(results)
        low = low or (bound is not None and rate < bound)
        strictly = sum(result.strictly for result in results) / len(results)
        shown.append(f"{100 * rate:5.0f} ({100 * strictly:3.0f})")
    seconds = [result.seconds for results in by_preset.values() for result in results]
    mark = " <" if low else ""
    return f"{name:18} {'   '.join(shown)}   {sum(seconds) / len(seconds):6.2f} s{mark}", low


def table(games: int, pairs: int, jobs: int, few: bool) -> list[str]:
    """Print the rates, kind by kind; returns the rows below their bound."""
    rows: list[tuple[str, list[Task]]] = [
        (kind, [(seed, preset, (kind,), few) for preset in PRESETS for seed in range(games)])
        for kind in KINDS
    ]
    two: list[Task] = [
        (seed, preset, pair_of(seed, preset), few) for preset in PRESETS for seed in range(pairs)
    ]
    print(f"{'':18} " + "   ".join(f"{preset:>11}" for preset in PRESETS) + "     time a game", flush=True)
    low: list[str] = []
    every: list[Result] = []
    with multiprocessing.Pool(jobs) as pool:
        for name, tasks in [*rows, ("two slips", two)]:
            results = pool.map(_task, tasks, chunksize=2)
            by_preset: dict[str, list[Result]] = {}
            for (_seed, preset, _kinds, _few), result in zip(tasks, results, strict=True):
                by_preset.setdefault(preset, []).append(result)
            bound = None if few else PAIR_BOUND if name == "two slips" else SINGLE_BOUND
            row, is_low = _row(name, by_preset, bound)
            print(row, flush=True)
            low += [name] if is_low else []
            every += results if name != "two slips" else []
    print(f"all single slips: {100 * _rate(every):.1f} %")
    return low


def speed() -> None:
    """Print how long games of 100 deals take, one slip and two, in derivations of the game."""
    print("100 deals: one slip and two, in derivations of the game; full derivations made; seconds")
    counts: Counter[str] = Counter()
    gc.disable()
    for seed in range(400):
        preset = PRESETS[seed % 3]
        history = night(seed, preset)
        if history.state.deals != 100 or counts[preset] == 3:
            continue
        counts[preset] += 1
        events = events_of(history)
        began = time.process_time()
        for _ in range(100):
            derive(history.header, events)
        one = (time.process_time() - began) / 100
        game = Planted(history, values(sheet(history, [])), sheet(history, []))
        for seat, off in ((0, 1234), (1, -4321), (2, 3087)):  # what no two slips give
            game.claimed[cells.Cell(seat, "net")] += 12 * off
        row = [f"{preset:13} seed {seed:3}"]
        for slips in (1, 2):
            began = time.process_time()
            outcome = reconcile(history, claims_on(game, CELLS), slips, time.perf_counter, silent)
            seconds = time.process_time() - began
            row.append(f"{seconds / one:6.0f} {outcome.derivations:5} {seconds:6.2f} s")
        print("   ".join(row))
        gc.collect()


def main() -> int:
    """Print the tables; exit 1 where a rate is below its bound."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--skip", choices=("few", "speed", "rates"), nargs="*", default=[])
    chosen = parser.parse_args()
    low: list[str] = []
    if "speed" not in chosen.skip:
        speed()
    if "rates" not in chosen.skip:
        print("\nclaims: final pool, gora and net of all four; % on all totals (% on every semester's row)")
        low = table(chosen.games, chosen.pairs, chosen.jobs, few=False)
    if "few" not in chosen.skip:
        print("\nclaims: the nets of two players")
        table(chosen.games, chosen.pairs, chosen.jobs, few=True)
    print(f"below the bound: {', '.join(low) or 'none'}")
    return int(bool(low))


if __name__ == "__main__":
    sys.exit(main())
