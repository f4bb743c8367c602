"""What a correction costs beside `standing`: `python tests/bench/corrections.py`.

A game of 100 deals, whole processes in turn with what they are measured against; the median of the
ratios of the pairs counts. Prints a table; exits 1 where a bound is passed.
"""

from __future__ import annotations

import platform
import random
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import hot
from random_games import Mix, play

from skachki_ledger import gamefile, store
from skachki_ledger.intake import admit

DEALS = 100
PAIRS = 30
RATIO_MAX = 1.5
REASON = ("--reason", "counted again", "--yes")
DEAL = ("r@4", "3/3/3/1", "irregular", "whoever dealt")
CORRECTIONS: dict[str, tuple[str, ...]] = {
    "amend 3": ("amend", "3", *DEAL),
    "amend 50": ("amend", "50", *DEAL),
    "amend 50 --lang ru": ("amend", "50", *DEAL, "--lang", "ru"),
    "amend 50 --json": ("amend", "50", *DEAL, "--json"),
    "void 50": ("void", "50"),
    "insert --before 50": ("insert", "--before", "50", *DEAL),
    "rename 2 Borya": ("rename", "2", "Borya"),
    "rule set_whist_factor=1": ("rule", "set_whist_factor=1"),
}


def long_game() -> str:
    """Return a game file that is still going on after 100 deals."""
    for seed in range(1000):
        game = play(random.Random(seed), "piter", {"target": "60"}, Mix(events=40), DEALS + 1)
        history = admit(gamefile.read(game.text())).history
        if (
            history
            and history.state.deals > DEALS
            and not any(" agree" in f" {line}" for line in game.lines)
        ):
            return game.text()
    raise AssertionError("no random game is long enough")


def main() -> int:
    """Measure and print everything; return 1 where the bound is passed."""
    folder = Path(tempfile.mkdtemp(prefix="skachki-bench-"))
    hot.ENVIRONMENT["HOME"] = str(folder)
    ledger, copy = folder / "ledger.db", folder / "copy.db"
    with store.writing(str(ledger), create=True) as connection:
        store.write(connection, hot.records_of("measured", long_game(), DEALS), begins=True)
        store.make_current(connection, "measured")
    print(f"Python {platform.python_version()}, {DEALS} deals, {PAIRS} pairs")
    print(f"{'÷ standing':<46} {'median':>10} {'quartiles':>12}    bound")

    def timed(*words: str) -> Callable[[], float]:
        def once() -> float:
            shutil.copy(ledger, copy)
            return hot.run([hot.SKACHKI, *words, "--db", str(copy)])[0]

        return once

    standing = timed("standing")
    good = [
        hot.row(name, hot.paired(timed(*words, *REASON), standing, PAIRS), RATIO_MAX)
        for name, words in CORRECTIONS.items()
    ]
    hot.row("history", hot.paired(timed("history"), standing, PAIRS), RATIO_MAX)
    shutil.rmtree(folder)
    return 0 if all(good) else 1


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
