"""Saying no: one message on standard error for all that is wrong in one place."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import Fault
from ..i18n import N_, _

if TYPE_CHECKING:
    from ..intake import FaultyLine, Intake  # every command says no, few of them read files


def refusal(faults: Sequence[Fault], as_json: bool) -> int:
    """Print why a command was refused, all faults in one message, and return the exit code 1."""
    codes = ", ".join(dict.fromkeys(fault.code for fault in faults))
    message = "; ".join(fault.message() for fault in faults)
    if as_json:
        from ..render.jsonout import error

        print(error(faults, (), {}), file=sys.stderr)
    else:
        print(f"skachki: {message} [{codes}]", file=sys.stderr)
    return 1


def faulty_lines(path: str, faulty: "Sequence[FaultyLine]", as_json: bool) -> None:
    """Print one message a faulty line of a file: file, line, column, all its faults."""
    for line in faulty:
        if as_json:
            from ..render.jsonout import error

            print(
                error(line.faults, line.columns, {"file": path, "line": line.line or None}), file=sys.stderr
            )
            continue
        where = f"{path}:{line.line}:{line.columns[0]}" if line.line else path
        codes = ", ".join(dict.fromkeys(fault.code for fault in line.faults))
        message = "; ".join(fault.message() for fault in line.faults)
        print(f"{where}: {message} [{codes}]", file=sys.stderr)


def say_retyped(path: str, taken: "Intake") -> None:
    """Show how lines typed in the other keyboard layout were read."""
    from .. import canon

    for number, event, players in taken.retyped:
        read = canon.line(event, players, canon.shown(signs=False))
        text = _(N_("other keyboard layout, read as: {line}")).format(line=read)
        print(f"{path}:{number}: {text}", file=sys.stderr)
