"""What keeping a large ledger costs: `python tests/bench/keep.py`, on Linux.

Peak memory of `verify` over 10,000 games against that over 1,000, which has a bound; seconds of
`verify`, `backup` and `recover`; how long `verify` ever keeps a writer waiting. Exits 1 where the
bound is passed.
"""

from __future__ import annotations

import os
import platform
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.hot import ENVIRONMENT, SKACHKI, long_night, records_of, run

from skachki_ledger import store

DEALS, FEW, MANY, RUNS = 12, 1_000, 10_000, 3
MEMORY_MAX = 1.1


def fill(path: Path, text: str, games: int) -> None:
    """Write so many games of twelve deals into a ledger."""
    with store.writing(str(path), create=True) as connection:
        for number in range(games):
            store.write(connection, records_of(f"game{number:05}", text, DEALS), begins=True)
        store.make_current(connection, "game00000")


CHILD = """
import gc, re, sys
from skachki_ledger.cli.main import run
gc.disable()  # as the command does
code = run(sys.argv[1:])
with open("/proc/self/status") as status:
    print("peak", re.search(r"VmHWM:\\s+(\\d+) kB", status.read())[1], file=sys.stderr)
sys.exit(code)
"""


def measured(*words: str) -> tuple[float, float]:
    """Run a command; return its seconds and its peak memory in MB.

    The system's own figure for a child is never below what its parent had when it was started.
    """
    began = time.perf_counter()
    ran = subprocess.run(
        [sys.executable, "-c", CHILD, *words], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    return time.perf_counter() - began, int(ran.stderr.rpartition("peak ")[2]) / 1024


def waited(path: Path) -> float:
    """Return the longest a writer waits for the ledger while it is verified, in seconds."""
    ended = threading.Event()
    longest = [0.0]

    def write() -> None:
        with closing(sqlite3.connect(path, timeout=60, isolation_level=None)) as connection:
            while not ended.is_set():
                began = time.perf_counter()
                connection.execute("BEGIN EXCLUSIVE")
                connection.execute("COMMIT")
                longest[0] = max(longest[0], time.perf_counter() - began)
                time.sleep(0.05)

    writer = threading.Thread(target=write)
    writer.start()
    run([SKACHKI, "verify", "--db", str(path)])
    ended.set()
    writer.join()
    return longest[0]


def main() -> int:
    """Measure and print everything; return 1 where the bound is passed."""
    text = long_night()
    folder = Path(tempfile.mkdtemp(prefix="skachki-bench-"))
    ENVIRONMENT["HOME"] = str(folder)
    ledgers = {games: folder / f"{games}.db" for games in (FEW, MANY)}
    for games, path in ledgers.items():
        fill(path, text, games)
    size = ledgers[MANY].stat().st_size / 1e6
    print(
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {os.cpu_count()} cores;",
        end=" ",
    )
    print(f"{MANY} games of {DEALS} deals, {size:.0f} MB")
    peaks: dict[int, float] = {}
    for games, path in ledgers.items():
        ran = [measured("verify", "--db", str(path)) for _ in range(RUNS)]
        peaks[games] = statistics.median(peak for _, peak in ran)
        seconds = statistics.median(seconds for seconds, _ in ran)
        print(f"verify, {games:6} games   {seconds:6.2f} s   {peaks[games]:6.1f} MB at most")
    for words in (("games",), ("backup", "copy.db"), ("recover", str(ledgers[MANY]), "-o", "new.db")):
        os.chdir(folder)
        seconds, peak = measured(*words, "--db", str(ledgers[MANY]))
        print(f"{words[0]:7} {MANY:6} games   {seconds:6.2f} s   {peak:6.1f} MB at most")
    print(f"longest a writer waits while {MANY} games are verified: {waited(ledgers[MANY]):.2f} s")
    shutil.rmtree(folder)
    ratio = peaks[MANY] / peaks[FEW]
    print(f"peak memory {MANY} ÷ {FEW} games: {ratio:.3f}, bound {MEMORY_MAX}")
    return int(ratio > MEMORY_MAX)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
