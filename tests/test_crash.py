"""A ledger after what happens to programs and disks: kills, full disks, lost permissions, damage."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from conftest import SKACHKI, Skachki, clean_environment
from running import LATIN
from test_keeping import (
    LATER,
    MORE,
    OTHER,
    hot_journal,
    journals,
    later,
    migrations_of,
    names,
    together,
)
from test_ledger_store import DEAL, GAME, NIGHT, fill, fine, ledger, refused

from skachki_ledger import store
from skachki_ledger.journal import Record

__all__ = ["ledger"]
HERE = Path(__file__).parent
LONG = pytest.mark.long

# ------------------------------------------------------------------ killed at any moment

CHILD = """
import itertools, sys
from skachki_ledger.cli.main import run

db, begin, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
AGAIN = ("deal", "r", "3/3/3/1", "irregular", "whoever deals", "--db", db)

def done(*words):
    code = run(words)
    if code:
        sys.exit(code)

def deal(n):
    done(*AGAIN, "--id", str(n))

def undo(n):
    done("undo", "--db", db) if n % 2 else done(*AGAIN, "--id", str(n))

def import_(n):
    done("import", f"{folder}/game.skachki", "--db", db)

def backup(n):
    done("backup", f"{folder}/backup-{n}.db", "--db", db)

def new(n):
    done("new", "A", "B", "C", "D", "--db", f"{folder}/new-{n}.db")

def restore(n):
    done("restore", f"{folder}/{n % 2}.db", "--force", "--db", db)

def migrate(n):
    shutil.copy(f"{folder}/old.db", f"{folder}/migrated-{n}.db")
    print("ack copied", flush=True)
    done("use", "night222", "--db", f"{folder}/migrated-{n}.db")

for n in itertools.count(begin):
    {kind}(n)
    print(f"\\nack {n}", flush=True)
