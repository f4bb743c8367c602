"""Tables and sentences set on pages of A4: what stands together, what goes onto the next page.

Everything becomes bands, strips of a page as wide as its text; a page takes bands until it is full.
Heights are added by `fsum`: what `sum` gives for floats differs with the version of Python.
"""

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from .geometry import (
    ASCENT,
    EM,
    HEIGHT,
    INNER,
    MARGIN,
    SIZE_MIN,
    WIDTH,
    Circle,
    Item,
    Line,
    Path,
    Sheet,
    Text,
    text,
    wrapped,
)
from .render.lines import width as columns
from .reports import Listing, Table

TOP, BOTTOM = 40.0, HEIGHT - 40.0
BODY = 9.0
BODY_MIN = 7.0
"""Size of what is read; tables are set smaller, down to BODY_MIN, before their cells are broken."""

LEADING = 1.35
COLUMN = INNER / 2 - 14
SHORT = 10
"""Width of one of two columns, and how many rows may stand in one."""

GAPS = (4, 2)
"""Letters between the columns of a table, where there is room and where there is little."""


class Band(NamedTuple):
    """A strip of a page; y of its items counts from its top. `keep`: never the last on a page."""

    height: float
    items: tuple[Item, ...]
    keep: bool = False


class Style(NamedTuple):
    """How lines of text are set."""

    size: float = BODY
    colour: str = "text"
    bold: bool = False
    struck: bool = False


PLAIN, HEADING = Style(), Style(10.5, "text", True)


def moved(item: Item, x: float, y: float) -> Item:
    """Return an item moved right and down."""
    match item:
        case Text():
            return item._replace(x=item.x + x, y=item.y + y)
        case Line():
            return Line(item.x1 + x, item.y1 + y, item.x2 + x, item.y2 + y, item.style)
        case Circle():
            return item._replace(x=item.x + x, y=item.y + y)
        case Path():
            return item._replace(points=tuple((left + x, top + y) for left, top in item.points))
        case _:
            raise AssertionError("a turned side stays where it is")


def gap(height: float) -> Band:
    """Return empty space that is dropped at a page's foot."""
    return Band(height, ())


def lines(
    words: str, style: Style = PLAIN, x: float = 0.0, room: float = INNER, keep: bool = False
) -> list[Band]:
    """Return a text, wrapped, as bands."""
    height = style.size * LEADING
    bands = []
    for row in wrapped(words, int((room - x) / (style.size * EM) + 0.001)):
        item = text(x, style.size * ASCENT, row, style.size, style.colour, bold=style.bold)
        bands.append(Band(height, (item._replace(struck=style.struck),), keep))
    return bands


def heading(words: str, x: float = 0.0) -> list[Band]:
    """Return a title over what follows it."""
    return [gap(12), *lines(words, HEADING, x, keep=True), Band(2, (), keep=True)]


# ------------------------------------------------------------------ tables


def table(value: Table, size: float = BODY, x: float = 0.0, width: float = INNER) -> list[Band]:
    """Return a table under its title, as wide as there is room: headers, a rule, rows; no cell is cut."""
    size, widths, between = _fit(value, width, size)
    spare = width / (size * EM) - sum(widths) - between * (len(widths) - 1)
    between += max(0, int(spare / max(1, len(widths) - 1)))
    starts, left = [], x
    for taken in widths:
        starts.append((left, left + taken * size * EM))
        left += (taken + between) * size * EM
    header = _row(value.headers, value, widths, starts, Style(size, "quiet"))
    end = starts[-1][1]
    rule = Line(x, 1, end, 1, "thin")
    bands = heading(value.title, x) if value.title else []
    bands += [Band(header.height, header.items, True), Band(3, (rule,), True)]
    for place, row in enumerate(value.rows):
        band = _row(row, value, widths, starts, Style(size))
        hair = Line(x, band.height + 0.5, end, band.height + 0.5, "faint")
        items = band.items if place == len(value.rows) - 1 else (*band.items, hair)
        bands.append(Band(band.height + 2, items, place == 0))
    return bands


def _fit(value: Table, width: float, size: float) -> tuple[float, list[int], int]:
    """Return size, columns' widths and the gap between them, in letters."""
    cells = list(zip(*value.rows, strict=True)) or [()] * len(value.headers)
    natural = [
        max(columns(cell) for cell in (header, *column))
        for header, column in zip(value.headers, cells, strict=True)
    ]
    between = GAPS[0]
    while size > BODY_MIN and sum(natural) + between * (len(natural) - 1) > width / (size * EM):
        between, size = GAPS[1], size - 0.25
    if sum(natural) + between * (len(natural) - 1) <= width / (size * EM):
        return size, natural, between
    least = [
        max((columns(cell) for cell in column), default=1) if at in value.numbers else min(12, natural[at])
        for at, column in enumerate(cells)
    ]
    while size > SIZE_MIN and sum(least) + between * (len(least) - 1) > width / (size * EM):
        size -= 0.25
    spare = int(width / (size * EM)) - between * (len(least) - 1) - sum(least)
    widths = list(least)
    while spare > 0 and (wanting := [at for at, taken in enumerate(widths) if taken < natural[at]]):
        narrowest = min(wanting, key=lambda at: widths[at] / natural[at])
        widths[narrowest] += 1
        spare -= 1
    return size, widths, between


