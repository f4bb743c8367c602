"""Several programs at one ledger: nothing lost, nothing doubled, nobody turned away too soon."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from conftest import Skachki, clean_environment, run_skachki
from running import LATIN
from test_keeping import OLD_LEDGERS, journals, later, migrations_of, names, standings
from test_ledger_store import DEAL, GAME, NIGHT, fill, fine, ledger

from skachki_ledger import store

__all__ = ["ledger"]
WRITERS = 8


def at_once(jobs: Sequence[Callable[[], CompletedProcess[str]]]) -> list[CompletedProcess[str]]:
    """Start all commands at the same moment, each a process; what they gave."""
    start = threading.Barrier(len(jobs))

    def one(job: Callable[[], CompletedProcess[str]]) -> CompletedProcess[str]:
        start.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(one, jobs))


def write_all(home: Path, deals: int, readers: int) -> None:
    """Eight writers, each a process a deal, and readers as long as they write."""
    ended = threading.Event()
    counts: list[list[int]] = [[] for _ in range(readers)]

    def write(writer: int) -> None:
        for deal in range(deals):
            options = ("--id", f"{writer}-{deal}") if deal % 2 else ()
            words = ("deal", "note", f"{writer}-{deal}", *options, "--by", f"w{writer}")
            seconds, ran = timed(home, *words)
            while "[E315]" in ran.stderr:  # an overloaded machine: it has waited, and has written nothing
                assert seconds >= store.WAIT_SECONDS
                seconds, ran = timed(home, *words)
            assert (ran.returncode, ran.stderr) == (0, ""), ran

    def read(reader: int) -> None:
        commands = (("log", "--json"), ("verify", "--json"), ("status", "--json"))
        while not ended.is_set():
            for command in commands:
                seconds, ran = timed(home, *command)
                if "[E315]" in ran.stderr:
                    assert seconds >= store.WAIT_SECONDS
                    continue
                assert (ran.returncode, ran.stderr) == (0, ""), ran
                if command[0] == "log":
                    counts[reader].append(len(json.loads(ran.stdout)["events"]))

    with ThreadPoolExecutor(WRITERS + readers) as pool:
        reading = [pool.submit(read, reader) for reader in range(readers)]
        writing = [pool.submit(write, writer) for writer in range(WRITERS)]
        try:
            for job in writing:
                job.result()
        finally:
            ended.set()
        for job in reading:
            job.result()
    for seen in counts:
        assert seen == sorted(seen)


def check_written(path: Path, deals: int) -> None:
    """Each of them once, each writer's in the order in which he wrote; the chain is whole."""
    added = journals(path)[GAME][len(NIGHT) + 1 :]
    assert len(added) == WRITERS * deals
    for writer in range(WRITERS):
        own = [record.typed for record in added if record.by == f"w{writer}"]
        assert own == [f"note {writer}-{deal}" for deal in range(deals)]


def test_eight_write_and_others_read(ledger: Path, tmp_path: Path) -> None:
    write_all(tmp_path, 4, 2)
    check_written(ledger, 4)


@pytest.mark.long
def test_eight_write_forty_each(ledger: Path, tmp_path: Path) -> None:
    write_all(tmp_path, 40, 3)
    check_written(ledger, 40)


def test_the_same_id_from_eight_is_one_deal(ledger: Path, tmp_path: Path) -> None:
    jobs = [lambda: run_skachki(tmp_path, *DEAL, "--id", "one", "--json")] * WRITERS
    told = [json.loads(fine(ran)) for ran in at_once(jobs)]
    assert sum("known" not in one for one in told) == 1
    assert {one["event"]["event"] for one in told} == {6}
    assert [record.client_id for record in journals(ledger)[GAME]] == [None] * 5 + ["one"]


def test_of_eight_who_saw_the_same_one_writes(ledger: Path, tmp_path: Path) -> None:
    """With --expect a deal is written only on what its writer has seen; the others are told what came."""
    jobs = [lambda: run_skachki(tmp_path, *DEAL, "--expect", "3")] * WRITERS
    every = at_once(jobs)
    assert sorted(ran.returncode for ran in every) == [0] + [1] * (WRITERS - 1)
    assert all("[E320]" in ran.stderr for ran in every if ran.returncode)
    assert len(journals(ledger)[GAME]) == 6


def test_eight_begin_the_first_game_at_once(tmp_path: Path) -> None:
    jobs = [lambda: run_skachki(tmp_path, "new", *LATIN, "--db", "folder/l.db")] * WRITERS
    ids = [fine(ran).strip() for ran in at_once(jobs)]
    assert sorted(journals(tmp_path / "folder/l.db")) == sorted(set(ids))
    assert len(set(ids)) == WRITERS
    assert names(tmp_path / "folder") == ["l.db"]


