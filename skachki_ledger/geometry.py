"""Where everything stands on paper: boxes, lines and texts of the square sheet, in points on A4.

Text is set in a typeface whose letters are all 0.6 em wide, so what fits is arithmetic. Each text
carries its width, to which a renderer holds it whatever face it finds.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .render.lines import width as columns
from .sheet import Figure, Page, Strip

WIDTH, HEIGHT = 595.28, 841.89
MARGIN = 33.64
INNER = WIDTH - 2 * MARGIN
EM = 0.6
ASCENT, DESCENT = 0.93, 0.24
ROW = 1.2
"""Advance of a letter, the most it rises and falls, and from line to line, in font sizes."""

SIZE_MIN = 5.0
"""Nothing is set smaller; what does not fit even so gives way, oldest first, to an ellipsis."""

HALF = 264.0
CENTRE = (WIDTH / 2, 378.0)
BOTTOM_OF_SQUARE = CENTRE[1] + HALF
CIRCLE = 36.0
GORA_OUT, POOL_OUT = 132.0, 178.0
WHIST_CUT = 87.0
"""Half the square's side; from the centre to where gora and pool end; half the middle whist box."""

PAD = 3.0
LABEL = 6.0
FIGURES_MAX = 12.5


class Text(NamedTuple):
    """A text from `x` rightwards on the baseline `y`; `style` names a colour, `width` is its length."""

    x: float
    y: float
    text: str
    size: float
    style: str
    width: float
    bold: bool = False
    underlined: bool = False
    struck: bool = False


class Line(NamedTuple):
    """A straight line; `style` names its colour and weight."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str


class Circle(NamedTuple):
    """A circle around a point, filled with paper."""

    x: float
    y: float
    radius: float
    style: str


class Path(NamedTuple):
    """A line through points; each style of a seat has dashes of its own, to be told apart in grey."""

    points: tuple[tuple[float, float], ...]
    style: str


class Turned(NamedTuple):
    """Items turned clockwise by `degrees` around the square's centre."""

    degrees: int
    items: tuple["Text | Line | Circle | Path", ...]


Item = Text | Line | Circle | Path | Turned


class Sheet(NamedTuple):
    """One page of A4 with a name for who cannot see it."""

    title: str
    items: tuple[Item, ...]


class Box(NamedTuple):
    """A box of one side as its player sees it; y grows from the centre towards him.

    The left and right edges are straight from (left, top) to (left2, bottom) and likewise.
    """

    top: float
    bottom: float
    left: float
    left2: float
    right: float
    right2: float

    def span(self, top: float, bottom: float) -> tuple[float, float]:
        """Return from where to where a line of text between two heights may go."""
        lefts = [self._at(y, self.left, self.left2) for y in (top, bottom)]
        rights = [self._at(y, self.right, self.right2) for y in (top, bottom)]
        slanted = PAD * 1.5
        left_pad = PAD if self.left == self.left2 else slanted
        right_pad = PAD if self.right == self.right2 else slanted
        return max(lefts) + left_pad, min(rights) - right_pad

    def _at(self, y: float, first: float, last: float) -> float:
        return first + (last - first) * (y - self.top) / (self.bottom - self.top)


GORA = Box(CIRCLE + 2, GORA_OUT, -CIRCLE - 2, -GORA_OUT, CIRCLE + 2, GORA_OUT)
POOL = Box(GORA_OUT, POOL_OUT, -GORA_OUT, -POOL_OUT, GORA_OUT, POOL_OUT)
WHISTS = (
    Box(POOL_OUT, HALF, -POOL_OUT, -HALF, -WHIST_CUT, -WHIST_CUT),
    Box(POOL_OUT, HALF, -WHIST_CUT, -WHIST_CUT, WHIST_CUT, WHIST_CUT),
    Box(POOL_OUT, HALF, WHIST_CUT, WHIST_CUT, POOL_OUT, HALF),
)
"""The boxes of a side: gora, pool, and whists on who sits to the left, opposite, to the right."""


def text_width(text: str, size: float) -> float:
    """Return how long a text of this size is."""
    return columns(text) * size * EM


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    style: str = "text",
    anchor: str = "start",
    room: float = INNER,
    bold: bool = False,
) -> Text:
    """Return a text of one line; too long for `room` it is set smaller, at last cut with an ellipsis."""
    size, words = fitted(words, size, room)
    length = text_width(words, size)
    start = x - {"start": 0.0, "middle": length / 2, "end": length}[anchor]
    return Text(start, y, words, size, style, length, bold)


