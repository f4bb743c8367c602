"""Corrections as lines of a journal: what amends the record without erasing it (correction).

They are refused in a game file, which holds only what was played. A target is a deal's label
("12", "12a") or an event's place in the journal ("e14").
"""

import re
from typing import NamedTuple

from . import canon, header, notation, rules, vocabulary
from .errors import Fault, NotationError
from .events import Event
from .lexer import tokenize
from .model import Seat
from .names import Seats, clean_name
from .rules import Value

NUMBERS = ("1", "2", "3", "4")
"""Payloads name seats by number: a renamed player needs no new record."""

_SEATS = Seats(NUMBERS)
TARGET = re.compile(r"e\d{1,6}|\d{1,6}[a-z]{0,3}", re.ASCII)


class Undo(NamedTuple):
    """Takes the last event back that is not itself undone."""


class Redo(NamedTuple):
    """Brings back what the last undo took."""


class Reopen(NamedTuple):
    """The table takes up a finished or agreed part again; the correction after it belongs to it."""


class Amend(NamedTuple):
    """`event` stands in the place of `target`."""

    target: str
    event: Event


class Void(NamedTuple):
    """`target` does not count."""

    target: str


class Insert(NamedTuple):
    """`event` counts directly before `target`."""

    target: str
    event: Event


class Rename(NamedTuple):
    """Who sits at `seat` is called `name`: a misspelt player, not a new person."""

    seat: Seat
    name: str


class SetRule(NamedTuple):
    """The whole game is played with `switch` set to `value`."""

    switch: str
    value: Value


Correction = Amend | Void | Insert | Rename | SetRule
Line = Event | Correction | Undo | Redo | Reopen

_PLAIN: dict[str, Line] = {"undo": Undo(), "redo": Redo(), "reopen": Reopen()}


def read(payload: str) -> Line:
    """Return what a record's payload says. Raises NotationError where it is no line of a journal."""
    if payload in _PLAIN:
        return _PLAIN[payload]
    word, _, rest = payload.partition(" ")
    if word in ("amend", "insert"):
        target, colon, line = rest.partition(": ")
        if colon and TARGET.fullmatch(target):
            event = notation.read_line(line, _SEATS).event
            return Amend(target, event) if word == "amend" else Insert(target, event)
    if word == "void" and TARGET.fullmatch(rest):
        return Void(rest)
    if word == "rename":
        words = tokenize(rest)[0]
        if len(words) == 2:
            return Rename(_SEATS.find(words[0]), clean_name(words[1]))
    if word == "rule" and (name := header.switch_name(rest)):
        value = rules.parse_value(name, rest.partition("=")[2])
        if value is not None:
            return SetRule(name, value)
    return notation.read_line(payload, _SEATS).event


def payload(line: Line) -> str:
    """Return the record's payload: canonical notation with seat numbers for names."""
    return text(line, NUMBERS)


def text(line: Line, players: tuple[str, ...], tokens: canon.Tokens = canon.CANONICAL) -> str:
    """Return a journal's line with the names of those seated."""
    words = tokens.keywords
    match line:
        case Amend():
            return f"{words['amend']} {line.target}: {canon.line(line.event, players, tokens)}"
        case Insert():
            return f"{words['insert']} {line.target}: {canon.line(line.event, players, tokens)}"
        case Void():
            return f"{words['void']} {line.target}"
        case Rename():
            return f"{words['rename']} {players[line.seat].replace(' ', '_')} {canon.quoted(line.name)}"
        case SetRule():
            return f"{words['rule']} {line.switch}={rules.show_value(line.value)}"
        case Undo():
            return words["undo"]
        case Redo():
            return words["redo"]
        case Reopen():
            return words["reopen"]
        case _:
            return canon.line(line, players, tokens)


def check_target(word: str) -> str:
    """Return a target as it is recorded. Raises NotationError (E407) for a word that is none."""
    target = vocabulary.label(word)
    if not TARGET.fullmatch(target):
        raise NotationError(Fault("E407", -1, {"word": word[:60]}))
    return target
