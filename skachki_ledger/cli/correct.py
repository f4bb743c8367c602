"""Correcting the record without erasing it: `amend`, `void`, `insert`, `rename`, `rule`.

Each shows what it would change, asks, and is then written whole in one transaction, if the game
still stands as it was shown.
"""

import shlex
import sys
from collections.abc import Callable
from typing import Annotated, NamedTuple

import click
import typer

from .. import canon, consequences, corrections, drafting, header, live, notation, resolve, store
from ..corrections import Amend, Correction, Insert, Rename, SetRule, Void
from ..errors import Fault, LedgerError, NotationError
from ..events import DealerNamed, DealPlayed, Event
from ..i18n import N_, _
from ..journal import Game, Record
from ..model import Seat
from ..names import TEXT_LENGTH_MAX, Seats, clean_name
from ..render import lines
from . import ledger, say
from .options import By, Db, GameId, Json, Lang, Suits, Words, tokens
from .words import WordsCommand

HELP = {
    "amend": N_("Correct a deal or event; the old line is kept."),
    "void": N_("Strike a deal or event: it no longer counts."),
    "insert": N_("Put in a forgotten deal or event."),
    "rename": N_("Correct a misspelt name; a new person is `seat`."),
    "rule": N_("Change a switch for the whole game."),
}
CLASS = {"amend": WordsCommand, "insert": WordsCommand}

Target = Annotated[str, typer.Argument(metavar="N", help=_("A deal as 12 or 12a, an event as e14."))]
AmendedWords = Annotated[
    list[str] | None,
    typer.Argument(metavar=_("WORD…"), help=_("One line; with --dealer it may stay.")),
]
Reason = Annotated[str, typer.Option("--reason", metavar=_("TEXT"), help=_("Why; stays in the record."))]
Yes = Annotated[bool, typer.Option("--yes", help=_("Write it without asking."))]
ReopenPart = Annotated[
    bool, typer.Option("--reopen", help=_("Also in a finished game, or before what was agreed."))
]
DealtBy = Annotated[str | None, typer.Option("--dealer", metavar=_("SEAT"), help=_("Who really dealt it."))]


class Asked(NamedTuple):
    """The options all corrections share."""

    reason: str
    yes: bool
    reopen: bool
    by: str | None
    suits: str
    as_json: bool
    db: str | None
    game: str | None


