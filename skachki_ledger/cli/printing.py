"""Printouts: `sheet`, `chart`, and what `settle` and `log` print as HTML and PDF."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import click
import typer

from .. import canon, reports
from ..errors import Fault, IllegalEventError, LedgerError
from ..i18n import N_, _
from ..journal import Game
from ..standing import Standing, standing
from . import ledger
from .options import After, Db, GameId, Json, Lang, Output
from .say import aside, columns, tell

if TYPE_CHECKING:
    from ..geometry import Item

HELP = {
    "sheet": N_("The four-sided sheet, a page a semester, to read or to print."),
    "chart": N_("A picture of the night: everyone's net after each deal."),
}

SHEET_FORMATS = ("text", "svg", "html", "pdf", "png")
BINARY = ("pdf", "png")


def sheet_command(
    layout: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="|".join(SHEET_FORMATS),
            help=_("What to write; default: by -o."),
        ),
    ] = None,
    semester: Annotated[
        str | None, typer.Option("--semester", metavar="K", help=_("This semester's page alone."))
    ] = None,
    after: After = None,
    output: Output = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print the sheet or write it to a file that does not exist yet."""
    layout = chosen(layout, output, SHEET_FORMATS)
    check_format(layout, SHEET_FORMATS, output)
    current = ledger.read_game(db, game)
    history = current.history.until(after) if after is not None else current.history
    now = standing(history)
    wanted = _semester(semester, history.state.semester)
    if as_json:
        from ..render import jsonout

        give(jsonout.dump(jsonout.standing(now, current.id, current.head)) + "\n", output)
    else:
        made = _sheet(now, layout, wanted, current.head, 0 if output else columns())
        if layout == "text":
            give_text(str(made), output)
        else:
            give(made, output)


def _semester(text: str | None, count: int) -> int | None:
    """Return the semester asked for. Raises IllegalEventError (E419) where the game has none such."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= count):
        raise IllegalEventError(Fault("E419", -1, {"semester": text[:40], "count": count}))
    return int(text)


def chosen(layout: str | None, output: str | None, allowed: Sequence[str]) -> str:
    """Return the format that is asked for, else the one a file's name ends in, else text."""
    ending = os.path.splitext(output or "")[1].lstrip(".").lower()
    return layout if layout is not None else ending if ending in allowed else "text"


def check_format(layout: str, allowed: Sequence[str], output: str | None) -> None:
    """Raise LedgerError (E404) for an unknown format, a usage error for bytes without a file."""
    if layout not in allowed:
        raise LedgerError(Fault("E404", -1, {"word": layout[:60], "allowed": ", ".join(allowed)}))
    if layout in BINARY and output is None:
        raise click.UsageError(_("--format {layout} needs -o FILE").format(layout=layout))


def give(made: str | bytes, output: str | None) -> None:
    """Print a text, or write text or bytes to a new file."""
    from .transfer import write_file

    if output is not None:
        write_file(output, made.encode() if isinstance(made, str) else made)
    elif isinstance(made, str):
        print(made, end="")


def give_text(text: str, output: str | None) -> None:
    """Print text for people, folded for a terminal, or write it to a new file as it is."""
    if output is None:
        tell(text)
    else:
        give(text + "\n", output)


def _sheet(now: Standing, layout: str, semester: int | None, head: str, room: int) -> str | bytes:
    from .. import sheet

    if layout == "text":
        from ..render import text

        return text.report(sheet.text_report(now, head, semester), columns=room)
    from .. import paper

    pages = sheet.pages(now, semester)
    drawn = paper.semesters(now, pages, head)
    if layout == "html":
        from ..render import html

        return html.sheet_pages(now, pages, drawn, head, semester is None)
    names = [sheet.heading(page) for page in pages]
    if semester is None:
        final = paper.final(now, head)
        names += [_("Settlement")] * len(final)
        drawn = [*drawn, *final]
    return _printed(drawn, layout, reports.title(now.history), head, names)


def _printed(
    drawn: "Sequence[Sequence[Item]]", layout: str, title: str, head: str, names: Sequence[str] = ()
) -> str | bytes:
    """Return pages as SVG, PDF or PNG; what has no glyph in PDF and PNG is named on standard error."""
    from .. import flow

    foot = f"{title} · " + _("head {head}").format(head=head[: reports.HEAD_DIGITS])
    sheets = flow.footed(drawn, names or [title] * len(drawn), foot)
    if layout == "svg":
        from ..render import svg

        return svg.pages(sheets, title)
    from ..render import pdf

    sheets, missing = pdf.printable(sheets)
    made = pdf.pdf(sheets, title) if layout == "pdf" else pdf.png(sheets, title)
    if missing:
        _say_missing(missing)
    return made


def _say_missing(missing: str) -> None:
    listed = ", ".join(f"{char} (U+{ord(char):04X})" for char in missing)
    aside(_("printed as ?, for want of a glyph: {listed}").format(listed=listed))


def chart_command(
    output: Output = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Write the night's picture to a new SVG file."""
    if output is None:
        raise click.UsageError(_("chart needs -o FILE"))
    if (ending := chosen(None, output, (*SHEET_FORMATS, "jpg", "jpeg"))) not in ("text", "svg"):
        raise LedgerError(Fault("E404", -1, {"word": ending, "allowed": "svg"}))
    from ..render import chart

    give(chart.document(ledger.read_game(db, game).history), output)


SETTLE_FORMATS = ("text", "html", "pdf", "chat")
LOG_FORMATS = ("text", "html", "pdf")


def settle(current: Game, layout: str, output: str | None) -> None:
    """Print or write the closing page as HTML or PDF."""
    now = standing(current.history)
    if layout == "html":
        from ..render import html

        give(html.settlement(now, current.head), output)
        return
    from .. import paper

    title = reports.title(current.history)
    give(_printed(paper.final(now, current.head), layout, title, current.head), output)


def log(current: Game, layout: str, output: str | None, shown: canon.Tokens, deal: str | None) -> None:
    """Print or write the protocol as HTML or PDF; `deal`: that deal alone."""
    from .. import closing

    told = closing.protocol(current, shown, deal)
    made = closing.corrections(current, shown) if deal is None else ()
    if layout == "html":
        from ..render import html

        give(html.protocol(current.history, told, made), output)
        return
    from .. import paper

    title = reports.title(current.history)
    give(_printed(paper.protocol(current.history, told, made), layout, title, current.head), output)
