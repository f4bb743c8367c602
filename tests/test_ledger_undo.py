"""Undo and redo on a real ledger: every step back is exactly what was, every step forward what was taken.

Random legal games, and one walked to its end through the command.
"""

from __future__ import annotations

import copy
import random
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import random_games
from conftest import Skachki
from hypothesis import given
from hypothesis import strategies as st
from random_games import Mix, RandomGame
from test_ledger_recording import asked
from test_ledger_store import GAME, add, fill, fine, refused

from skachki_ledger import gamefile, journal, store
from skachki_ledger.events import DealPlayed
from skachki_ledger.header import Header
from skachki_ledger.journal import Game
from skachki_ledger.render import jsonout
from skachki_ledger.standing import standing

HERE = Path(__file__).parent

# ------------------------------------------------------------------ a ledger in this process


def shown(game: Game) -> str:
    """The standing's JSON, all but the head: the journal is longer after an undo, the game is not."""
    return jsonout.dump(jsonout.standing(standing(game.history), game.id))


def stored(path: str) -> Game:
    """The game as another process reads it."""
    with store.reading(path) as connection:
        return journal.game(GAME, store.records(connection, GAME))


def write(path: str, *lines: str) -> Game:
    """Record lines, each in a transaction of its own, each on the game as it is read from the file."""
    for line in lines:
        with store.writing(path) as connection:
            before = journal.game(GAME, store.records(connection, GAME))
            grown = add(connection, before, line)
    now = stored(path)
    assert (now.head, shown(now)) == (
        grown.head,
        shown(grown),
    )  # what a command shows is what the next one reads
    return now


def header_of(text: str) -> Header:
    """What a game file's tags agree on."""
    head = gamefile.read(text).header
    assert head is not None
    return head


@contextmanager
def ledger_of(text: str, lines: list[str]) -> Iterator[str]:
    """A ledger with one game: the header of a game file, and lines."""
    with tempfile.TemporaryDirectory() as folder:
        yield str(fill(Path(folder) / "l.db", lines, head=header_of(text)))


@st.composite
def games(draw: st.DrawFn) -> RandomGame:
    """A short game with everything: two semesters of a low target may well be over in it."""
    rng = draw(st.randoms(note_method_calls=False, use_true_random=False))
    preset, overrides = random_games.rules(rng, semesters_max=2, target_max=6)
    mix = Mix(events=200, irregular=60, pinned=60, stop=20)
    return random_games.play(rng, preset, overrides, mix, deals_max=draw(st.integers(1, 14)))


# ------------------------------------------------------------------ random games


@given(games(), st.data())
def test_undo_is_the_game_so_far_and_redo_brings_it_back(made: RandomGame, data: st.DataObject) -> None:
    steps = data.draw(st.integers(1, min(6, len(made.lines))))
    kept = len(made.lines) - steps
    with ledger_of(made.text(), made.lines[:kept]) as path:
        states = [shown(stored(path))]
        states += [shown(write(path, line)) for line in made.lines[kept:]]
        for _ in range(steps):
            assert shown(stored(path)) == states.pop()
            write(path, "undo")
        assert shown(stored(path)) == states[0]
        with ledger_of(made.text(), made.lines[:kept]) as other:
            assert shown(stored(other)) == states[0]
        assert [shown(write(path, "redo")) for _ in range(steps)][-1] == _whole(made)


def _whole(made: RandomGame) -> str:
    with ledger_of(made.text(), made.lines) as path:
        return shown(stored(path))


@given(
    st.lists(st.sampled_from(("deal", "deal", "undo", "undo", "redo", "note")), max_size=14), st.integers(0)
)
def test_any_mixture_is_a_list_that_grows_and_shrinks(words: list[str], seed: int) -> None:
    """The model: what counts is a list; undo moves its last line to another, which a new line empties."""
    rng = random.Random(seed)
    while (model := random_games.play(rng, "piter", {"semesters": "2", "target": "2"}, deals_max=0)).lines:
        pass
    positions = [model]
    undone: list[RandomGame] = []
    with ledger_of(model.text(), []) as path:
        for word in words:
            now = positions[-1]
            if word == "undo" and len(positions) > 1:
                undone.append(positions.pop())
                write(path, "undo")
            elif word == "redo" and undone:
                positions.append(undone.pop())
                write(path, "redo")
            elif word in ("deal", "note"):
                line = 'note "x"' if word == "note" or now.game.finished else _next_deal(rng, now)
                positions.append(_after(now, line))
                undone.clear()
                write(path, line)
        found = stored(path)
        lines = positions[-1].lines
        assert len([item for item in found.items if item.step]) == len(lines)
        with ledger_of(model.text(), lines) as other:
            assert shown(found) == shown(stored(other))
        labels = [item.label for item in found.items if item.step and isinstance(item.event, DealPlayed)]
        assert labels == [str(n + 1) for n in range(len(labels))]


def _next_deal(rng: random.Random, now: RandomGame) -> str:
    while not random_games.is_legal(now.game, line := random_games.any_deal(rng, now.game)):
        pass
    return line


def _after(now: RandomGame, line: str) -> RandomGame:
    after = copy.deepcopy(now)
    random_games._say(after, line)
    return after


# ------------------------------------------------------------------ one game to its end