def amend_command(
    target: Target,
    reason: Reason,
    words: AmendedWords = None,
    dealer: DealtBy = None,
    yes: Yes = False,
    reopen: ReopenPart = False,
    by: By = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Read the new line with the names then seated and put it in the old one's place.

    `--dealer` alone leaves the line as it is.
    """
    if not words and dealer is None:
        context = click.get_current_context()
        raise click.MissingParameter(ctx=context, param_hint=f"'{_('WORD…')}'", param_type="argument")
    typed = " ".join(words or ["--dealer", str(dealer)])
    asked = Asked(reason, yes, reopen, by, suits, as_json, db, game)

    def decide(before: Game) -> tuple[Correction, Seat | None]:
        item = drafting.target(before, target)
        seats = Seats(item.players)
        event = _read(words, seats, as_json) if words else item.event
        if isinstance(event, DealerNamed) and isinstance(item.event, DealPlayed):
            name = seats.players[event.seat]
            raise LedgerError(Fault("E433", -1, {"label": item.label, "dealer": name}))
        return Amend(drafting.name_of(item), event), _dealer(
            dealer, seats, event, drafting.recorded_dealer(before, item)
        )

    _correct(decide, typed, asked)


def void_command(
    target: Target,
    reason: Reason,
    yes: Yes = False,
    reopen: ReopenPart = False,
    by: By = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Let the target not count; it keeps its label."""
    asked = Asked(reason, yes, reopen, by, suits, as_json, db, game)
    _correct(
        lambda before: (Void(drafting.name_of(drafting.target(before, target))), None),
        f"void {target}",
        asked,
    )


def insert_command(
    words: Words,
    before: Annotated[
        str, typer.Option("--before", metavar="N", help=_("The deal or event it goes before."))
    ],
    reason: Reason,
    dealer: DealtBy = None,
    yes: Yes = False,
    reopen: ReopenPart = False,
    by: By = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Put a line directly before the target; its dealer is the seat after the previous deal's."""
    asked = Asked(reason, yes, reopen, by, suits, as_json, db, game)

    def decide(current: Game) -> tuple[Correction, Seat | None]:
        item = drafting.target(current, before)
        seats = Seats(item.players)
        event = _read(words, seats, as_json)
        return Insert(drafting.name_of(item), event), _dealer(
            dealer, seats, event, drafting.next_dealer(current, item)
        )

    _correct(decide, " ".join(words), asked)


def rename_command(
    seat: Annotated[str, typer.Argument(metavar=_("SEAT"), help=_("The player, or the seat's number."))],
    name: Annotated[str, typer.Argument(metavar=_("NAME"), help=_("The right name."))],
    reason: Reason,
    yes: Yes = False,
    reopen: ReopenPart = False,
    by: By = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Correct the name of who sits there, wherever it stands in the record."""
    asked = Asked(reason, yes, reopen, by, suits, as_json, db, game)

    def decide(before: Game) -> tuple[Correction, Seat | None]:
        seats = before.history.seats
        place, new = seats.find(seat), clean_name(name)
        came = resolve.seated(before.resolved.header, before.resolved.slots)[place]
        if came != seats.players[place]:  # a correction ended the game before he sat down
            raise LedgerError(Fault("E432", -1, {"name": came}))
        clash = Seats([n for at, n in enumerate(seats.players) if at != place]).clash(new)
        if clash:
            raise NotationError(Fault("E123", -1, {"name": clash}))
        return Rename(place, new), None

    _correct(decide, f"rename {seat} {name}", asked)


def rule_command(
    setting: Annotated[str, typer.Argument(metavar=_("SWITCH=VALUE"), help=_("See skachki rules."))],
    reason: Reason,
    yes: Yes = False,
    reopen: ReopenPart = False,
    by: By = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Set a switch for the whole game; every deal is scored anew."""
    asked = Asked(reason, yes, reopen, by, suits, as_json, db, game)

    def decide(before: Game) -> tuple[Correction, Seat | None]:
        after = header.set_switch(before.history.header.rules, setting)
        name = header.switch_name(setting)
        return SetRule(name, getattr(after, name)), None

    _correct(decide, f"rule {setting}", asked)


def _read(words: list[str], seats: Seats, as_json: bool) -> Event:
    reading = notation.read_words(words, seats)
    if reading.retyped:
        say.reading(reading.event, seats.players, as_json)
    return reading.event


def _dealer(word: str | None, seats: Seats, event: Event, default: Seat | None) -> Seat | None:
    """Return who dealt the corrected deal. Raises LedgerError (E410) for what is no deal."""
    if isinstance(event, DealPlayed):
        return seats.find(word) if word is not None else default
    if word is not None:
        raise LedgerError(Fault("E410"))
    return None


Decide = Callable[[Game], tuple[Correction, Seat | None]]


def _correct(decide: Decide, typed: str, asked: Asked) -> None:
    """Show what the correction changes, ask, write it if the game still stands as shown, tell."""
    shown = tokens(asked.suits)
    reason = _checked_reason(asked.reason)
    before = ledger.read_game(asked.db, asked.game)
    drafts = drafting.drafts(before, *decide(before), typed, reason, asked.reopen)
    preview = drafting.trial(before, drafts, ledger.now(), ledger.author(asked.by))
    told = "\n".join(consequences.correction(before, preview, shown) + consequences.told(before, preview))
    if not asked.yes:
        (say.aside if asked.as_json else say.tell)(told)
        _confirm()
    with store.writing(ledger.path(asked.db)) as connection:
        records = store.records(connection, before.id)
        if not records or records[-1].hash != before.head:
            raise LedgerError(
                Fault("E411", -1, {"came": _came(records, before, shown), "typed": _command()})
            )
        store.append(connection, before.id, records, drafts, ledger.author(asked.by), ledger.now())
        after = ledger.load(connection, before.id)
    if asked.as_json:
        more = {"changed": ledger.changed(before, after)}
        ledger.print_change(after, after.records[-1].n, more)
        return
    if asked.yes:  # only now: it is written even where nobody reads this to its end
        say.tell(told)
    say.tell("\n".join(lines.aligned(live.short_standing(after.history.state))))
    say.tell(live.what_next(after.history.state))


def _checked_reason(text: str) -> str:
    if not text.strip():
        raise NotationError(Fault("E115"))
    return ledger.clean(text, TEXT_LENGTH_MAX)


def _confirm() -> None:
    """Ask on a terminal. Raises LedgerError: E414 where nobody can be asked, E413 where it is declined."""
    sys.stdout.flush()
    if not (sys.stdin is not None and sys.stdin.isatty()):
        raise LedgerError(Fault("E414"))
    print(_("Write it? [y/N] "), end="", file=sys.stderr, flush=True)
    answer = b""
    try:
        answer = sys.stdin.buffer.readline()
    finally:
        if not answer.endswith(b"\n"):  # end of file, or an interrupt: the next line begins a line
            print(file=sys.stderr)
    if answer.decode("utf-8", "replace").strip().lower() not in ("y", "yes", "д", "да"):
        raise LedgerError(Fault("E413"))


def _came(records: list[Record], before: Game, shown: canon.Tokens) -> str:
    """Return what others wrote meanwhile, as lines with their authors."""
    players = before.history.state.players
    new = [
        f"{record.by}: {corrections.text(corrections.read(record.payload), players, shown)}"
        for record in records[len(before.records) :]
    ]
    return "; ".join(new) or f"e{len(records)} < e{len(before.records)}"


def _command() -> str:
    """Return the command as it was typed, to be typed again."""
    return shlex.join(["skachki", *sys.argv[1:]])
