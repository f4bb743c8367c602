"""A journal told record by record: what each one put in the place of what.

Only the lines are resolved, nothing is scored.
"""

import difflib
from collections.abc import Sequence
from typing import NamedTuple

from . import canon, corrections, journal, resolve, rules
from .corrections import Amend, Insert, Line, Redo, Rename, Reopen, SetRule, Undo, Void
from .events import Substitution
from .header import Header
from .journal import Game, Record
from .resolve import Resolved


class Change(NamedTuple):
    """One record: its line, and the texts it changed from and to (None where there is none).

    `dealers` are the names of who dealt before and after, where an amendment changed that. `agreed` are
    the records by which the table had agreed on what this one changes.
    """

    record: Record
    line: str
    old: str | None
    new: str | None
    dealers: tuple[str, str] | None = None
    agreed: tuple[int, ...] = ()


def history(game: Game, tokens: canon.Tokens = canon.CANONICAL) -> list[Change]:
    """Return every record after the first with what it changed, in the order they were written."""
    opening = journal.opening(game.records[0])
    lines = [corrections.read(record.payload) for record in game.records[1:]]
    since = resolve.corrected_since(game.resolved)
    told = []
    players: tuple[str, ...] | None = opening.players
    for at, line in enumerate(lines):
        record = game.records[at + 1]
        if isinstance(line, Undo | Redo | Reopen | Amend | Void | Insert | Rename | SetRule):
            before = resolve.resolve(opening, lines[:at])
            found = _change(game.records, before, record, line, tokens)
            told.append(found._replace(agreed=tuple(n for n, later in since.items() if record.n in later)))
            players = None
            continue
        if players is None:
            players = _seated(opening, lines[:at])
        text = canon.line(line, players, tokens)
        told.append(Change(record, text, None, text))
        if isinstance(line, Substitution):
            players = tuple(line.name if seat == line.seat else old for seat, old in enumerate(players))
    return told


def _seated(opening: Header, lines: Sequence[Line]) -> tuple[str, ...]:
    now = resolve.resolve(opening, lines)
    return resolve.seated(now.header, now.slots)


def of_last(before: Game, after: Game, tokens: canon.Tokens) -> Change:
    """Return what the last record of `after` changes in the game `before` it."""
    record = after.records[-1]
    return _change(after.records, before.resolved, record, corrections.read(record.payload), tokens)


def _change(
    records: Sequence[Record], before: Resolved, record: Record, line: Line, tokens: canon.Tokens
) -> Change:
    players = resolve.seated(before.header, before.slots)
    text = corrections.text(line, players, tokens)
    match line:
        case Undo() | Redo():
            stack = before.done if isinstance(line, Undo) else before.undone
            other = _turned(records, stack[-1][-1], tokens) if stack else None
            return Change(record, text, *((other, None) if isinstance(line, Undo) else (None, other)))
        case Amend() | Void() | Insert():
            return _at_target(records, before, record, line, tokens)
        case Rename():
            return Change(record, text, players[line.seat], line.name)
        case SetRule():
            was = rules.switches(before.header.rules)[line.switch]
            old, new = rules.show_value(was), rules.show_value(line.value)
            return Change(record, text, f"{line.switch}={old}", f"{line.switch}={new}")
        case Reopen():
            return Change(record, text, None, None)
        case _:
            return Change(record, text, None, text)


def _turned(records: Sequence[Record], n: int, tokens: canon.Tokens) -> str:
    """Return the line of a record that is taken back or brought in again, with the names of then."""
    return corrections.text(
        corrections.read(records[n - 1].payload), journal.seated_before(records, n), tokens
    )


def _at_target(
    records: Sequence[Record],
    before: Resolved,
    record: Record,
    line: Amend | Void | Insert,
    tokens: canon.Tokens,
) -> Change:
    """Return what a correction of one event changes, with the names of those who sat there then."""
    place = resolve.find(before.slots, line.target)
    players = resolve.seated(before.header, before.slots[:place])
    text = corrections.text(line, players, tokens)
    new = None if isinstance(line, Void) else canon.line(line.event, players, tokens)
    if isinstance(line, Insert):
        return Change(record, text, None, new)
    slot = before.slots[place]
    old = canon.line(slot.event, players, tokens)
    was, now = records[slot.n - 1].seen, record.seen
    moved = (players[was.dealer], players[now.dealer]) if was and now and was.dealer != now.dealer else None
    return Change(record, text, old, new, moved)


def marked(old: str, new: str) -> tuple[str, str]:
    """Return both texts with the words that differ in square brackets.

    >>> marked("Vera 7d wp 7/3", "Vera 7d wp 6/4")
    ('Vera 7d wp [7/3]', 'Vera 7d wp [6/4]')
    """
    was, now = old.split(), new.split()
    matcher = difflib.SequenceMatcher(None, was, now, autojunk=False)
    left: list[str] = []
    right: list[str] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        left += was[a:b] if kind == "equal" else _bracketed(was[a:b])
        right += now[c:d] if kind == "equal" else _bracketed(now[c:d])
    return " ".join(left), " ".join(right)


def _bracketed(words: Sequence[str]) -> list[str]:
    return [f"[{' '.join(words)}]"] if words else []
