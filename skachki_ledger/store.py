"""The ledger file: journals of many games in one SQLite database, appended to and never changed.

Every write is one BEGIN IMMEDIATE transaction on a connection that commits nothing by itself. The
rollback journal is kept: at the night's end the ledger is one file to copy.
"""

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from . import schema
from .errors import Fault, LedgerError
from .i18n import _
from .journal import Draft, Record, chained, check_chain, continuation
from .names import shown

WAIT_SECONDS = 5.0
_COLUMNS = ", ".join(Record._fields)
_SELECT = f"SELECT {_COLUMNS} FROM event WHERE game = ?"
_PLAIN = {str, int, type(None)}


class Stored(NamedTuple):
    """What the ledger notes of a game beside its journal."""

    id: str
    events: int
    head: str


@contextlib.contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """Open a ledger to read, one snapshot of it; one of an older schema as a migrated copy in memory.

    It is opened read-write but may not be written: SQLite must be able to roll back what a killed
    writer left. Raises LedgerError (E310–E317, E328, E332, E336, E337, E339).
    """
    schema.check_file(path)
    with _open(path) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        found = schema.shape(path, connection)
        if not found.last:
            raise schema.missing(path)
        if found.is_current:
            yield connection
            return
        schema.refuse_strangers(path, found.strangers)  # they would act in the copy
        with _open(path, ":memory:") as copied:
            connection.backup(copied)
            connection.execute("COMMIT")
            from .migrations import migrate

            copied.execute("BEGIN")
            migrate(copied)
            copied.execute("COMMIT")
            copied.execute("PRAGMA query_only = ON")
            copied.execute("BEGIN")
            yield copied


def let_others_in(connection: sqlite3.Connection) -> None:
    """End a reader's snapshot and begin another, so that a long reading keeps no writer waiting."""
    connection.execute("COMMIT")
    connection.execute("BEGIN")


