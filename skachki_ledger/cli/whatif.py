"""What would be if: another line for a deal, none, a rule read otherwise. Nothing is written."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from .. import arguing, compare, consequences, corrections, drafting, header, notation, rules
from ..arbitration import whatif
from ..arbitration.cells import Cell
from ..arbitration.whatif import Reading
from ..compare import Change
from ..corrections import Amend, Correction, SetRule, Void
from ..derive import refusals
from ..errors import Fault, IllegalEventError, NotationError
from ..events import DealPlayed
from ..i18n import N_, _
from ..journal import Draft, Game, Seen
from ..legality import NEVER
from ..names import Seats
from ..reports import Table, deals_text, money_text
from ..settlement import rational
from ..standing import standing
from . import ledger, say
from .options import Db, GameId, Json, Lang, Suits, tokens
from .words import WordsCommand

DEALS_SHOWN = 6
"""Deals named in a row of the table of all switches; of more only the first, and how many."""

HELP = {"whatif": N_("What the score would be if …; nothing is written.")}
CLASS = {"whatif": WordsCommand}
KINDS = {
    **dict.fromkeys(("deal", "сдача"), "deal"),
    **dict.fromkeys(("without", "без"), "without"),
    **dict.fromkeys(("rule", "правило"), "rule"),
    **dict.fromkeys(("rules", "правила"), "rules"),
}
"""What may be asked, in both languages."""

What = Annotated[
    list[str],
    typer.Argument(
        metavar=_("deal N WORD… | without N | rule SWITCH=VALUE | rules"),
        help=_("Another line for a deal, no deal, a switch set otherwise, or every switch."),
    ),
]


def whatif_command(
    what: What,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print old and new side by side and the money it moves."""
    shown = tokens(suits)
    before = ledger.read_game(db, game)
    if [KINDS.get(word.lower()) for word in what] == ["rules"]:
        _rules(before, as_json)
        return
    after = _with(before, _correction(before, what, as_json))
    refused = _refused(after)
    if as_json:
        _print_json(before, after, refused)
        return
    head = [*consequences.correction(before, after, shown), *_illegal(refused)]
    say.tell("\n\n".join(["\n".join(head), *_side_by_side(before, after, refused)]).strip("\n"))


def _correction(before: Game, what: Sequence[str], as_json: bool) -> Correction:
    """Return the correction that is only thought of. Raises NotationError (E422) for other words."""
    kind = KINDS.get(what[0].lower())
    if kind == "deal" and len(what) > 2:
        item = drafting.target(before, what[1])
        reading = notation.read_words(what[2:], Seats(item.players))
        if reading.retyped:
            say.reading(reading.event, item.players, as_json)
        return Amend(drafting.name_of(item), reading.event)
    if kind == "without" and len(what) == 2:
        return Void(drafting.name_of(drafting.target(before, what[1])))
    if kind == "rule" and len(what) == 2:
        changed = header.set_switch(before.history.header.rules, what[1])
        name = header.switch_name(what[1])
        return SetRule(name, getattr(changed, name))
    raise NotationError(Fault("E422", -1, {"word": " ".join(what)[:80]}))


def _with(before: Game, correction: Correction) -> Game:
    """Return the game as it would be; a deal keeps the dealer it had."""
    announced = None
    if isinstance(correction, Amend) and isinstance(correction.event, DealPlayed):
        dealer = drafting.recorded_dealer(before, drafting.target(before, correction.target))
        announced = Seen(dealer).text()
    payload = corrections.payload(correction)
    return drafting.trial(before, [Draft(payload, payload, "", None, announced)])


def _refused(after: Game) -> tuple[Fault, ...]:
    """Return why the line that is thought of could not be recorded, () where it could or is none.

    Raises IllegalEventError for one of which nothing could be scored.
    """
    last = after.records[-1].n
    item = next((item for item in after.items if item.record.n == last), None)
    if item is None or item.step is None:
        return ()
    faults = refusals(item.step)
    if any(fault.code in NEVER for fault in faults):
        raise IllegalEventError(*faults)
    return faults


def _illegal(refused: Sequence[Fault]) -> list[str]:
    text = _("against the rules, counted here as if it had been played: {why}")
    return [text.format(why=fault.message()) for fault in refused]


