"""What a correction is to be written as: its target, its dealer, and whether it may be written at all."""

from collections.abc import Sequence

from . import corrections, journal, resolve
from .corrections import Amend, Correction, Insert, Rename, SetRule
from .derive import Step, refusals, step
from .errors import Fault, IllegalEventError, LedgerError, NotationError
from .events import Agreement, DealPlayed, Substitution
from .i18n import _
from .journal import Draft, Game, Item, Seen
from .model import AllPass, Seat
from .names import Seats


def target(game: Game, word: str) -> Item:
    """Return the item that counts under a label or eN. Raises LedgerError (E408, E409, E430)."""
    named = corrections.check_target(word)
    if named.startswith("e") and 0 < int(named[1:]) <= len(game.records):
        n = int(named[1:])
        if all(slot.n != n for slot in game.resolved.slots):
            raise LedgerError(Fault("E430", -1, {"target": f"e{n}"}))
    return game.items[resolve.find(game.resolved.slots, named)]


def name_of(item: Item) -> str:
    """Return the label of a deal, the place of any other event: what a correction names it by."""
    return item.label or f"e{item.record.n}"


def recorded_dealer(game: Game, item: Item) -> Seat:
    """Return who dealt the deal; where no deal was recorded, who would have dealt one there."""
    if item.step is not None and isinstance(item.event, DealPlayed):
        return item.step.dealer
    return next_dealer(game, item)


def next_dealer(game: Game, item: Item) -> Seat:
    """Return the seat after the dealer of the deal before `item`; the first dealer before any."""
    dealer = None
    for other in game.items:
        if other is item:
            break
        if other.step is not None and other.step.label:
            dealer = other.step.dealer
    return game.history.start.dealer if dealer is None else (dealer + 1) % 4


def drafts(
    before: Game, correction: Correction, dealer: Seat | None, typed: str, reason: str, reopen: bool
) -> list[Draft]:
    """Return what is to be written: the correction, after a `reopen` where one is needed.

    The line must be legal in its place, and no two at the table may have equal names after it. Raises
    IllegalEventError, LedgerError (E412), NotationError (E123).
    """
    payload = corrections.payload(correction)
    needs = _is_closed(before, correction)
    if needs and not reopen:
        why = _("the game is over") if before.history.state.over else _agreed(before)
        raise LedgerError(Fault("E412", -1, {"why": why}))
    first = [Draft(journal.REOPEN, journal.REOPEN, reason)] if needs else []
    seen = None if dealer is None else Seen(dealer).text()
    tried = trial(before, [*first, Draft(payload, typed, reason, None, seen)])
    item = next((item for item in tried.items if item.record.n == tried.records[-1].n), None)
    if (
        item is not None
        and item.step is not None
        and (refused := _refused(tried, item, correction, dealer))
    ):
        raise IllegalEventError(*refused)
    if came := sorted(_twins(tried) - _twins(before)):
        raise NotationError(*(Fault("E123", -1, {"name": name}) for name in came))
    announced = None
    if dealer is not None and item is not None and item.step is not None:
        announced = _announced(before, correction, item.step)
    return [*first, Draft(payload, typed, reason, None, announced)]


def _refused(tried: Game, item: Item, correction: Correction, dealer: Seat | None) -> tuple[Fault, ...]:
    """Return why a corrected line may not stand in its place.

    It is judged as it was typed, as a new deal is: its canonical text, which is what is recorded, leaves
    out what goes without saying, and so what may not be said.
    """
    assert item.step is not None
    typed = correction.event if isinstance(correction, Amend | Insert) else None
    if not isinstance(typed, DealPlayed):
        return refusals(item.step)
    place = next(at for at, taken in enumerate(tried.history.steps) if taken is item.step)
    before = tried.history.steps[place - 1].after if place else tried.history.start
    return refusals(step(before, typed._replace(dealer=dealer, label=item.label, announced=None)))


def _agreed(game: Game) -> str:
    """Return by which event the table agreed last, in words."""
    last = deal = 0, "0"
    for item in game.items:
        if item.step and isinstance(item.event, Agreement):
            last = item.record.n, deal[1]
        elif item.step and item.label:
            deal = item.record.n, item.label
    return _("the table has agreed up to deal {deal} (e{event})").format(deal=last[1], event=last[0])


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
    was = item.record.seen if isinstance(item.event, DealPlayed) else None
    if was is None:
        return announced
    pinned = any(
        isinstance(event, DealPlayed) and isinstance(event.deal, AllPass) and event.deal.pinned is not None
        for event in (item.event, taken.event)
    )
    keeps_price = taken.price is not None and was.price is not None and not pinned
    semester = taken.semester if was.semester is None else was.semester
    return Seen(taken.dealer, semester, was.price if keeps_price else taken.price).text()


def trial(before: Game, added: Sequence[Draft], at: str = "", by: str = "") -> Game:
    """Return the game with drafts that are not written anywhere."""
    new = journal.chained(before.id, before.records, added, at, by)
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
