"""Backups, going back to one, two ledgers into one, and ledgers of an earlier schema."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from conftest import Skachki, clean_environment
from running import LATIN
from test_ledger_store import AT, DEAL, GAME, NIGHT, STRANGERS, execute, fill, fine, forge, ledger, refused

from skachki_ledger import journal, store
from skachki_ledger.header import Header
from skachki_ledger.journal import Draft, Record
from skachki_ledger.rules import PRESETS

__all__ = ["ledger"]
HERE = Path(__file__).parent
OLD_LEDGERS = sorted((HERE / "data").glob("ledger-*.db"))
OTHER = ("r 1/4/3/2", "Vera 7c ww 7/2/1")
MORE = (*NIGHT, "Boris 7s wp 7/3")
ELSEWHERE = (*NIGHT[:2], 'note "another way"')

# ------------------------------------------------------------------ for all tests of keeping


LATER = """
import sys
from skachki_ledger import migrations, schema
from skachki_ledger.cli.main import run

TRIGGER = "CREATE TRIGGER more_is_never_changed BEFORE UPDATE ON more BEGIN SELECT RAISE(ABORT, 'no'); END"

@migrations.migrations()
def m002_more(db):
    db.execute("CREATE TABLE more (game TEXT, n INTEGER, text TEXT) STRICT")
    db.execute("INSERT INTO more SELECT game, n, payload FROM event")
    db.execute(TRIGGER)

schema.SCHEMAS["m002_more"] = schema.SCHEMAS["m001_journal"] | {"more_is_never_changed": TRIGGER}
sys.exit(run(sys.argv[1:]))
"""
"""The program as a later version might be, with one more migration: every ledger of today is old to it."""


def later_command(*arguments: str | Path) -> list[str]:
    """The command line that runs the later version."""
    return [sys.executable, "-c", LATER, *map(str, arguments)]


def later(home: Path, *arguments: str | Path) -> CompletedProcess[str]:
    """Run the later version as a process of its own."""
    command = later_command(*arguments)
    environment = clean_environment(home)
    return subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, check=False)


TOGETHER = """
import contextlib, io, json, sys
from skachki_ledger.cli.main import run

for words in json.load(sys.stdin):
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
        told = [stream.flush() or stream.buffer.getvalue().decode() for stream in (out, err)]
    print(json.dumps([code, *told]))