"""
"""A child that does one thing over and over and says each time that it is done."""


def child_script(kind: str) -> str:
    """The child of a kind; migrating is done by the later version."""
    script = CHILD.replace("{kind}", kind)
    if kind == "migrate":
        script = "import shutil\n" + LATER.replace("sys.exit(run(sys.argv[1:]))", "") + script
    return script


class Killing:
    """Children that do one thing over and over, each killed at a random moment."""

    def __init__(self, kind: str, folder: Path, seed: int) -> None:
        self.kind, self.folder, self.random = kind, folder, random.Random(f"{kind} {seed}")
        self.db = folder / "l.db"
        self.script = folder / f"{kind}.py"
        self.script.write_text(child_script(kind))
        self.hot = 0
        self.next = 0

    def once(self) -> list[int]:
        """Let a child work, kill it; return what it had acknowledged."""
        arguments = [sys.executable, str(self.script), str(self.db), str(self.next), str(self.folder)]
        environment = clean_environment(self.folder)
        child = subprocess.Popen(
            arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder
        )
        assert child.stdout is not None
        assert child.stderr is not None
        told = b""
        acks = self.random.randrange(3)
        while told.count(b"ack ") <= acks:
            more = os.read(child.stdout.fileno(), 65536)
            assert more, child.stderr.read().decode()
            told += more
        time.sleep(self.random.uniform(0, 0.012))
        child.kill()
        told += child.stdout.read()
        errors = child.stderr.read().decode()
        assert child.wait() == -9, errors
        child.stdout.close()
        child.stderr.close()
        lines = told.decode().splitlines(keepends=True)
        done = [int(line[4:]) for line in lines if line.startswith("ack ") and line[4:].strip().isdigit()]
        self.hot += any(name.endswith("-journal") for name in os.listdir(self.folder))
        self.next = max([self.next, *(n + 2 for n in done)])
        return done


def look_deals(run: Killing, done: Sequence[int]) -> None:
    """Every acknowledged deal is there, in order, and at most one more."""
    found = journals(run.db)[GAME]  # the chain is checked; what was left half done is rolled back
    ids = [int(record.client_id) for record in found if record.client_id]
    assert set(done) <= set(ids)
    assert ids == sorted(set(ids))
    assert len(set(ids) - set(done)) <= 1 + len(run_before(run, ids, done))


def run_before(run: Killing, ids: Sequence[int], done: Sequence[int]) -> list[int]:
    """Those recorded by earlier children."""
    first = min(done, default=run.next)
    return [n for n in ids if n < first]


def look_undos(run: Killing, done: Sequence[int]) -> None:
    """As many records as acknowledgements, and at most one more a child."""
    found = journals(run.db)[GAME]
    seen = [record for record in found if record.client_id or record.payload == "undo"]
    assert len(seen) >= len(done)
    assert {int(record.client_id) for record in found if record.client_id} >= {
        n for n in done if n % 2 == 0
    }


def look_imports(run: Killing, done: Sequence[int]) -> None:
    """Whole games alone, one for each acknowledgement at least."""
    games = journals(run.db)
    games.pop(GAME)
    assert {len(records) for records in games.values()} <= {len(IMPORTED) + 1}
    assert len(games) >= len(done)


def look_backups(run: Killing, done: Sequence[int]) -> None:
    """What has its name is whole."""
    made = set(run.folder.glob("backup-*.db"))
    assert {run.folder / f"backup-{n}.db" for n in done} <= made
    for path in made:
        assert journals(path) == journals(run.db)
        path.unlink()


def look_new(run: Killing, done: Sequence[int]) -> None:
    """Each is a ledger with its game, or can be begun once more."""
    for path in run.folder.glob("new-*.db"):
        if int(path.stem[4:]) not in done:
            assert together(run.folder, [("new", *LATIN, "--db", path)])[0].returncode == 0
        assert len(journals(path)) in (1, 2)
        path.unlink()


def look_restored(run: Killing, _done: Sequence[int]) -> None:
    """The one or the other, never a mixture; what was replaced is whole too."""
    known = [journals(run.folder / name) for name in ("0.db", "1.db", "begun.db")]
    for path in (run.db, *run.folder.glob("l-replaced-*.db")):
        assert journals(path) in known
        if path != run.db:
            path.unlink()


def look_migrated(run: Killing, done: Sequence[int]) -> None:
    """Old or new, with the same games; the later version goes on with it; each backup is whole."""
    wanted = journals(run.folder / "old.db")
    for path in run.folder.glob("migrated-*.db"):
        if not path.stem[9:].isdigit():
            continue
        for kept in run.folder.glob(f"{path.stem}-before-*.db"):
            assert journals(kept) == wanted
        if path.stat().st_size < (run.folder / "old.db").stat().st_size:
            continue  # killed while it was copied, which is the test's own doing
        if int(path.stem[9:]) in done:
            assert migrations_of(path)[-1] == "m002_more"
        fine(later(run.folder, *DEAL, "--game", GAME, "--db", path))
        fine(later(run.folder, "verify", "--db", path))
        assert migrations_of(path)[-1] == "m002_more"
    for path in run.folder.glob("migrated-*"):
        path.unlink()


LOOK: dict[str, Callable[[Killing, Sequence[int]], None]] = {
    "deal": look_deals,
    "undo": look_undos,
    "import_": look_imports,
    "backup": look_backups,
    "new": look_new,
    "restore": look_restored,
    "migrate": look_migrated,
}
IMPORTED = [*NIGHT[:2], *(f'note "{n}"' for n in range(40))]
SHORT_TIMES = {"deal": 30}
FEW = 4
"""Of each other kind where nobody has the time for more."""


def kill_over_and_over(kind: str, folder: Path, times: int, seed: int) -> Killing:
    """Kill so many children; look at the ledger after each."""
    fill(folder / "l.db", IMPORTED)
    shutil.copy(fill(folder / "old.db"), folder / "0.db")
    fill(folder / "1.db", MORE)
    shutil.copy(folder / "l.db", folder / "begun.db")
    for number in range(3):
        fill(folder / "old.db", IMPORTED, game_id=f"old{number}2222")
    game = "\n".join(['[Players "Anna, Boris, Vera, Gleb"]', '[Dealer "Anna"]', *IMPORTED, ""])
    (folder / "game.skachki").write_text(game)
    run = Killing(kind, folder, seed)
    acknowledged = 0
    for _ in range(times):
        done = run.once()
        acknowledged += len(done)
        LOOK[kind](run, done)
    assert acknowledged > 0 or kind == "migrate"
    assert fine(together(folder, [("verify", "--db", run.db)])[0])
    return run


@pytest.mark.parametrize("kind", LOOK)
def test_killed_at_any_moment(tmp_path: Path, kind: str) -> None:
    kill_over_and_over(kind, tmp_path, SHORT_TIMES.get(kind, FEW), 0)


@LONG
@pytest.mark.parametrize("kind", LOOK)
def test_killed_five_hundred_times(tmp_path: Path, kind: str) -> None:
    run = kill_over_and_over(kind, tmp_path, 500 if kind == "deal" else 100, 1)
    print(f"{kind}: {run.hot} children left a journal behind")
    assert run.hot > 0 or kind == "backup"


# ------------------------------------------------------------------ disk full, permissions, hot journals


def limited(home: Path, limit: int, *arguments: str | Path) -> CompletedProcess[str]:
    """Run the command where no file may grow beyond `limit` bytes, as on a full disk."""

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [SKACHKI, *map(str, arguments)],
        env=clean_environment(home) | {"PYTHONDONTWRITEBYTECODE": "1"},
        cwd=home,
        capture_output=True,
        encoding="utf-8",
        check=False,
        preexec_fn=limit_files,
    )


@pytest.mark.parametrize("limit", [0, 600, 5000, 30_000])
def test_on_a_full_disk_nothing_is_half_written(
    skachki: Skachki, ledger: Path, tmp_path: Path, limit: int
) -> None:
    fill(tmp_path / "other.db", [*MORE, *(f'note "{n}"' for n in range(200))])
    game = "\n".join(['[Players "Anna, Boris, Vera, Gleb"]', *IMPORTED, *IMPORTED[2:] * 4, ""])
    (tmp_path / "game.skachki").write_text(game)
    before, bytes_before = journals(ledger), ledger.read_bytes()
    long = " ".join(["a long reason"] * 30)
    for command in (
        ("deal", "note", long) if limit < 5000 else ("import", "game.skachki"),
        ("import", "game.skachki"),
        ("new", *LATIN, "--db", "new.db"),
        ("backup", "copy.db"),
        ("merge", "other.db"),
        ("restore", "other.db"),
        ("restore", "other.db", "--force"),
        ("recover", "other.db", "-o", "new.db"),
    ):
        ran = limited(tmp_path, limit, *command)
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1), (command, ran)
        assert "[E329]" in ran.stderr, (command, ran.stderr)
        assert journals(ledger) == before, command
        assert not (tmp_path / "copy.db").exists()
        if (tmp_path / "new.db").exists():
            (tmp_path / "new.db").unlink()
    assert ledger.read_bytes() == bytes_before
    assert [name for name in os.listdir(ledger.parent) if "part" in name] == []
    fine(skachki(*DEAL))
    fine(skachki("import", "game.skachki"))


def test_a_full_disk_at_the_first_game(skachki: Skachki, tmp_path: Path) -> None:
    ran = limited(tmp_path, 8192, "new", *LATIN)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "[E329]" in ran.stderr
    refused(skachki, "status", code="E310")
    fine(skachki("new", *LATIN))
    fine(skachki("deal", "r", "2/4/3/1"))


READERS = (
    ("status",),
    ("games",),
    ("standing",),
    ("log",),
    ("verify",),
    ("export",),
    ("backup", "copy.db"),
)


@pytest.mark.parametrize("command", [*READERS, DEAL], ids=lambda command: command[0])
def test_what_a_killed_writer_left_is_rolled_back(
    skachki: Skachki, tmp_path: Path, command: tuple[str, ...]
) -> None:
    path = tmp_path / "l.db"
    journal_file = hot_journal(path)
    fine(skachki(*command, "--db", path))
    assert not journal_file.exists()
    assert [record.n for record in journals(path)[GAME]] == list(range(1, 6 + (command == DEAL)))
    assert list(journals(path)) == [GAME]


def unprivileged(home: Path, *arguments: str | Path) -> CompletedProcess[str]:
    """Run the command where permissions count: root gives its right to pass over them away."""
    command = [str(SKACHKI), *map(str, arguments)]
    if os.geteuid() == 0:
        rights = "-dac_override,-dac_read_search"
        command = ["setpriv", "--bounding-set", rights, "--inh-caps", rights, *command]
    environment = clean_environment(home)
    return subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, check=False)


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may do everything")
def test_a_hot_journal_where_nothing_may_be_written(tmp_path: Path) -> None:
    """It cannot be rolled back, so what the file holds is no state of the ledger: that is said."""
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "l.db"
    hot_journal(path)
    try:
        for file_mode, folder_mode in ((0o444, 0o555), (0o444, 0o755), (0o644, 0o555)):
            path.chmod(file_mode)
            folder.chmod(folder_mode)
            for command in (("status",), ("verify",), DEAL):
                ran = unprivileged(tmp_path, *command, "--db", path)
                assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1), ran
                assert "E339]" in ran.stderr or "E329]" in ran.stderr, ran.stderr
                assert "l.db" in ran.stderr
    finally:
        folder.chmod(0o755)
        path.chmod(0o644)
    assert GAME in fine(unprivileged(tmp_path, "status", "--db", path))
    assert len(journals(path)[GAME]) == 5


# ------------------------------------------------------------------ damage

PAGE = 4096
HEADER_MAX = 120
"""More bytes than SQLite's header of a row, the game's id, the time and the author take."""


def three_games(path: Path) -> Path:
    """A ledger of three games, one of them of several pages, one with a text of more than a page."""
    fill(path, NIGHT)
    long = " ".join(["many words"] * 30)
    fill(path, [*OTHER, *(f'note "{n} {long}"' for n in range(60))], game_id="long2222")
    fill(path, OTHER, game_id="other222")
    return path


def spans(data: bytes, records: Sequence[Record]) -> Iterator[list[tuple[int, int]]]:
    """Where each record's values lie in the file; a page that was split can still hold a second copy."""
    for record in records:
        values = "".join(text for text in record[4:] if isinstance(text, str)).encode()
        found = [match.start() for match in re.finditer(re.escape(values), data)]
        assert found
        yield [(start, start + len(values)) for start in found]


