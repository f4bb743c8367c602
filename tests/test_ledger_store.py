"""The ledger file: nothing in it is ever changed, no stranger writes in it, writers wait their turn.

The other tests of the ledger take their first ledgers and their ways of asking from here.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from conftest import SKACHKI, Skachki, clean_environment
from running import LATIN

from skachki_ledger import journal, notation, store
from skachki_ledger.derive import refusals, step
from skachki_ledger.errors import LedgerError
from skachki_ledger.header import Header
from skachki_ledger.journal import Game
from skachki_ledger.names import Seats
from skachki_ledger.rules import PRESETS, Rules

NIGHT = ("r 2/4/3/1", "Vera 7d wp 7/3", 'fine Gleb 4 gora "exposed card"', "Anna 8h ww 8/1/1")
AT = "2026-01-02T20:59:58Z"
GAME = "night222"

# ------------------------------------------------------------------ for all tests of the ledger


def add(connection: sqlite3.Connection, before: Game, line: str, client_id: str | None = None) -> Game:
    """Record one line as `deal`, `undo` and `redo` do."""
    if line in (journal.UNDO, journal.REDO):
        new = store.append(connection, before.id, before.records, [journal.Draft(line, line)], "t", AT)
        return journal.game(before.id, [*before.records, *new])
    state = before.history.state
    taken = step(state, notation.read_line(line, Seats(state.players)).event)
    assert not refusals(taken), (line, taken.faults)
    draft = journal.draft_step(taken, line, client_id)
    new = store.append(connection, before.id, before.records, [draft], "t", AT)
    return journal.grown(before, new[0], taken)


def fill(
    path: Path,
    lines: Sequence[str] = NIGHT,
    game_id: str = GAME,
    head: Header | None = None,
    rules: Rules = PRESETS["piter@1"],
) -> Path:
    """Write a game into a ledger, without the command: hundreds of tests begin so."""
    head = head or Header(LATIN, 0, rules, date="2026-01-02")
    with store.writing(str(path), create=True) as connection:
        opening = store.append(connection, game_id, [], [journal.draft_opening(head)], "t", AT)
        game = journal.game(game_id, opening)
        for line in lines:
            game = add(connection, game, line)
        store.make_current(connection, game_id)
    return path


def fine(ran: CompletedProcess[str]) -> str:
    """What a command that must have worked printed."""
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def refused(
    skachki: Skachki,
    *arguments: str | Path,
    code: str,
    facts: Sequence[str] = (),
    file: Path | None = None,
    languages: Sequence[str] = ("en", "ru"),
) -> None:
    """Ask in each language: exit 1, one message of one line with the facts, `file` stays as it is."""
    before = file.read_bytes() if file else b""
    said = set()
    for language in languages:
        ran = skachki(*arguments, "--lang", language)
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1), (arguments, ran)
        assert f"{code}]" in ran.stderr, ran.stderr
        assert [fact for fact in facts if fact not in ran.stderr] == [], ran.stderr
        said.add(ran.stderr)
    assert len(said) == len(languages)
    if file:
        assert file.read_bytes() == before, arguments


def execute(path: Path, *statements: str) -> None:
    """What a stranger with a bare connection does to the file."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def forge(path: Path, *statements: str) -> None:
    """The same past the triggers, which stand afterwards as if nothing had been."""
    with closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        changes = [f"DROP TRIGGER {name}" for name, _ in triggers]
        for statement in [*changes, *statements, *(sql for _, sql in triggers)]:
            connection.execute(statement)
        connection.commit()


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger with one short game, at the place where the command looks by itself."""
    path = tmp_path / ".local/share/skachki/ledger.db"
    path.parent.mkdir(parents=True)
    return fill(path)


DEAL = ("deal", "Vera", "6d", "wp", "6/4")
READING = (("status",), ("standing",), ("log",), ("settle",), ("check",), ("export",), ("rules",))
WRITING = (DEAL, ("undo",), ("redo",), ("use", GAME))

# ------------------------------------------------------------------ append-only

FORBIDDEN = (
    "UPDATE event SET payload = 'r 1/4/4/1' WHERE n = 2",
    "UPDATE event SET hash = hash",
    "UPDATE OR REPLACE event SET n = 2 WHERE n = 3",
    "DELETE FROM event",
    "DELETE FROM event WHERE n = (SELECT max(n) FROM event)",
    "REPLACE INTO event SELECT * FROM event WHERE n = 2",
    "INSERT OR REPLACE INTO event SELECT 99, game, n, at, by, payload_version, 'note \"x\"', typed, reason,"
    " NULL, announced, prev, hash FROM event WHERE n = 2",
    "INSERT OR REPLACE INTO event SELECT 99, game, 99, at, by, payload_version, payload, typed, reason,"
    " client_id, announced, prev, hash FROM event WHERE client_id = 'one'",
    "UPDATE game SET head = 'x'",
    "UPDATE game SET count = count - 1",
    "UPDATE game SET id = 'x', count = count + 1",
    "DELETE FROM game",
    "REPLACE INTO game SELECT id, 1, head FROM game",
)


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_triggers_refuse_every_change_from_a_bare_connection(tmp_path: Path, statement: str) -> None:
    path = fill(tmp_path / "l.db")
    with store.writing(str(path)) as connection:
        add(connection, journal.game(GAME, store.records(connection, GAME)), 'note "x"', client_id="one")
    before = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    assert path.read_bytes() == before


def test_the_file_is_one_plain_ledger(skachki: Skachki, tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "ledger.db"
    one = fine(skachki("new", *LATIN, "--db", path)).strip()
    two = fine(skachki("new", *LATIN, "--db", path)).strip()
    fine(skachki("deal", "r", "2/4/3/1", "--db", path))
    with closing(sqlite3.connect(path)) as connection:
        kinds = connection.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite%'")
        found = kinds.fetchall()
        games = connection.execute("SELECT id, count, head FROM game ORDER BY count").fetchall()
        heads = dict(connection.execute("SELECT game, hash FROM event ORDER BY seq").fetchall())
        prevs = connection.execute("SELECT game, n, prev, hash FROM event ORDER BY seq").fetchall()
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert not [name for kind, name in found if kind == "view"]
    triggers = [name for kind, name in found if kind == "trigger"]
    assert len(triggers) == 6
    assert all(name.startswith(("event_", "game_")) for name in triggers)
    assert {"event", "game"} <= {name for kind, name in found if kind == "table"}
    assert games == [(one, 1, heads[one]), (two, 2, heads[two])]
    assert prevs[2][2] == prevs[1][3]
    assert prevs[0][2] == prevs[1][2] == ""
    assert path.stat().st_mode & 0o077 == 0
    assert os.listdir(path.parent) == ["ledger.db"]


COLUMNS = {
    "game": "'other222'",
    "at": "'2026-01-02T20:59:59Z'",
    "by": "'someone else'",
    "payload_version": "0",
    "payload": "'r 1/4/4/1'",
    "typed": "'r 1/4/4/1'",
    "reason": "'because'",
    "client_id": "'other'",
    "announced": '\'{"dealer":2,"semester":1,"price":2}\'',
    "prev": "hash",
    "hash": "prev",
}


@pytest.mark.parametrize("column", COLUMNS)
def test_the_hash_covers_every_column(tmp_path: Path, column: str) -> None:
    path = fill(tmp_path / "l.db")
    forge(path, f"UPDATE event SET {column} = {COLUMNS[column]} WHERE n = 2")
    with pytest.raises(LedgerError, match=GAME) as caught, store.reading(str(path)) as connection:
        store.records(connection, GAME)
    assert caught.value.faults[0].code == "E316"
    assert caught.value.faults[0].args["event"] == 2


FORGERIES = {
    "changed": "UPDATE event SET payload = 'r 1/4/4/1' WHERE n = 2",
    "cut": "DELETE FROM event WHERE n = 5",
    "gap": "DELETE FROM event WHERE n = 3",
    "gone": "DELETE FROM event",
    "grown": f"UPDATE game SET count = count + 1, head = 'x' WHERE id = '{GAME}'",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_journal_is_refused(skachki: Skachki, ledger: Path, forgery: str) -> None:
    forge(ledger, FORGERIES[forgery])
    refused(skachki, "status", code="E316", facts=[GAME], file=ledger)


@pytest.mark.parametrize("command", [*READING, *WRITING, ("new", "--again")], ids=" ".join)
def test_every_command_checks_the_chain(skachki: Skachki, ledger: Path, command: tuple[str, ...]) -> None:
    forge(ledger, FORGERIES["changed"])
    refused(skachki, *command, code="E316", facts=[GAME, "2"], file=ledger, languages=["en"])


def test_a_damaged_game_leaves_the_others_alone(skachki: Skachki, ledger: Path) -> None:
    forge(ledger, FORGERIES["changed"])
    fill(ledger, game_id="whole222")
    assert "whole222" in fine(skachki("status"))
    fine(skachki(*DEAL))
    refused(skachki, *DEAL, "--game", GAME, code="E316", file=ledger, languages=["en"])


# ------------------------------------------------------------------ strangers

STRANGERS: dict[str, tuple[str, ...]] = {
    "trigger": ("spy", "CREATE TRIGGER spy AFTER INSERT ON event BEGIN DELETE FROM current; END"),
    "trigger on another table": ("spy", "CREATE TRIGGER spy AFTER UPDATE ON current BEGIN SELECT 1; END"),
    "view": ("spy", "CREATE VIEW spy AS SELECT * FROM event"),
    "missing": ("event_is_never_changed", "DROP TRIGGER event_is_never_changed"),
    "under the ledger's name": (
        "event_is_never_changed",
        "DROP TRIGGER event_is_never_changed",
        "CREATE TRIGGER event_is_never_changed AFTER INSERT ON event BEGIN DELETE FROM current; END",
    ),
}


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_strangers_trigger_or_view_is_refused(skachki: Skachki, ledger: Path, stranger: str) -> None:
    name, *statements = STRANGERS[stranger]
    execute(ledger, *statements)
    fine(skachki("status"))
    code = "E317" if name == "spy" else "E336"
    refused(skachki, *DEAL, code=code, facts=[name], file=ledger)


@pytest.mark.parametrize("command", [*WRITING, ("new", *LATIN), ("import", "game.skachki")], ids=" ".join)
def test_every_writing_command_looks_for_strangers(
    skachki: Skachki, ledger: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "game.skachki").write_text('[Players "A, B, C, D"]\n')
    execute(ledger, *STRANGERS["trigger"][1:])
    refused(skachki, *command, code="E317", facts=["spy"], file=ledger, languages=["en"])


# ------------------------------------------------------------------ files that are no ledger


def _newer(path: Path) -> None:
    fill(path)
    execute(
        path,
        "INSERT INTO _sqlite_migrations SELECT 9, migration_set, 'm999_x', 'x' FROM _sqlite_migrations",
    )


def _other_database(path: Path) -> None:
    execute(path, "CREATE TABLE event (game)", "CREATE TABLE game (id)")


def _cut_short(path: Path) -> None:
    fill(path)
    path.write_bytes(path.read_bytes()[:5000])


NO_LEDGERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "newer": ("E314", _newer),
    "text": ("E311", lambda path: path.write_text("Anna won.\n")),
    "short": ("E311", lambda path: path.write_bytes(b"SQLite")),
    "database": ("E311", _other_database),
    "directory": ("E312", Path.mkdir),
    "cut short": ("E332", _cut_short),
}


@pytest.mark.parametrize("kind", NO_LEDGERS)
def test_what_is_no_ledger_is_refused_in_a_sentence(skachki: Skachki, tmp_path: Path, kind: str) -> None:
    code, make = NO_LEDGERS[kind]
    path = tmp_path / "thing.db"
    make(path)
    game = tmp_path / "game.skachki"
    game.write_text('[Players "A, B, C, D"]\n')
    file = None if path.is_dir() else path
    facts = [] if kind == "newer" else ["thing.db"]
    refused(skachki, "status", "--db", path, code=code, facts=facts, file=file)
    for command in (DEAL, ("games",), ("new", *LATIN), ("import", str(game))):
        refused(skachki, *command, "--db", path, code=code, facts=facts, file=file, languages=["en"])


def test_a_newer_payload_is_refused(skachki: Skachki, ledger: Path) -> None:
    with store.reading(str(ledger)) as connection:
        last = store.records(connection, GAME)[-1]
    newer = journal.chained(GAME, [last], [journal.Draft("shrug", "shrug")], AT, "t")[0]
    newer = newer._replace(payload_version=2)
    with store.writing(str(ledger)) as connection:
        store.write(connection, [newer._replace(hash=journal.record_hash(newer))], begins=False)
    refused(skachki, "status", code="E314", file=ledger)
    refused(skachki, *DEAL, code="E314", file=ledger, languages=["en"])


def _under_permissions(home: Path, *arguments: str | Path) -> CompletedProcess[str]:
    """Run the command where permissions count: root gives its right to pass over them away."""
    command = [str(SKACHKI), *map(str, arguments)]
    if os.geteuid() == 0:
        rights = "-dac_override,-dac_read_search"
        command = ["setpriv", "--bounding-set", rights, "--inh-caps", rights, *command]
    environment = clean_environment(home)
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may do everything")
def test_permissions(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    path = fill(folder / "ledger.db")
    before = path.read_bytes()
    folder.chmod(0o555)
    try:
        for mode, code, command in (
            (0o000, "E313", ("status",)),
            (0o000, "E313", DEAL),
            (0o444, "E329", DEAL),
            (0o444, "E329", ("undo",)),
            (0o644, "E329", DEAL),  # no rollback journal can be made beside it
        ):
            path.chmod(mode)
            ran = _under_permissions(tmp_path, *command, "--db", path)
            assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1), ran.stderr
            assert f"[{code}]" in ran.stderr
            assert "ledger.db" in ran.stderr
        path.chmod(0o444)
        assert GAME in fine(_under_permissions(tmp_path, "status", "--db", path))
        ran = _under_permissions(tmp_path, "new", *LATIN, "--db", folder / "other.db")
        assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
        assert "[E329]" in ran.stderr
        assert os.listdir(folder) == ["ledger.db"]
        assert path.read_bytes() == before
    finally:
        folder.chmod(0o755)


# ------------------------------------------------------------------ a crash

KILLED = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 2")
connection.execute("PRAGMA cache_spill = 1")
connection.execute("BEGIN IMMEDIATE")
for n in range(10, 400):
    connection.execute("INSERT INTO event (game, n, at, by, payload_version, payload, typed, prev, hash)"
                       " VALUES (?, ?, '', '', 1, ?, '', '', '')", (sys.argv[2], n, "x" * 500))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_writer_leaves_what_was_before(skachki: Skachki, ledger: Path) -> None:
    before, standing = ledger.read_bytes(), fine(skachki("standing", "--json"))
    killed = subprocess.run([sys.executable, "-c", KILLED, ledger, GAME], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert ledger.read_bytes() != before  # or this tests nothing
    assert "ledger.db-journal" in os.listdir(ledger.parent)
    assert fine(skachki("standing", "--json")) == standing
    assert ledger.read_bytes() == before
    fine(skachki(*DEAL))