"""


def together(home: Path, commands: Sequence[Sequence[str | Path]]) -> list[CompletedProcess[str]]:
    """Run many commands in one process, where hundreds are asked for: what each gave."""
    words = json.dumps([[str(word) for word in command] for command in commands])
    ran = subprocess.run(
        [sys.executable, "-c", TOGETHER],
        input=words,
        env=clean_environment(home),
        cwd=home,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    return [CompletedProcess([], *json.loads(line)) for line in ran.stdout.splitlines()]


def journals(path: Path) -> dict[str, list[Record]]:
    """All games of a ledger, each checked."""
    with store.reading(str(path)) as connection:
        ids = store.all_game_ids(connection)
        return {game_id: store.records(connection, game_id) for game_id in ids}


def migrations_of(path: Path) -> list[str]:
    """The schema a file has, asked past the program."""
    with closing(sqlite3.connect(path)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]


def standings(skachki: Skachki, path: Path) -> list[str]:
    """What `standing --json` prints of each game."""
    ids = [game["id"] for game in json.loads(fine(skachki("games", "--json", "--db", path)))["games"]]
    return [fine(skachki("standing", "--json", "--game", game_id, "--db", path)) for game_id in ids]


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(os.listdir(folder))


def said_json(ran: CompletedProcess[str]) -> list[Any]:
    """JSON, one object a line."""
    return [json.loads(line) for line in fine(ran).splitlines()]


# ------------------------------------------------------------------ backup


def test_a_backup_is_the_whole_ledger(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    fill(ledger, OTHER, game_id="other222")
    before = ledger.read_bytes()
    assert fine(skachki("backup", "copy.db")) == "copy.db\n"
    copied = tmp_path / "copy.db"
    assert journals(copied) == journals(ledger)
    assert standings(skachki, copied) == standings(skachki, ledger)
    assert json.loads(fine(skachki("verify", "--json", "--db", copied)))["ok"] is True
    assert copied.stat().st_mode & 0o077 == 0
    assert ledger.read_bytes() == before
    fine(skachki(*DEAL, "--game", GAME, "--db", copied))
    assert names(tmp_path) == [".local", "copy.db"]


def test_a_backup_without_a_name_lies_beside_the_ledger(skachki: Skachki, ledger: Path) -> None:
    first = fine(skachki("backup")).strip()
    second, third = (said_json(skachki("backup", "--json"))[0] for _ in range(2))
    assert second["format"] == "skachki-backup/1"
    today = time.strftime("%Y-%m-%d")
    stems = [Path(path).name for path in (first, second["file"], third["file"])]
    assert stems == [f"ledger-{today}.db", f"ledger-{today}-2.db", f"ledger-{today}-3.db"]
    assert names(ledger.parent) == sorted(["ledger.db", *stems])


@pytest.mark.parametrize("taken", ["file", "folder", "dangling link", "another's journal"])
def test_a_backup_replaces_nothing(skachki: Skachki, ledger: Path, tmp_path: Path, taken: str) -> None:
    target = tmp_path / "taken.db"
    if taken == "folder":
        target.mkdir()
    elif taken == "file":
        target.write_text("mine")
    elif taken == "dangling link":
        target.symlink_to(tmp_path / "elsewhere.db")
    else:  # SQLite would play it back into the new file
        (tmp_path / "taken.db-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(504))
    before = names(tmp_path)
    refused(skachki, "backup", target, code="E324", facts=["taken.db"], file=ledger)
    assert names(tmp_path) == before
    if taken == "file":
        assert target.read_text() == "mine"


def test_a_backup_goes_where_there_is_a_folder(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    """A memory card that is not there must not become a folder on this disk."""
    refused(skachki, "backup", "card/copy.db", code="E329", facts=["card/copy.db"], file=ledger)
    assert names(tmp_path) == [".local"]


def test_a_damaged_ledger_makes_no_backup(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    """What is written is looked at before it is called a backup."""
    forge(ledger, "UPDATE event SET payload = 'r 1/4/4/1' WHERE n = 2")
    refused(skachki, "backup", "copy.db", code="E316", facts=[GAME], file=ledger)
    assert names(tmp_path) == [".local"]


@pytest.mark.usefixtures("ledger")
def test_backups_are_consistent_while_deals_are_written(skachki: Skachki, tmp_path: Path) -> None:
    loop = "import sys\nfrom skachki_ledger.cli.main import run\nwhile not run(sys.argv[1:]): pass"
    words = ("deal", "r", "3/3/3/1", "irregular", "on and on")
    environment = clean_environment(tmp_path)
    with subprocess.Popen([sys.executable, "-c", loop, *words], env=environment, stdout=-1) as writer:
        made = [tmp_path / f"{number}.db" for number in range(5)]
        for path in made:
            fine(skachki("backup", path))
        writer.kill()
    counts = [len(journals(path)[GAME]) for path in made]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


# ------------------------------------------------------------------ restore


def test_restore_where_there_is_no_ledger(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    """As on a new machine: even the folder is not there."""
    fine(skachki("backup", "copy.db"))
    wanted = standings(skachki, ledger)
    shutil.rmtree(tmp_path / ".local")
    assert fine(skachki("restore", "copy.db")) == ""
    assert standings(skachki, ledger) == wanted
    assert ledger.stat().st_mode & 0o077 == 0
    assert names(ledger.parent) == ["ledger.db"]
    fine(skachki(*DEAL))


def test_restore_where_the_backup_has_more(skachki: Skachki, tmp_path: Path) -> None:
    backup, path = fill(tmp_path / "backup.db", MORE), fill(tmp_path / "l.db", NIGHT)
    fill(backup, OTHER, game_id="other222")
    answer = said_json(skachki("restore", backup, "--db", path, "--json"))
    assert answer == [{"format": "skachki-restore/1", "file": str(path), "kept": None}]
    assert journals(path) == journals(backup)
    assert "other222" in fine(skachki("status", "--db", path))
    assert names(tmp_path) == ["backup.db", "l.db"]


LACKING: dict[str, Callable[[Path], object]] = {
    "the ledger went on": lambda path: fill(path, MORE),
    "the ledger went another way": lambda path: fill(path, ELSEWHERE),
    "another game": lambda path: (fill(path, NIGHT), fill(path, OTHER, game_id="other222")),
}


@pytest.mark.parametrize("kind", LACKING)
def test_restore_loses_nothing(skachki: Skachki, tmp_path: Path, kind: str) -> None:
    backup, path = fill(tmp_path / "backup.db"), tmp_path / "l.db"
    LACKING[kind](path)
    lacking = "other222" if kind == "another game" else GAME
    refused(skachki, "restore", backup, "--db", path, code="E333", facts=["l.db", lacking], file=path)
    before = journals(path)
    ran = skachki("restore", backup, "--force", "--db", path)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (0, "", 1)
    kept = Path(ran.stderr.rpartition(" ")[2].strip())
    assert kept.name == f"l-replaced-{time.strftime('%Y-%m-%d')}.db"
    assert journals(path) == journals(backup)
    assert journals(kept) == before
    assert names(tmp_path) == sorted(["backup.db", "l.db", kept.name])
    assert path.stat().st_mode & 0o077 == 0
    fine(skachki(*DEAL, "--db", path))


@pytest.mark.parametrize("damage", ["forged", "header", "cut", "cut, with a journal"])
def test_a_damaged_ledger_is_replaced_and_kept(skachki: Skachki, tmp_path: Path, damage: str) -> None:
    """A killed writer's journal does not stay: SQLite would play it back into the new file."""
    backup, path = fill(tmp_path / "backup.db"), fill(tmp_path / "l.db", MORE)
    data = path.read_bytes()
    if damage == "forged":
        forge(path, "UPDATE event SET payload = 'r 1/4/4/1' WHERE n = 2")
    elif damage == "header":
        path.write_bytes(bytes(100) + data[100:])
    else:
        path.write_bytes(data[:9000])
    if damage == "cut, with a journal":
        hot_journal(tmp_path / "another.db").rename(tmp_path / "l.db-journal")
        (tmp_path / "another.db").unlink()
    else:
        code = "E316" if damage == "forged" else "E332"
        refused(skachki, "restore", backup, "--db", path, code=code)
    old = path.read_bytes()
    answer = said_json(skachki("restore", backup, "--force", "--json", "--db", path))
    kept = Path(answer[0]["kept"])
    if damage == "forged":
        with closing(sqlite3.connect(kept)) as connection:
            rows = connection.execute("SELECT n, payload FROM event ORDER BY n").fetchall()
        assert rows[1] == (2, "r 1/4/4/1")
        assert len(rows) == len(MORE) + 1
    else:
        assert kept.read_bytes() == old or damage == "cut, with a journal"
    assert journals(path) == journals(backup)
    assert "l.db-journal" not in names(tmp_path)