def damaged(data: bytes, kind: str, dice: random.Random) -> tuple[bytes, int, int]:
    """Damaged bytes, and from where to where they are."""
    at = dice.randrange(len(data))
    if kind == "cut":
        at = max(at, 100)
        return data[:at], at, len(data)
    if kind == "zeroed page":
        start = at // PAGE * PAGE
        return data[:start] + bytes(PAGE) + data[start + PAGE :], start, start + PAGE
    if kind == "foreign bytes":
        return data[:at] + dice.randbytes(64) + data[at + 64 :], at, at + 64
    return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :], at, at + 1


def first_hit(data: bytes, records: Sequence[Record], start: int, end: int) -> tuple[int, int]:
    """How many records before the first that may be, and that surely is, damaged; `data` is whole."""
    may = sure = len(records)
    for place, copies in reversed(list(enumerate(spans(data, records)))):
        if all(low < end and start < high for low, high in copies):
            sure = place
        if any(low - HEADER_MAX < end and start < high for low, high in copies):
            may = place
    return may, sure


def damage_and_look(tmp_path: Path, kind: str, times: int, seed: int) -> None:
    """Damage a ledger at random again and again: it is refused or right, and what can be is recovered."""
    dice = random.Random(f"{kind} {seed}")
    path = three_games(tmp_path / "good.db")
    data, games = path.read_bytes(), journals(path)
    places = []
    commands: list[tuple[str | Path, ...]] = [("standing", "--json", "--db", path)]
    for number in range(times):
        bad, start, end = damaged(data, kind, dice)
        places.append((start, end, bad != data))
        (tmp_path / f"{number}.db").write_bytes(bad)
        db = ("--db", f"{number}.db")
        commands += [("standing", "--json", *db), ("games", *db), ("verify", "--json", *db)]
        commands += [("recover", f"{number}.db", "-o", f"new-{number}.db", "--json")]
        commands += [("verify", "--db", f"new-{number}.db")]
    wanted, *every = together(tmp_path, commands)
    for number, (start, end, is_changed) in enumerate(places):
        standing, listed, verified, recovered, again = every[number * 5 : number * 5 + 5]
        where = (kind, number, start, end)
        for ran in (standing, listed, verified):
            assert "Traceback" not in ran.stderr, (where, ran)
            if ran.returncode and ran is not verified:
                assert re.findall(r"E\d{3}", ran.stderr)[-1] in DAMAGE_CODES, (where, ran.stderr)
        if standing.returncode == 0:
            assert standing.stdout == wanted.stdout, where
        counted = {row["game"]: row for row in map(json.loads, recovered.stdout.splitlines())}
        if recovered.returncode:
            assert "E334" in recovered.stderr, where
            assert max(first_hit(data, records, start, end)[0] for records in games.values()) == 0, where
            continue
        assert again.returncode == 0, (where, again)
        saved = journals(tmp_path / f"new-{number}.db")
        hits = 0
        for game_id, records in games.items():
            may, sure = first_hit(data, records, start, end)
            hits += sure < len(records)
            kept = saved.get(game_id, [])
            assert may <= len(kept) <= sure, (where, game_id, may, sure)
            assert kept == records[: len(kept)]
            if game_id in counted and counted[game_id]["counted"]:
                assert counted[game_id]["saved"] == len(kept)
                assert counted[game_id]["lost"] >= (len(records) - len(kept)) * (kind == "bit")
        if hits and is_changed:
            assert verified.returncode == 1, where


