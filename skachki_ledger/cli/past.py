"""The record told: `log` deal by deal as it counts, `history` record by record as it was written."""

import calendar
import time
from typing import Annotated

import typer

from .. import canon, changes, reports
from ..changes import Change
from ..errors import Fault, IllegalEventError
from ..i18n import N_, _
from ..journal import Item
from . import ledger
from .options import Db, GameId, Json, Lang, Suits, tokens

HELP = {
    "log": N_("The night deal by deal with what was written."),
    "history": N_("Every record: when, who, why, what changed."),
}


def log_command(
    deal: Annotated[str | None, typer.Option("--deal", metavar="N", help=_(N_("This deal alone.")))] = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print every event with its entries; what was amended, voided or undone stands struck."""
    shown = tokens(suits)
    current = ledger.read_game(db, game)
    if deal is not None and deal not in {item.label for item in current.items if item.label}:
        args = {"label": deal, "count": current.history.state.deals}
        raise IllegalEventError(Fault("E401", -1, args))
    if as_json:
        from ..render import jsonout

        print(jsonout.dump(jsonout.journal_log(current, deal)))
        return
    lines = [
        line
        for item in current.items
        if deal is None or item.label == deal
        for line in _item_lines(item, shown)
    ]
    print("\n".join(lines) if lines else _(N_("nothing is recorded yet")))


_STRUCK = {"amended": N_("(amended)"), "voided": N_("(voided)"), "undone": N_("(taken back)")}


def _item_lines(item: Item, shown: canon.Tokens) -> list[str]:
    """Return one event: where and when it was written, its line, what it wrote."""
    record = item.record
    reason = f"  – {record.reason}" if record.reason else ""
    head = f"e{record.n}  {local_time(record.at)}  {record.by}{reason}"
    number = f"{item.label}. " if item.label else ""
    if item.step is None:
        line = canon.line(item.event, item.players, shown)
        return [head, f"  ✗ {number}{line}  {_(_STRUCK[item.struck])}"]
    line = canon.line(item.event, item.players, shown)
    entries = [f"    {reports.entry_line(entry, item.players)}" for entry in item.step.entries]
    return [head, f"  {number}{line}{reports.facts(item.step)}", *entries]


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
    for change in changes.history(current, shown):
        print("\n".join(_change_lines(change)))


def _change_lines(change: Change) -> list[str]:
    record = change.record
    reason = f"  – {record.reason}" if record.reason else ""
    lines = [f"e{record.n}  {record.at} ({local_time(record.at)})  {record.by}{reason}", f"  {change.line}"]
    if change.old is not None and change.new is not None:
        old, new = changes.marked(change.old, change.new)
        lines.append(f"    {old} → {new}")
    elif change.old is not None:
        lines.append(f"    ✗ {change.old}")
    return lines
