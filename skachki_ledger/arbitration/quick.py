"""The short way to an effect: the changed game beside the recorded one, only as far as they differ.

Whists decide nothing, so they are summed up at once. Of an event that is played in another phase only
the price of an all-pass is otherwise. Where a semester would end elsewhere the short way gives up, and
the game is stepped (effects.py).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..derive import step
from ..errors import Fault
from ..events import Adjustment, DealPlayed, Event, Fine, Stop
from ..legality import FACTS, NEVER, legality
from ..model import SEATS, AllPass, Deal, Entry, Misere, Seat
from ..rules import Rules
from ..scoring import is_whisted, penalty, score, undertricks
from ..state import State

if TYPE_CHECKING:
    from .effects import Base

Row = tuple[int, ...]
Phase = tuple[int, bool, int]
"""Position, open, due: what decides the next deals; above 3 nothing changes."""

NEVER_ENDS = 1 << 30
"""The place of an end that does not come."""
_TARGET_OUT_OF_REACH = 1 << 30


class Effect(NamedTuple):
    """What a change moves, packed; `prizes` is the part of it that changes hands at later ends.

    `faults`: how many problems it adds (negative: mends). `pool_in`, `gora_in`: the semester in which
    sums stay apart after the phases have met again, 0 where they do not.
    """

    moved: int
    prizes: int
    faults: int
    pool_in: int
    gora_in: int


class Local(NamedTuple):
    """What a changed line itself does: `key` is alike where only whists and gora are otherwise."""

    key: tuple[object, ...]
    moved: int
    gora: Row
    faults: int


class _Turn(NamedTuple):
    """One recorded event in another phase: the phase after it, what it writes more, problems more."""

    after: Phase
    moved: int
    pool: Row
    gora: Row
    faults: int
    could_end: bool


def phase_class(deal: Deal, rules: Rules) -> str:
    """Return what a deal does to the phases: "" nothing, exit, all-pass, or due1–due3."""
    if isinstance(deal, AllPass):
        return "all-pass"
    if isinstance(deal, Misere):
        return f"due{min(deal.tricks, 3)}" if deal.tricks else ""
    if not deal.tricks:
        return ""
    short = undertricks(deal)
    if not short:
        return "exit" if is_whisted(deal) else ""
    return f"due{min(short, 3)}" if deal.outbid and deal.level in rules.forced_after else ""


def lean(state: State) -> Phase:
    """Return the phase of a state within its semester."""
    return min(state.position, 3), state.is_open, min(state.due, 3)


class Quick:
    """The short way through one game; `base` has what is recorded."""

    UNDECIDED: Final = Effect(0, 0, 0, -1, -1)
    """The answer where only stepping tells."""

    def __init__(self, base: "Base") -> None:
        self.base = base
        self.rules = base.header.rules
        self.phases = [lean(state) for state in base.states]
        self._turns: dict[tuple[int, Phase], _Turn] = {}
        self._afters: dict[tuple[int, str], Phase] = {}
        self._own: dict[int, tuple[int, Row, Row]] = {}
        self.local: Local | None = None
        self.gora = NOTHING
        final = base.states[-1]
        self.pool_total, self.gora_total = final.pool_total(), final.gora_total()

    # -------------------------------------------------------------- one change

    def effect(
        self, at: int, removed: int, events: Sequence[Event], entries: Sequence[Entry] | None = None
    ) -> Effect | None:
        """Return what it moves that one event, or none, stands for one, or none, from `at` on.

        None where it may not be recorded; UNDECIDED where only stepping tells. `entries` may be what
        the event writes, if known. `local` is then what the line itself does, `gora` by how much the
        gora stays apart.
        """
        base = self.base
        state = base.states[at]
        self.local = None
        if state.over:
            return self.UNDECIDED
        event = events[0] if events else None
        faults, could_end, after, kind = 0, False, self.phases[at], ""
        if isinstance(event, DealPlayed):
            assert event.dealer is not None
            found = legality(state, event, event.dealer)
            if found:
                if _refused(found, event.irregular):
                    return None
                faults = len(found)
            deal = event.deal
            kind = phase_class(deal, self.rules)
            after = self._after(at, kind, event)
            could_end = not after[1] and (self.rules.end_rule == "target" or is_whisted(deal))
            if entries is None:
                price = 0
                if isinstance(deal, AllPass):
                    price = state.price if deal.pinned is None else deal.pinned
                entries = score(deal, self.rules, event.dealer, price)
        elif isinstance(event, Fine | Adjustment):
            entries = penalty(event)
        elif event is not None:
            return self.UNDECIDED
        moved, pool, gora = self._write(at, state.semester, entries or ())
        reached = state.reached
        if not reached and pool != NOTHING:
            total = _plus(state.pool, pool)
            reached = self._reached(total)
        if removed:
            own = self._recorded(at)
            moved, pool, gora = moved - own[0], _minus(pool, own[1]), _minus(gora, own[2])
            faults -= len(base.steps[at].faults)
        self.local = Local((at, removed, type(event), kind, could_end, pool), moved, gora, faults)
        if (reached and could_end) or (removed and base.ends_at.get(state.semester) == at):
            return self.UNDECIDED
        turn = state.turn
        if isinstance(event, DealPlayed) and event.dealer is not None:
            turn = (event.dealer + 1) % 4
        return self._follow(at + removed, after, reached, pool, gora, Effect(moved, 0, faults, 0, 0), turn)

    def _after(self, at: int, kind: str, event: DealPlayed) -> Phase:
        """Return the phase after a deal of this kind at `at`."""
        key = at, kind
        if key not in self._afters:
            state = self._out_of_reach(self.base.states[at])
            self._afters[key] = lean(step(state, event._replace(irregular="x")).after)
        return self._afters[key]

    def _out_of_reach(self, state: State) -> State:
        """Return the state with a target nobody reaches: only the phases of one semester count."""
        return state._replace(rules=self.rules._replace(target=_TARGET_OUT_OF_REACH), reached=())

    def _reached(self, pool: Row) -> tuple[Seat, ...]:
        target = self.rules.target
        if max(pool) < target:
            return ()
        return tuple(seat for seat in SEATS if pool[seat] >= target)

    def _write(self, at: int, semester: int, entries: Sequence[Entry]) -> tuple[int, Row, Row]:
        """Return what entries move, packed, and by how much they raise pool and gora."""
        pool, gora = NOTHING, NOTHING
        for _rule, seat, account, _on, amount, _why in entries:
            if account == "pool":
                pool = (*pool[:seat], pool[seat] + amount, *pool[seat + 1 :])
            elif account == "gora":
                gora = (*gora[:seat], gora[seat] + amount, *gora[seat + 1 :])
        return self.base.packed(at, semester, entries), pool, gora

    def _recorded(self, at: int) -> tuple[int, Row, Row]:
        """Return what the recorded event itself writes, without prizes."""
        if at not in self._own:
            taken = self.base.steps[at]
            entries = [entry for entry in taken.entries if not entry.rule.startswith("prize.")]
            self._own[at] = self._write(at, taken.semester, entries)
        return self._own[at]

    # -------------------------------------------------------------- going on

    def _follow(
        self,
        place: int,
        now: Phase,
        reached: tuple[Seat, ...],
        pool: Row,
        gora: Row,
        effect: Effect,
        turn: Seat,
    ) -> Effect:
        """Go on from `place` until nothing but sums is apart, and finish those."""
        base = self.base
        moved, faults = effect.moved, effect.faults
        faults += base.turned(place, turn) if place < base.end else 0
        while place < base.end and now != self.phases[place]:
            old = base.states[place]
            if old.over or isinstance(base.events[place], Stop):
                break  # nothing is played any more: only the final prizes may be left
            turned = self._turn(place, now)
            moved += turned.moved
            faults += turned.faults
            pool, gora = _plus(pool, turned.pool), _plus(gora, turned.gora)
            if not reached:
                reached = self._reached(_plus(base.rows[place][0], pool))
            if (reached and turned.could_end) or base.ends_at.get(old.semester) == place:
                return self.UNDECIDED
            now = turned.after
            place += 1
        self.gora = gora
        prizes = self.finished(place, reached, pool, gora)
        if prizes is None:
            return self.UNDECIDED
        semester = base.states[place].semester
        return Effect(
            moved + prizes,
            prizes,
            faults,
            semester if pool != NOTHING else 0,
            semester if gora != NOTHING else 0,
        )

    def _turn(self, place: int, now: Phase) -> _Turn:
        """Return what becomes of the recorded event at `place` in another phase."""
        key = place, now
        if key not in self._turns:
            base = self.base
            old = base.steps[place]
            position, is_open, due = now
            state = self._out_of_reach(base.states[place])
            state = state._replace(position=position, is_open=is_open, due=due)
            taken = step(state, base.events[place])
            after = lean(taken.after)
            moved, pool, gora = self._write(place, old.semester, taken.entries)
            own = self._recorded(place)
            event = base.events[place]
            could_end = isinstance(event, DealPlayed) and not after[1]
            if could_end and self.rules.end_rule != "target":
                could_end = isinstance(event, DealPlayed) and is_whisted(event.deal)
            self._turns[key] = _Turn(
                after,
                moved - own[0],
                _minus(pool, own[1]),
                _minus(gora, own[2]),
                len(taken.faults) - len(old.faults),
                could_end,
            )
        return self._turns[key]

    # -------------------------------------------------------------- ends

    def finished(self, place: int, reached: tuple[Seat, ...], pool: Row, gora: Row) -> int | None:
        """Return which prizes change hands, packed, where sums are apart from event `place` on.

        None where the semester would end elsewhere.
        """
        base = self.base
        old = base.states[place]
        if old.over:
            return 0
        prizes = 0
        ends = base.ends_at.get(old.semester, NEVER_ENDS)
        if pool != NOTHING or reached != old.reached:
            reached, since = self._reaching(place, reached, pool)
            if (base.next_end[max(since, place)] if reached else NEVER_ENDS) != ends:
                return None
            if ends < NEVER_ENDS:
                prizes += base.changed_prize(ends, old.semester, "pool", reached)
        if gora != NOTHING and ends < NEVER_ENDS:
            prizes += base.changed_prize(ends, old.semester, "gora", least(_plus(base.rows[ends][1], gora)))
        if base.finals_at < NEVER_ENDS:
            if pool != NOTHING:
                totals = _plus(self.pool_total, pool)
                most = max(totals)
                winners = tuple(seat for seat in SEATS if totals[seat] == most)
                prizes += base.changed_prize(base.finals_at, 0, "pool", winners)
            if gora != NOTHING:
                winners = least(_plus(self.gora_total, gora))
                prizes += base.changed_prize(base.finals_at, 0, "gora", winners)
        return prizes

    def _reaching(self, place: int, reached: tuple[Seat, ...], pool: Row) -> tuple[tuple[Seat, ...], int]:
        """Return who reaches the target first with the pool apart by `pool`, and at which event.

        An event before `place` where it has been reached already.
        """
        if reached:
            return reached, place - 1
        base = self.base
        semester = base.states[place].semester
        last = min(base.ends_at.get(semester, base.end - 1) + 1, base.end)
        for at in range(place, last):
            found = self._reached(_plus(base.rows[at][0], pool))
            if found:
                return found, at
        return (), last


NOTHING: Row = (0, 0, 0, 0)


def _refused(faults: Sequence[Fault], irregular: str) -> bool:
    """Tell whether a deal with these faults may not be recorded (derive.refusals)."""
    return any(fault.code in NEVER or not (irregular or fault.code in FACTS) for fault in faults)


def _plus(row: Row, offset: Row) -> Row:
    a, b, c, d = row
    e, f, g, h = offset
    return a + e, b + f, c + g, d + h


def _minus(row: Row, offset: Row) -> Row:
    a, b, c, d = row
    e, f, g, h = offset
    return a - e, b - f, c - g, d - h


def least(gora: Row) -> tuple[Seat, ...]:
    """Return who has the lowest gora."""
    low = min(gora)
    return tuple(seat for seat in SEATS if gora[seat] == low)
