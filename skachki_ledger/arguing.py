"""Explanations as values: entries with their arithmetic and effect, and the words of their rules."""

import textwrap
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from . import canon, corrections, resolve, rules, ruletexts, sheet, wording
from .arbitration import cells, explain
from .arbitration.cells import Cell
from .derive import History
from .errors import LedgerError
from .i18n import N_, _
from .journal import Game, Item, Record
from .model import WHIST, Entry, Seat
from .render import jsonout
from .reports import STRUCK, entry_line, facts, progress, roman
from .settlement import rational
from .standing import standing

TEXT_WIDTH = 94
"""A rule's words are set no wider."""


class Told(NamedTuple):
    """An explanation: lines under a title, JSON rows, the ids of the rules behind it, more JSON."""

    title: str
    lines: tuple[str, ...]
    rules: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]
    more: Mapping[str, Any] = MappingProxyType({})


# ------------------------------------------------------------------ an event


def record(game: Game, target: str, tokens: canon.Tokens) -> Told:
    """Return why a deal or event wrote what it wrote, or why it counts for nothing.

    Raises IllegalEventError (E401), LedgerError (E408) where there is none.
    """
    try:
        place = resolve.find(game.resolved.slots, target)
    except LedgerError:
        if told := _counts_for_nothing(game, target, tokens):
            return told
        if not target.startswith("e"):
            game.history.until(target)
        raise
    return event(game, place, tokens)


def _counts_for_nothing(game: Game, target: str, tokens: canon.Tokens) -> Told | None:
    """Return what is told of a struck event and of a record that is a correction, None else."""
    struck = [item for item in game.items if item.struck == "voided" and item.label == target]
    struck += [item for item in game.items if item.step is None and target == f"e{item.record.n}"]
    if struck:
        return _struck(struck[-1], tokens)
    later = next((one for one in game.records[1:] if target == f"e{one.n}"), None)
    if later is None:
        return None
    line = corrections.text(corrections.read(later.payload), game.history.state.players, tokens)
    return Told(f"{target} {line}", (_by(later),), ("correction",), ())


def _struck(item: Item, tokens: canon.Tokens) -> Told:
    number = f"{item.label}. " if item.label else f"e{item.record.n} "
    title = f"✗ {number}{canon.line(item.event, item.players, tokens)}  {_(STRUCK[item.struck])}"
    said = _("counts for nothing; skachki history tells who struck it, and why")
    return Told(title, (said,), ("correction",), ())


def event(game: Game, place: int, tokens: canon.Tokens) -> Told:
    """Return why the event at `place` of the game's items wrote what it wrote."""
    item = game.items[place]
    assert item.step is not None
    at = _counted(game).index(item)
    number = f"{item.label}. " if item.label else f"e{item.record.n} "
    title = number + canon.line(item.event, item.players, tokens) + facts(item.step)
    before = game.history._replace(steps=game.history.steps[:at])
    running: dict[Cell, int] = {}
    rows = [_row(before, item, entry, running) for entry in item.step.entries]
    lines = [entry_line(entry, item.players) for entry in item.step.entries]
    root = game.resolved.slots[place].root
    corrected = root != item.record.n or item.record.reason is not None
    if corrected:
        lines += _corrected(game, place, root, tokens)
    lines += [f"! {fault.message()}" for fault in item.step.faults]
    lines += _phases(game, at)
    rules = tuple(explain.rules_of(game.history, at, corrected))
    return Told(title, tuple(lines), rules, tuple(rows))


def _counted(game: Game) -> list[Item]:
    return [item for item in game.items if item.step is not None]


def _row(history: History, item: Item, entry: Entry, running: dict[Cell, int]) -> dict[str, Any]:
    """Return an entry as JSON; `running` is its cell's total in the game, up to and including it."""
    one = Cell(entry.seat, entry.account, entry.on)
    running[one] = running.get(one, cells.value(history, one)) + entry.amount
    place = {"event": item.record.n, "deal": item.label or None, "running": shown(running[one], one)}
    return jsonout.entry(entry, item.players) | place


def _corrected(game: Game, place: int, root: int, tokens: canon.Tokens) -> list[str]:
    """Return who corrected the event, why, and what stood there before."""
    old = [
        canon.line(item.event, item.players, tokens)
        for item, slot in zip(game.items[:place], game.resolved.slots, strict=False)
        if slot.root == root and slot.struck == "amended"
    ]
    was = [_("it was: {line}").format(line=old[-1])] if old else []
    return [_by(game.items[place].record), *was]


