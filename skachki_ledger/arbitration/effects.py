"""What a change of the record does to the claimed cells, exactly and without deriving the game anew.

Most changes leave the phases alone. From where the changed game is in the phase the recorded one was
in, only sums are apart, and those can be finished by looking: who reaches the target first
(prize.pool), who has the lowest gora (prize.gora), the final prizes. Where the phases do not meet
again, the changed game is stepped to its end.

Numbers are packed (scale.py).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..derive import History, Step, derive, refusals, step
from ..events import DealPlayed, Event
from ..header import Header
from ..model import SEATS, Entry, Seat
from ..rules import PRIZE_GORA, PRIZE_POOL
from ..scoring import is_whisted, prize
from ..state import State
from .quick import NEVER_ENDS, Effect, Local, Quick, Row, least
from .scale import Scale, apart, summed


class _Finish(NamedTuple):
    """How a changed game goes on from a common phase: the effect, or where the phases part again."""

    effect: Effect | None
    state: State
    at: int


class _Run(NamedTuple):
    """A stepped change: its effect, None where it may not be recorded, and the gora at the end of the
    semester it stands in and at the game's."""

    effect: Effect | None
    gora_at: tuple[tuple[int, Row], ...]


def _note_end(gora_at: list[tuple[int, Row]], before: State, after: State, place: int) -> None:
    """Note the gora by which the prizes of the first end, and the final ones, were awarded."""
    if len(after.prizes) == len(before.prizes):
        return
    new = after.prizes[len(before.prizes) :]
    if not gora_at and any(found.semester for found in new):
        row = after.closed[-1][1] if after.semester != before.semester else after.gora
        gora_at.append((place, row))
    if any(not found.semester for found in new):
        gora_at.append((place, after.gora_total()))


def phase(state: State) -> tuple[int, int, bool, int, str]:
    """Return all that decides how a recorded game goes on, but the sums; dealers are recorded."""
    return state.semester, min(state.position, 3), state.is_open, min(state.due, 3), state.over


def recorded(history: History) -> list[Event]:
    """Return the events with every deal's label and real dealer: corrections change neither."""
    return [
        taken.event._replace(dealer=taken.dealer, label=taken.label, announced=None)
        if isinstance(taken.event, DealPlayed)
        else taken.event
        for taken in history.steps
    ]


