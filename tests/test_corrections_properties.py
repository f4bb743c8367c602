"""Any corrections, in any order, give the game that was recorded rightly from the start.

Random games are put wrong and right by the command itself, on a real ledger; beside it a plain list of
lines is edited. The list is then scored by the reference scorer, which knows nothing of corrections. On
the way: what is shown before is what is written, an undo restores all, a refusal changes no byte, labels
belong to their deals, and the exported file is the same game.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import oracle
import pytest
import random_games
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import GUESTS, SWITCH_VALUES, Mix, RandomGame
from test_ledger_store import fill
from test_ledger_undo import header_of

from skachki_ledger import canon, corrections, notation
from skachki_ledger.cli.app import app
from skachki_ledger.errors import SkachkiError
from skachki_ledger.events import DealPlayed, Event
from skachki_ledger.names import Seats

MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None
"""Hundreds of small transactions: on a disk they would wait for it."""
NUMBERS = ("1", "2", "3", "4")
REFUSED = {"E123", "E201", "E215", "E216"}
"""What even a reason does not lift: equal names, a dealer who declares, anything after the end."""


# ------------------------------------------------------------------ the list beside the ledger


@dataclass(frozen=True)
class Entry:
    """One line that counts, with seat numbers for names; `voided` ones only keep their label."""

    payload: str
    n: int
    label: str = ""
    dealer: int | None = None
    voided: bool = False

    @property
    def event(self) -> Event:
        return notation.read_line(self.payload, Seats(NUMBERS)).event

    @property
    def is_deal(self) -> bool:
        return isinstance(self.event, DealPlayed)


@dataclass
class Model:
    """The game as it should have been recorded, and what it was before each step that can be undone."""

    game: RandomGame
    players: tuple[str, ...]
    overrides: dict[str, str]
    entries: list[Entry] = field(default_factory=list)
    before: list[Model] = field(default_factory=list)

    def live(self) -> list[Entry]:
        return [entry for entry in self.entries if not entry.voided]

    def find(self, entry: Entry) -> int:
        return self.entries.index(entry)

    def names(self, until: int | None = None) -> list[str]:
        """Who sits at the table before the entry at place `until`."""
        names = list(self.players)
        for entry in self.entries[:until]:
            event = entry.event
            if entry.payload.startswith("seat") and not entry.voided:
                names[event.seat] = event.name  # type: ignore[union-attr]
        return names

    def next_dealer(self, until: int) -> int:
        """The seat after the previous deal's."""
        dealt = [entry.dealer for entry in self.entries[:until] if entry.is_deal and not entry.voided]
        first = self.game.players.index(self.game.dealer)
        return first if not dealt or dealt[-1] is None else (dealt[-1] + 1) % 4

    def inserted_label(self, place: int) -> str:
        """The number before it and the next free letter."""
        before = [entry.label for entry in self.entries[:place] if entry.label]
        number = before[-1].rstrip("abcdefghijklmnopqrstuvwxyz") if before else "0"
        taken = {entry.label for entry in self.entries}
        return next(
            number + letter for letter in "abcdefghijklmnopqrstuvwxyz" if number + letter not in taken
        )

    def scored(self) -> oracle.Game:
        """The reference scorer after all lines but those after the end, each deal dealt by its dealer."""
        played = self.game
        scorer = random_games.start(
            self.players,
            self.players[played.players.index(played.dealer)],
            played.preset,
            self.overrides,
            played.stake,
        )
        for entry in self.live():
            if scorer.finished or scorer.stopped:
                break
            if entry.is_deal and entry.dealer is not None:
                scorer.dealer = entry.dealer + 1
            oracle.play_line(scorer, canon.line(entry.event, tuple(scorer.names)))
        return scorer


# ------------------------------------------------------------------ the ledger


