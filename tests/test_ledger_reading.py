"""Reading a ledger through the command: it changes nothing and says the same in every form."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path

import pytest
from conftest import Skachki
from running import LATIN
from test_ledger_recording import asked, numbers
from test_ledger_store import DEAL, GAME, NIGHT, READING, WRITING, execute, fill, fine, ledger, refused
from test_narrow import on_terminal

from skachki_ledger.cli import app
from skachki_ledger.header import Header, parse_stake
from skachki_ledger.rules import PRESETS, SWITCHES

__all__ = ["ledger"]

# ------------------------------------------------------------------ nothing is changed


@pytest.mark.parametrize("command", [*READING[:-1], *WRITING, ("games",)], ids=" ".join)
def test_a_missing_ledger_is_said_and_not_made(
    skachki: Skachki, tmp_path: Path, command: tuple[str, ...]
) -> None:
    path = str(tmp_path / ".local/share/skachki/ledger.db")
    refused(skachki, *command, code="E310", facts=[path], languages=["ru"])
    assert os.listdir(tmp_path) == []


# ------------------------------------------------------------------ reading changes nothing


def test_read_commands_change_no_byte(skachki: Skachki, ledger: Path) -> None:
    before, times = ledger.read_bytes(), ledger.stat().st_mtime_ns
    for command in (*READING, ("games",), (*DEAL, "--dry-run"), ("export", "--format", "journal")):
        fine(skachki(*command))
    fine(skachki("export", "--format", "sqlite", "-o", "out.db"))
    assert (ledger.read_bytes(), ledger.stat().st_mtime_ns) == (before, times)
    assert os.listdir(ledger.parent) == ["ledger.db"]


@pytest.mark.parametrize("current", ["UPDATE current SET game = 'nobody22'", "DELETE FROM current"])
def test_a_current_game_that_is_not_there_is_no_traceback(
    skachki: Skachki, ledger: Path, current: str
) -> None:
    execute(ledger, current)
    for command in ("status", "undo"):
        ran = skachki(command)
        assert ran.returncode == 1
        assert "Traceback" not in ran.stderr
        assert ran.stderr.count("\n") == 1
    fine(skachki("games"))
    assert GAME in fine(skachki("status", "--game", GAME))


# ------------------------------------------------------------------ JSON

STANDING = (
    *("format", "game", "deals", "finished", "stopped", "head", "semester", "dealer", "next", "price"),
    *("min_level", "pool", "gora", "pool_total", "gora_total", "whists", "prizes", "net", "rounded"),
    *("money", "transfers", "problems", "persons"),
)
EVENT = (
    *("event", "deal", "line", "typed", "dealer", "semester", "price", "struck", "at", "by", "reason"),
    "entries",
)


def test_a_standing_is_the_same_object_everywhere(skachki: Skachki, ledger: Path) -> None:
    now = asked(skachki, "standing")
    assert [key for key in STANDING if key not in now] == []
    assert now["format"] == "skachki-standing/1"
    assert set(now["game"]) >= {"id", "title", "date", "rules", "switches", "players"}
    assert (now["game"]["id"], now["game"]["date"]) == (GAME, "2026-01-02")
    assert len(now["head"]) == 64
    assert (now["deals"], now["dealer"], now["next"], now["min_level"]) == (3, "Gleb", "auction", 6)
    assert (now["pool"], now["gora"]) == ([[6, 0, 4, 0]], [[4, 8, 6, 6]])
    assert now["whists"][1] == ["12", "0", "0", "0"]
    assert now["persons"][3] == {
        "name": "Gleb",
        "seat": 4,
        "from_deal": "1",
        "to_deal": None,
        "net": now["net"][3],
    }
    assert "rating" not in now
    assert asked(skachki, "status") == asked(skachki, "settle") == now
    assert json.loads(fine(skachki("standing", "--json", "--lang", "ru"))) == now
    fine(skachki(*DEAL))
    after = asked(skachki, "standing", "--after", "3")
    assert after == now | {"head": after["head"]}
    assert asked(skachki, "standing", "--after", "0")["deals"] == 0
    refused(skachki, "standing", "--after", "9", code="E401", facts=["9"], file=ledger)


def test_a_newcomer_has_a_row_of_his_own(skachki: Skachki, tmp_path: Path) -> None:
    head = Header(LATIN, 0, PRESETS["gambler@1"], stake=parse_stake("1 RUB"))
    path = fill(tmp_path / "l.db", [*NIGHT[:2], 'seat Vera "Zoe"', "Anna 8h ww 7/2/1"], head=head)
    now = asked(skachki, "settle", "--db", path)
    assert now["game"]["players"] == ["Anna", "Boris", "Zoe", "Gleb"]
    vera, zoe = [person for person in now["persons"] if person["seat"] == 3]
    assert (vera["name"], vera["from_deal"], vera["to_deal"]) == ("Vera", "1", "2")
    assert (zoe["name"], zoe["from_deal"], zoe["to_deal"]) == ("Zoe", "3", None)
    assert str(int(vera["net"]) + int(zoe["net"])) == now["net"][2]
    assert sum(int(share) for share in now["net"]) == 0
    assert len(now["rating"]) == len(now["money"]) == 4
    assert {tuple(paid) for paid in now["transfers"]} == {("from", "to", "amount")}
    assert [game["players"][2] for game in asked(skachki, "games", "--db", path)["games"]] == ["Zoe"]
    for language in ("en", "ru"):
        told = fine(skachki("settle", "--db", path, "--lang", language))
        assert "Vera" in told
        assert "Zoe" in told


def test_who_left_is_no_player_but_is_named(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", [*NIGHT[:2], 'seat Vera "Zoe"'])
    for words in (
        ("deal", "Vera", "6d", "wp", "6/4"),
        ("explain", "Vera", "pool"),
        ("claim", "Vera pool 4"),
        ("rename", "Vera", "Wera", "--reason", "x", "--yes"),
    ):
        refused(skachki, *words, "--db", path, code="E102", facts=["Boris, Zoe (", "Vera), Gleb"])
        assert "Zoe (was Vera)" in skachki(*words, "--db", path).stderr
    told = skachki("deal", "Vera", "6d", "wp", "6/4", "--db", path, "--lang", "ru").stderr
    assert "Zoe (вместо: Vera)" in told
    (tmp_path / "night.skachki").write_text(
        '[Players "Anna, Boris, Vera, Gleb"]\n\nr 2/4/3/1\nseat 3 "Zoe"\nVera 7d wp 7/3\n'
    )
    assert "Zoe (was Vera)" in skachki("score", "night.skachki").stderr


@pytest.mark.usefixtures("ledger")
def test_export_with_json_is_json(skachki: Skachki) -> None:
    assert asked(skachki, "export") == json.loads(fine(skachki("export", "--format", "json")))
    assert fine(skachki("export", "--json", "--format", "skachki")) == fine(skachki("export"))


def test_the_list_of_games_names_who_sits_there_now(skachki: Skachki, ledger: Path) -> None:
    """A newcomer may come by a correction too: the list asks every kind of line that seats one."""
    for number, words in enumerate(
        (
            ("deal", "seat", "3", "Zoe", "late"),
            ("insert", "--before", "1", "seat", "3", "Zoe", "late", "--reason", "left out", "--yes"),
            ("rename", "3", "Zoe", "--reason", "misspelt", "--yes"),
        )
    ):
        game = f"newcomer{number}"
        fill(ledger, NIGHT[:1], game_id=game)
        fine(skachki(*words, "--game", game))
        found = asked(skachki, "games")["games"][-1]
        assert (found["id"], found["players"]) == (game, ["Anna", "Boris", "Zoe", "Gleb"])
        assert found["current"] is True
        assert found["events"] == 3  # what was agreed, the deal, the line
        assert fine(skachki("games")).splitlines()[-1].endswith("(Anna, Boris, Zoe, Gleb) · 3 events")
    assert [found["current"] for found in asked(skachki, "games")["games"]] == [False, False, False, True]


def test_the_log_keeps_what_was_undone(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(
        tmp_path / "l.db", [*NIGHT, "undo", "r 3/3/2/2", "undo", "redo", "undo", "Boris 8c ww 8/1/1"]
    )
    log = asked(skachki, "log", "--db", path)
    assert log["format"] == "skachki-log/1"
    events = log["events"]
    assert all([key for key in EVENT if key not in event] == [] for event in events)
    found = [(event["event"], event["deal"], event["struck"], event["line"]) for event in events]
    assert found == [
        (2, "1", False, "r 2/4/3/1"),
        (3, "2", False, "Vera 7d wp 7/3"),
        (4, None, False, 'fine Gleb 4 gora "exposed card"'),
        (5, "3", True, "Anna 8h ww 8/1/1"),
        (7, "3", True, "r 3/3/2/2"),
        (11, "3", False, "Boris 8c ww 8/1/1"),
    ]
    assert [event["entries"] == [] for event in events] == [event["struck"] for event in events]
    assert [event["price"] for event in events] == [2, None, None, None, 2, None]
    assert json.loads(fine(skachki("log", "--db", path, "--json", "--lang=ru")))["events"][0]["line"] == (
        "r 2/4/3/1"
    )
    assert [event["event"] for event in asked(skachki, "log", "--deal", "3", "--db", path)["events"]] == (
        [5, 7, 11]
    )
    told = [fine(skachki("log", "--db", path, "--lang", language)) for language in ("en", "ru")]
    assert told[0] != told[1]
    for text in told:
        assert [f"e{n} " in text for n in (2, 3, 4, 5, 7, 11)] == [True] * 6
        assert "8♥" in text
    assert "8h" in fine(skachki("log", "--db", path, "--suits", "letters"))
    refused(skachki, "log", "--deal", "4", "--db", path, code="E401", facts=["4"], file=path)


def test_the_log_names_who_sat_there(skachki: Skachki, tmp_path: Path) -> None:
    """An undone line, too, is told with the names of its time."""
    lines = [*NIGHT[:2], "Anna 8h ww 8/1/1", "undo", 'seat Anna "Zoe"']
    path = fill(tmp_path / "l.db", lines)
    events = asked(skachki, "log", "--db", path)["events"]
    assert [event["line"] for event in events[2:]] == ["Anna 8h ww 8/1/1", 'seat Anna "Zoe"']
    assert "seat Anna" in fine(skachki("undo", "--db", path))
    assert "seat Anna" in fine(skachki("redo", "--db", path))
    fine(skachki("undo", "--db", path))
    assert asked(skachki, "log", "--db", path)["events"][3]["line"] == 'seat Anna "Zoe"'


# ------------------------------------------------------------------ text


@pytest.mark.parametrize("command", [("status",), ("standing",), ("settle",), ("rules",)], ids=" ".join)
@pytest.mark.usefixtures("ledger")
def test_texts_say_the_same_in_both_languages(skachki: Skachki, command: tuple[str, ...]) -> None:
    told = [fine(skachki(*command, "--lang", language)) for language in ("en", "ru")]
    assert told[0] != told[1]
    assert numbers(told[0]) == numbers(told[1])
    if command != ("rules",):
        for text in told:
            assert [name for name in (*LATIN, "2026-01-02") if name not in text] == []


def test_status_says_what_is_asked_between_two_deals(skachki: Skachki, ledger: Path) -> None:
    told = fine(skachki("status"))
    assert GAME in told
    facts = ("3 deals", "Gleb deals", "auction", "lowest contract 6", "16 more to reach 22", "Anna (4)")
    assert [fact for fact in facts if fact not in told] == []
    fill(ledger, [*NIGHT, "Vera m 2"], game_id="misere22")
    assert "all-pass at 4" in fine(skachki("status"))


def test_settle_for_a_chat(skachki: Skachki, tmp_path: Path) -> None:
    head = Header(LATIN, 0, PRESETS["piter@1"], title="Dacha", stake=parse_stake("0.50 RUB"))
    path = fill(tmp_path / "l.db", [*NIGHT, "stop final"], head=head)
    now = asked(skachki, "settle", "--db", path)
    assert now["stopped"]
    told = [fine(skachki("settle", "--format", "chat", "--db", path, "--lang", at)) for at in ("en", "ru")]
    assert told[0] != told[1]
    for text in told:
        assert "Dacha" in text
        assert now["head"][:12] in text
        for name, net, money in zip(LATIN, now["rounded"], now["money"], strict=True):
            assert f"{name}: {net:+}" in text
            assert money.lstrip("-") in text.replace(",", ".")
        for paid in now["transfers"]:
            assert f"{paid['from']} → {paid['to']}" in text
        assert "---" not in text  # no tables
        assert max(map(len, text.splitlines())) < 110
    refused(skachki, "settle", "--format", "fax", "--db", path, code="E404", facts=["fax"], file=path)


def test_check_is_silent_when_all_is_well(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db")
    ran = skachki("check", "--db", path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    lines = [*NIGHT, "dealer Anna", 'Boris 8c ww 8/1/1 irregular "he insisted"', "r 3/2/3/2"]
    fill(path, [*lines, 'Boris 6c ww 6/2/2 irregular "too low"'], game_id="odd22222")
    told = [skachki("check", "--db", path, "--lang", language) for language in ("en", "ru")]
    assert [ran.returncode for ran in told] == [1, 1]
    assert told[0].stdout != told[1].stdout
    ran = skachki("check", "--db", path, "--json")
    found = json.loads(ran.stdout)
    assert (ran.returncode, found["format"]) == (1, "skachki-check/1")
    codes = [(problem["deal"], problem["code"]) for problem in found["problems"]]
    assert codes == [("4", "E220"), ("6", "E203")]
    assert all(problem["message"] in told[0].stdout for problem in found["problems"])
    assert asked(skachki, "standing", "--db", path)["problems"] == found["problems"]


# ------------------------------------------------------------------ rules, aliases, tables


def test_rules_are_the_current_games(skachki: Skachki, tmp_path: Path) -> None:
    def values(*words: str) -> dict[str, object]:
        found = asked(skachki, "rules", *words)
        assert found["format"] == "skachki-rules/1"
        assert all({"switch", "value", "meaning", "source"} <= set(row) for row in found["switches"])
        return {row["switch"]: row["value"] for row in found["switches"]}

    assert values()["target"] == 22  # without a ledger: piter
    assert list(tmp_path.iterdir()) == []
    assert list(values()) == list(SWITCHES)
    fine(skachki("new", *LATIN, "--rules", "gambler", "--rule", "target=10"))
    assert (values()["target"], values()["end_rule"]) == (10, "target")
    assert values("horse-racing")["semesters"] == 7
    assert set(values("horse-racing", "--diff", "piter")) == {"semesters"}
    refused(skachki, "rules", "sochi", code="E134", facts=["sochi"])


ALIASES = {"счёт": "standing", "счет": "standing", "что": "status", "расчёт": "settle", "РАСЧЕТ": "settle"}


@pytest.mark.parametrize("alias", ALIASES)
@pytest.mark.usefixtures("ledger")
def test_russian_names_of_commands(skachki: Skachki, alias: str) -> None:
    assert fine(skachki(unicodedata.normalize("NFD", alias))) == fine(skachki(ALIASES[alias]))


@pytest.mark.parametrize(("alias", "name"), app.ALIASES.items())
def test_every_russian_name_calls_its_command(skachki: Skachki, alias: str, name: str) -> None:
    told = fine(skachki(alias, "--help"))
    assert told.startswith(f"Usage: skachki {alias} ")
    assert told.splitlines()[2:] == fine(skachki(name, "--help")).splitlines()[2:]
    listed = fine(skachki("--help", "--lang", "ru"))
    assert f"  {name}, " in listed  # the first of its Russian names


@pytest.mark.usefixtures("ledger")
def test_a_night_in_russian(skachki: Skachki) -> None:
    assert asked(skachki, "сдача", "3", "6б", "вп", "6/4")["event"]["line"] == "Vera 6d wp 6/4"
    assert asked(skachki, "отмена")["standing"]["deals"] == 3


@pytest.mark.usefixtures("ledger")
def test_tables_in_other_formats(skachki: Skachki) -> None:
    for command in ("standing", "settle"):
        assert "|" in fine(skachki(command, "--tablefmt", "github"))
        refused(skachki, command, "--tablefmt", "stone", code="E404", facts=["stone"])


# ------------------------------------------------------------------ odd words


@pytest.mark.parametrize(
    "command",
    [(*DEAL, "--by", "\udcff"), (*DEAL, "--id", "\udcff"), ("status", "--game", "\udcff")],
    ids=lambda command: str(command[-2]),
)
def test_bytes_that_are_no_text_are_no_traceback(
    skachki: Skachki, ledger: Path, command: tuple[str, ...]
) -> None:
    before = ledger.read_bytes()
    ran = skachki(*command)
    assert "Traceback" not in ran.stderr
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert ledger.read_bytes() == before


@pytest.mark.usefixtures("ledger")
def test_an_author_paints_nothing_on_the_terminal(skachki: Skachki) -> None:
    ran = skachki(*DEAL, "--by", "Zoe\x1b[31m\x07\u202e")
    if ran.returncode == 0:  # a refusal is as good
        log = fine(skachki("log"))
        assert "Zoe" in log
        assert not [char for char in log if char in "\x1b\x07\u202e"]


@pytest.mark.usefixtures("ledger")
def test_whatever_was_recorded_can_be_exported_and_imported(skachki: Skachki) -> None:
    ran = skachki(*DEAL, "--id", "x" * 30_000)
    if ran.returncode == 0:  # a refusal is as good
        journal = fine(skachki("export", "--format", "journal"))
        assert fine(skachki("import", "-", "--db", "other.db", stdin=journal)) == f"{GAME}\n"


@pytest.mark.parametrize("command", [("standing", "--after", ""), ("log", "--deal", "")], ids=" ".join)
def test_no_label_is_no_deal(skachki: Skachki, ledger: Path, command: tuple[str, ...]) -> None:
    refused(skachki, *command, code="E401", file=ledger)


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize("command", ["settle", "log", "sheet"])
def test_json_goes_to_a_file_too(skachki: Skachki, tmp_path: Path, command: str) -> None:
    assert fine(skachki(command, "--json", "-o", "out.json")) == ""
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == fine(skachki(command, "--json"))
    again = skachki(command, "--json", "-o", "out.json")
    assert (again.returncode, json.loads(again.stderr)["error"]["code"]) == (1, "E324")


def test_labels_are_read_in_either_alphabet_everywhere(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", ["r 2/4/3/1", "Vera 7d wp 7/3"])
    inserted = ("insert", "--before", "2", "r", "4/2/2/2", "--reason", "x", "--yes", "--db", path)
    assert asked(skachki, *inserted)["event"]["deal"] == "1a"
    for label in ("1a", "1A", "1а", "1А"):
        assert asked(skachki, "standing", "--after", label, "--db", path)["deals"] == 2
        assert asked(skachki, "sheet", "--after", label, "--db", path)["deals"] == 2
        assert len(asked(skachki, "log", "--deal", label, "--db", path)["events"]) == 1
        assert fine(skachki("explain", label, "--db", path)).startswith("1a. r 4/2/2/2")
        claim = asked(skachki, "claim", f"after {label}: Anna gora 20", "--db", path)["claims"][0]
        assert claim["computed"] == "20"  # 2 tricks × 2 at the first all-pass, 4 × 4 at the second


def test_a_format_follows_the_name_of_the_file(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", NIGHT)
    starts = {
        ("sheet", "s.svg"): b"<?xml",
        ("settle", "s.html"): b"<!DOCTYPE",
        ("log", "l.PDF"): b"%PDF",
        ("export", "n.csv"): b"event,deal",
        ("export", "n.json"): b'{"format":"skachki-standing/1"',
        ("export", "n.db"): b"SQLite format 3",
        ("export", "n.skachki"): b"[Date",
        ("settle", "s.txt"): b"Petersburg",
    }
    for (command, name), start in starts.items():
        assert fine(skachki(command, "-o", name, "--db", path)) == ""
        assert (tmp_path / name).read_bytes().startswith(start), name
    told = fine(skachki("settle", "--format", "text", "-o", "t.html", "--db", path))
    assert (told, (tmp_path / "t.html").read_bytes()[:10]) == ("", b"Petersburg")
    refused(skachki, "chart", "-o", "c.png", "--db", path, code="E404", facts=["png", "svg"])


def test_the_same_deal_twice_is_pointed_out_to_people(
    skachki: Skachki, ledger: Path, tmp_path: Path
) -> None:
    line = ("deal", "r", "3/3/3/1", "irregular", "x", "--db", str(ledger))
    assert "skachki undo" not in " ".join(on_terminal(tmp_path, *line))
    assert "the same line as deal 4; if it came twice by mistake: skachki undo" in " ".join(
        row.strip() for row in on_terminal(tmp_path, *line)
    )
    assert "skachki undo" not in " ".join(on_terminal(tmp_path, *line, "--dry-run"))
    assert skachki(*line).stderr == ""  # whoever writes by a program knows what he sends


def test_a_line_without_its_command_is_told_apart_from_a_slip(skachki: Skachki) -> None:
    for word in ("seat", "замена", "agree", "стоп"):
        told = skachki(word, "Anna")
        assert (told.returncode, told.stdout) == (2, "")
        assert f"skachki deal {word} …" in told.stderr
    told = skachki("sseat", "Anna")
    assert (told.returncode, "skachki deal" in told.stderr) == (2, False)


@pytest.mark.usefixtures("ledger")
def test_an_asked_for_table_format_is_not_a_page(skachki: Skachki, tmp_path: Path) -> None:
    fine(skachki("settle", "--tablefmt", "html", "-o", "s.html"))
    assert "<!DOCTYPE" not in (tmp_path / "s.html").read_text(encoding="utf-8")
    refused(skachki, "settle", "--tablefmt", "nope", "-o", "q.html", code="E404", facts=["nope"])


@pytest.mark.usefixtures("ledger")
def test_the_wrong_dealer_is_told_with_the_way_out(skachki: Skachki) -> None:
    told = skachki("deal", "Gleb", "7d", "wp", "7/3").stderr
    assert ("[E201]" in told, "if somebody else dealt: dealer NAME first" in told) == (True, True)
    assert "somebody else" not in skachki("check").stdout
