"""Nets, rounding, money and payments by hand: beside each expected value stands its arithmetic.

Sheets are made with adjustments, so that each has a single amount in it, and scored through the
installed command. What no sheet can hold is asked of the settlement's functions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from conftest import PLAYERS, Scored, game_text, score_texts

from skachki_ledger import settlement
from skachki_ledger.header import parse_stake
from skachki_ledger.model import Four
from skachki_ledger.settlement import decimal, largest_remainder, rational


class Sheet(NamedTuple):
    """Lines with a stake, and what the settlement of them is. Names are Anna, Boris, Vera, Gleb."""

    lines: tuple[str, ...]
    stake: str
    net: tuple[str, str, str, str]
    rounded: tuple[int, int, int, int]
    money: tuple[str, str, str, str]
    transfers: tuple[tuple[str, str, str], ...]


PAY = {"A": "Anna", "B": "Boris", "V": "Vera", "G": "Gleb"}

THIRDS = ('adjust Boris 4 gora "by hand"', "stop final")
"""Gora: mean 1, Boris −10·(4−1) = −30, the others −10·(0−1) = +10. The pools are all equal: four
winners, nothing is written. Lowest gora: Anna, Vera, Gleb, each 200/3 on Boris. So 10 + 200/3 =
230/3 three times, and Boris −30 − 3·200/3 = −230."""

SHEETS: dict[str, Sheet] = {
    "nothing": Sheet((), "0.50 RUB", ("0", "0", "0", "0"), (0, 0, 0, 0), ("0.00",) * 4, ()),
    # 20·(1 − 1/4) = 15; 20·(0 − 1/4) = −5. At 0.50: 7.50 and −2.50
    "one-pool-point": Sheet(
        ('adjust Anna 1 pool "by hand"',),
        "0.50 RUB",
        ("15", "-5", "-5", "-5"),
        (15, -5, -5, -5),
        ("7.50", "-2.50", "-2.50", "-2.50"),
        (("B", "A", "2.50"), ("V", "A", "2.50"), ("G", "A", "2.50")),
    ),
    # −10·(1 − 1/4) = −7½; −10·(0 − 1/4) = 2½. Floors −8 2 2 2 = −2: two missing; all fractions ½:
    # the two lower seats. At 1: −7.50 and 2.50
    "one-gora-point": Sheet(
        ('adjust Anna 1 gora "by hand"',),
        "1 EUR",
        ("-15/2", "5/2", "5/2", "5/2"),
        (-7, 3, 2, 2),
        ("-7.50", "2.50", "2.50", "2.50"),
        (("A", "B", "2.50"), ("A", "V", "2.50"), ("A", "G", "2.50")),
    ),
    # the same at the last seat: floors 2 2 2 −8, the two missing to seats 1 and 2
    "one-gora-point-last": Sheet(
        ('adjust Gleb 1 gora "by hand"',),
        "1 EUR",
        ("5/2", "5/2", "5/2", "-15/2"),
        (3, 3, 2, -8),
        ("2.50", "2.50", "2.50", "-7.50"),
        (("G", "A", "2.50"), ("G", "B", "2.50"), ("G", "V", "2.50")),
    ),
    # gora off: −10·(−1 + 1/4) = 7½, −2½: floors 7 −3 −3 −3 = −2, two missing to seats 1 and 2
    "negative-gora": Sheet(
        ('adjust Anna -1 gora "by hand"',),
        "1 EUR",
        ("15/2", "-5/2", "-5/2", "-5/2"),
        (8, -2, -3, -3),
        ("7.50", "-2.50", "-2.50", "-2.50"),
        (("B", "A", "2.50"), ("V", "A", "2.50"), ("G", "A", "2.50")),
    ),
    # Anna writes 7 on Boris: +7, −7. 7 · 0.005 = 0.035 = 3.5 cents; floors 3 −4: one missing;
    # both fractions ½: Anna
    "whists-half-a-cent": Sheet(
        ('adjust Boris 7 whists Anna "by hand"',),
        "0.005 USD",
        ("7", "-7", "0", "0"),
        (7, -7, 0, 0),
        ("0.04", "-0.04", "0.00", "0.00"),
        (("B", "A", "0.04"),),
    ),
    # 15 · 0.005 = 7.5 cents, −5 · 0.005 = −2.5: floors 7 −3 −3 −3 = −2: seats 1 and 2 one up
    "pool-half-a-cent": Sheet(
        ('adjust Anna 1 pool "by hand"',),
        "0.005 USD",
        ("15", "-5", "-5", "-5"),
        (15, -5, -5, -5),
        ("0.08", "-0.02", "-0.03", "-0.03"),
        (("B", "A", "0.02"), ("V", "A", "0.03"), ("G", "A", "0.03")),
    ),
    # 1 · 0.001 = 0.1 cent, −0.1: floors 0 −1: one missing to the larger fraction, 0.9: Boris, who then
    # has 0: nothing is paid, and no "-0.00"
    "less-than-a-cent": Sheet(
        ('adjust Boris 1 whists Anna "by hand"',),
        "0.001 USD",
        ("1", "-1", "0", "0"),
        (1, -1, 0, 0),
        ("0.00", "0.00", "0.00", "0.00"),
        (),
    ),
    # 230/3 = 76⅔: floors 76 −230 76 76 = −2: Anna and Vera one up. At 0.50: 3833⅓ cents three times,
    # −11500: floors 3833 · 3 = 11499: Anna one up
    "thirds": Sheet(
        THIRDS,
        "0.50 RUB",
        ("230/3", "-230", "230/3", "230/3"),
        (77, -230, 77, 76),
        ("38.34", "-115.00", "38.33", "38.33"),
        (("B", "A", "38.34"), ("B", "V", "38.33"), ("B", "G", "38.33")),
    ),
    # at 0.005: 38⅓ cents three times, −115: floors 38 · 3 = 114: Anna one up
    "thirds-half-a-cent": Sheet(
        THIRDS,
        "0.005 USD",
        ("230/3", "-230", "230/3", "230/3"),
        (77, -230, 77, 76),
        ("0.39", "-1.15", "0.38", "0.38"),
        (("B", "A", "0.39"), ("B", "V", "0.38"), ("B", "G", "0.38")),
    ),
    # at 0.333333: 230/3 · 33.3333 = 2555.553 cents, −230 · 33.3333 = −7666.659: floors 2555 −7667 2555
    # 2555 = −2; fractions .553 .341 .553 .553: Anna and Vera one up. From the rounded 77 it would be 25.67
    "thirds-of-a-third": Sheet(
        THIRDS,
        "0.333333 EUR",
        ("230/3", "-230", "230/3", "230/3"),
        (77, -230, 77, 76),
        ("25.56", "-76.67", "25.56", "25.55"),
        (("B", "A", "25.56"), ("B", "V", "25.56"), ("B", "G", "25.55")),
    ),
    # Anna writes 5 on Gleb, Boris 7 on Vera: −5 by one and −7 by the other: two payments, not three
    "two-payments": Sheet(
        ('adjust Gleb 5 whists Anna "by hand"', 'adjust Vera 7 whists Boris "by hand"'),
        "2 RUB",
        ("5", "7", "-7", "-5"),
        (5, 7, -7, -5),
        ("10.00", "14.00", "-14.00", "-10.00"),
        (("V", "B", "14.00"), ("G", "A", "10.00")),
    ),
    # Anna writes 6 on Gleb, Boris 6 on Vera: all equal, two ways to pay twice: the lower payer to the
    # lower payee
    "two-equal-payments": Sheet(
        ('adjust Gleb 6 whists Anna "by hand"', 'adjust Vera 6 whists Boris "by hand"'),
        "1 RUB",
        ("6", "6", "-6", "-6"),
        (6, 6, -6, -6),
        ("6.00", "6.00", "-6.00", "-6.00"),
        (("V", "A", "6.00"), ("G", "B", "6.00")),
    ),
}


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    texts = {
        name: game_text("Anna", "gambler", {}, sheet.lines, sheet.stake) for name, sheet in SHEETS.items()
    }
    return score_texts(tmp_path_factory.mktemp("sheets"), texts)


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_by_hand(name: str, sheets: Scored) -> None:
    sheet, scored = SHEETS[name], sheets[name]
    assert scored["net"] == list(sheet.net)
    assert scored["rounded"] == list(sheet.rounded)
    assert scored["money"] == list(sheet.money)
    assert [(one["from"], one["to"], one["amount"]) for one in scored["transfers"]] == [
        (PAY[payer], PAY[payee], amount) for payer, payee, amount in sheet.transfers
    ]
    assert (sum(map(Fraction, sheet.net)), sum(sheet.rounded), sum(map(Fraction, sheet.money))) == (0, 0, 0)


RATINGS = {
    "nothing": ["0.00", "0.00", "0.00", "0.00"],
    "one-pool-point": ["0.06", "-0.02", "-0.02", "-0.02"],  # 15/250 = .06, −5/250 = −.02
    "one-gora-point": ["-0.03", "0.01", "0.01", "0.01"],  # −7.5/250 = −.03, 2.5/250 = .01
    "whists-half-a-cent": ["0.03", "-0.03", "0.00", "0.00"],  # ±7/250 = ±.028
    "less-than-a-cent": ["0.00", "0.00", "0.00", "0.00"],  # ±1/250 = ±.004: no "-0.00"
    "thirds": ["0.31", "-0.92", "0.31", "0.31"],  # 230/750 = .3067, −230/250 = −.92
}


@pytest.mark.parametrize("name", RATINGS)
def test_rating_by_hand(name: str, sheets: Scored) -> None:
    assert sheets[name]["rating"] == RATINGS[name]


# ------------------------------------------------------------------ persons

STINTS = (
    # gora 4 8 6 2, mean 5: nets 10 −30 −10 30
    "r 2/4/3/1",
    'seat Boris "Zoya"',
    # pool Vera 4, mean 1: +60 −20 −20 −20; Gleb 3 tricks · 8 = 24 on Vera. Nets −10 −50 26 34
    "Vera 7d wp 7/3",
    'seat Zoya "Boris"',
    'seat Anna "Zoya"',
    # pool Boris 2, mean ½: +30 −10 −10 −10. Nets −20 −20 16 24
    "Boris 6c pp",
    # gora Gleb 4, mean 1: −30 +10 +10 +10. Nets −10 −10 26 −6
    'adjust Gleb 4 gora "late"',
)

PERSONS = [
    ("Anna", 1, "1", "2", "-10"),  # −10 − 0
    ("Zoya", 1, "3", None, "0"),  # −10 − (−10)
    ("Boris", 2, "1", "1", "-30"),  # −30 − 0
    ("Zoya", 2, "2", "2", "-20"),  # −50 − (−30)
    ("Boris", 2, "3", None, "40"),  # −10 − (−50)
    ("Vera", 3, "1", None, "26"),
    ("Gleb", 4, "1", None, "-6"),
]


def persons_of(scored: dict[str, Any]) -> list[tuple[Any, ...]]:
    keys = ("name", "seat", "from_deal", "to_deal", "net")
    return [tuple(person[key] for key in keys) for person in scored["persons"]]


def test_every_stint_has_its_share(tmp_path_factory: pytest.TempPathFactory) -> None:
    before_the_first = ('seat Vera "Mark"', *STINTS[:1])
    texts = {
        "stints": game_text("Anna", "piter", {}, STINTS),
        "early": game_text("Anna", "piter", {}, before_the_first),
    }
    scored = score_texts(tmp_path_factory.mktemp("stints"), texts)
    assert scored["stints"]["net"] == ["-10", "-10", "26", "-6"]
    assert persons_of(scored["stints"]) == PERSONS
    assert sum(Fraction(person[-1]) for person in PERSONS) == 0
    assert scored["stints"]["game"]["players"] == ["Zoya", "Boris", "Vera", "Gleb"]
    assert persons_of(scored["early"])[2:4] == [("Vera", 3, "1", "0", "0"), ("Mark", 3, "1", None, "-10")]


def test_a_stop_awards_nothing_and_a_final_stop_the_finals(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    lines = ('adjust Anna 30 pool "by hand"', 'adjust Boris 4 gora "by hand"')
    texts = {
        stop.replace(" ", "-"): game_text("Anna", "piter", {}, (*lines, stop))
        for stop in ("stop", "stop final")
    }
    scored = score_texts(tmp_path_factory.mktemp("stops"), texts)
    # pool: 20·(30 − 7½) = 450, −150; gora: mean 1, +10 and −30
    assert scored["stop"]["net"] == ["460", "-180", "-140", "-140"]
    assert scored["stop"]["prizes"] == []
    assert scored["stop-final"]["prizes"] == [
        {"semester": None, "kind": "pool", "winners": ["Anna"], "each": "300"},
        {"semester": None, "kind": "gora", "winners": ["Anna", "Vera", "Gleb"], "each": "200/3"},
    ]
    # Anna +3·300 + 200/3; Boris −300 − 200; Vera and Gleb −300 + 200/3
    assert scored["stop-final"]["net"] == ["4280/3", "-680", "-1120/3", "-1120/3"]
    assert {(one["finished"], one["stopped"]) for one in scored.values()} == {(False, True)}


# ------------------------------------------------------------------ functions

ROUNDED: list[tuple[Four, int, Four]] = [
    ((0, 0, 0, 0), 12, (0, 0, 0, 0)),
    ((6, 6, -6, -6), 12, (1, 1, -1, -1)),  # floors 0 0 −1 −1, two missing, all ½: seats 1, 2
    ((-6, -6, 6, 6), 12, (0, 0, 0, 0)),  # floors −1 −1 0 0, two missing, all ½: seats 1, 2
    ((4, 4, 4, -12), 12, (1, 0, 0, -1)),  # ⅓ ⅓ ⅓ −1: one missing to the lowest seat
    ((-4, -4, -4, 12), 12, (0, 0, -1, 1)),  # fractions ⅔ each: two missing
    ((-1, -1, -1, 3), 12, (0, 0, 0, 0)),  # floors −1 −1 −1 0, fractions 11/12 11/12 11/12 3/12
    ((1, 3, 8, -12), 12, (0, 0, 1, -1)),  # fractions 1 3 8 0: the largest
    ((1, 1, -3, 1), 2, (1, 1, -2, 0)),  # ½ ½ −1½ ½: floors 0 0 −2 0, two missing, all ½
    ((-7, 7, 0, 0), 3, (-2, 2, 0, 0)),  # −2⅓ 2⅓: floors −3 2, fractions ⅔ ⅓: seat 1
    ((18, 18, 0, 0), 12, (2, 1, 0, 0)),  # 1½ 1½, a sum of 3: floors 1 1, one missing, both ½: seat 1
]


@pytest.mark.parametrize(("amounts", "parts", "wanted"), ROUNDED)
def test_largest_remainder(amounts: Four, parts: int, wanted: Four) -> None:
    assert largest_remainder(amounts, parts) == wanted


TRANSFERS: list[tuple[Four, tuple[tuple[int, int, int], ...]]] = [
    ((0, 0, 0, 0), ()),
    ((-5, 5, 0, 0), ((0, 1, 5),)),
    ((0, 0, 1, -1), ((3, 2, 1),)),
    ((-3, 8, -5, 0), ((0, 1, 3), (2, 1, 5))),
    ((9, -4, 0, -5), ((1, 0, 4), (3, 0, 5))),
    ((-9, 4, 0, 5), ((0, 1, 4), (0, 3, 5))),
    ((-5, -7, 7, 5), ((0, 3, 5), (1, 2, 7))),  # two exact pairs
    ((-4, 4, -2, 2), ((0, 1, 4), (2, 3, 2))),
    ((-6, -6, 6, 6), ((0, 2, 6), (1, 3, 6))),  # or 0→3, 1→2: a higher payee first
    ((-1, -2, -3, 6), ((0, 3, 1), (1, 3, 2), (2, 3, 3))),
    ((6, -1, -2, -3), ((1, 0, 1), (2, 0, 2), (3, 0, 3))),
    # 0→2 3, 1→2 1, 1→3 4; or 0→3 3, 1→2 4, 1→3 1: its first payee is higher
    ((-3, -5, 4, 4), ((0, 2, 3), (1, 2, 1), (1, 3, 4))),
    # 0→2 6, 0→3 2, 1→3 4; or 0→2 2, 0→3 6, 1→2 4: its first amount is smaller
    ((-8, -4, 6, 6), ((0, 2, 6), (0, 3, 2), (1, 3, 4))),
    # 0→1 7, 2→1 1, 2→3 4; 0→3 4, 0→1 3, 2→1 5: both begin 0→1, the larger amount first
    ((-7, 8, -5, 4), ((0, 1, 7), (2, 1, 1), (2, 3, 4))),
]


@pytest.mark.parametrize(("amounts", "wanted"), TRANSFERS)
def test_transfers(amounts: Four, wanted: tuple[tuple[int, int, int], ...]) -> None:
    assert settlement.transfers(amounts) == wanted


MONEY: list[tuple[Four, str, Four]] = [
    ((12, -12, 0, 0), "1 RUB", (100, -100, 0, 0)),
    ((4, 4, 4, -12), "1 RUB", (34, 33, 33, -100)),  # 33⅓ three times
    ((4, 4, 4, -12), "0.03 RUB", (1, 1, 1, -3)),  # ⅓ · 3 cents
    ((4, 4, 4, -12), "0.01 RUB", (1, 0, 0, -1)),  # ⅓ of a cent three times
    ((-4, -4, -4, 12), "0.01 RUB", (0, 0, -1, 1)),  # −⅓: floors −1 −1 −1 1, two missing
    ((6, -6, 0, 0), "33.3 RUB", (1665, -1665, 0, 0)),  # ½ · 3330
    ((-6, 6, 0, 0), "0.01 RUB", (0, 0, 0, 0)),  # floors −1 0, both ½: seat 1
    ((12_000_000, -12_000_000, 0, 0), "9999999 RUB", (99_999_990_000_000_0, -99_999_990_000_000_0, 0, 0)),
]


@pytest.mark.parametrize(("nets", "stake", "wanted"), MONEY)
def test_money(nets: Four, stake: str, wanted: Four) -> None:
    assert settlement.money(nets, parse_stake(stake)) == wanted


def test_rating_rounds_halves_away_from_zero() -> None:
    # 1¼ / 250 = .005; 3¾ / 250 = .015; 2278 / 250 = 9.112
    assert settlement.rating((15, -15, 45, -45)) == ("0.01", "-0.01", "0.02", "-0.02")
    assert settlement.rating((14, -14, 2278 * 12, -2278 * 12)) == ("0.00", "0.00", "9.11", "-9.11")


@pytest.mark.parametrize(
    ("hundredths", "text"),
    [(0, "0.00"), (-1, "-0.01"), (5, "0.05"), (-117834, "-1178.34"), (100, "1.00"), (-50, "-0.50")],
)
def test_decimals(hundredths: int, text: str) -> None:
    assert decimal(hundredths) == text


RATIONALS = """
0=0  12=1  -12=-1  3000=250  -6=-1/2  18=3/2  800=200/3  -16120=-4030/3  3=1/4  -9=-3/4
2=1/6  -2=-1/6  10=5/6  8=2/3  -8=-2/3  7=7/12  -1=-1/12
"""


@pytest.mark.parametrize("pair", RATIONALS.split())
def test_rationals(pair: str) -> None:
    twelfths, text = pair.split("=")
    assert rational(int(twelfths)) == text
    assert Fraction(text) == Fraction(int(twelfths), 12)


def test_the_names_are_those_of_the_sheets() -> None:
    assert tuple(PAY.values()) == PLAYERS
