"""The file of a ledger: whether it is one, of which schema, with nothing of a stranger's; and new files.

The triggers stand here as text, apart from the migrations that make them, so that hot commands need
not load a migration library; no ledger could be written to if the two did not agree.
"""

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from typing import NamedTuple

from .errors import Fault, LedgerError

APPLICATION_ID = 1397441345
_TABLES = frozenset(("event", "game", "current", "_sqlite_migrations"))
_MAGIC = b"SQLite format 3\0"
_MARKS = (b"event_is_never_", b"two_whisters_high = ")
"""Bytes that every ledger has: in its schema, and in each game's first record."""

_NEVER = {
    "event_is_never_changed": "BEFORE UPDATE ON event",
    "event_is_never_deleted": "BEFORE DELETE ON event",
    "event_is_never_replaced": (
        "BEFORE INSERT ON event WHEN EXISTS ( SELECT 1 FROM event WHERE seq = NEW.seq"
        " OR (game = NEW.game AND n = NEW.n) OR (game = NEW.game AND client_id = NEW.client_id) )"
    ),
    "game_only_grows": ("BEFORE UPDATE ON game WHEN NEW.id IS NOT OLD.id OR NEW.count <= OLD.count"),
    "game_is_never_deleted": "BEFORE DELETE ON game",
    "game_is_never_replaced": "BEFORE INSERT ON game WHEN EXISTS (SELECT 1 FROM game WHERE id = NEW.id)",
}
_MESSAGES = {
    "event_is_never_changed": "a recorded event is never changed",
    "event_is_never_deleted": "a recorded event is never deleted",
    "event_is_never_replaced": "a recorded event is never replaced",
    "game_only_grows": "a game only grows",
    "game_is_never_deleted": "a game is never deleted",
    "game_is_never_replaced": "a game is never replaced",
}

SCHEMAS: dict[str, dict[str, str]] = {
    "m001_journal": {
        name: f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{_MESSAGES[name]}'); END"
        for name, when in _NEVER.items()
    },
}
"""Every schema so far, oldest first: the migration it ends with, and the SQL of all its triggers, white
space folded. A ledger has no other trigger and no view or virtual table."""


class Shape(NamedTuple):
    """What a file is by its schema: the last of SCHEMAS it has, "" where it is blank.

    `strangers` is what would act in it and is not as shipped: name → "stranger" or "trigger".
    """

    last: str
    strangers: dict[str, str]

    @property
    def is_current(self) -> bool:
        """Tell whether nothing is to be migrated."""
        return self.last == next(reversed(SCHEMAS))


PRAGMAS = (
    *("foreign_keys = ON", "recursive_triggers = ON", "synchronous = EXTRA"),
    *("trusted_schema = OFF", "cell_size_check = ON"),
)
"""How every connection to a ledger is set up."""


def check_file(path: str, may_be_empty: bool = False) -> os.stat_result:
    """Return what the system knows of a file that may be a ledger, before SQLite sees it.

    Raises LedgerError (E310–E313, E328, E332, E337). An empty file is no ledger yet (E310), which
    `may_be_empty` allows.
    """
    status = plain_file(path)
    with accessing(path), open(path, "rb") as file:
        start = file.read(len(_MAGIC))
    if not start and not may_be_empty:
        raise missing(path)
    if start and start != _MAGIC:
        raise not_a_ledger(path)
    return status


def plain_file(path: str) -> os.stat_result:
    """Return what the system knows of a file. Nobody waits for a pipe's other end.

    Raises LedgerError: E311, E312 for what is no plain file; E310, E313, E328, E337.
    """
    with accessing(path):
        status = os.stat(path)  # a symbolic link is followed: the ledger may lie elsewhere
    if stat.S_ISDIR(status.st_mode):
        raise LedgerError(Fault("E312", -1, {"path": path}))
    if not stat.S_ISREG(status.st_mode):
        raise LedgerError(Fault("E311", -1, {"path": path}))
    return status


@contextlib.contextmanager
def accessing(path: str) -> Iterator[None]:
    """Make what the system says against opening a file a refusal (E310, E313, E328, E337)."""
    try:
        yield
    except FileNotFoundError:
        raise missing(path) from None
    except PermissionError:
        raise LedgerError(Fault("E313", -1, {"path": path})) from None
    except (OSError, ValueError) as error:
        raise LedgerError(Fault("E328", -1, {"path": path, "why": why(error)})) from None


def missing(path: str) -> LedgerError:
    """Return the refusal where there is no ledger, or a symbolic link to none."""
    is_dangling = os.path.islink(path) and not os.path.exists(path)
    return LedgerError(Fault("E337" if is_dangling else "E310", -1, {"path": path}))


def why(error: BaseException) -> str:
    """Return what the system says about an error."""
    return getattr(error, "strerror", None) or str(error)


def not_a_ledger(path: str) -> LedgerError:
    """Return the refusal of a file SQLite cannot read: a damaged ledger (E332), or none at all (E311)."""
    with accessing(path), open(path, "rb") as file:
        start = file.read(4096)
        blocks = iter(lambda: file.read(1 << 20), b"")
        # a text without a zero byte is no page of a database, whatever it speaks of
        is_ledger = b"\0" in start and (_is_marked(start) or any(map(_is_marked, blocks)))
    return LedgerError(Fault("E332" if is_ledger else "E311", -1, {"path": path}))


