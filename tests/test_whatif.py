"""`whatif`: old and new side by side, every switch tried once, and nothing is written."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import arguing_games
import pytest
from arguing_games import EXAMPLES, HEADER, ROOT, Run, example, night
from conftest import Skachki

from skachki_ledger import derive as derive_module
from skachki_ledger import journal, rules
from skachki_ledger.arbitration import whatif
from skachki_ledger.derive import History, derive
from skachki_ledger.settlement import net, rational

NIGHT = (
    HEADER
    + """1. r 2/3/4/1
2. Vera 7d ww 7/2/1
3. Gleb 6c wp 6/4
fine Boris 4 gora "revoke"
4. Anna 8h ww 7/2/1
5. Boris 6s ww 6/2/2
"""
)

NAMED = {
    "semesters": ["4", "7"],
    "target": [],
    "end_rule": ["whisted", "target"],
    "two_whisters_high": ["split", "each", "second"],
    "unwhisted_choice": ["8,9,10", "6,7,8,9,10"],
    "misere_choice": ["yes", "no"],
    "forced_after": ["9,10", "9"],
    "forced_price": ["literal", "max"],
    "gentleman_on_made": ["yes", "no"],
    "consolation_dealer": ["yes", "no"],
    "half_whist": ["yes", "no"],
    "dealer_clean": ["yes", "no"],
    "set_whist_factor": ["2", "1"],
    "set_whist_scope": ["all", "consolation"],
    "stalingrad": ["both", "one", "off"],
    "min_exit_level": ["6", "7", "8"],
}
"""What the rule book names for each switch."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("SKACHKI_DB", str(tmp_path / "ledger.db"))
    (tmp_path / "night.skachki").write_text(NIGHT, encoding="utf-8")
    command = arguing_games.runner(capsys)
    assert command("import", tmp_path / "night.skachki").code == 0
    return command


def scored(run: Run, tmp_path: Path, text: str) -> dict[str, Any]:
    (tmp_path / "other.skachki").write_text(text, encoding="utf-8")
    return run("score", tmp_path / "other.skachki", "--json").json


# ------------------------------------------------------------------ one thought


@pytest.mark.parametrize(
    ("words", "old", "new"),
    [
        (("deal", "4", "Anna", "8h", "ww", "8/1/1"), "Anna 8h ww 7/2/1", "Anna 8h ww 8/1/1"),
        (("сдача", "2", "Вера", "7б", "вп", "7"), "Vera 7d ww 7/2/1", "Vera 7d wp 7"),
        (("deal", "e5", "fine", "Boris", "8", "gora"), "fine Boris 4 gora", "fine Boris 8 gora"),
        (("without", "e5"), 'fine Boris 4 gora "revoke"\n', ""),
        (("без", "5"), "5. Boris 6s ww 6/2/2\n", ""),
    ],
)
def test_it_is_the_game_with_the_other_line(
    run: Run, tmp_path: Path, words: tuple[str, ...], old: str, new: str
) -> None:
    words = tuple("Vera" if word == "Вера" else word for word in words)
    done = run("whatif", *words, "--json")
    assert (done.code, done.err) == (0, "")
    assert list(done.json)[:4] == ["format", "before", "after", "changed"]
    assert done.json["format"] == "skachki-whatif/1"
    assert old in NIGHT
    wanted = scored(run, tmp_path, NIGHT.replace(old, new))
    for key in ("pool", "gora", "whists", "net", "money", "prizes", "deals", "dealer"):
        assert done.json["after"][key] == wanted[key]
    was = scored(run, tmp_path, NIGHT)
    assert done.json["before"]["net"] == was["net"]
    moved = {row["cell"]: (row["old"], row["new"]) for row in done.json["changed"]}
    for name, before, after in zip(was["game"]["players"], was["net"], wanted["net"], strict=True):
        assert moved.get(f"net {name}", (before, before)) == (before, after)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_old_and_new_stand_side_by_side_with_the_money(run: Run, language: str) -> None:
    told = run("whatif", "deal", "4", "Anna", "8h", "ww", "8/1/1", "--lang", language).out
    rows = [line.split() for line in told.splitlines()]
    assert ["Anna:", {"en": "gora", "ru": "гора"}[language], "(I)", "16", "4", "-12"] in rows
    point = {"en": ".", "ru": ","}[language]
    assert next(row for row in rows if row[:2] == ["Anna:", "RUB"])[-1] == f"+150{point}00"
    assert told.startswith({"en": "4. Anna 8♥ ww [7/2/1]", "ru": "4. Anna 8♥ вв [7/2/1]"}[language])


