"""What the program costs as a ledger grows, in one table: `python tests/bench/growth.py [GAMES…]`.

Games of 60 deals are written through the store in one transaction, 10, 1,000 and 10,000 of them. Whole
processes, every size in turn with `import typer`, so that a busy machine slows all alike; medians of the
ratios of a round. `import` and `deal` write, so each size's ledger grows by a few records as it is
measured. The last row is what `score.py` measures: 600 files beside the plain reading of them.
"""

from __future__ import annotations

import itertools
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from bench import reconcile, score  # noqa: E402
from bench.hot import AT, DEALS, ENVIRONMENT, SKACHKI, long_night, records_of  # noqa: E402

from skachki_ledger import gamefile, journal, store  # noqa: E402
from skachki_ledger.derive import History  # noqa: E402
from skachki_ledger.intake import admit  # noqa: E402
from skachki_ledger.journal import Draft  # noqa: E402

SIZES = (10, 1_000, 10_000)
ROUNDS = 5
DISPUTED = "disputed"
"""The game in which `reconcile` looks for one slip."""
BUDGET_SECONDS = 12.0
"""After so long a command of one size is not run again, but for once a size."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "deal": ("deal", "r", "3/3/3/1", "irregular", "whoever deals"),
    "deal in Russian": ("deal", "r", "3/3/3/1", "irregular", "whoever deals", "--lang", "ru"),
    "status": ("status",),
    "standing": ("standing",),
    "a page, svg": ("sheet", "--format", "svg", "--semester", "1"),
    "a page, html": ("sheet", "--format", "html", "--semester", "1"),
    "a page, pdf": ("sheet", "--format", "pdf", "--semester", "1", "-o", "{n}.pdf"),
    "reconcile": ("reconcile", "--game", DISPUTED, "--max-slips", "1", "--file", "claims.txt"),
    "import": ("import", "night.skachki"),
    "games": ("games",),
    "verify": ("verify",),
}


def drafts_of(history: History) -> list[Draft]:
    """Return what the journal of a game's first 60 deals is made of."""
    steps = [step for step in history.steps if step.after.deals <= DEALS]
    return [
        journal.draft_opening(history.header),
        *(journal.draft_step(step, "as typed") for step in steps),
    ]


def a_dispute() -> tuple[History, str]:
    """Return a game of more than 50 deals with one all-pass miscounted, and what is claimed instead."""
    for seed in range(1000):
        found = reconcile.planted(seed, "piter", ("allpass-swap",))
        if 50 < found.record.state.deals <= DEALS:
            claims = reconcile.claims_on(found, reconcile.CELLS)
            told = (f"{one.cell.seat + 1} {one.cell.account} {one.number}\n" for one in claims)
            return found.record, "".join(told)
    raise AssertionError("no game is of the length looked for")


def fill(path: Path, text: str, games: int, disputed: Sequence[Draft]) -> None:
    """Write so many games into a ledger, in one transaction; the last one is current."""
    taken = admit(gamefile.read(text)).history
    assert taken is not None
    drafts = drafts_of(taken)
    with store.writing(str(path), create=True) as connection:
        store.write(connection, journal.chained(DISPUTED, [], disputed, AT, "bench"), begins=True)
        for number in range(games - 2):
            records = journal.chained(f"game{number:05}", [], drafts, AT, "bench")
            store.write(connection, records, begins=True)
        store.write(connection, records_of("measured", text, DEALS), begins=True)
        store.make_current(connection, "measured")


LAUNCHER = """
import os, sys, time
began = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
                       file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), time.perf_counter() - began, usage.ru_maxrss)
"""
"""A child's peak memory begins with what its parent had; this parent is a small one."""


def run(arguments: list[str]) -> tuple[float, float]:
    """Run a process; return its seconds and its peak resident memory in MB."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LAUNCHER, *arguments],
        env=ENVIRONMENT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    code, seconds, peak = done.stdout.split()
    assert code == "0", (arguments, done.stderr)
    return float(seconds), int(peak) / (1024 if sys.platform != "darwin" else 1024**2)


class Cost:
    """What one command took on one ledger: ratios to `import typer`, and the peak memory in MB."""

    def __init__(self) -> None:
        self.ratios: list[float] = []
        self.peak = 0.0

    def add(self, seconds: float, yardstick: float, peak: float) -> None:
        self.ratios.append(seconds / yardstick)
        self.peak = max(self.peak, peak)

    @property
    def middle(self) -> float:
        return statistics.median(self.ratios)


def measure(words: tuple[str, ...], ledgers: dict[int, Path]) -> dict[int, Cost]:
    """Run one command on every ledger in turn, several times."""
    typer = [sys.executable, "-c", "import typer"]
    costs = {games: Cost() for games in ledgers}
    spent = dict.fromkeys(ledgers, 0.0)
    files = itertools.count()
    for turn in range(ROUNDS + 1):
        yardstick = run(typer)[0]
        for games, path in ledgers.items():
            if turn and spent[games] > BUDGET_SECONDS:
                continue
            filled = [word.format(n=next(files)) for word in words]
            seconds, peak = run([SKACHKI, *filled, "--db", str(path)])
            spent[games] += seconds
            if turn or seconds > BUDGET_SECONDS:  # the first round only warms up
                costs[games].add(seconds, yardstick, peak)
    return costs


def throughput(folder: Path) -> float:
    """Return the median ratio of `score` on 600 files to the plain reading of them."""
    files, _deals = score.write_games(folder)
    one = folder / "one.skachki"
    one.write_text(score.ONE_DEAL, encoding="utf-8")
    runs = score.measure(files, one, ENVIRONMENT)
    return statistics.median((every - single) / yardstick for every, single, yardstick in runs)


def main() -> int:
    """Fill the ledgers, measure, print one table."""
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    folder = Path(tempfile.mkdtemp(prefix="skachki-growth-"))
    ENVIRONMENT["HOME"] = str(folder)
    os.chdir(folder)
    text = long_night()
    Path("night.skachki").write_text(text, encoding="utf-8")
    record, claims = a_dispute()
    Path("claims.txt").write_text(claims, encoding="utf-8")
    ledgers: dict[int, Path] = {}
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for games in sizes:
        ledgers[games] = folder / f"{games}.db"
        began = time.perf_counter()
        fill(ledgers[games], text, games, drafts_of(record))
        size = ledgers[games].stat().st_size
        print(
            f"{games:>6} games, {DEALS} deals each: {size / 1e6:.1f} MB, {size / games / DEALS:.0f} bytes"
            f" a deal, filled in {time.perf_counter() - began:.1f} s",
            flush=True,
        )
    first, last = min(sizes), max(sizes)
    heads = "".join(f"{games:>9}" for games in sizes)
    growth = "".join(f"{f'÷{first}':>9}" for _ in sizes[1:])
    print(f"{'÷ import typer':<20}{heads}{growth}{f'MB at {first}':>12}{f'MB at {last}':>13}")
    for name, words in COMMANDS.items():
        costs = measure(words, ledgers)
        cells = "".join(f"{costs[games].middle:9.2f}" for games in sizes)
        cells += "".join(f"{costs[games].middle / costs[first].middle:9.2f}" for games in sizes[1:])
        print(f"{name:<20}{cells}{costs[first].peak:12.0f}{costs[last].peak:13.0f}", flush=True)
    print(f"{'score ÷ yardstick':<20}{throughput(folder):9.2f}")
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
