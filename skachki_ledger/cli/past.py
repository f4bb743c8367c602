"""The record told: `log` deal by deal as it counts, `history` record by record as it was written."""

import calendar
import time
from collections.abc import Sequence
from typing import Annotated

import typer

from .. import canon, changes, consequences, corrections, reports, resolve, vocabulary
from ..changes import Change
from ..errors import Fault, IllegalEventError
from ..events import DealPlayed
from ..i18n import N_, _
from ..journal import Game, Item
from ..resolve import Slot
from . import ledger, printing
from .options import Db, GameId, Json, Lang, Output, Suits, tokens
from .say import tell

HELP = {
    "log": N_("The night deal by deal with what was written."),
    "history": N_("Every line as it was written: when, who, why, what changed."),
}


def log_command(
    deal: Annotated[str | None, typer.Option("--deal", metavar="N", help=_("This deal alone."))] = None,
    layout: Annotated[
        str | None,
        typer.Option("--format", metavar="text|html|pdf", help=_("What to write; default: by -o.")),
    ] = None,
    output: Output = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print every event with its entries; what was amended, voided or undone stands struck."""
    shown = tokens(suits)
    layout = printing.chosen(layout, output, printing.LOG_FORMATS)
    printing.check_format(layout, printing.LOG_FORMATS, output)
    current = ledger.read_game(db, game)
    deal = vocabulary.label(deal) if deal is not None else None
    if deal is not None and deal not in {item.label for item in current.items if item.label}:
        labels = [item.label for item in current.items if item.step and item.label]
        args = {"label": deal, "last": labels[-1] if labels else "–"}
        raise IllegalEventError(Fault("E401", -1, args))
    if as_json:
        from ..render import jsonout

        printing.give(jsonout.dump(jsonout.journal_log(current, deal)) + "\n", output)
        return
    if layout != "text":
        printing.log(current, layout, output, shown, deal)
        return
    since = resolve.corrected_since(current.resolved)
    lines = [
        line
        for item, slot in zip(current.items, current.resolved.slots, strict=True)
        if deal is None or item.label == deal
        for line in _item_lines(current, item, slot, since.get(item.record.n, ()), shown)
    ]
    printing.give_text("\n".join(lines) or _("nothing is recorded yet"), output)


def _item_lines(
    current: Game, item: Item, slot: Slot, since: Sequence[int], shown: canon.Tokens
) -> list[str]:
    """Return one event: where and when it was written, its line, what it wrote; `since` are the
    records that corrected what it agreed on."""
    record = item.record
    reason = f"  – {record.reason}" if record.reason else ""
    head = f"e{record.n}  {local_time(record.at)}  {record.by}{reason}"
    number = f"{item.label}. " if item.label else ""
    line = canon.line(item.event, item.players, shown)
    if item.step is None:
        return [head, f"  ✗ {number}{line}  {_(reports.STRUCK[item.struck])}{_striker(current, slot)}"]
    entries = [f"    {reports.entry_line(entry, item.players)}" for entry in item.step.entries]
    if consequences.over(item.step):
        entries.append("    " + _("does not count: the game is over before it"))
    if since:
        later = ", ".join(f"e{n}" for n in since)
        entries.append("    " + _("corrected since: {later}").format(later=later))
    return [head, f"  {number}{line}{reports.facts(item.step)}", *entries]


def _striker(current: Game, slot: Slot) -> str:
    """Return the record that struck an event; of a void, which has no line of its own, who and why."""
    if not slot.by:
        return ""
    record = current.records[slot.by - 1]
    text = f"  e{record.n}"
    if slot.struck != "amended":
        text += f"  {record.by}"
    return f"{text}  – {record.reason}" if slot.struck == "voided" and record.reason else text


def local_time(at: str) -> str:
    """Return a journal's UTC time as the clock on the wall has it."""
    seconds = calendar.timegm(time.strptime(at, "%Y-%m-%dT%H:%M:%SZ"))
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def history_command(
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print every record in the order it was written, with old and new where it changed something."""
    shown = tokens(suits)
    current = ledger.read_game(db, game)
    if as_json:
        from ..render import jsonout

        told = changes.history(current)
        rows = [
            jsonout.record_event(current, change.record.n) | {"old": change.old, "new": change.new}
            for change in told
        ]
        print(jsonout.dump({"format": "skachki-history/1", "events": rows}))
        return
    deals = {
        item.record.n: item.label
        for item in current.items
        if isinstance(corrections.read(item.record.payload), DealPlayed)
    }
    for change in changes.history(current, shown):
        number = f"{deals[change.record.n]}. " if change.record.n in deals else ""
        tell("\n".join(_change_lines(change, number)))


def _change_lines(change: Change, number: str) -> list[str]:
    """Return a record in words; `number`: before the line of a deal."""
    record = change.record
    reason = f"  – {record.reason}" if record.reason else ""
    lines = [f"e{record.n}  {record.at} ({local_time(record.at)})  {record.by}{reason}"]
    lines.append(f"  {number}{change.line}")
    if change.old is not None and change.new is not None:
        old, new = changes.marked(change.old, change.new)
        lines.append(f"    {old} → {new}")
    elif change.old is not None:
        lines.append(f"    ✗ {change.old}")
    elif change.new is not None and change.new != change.line:
        lines.append(f"    + {change.new}")
    lines += [f"    {line}" for line in consequences.dealers(change)]
    if change.agreed:
        agreed = ", ".join(f"e{n}" for n in change.agreed)
        lines.append("    " + _("the table had agreed on this: {agreed}").format(agreed=agreed))
    return lines
