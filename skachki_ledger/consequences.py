"""What a correction changes, told before it is written: cells first, then what follows from them."""

from collections.abc import Sequence

from . import rules
from .compare import Change, cells
from .derive import Step, refusals
from .i18n import N_, _
from .journal import Game, Item
from .reports import roman
from .settlement import rational
from .state import Prize


def told(before: Game, after: Game) -> list[str]:
    """Return every change as a sentence; one sentence where nothing changes."""
    players = after.history.state.players
    lines = [cell_line(change, players) for change in cells(before.history, after.history)]
    lines += _renamed(before, after) + _rules(before, after)
    lines += _deals(before, after)
    lines += _prizes(before, after)
    lines += _end(before, after)
    return lines or [_(N_("nothing in the score changes"))]


def cell_line(change: Change, players: Sequence[str]) -> str:
    """Return one cell that changes: "Boris: gora (II) 12 → 16, +4"."""
    name = players[change.seat]
    if change.account == "whists":
        assert change.on is not None
        what = _(N_("whists on {name}")).format(name=players[change.on])
    elif change.account == "net":
        what = _(N_("net"))
    else:
        account = _(N_("pool")) if change.account == "pool" else _(N_("gora"))
        what = f"{account} ({roman(change.semester or 1)})"
    exact = change.semester is None
    old, new, difference = (
        rational(amount) if exact else str(amount)
        for amount in (change.old, change.new, change.new - change.old)
    )
    sign = "" if difference.startswith("-") else "+"
    return f"{name}: {what} {old} → {new} ({sign}{difference})"


def _renamed(before: Game, after: Game) -> list[str]:
    old, new = _names(before), _names(after)
    return [f"{was} → {now}" for was, now in zip(old, new, strict=False) if was != now]


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
    roots = {slot.n: slot.root for slot in game.resolved.slots}
    return {roots[item.record.n]: item for item in game.items if item.step is not None}


def _deals(before: Game, after: Game) -> list[str]:
    """Return what becomes of later deals: prices, semesters, exits, what is irregular now or no more."""
    old, new = _by_root(before), _by_root(after)
    lines: list[str] = []
    for root, item in new.items():
        was = old.get(root)
        if was is not None and was.step is not None and item.step is not None and item.label:
            lines += _deal(item.label, was.step, item.step)
    return lines


def _deal(label: str, was: Step, now: Step) -> list[str]:
    lines = []
    at = _(N_("deal {label}")).format(label=label)
    if was.price is not None and now.price is not None and was.price != now.price:
        text = _(N_("{deal}: the all-pass counts at {new}, not {old}"))
        lines.append(text.format(deal=at, old=was.price, new=now.price))
    if was.semester != now.semester:
        text = _(N_("{deal}: semester {new}, not {old}"))
        lines.append(text.format(deal=at, old=roman(was.semester), new=roman(now.semester)))
    if was.after.is_open != now.after.is_open and was.after.semester == now.after.semester:
        open_now = _(N_("{deal}: the all-pass is open after it now"))
        closed_now = _(N_("{deal}: the all-pass is closed after it now"))
        lines.append((open_now if now.after.is_open else closed_now).format(deal=at))
    gone = {fault.code for fault in refusals(was)}
    for fault in refusals(now):
        if fault.code not in gone:
            lines.append(_(N_("{deal}: now against the rules: {why}")).format(deal=at, why=fault.message()))
    if gone and not refusals(now):
        lines.append(_(N_("{deal}: no longer against the rules")).format(deal=at))
    return lines


def _prizes(before: Game, after: Game) -> list[str]:
    old, new = before.history.state.prizes, after.history.state.prizes
    gone, come = _(N_("no longer awarded: {prize}")), _(N_("awarded now: {prize}"))
    lines = [gone.format(prize=prize_text(prize)) for prize in old if prize not in new]
    return lines + [come.format(prize=prize_text(prize)) for prize in new if prize not in old]


def prize_text(prize: Prize) -> str:
    """Return a prize in words: "pool 300, semester II: Anna"."""
    kind = _(N_("pool")) if prize.kind == "pool" else _(N_("gora"))
    when = (
        _(N_("semester {roman}")).format(roman=roman(prize.semester)) if prize.semester else _(N_("final"))
    )
    return f"{kind} {rational(prize.whists)}, {when}: {', '.join(prize.names)}"


def _end(before: Game, after: Game) -> list[str]:
    old, new = before.history.state, after.history.state
    if old.over == new.over and old.semester == new.semester:
        return []
    if new.over != old.over:
        return [_(N_("the game is over now")) if new.over else _(N_("the game goes on"))]
    text = _(N_("the game is in semester {new}, not {old}"))
    return [text.format(old=roman(old.semester), new=roman(new.semester))]