class Base:
    """The game as recorded, with all that is looked up while slips are weighed."""

    def __init__(self, header: Header, events: Sequence[Event], scale: Scale) -> None:
        self.header, self.events, self.scale = header, list(events), scale
        history = derive(header, events)
        self.history = history
        self.steps = history.steps
        self.states = [history.start, *(taken.after for taken in history.steps)]
        self.phases = [phase(state) for state in self.states]
        self.end = len(self.events)
        self._look_ahead()
        self.by_semester = any(w.pool != w.pool[:1] * len(w.pool) for w in scale.weights) or any(
            w.gora != w.gora[:1] * len(w.gora) for w in scale.weights
        )
        self._alike: dict[tuple[object, ...], tuple[Local, _Run]] = {}
        self._prize_values: dict[tuple[int, str, tuple[Seat, ...]], int] = {}
        self.passed = [sum(w.at <= place for w in scale.weights) for place in range(self.end + 1)]
        self.later = [summed(scale.weights[first:]) for first in range(len(scale.weights))]
        self.quick = Quick(self)

    def _look_ahead(self) -> None:
        """Note the pool and gora rows after each event, where semesters end and where they could."""
        count = self.end
        self.rows: list[tuple[Row, Row]] = []
        self.ends_at: dict[int, int] = {}
        self.finals_at = NEVER_ENDS
        could_end = [False] * count
        for place, taken in enumerate(self.steps):
            after, before = taken.after, self.states[place]
            begun = after.semester != before.semester
            self.rows.append(after.closed[-1] if begun else (after.pool, after.gora))
            if taken.ended:
                self.ends_at[taken.ended] = place
            if any(found.semester == 0 for found in after.prizes[len(before.prizes) :]):
                self.finals_at = place
            could_end[place] = bool(taken.ended) or _could_end(taken)
        self.next_end = [NEVER_ENDS] * (count + 1)
        self.next_deal = [count] * (count + 1)
        for place in range(count - 1, -1, -1):
            self.next_end[place] = place if could_end[place] else self.next_end[place + 1]
            is_deal = isinstance(self.events[place], DealPlayed)
            self.next_deal[place] = place if is_deal else self.next_deal[place + 1]
        self.won = {(found.semester, found.kind): found.winners for found in self.states[-1].prizes}

    # -------------------------------------------------------------- packed numbers

    def prize_value(self, place: int, kind: str, winners: tuple[Seat, ...]) -> int:
        """Return what a prize that `winners` get at event `place` is, packed (prize.share)."""
        key = self.passed[place], kind, winners
        if key not in self._prize_values:
            entries = prize("", PRIZE_POOL if kind == "pool" else PRIZE_GORA, winners)
            whists = self.later[key[0]].whists
            self._prize_values[key] = sum(
                whists[4 * entry.seat + (entry.on or 0)] * entry.amount for entry in entries
            )
        return self._prize_values[key]

    def written(
        self, place: int, semester: int, account: str, seat: Seat, on: Seat | None, amount: int
    ) -> int:
        """Return what an amount written at event `place` in a semester is, packed."""
        later = self.later[self.passed[place]]
        if account == "whists":
            return later.whists[4 * seat + (on or 0)] * amount
        rows = later.pool if account == "pool" else later.gora
        return rows[semester - 1][seat] * amount

    def packed(self, place: int, semester: int, entries: Iterable[Entry]) -> int:
        """Return what entries written at event `place` in a semester are, packed."""
        later = self.later[self.passed[place]]
        whists, pool, gora = later.whists, later.pool[semester - 1], later.gora[semester - 1]
        total = 0
        for _rule, seat, account, on, amount, _why in entries:
            if account == "whists":
                total += whists[4 * seat + (on or 0)] * amount
            elif account == "gora":
                total += gora[seat] * amount
            else:
                total += pool[seat] * amount
        return total

    # -------------------------------------------------------------- effects

    def effect(self, at: int, removed: int, events: Sequence[Event]) -> Effect | None:
        """Return what it moves that `events` stand for the `removed` ones from `at` on.

        None where one of them may not be recorded in its place. A sheet asked for before event `at`
        does not see them.
        """
        local = None
        if removed < 2 and len(events) < 2:
            quick = self.quick.effect(at, removed, events)
            if quick is not Quick.UNDECIDED:
                return quick
            local = self.quick.local
        if local is None:
            return self._stepped(at, removed, events).effect
        alike = self._alike.get(local.key)
        if alike is None:
            alike = self._alike[local.key] = local, self._stepped(at, removed, events)
        return self._transferred(local, *alike)

    def effect_alike(self, local: Local, at: int, events: Sequence[Event]) -> Effect | None:
        """Return the effect of inserting a deal; lines with the same `local.key` share the work."""
        alike = self._alike.get(local.key)
        if alike is None:
            quick = self.quick.effect(at, 0, events)
            if quick is Quick.UNDECIDED:
                run = self._stepped(at, 0, events)
            else:
                run = _Run(quick, self._later_ends(at, self.quick.gora))
            alike = self._alike[local.key] = local, run
        return self._transferred(local, *alike)

    def _later_ends(self, at: int, gora: Row) -> tuple[tuple[int, Row], ...]:
        """Return the gora at the ends to come where it is apart by `gora` from event `at` on."""
        found = []
        ends = self.ends_at.get(self.states[at].semester, NEVER_ENDS)
        if ends < NEVER_ENDS:
            found.append((ends, _plus(self.rows[ends][1], gora)))
        if self.finals_at < NEVER_ENDS:
            found.append((self.finals_at, _plus(self.states[-1].gora_total(), gora)))
        return tuple(found)

    def _transferred(self, local: Local, other: Local, run: "_Run") -> Effect | None:
        """Return the effect of a line from that of one alike: only gora prizes may be won by others."""
        effect = run.effect
        if effect is None or local is other:
            return effect
        prizes = 0
        if local.gora != other.gora:
            for place, gora in run.gora_at:
                winners = least(_plus(_plus(gora, local.gora), [-amount for amount in other.gora]))
                prizes += self.prize_value(place, "gora", winners)
                prizes -= self.prize_value(place, "gora", least(gora))
        moved = effect.moved - other.moved + local.moved + prizes
        faults = effect.faults - other.faults + local.faults
        if not (effect.pool_in or effect.gora_in or effect.prizes):
            return Effect(moved, 0, faults, 0, 0)
        return Effect(moved, effect.prizes + prizes, faults, effect.pool_in, effect.gora_in)

    def _stepped(self, at: int, removed: int, events: Sequence[Event]) -> "_Run":
        """Return the effect, stepping the changed game wherever its phases are other ones."""
        state, faults, moved = self.states[at], 0, 0
        gora_at: list[tuple[int, Row]] = []
        for number, event in enumerate(events, 1):
            taken = step(state, event)
            if taken.faults:
                if refusals(taken):
                    return _Run(None, ())
                faults += len(taken.faults)
            _note_end(gora_at, state, taken.after, at)
            state = taken.after
            if number < removed:  # of two that are replaced, a sheet asked for between them
                moved += self._sheets(state, at + number, at + number, at + number + 1)
        for old in self.steps[at : at + removed]:
            faults -= len(old.faults)
        place = at + removed
        wait, unseen = -1, max(place, at + 1)
        while place < self.end:
            if place >= wait and phase(state) == self.phases[place]:
                done = self._finish(state, place, unseen)
                if done.effect is not None:
                    e = done.effect
                    faults += self.turned(place, state.turn)
                    self._note_ends(gora_at, state, place)
                    return _Run(e._replace(moved=moved + e.moved, faults=faults), tuple(gora_at))
                state = self._jumped(state, done.state, place, done.at)
                moved += self._sheets(state, done.at, unseen, done.at)
                place = done.at
                unseen = max(unseen, place)
                wait = place + 1
            if unseen == place:
                moved += self._sheets(state, place, place, place + 1)
                unseen += 1
            taken = step(state, self.events[place])
            faults += len(taken.faults) - len(self.steps[place].faults)
            _note_end(gora_at, state, taken.after, place)
            state = taken.after
            place += 1
            unseen = max(unseen, place)
        moved += self._sheets(state, self.end, unseen, NEVER_ENDS)
        return _Run(Effect(moved, 0, faults, 0, 0), tuple(gora_at))

    def _note_ends(self, gora_at: list[tuple[int, Row]], state: State, place: int) -> None:
        """Note the gora at the ends still to come, where the game goes on as recorded but for sums."""
        old = self.states[place]
        if old.over:
            return
        ends = self.ends_at.get(state.semester, NEVER_ENDS)
        if not gora_at and ends < NEVER_ENDS:
            gora_at.append((ends, _plus(self.rows[ends][1], _minus(state.gora, old.gora) or (0,) * 4)))
        if self.finals_at < NEVER_ENDS:
            more = _minus(state.gora_total(), old.gora_total()) or (0,) * 4
            gora_at.append((self.finals_at, _plus(self.states[-1].gora_total(), more)))

    def _sheets(self, state: State, place: int, first: int, last: int) -> int:
        """Return what is apart in the sheets asked for from `first` up to before `last`, packed.

        `state` is the changed game where the recorded one stands before event `place`.
        """
        old = self.states[place]
        return sum(apart(w, state, old) for w in self.scale.weights if first <= w.at < last)

    def turned(self, place: int, turn: Seat) -> int:
        """Return how the next deal's dealer fits the rotation otherwise than recorded (deal.fact)."""
        deal, old = self.next_deal[place], self.states[place]
        if turn == old.turn or deal == self.end or self.states[deal].semester != old.semester:
            return 0
        event = self.events[deal]
        dealer = event.dealer if isinstance(event, DealPlayed) else None
        return (dealer != turn) - (dealer != old.turn)

    def _finish(self, state: State, place: int, unseen: int) -> _Finish:
        """Return the effect of going on from `place`, where the phases are the recorded ones.

        `unseen`: the first place at which a sheet may be asked for that was not compared yet.
        """
        old = self.states[place]
        semester = state.semester
        pool, gora = _minus(state.pool, old.pool), _minus(state.gora, old.gora)
        ends = self.ends_at.get(semester, NEVER_ENDS) if not old.over else NEVER_ENDS
        reached, since = old.reached, place
        if not old.over and (pool or state.reached != old.reached):
            reached, since = self._reaching(state, pool, place)
            new_ends = self.next_end[max(since, place)] if reached else NEVER_ENDS
            if new_ends != ends:
                at = min(new_ends, ends)
                seen = reached if since < at else ()
                return _Finish(None, state._replace(reached=seen), at)
        elif ends < NEVER_ENDS:
            reached = self.won[semester, "pool"]
        prizes = 0
        if ends < NEVER_ENDS:
            prizes += self.changed_prize(ends, semester, "pool", reached)
            if gora:
                lowest = self.rows[ends][1]
                prizes += self.changed_prize(ends, semester, "gora", least(_plus(lowest, gora)))
        if self.finals_at < NEVER_ENDS and not old.over:
            prizes += self._changed_finals(state, old)
        moved = prizes + self._sheets(state, place, unseen, NEVER_ENDS)
        effect = Effect(moved, prizes, 0, semester if pool else 0, semester if gora else 0)
        return _Finish(effect, state, place)

    def _reaching(self, state: State, pool: Row, place: int) -> tuple[tuple[Seat, ...], int]:
        """Return who reaches the target first with the pool apart by `pool`, and at which event.

        An event before `place` where it has been reached already.
        """
        if state.reached:
            return state.reached, place - 1
        target, semester = self.header.rules.target, state.semester
        offset = pool or (0, 0, 0, 0)
        last = min(self.ends_at.get(semester, self.end - 1) + 1, self.end)
        for at in range(place, last):
            a, b, c, d = _plus(self.rows[at][0], offset)
            if a >= target or b >= target or c >= target or d >= target:
                return tuple(seat for seat, n in enumerate((a, b, c, d)) if n >= target), at
        return (), last

    def _jumped(self, state: State, reached: State, place: int, at: int) -> State:
        """Return the changed game before event `at`, to which it runs as recorded from `place`."""
        old, then = self.states[place], self.states[at]
        whists = _minus(state.whists, old.whists) or (0,) * 16
        return then._replace(
            pool=_plus(then.pool, _minus(state.pool, old.pool) or (0, 0, 0, 0)),
            gora=_plus(then.gora, _minus(state.gora, old.gora) or (0, 0, 0, 0)),
            whists=_plus(then.whists, whists),
            closed=state.closed,
            prizes=state.prizes,
            reached=reached.reached,
            turn=state.turn if self.next_deal[place] >= at else then.turn,
        )

    def changed_prize(self, place: int, semester: int, kind: str, winners: tuple[Seat, ...]) -> int:
        """Return what it moves, packed, that a prize awarded at `place` is won by others."""
        old = self.won[semester, kind]
        if winners == old:
            return 0
        return self.prize_value(place, kind, winners) - self.prize_value(place, kind, old)

    def _changed_finals(self, state: State, old: State) -> int:
        """Return how the final prizes change hands with the totals apart as they are now."""
        moved = 0
        final = self.states[-1]
        if state.pool != old.pool or state.closed != old.closed:
            pool = _plus(final.pool_total(), _minus(state.pool_total(), old.pool_total()) or (0,) * 4)
            most = max(pool)
            winners = tuple(seat for seat in SEATS if pool[seat] == most)
            moved += self.changed_prize(self.finals_at, 0, "pool", winners)
        if state.gora != old.gora or state.closed != old.closed:
            gora = _plus(final.gora_total(), _minus(state.gora_total(), old.gora_total()) or (0,) * 4)
            moved += self.changed_prize(self.finals_at, 0, "gora", least(gora))
        return moved


def _could_end(taken: Step) -> bool:
    """Tell whether a deal would end the semester had the target been reached (semester.end)."""
    event, after = taken.event, taken.after
    if not isinstance(event, DealPlayed) or after.is_open or not taken.entries:
        return False
    return after.rules.end_rule == "target" or is_whisted(event.deal)


def _minus(new: Row, old: Row) -> Row:
    """Return the differences, () where there are none."""
    if new == old:
        return ()
    return tuple([a - b for a, b in zip(new, old, strict=True)])


def _plus(row: Row, offset: Sequence[int]) -> Row:
    return tuple([a + b for a, b in zip(row, offset, strict=True)])
