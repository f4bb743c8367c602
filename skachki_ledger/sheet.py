"""What stands on the four-sided sheet: each seat's running totals, a page a semester, as values.

A figure is the total of a cell after one event, as on paper, where the last one counts. Struck events
have left no figure. Pool and gora begin anew each semester; whists go on, so a page opens with what
was carried over.
"""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from . import reports
from .derive import History, Step
from .events import Substitution
from .i18n import _
from .model import SEATS, WHIST, Seat
from .reports import Listing, Report, Table
from .settlement import net, rounded
from .standing import Standing
from .state import Prize, State

NEXT, FIRST = "next", "first"
"""The dealer mark: who deals next; on a finished page, who dealt the semester's first deal."""


class Figure(NamedTuple):
    """A running total. `kind` is "" for what was played or agreed, "prize" or "carried"."""

    text: str
    kind: str = ""


class Strip(NamedTuple):
    """The figures of one cell, in the order they were written; `on` is the seat whists are on."""

    on: Seat | None
    figures: tuple[Figure, ...]


class Side(NamedTuple):
    """One seat's side of a page. Whists are on the seats to the left, opposite and to the right.

    `names` are those who sat there in the semester, in turn; `mark` is "", NEXT or FIRST.
    """

    seat: Seat
    names: tuple[str, ...]
    mark: str
    gora: Strip
    pool: Strip
    whists: tuple[Strip, ...]


class Page(NamedTuple):
    """One semester: its sides in seat order, its prizes, and the state when the page was full."""

    semester: int
    sides: tuple[Side, ...]
    labels: tuple[str, ...]
    after: State
    prizes: tuple[Prize, ...]
    is_over: bool


def pages(now: Standing, semester: int | None = None) -> tuple[Page, ...]:
    """Return a page a semester; `semester`: that one alone.

    A semester in which nothing has happened yet gets a page only as the first, or when asked for.
    """
    history = now.history
    last = history.state.semester
    if semester is None and last > 1 and not any(taken.semester == last for taken in counting(history)):
        last -= 1
    wanted = range(1, last + 1) if semester is None else (semester,)
    return tuple(_page(history, number) for number in wanted)


def _page(history: History, semester: int) -> Page:
    before, steps = history.start, []
    for taken in counting(history):
        if taken.semester < semester:
            before = taken.after
        elif taken.semester == semester:
            steps.append(taken)
    after = steps[-1].after if steps else before
    is_over = after.semester > semester or bool(after.over)
    labels = tuple(taken.label for taken in steps if taken.label)
    sides = tuple(_side(seat, before, steps, after, is_over) for seat in SEATS)
    kinds = (semester, 0) if after.over else (semester,)
    prizes = tuple(
        prize._replace(names=tuple(map(fenced, prize.names)))
        for prize in after.prizes
        if prize.semester in kinds
    )
    return Page(semester, sides, labels, after, prizes, is_over)


def counting(history: History) -> list[Step]:
    """Return the steps that count: not the deals that a correction put behind the game's end."""
    steps, deals = [], 0
    for taken in history.steps:
        if not taken.label or taken.after.deals > deals:
            steps.append(taken)
        deals = taken.after.deals
    return steps


def _side(seat: Seat, before: State, steps: Sequence[Step], after: State, is_over: bool) -> Side:
    names = [before.players[seat]]
    names += [
        taken.event.name
        for taken in steps
        if isinstance(taken.event, Substitution) and taken.event.seat == seat and not taken.faults
    ]
    if not is_over:
        mark = NEXT if after.dealer == seat else ""
    else:
        first = next((taken.dealer for taken in steps if taken.label), None)
        mark = FIRST if first == seat else ""
    around = [(seat + turn) % 4 for turn in (1, 2, 3)]
    return Side(
        seat,
        tuple(map(fenced, names)),
        mark,
        Strip(None, _points(steps, seat, "gora")),
        Strip(None, _points(steps, seat, "pool")),
        tuple(Strip(on, _whists(before, steps, seat, on)) for on in around),
    )


def _points(steps: Sequence[Step], seat: Seat, account: str) -> tuple[Figure, ...]:
    figures, total = [], 0
    for taken in steps:
        written = [e.amount for e in taken.entries if e.seat == seat and e.account == account]
        if written:
            total += sum(written)
            figures.append(Figure(number(total * WHIST)))
    return tuple(figures)


def _whists(before: State, steps: Sequence[Step], seat: Seat, on: Seat) -> tuple[Figure, ...]:
    total = before.whists[4 * seat + on]
    figures = [Figure(number(total), "carried")] if total else []
    for taken in steps:
        mine = [entry for entry in taken.entries if entry.seat == seat and entry.on == on]
        played = [entry.amount for entry in mine if not entry.rule.startswith("prize.")]
        if played:
            total += sum(played)
            figures.append(Figure(number(total)))
        for entry in mine:
            if entry.rule.startswith("prize."):
                total += entry.amount
                figures.append(Figure(number(total), "prize"))
    return tuple(figures)


_PARTS = {
    1: "¹/₁₂",
    2: "⅙",
    3: "¼",
    4: "⅓",
    5: "⁵/₁₂",
    6: "½",
    7: "⁷/₁₂",
    8: "⅔",
    9: "¾",
    10: "⅚",
    11: "¹¹/₁₂",
}