class Ledger:
    """The command in this process, on one file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def text(self, *words: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            app([*words, "--db", str(self.path)], prog_name="skachki", standalone_mode=False)
        return out.getvalue()

    def json(self, *words: str) -> Any:
        return json.loads(self.text(*words, "--json"))

    def standing(self) -> Any:
        found = self.json("standing")
        del found["head"]
        return found

    def refusal(self, *words: str) -> set[str]:
        """The codes of what was refused; the file is as it was."""
        before = self.path.read_bytes()
        try:
            self.text(*words)
        except SkachkiError as error:
            assert self.path.read_bytes() == before
            return {fault.code for fault in error.faults}
        raise AssertionError(words)


ORDERS = ("--reason", "because", "--reopen")


def correct(ledger: Ledger, *words: str) -> set[str]:
    """Look, then write; return the codes of a refusal, or nothing where it is written as it was shown."""
    before, size = ledger.standing(), ledger.path.read_bytes()
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(io.StringIO()):
        try:
            app([*words, *ORDERS, "--db", str(ledger.path)], prog_name="skachki", standalone_mode=False)
        except SkachkiError as error:
            codes = {fault.code for fault in error.faults}
    assert ledger.path.read_bytes() == size
    if codes != {"E414"}:  # "add --yes": all else was right
        assert shown.getvalue() == ""
        return codes
    written = ledger.json(*words, *ORDERS, "--yes")
    after = ledger.standing()
    assert {key: value for key, value in written["standing"].items() if key != "head"} == after
    assert written["changed"] == differences(before, after)
    told = [
        line
        for line in shown.getvalue().splitlines()
        if line.endswith(")") and " → " in line and ": " in line
    ]
    players = after["game"]["players"]
    expected = [sentence(change) for change in written["changed"]]
    assert [
        line for line in told if line.split(": ")[0] in players and line.split(": ")[1][:3] in STARTS
    ] == expected
    return set()


STARTS = {"poo", "gor", "whi", "net"}


def differences(before: Any, after: Any) -> list[dict[str, Any]]:
    """Every cell that differs between two standings, in the order of the pinned JSON."""
    names = after["game"]["players"]
    found: list[tuple[str, int | None, str, str]] = []
    for account in ("pool", "gora"):
        for place in range(max(len(before[account]), len(after[account]))):
            for seat in range(4):
                old, new = (
                    rows[place][seat] if place < len(rows) else 0
                    for rows in (before[account], after[account])
                )
                found.append((f"{account} {names[seat]}", place + 1, str(old), str(new)))
    for seat in range(4):
        for on in range(4):
            cell = f"whists {names[seat]} {names[on]}"
            found.append((cell, None, before["whists"][seat][on], after["whists"][seat][on]))
    found += [(f"net {names[seat]}", None, before["net"][seat], after["net"][seat]) for seat in range(4)]
    keys = ("cell", "semester", "old", "new")
    return [dict(zip(keys, row, strict=True)) for row in found if row[2] != row[3]]


def sentence(change: Any) -> str:
    """What is said of one cell before it is written."""
    account, *names = split_cell(change["cell"])
    difference = Fraction(change["new"]) - Fraction(change["old"])
    what = {"whists": f"whists on {names[-1]}", "net": "net"}.get(account)
    what = what or f"{account} ({('I', 'II', 'III', 'IV')[change['semester'] - 1]})"
    sign = "+" if difference > 0 else ""
    return f"{names[0]}: {what} {change['old']} → {change['new']} ({sign}{difference})"


def split_cell(cell: str) -> list[str]:
    """The account and the names; names may have spaces."""
    account, _, rest = cell.partition(" ")
    if account != "whists":
        return [account, rest]
    known = sorted(
        {*GUESTS, *(name for table in random_games.TABLES for name in table), *NEW}, key=len, reverse=True
    )
    first = next(name for name in known if rest.startswith(f"{name} "))
    return [account, first, rest[len(first) + 1 :]]


NEW = ("Xenia", "Qi", "Ыгор", "U Thant")

# ------------------------------------------------------------------ steps


def words_of(payload: str) -> list[str]:
    """A line as the words of a command line, seats by number: after the end nobody is seated anew."""
    return [word.removeprefix('"') if word[0] == '"' else word for word in oracle.words_of(payload)]


def some_line(rng: random.Random, model: Model, place: int, dealer: int, deal: bool) -> str:
    """A deal or another event with seat numbers, drawn for a table where `dealer` deals."""
    names = tuple(model.names(place))
    scorer = random_games.start(names, names[dealer], model.game.preset, model.overrides, None)
    scorer.due, scorer.open = (None, False) if rng.randrange(3) else (1, True)
    line = random_games.any_deal(rng, scorer) if deal else random_games._event(rng, scorer)
    return corrections.payload(notation.read_line(line, Seats(names)).event)


def with_reason(attempt: Callable[[str], set[str]], payload: str) -> str | None:
    """Try a deal's line, then the same marked irregular; return the line that was taken."""
    for line in (payload, f'{payload} irregular "so it was"'):
        if not (codes := attempt(line)):
            return line
        if codes & REFUSED or " irregular " in line:
            assert codes <= REFUSED | {f"E2{n:02}" for n in range(2, 15)}
            return None
        assert all("E202" <= code <= "E214" for code in codes), codes
    raise AssertionError


