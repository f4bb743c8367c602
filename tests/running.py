"""Running the installed command, and reading one line of notation, for the tests of the language."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from skachki_ledger import canon, notation
from skachki_ledger.names import Seats

SKACHKI = Path(sys.executable).with_name("skachki")

LATIN = ("Anna", "Boris", "Vera", "Gleb")
RUSSIAN = ("Анна", "Борис", "Вера", "Глеб")


class Ran(NamedTuple):
    """What one run of the command gave."""

    code: int
    out: str
    err: str


def run(*arguments: str | bytes, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Ran:
    """Run the installed command with a clean environment and return what came of it."""
    settings = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **(env or {})}
    done = subprocess.run(
        [SKACHKI, *arguments],
        cwd=cwd,
        env=settings,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def read(text: str, players: Sequence[str] = LATIN) -> str:
    """Return the canonical form of a line of a game file; check that it is a fixed point."""
    line = canon.line(notation.read_line(text, Seats(players)).event, players)
    assert canon.line(notation.read_line(line, Seats(players)).event, players) == line
    return line


def read_words(words: Sequence[str], players: Sequence[str] = LATIN) -> str:
    """Return the canonical form of the words of a command line."""
    return canon.line(notation.read_words(words, Seats(players)).event, players)
