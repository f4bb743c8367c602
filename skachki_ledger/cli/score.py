"""`score` and `rules`: what can be told without a ledger."""

import os
from collections.abc import Sequence
from typing import Annotated

import typer

from .. import canon, gamefile, reports
from ..errors import SkachkiError
from ..header import parse_preset
from ..i18n import N_, _
from ..intake import FaultyLine, Intake, admit
from ..render import jsonout
from ..rules import Rules
from ..standing import Standing, standing
from . import ledger
from .files import read_text
from .options import After, Db, GameId, Json, Lang, Suits, tokens
from .say import columns, faulty_lines, say_retyped, tell

HELP = {
    "score": N_("Score game files; no ledger is needed."),
    "rules": N_("Show the rules: every switch and its meaning."),
}

Files = Annotated[list[str], typer.Argument(metavar=_("FILE…"), help=_("Game files, *.skachki."))]


def score_command(
    files: Files,
    after: After = None,
    log: Annotated[bool, typer.Option("--log", help=_("Every deal with what it wrote."))] = False,
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
            history = taken.history
            if history is not None and after is not None:
                history = history.until(after)
        except SkachkiError as error:
            taken = Intake(None, (), (FaultyLine(0, (0,) * len(error.faults), error.faults),), ())
            history = None
        if history is None:
            failed = 1
            faulty_lines(path, taken.faulty, as_json)
            continue
        say_retyped(path, taken, as_json)
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
        tell(text.report(reports.log_listing(now.history, shown)) + "\n")
    tell(text.report(reports.whole_standing(now), columns=columns()))


def rules_command(
    preset: Annotated[
        str | None, typer.Argument(metavar=_("[PRESET]"), help=_("piter, gambler or horse-racing."))
    ] = None,
    diff: Annotated[
        str | None,
        typer.Option("--diff", metavar=_("PRESET"), help=_("Only what differs from it.")),
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print the switches of a preset (else of the current game), or those that differ between two."""
    current = parse_preset(preset) if preset is not None else _rules_in_force(db, game)
    other = parse_preset(diff) if diff is not None else None
    if as_json:
        print(jsonout.dump(jsonout.switches(current, other)))
        return
    from ..render import text

    tell(text.report(reports.switches(current, other)))


def _rules_in_force(db: str | None, game: str | None) -> Rules:
    """Return the current game's rules; the preset piter where there is no ledger."""
    place = ledger.path(db)
    if not (db or game or os.path.exists(place)):
        return parse_preset("piter")
    return ledger.read_game(db, game).history.header.rules
