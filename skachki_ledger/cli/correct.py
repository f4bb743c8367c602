"""Correcting the record without erasing it: `amend`, `void`, `insert`, `rename`, `rule`.

Each shows what it would change, asks, and is then written whole in one transaction, if the game
still stands as it was shown.
"""

import sys
from collections.abc import Callable
from typing import Annotated, NamedTuple

import typer

from .. import canon, consequences, corrections, header, journal, live, notation, resolve, store
from ..corrections import Amend, Correction, Insert, Rename, SetRule, Void
from ..derive import refusals
from ..errors import Fault, IllegalEventError, LedgerError, NotationError
from ..events import Agreement, DealPlayed, Event
from ..i18n import N_, _
from ..journal import Draft, Game, Item, Record
from ..model import Seat
from ..names import Seats, clean_name, is_printable
from ..render import lines
from . import ledger, say
from .options import By, Db, GameId, Json, Lang, Suits, tokens
from .words import WordsCommand

HELP = {
    "amend": N_("Correct a deal or event; the old line is kept."),
    "void": N_("Let a deal or event not count."),
    "insert": N_("Put in a forgotten deal or event."),
    "rename": N_("Correct a misspelt name; a new person is `seat`."),
    "rule": N_("Set a switch otherwise for the whole game."),
}
CLASS = {"amend": WordsCommand, "insert": WordsCommand}

Target = Annotated[str, typer.Argument(metavar="N", help=_(N_("A deal as 12 or 12a, an event as e14.")))]
Words = Annotated[list[str], typer.Argument(metavar="WORD…", help=_(N_("One line, as: Boris 7d wp 7/3")))]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help=_(N_("Why; stays in the record.")))]
Yes = Annotated[bool, typer.Option("--yes", help=_(N_("Write it without asking.")))]
ReopenPart = Annotated[
    bool, typer.Option("--reopen", help=_(N_("Also in a finished game, or before what was agreed.")))
]
DealtBy = Annotated[
    str | None, typer.Option("--dealer", metavar="SEAT", help=_(N_("Who really dealt it.")))
]


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
    words: Words,
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
    """Read the new line with the names then seated and put it in the old one's place."""
    asked = Asked(reason, yes, reopen, by, suits, as_json, db, game)

    def decide(before: Game) -> tuple[Correction, Seat | None]:
        item = _target(before, target)
        seats = Seats(item.players)
        event = _read(words, seats, as_json)
        return Amend(_name_of(item), event), _dealer(dealer, seats, event, _recorded_dealer(item))

    _correct(decide, " ".join(words), asked)


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
    _correct(lambda before: (Void(_name_of(_target(before, target))), None), f"void {target}", asked)


