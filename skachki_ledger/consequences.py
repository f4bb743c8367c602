"""What a correction changes, told before it is written: cells first, then what follows from them."""

from collections.abc import Sequence
from itertools import groupby

from . import canon, changes, corrections, drafting, rules
from .compare import Change, cells
from .corrections import Amend, Insert, Void
from .derive import Step, refusals
from .i18n import _
from .journal import Game, Item
from .reports import facts, next_text, roman
from .settlement import rational
from .state import Prize, State

TURN = "E220"
OVER = frozenset(("E215", "E216"))


def told(before: Game, after: Game) -> list[str]:
    """Return every change as a sentence; one sentence where nothing changes."""
    players = after.history.state.players
    moved = [cell_line(change, players) for change in cells(before.history, after.history)]
    agreed = _renamed(before, after) + _rules(before, after)
    follows = _deals(before, after)
    follows += _ends(before, after)
    follows += _prizes(before, after)
    follows += _next(before.history.state, after.history.state)
    if not (moved or follows):
        follows.append(_("nothing in the score changes"))
    return [*moved, *agreed, *follows]


def correction(before: Game, after: Game, tokens: canon.Tokens) -> list[str]:
    """Return what the last record of `after` puts in the place of what; of a rename or a rule, which
    `told` tells, nothing."""
    change = changes.of_last(before, after, tokens)
    line = corrections.read(change.record.payload)
    if not isinstance(line, Amend | Void | Insert):
        return []
    at = line.target
    if isinstance(line, Insert):
        item = next(item for item in after.items if item.record.n == change.record.n)
        dealt = facts(item.step) if item.step else ""
        at = drafting.name_of(item)
        return [f"+ {at}. {change.new}{dealt}"]
    if change.new is None:
        return [f"✗ {at}. {change.old}"]
    old, new = changes.marked(change.old or "", change.new)
    return [f"{at}. {old} → {new}", *dealers(change)]


def dealers(change: changes.Change) -> list[str]:
    """Return who dealt by an amendment, and who did before it, where that differs."""
    if change.dealers is None:
        return []
    old, new = change.dealers
    return [_("{new} dealt, not {old}").format(old=old, new=new)]


def cell_line(change: Change, players: Sequence[str]) -> str:
    """Return one cell that changes: "Boris: gora (II) 12 → 16, +4"."""
    name = players[change.seat]
    if change.account == "whists":
        assert change.on is not None
        what = _("whists on {name}").format(name=players[change.on])
    elif change.account == "net":
        what = _("net")
    else:
        account = _("pool") if change.account == "pool" else _("gora")
        what = f"{account} ({roman(change.semester or 1)})"
    exact = change.semester is None
    old, new, difference = (
        rational(amount) if exact else str(amount)
        for amount in (change.old, change.new, change.new - change.old)
    )
    sign = "" if difference.startswith("-") else "+"
    return f"{name}: {what} {old} → {new} ({sign}{difference})"


def _renamed(before: Game, after: Game) -> list[str]:
    """Return who is called otherwise, wherever he sat; who sits there otherwise is told too."""
    pairs = zip(_names(before), _names(after), strict=True)
    return list(dict.fromkeys(f"{was} → {now}" for was, now in pairs if was != now))


def _names(game: Game) -> list[str]:
    return [*game.history.start.players, *game.history.state.players]


def _rules(before: Game, after: Game) -> list[str]:
    was, now = before.history.header.rules, after.history.header.rules
    return [
        f"{name}: {rules.show_value(value)} → {rules.show_value(rules.switches(now)[name])}"
        for name, value in rules.differing(was, now).items()
    ]


def _by_root(game: Game) -> dict[int, Item]:
    """Return the items that count by the first event each stands for."""
    return {
        slot.root: item
        for slot, item in zip(game.resolved.slots, game.items, strict=True)
        if item.step is not None
    }


def _name(item: Item) -> str:
    """Return how a deal or event is called in a sentence: "deal 12a", "e14"."""
    return _("deal {label}").format(label=item.label) if item.label else f"e{item.record.n}"


def _deals(before: Game, after: Game) -> list[str]:
    """Return what becomes of other deals and events: prices, exits, semesters, what is irregular now or
    no more."""
    old = _by_root(before)
    both = [(item, was, item.step) for item, was in _pairs(old, after) if was and item.step]
    fresh = [item for item, was in _pairs(old, after) if was is None]
    lines = _semesters([(item, was, now) for item, was, now in both if item.label])
    for item, was, now in both:
        lines += _deal(_name(item), was, now) if now.label else _counts(_name(item), was, now)
    faults = [(_name(item), fault) for item in fresh if item.step for fault in item.step.faults]
    return lines + [f"{at}: {fault.message()}" for at, fault in faults]


def _pairs(old: dict[int, Item], after: Game) -> list[tuple[Item, Step | None]]:
    """Return the events that count after the correction, each with what it was before."""
    return [(item, old[root].step if root in old else None) for root, item in _by_root(after).items()]


