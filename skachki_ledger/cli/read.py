"""Reading a ledger: `status`, `standing`, `log`, `settle`, `check`, `games`. None of these writes."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from .. import journal, live, reports, store
from ..derive import History
from ..errors import Fault, LedgerError, SkachkiError
from ..header import Header
from ..i18n import N_, _, ngettext
from ..journal import Game, Record
from ..names import shown
from ..render import lines
from ..standing import Standing, problems, standing
from . import ledger
from .options import After, Db, GameId, Json, Lang, Output, Suits, TableFormat, tokens
from .say import columns, tell

HELP = {
    "status": N_("Who deals, what may be played, how far it is."),
    "standing": N_("Pool, gora, whists and nets as they stand."),
    "settle": N_("The settlement: nets, money, who pays whom."),
    "check": N_("Say what to look at; silent when all is well."),
    "games": N_("List the ledger's games."),
}


def status_command(
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print lines, not tables: this is asked between two deals."""
    tokens(suits)
    current = ledger.read_game(db, game)
    now = standing(current.history)
    if as_json:
        _print_standing(current, now)
        return
    tell(reports.title(current.history) + f" · {current.id}")
    tell("\n".join(live.status_lines(now)))
    tell("\n".join(lines.aligned(live.short_standing(current.history.state))))


def _print_standing(current: Game, now: Standing, output: str | None = None) -> None:
    from ..render import jsonout

    value = jsonout.dump(jsonout.standing(now, current.id, current.head))
    if output is None:
        print(value)
        return
    from .transfer import write_file

    write_file(output, f"{value}\n".encode())


def _until(history: History, after: str | None) -> History:
    return history.until(after) if after is not None else history


def standing_command(
    after: After = None,
    tablefmt: TableFormat = "simple",
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print the whole standing as tables."""
    _tables(reports.whole_standing, after, tablefmt, suits, as_json, db, game)


def settle_command(
    layout: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="text|html|pdf|chat",
            help=_("Tables, a page to sign, plain text for a chat; default: by -o."),
        ),
    ] = None,
    output: Output = None,
    tablefmt: TableFormat = "simple",
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print who owes whom, exact and rounded, with totals and prizes."""
    from . import printing

    if layout is None and tablefmt != "simple":
        layout = "text"
    layout = printing.chosen(layout, output, printing.SETTLE_FORMATS)
    printing.check_format(layout, printing.SETTLE_FORMATS, output)
    if layout in ("html", "pdf") and not as_json:
        printing.settle(ledger.read_game(db, game), layout, output)
        return
    build = reports.chat if layout == "chat" else reports.settlement
    _tables(build, None, tablefmt, suits, as_json, db, game, output)


def _tables(
    build: Callable[[Standing, str | None], reports.Report],
    after: str | None,
    tablefmt: str,
    suits: str,
    as_json: bool,
    db: str | None,
    game: str | None,
    output: str | None = None,
) -> None:
    tokens(suits)
    from ..render import text

    if tablefmt not in text.formats():
        raise LedgerError(Fault("E404", -1, {"word": tablefmt, "allowed": ", ".join(text.formats())}))
    current = ledger.read_game(db, game)
    now = standing(_until(current.history, after))
    if as_json:
        _print_standing(current, now, output)
        return
    from .printing import give, give_text

    if tablefmt != "simple":  # a format for other programs is never broken
        give(text.report(build(now, current.head), tablefmt) + "\n", output)
        return
    room = 0 if output else columns()
    give_text(text.report(build(now, current.head), tablefmt, room), output)


def check_command(as_json: Json = False, lang: Lang = None, db: Db = None, game: GameId = None) -> int:
    """Print problems, one a line; exit 1 if there are any."""
    found = problems(ledger.read_game(db, game).history)
    if as_json:
        from ..render import jsonout

        rows = jsonout.problems(found)
        print(jsonout.dump({"format": "skachki-check/1", "problems": rows}))
    elif found:
        tell("\n".join(reports.problem_lines(found)))
    return 1 if found else 0


def games_command(as_json: Json = False, lang: Lang = None, db: Db = None, game: GameId = None) -> None:
    """List the games: id, date, title, players, how many events; the current one is marked."""
    with store.reading(ledger.path(db)) as connection:
        replayed = store.with_newcomers(connection)
        listed = [
            (stored, _agreed(connection, stored.id) if stored.id in replayed else _opening(first))
            for stored, first in store.games(connection)
        ]
        current = store.current_or_none(connection)
    if as_json:
        from ..render import jsonout

        rows = [
            (jsonout.agreed(head, stored.id) if head else {"id": stored.id, "unreadable": True})
            | {"events": stored.events, "current": stored.id == current}
            for stored, head in listed
        ]
        print(jsonout.dump({"format": "skachki-games/1", "games": rows}))
        return
    tell("\n".join(_game_lines(listed, current)) or _("the ledger has no game yet"))


def _agreed(connection: sqlite3.Connection, game_id: str) -> Header | None:
    """Return what was agreed in a game, with the players who sit there now; None where it is damaged."""
    try:
        return ledger.load(connection, game_id).history.agreed_now
    except SkachkiError:
        return None


def _opening(first: Record) -> Header | None:
    try:
        return journal.opening(first)
    except SkachkiError:
        return None


def _game_lines(listed: Sequence[tuple[store.Stored, Header | None]], current: str) -> list[str]:
    return [
        " ".join(
            part
            for part in (
                "*" if stored.id == current else " ",
                shown(stored.id),
                (head.date if head else "") or "",
                (head.title if head else "") or "",
                f"({', '.join(head.players)})" if head else _("cannot be read: skachki verify"),
                "· " + ngettext("{n} event", "{n} events", stored.events).format(n=stored.events),
            )
            if part
        )
        for stored, head in listed
    ]
