"""The ledger file: journals of many games in one SQLite database, appended to and never changed.

Every write is one BEGIN IMMEDIATE transaction on a connection that commits nothing by itself. The
rollback journal is kept: at the night's end the ledger is one file to copy.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .errors import Fault, LedgerError
from .journal import Draft, Record, chained, check_chain

APPLICATION_ID = 1397441345
SCHEMA = frozenset(("m001_journal",))
"""Names of all migrations this version knows; what a ledger lacks of them it is migrated to."""
WAIT_SECONDS = 5.0
TRIGGERS = frozenset(
    f"{table}_{what}"
    for table, what in (
        ("event", "is_never_changed"),
        ("event", "is_never_deleted"),
        ("event", "is_never_replaced"),
        ("game", "only_grows"),
        ("game", "is_never_deleted"),
        ("game", "is_never_replaced"),
    )
)
_COLUMNS = ", ".join(Record._fields)


class Stored(NamedTuple):
    """What the ledger notes of a game beside its journal."""

    id: str
    events: int
    head: str


@contextlib.contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """Open a ledger to read. It is opened read-write but may not be written: SQLite must be able to
    roll back what a killed writer left.

    Raises LedgerError (E310–E315, E328).
    """
    _check_file(path)
    with _open(path) as connection:
        connection.execute("PRAGMA query_only = ON")
        _check_schema(path, connection)
        connection.execute("BEGIN")  # one snapshot for the whole command
        yield connection


@contextlib.contextmanager
def writing(path: str, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a ledger to write, in one transaction that is committed at the end or rolled back whole.

    `create`: make the file where there is none. Raises LedgerError (E310–E317, E328, E329).
    """
    if create and not os.path.exists(path):
        _create(path)
    fresh = create and os.path.isfile(path) and os.path.getsize(path) == 0
    if not fresh:
        _check_file(path)
    with _open(path) as connection:
        if fresh or _check_schema(path, connection):
            from .migrations import migrate

            migrate(connection)
        connection.execute("BEGIN IMMEDIATE")
        try:
            _check_strangers(path, connection)
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _create(path: str) -> None:
    """Make an empty file only its owner may read; someone else may be quicker."""
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), mode=0o700, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise LedgerError(Fault("E329", -1, {"path": path, "why": error.strerror})) from None


def _check_file(path: str) -> None:
    if os.path.isdir(path):
        raise LedgerError(Fault("E312", -1, {"path": path}))
    try:
        with open(path, "rb") as file:
            start = file.read(16)
    except FileNotFoundError:
        raise LedgerError(Fault("E310", -1, {"path": path})) from None
    except PermissionError:
        raise LedgerError(Fault("E313", -1, {"path": path})) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise LedgerError(Fault("E328", -1, {"path": path, "why": why})) from None
    if start != b"SQLite format 3\0":
        raise LedgerError(Fault("E311", -1, {"path": path}))


@contextlib.contextmanager
def _open(path: str) -> Iterator[sqlite3.Connection]:
    """Open a connection as the ledger wants it; SQLite's errors become refusals."""
    connection = None
    try:
        connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
        for pragma in (
            "foreign_keys = ON",
            "recursive_triggers = ON",
            "synchronous = EXTRA",
            "trusted_schema = OFF",
            "cell_size_check = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")
        yield connection
    except sqlite3.Error as error:
        raise _refusal(path, error) from error
    finally:
        if connection is not None:
            connection.close()


def _refusal(path: str, error: sqlite3.Error) -> LedgerError:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return LedgerError(Fault("E315", -1, {"path": path}))
    if name.startswith("SQLITE_NOTADB"):
        return LedgerError(Fault("E311", -1, {"path": path}))
    if name.startswith("SQLITE_READONLY"):
        return LedgerError(Fault("E329", -1, {"path": path, "why": str(error)}))
    return LedgerError(Fault("E328", -1, {"path": path, "why": str(error)}))


def _check_schema(path: str, connection: sqlite3.Connection) -> bool:
    """Tell whether the ledger's schema is an older one. Raises LedgerError for a newer or none."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise LedgerError(Fault("E311", -1, {"path": path}))
    applied = connection.execute(
        "SELECT name FROM _sqlite_migrations WHERE migration_set = 'skachki_ledger'"
    )
    names = {name for (name,) in applied}
    if not names <= SCHEMA:
        raise LedgerError(Fault("E314"))
    return names != SCHEMA


def _check_strangers(path: str, connection: sqlite3.Connection) -> None:
    """Refuse a file with triggers or views that are not the ledger's, or without the ledger's own."""
    rows = connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')")
    found = {name for kind, name in rows}
    for name in sorted(found ^ TRIGGERS):
        raise LedgerError(Fault("E317", -1, {"path": path, "name": name}))


def records(connection: sqlite3.Connection, game_id: str) -> list[Record]:
    """Return the journal of a game, in order, its chain checked. Raises LedgerError (E316, E314)."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM event WHERE game = ? ORDER BY n", (game_id,))
    found = [Record._make(row) for row in rows]
    count, head = connection.execute("SELECT count, head FROM game WHERE id = ?", (game_id,)).fetchone()
    check_chain(game_id, found, count, head)
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


def games(connection: sqlite3.Connection) -> list[Stored]:
    """Return all games in the order in which they began."""
    rows = connection.execute(
        "SELECT game.id, game.count, game.head FROM event JOIN game ON game.id = event.game"
        " WHERE event.n = 1 ORDER BY event.seq"
    )
    return [Stored._make(row) for row in rows]


def first_record(connection: sqlite3.Connection, game_id: str) -> Record:
    """Return the record a game begins with, which holds what was agreed."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM event WHERE game = ? AND n = 1", (game_id,)
    ).fetchone()
    return Record._make(row)


def has_newcomers(connection: sqlite3.Connection, game_id: str) -> bool:
    """Tell whether a seat of the game may have changed hands or its name."""
    row = connection.execute(
        "SELECT 1 FROM event WHERE game = ? AND (payload LIKE 'seat %' OR payload LIKE 'rename %') LIMIT 1",
        (game_id,),
    ).fetchone()
    return row is not None


def has_game(connection: sqlite3.Connection, game_id: str) -> bool:
    """Tell whether the ledger has a game with exactly this id."""
    return connection.execute("SELECT 1 FROM game WHERE id = ?", (game_id,)).fetchone() is not None


def current(connection: sqlite3.Connection) -> str:
    """Return the id of the current game. Raises LedgerError (E319) where there is none."""
    row = connection.execute("SELECT game FROM current").fetchone()
    if row is None:
        raise LedgerError(Fault("E319"))
    return str(row[0])


def make_current(connection: sqlite3.Connection, game_id: str) -> None:
    """Note which game commands without --game speak of."""
    connection.execute("INSERT OR REPLACE INTO current (one, game) VALUES (1, ?)", (game_id,))


def find(connection: sqlite3.Connection, word: str) -> str:
    """Return the id that is `word` or alone begins with it. Raises LedgerError (E318, E325)."""
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