def _semesters(both: Sequence[tuple[Item, Step, Step]]) -> list[str]:
    """Return which deals count in another semester, those in a row in one sentence."""
    moved = [(item.label, was.semester, now.semester) for item, was, now in both]
    lines = []
    for (old, new), group in groupby(moved, key=lambda move: move[1:]):
        labels = [label for label, _old, _new in group]
        if old == new:
            continue
        deals = _("deal {label}").format(label=labels[0])
        if len(labels) > 1:
            deals = _("deals {first}–{last}").format(first=labels[0], last=labels[-1])
        text = _("{deal}: semester {new}, not {old}")
        lines.append(text.format(deal=deals, old=roman(old), new=roman(new)))
    return lines


def _deal(at: str, was: Step, now: Step) -> list[str]:
    lines = []
    if was.price is not None and now.price is not None and was.price != now.price:
        text = _("{deal}: the all-pass counts at {new}, not {old}")
        lines.append(text.format(deal=at, old=was.price, new=now.price))
    goes_on = not (was.ended or now.ended or was.after.over or now.after.over)
    if goes_on and was.after.is_open != now.after.is_open:
        open_now = _("{deal}: the all-pass is open after it now")
        closed_now = _("{deal}: the all-pass is closed after it now")
        lines.append((open_now if now.after.is_open else closed_now).format(deal=at))
    return lines + _faults(at, was, now)


def _faults(at: str, was: Step, now: Step) -> list[str]:
    """Return what is against the rules now or no more, and what does not count any more."""
    lines = _counts(at, was, now)
    if over(now):
        return lines
    gone = {fault.code for fault in refusals(was)}
    for fault in refusals(now):
        if fault.code not in gone:
            lines.append(_("{deal}: now against the rules: {why}").format(deal=at, why=fault.message()))
    if gone and not refusals(now) and not over(was):
        lines.append(_("{deal}: no longer against the rules").format(deal=at))
    turned = [fault for fault in now.faults if fault.code == TURN]
    if turned and not any(fault.code == TURN for fault in was.faults):
        lines.append(f"{at}: {turned[0].message()}")
    return lines


def _counts(at: str, was: Step, now: Step) -> list[str]:
    if over(was) == over(now):
        return []
    gone, back = _("{deal}: does not count any more, the game is over"), _("{deal}: counts again")
    return [(gone if over(now) else back).format(deal=at)]


def over(taken: Step) -> bool:
    """Tell whether an event stands after the game's end, where it counts for nothing."""
    return any(fault.code in OVER for fault in taken.faults)


def _ends(before: Game, after: Game) -> list[str]:
    """Return which semesters end elsewhere, and whether the game is over."""
    old, new = _ended(before), _ended(after)
    lines = []
    for semester in sorted(old.keys() | new.keys()):
        was, now = old.get(semester), new.get(semester)
        if was == now:
            continue
        if now is None:
            text = _("semester {roman} does not end any more")
        elif was is None:
            text = _("semester {roman} ends with {now} now")
        else:
            text = _("semester {roman} ends with {now}, not {was}")
        lines.append(text.format(roman=roman(semester), now=now, was=was))
    if bool(before.history.state.over) != bool(after.history.state.over):
        is_over = after.history.state.over
        lines.append(_("the game is over now") if is_over else _("the game goes on"))
    return lines


def _ended(game: Game) -> dict[int, str]:
    """Return the deals by which the semesters ended."""
    found: dict[int, str] = {}
    for item in game.items:
        if item.step is not None and item.step.ended:
            found[item.step.ended] = _name(item)
    return found


def _prizes(before: Game, after: Game) -> list[str]:
    old, new = before.history.state.prizes, after.history.state.prizes
    if before.resolved.whole != after.resolved.whole:  # a rename moves no prize
        now = dict(zip(_names(before), _names(after), strict=True))
        old = tuple(prize._replace(names=tuple(now.get(n, n) for n in prize.names)) for prize in old)
    gone, come = _("no longer awarded: {prize}"), _("awarded now: {prize}")
    lines = [gone.format(prize=prize_text(prize)) for prize in old if prize not in new]
    return lines + [come.format(prize=prize_text(prize)) for prize in new if prize not in old]


def prize_text(prize: Prize) -> str:
    """Return a prize in words: "pool 300, semester II: Anna"."""
    kind = _("pool") if prize.kind == "pool" else _("gora")
    when = _("semester {roman}").format(roman=roman(prize.semester)) if prize.semester else _("final")
    return f"{kind} {rational(prize.whists)}, {when}: {', '.join(prize.names)}"


def _next(was: State, now: State) -> list[str]:
    """Return who deals next and what may be played, where that is otherwise now."""
    if was.over or now.over:
        return []
    old, new = next_text(was), next_text(now._replace(players=was.players))
    return [_("next: {new} (was: {old})").format(new=next_text(now), old=old)] if old != new else []
