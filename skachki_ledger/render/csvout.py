"""Tables as CSV for spreadsheets; a text cell that would be taken for a formula is neutralised."""

import csv
import io
from collections.abc import Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], bom: bool) -> str:
    """Return CSV with a header line; `bom` is for spreadsheets that need it to see UTF-8."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([cell(header) for header in headers])
    writer.writerows([cell(value) for value in row] for row in rows)
    return ("\ufeff" if bom else "") + out.getvalue()


def cell(text: str) -> str:
    """Return a cell's text; an apostrophe goes before what is no number but begins like a formula."""
    if text.startswith(_FORMULA) and not text.lstrip("+-").isdecimal():
        return f"'{text}"
    return text