def test_a_rule_read_otherwise(run: Run, tmp_path: Path) -> None:
    for words in (("rule", "set_whist_factor=1"), ("правило", "set_whist_factor = 1")):
        done = run("whatif", *words, "--json").json
        wanted = scored(run, tmp_path, NIGHT.replace("1. r", '[Rule "set_whist_factor = 1"]\n1. r'))
        assert done["after"]["net"] == wanted["net"]
        assert done["after"]["game"]["switches"] == {"set_whist_factor": 1}
        assert done["before"]["game"]["switches"] == {}
    assert "nothing in the score changes" in run("whatif", "rule", "target=22").out


def test_a_later_semester_moves(run: Run, tmp_path: Path) -> None:
    text = (ROOT / "examples" / "dispute-recorded.skachki").read_text(encoding="utf-8")
    (tmp_path / "night.skachki").write_text(text, encoding="utf-8")
    run("import", tmp_path / "night.skachki")
    told = run("whatif", "deal", "13", "Boris", "8s", "ww", "7/2/1").out
    for line in (
        "awarded now: pool 300, semester I: Vera",
        "no longer awarded: pool 300, semester I: Boris",
    ):
        assert f"\n{line}\n" in told
    assert "2508     -1592       -4100" in told


def test_an_illegal_line_is_told_as_such(run: Run) -> None:
    done = run("whatif", "deal", "2", "Vera", "6d", "ww", "6/2/2")
    assert done.code == 0
    assert done.out.splitlines()[1].startswith("against the rules, counted here as if it had been played")
    assert done.out.count("allpass.hard-exit") == 1
    told = run("whatif", "deal", "2", "Vera", "6d", "ww", "6/2/2", "--json").json
    assert [fault["code"] for fault in told["illegal"]] == ["E203"]
    assert "E203" in [problem["code"] for problem in told["after"]["problems"]]
    meant = run("whatif", "deal", "2", "Vera", "6d", "ww", "6/2/2", "irregular", "so it was", "--json").json
    assert meant["illegal"] == []
    assert meant["after"]["net"] == told["after"]["net"]


