"""Lines of styled text as a screen has them: clipped, wrapped and padded by columns."""

from collections.abc import Sequence

from ..render.lines import width

Fragment = tuple[str, str]
"""A style of `STYLES` ("" for none) and the text in it."""
Line = list[Fragment]

STYLES = {
    "title": "bold",
    "dim": "",
    "value": "bold",
    "dealer": "reverse bold",
    "reached": "bold fg:ansigreen",
    "plus": "bold fg:ansigreen",
    "minus": "bold fg:ansired",
    "good": "bold fg:ansigreen",
    "bad": "bold fg:ansired",
    "info": "bold",
    "key": "bold underline",
    "chosen": "reverse",
    "prompt": "bold",
}
"""What each style looks like; where there are no colours, bold, underline and reverse remain."""
PLAIN = {name: " ".join(word for word in look.split() if ":" not in word) for name, look in STYLES.items()}
"""The same without colours."""


def clip(text: str, columns: int) -> str:
    """Return the text, cut with … where it is wider than `columns`."""
    if width(text) <= columns:
        return text
    kept = ""
    for char in text:
        if width(kept + char) >= columns:
            break
        kept += char
    return kept + "…" if columns > 0 else ""


def clip_line(line: Line, columns: int) -> Line:
    """Return a line of fragments cut at `columns`."""
    kept: Line = []
    left = columns
    for style, text in line:
        part = clip(text, left)
        kept.append((style, part))
        left -= width(part)
        if part != text or left <= 0:
            break
    return kept


def columns_of(line: Line) -> int:
    """Return how many columns a line takes."""
    return sum(width(text) for _style, text in line)


def padded(line: Line, columns: int) -> Line:
    """Return a line cut or filled to exactly `columns`."""
    line = clip_line(line, columns)
    return [*line, ("", " " * (columns - columns_of(line)))]


def both_ends(left: Line, right: Line, columns: int) -> Line:
    """Return a line with `right` flush right; `left` is cut where both do not fit."""
    room = max(0, columns - columns_of(right) - 1)
    kept = clip_line(left, room)
    return [*kept, ("", " " * (columns - columns_of(kept) - columns_of(right))), *right]


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Return a text broken between words into lines of at most `columns`; long words are cut."""
    rows: list[str] = []
    row = ""
    for word in text.split(" "):
        tried = f"{row} {word}" if row else word
        if width(tried) <= columns or not row:
            row = tried
        else:
            rows.append(row)
            row = indent + word
    return [clip(one, columns) for one in [*rows, row]]


def packed(text: str, columns: int) -> list[str]:
    """Return a list of things with · between them, broken only there as far as it goes."""
    rows: list[str] = []
    for part in text.split(" · "):
        tried = f"{rows[-1]} · {part}" if rows else part
        if rows and width(tried) <= columns:
            rows[-1] = tried
        else:
            rows.append(part)
    return [clip(row, columns) for row in rows]


def joined(lines: Sequence[Line]) -> list[Fragment]:
    """Return lines as the fragments of one text."""
    fragments: list[Fragment] = []
    for at, line in enumerate(lines):
        if at:
            fragments.append(("", "\n"))
        fragments += line
    return fragments
