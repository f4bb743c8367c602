"""Recording a live game through the command: `new`, `deal`, `undo`, `redo`, `use` on a real ledger."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from conftest import Skachki
from running import LATIN
from test_ledger_store import DEAL, GAME, NIGHT, fill, fine, ledger, refused

from skachki_ledger.rules import SWITCHES

__all__ = ["ledger"]


def asked(skachki: Skachki, *arguments: str | Path) -> Any:
    """What a command that must work prints as JSON, one object on one line."""
    out = fine(skachki(*arguments, "--json"))
    assert out.count("\n") == 1
    return json.loads(out)


def rows(ledger: Path, columns: str) -> list[tuple[Any, ...]]:
    """Columns of the journal as they are stored."""
    with closing(sqlite3.connect(ledger)) as connection:
        return connection.execute(f"SELECT {columns} FROM event ORDER BY seq").fetchall()


def numbers(text: str) -> list[str]:
    """Every number of a text, sorted: the same in all languages."""
    return sorted(re.findall(r"-?\d+", text))


# ------------------------------------------------------------------ new


def test_new_prints_the_id_alone_and_what_to_agree_on(skachki: Skachki, tmp_path: Path) -> None:
    english, russian = (skachki("new", *LATIN, "--lang", language) for language in ("en", "ru"))
    assert re.fullmatch(r"[2-9a-z]{8}\n", fine(english))
    assert fine(russian) != english.stdout
    assert english.stderr != russian.stderr
    for ran in (english, russian):
        for switch in ("two_whisters_high", "unwhisted_choice", "misere_choice", "end_rule"):
            assert switch in ran.stderr
    payloads = rows(tmp_path / ".local/share/skachki/ledger.db", "n, payload")
    assert [n for n, _ in payloads] == [1, 1]
    for name in SWITCHES:  # rules are pinned: a later preset changes nothing here
        assert f'[Rule "{name} = ' in payloads[0][1]
    assert '[Rules "piter@1"]' in payloads[0][1]


def test_new_takes_all_that_is_agreed(skachki: Skachki) -> None:
    words = ["--dealer", "vera", "--rules", "gambler", "--rule", "target=10", "--rule", "half_whist = no"]
    words += ["--title", 'a "b"', "--date", "2026-11-27", "--stake", "0.50 RUB"]
    made = asked(skachki, "new", *LATIN, *words)
    assert made["format"] == "skachki-game/1"
    game = made["game"]
    assert len(game.pop("id")) == 8
    switches = {"target": 10, "half_whist": False}
    assert (game["title"], game["date"], game["rules"]) == ('a "b"', "2026-11-27", "gambler@1")
    assert (game["switches"], game["players"]) == (switches, list(LATIN))
    now = asked(skachki, "standing")
    assert (now["dealer"], now["money"], now["rating"]) == ("Vera", ["0.00"] * 4, ["0.00"] * 4)
    fine(skachki("deal", "r", "2/4/2/2"))
    again = asked(skachki, "new", "--again", "--title", "second")["game"]
    assert (again["rules"], again["switches"], again["players"]) == ("gambler@1", switches, list(LATIN))
    now = asked(skachki, "standing")
    assert (now["deals"], now["money"], now["game"]["title"]) == (0, ["0.00"] * 4, "second")
    assert asked(skachki, "check") == {"format": "skachki-check/1", "problems": []}


ALIKE = {
    "case": ("Anna", "Boris", "ANNA", "Gleb"),
    "ё": ("Артём", "Борис", "Вера", "Артем"),
    "nfd": (unicodedata.normalize("NFD", "Йон"), "Борис", "Вера", "Йон"),
    "space": ("Anna Maria", "Boris", "Vera", "anna_maria"),
}


@pytest.mark.parametrize("kind", ALIKE)
def test_names_that_differ_by_nothing_are_refused(skachki: Skachki, tmp_path: Path, kind: str) -> None:
    fact = unicodedata.normalize("NFC", ALIKE[kind][0])
    refused(skachki, "new", *ALIKE[kind], code="E123", facts=[fact])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("E134", (*LATIN, "--rules", "sochi")),
        ("E102", (*LATIN, "--dealer", "Zoya")),
        ("E136", (*LATIN, "--rule", "target=0")),
        ("E138", (*LATIN, "--date", "27.11.2026")),
        ("E139", (*LATIN, "--stake", "much")),
        ("E122", ("Anna", "Boris", "3", "Gleb")),
    ],
)
def test_new_refuses_a_bad_value_and_makes_no_file(
    skachki: Skachki, tmp_path: Path, code: str, words: tuple[str, ...]
) -> None:
    refused(skachki, "new", *words, code=code, languages=["en"])
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ deal


def test_deal_says_what_it_wrote_where_all_stand_and_what_comes(skachki: Skachki, tmp_path: Path) -> None:
    told = []
    for language in ("en", "ru"):
        path = fill(tmp_path / f"{language}.db", NIGHT[:1])
        out = fine(skachki("deal", "vera", "7б", "вп", "7", "--db", path, "--lang", language))
        lines = out.splitlines()
        assert lines[0].startswith("2. Vera 7♦ ")
        assert "+4" in lines[1]
        assert "game.made" in lines[1]
        assert "+24" in lines[2]
        standing = [line.split() for line in lines[-5:-1]]
        assert standing[2:] == [["Vera", "4", "6", "26"], ["Gleb", "0", "2", "34"]]
        assert "Vera" in lines[-1]  # deals next
        told.append(out)
    assert told[0] != told[1]
    assert numbers(told[0]) == numbers(told[1])


@pytest.mark.usefixtures("ledger")
def test_deal_as_json(skachki: Skachki) -> None:
    found = asked(skachki, "deal", "Vera", "6♦", "wp", "5", "--by", "Zoe")
    assert found["format"] == "skachki-deal/1"
    event = found["event"]
    assert abs(datetime.now(UTC) - datetime.fromisoformat(event.pop("at"))) < timedelta(minutes=2)
    entries = event.pop("entries")
    assert event == {
        "event": 6,
        "deal": "4",
        "line": "Vera 6d wp 5/5",
        "typed": "Vera 6♦ wp 5",
        "dealer": "Gleb",
        "semester": 1,
        "price": None,
        "struck": False,
        "by": "Zoe",
        "reason": None,
    }
    wanted = {"rule": "game.set", "seat": "Vera", "account": "gora", "on": None, "amount": "4"}
    assert entries[0] == wanted | {"text": "1 undertrick × 4"}
    assert {(entry["rule"], entry["account"], entry["on"]) for entry in entries[1:]} == {
        ("whist.gentleman", "whists", "Vera"),
        ("whist.consolation", "whists", "Vera"),
    }
    assert found["standing"] == asked(skachki, "standing")
    taken = asked(skachki, "undo")
    assert (taken["format"], taken["event"]["line"], taken["event"]["event"]) == (
        "skachki-deal/1",
        "undo",
        7,
    )
    assert taken["standing"] == asked(skachki, "status")
    assert {"cell": "gora Vera", "semester": 1, "old": "10", "new": "6"} in taken["changed"]
    cells = {change["cell"] for change in taken["changed"]}
    assert cells >= {"whists Anna Vera", "whists Boris Vera", "whists Gleb Vera", "net Vera"}


def test_a_dry_run_says_the_same_and_writes_nothing(skachki: Skachki, ledger: Path) -> None:
    before = ledger.read_bytes()
    told = fine(skachki(*DEAL, "--dry-run"))
    refused(skachki, "deal", "Gleb", "7d", "wp", "7", "--dry-run", code="E201", facts=["Gleb"], file=ledger)
    assert ledger.read_bytes() == before
    assert fine(skachki(*DEAL)) == told


def test_words_are_tokens_and_options_stand_anywhere(skachki: Skachki, ledger: Path) -> None:
    fine(skachki("deal", "--by", "Zoe", "seat", "3", "New name", "went home early", "--suits", "letters"))
    fine(skachki("deal", "adjust", "New_name", "-4", "pool", "as agreed", "--by=Zoe"))
    fine(skachki("deal", "note", "--", "--dry-run"))
    lines = [event["line"] for event in asked(skachki, "log")["events"][-3:]]
    assert lines == [
        'seat Vera "New name" "went home early"',
        'adjust New_name -4 pool "as agreed"',
        'note "--dry-run"',
    ]
    assert [by for (by,) in rows(ledger, "by")][-3:-1] == ["Zoe", "Zoe"]


@pytest.mark.parametrize(
    "words",
    [
        ("deal", "fine", "Gleb", "4", "gora", "--reason", "late"),
        ("deal", "note", "--whatever"),
        ("deal", "--dryrun", "r", "3/3/3/1"),
        ("deal", "r", "3/3/3/1", "--id"),
        ("deal",),
        ("undo", "twice"),
        ("new", "Anna", "Boris", "Vera"),
        ("new", *LATIN, "Zoya"),
        ("new", "--again", *LATIN),
        ("frobnicate",),
        ("use",),
    ],
    ids=" ".join,
)
def test_misuse_is_exit_2_and_records_nothing(
    skachki: Skachki, ledger: Path, words: tuple[str, ...]
) -> None:
    before = ledger.read_bytes()
    english, russian = (skachki(*words, env={"SKACHKI_LANG": language}) for language in ("en", "ru"))
    assert (english.returncode, russian.returncode) == (2, 2), (english.stderr, russian.stderr)
    assert english.stdout == russian.stdout == ""
    assert english.stderr != russian.stderr
    assert ledger.read_bytes() == before


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("E201", "Gleb 7d wp 7/3"),
        ("E111", "Vera 7d wp 7/4"),
        ("E102", "Zoya 7d wp 7/3"),
        ("E205", "Vera 6s wp 6/4"),
        ("E114", "Vera 7d -3"),
        ("E204", "r 2/2/2/4"),
        ("E124", "undo"),
        ("E124", "amend 1: r 2/4/3/1"),
        ("E115", "adjust Anna 5 pool"),
        ("E331", "--expect two r 3/3/3/1"),
        ("E403", "--suits both r 3/3/3/1"),
        ("E318", "--game zzzz r 3/3/3/1"),
    ],
)
def test_a_refusal_leaves_the_file_as_it_is(skachki: Skachki, ledger: Path, code: str, words: str) -> None:
    refused(skachki, "deal", *words.split(), code=code, file=ledger)
    ran = skachki("deal", *words.split(), "--json")
    error = json.loads(ran.stderr)["error"]
    assert (ran.returncode, ran.stdout, error["code"]) == (1, "", code)
    assert {"message", "rule", "file", "line", "column"} <= set(error)


# ------------------------------------------------------------------ --id, --expect, --by


@pytest.mark.usefixtures("ledger")
def test_the_same_line_by_hand_is_two_deals(skachki: Skachki) -> None:
    for count in (4, 5):
        assert asked(skachki, "deal", "r", "2/3/3/2")["standing"]["deals"] == count


def test_the_same_id_is_one_event(skachki: Skachki, ledger: Path) -> None:
    fine(skachki(*DEAL, "--id", "x1"))
    before = ledger.read_bytes()
    said = [fine(skachki(*DEAL, "--id", "x1", "--lang", language)) for language in ("en", "ru")]
    assert said[0].splitlines()[0] != said[1].splitlines()[0]
    assert all("4. Vera 6♦" in text for text in said)
    fine(skachki("deal", "3", "6б", "вп", "6", "--id", "x1", "--expect", "3"))  # another spelling
    refused(skachki, "deal", "r", "3/3/3/1", "--id", "x1", code="E321", facts=["x1", "Vera 6"], file=ledger)
    assert ledger.read_bytes() == before
    fine(skachki("undo"))
    undone = ledger.read_bytes()
    said_now = [fine(skachki(*DEAL, "--id", "x1", "--lang", language)) for language in ("en", "ru")]
    assert len({text.splitlines()[0] for text in said + said_now}) == 4
    refused(skachki, "deal", "r", "3/3/3/1", "--id", "x1", code="E321", file=ledger, languages=["en"])
    assert asked(skachki, *DEAL, "--id", "x1")["event"]["struck"] is True
    assert ledger.read_bytes() == undone
    fill(ledger, game_id="other222")
    assert asked(skachki, *DEAL, "--id", "x1")["event"]["event"] == 6  # an id is one game's own


@pytest.mark.parametrize("line", ["seat Anna Zoe", "Anna 6d wp 6/4"])
def test_the_same_id_is_one_event_whoever_has_left(skachki: Skachki, ledger: Path, line: str) -> None:
    fine(skachki("deal", *line.split(), "--id", "x1"))
    if not line.startswith("seat"):
        fine(skachki("deal", "seat", "Anna", "Zoe"))
    before = ledger.read_bytes()
    fine(skachki("deal", *line.split(), "--id", "x1"))
    assert ledger.read_bytes() == before


def test_expect_tells_what_came_meanwhile(skachki: Skachki, ledger: Path) -> None:
    facts = ["2. Vera 7", "3. Anna 8"]
    refused(skachki, *DEAL, "--expect", "1", code="E320", facts=facts, file=ledger)
    refused(skachki, *DEAL, "--expect", "9", code="E330", facts=["9", "3"], file=ledger)
    fine(skachki(*DEAL, "--expect", "3"))
    fine(skachki("undo", "--expect", "4"))
    refused(skachki, "undo", "--expect", "4", code="E330", facts=["3"], file=ledger)  # two undo the same
    fine(skachki("redo", "--expect", "3"))
    refused(skachki, "redo", "--expect", "3", code="E320", facts=["4. Vera 6"], file=ledger)


def test_who_wrote_it(skachki: Skachki, ledger: Path) -> None:
    note = ("deal", "note", "x")
    fine(skachki(*note, "--by", "Zoe", env={"SKACHKI_BY": "Mark"}))
    fine(skachki(*note, env={"SKACHKI_BY": "Марк", "USER": "root2"}))
    fine(skachki(*note, env={"USER": "someone"}))
    assert [by for (by,) in rows(ledger, "by")][-3:] == ["Zoe", "Марк", "someone"]


# ------------------------------------------------------------------ times


def test_times_are_stored_in_utc_and_shown_as_on_the_wall(skachki: Skachki, ledger: Path) -> None:
    """The night of 2 January; in Samara it is past midnight already, the night keeps its date."""
    for zone, shown in (("MSK-3", "2026-01-02 23:59"), ("SAM-4", "2026-01-03 00:59"), ("UTC0", "20:59")):
        assert shown in fine(skachki("log", env={"TZ": zone}))
        assert "2026-01-02" in fine(skachki("status", env={"TZ": zone}))
    assert asked(skachki, "log")["events"][0]["at"] == "2026-01-02T20:59:58Z"
    ran = skachki("new", *LATIN, env={"TZ": "EARLY-14"})
    fine(ran)
    fine(skachki(*DEAL[:1], "r", "2/3/3/2", env={"TZ": "LATE12"}))
    early = (datetime.now(UTC) + timedelta(hours=14)).date()
    assert asked(skachki, "standing")["game"]["date"] in (str(early), str(early - timedelta(days=1)))
    for (at,) in rows(ledger, "at")[-2:]:
        assert abs(datetime.now(UTC) - datetime.fromisoformat(at)) < timedelta(minutes=2)


# ------------------------------------------------------------------ which game


def test_which_game_is_meant(skachki: Skachki, ledger: Path) -> None:
    fill(ledger, NIGHT[:1], game_id="night999")
    fill(ledger, NIGHT[:2], game_id="other222")
    assert asked(skachki, "status")["game"]["id"] == "other222"
    assert asked(skachki, "status", "--game", "night9")["game"]["id"] == "night999"
    ran = fine(skachki("status", "--json", env={"SKACHKI_GAME": GAME}))
    assert json.loads(ran)["game"]["id"] == GAME
    refused(skachki, "use", "night", code="E325", facts=[GAME, "night999"], file=ledger)
    refused(skachki, "use", "nobody", code="E318", facts=["nobody"], file=ledger)
    assert fine(skachki("use", "night9")) == "night999\n"
    assert asked(skachki, "status")["deals"] == 1
    assert [line.split()[0] for line in fine(skachki("games")).splitlines()] == [GAME, "*", "other222"]
    found = asked(skachki, "games")
    assert found["format"] == "skachki-games/1"
    assert [game["id"] for game in found["games"]] == [GAME, "night999", "other222"]
    assert asked(skachki, "use", GAME)["game"]["id"] == GAME


# ------------------------------------------------------------------ several writers


def test_a_second_writer_waits_and_is_then_told(skachki: Skachki, ledger: Path) -> None:
    with closing(sqlite3.connect(ledger, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(1.0, other.execute, ("ROLLBACK",)).start()
        began = time.monotonic()
        fine(skachki(*DEAL))
        assert time.monotonic() - began >= 0.9
        before = ledger.read_bytes()  # closing the file would give this process's locks away
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        with ThreadPoolExecutor(4) as pool:
            waiting = [pool.submit(skachki, *command) for command in (("undo",), ("undo", "--lang", "ru"))]
            assert "4" in fine(skachki("status"))  # readers need not wait
            told = [future.result() for future in waiting]
        assert 4.5 < time.monotonic() - began < 20
        for ran in told:
            assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
            assert "ledger.db" in ran.stderr
            assert "[E315]" in ran.stderr
    assert told[0].stderr != told[1].stderr
    assert ledger.read_bytes() == before


def test_writers_at_once_all_get_in(skachki: Skachki, tmp_path: Path) -> None:
    path = tmp_path / "l.db"
    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(lambda _: fine(skachki("new", *LATIN, "--db", path)).strip(), range(4)))
        assert len(set(made)) == 4
        notes = [("deal", "note", f"n{n}", "--db", path, "--game", made[0]) for n in range(6)]
        for ran in pool.map(lambda words: skachki(*words), notes):
            fine(ran)
    log = fine(skachki("log", "--db", path, "--game", made[0]))
    assert all(f'note "n{n}"' in log for n in range(6))
    assert len(fine(skachki("games", "--db", path)).splitlines()) == 4


@pytest.mark.usefixtures("ledger")
def test_of_two_who_saw_the_same_only_one_writes(skachki: Skachki) -> None:
    with ThreadPoolExecutor(4) as pool:
        ran = list(pool.map(lambda _: skachki(*DEAL, "--expect", "3"), range(4)))
    assert sorted(one.returncode for one in ran) == [0, 1, 1, 1]
    for one in ran:
        if one.returncode:
            assert "[E320]" in one.stderr
            assert "Vera 6d wp 6/4" in one.stderr
    assert '"deals":4' in fine(skachki("status", "--json"))
