"""The reference scorer agrees with the published and the constructed cases."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import oracle
import oracle_settlement as settlement
import pytest
from oracle_scoring import SEATS, Amounts, Cell

CASES = Path(__file__).parent / "cases"
PLAYERS = ["Anna", "Boris", "Vera", "Gleb"]
DEALS: list[dict[str, Any]] = json.loads((CASES / "deals.json").read_text(encoding="utf-8"))
SETTLEMENTS: list[dict[str, Any]] = json.loads((CASES / "settlements.json").read_text(encoding="utf-8"))[
    "settlements"
]
GAMES = sorted(path.stem for path in (CASES / "games").glob("*.skachki"))


def named(amounts: Amounts) -> dict[str, dict[str, Fraction]]:
    """Amounts in the shape of a case's entries."""
    shaped: dict[str, dict[str, Fraction]] = {}
    for cell, amount in amounts.items():
        names = ">".join(PLAYERS[seat - 1] for seat in cell[1:])
        shaped.setdefault(cell[0], {})[names] = amount
    return shaped


def test_all_cases_are_here() -> None:
    assert (len(DEALS), len(SETTLEMENTS), len(GAMES)) == (134, 6, 4)


@pytest.mark.parametrize("case", DEALS, ids=lambda case: str(case["id"]))
def test_deal_case(case: dict[str, Any]) -> None:
    played = oracle.play(
        PLAYERS, case["dealer"], case["rules"], case["switches"], case["lines"], "0.50 RUB"
    )
    wanted = {
        account: {names: Fraction(amount) for names, amount in cells.items()}
        for account, cells in case["entries_of_last"].items()
    }
    assert named(played.amounts[-1]) == wanted
    assert {key: played.standing[key] for key in case["then"]} == case["then"]


@pytest.mark.parametrize("case", SETTLEMENTS, ids=lambda case: str(case["id"]))
def test_settlement_case(case: dict[str, Any]) -> None:
    pools, goras = ([Fraction(n) for n in case[key]] for key in ("pool", "gora"))
    whists = [[Fraction(n) for n in row] for row in case["whists"]]
    nets = settlement.net(pools, goras, whists)
    assert nets == [Fraction(n) for n in case["net"]]
    assert sum(nets) == 0
    if "rounded" in case:
        assert settlement.largest_remainder(nets) == case["rounded"]


@pytest.mark.parametrize("name", GAMES)
def test_game_case(name: str) -> None:
    wanted = json.loads((CASES / "games" / f"{name}.json").read_text(encoding="utf-8"))
    standing = oracle.play_file(CASES / "games" / f"{name}.skachki").standing
    assert {key: standing[key] for key in wanted} == wanted


@pytest.mark.parametrize("name", GAMES)
def test_amounts_add_up_to_the_standing(name: str) -> None:
    played = oracle.play_file(CASES / "games" / f"{name}.skachki")
    sums: dict[Cell, Fraction] = {}
    for amounts in played.amounts:
        for cell, amount in amounts.items():
            sums[cell] = sums.get(cell, Fraction(0)) + amount
    pool = [sums.get(("pool", seat), 0) for seat in SEATS]
    gora = [sums.get(("gora", seat), 0) for seat in SEATS]
    whists = [[str(sums.get(("whists", i, j), 0)) for j in SEATS] for i in SEATS]
    assert (pool, gora) == (played.standing["pool_total"], played.standing["gora_total"])
    assert whists == played.standing["whists"]


def test_persons_share_the_net_of_their_seat() -> None:
    lines = [
        'seat Anna "Zoya"',
        "r 0/4/3/3 Zoya@g",
        "Vera 7d ww 7/1/2",
        'seat Vera "Anna Maria" "home"',
        "Gleb 7d wp 6/4",
        "Boris 6c pw 6/4",
        "Anna_Maria 7d wp 6/4",
    ]
    standing = oracle.play(PLAYERS, "Anna", "piter", {}, lines).standing
    persons: Any = standing["persons"]
    assert [[row[key] for key in ("name", "seat", "from_deal", "to_deal")] for row in persons] == [
        ["Anna", 1, "1", "0"],
        ["Zoya", 1, "1", None],
        ["Boris", 2, "1", None],
        ["Vera", 3, "1", "2"],
        ["Anna Maria", 3, "3", None],
        ["Gleb", 4, "1", None],
    ]
    nets: Any = standing["net"]
    for seat in SEATS:
        shares = [Fraction(row["net"]) for row in persons if row["seat"] == seat]
        assert sum(shares) == Fraction(nets[seat - 1])


def every_list(balance: tuple[int, ...]) -> list[list[settlement.Transfer]]:
    """Every list of transfers from losers to winners, amount by amount."""
    losers = [i for i in range(4) if balance[i] < 0]
    winners = [i for i in range(4) if balance[i] > 0]
    pairs = [(a, b) for a in losers for b in winners]
    limits = [min(-balance[a], balance[b]) for a, b in pairs]
    lists = []
    for amounts in product(*(range(limit + 1) for limit in limits)):
        left = list(balance)
        for (payer, payee), n in zip(pairs, amounts, strict=True):
            left[payer] += n
            left[payee] -= n
        if not any(left):
            lists.append([(*pair, n) for pair, n in zip(pairs, amounts, strict=True) if n])
    return lists


def test_transfers_are_the_fewest_and_first() -> None:
    for three in product(range(-4, 5), repeat=3):
        balance = (*three, -sum(three))
        best = min(every_list(balance), key=lambda one: (len(one), [(a, b, -n) for a, b, n in one]))
        assert settlement.transfers(balance) == best, balance
