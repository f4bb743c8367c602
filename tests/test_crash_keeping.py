"""Commands that keep ledgers, killed at any moment: `merge`, `recover`, `restore`, `backup`, `import`.

Each of them writes in one transaction, or writes a file aside and then gives it its name. So a kill
leaves all or nothing: the ledger is as it was or as it was to be, what it was made from has not
changed by a byte, and the same command again brings it to where it would have been without the kill.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, NamedTuple

import pytest
from conftest import clean_environment
from test_crash import IMPORTED, LONG
from test_keeping import ELSEWHERE, MORE, OTHER, hot_journal, names, together
from test_ledger_store import GAME, NIGHT, fill

from skachki_ledger import journalfile, store
from skachki_ledger.errors import LedgerError
from skachki_ledger.journal import Record

# ------------------------------------------------------------------ the commands


class Kind(NamedTuple):
    """A command: what lies in its folder at first, its words there, and the ledger it writes.

    What lies there at first and is not that ledger is a source.
    """

    begin: Callable[[Path], object]
    words: Callable[[Path], tuple[str | Path, ...]]
    target: str = "l.db"


def two_ledgers(here: Path) -> None:
    """The other has games alone, has more of one, less of one, and one otherwise: that is refused."""
    mine, theirs = fill(here / "l.db"), fill(here / "other.db", MORE)
    fill(mine, MORE, game_id="less2222")
    fill(theirs, NIGHT, game_id="less2222")
    fill(mine, NIGHT, game_id="split222")
    fill(theirs, ELSEWHERE, game_id="split222")
    for number in range(4):
        fill(theirs, IMPORTED, game_id=f"new{number}2222")


def damaged_ledger(here: Path) -> None:
    """One game is damaged, and a writer was killed while he wrote another."""
    path = fill(here / "bad.db", IMPORTED, game_id="long2222")
    data = path.read_bytes()
    at = data.index(b'note "20"')
    path.write_bytes(data[:at] + b"N" + data[at + 1 :])
    fill(path, OTHER, game_id="other222")
    hot_journal(path)


def backup_with_more(here: Path) -> None:
    """A backup that has all the ledger has."""
    fill(fill(here / "backup.db", MORE), IMPORTED, game_id="long2222")


def backup_with_more_and_a_ledger(here: Path) -> None:
    """What the backup has beyond the ledger is added to it."""
    backup_with_more(here)
    fill(here / "l.db")


def backup_with_less(here: Path) -> None:
    """A backup that lacks something: the ledger is replaced by force, and is kept.

    It is larger than the ledger, so that a limit on sizes can stop the one and not the other.
    """
    fill(fill(here / "backup.db"), IMPORTED + IMPORTED[2:] * 2, game_id="long2222")
    fill(fill(here / "l.db", MORE), OTHER, game_id="mine2222")


def ledger_cut_short(here: Path) -> None:
    """A ledger SQLite cannot open: the file itself is kept."""
    backup_with_less(here)
    (here / "l.db").write_bytes((here / "l.db").read_bytes()[:9000])


def journal_export(here: Path) -> None:
    """A game that has gone on elsewhere, as a text."""
    with store.reading(str(fill(here / "far.db", [*NIGHT, *IMPORTED[2:]]))) as connection:
        text = journalfile.write(store.records(connection, GAME))
    (here / "game.jsonl").write_text(text, encoding="utf-8")
    fill(fill(here / "l.db"), OTHER, game_id="other222")


def restore(*options: str) -> Callable[[Path], tuple[str | Path, ...]]:
    """The words of `restore`."""
    return lambda here: ("restore", here / "backup.db", *options, "--db", here / "l.db")


KINDS = {
    "merge": Kind(two_ledgers, lambda here: ("merge", here / "other.db", "--db", here / "l.db")),
    "recover": Kind(
        damaged_ledger, lambda here: ("recover", here / "bad.db", "-o", here / "new.db"), "new.db"
    ),
    "restore, adding": Kind(backup_with_more_and_a_ledger, restore()),
    "restore, anew": Kind(backup_with_more, restore()),
    "restore, replacing": Kind(backup_with_less, restore("--force")),
    "restore, replacing damage": Kind(ledger_cut_short, restore("--force")),
    "backup": Kind(
        backup_with_more, lambda here: ("backup", here / "copy.db", "--db", here / "backup.db"), "copy.db"
    ),
    "import": Kind(journal_export, lambda here: ("import", here / "game.jsonl", "--db", here / "l.db")),
}

# ------------------------------------------------------------------ the kills

CHILD = """
import contextlib, io, json, os, resource, signal, sqlite3, sys, time, traceback
from skachki_ledger.cli.main import run

calls = last = 0
watched, before, changes = None, [], []

def files(folder):
    found = [(file.name, file.stat()) for file in os.scandir(folder)]
    return sorted((name, status.st_size, status.st_mtime_ns) for name, status in found)

