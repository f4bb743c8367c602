"""The ledger file: journals of many games in one SQLite database, appended to and never changed.

Every write is one BEGIN IMMEDIATE transaction on a connection that commits nothing by itself. The
rollback journal is kept: at the night's end the ledger is one file to copy.
"""

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .errors import Fault, LedgerError
from .journal import Draft, Record, chained, check_chain, continuation
from .schema import TRIGGERS

APPLICATION_ID = 1397441345
SCHEMA = frozenset(("m001_journal",))
"""Names of all migrations this version knows; what a ledger lacks of them it is migrated to."""
WAIT_SECONDS = 5.0
_MARKS = (b"event_is_never_", b"two_whisters_high = ")
"""Bytes that every ledger has: in its schema, and in each game's first record."""
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
    if create and not os.path.lexists(path):
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
    except (OSError, ValueError) as error:
        raise LedgerError(Fault("E329", -1, {"path": path, "why": _why(error)})) from None


def _why(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error)


def _check_file(path: str) -> None:
    """Refuse what is no file of SQLite before SQLite sees it (E310–E313, E328, E332)."""
    try:
        status = os.stat(path)  # a symbolic link is followed: the ledger may lie elsewhere
        if stat.S_ISDIR(status.st_mode):
            raise LedgerError(Fault("E312", -1, {"path": path}))
        if not stat.S_ISREG(status.st_mode):
            raise LedgerError(Fault("E311", -1, {"path": path}))
        with open(path, "rb") as file:
            start = file.read(16)
    except FileNotFoundError:
        raise LedgerError(Fault("E310", -1, {"path": path})) from None
    except PermissionError:
        raise LedgerError(Fault("E313", -1, {"path": path})) from None
    except (OSError, ValueError) as error:
        raise LedgerError(Fault("E328", -1, {"path": path, "why": _why(error)})) from None
    if not start:
        raise LedgerError(Fault("E310", -1, {"path": path}))
    if start != b"SQLite format 3\0":
        raise _not_a_ledger(path)


def _not_a_ledger(path: str) -> LedgerError:
    """Return the refusal of a file SQLite cannot read: a damaged ledger, or none at all."""
    with open(path, "rb") as file:
        blocks = iter(lambda: file.read(1 << 20), b"")
        is_ledger = any(mark in block for block in blocks for mark in _MARKS)
    return LedgerError(Fault("E332" if is_ledger else "E311", -1, {"path": path}))


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
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return _not_a_ledger(path)
    if name.startswith("SQLITE_READONLY"):
        return LedgerError(Fault("E329", -1, {"path": path, "why": str(error)}))
    return LedgerError(Fault("E328", -1, {"path": path, "why": str(error)}))


def _check_schema(path: str, connection: sqlite3.Connection) -> bool:
    """Tell whether the ledger's schema is an older one. Raises LedgerError for a newer or none."""
    tables = "SELECT count(*) FROM sqlite_master WHERE name IN ('event', 'game', '_sqlite_migrations')"
    known = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if not known or connection.execute(tables).fetchone()[0] != 3:
        raise _not_a_ledger(path)
    applied = connection.execute(
        "SELECT name FROM _sqlite_migrations WHERE migration_set = 'skachki_ledger'"
    )
    names = {name for (name,) in applied}
    if not names <= SCHEMA:
        raise LedgerError(Fault("E314"))
    return names != SCHEMA


def _check_strangers(path: str, connection: sqlite3.Connection) -> None:
    """Refuse a file with triggers or views that are not the ledger's, or without the ledger's own."""
    for name, kind in strangers(connection).items():
        code = "E317" if kind == "stranger" else "E336"
        raise LedgerError(Fault(code, -1, {"path": path, "name": name}))


def schema(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the triggers and views of a file with their SQL, white space folded."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')")
    return {str(name): " ".join(str(sql).split()) for name, sql in rows}


def strangers(connection: sqlite3.Connection) -> dict[str, str]:
    """Return what of the triggers and views is not as shipped: name → "stranger" or "trigger"."""
    found = schema(connection)
    return {
        name: "trigger" if name in TRIGGERS else "stranger"
        for name in sorted(found.keys() | TRIGGERS.keys())
        if found.get(name) != TRIGGERS.get(name)
    }


def records(connection: sqlite3.Connection, game_id: str) -> list[Record]:
    """Return the journal of a game, in order, its chain checked. Raises LedgerError (E316, E314)."""
    found, stored = raw_records(connection, game_id), noted(connection, game_id)
    count, head = (stored.events, stored.head) if stored else (0, "")
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


def raw_records(connection: sqlite3.Connection, game_id: str) -> list[Record]:
    """Return the rows of a game's journal as they stand, unchecked."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM event WHERE game = ? ORDER BY n", (game_id,))
    return [Record._make(row) for row in rows]


def all_game_ids(connection: sqlite3.Connection) -> list[str]:
    """Return every game that is listed or has events, in the order of their ids."""
    rows = connection.execute("SELECT id FROM game UNION SELECT DISTINCT game FROM event ORDER BY 1")
    return [str(row[0]) for row in rows]


def noted(connection: sqlite3.Connection, game_id: str) -> Stored | None:
    """Return what the ledger notes of a game, None where it does not list it."""
    row = connection.execute("SELECT id, count, head FROM game WHERE id = ?", (game_id,)).fetchone()
    return Stored._make(row) if row else None


def listed(connection: sqlite3.Connection) -> list[Stored]:
    """Return what the ledger notes of all games, whether or not their events can be read."""
    return [Stored._make(row) for row in connection.execute("SELECT id, count, head FROM game ORDER BY id")]


def damage(connection: sqlite3.Connection) -> list[str]:
    """Return what SQLite finds wrong with the file's pages, a line each."""
    rows = [str(row[0]) for row in connection.execute("PRAGMA quick_check(20)")]
    return [] if rows == ["ok"] else rows


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


def copy(source: str, target: str) -> None:
    """Copy a ledger page by page, as one consistent state; a new target is its owner's alone."""
    if not os.path.lexists(target):
        _create(target)
    deadline = time.monotonic() + WAIT_SECONDS

    def give_up_late(status: int, _remaining: int, _total: int) -> None:
        if status == sqlite3.SQLITE_BUSY and time.monotonic() > deadline:  # it would wait for ever
            raise LedgerError(Fault("E315", -1, {"path": target}))

    with _open(source) as old, _open(target) as new:
        old.backup(new, progress=give_up_late)


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
