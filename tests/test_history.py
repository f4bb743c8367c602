"""The record told: `history` says when, who, why and what changed; `log` keeps every line."""

from __future__ import annotations

import cProfile
import random
from collections import Counter
from pathlib import Path

import pytest
import random_games
from conftest import Skachki
from test_corrections import NIGHT, WHY
from test_corrections_properties import Ledger
from test_ledger_store import AT, fill, fine
from test_ledger_undo import header_of

from skachki_ledger import changes


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """A night with every kind of correction in it."""
    monkeypatch.setenv("SKACHKI_BY", "anna")
    book = Ledger(fill(tmp_path / "l.db", NIGHT))
    for words in (
        ("amend", "2", "Vera", "7d", "wp", "6", "--by", "Zoe"),  # e8
        ("amend", "2", "Gleb", "7d", "wp", "7"),  # e9
        ("insert", "--before", "3", "note", "x"),  # e10
        ("void", "e4"),  # e11
        ("rename", "Boris", "Boria"),  # e12
        ("rule", "target=20"),  # e13
        ("amend", "3", "Boria", "6h", "wp", "6", "--dealer", "Gleb"),  # e14
    ):
        book.text(*words, *WHY)
    book.text("undo")  # e15
    book.text("redo")  # e16
    book.text("deal", "agree")  # e17
    book.text("void", "5", "--reopen", *WHY)  # e18, e19
    return book


def test_old_and_new_of_every_record(book: Ledger) -> None:
    events = book.json("history")["events"]
    assert [event["event"] for event in events] == list(range(2, 20))
    told = {event["event"]: (event["line"], event["old"], event["new"]) for event in events}
    assert told[2] == ("r 2/4/3/1", None, "r 2/4/3/1")
    assert told[3][1:] == (None, "Vera 7d wp 7/3")
    assert told[8][1:] == ("Vera 7d wp 7/3", "Vera 7d wp 6/4")
    assert told[9] == ("Gleb 7d wp 7/3", "Vera 7d wp 6/4", "Gleb 7d wp 7/3")
    assert told[10][1:] == (None, 'note "x"')
    assert told[11] == ("void e4", 'fine Gleb 4 gora "exposed card"', None)
    assert told[12] == ('rename Boris "Boria"', "Boris", "Boria")
    assert told[13] == ("rule target=20", "target=22", "target=20")
    assert told[14][1:] == ("Boria 6h wp 6/4", "Boria 6h wp 6/4")
    assert told[15] == ("undo", "amend 3: Boria 6h wp 6/4", None)
    assert told[16] == ("redo", None, "amend 3: Boria 6h wp 6/4")
    assert told[18] == ("reopen", None, None)
    assert told[19] == ("void 5", "r 1/3/3/3", None)
    assert (events[6]["by"], events[6]["reason"]) == ("Zoe", "counted again")


def test_a_renaming_is_told_with_the_old_name(tmp_path: Path) -> None:
    book = Ledger(fill(tmp_path / "l.db", NIGHT))
    told = book.json("rename", "Gleb", "Glyeb", *WHY)
    assert told["event"]["line"] == 'rename Gleb "Glyeb"' == book.json("history")["events"][-1]["line"]


def test_struck_events_are_marked(book: Ledger) -> None:
    events = book.json("history")["events"]
    assert [event["struck"] for event in events[:2]] == [False, True]


def test_text_marks_what_changed_with_both_clocks(skachki: Skachki, book: Ledger) -> None:
    out = fine(skachki("history", "--db", book.path, env={"TZ": "Asia/Tokyo"}))
    first = f"e2  {AT} (2026-01-03 05:59)  t\n  1. r 2/4/3/1\n"  # nine hours ahead, and already tomorrow
    assert first in out
    for text in (
        "  Zoe  – counted again\n  amend 2: Vera 7♦ wp 6/4\n    Vera 7♦ wp [7/3] → Vera 7♦ wp [6/4]\n",
        "    [Vera] 7♦ wp [6/4] → [Gleb] 7♦ wp [7/3]\n",
        '    ✗ fine Gleb 4 gora "exposed card"\n',
        "    [Boris] → [Boria]\n",
        "    [target=22] → [target=20]\n",
        "    Boria 6♥ wp 6/4 → Boria 6♥ wp 6/4\n    Gleb dealt, not Vera\n",
        "  undo\n    ✗ amend 3: Boria 6♥ wp 6/4\n",
        "  redo\n    + amend 3: Boria 6♥ wp 6/4\n",
        "  void 5\n    ✗ r 1/3/3/3\n    the table had agreed on this: e17\n",
    ):
        assert text in out, text
    russian = fine(skachki("history", "--db", book.path, "--lang", "ru"))
    assert "Vera 7♦ вп [7/3] → Vera 7♦ вп [6/4]" in russian
    assert "Vera 7б вп [7/3]" in fine(
        skachki("history", "--db", book.path, "--lang", "ru", "--suits", "letters")
    )


