"""Putting right what was written wrong: `amend`, `void`, `insert`, `rename`, `rule` on a real ledger."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import SKACHKI, Skachki, clean_environment
from running import LATIN
from test_corrections_properties import Ledger
from test_ledger_store import fill, fine, refused

from skachki_ledger import i18n
from skachki_ledger.errors import SkachkiError
from skachki_ledger.header import Header
from skachki_ledger.rules import PRESETS, with_switch

WHY = ("--reason", "counted again", "--yes")
NIGHT = (
    "r 2/4/3/1",  # 1, at 2: Anna deals, who may not declare in it
    "Vera 7d wp 7/3",  # 2: closes the all-pass
    'fine Gleb 4 gora "exposed card"',  # e4
    "Boris 6h wp 6/4",  # 3
    "r 3/3/2/2",  # 4, at 2
    "r 1/3/3/3",  # 5, at 4: opened by 4
)


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    """A ledger with one short game, corrected in this process."""
    return Ledger(fill(tmp_path / "l.db", NIGHT))


def labels(book: Ledger) -> list[str]:
    """Labels of the deals that count, in their order."""
    return [event["deal"] for event in book.json("log")["events"] if event["deal"] and not event["struck"]]


def lines(book: Ledger) -> list[str]:
    return [event["line"] for event in book.json("log")["events"] if not event["struck"]]


def problems(book: Ledger) -> list[tuple[str | None, str]]:
    return [(found["deal"], found["code"]) for found in book.standing()["problems"]]


def made(path: Path, *night: str, **switches: Any) -> Ledger:
    """A ledger with a game under other rules."""
    rules = PRESETS["piter@1"]
    for name, value in switches.items():
        rules = with_switch(rules, name, value)
    return Ledger(fill(path, night, head=Header(LATIN, 0, rules, date="2026-01-02")))


# ------------------------------------------------------------------ labels and targets


def test_labels_belong_to_deals(book: Ledger) -> None:
    deal = ("Anna", "7d", "ww", "7/2/1", "irregular", "whenever")
    for before, label in (("3", "2a"), ("3", "2b"), ("2a", "2c"), ("1", "0a"), ("1", "0b"), ("e5", "2d")):
        dealer = "Gleb"
        made = book.json("insert", "--before", before, *deal, "--dealer", dealer, *WHY)
        assert (made["event"]["deal"], made["event"]["dealer"]) == (label, dealer)
    assert labels(book) == ["0a", "0b", "1", "2", "2c", "2a", "2b", "2d", "3", "4", "5"]
    book.text("undo")
    assert book.json("insert", "--before", "3", *deal, "--dealer", "Gleb", *WHY)["event"]["deal"] == "2d"
    book.text("void", "2a", *WHY)
    book.text("void", "4", *WHY)
    assert book.refusal("void", "4", *WHY) == {"E409"}
    made = book.json("insert", "--before", "5", *deal, "--dealer", "Gleb", *WHY)
    assert made["event"]["deal"] == "4a"  # the voided deal keeps its label
    told = book.json("deal", "r", "2/3/3/2", "irregular", "x")
    assert told["event"]["deal"] == "6"  # what `deal` says is what the log says
    assert labels(book)[-3:] == ["4a", "5", "6"]
    assert "7. r 2/3/3/2" in book.text("deal", "r", "2/3/3/2", "irregular", "x")
    book.text("undo")
    assert "7. r 3/2/3/2" in book.text("deal", "r", "3/2/3/2", "irregular", "x")
    assert book.text("log", "--deal", "7").count("7. ") == 2  # the undone one is still to be seen


def test_a_label_or_a_place_in_either_script(book: Ledger) -> None:
    book.text("insert", "--before", "3", "Gleb", "7h", "ww", "8/1/1", *WHY)
    assert book.json("amend", "2А", "Gleb", "7h", "ww", "7/2/1", *WHY)["event"]["deal"] == "2a"  # Cyrillic
    assert (
        book.json("amend", "Е4", "fine", "Gleb", "6", "gora", *WHY)["event"]["line"] == "fine Gleb 6 gora"
    )
    assert book.json("amend", "e4", "fine", "Gleb", "8", "gora", *WHY)["event"]["event"] == 11
    book.text("amend", "e10", "fine", "Gleb", "2", "gora", *WHY)  # an amendment stands for what it amended
    assert [line for line in lines(book) if line.startswith("fine")] == ["fine Gleb 2 gora"]


def test_a_deal_becomes_an_event_and_back(book: Ledger) -> None:
    before = book.standing()
    book.text("amend", "3", "note", "misdealt", *WHY)
    assert labels(book) == ["1", "2", "4", "5"]
    assert book.json("amend", "3", "Boris", "6h", "wp", "6", *WHY)["event"]["deal"] == "3"
    found = book.standing()
    assert found == before
    # an event that was a deal after all is labelled as one inserted there
    told = book.json("amend", "e4", "Gleb", "7h", "ww", "8/1/1", *WHY)["event"]
    assert (told["deal"], told["dealer"]) == ("2a", "Vera")  # Boris dealt deal 2
    assert labels(book) == ["1", "2", "2a", "3", "4", "5"]


# ------------------------------------------------------------------ facts and what follows from them


def test_who_dealt_and_what_was_announced_are_facts(book: Ledger) -> None:
    told = book.json("amend", "2", "Vera", "7d", "wp", "6", *WHY)  # now the all-pass stays open: 3 is a six
    assert told["event"]["dealer"] == "Boris"
    assert problems(book) == [("3", "E203")]
    told = book.json("amend", "3", "Boris", "6h", "ww", "5/3/2", "irregular", "nobody noticed", *WHY)
    late = [("4", "E221"), ("5", "E221")]  # at 4 and 6 now: the table played at 2 and 4
    assert (told["event"]["dealer"], problems(book)) == ("Vera", [("3", "E203"), *late])
    assert [event["price"] for event in book.json("log")["events"] if event["price"]] == [2, 4, 6]
    book.text("amend", "2", "Vera", "7d", "wp", "7", *WHY)
    book.text("void", "4", *WHY)
    assert problems(book) == [("5", "E220"), ("5", "E221")]
    book.text("amend", "5", "r", "2/3/3/2", *WHY)  # other tricks: it was announced at 4 all the same
    assert problems(book) == [("5", "E220"), ("5", "E221")]
    told = book.json("amend", "5", "r@4", "2/3/3/2", "--dealer", "Gleb", *WHY)
    assert (told["event"]["price"], told["event"]["dealer"], problems(book)) == (4, "Gleb", [])
    out = book.text("amend", "5", "r@4", "2/3/3/2", "--dealer", "Anna", *WHY)
    assert "Anna dealt, not Gleb" in out


def test_an_inserted_deal_is_dealt_by_the_seat_after_the_previous_deals(book: Ledger) -> None:
    for before, dealer, line in (("5", "Anna", "Vera 7d wp 7/3"), ("1", "Anna", "r 1/4/4/1")):
        told = book.json("insert", "--before", before, *line.split(), *WHY)
        assert told["event"]["dealer"] == dealer
    assert [p for p in problems(book) if p[1] == "E220"] == [("1", "E220"), ("5", "E220")]
    assert book.refusal("insert", "--before", "3", "Vera", "7d", "wp", "7", *WHY) == {
        "E201"
    }  # he deals there


def test_semesters_and_the_game_end_elsewhere(tmp_path: Path) -> None:
    night = (
        "r 2/4/3/1",
        "Vera 10d wp 10/0",  # 2: the target of 8, ends semester I; Boris dealt
        "r 3/2/3/2",  # 3: opens semester II, dealt by Boris
        "Gleb 8s ww 8/1/1",
        "Anna 9s ww 9/1/0",  # 5: ends semester II and the game
    )
    book = made(tmp_path / "l.db", *night, target=8, semesters=2)
    assert book.standing()["finished"]
    assert book.refusal("amend", "2", "Vera", "7d", "wp", "7", *WHY) == {"E412"}
    with pytest.raises(SkachkiError, match="the game is over: --reopen"):
        book.text("void", "2", *WHY)
    out = book.text("amend", "2", "Vera", "7d", "wp", "7", *WHY, "--reopen")
    for sentence in (
        "deals 3–5: semester I, not II",
        "semester I ends with deal 5, not deal 2",
        "semester II does not end any more",
        "the game goes on",
        "deal 3: Boris dealt, by the rotation it was Vera's turn",
        "no longer awarded: pool 300, semester I: Vera",
        "awarded now: pool 300, semester I: Anna",
        "no longer awarded: gora 200, final: Anna",
    ):
        assert sentence in out, out
    assert "open after it" not in out  # a new semester's all-pass is no news
    assert [p for p in problems(book) if p[1] == "E222"] == [(n, "E222") for n in ("3", "4", "5")]
    told = book.json("undo")  # the reopening and the correction
    assert (told["event"]["line"], told["standing"]["finished"]) == ("undo", True)
    out = book.text("rule", "semesters=1", *WHY, "--reopen")
    for label in "345":
        assert f"deal {label}: does not count any more, the game is over" in out
    assert [p for p in problems(book) if p[1] == "E215"] == [(n, "E215") for n in ("3", "4", "5")]
    assert book.standing()["deals"] == 2
    assert book.text("log").count("does not count: the game is over before it") == 3
    out = book.text("rule", "semesters=2", *WHY, "--reopen")
    assert "deal 3: counts again" in out


def test_what_follows_is_told(book: Ledger) -> None:
    out = book.text("amend", "2", "Vera", "7d", "wp", "6", *WHY)
    assert out.splitlines()[0] == "2. Vera 7♦ wp [7/3] → Vera 7♦ wp [6/4]"
    for sentence in (
        "Vera: pool (I) 4 → 0 (-4)",
        "deal 2: the all-pass is open after it now",
        "deal 3: now against the rules: the all-pass is open since deal 1",
    ):
        assert sentence in out, out
    out = book.text("void", "4", *WHY)
    assert out.splitlines()[0] == "✗ 4. r 3/3/2/2"
    assert "deal 5: the all-pass counts at 2, not 4" in out
    assert "deal 5: Anna dealt, by the rotation it was Gleb's turn" in out
    out = book.text("insert", "--before", "5", "Boris", "7h", "pp", *WHY)
    assert out.splitlines()[0] == "+ 4a. Boris 7♥ pp  [Gleb dealt]"
    out = book.text("amend", "5", "r", "1/3/3/3", "--dealer", "Anna", *WHY)
    assert "nothing in the score changes" in out
    out = book.text("amend", "5", "r", "2/3/2/3", "--dealer", "Vera", *WHY)
    assert (
        "next: Gleb deals · auction, lowest contract 7 (was: Boris deals · auction, lowest contract 7)"
        in out
    )
    out = book.text("rule", "min_exit_level=8", *WHY)
    assert "min_exit_level: 7 → 8" in out


# ------------------------------------------------------------------ names


def test_a_misspelt_name_is_put_right_wherever_it_stands(book: Ledger) -> None:
    book.text("deal", "seat", "Boris", "Dina")
    book.text("deal", "seat", "Vera", "Boris")  # back, to another place
    assert "Boris → Boria" in book.text("rename", "Boris", "Boria", *WHY)
    assert book.json("log")["events"][3]["line"] == "Boria 6h wp 6/4"
    assert [person["name"] for person in book.standing()["persons"]] == [
        "Anna",
        "Boria",
        "Dina",
        "Vera",
        "Boria",
        "Gleb",
    ]
    book.text("undo")
    assert [person["name"] for person in book.standing()["persons"]][1] == "Boris"


def test_two_at_the_table_never_have_equal_names(book: Ledger) -> None:
    book.text("deal", "seat", "Boris", "Dina")  # e8
    book.text("deal", "seat", "Vera", "Boris")  # e9
    for words in (
        ("rename", "1", "dina"),
        ("rename", "Anna", "Vera"),  # she sat there before
        ("void", "e8"),  # Boris would sit twice
        ("amend", "e8", "seat", "2", "Vera"),
        ("insert", "--before", "3", "seat", "Gleb", "Dina"),
        ("insert", "--before", "3", "seat", "Boris", "Dina"),  # and come in a second time
    ):
        assert book.refusal(*words, *WHY) == {"E123"}, words


# ------------------------------------------------------------------ agreed and finished parts


def test_what_was_agreed_needs_reopen_and_shows(book: Ledger) -> None:
    book.text(
        "insert", "--before", "4", "note", "before", "--reopen", *WHY
    )  # harmless where nothing is agreed
    assert "reopen" not in [event["line"] for event in book.json("history")["events"]]
    book.text("deal", "agree", "first")  # e9
    book.text("deal", "Anna", "7d", "ww", "7/2/1")  # 6
    for words in (
        ("amend", "5", "r", "2/3/3/2"),
        ("void", "e4"),
        ("insert", "--before", "e9", "note", "x"),
        ("void", "e9"),
        ("rename", "Anna", "Anya"),
        ("rule", "target=20"),
    ):
        assert book.refusal(*words, *WHY) == {"E412"}, words
        with pytest.raises(SkachkiError, match="the table has agreed up to deal 5 \\(e9\\): --reopen"):
            book.text(*words, *WHY)
    book.text("insert", "--before", "6", "fine", "Gleb", "2", "gora", *WHY)  # after it: no reopening
    assert problems(book) == []
    book.text("amend", "5", "r", "2/3/3/2", "--reopen", *WHY)
    assert [event["line"] for event in book.json("history")["events"]][-2:] == ["reopen", "r 2/3/3/2"]
    assert problems(book) == [(None, "E431")]
    assert "corrected since: e13" in book.text("log")
    assert "the table had agreed on this: e9" in book.text("history")
    book.text("deal", "agree")
    assert problems(book) == []
    assert "corrected since: e13" in book.text("log")  # nothing is forgotten
    book.text("undo")
    book.text("undo")
    assert 'agree "first"' in lines(book)
    assert problems(book) == []
    assert "corrected since" not in book.text("log")


@pytest.mark.parametrize("kind", ["finished", "stopped"])
def test_reopening_and_correction_are_one(tmp_path: Path, kind: str) -> None:
    night = ["r 2/4/3/1", "Vera 8d wp 8/2"] + (["stop final"] if kind == "stopped" else [])
    book = made(tmp_path / "l.db", *night, target=5 if kind == "finished" else 22, semesters=1)
    before = book.standing()
    assert before[kind]
    book.text("amend", "2", "Vera", "7d", "wp", "7", "--reopen", *WHY)
    assert book.standing() != before
    count = len(book.text("export", "--format", "journal").splitlines())
    book.text("undo")
    assert book.standing() == before
    assert len(book.text("export", "--format", "journal").splitlines()) == count + 1
    book.text("redo")
    assert not book.standing()["finished"]


def test_a_killed_correction_is_whole_or_not_at_all(tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", [*NIGHT, "agree"])
    words = ["void", "4", "--reopen", *WHY, "--db", str(path)]
    began = time.perf_counter()
    subprocess.run(
        [SKACHKI, "status", "--db", str(path)],
        check=True,
        env=clean_environment(tmp_path),
        stdout=subprocess.DEVNULL,
    )
    whole = time.perf_counter() - began
    seen = set()
    for turn in range(7):
        before = len(Ledger(path).text("export", "--format", "journal").splitlines())
        child = subprocess.Popen(
            [SKACHKI, *words], env=clean_environment(tmp_path), stdout=subprocess.DEVNULL
        )
        time.sleep(whole * (0.5 + 0.2 * turn))
        child.kill()
        child.wait()
        after = len(Ledger(path).text("export", "--format", "journal").splitlines())
        assert after - before in (0, 2)
        seen.add(after - before)
        if after != before:
            Ledger(path).text("undo")
    assert seen <= {0, 2}


# ------------------------------------------------------------------ asking


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, home: Path, *words: str | Path, lang: str = "en") -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(home)
            os.execve(
                SKACHKI, [str(SKACHKI), *map(str, words)], clean_environment(home) | {"SKACHKI_LANG": lang}
            )
        self.seen = b""

    def until(self, text: str) -> None:
        while text.encode() not in self.seen:
            self.seen += os.read(self.fd, 4096)

    def answer(self, text: str) -> tuple[int, str]:
        """Type it; return the exit code and all that was seen."""
        os.write(self.fd, text.encode())
        while True:
            try:
                got = os.read(self.fd, 4096)
            except OSError:  # Linux says so when the other end is closed
                got = b""
            if not got:
                break
            self.seen += got
        os.close(self.fd)
        status = os.waitpid(self.pid, 0)[1]
        return os.waitstatus_to_exitcode(status), self.seen.decode()


@pytest.mark.parametrize(
    ("lang", "typed", "code"),
    [
        *(("en", "y\n", 0), ("en", "n\n", 1), ("en", "\n", 1), ("en", "Yes\n", 0), ("en", "\x04", 1)),
        *(("ru", "д\n", 0), ("ru", "н\n", 1), ("ru", "да\n", 0), ("ru", "maybe\n", 1), ("ru", "\x04", 1)),
        *(("en", "\x03", 130), ("ru", "\x03", 130)),
    ],
)
def test_on_a_terminal_it_asks(tmp_path: Path, lang: str, typed: str, code: int) -> None:
    path = fill(tmp_path / "l.db", NIGHT)
    before = path.read_bytes()
    asked = Terminal(tmp_path, "void", "4", "--reason", "twice", "--db", path, lang=lang)
    prompt = "[y/N] " if lang == "en" else "[д/Н] "
    asked.until(prompt)
    assert "✗ 4. r 3/3/2/2" in asked.seen.decode() or "✗ 4. р 3/3/2/2" in asked.seen.decode()
    exited, seen = asked.answer(typed)
    assert exited == code, seen
    assert (path.read_bytes() == before) == (code != 0)
    assert "Traceback" not in seen
    if code == 1:
        assert seen.rstrip().splitlines()[-1].endswith("[E413]")


def test_json_on_a_terminal_is_asked_for_too(tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", NIGHT)
    asked = Terminal(tmp_path, "void", "4", "--reason", "twice", "--db", path, "--json")
    asked.until("[y/N] ")
    assert "Anna: gora (I)" in asked.seen.decode()
    code, seen = asked.answer("y\n")
    assert code == 0
    assert json.loads(seen.splitlines()[-1])["changed"]


def test_where_nobody_can_be_asked_it_needs_yes(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", NIGHT)
    before = path.read_bytes()
    for language in ("en", "ru"):
        ran = skachki("void", "4", "--reason", "twice", "--db", path, "--lang", language, stdin="y\n")
        assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
        assert "[E414]" in ran.stderr
        assert "--yes" in ran.stderr
        assert ran.stdout.splitlines()[1:]  # what it would change is shown all the same
    assert path.read_bytes() == before


def test_of_two_at_once_the_second_is_told_and_keeps_what_he_typed(tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", NIGHT)
    words = ("amend", "5", "r", "2/3/3/2", "--reason", "Vera's sheet", "--db", str(path))
    second = Terminal(tmp_path, *words)
    second.until("[y/N] ")
    Ledger(path).text("void", "4", "--by", "Zoe", *WHY)
    now = path.read_bytes()
    code, seen = second.answer("y\n")
    assert code == 1
    assert path.read_bytes() == now
    said = seen.splitlines()[-1]
    assert "Zoe: void 4" in said
    assert shlex.join(["skachki", *words]) in said
    assert said.endswith("[E411]")


# ------------------------------------------------------------------ refusals


REFUSALS = {
    "no-deal": ("E408", ("void", "9")),
    "no-event": ("E408", ("void", "e99")),
    "no-letter": ("E408", ("void", "3a")),
    "zero": ("E408", ("void", "0")),
    "no-target": ("E407", ("void", "three")),
    "empty-target": ("E407", ("void", "")),
    "minus": ("E407", ("insert", "--before", "-1", "note", "x")),
    "opening": ("E430", ("amend", "e1", "note", "x")),
    "undo": ("E430", ("void", "e9")),
    "undone": ("E409", ("void", "e8")),
    "gone-label": ("E408", ("void", "6")),
    "bad-line": ("E104", ("amend", "3", "Boris", "11d", "wp", "7")),
    "bad-tricks": ("E110", ("amend", "3", "Boris", "7d", "ww", "7/1/1")),
    "stranger": ("E102", ("amend", "3", "Zoya", "7d", "wp", "7")),
    "dealer-declares": ("E201", ("amend", "3", "Vera", "7d", "wp", "7")),
    "dealer-stranger": ("E102", ("amend", "3", "Boris", "7d", "wp", "7", "--dealer", "Zoya")),
    "dealer-of-a-note": ("E410", ("amend", "e4", "note", "x", "--dealer", "Anna")),
    "hard-exit": ("E203", ("insert", "--before", "2", "Vera", "6d", "wp", "6")),
    "opening-deal": ("E202", ("insert", "--before", "1", "Vera", "7d", "wp", "7")),
    "a-correction": ("E124", ("amend", "3", "void", "2")),
    "no-seat": ("E102", ("rename", "Zoya", "Zoe")),
    "no-name": ("E122", ("rename", "Anna", "")),
    "bad-name": ("E122", ("rename", "Anna", "a,b")),
    "number-name": ("E122", ("rename", "Anna", "2")),
    "same-name": ("E123", ("rename", "Anna", "boris")),
    "no-switch": ("E135", ("rule", "nonsense=1")),
    "no-value": ("E135", ("rule", "target")),
    "bad-value": ("E136", ("rule", "target=0")),
    "after-the-end": ("E216", ("insert", "--before", "e11", "fine", "Anna", "2", "gora")),
    "no-game": ("E318", ("void", "3", "--game", "nosuch")),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_changes_no_byte(tmp_path: Path, name: str) -> None:
    code, words = REFUSALS[name]
    book = Ledger(fill(tmp_path / "l.db", night_of(name)))
    said = set()
    for language in ("en", "ru"):
        i18n.use(language)
        before = book.path.read_bytes()
        with pytest.raises(SkachkiError) as refusal:
            book.text(*words, "--reopen", *WHY)
        assert book.path.read_bytes() == before
        assert {fault.code for fault in refusal.value.faults} == {code}
        said.add(str(refusal.value))
    assert len(said) == 2


def night_of(name: str) -> list[str]:
    return [*NIGHT, "r 3/2/3/2", "undo"] + (["stop", 'note "x"'] if name == "after-the-end" else [])


@pytest.mark.parametrize("name", ["no-deal", "undone", "bad-line", "hard-exit", "same-name", "bad-value"])
def test_a_refusal_is_one_message(skachki: Skachki, tmp_path: Path, name: str) -> None:
    code, words = REFUSALS[name]
    path = fill(tmp_path / "l.db", night_of(name))
    refused(skachki, *words, "--reopen", *WHY, "--db", path, code=code, file=path)


@pytest.mark.parametrize(
    ("code", "reason"),
    [("E115", ""), ("E115", "  "), ("E126", "a\nb"), ("E126", "\u202ex"), ("E125", "x" * 501)],
)
def test_a_reason_is_one_line_of_text(book: Ledger, code: str, reason: str) -> None:
    assert book.refusal("void", "3", "--reason", reason, "--yes") == {code}


@pytest.mark.parametrize(
    "words",
    [
        *(
            "amend 3 --reason x",
            "amend 3 note x",
            "void",
            "insert note x --reason x",
            "rename 2 --reason x",
        ),
        *("rule a=1 b=2 --reason x", "void 3 --nope --reason x"),
    ],
)
def test_misuse_is_exit_2(skachki: Skachki, tmp_path: Path, words: str) -> None:
    path = fill(tmp_path / "l.db", NIGHT)
    before = path.read_bytes()
    ran = skachki(*words.split(), "--yes", "--db", path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert path.read_bytes() == before


def test_errors_as_json(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", NIGHT)
    ran = skachki("void", "9", *WHY, "--db", path, "--json")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert json.loads(ran.stderr)["error"]["code"] == "E408"


# ------------------------------------------------------------------ files


def test_the_file_of_a_corrected_game_can_be_read(skachki: Skachki, tmp_path: Path) -> None:
    night = (
        "r 2/4/3/1",
        "Vera 8d wp 8/2",
        "Anna 6d wp 6/4",
        "r 2/3/3/2",
        'seat Gleb "Zoya"',
        "Vera 8d ww 8/1/1",
    )
    book = made(tmp_path / "l.db", *night, target=12, semesters=1)
    book.text(
        "amend", "2", "Vera", "8d", "wp", "7", "--reopen", *WHY
    )  # now the six came out of an open all-pass
    book.text("insert", "--before", "4", "Gleb", "10s", "ww", "10/0/0", "--dealer", "Boris", *WHY)
    book.text("rule", "target=8", "--reopen", *WHY)  # and the rest came after the end
    assert {code for _deal, code in problems(book)} == {"E203", "E215", "E220"}
    file = tmp_path / "out.skachki"
    file.write_text(book.text("export"), encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    assert 'irregular "so by a later correction"' in text
    assert 'note "does not count: r 2/3/3/2"' in text
    assert "dealer Boris" in text
    other = Ledger(tmp_path / "other.db")
    other.text("import", str(file))
    old, new = book.standing(), other.standing()
    for key in ("deals", "finished", "pool", "gora", "whists", "prizes", "net", "money"):
        assert old[key] == new[key], key
    assert {code for _deal, code in problems(other)} == {"E203", "E220"}
    assert other.text("export") == text
    for layout in ("json", "csv", "journal"):
        fine(skachki("export", "--format", layout, "--db", book.path))
    journal = tmp_path / "journal.jsonl"
    journal.write_text(book.text("export", "--format", "journal"), encoding="utf-8")
    third = Ledger(tmp_path / "third.db")
    third.text("import", str(journal))
    assert third.text("history") == book.text("history")
    assert third.standing() == old


def test_the_head_on_paper_is_verified(book: Ledger, skachki: Skachki) -> None:
    old = book.json("standing")["head"]
    book.text("void", "4", *WHY)
    head = book.json("standing")["head"]
    for command in ("standing", "settle"):
        assert f"head {head[:12]}" in book.text(command)
    for hash_ in (old, head):
        assert skachki("verify", "--head", hash_[:12], "--db", book.path).returncode == 0


@pytest.fixture(autouse=True)
def no_stray_children() -> Iterator[None]:
    """A terminal that was never answered leaves no process behind."""
    yield
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return


def test_a_correction_nobody_reads_to_its_end_is_written(tmp_path: Path) -> None:
    """`skachki amend … --yes | head -1`: what was asked for is done before anything is told of it."""
    path = fill(tmp_path / "l.db", NIGHT)
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run(
        [SKACHKI, "amend", "2", "Vera", "7d", "wp", "6", *WHY, "--db", path],
        stdout=write,
        stderr=subprocess.PIPE,
        env=clean_environment(tmp_path),
    )
    os.close(write)
    assert ran.stderr == b""
    assert Ledger(path).json("log", "--deal", "2")["events"][-1]["line"] == "Vera 7d wp 6/4"


# ------------------------------------------------------------------ what a fresh eye found


def test_nobody_is_renamed_who_sat_down_after_the_end(tmp_path: Path) -> None:
    """A later correction may end the game before a newcomer comes: his seat is still the old player's."""
    night = ("r 2/3/3/2", "Anna 7d ww 7/2/1", "r 3/2/3/2", 'seat Vera "Zoe"')  # 2 reaches the target of 4
    book = made(tmp_path / "l.db", *night, target=4, semesters=2)
    book.text("rule", "semesters=1", *WHY)
    assert book.standing()["game"]["players"][2] == "Vera"
    assert book.refusal("rename", "3", "Wera", "--reopen", *WHY) == {"E432"}
    book.text("void", "e5", "--reopen", *WHY)
    book.text("rename", "3", "Wera", "--reopen", *WHY)
    assert book.standing()["game"]["players"][2] == "Wera"