class Steps:
    """Every step on the ledger and on the list."""

    def __init__(self, ledger: Ledger, model: Model, rng: random.Random) -> None:
        self.ledger, self.model, self.rng = ledger, model, rng
        self.undone: list[Model] = []

    def take(self, kind: str) -> bool:
        """Take a step, unless it is refused or there is nothing to do it on."""
        old = copy.copy(self.model)
        old.entries, old.overrides = list(old.entries), dict(old.overrides)
        taken = bool(getattr(self, kind)())
        if taken and kind not in ("undo", "redo"):
            self.model.before = [*old.before, old]
            self.undone.clear()
        return taken

    def _last(self) -> int:
        return len(self.ledger.text("export", "--format", "journal").splitlines())

    def target(self) -> tuple[int, Entry, str] | None:
        """A random entry that counts: its place, itself, and how it is called."""
        live = self.model.live()
        if not live:
            return None
        entry = self.rng.choice(live)
        return self.model.find(entry), entry, entry.label or f"e{entry.n}"

    def amend(self) -> bool:
        if (found := self.target()) is None:
            return False
        place, old, name = found
        deal = old.is_deal if self.rng.randrange(6) else not old.is_deal
        dealer = old.dealer if old.is_deal else self.model.next_dealer(place)
        option = [] if not deal or self.rng.randrange(3) else ["--dealer", str(self.rng.randrange(4) + 1)]
        dealer = int(option[1]) - 1 if option else dealer
        assert dealer is not None
        line = some_line(self.rng, self.model, place, dealer, deal)

        def attempt(payload: str) -> set[str]:
            return correct(self.ledger, "amend", name, *words_of(payload), *option)

        taken = with_reason(attempt, line) if deal else (None if attempt(line) else line)
        if taken is None:
            return False
        label = old.label or (self.model.inserted_label(place) if deal else "")
        self.model.entries[place] = Entry(taken, self._last(), label, dealer if deal else None)
        return True

    def insert(self) -> bool:
        if (found := self.target()) is None:
            return False
        place, _old, name = found
        deal = bool(self.rng.randrange(4))
        dealer = self.model.next_dealer(place)
        option = [] if not deal or self.rng.randrange(3) else ["--dealer", str(self.rng.randrange(4) + 1)]
        dealer = int(option[1]) - 1 if option else dealer
        line = some_line(self.rng, self.model, place, dealer, deal)

        def attempt(payload: str) -> set[str]:
            return correct(self.ledger, "insert", "--before", name, *words_of(payload), *option)

        taken = with_reason(attempt, line) if deal else (None if attempt(line) else line)
        if taken is None:
            return False
        label = self.model.inserted_label(place) if deal else ""
        self.model.entries.insert(place, Entry(taken, self._last(), label, dealer if deal else None))
        return True

    def void(self) -> bool:
        if (found := self.target()) is None:
            return False
        place, old, name = found
        if codes := correct(self.ledger, "void", name):
            assert codes == {"E123"}
            return False
        self.model.entries[place] = replace(old, voided=True)
        return True

    def rename(self) -> bool:
        seat = self.rng.randrange(4)
        old, new = self.model.names()[seat], self.rng.choice((*GUESTS, *NEW))
        if codes := correct(self.ledger, "rename", str(seat + 1), new):
            assert codes == {"E123"}
            return False
        self.model.players = tuple(new if name == old else name for name in self.model.players)
        for place, entry in enumerate(self.model.entries):
            event = entry.event
            if entry.payload.startswith("seat") and event.name == old:  # type: ignore[union-attr]
                payload = corrections.payload(event._replace(name=new))  # type: ignore[call-arg]
                self.model.entries[place] = replace(entry, payload=payload)
        return True

    def rule(self) -> bool:
        values = {**SWITCH_VALUES, "semesters": ("1", "2", "3"), "target": ("1", "4", "9")}
        switch = self.rng.choice((*values, "semesters", "target"))
        value = self.rng.choice(values[switch])
        assert not correct(self.ledger, "rule", f"{switch}={value}")
        self.model.overrides[switch] = value
        return True

    def deal(self) -> bool:
        """A deal as it is recorded at the table."""
        scorer = self.model.scored()
        if scorer.finished or scorer.stopped:
            return False
        line = random_games._deal(self.rng, scorer, Mix(irregular=100))
        payload = corrections.payload(notation.read_line(line, Seats(scorer.names)).event)
        dealer = scorer.dealer - 1
        self.ledger.text("deal", *words_of(payload))
        played = sum(entry.label.isdecimal() for entry in self.model.entries)
        self.model.entries.append(Entry(payload, self._last(), str(played + 1), dealer))
        return True

    def undo(self) -> bool:
        if not self.model.before:
            return False
        before = self.ledger.standing()
        self.ledger.text("undo")
        undone = self.ledger.standing()
        self.ledger.text("redo")
        assert self.ledger.standing() == before
        self.ledger.text("undo")
        assert self.ledger.standing() == undone
        self.undone.append(self.model)
        self.model = self.model.before[-1]
        return True

    def redo(self) -> bool:
        if not self.undone:
            return False
        self.ledger.text("redo")
        self.model = self.undone.pop()
        return True


