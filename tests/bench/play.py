"""What a deal at the live table costs: `python tests/bench/play.py`.

A line typed key by key and entered in the running program, drawn on a terminal of 100×30 that is a
pipe, against `skachki deal` as a process; both on a file system in memory where there is one, so
that neither waits for a disk. Medians of pairs taken in turn. Exits 1 where the bound is passed.
"""

from __future__ import annotations

import io
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.hot import DEAL, ENVIRONMENT, SKACHKI, fill, long_night, run
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from skachki_ledger import canon, journal
from skachki_ledger.play import screen
from skachki_ledger.play.app import LiveTable
from skachki_ledger.play.table import Table

ROUNDS, BOUND = 40, 0.10
LINE = "r 3/3/3/1 irregular w"
MEMORY = Path("/dev/shm")


class Terminal(io.StringIO):
    """A terminal's file, so that prompt_toolkit draws all it would draw."""

    def fileno(self) -> int:
        """Say that there is no file behind it."""
        raise io.UnsupportedOperation


def at_the_table(db: Path, key_by_key: bool) -> list[float]:
    """Return what each of ROUNDS deals costs in a running program: from its first key to its record."""
    costs: list[float] = []
    with create_pipe_input() as pipe:
        output = Vt100_Output(Terminal(), lambda: Size(rows=30, columns=100), term="xterm-256color")
        with create_app_session(input=pipe, output=output):
            live = LiveTable(Table(str(db), None, "bench"), "signs")
            enter = live.session.enter
            began = [0.0]
            left = list(LINE)

            def entered(text: str) -> object:
                reply = enter(text)
                left[:] = LINE
                return reply

            def drawn(_app: object) -> None:
                """The screen is drawn after each key or line: send the next one."""
                now = time.perf_counter()
                deals = live.session.state.deals
                if deals > drawn.deals and drawn.deals >= 0:  # type: ignore[attr-defined]
                    costs.append(now - began[0])
                if deals != drawn.deals:  # type: ignore[attr-defined]
                    drawn.deals = deals  # type: ignore[attr-defined]
                    began[0] = time.perf_counter()
                    if len(costs) > ROUNDS:
                        live.app.exit(result=0)
                        return
                    pipe.send_text(left.pop(0) if key_by_key else f"{LINE}\r")
                elif key_by_key and len(live.buffer.text) == len(LINE) - len(left):
                    pipe.send_text(left.pop(0) if left else "\r")

            drawn.deals = -1  # type: ignore[attr-defined]
            live.session.enter = entered  # type: ignore[method-assign,assignment]
            live.app.after_render += drawn
            live.run()
    return costs[1:]


def outside(small: Path, copy: Path) -> list[float]:
    """Return what `skachki deal` costs as a process, on the same game each time."""
    costs = []
    for _round in range(ROUNDS):
        shutil.copy(small, copy)
        costs.append(run([SKACHKI, *DEAL, "--db", str(copy)])[0])
    return costs


def row(what: str, seconds: list[float], base: float, bound: float | None = None) -> bool:
    """Print one line of the table; tell whether the bound holds."""
    middle = statistics.median(seconds)
    share = middle / base
    holds = bound is None or share <= bound
    told = "" if bound is None else f"  ≤ {bound:.2f}" + ("" if holds else "   too much")
    print(f"{what:<52} {middle * 1000:8.2f} ms {share:8.3f}{told}", flush=True)
    return holds


def main() -> int:
    """Measure and print everything; return 1 where the bound is passed."""
    place = MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="skachki-bench-", dir=place))
    ENVIRONMENT["HOME"] = str(folder)
    small, copy = folder / "small.db", folder / "copy.db"
    fill(small, long_night(), 0)
    print(f"{ROUNDS} deals each after 60 of a night; ledger in {'memory' if place else 'a file'}")
    process = outside(small, copy)
    base = statistics.median(process)
    row("skachki deal, a process", process, base)
    shutil.copy(small, copy)
    at_once = at_the_table(copy, key_by_key=False)
    shutil.copy(small, copy)
    by_key = at_the_table(copy, key_by_key=True)
    good = row("a line entered at the table: all of it", at_once, base, BOUND)
    row(f"its {len(LINE) + 1} keys one by one, the screen drawn after each", by_key, base)
    each = [cost / (len(LINE) + 1) for cost in by_key]
    good &= row("one key: preview, words that fit, screen", each, base, BOUND)
    table = Table(str(copy), None, "bench")
    board, replayed = [], []
    for _round in range(ROUNDS):
        began = time.perf_counter()
        screen.board(table.game.history, canon.shown(signs=True), 100, 20)
        board.append(time.perf_counter() - began)
        began = time.perf_counter()
        journal.game(table.game.id, table.game.records)
        replayed.append(time.perf_counter() - began)
    row("the board alone", board, base)
    row("for comparison: replaying the night", replayed, base)
    shutil.rmtree(folder)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