def test_agreeing_again_is_seen_at_once(tmp_path: Path) -> None:
    book = made(tmp_path / "l.db", "r 2/3/3/2", "Anna 7d ww 7/2/1", 'agree "first"')
    book.text("amend", "2", "Anna", "7d", "ww", "8/1/1", "--reopen", *WHY)
    assert [found["code"] for found in book.standing()["problems"]] == ["E431"]
    assert book.json("deal", "agree")["standing"]["problems"] == book.standing()["problems"] == []


def test_to_correct_the_note_of_an_agreement_is_not_to_agree(tmp_path: Path) -> None:
    book = made(tmp_path / "l.db", "r 2/3/3/2", "Anna 7d ww 7/2/1", 'agree "frist"')
    book.text("amend", "2", "Anna", "7d", "ww", "8/1/1", "--reopen", *WHY)
    book.text("amend", "e4", "agree", "first", "--reopen", *WHY)
    assert [found["code"] for found in book.standing()["problems"]] == ["E431"]
    book.text("deal", "agree", "again")
    assert book.standing()["problems"] == []


def test_the_dealer_alone_is_amended(book: Ledger, skachki: Skachki) -> None:
    line = book.json("log", "--deal", "2")["events"][0]["line"]
    told = book.json("amend", "2", "--dealer", "Anna", *WHY)
    assert (told["event"]["line"], told["event"]["dealer"]) == (line, "Anna")
    assert book.refusal("amend", "2", "dealer", "Gleb", *WHY) == {"E433"}  # it would be a deal no more
    assert book.refusal("amend", "e4", "--dealer", "Anna", *WHY) == {"E410"}
    bare = skachki("amend", "2", *WHY, "--db", book.path)
    assert (bare.returncode, "WORD…" in bare.stderr) == (2, True)


def test_a_question_refuses_as_a_correction_does(book: Ledger) -> None:
    assert book.refusal("whatif", "without", "e1") == book.refusal("void", "e1", *WHY) == {"E430"}


def test_a_changed_switch_that_changes_nothing_says_so(book: Ledger) -> None:
    assert "nothing in the score changes" in book.text("whatif", "rule", "stalingrad=off")