def _print_json(before: Game, after: Game, refused: Sequence[Fault]) -> None:
    from ..render import jsonout

    value = {
        "format": "skachki-whatif/1",
        "before": jsonout.standing(standing(before.history), before.id, before.head),
        "after": jsonout.standing(standing(after.history), before.id, None),
        "changed": ledger.changed(before, after),
        "illegal": [
            {"code": fault.code, "message": fault.message(), "rule": fault.rule} for fault in refused
        ],
    }
    print(jsonout.dump(value))


def _side_by_side(before: Game, after: Game, refused: Sequence[Fault]) -> list[str]:
    """Return a table of every cell and amount of money that changes, and what follows for other deals."""
    from ..render import text

    players = after.history.state.players
    changes = compare.cells(before.history, after.history)
    told = [consequences.cell_line(change, players) for change in changes]
    told += [_against(after, fault) for fault in refused]
    lines = [line for line in consequences.told(before, after) if line not in told]
    rows = [_cell_row(change, players) for change in changes] + _money(before, after)
    headers = ("", _("recorded"), _("would be"), _("difference"))
    table = text.table(Table("", headers, tuple(rows), (1, 2, 3)), columns=say.columns())
    return [part for part in (table if rows else "", "\n".join(lines)) if part]


def _against(after: Game, fault: Fault) -> str:
    """Return how consequences tells what `_illegal` has told already of the line that is thought of."""
    label = next(item.label for item in after.items if item.record.n == after.records[-1].n)
    at = _("deal {label}").format(label=label)
    return _("{deal}: now against the rules: {why}").format(deal=at, why=fault.message())


def _cell_row(change: Change, players: Sequence[str]) -> tuple[str, ...]:
    cell = Cell(change.seat, change.account, change.on, change.semester)
    old, new, difference = (
        arguing.shown(amount, cell) for amount in (change.old, change.new, change.new - change.old)
    )
    return arguing.cell_name(cell, players), old, new, arguing.signed(difference)


def _money(before: Game, after: Game) -> list[tuple[str, ...]]:
    """Return what it moves in money, a player a row; nothing without a stake."""
    old, new = standing(before.history).money, standing(after.history).money
    stake = before.history.header.stake
    if old is None or new is None or stake is None:
        return []
    players = after.history.state.players
    return [
        (
            f"{name}: {stake.currency}",
            money_text(was),
            money_text(now),
            arguing.signed(money_text(now - was)),
        )
        for name, was, now in zip(players, old, new, strict=True)
        if was != now
    ]


# ------------------------------------------------------------------ every rule


def _rules(before: Game, as_json: bool) -> None:
    """Print one row a switch and value: whether it changes the result, for whom, at which deals."""
    found = list(whatif.readings(before.history))
    from ..render import jsonout, text

    if as_json:
        rows = [_reading_json(reading) for reading in found]
        print(jsonout.dump({"format": "skachki-whatif-rules/1", "rows": rows}))
        return
    players = before.history.state.players
    headers = (_("read otherwise"), *players, _("matters at deals"))
    table = Table("", headers, tuple(_reading_row(reading) for reading in found), (1, 2, 3, 4))
    title = _("How the nets would change, each switch set to each other value:")
    say.tell(f"{title}\n\n{text.table(table, columns=say.columns())}")


def _reading_row(reading: Reading) -> tuple[str, ...]:
    name = f"{reading.switch} = {rules.show_value(reading.value)}"
    moves = ["·" if not amount else arguing.signed(rational(amount)) for amount in reading.changes]
    return name, *moves, _shortened(reading.deals)


def _shortened(labels: Sequence[str]) -> str:
    """Return where a rule bit in a few words, "–" for nowhere."""
    if len(labels) <= DEALS_SHOWN:
        return ", ".join(labels) or "–"
    shown = ", ".join(labels[: DEALS_SHOWN - 1])
    return f"{shown} … ({deals_text(len(labels))})"


def _reading_json(reading: Reading) -> dict[str, Any]:
    value = list(reading.value) if isinstance(reading.value, tuple) else reading.value
    return {
        "switch": reading.switch,
        "value": value,
        "nets": [rational(amount) for amount in reading.nets],
        "changes": [rational(amount) for amount in reading.changes],
        "deals": list(reading.deals),
    }
