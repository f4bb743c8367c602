"""What every test stands on: an empty home, English, and the installed command as a real process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import HealthCheck, Phase, settings

from skachki_ledger import i18n

SKACHKI = Path(sys.executable).with_name("skachki")
"""The installed command: tests run what a user runs."""

_UNHURRIED = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)

settings.register_profile(
    "short", max_examples=60, deadline=None, derandomize=True, suppress_health_check=_UNHURRIED
)
settings.register_profile(
    "long",
    max_examples=2000,
    deadline=None,
    suppress_health_check=_UNHURRIED,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.target, Phase.shrink),
)
settings.load_profile("short")


class Skachki(Protocol):
    """Runs the command: `skachki("score", "night.skachki", stdin="", env={...}, cwd=...)`."""

    def __call__(
        self,
        *arguments: str | Path,
        stdin: str = "",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[str]: ...


def clean_environment(home: Path) -> dict[str, str]:
    """The environment of a user who has set nothing: an empty home, no SKACHKI_*, English."""
    dropped = ("SKACHKI_", "LC_", "LANG", "XDG_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return kept | {"HOME": str(home), "LC_ALL": "C.UTF-8", "SKACHKI_LANG": "en"}


def run_skachki(
    home: Path,
    *arguments: str | Path,
    stdin: str = "",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run the installed command as a process of its own; streams are UTF-8 text."""
    return subprocess.run(
        [str(SKACHKI), *map(str, arguments)],
        input=stdin,
        env=clean_environment(home) | dict(env or {}),
        cwd=cwd or home,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )


@pytest.fixture(autouse=True)
def isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the developer's ledger, settings or language, nor leaves its own behind."""
    for name in os.environ:
        if name.startswith(("SKACHKI_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SKACHKI_LANG", "en")
    i18n.use("en")


@pytest.fixture
def skachki(tmp_path: Path) -> Skachki:
    """The installed command, run in an empty folder that is also its home."""

    def run(
        *arguments: str | Path,
        stdin: str = "",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        return run_skachki(tmp_path, *arguments, stdin=stdin, env=env, cwd=cwd)

    return run


# ------------------------------------------------------------------ files to standings

PLAYERS = ("Anna", "Boris", "Vera", "Gleb")
Scored = dict[str, dict[str, Any]]
"""What `score` prints of each file, by the file's stem."""


def word(value: object) -> str:
    """A switch's value as a file has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(map(str, value)) or "none"
    return str(value)


def game_text(
    dealer: str, rules: str, switches: Mapping[str, object], lines: Iterable[str], stake: str = "0.50 RUB"
) -> str:
    """A game file for the four of `PLAYERS`."""
    rows = [f'[Players "{", ".join(PLAYERS)}"]', f'[Dealer "{dealer}"]', f'[Rules "{rules}"]']
    rows += [f'[Rule "{name} = {word(value)}"]' for name, value in switches.items()]
    return "\n".join([*rows, f'[Stake "{stake}"]', "", *lines, ""])


def score(home: Path, files: Sequence[Path]) -> Scored:
    """What `skachki score --json --log` prints of the files, all in one process."""
    done = run_skachki(home, "score", "--json", "--log", *files)
    assert (done.returncode, done.stderr) == (0, "")
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert [value["file"] for value in printed] == [str(path) for path in files]
    return {Path(value["file"]).stem: value for value in printed}


def score_texts(home: Path, texts: Mapping[str, str]) -> Scored:
    """What it prints of files with these texts."""
    files = [home / f"{stem}.skachki" for stem in texts]
    for path in files:
        path.write_text(texts[path.stem], encoding="utf-8")
    return score(home, files)
