"""The printouts as pages: the sheet a semester a page, the closing page, the protocol."""

from collections.abc import Sequence
from math import fsum

from . import closing, flow, geometry, reports, sheet
from .closing import Told
from .derive import History
from .flow import Band, Style
from .geometry import BOTTOM_OF_SQUARE, HEIGHT, MARGIN, WIDTH, Item, Line, Words, text
from .i18n import _
from .render import chart
from .sheet import Page
from .standing import Standing

CHART_HEIGHT, CHART_MIN, CHART_SIZE = 200.0, 90.0, 6.5


def semesters(now: Standing, pages: Sequence[Page], head: str | None) -> list[list[Item]]:
    """Return each semester's page: title, square, what the semester came to."""
    return [_semester(now, page, head) for page in pages]


def _semester(now: Standing, page: Page, head: str | None) -> list[Item]:
    middle = WIDTH / 2
    items: list[Item] = [
        text(middle, 48, reports.title(now.history), 16, "text", "middle", bold=True),
        text(middle, 66, sheet.heading(page), 10, "quiet", "middle"),
        *geometry.square(page, words(now, page)),
    ]
    y = BOTTOM_OF_SQUARE + 28
    for band in flow.table(sheet.result(page), size=8.5):
        items += [flow.moved(item, MARGIN, y) for item in band.items]
        y += band.height
    notes = [*sheet.prize_lines(page), *legend(page), sheet.terms(now, head)]
    return items + flow.paragraph(notes, y + 7, HEIGHT - 36, 7.5)


def words(now: Standing, page: Page) -> Words:
    """Return what stands on the square besides its figures."""
    rules = now.history.header.rules
    return Words(
        gora=_("gora"),
        pool=_("pool"),
        middle=(
            _("semester {roman}").format(roman=reports.roman(page.semester)),
            str(rules.target),
            closing.stake_short(now),
        ),
        names=tuple(
            (" → ".join(side.names), sheet.mark_text(side.mark) if side.mark else "") for side in page.sides
        ),
        on=tuple(_("on {name}").format(name=side.names[-1]) for side in page.sides),
    )


def legend(page: Page) -> list[str]:
    """Return what brackets and underlined figures mean, where the page has any."""
    strips = [strip for side in page.sides for strip in side.whists]
    kinds = {figure.kind for strip in strips for figure in strip.figures}
    texts = []
    if "carried" in kinds:
        texts.append(_("in brackets: whists carried over"))
    if "prize" in kinds:
        texts.append(_("underlined: with a prize"))
    return [" · ".join(texts)] if texts else []


def final(now: Standing, head: str | None) -> list[list[Item]]:
    """Return the closing page, with the night's picture and the lines to sign on."""
    report = closing.closing(closing.isolated(now), head)
    bands = [*_head(report.title, _("Settlement")), *_sentences(report.lines)]
    bands += flow.sections(report.sections)
    signed = flow.heading(_("Signatures")) + flow.signatures(closing.signers(now))
    if now.history.state.deals:
        title = flow.heading(_("Net after each deal"))
        left = flow.BOTTOM - flow.TOP - fsum(band.height for band in [*bands, *title, *signed])
        bands += [
            *title,
            _chart(now.history, min(left, CHART_HEIGHT) if left > CHART_MIN else CHART_HEIGHT),
        ]
    return flow.paged([*bands, *signed], report.title)


def _chart(history: History, height: float) -> Band:
    return Band(height, tuple(chart.items(history, geometry.INNER, height, CHART_SIZE)))


def _head(title: str, what: str) -> list[Band]:
    large = text(geometry.INNER / 2, 15, title, 16, "text", "middle", bold=True)
    small = text(geometry.INNER / 2, 31, what, 10, "quiet", "middle")
    return [Band(40, (large, small), True)]


def _sentences(lines: Sequence[str]) -> list[Band]:
    return [band for line in lines for band in flow.lines(line)]


def protocol(history: History, told: Sequence[Told], corrections: Sequence[str]) -> list[list[Item]]:
    """Return the night deal by deal: on the left what was played, on the right what it wrote."""
    title = reports.title(history)
    bands = _head(title, _("Deal by deal"))
    if len(told) > 1:
        bands += [_chart(history, CHART_HEIGHT), flow.gap(8)]
    for event in told:
        bands += _event(event)
    if corrections:
        bands += flow.heading(_("Corrections"))
        bands += [band for line in corrections for band in flow.lines(line, Style(8))]
    return flow.paged(bands, title)


_LEFT = geometry.INNER * 0.38


def _event(event: Told) -> list[Band]:
    """Return one event's bands, two columns side by side; a struck line is struck through."""
    number = f"{event.number}. " if event.number else ""
    style = Style(8, "quiet", struck=True) if event.struck else Style(8, "text", True)
    left = flow.lines(f"{number}{event.line}", style, 0, _LEFT - 8)
    for facts in (event.struck, " · ".join(event.facts)):
        left += flow.lines(facts, Style(6.5, "quiet"), 0, _LEFT - 8) if facts else []
    right = [band for entry in event.entries for band in flow.lines(entry, Style(7.5), _LEFT)]
    columns = flow.beside(left, right)
    rule = Line(0, -2, geometry.INNER, -2, "faint")
    bands = [flow.gap(5), Band(columns.height, (rule, *columns.items))]
    if event.ends:
        bands += [flow.gap(3), *flow.lines(event.ends, Style(9, "prize", True)), flow.gap(3)]
    return bands