def _by(written: Record) -> str:
    text = _("a correction by {by}: {reason}") if written.reason else _("written by {by}")
    return text.format(by=written.by, reason=written.reason)


def _phases(game: Game, at: int) -> list[str]:
    """Return what an event did to the semester, and what came next."""
    taken, before = game.history.steps[at], explain.state_before(game.history, at)
    lines = []
    if names := explain.reached_with(before, taken):
        text = _("the target of {target} is reached: {names}")
        lines.append(text.format(target=before.rules.target, names=", ".join(names)))
    if why := explain.goes_on_because(taken):
        reasons = {
            "due": N_("the target is reached, but an all-pass is due: the semester goes on"),
            "open": N_("the target is reached, but the all-pass is open: the semester goes on"),
            "unwhisted": N_("the target is reached, but this deal was not whisted: the semester goes on"),
        }
        lines.append(_(reasons[why]))
    if taken.ended:
        lines.append(_("semester {roman} ends with it").format(roman=roman(before.semester)))
    if taken.label or taken.after != before:
        then = progress(game.history._replace(steps=game.history.steps[: at + 1]))
        lines.append(_("then: {progress}").format(progress=then))
    return lines


# ------------------------------------------------------------------ a cell


def cell(game: Game, wanted: Sequence[Cell]) -> Told:
    """Return what stands in the cells, entry by entry with the running total of each."""
    players = game.history.state.players
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    rules: list[str] = []
    for one in wanted:
        rows += (found := _rows(game, one))
        rules += [row["rule"] for row in found]
        within = _cell_lines(game, one, found)
        if len(wanted) > 1:
            within = ["", cell_title(game, one), *(f"  {line}" for line in within)]
        lines += within
        if one.account == "net":
            rules += explain.settlement_rules(game.history)
    title = cell_title(game, wanted[0]) if len(wanted) == 1 else players[wanted[0].seat]
    return Told(title, tuple(lines), tuple(dict.fromkeys(rules)), tuple(rows))


def _rows(game: Game, one: Cell) -> list[dict[str, Any]]:
    """Return a cell's entries as JSON rows; `effect` and `running` are the cell's.

    `on_paper` is the running total as paper has it: pool and gora begin anew with every semester.
    """
    counted, rows = _counted(game), []
    total = start = semester = 0
    for found in cells.entries(game.history, one):
        item = counted[found.place]
        if found.step.semester != semester and one.account in ("pool", "gora"):
            semester, start = found.step.semester, total
        total += found.effect
        more = {
            "event": item.record.n,
            "deal": item.label or None,
            "running": shown(total, one),
            "effect": shown(found.effect, one),
            "on_paper": shown(total - start, one),
            "semester": found.step.semester,
            "line": canon.line(item.event, item.players),
        }
        rows.append(jsonout.entry(found.entry, item.players) | more)
    return rows


