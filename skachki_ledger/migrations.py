"""The ledger's schema, one released step a function. A released migration is never edited.

Each is self-contained SQL, so that what it does cannot change with the rest of the program.
"""

import sqlite3

from sqlite_utils import Database, Migrations

SET = "skachki_ledger"

migrations = Migrations(SET)


@migrations()
def m001_journal(db: Database) -> None:
    """Make the journal: events that triggers keep from being changed, and each game's count and head."""
    for statement in (
        """
        CREATE TABLE event (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL,
            n INTEGER NOT NULL CHECK (n > 0),
            at TEXT NOT NULL,
            by TEXT NOT NULL,
            payload_version INTEGER NOT NULL,
            payload TEXT NOT NULL,
            typed TEXT NOT NULL,
            reason TEXT,
            client_id TEXT,
            announced TEXT,
            prev TEXT NOT NULL,
            hash TEXT NOT NULL,
            UNIQUE (game, n)
        ) STRICT
        """,
        "CREATE UNIQUE INDEX event_client_id ON event (game, client_id) WHERE client_id IS NOT NULL",
        """
        CREATE TABLE game (
            id TEXT PRIMARY KEY NOT NULL,
            count INTEGER NOT NULL CHECK (count > 0),
            head TEXT NOT NULL
        ) STRICT
        """,
        "CREATE TABLE current (one INTEGER PRIMARY KEY CHECK (one = 1), game TEXT NOT NULL) STRICT",
        """
        CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
        BEGIN SELECT RAISE(ABORT, 'a recorded event is never changed'); END
        """,
        """
        CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'a recorded event is never deleted'); END
        """,
        """
        CREATE TRIGGER event_is_never_replaced BEFORE INSERT ON event
        WHEN EXISTS (
            SELECT 1 FROM event WHERE seq = NEW.seq OR (game = NEW.game AND n = NEW.n)
            OR (game = NEW.game AND client_id = NEW.client_id)
        )
        BEGIN SELECT RAISE(ABORT, 'a recorded event is never replaced'); END
        """,
        """
        CREATE TRIGGER game_only_grows BEFORE UPDATE ON game
        WHEN NEW.id IS NOT OLD.id OR NEW.count <= OLD.count
        BEGIN SELECT RAISE(ABORT, 'a game only grows'); END
        """,
        """
        CREATE TRIGGER game_is_never_deleted BEFORE DELETE ON game
        BEGIN SELECT RAISE(ABORT, 'a game is never deleted'); END
        """,
        """
        CREATE TRIGGER game_is_never_replaced BEFORE INSERT ON game
        WHEN EXISTS (SELECT 1 FROM game WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'a game is never replaced'); END
        """,
        "PRAGMA application_id = 1397441345",  # "SKAA" in ASCII
    ):
        db.execute(statement)


def migrate(connection: sqlite3.Connection) -> None:
    """Apply what is missing, within the transaction the caller has begun."""
    migrations.apply(Database(connection, execute_plugins=False))
