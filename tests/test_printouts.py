"""Printouts as the command writes them: goldens, what is escaped, PDF by its text and by its pixels.

With SNAPSHOT_UPDATE=1 in the environment what is printed is written into tests/golden; read the diff.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Skachki
from test_sheet import HEAD, flat, night, place_of, scored

from skachki_ledger import canon, closing, flow, gamefile, geometry, journal, journalfile, paper, sheet
from skachki_ledger.geometry import Circle, Item, Line, Sheet, Text, Turned
from skachki_ledger.geometry import Path as Drawn
from skachki_ledger.intake import admit
from skachki_ledger.journal import Draft
from skachki_ledger.render import html, pdf, svg

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests" / "golden"
WORST = GOLDEN / "worst.skachki"
AT, BY = "2026-11-28T02:15:00Z", "anna"
CORRECTIONS = {
    "worst": (
        Draft("insert 13: r 4/3/2/1", "insert", "a deal was forgotten"),
        Draft('insert 40: fine 2 10250 whists all "shown a card"', "insert", "agreed at the table"),
        Draft("amend 21: 2 7d pp", "amend", "wrongly written"),
        Draft("void 22", "void", "written twice"),
    ),
    "friday-night": (
        Draft("amend 24: 4 7h wp 8/2", "amend", "eight tricks, <b>not</b> seven & a half"),
        Draft('note "so be it"', "note"),
        Draft("undo", "undo"),
    ),
}
"""What was corrected after the night, so that the protocol has something to strike through."""

needs_poppler = pytest.mark.skipif(
    shutil.which("pdftotext") is None, reason="poppler-utils reads PDF; .ci/run installs it"
)


@cache
def export_of(path: Path, corrected: bool = False) -> str:
    """A journal export of a game file, always the same: ids, moments and hashes are given."""
    history = admit(gamefile.read(path.read_text(encoding="utf-8"))).history
    assert history is not None
    drafts = [journal.draft_opening(history.header)]
    drafts += [journal.draft_step(step, canon.line(step.event, step.players)) for step in history.steps]
    drafts += CORRECTIONS[path.stem] if corrected or path == WORST else ()
    game_id = (re.sub("[^2-9a-hjkmnp-z]", "", path.stem) + "22222222")[:8]
    return journalfile.write(journal.chained(game_id, [], drafts, AT, BY))


LEDGERS: dict[Path, bytes] = {}


def keep(skachki: Skachki, folder: Path, path: Path) -> None:
    """Make a ledger that holds a night; imported once, then copied."""
    if path in LEDGERS:
        (folder / "l.db").write_bytes(LEDGERS[path])
        return
    export = folder / f"{path.stem}.jsonl"
    export.write_text(export_of(path), encoding="utf-8")
    done = skachki("import", export, "--db", "l.db")
    assert done.returncode == 0, done.stderr
    LEDGERS[path] = (folder / "l.db").read_bytes()


def printed(skachki: Skachki, *words: str, env: dict[str, str] | None = None) -> str:
    done = skachki(*words, "--db", "l.db", env=env)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def same_as_golden(name: str, now: str) -> None:
    path = GOLDEN / name
    if os.environ.get("SNAPSHOT_UPDATE"):
        path.write_text(now, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == now


# ------------------------------------------------------------------ goldens

FRIDAY = ROOT / "examples" / "friday-night.skachki"
GOLDENS = [
    ("sheet.svg", FRIDAY, ("sheet", "--format", "svg")),
    ("sheet.html", FRIDAY, ("sheet", "--format", "html")),
    ("sheet.txt", FRIDAY, ("sheet",)),
    ("settle.html", FRIDAY, ("settle", "--format", "html")),
    ("settle.html", ROOT / "examples" / "gambler-night.skachki", ("settle", "--format", "html")),
    ("settle.html", ROOT / "examples" / "horse-racing-night.skachki", ("settle", "--format", "html")),
    ("sheet.html", ROOT / "examples" / "stopped-early.skachki", ("sheet", "--format", "html")),
    ("sheet.html", ROOT / "examples" / "substitution.skachki", ("sheet", "--format", "html")),
    ("sheet.svg", WORST, ("sheet", "--format", "svg")),
    ("settle.html", WORST, ("settle", "--format", "html")),
]


@pytest.mark.parametrize(("name", "path", "words"), GOLDENS, ids=[f"{g[1].stem}-{g[0]}" for g in GOLDENS])
def test_golden(name: str, path: Path, words: tuple[str, ...], skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, path)
    same_as_golden(f"{path.stem}.{name}", printed(skachki, *words))


def test_golden_protocol_and_chart(skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, FRIDAY)
    assert printed(skachki, "chart", "-o", "night.svg") == ""
    same_as_golden("friday-night.chart.svg", (tmp_path / "night.svg").read_text(encoding="utf-8"))
    game = journal.game("f", journalfile.read(export_of(FRIDAY, corrected=True)))
    shown = canon.shown(signs=True)
    told = closing.protocol(game, shown)
    page = html.protocol(game.history, told, closing.corrections(game, shown))
    same_as_golden("friday-night.log.html", page)
    struck = re.findall(r"<s>(.*?)</s>", page)
    assert struck == ["24. Глеб 7♥ wp 7/3", "note &quot;so be it&quot;"]
    assert "eight tricks, &lt;b&gt;not&lt;/b&gt; seven &amp; a half" in page


def test_the_worst_case_is_one(skachki: Skachki, tmp_path: Path) -> None:
    now = night(WORST)
    assert len(now.history.header.players[0]) == 40
    assert now.history.state.deals >= 250
    assert now.history.state.semester == 7
    assert max(max(row) for row in now.whists) > 12 * 10_000
    keep(skachki, tmp_path, WORST)
    assert "12a" in {
        step.label for step in journal.game("w", journalfile.read(export_of(WORST))).history.steps
    }


# ------------------------------------------------------------------ the command


def test_text_goes_to_stdout_and_a_file_is_never_overwritten(skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, FRIDAY)
    text = printed(skachki, "sheet")
    assert text.startswith("Пятница на даче · 2026-11-27\n")
    assert printed(skachki, "sheet", "-o", "s.txt") == ""
    assert (tmp_path / "s.txt").read_text(encoding="utf-8") == text
    again = skachki("sheet", "-o", "s.txt", "--db", "l.db")
    assert (again.returncode, "E324" in again.stderr) == (1, True)
    assert printed(skachki, "settle", "-o", "settle.txt") == ""
    assert (tmp_path / "settle.txt").read_text(encoding="utf-8") == printed(skachki, "settle")


def test_one_semester_and_an_earlier_moment(skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, FRIDAY)
    second = printed(skachki, "sheet", "--semester", "2")
    assert "Semester II" in second
    assert "Semester III" not in second
    one = printed(skachki, "sheet", "--format", "svg", "--semester", "2")
    whole = printed(skachki, "sheet", "--format", "svg")
    heights = [ElementTree.fromstring(text).attrib["viewBox"].split()[3] for text in (one, whole)]
    assert float(heights[1]) == pytest.approx(float(heights[0]) * 5, abs=0.1)
    assert "Settlement" not in one
    assert "Settlement" in whole
    early = printed(skachki, "sheet", "--after", "3")
    assert "Semester I · deals 1–3" in early
    assert "Semester II" not in early


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("sheet", "--format", "pdf"), 2, "--format pdf needs -o FILE"),
        (("sheet", "--format", "png"), 2, "--format png needs -o FILE"),
        (("settle", "--format", "pdf"), 2, "--format pdf needs -o FILE"),
        (("chart",), 2, "chart needs -o FILE"),
        (("sheet", "--format", "doc"), 1, "E404"),
        (("settle", "--format", "svg"), 1, "E404"),
        (("sheet", "--semester", "9"), 1, "E419"),
        (("sheet", "--semester", "x"), 1, "E419"),
        (("sheet", "--after", "99"), 1, "E401"),
        (("sheet", "--format", "svg", "-o", "no/such/folder.svg"), 1, "E329"),
    ],
)
def test_refusals(words: tuple[str, ...], code: int, said: str, skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, ROOT / "examples" / "stopped-early.skachki")
    done = skachki(*words, "--db", "l.db")
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_without_typst_one_sentence_says_what_to_do(skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, FRIDAY)
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "typst.py").write_text("raise ImportError")
    env = {"PYTHONPATH": str(tmp_path / "without")}
    done = skachki("sheet", "--format", "pdf", "-o", "s.pdf", "--db", "l.db", env=env)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "skachki-ledger[pdf]" in done.stderr
    assert "HTML" in done.stderr
    assert not (tmp_path / "s.pdf").exists()


def test_same_input_same_bytes(skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, FRIDAY)
    for layout in ("svg", "html", "pdf", "png"):
        for seed in ("1", "2"):
            env = {"PYTHONHASHSEED": seed, "TZ": f"UTC{seed}"}
            printed(skachki, "sheet", "--format", layout, "-o", f"{seed}.{layout}", env=env)
        assert (tmp_path / f"1.{layout}").read_bytes() == (tmp_path / f"2.{layout}").read_bytes()


def test_in_russian(skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, FRIDAY)
    page = printed(skachki, "settle", "--format", "html", "--lang", "ru")
    assert '<html lang="ru">' in page
    assert "Даша → Анна 987,50\u00a0₽" in page
    assert "гора" in printed(skachki, "sheet", "--lang", "ru")


def test_an_early_stop_is_said_plainly(skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, ROOT / "examples" / "stopped-early.skachki")
    page = printed(skachki, "settle", "--format", "html")
    assert "stopped: neither the unfinished semester&#39;s prizes nor the final ones are awarded" in page
    assert "no open problems" in page
    keep(skachki, tmp_path, FRIDAY)
    assert "deal 42: Глеб dealt, by the rotation it was Вера&#39;s turn" in printed(
        skachki, "settle", "--format", "html"
    )


# ------------------------------------------------------------------ names are data

NASTY = ("<b>&'", "#evil[x]", "שרה לוי", "Zoë 😀👩‍👩‍👧")
NASTY_NIGHT = (
    '[Game "</title><script>alert(1)</script> ]]>"]\n[Players "'
    + ", ".join(NASTY)
    + '"]\n[Stake "1 RUB"]\n\n'
    "r 2/4/3/1\n"
    '3 7d wp 7/3\nnote "</style><img src=x onerror=y> ${7*7} {{x}} `$` *a* \\\\"\n'
    "fine 1 20 whists all \"<!-- & 'quoted' -->\"\n"
)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.attributes: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag != "meta":
            self.open.append(tag)
        self.attributes |= {name for name, _value in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture
def nasty(skachki: Skachki, tmp_path: Path) -> Path:
    path = tmp_path / "nasty.skachki"
    path.write_text(NASTY_NIGHT, encoding="utf-8")
    done = skachki("import", path, "--db", "l.db")
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_names_are_never_markup(nasty: Path, skachki: Skachki) -> None:
    game = journal.game("n", journalfile.read(printed(skachki, "export", "--format", "journal")))
    told = closing.protocol(game, canon.CANONICAL)
    documents = [
        printed(skachki, "sheet", "--format", "html"),
        printed(skachki, "settle", "--format", "html"),
        html.protocol(game.history, told, closing.corrections(game, canon.CANONICAL)),
    ]
    for document in documents:
        read = Tags()
        read.feed(document)
        assert read.open == []
        assert not read.tags & {"b", "script", "img", "link", "iframe", "i"}
        assert not read.attributes & {"onerror", "src", "href"}
        assert "url(" not in document
        assert "@import" not in document
        assert set(re.findall(r"https?://[^\"\s]*", document)) <= {"http://www.w3.org/2000/svg"}
        words = "\u2068".join(read.text)
        for name in NASTY:
            assert name in words
    for layout in (("sheet", "--format", "svg"), ("chart", "-o", "chart.svg")):
        text = printed(skachki, *layout) or (nasty / "chart.svg").read_text(encoding="utf-8")
        drawing = ElementTree.fromstring(text.encode())
        tags = {element.tag.rpartition("}")[2] for element in drawing.iter()}
        assert tags <= {"svg", "title", "rect", "g", "text", "line", "circle", "polyline"}
        drawn = " ".join("".join(element.itertext()) for element in drawing.iter())
        assert "<b>&'" in drawn
        assert "#evil[x]" in drawn


@pytest.mark.usefixtures("nasty")
def test_a_name_that_runs_right_to_left_is_fenced_off(skachki: Skachki) -> None:
    page = printed(skachki, "settle", "--format", "html")
    assert "\u2068שרה לוי\u2069 → " in page or " → \u2068שרה לוי\u2069" in page


@needs_poppler
def test_a_character_without_a_glyph_is_a_question_mark(nasty: Path, skachki: Skachki) -> None:
    done = skachki("sheet", "--format", "pdf", "-o", "s.pdf", "--db", "l.db")
    assert done.returncode == 0
    assert "😀 (U+1F600)" in done.stderr
    assert "ש (U+05E9)" in done.stderr
    assert done.stderr.count("\n") == 1
    text = text_of(nasty / "s.pdf")
    assert "#evil[x]" in text
    assert "<b>&'" in text
    assert "Zoë ?" in text
    assert not set(text) & set("שרהלוי😀")


@pytest.mark.usefixtures("nasty")
def test_tables_escape_what_they_must(skachki: Skachki) -> None:
    markdown = printed(skachki, "standing", "--tablefmt", "github")
    assert "<" not in markdown
    assert "#evil\\[x\\]" in markdown
    assert "<b>" not in printed(skachki, "standing", "--tablefmt", "html")
    assert "<b>" not in printed(skachki, "standing", "--tablefmt", "unsafehtml")


def test_text_that_xml_forbids_does_not_break_a_file() -> None:
    assert svg.escaped("a\x00\x1b\ufffe<") == "a\ufffd\ufffd\ufffd&lt;"


# ------------------------------------------------------------------ PDF


def poppler(tool: str, *words: str | Path) -> bytes:
    return subprocess.run([tool, *map(str, words)], check=True, capture_output=True, timeout=60).stdout


def text_of(path: Path) -> str:
    return poppler("pdftotext", "-layout", path, "-").decode()


def boxes_of(path: Path) -> Iterator[list[tuple[str, float, float, float, float]]]:
    """Each page's words with where they stand: left, top, right, bottom."""
    page: list[tuple[str, float, float, float, float]] = []
    pattern = re.compile(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>')
    for line in poppler("pdftotext", "-bbox", path, "-").decode().splitlines():
        if "<page" in line:
            page = []
        elif "</page>" in line:
            yield page
        elif found := pattern.search(line):
            left, top, right, bottom = (float(found[at]) for at in (1, 2, 3, 4))
            page.append((found[5], left, top, right, bottom))


def sheets_of(path: Path) -> list[Sheet]:
    now = night(path)
    pages = sheet.pages(now)
    drawn = [*paper.semesters(now, pages, HEAD), *paper.final(now, HEAD)]
    return flow.footed(drawn, ["page"] * len(drawn), "foot")


@needs_poppler
def test_pdf_has_every_text_where_it_belongs(tmp_path: Path) -> None:
    """By the text extracted from the worst case: every word on its page, readable, in its box."""
    sheets = sheets_of(WORST)
    path = tmp_path / "s.pdf"
    path.write_bytes(pdf.pdf(sheets, "worst"))
    pages = list(boxes_of(path))
    assert len(pages) == len(sheets) == 9
    for words, drawn in zip(pages, sheets, strict=True):
        told = [item.text for _degrees, item in flat(drawn.items) if isinstance(item, Text)]
        assert sorted("".join(sorted("".join(told).replace(" ", "").replace("\u00a0", "")))) == sorted(
            "".join(
                word.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for word, *_ in words
            )
        )
        for _word, left, top, right, bottom in words:
            assert left > 12
            assert right < geometry.WIDTH - 12
            assert top > 12
            assert bottom < geometry.HEIGHT - 12
            assert min(right - left, bottom - top) > 5 * 0.6 - 0.05
    for words in pages[:7]:
        for _word, left, top, right, bottom in words:
            turned = in_square(left, top, right, bottom)
            if turned is not None:
                place_of(turned)


def in_square(
    left: float, top: float, right: float, bottom: float
) -> tuple[float, float, float, float] | None:
    """A rectangle as the player on whose side it lies sees it; None outside the square or in the circle."""
    x1, x2, y1, y2 = (
        left - geometry.CENTRE[0],
        right - geometry.CENTRE[0],
        top - geometry.CENTRE[1],
        bottom - geometry.CENTRE[1],
    )
    if abs(y1 + y2) / 2 > geometry.HALF or abs(x1 + x2) / 2 > geometry.HALF:
        return None
    if max(x * x + y * y for x in (x1, x2) for y in (y1, y2)) < geometry.CIRCLE**2:
        return None
    across, along = (x1 + x2) / 2, (y1 + y2) / 2
    if along > abs(across):
        return x1, y1, x2, y2
    if -along > abs(across):
        return -x2, -y2, -x1, -y1
    if across < 0:
        return y1, -x2, y2, -x1
    return -y2, x1, -y1, x2


def only(items: tuple[Item, ...], kinds: tuple[type, ...]) -> tuple[Item, ...]:
    kept: list[Item] = []
    for item in items:
        if isinstance(item, Turned):
            kept.append(Turned(item.degrees, tuple(i for i in item.items if isinstance(i, kinds))))
        elif isinstance(item, kinds):
            kept.append(item)
    return tuple(kept)


def ink(path: Path) -> list[bytes]:
    """Each page's pixels, a byte each, 1 where there is ink."""
    threshold = bytes(int(level < 160) for level in range(256))
    data, pages = poppler("pdftoppm", "-r", "100", "-gray", path), []
    while data:
        _magic, size, depth, rest = data.split(b"\n", 3)
        width, height = map(int, size.split())
        assert depth == b"255"
        pages.append(rest[: width * height].translate(threshold))
        data = rest[width * height :]
    return pages


@needs_poppler
def test_no_ink_of_a_text_falls_on_a_line(tmp_path: Path) -> None:
    """By pixels: pages with their texts alone and with their lines alone have no dark point in common."""
    sheets = sheets_of(WORST)[:7]
    layers = []
    for name, kinds in (("texts", (Text,)), ("lines", (Line, Circle, Drawn))):
        path = tmp_path / f"{name}.pdf"
        path.write_bytes(pdf.pdf([Sheet("", only(page.items, kinds)) for page in sheets], name))
        layers.append(ink(path))
    assert len(layers[0]) == len(layers[1]) == 7
    for texts, lines in zip(*layers, strict=True):
        assert texts.count(1) > 3000
        assert lines.count(1) > 3000
        assert not int.from_bytes(texts) & int.from_bytes(lines)


@needs_poppler
def test_pdf_and_png_from_the_command(skachki: Skachki, tmp_path: Path) -> None:
    keep(skachki, tmp_path, FRIDAY)
    assert printed(skachki, "sheet", "--format", "pdf", "-o", "s.pdf") == ""
    assert printed(skachki, "settle", "--format", "pdf", "-o", "c.pdf") == ""
    assert printed(skachki, "sheet", "--format", "png", "--semester", "1", "-o", "s.png") == ""
    text = text_of(tmp_path / "s.pdf")
    assert text.count("\f") == 5
    assert "Даша → Анна 987.50 ₽" in text
    assert "Даша → Анна 987.50 ₽" in text_of(tmp_path / "c.pdf")
    assert b"CreationDate" not in (tmp_path / "s.pdf").read_bytes()
    png = (tmp_path / "s.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (1191, 1684)


@needs_poppler
def test_pdf_protocol(tmp_path: Path) -> None:
    game = journal.game("f", journalfile.read(export_of(FRIDAY, corrected=True)))
    shown = canon.shown(signs=True)
    told = closing.protocol(game, shown)
    drawn = paper.protocol(game.history, told, closing.corrections(game, shown))
    path = tmp_path / "log.pdf"
    path.write_bytes(pdf.pdf(flow.footed(drawn, ["log"] * len(drawn), "foot"), "log"))
    text = text_of(path)
    for label in ("1.", "42.", "73."):
        assert f"\n{label} " in text
    assert re.search(r"amended: e\d+ · 2026-11-28 02:15 UTC · anna", text)
    struck = [item for page in drawn for item in page if isinstance(item, Text) and item.struck]
    assert [item.text for item in struck] == ["24. Глеб 7♥ wp 7/3", 'note "so be it"']


def test_the_glyphs_are_those_of_the_face() -> None:
    assert set("АЯЁёўҐ♠♣♦♥→●▲−½⅓¹/₁₂₽€ …·×") <= pdf.glyphs()
    assert not set("😀語שא") & pdf.glyphs()


def test_the_renderers_load_nothing_slow() -> None:
    """What lays out and draws loads neither typst nor tabulate, and nothing of the shell."""
    code = (
        "import sys; from skachki_ledger import paper; from skachki_ledger.render import html, pdf, chart;"
        "bad = {'typst', 'tabulate', 'sqlite3', 'typer', 'decimal'} & set(sys.modules);"
        "sys.exit(str(bad) if bad else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_game_without_a_deal_prints() -> None:
    now = scored('[Players "Anna, Boris, Vera, Gleb"]\n\n')
    pages = sheet.pages(now)
    assert len(paper.semesters(now, pages, None)) == 1
    assert len(paper.final(now, None)) == 1
    assert "<svg" in html.sheet_pages(now, pages, paper.semesters(now, pages, None), None, True)