def _cell_lines(game: Game, one: Cell, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return a cell's entries in aligned columns, with headings where a semester begins."""
    table: list[tuple[str, str, str, str]] = []
    semester = 0
    for row in rows:
        if row["semester"] != semester and one.account != "net":
            semester = row["semester"]
            table.append(("", "", "", _("Semester {roman}").format(roman=roman(semester))))
        grounds = wording.grounds(row["rule"], row["text"], row["amount"])
        why = f"({'; '.join([*grounds, row['rule']])})"
        what = f"{_account_of(row)} {signed(row['amount'])} " if one.account == "net" else ""
        at = row["deal"] or f"e{row['event']}"
        table.append((at, signed(row["effect"]), row["on_paper"], what + why))
    lines = _columns(table)
    return [*net_lines(game.history, one.seat), *lines] if one.account == "net" else lines


def _account_of(row: Mapping[str, Any]) -> str:
    if row["on"] is not None:
        account = _("whists on {name}").format(name=row["on"])
    else:
        account = _("pool") if row["account"] == "pool" else _("gora")
    return f"{row['seat']}: {account}"


def signed(amount: str) -> str:
    """Return a number with its sign: +24, -8, 0."""
    return amount if amount.startswith("-") or amount == "0" else f"+{amount}"


def _columns(table: Sequence[tuple[str, str, str, str]]) -> list[str]:
    """Return rows as lines: three columns flush right, then the text."""
    widths = [max((len(row[at]) for row in table), default=0) for at in range(3)]
    return [
        "  ".join([*(part.rjust(width) for part, width in zip(row, widths, strict=False)), row[3]])
        if row[0]
        else row[3]
        for row in table
    ]


def net_lines(history: History, seat: Seat) -> list[str]:
    """Return how a net comes out of the sheet, and what a point of each account is worth in it."""
    state = history.state
    pool, gora = state.pool_total(), state.gora_total()
    text = _(
        "20 × (pool {pool} − mean {pool_mean}) − 10 × (gora {gora} − mean {gora_mean}) "
        "+ whists written {written} − whists written against {suffered} = {net}"
    )
    worth = _(
        "a point of pool counts +15 for its seat and −5 for the others, a point of gora −7½ and +2½, "
        "whists as they are"
    )
    number = text.format(
        pool=pool[seat],
        pool_mean=sheet.number(sum(pool) * WHIST // 4),
        gora=gora[seat],
        gora_mean=sheet.number(sum(gora) * WHIST // 4),
        written=rational(sum(state.whists[4 * seat : 4 * seat + 4])),
        suffered=rational(sum(state.whists[seat::4])),
        net=rational(cells.value(history, Cell(seat, "net"))),
    )
    return [number, worth]


def cell_title(game: Game, one: Cell) -> str:
    """Return a cell with what stands in it: "Anna: gora (II) 24"."""
    return f"{cell_name(one, game.history.state.players)} {shown(cells.value(game.history, one), one)}"


def cell_name(one: Cell, players: Sequence[str]) -> str:
    """Return a cell's name: "Anna: gora", "Anna: pool (II)", "Anna: whists on Gleb"."""
    if one.on is not None:
        account = _("whists on {name}").format(name=players[one.on])
    else:
        account = {"pool": _("pool"), "gora": _("gora"), "net": _("net")}[one.account]
    when = f" ({roman(one.semester)})" if one.semester else ""
    return f"{players[one.seat]}: {account}{when}"


def shown(amount: int, one: Cell) -> str:
    """Return an amount of a cell as an exact number."""
    return rational(amount) if one.unit > 1 else str(amount)


def register(game: Game, one: Cell) -> Told:
    """Return a cell deal by deal, then its dotted lines as they stand on paper, a semester a line.

    A net does not stand on paper.
    """
    told = cell(game, [one])
    if one.account == "net":
        return told._replace(rules=())
    strips = [(page.semester, _strip(page, one)) for page in sheet.pages(standing(game.history))]
    paper = [(roman(semester), running) for semester, running in strips if running]
    lines = told.lines
    if paper:
        on_paper = _("on paper (brackets: carried over, stars: a prize):")
        lines = (*lines, "", on_paper, *(f"{semester}: {running}" for semester, running in paper))
    more = {"paper": [running for _semester, running in strips]}
    return told._replace(lines=lines, rules=(), more=more)


def _strip(page: sheet.Page, one: Cell) -> str:
    side = page.sides[one.seat]
    if one.account == "whists":
        return sheet.running(next(strip for strip in side.whists if strip.on == one.on))
    return sheet.running(side.pool if one.account == "pool" else side.gora)


def until(game: Game, label: str) -> Game:
    """Return the game as it stood up to the deal after `label`; "" is now."""
    if not label:
        return game
    history = game.history.until(label)
    left = len(history.steps)
    items = [item for item in game.items if item.step is not None][:left]
    return game._replace(history=history, items=tuple(items))


# ------------------------------------------------------------------ rules


def rule_json(rule: str, game: Game | None = None) -> dict[str, Any]:
    """Return a rule's words, source and switches, in a game with their values."""
    found = ruletexts.RULES[rule]
    value = {
        "rule": rule,
        "text": _(found.text),
        "source": _(found.source),
        "switch": ", ".join(found.switches) or None,
    }
    if game is None:
        return value
    current = jsonout.switch_values(rules.switches(game.history.header.rules))
    return value | {"switches": {name: current[name] for name in found.switches}}


def rule_lines(rule: str, game: Game | None, columns: int = 0) -> list[str]:
    """Return a rule's words with its source and the switches that decide it, as they stand in a game.

    `columns`: how wide the terminal is, 0 where there is none.
    """
    found = ruletexts.RULES[rule]
    room = min(columns or TEXT_WIDTH, TEXT_WIDTH) - 2
    lines = [rule, *(f"  {line}" for line in textwrap.wrap(_(found.text), room, break_on_hyphens=False))]
    parts = [_("source: {source}").format(source=_(found.source))]
    for name in found.switches:
        if game is None:
            parts.append(f"{name}: {rules.show_allowed(name)}")
        else:
            parts.append(f"{name} = {rules.show_value(rules.switches(game.history.header.rules)[name])}")
    return [*lines, "  – " + " · ".join(parts)]
