"""Options that many commands share, with one wording each."""

from typing import Annotated

import typer

from ..canon import Tokens, shown
from ..errors import Fault, SkachkiError
from ..i18n import _

Json = Annotated[bool, typer.Option("--json", help=_("Print JSON, one object on one line."))]
Lang = Annotated[str | None, typer.Option("--lang", metavar="ru|en", help=_("Language of every text."))]
Db = Annotated[
    str | None,
    typer.Option(
        "--db", metavar=_("FILE"), help=_("The ledger; default SKACHKI_DB, else your data folder.")
    ),
]
GameId = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="ID",
        help=_("The game: its id or the beginning; default SKACHKI_GAME, else the current one."),
    ),
]
Words = Annotated[list[str], typer.Argument(metavar=_("WORD…"), help=_("One line, as: Boris 7d wp 7/3"))]
Claims = Annotated[
    list[str] | None,
    typer.Argument(
        metavar=_("CLAIM…"), help=_('Each quoted: "Anna gora 24", "after 12: …", "semester 1: …".')
    ),
]
ClaimsFile = Annotated[
    str | None, typer.Option("--file", metavar="F", help=_("Claims from a file, one a line."))
]
ClaimsSheet = Annotated[
    str | None, typer.Option("--sheet", metavar="F", help=_("Claims from a standing's JSON."))
]
By = Annotated[
    str | None, typer.Option("--by", metavar=_("NAME"), help=_("Who writes; default SKACHKI_BY."))
]
Expect = Annotated[
    str | None,
    typer.Option("--expect", metavar="N", help=_("Only if the game has N deals; else list what came.")),
]
Suits = Annotated[str, typer.Option("--suits", metavar="letters|signs", help=_("How suits are shown."))]
After = Annotated[
    str | None,
    typer.Option("--after", metavar="N", help=_("Stop before the deal that follows N.")),
]

TableFormat = Annotated[
    str,
    typer.Option("--tablefmt", metavar=_("NAME"), help=_("A table format of tabulate: github, html …")),
]

Output = Annotated[
    str | None,
    typer.Option("-o", metavar=_("FILE"), help=_("Write to a new file; none is overwritten.")),
]


def tokens(suits: str) -> Tokens:
    """Return how contracts are shown. Raises SkachkiError (E403) for an unknown way."""
    if suits not in ("letters", "signs"):
        raise SkachkiError(Fault("E403", -1, {"word": suits}))
    return shown(suits == "signs")
