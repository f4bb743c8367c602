"""One line of text is one event of the table, and back: lenient in, one canonical form out.

Reading knows shapes (how many tricks, which words) and the four names, never whether a deal is
legal. docs/notation.md is the page this module follows.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import canon, deal_lines, event_lines, vocabulary
from .errors import Fault, NotationError
from .events import DealPlayed, Event
from .lexer import tokenize
from .model import AllPass, Misere
from .names import Seats

LINE_LENGTH_MAX = 2000


class Reading(NamedTuple):
    """An event read from text; `retyped`: it made sense only in the other keyboard layout."""

    event: Event
    retyped: bool


def read_line(text: str, seats: Seats) -> Reading:
    """Return what one line of a game file says. Raises NotationError with all its faults."""
    if len(text) > LINE_LENGTH_MAX:
        raise NotationError(Fault("E125", "line", {"limit": LINE_LENGTH_MAX}))
    try:
        words = tokenize(text)[0] if '"' in text or ";" in text else text.split()
        return Reading(parse(words, seats), False)
    except NotationError as error:
        table = vocabulary.other_layout(text)
        typed = dict.fromkeys((text, text.split(";")[0].rstrip())) if table else ()
        return _in_other_layout([_words_of(line.translate(table or {})) for line in typed], seats, error)


def read_words(words: Sequence[str], seats: Seats) -> Reading:
    """Return what the words of a command line say: tokens, never re-joined or split."""
    if sum(map(len, words)) > LINE_LENGTH_MAX:
        raise NotationError(Fault("E125", "line", {"limit": LINE_LENGTH_MAX}))
    if len(words) == 1 and len(words[0].split()) > 1:
        raise NotationError(Fault("E145", 0, {"word": words[0][:60]}))
    try:
        return Reading(parse(words, seats), False)
    except NotationError as error:
        table = vocabulary.other_layout(" ".join(words))
        retyped = [[word.translate(table) for word in words]] if table else []
        return _in_other_layout(retyped, seats, error)


def _words_of(line: str) -> list[str]:
    try:
        return tokenize(line)[0]
    except NotationError:
        return []


def _in_other_layout(lines: Iterable[Sequence[str]], seats: Seats, error: NotationError) -> Reading:
    """Return the one event the retyped lines mean; where none does, raise the first `error`."""
    found: dict[str, Event] = {}
    for words in lines:
        try:
            event = parse(words, seats)
        except NotationError:
            continue
        found[canon.line(event, seats.players, canon.shown(signs=False))] = event
    if not found:
        raise error
    if len(found) > 1:
        raise NotationError(Fault("E119", -1, {"readings": " / ".join(found)}))
    return Reading(found.popitem()[1], True)


def parse(words: Sequence[str], seats: Seats) -> Event:
    """Return the event of a line's words as typed. Raises NotationError with all faults."""
    if not words:
        raise NotationError(Fault("E101", "line"))
    first = words[0].lower()
    if vocabulary.ALLPASS.find(first.partition("@")[0]):
        if not _is_seats_deal(words, seats):
            return deal_lines.read_deal(words, seats, deal_lines.allpass)
    elif keyword := vocabulary.EVENTS.find(first):
        try:
            return event_lines.READERS[keyword](words, seats)
        except NotationError:
            if not _is_seats_deal(words, seats):
                raise
    elif first in vocabulary.CORRECTIONS and not _is_seats_deal(words, seats):
        raise NotationError(Fault("E124", 0, {"word": words[0]}))
    if len(words) > 1 and vocabulary.MISERE.find(words[1]):
        return deal_lines.read_deal(words, seats, deal_lines.misere)
    return deal_lines.read_deal(words, seats, deal_lines.contract)


def _is_seats_deal(words: Sequence[str], seats: Seats) -> bool:
    """Tell whether a line that begins like a keyword is the deal of a player called so."""
    if len(words) < 2:
        return False
    is_deal = vocabulary.contract(words[1]) is not None or bool(vocabulary.MISERE.find(words[1]))
    return is_deal and seats.knows(words[0])


def first_keyword(text: str) -> str:
    """Return the keyword a line begins with ("fine", "dealer", "undo" …), "" where it may be a deal."""
    first = (text.split(None, 1) or [""])[0].lower()
    return first if first in vocabulary.CORRECTIONS else vocabulary.EVENTS.find(first) or ""


def part_index(event: Event | None, part: int | str, words: Sequence[str], seats: Seats) -> int:
    """Return the place among `words` of the part of an event that a fault names, -1 for none."""
    if isinstance(part, int) or not isinstance(event, DealPlayed):
        return part if isinstance(part, int) else 0
    last = len(words) - 1 - (2 if event.irregular else 0)
    if isinstance(event.deal, AllPass):
        for place, name, _wish in deal_lines.wishes(words[: last + 1]):
            if seats.knows(name) and part == f"dest{seats.find(name)}":
                return place if "@" in words[place] else place + 1
        return {"contract": 0, "tricks": 1}.get(part, 0)
    if isinstance(event.deal, Misere):
        return {"contract": 1, "tricks": 2, "dest": last}.get(part, 0)
    return {"contract": 1, "calls": 2, "tricks": 3, "dest": last}.get(part, 0)
