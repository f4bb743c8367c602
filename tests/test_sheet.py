"""The four-sided sheet: what stands on it, and that everything fits where it stands."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from random_games import Mix, play

from skachki_ledger import closing, flow, gamefile, geometry, paper, sheet
from skachki_ledger.geometry import (
    ASCENT,
    BOTTOM_OF_SQUARE,
    CENTRE,
    CIRCLE,
    DESCENT,
    GORA,
    HALF,
    HEIGHT,
    POOL,
    SIZE_MIN,
    WHISTS,
    WIDTH,
    Box,
    Item,
    Text,
    Turned,
)
from skachki_ledger.intake import admit
from skachki_ledger.model import SEATS
from skachki_ledger.render import chart
from skachki_ledger.settlement import rational
from skachki_ledger.sheet import Figure, Strip
from skachki_ledger.standing import Standing, standing

ROOT = Path(__file__).parent.parent
NIGHTS = [*sorted((ROOT / "examples").glob("*.skachki")), ROOT / "tests" / "golden" / "worst.skachki"]
HEAD = "0123456789abcdef" * 4


def scored(text: str) -> Standing:
    history = admit(gamefile.read(text)).history
    assert history is not None
    return standing(history)


def night(path: Path) -> Standing:
    return scored(path.read_text(encoding="utf-8"))


SHORT = """\
[Players "Anna, Boris, Vera, Gleb"]
[Rule "target = 4"]
[Rule "semesters = 2"]

