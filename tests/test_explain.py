"""`explain`, `register`, `rule-text`: every number is the sum of its entries, each with its rule."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import arguing_games
import oracle
import pytest
import random_games
from arguing_games import CELLS, EXAMPLES, HEADER, ROOT, Run, example, night, recorded
from conftest import Skachki

from skachki_ledger import arguing, i18n
from skachki_ledger.arbitration import cells
from skachki_ledger.canon import CANONICAL
from skachki_ledger.derive import History
from skachki_ledger.model import SEATS
from skachki_ledger.ruletexts import RULES
from skachki_ledger.settlement import rational

HEADINGS = re.findall(
    r"^### (\S+)$", (ROOT / "docs" / "rules.md").read_text(encoding="utf-8"), re.MULTILINE
)

RULE_BOOK = (
    HEADER
    + """
1. r 0/4/3/3 Anna@g
2. Vera m 0
3. Gleb 7s ww 9/1/0
4. Anna 6c wp 5/5
5. Boris 6d ph
6. Anna 8d pp
7. Boris 6s ww 6/2/2
8. Vera 10h ww 9/1/0
9. Gleb m 2
10. r@6 2/2/3/3
fine Gleb 4 gora "revoke"
adjust Gleb -2 gora "agreed"
dealer Boris "Vera is out"
11. Anna 6c ww 6/2/2 irregular "nobody thought of the all-pass"
seat Vera "Dina"
"""
)
"""A game that is running, in which nearly every rule of a deal was needed."""

SHARED = (
    HEADER
    + """[Rules "gambler"]