def test_a_line_typed_in_the_other_layout_is_shown(run: Run) -> None:
    done = run("whatif", "deal", "2", "3", "7,", "dd", "7/2/1")
    assert done.code == 0
    assert "other keyboard layout, read as: Vera 7d ww 7/2/1" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("deal", "2", "Vera", "7d", "ww", "6/2/2"),
        ("deal", "2", "Vera", "6d", "ww", "6/2/2"),
        ("deal", "2", "Boris", "6d", "ww", "6/2/2"),
        ("deal", "2", "nonsense"),
        ("without", "1"),
        ("without", "9"),
        ("rule", "target=1"),
        ("rule", "target=0"),
        ("rules",),
        ("rules", "--json"),
        ("what",),
    ],
    ids=" ".join,
)
def test_nothing_is_written(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    before = (tmp_path / "ledger.db").read_bytes()
    files = sorted(path.name for path in tmp_path.iterdir())
    run("whatif", *words)
    assert (tmp_path / "ledger.db").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == files


# ------------------------------------------------------------------ every switch


def test_every_switch_and_value_of_the_rule_book_is_tried() -> None:
    assert set(NAMED) == set(rules.SWITCHES)
    for preset in rules.PRESETS.values():
        for switch, current in rules.switches(preset).items():
            tried = [rules.show_value(value) for value in whatif.values_tried(switch, current)]
            assert sorted(tried) == sorted(set(NAMED[switch]) - {rules.show_value(current)})


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_row_is_the_game_played_so(path: Path) -> None:
    check_readings(example(path.stem))


@pytest.mark.parametrize("seed", range(4))
def test_a_row_of_a_random_game_is_the_game_played_so(seed: int) -> None:
    check_readings(night(seed))


def check_readings(played: History) -> None:
    events = [taken.event for taken in played.steps]
    found = list(whatif.readings(played))
    assert len({(reading.switch, reading.value) for reading in found}) == len(found)
    for reading in found:
        changed = rules.with_switch(played.header.rules, reading.switch, reading.value)
        after = derive(played.header._replace(rules=changed), events)
        assert reading.nets == net(after.state)
        assert sum(reading.changes) == 0
        assert [now - was for now, was in zip(reading.nets, net(played.state), strict=True)] == [
            *reading.changes
        ]
        written = [
            old.label
            for old, new in zip(played.steps, after.steps, strict=True)
            if old.label and old.entries != new.entries
        ]
        assert set(written) <= set(reading.deals)
        if any(reading.changes) and not any(taken.label == "" for taken in played.steps):
            assert reading.deals


def test_a_derivation_for_each_value_and_no_more(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(*arguments: Any) -> History:
        calls.append(arguments)
        return derive(*arguments)

    for module in (derive_module, whatif, journal):
        monkeypatch.setattr(module, "derive", counted)
    rows = run("whatif", "rules", "--json").json["rows"]
    assert len(rows) == 18
    assert len(calls) <= len(rows) + 1  # the game itself


def test_the_table_and_the_json(run: Run) -> None:
    told = run("whatif", "rules", "--json").json
    assert told["format"] == "skachki-whatif-rules/1"
    rows = {(row["switch"], str(row["value"])): row for row in told["rows"]}
    assert list(rows["semesters", "7"])[:3] == ["switch", "value", "nets"]
    single = rows["set_whist_factor", "1"]
    assert single["deals"] == ["4"]
    after = run("whatif", "rule", "set_whist_factor=1", "--json").json["after"]
    assert single["nets"] == after["net"]
    assert sum(Fraction(change) for change in single["changes"]) == 0
    assert rows["stalingrad", "off"] == rows["stalingrad", "off"] | {"deals": [], "changes": ["0"] * 4}
    assert rows["unwhisted_choice", "[6, 7, 8, 9, 10]"]["value"] == [6, 7, 8, 9, 10]
    assert rows["misere_choice", "False"]["value"] is False
    for language, head in (("en", "matters at deals"), ("ru", "Anna")):
        lines = run("whatif", "rules", "--lang", language).out.splitlines()
        assert len(lines) == 4 + len(rows)
        assert head in lines[2]
        row = next(line.split() for line in lines if line.startswith("set_whist_factor = 1"))
        assert row == ["set_whist_factor", "=", "1", *map(_signed, single["changes"]), "4"]


def _signed(amount: str) -> str:
    return amount if amount.startswith("-") else f"+{amount}"


def test_games_in_every_state(run: Run, tmp_path: Path) -> None:
    for name in ("friday-night", "stopped-early", "substitution"):
        run("import", ROOT / "examples" / f"{name}.skachki")
        assert run("whatif", "rules").code == 0
        assert run("whatif", "without", "3").code == 0
    (tmp_path / "empty.skachki").write_text(HEADER, encoding="utf-8")
    run("import", tmp_path / "empty.skachki")
    assert run("whatif", "rules").code == 0
    assert run("whatif", "rule", "target=5").code == 0


def test_semesters_bite_where_the_game_ended(skachki: Skachki) -> None:
    assert skachki("import", ROOT / "examples" / "friday-night.skachki").returncode == 0
    told = json.loads(skachki("whatif", "rules", "--json").stdout)
    row = next(row for row in told["rows"] if row["switch"] == "semesters")
    assert (row["value"], row["deals"], row["changes"]) == (7, ["73"], ["-300", "500", "500", "-700"])
    played = example("friday-night")
    assert row["nets"] == [
        rational(amount + 12 * int(change))
        for amount, change in zip(net(played.state), row["changes"], strict=True)
    ]


@pytest.mark.parametrize(
    ("words", "code", "fault"),
    [
        ((), 2, ""),
        (("what",), 1, "E422"),
        (("deal",), 1, "E422"),
        (("deal", "2"), 1, "E422"),
        (("deal", "99", "Vera", "m", "0"), 1, "E408"),
        (("deal", "x", "Vera", "m", "0"), 1, "E407"),
        (("deal", "2", "Zoya", "m", "0"), 1, "E102"),
        (("deal", "2", "Vera", "7d", "ww", "7/2/2"), 1, "E111"),
        (("deal", "2", "Boris", "m", "0"), 1, "E201"),
        (("without",), 1, "E422"),
        (("without", "1", "2"), 1, "E422"),
        (("without", "e99"), 1, "E408"),
        (("rule",), 1, "E422"),
        (("rule", "target"), 1, "E135"),
        (("rule", "nosuch=1"), 1, "E135"),
        (("rule", "half_whist=maybe"), 1, "E136"),
        (("rules", "all"), 1, "E422"),
        (("rules", "--suits", "x"), 1, "E403"),
        (("rules", "--nosuch"), 2, ""),
    ],
    ids=lambda value: str(value),
)
def test_bad_input_is_one_message(run: Run, words: tuple[str, ...], code: int, fault: str) -> None:
    done = run("whatif", *words)
    assert (done.code, done.out) == (code, "")
    if code == 1:
        assert done.err.count("\n") == 1
        assert f"[{fault}]" in done.err
        assert json.loads(run("whatif", *words, "--json").err)["error"]["code"] == fault
