"""What `verify` finds of a ledger that somebody changed past the program, what only a head finds,
what is never let in, and odd things under the ledger's name."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import SKACHKI, Skachki, clean_environment
from running import LATIN
from test_keeping import MORE, OTHER, journals, names, together
from test_ledger_store import AT, DEAL, GAME, NIGHT, STRANGERS, execute, fill, fine, forge, ledger, refused

from skachki_ledger import journal, store
from skachki_ledger.header import Header
from skachki_ledger.journal import Record
from skachki_ledger.rules import PRESETS

__all__ = ["ledger"]

COLUMNS = ", ".join(Record._fields)
NOBODY = 'note "x"'
WHOLE = (*NIGHT, "undo", *MORE[3:])
"""e1 the opening, e2 deal 1, e3 deal 2, e4 a fine, e5 deal 3, e6 undo, e7 deal 3 again, e8 deal 4."""


def faults(path: Path) -> list[dict[str, Any]]:
    """What `verify --json` finds; that it says the same in words, and exits 1 where there is anything."""
    ran, words = together(
        path.parent, [("verify", "--json", "--db", path), ("verify", "--db", path, "--lang", "en")]
    )
    told = json.loads(ran.stdout)
    assert (ran.returncode, ran.stderr) == (int(not told["ok"]), "")
    assert (words.returncode, words.stderr) == (ran.returncode, "")
    if told["faults"]:
        assert words.stdout.splitlines() == [fault["message"] for fault in told["faults"]]
    found: list[dict[str, Any]] = told["faults"]
    return found


def found(path: Path) -> list[tuple[str, int, str | None, str]]:
    """Game, event, deal, kind of each fault."""
    return [(row["game"], row["event"], row["deal"], row["kind"]) for row in faults(path)]


# ------------------------------------------------------------------ each kind of tampering

SET = "UPDATE event SET {} WHERE game = 'night222' AND n = {}".format
OTHERS_ROW = (
    "INSERT INTO event (" + COLUMNS + ") SELECT 'night222', {n}, at, by, payload_version, payload, typed,"
    " reason, client_id, announced, prev, hash FROM event WHERE game = 'other222' AND n = 2"
)
TAMPERED: dict[str, tuple[Sequence[str], list[tuple[int, str | None, str]]]] = {
    "a deal's tricks": ([SET("payload = 'r 1/4/4/1'", 2)], [(2, "1", "changed")]),
    "a deal is nonsense": ([SET("payload = 'dance'", 3)], [(3, "2", "changed")]),
    "a deal is a fine": ([SET("payload = 'fine 1 4 gora \"x\"'", 7)], [(7, "3", "changed")]),
    "a fine's amount": ([SET("payload = 'fine 4 9 gora \"exposed card\"'", 4)], [(4, None, "changed")]),
    "two deals": (
        [SET("payload = 'r 1/4/4/1'", 2), SET("payload = ''", 8)],
        [(2, "1", "changed"), (8, "4", "changed")],
    ),
    "the agreement": ([SET("payload = replace(payload, 'Anna', 'Zoya')", 1)], [(1, None, "changed")]),
    "the agreement is gone": ([SET("payload = ''", 1)], [(1, None, "changed")]),
    "the typed words": ([SET("typed = 'r 1441'", 5)], [(5, "3", "changed")]),
    "the time": ([SET("at = '2026-01-02T20:00:00Z'", 3)], [(3, "2", "changed")]),
    "the author": ([SET("by = 'Gleb'", 3)], [(3, "2", "changed")]),
    "a reason": ([SET("reason = 'because'", 3)], [(3, "2", "changed")]),
    "an id": ([SET("client_id = 'x'", 3)], [(3, "2", "changed")]),
    "who dealt": ([SET("announced = replace(announced, ':2,', ':3,')", 3)], [(3, "2", "changed")]),
    "what was seen is nonsense": ([SET("announced = '[7'", 3)], [(3, "2", "changed")]),
    "the version": ([SET("payload_version = 0", 3)], [(3, "2", "changed")]),
    "the hash": ([SET("hash = prev", 3)], [(3, "2", "changed"), (4, None, "order")]),
    "the hash before": ([SET("prev = hash", 3)], [(3, "2", "changed")]),
    "the game": (
        ["UPDATE event SET game = 'third222' WHERE game = 'night222' AND n = 8"],
        [(8, "4", "missing")],
    ),
    "two deals change places": (
        [SET("n = 99", 7), SET("n = 7", 8), SET("n = 8", 99)],
        [(7, "3", "changed"), (8, "4", "changed"), (8, "4", "head")],
    ),
    "two rows change places": (
        [SET("seq = 99", 7), SET("seq = 7", 8), SET("seq = 8", 99).replace("n = 99", "n = 7")],
        [(8, "4", "order")],
    ),
    "a row taken out": (["DELETE FROM event WHERE game = 'night222' AND n = 3"], [(3, "2", "missing")]),
    "the first row taken out": (
        ["DELETE FROM event WHERE game = 'night222' AND n = 1"],
        [(1, None, "missing")],
    ),
    "the last row taken out": (
        ["DELETE FROM event WHERE game = 'night222' AND n = 8"],
        [(8, "4", "missing")],
    ),
    "every row taken out": (["DELETE FROM event WHERE game = 'night222'"], [(1, None, "missing")]),
    "the last row and the count": (
        [
            "DELETE FROM event WHERE game = 'night222' AND n = 8",
            "UPDATE game SET count = 7 WHERE id = 'night222'",
        ],
        [(7, "3", "head")],
    ),
    "another game's row in between": (
        ["DELETE FROM event WHERE game = 'night222' AND n = 3", OTHERS_ROW.format(n=3)],
        [(3, "2", "changed"), (4, None, "order")],
    ),
    "another game's row at the end": (
        [OTHERS_ROW.format(n=9)],
        [(9, "5", "changed"), (9, "5", "uncounted")],
    ),
    "the game is not listed": (["DELETE FROM game WHERE id = 'night222'"], [(1, None, "unlisted")]),
    "the head": (["UPDATE game SET head = 'x' WHERE id = 'night222'"], [(8, "4", "head")]),
}


@pytest.mark.parametrize("kind", TAMPERED)
def test_verify_names_what_was_changed(tmp_path: Path, kind: str) -> None:
    path = fill(tmp_path / "l.db", WHOLE)
    fill(path, OTHER, game_id="other222")
    fill(path, OTHER, game_id="zz222222")
    assert found(path) == []
    statements, wanted = TAMPERED[kind]
    forge(path, *statements)
    told = found(path)
    third = [row for row in told if row[0] == "third222"]
    assert [row[1:] for row in told if row not in third] == wanted
    assert {row[0] for row in told} - {"third222"} == {GAME}
    assert [row[3] for row in third] == (["unlisted"] if kind == "the game" else [])


def test_no_column_can_be_changed(tmp_path: Path) -> None:
    """Of every event, not only of some."""
    path = fill(tmp_path / "l.db", WHOLE)
    execute(path, "DROP TRIGGER event_is_never_changed")
    changed = [(column, n) for column in Record._fields for n in range(1, len(WHOLE) + 2)]
    for column, n in changed:
        value = "99" if column in ("n", "payload_version") else "'x'"
        copied = Path(shutil.copy(path, tmp_path / f"{column}-{n}.db"))
        execute(copied, f"UPDATE event SET {column} = {value} WHERE n = {n}")
    every = together(tmp_path, [("verify", "--json", "--db", f"{column}-{n}.db") for column, n in changed])
    for (column, n), ran in zip(changed, every, strict=True):
        assert ran.returncode == 1
        named = [(fault["game"], fault["event"]) for fault in json.loads(ran.stdout)["faults"]]
        assert (GAME, n) in named, (column, n)


@pytest.mark.parametrize("stranger", STRANGERS)
def test_verify_names_triggers_and_views(ledger: Path, stranger: str) -> None:
    name, *statements = STRANGERS[stranger]
    execute(ledger, *statements)
    told = faults(ledger)
    assert [(row["game"], row["event"], row["deal"]) for row in told] == [(None, None, None)]
    assert told[0]["kind"] == ("stranger" if name == "spy" else "trigger")
    assert name in told[0]["message"]


def test_all_triggers_dropped(skachki: Skachki, ledger: Path) -> None:
    with closing(sqlite3.connect(ledger)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY 1")
        triggers = [name for (name,) in rows]
    execute(ledger, *(f"DROP TRIGGER {name}" for name in triggers))
    told = faults(ledger)
    assert [fault["kind"] for fault in told] == ["trigger"] * 6
    assert [fault["message"].split(":")[0] for fault in told] == triggers
    refused(skachki, *DEAL, code="E336", file=ledger, languages=["en"])


def test_a_virtual_table_is_a_strangers(skachki: Skachki, ledger: Path) -> None:
    """Its module is code that runs when it is written to, or only looked at."""
    execute(ledger, "CREATE VIRTUAL TABLE spy USING fts5(x)")
    assert [fault["kind"] for fault in faults(ledger)] == ["stranger"]
    refused(skachki, *DEAL, code="E317", facts=["spy"], file=ledger)


def test_a_view_in_a_tables_place_is_not_read(skachki: Skachki, ledger: Path) -> None:
    execute(
        ledger,
        "CREATE TABLE real AS SELECT * FROM current",
        "DROP TABLE current",
        "CREATE VIEW current AS SELECT * FROM real",
    )
    for command in (("status",), ("verify",), DEAL):
        refused(skachki, *command, code="E332", file=ledger, languages=["en"])


def test_a_name_from_a_file_cannot_steer_the_terminal(skachki: Skachki, ledger: Path) -> None:
    execute(ledger, 'CREATE VIEW "\x1b[2J" AS SELECT 1')
    for command in (("verify",), DEAL):
        ran = skachki(*command)
        assert ran.returncode == 1
        assert "\x1b" not in ran.stdout + ran.stderr


@pytest.mark.parametrize(
    "command",
    [
        *(DEAL, ("undo",), ("redo",), ("use", GAME), ("new", *LATIN), ("import", "game.skachki")),
        ("merge", "other.db"),
        ("restore", "other.db"),
        ("amend", "1", "r", "1/4/4/1", "--reason", "x", "--yes"),
        ("void", "1", "--reason", "x", "--yes"),
        ("insert", "--before", "2", "Anna", "7s", "pp", "--reason", "x", "--yes"),
        ("rename", "Anna", "Zoya", "--reason", "x", "--yes"),
        ("rule", "half_whist=no", "--reason", "x", "--yes"),
    ],
    ids=lambda command: command[0],
)
def test_every_writing_command_refuses_a_strangers_trigger(
    skachki: Skachki, ledger: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Its trigger would fire on any write, whatever SQLite is told to trust."""
    fill(tmp_path / "other.db", MORE)
    (tmp_path / "game.skachki").write_text('[Players "A, B, C, D"]\n')
    execute(ledger, "CREATE TABLE trap (x)")
    for table in ("event", "game", "current", "_sqlite_migrations"):
        for when in ("INSERT", "UPDATE"):
            sql = f"CREATE TRIGGER spy_{table}_{when} AFTER {when} ON {table}"
            execute(ledger, f"{sql} BEGIN INSERT INTO trap VALUES (1); END")
    before = ledger.read_bytes()
    ran = skachki(*command)
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1), ran.stderr
    assert "spy_" in ran.stderr
    assert "[E317]" in ran.stderr
    assert ledger.read_bytes() == before