def number(twelfths: int) -> str:
    """Return an exact number as one writes it by hand: 24, −20, 66⅔.

    >>> [number(twelfths) for twelfths in (288, -240, 800, -4, 0)]
    ['24', '−20', '66⅔', '−⅓', '0']
    """
    whole, rest = divmod(abs(twelfths), WHIST)
    text = f"{whole or ''}{_PARTS[rest]}" if rest else str(whole)
    return f"−{text}" if twelfths < 0 else text


def heading(page: Page) -> str:
    """Return what a page is: "Semester II · deals 19–37"."""
    parts = [_("Semester {roman}").format(roman=reports.roman(page.semester))]
    if len(page.labels) > 1:
        parts.append(_("deals {first}–{last}").format(first=page.labels[0], last=page.labels[-1]))
    elif page.labels:
        parts.append(_("deal {label}").format(label=page.labels[0]))
    return " · ".join(parts)


def result(page: Page) -> Table:
    """Return the table under a page's square: pool, gora, prizes of the semester, net so far."""
    after = page.after
    pool, gora = _points_of(page)
    nets = rounded(net(after))
    rows = tuple(
        (
            f"{seat + 1} {page.sides[seat].names[-1]}",
            number(pool[seat] * WHIST),
            number(gora[seat] * WHIST),
            number(sum(after.whists[4 * seat : 4 * seat + 4])),
            number(sum(after.whists[seat::4])),
            number(nets[seat] * WHIST),
        )
        for seat in SEATS
    )
    headers = (
        *("", _("pool"), _("gora"), _("whists written"), _("whists against")),
        _("net so far"),
    )
    return Table("", headers, rows, (1, 2, 3, 4, 5))


def _points_of(page: Page) -> tuple[tuple[int, ...], tuple[int, ...]]:
    after = page.after
    if after.semester > page.semester:
        return after.closed[page.semester - 1]
    return after.pool, after.gora


def prize_lines(page: Page) -> list[str]:
    """Return the prizes of a page as sentences: "pool prize: Anna, 300 on each other"."""
    kinds = {
        (True, "pool"): _("pool prize"),
        (True, "gora"): _("gora prize"),
        (False, "pool"): _("final pool prize"),
        (False, "gora"): _("final gora prize"),
    }
    lines = []
    for prize in page.prizes:
        kind = kinds[bool(prize.semester), prize.kind]
        text = _("{kind}: {names}, {whists} on each of the others")
        if not prize.whists:
            text = _("{kind}: all four alike, nothing is written")
        names, whists = ", ".join(prize.names), number(prize.whists)
        lines.append(text.format(kind=kind, names=names, whists=whists))
    return lines


def mark_text(mark: str) -> str:
    """Return a dealer mark in words."""
    return _("deals next") if mark == NEXT else _("first dealer")


def terms(now: Standing, head: str | None) -> str:
    """Return what a sheet was kept by: rules, stake, record."""
    header = now.history.header
    parts = [_("rules {rules}").format(rules=reports.rules_text(header.rules))]
    if header.stake:
        stake = f"{header.stake.amount.replace('.', _('.'))} {header.stake.currency}"
        parts.append(_("{stake} a whist").format(stake=stake))
    if head:
        parts.append(_("head {head}").format(head=head[: reports.HEAD_DIGITS]))
    return " · ".join(parts)


def text_report(now: Standing, head: str | None, semester: int | None) -> Report:
    """Return the sheet as lines for a terminal: every cell's running totals, semester by semester."""
    sections: list[Table | Listing] = []
    for page in pages(now, semester):
        sections.append(Listing(heading(page), ()))
        for side in page.sides:
            sections.append(Listing(_side_title(side), tuple(_side_lines(page, side))))
        if page.prizes:
            sections.append(Listing(_("Prizes"), tuple(prize_lines(page))))
    legend = f"{_('in brackets: whists carried over')} · {_('between stars: with a prize')}"
    return Report(reports.title(now.history), (terms(now, head), legend), tuple(sections))


def _side_title(side: Side) -> str:
    mark = f" · {mark_text(side.mark)}" if side.mark else ""
    return f"{side.seat + 1} {' → '.join(side.names)}{mark}"


def _side_lines(page: Page, side: Side) -> list[str]:
    lines = [f"{_('gora')}: {running(side.gora)}", f"{_('pool')}: {running(side.pool)}"]
    for strip in side.whists:
        assert strip.on is not None
        on = _("whists on {name}").format(name=page.sides[strip.on].names[-1])
        lines.append(f"{on}: {running(strip)}")
    return [line.rstrip() for line in lines]


def running(strip: Strip) -> str:
    """Return a cell's figures in one line: (148).172.*472.* – brackets: carried, stars: a prize."""
    shapes = {"": "{}.", "carried": "({}).", "prize": "*{}*."}
    return "".join(shapes[figure.kind].format(figure.text) for figure in strip.figures)


_FIRST_STRONG, _POP = "\u2068", "\u2069"


def fenced(name: str) -> str:
    """Return a name as it stands in a sentence: one that runs right to left between isolates."""
    return f"{_FIRST_STRONG}{name}{_POP}" if runs_left(name) else name


def runs_left(name: str) -> bool:
    """Tell whether any letter of a name belongs to a script that runs right to left."""
    return not name.isascii() and any(unicodedata.bidirectional(char) in ("R", "AL") for char in name)