def test_a_russian_history_speaks_russian(skachki: Skachki, book: Ledger) -> None:
    told = fine(skachki("история", "--db", book.path, "--lang", "ru"))
    assert "\n  2. Vera 7♦ вп 7/3\n" in told
    for line in (
        "исправить 2: Vera 7♦ вп 6/4",
        'вставить 3: заметка "x"',
        "вычеркнуть e4",
        'переименовать Boris "Boria"',
        "правило target=20",
        "отмена",
        "вернуть",
        "открыть",
    ):
        assert f"\n  {line}\n" in told, line


def test_the_log_keeps_struck_lines_beside_the_new(book: Ledger) -> None:
    shown = [line for line in book.text("log").splitlines() if not line.startswith(("e", "    "))]
    assert shown == [
        "  1. r 2/4/3/1  [Anna dealt, at 2]",
        "  ✗ 2. Vera 7♦ wp 7/3  (amended)  e8",
        "  ✗ 2. Vera 7♦ wp 6/4  (amended)  e9",
        "  2. Gleb 7♦ wp 7/3  [Boria dealt]",
        '  ✗ fine Gleb 4 gora "exposed card"  (voided)  e11  anna  – counted again',
        '  note "x"',
        "  ✗ 3. Boria 6♥ wp 6/4  (amended)  e14",
        "  3. Boria 6♥ wp 6/4  [Gleb dealt]",
        "  4. r 3/3/2/2  [Gleb dealt, at 2]",
        "  ✗ 5. r 1/3/3/3  (voided)  e19  anna  – counted again",
        "  agree",
    ]
    assert "    corrected since: e19" in book.text("log")
    struck = [event for event in book.json("log")["events"] if event["struck"]]
    assert [(event["event"], event["deal"], event["entries"]) for event in struck] == [
        *((3, "2", []), (8, "2", []), (4, None, []), (5, "3", []), (7, "5", []))
    ]
    assert [event["deal"] for event in book.json("log", "--deal", "2")["events"]] == ["2", "2", "2"]


def test_the_history_scores_the_game_once(tmp_path: Path) -> None:
    """A long night costs two resolutions a correction, not one derivation a record."""
    made = random_games.play(random.Random(4), "piter", {"target": "60"}, deals_max=80)
    book = Ledger(fill(tmp_path / "l.db", made.lines, head=header_of(made.text())))
    for label in range(2, 12):
        book.text("void", str(label), "--reopen", *WHY)
    profile = cProfile.Profile()
    profile.runcall(book.text, "history")
    calls: Counter[str] = Counter()
    for entry in profile.getstats():
        if not isinstance(entry.code, str) and "skachki_ledger" in entry.code.co_filename:
            calls[entry.code.co_name] += entry.callcount
    assert 60 < calls["step"] <= len(made.lines)
    assert 10 < calls["resolve"] <= 1 + 2 * 10


def test_marks_are_words() -> None:
    assert changes.marked("fine Gleb 4 gora", 'fine Gleb 6 gora "late"') == (
        "fine Gleb [4] gora",
        'fine Gleb [6] gora ["late"]',
    )


def test_what_is_taken_back_has_the_names_of_then(tmp_path: Path) -> None:
    book = Ledger(fill(tmp_path / "l.db", NIGHT))
    book.text("rename", "Gleb", "Glyeb", *WHY)
    assert 'taken back: rename Gleb "Glyeb"' in book.text("undo")
    assert 'brought back: rename Gleb "Glyeb"' in book.text("redo")
    book.text("deal", "seat", "Boris", "Zoe")
    assert 'taken back: seat Boris "Zoe"' in book.text("undo")
    assert [event["old"] for event in book.json("history")["events"] if event["line"] == "undo"] == [
        'rename Gleb "Glyeb"',
        'seat Boris "Zoe"',
    ]


def test_the_protocol_has_the_names_of_then_and_what_was_taken_back(tmp_path: Path) -> None:
    book = Ledger(fill(tmp_path / "l.db", NIGHT))
    book.text("amend", "2", "Vera", "7d", "wp", "6", *WHY)
    book.text("void", "3", *WHY)
    book.text("undo")
    book.text("deal", "seat", "Vera", "Zoe")
    page = book.text("log", "--format", "html")
    assert "amend 2: Vera 7♦ wp 6/4 – e" in page
    assert "void 3 (taken back) – e" in page