# ------------------------------------------------------------------ the proof


def bare(found: Any) -> Any:
    """A standing without what hangs on labels, on the file and on who said what when."""
    kept = {key: value for key, value in found.items() if key not in ("problems", "game", "format")}
    persons = [{key: person[key] for key in ("name", "seat", "net")} for person in kept["persons"]]
    return kept | {"persons": persons}


def check(ledger: Ledger, model: Model) -> None:
    """The standing is the reference scorer's, cell by cell, and each deal has its label."""
    found = ledger.standing()
    assert bare(found) == bare(oracle.standing(model.scored()))
    counted = [event for event in ledger.json("log")["events"] if not event["struck"]]
    assert [(event["event"], event["deal"] or "") for event in counted] == [
        (entry.n, entry.label if entry.is_deal else "") for entry in model.live()
    ]


def check_files(ledger: Ledger, folder: Path) -> None:
    """The exported file is the same game, and the history tells every record."""
    told = ledger.json("history")["events"]
    assert [event["event"] for event in told] == list(range(2, len(told) + 2))
    file, other = folder / "out.skachki", Ledger(folder / "other.db")
    file.write_text(ledger.text("export"), encoding="utf-8")
    other.text("import", str(file))
    assert bare(other.standing()) == bare(ledger.standing())
    assert other.text("export") == file.read_text(encoding="utf-8")


@st.composite
def games(draw: st.DrawFn) -> RandomGame:
    rng = draw(st.randoms(note_method_calls=False, use_true_random=False))
    preset, overrides = random_games.rules(rng, semesters_max=3, target_max=8)
    mix = Mix(events=200, irregular=60, pinned=60, stop=10)
    return random_games.play(
        rng, preset, overrides, mix, deals_max=draw(st.integers(2, 14)), stake="0.50 RUB"
    )


KINDS = ("amend", "amend", "amend", "insert", "insert", "void", "rename", "rule", "deal", "undo", "redo")


def run(made: RandomGame, kinds: list[str], seed: int, taken: Counter[str]) -> None:
    """Play a game, correct it, and compare after each step; count the steps that were really taken."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        folder = Path(name)
        ledger = Ledger(fill(folder / "l.db", made.lines, head=header_of(made.text())))
        model = Model(made, made.players, dict(made.overrides))
        for event in ledger.json("log")["events"]:
            line = notation.read_line(event["line"], Seats(model.names())).event
            dealer = model.names().index(event["dealer"]) if event["deal"] else None
            model.entries.append(
                Entry(corrections.payload(line), event["event"], event["deal"] or "", dealer)
            )
        steps = Steps(ledger, model, random.Random(seed))
        check(ledger, steps.model)
        for kind in kinds:
            if steps.take(kind):
                taken[kind] += 1
                check(ledger, steps.model)
        check_files(ledger, folder)


def test_any_corrections_give_the_game_recorded_rightly() -> None:
    taken: Counter[str] = Counter()

    @settings(max_examples=30)
    @given(
        games(),
        st.permutations(sorted(set(KINDS))),  # by chance alone some kinds would be rare
        st.lists(st.sampled_from(KINDS), max_size=6),
        st.integers(0),
    )
    def proof(made: RandomGame, each: list[str], kinds: list[str], seed: int) -> None:
        run(made, [*each, *kinds, "undo", "redo"], seed, taken)

    proof()
    assert set(taken) == set(KINDS), taken  # else nothing is proved


@pytest.mark.long
def test_any_corrections_at_length() -> None:
    for seed in range(500):
        rng = random.Random(seed)
        preset, overrides = random_games.rules(rng, semesters_max=3, target_max=8)
        mix = Mix(events=200, irregular=60, pinned=60, stop=10)
        made = random_games.play(rng, preset, overrides, mix, rng.randrange(2, 15), "0.50 RUB")
        run(made, rng.choices(KINDS, k=rng.randrange(4, 14)), seed, Counter())