def _is_marked(block: bytes) -> bool:
    return any(mark in block for mark in _MARKS)


def shape(path: str, connection: sqlite3.Connection) -> Shape:
    """Return what an open file is by its schema.

    Raises LedgerError: E311 and E332 for no ledger, E314 for a newer one.
    """
    rows = connection.execute("SELECT type, name, sql, rootpage FROM sqlite_master").fetchall()
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if not rows and application in (0, APPLICATION_ID):
        return Shape("", {})
    if application != APPLICATION_ID or not _TABLES.issubset(row[1] for row in rows if row[3]):
        raise not_a_ledger(path)
    applied = connection.execute(
        "SELECT name FROM _sqlite_migrations WHERE migration_set = 'skachki_ledger'"
    )
    names = {name for (name,) in applied}
    if names > SCHEMAS.keys():
        raise LedgerError(Fault("E314"))
    if not names or names != set(list(SCHEMAS)[: len(names)]):
        raise not_a_ledger(path)
    last = list(SCHEMAS)[len(names) - 1]
    active = {str(name): " ".join(str(sql).split()) for _, name, sql, page in rows if not page}
    return Shape(last, _strangers(active, SCHEMAS[last]))


def _strangers(found: dict[str, str], shipped: dict[str, str]) -> dict[str, str]:
    """Return what of triggers, views and virtual tables is not as shipped: none of them has a page."""
    return {
        name: "trigger" if name in shipped else "stranger"
        for name in sorted(found.keys() | shipped.keys())
        if found.get(name) != shipped.get(name)
    }


def refuse_strangers(path: str, strangers: dict[str, str]) -> None:
    """Raise LedgerError (E317, E336) where there is a trigger or view that is not as shipped."""
    for name, kind in strangers.items():
        code = "E317" if kind == "stranger" else "E336"
        raise LedgerError(Fault(code, -1, {"path": path, "name": visible(name)}))


def visible(text: str) -> str:
    """Return a text out of a file that may be anyone's as it can be shown on a terminal."""
    return "".join(char if char.isprintable() else "�" for char in text)


# ------------------------------------------------------------------ new files


def create(path: str) -> None:
    """Make an empty file only its owner may read; someone else may be quicker.

    Raises LedgerError (E329).
    """
    make_folder(path)
    try:
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except (OSError, ValueError) as error:
        raise unwritable(path, why(error)) from None


def make_folder(path: str) -> None:
    """Make the folder a new ledger is to lie in, only its owner's. Raises LedgerError (E329)."""
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), mode=0o700, exist_ok=True)
    except (OSError, ValueError, RecursionError) as error:
        raise unwritable(path, why(error)) from None


def unwritable(path: str, reason: str) -> LedgerError:
    """Return the refusal of a file that cannot be written, for the reason the system gives."""
    return LedgerError(Fault("E329", -1, {"path": path, "why": reason}))


def free_name(path: str, reason: str) -> str:
    """Return a name beside the ledger with today's date that is not taken."""
    stem, suffix = os.path.splitext(path)
    name = f"{stem}-{reason}{time.strftime('%Y-%m-%d')}"
    number, free = 1, f"{name}{suffix}"
    while os.path.lexists(free) or os.path.lexists(f"{free}-journal"):
        number += 1
        free = f"{name}-{number}{suffix}"
    return free


@contextlib.contextmanager
def part_of(target: str) -> Iterator[str]:
    """Give the name of an empty file beside `target` to write first; at the end it is gone.

    Raises LedgerError (E329), for what goes wrong with either file inside too.
    """
    part = f"{target}.part-{os.urandom(4).hex()}"
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except (OSError, ValueError) as error:
        raise unwritable(target, why(error)) from None
    try:
        yield part
    except OSError as error:
        raise unwritable(target, why(error)) from None
    finally:
        for rest in (part, f"{part}-journal"):
            with contextlib.suppress(OSError):
                os.unlink(rest)


@contextlib.contextmanager
def new_file(target: str) -> Iterator[str]:
    """Give the name of a file to write, which gets the name `target` at once at the end, or is removed.

    Raises LedgerError: E324 where `target` exists, a killed writer's journal beside it included, which
    SQLite would play back into the new file; E329.
    """
    for taken in (target, f"{target}-journal"):
        if os.path.lexists(taken):
            raise LedgerError(Fault("E324", -1, {"path": taken}))
    with part_of(target) as part:
        yield part
        try:
            _name(part, target)
        except FileExistsError:
            raise LedgerError(Fault("E324", -1, {"path": target})) from None


def _name(part: str, target: str) -> None:
    """Give a finished file its name; unlike a rename this never replaces anything."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a memory card knows no links: hold the name, then take its place
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        os.replace(part, target)
    sync_folder(target)


def swap(path: str, part: str, kept: str) -> None:
    """Put `part` in the place of `path`, which is kept with a killed writer's journal as `kept`."""
    if os.path.lexists(f"{path}-journal"):
        os.rename(f"{path}-journal", f"{kept}-journal")
    try:
        os.link(path, kept)
    except FileExistsError:
        raise
    except OSError:  # no links here
        os.rename(path, kept)
    os.replace(part, path)
    sync_folder(path)


def sync_folder(path: str) -> None:
    """Make the names in a file's folder durable, where the system lets a folder be opened."""
    with contextlib.suppress(OSError):
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