def fitted(words: str, size: float, room: float) -> tuple[float, str]:
    """Return the size in which a text fits a length, and the text, shortened where none does."""
    taken = columns(words)
    if taken * size * EM <= room:
        return size, words
    size = max(SIZE_MIN, int(room / (taken * EM) * 4) / 4)
    if taken * size * EM <= room:
        return size, words
    while words and (columns(words) + 1) * size * EM > room:
        words = words[:-1]
    return size, words.rstrip() + "…"


def wrapped(words: str, length: int) -> list[str]:
    """Return a text as lines of at most `length` columns; a longer word is broken.

    >>> wrapped("a fine of ten", 6)
    ['a fine', 'of ten']
    """
    lines, line = [], ""
    for word in words.split():
        if line and columns(line) + 1 + columns(word) <= length:
            line += f" {word}"
            continue
        if line:
            lines.append(line)
        while columns(word) > length:
            cut = max(
                1, next(at for at in range(len(word), 0, -1) if at == 1 or columns(word[:at]) <= length)
            )
            lines.append(word[:cut])
            word = word[cut:]
        line = word
    return [*lines, line] if line or not lines else lines


# ------------------------------------------------------------------ running totals in a box


def shown(figure: Figure) -> str:
    """Return a figure with its dot; what was carried over stands in brackets."""
    return _SHAPES.get(figure.kind, "{}.").format(figure.text)


_SHAPES = {"carried": "({}).", "left-out": "{}"}
_LEFT_OUT = Figure("…", "left-out")


def _lines(box: Box, size: float) -> list[tuple[float, float, int]]:
    """Return (left, baseline, columns) of each line of a size that a box takes, over its label."""
    lines = []
    top, floor = box.top + PAD / 2, box.bottom - 1.5 - LABEL * (ASCENT + DESCENT)
    while top + size * (ASCENT + DESCENT) <= floor:
        left, right = box.span(top, top + size * (ASCENT + DESCENT))
        if right > left:
            lines.append((left, top + size * ASCENT, int((right - left) / (size * EM))))
        top += size * ROW
    return lines


def _broken(
    figures: Sequence[Figure], lines: Sequence[tuple[float, float, int]]
) -> list[list[Figure]] | None:
    """Return the figures line by line, None where there are too many."""
    rows: list[list[Figure]] = []
    left = 0
    for figure in figures:
        length = len(shown(figure))
        while length > left or not rows:
            if len(rows) == len(lines):
                return None
            rows.append([])
            left = lines[len(rows) - 1][2]
            if length > left and len(rows) == len(lines):
                return None
        rows[-1].append(figure)
        left -= length
    return rows


def size_for(cells: Sequence[tuple[Box, Strip]]) -> float:
    """Return the largest size in which the figures of all these boxes fit, at least SIZE_MIN."""
    size = FIGURES_MAX
    for box, strip in cells:
        while size > SIZE_MIN and _broken(strip.figures, _lines(box, size)) is None:
            size -= 0.25
    return size


def _figures(box: Box, strip: Strip, size: float) -> list[Item]:
    """Return the figures of a cell set in its box, the last one, which counts, in bold."""
    lines = _lines(box, size)
    kept = list(strip.figures)
    rows = _broken(kept, lines)
    while rows is None:
        kept = [_LEFT_OUT, *kept[2 if kept[0] is _LEFT_OUT else 1 :]]
        rows = _broken(kept, lines)
    items: list[Item] = []
    for row, (left, baseline, _room) in zip(rows, lines, strict=False):
        x = left
        for kind, is_last, words in _runs(row, kept[-1]):
            length = text_width(words, size)
            style = {"prize": "prize", "carried": "quiet"}.get(kind, "ink")
            items.append(Text(x, baseline, words, size, style, length, is_last, kind == "prize"))
            x += length
    return items


def _runs(row: Sequence[Figure], last: Figure) -> list[tuple[str, bool, str]]:
    """Return neighbours that look alike as one text: (kind, whether it is the last figure, text)."""
    runs: list[tuple[str, bool, str]] = []
    for figure in row:
        is_last = figure is last
        if runs and runs[-1][:2] == (figure.kind, is_last):
            runs[-1] = (figure.kind, is_last, runs[-1][2] + shown(figure))
        else:
            runs.append((figure.kind, is_last, shown(figure)))
    return runs


