"""Games in and out of a ledger: `import` and `export`."""

import os
import sqlite3
from typing import Annotated

import click
import typer

from .. import gamefile, journal, journalfile, store, tables
from ..errors import Fault, FileError, LedgerError
from ..i18n import N_, _
from ..intake import FaultyLine, admit
from ..journal import Draft, Game
from . import ledger
from .files import read_text
from .options import By, Db, GameId, Json, Lang, Output
from .say import faulty_lines, say_retyped

HELP = {
    "import": N_("Take game files or journals into the ledger."),
    "export": N_("Write the game as a file for other programs."),
}

FORMATS = ("skachki", "journal", "csv", "json", "sqlite")
ENDINGS = {".csv": "csv", ".json": "json", ".jsonl": "journal", ".db": "sqlite", ".sqlite": "sqlite"}
"""What is written to a file whose name ends so, where no format is asked for."""


def import_command(
    files: Annotated[
        list[str],
        typer.Argument(metavar=_("FILE…"), help=_("Game files or journal exports; - is stdin.")),
    ],
    by: By = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Import each file whole or not at all; print one id a file."""
    failed = 0
    for name in files:
        try:
            text = read_text(name)
            game_id = (
                _journal(text, db) if journalfile.is_journal(text) else _file(name, text, by, db, as_json)
            )
        except (FileError, LedgerError) as error:
            faulty_lines(name, [FaultyLine(0, (0,) * len(error.faults), error.faults)], as_json)
            game_id = None
        if game_id is None:
            failed = 1
            continue
        head = ledger.read_game(db, game_id).history.agreed_now
        ledger.print_game(game_id, head, as_json)
    return failed


def _file(name: str, text: str, by: str | None, db: str | None, as_json: bool) -> str | None:
    """Return the id of the game that a game file became, None where the file has faults."""
    taken = admit(gamefile.read(text))
    if taken.history is None:
        faulty_lines(name, taken.faulty, as_json)
        return None
    say_retyped(name, taken, as_json)
    drafts: list[Draft] = [journal.draft_opening(taken.history.header)]
    drafts += [
        journal.draft_step(step, typed)
        for step, typed in zip(taken.history.steps, taken.typed, strict=True)
    ]
    with store.writing(ledger.path(db), create=True) as connection:
        game_id = ledger.unused_id(connection)
        store.append(connection, game_id, [], drafts, ledger.author(by), ledger.now())
        store.make_current(connection, game_id)
    return game_id


def _journal(text: str, db: str | None) -> str:
    """Return the id of the game of a journal export, taken in or extended; the same again is nothing."""
    records = journalfile.read(text)
    game_id = records[0].game
    with store.writing(ledger.path(db), create=True) as connection:
        store.take_in(connection, records)
        store.make_current(connection, game_id)
    return game_id


def export_command(
    layout: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="|".join(FORMATS), help=_("What to write; default: by -o, or skachki.")
        ),
    ] = None,
    bom: Annotated[
        bool, typer.Option("--bom", help=_("Begin CSV with a byte order mark, for spreadsheets."))
    ] = False,
    output: Output = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print the game in a format, or write it to a file that does not exist yet."""
    ending = os.path.splitext(output or "")[1].lower()
    layout = layout or ("json" if as_json else ENDINGS.get(ending, "skachki"))
    if layout not in FORMATS:
        raise LedgerError(Fault("E404", -1, {"word": layout, "allowed": ", ".join(FORMATS)}))
    if layout == "sqlite" and output is None:
        raise click.UsageError(_("--format sqlite needs -o FILE"))
    current = ledger.read_game(db, game)
    if layout == "sqlite":
        assert output is not None
        _write_sqlite(current, output)
    elif output is None:
        print(_text(current, layout, bom), end="")
    else:
        write_file(output, _text(current, layout, bom).encode())


def _text(current: Game, layout: str, bom: bool) -> str:
    if layout == "journal":
        return journalfile.write(current.records)
    if layout == "csv":
        from ..render import csvout

        return csvout.table(*tables.night(current.history, current.items), bom)
    if layout == "json":
        from ..render import jsonout
        from ..standing import standing

        value = jsonout.standing(standing(current.history), current.id, current.head)
        return jsonout.dump(value | {"log": jsonout.journal_log(current)["events"]}) + "\n"
    return gamefile.write(current.history.header, journal.effective(current.history))


def write_file(path: str, data: bytes) -> None:
    """Write a new file. Raises FileError (E324, E329): nothing is ever overwritten."""
    try:
        with open(path, "xb") as file:
            try:
                file.write(data)
                file.flush()
            except OSError:
                os.unlink(path)  # half a file would stand in the way of the next attempt
                raise
    except FileExistsError:
        raise FileError(Fault("E324", -1, {"path": path})) from None
    except OSError as error:
        raise FileError(Fault("E329", -1, {"path": path, "why": error.strerror})) from None


def _write_sqlite(current: Game, path: str) -> None:
    """Write a new SQLite file of plain tables: deals, entries, standings."""
    from sqlite_utils import Database

    write_file(path, b"")
    try:
        database = Database(path, execute_plugins=False)
        for name, columns, rows in (
            ("deals", tables.DEALS, tables.deals(current)),
            ("entries", tables.ENTRIES, tables.entries(current)),
            ("standings", tables.STANDINGS, tables.standings(current)),
        ):
            table = database.table(name)
            table.create(columns)
            table.insert_all(rows)
        database.close()
    except sqlite3.Error as error:
        os.unlink(path)
        raise FileError(Fault("E329", -1, {"path": path, "why": str(error)})) from None
    except BaseException:
        os.unlink(path)
        raise
