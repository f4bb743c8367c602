"""What a printout costs: `python tests/bench/printing.py`, with the environment's own interpreter.

Whole processes on the night of examples/friday-night.skachki, in turn with `skachki standing` of the
same ledger; the median of the ratios of the pairs counts. Exits 1 where a bound is passed.
"""

from __future__ import annotations

import itertools
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.hot import ENVIRONMENT, SKACHKI, paired, row, run

NIGHT = Path(__file__).parents[2] / "examples" / "friday-night.skachki"
PAGE_MAX, PDF_MAX, PAIRS = 1.6, 4.0, 30


def main() -> int:
    """Measure and print everything; return 1 where a bound is passed."""
    folder = Path(tempfile.mkdtemp(prefix="skachki-bench-"))
    ENVIRONMENT["HOME"] = str(folder)
    ledger = str(folder / "l.db")
    run([SKACHKI, "import", str(NIGHT), "--db", ledger])
    files = itertools.count()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {PAIRS} pairs, ÷ standing")
    print(f"{'':<46} {'median':>10} {'quartiles':>12}    bound")

    def timed(*words: str) -> Callable[[], float]:
        def once() -> float:
            output = ["-o", str(folder / str(next(files)))] if "pdf" in words else []
            return run([SKACHKI, *words, *output, "--db", ledger])[0]

        return once

    measured = [
        ("sheet svg, a page", ("sheet", "--format", "svg", "--semester", "2"), PAGE_MAX),
        ("sheet html, a page", ("sheet", "--format", "html", "--semester", "2"), PAGE_MAX),
        ("settle html", ("settle", "--format", "html"), PAGE_MAX),
        ("sheet pdf, a page", ("sheet", "--format", "pdf", "--semester", "2"), PDF_MAX),
        ("settle pdf", ("settle", "--format", "pdf"), PDF_MAX),
        ("sheet pdf, the whole night", ("sheet", "--format", "pdf"), PDF_MAX),
    ]
    standing = timed("standing")
    good = [row(name, paired(timed(*words), standing, PAIRS), bound) for name, words, bound in measured]
    shutil.rmtree(folder)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