def hot_journal(path: Path) -> Path:
    """Leave a ledger as a killed writer does, in the middle of a write; return its journal."""
    fill(path)
    script = (
        "import os, sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "c.execute('PRAGMA cache_size = 2')\n"
        "c.execute('BEGIN IMMEDIATE')\n"
        "for n in range(100, 300):\n"
        "    c.execute('INSERT INTO event (game, n, at, by, payload_version, payload, typed, prev, hash)'\n"
        '              \' VALUES (?, ?, "", "", 1, ?, "", "", "")\', (\'x\', n, \'x\' * 500))\n'
        "os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, path], check=False).returncode == -9
    journal_file = Path(f"{path}-journal")
    assert journal_file.stat().st_size > 4096
    return journal_file


BAD_BACKUPS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "missing": ("E310", lambda _path: None),
    "folder": ("E312", Path.mkdir),
    "text": ("E311", lambda path: path.write_text("Anna won.\n")),
    "cut": ("E332", lambda path: path.write_bytes(fill(path).read_bytes()[:20000])),
    "forged": ("E316", lambda path: forge(fill(path), "UPDATE event SET at = 'x' WHERE n = 2")),
    "a stranger's trigger": ("E317", lambda path: execute(fill(path), STRANGERS["trigger"][1])),
}


@pytest.mark.parametrize("kind", BAD_BACKUPS)
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
def test_a_bad_backup_replaces_nothing(
    skachki: Skachki, ledger: Path, tmp_path: Path, kind: str, force: tuple[str, ...]
) -> None:
    code, make = BAD_BACKUPS[kind]
    make(tmp_path / "backup.db")
    refused(skachki, "restore", "backup.db", *force, code=code, file=ledger, languages=["ru"])
    refused(skachki, "restore", "backup.db", *force, "--db", "no.db", code=code, languages=["en"])
    assert names(ledger.parent) == ["ledger.db"]
    assert not (tmp_path / "no.db").exists()


@pytest.mark.parametrize("command", ["restore", "merge"])
def test_a_ledger_is_no_backup_of_itself(
    skachki: Skachki, ledger: Path, tmp_path: Path, command: str
) -> None:
    """It would wait for itself, five seconds long."""
    (tmp_path / "link.db").symlink_to(ledger)
    for name in (ledger, "link.db"):
        refused(skachki, command, name, code="E338", file=ledger, languages=["en"])


