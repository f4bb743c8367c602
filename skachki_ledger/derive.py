"""The game as a fold: `step` takes a state and an event and gives what it wrote and the next state.

The phases of a semester are here: whose deal it is, what an all-pass costs, whether it is open or
due, when the semester and the game end. `step` never refuses: what is against the rules stands in
`Step.faults`, and whoever records a new event looks there first (`refusals`). An old event that a
later correction made illegal is scored all the same and reported.
"""

from collections.abc import Iterable
from typing import NamedTuple

from . import vocabulary
from .errors import Fault, IllegalEventError
from .events import Adjustment, DealerNamed, DealPlayed, Event, Fine, Stop, Substitution
from .header import Header
from .legality import FACTS, NEVER, legality, over
from .model import SEATS, AllPass, Contract, Entry, Misere, Seat
from .names import Seats
from .rules import PRIZE_GORA, PRIZE_POOL
from .scoring import is_whisted, penalty, prize, score, undertricks
from .state import Prize, State, start, with_new_semester


class Step(NamedTuple):
    """One event and what came of it; `dealer` and `price` (all-passes only) are as played.

    `ended` is the semester that ended with it, 0 where none did.
    """

    event: Event
    label: str
    semester: int
    dealer: Seat
    price: int | None
    entries: tuple[Entry, ...]
    faults: tuple[Fault, ...]
    players: tuple[str, ...]
    after: State
    ended: int = 0


class History(NamedTuple):
    """A whole game: what was agreed, the state before the first deal, and a step an event."""

    header: Header
    start: State
    steps: tuple[Step, ...]
    next_label: str = ""
    """The label the next deal will have, where it is not the number of deals and one."""

    @property
    def state(self) -> State:
        """Return the state after the last event."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def seats(self) -> Seats:
        """Return who sits there after the last event, and in whose place, to read names by."""
        left = ["", "", "", ""]
        for taken in self.steps:
            if isinstance(taken.event, Substitution) and not taken.faults:
                left[taken.event.seat] = taken.players[taken.event.seat]
        return Seats(self.state.players, left)

    @property
    def label_to_come(self) -> str:
        """Return the label the next deal will have."""
        return self.next_label or str(self.state.deals + 1)

    @property
    def agreed_now(self) -> Header:
        """Return what was agreed, with the players who sit there after the last event."""
        return self.header._replace(players=self.state.players)

    def taking(self, event: Event) -> "Step":
        """Return what an event recorded now writes; a deal gets the label to come. Never raises."""
        if isinstance(event, DealPlayed) and not event.label:
            event = event._replace(label=self.label_to_come)
        return step(self.state, event)

    def until(self, label: str) -> "History":
        """Return the game up to, not including, the deal that follows deal `label`.

        "0" is before the first deal. Raises IllegalEventError (E401) where there is no such deal.
        """
        label = vocabulary.label(label)
        found = label == "0"
        for place, taken in enumerate(self.steps):
            if taken.label and found:
                return self._replace(steps=self.steps[:place], next_label=taken.label)
            found = found or taken.label == label != ""
        if not found:
            raise IllegalEventError(Fault("E401", -1, {"label": label, "last": _last_label(self.steps)}))
        return self


def _last_label(steps: tuple[Step, ...]) -> str:
    return next((taken.label for taken in reversed(steps) if taken.label), "–")


def derive(header: Header, events: Iterable[Event]) -> History:
    """Return the history of `events`: the fold of `step`. Never raises."""
    state = before = start(header.rules, header.players, header.dealer)
    steps = []
    for event in events:
        taken = step(state, event)
        steps.append(taken)
        state = taken.after
    return History(header, before, tuple(steps))


def step(state: State, event: Event) -> Step:
    """Return what `event` writes and the state after it. Never raises."""
    if isinstance(event, DealPlayed):
        return _deal(state, event)
    entries: list[Entry] = []
    faults: tuple[Fault, ...] = ()
    after = state
    if isinstance(event, Fine | Adjustment | DealerNamed | Substitution | Stop):
        faults = over(state)
        if not faults:
            entries, after = _other(state, event)
    return Step(event, "", state.semester, state.dealer, None, tuple(entries), faults, state.players, after)


def refusals(taken: Step) -> tuple[Fault, ...]:
    """Return the faults for which this event may not be recorded: a reason lifts most of them."""
    event = taken.event
    lifted = isinstance(event, DealPlayed) and event.irregular
    return tuple(
        fault for fault in taken.faults if fault.code in NEVER or not (lifted or fault.code in FACTS)
    )


def _other(
    state: State, event: Fine | Adjustment | DealerNamed | Substitution | Stop
) -> tuple[list[Entry], State]:
    """Return what an event between deals writes and the state after it."""
    if isinstance(event, DealerNamed):
        return [], state._replace(dealer=event.seat)
    if isinstance(event, Substitution):
        names = [event.name if s == event.seat else state.players[s] for s in SEATS]
        return [], state._replace(players=tuple(names))
    if isinstance(event, Stop):
        stopped = state._replace(over="stopped")
        return _final_prizes(stopped) if event.final else ([], stopped)
    entries = penalty(event)
    pool, gora, whists = _write(state, entries)
    reached = state.reached or _reached(pool, state.rules.target)
    return entries, state._replace(pool=pool, gora=gora, whists=whists, reached=reached)


def _deal(state: State, event: DealPlayed) -> Step:
    deal = event.deal
    dealer = state.dealer if event.dealer is None else event.dealer
    label = event.label or str(state.deals + 1)
    faults = legality(state, event, dealer)
    price = None
    if isinstance(deal, AllPass):
        price = state.price if deal.pinned is None else deal.pinned
    if event.announced is not None:
        faults += _seen_otherwise(event.announced, state.semester, price)
    if faults and any(fault.code in NEVER for fault in faults):
        return Step(event, label, state.semester, dealer, price, (), faults, state.players, state)
    entries = score(deal, state.rules, dealer, price or 0)
    pool, gora, whists = _write(state, entries)
    position, is_open, due = _phase(state, deal)
    turn = (dealer + 1) % 4
    fresh = not (state.open_since and state.is_open)
    after = State(
        state.rules,
        state.players,
        state.deals + 1,
        state.semester,
        turn,
        turn,
        state.semester_deals + 1,
        state.first_dealer if state.semester_deals else dealer,
        position,
        is_open,
        (label if fresh else state.open_since) if is_open else "",
        due,
        state.reached or _reached(pool, state.rules.target),
        pool,
        gora,
        whists,
        state.closed,
        state.prizes,
        "",
    )
    ended = state.semester if after.reached and _ends_semester(deal, after) else 0
    if ended:
        more, after = _end_semester(after)
        entries += more
    written = tuple(entries)
    return Step(event, label, state.semester, dealer, price, written, faults, state.players, after, ended)


def _seen_otherwise(
    announced: tuple[int, int | None], semester: int, price: int | None
) -> tuple[Fault, ...]:
    """Return where the table saw another semester or price than the derived one, which counts."""
    faults: list[Fault] = []
    if announced[0] != semester:
        faults.append(Fault("E222", -1, {"announced": announced[0], "derived": semester}))
    if price is not None and announced[1] not in (None, price):
        faults.append(Fault("E221", -1, {"announced": announced[1], "derived": price}))
    return tuple(faults)


def _write(state: State, entries: list[Entry]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return pool, gora and whists of the state with the entries written in."""
    pool, gora, whists = list(state.pool), list(state.gora), list(state.whists)
    for _rule, seat, account, on, amount, _why in entries:
        if account == "whists":
            assert on is not None
            whists[4 * seat + on] += amount
        elif account == "gora":
            gora[seat] += amount
        else:
            pool[seat] += amount
    return tuple(pool), tuple(gora), tuple(whists)


