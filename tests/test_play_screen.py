"""The screen as text: everything in its place at every size; the words that fit; the preview."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import LATIN

import skachki_ledger.play
from skachki_ledger import canon, gamefile, i18n, settlement
from skachki_ledger.derive import History
from skachki_ledger.header import Header
from skachki_ledger.intake import admit
from skachki_ledger.play import complete, preview, prompt, screen, text
from skachki_ledger.play.prompt import Below, Message
from skachki_ledger.render.lines import width
from skachki_ledger.reports import roman
from skachki_ledger.rules import PRESETS
from skachki_ledger.state import State, start

ROOT = Path(__file__).parent.parent
NIGHT = (ROOT / "examples" / "friday-night.skachki").read_text(encoding="utf-8")
HEAD = Header(LATIN, 0, PRESETS["piter@1"])
SIZES = [(40, 20), (60, 24), (80, 24), (84, 24), (100, 30), (132, 43), (200, 60)]


def night(deals: int) -> History:
    history = admit(gamefile.read(NIGHT)).history
    assert history is not None
    count = next((at for at, taken in enumerate(history.steps) if taken.after.deals > deals), None)
    return history._replace(steps=history.steps[:count])


def rows_of(history: History, columns: int, rows: int) -> list[str]:
    board = screen.board(history, canon.shown(signs=False), columns, rows)
    return ["".join(part for _style, part in line) for line in board]


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.use(request.param)
    yield request.param
    i18n.use("en")


# ------------------------------------------------------------------ the board


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("deals", [0, 1, 5, 18, 20, 35, 61, 73])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_everything_is_on_the_board(size: tuple[int, int], deals: int) -> None:
    columns, height = size
    history = night(deals)
    state = history.state
    rows = rows_of(history, columns, height - 1 - 4)
    assert all(width(row) <= columns for row in rows)
    assert len(rows) <= height - 5
    everything = "\n".join(rows)
    assert "…" not in everything or deals
    nets = settlement.rounded(settlement.net(state))
    for seat, found in enumerate(screen.balances(state)):
        row = next(row for row in rows if f"{seat + 1} {state.players[seat]}" in row)
        assert (f"{nets[seat]:+}" if nets[seat] else "0") in row
        below = rows[rows.index(row) + 1]
        assert str(state.pool[seat]) in below
        assert str(state.gora[seat]) in below
        assert settlement.rational(found.whists) in rows[rows.index(row) + 2]
    if not state.over:
        assert roman(state.semester) in rows[0]
        assert str(state.price) in "".join(rows[:4])
        assert str(state.rules.target) in "".join(rows[:5])
    shown = [taken for taken in history.steps if taken.label][-3:]
    for taken in shown:
        line = canon.line(taken.event, taken.players, canon.shown(signs=False))
        assert f"{taken.label}. {line}"[: columns // 3] in everything


@pytest.mark.usefixtures("language")
def test_seats_stand_as_they_sit() -> None:
    rows = rows_of(night(20), 40, 15)
    top = next(row for row in rows if "1 Анна" in row)
    bottom = next(row for row in rows if "4 Глеб" in row)
    assert top.index("1 Анна") < top.index("2 Борис")
    assert bottom.index("4 Глеб") < bottom.index("3 Вера")
    assert rows.index(top) < rows.index(bottom)


def test_the_dealer_is_marked_without_colours() -> None:
    assert any("4 Глеб dealer" in row for row in rows_of(night(20), 40, 15))
    long = night(0)
    names = ("Анна-Мария Константиновна", "Борис", "Вера", "Глеб")
    long = long._replace(start=long.start._replace(players=names))
    assert any("* " in row or "dealer" in row for row in rows_of(long, 40, 15))


def test_prizes_as_they_would_be_now() -> None:
    rows = rows_of(night(35), 100, 20)
    assert any("prizes now: pool Вера" in row and "at the end: pool" in row for row in rows)
    assert any("prizes now: pool – · gora –" in row for row in rows_of(night(0), 40, 15))


def test_no_colours_are_left_where_none_are_wanted() -> None:
    assert all("fg:" not in look and "bg:" not in look for look in text.PLAIN.values())
    used = {style for line in screen.board(night(35), canon.shown(True), 100, 25) for style, _t in line}
    assert used - {""} <= set(text.STYLES)


def test_letters_for_suits() -> None:
    rows = rows_of(night(16), 100, 25)
    assert any("7c" in row for row in rows)
    assert not any(sign in row for row in rows for sign in "♠♣♦♥")


def test_wide_names_do_not_break_the_columns() -> None:
    history = night(0)
    history = history._replace(start=history.start._replace(players=("安娜", "Борис", "Вера", "Глеб" * 8)))
    for columns, height in SIZES:
        assert all(width(row) <= columns for row in rows_of(history, columns, height - 5))


# ------------------------------------------------------------------ the words that fit


def at(**changes: object) -> State:
    state = start(PRESETS["piter@1"], LATIN, 0)._replace(due=0, is_open=False, deals=3, semester_deals=3)
    return state._replace(**changes)  # type: ignore[arg-type]


def words(line: str, state: State | None = None) -> list[str]:
    return [one.text for one in complete.suggest(line, state or at())[1]]


def test_seats_and_contracts_that_are_legal_now() -> None:
    assert words("") == ["Boris", "Vera", "Gleb", "r"]  # Anna deals
    assert words("", at(due=1)) == ["r"]
    assert words("B") == ["Boris"]
    assert words("f") == ["fine"]
    assert words("", at(over="finished")) == ["agree", "note"]
    assert words("Boris ") == ["6", "7", "8", "9", "10", "m"]
    assert words("Boris ", at(is_open=True)) == ["7", "8", "9", "10", "m"]
    assert words("Anna ") == []
    assert words("Boris 9d") == ["9d", "9d/m"]
    assert words("Boris 10") == ["10s", "10c", "10d", "10h", "10n"]


def test_calls_tricks_and_wishes() -> None:
    assert words("Boris 7d ") == ["ww", "wp", "wh", "pw", "pp", "ph"]
    assert words("Boris 8d p") == ["pw", "pp"]
    assert words("Boris 6s ") == ["ww"]
    assert words("Boris 7d wp ")[:2] == ["7/3", "8/2"]
    assert words("Boris 7d ww 7/") == ["7/0/3", "7/1/2", "7/2/1", "7/3/0"]
    assert words("Boris 8d pp ") == ["@g"]
    assert words("Boris 7d pp ") == []
    assert words("Boris m 0 ") == ["@g"]
    assert words("r ", at(due=1)) == ["0/", "1/", "2/"]
    assert words("r 2/4/3/") == ["2/4/3/1"]
    assert words("r 0/4/0/") == ["0/4/0/6"]
    assert words("r 0/4/0/6 ") == ["Anna@g", "Vera@g"]
    assert words("r 0/4/0/6 Anna@g ") == ["Vera@g"]
    assert words("fine Gleb 4 ") == ["gora", "whists"]
    assert words('note "half') == []


def test_russian_words_and_latin_ones_begun() -> None:
    i18n.use("ru")
    try:
        assert words("Boris 7") == ["7п", "7т", "7б", "7ч", "7бк"]
        assert words("Boris 7d") == ["7d"]
        assert words("Boris 8п пп ") == ["г"]
        assert words("Boris 7б ")[:2] == ["вв", "вп"]
    finally:
        i18n.use("en")


def test_everything_suggested_may_follow() -> None:
    """Each whole line made of first suggestions, and of last ones, can be recorded."""
    for pick in (0, -1):
        for state in (at(), at(due=2), at(is_open=True), at(dealer=2, turn=2)):
            line = ""
            for _word in range(12):
                begun, found = complete.suggest(line, state)
                if not found or (found[0].text == line[len(line) - begun :] and begun):
                    break
                word = found[pick]
                line = line[: len(line) - begun] + word.text + (" " if word.ends else "")
            assert preview.judge(line, History(HEAD, state, ()), canon.CANONICAL).kind == "ready", line


def test_the_names_whose_turn_it_is() -> None:
    assert complete.hint("Boris 7d ", at()) == ("Vera", "Gleb")
    assert complete.hint("Vera 7d ww ", at()) == ("Vera", "Gleb", "Boris")
    assert complete.hint("r ", at()) == LATIN


# ------------------------------------------------------------------ the preview


@pytest.mark.parametrize(
    ("line", "kind", "column", "said"),
    [
        ("", "empty", 0, ""),
        ("Boris 7d wp 7/3", "ready", 0, "4. Boris 7d wp 7/3"),
        ("2 7d wp 7", "ready", 0, "Boris: pool +4"),
        ("Boris 7d", "unfinished", 8, "a word is missing"),
        ("Boris 7d wp", "unfinished", 11, "tricks are missing"),
        ("Zoya 7d wp 7/3", "wrong", 0, "none of the players"),
        ("Anna 7d", "wrong", 0, "Anna deals"),
        ("Boris 7d wp 7/4", "wrong", 12, "1 too many"),
        ("Boris 6s wp", "wrong", 9, "six spades"),
        ("Boris 7d wp 7/3 @g", "wrong", 16, "nothing to choose"),
        ("  Boris 7x wp", "wrong", 8, "no contract"),
        ("fine Gleb 4 gora “card”", "ready", 0, "card"),
        ('note "open', "unfinished", 10, "a quote is not closed"),
        ("Ищкшы 7в цз 7.3", "ready", 0, "other keyboard layout"),
    ],
)
def test_what_a_line_would_do(line: str, kind: str, column: int, said: str) -> None:
    found = preview.judge(line, History(HEAD, at(), ()), canon.CANONICAL)
    assert (found.kind, found.column) == (kind, column)
    assert said in "\n".join(found.lines)


def test_an_open_all_pass_refuses_a_six_at_once() -> None:
    found = preview.judge("Boris 6d", History(HEAD, at(is_open=True, open_since="3"), ()), canon.CANONICAL)
    assert found.kind == "wrong"
    assert "the lowest contract is 7" in found.lines[0]


def test_a_preview_fits_below_the_prompt() -> None:
    for line in ("Boris 7d ww 3/4/3", "Boris 7d", "Boris 6s wp", "r 0/5/5/0 irregular x"):
        found = preview.judge(line, History(HEAD, at(reached=(1,)), ()), canon.CANONICAL)
        for columns, rows in ((40, 4), (40, 5), (100, 9)):
            view = Below(Message("recorded: something rather long that has to be wrapped"), found)
            lines = prompt.below(view, columns, rows)
            assert len(lines) <= rows
            assert all(text.columns_of(one) <= columns for one in lines)
            if found.kind == "ready":
                assert any("Enter records" in part for one in lines for _style, part in one)


def test_brief_adds_cells_up() -> None:
    found = preview.judge("Boris 7d ww 5/3/2", History(HEAD, at(), ()), canon.CANONICAL)
    assert found.brief.startswith("Boris gora +16 · Vera→Boris +80 · Gleb→Boris +64 · Anna→Boris +32")


def test_suggestions_go_round() -> None:
    assert [prompt.cycled(-1, 3, 1), prompt.cycled(2, 3, 1), prompt.cycled(-1, 3, -1)] == [0, 0, 2]
    assert prompt.cycled(-1, 0, 1) == -1


# ------------------------------------------------------------------ the parts that touch nothing

PURE = ("guided", "complete", "preview", "prompt", "screen", "text")
WORLD = {"os", "sys", "io", "time", "sqlite3", "asyncio", "prompt_toolkit", "store", "ledger", "typer"}


@pytest.mark.parametrize("module", PURE)
def test_pure_parts_import_nothing_of_the_world(module: str) -> None:
    path = Path(skachki_ledger.play.__file__).with_name(f"{module}.py")
    named = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            named |= {(node.module or "").partition(".")[0], *(alias.name for alias in node.names)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "open", "input")
    assert named & WORLD == set()