@contextlib.contextmanager
def writing(path: str, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a ledger to write, in one transaction that is committed at the end or rolled back whole.

    `create`: make the file where there is none. A ledger of an older schema is backed up beside
    itself and migrated first. Raises LedgerError (E310–E317, E328, E329, E332, E336, E337).
    """
    if create and not os.path.lexists(path):
        schema.create(path)
    status = schema.check_file(path, may_be_empty=create)
    with _open(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            while _made_current(path, connection, create):
                connection.execute("COMMIT")
                connection.execute("BEGIN IMMEDIATE")
            with schema.accessing(path):
                is_same = os.path.samestat(status, os.stat(path))
            if not is_same:  # `restore` has put another in its place
                raise LedgerError(Fault("E315", -1, {"path": path}))
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _made_current(path: str, connection: sqlite3.Connection, create: bool) -> bool:
    """Bring a file to the newest schema, within a transaction; tell whether there was need to."""
    found = schema.shape(path, connection)
    schema.refuse_strangers(path, found.strangers)
    if found.is_current:
        return False
    if found.last:
        kept = back_up(path, schema.free_name(path, "before-migration-"))
        text = _("the ledger is brought to a new form; as it was it is kept as {path}")
        print(text.format(path=shown(kept)), file=sys.stderr)
    elif not create:
        raise schema.missing(path)
    from .migrations import migrate

    migrate(connection)
    return True


@contextlib.contextmanager
def _open(path: str, name: str | None = None) -> Iterator[sqlite3.Connection]:
    """Open a connection as the ledger wants it; SQLite's errors become refusals.

    `name`: what SQLite opens for `path`, where it is not the file itself.
    """
    connection = None
    try:
        name = name or os.path.abspath(path)  # a file may be called :memory:
        connection = sqlite3.connect(name, timeout=WAIT_SECONDS, isolation_level=None)
        for pragma in schema.PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:  # its message may quote what is damaged
        raise _refusal(path, error) from error
    finally:
        if connection is not None:
            connection.close()


@contextlib.contextmanager
def blaming(path: str) -> Iterator[None]:
    """Make errors of SQLite refusals of `path`, where another ledger is open inside."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _refusal(path, error) from error


def _refusal(path: str, error: sqlite3.Error | UnicodeDecodeError) -> LedgerError:
    name = getattr(error, "sqlite_errorname", None) or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return LedgerError(Fault("E315", -1, {"path": path}))
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")) or (not name and "decode" in str(error)):
        return schema.not_a_ledger(path)
    if name == "SQLITE_READONLY_ROLLBACK" or (
        name.startswith("SQLITE_CANTOPEN") and os.path.exists(f"{path}-journal")
    ):
        return LedgerError(Fault("E339", -1, {"path": path}))
    is_read = "READ" in name.removeprefix("SQLITE_READONLY")
    if name.startswith(("SQLITE_READONLY", "SQLITE_FULL", "SQLITE_IOERR")) and not is_read:
        return schema.unwritable(path, str(error))
    return LedgerError(Fault("E328", -1, {"path": path, "why": str(error)}))


def copy(source: str, part: str, target: str) -> None:
    """Copy a ledger page by page, as one consistent state, into the empty file `part` of `target`.

    Raises LedgerError (E315, E332 of the source, E329 of the target).
    """
    with _open(source) as old, _open(target, part) as new:
        _pour(source, old, target, new)


def _pour(source: str, old: sqlite3.Connection, target: str, new: sqlite3.Connection) -> None:
    deadline = time.monotonic() + WAIT_SECONDS

    def give_up_late(status: int, _remaining: int, _total: int) -> None:
        if status == sqlite3.SQLITE_BUSY and time.monotonic() > deadline:  # it would wait for ever
            raise LedgerError(Fault("E315", -1, {"path": source}))

    try:
        old.backup(new, progress=give_up_late)
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        is_write = name.startswith(("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY"))
        raise _refusal(target if is_write else source, error) from error


def replace(path: str, source: str, kept: str) -> None:
    """Make a ledger a copy of another, in one transaction; what it was before gets the name `kept`.

    The file stays the same one: who has it open must not take its journal for that of another.
    Raises LedgerError (E315, E329, E332 where SQLite cannot open it).
    """
    with _open(path) as old:
        old.execute("BEGIN EXCLUSIVE")
        old.execute("PRAGMA locking_mode = EXCLUSIVE")  # the lock stays; before it is had, all would wait
        old.execute("COMMIT")
        with schema.new_file(kept) as part, _open(kept, part) as copied:
            _pour(path, old, kept, copied)
        try:
            with _open(source) as new:
                _pour(source, new, path, old)
        except BaseException:
            os.unlink(kept)
            raise


def back_up(path: str, target: str) -> str:
    """Write a verified copy of the ledger to a new file and return its name.

    Raises LedgerError (E316, E324, E329, E332).
    """
    with schema.new_file(target) as part:
        copy(path, part, target)
        with reading(part) as connection:
            check_whole(path, connection)
    return target


def check_whole(path: str, connection: sqlite3.Connection) -> None:
    """Raise LedgerError where a page of the file (E332) or an event (E316) is not as it was written."""
    if damage(connection):
        raise LedgerError(Fault("E332", -1, {"path": path}))
    for game_id in all_game_ids(connection):
        if not records(connection, game_id):
            raise LedgerError(Fault("E316", -1, {"game": schema.visible(game_id), "event": 1}))


def damage(connection: sqlite3.Connection) -> list[str]:
    """Return what SQLite finds wrong with the file's pages, a line each."""
    rows = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
    return [] if rows == ["ok"] else rows


def records(connection: sqlite3.Connection, game_id: str) -> list[Record]:
    """Return the journal of a game, in order, its chain checked. Raises LedgerError (E316, E314)."""
    found, stored = raw_records(connection, game_id), noted(connection, game_id)
    count, head = (max(stored.events, 1), stored.head) if stored else (0, "")
    check_chain(schema.visible(game_id), found, count, head)
    return found


def append(
    connection: sqlite3.Connection,
    game_id: str,
    before: Sequence[Record],
    drafts: Sequence[Draft],
    by: str,
    at: str,
) -> list[Record]:
    """Add drafts to a game's journal, `before` being all its records; return the new ones.

    A journal that begins here makes the game. The caller holds the write transaction in which it
    read `before`.
    """
    new = chained(game_id, before, drafts, at, by)
    write(connection, new, begins=not before)
    return new


def write(connection: sqlite3.Connection, new: Sequence[Record], begins: bool) -> None:
    """Write chained records that continue their game's journal, and note its count and head."""
    marks = ", ".join("?" * len(Record._fields))
    connection.executemany(f"INSERT INTO event ({_COLUMNS}) VALUES ({marks})", new)
    last = new[-1]
    if begins:
        connection.execute(
            "INSERT INTO game (id, count, head) VALUES (?, ?, ?)", (last.game, last.n, last.hash)
        )
    else:
        connection.execute(
            "UPDATE game SET count = ?, head = ? WHERE id = ?", (last.n, last.hash, last.game)
        )


def raw_records(connection: sqlite3.Connection, game_id: str) -> list[Record]:
    """Return the rows of a game's journal as they stand, unchecked; damaged ones as text and numbers."""
    try:
        rows = connection.execute(f"{_SELECT} ORDER BY n", (game_id,)).fetchall()
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", None):
            raise
        connection.text_factory = legible  # a flipped bit can make a text no UTF-8
        rows = connection.execute(f"{_SELECT} ORDER BY n", (game_id,)).fetchall()
    if all(set(map(type, row)) <= _PLAIN and type(row[1]) is int for row in rows):
        return [Record._make(row) for row in rows]
    from .journalfile import plain

    return [plain(row) for row in rows]


def legible(data: bytes) -> str:
    """Return a text out of a file, what is no UTF-8 in it replaced."""
    return data.decode(errors="replace")


def jumps(connection: sqlite3.Connection, game_id: str) -> list[int]:
    """Return the events of a game that stand in the file before the one they follow."""
    query = "SELECT n, seq < lag(seq, 1, 0) OVER (ORDER BY n) FROM event WHERE game = ? ORDER BY n"
    return [int(n) for n, before in connection.execute(query, (game_id,)) if before and type(n) is int]


def all_game_ids(connection: sqlite3.Connection) -> list[str]:
    """Return every game that is listed or has events, in the order of their ids."""
    rows = connection.execute("SELECT id FROM game UNION SELECT DISTINCT game FROM event ORDER BY 1")
    return [str(row[0]) for row in rows]


def noted(connection: sqlite3.Connection, game_id: str) -> Stored | None:
    """Return what the ledger notes of a game, None where it does not list it."""
    row = connection.execute("SELECT id, count, head FROM game WHERE id = ?", (game_id,)).fetchone()
    if row is None:
        return None
    return Stored(str(row[0]), row[1] if type(row[1]) is int else 0, str(row[2]))


def listed(connection: sqlite3.Connection) -> list[Stored]:
    """Return what the ledger notes of all games, whether or not their events can be read."""
    return [Stored._make(row) for row in connection.execute("SELECT id, count, head FROM game ORDER BY id")]


def take_in(connection: sqlite3.Connection, records: Sequence[Record]) -> int:
    """Write what a checked journal has beyond the ledger's own of the same game; return how many.

    Raises LedgerError (E327) where the two went different ways.
    """
    game_id = records[0].game
    old = raw_records(connection, game_id) if has_game(connection, game_id) else []
    new = continuation(old, records)
    if new:
        write(connection, new, begins=not old)
    return len(new)


def games(connection: sqlite3.Connection) -> list[tuple[Stored, Record]]:
    """Return all games in the order in which they began, each with the record it begins with."""
    columns = ", ".join(f"event.{name}" for name in Record._fields)
    rows = connection.execute(
        f"SELECT game.id, game.count, game.head, {columns} FROM game JOIN event ON event.game = game.id"
        " WHERE event.n = 1 ORDER BY event.seq"
    )
    return [(Stored._make(row[:3]), Record._make(row[3:])) for row in rows]


def with_newcomers(connection: sqlite3.Connection) -> set[str]:
    """Return the games in which a seat may have changed hands or its name, by a correction too."""
    rows = connection.execute(
        "SELECT DISTINCT game FROM event WHERE payload GLOB '*seat *' OR payload GLOB '*rename *'"
    )
    return {str(row[0]) for row in rows}


def has_game(connection: sqlite3.Connection, game_id: str) -> bool:
    """Tell whether the ledger has a game with exactly this id."""
    return connection.execute("SELECT 1 FROM game WHERE id = ?", (game_id,)).fetchone() is not None


def current_or_none(connection: sqlite3.Connection) -> str:
    """Return the id of the current game, "" where there is none."""
    row = connection.execute("SELECT id FROM current JOIN game ON game.id = current.game").fetchone()
    return str(row[0]) if row else ""


def current(connection: sqlite3.Connection) -> str:
    """Return the id of the current game. Raises LedgerError (E319, E335) where there is none."""
    found = current_or_none(connection)
    if not found:
        raise LedgerError(Fault("E335" if listed(connection) else "E319"))
    return found


def make_current(connection: sqlite3.Connection, game_id: str) -> None:
    """Note which game commands without --game speak of."""
    connection.execute("INSERT OR REPLACE INTO current (one, game) VALUES (1, ?)", (game_id,))


def find(connection: sqlite3.Connection, word: str) -> str:
    """Return the id that is `word` or alone begins with it. Raises LedgerError (E318, E325)."""
    if not word.isprintable():
        raise LedgerError(Fault("E318", -1, {"word": word}))
    low, high = word, word + "\U0010ffff"
    rows = connection.execute(
        "SELECT id FROM game WHERE id = ? OR (id >= ? AND id < ?) ORDER BY id LIMIT 6", (word, low, high)
    )
    found = [str(row[0]) for row in rows]
    if word in found or (len(found) == 1 and word):
        return word if word in found else found[0]
    if not found or not word:
        raise LedgerError(Fault("E318", -1, {"word": word}))
    raise LedgerError(Fault("E325", -1, {"word": word, "games": ", ".join(found)}))
