"""A night in a text file, *.skachki: tag pairs, then one event a line (docs/notation.md).

Reading collects every faulty line and goes on; a file with one fault is no game. Writing gives the
canonical text, which reads back as the same game.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import canon, header, lexer, notation
from .deal_lines import FaultyDealError
from .errors import Fault, NotationError
from .events import DealPlayed, Event, Substitution
from .header import Header, Placed, Tag
from .names import TEXT_LENGTH_MAX, Seats, is_printable

LINES_MAX = 20_000
"""More lines than any game has; a file with more is refused early."""

FAULTS_MAX = 20
"""More than anybody reads of one line."""
TAGS_MAX = 500
"""More tags than a file can have a use for, and a tag is looked for among all of them."""

_TAG = re.compile(r'\s*\[\s*([^\W\d_]\w*)\s+"((?:\\.|[^"\\])*)"\s*\]\s*(?:;.*)?')
_NUMBER = re.compile(r"\s*(\d{1,6})\.(?=\s|$)", re.ASCII)
_PLAYERS = re.compile(r"\s*\[\s*Players\b")
_LINE_ENDS = re.compile("\r\n|\n|\r")


class Line(NamedTuple):
    """One event line: what it says, or why it says nothing.

    `event` of a faulty line is its likely meaning (None where there is none), so that the lines
    after it can still be judged. `retyped`: it was read in the other keyboard layout. `skip` is how
    many characters of `text` its deal number takes; `seats` are those who sat there.
    """

    number: int
    text: str
    skip: int
    seats: Seats
    event: Event | None
    faults: tuple[Fault, ...]
    retyped: bool


class GameFile(NamedTuple):
    """A file's header (None where it cannot be used), its event lines, the faults of its tags."""

    header: Header | None
    lines: tuple[Line, ...]
    faults: tuple[Placed, ...]


def read(text: str) -> GameFile:
    """Return the game in a file's text. Never raises: all faults are in the result."""
    tags: list[Tag] = []
    rows: list[tuple[int, str]] = []
    faults: list[Placed] = []
    if text.count("\n") >= LINES_MAX or text.count("\r") >= LINES_MAX:  # before they fill the memory
        return _too_long()
    source = _LINE_ENDS.split(text)
    if len(source) > LINES_MAX:
        return _too_long()
    for number, row in enumerate(source, 1):
        start = row.lstrip()[:1]
        if start == "[":
            _read_tag(number, row, tags, faults)
            if rows:
                faults.append((number, 1, Fault("E140")))
        elif start and start != ";":
            rows.append((number, row))
    head = header.read(tags, faults, any(_PLAYERS.match(row) for row in source))
    if head is None:
        return GameFile(None, (), tuple(faults))
    return GameFile(None if faults else head, tuple(_lines(rows, Seats(head.players))), tuple(faults))


def _too_long() -> GameFile:
    return GameFile(None, (), ((0, 0, Fault("E142", -1, {"limit": LINES_MAX})),))


def _read_tag(number: int, row: str, tags: list[Tag], faults: list[Placed]) -> None:
    if len(row) > TEXT_LENGTH_MAX:
        faults.append((number, 1, Fault("E125", -1, {"limit": TEXT_LENGTH_MAX})))
        return
    match = _TAG.fullmatch(row)
    if match is None:
        faults.append((number, 1, Fault("E130")))
        return
    if len(tags) >= TAGS_MAX:
        faults.append((number, 1, Fault("E142", -1, {"limit": TAGS_MAX})))
        return
    name, value = match[1], lexer.unescape(match[2])
    column = match.start(2) + 1
    if not is_printable(value):
        faults.append((number, column, Fault("E126")))
    elif name != "Rule" and any(tag.name == name for tag in tags):
        faults.append((number, match.start(1) + 1, Fault("E131", -1, {"tag": name})))
    else:
        tags.append(Tag(number, column, name, value))


def _lines(rows: Iterable[tuple[int, str]], seats: Seats) -> Iterable[Line]:
    """Yield the event lines; a substitution changes the names that later lines may use."""
    deals = 0
    for number, row in rows:
        faults: tuple[Fault, ...] = ()
        event: Event | None = None
        retyped = False
        skip, labelled = _deal_number(row) if "." in row else (0, None)
        text = row[skip:]
        try:
            event, retyped = notation.read_line(text, seats)
        except NotationError as error:
            faults = error.faults[:FAULTS_MAX]
            event = error.event if isinstance(error, FaultyDealError) else None
        is_deal = isinstance(event, DealPlayed) or (event is None and not notation.first_keyword(text))
        if is_deal:
            deals += 1
        if labelled is not None and not is_deal:
            faults += (Fault("E143", "line", {"number": f"{labelled}."}),)
        elif labelled is not None and labelled != deals:
            faults += (Fault("E141", "line", {"expected": deals, "number": labelled}),)
        yield Line(number, row, skip, seats, event, faults, retyped)
        if isinstance(event, Substitution) and not faults:
            seats = seats.replaced(event.seat, event.name)


def _deal_number(row: str) -> tuple[int, int | None]:
    """Return how many characters a row's deal number `12.` takes, and the number."""
    match = _NUMBER.match(row)
    return (match.end(), int(match[1])) if match else (0, None)


def columns(line: Line) -> tuple[int, ...]:
    """Return the column (from 1) of each fault of a line."""
    return tuple(_column(line, fault) for fault in line.faults)


def _column(line: Line, fault: Fault) -> int:
    if fault.part == "line":
        return len(line.text) - len(line.text.lstrip()) + 1
    try:
        words, starts = lexer.tokenize(line.text[line.skip :])
    except NotationError as error:  # an open quote: its place is in the fault
        return line.skip - int(error.faults[0].part)
    place = notation.part_index(line.event, fault.part, words, line.seats)
    return line.skip + starts[place] if 0 <= place < len(starts) else len(line.text.rstrip()) + 1


def write(head: Header, events: Sequence[Event]) -> str:
    """Return the canonical text of a game, deals numbered from 1."""
    seats = Seats(head.players)
    rows = [*header.write(head), ""]
    deals = 0
    for event in events:
        text = canon.line(event, seats.players)
        if isinstance(event, DealPlayed):
            deals += 1
            text = f"{deals}. {text}"
        elif isinstance(event, Substitution):
            seats = seats.replaced(event.seat, event.name)
        rows.append(text)
    return "\n".join(rows) + "\n"