def test_a_link_to_the_ledger_stays_one(skachki: Skachki, tmp_path: Path) -> None:
    (tmp_path / "synced").mkdir()
    backup, real = fill(tmp_path / "backup.db"), fill(tmp_path / "synced/l.db", MORE)
    link = tmp_path / "l.db"
    link.symlink_to(real)
    fine(skachki(*DEAL, "--db", link))
    fine(skachki("restore", backup, "--force", "--db", link))
    assert link.is_symlink()
    assert journals(real) == journals(backup)
    assert len(names(tmp_path / "synced")) == 2


# ------------------------------------------------------------------ merge


def test_merge(skachki: Skachki, tmp_path: Path) -> None:
    mine, theirs = fill(tmp_path / "mine.db"), fill(tmp_path / "theirs.db", MORE)
    fill(theirs, OTHER, game_id="other222")
    for path in (mine, theirs):
        fill(path, OTHER, game_id="same2222")
    fill(mine, MORE, game_id="long2222")
    fill(theirs, NIGHT, game_id="long2222")
    fill(mine, NIGHT, game_id="split222")
    fill(theirs, ELSEWHERE, game_id="split222")
    before, theirs_before = journals(mine), journals(theirs)
    ran = skachki("merge", theirs, "--db", mine)
    assert ran.returncode == 1
    assert ran.stdout.splitlines() == [
        "long2222: already here",
        f"{GAME}: 1 event more",
        "other222: taken in",
        "same2222: already here",
    ]
    assert ran.stderr.count("\n") == 1
    assert "split222" in ran.stderr
    assert "E327" in ran.stderr
    after = journals(mine)
    assert after.pop(GAME) == theirs_before[GAME]
    assert after.pop("other222") == theirs_before["other222"]
    before.pop(GAME)
    assert after == before
    assert journals(theirs) == theirs_before
    assert json.loads(fine(skachki("verify", "--json", "--db", mine)))["ok"] is True
    again = skachki("merge", theirs, "--db", mine, "--json")
    assert [(row["game"], row["new"]) for row in map(json.loads, again.stdout.splitlines())] == [
        ("long2222", 0),
        (GAME, 0),
        ("other222", 0),
        ("same2222", 0),
    ]