def count(_frame, _event, function):
    global calls, before
    owner = getattr(function, "__self__", None)
    is_sql = isinstance(owner, (sqlite3.Connection, sqlite3.Cursor))
    if is_sql or getattr(owner, "__name__", "") in ("posix", "_sqlite3"):
        calls += 1
        if calls == last:
            os.kill(os.getpid(), signal.SIGKILL)
        if watched and before != (now := files(watched)):
            before = now
            changes.append(calls)

def whole(words, folder):
    global calls, watched, before
    calls, began, watched, before = 0, time.monotonic(), folder, files(folder)
    changes.clear()
    out, err = (io.TextIOWrapper(io.BytesIO()) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        sys.setprofile(count)
        code = run(words)
        sys.setprofile(None)
    watched = None
    return code, changes, calls, time.monotonic() - began

def killed(words, told, way, at):
    global calls, last
    child = os.fork()
    if child == 0:
        try:
            for stream in (1, 2):
                os.dup2(os.open(told, os.O_WRONLY | os.O_APPEND), stream)
            sys.stdout.reconfigure(line_buffering=True)
            if way == "call":
                calls, last = 0, at
                sys.setprofile(count)
            if way == "byte":
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                resource.setrlimit(resource.RLIMIT_FSIZE, (at, at))
            run(words)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    if way == "moment":
        time.sleep(at)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

for line in sys.stdin:
    name, *arguments = json.loads(line)
    print(json.dumps({"whole": whole, "killed": killed}[name](*arguments)), flush=True)
"""
"""A child that loads the program once and runs commands in forks of itself, each killed in a way.

`call`: before or after its n-th call of SQLite or of the system; a profiler sees them all, so none can be
left out, and in a first run without a kill it also sees after which of them the folder has changed.
`byte`: where a file would grow beyond so many bytes, which is in the middle of what SQLite does within
one call; the system kills it there, with another signal. `moment`: after so many seconds.
"""


class Times(NamedTuple):
    """How often to kill: at every call, or after each that changed something; and at bytes and moments."""

    is_at_every_call: bool
    bytes: int
    moments: int


FEW = Times(False, 3, 1)
SOME = Times(False, 7, 4)
"""For `merge` and `recover`, of which test_crash.py kills none."""
MANY = Times(True, 60, 200)


class Kill(NamedTuple):
    """How a command was killed, its exit code, and what it had said by then."""

    way: str
    at: float
    code: int
    told: str


class Child:
    """The child at work: asked by a line, it answers by one."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def ask(self, *question: object) -> Any:
        """Let it do one thing."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(question, default=str), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


@contextmanager
def a_child(home: Path) -> Iterator[Child]:
    """Start the child; what `recover` cannot clear away when it is killed stays in `home` too."""
    (home / "temp").mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", CHILD],
        env=clean_environment(home) | {"TMPDIR": str(home / "temp")},
        cwd=home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        yield Child(process)


# ------------------------------------------------------------------ what they leave


class Games(NamedTuple):
    """All that a ledger has, every game checked."""

    journals: dict[str, list[Record]]
    current: str


Contents = Games | bytes | None


def contents(path: Path) -> Contents:
    """What a ledger has; the bytes of what is none; None where there is no file."""
    if not path.exists():
        return None
    try:
        with store.reading(str(path)) as connection:
            ids = store.all_game_ids(connection)
            found = {game_id: store.records(connection, game_id) for game_id in ids}
            return Games(found, store.current_or_none(connection))
    except LedgerError:
        return path.read_bytes()


class Proof:
    """A command killed many times, each time in a folder of its own, and what is to be seen there."""

    def __init__(self, kind: Kind, home: Path) -> None:
        self.kind, self.home, self.start = kind, home, home / "start"
        self.start.mkdir()
        kind.begin(self.start)
        self.sources = {
            name: (self.start / name).read_bytes() for name in names(self.start) if name != kind.target
        }
        self.before = contents(self.start / kind.target)
        self.after: Contents = None
        self.code = 0
        self.kills: list[Kill] = []
        self.found: list[Contents] = []
        self.leftovers = 0

    def folder(self, name: str) -> Path:
        """A new folder as it is at first."""
        return Path(shutil.copytree(self.start, self.home / name))

    def kill(self, times: Times, seed: int) -> None:
        """Let the command come to its end once, then kill it so often in each way."""
        with a_child(self.home) as child:
            warm, whole = self.folder("warm"), self.folder("whole")
            child.ask("whole", self.kind.words(warm), warm)  # what it loads late is loaded now
            self.code, changes, calls, seconds = child.ask("whole", self.kind.words(whole), whole)
            self.after = contents(whole / self.kind.target)
            size = (whole / self.kind.target).stat().st_size
            dice = random.Random(seed)
            for number, (way, at) in enumerate(points(times, changes, calls, size, seconds, dice)):
                told = self.home / f"{number}.told"
                told.touch()
                code = child.ask("killed", self.kind.words(self.folder(str(number))), told, way, at)
                self.kills.append(Kill(way, at, code, told.read_text(encoding="utf-8")))

    def look(self) -> None:
        """Look at what each kill left, run the command again there, and look again.

        The first look is at a copy: it is the command itself that has to cope with what was left.
        """
        asked: list[Sequence[str | Path]] = []
        for number in range(len(self.kills)):
            here = self.home / str(number)
            seen = Path(shutil.copytree(here, self.home / f"{number}-seen"))
            self.leftovers += any(".part-" in name or name == self.journal for name in names(here))
            asked.append(("verify", "--db", seen / self.kind.target))
            asked.append(self.kind.words(here))
            asked.append(("verify", "--db", here / self.kind.target))
        ran = together(self.home, asked)
        for number, kill in enumerate(self.kills):
            here, seen = self.home / str(number), self.home / f"{number}-seen"
            verified, again, verified_again = ran[number * 3 : number * 3 + 3]
            found = self.look_at(seen, kill)
            assert verified.returncode == 0 or not isinstance(found, Games), (kill, verified)
            assert again.returncode == self.code or self.is_there_already(found, again), (kill, again)
            assert self.look_at(here, kill) == self.after, (kill, again)
            assert verified_again.returncode == 0, (kill, verified_again)
            assert self.journal not in names(here)
            self.found.append(found)
            shutil.rmtree(here)
            shutil.rmtree(seen)

    @property
    def journal(self) -> str:
        """The name of SQLite's rollback journal of the ledger, which a kill in a transaction leaves."""
        return f"{self.kind.target}-journal"

    def is_there_already(self, found: Contents, again: CompletedProcess[str]) -> bool:
        """Whether a command that makes a new file refused since the killed one had made it."""
        is_made = self.before is None and found == self.after
        return is_made and again.returncode == 1 and "[E324]" in again.stderr

    def look_at(self, here: Path, kill: Kill) -> Contents:
        """What the ledger has: all or nothing. Sources are as they were, nothing else has come or gone."""
        target = here / self.kind.target
        found = contents(target)
        assert found in (self.before, self.after), kill
        if found is not None and found == self.before:
            assert target.read_bytes() == (self.start / self.kind.target).read_bytes(), kill
        assert "Traceback" not in kill.told, kill
        assert found == self.after or not kill.told, kill  # it says only what is so
        for name, data in self.sources.items():
            assert (here / name).read_bytes() == data, (kill, name)
        known = {*self.sources, self.kind.target, self.journal}
        others = [name for name in names(here) if name not in known and ".part-" not in name]
        kept = [contents(here / name) for name in others]
        if "--force" in self.kind.words(here):
            assert all(name.startswith("l-replaced-") for name in others), (kill, others)
            assert all(one in (self.before, self.after) for one in kept), kill
            assert self.before in (found, *kept), kill
        else:
            assert others == [], kill
        return found


def points(
    times: Times, changes: Sequence[int], calls: int, size: int, seconds: float, dice: random.Random
) -> Iterator[tuple[str, float]]:
    """Where to kill a command that makes so many calls and so large a ledger, in so long."""
    some = changes[:: len(changes) // 30 + 1]  # a sound program makes ten; a broken one may make hundreds
    for call in range(1, calls + 1) if times.is_at_every_call else (1, *some, calls):
        yield "call", call
    for number in range(times.bytes):
        yield "byte", size * (number + 1) // (times.bytes + 1)
    for _ in range(times.moments):
        yield "moment", dice.uniform(0, seconds)


def kill_and_look(kind: Kind, home: Path, times: Times, seed: int) -> Proof:
    """Kill a command so often and look at what is left; make sure that the kills were no empty show."""
    proof = Proof(kind, home)
    proof.kill(times, seed)
    proof.look()
    assert {kill.code for kill in proof.kills if kill.way == "call"} == {-signal.SIGKILL}
    assert -signal.SIGXFSZ in {kill.code for kill in proof.kills if kill.way == "byte"}
    assert proof.before != proof.after
    assert proof.before in proof.found
    assert proof.after in proof.found
    assert proof.leftovers > 0
    return proof


@pytest.mark.parametrize("name", KINDS)
def test_killed_while_keeping(tmp_path: Path, name: str) -> None:
    kill_and_look(KINDS[name], tmp_path, SOME if name in ("merge", "recover") else FEW, 0)


@LONG
@pytest.mark.parametrize("name", KINDS)
def test_killed_at_every_call_while_keeping(tmp_path: Path, name: str) -> None:
    proof = kill_and_look(KINDS[name], tmp_path, MANY, 1)
    done = sum(found == proof.after for found in proof.found)
    print(f"{name}: {len(proof.kills)} kills, {proof.leftovers} left something, {done} came too late")