def _row(
    cells: Sequence[str],
    value: Table,
    widths: Sequence[int],
    starts: Sequence[tuple[float, float]],
    style: Style,
) -> Band:
    """Return one row; cells broken into lines stand on its bottom line where they are numbers' headers."""
    broken = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    depth = max(len(rows) for rows in broken)
    height = style.size * LEADING
    items: list[Item] = []
    for at, rows in enumerate(broken):
        left, right = starts[at]
        anchor, x = ("end", right) if at in value.numbers else ("start", left)
        above = depth - len(rows) if style.colour == "quiet" else 0
        for place, row in enumerate(rows):
            base = (above + place) * height + style.size * ASCENT
            if row:
                items.append(text(x, base, row, style.size, style.colour, anchor))
    return Band(depth * height, tuple(items))


def sections(found: Sequence[Table | Listing]) -> list[Band]:
    """Return tables and sentences under their titles; short ones stand two side by side."""
    bands: list[Band] = []
    place = 0
    while place < len(found):
        pair = found[place : place + 2]
        if len(pair) == 2 and all(map(_is_small, pair)):
            bands.append(beside(_section(pair[0], 0, COLUMN), _section(pair[1], INNER - COLUMN, COLUMN)))
            place += 2
        else:
            bands += _section(found[place], 0, INNER)
            place += 1
    return bands


def _section(section: Table | Listing, x: float, width: float) -> list[Band]:
    if isinstance(section, Table):
        return table(section, x=x, width=width)
    said = [band for line in section.lines for band in lines(line, PLAIN, x, x + width)]
    return [*heading(section.title, x), *said]


def _is_small(section: Table | Listing) -> bool:
    """Tell whether a section fits half a page's width as it is, and is no longer than a few lines."""
    room = COLUMN / (BODY * EM)
    if isinstance(section, Listing):
        return len(section.lines) <= SHORT and max(map(columns, section.lines), default=0) <= room
    _size, widths, _between = _fit(section, INNER, BODY)
    return len(section.rows) <= SHORT and sum(widths) + GAPS[1] * (len(widths) - 1) <= room


def beside(left: Sequence[Band], right: Sequence[Band]) -> Band:
    """Return two columns as one band, which no page's end tears apart."""
    items: list[Item] = []
    for column in (left, right):
        y = 0.0
        for band in column:
            items += [moved(item, 0, y) for item in band.items]
            y += band.height
    height = max(fsum(band.height for band in column) for column in (left, right))
    return Band(height, tuple(items))


# ------------------------------------------------------------------ pages


def signatures(names: Sequence[str]) -> list[Band]:
    """Return a line to sign on for each name: all in a row, two where names are long."""
    fits = max(map(columns, names)) * 6.5 * EM <= INNER / len(names) - 16
    count = len(names) if fits else 2
    length = (INNER + 16) / count - 16
    bands: list[Band] = []
    for place in range(0, len(names), count):
        items: list[Item] = []
        for at, name in enumerate(names[place : place + count]):
            x = at * (length + 16)
            items.append(Line(x, 28, x + length, 28, "frame"))
            items.append(text(x, 38, name, 8, "quiet", room=length))
        bands.append(Band(44, tuple(items), place + count < len(names)))
    return bands


def paged(bands: Sequence[Band], running: str) -> list[list[Item]]:
    """Return the bands' items page by page; pages after the first begin with the running title."""
    filled: list[list[Item]] = []
    y = BOTTOM
    place = 0
    while place < len(bands):
        end = place
        while end < len(bands) - 1 and bands[end].keep:
            end += 1
        group = bands[place : end + 1]
        if y + fsum(band.height for band in group) > BOTTOM:
            if not any(band.items for band in group):
                place = end + 1
                continue
            y = TOP
            filled.append([])
            if len(filled) > 1:
                filled[-1].append(text(MARGIN, y, running, 8, "quiet"))
                y += 14
        for band in group:
            filled[-1] += [moved(item, MARGIN, y) for item in band.items]
            y += band.height
        place = end + 1
    return filled


def footed(contents: Sequence[Sequence[Item]], titles: Sequence[str], foot: str) -> list[Sheet]:
    """Return sheets with a foot: what they belong to, and the number of the page."""
    count = len(contents)
    sheets = []
    for place, (items, title) in enumerate(zip(contents, titles, strict=True)):
        y = HEIGHT - 24
        page = f"{place + 1}/{count}"
        numbered = text(WIDTH - MARGIN, y, page, 7, "quiet", "end")
        footed_items = (*items, text(MARGIN, y, foot, 7, "quiet", room=INNER - 50), numbered)
        sheets.append(Sheet(title, footed_items))
    return sheets


def paragraph(rows: Sequence[str], top: float, bottom: float, largest: float) -> list[Item]:
    """Return sentences between two heights in the largest size in which they fit."""
    size = largest
    while True:
        broken = [line for row in rows for line in wrapped(row, int(INNER / (size * EM)))]
        if size <= SIZE_MIN or len(broken) * size * LEADING <= bottom - top:
            break
        size -= 0.25
    room = max(1, int((bottom - top) / (size * LEADING)))
    return [
        text(MARGIN, top + place * size * LEADING + size * ASCENT, line, size, "text")
        for place, line in enumerate(broken[:room])
    ]
