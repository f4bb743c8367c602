"""What is typed between two deals must start at once: hot commands load nothing slow.

A wall time differs from machine to machine; the list of loaded modules does not.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SKACHKI, clean_environment
from test_ledger_store import DEAL, ledger

__all__ = ["ledger"]

SLOW = ("rich", "sqlite_utils", "tabulate", "pydantic", "decimal", "fractions", "importlib.metadata")
"""Each costs as much as all the rest of a command, or near it (docs: design, start-up)."""

COMMANDS = (DEAL, ("status",), ("undo",), ("redo",))


def loaded(home: Path, *arguments: str) -> set[str]:
    """Every module the interpreter loads while the installed command runs."""
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", str(SKACHKI), *arguments],
        env=clean_environment(home),
        cwd=home,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
    marked = [line for line in ran.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in marked}


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize("options", [(), ("--lang", "ru"), ("--json",)], ids=["en", "ru", "json"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command[0]))
def test_hot_commands_load_nothing_slow(
    tmp_path: Path, command: tuple[str, ...], options: tuple[str, ...]
) -> None:
    if command in (("undo",), ("redo",)):
        loaded(tmp_path, *DEAL)
    if command == ("redo",):
        loaded(tmp_path, "undo")
    modules = loaded(tmp_path, *command, *options)
    assert {"typer", "sqlite3", "skachki_ledger.store"} <= modules  # or the list is not read aright
    assert [name for name in modules if name in SLOW or name.startswith(tuple(f"{s}." for s in SLOW))] == []


@pytest.mark.usefixtures("ledger")
def test_the_slow_ones_are_loaded_where_they_are_needed(tmp_path: Path) -> None:
    """The list would see them: a table needs tabulate, a new ledger its migrations."""
    assert "tabulate" in loaded(tmp_path, "standing")
    assert "sqlite_utils" in loaded(tmp_path, "new", "A", "B", "C", "D", "--db", "other.db")
