"""The program's entry: language first, then the command, then one place where refusals are said."""

import contextlib
import errno
import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import i18n
from ..errors import Fault, SkachkiError
from ..names import shown
from . import say

if TYPE_CHECKING:
    from click import ClickException
from .say import refusal

UNWRITABLE = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT, errno.EAGAIN)
"""What the system says of output that has nowhere to go."""
HELP_COLUMNS = 52
"""On a narrower terminal click would set its help too wide."""


def main() -> None:
    """Run the command line and exit: 0 fine, 1 refused, 2 misused, 130 interrupted.

    A command lives for a moment: collecting garbage in it and taking the interpreter apart after it
    would cost a third of its time. Files and ledgers are closed and output is flushed by then.
    """
    gc.disable()
    code = run(sys.argv[1:])
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    _prepare_streams()
    wanted = _option(arguments, "--lang")
    known = wanted in i18n.LANGUAGES
    i18n.use(i18n.choose(wanted if known else None, dict(os.environ)))
    if wanted is not None and not known:
        return refusal([Fault("E402", -1, {"word": wanted})], "--json" in arguments)
    _translate_click()
    try:
        return _call(arguments)
    except KeyboardInterrupt:
        return 130
    except SystemExit as stop:  # click's way out where nobody reads what it prints
        _drop_output()
        return stop.code if isinstance(stop.code, int) else 1
    except BrokenPipeError:  # whoever read the output has seen enough
        _drop_output()
        return 1
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise
        _drop_output()
        return refusal([Fault("E405", -1, {"why": error.strerror})], "--json" in arguments)


def _prepare_streams() -> None:
    """Make output UTF-8 whatever the locale; a stream that was closed is as good as none."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it lives as long as the program
        stream = getattr(sys, name)
        if isinstance(stream.buffer, io.RawIOBase):  # PYTHONUNBUFFERED: what is written short would be lost
            setattr(sys, name, io.TextIOWrapper(io.BufferedWriter(stream.buffer), line_buffering=True))
        getattr(sys, name).reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _call(arguments: Sequence[str]) -> int:
    import click  # after the language is set: click and typer translate when they load

    from .app import app

    try:
        narrow = {"terminal_width": say.columns()} if 0 < say.columns() < HELP_COLUMNS else {}
        code = app(list(arguments), prog_name="skachki", standalone_mode=False, **narrow)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except SkachkiError as error:
        return refusal(error.faults, "--json" in arguments, getattr(error, "path", ""))
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        _say_misuse(error)
        return 2


def _say_misuse(error: "ClickException") -> None:
    """Print what click says of a misused command line, which quotes it, as text."""
    said = io.StringIO()
    error.show(said)
    say.whole("\n".join(map(shown, said.getvalue().splitlines())))


def _option(arguments: Sequence[str], name: str) -> str | None:
    """Return the value of an option before the command line is parsed, None where it is not given."""
    found = None
    for place, word in enumerate(arguments):
        if word == "--":
            break
        if word == name and place + 1 < len(arguments):
            found = arguments[place + 1]
        elif word.startswith(f"{name}="):
            found = word[len(name) + 1 :]
    return found


def _translate_click() -> None:
    """Make click's own texts speak the language in use (its gettext domain is `messages`)."""
    import gettext

    os.environ["LANGUAGE"] = i18n.language()
    gettext.bindtextdomain("messages", os.path.join(os.path.dirname(i18n.__file__), "locale"))
