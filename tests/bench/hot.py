"""What a hot command costs: `python tests/bench/hot.py`, with the environment's own interpreter.

Whole processes, in turn with what they are measured against, so that a busy machine slows both; the
median of the ratios of the pairs counts. Prints a table; exits 1 where a bound is passed.
"""

from __future__ import annotations

import os
import platform
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from random_games import night

from skachki_ledger import gamefile, journal, store
from skachki_ledger.intake import admit
from skachki_ledger.journal import Record

SKACHKI = str(Path(sys.executable).with_name("skachki"))
PAIRS = 60
DEALS = 60
GAMES = 10_000
START_MAX, LEDGER_MAX, MEMORY_MB_MAX = 1.40, 1.10, 45.0
DEAL = ("deal", "r", "3/3/3/1", "irregular", "whoever deals")
AT = "2026-01-02T20:00:00Z"

# Children write and read .pyc as anyone's do, and see no setting of whoever measures.
DROPPED = ("SKACHKI_", "PYTHON", "LC_", "LANG", "XDG_")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
ENVIRONMENT["LC_ALL"] = "C.UTF-8"


def run(arguments: list[str]) -> tuple[float, float]:
    """Run a process; return its seconds and its peak resident memory in MB."""
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    began = time.perf_counter()
    child = os.posix_spawn(arguments[0], arguments, ENVIRONMENT, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    assert os.waitstatus_to_exitcode(status) == 0, arguments
    return seconds, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def paired(ours: Callable[[], float], theirs: Callable[[], float], pairs: int = PAIRS) -> list[float]:
    """Return ratios of pairs, now one first, now the other; the first pair only warms up."""
    ratios = []
    for pair in range(pairs + 1):
        if pair % 2:
            one, other = ours(), theirs()
        else:
            other, one = theirs(), ours()
        ratios.append(one / other)
    return ratios[1:]


def records_of(game_id: str, text: str, deals: int) -> list[Record]:
    """Return the journal of a game file's first deals."""
    taken = admit(gamefile.read(text)).history
    assert taken is not None
    steps = [taken for taken in taken.steps if taken.after.deals <= deals]
    drafts = [journal.draft_opening(taken.header), *(journal.draft_step(step, "x") for step in steps)]
    return journal.chained(game_id, [], drafts, AT, "bench")


def long_night() -> str:
    """Return a game file that is still going on after 60 deals."""
    for seed in range(1000):
        game = night(seed)
        history = admit(gamefile.read(game.text())).history
        if history and history.state.deals > DEALS:
            return game.text()
    raise AssertionError("no random game is long enough")


def fill(path: Path, text: str, games: int) -> None:
    """Write the game measured and `games` more into a ledger, in one transaction."""
    with store.writing(str(path), create=True) as connection:
        for number in range(games):
            store.write(connection, records_of(f"other{number:05}", text, 3), begins=True)
        store.write(connection, records_of("measured", text, DEALS), begins=True)
        store.make_current(connection, "measured")


def row(what: str, values: Sequence[float], bound: float, unit: str = "×") -> bool:
    """Print one line of the table; tell whether the bound holds."""
    middle = statistics.median(values)
    low, _, high = statistics.quantiles(values, n=4)
    holds = middle <= bound
    verdict = "" if holds else "   too much"
    print(f"{what:<46} {middle:6.2f} {unit:<3} {low:6.2f}–{high:<6.2f} ≤ {bound:.2f}{verdict}", flush=True)
    return holds


def main() -> int:
    """Measure and print everything; return 1 where a bound is passed."""
    text = long_night()
    folder = Path(tempfile.mkdtemp(prefix="skachki-bench-"))
    ENVIRONMENT["HOME"] = str(folder)
    small, copy, large = folder / "small.db", folder / "copy.db", folder / "large.db"
    fill(small, text, 0)
    fill(large, text, GAMES)
    typer = [sys.executable, "-c", "import typer"]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {PAIRS} pairs;", end=" ")
    print(f"the large ledger has {large.stat().st_size / 1e6:.0f} MB")
    print(f"{'':<46} {'median':>10} {'quartiles':>12}    bound")

    memory: list[float] = []

    def timed(*words: str, db: Path = copy) -> Callable[[], float]:
        def once() -> float:
            if db == copy:  # the game has 60 deals each time
                shutil.copy(small, copy)
            seconds, peak = run([SKACHKI, *words, "--db", str(db)])
            memory.append(peak)
            return seconds

        return once

    def bare() -> float:
        return run(typer)[0]

    good = [row("deal, 60 deals ÷ import typer", paired(timed(*DEAL), bare), START_MAX)]
    good += [row("peak memory of deal", memory, MEMORY_MB_MAX, "MB")]
    good += [row("status, 60 deals ÷ import typer", paired(timed("status"), bare), START_MAX)]
    good += [
        row(
            "deal --lang ru, 60 deals ÷ import typer", paired(timed(*DEAL, "--lang", "ru"), bare), START_MAX
        )
    ]
    with_others, alone = timed(*DEAL, db=large), timed(*DEAL, db=small)
    good += [row(f"deal, {GAMES} other games ÷ none", paired(with_others, alone), LEDGER_MAX)]
    shutil.rmtree(folder)
    return 0 if all(good) else 1


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
