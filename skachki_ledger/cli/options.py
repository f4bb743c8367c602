"""Options that many commands share, with one wording each."""

from typing import Annotated

import typer

from ..canon import Tokens, shown
from ..errors import Fault, SkachkiError
from ..i18n import N_, _

Json = Annotated[bool, typer.Option("--json", help=_(N_("Print JSON, one object on one line.")))]
Lang = Annotated[str | None, typer.Option("--lang", metavar="ru|en", help=_(N_("Language of every text.")))]
Db = Annotated[str | None, typer.Option("--db", metavar="FILE", help=_(N_("The ledger file.")))]
GameId = Annotated[str | None, typer.Option("--game", metavar="ID", help=_(N_("The game.")))]
Suits = Annotated[str, typer.Option("--suits", metavar="letters|signs", help=_(N_("How suits are shown.")))]
After = Annotated[
    str | None,
    typer.Option("--after", metavar="N", help=_(N_("Stop before the deal that follows N."))),
]


def tokens(suits: str) -> Tokens:
    """Return how contracts are shown. Raises SkachkiError (E403) for an unknown way."""
    if suits not in ("letters", "signs"):
        raise SkachkiError(Fault("E403", -1, {"word": suits}))
    return shown(suits == "signs")
