"""What is typed after a colon: the commands of the command line, run on the game that is open.

Each runs as it does outside, its output caught to be shown on the screen; where it asks, the screen
asks.
"""

import contextlib
import io
import queue
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .. import vocabulary
from ..errors import SkachkiError
from ..i18n import _

NAMES = (
    *("undo", "redo", "amend", "fine", "seat", "agree", "note", "sheet", "settle", "log", "help", "quit"),
    *("void", "insert", "check", "keys", "adjust", "dealer", "stop", "history", "rules", "explain"),
)
"""What may follow the colon, the most wanted first; events of the notation are among them."""

RUSSIAN = {
    "отмена": "undo",
    "вернуть": "redo",
    "исправить": "amend",
    "штраф": "fine",
    "замена": "seat",
    "сверено": "agree",
    "заметка": "note",
    "лист": "sheet",
    "расчёт": "settle",
    "расчет": "settle",
    "протокол": "log",
    "помощь": "help",
    "выход": "quit",
    "вычеркнуть": "void",
    "вставить": "insert",
    "проверка": "check",
    "клавиши": "keys",
    "кнопки": "keys",
    "правка": "adjust",
    "сдаёт": "dealer",
    "сдает": "dealer",
    "стоп": "stop",
    "история": "history",
    "правила": "rules",
    "почему": "explain",
}
EVENTS = frozenset(("fine", "seat", "agree", "note", "adjust", "dealer", "stop"))
"""Commands that are lines of the notation: previewed and recorded like a deal."""
CORRECTIONS = frozenset(("amend", "void", "insert"))
SHORT = {"q": "quit", "h": "help", "?": "help", "s": "settle"}
_WORD = re.compile(r"[:Ж^]\s*(\S*)\s*(.*)", re.DOTALL)


def spoken_name(name: str, language: str) -> str:
    """Return a command's name in a language."""
    return next((word for word, meant in RUSSIAN.items() if meant == name and language == "ru"), name)


class Command(NamedTuple):
    """A command typed after a colon and what follows it; `name` is "" where there is no such one."""

    name: str
    rest: str
    typed: str


def read(text: str) -> Command | None:
    """Return the command of a line that begins with a colon, in either layout; None for other lines.

    The Russian Ж is the key of the colon: a line that begins with it is a command only where the
    rest of its word names one.
    """
    match = _WORD.fullmatch(text.strip())
    if match is None:
        return None
    word = match[1].lower()
    name, way = _named(word)
    if not name and text.strip()[0] != ":":
        return None
    rest = match[2]
    if way == "retyped" and name not in EVENTS and (table := vocabulary.other_layout(rest)):
        rest = rest.translate(table)
    return Command(name, rest, name if way == "begun" else word)


def _named(word: str) -> tuple[str, str]:
    """Return the command a word names, and how: whole, begun, or retyped in the other layout."""
    if name := _whole(word):
        return name, "whole"
    table = vocabulary.other_layout(word)
    if table and (name := _whole(word.translate(table))):
        return name, "retyped"
    begun = [name for name in NAMES if name.startswith(word)]
    begun += [RUSSIAN[russian] for russian in RUSSIAN if russian.startswith(word)]
    return (begun[0], "begun") if word and begun else ("", "")


def _whole(word: str) -> str:
    return word if word in NAMES else RUSSIAN.get(word) or SHORT.get(word, "")


def spoken(language: str) -> tuple[str, ...]:
    """Return the names to suggest in a language."""
    if language != "ru":
        return NAMES
    names: dict[str, str] = {}
    for russian, name in RUSSIAN.items():
        names.setdefault(name, russian)
    return tuple(names[name] for name in NAMES) + NAMES


class Ran(NamedTuple):
    """What a command printed, and its refusal; `refused` is "" where it did what was asked."""

    printed: str
    refused: str


class Asker(io.StringIO):
    """Standard input of a command that asks: the question goes to `ask`, the answer comes by `answer`."""

    def __init__(self, ask: Callable[[], None]) -> None:
        super().__init__()
        self._ask = ask
        self._answers: queue.Queue[str] = queue.Queue()

    def isatty(self) -> bool:
        """Tell that somebody can be asked."""
        return True

    def answer(self, text: str) -> None:
        """Give the answer the command waits for."""
        self._answers.put(text)

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        """Return the answer as a line, once there is one."""
        self._ask()
        return self._answers.get() + "\n"

    @property
    def buffer(self) -> "_Bytes":  # type: ignore[override]
        """Return the same as bytes."""
        return _Bytes(self.readline)


class _Bytes:
    def __init__(self, readline: Callable[[], str]) -> None:
        self._readline = readline

    def readline(self) -> bytes:
        return self._readline().encode()


def run(arguments: Sequence[str], out: io.StringIO, stdin: io.StringIO | None = None) -> Ran:
    """Run a command line of skachki in this process; what it prints is caught in `out`."""
    import sys

    import click

    from ..cli.app import app

    kept = sys.stdin
    sys.stdin = stdin or io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            app(list(arguments), prog_name="skachki", standalone_mode=False)
    except SkachkiError as error:
        return Ran(out.getvalue(), str(error))
    except click.exceptions.Abort:
        return Ran(out.getvalue(), _("nothing is written"))
    except click.ClickException as error:
        return Ran(out.getvalue(), error.format_message())
    finally:
        sys.stdin = kept
    return Ran(out.getvalue(), "")


def exists(name: str) -> bool:
    """Tell whether the command line has a command of this name."""
    from ..cli.app import COMMANDS

    return name in COMMANDS
