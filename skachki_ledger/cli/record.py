"""Recording a live game: `new`, `deal`, `undo`, `redo`, `use`. Each write is one transaction."""

import sqlite3
import sys
from typing import Annotated

import typer

from .. import canon, corrections, header, journal, live, notation, store
from ..derive import refusals
from ..errors import Fault, IllegalEventError, LedgerError
from ..events import DealPlayed, Event
from ..i18n import N_, _
from ..journal import Draft, Game, Item
from ..names import Seats
from ..render import lines
from . import ledger, say
from .options import By, Db, Expect, GameId, Json, Lang, Suits, Words, tokens
from .words import WordsCommand

HELP = {
    "new": N_("Begin a game; prints its id."),
    "deal": N_("Record a deal, a fine or another event."),
    "undo": N_("Take back the last event."),
    "redo": N_("Bring back what undo took back."),
    "use": N_("Make a game the current one."),
}
CLASS = {"deal": WordsCommand}
EPILOG = {
    "deal": N_(
        "\b\n"
        "Lines, for example:\n"
        "  Boris 7d wp 7/3      contract, calls, tricks\n"
        "  Boris 7d ww 6/3/1    both whist, one down\n"
        "  Anna 8s pp @g        unwhisted, off the gora\n"
        "  Anna 6h ph           left for half a whist\n"
        "  Vera m 0             misère made; m 2 caught\n"
        "  Gleb 9c/m ww 8/1/1   a nine over a misère\n"
        "  r 2/4/3/1            all-pass, seats 1–4\n"
        "  dealer Anna          Anna deals next\n"
        '  seat Vera "Zoe"      a newcomer\n'
        "  fine Gleb 4 gora     also adjust, agree, note\n"
        '  stop "last train"    the game ends here'
    )
}


def deal_command(
    words: Words,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=_("Show it, record nothing."))] = False,
    client_id: Annotated[
        str | None, typer.Option("--id", metavar="X", help=_("The same id again records nothing."))
    ] = None,
    expect: Expect = None,
    by: By = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Read the words, judge them in the game as it stands, append them, tell what they wrote."""
    shown, expected = tokens(suits), ledger.expected_deals(expect)
    if client_id is not None:
        ledger.clean(client_id, ledger.CLIENT_ID_LENGTH_MAX)
    opened = store.reading if dry_run else store.writing
    with opened(ledger.path(db)) as connection:
        before = ledger.load(connection, game)
        known = _known(before, client_id, words)
        if known is not None:
            _tell(before, known, True, shown, as_json, before.head)
            return
        ledger.check_expected(before, expected)
        reading = notation.read_words(words, before.history.seats)
        taken = before.history.taking(reading.event)
        if refused := refusals(taken):
            raise IllegalEventError(*refused)
        draft = journal.draft_step(taken, " ".join(words), client_id)
        if dry_run:
            new = journal.chained(before.id, before.records, [draft], ledger.now(), ledger.author(by))
        else:
            new = store.append(
                connection, before.id, before.records, [draft], ledger.author(by), ledger.now()
            )
    if not (as_json or dry_run) and sys.stderr.isatty() and (twin := _twin(before, reading.event)):
        hint = _("the same line as deal {label}; if it came twice by mistake: skachki undo")
        say.aside(hint.format(label=twin))
    if reading.retyped:
        say.reading(reading.event, before.history.state.players, as_json)
    after = journal.grown(before, new[0], taken)
    head = before.head if dry_run else after.head
    _tell(after, after.items[-1], False, shown, as_json, head)
    if dry_run and not as_json:
        say.aside(_("nothing is recorded: this was a dry run"))


def _twin(before: Game, event: Event) -> str:
    """Return the label of the last event where that is the same deal, "" else."""
    last = next((item for item in reversed(before.items) if item.step), None)
    if last is None or not last.label or not isinstance(event, DealPlayed):
        return ""
    return last.label if corrections.payload(last.event) == corrections.payload(event) else ""


def _known(before: Game, client_id: str | None, words: list[str]) -> Item | None:
    """Return what was recorded under the caller's id before, None where nothing was.

    Raises LedgerError (E321) where it was another line; the words mean what they meant then.
    """
    known = next((item for item in before.items if client_id and item.record.client_id == client_id), None)
    if known is None or known.record.typed == " ".join(words):
        return known
    event = notation.read_words(words, Seats(known.players)).event
    if corrections.payload(event) != corrections.payload(known.event):
        line = canon.line(known.event, known.players)
        raise LedgerError(Fault("E321", -1, {"word": client_id, "line": line}))
    return known


def _tell(after: Game, item: Item, is_known: bool, shown: canon.Tokens, as_json: bool, head: str) -> None:
    """Print what a recorded event wrote, the standing in short and what comes next."""
    if as_json:
        ledger.print_change(after, item.record.n, {"known": True} if is_known else {}, head)
        return
    state = after.history.state
    if item.step is None:
        say.tell(_("this id was recorded and no longer counts: nothing is recorded"))
    else:
        if is_known:
            say.tell(_("this id is recorded already: nothing is recorded"))
        say.tell("\n".join(live.written(item.step, shown, say.is_narrow())))
    say.tell("\n".join(lines.aligned(live.short_standing(state))))
    say.tell(live.what_next(state))


def undo_command(
    expect: Expect = None,
    by: By = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Append the event that takes the last one back."""
    _turn_back(journal.UNDO, expect, by, suits, as_json, db, game)


