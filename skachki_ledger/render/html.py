"""Printouts as HTML: one file that needs no other, light and dark, on paper A4, on a phone readable.

Everything that somebody typed goes through `svg.escaped`; there is no script.
"""

from collections.abc import Sequence

from .. import closing, reports, sheet
from ..closing import Told
from ..derive import History
from ..geometry import HEIGHT, WIDTH, Item
from ..i18n import _, language
from ..reports import Listing, Report, Table
from ..sheet import Page
from ..standing import Standing
from . import chart, svg
from .svg import escaped

CROP = 17.0
"""Of a page's own margin this much is left to the printer's."""

COLUMNS_HALF, LETTERS_HALF = 5, 60
"""A table of more columns, or sentences of more letters, do not stand beside another part."""

_DARK = {
    "text": "#e6e6e6",
    "ink": "#9db8ff",
    "prize": "#ff9a8f",
    "quiet": "#a0a0a0",
    "s1": "#9db8ff",
    "s2": "#ff9a8f",
    "s3": "#7fd69a",
    "s4": "#e8b45e",
}
_DARK_LINES = {"frame": "#b5b5b5", "thin": "#808080", "faint": "#3d3d3d"}

_STYLE = """\
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1rem;font:1rem/1.45 system-ui,sans-serif}
body{color:#1c1c1c;background:#fff}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.1rem;margin:1.5rem 0 .4rem}
p{margin:.2rem 0}
svg{display:block;width:100%;height:auto}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .9rem .2rem 0;text-align:left;vertical-align:top}
th{font-weight:normal;color:#6b6b6b;border-bottom:1px solid #8a8a8a}
td{border-bottom:1px solid #ddd}
.n{text-align:right}
.parts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:0 2rem}
.full{grid-column:1/-1}
.run{overflow-wrap:anywhere}
summary{cursor:pointer;color:#6b6b6b;margin:.5rem 0}
.quiet,.facts{color:#6b6b6b}.facts{font-size:.85rem}
.event{display:grid;grid-template-columns:minmax(0,9fr) minmax(0,11fr);gap:0 1rem}
.event{border-top:1px solid #ddd;padding:.35rem 0}
.line{font-weight:bold;overflow-wrap:anywhere}.struck .line{font-weight:normal;color:#6b6b6b}
.entries p{font-size:.9rem}
.ends{color:#b01818;font-weight:bold;margin:.6rem 0}
.sign{display:grid;grid-template-columns:1fr 1fr;gap:2.5rem 2rem;margin-top:2.5rem}
.sign div{border-top:1px solid #444;padding-top:.2rem;color:#6b6b6b}
@page{size:A4;margin:8mm}
@media print{
body{max-width:none;padding:0;font-size:10pt;color-scheme:light}
.page{break-after:page}.page svg{height:279mm;width:auto;margin:0 auto}
.screen{display:none}.event,tr,.sign,.chart{break-inside:avoid}h2{break-after:avoid}
.closing{padding:6mm}
}
@media (max-width:40rem){
body{padding:.6rem}
.event{grid-template-columns:1fr}
.sign{grid-template-columns:1fr}
th,td{padding-right:.6rem}
}
"""


def _style() -> str:
    """Return the style sheet; on a dark screen the pictures' classes take other colours."""
    dark = "".join(f"text.{name}{{fill:{colour}}}" for name, colour in _DARK.items())
    dark += "".join(f".{name}{{stroke:{colour}}}" for name, colour in _DARK_LINES.items())
    dark += "".join(f"polyline.s{seat}{{stroke:{_DARK[f's{seat}']}}}" for seat in (1, 2, 3, 4))
    return (
        f"{_STYLE}@media screen and (prefers-color-scheme:dark){{\n"
        "body{color:#e6e6e6;background:#16181c}td,.event{border-color:#3d3d3d}"
        "th,summary,.quiet,.facts,.struck .line,.sign div{color:#a0a0a0}.ends{color:#ff9a8f}"
        f".sign div{{border-color:#b5b5b5}}circle{{fill:#16181c}}\n{dark}\n}}\n"
    )


def document(title: str, body: str) -> str:
    """Return a whole document."""
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="'
        "default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escaped(title)}</title>\n<style>\n{_style()}</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def sheet_pages(
    now: Standing, pages: Sequence[Page], drawn: Sequence[Sequence[Item]], head: str | None, whole: bool
) -> str:
    """Return the sheet: a picture a semester with its figures as text; `whole`: the closing page too."""
    parts = [_semester(page, items) for page, items in zip(pages, drawn, strict=True)]
    if whole:
        parts.append(_closing(now, head))
    return document(reports.title(now.history), "".join(parts))


