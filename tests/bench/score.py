"""Throughput of `skachki score`: python tests/bench/score.py [--profile]

Makes 600 distinct random legal games of some 80 deals under all presets, always the same, and takes
the median of five of

    (seconds of `skachki score --json` on the 600 files − the same on one file of one deal)
    ÷ the seconds that yardstick.py prints for the same 600 files,

the three runs one after the other each time. `--profile` shows where the time goes instead.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import random_games  # noqa: E402

GAMES, RUNS, BOUND = 600, 5, 5.0
ONE_DEAL = '[Players "Anna, Boris, Vera, Gleb"]\n\nr 2/4/3/1\n'
SKACHKI = Path(sys.executable).with_name("skachki")


def write_games(folder: Path) -> tuple[list[Path], int]:
    """The files, and how many deals there are in them."""
    texts: dict[str, int] = {}
    seed = 0
    while len(texts) < GAMES:
        night = random_games.night(seed)
        seed += 1
        if night.game.deals >= 60:
            texts[night.text()] = night.game.deals
    files = []
    for number, text in enumerate(texts, 1):
        files.append(folder / f"night-{number:03}.skachki")
        files[-1].write_text(text, encoding="utf-8")
    return files, sum(texts.values())


def environment(home: Path) -> dict[str, str]:
    dropped = ("SKACHKI_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return kept | {"HOME": str(home), "LC_ALL": "C.UTF-8"}


def seconds_of_score(files: Sequence[Path], env: dict[str, str]) -> float:
    command = [str(SKACHKI), "score", "--json", *map(str, files)]
    start = time.perf_counter()
    done = subprocess.run(command, env=env, capture_output=True, check=True)
    seconds = time.perf_counter() - start
    assert done.stdout.count(b"\n") == len(files), done.stderr.decode()
    return seconds


def seconds_of_yardstick(files: Sequence[Path], env: dict[str, str]) -> float:
    command = [sys.executable, str(HERE / "yardstick.py"), *map(str, files)]
    done = subprocess.run(command, env=env, capture_output=True, check=True, encoding="utf-8")
    found = re.search(r"deals, ([0-9.]+) s", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])


def measure(files: Sequence[Path], one: Path, env: dict[str, str]) -> list[tuple[float, float, float]]:
    """Each run's seconds: of all files, of one deal, of the yardstick. The first run only warms up."""
    runs = [
        (seconds_of_score(files, env), seconds_of_score([one], env), seconds_of_yardstick(files, env))
        for _ in range(RUNS + 1)
    ]
    return runs[1:]


def profile(files: Sequence[Path]) -> None:
    """Print the functions that take longest, in this process."""
    import contextlib
    import cProfile
    import io
    import pstats

    from skachki_ledger.cli.main import run

    profiler = cProfile.Profile()
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        profiler.runcall(run, ["score", "--json", *map(str, files)])
    pstats.Stats(profiler).sort_stats("tottime").print_stats(30)


def main() -> int:
    """Print the table; exit 1 where the ratio is above the bound."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files, deals = write_games(folder)
        one = folder / "one.skachki"
        one.write_text(ONE_DEAL, encoding="utf-8")
        if "--profile" in sys.argv[1:]:
            profile(files)
            return 0
        runs = measure(files, one, environment(folder))
    print(f"{len(files)} distinct games, {deals} deals, {deals / len(files):.0f} a game")
    print("run    score    one deal    yardstick    ratio")
    ratios = [(every - single) / yardstick for every, single, yardstick in runs]
    for number, ((every, single, yardstick), ratio) in enumerate(zip(runs, ratios, strict=True), 1):
        print(f"{number:3} {every:7.3f} s {single:9.3f} s {yardstick:10.3f} s {ratio:8.2f}")
    median = statistics.median(ratios)
    print(f"median ratio {median:.2f}, bound {BOUND:.1f}: {'ok' if median <= BOUND else 'TOO SLOW'}")
    return int(median > BOUND)


if __name__ == "__main__":
    sys.exit(main())