# ------------------------------------------------------------------ the square


class Words(NamedTuple):
    """What is printed on the square besides figures: labels, the middle, and a name line a seat."""

    gora: str
    pool: str
    middle: tuple[str, str, str]
    names: tuple[tuple[str, str], ...]
    """Of each seat: who sits there, and the dealer mark in words or ""."""
    on: tuple[str, ...]
    """Of each seat, as others' whist boxes name it."""


def square(page: Page, words: Words) -> list[Item]:
    """Return the square: lines, circle, and each seat's names and figures turned to its player."""
    sides = page.sides
    gora = size_for([(GORA, side.gora) for side in sides])
    pool = size_for([(POOL, side.pool) for side in sides])
    whists = size_for([cell for side in sides for cell in zip(WHISTS, side.whists, strict=True)])
    items: list[Item] = []
    for side in sides:
        own = [*_figures(GORA, side.gora, gora), *_figures(POOL, side.pool, pool)]
        for box, strip in zip(WHISTS, side.whists, strict=True):
            own += _figures(box, strip, whists)
        placed = [*_rules(), *own, *_labels(words, side.whists), *_name(words.names[side.seat])]
        items.append(Turned(90 * side.seat, tuple(_from_centre(item) for item in placed)))
    x, y = CENTRE
    items += [Circle(x, y, CIRCLE, "frame"), *_middle(words.middle)]
    return items


def _rules() -> list[Item]:
    """Return the lines of one side; its left diagonal is half of one of the square's."""
    cut = [Line(x, POOL_OUT, x, HALF, "thin") for x in (-WHIST_CUT, WHIST_CUT)]
    return [
        Line(-HALF, HALF, HALF, HALF, "frame"),
        Line(-GORA_OUT, GORA_OUT, GORA_OUT, GORA_OUT, "thin"),
        Line(-POOL_OUT, POOL_OUT, POOL_OUT, POOL_OUT, "thin"),
        Line(0, 0, -HALF, HALF, "frame"),
        *cut,
    ]


def _labels(words: Words, whists: Sequence[Strip]) -> list[Item]:
    """Return the small words at the outer edge of each box."""
    items: list[Item] = []
    names = [words.on[strip.on] for strip in whists if strip.on is not None]
    for box, label in zip((GORA, POOL, *WHISTS), (words.gora, words.pool, *names), strict=True):
        base = box.bottom - 1.5 - LABEL * DESCENT
        left, right = box.span(base - LABEL * ASCENT, base + LABEL * DESCENT)
        items.append(text((left + right) / 2, base, label, LABEL, "quiet", "middle", right - left))
    return items


def _name(names: tuple[str, str]) -> list[Item]:
    """Return who sits at a side, under its edge, and the dealer mark at his right hand."""
    who, mark = names
    base = HALF + 13
    room = 2 * HALF
    items: list[Item] = []
    if mark:
        mark_text = text(HALF, base, f"● {mark}", 7.5, "prize", "end", HALF / 2)
        items.append(mark_text)
        room -= 2 * (mark_text.width + 6)
    return [text(0, base, who, 11, "text", "middle", room, bold=True), *items]


def _middle(middle: tuple[str, str, str]) -> list[Item]:
    """Return semester, target and stake in the circle."""
    x, y = CENTRE
    top, target, stake = middle
    items: list[Item] = [text(x, y + 6.5, target, 20, "text", "middle", 1.7 * CIRCLE, bold=True)]
    items.append(text(x, y - 15, top, 8, "quiet", "middle", 1.5 * CIRCLE))
    if stake:
        items.append(text(x, y + 19, stake, 7, "quiet", "middle", 1.55 * CIRCLE))
    return items


def _from_centre(item: Item) -> "Text | Line | Circle":
    """Return an item of a side where it stands before it is turned: moved to the square's centre."""
    x, y = CENTRE
    if isinstance(item, Text):
        return item._replace(x=item.x + x, y=item.y + y)
    assert isinstance(item, Line)
    return Line(item.x1 + x, item.y1 + y, item.x2 + x, item.y2 + y, item.style)
