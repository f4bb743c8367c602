"""What every ledger command needs: which file, which game, who writes, when."""

import contextlib
import os
import sqlite3
import time
from typing import Any

from .. import journal, journalfile, store
from ..errors import Fault, LedgerError
from ..header import Header
from ..journal import Game
from ..names import is_printable

AUTHOR_LENGTH_MAX = 60
CLIENT_ID_LENGTH_MAX = 100


def path(db: str | None) -> str:
    """Return the ledger's path: --db, SKACHKI_DB, else one in the platform's user data folder."""
    named = db or os.environ.get("SKACHKI_DB")
    if named:
        return named
    import platformdirs

    return os.path.join(platformdirs.user_data_dir("skachki", appauthor=False), "ledger.db")


def author(by: str | None) -> str:
    """Return who writes: --by, SKACHKI_BY, else the system's user."""
    name = by or os.environ.get("SKACHKI_BY") or os.environ.get("USER") or os.environ.get("LOGNAME")
    if not name:
        import getpass

        with contextlib.suppress(Exception):  # no such user: getpass raises whatever the system does
            name = getpass.getuser()
    return clean(" ".join((name or "?").split()), AUTHOR_LENGTH_MAX)


def clean(text: str, limit: int) -> str:
    """Return a text of one line as it is. Raises LedgerError (E125, E126) for one that is none."""
    if not is_printable(text):
        raise LedgerError(Fault("E126"))
    if len(text) > limit:
        raise LedgerError(Fault("E125", -1, {"limit": limit}))
    return text


def now() -> str:
    """Return the time as the journal has it: UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def new_id() -> str:
    """Return a fresh game id: eight letters and digits that are hard to confuse."""
    import secrets

    return "".join(secrets.choice("23456789abcdefghjkmnpqrstuvwxyz") for _ in range(8))


def chosen(connection: sqlite3.Connection, game: str | None) -> str:
    """Return the id of the game meant: --game, SKACHKI_GAME, else the current one."""
    word = game or os.environ.get("SKACHKI_GAME")
    return store.find(connection, word) if word else store.current(connection)


def load(connection: sqlite3.Connection, game: str | None) -> Game:
    """Return the game meant, its chain checked.

    Raises LedgerError (E316) too where the hashes are right and yet a record is none this program writes.
    """
    game_id = chosen(connection, game)
    records = store.records(connection, game_id)
    forged = next((record.n for record in records if journalfile.unfit(record)), 0)
    if not records or forged:
        raise LedgerError(Fault("E316", -1, {"game": game_id, "event": forged or 1}))
    return journal.game(game_id, records)


def read_game(db: str | None, game: str | None) -> Game:
    """Return the game meant."""
    with store.reading(path(db)) as connection:
        return load(connection, game)


def check_expected(current: Game, expected: int | None) -> None:
    """Refuse to write on what has gone on since the writer last looked (E320, E330)."""
    if expected is None or current.history.state.deals == expected:
        return
    deals = current.history.state.deals
    if deals < expected:
        raise LedgerError(Fault("E330", -1, {"count": deals, "expected": expected}))
    from ..canon import line, shown

    came = [
        f"{taken.label}. {line(taken.event, taken.players, shown(signs=False))}"
        for taken in current.history.steps
        if taken.label and taken.after.deals > expected
    ]
    args = {"expected": expected, "count": len(came), "came": "; ".join(came[-3:])}
    raise LedgerError(Fault("E320", -1, args))


def expected_deals(text: str | None) -> int | None:
    """Return the number --expect was given. Raises LedgerError (E331) where it is none."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise LedgerError(Fault("E331", -1, {"word": text[:60]}))
    return int(text)


def unused_id(connection: sqlite3.Connection) -> str:
    """Return a game id that is not in the ledger."""
    while store.has_game(connection, game_id := new_id()):
        pass
    return game_id


def print_game(game_id: str, header: Header, as_json: bool) -> None:
    """Print a game's id alone, or what was agreed as JSON."""
    if not as_json:
        print(game_id)
        return
    from ..render import jsonout

    print(jsonout.dump({"format": "skachki-game/1", "game": jsonout.agreed(header, game_id)}))


def print_change(after: Game, n: int, more: dict[str, Any], head: str | None = None) -> None:
    """Print an event of the journal and the standing after it as JSON; `head`: the ledger's own."""
    from ..render import jsonout
    from ..standing import standing

    value = {
        "format": "skachki-deal/1",
        "event": jsonout.record_event(after, n),
        "standing": jsonout.standing(standing(after.history), after.id, head or after.head),
    }
    print(jsonout.dump(value | more))


def changed(before: Game, after: Game) -> list[dict[str, Any]]:
    """Return every cell that differs between two states of a game, as JSON has it."""
    from .. import compare
    from ..render import jsonout

    found = compare.cells(before.history, after.history)
    return jsonout.changes(found, after.history.state.players)