def test_merge_makes_no_ledger(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    refused(skachki, "merge", ledger, "--db", "no.db", code="E310", languages=["en"])
    refused(skachki, "merge", "no.db", code="E310", facts=["no.db"], file=ledger)
    assert not (tmp_path / "no.db").exists()


def test_a_damaged_game_is_not_taken_in_but_the_others_are(skachki: Skachki, tmp_path: Path) -> None:
    mine, theirs = fill(tmp_path / "mine.db"), fill(tmp_path / "theirs.db", game_id="bad22222")
    forge(theirs, "UPDATE event SET reason = 'x' WHERE n = 3")
    fill(theirs, game_id="good2222")
    ran = skachki("merge", theirs, "--db", mine)
    assert (ran.returncode, ran.stdout) == (1, "good2222: taken in\n")
    assert "bad22222" in ran.stderr
    assert "[E316]" in ran.stderr
    assert list(journals(mine)) == ["good2222", GAME]


OPENING = journal.draft_opening(Header(LATIN, 0, PRESETS["piter@1"]))
NONSENSE: dict[str, tuple[str, Sequence[Draft]]] = {
    "no such line": ("bad22222", [OPENING, Draft("dance", "dance")]),
    "a fifth seat deals": (
        "bad22222",
        [OPENING, Draft("r 2/4/3/1", "r", None, None, '{"dealer":5,"semester":1,"price":2}')],
    ),
    "an id of two lines": ("bad\x1b[2J\n", [OPENING]),
    "no opening": ("bad22222", [Draft("r 2/4/3/1", "r")]),
    "an escape sequence": ("bad22222", [OPENING, Draft('note "x"', "x", "\x1b[2J")]),
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_well_chained_nonsense_is_not_taken_in(skachki: Skachki, tmp_path: Path, kind: str) -> None:
    mine, theirs = fill(tmp_path / "mine.db"), fill(tmp_path / "theirs.db")
    game_id, drafts = NONSENSE[kind]
    with store.writing(str(theirs)) as connection:
        store.append(connection, game_id, [], drafts, "t", AT)
    before = journals(mine)
    ran = skachki("merge", theirs, "--db", mine)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, f"{GAME}: already here\n", 1)
    assert "\x1b" not in ran.stderr
    assert "[E316]" in ran.stderr
    assert journals(mine) == before


# ------------------------------------------------------------------ earlier schemas


@pytest.mark.parametrize("old", OLD_LEDGERS, ids=lambda path: path.stem)
def test_a_later_version_reads_an_old_ledger_and_changes_nothing(
    skachki: Skachki, tmp_path: Path, old: Path
) -> None:
    path = Path(shutil.copy(old, tmp_path / "l.db"))
    wanted = standings(skachki, path)
    ids = [json.loads(text)["game"]["id"] for text in wanted]
    for game_id, text in zip(ids, wanted, strict=True):
        assert fine(later(tmp_path, "standing", "--json", "--game", game_id, "--db", path)) == text
    for command in (("status",), ("log",), ("verify",), ("check",), ("deal", "--dry-run", "note", "x")):
        assert later(tmp_path, *command, "--game", ids[-1], "--db", path).stderr.count("Traceback") == 0
    assert "m002_more" not in migrations_of(path)
    assert path.read_bytes() == old.read_bytes()
    assert names(tmp_path) == ["l.db"]


@pytest.mark.parametrize("old", OLD_LEDGERS, ids=lambda path: path.stem)
def test_a_later_version_migrates_an_old_ledger_and_keeps_it(
    skachki: Skachki, tmp_path: Path, old: Path
) -> None:
    path = Path(shutil.copy(old, tmp_path / "l.db"))
    wanted = standings(skachki, path)
    ids = [json.loads(text)["game"]["id"] for text in wanted]
    ran = later(tmp_path, "use", ids[0], "--db", path)
    assert fine(ran) == f"{ids[0]}\n"
    kept = tmp_path / f"l-before-migration-{time.strftime('%Y-%m-%d')}.db"
    assert ran.stderr.count("\n") == 1
    assert str(kept) in ran.stderr
    assert migrations_of(path)[-1] == "m002_more"
    assert "m002_more" not in migrations_of(kept)
    assert standings(skachki, kept) == wanted
    assert kept.stat().st_mode & 0o077 == 0
    for game_id, text in zip(ids, wanted, strict=True):
        assert fine(later(tmp_path, "standing", "--json", "--game", game_id, "--db", path)) == text
    assert later(tmp_path, "use", ids[1], "--db", path).stderr == ""  # once is enough
    assert fine(later(tmp_path, "verify", "--db", path))
    assert names(tmp_path) == [kept.name, "l.db"]
    refused(skachki, "status", "--db", path, code="E314", file=path)
    refused(skachki, *DEAL, "--db", path, code="E314", file=path, languages=["en"])


def test_an_old_backup_can_be_gone_back_to(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    old = Path(shutil.copy(ledger, tmp_path / "old.db"))
    for target in ("new.db", str(ledger)):
        fine(later(tmp_path, "restore", old, "--db", target))
        assert fine(later(tmp_path, "standing", "--json", "--db", target)) == fine(
            skachki("standing", "--json", "--db", old)
        )
    fine(later(tmp_path, "merge", old, "--db", "new.db"))


@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_stranger_in_an_old_ledger_is_refused_before_it_is_migrated(
    tmp_path: Path, ledger: Path, stranger: str
) -> None:
    """A trigger would fire while the schema is brought up to date."""
    execute(ledger, *STRANGERS[stranger][1:])
    before = ledger.read_bytes()
    for command in (DEAL, ("status",), ("verify",)):
        ran = later(tmp_path, *command)
        assert (ran.returncode, ran.stdout) == (1, "")
        assert re.search(r"\[E3(17|36)\]$", ran.stderr.strip())
    assert ledger.read_bytes() == before
    assert names(ledger.parent) == ["ledger.db"]


def test_a_ledger_that_cannot_be_backed_up_is_not_migrated(tmp_path: Path, ledger: Path) -> None:
    forge(ledger, "UPDATE event SET payload = 'r 1/4/4/1' WHERE n = 2")
    before = ledger.read_bytes()
    ran = later(tmp_path, "new", *LATIN)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "[E316]" in ran.stderr
    assert ledger.read_bytes() == before
    assert names(ledger.parent) == ["ledger.db"]


# ------------------------------------------------------------------ docs/promises.md

PROMISES = (HERE.parent / "docs/promises.md").read_text(encoding="utf-8")


def test_every_promise_names_tests_that_are_there() -> None:
    items = re.findall(r"^- (.+(?:\n  .+)*)", PROMISES, re.MULTILINE)
    assert len(items) > 25
    for item in items:
        shown = re.findall(r"`(test_\w+\.py)::(test_\w+)`", item)
        assert shown, item
        for file, test in shown:
            assert f"\ndef {test}(" in (HERE / file).read_text(encoding="utf-8"), test