def insert_command(
    words: Words,
    before: Annotated[
        str, typer.Option("--before", metavar="N", help=_(N_("The deal or event it goes before.")))
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
        item = _target(current, before)
        seats = Seats(item.players)
        event = _read(words, seats, as_json)
        return Insert(_name_of(item), event), _dealer(dealer, seats, event, _next_dealer(current, item))

    _correct(decide, " ".join(words), asked)


def rename_command(
    seat: Annotated[str, typer.Argument(metavar="SEAT", help=_(N_("The player, or the seat's number.")))],
    name: Annotated[str, typer.Argument(metavar="NAME", help=_(N_("The right name.")))],
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
        seats = Seats(before.history.state.players)
        place, new = seats.find(seat), clean_name(name)
        clash = Seats([n for at, n in enumerate(seats.players) if at != place]).clash(new)
        if clash:
            raise NotationError(Fault("E123", -1, {"name": clash}))
        return Rename(place, new), None

    _correct(decide, f"rename {seat} {name}", asked)


def rule_command(
    setting: Annotated[str, typer.Argument(metavar="SWITCH=VALUE", help=_(N_("See skachki rules.")))],
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


def _target(game: Game, word: str) -> Item:
    """Return the item that counts under a label or eN."""
    place = resolve.find(game.resolved.slots, corrections.check_target(word))
    return game.items[place]


def _name_of(item: Item) -> str:
    return item.label or f"e{item.record.n}"


def _read(words: list[str], seats: Seats, as_json: bool) -> Event:
    reading = notation.read_words(words, seats)
    if reading.retyped:
        say.reading(reading.event, seats.players, as_json)
    return reading.event


def _recorded_dealer(item: Item) -> Seat | None:
    return item.step.dealer if item.step is not None and isinstance(item.event, DealPlayed) else None


def _next_dealer(game: Game, item: Item) -> Seat:
    """Return the seat after the dealer of the deal before `item`; the first dealer before any."""
    dealer = None
    for other in game.items:
        if other is item:
            break
        if other.step is not None and other.step.label:
            dealer = other.step.dealer
    return game.history.start.dealer if dealer is None else (dealer + 1) % 4


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
    drafts = _drafts(before, decide, typed, reason, asked.reopen)
    after = _with(before, drafts, asked.by)
    if not asked.as_json:
        print("\n".join(consequences.told(before, after)))
    _confirm(asked.yes)
    with store.writing(ledger.path(asked.db)) as connection:
        records = store.records(connection, before.id)
        if records[-1].hash != before.head:
            came = _came(records[len(before.records) :], before, shown)
            raise LedgerError(Fault("E411", -1, {"came": came, "typed": typed}))
        store.append(connection, before.id, records, drafts, ledger.author(asked.by), ledger.now())
        after = ledger.load(connection, before.id)
    if asked.as_json:
        more = {"changed": ledger.changed(before, after)}
        ledger.print_change(after, after.records[-1].n, more)
        return
    print("\n".join(lines.aligned(live.short_standing(after.history.state))))
    print(live.what_next(after.history.state))


def _checked_reason(text: str) -> str:
    if not text.strip():
        raise NotationError(Fault("E115"))
    if not is_printable(text):
        raise NotationError(Fault("E126"))
    return text


def _drafts(before: Game, decide: Decide, typed: str, reason: str, reopen: bool) -> list[Draft]:
    """Return what is to be written: the correction, after a `reopen` where one is needed.

    The line itself must be legal in its place. Raises IllegalEventError, LedgerError (E412).
    """
    correction, dealer = decide(before)
    payload = corrections.payload(correction)
    needs = _is_closed(before, correction)
    if needs and not reopen:
        raise LedgerError(Fault("E412"))
    first = [Draft(journal.REOPEN, journal.REOPEN, reason)] if needs else []
    announced = None
    if dealer is not None:
        seen = f'{{"dealer":{dealer + 1}}}'
        trial = _with(before, [*first, Draft(payload, typed, reason, None, seen)], None)
        announced = _announced(trial)
    return [*first, Draft(payload, typed, reason, None, announced)]


def _announced(trial: Game) -> str | None:
    """Return what the table sees of the corrected deal; refuse one that is illegal in its place."""
    item = next(item for item in trial.items if item.record.n == trial.records[-1].n)
    assert item.step is not None
    if refused := refusals(item.step):
        raise IllegalEventError(*refused)
    return journal.seen(item.step)


def _with(before: Game, drafts: list[Draft], by: str | None) -> Game:
    """Return the game with drafts that are not written anywhere."""
    new = journal.chained(before.id, before.records, drafts, ledger.now(), ledger.author(by))
    return journal.game(before.id, [*before.records, *new])


def _is_closed(game: Game, correction: Correction) -> bool:
    """Tell whether a correction touches a finished game or what the table has agreed on."""
    if game.history.state.over:
        return True
    agreed = [
        place for place, item in enumerate(game.items) if item.step and isinstance(item.event, Agreement)
    ]
    if not agreed:
        return False
    if isinstance(correction, Rename | SetRule):
        return True
    return resolve.find(game.resolved.slots, correction.target) <= agreed[-1]


def _confirm(yes: bool) -> None:
    """Ask on a terminal; elsewhere --yes is needed. Raises LedgerError (E413) where it is declined."""
    if yes:
        return
    if not (sys.stdin is not None and sys.stdin.isatty()):
        raise LedgerError(Fault("E414"))
    print(_(N_("Write it? [y/N] ")), end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline().strip().lower()
    if answer not in ("y", "yes", "д", "да"):
        raise LedgerError(Fault("E413"))


def _came(records: list[Record], before: Game, shown: canon.Tokens) -> str:
    """Return what others wrote meanwhile, as lines with their authors."""
    players = before.history.state.players
    return "; ".join(
        f"{record.by}: {corrections.text(corrections.read(record.payload), players, shown)}"
        for record in records
    )
