"""Reports as plain text for a terminal: aligned tables, nothing wider than it need be."""

from collections.abc import Sequence
from functools import partial

import tabulate as _tabulate

from ..reports import Report, Table
from .lines import width

_tabulate.MIN_PADDING = 0  # a phone's terminal has 40 columns: none is wider than what stands in it


COLUMN_MIN = 12
"""A column of words is not made narrower."""
_EMPTY = ("", "·", "–")


def formats() -> list[str]:
    """Return the names of the table formats there are."""
    return sorted(_tabulate.tabulate_formats)


def report(value: Report, tablefmt: str = "simple", columns: int = 0) -> str:
    """Return a report as text that ends without a line break; `columns`: how wide it may be, 0 any."""
    blocks = ["\n".join(_line(part, tablefmt) for part in (value.title, *value.lines) if part)]
    for section in value.sections:
        title = _line(section.title, tablefmt)
        if isinstance(section, Table):
            blocks.append(f"{title}\n{table(section, tablefmt, columns)}")
        else:
            blocks.append("\n".join([title, *(f"  {_line(line, tablefmt)}" for line in section.lines)]))
    return "\n\n".join(block for block in blocks if block)


def table(value: Table, tablefmt: str = "simple", columns: int = 0) -> str:
    """Return a table as text; cells are strings and stay as they are, but for what a format must escape.

    Where it is wider than `columns`, its longest column of words is broken into lines; where that is
    not enough, every row becomes lines of its own.
    """
    text = _table(value, tablefmt, [])
    over = max(map(width, text.split("\n"))) - columns
    if not columns or over <= 0:
        return text
    taken = [max(map(width, cells)) for cells in zip(value.headers, *value.rows, strict=True)]
    words = [column for column in range(len(taken)) if column not in value.numbers]
    longest = max(words, key=taken.__getitem__, default=0)
    room = taken[longest] - over
    if room < COLUMN_MIN:
        return "\n".join(map(partial(_row, value.headers), value.rows))
    return _table(value, tablefmt, [room if at == longest else None for at in range(len(taken))])


def _row(headers: Sequence[str], row: Sequence[str]) -> str:
    """Return a row as lines: its first cell, then each other one after its header."""
    told = [
        f"{header} {cell}".strip()
        for header, cell in zip(headers[1:], row[1:], strict=True)
        if cell not in _EMPTY
    ]
    return f"{row[0]}\n  {' · '.join(told)}" if told else row[0]


def _table(value: Table, tablefmt: str, most: Sequence[int | None]) -> str:
    aligned = ["right" if column in value.numbers else "left" for column in range(len(value.headers))]
    text = _tabulate.tabulate(
        [[_escaped(cell, tablefmt) for cell in row] for row in value.rows],
        [_escaped(cell, tablefmt) for cell in value.headers],
        tablefmt=tablefmt,
        disable_numparse=True,
        colalign=aligned if value.rows else None,
        maxcolwidths=most or None,
    )
    return "\n".join(line.rstrip() for line in text.split("\n"))


_MARKDOWN = str.maketrans({"&": "&amp;", "<": "&lt;", **{char: f"\\{char}" for char in "\\`*_[]|"}})
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def _escaped(cell: str, tablefmt: str) -> str:
    """Return a cell as a format needs it where tabulate leaves that to us."""
    if tablefmt in ("github", "pipe"):
        return cell.translate(_MARKDOWN)
    if tablefmt == "unsafehtml":
        return cell.translate(_HTML)
    if tablefmt == "tsv":
        return cell.replace("\t", " ")
    return cell


def _line(text: str, tablefmt: str) -> str:
    """Return a sentence as it stands between tables of a format."""
    return text.translate(_HTML) if tablefmt == "html" else _escaped(text, tablefmt)
