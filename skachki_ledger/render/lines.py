"""Aligned lines without a table library: what hot commands print."""

import unicodedata
from collections.abc import Sequence


def width(text: str) -> int:
    """Return how many columns a terminal takes for `text`."""
    if text.isascii():
        return len(text)
    columns = 0
    for char in text:
        if unicodedata.category(char) in ("Mn", "Me", "Cf"):
            continue
        columns += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return columns


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines: the first column flush left, the others flush right."""
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        first = row[0] + " " * (widths[0] - width(row[0]))
        rest = [" " * (widths[at] - width(row[at])) + row[at] for at in range(1, len(row))]
        lines.append("  ".join([first, *rest]))
    return lines
