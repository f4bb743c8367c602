"""Lines without a table library, aligned, or folded for a narrow terminal: what hot commands print."""

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


def folded(text: str, columns: int) -> str:
    """Return lines broken at their spaces where they are wider than `columns`, the rest set in by two.

    A command to be copied stays one line.
    """
    return "\n".join(
        line if width(line) <= columns or line.lstrip().startswith("skachki ") else _broken(line, columns)
        for line in text.split("\n")
    )


def _broken(line: str, columns: int) -> str:
    indent = len(line) - len(line.lstrip(" "))
    inset = " " * ((indent if indent < columns // 2 else 0) + 2)
    rows: list[str] = []
    row = inset[2:]
    for word in line.split():
        joined = f"{row}{word}" if not row.strip() else f"{row} {word}"
        if row.strip() and width(joined) > columns:
            rows.append(row)
            joined = inset + word
        row = joined
    return "\n".join([*rows, row])