"""


def running(now: Standing, semester: int = 1) -> list[list[str]]:
    """Gora, pool, whists left, opposite, right of each seat, as the text has them."""
    page = sheet.pages(now, semester)[0]
    return [[sheet.running(strip) for strip in (side.gora, side.pool, *side.whists)] for side in page.sides]


# ------------------------------------------------------------------ what stands there


def test_running_totals_stand_as_on_paper() -> None:
    now = scored(SHORT + "r 2/4/3/1\nGleb m 0 @g\nAnna m 1\nr 0/4/4/2 Anna@g\n")
    assert running(now)[0] == ["4.24.20.", "", "", "", ""]
    assert running(now)[1] == ["8.16.", "", "", "", ""]
    assert running(now)[2] == ["6.14.", "", "", "", ""]
    assert running(now)[3] == ["2.−18.−14.", "", "", "", ""]


def test_one_figure_a_deal_and_cell() -> None:
    """A set contract writes tricks and consolation; on paper their sum is added at once."""
    now = scored(SHORT + "r 2/4/3/1\nVera 7d wp 6/4\n")
    written = [entry for entry in now.history.steps[1].entries if entry.seat == 3 and entry.on == 2]
    assert len(written) > 1
    total = sum(entry.amount for entry in written)
    assert running(now)[3][4] == f"{sheet.number(total)}."


def test_prizes_stand_apart_and_whists_are_carried_over() -> None:
    now = scored(SHORT + "r 2/4/3/1\nVera 7d wp 7/3\nr 1/2/3/4\n")
    assert running(now, 1)[2] == ["6.", "4.", "*300*.", "*300*.", "*300*."]
    assert running(now, 1)[3] == ["2.", "", "*200*.", "*200*.", "24.*224*."]
    assert running(now, 2)[3] == ["8.", "", "(200).", "(200).", "(224)."]
    assert running(now, 2)[2] == ["6.", "", "(300).", "(300).", "(300)."]


def test_who_deals_is_marked_and_on_a_full_page_who_dealt_first() -> None:
    now = scored(SHORT + "r 2/4/3/1\nVera 7d wp 7/3\nr 1/2/3/4\n")
    first, second = sheet.pages(now)
    assert [side.mark for side in first.sides] == [sheet.FIRST, "", "", ""]
    assert [side.mark for side in second.sides] == ["", "", sheet.NEXT, ""]


def test_a_newcomer_stands_after_whom_he_replaced() -> None:
    now = scored(SHORT + 'r 2/4/3/1\nseat Boris "Dasha"\nVera 7d wp 7/3\nr 1/2/3/4\n')
    first, second = sheet.pages(now)
    assert (first.sides[1].names, second.sides[1].names) == (("Boris", "Dasha"), ("Dasha",))


def test_an_empty_semester_has_a_page_only_where_it_is_asked_for() -> None:
    now = scored(SHORT + "r 2/4/3/1\nVera 7d wp 7/3\n")
    assert now.history.state.semester == 2
    assert [page.semester for page in sheet.pages(now)] == [1]
    assert [page.semester for page in sheet.pages(now, 2)] == [2]
    assert [page.semester for page in sheet.pages(scored(SHORT))] == [1]


@pytest.mark.parametrize("path", NIGHTS, ids=lambda path: path.stem)
def test_the_last_figures_are_the_standing(path: Path) -> None:
    now = night(path)
    for page in sheet.pages(now):
        place = page.semester - 1
        for side in page.sides:
            last = [strip.figures[-1].text if strip.figures else "0" for strip in (side.gora, side.pool)]
            points = (now.gora[place][side.seat], now.pool[place][side.seat])
            assert last == [str(value).replace("-", "−") for value in points]
    for side in sheet.pages(now)[-1].sides:
        for strip in side.whists:
            assert strip.on is not None
            total = sheet.number(now.whists[side.seat][strip.on])
            assert (strip.figures[-1].text if strip.figures else "0") == total


def test_fractions_are_exact() -> None:
    values = {f: rational(f) for f in (1, 4, 6, 8, 10, 13, -16)}
    shown = [sheet.number(value) for value in values]
    assert shown == ["¹/₁₂", "⅓", "½", "⅔", "⅚", "1¹/₁₂", "−1⅓"]


# ------------------------------------------------------------------ where it stands


def flat(items: list[Item] | tuple[Item, ...], degrees: int = 0) -> Iterator[tuple[int, Item]]:
    for item in items:
        if isinstance(item, Turned):
            yield from flat(item.items, item.degrees)
        else:
            yield degrees, item


def edges(box: Box, y: float) -> tuple[float, float]:
    share = (y - box.top) / (box.bottom - box.top)
    return box.left + (box.left2 - box.left) * share, box.right + (box.right2 - box.right) * share


def holds(box: Box, left: float, top: float, right: float, bottom: float) -> bool:
    """Tell whether a rectangle lies inside a box without touching a line of it."""
    if not (box.top < top and bottom < box.bottom):
        return False
    return all(edges(box, y)[0] < left and right < edges(box, y)[1] for y in (top, bottom))


def rectangle(text: Text) -> tuple[float, float, float, float]:
    x, y = text.x - CENTRE[0], text.y - CENTRE[1]
    return x, y - ASCENT * text.size, x + text.width, y + DESCENT * text.size


def place_of(rect: tuple[float, float, float, float]) -> str:
    """Where on a side a rectangle lies; fails where it crosses a line."""
    left, top, right, _bottom = rect
    boxes = dict(zip(("gora", "pool", "left", "opposite", "right"), (GORA, POOL, *WHISTS), strict=True))
    found = [name for name, box in boxes.items() if holds(box, *rect)]
    if left >= -HALF and right <= HALF and top > HALF:
        found.append("name")
    assert len(found) == 1, (rect, found)
    return found[0]


def check_page(items: list[Item]) -> None:
    """Every text inside its box, not under SIZE_MIN, on the paper; none on another of its box."""
    for degrees, item in flat(items):
        if not isinstance(item, Text):
            continue
        assert item.size >= SIZE_MIN
        assert item.width == pytest.approx(geometry.text_width(item.text, item.size))
        if degrees or abs(item.y - CENTRE[1]) < HALF + 20:
            corners = [math.hypot(x, y) for x in rectangle(item)[::2] for y in rectangle(item)[1::2]]
            if degrees == 0 and max(corners) < CIRCLE:
                continue
            place_of(rectangle(item))
        else:
            assert item.x > 0
            assert item.x + item.width < WIDTH
            assert 0 < item.y < HEIGHT - 15
            top, base = item.y - ASCENT * item.size, item.y + DESCENT * item.size
            assert base < CENTRE[1] - HALF - 14 or top > BOTTOM_OF_SQUARE + 14
    texts = [
        (degrees, *rectangle(item))
        for degrees, item in flat(items)
        if isinstance(item, Text) and item.text.strip()
    ]
    for at, (turn, left, top, right, bottom) in enumerate(texts):
        for other, left2, top2, right2, bottom2 in texts[at + 1 :]:
            if turn != other:
                continue
            apart = right <= left2 + 0.01 or right2 <= left + 0.01 or bottom <= top2 or bottom2 <= top
            assert apart, (left, top, right, bottom, left2, top2, right2, bottom2)


def pages_of(now: Standing) -> list[list[Item]]:
    return paper.semesters(now, sheet.pages(now), HEAD)


@pytest.mark.parametrize("path", NIGHTS, ids=lambda path: path.stem)
def test_nothing_crosses_a_line_on_the_nights_there_are(path: Path) -> None:
    for items in pages_of(night(path)):
        check_page(items)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_crosses_a_line_on_any_night(seed: int) -> None:
    rng = random.Random(seed)
    switches = {"target": str(rng.choice((4, 22, 60, 400)))}
    game = play(rng, rng.choice(("piter", "gambler")), switches, Mix(events=250), deals_max=200)
    for items in pages_of(scored(game.text())):
        check_page(items)


def test_a_semester_without_end_loses_its_oldest_figures_only() -> None:
    """400 deals in one semester: the size stays readable, the last figure stands."""
    rng = random.Random(5)
    game = play(rng, "piter", {"target": "1000"}, Mix(events=0), deals_max=900)
    now = scored(game.text())
    page = sheet.pages(now, 1)[0]
    items = pages_of(now)[0]
    check_page(items)
    texts = "".join(item.text for _degrees, item in flat(items) if isinstance(item, Text))
    assert "…" in texts
    for side in page.sides:
        assert f"{side.gora.figures[-1].text}." in texts


def test_figures_shrink_before_they_give_way() -> None:
    few, many = (Strip(None, tuple(Figure(str(n)) for n in range(100, count))) for count in (110, 160))
    assert geometry.size_for([(POOL, few)]) == geometry.FIGURES_MAX
    assert SIZE_MIN < geometry.size_for([(POOL, many)]) < geometry.FIGURES_MAX


def test_the_longest_real_night_stays_legible() -> None:
    """Figures of the worst case are set in 8 points at least."""
    for items in pages_of(night(NIGHTS[-1])):
        figures = [
            item for _, item in flat(items) if isinstance(item, Text) and item.style in ("ink", "prize")
        ]
        assert min(figure.size for figure in figures if "●" not in figure.text) >= 8


# ------------------------------------------------------------------ pages that flow


@pytest.mark.parametrize("path", NIGHTS, ids=lambda path: path.stem)
def test_the_closing_page_keeps_inside_its_margins(path: Path) -> None:
    for items in paper.final(night(path), HEAD):
        for _degrees, item in flat(items):
            if isinstance(item, Text):
                assert item.size >= SIZE_MIN
                assert item.x > geometry.MARGIN - 1
                assert item.x + item.width < WIDTH - geometry.MARGIN + 1
                assert flow.TOP - 1 < item.y < flow.BOTTOM + 1


def test_long_words_are_broken_and_cells_are_wrapped() -> None:
    assert geometry.wrapped("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert geometry.wrapped("", 10) == [""]
    assert geometry.wrapped("語" * 6, 4) == ["語語"] * 3


def test_money_is_written_as_people_write_it() -> None:
    now = night(ROOT / "examples" / "friday-night.skachki")
    assert now.transfers is not None
    assert closing.payment(now.transfers[0], now) == "Даша → Анна 987.50\u00a0₽"


def test_the_chart_has_a_point_a_deal_and_an_end_a_semester() -> None:
    now = night(ROOT / "examples" / "friday-night.skachki")
    values, labels = chart.nets(now.history)
    assert len(values) == len(labels) == now.history.state.deals + 1
    assert values[-1] == now.rounded
    assert all(sum(row) == 0 for row in values)
    ends = chart.ends(now.history)
    assert [end.label for end in ends] == ["I", "II", "III", "IV"]
    assert [len(end.won) for end in ends] == [2, 2, 2, 4]
    assert {seat for end in ends for seat, _kind in end.won} <= set(SEATS)
