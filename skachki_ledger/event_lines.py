"""Lines of what is no deal: fines, adjustments, dealers, substitutions, stops, remarks."""

from collections.abc import Callable, Sequence

from . import vocabulary
from .errors import Fault, NotationError
from .events import Adjustment, Agreement, DealerNamed, Event, Fine, Note, Stop, Substitution
from .i18n import N_, _
from .lexer import Quoted
from .model import Seat
from .names import Seats, clean_name
from .parts import find_seat, read_amount, read_reason


def _penalty(words: Sequence[str], seats: Seats) -> Event:
    """Return the fine or adjustment: WORD SEAT N ACCOUNT [SEAT2 | all] "reason"."""
    fine = vocabulary.EVENTS.find(words[0]) == "fine"
    if len(words) < 4:
        form = (
            N_('fine player number gora "reason", or fine player number whists player "reason"')
            if fine
            else N_('adjust player number pool "reason"')
        )
        raise NotationError(Fault("E127", -1, {"expected": _(form)}))
    faults: list[Fault] = []
    seat = find_seat(words[1], seats, 1, faults)
    amount = read_amount(words, 2, fine, faults)
    account = vocabulary.ACCOUNTS.find(words[3])
    if account is None or (fine and account == "pool"):
        expected = N_("gora or whists") if fine else N_("gora, pool or whists")
        faults.append(Fault("E118", 3, {"word": words[3][:60], "expected": _(expected)}))
    writers: tuple[Seat, ...] = ()
    place = 4
    if account == "whists":
        writers, place = _writers(words, seat, seats, faults), 5
    reason = read_reason(words, place, faults, required=not fine)
    if faults or account is None:
        raise NotationError(*faults)
    return (Fine if fine else Adjustment)(seat, amount, account, writers, reason)


def _writers(words: Sequence[str], seat: Seat, seats: Seats, faults: list[Fault]) -> tuple[Seat, ...]:
    """Return who writes the whists: the one named, or all the others in clockwise order."""
    if len(words) < 5:
        faults.append(Fault("E127", -1, {"expected": _("who writes them: a player, or all")}))
        return ()
    if vocabulary.ALL.find(words[4]) and not isinstance(words[4], Quoted):
        return ((seat + 1) % 4, (seat + 2) % 4, (seat + 3) % 4)
    writer = find_seat(words[4], seats, 4, faults)
    if writer == seat >= 0:
        faults.append(Fault("E117", 4, {"seat": seats.players[seat]}))
    return (writer,)


def _dealer(words: Sequence[str], seats: Seats) -> Event:
    faults: list[Fault] = []
    if len(words) < 2:
        raise NotationError(Fault("E127", -1, {"expected": _("who deals the next deal")}))
    seat = find_seat(words[1], seats, 1, faults)
    reason = read_reason(words, 2, faults)
    if faults:
        raise NotationError(*faults)
    return DealerNamed(seat, reason)


def _seat(words: Sequence[str], seats: Seats) -> Event:
    faults: list[Fault] = []
    if len(words) < 3:
        raise NotationError(Fault("E127", -1, {"expected": _('seat player "new name"')}))
    seat = find_seat(words[1], seats, 1, faults)
    name = ""
    try:
        name = clean_name(words[2])
    except NotationError as error:
        faults.append(error.faults[0]._replace(part=2))
    else:
        if clash := seats.clash(name):
            faults.append(Fault("E123", 2, {"name": clash}))
    reason = read_reason(words, 3, faults)
    if faults:
        raise NotationError(*faults)
    return Substitution(seat, name, reason)


def _stop(words: Sequence[str], _seats: Seats) -> Event:
    faults: list[Fault] = []
    final = len(words) > 1 and not isinstance(words[1], Quoted) and bool(vocabulary.FINAL.find(words[1]))
    reason = read_reason(words, 2 if final else 1, faults)
    if faults:
        raise NotationError(*faults)
    return Stop(final, reason)


def _remark(words: Sequence[str], _seats: Seats) -> Event:
    """Return the agreement (its note may be left out) or the note (its text may not)."""
    faults: list[Fault] = []
    agree = vocabulary.EVENTS.find(words[0]) == "agree"
    text = read_reason(words, 1, faults, required=not agree)
    if faults:
        raise NotationError(*faults)
    return Agreement(text) if agree else Note(text)


READERS: dict[str, Callable[[Sequence[str], Seats], Event]] = {
    "fine": _penalty,
    "adjust": _penalty,
    "dealer": _dealer,
    "seat": _seat,
    "stop": _stop,
    "agree": _remark,
    "note": _remark,
}