@pytest.mark.parametrize("old", OLD_LEDGERS, ids=lambda path: path.stem)
def test_three_migrate_an_old_ledger_at_once(skachki: Skachki, tmp_path: Path, old: Path) -> None:
    path = Path(shutil.copy(old, tmp_path / "l.db"))
    wanted = standings(skachki, path)
    ids = [json.loads(text)["game"]["id"] for text in wanted]
    every = at_once([lambda: later(tmp_path, "use", ids[0], "--db", path)] * 3)
    assert [ran.returncode for ran in every] == [0, 0, 0], every
    assert "Traceback" not in "".join(ran.stderr for ran in every)
    assert migrations_of(path)[-1] == "m002_more"
    assert len(names(tmp_path)) == 2  # one of them has made the backup
    assert fine(later(tmp_path, "standing", "--json", "--game", ids[0], "--db", path)) == wanted[0]


HOLDER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
"""


def held(path: Path, seconds: float) -> subprocess.Popen[str]:
    """A process that holds the ledger for itself so long."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, path, str(seconds)], stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


COMMANDS = (
    ("deal", "note", "x"),
    ("status",),
    ("undo",),
    ("backup", "copy.db"),
    ("verify",),
    ("use", GAME),
)


def timed(home: Path, *arguments: str) -> tuple[float, CompletedProcess[str]]:
    """Run a command; how long it took."""
    began = time.monotonic()
    ran = run_skachki(home, *arguments)
    return time.monotonic() - began, ran


def test_a_busy_ledger_is_waited_for(ledger: Path, tmp_path: Path) -> None:
    with held(ledger, 2), ThreadPoolExecutor(len(COMMANDS)) as pool:
        every = list(pool.map(lambda command: timed(tmp_path, *command), COMMANDS))
    for seconds, ran in every:
        assert (ran.returncode, seconds > 1) == (0, True), ran


def test_only_after_five_seconds_one_is_turned_away(ledger: Path, tmp_path: Path) -> None:
    before = ledger.read_bytes()
    with held(ledger, 600) as holder, ThreadPoolExecutor(len(COMMANDS)) as pool:
        every = list(pool.map(lambda command: timed(tmp_path, *command), COMMANDS))
        holder.kill()
    for seconds, ran in every:
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
        assert "[E315]" in ran.stderr
        assert 5 <= seconds < 20
    assert ledger.read_bytes() == before
    assert not (tmp_path / "copy.db").exists()


def test_a_long_verify_lets_writers_in(tmp_path: Path) -> None:
    """It looks at a game at a time: a writer waits for one game, not for ten thousand."""
    path = tmp_path / "l.db"
    for number in range(3):
        fill(path, game_id=f"game{number}222")
    script = (
        "import sys\n"
        "from skachki_ledger import store\n"
        "with store.reading(sys.argv[1]) as connection:\n"
        "    for game_id in store.all_game_ids(connection):\n"
        "        store.records(connection, game_id)\n"
        "        store.let_others_in(connection)\n"
        "        print('looked', flush=True)\n"
        "        sys.stdin.readline()\n"
    )
    verifier = subprocess.Popen(
        [sys.executable, "-c", script, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert verifier.stdout is not None
    assert verifier.stdin is not None
    for _ in range(3):
        assert verifier.stdout.readline() == "looked\n"
        seconds, ran = timed(tmp_path, *DEAL, "--db", str(path), "--game", "game1222", "--id", "once")
        fine(ran)
        assert seconds < 4
        verifier.stdin.write("\n")
        verifier.stdin.flush()
    verifier.stdin.close()
    assert verifier.wait() == 0
    verifier.stdout.close()


REPLACER = """
import sys
from skachki_ledger.cli.main import run
for n in range(int(sys.argv[2])):
    assert run(["restore", sys.argv[1] + "/backup.db", "--force", "--db", sys.argv[1] + "/l.db"]) == 0
"""
WRITER = """
import sys
from skachki_ledger.cli.main import run
for n in range(int(sys.argv[2])):
    if run(["deal", "note", f"said-{n}", "--db", sys.argv[1] + "/l.db"]) == 0:
        print("ack", n, flush=True)
"""


def write_and_replace(tmp_path: Path, deals: int, times: int) -> None:
    """Two write, a third puts a backup back over and over: no acknowledged deal is lost."""
    shutil.copy(fill(tmp_path / "backup.db"), tmp_path / "l.db")
    environment = clean_environment(tmp_path)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path), str(number)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for script, number in ((WRITER, deals), (WRITER, deals), (REPLACER, times))
    ]
    told = [process.communicate() for process in running]
    assert running[2].returncode == 0, told[2][1]
    acknowledged = [line for out, _ in told[:2] for line in out.splitlines() if line.startswith("ack ")]
    files = [tmp_path / "l.db", *tmp_path.glob("l-replaced-*.db")]
    assert len(files) == times + 1
    typed = [record.typed for path in files for record in journals(path)[GAME]]
    assert sum(line.startswith("note said-") for line in typed) == len(acknowledged) > 0
    assert [errors for _, errors in told[:2]] == ["", ""]
    assert [name for name in names(tmp_path) if name.endswith("-journal") or ".part-" in name] == []


def test_what_is_written_while_a_backup_is_put_back_is_in_one_of_the_files(tmp_path: Path) -> None:
    """A deal that was acknowledged is in the ledger, or in what is kept of the one that was replaced."""
    write_and_replace(tmp_path, 60, 12)


@pytest.mark.long
def test_a_backup_is_put_back_two_hundred_times(tmp_path: Path) -> None:
    write_and_replace(tmp_path, 700, 200)
