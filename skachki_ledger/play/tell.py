"""What others wrote, what an undo takes back, what a command would do: told in one line."""

from typing import NamedTuple

from .. import canon, corrections, live
from ..events import DealPlayed
from ..i18n import _, language
from ..journal import Game, Record
from . import commands
from .commands import Command
from .preview import Preview, judge


class Came(NamedTuple):
    """Records that others wrote, and whether the game was replaced by another course of it."""

    records: tuple[Record, ...]
    replaced: bool


def told(came: Came, game: Game, tokens: canon.Tokens) -> str:
    """Return what others wrote, the last three with their authors, as one sentence."""
    labels = {item.record.n: item.label for item in game.items}
    players = game.history.state.players
    parts = []
    for record in came.records[-3:]:
        line = corrections.read(record.payload)
        label = labels.get(record.n, "") if isinstance(line, DealPlayed) else ""
        number = f"{label}. " if label else ""
        parts.append(f"{record.by}: {number}{corrections.text(line, players, tokens)}")
    more = len(came.records) - len(parts)
    return ("… " if more > 0 else "") + "; ".join(parts)


def foretold(command: Command, text: str, game: Game, tokens: canon.Tokens) -> Preview:
    """Return the preview of a command that was typed after a colon as `text`."""
    if command.name in commands.EVENTS:
        line = f"{command.typed} {command.rest}"
        found = judge(line, game.history, tokens)
        return found._replace(column=found.column + max(0, len(text) - len(line)))
    if not command.name:
        said = _(":help lists the commands")
    elif command.name in ("undo", "redo"):
        said = _turned_back(command.name == "redo", game, tokens)
    elif command.name in commands.CORRECTIONS:
        said = _target(command, game, tokens)
    else:
        said = f":{command.name}"
    return Preview("unfinished", None, (said,))


def _turned_back(again: bool, game: Game, tokens: canon.Tokens) -> str:
    stack = game.resolved.undone if again else game.resolved.done
    if not stack:
        return _("nothing was undone") if again else _("there is nothing to take back")
    line = live.line_of(game, stack[-1][-1], tokens)
    return (_("Enter brings back: {line}") if again else _("Enter takes back: {line}")).format(line=line)


def _target(command: Command, game: Game, tokens: canon.Tokens) -> str:
    """Return the line a correction is about, as far as its target is typed."""
    words = command.rest.removeprefix("--before").split()
    for item in game.items:
        if words and not item.struck and words[0] in (item.label, f"e{item.record.n}"):
            return f"{words[0]}: {canon.line(item.event, item.players, tokens)}"
    return _(":{name} N, a deal's number or an event as e14").format(
        name=commands.spoken_name(command.name, language())
    )