def redo_command(
    expect: Expect = None,
    by: By = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Append the event that brings back what the last undo took."""
    _turn_back(journal.REDO, expect, by, suits, as_json, db, game)


def _turn_back(
    payload: str,
    expect: str | None,
    by: str | None,
    suits: str,
    as_json: bool,
    db: str | None,
    game: str | None,
) -> None:
    shown, expected = tokens(suits), ledger.expected_deals(expect)
    again = payload == journal.REDO
    with store.writing(ledger.path(db)) as connection:
        before = ledger.load(connection, game)
        ledger.check_expected(before, expected)
        stack = before.resolved.undone if again else before.resolved.done
        if not stack:
            raise LedgerError(Fault("E323" if again else "E322"))
        draft = Draft(payload, payload)
        store.append(connection, before.id, before.records, [draft], ledger.author(by), ledger.now())
        after = ledger.load(connection, before.id)
    if as_json:
        ledger.print_change(after, after.records[-1].n, {"changed": ledger.changed(before, after)})
        return
    say.tell(live.taken_back(before, stack[-1][-1], shown, again))
    say.tell("\n".join(lines.aligned(live.short_standing(after.history.state))))
    say.tell(live.what_next(after.history.state))


def new_command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar=_("NAME NAME NAME NAME"), help=_("Seats 1–4, clockwise.")),
    ] = None,
    dealer: Annotated[
        str | None,
        typer.Option("--dealer", metavar=_("SEAT"), help=_("Who deals first; default seat 1.")),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option("--rules", metavar=_("PRESET"), help=_("piter, gambler or horse-racing.")),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar=_("SWITCH=VALUE"), help=_("Set one switch; may be repeated.")),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="T", help=_("The game's title."))] = None,
    date: Annotated[
        str | None, typer.Option("--date", metavar="D", help=_("YYYY-MM-DD; default today."))
    ] = None,
    stake: Annotated[
        str | None,
        typer.Option("--stake", metavar=_("MONEY"), help=_('Money a whist, as "0.50 RUB".')),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help=_("The same four, rules and stake as the current game."))
    ] = False,
    by: By = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Make the game and print its id; the switches to agree on go to standard error."""
    from .begin import begun, check_names, say_agreements

    check_names(names or [], again)
    place = ledger.path(db)
    old = ledger.read_game(db, game).history if again else None
    head = begun(names or [], old, dealer, preset, rule or [], title, date, stake)
    with store.writing(place, create=True) as connection:
        game_id = ledger.unused_id(connection)
        _begin(connection, game_id, head, by)
    say_agreements(head)
    ledger.print_game(game_id, head, as_json)


def _begin(connection: sqlite3.Connection, game_id: str, head: header.Header, by: str | None) -> None:
    draft = journal.draft_opening(head)
    store.append(connection, game_id, [], [draft], ledger.author(by), ledger.now())
    store.make_current(connection, game_id)


def use_command(
    game_id: Annotated[str, typer.Argument(metavar="ID", help=_("The game's id or its beginning."))],
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Make a game the current one."""
    with store.writing(ledger.path(db)) as connection:
        found = store.find(connection, game_id)
        history = ledger.load(connection, found).history
        store.make_current(connection, found)
    ledger.print_game(found, history.agreed_now, as_json)