def _reached(pool: tuple[int, ...], target: int) -> tuple[Seat, ...]:
    if max(pool) < target:
        return ()
    return tuple(seat for seat in SEATS if pool[seat] >= target)


def _phase(state: State, deal: Contract | Misere | AllPass) -> tuple[int, bool, int]:
    """Return (position, open, due) after `deal`; whatever was due is used up (irregular)."""
    if isinstance(deal, AllPass):
        return max(state.position, state.due or state.position + 1), True, 0
    if isinstance(deal, Misere):
        down = deal.tricks
    elif is_whisted(deal) and deal.tricks[0] >= deal.level:
        return 0, False, 0  # allpass.exit
    else:
        forces = deal.outbid and deal.level in state.rules.forced_after
        down = undertricks(deal) if forces else 0
    if down == 0:
        return state.position, state.is_open, 0
    due = min(down, 3)
    if state.rules.forced_price == "max":
        due = max(due, state.position + 1)
    return state.position, True, due


def _ends_semester(deal: Contract | Misere | AllPass, after: State) -> bool:
    """Tell whether a deal after which the target has been reached ends the semester (semester.end).

    An all-pass that is still open, or due now, goes on; a whisted game outside one ends it even when
    set.
    """
    if after.is_open:
        return False
    return after.rules.end_rule == "target" or is_whisted(deal)


def _end_semester(state: State) -> tuple[list[Entry], State]:
    """Return the semester's prizes and the state in which the next one, or the game's end, begins."""
    entries, state = _award(state, "prize.pool", state.semester, state.reached)
    more, state = _award(state, "prize.gora", state.semester, _lowest(state.gora))
    entries += more
    if state.semester == state.rules.semesters:
        more, state = _final_prizes(state._replace(over="finished"))
        return entries + more, state
    begun = with_new_semester(state, (state.first_dealer + 1) % 4)
    closed = (*state.closed, (state.pool, state.gora))
    return entries, begun._replace(semester=state.semester + 1, closed=closed)


def _final_prizes(state: State) -> tuple[list[Entry], State]:
    """Return the prizes for the highest summed pool and the lowest summed gora (prize.total-*)."""
    pool = state.pool_total()
    highest = tuple(seat for seat in SEATS if pool[seat] == max(pool))
    entries, state = _award(state, "prize.total-pool", 0, highest)
    more, state = _award(state, "prize.total-gora", 0, _lowest(state.gora_total()))
    return entries + more, state


def _lowest(gora: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat in SEATS if gora[seat] == min(gora))


def _award(state: State, rule: str, semester: int, winners: tuple[Seat, ...]) -> tuple[list[Entry], State]:
    kind = "pool" if rule.endswith("pool") else "gora"
    entries = prize(rule, PRIZE_POOL if kind == "pool" else PRIZE_GORA, winners)
    names = tuple(state.players[seat] for seat in winners)
    each = entries[0].amount if entries else 0
    awarded = Prize(semester, kind, winners, names, each)
    _pool, _gora, whists = _write(state, entries)
    return entries, state._replace(whists=whists, prizes=(*state.prizes, awarded))
