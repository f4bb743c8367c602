"""The collected cases through the public path: files in, `skachki score --json --log` out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import PLAYERS, Scored, game_text, score, score_texts

CASES = Path(__file__).parent / "cases"
DEALS: list[dict[str, Any]] = json.loads((CASES / "deals.json").read_text(encoding="utf-8"))
SETTLEMENTS: list[dict[str, Any]] = json.loads((CASES / "settlements.json").read_text(encoding="utf-8"))[
    "settlements"
]
GAMES = sorted(path.stem for path in (CASES / "games").glob("*.skachki"))

# ------------------------------------------------------------------ single deals


@pytest.fixture(scope="module")
def deals(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    texts = {
        case["id"]: game_text(case["dealer"], case["rules"], case["switches"], case["lines"])
        for case in DEALS
    }
    assert len(texts) == len(DEALS)
    return score_texts(tmp_path_factory.mktemp("deals"), texts)


def cells(entries: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Fraction]]:
    """The entries of one event summed per cell, in the shape of a case's."""
    sums: dict[str, dict[str, Fraction]] = {}
    for entry in entries:
        name = entry["seat"] if entry["on"] is None else f"{entry['seat']}>{entry['on']}"
        account = sums.setdefault(entry["account"], {})
        account[name] = account.get(name, Fraction(0)) + Fraction(entry["amount"])
    return sums


def test_all_cases_are_here() -> None:
    assert (len(DEALS), len(SETTLEMENTS), len(GAMES)) == (134, 6, 4)


@pytest.mark.parametrize("case", DEALS, ids=lambda case: str(case["id"]))
def test_deal_case(case: dict[str, Any], deals: Scored) -> None:
    scored = deals[case["id"]]
    wanted = {
        account: {names: Fraction(amount) for names, amount in amounts.items()}
        for account, amounts in case["entries_of_last"].items()
    }
    assert cells(scored["log"][-1]["entries"]) == wanted
    assert {key: scored[key] for key in case["then"]} == case["then"]


def test_entries_cite_rules_of_the_book(deals: Scored) -> None:
    book = (Path(__file__).parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
    cited = {
        entry["rule"] for scored in deals.values() for event in scored["log"] for entry in event["entries"]
    }
    assert [rule for rule in sorted(cited) if f"### {rule}\n" not in book] == []
    assert {"game.made", "game.set", "whist.tricks", "prize.pool", "allpass.clean"} <= cited


@pytest.mark.parametrize("case", DEALS, ids=lambda case: str(case["id"]))
def test_entries_of_a_deal_case_add_up(case: dict[str, Any], deals: Scored) -> None:
    scored = deals[case["id"]]
    sums = cells(entry for event in scored["log"] for entry in event["entries"])
    for account in ("pool", "gora"):
        total = dict(zip(PLAYERS, scored[f"{account}_total"], strict=True))
        assert {name: n for name, n in total.items() if n} == {
            name: n for name, n in sums.get(account, {}).items() if n
        }
    for writer, row in zip(PLAYERS, scored["whists"], strict=True):
        for on, amount in zip(PLAYERS, row, strict=True):
            assert Fraction(amount) == sums.get("whists", {}).get(f"{writer}>{on}", 0)


# ------------------------------------------------------------------ settlements

PRELUDE = (
    'adjust Vera 18 pool "case"',
    'adjust Anna 6 gora "case"',
    'adjust Boris 10 gora "case"',
    'adjust Vera 4 gora "case"',
    "r 2/4/3/1",
    "Vera 7d wp 10/0",
)
"""A semester that ends with Anna, Vera and Gleb sharing the lowest gora: 200/3 each on Boris.

Gora: Anna 6 + 4, Boris 10 + 8, Vera 4 + 6, Gleb 2 + 8 (he whists alone and is two short at 4).
"""


def adjustments(case: Mapping[str, Any], before: Mapping[str, Any]) -> list[str]:
    """The adjustments that bring a sheet to the case's sums."""
    lines = []
    for account in ("pool", "gora"):
        for name, wanted, has in zip(PLAYERS, case[account], before[f"{account}_total"], strict=True):
            lines.append(f'adjust {name} {wanted - has} {account} "case"')
    for i, writer in enumerate(PLAYERS):
        for j, on in enumerate(PLAYERS):
            missing = Fraction(case["whists"][i][j]) - Fraction(before["whists"][i][j])
            if i != j:
                assert missing.denominator == 1, "the case has fractions that the prelude does not make"
                lines.append(f'adjust {on} {missing} whists {writer} "case"')
    return [line for line in lines if " 0 " not in line]


@pytest.fixture(scope="module")
def settlements(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    home = tmp_path_factory.mktemp("settlements")
    rule = {"end_rule": "target"}
    fractions = [case for case in SETTLEMENTS if "/" in str(case["whists"])]
    preludes = {case["id"]: PRELUDE if case in fractions else () for case in SETTLEMENTS}
    texts = {name: game_text("Anna", "piter", rule, lines) for name, lines in preludes.items()}
    before = score_texts(home, texts)
    return score_texts(
        home,
        {
            case["id"]: texts[case["id"]] + "\n".join([*adjustments(case, before[case["id"]]), ""])
            for case in SETTLEMENTS
        },
    )


@pytest.mark.parametrize("case", SETTLEMENTS, ids=lambda case: str(case["id"]))
def test_settlement_case(case: dict[str, Any], settlements: Scored) -> None:
    scored = settlements[case["id"]]
    assert (scored["pool_total"], scored["gora_total"]) == (case["pool"], case["gora"])
    assert scored["whists"] == [[str(n) for n in row] for row in case["whists"]]
    assert scored["net"] == [str(n) for n in case["net"]]
    assert sum(map(Fraction, scored["net"])) == 0
    if "rounded" in case:
        assert scored["rounded"] == case["rounded"]


# ------------------------------------------------------------------ whole games


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    return score(tmp_path_factory.mktemp("games"), [CASES / "games" / f"{name}.skachki" for name in GAMES])


@pytest.mark.parametrize("name", GAMES)
def test_game_case(name: str, games: Scored) -> None:
    wanted = json.loads((CASES / "games" / f"{name}.json").read_text(encoding="utf-8"))
    assert {key: games[name][key] for key in wanted} == wanted