def test_no_code_is_loaded_from_a_ledger(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    """Nor from beside it: extensions, plugins of sqlite-utils, modules in the folder one stands in."""
    trap = "import pathlib\npathlib.Path.home().joinpath('sprung').touch()\n"
    for name in ("sqlite_utils.py", "sqlite3.py", "secrets.py", "sitecustomize.py", "ledger.py"):
        (tmp_path / name).write_text(trap)
        (ledger.parent / name).write_text(trap)
    execute(ledger, "CREATE TABLE more (x DEFAULT (load_extension('spy')))")
    for command in (("status",), DEAL, ("new", *LATIN), ("backup",), ("verify",)):
        fine(skachki(*command, cwd=ledger.parent))
        fine(skachki(*command, cwd=tmp_path))
    assert not (tmp_path / "sprung").exists()


# ------------------------------------------------------------------ what only a noted head shows


def test_a_rewritten_tail_is_found_by_a_noted_head_alone(skachki: Skachki, ledger: Path) -> None:
    head = json.loads(fine(skachki("standing", "--json")))["head"]
    with store.reading(str(ledger)) as connection:
        old = store.records(connection, GAME)
    drafts = [journal.Draft(*record[5:10]) for record in old]
    drafts[-1] = drafts[-1]._replace(payload="1 8h ww 9/1/0", typed="Anna 8h ww 9/1/0")
    forged = [old[0]]
    for draft, record in zip(drafts[1:], old[1:], strict=True):
        forged += journal.chained(GAME, forged[-1:], [draft], record.at, record.by)
    last = forged[-1]
    assert last.hash != old[-1].hash
    forge(
        ledger,
        f"UPDATE event SET payload = '{last.payload}', typed = '{last.typed}', hash = '{last.hash}'"
        f" WHERE n = {last.n}",
        f"UPDATE game SET head = '{last.hash}'",
    )
    assert fine(skachki("verify"))  # nothing in the file shows it
    assert "9" in fine(skachki("log", "--deal", "3"))
    for noted in (head, head[:12], head[:12].upper()):
        ran = skachki("verify", "--head", noted)
        assert ran.returncode == 1
        assert noted in ran.stdout
        assert json.loads(skachki("verify", "--json", "--head", noted).stdout)["head"] == "foreign"


def test_a_head_of_before_is_told_by_the_deal(skachki: Skachki, ledger: Path) -> None:
    head = json.loads(fine(skachki("standing", "--json")))["head"]
    assert json.loads(fine(skachki("verify", "--json", "--head", head)))["head"] == "present"
    fine(skachki(*DEAL))
    fine(skachki("deal", "note", "late"))
    fill(ledger, OTHER, game_id="other222")
    assert json.loads(fine(skachki("verify", "--json", "--head", head)))["head"] == "earlier"
    assert "deal 3" in fine(skachki("verify", "--head", head))
    ran = skachki("verify", "--head", head, "--game", "other222")
    assert ran.returncode == 1


def test_a_head_in_a_damaged_game(skachki: Skachki, ledger: Path) -> None:
    head = json.loads(fine(skachki("standing", "--json")))["head"]
    forge(ledger, "UPDATE event SET payload = 'dance' WHERE n = 2")
    ran = skachki("verify", "--json", "--head", head)
    told = json.loads(ran.stdout)
    assert (ran.returncode, told["ok"], told["head"], ran.stderr) == (1, False, "present", "")


# ------------------------------------------------------------------ many games


def many(path: Path, games: int) -> Path:
    """A ledger of many short games."""
    opening = [journal.draft_opening(Header(LATIN, 0, PRESETS["piter@1"])), journal.Draft(NOBODY, NOBODY)]
    with store.writing(str(path), create=True) as connection:
        for number in range(games):
            store.append(connection, f"many{number:04}", [], opening, "t", AT)
    return path


def on_a_terminal(home: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the command with its standard error on a terminal; exit code and both streams."""
    main, child = pty.openpty()
    with subprocess.Popen(
        [SKACHKI, *arguments],
        env=clean_environment(home) | {"TERM": "xterm", "COLUMNS": "80"},
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=child,
    ) as process:
        os.close(child)
        shown = b""
        while select.select([main], [], [], 20)[0]:
            try:
                shown += os.read(main, 65536)
            except OSError:  # the other end is closed
                break
        assert process.stdout is not None
        told = process.stdout.read()
        code = process.wait()
    os.close(main)
    return code, told.decode(), shown.decode()


def test_verify_shows_how_far_it_is_on_a_terminal_alone(skachki: Skachki, tmp_path: Path) -> None:
    path = many(tmp_path / "l.db", 300)
    code, told, shown = on_a_terminal(tmp_path, "verify", "--db", str(path))
    assert (code, told) == (0, "300 games checked, unaltered\n")
    assert "100%" in shown
    assert shown.count("\r") > 3
    ran = skachki("verify", "--db", path)
    assert (ran.stdout, ran.stderr) == (told, "")
    forge(path, "UPDATE event SET payload = 'dance' WHERE game = 'many0123' AND n = 2")
    assert found(path) == [("many0123", 2, None, "changed")]


# ------------------------------------------------------------------ permissions and odd files


def test_everything_made_is_its_owners_alone(skachki: Skachki, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        fine(skachki("new", *LATIN, "--db", "a/b/l.db"))
        (tmp_path / "g.skachki").write_text('[Players "A, B, C, D"]\n\nr 2/4/3/1\n')
        fine(skachki("import", "g.skachki", "--db", "i.db"))
        fine(skachki("backup", "backup.db", "--db", "i.db"))
        fine(skachki("restore", "i.db", "--db", "restored.db"))
        fine(skachki("restore", "a/b/l.db", "--force", "--db", "restored.db"))
        fine(skachki("recover", "i.db", "-o", "recovered.db"))
    finally:
        os.umask(old)
    made = sorted(path.name for path in tmp_path.rglob("*.db"))
    assert len(made) == 6
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.rglob("*.db"))
    assert (tmp_path / "a/b").stat().st_mode & 0o077 == 0


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as one:
        one.bind(os.path.relpath(path))


ODD: dict[str, tuple[Callable[[Path], object], str]] = {
    "fifo": (_fifo, "E311"),
    "socket": (_socket, "E311"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "E311"),
    "directory": (Path.mkdir, "E312"),
    "link to a directory": (lambda path: path.symlink_to(path.parent), "E312"),
    "dangling link": (lambda path: path.symlink_to(path.parent / "gone.db"), "E337"),
    "link to itself": (lambda path: path.symlink_to(path), "E328"),
    "text": (lambda path: path.write_text("two_whisters_high = yes\nevent_is_never_\n"), "E311"),
    "exported journal": (
        lambda path: path.write_text('{"payload":"[Rule \\"two_whisters_high = yes\\"]"}\n'),
        "E311",
    ),
    "another database": (lambda path: execute(path, "CREATE TABLE event (x)"), "E311"),
}
EVERY_KIND: tuple[tuple[str, ...], ...] = (
    ("status",),
    ("verify",),
    DEAL,
    ("new", *LATIN),
    ("import", "game.skachki"),
    ("backup", "copy.db"),
    ("merge", "good.db"),
    ("restore", "good.db"),
    ("restore", "good.db", "--force"),
)


@pytest.mark.parametrize("kind", ODD)
def test_odd_files_are_refused_in_a_sentence(
    skachki: Skachki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    make, code = ODD[kind]
    odd = tmp_path / "odd.db"
    make(odd)
    fill(tmp_path / "good.db")
    (tmp_path / "game.skachki").write_text('[Players "A, B, C, D"]\n')
    before = names(tmp_path)
    onto: list[tuple[str | Path, ...]] = [(*command, "--db", odd) for command in EVERY_KIND]
    of: list[tuple[str | Path, ...]] = [
        (command, odd, "--db", "good.db") for command in ("merge", "restore")
    ]
    for ran in together(tmp_path, [*onto, *of]):
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1), ran
        assert f"[{code}]" in ran.stderr, ran
        assert "odd.db" in ran.stderr
    recovered = skachki("recover", odd, "-o", "new.db")
    assert (recovered.returncode, recovered.stdout) == (1, "")
    is_file = kind in ("text", "exported journal", "another database")
    assert f"[{'E334' if is_file else code}]" in recovered.stderr
    assert names(tmp_path) == before


def test_a_link_to_a_ledger_is_followed(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db")
    (tmp_path / "link.db").symlink_to(path)
    fine(skachki(*DEAL, "--db", "link.db"))
    assert len(journals(path)[GAME]) == 6
    assert (tmp_path / "link.db").is_symlink()


def test_a_file_may_have_a_name_that_means_something_to_sqlite(skachki: Skachki, tmp_path: Path) -> None:
    for name in (":memory:", "file:x.db?mode=memory", "l.db?immutable=1", "-l.db", "Пуля ночи.db"):
        fine(skachki("new", *LATIN, f"--db={name}"))
        fine(skachki("deal", "r", "2/4/3/1", f"--db={name}"))
        assert (tmp_path / name).stat().st_size > 4096
