"""Reading a ledger: `status`, `standing`, `log`, `settle`, `check`, `games`. None of these writes."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from .. import canon, journal, live, reports, store
from ..derive import History
from ..errors import Fault, IllegalEventError, LedgerError
from ..header import Header
from ..i18n import N_, _
from ..journal import Game
from ..render import lines
from ..standing import Standing, problems, standing
from . import ledger
from .options import After, Db, GameId, Json, Lang, Suits, TableFormat, tokens

HELP = {
    "status": N_("Who deals, what may be played, how far the semester is."),
    "standing": N_("Pool, gora, whists and nets as they stand."),
    "log": N_("The night deal by deal, with what each event wrote."),
    "settle": N_("The settlement: totals, prizes, nets, money, who pays whom."),
    "check": N_("Say what in the record the table should look at; silent when all is well."),
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
    print(reports.title(current.history) + f" · {current.id}")
    print("\n".join(live.status_lines(now)))
    print("\n".join(lines.aligned(live.short_standing(current.history.state))))


def _print_standing(current: Game, now: Standing) -> None:
    from ..render import jsonout

    print(jsonout.dump(jsonout.standing(now, current.id, current.head)))


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
        str, typer.Option("--format", metavar="text|chat", help=_(N_("Tables, or plain text for a chat.")))
    ] = "text",
    tablefmt: TableFormat = "simple",
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print who owes whom, exact and rounded, with totals and prizes."""
    if layout not in ("text", "chat"):
        raise LedgerError(Fault("E404", -1, {"word": layout, "allowed": "text, chat"}))
    build = reports.chat if layout == "chat" else reports.settlement
    _tables(build, None, tablefmt, suits, as_json, db, game)


def _tables(
    build: Any,
    after: str | None,
    tablefmt: str,
    suits: str,
    as_json: bool,
    db: str | None,
    game: str | None,
) -> None:
    tokens(suits)
    from ..render import text

    if tablefmt not in text.formats():
        raise LedgerError(Fault("E404", -1, {"word": tablefmt, "allowed": ", ".join(text.formats())}))
    current = ledger.read_game(db, game)
    now = standing(_until(current.history, after))
    if as_json:
        _print_standing(current, now)
    else:
        print(text.report(build(now, current.head), tablefmt))


def log_command(
    deal: Annotated[str | None, typer.Option("--deal", metavar="N", help=_(N_("This deal alone.")))] = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print every event with its entries; what was undone stands struck."""
    shown = tokens(suits)
    current = ledger.read_game(db, game)
    if deal is not None and deal not in {item.label for item in current.items}:
        args = {"label": deal, "count": current.history.state.deals}
        raise IllegalEventError(Fault("E401", -1, args))
    if as_json:
        from ..render import jsonout

        print(jsonout.dump(jsonout.journal_log(current, deal)))
        return
    print("\n".join(_log_lines(current, deal, shown)))


def _log_lines(current: Game, deal: str | None, shown: canon.Tokens) -> list[str]:
    told: list[str] = []
    players = current.history.start.players
    for item in current.items:
        if deal is not None and item.label != deal:
            continue
        players = item.step.players if item.step else players
        number = f"{item.label}. " if item.label else ""
        line = f"{number}{canon.line(item.event, players, shown)}"
        head = f"e{item.record.n}  {local_time(item.record.at)}  {item.record.by}"
        if item.step is None:
            told += [head, f"  ✗ {line}  {_(N_('(taken back)'))}"]
            continue
        told += [head, f"  {line}{reports.facts(item.step)}"]
        told += [f"    {reports.entry_line(entry, item.step.players)}" for entry in item.step.entries]
    return told or [_(N_("nothing is recorded yet"))]


def local_time(at: str) -> str:
    """Return a journal's UTC time as the clock on the wall has it."""
    import calendar
    import time

    seconds = calendar.timegm(time.strptime(at, "%Y-%m-%dT%H:%M:%SZ"))
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def check_command(as_json: Json = False, lang: Lang = None, db: Db = None, game: GameId = None) -> int:
    """Print problems, one a line; exit 1 if there are any."""
    found = problems(ledger.read_game(db, game).history)
    if as_json:
        from ..render import jsonout

        rows = jsonout.problems(found)
        print(jsonout.dump({"format": "skachki-check/1", "problems": rows}))
    elif found:
        print("\n".join(reports.problem_lines(found)))
    return 1 if found else 0


def games_command(as_json: Json = False, lang: Lang = None, db: Db = None, game: GameId = None) -> None:
    """List the games: id, date, title, players, how many events; the current one is marked."""
    with store.reading(ledger.path(db)) as connection:
        listed = [_listed(connection, stored) for stored in store.games(connection)]
        current = store.current(connection) if listed else ""
    if as_json:
        from ..render import jsonout

        rows = [jsonout.agreed(head, stored.id) for stored, head in listed]
        print(jsonout.dump({"format": "skachki-games/1", "games": rows}))
        return
    print("\n".join(_game_lines(listed, current)) or _(N_("the ledger has no game yet")))


def _listed(connection: Any, stored: store.Stored) -> tuple[store.Stored, Header]:
    """Return a game's header with the players seated now; only a game with a newcomer is replayed."""
    if store.has_newcomers(connection, stored.id):
        history = ledger.load(connection, stored.id).history
        return stored, history.header._replace(players=history.state.players)
    return stored, journal.opening(store.first_record(connection, stored.id))


def _game_lines(listed: Sequence[tuple[store.Stored, Header]], current: str) -> list[str]:
    return [
        " ".join(
            part
            for part in (
                "*" if stored.id == current else " ",
                stored.id,
                head.date or "",
                head.title or "",
                f"({', '.join(head.players)})",
            )
            if part
        )
        for stored, head in listed
    ]
