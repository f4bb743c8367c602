"""Games to argue about, and the command run inside the test's own process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import random_games

from skachki_ledger import canon, gamefile, journal
from skachki_ledger.arbitration.cells import Cell
from skachki_ledger.cli import main
from skachki_ledger.derive import History
from skachki_ledger.intake import admit
from skachki_ledger.journal import Game
from skachki_ledger.model import SEATS

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.skachki"))

ACCOUNTS = ("pool", "gora", "net")
CELLS = [
    *(Cell(seat, account) for seat in SEATS for account in ACCOUNTS),
    *(Cell(seat, "whists", on) for seat in SEATS for on in SEATS if seat != on),
]

HEADER = '[Players "Anna, Boris, Vera, Gleb"]\n[Stake "0.50 RUB"]\n'


class Ran(NamedTuple):
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value


Run = Callable[..., Ran]


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs command lines in this process: what the installed command does, without its start."""

    def run(*words: str | Path) -> Ran:
        capsys.readouterr()
        code = main.run([str(word) for word in words])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return Ran(code, printed.out, printed.err)

    return run


def history(text: str) -> History:
    taken = admit(gamefile.read(text))
    assert taken.faulty == ()
    assert taken.history is not None
    return taken.history


def example(name: str) -> History:
    return history((ROOT / "examples" / f"{name}.skachki").read_text(encoding="utf-8"))


def recorded(played: History) -> Game:
    """The game a ledger would hold that was told this history."""
    drafts = [journal.draft_opening(played.header)]
    drafts += [journal.draft_step(taken, canon.line(taken.event, taken.players)) for taken in played.steps]
    records = journal.chained("abcdefgh", [], drafts, "2026-11-27T20:00:00Z", "anna")
    return journal.game("abcdefgh", records)


def night(seed: int) -> History:
    return history(random_games.night(seed).text())
