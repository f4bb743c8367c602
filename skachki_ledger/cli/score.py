"""`score` and `rules`: what can be told without a ledger."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from .. import canon, gamefile, reports
from ..errors import FileError
from ..header import parse_preset
from ..i18n import N_, _
from ..intake import FaultyLine, Intake, admit
from ..render import jsonout
from ..standing import Standing, standing
from .files import read_text
from .options import After, Db, GameId, Json, Lang, Suits, tokens

HELP = {
    "score": N_("Score game files without a ledger: standings, whists, prizes, who pays whom."),
    "rules": N_("Show each switch of a preset with its value, meaning and source."),
}

Files = Annotated[list[str], typer.Argument(metavar="FILE…", help=_(N_("Game files, *.skachki.")))]


def score_command(
    files: Files,
    after: After = None,
    log: Annotated[bool, typer.Option("--log", help=_(N_("Every deal with what it wrote.")))] = False,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Print the standing of each file; faults go to standard error, the other files are scored."""
    shown = tokens(suits)
    failed = 0
    for place, path in enumerate(files):
        try:
            taken = admit(gamefile.read(read_text(path)))
        except FileError as error:
            taken = Intake(None, (), (FaultyLine(0, (0,), tuple(error.faults)),), ())
        if taken.history is None:
            failed = 1
            say_faults(path, taken.faulty, as_json)
            continue
        _say_retyped(path, taken)
        history = taken.history.until(after) if after is not None else taken.history
        if not as_json and place:
            print()
        _print_score(path, standing(history), taken.typed if log else None, shown, as_json)
    return failed


def _print_score(
    path: str, now: Standing, log: Sequence[str] | None, shown: canon.Tokens, as_json: bool
) -> None:
    """Print one standing; `log` are the lines as typed where the night is to be told deal by deal."""
    if as_json:
        value = jsonout.standing(now, file=path)
        if log is not None:
            value["log"] = jsonout.log(now.history, log)
        print(jsonout.dump(value))
        return
    from ..render import text

    if log is not None:
        print(text.report(reports.log_listing(now.history, shown)) + "\n")
    print(text.report(reports.whole_standing(now)))


def say_faults(path: str, faulty: Sequence[FaultyLine], as_json: bool) -> None:
    """Print one message a faulty line on standard error: file, line, column, all its faults."""
    for line in faulty:
        message = "; ".join(fault.message() for fault in line.faults)
        first = line.faults[0]
        place = {"file": path, "line": line.line or None, "column": line.columns[0] or None}
        if as_json:
            print(jsonout.error(first, message, place, _each(line)), file=sys.stderr)
            continue
        where = f"{path}:{line.line}:{line.columns[0]}" if line.line else path
        codes = ", ".join(dict.fromkeys(fault.code for fault in line.faults))
        print(f"{where}: {message} [{codes}]", file=sys.stderr)


def _each(line: FaultyLine) -> list[dict[str, Any]]:
    """Return the faults of one line apart, where there are several."""
    if len(line.faults) < 2:
        return []
    return [
        {
            "code": fault.code,
            "message": fault.message(),
            "rule": fault.rule,
            "column": column or None,
        }
        for fault, column in zip(line.faults, line.columns, strict=True)
    ]


def _say_retyped(path: str, taken: Intake) -> None:
    """Show how lines typed in the other keyboard layout were read."""
    for number, event, players in taken.retyped:
        read = canon.line(event, players, canon.shown(signs=False))
        text = _(N_("other keyboard layout, read as: {line}")).format(line=read)
        print(f"{path}:{number}: {text}", file=sys.stderr)


def rules_command(
    preset: Annotated[
        str, typer.Argument(metavar="[PRESET]", help=_(N_("piter, gambler or horse-racing.")))
    ] = "piter",
    diff: Annotated[
        str | None,
        typer.Option("--diff", metavar="PRESET", help=_(N_("Only what differs from it."))),
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print the switches of a preset, or those that differ between two."""
    current = parse_preset(preset)
    other = parse_preset(diff) if diff is not None else None
    if as_json:
        print(jsonout.dump(jsonout.switches(current, other)))
        return
    from ..render import text

    print(text.report(reports.switches(current, other)))
