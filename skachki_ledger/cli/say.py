"""Saying no: one message on standard error for all that is wrong in one place."""

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import Fault, told
from ..i18n import _
from ..names import shown

if TYPE_CHECKING:
    from typing import TextIO

    from ..events import Event
    from ..intake import FaultyLine, Intake  # every command says no, few of them read files

COLUMNS_MIN = 20
"""No terminal is narrower; one that says so does not know."""


def refusal(faults: Sequence[Fault], as_json: bool, path: str = "") -> int:
    """Print why a command was refused, all faults in one message, and return the exit code 1.

    `path`: the file that is refused, where the message does not name it.
    """
    codes = ", ".join(dict.fromkeys(fault.code for fault in faults))
    message = said(faults)
    if as_json:
        from ..render.jsonout import error

        whole(error(faults, (), {"file": path} if path else {}))
    else:
        aside(f"skachki: {f'{shown(path)}: ' if path else ''}{message} [{codes}]")
    return 1


def said(faults: Sequence[Fault]) -> str:
    """Return all faults as one message. Its words may be anybody's: a file's, a command line's."""
    return shown(told(faults))


def faulty_lines(path: str, faulty: "Sequence[FaultyLine]", as_json: bool) -> None:
    """Print one message a faulty line of a file: file, line, column, all its faults."""
    for line in faulty:
        if as_json:
            from ..render.jsonout import error

            whole(error(line.faults, line.columns, {"file": path, "line": line.line or None}))
            continue
        where = f"{shown(path)}:{line.line}:{line.columns[0]}" if line.line else shown(path)
        codes = ", ".join(dict.fromkeys(fault.code for fault in line.faults))
        message = said(line.faults)
        aside(f"{where}: {message} [{codes}]")


def say_retyped(path: str, taken: "Intake", as_json: bool) -> None:
    """Show how lines of a file that were typed in the other keyboard layout were read."""
    for number, event, players in taken.retyped:
        reading(event, players, as_json, path, number)


def reading(
    event: "Event",
    players: Sequence[str],
    as_json: bool,
    path: str | None = None,
    number: int | None = None,
) -> None:
    """Show how a line typed in the other keyboard layout was read."""
    from .. import canon

    if as_json:
        from ..render.jsonout import dump

        line = canon.line(event, players)
        whole(dump({"reading": {"line": line, "file": path, "number": number}}))
        return
    text = _("other keyboard layout, read as: {line}")
    line = canon.line(event, players, canon.shown(signs=False))
    where = f"{shown(path)}:{number}: " if path else ""
    aside(where + text.format(line=line))


def tell(text: str) -> None:
    """Print text on standard output, as `_folded` for a terminal."""
    print(_folded(text, sys.stdout))


def aside(text: str) -> None:
    """Print text on standard error, as `_folded` for a terminal."""
    whole(_folded(text, sys.stderr))


def whole(text: str) -> None:
    """Print a line on standard error as it is; where nobody can be told, go on."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def _folded(text: str, stream: "TextIO") -> str:
    """Return text for a stream: a terminal would break what is too wide for it within a word."""
    room = _columns(stream)
    if not room or all(len(line) * 2 <= room for line in text.split("\n")):
        return text
    from ..render.lines import folded

    return folded(text, room)


def _columns(stream: "TextIO") -> int:
    """Return how wide the terminal is that a stream goes to, 0 where it goes elsewhere or is not told."""
    found = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    return found if found >= COLUMNS_MIN else 0


def columns() -> int:
    """Return how wide what is printed may be: the terminal's columns, 0 where it does not matter."""
    return _columns(sys.stdout)


def is_narrow() -> bool:
    """Tell whether the output goes to a terminal as narrow as a phone's."""
    return 0 < columns() < 60