DAMAGE_CODES = {"E310", "E311", "E314", "E316", "E319", "E328", "E332", "E335"}
KINDS = ("cut", "zeroed page", "bit", "foreign bytes")


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_told_and_what_can_be_is_saved(tmp_path: Path, kind: str) -> None:
    damage_and_look(tmp_path, kind, 25, 0)


@LONG
@pytest.mark.parametrize("kind", KINDS)
def test_much_damage(tmp_path: Path, kind: str) -> None:
    damage_and_look(tmp_path, kind, 400, 1)


def test_recover_says_what_is_saved_and_what_is_lost(
    skachki: Skachki, ledger: Path, tmp_path: Path
) -> None:
    fill(ledger, OTHER, game_id="other222")
    data = ledger.read_bytes()
    at = data.index(b"4 gora")
    ledger.write_bytes(data[:at] + b"9" + data[at + 1 :])
    before = ledger.read_bytes()
    refused(skachki, "status", "--game", GAME, code="E316", facts=[GAME, "4"], file=ledger)
    told = fine(skachki("recover", ledger, "-o", "new.db"))
    assert told.splitlines() == [
        f"{GAME}: 3 events saved, 2 events lost after that",
        "other222: 3 events saved",
    ]
    assert ledger.read_bytes() == before
    assert {game_id: len(found) for game_id, found in journals(tmp_path / "new.db").items()} == {
        GAME: 3,
        "other222": 3,
    }
    assert fine(skachki("verify", "--db", "new.db"))
    fine(skachki("deal", "note", "on", "--db", "new.db", "--game", GAME))
    assert (tmp_path / "new.db").stat().st_mode & 0o077 == 0
    refused(skachki, "recover", ledger, "-o", "new.db", code="E324", facts=["new.db"], languages=["en"])


