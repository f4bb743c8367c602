"""Reports as plain text for a terminal: aligned tables, nothing wider than it need be."""

import tabulate as _tabulate

from ..reports import Report, Table


def formats() -> list[str]:
    """Return the names of the table formats there are."""
    return sorted(_tabulate.tabulate_formats)


def report(value: Report, tablefmt: str = "simple") -> str:
    """Return a report as text that ends without a line break."""
    blocks = ["\n".join(_line(part, tablefmt) for part in (value.title, *value.lines) if part)]
    for section in value.sections:
        title = _line(section.title, tablefmt)
        if isinstance(section, Table):
            blocks.append(f"{title}\n{table(section, tablefmt)}")
        else:
            blocks.append("\n".join([title, *(f"  {_line(line, tablefmt)}" for line in section.lines)]))
    return "\n\n".join(block for block in blocks if block)


def table(value: Table, tablefmt: str = "simple") -> str:
    """Return a table as text; cells are strings and stay as they are, but for what a format must escape."""
    aligned = ["right" if column in value.numbers else "left" for column in range(len(value.headers))]
    text = _tabulate.tabulate(
        [[_escaped(cell, tablefmt) for cell in row] for row in value.rows],
        [_escaped(cell, tablefmt) for cell in value.headers],
        tablefmt=tablefmt,
        disable_numparse=True,
        colalign=aligned if value.rows else None,
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