def turning_points(text: str) -> list[int]:
    """Places of the lines that end a semester, the last of which ends the game."""
    with ledger_of(text, []) as path, sqlite3.connect(path) as connection:
        game = journal.game(GAME, store.records(connection, GAME))
        found = []
        for place, line in enumerate(_lines(text)):
            before = game.history.state
            game = add(connection, game, line)
            after = game.history.state
            if (after.semester, after.over) != (before.semester, before.over):
                found.append(place)
        connection.rollback()
    connection.close()
    return found


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and line[0] not in "[;"]


@pytest.mark.parametrize("name", ["piter", "gambler"])
def test_a_whole_game_back_and_forth_at_every_semesters_end(name: str) -> None:
    text = (HERE / f"cases/games/{name}.skachki").read_text(encoding="utf-8")
    lines = _lines(text)
    ends = turning_points(text)
    assert len(ends) == 4
    with ledger_of(text, []) as path:
        done = 0
        for end in ends:
            with store.writing(path) as connection:
                game = journal.game(GAME, store.records(connection, GAME))
                for line in lines[done:end]:
                    game = add(connection, game, line)
            before = stored(path)
            after = write(path, lines[end])
            assert before.history.state.prizes != after.history.state.prizes
            assert shown(write(path, "undo")) == shown(before)
            write(path, "undo")
            assert shown(write(path, "redo")) == shown(before)
            assert shown(write(path, "redo")) == shown(after)
            done = end + 1
        if lines[done:]:
            write(path, *lines[done:])
        finished = stored(path)
        assert finished.history.state.over == "finished"
        count = len(lines)
        with store.writing(path) as connection:
            for turn in ("undo", "redo"):
                for _ in range(count):
                    finished = add(connection, finished, turn)
                assert finished.history.state.deals == (
                    0 if turn == "undo" else 66 if name == "piter" else 71
                )
    with ledger_of(text, lines) as path:
        assert shown(finished) == shown(stored(path))


def test_a_semesters_end_and_the_games_end_through_the_command(skachki: Skachki, tmp_path: Path) -> None:
    """Dealer, price, semester and prizes come back as they were."""
    text = (HERE / "cases/games/piter.skachki").read_text(encoding="utf-8")
    lines, ends = _lines(text), turning_points(text)
    for number, end in ((1, ends[0]), (4, ends[3])):
        path = fill(tmp_path / f"{number}.db", lines[:end], head=header_of(text))
        before = bare(asked(skachki, "standing", "--db", path))
        deal = asked(skachki, "deal", *lines[end].split(), "--db", path)
        after = bare(deal["standing"])
        assert len(after["prizes"]) - len(before["prizes"]) == (2 if number == 1 else 4)
        assert (before["semester"], before["finished"]) == (number, False)
        assert (after["semester"], after["finished"]) == ((2, False) if number == 1 else (4, True))
        prizes = [entry["rule"] for entry in deal["event"]["entries"] if entry["rule"].startswith("prize.")]
        assert {"prize.pool", "prize.gora"} <= set(prizes)
        if number == 4:
            assert {"prize.total-pool", "prize.total-gora"} <= set(prizes)
            assert after["dealer"] is after["next"] is after["price"] is after["min_level"] is None
            refused(skachki, "deal", "r", "2/3/3/2", "--db", path, code="E215", file=path)
        back = asked(skachki, "undo", "--db", path)
        assert bare(back["standing"]) == before == bare(asked(skachki, "status", "--db", path))
        assert back["changed"]
        forth = asked(skachki, "redo", "--db", path)
        assert bare(forth["standing"]) == after
        old_new = [(change["cell"], change["old"], change["new"]) for change in back["changed"]]
        assert [(change["cell"], change["new"], change["old"]) for change in forth["changed"]] == old_new


def bare(found: Any) -> Any:
    """A standing without the head, which every event changes."""
    assert found.pop("head")
    return found


def test_what_undo_and_redo_say(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", ["r 2/4/3/1"])
    refused(skachki, "redo", "--db", path, code="E323", file=path)
    told = []
    for language in ("en", "ru"):
        for turn in ("undo", "redo"):
            out = fine(skachki(turn, "--db", path, "--lang", language))
            assert "1. r 2/4/3/1" in out or "1. р 2/4/3/1" in out
            told.append(out.splitlines()[0])
            assert "Anna" in out.splitlines()[-1] if turn == "undo" else "Boris" in out.splitlines()[-1]
    assert len(set(told)) == 4
    fine(skachki("undo", "--db", path, "--by", "Zoe"))
    refused(skachki, "undo", "--db", path, code="E322", file=path)
    fine(skachki("deal", "r", "1/4/4/1", "--db", path))  # takes the label, and ends redo
    refused(skachki, "redo", "--db", path, code="E323", file=path, languages=["en"])
    assert asked(skachki, "standing", "--db", path)["gora"] == [[2, 8, 8, 2]]
    assert "1. r 1/4/4/1" in fine(skachki("log", "--deal", "1", "--db", path))
    fine(skachki("deal", "stop", "--db", path))
    assert asked(skachki, "status", "--db", path)["stopped"]
    fine(skachki("undo", "--db", path))
    assert not asked(skachki, "status", "--db", path)["stopped"]
