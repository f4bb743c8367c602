"""Correcting the record without erasing it: `amend`, `void`, `insert`, `rename`, `rule`.

Each shows what it would change, asks, and is then written whole in one transaction, if the game
still stands as it was shown.
"""

import json
import shlex
import sys
from collections.abc import Callable
from typing import Annotated, NamedTuple

import typer

from .. import canon, consequences, corrections, header, journal, live, notation, resolve, store
from ..corrections import Amend, Correction, Insert, Rename, SetRule, Void
from ..derive import Step, refusals
from ..errors import Fault, IllegalEventError, LedgerError, NotationError
from ..events import Agreement, DealPlayed, Event, Substitution
from ..i18n import N_, _
from ..journal import Draft, Game, Item, Record
from ..model import AllPass, Seat
from ..names import TEXT_LENGTH_MAX, Seats, clean_name
from ..render import lines
from . import ledger, say
from .options import By, Db, GameId, Json, Lang, Suits, tokens
from .words import WordsCommand

HELP = {
    "amend": N_("Correct a deal or event; the old line is kept."),
    "void": N_("Strike a deal or event: it no longer counts."),
    "insert": N_("Put in a forgotten deal or event."),
    "rename": N_("Correct a misspelt name; a new person is `seat`."),
    "rule": N_("Change a switch for the whole game."),
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
        return Amend(_name_of(item), event), _dealer(dealer, seats, event, _recorded_dealer(before, item))

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
        seats = before.history.seats
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
    """Return the item that counts under a label or eN. Raises LedgerError (E408, E409, E430)."""
    target = corrections.check_target(word)
    if target.startswith("e") and 0 < int(target[1:]) <= len(game.records):
        n = int(target[1:])
        if all(slot.n != n for slot in game.resolved.slots):
            raise LedgerError(Fault("E430", -1, {"target": f"e{n}"}))
    return game.items[resolve.find(game.resolved.slots, target)]


def _name_of(item: Item) -> str:
    return item.label or f"e{item.record.n}"


def _read(words: list[str], seats: Seats, as_json: bool) -> Event:
    reading = notation.read_words(words, seats)
    if reading.retyped:
        say.reading(reading.event, seats.players, as_json)
    return reading.event


def _recorded_dealer(game: Game, item: Item) -> Seat:
    """Return who dealt the deal; where no deal was recorded, who would have dealt one there."""
    if item.step is not None and isinstance(item.event, DealPlayed):
        return item.step.dealer
    return _next_dealer(game, item)


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
    drafts = drafted(before, *decide(before), typed, reason, asked.reopen)
    preview = _with(before, drafts, asked.by)
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


def drafted(
    before: Game, correction: Correction, dealer: Seat | None, typed: str, reason: str, reopen: bool
) -> list[Draft]:
    """Return what is to be written: the correction, after a `reopen` where one is needed.

    The line must be legal in its place, and no two at the table may have equal names after it. Raises
    IllegalEventError, LedgerError (E412), NotationError (E123).
    """
    payload = corrections.payload(correction)
    needs = _is_closed(before, correction)
    if needs and not reopen:
        why = _(N_("the game is over")) if before.history.state.over else _agreed(before)
        raise LedgerError(Fault("E412", -1, {"why": why}))
    first = [Draft(journal.REOPEN, journal.REOPEN, reason)] if needs else []
    seen = None if dealer is None else f'{{"dealer":{dealer + 1}}}'
    trial = _with(before, [*first, Draft(payload, typed, reason, None, seen)], None)
    item = next((item for item in trial.items if item.record.n == trial.records[-1].n), None)
    if item is not None and item.step is not None and (refused := refusals(item.step)):
        raise IllegalEventError(*refused)
    if came := sorted(_twins(trial) - _twins(before)):
        raise NotationError(*(Fault("E123", -1, {"name": name}) for name in came))
    announced = None
    if dealer is not None and item is not None and item.step is not None:
        announced = _announced(before, correction, item.step)
    return [*first, Draft(payload, typed, reason, None, announced)]


def _agreed(game: Game) -> str:
    """Return by which event the table agreed last, in words."""
    events = [item.record.n for item in game.items if item.step and isinstance(item.event, Agreement)]
    return _(N_("the table has agreed up to e{event}")).format(event=events[-1])


def _twins(game: Game) -> set[str]:
    """Return the names that two at the table have, or that someone has who is said to come in."""
    start = game.history.start.players
    found = {name for place, name in enumerate(start) if Seats(start[:place]).clash(name)}
    for taken in game.history.steps:
        if isinstance(taken.event, Substitution) and Seats(taken.players).clash(taken.event.name):
            found.add(taken.event.name)
    return found


def _announced(before: Game, correction: Correction, taken: Step) -> str | None:
    """Return what the table saw of the corrected deal.

    An amendment leaves the semester it was recorded in, and the price the all-pass was played at unless
    that was or is pinned: where another counts now, it stays a problem (price.pinned).
    """
    announced = journal.seen(taken)
    if not isinstance(correction, Amend) or announced is None:
        return announced
    item = before.items[resolve.find(before.resolved.slots, correction.target)]
    if not (isinstance(item.event, DealPlayed) and item.record.announced):
        return announced
    was, now = json.loads(item.record.announced), json.loads(announced)
    now["semester"] = was.get("semester", now["semester"])
    pinned = any(
        isinstance(event, DealPlayed) and isinstance(event.deal, AllPass) and event.deal.pinned is not None
        for event in (item.event, taken.event)
    )
    if taken.price is not None and was.get("price") is not None and not pinned:
        now["price"] = was["price"]
    return json.dumps(now, separators=(",", ":"))


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


def _confirm() -> None:
    """Ask on a terminal. Raises LedgerError: E414 where nobody can be asked, E413 where it is declined."""
    sys.stdout.flush()
    if not (sys.stdin is not None and sys.stdin.isatty()):
        raise LedgerError(Fault("E414"))
    print(_(N_("Write it? [y/N] ")), end="", file=sys.stderr, flush=True)
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
