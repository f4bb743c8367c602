"""`play` and `watch`: the screen of the night, and the board for everyone else."""

import gc
import os
import sys
from typing import Annotated

import typer

from .. import live
from ..errors import Fault, LedgerError
from ..i18n import N_, _
from ..render import lines
from . import ledger, say
from .options import By, Db, GameId, Json, Lang, Suits, tokens

HELP = {
    "play": N_("The live table: type or key in deals on one screen."),
    "watch": N_("A board that follows the game; records nothing."),
}

Id = Annotated[str | None, typer.Argument(metavar="[ID]", help=_("The game's id or its beginning."))]


def play_command(
    game_id: Id = None,
    by: By = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Show the table until it is left, then print where the game stands."""
    tokens(suits)
    _check_terminal()
    gc.enable()  # the program turns it off for commands that live for a moment
    from ..play.app import play
    from ..play.table import Table

    table = Table(ledger.path(db), game_id or game, by)
    code = play(table, suits)
    state = table.game.history.state
    say.tell("\n".join(lines.aligned(live.short_standing(state))))
    say.tell(live.what_next(state))
    return code


def watch_command(
    game_id: Id = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Show the board until it is closed; without a game named it follows the current one."""
    tokens(suits)
    _check_terminal()
    gc.enable()
    from ..play.table import Table
    from ..play.watch import watch

    wanted = game_id or game
    follows = not (wanted or os.environ.get("SKACHKI_GAME"))
    return watch(Table(ledger.path(db), wanted, None), suits, follows)


def _check_terminal() -> None:
    """Refuse where there is no terminal to draw on (E450)."""
    streams = (sys.stdin, sys.stdout)
    if not all(stream is not None and stream.isatty() for stream in streams):
        raise LedgerError(Fault("E450"))