def _semester(page: Page, items: Sequence[Item]) -> str:
    name = sheet.heading(page)
    box = f"{CROP} {CROP} {svg.number(WIDTH - 2 * CROP)} {svg.number(HEIGHT - 2 * CROP)}"
    headers = ("", _("gora"), _("pool"), _("whists"))
    rows = "".join(_figures(page, side) for side in page.sides)
    head = "".join(f"<th>{escaped(header)}</th>" for header in headers)
    table = f'<div class="wide"><table><tr>{head}</tr>\n{rows}</table></div>'
    summary = escaped(_("{page}: the figures as text").format(page=name))
    return (
        f'<section class="page"><div class="wide">{svg.inline(items, box, name)}</div>'
        f'<details class="screen"><summary>{summary}</summary>{table}</details></section>\n'
    )


def _figures(page: Page, side: sheet.Side) -> str:
    """Return a seat's running totals as a row of a table."""
    whists = "".join(
        f"<p>{escaped(_('on {name}').format(name=page.sides[strip.on or 0].names[-1]))}: "
        f"{escaped(sheet.running(strip))}</p>"
        for strip in side.whists
    )
    cells = [escaped(sheet.running(strip)) for strip in (side.gora, side.pool)]
    who = escaped(f"{side.seat + 1} {' → '.join(side.names)}")
    inside = "".join(f'<td class="run">{cell}</td>' for cell in (*cells, whists))
    return f"<tr><td>{who}</td>{inside}</tr>\n"


def settlement(now: Standing, head: str | None) -> str:
    """Return the closing page."""
    return document(reports.title(now.history), _closing(now, head))


def _closing(now: Standing, head: str | None) -> str:
    told = closing.closing(closing.isolated(now), head)
    signers = "".join(f"<div>{escaped(name)}</div>" for name in closing.signers(now))
    return (
        f'<section class="closing"><h1>{escaped(told.title)}</h1>\n{_sentences(told.lines)}'
        f"{_sections(told)}{_chart(now.history)}"
        f'<h2>{escaped(_("Signatures"))}</h2>\n<div class="sign">{signers}</div></section>\n'
    )


def _chart(history: History) -> str:
    if not history.state.deals:
        return ""
    name = _("Net after each deal")
    picture = svg.inline(
        chart.items(history, chart.WIDTH, chart.HEIGHT, 10.0), f"0 0 {chart.WIDTH:g} {chart.HEIGHT:g}", name
    )
    return f'<h2>{escaped(name)}</h2>\n<div class="wide chart">{picture}</div>\n'


def _sections(told: Report) -> str:
    return f'<div class="parts">\n{"".join(map(_section, told.sections))}</div>\n'


def _section(section: Table | Listing) -> str:
    """Return a section; a table of many columns is as wide as the page."""
    if isinstance(section, Table):
        is_wide = len(section.headers) > COLUMNS_HALF
    else:
        is_wide = max(map(len, section.lines), default=0) > LETTERS_HALF
    inside = table(section) if isinstance(section, Table) else _sentences(section.lines)
    full = ' class="full"' if is_wide else ""
    return f"<div{full}><h2>{escaped(section.title)}</h2>\n{inside}</div>\n"


def _sentences(lines: Sequence[str]) -> str:
    return "".join(f"<p>{escaped(line)}</p>\n" for line in lines)


def table(value: Table) -> str:
    """Return a table; columns of numbers are flush right."""
    kinds = [' class="n"' if at in value.numbers else "" for at in range(len(value.headers))]
    head = "".join(
        f"<th{kind}>{escaped(cell)}</th>" for kind, cell in zip(kinds, value.headers, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{escaped(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        + "</tr>\n"
        for row in value.rows
    )
    return f'<div class="wide"><table><tr>{head}</tr>\n{rows}</table></div>\n'


# ------------------------------------------------------------------ the protocol


def protocol(history: History, told: Sequence[Told], corrections: Sequence[str]) -> str:
    """Return the night deal by deal; struck lines stand struck through."""
    title = reports.title(history)
    events = "".join(map(_event, told))
    made = ""
    if corrections:
        made = f"<h2>{escaped(_('Corrections'))}</h2>\n{_sentences(corrections)}"
    body = (
        f'<section class="closing"><h1>{escaped(title)}</h1>\n'
        f'<p class="quiet">{escaped(_("Deal by deal"))}</p>\n'
        f"{_chart(history) if len(told) > 1 else ''}{events}{made}</section>\n"
    )
    return document(title, body)


def _event(event: Told) -> str:
    number = f"{event.number}. " if event.number else ""
    line = escaped(f"{number}{event.line}")
    facts = [event.struck, *event.facts] if event.struck else event.facts
    said = "".join(f'<p class="facts">{escaped(fact)}</p>' for fact in facts)
    entries = "".join(f"<p>{escaped(entry)}</p>" for entry in event.entries)
    kind, line = ("event struck", f"<s>{line}</s>") if event.struck else ("event", line)
    ends = f'<p class="ends">{escaped(event.ends)}</p>\n' if event.ends else ""
    return (
        f'<div class="{kind}"><div><p class="line">{line}</p>{said}</div>'
        f'<div class="entries">{entries}</div></div>\n{ends}'
    )