[Rule "semesters = 1"]
[Rule "target = 2"]
1. r 0/0/5/5
2. Vera 7d ww 7/2/1
"""
)
"""A finished game of two deals: two share every prize."""

STOPPED = HEADER + "1. r 2/3/4/1\nstop\n"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("SKACHKI_DB", str(tmp_path / "ledger.db"))
    return arguing_games.runner(capsys)


def take(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "night.skachki").write_text(text, encoding="utf-8")
    done = run("import", tmp_path / "night.skachki")
    assert (done.code, done.err) == (0, "")


# ------------------------------------------------------------------ sums


def check_sums(played: History) -> None:
    """Explained cell by cell and event by event, every cell comes out as it stands."""
    game = recorded(played)
    for one in CELLS:
        rows = arguing.cell(game, [one]).rows
        total = sum(found.effect for found in cells.entries(game.history, one))
        assert total == cells.value(game.history, one)
        assert (rows[-1]["running"] if rows else "0") == arguing.shown(total, one)
    written = dict.fromkeys(CELLS, 0)
    for place, item in enumerate(game.items):
        assert item.step is not None
        told = arguing.event(game, place, CANONICAL)
        assert set(told.rules) <= set(RULES)
        for row, entry in zip(told.rows, item.step.entries, strict=True):
            one = cells.Cell(entry.seat, entry.account, entry.on)
            written[one] += entry.amount
            assert row["running"] == arguing.shown(written[one], one)
        until = game.history._replace(steps=game.history.steps[: place + 1])
        assert all(
            amount == cells.value(until, one) for one, amount in written.items() if one.account != "net"
        )


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_explanations_sum_to_every_cell_of_an_example(path: Path) -> None:
    check_sums(example(path.stem))


@pytest.mark.parametrize("seed", range(9))
def test_explanations_sum_to_every_cell_of_a_random_game(seed: int) -> None:
    played = night(seed)
    check_sums(played)
    wanted: dict[str, Any] = oracle.standing(random_games.night(seed).game)
    for one in CELLS:
        told = cells.value(played, one)
        if one.account == "net":
            assert rational(told) == wanted["net"][one.seat]
        elif one.account == "whists":
            assert rational(told) == wanted["whists"][one.seat][one.on]
        else:
            assert told == wanted[f"{one.account}_total"][one.seat]


def test_a_semesters_cell_is_that_of_the_sheet() -> None:
    played = example("friday-night")
    for semester, (pool, gora) in enumerate(
        (*played.state.closed, (played.state.pool, played.state.gora)), 1
    ):
        for seat in SEATS:
            for account, row in (("pool", pool), ("gora", gora)):
                one = cells.Cell(seat, account, semester=semester)
                assert cells.value(played, one) == row[seat]
                assert sum(found.effect for found in cells.entries(played, one)) == row[seat]


def test_the_installed_command_explains_a_cell(skachki: Skachki) -> None:
    assert skachki("import", ROOT / "examples" / "friday-night.skachki").returncode == 0
    standing = json.loads(skachki("standing", "--json").stdout)
    for words, wanted in (
        (("Анна", "гора"), str(standing["gora_total"][0])),
        (("3", "итог"), standing["net"][2]),
        (("Глеб", "висты", "Даша"), standing["whists"][3][1]),
    ):
        for command in ("explain", "register"):
            told = json.loads(skachki(command, *words, "--json").stdout)
            assert told["format"] == "skachki-explain/1"
            assert told["entries"][-1]["running"] == wanted
            assert sum(int(row["effect"]) for row in told["entries"]) == int(wanted)


# ------------------------------------------------------------------ rules


def test_every_rule_is_reached_by_explaining_something(run: Run, tmp_path: Path) -> None:
    """The JSON key "rules" lists what an amount or an event came under, with its words."""
    found: dict[str, dict[str, object]] = {}

    def explain(*words: str) -> None:
        done = run("explain", *words, "--json")
        assert (done.code, done.err) == (0, ""), words
        found.update({rule["rule"]: rule for rule in done.json["rules"]})

    for text, deals in ((RULE_BOOK, 11), (SHARED, 2), (STOPPED, 1)):
        take(run, tmp_path, text)
        records = len(run("log", "--json").json["events"]) + 1
        for word in (*map(str, range(1, deals + 1)), *(f"e{n}" for n in range(2, records + 1))):
            explain(word)
        explain("Anna", "net")
    done = run("amend", "1", "r", "1/3/4/2", "--reason", "miscounted", "--yes", "--reopen")
    assert done.code == 0
    explain("1")
    assert sorted(found) == sorted(HEADINGS)
    assert len(HEADINGS) == 43
    for rule in found.values():
        assert rule["text"]
        assert rule["source"]
        named = [name for name in str(rule["switch"] or "").split(", ") if name]
        assert list(rule["switches"]) == named  # type: ignore[call-overload]


SAID = {
    "1": {"allpass.tricks", "allpass.clean", "allpass.opening", "allpass.price", "gora.negative"},
    "3": {"game.made", "whist.tricks", "whist.short", "allpass.hard-exit", "allpass.exit"},
    "4": {"game.set", "whist.gentleman", "whist.consolation", "whist.set-double", "game.no-concession"},
    "9": {"misere.caught", "allpass.forced"},
    "10": {"allpass.forced", "price.pinned", "allpass.tricks"},
    "11": {"irregular", "deal.fact", "deal.rotation"},
    "e12": {"fine"},
    "e13": {"adjust"},
    "e16": {"substitute"},
}


def test_an_event_names_what_it_came_under_and_nothing_else(run: Run, tmp_path: Path) -> None:
    take(run, tmp_path, RULE_BOOK)
    for word, wanted in SAID.items():
        rules = [rule["rule"] for rule in run("explain", word, "--json").json["rules"]]
        assert wanted <= set(rules)
        assert len(rules) == len(set(rules))
        assert not {"semester.end", "game.length", "prize.pool", "correction"} & set(rules)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_deal_is_explained_with_arithmetic_words_source_and_switch(
    run: Run, tmp_path: Path, language: str
) -> None:
    take(run, tmp_path, RULE_BOOK.replace('RUB"]', 'RUB"]\n[Rule "set_whist_scope = consolation"]'))
    told = run("explain", "4", "--lang", language).out
    i18n.use(language)
    for rule in ("game.set", "whist.gentleman", "whist.consolation", "whist.set-double"):
        assert f"\n{rule}\n" in told
        assert " ".join(i18n._(RULES[rule].text).split()) in " ".join(told.split())
        assert i18n._(RULES[rule].source) in told
    assert "consolation_dealer = yes" in told
    assert "set_whist_scope = consolation" in told
    assert max(map(len, told.splitlines())) < 130
    first = told.split("\n\n")[0]
    if language == "en":
        assert "4. Anna 6♣ wp 5/5  [Gleb dealt]" in first
        assert re.search(r"whists on Anna \+10 \(5 tricks × 4, half each; whist\.gentleman\)", first)
    else:
        assert "Anna 6♣ вп 5/5" in first
        assert re.search(r"\+10 \(5 взяток × 4, пополам; whist\.gentleman\)", first)


@pytest.mark.parametrize("rule", HEADINGS)
def test_rule_text_has_every_rule(rule: str) -> None:
    told = arguing.rule_json(rule)
    assert list(told) == ["rule", "text", "source", "switch"]
    assert " ".join(" ".join(arguing.rule_lines(rule, None)).split()).startswith(f"{rule} {told['text']}")


def test_rule_text_prints_and_refuses(run: Run) -> None:
    told = run("rule-text", "prize.gorra").err
    assert "there are: prize.pool, prize.gora," in told
    assert "whist." not in told
    assert "game.made" in run("rule-text", "nosuch").err
    done = run("rule-text", "WHIST.short", "--json")
    assert done.json["format"] == "skachki-rule/1"
    assert (done.json["rule"], done.json["switch"]) == ("whist.short", "two_whisters_high")
    assert "two_whisters_high: split, each, second" in run("rule-text", "whist.short").out
    assert "двое вистующих" in run("rule-text", "whist.short", "--lang", "ru").out
    refused = run("rule-text", "whist.shrt")
    assert (refused.code, refused.out) == (1, "")
    assert "E420" in refused.err


# ------------------------------------------------------------------ semesters, corrections


@pytest.mark.parametrize(
    ("lines", "deal", "wanted"),
    [
        ("2. Vera 7d pp", "2", "the target is reached, but the all-pass is open: the semester goes on"),
        ("2. Vera 7d wp 7/3", "2", "semester I ends with it"),
        (
            "2. Vera m 0\n3. Gleb 9c/m ww 8/1/1",
            "3",
            "the target is reached, but an all-pass is due: the semester goes on",
        ),
    ],
)
def test_why_a_semester_ends_or_goes_on(
    run: Run, tmp_path: Path, lines: str, deal: str, wanted: str
) -> None:
    take(run, tmp_path, f'{HEADER}[Rule "target = 4"]\n1. r 2/3/4/1\n{lines}\n')
    done = run("explain", deal)
    assert wanted in done.out.split("\n\n")[0]
    assert "\nsemester.end\n" in done.out


def test_an_unwhisted_target_does_not_end_it(run: Run, tmp_path: Path) -> None:
    take(run, tmp_path, HEADER + '[Rule "target = 5"]\n1. r 2/3/4/1\n2. Vera 7d wp 7/3\n3. Gleb 8d pp\n')
    head = run("explain", "3").out.split("\n\n")[0]
    assert "the target of 5 is reached: Gleb" in head
    assert "but this deal was not whisted: the semester goes on" in head


def test_a_corrected_a_voided_and_an_undone_deal(run: Run, tmp_path: Path) -> None:
    take(run, tmp_path, HEADER + "1. r 2/3/4/1\n2. Vera 7d wp 7/3\n3. Gleb 6d pp\n4. Anna 6c pp\n")
    reason = ("--yes", "--by", "anna", "--reason")
    assert run("amend", "2", "Vera", "7d", "wp", "6/4", *reason, "one down").code == 0
    told = run("explain", "2")
    assert "a correction by anna: one down" in told.out
    assert "it was: Vera 7♦ wp 7/3" in told.out
    assert run("explain", "e3").out == told.out
    assert run("void", "3", *reason, "never played").code == 0
    for word in ("3", "e4"):
        told = run("explain", word)
        assert told.code == 0
        assert told.out.startswith("✗ 3. Gleb 6♦ pp  (voided)")
        assert told.out.split("\n\n")[1].startswith("correction\n")
        assert run("explain", word, "--json").json["entries"] == []
    assert "never played" in run("explain", "e7").out
    assert run("undo").code == 0
    assert run("explain", "3").out.startswith("3. Gleb 6♦ pp")
    assert "undo" in run("explain", "e8").out


def test_a_problem_is_told_with_the_deal(run: Run, tmp_path: Path) -> None:
    take(run, tmp_path, RULE_BOOK)
    assert "\n  ! the all-pass is open" in run("explain", "11").out.split("\n\n")[0]


# ------------------------------------------------------------------ register


def test_the_register_has_the_dotted_line_of_the_paper(run: Run) -> None:
    run("import", ROOT / "examples" / "friday-night.skachki")
    told = run("register", "Анна", "гора")
    assert told.out.startswith("Анна: gora 124\n")
    assert told.out.endswith(
        "  I: 2.18.22.28.20.\n  II: 4.16.24.30.54.42.\n  III: 6.14.18.24.\n  IV: 8.20.38.\n"
    )
    shown = run("register", "1", "gora", "--json").json
    assert shown["paper"] == ["2.18.22.28.20.", "4.16.24.30.54.42.", "6.14.18.24.", "8.20.38."]
    assert [row["on_paper"] for row in shown["entries"]][:5] == ["2", "18", "22", "28", "20"]
    whists = run("register", "Анна", "whists", "Вера").out
    assert "II: (288).304.\n" in whists
    assert "paper" not in run("register", "Анна", "net", "--json").json


def test_a_net_is_told_by_its_formula(run: Run) -> None:
    run("import", ROOT / "examples" / "friday-night.skachki")
    told = run("explain", "Анна", "net").out
    assert (
        "20 × (pool 50 − mean 48) − 10 × (gora 124 − mean 184½) + "
        "whists written 3280 − whists written against 1950 = 1975" in told
    )
    for rule in ("settle.net", "settle.round", "settle.transfers"):
        assert f"\n{rule}\n" in told


@pytest.mark.parametrize("text", [HEADER, STOPPED, SHARED, RULE_BOOK])
def test_games_of_every_state_are_explained(run: Run, tmp_path: Path, text: str) -> None:
    take(run, tmp_path, text)
    for words in (("Anna",), ("1", "net"), ("Anna", "whists", "Boris"), ("gleb", "пуля")):
        for command in ("explain", "register")[: 1 if len(words) == 1 else 2]:
            assert run(command, *words).code == 0
            assert run(command, *words, "--json", "--lang", "ru").json["format"] == "skachki-explain/1"


BAD = [
    (("explain", "12"), 1, "E401"),
    (("explain", "e99"), 1, "E408"),
    (("explain", "Zoya"), 1, "E102"),
    (("explain", ""), 1, "E102"),
    (("explain", "Anna", "whists"), 1, "E415"),
    (("explain", "Anna", "whists", "Anna"), 1, "E117"),
    (("explain", "Anna", "whists", "Zoya"), 1, "E102"),
    (("explain", "Anna", "pool", "gora"), 1, "E415"),
    (("explain", "Anna", "money"), 1, "E415"),
    (("explain", "1", "--suits", "both"), 1, "E403"),
    (("explain", "1", "--game", "nosuch"), 1, "E318"),
    (("explain", "1", "--db", "nosuch.db"), 1, "E310"),
    (("explain",), 2, ""),
    (("register", "Anna"), 2, ""),
    (("register", "Anna", "12"), 1, "E415"),
    (("register", "12", "pool"), 1, "E102"),
    (("rule-text",), 2, ""),
    (("rule-text", "a", "b"), 2, ""),
    (("explain", "1", "--nosuch"), 2, ""),
]


@pytest.mark.parametrize(("words", "code", "fault"), BAD, ids=lambda value: str(value))
def test_bad_input_is_one_message(
    run: Run, tmp_path: Path, words: tuple[str, ...], code: int, fault: str
) -> None:
    take(run, tmp_path, STOPPED)
    done = run(*words)
    assert (done.code, done.out) == (code, "")
    if code == 1:
        assert done.err.count("\n") == 1
        assert done.err.endswith(f"[{fault}]\n")
        assert json.loads(run(*words, "--json").err)["error"]["code"] == fault