def test_recover_leaves_a_damaged_ledger_and_its_journal_alone(skachki: Skachki, tmp_path: Path) -> None:
    path = tmp_path / "l.db"
    journal_file = hot_journal(path)
    before = path.read_bytes(), journal_file.read_bytes()
    assert fine(skachki("recover", path, "-o", "new.db")) == f"{GAME}: 5 events saved\n"
    assert (path.read_bytes(), journal_file.read_bytes()) == before
    assert list(journals(tmp_path / "new.db")) == [GAME]


def test_recover_without_anything_to_save(skachki: Skachki, tmp_path: Path) -> None:
    (tmp_path / "zeros.db").write_bytes(bytes(20000))
    with closing(sqlite3.connect(tmp_path / "strange.db")) as connection:
        connection.execute("CREATE TABLE event (x)")
    for name in ("zeros.db", "strange.db"):
        refused(skachki, "recover", name, "-o", "new.db", code="E334", facts=[name])
    refused(skachki, "recover", "gone.db", "-o", "new.db", code="E310", facts=["gone.db"], languages=["ru"])
    assert names(tmp_path) == ["strange.db", "zeros.db"]


def test_recover_of_a_whole_ledger_is_the_ledger(skachki: Skachki, tmp_path: Path) -> None:
    for old in sorted((HERE / "data").glob("ledger-*.db")):
        new = tmp_path / f"new-{old.name}"
        fine(skachki("recover", old, "-o", new))
        assert journals(new) == journals(old)
    large = three_games(tmp_path / "l.db")
    with closing(sqlite3.connect(large)) as connection:
        connection.execute("PRAGMA page_size = 1024")
        connection.execute("VACUUM")
    fine(skachki("recover", large, "-o", "vacuumed.db"))
    assert journals(tmp_path / "vacuumed.db") == journals(large)
    with store.reading(str(large)) as connection:
        assert connection.execute("PRAGMA page_size").fetchone() == (1024,)
