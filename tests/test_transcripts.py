"""Whole sessions as a person types them: tests/transcripts/*.test and the sessions in the README.

A line `$ skachki …` is run, and `$ export NAME=VALUE` holds for all that follow. Below it stands what it
prints, the lines of standard error after `2> `, and `[exit N]` if N is not 0. Empty lines before the next
`$` are free, and so is everything before the first. The README shows what a terminal shows: both streams,
unmarked, standard error first.

A transcript starts with nothing but the examples in its folder and no ledger yet. What differs from run to
run is compared by place: ids of games in the order in which `new` and `import` print them, and everything
that looks like a moment or like the twelve digits of a hash.

With SNAPSHOT_UPDATE=1 in the environment what is printed is written into the transcripts; read the diff.
"""

import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import run_skachki

ROOT = Path(__file__).parent.parent
TRANSCRIPTS = sorted((ROOT / "tests" / "transcripts").glob("*.test"))
SETTINGS = {"SKACHKI_DB": "ledger.db", "SKACHKI_BY": "anna", "TZ": "UTC", "COLUMNS": "80"}

STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*?)(?=\n*(?:\$ |\Z))", re.MULTILINE)
GAME_ID = re.compile(r"[2-9a-hjkmnp-z]{8}")
VOLATILE = (
    (re.compile(r"\b[0-9a-f]{12}\b"), "<hash>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\dZ)?"), "<moment>"),
)


class Ids:
    """Gives the ids of games names by the order in which they were printed: <game 1>, <game 2>."""

    def __init__(self) -> None:
        self.known: list[str] = []

    def named(self, command: str, text: str) -> str:
        """`text` with the ids seen so far, and those that this command printed, replaced."""
        if {"new", "import"} & set(command.split()):
            found = [line for line in text.splitlines() if GAME_ID.fullmatch(line)]
            self.known += [line for line in found if line not in self.known]
        for number, game_id in enumerate(self.known, 1):
            text = text.replace(game_id, f"<game {number}>")
        for pattern, instead in VOLATILE:
            text = pattern.sub(instead, text)
        return text


class Session:
    """Plays a transcript; `merged` as a terminal shows it, else with marks for errors and exit codes."""

    def __init__(self, folder: Path, merged: bool) -> None:
        for example in (ROOT / "examples").glob("*.skachki"):
            (folder / example.name).write_bytes(example.read_bytes())
        self.folder, self.merged, self.settings = folder, merged, dict(SETTINGS)
        self.told, self.wanted = Ids(), Ids()

    def replay(self, text: str) -> str:
        """The transcript as it comes out now, the same where only what is volatile differs."""
        assert STEP.search(text)
        return STEP.sub(self._step, text)

    def _step(self, step: re.Match[str]) -> str:
        command, expected = step[1], step[2]
        words = command
        for theirs, ours in zip(self.wanted.known, self.told.known, strict=False):
            words = words.replace(theirs, ours)
        printed = self._run(words)
        if self.told.named(words, printed) == self.wanted.named(command, expected):
            return step[0]
        for theirs, ours in zip(self.wanted.known, self.told.known, strict=False):
            printed = printed.replace(ours, theirs)
        return f"$ {command}\n{printed}"

    def _run(self, command: str) -> str:
        program, *words = shlex.split(command)
        if program == "export":
            self.settings |= dict(word.split("=", 1) for word in words)
            return ""
        assert program == "skachki", f"cannot run {command!r}"
        done = run_skachki(self.folder, *words, env=self.settings, cwd=self.folder)
        assert "Traceback" not in done.stderr, done.stderr
        if self.merged:
            return done.stderr + done.stdout
        errors = "".join(f"2> {line}".rstrip() + "\n" for line in done.stderr.splitlines())
        return done.stdout + errors + (f"[exit {done.returncode}]\n" if done.returncode else "")


def compare(path: Path, replay: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    now = replay(text)
    if os.environ.get("SNAPSHOT_UPDATE"):
        path.write_text(now, encoding="utf-8")
    assert now == text


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path) -> None:
    compare(path, Session(tmp_path, merged=False).replay)


def test_the_sessions_in_the_readme(tmp_path: Path) -> None:
    session = Session(tmp_path, merged=True)
    block = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
    compare(ROOT / "README.md", lambda text: block.sub(lambda found: session.replay(found[0]), text))


def test_a_wrong_transcript_is_seen(tmp_path: Path) -> None:
    wrong = "# No ledger yet.\n$ skachki --version\nskachki 0\n\n$ skachki status\n[exit 1]\n"
    now = Session(tmp_path, merged=False).replay(wrong)
    assert re.fullmatch(
        r"# No .*\n\$ skachki --version\nskachki .+\n\n\$ skachki status\n2> .+\n\[exit 1\]\n", now
    )
