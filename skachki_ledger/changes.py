"""A journal told record by record: what each one put in the place of what."""

import difflib
from collections.abc import Sequence
from typing import NamedTuple

from . import canon, corrections, journal, resolve, rules
from .corrections import Amend, Insert, Redo, Rename, Reopen, SetRule, Undo, Void
from .journal import Game, Record


class Change(NamedTuple):
    """One record: its line, and the texts it changed from and to (None where there is none)."""

    record: Record
    line: str
    old: str | None
    new: str | None


def history(game: Game, tokens: canon.Tokens = canon.CANONICAL) -> list[Change]:
    """Return every record after the first with what it changed, in the order they were written."""
    told = []
    for n in range(2, len(game.records) + 1):
        before = journal.game(game.id, game.records[: n - 1])
        told.append(_change(before, game.records[n - 1], tokens))
    return told


def _change(before: Game, record: Record, tokens: canon.Tokens) -> Change:
    line = corrections.read(record.payload)
    players = before.history.state.players
    text = corrections.text(line, players, tokens)
    match line:
        case Undo() | Redo():
            stack = before.resolved.done if isinstance(line, Undo) else before.resolved.undone
            what = corrections.read(before.records[stack[-1][-1] - 1].payload) if stack else None
            other = corrections.text(what, players, tokens) if what is not None else None
            return Change(record, text, *((other, None) if isinstance(line, Undo) else (None, other)))
        case Reopen():
            return Change(record, text, None, None)
        case Amend() | Void():
            old = _line_at(before, line.target, tokens)
            new = canon.line(line.event, players, tokens) if isinstance(line, Amend) else None
            return Change(record, text, old, new)
        case Insert():
            return Change(record, text, None, canon.line(line.event, players, tokens))
        case Rename():
            return Change(record, text, players[line.seat], line.name)
        case SetRule():
            was = rules.switches(before.history.header.rules)[line.switch]
            old, new = rules.show_value(was), rules.show_value(line.value)
            return Change(record, text, f"{line.switch}={old}", f"{line.switch}={new}")
        case _:
            return Change(record, text, None, text)


def _line_at(game: Game, target: str, tokens: canon.Tokens) -> str:
    item = game.items[resolve.find(game.resolved.slots, target)]
    return canon.line(item.event, item.players, tokens)


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
