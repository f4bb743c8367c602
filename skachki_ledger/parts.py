"""Parts that lines of several kinds have: a seat, a reason, an amount."""

import re
from collections.abc import Sequence

from . import vocabulary
from .errors import Fault, NotationError
from .i18n import N_, _
from .model import Seat
from .names import TEXT_LENGTH_MAX, Seats, is_printable

_NUMBER = re.compile(r"[+−-]?\d{1,6}", re.ASCII)


def find_seat(word: str, seats: Seats, part: int, faults: list[Fault]) -> Seat:
    """Return the seat a word means; -1, with the fault noted, where it means none."""
    try:
        return seats.find(word, part)
    except NotationError as error:
        faults.extend(error.faults)
        return -1


def read_reason(words: Sequence[str], place: int, faults: list[Fault], required: bool = False) -> str:
    """Return the text at `place`, which ends the line; "" where none stands there."""
    if len(words) > place + 1:
        expected = _('one text in quotes: "…"')
        faults.append(Fault("E113", place + 1, {"word": words[place + 1][:60], "expected": expected}))
    text = str(words[place]) if len(words) > place else ""
    if required and not text.strip():
        faults.append(Fault("E115", place if len(words) > place else -1))
    if len(text) > TEXT_LENGTH_MAX:
        faults.append(Fault("E125", place, {"limit": TEXT_LENGTH_MAX}))
    elif not is_printable(text):
        faults.append(Fault("E126", place))
    return text


def read_amount(words: Sequence[str], place: int, positive: bool, faults: list[Fault]) -> int:
    """Return the whole number at `place`, never 0; 0 with the fault noted where it is none."""
    word = words[place].translate(vocabulary.DIGITS)
    amount = int(word.replace("−", "-")) if _NUMBER.fullmatch(word) else 0
    if amount == 0 or (positive and amount < 0):
        expected = (
            N_("a whole number from 1 to 999999")
            if positive
            else N_("a whole number, not 0, up to ±999999")
        )
        faults.append(Fault("E116", place, {"word": words[place][:60], "expected": _(expected)}))
    return amount
