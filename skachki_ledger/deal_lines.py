"""The line of a deal: contract, misère or all-pass, and what it was irregular for.

Only the shape is checked here: which words, how many tricks, that they add up to ten.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from . import canon, vocabulary
from .errors import Fault, NotationError
from .events import DealPlayed
from .i18n import N_, _
from .model import AllPass, Calls, Contract, Deal, Dest, Misere
from .names import Seats
from .parts import find_seat, read_reason
from .rules import TRICKS

_PRICE = re.compile(r"[1-9]\d?", re.ASCII)

_CONTRACT_FORM = N_("player contract calls tricks, as Boris 7d wp 7/3")
_TRICKS_WW = N_("declarer/first/second, as 7/2/1")
_TRICKS_ONE = N_("declarer/pair, as 7/3, or three numbers")
_TRICKS_FOUR = N_("the four seats' tricks in seat order, as 3/4/2/1")
_MISERE_FORM = N_("player m tricks, as Vera m 0")
_SINGLE_WHISTER = ("wp", "pw", "wh")

Builder = Callable[[Sequence[str], Seats, list[Fault]], Deal | None]


class FaultyDealError(NotationError):
    """A deal's line with faults; `event` is what it probably means, None where that is unclear."""

    def __init__(self, event: DealPlayed | None, *faults: Fault) -> None:
        super().__init__(*faults)
        self.event = event


def read_deal(words: Sequence[str], seats: Seats, build: Builder) -> DealPlayed:
    """Return the deal that `build` reads, with the reason it was irregular for, if marked so."""
    faults: list[Fault] = []
    reason = ""
    for place in (len(words) - 2, len(words) - 1):
        if place > 1 and vocabulary.IRREGULAR.find(words[place]):
            reason, words = read_reason(words, place + 1, faults, required=True) or "?", words[:place]
            break
    deal = build(words, seats, faults)
    event = DealPlayed(deal, reason) if deal is not None else None
    if faults or event is None:
        raise FaultyDealError(event, *faults)
    return event


def contract(words: Sequence[str], seats: Seats, faults: list[Fault]) -> Contract | None:
    """Return the contract of SEAT CONTRACT CALLS [TRICKS] [@DEST], None where it is unclear."""
    declarer = find_seat(words[0], seats, 0, faults)
    if declarer < 0 and (vocabulary.contract(words[0]) or vocabulary.MISERE.find(words[0])):
        faults[:] = [Fault("E127", 0, {"expected": _("who plays, before the contract")})]
        return None
    if len(words) < 2:
        if declarer >= 0:
            faults.append(Fault("E127", -1, {"expected": _(_CONTRACT_FORM)}))
        return None
    bid = vocabulary.contract(words[1])
    if bid is None and any(len(vocabulary.tricks(word) or ()) == 4 for word in words[1:]):
        faults[:] = [Fault("E127", 0, {"expected": _("r before the tricks of an all-pass, as r 3/4/2/1")})]
        return None
    if bid is None:
        doubt = vocabulary.contract_doubt(words[1])
        code = "E120" if doubt else "E104"
        faults.append(Fault(code, 1, {"word": words[1][:60], "meanings": doubt}))
    elif bid[2] and bid[0] < 9:
        faults.append(Fault("E109", 1, {"level": bid[0]}))
    for place in range(2, len(words)):
        if vocabulary.is_concession(words[place]):
            faults.append(Fault("E114", place))
            return None
    calls = vocabulary.calls(words[2]) if len(words) > 2 else None
    if calls is None:
        if len(words) < 3 or vocabulary.tricks(words[2]):
            faults.append(Fault("E127", -1, {"expected": _("the calls, as wp, before the tricks")}))
        else:
            faults.append(Fault("E105", 2, {"word": words[2][:60]}))
        return None
    tricks, place = _contract_tricks(words, calls, faults)
    dest = _dest(words, place, faults)
    if declarer < 0 or bid is None or tricks is None:
        return None
    return Contract(declarer, bid[0], bid[1], bid[2], calls, tricks, dest)


def _contract_tricks(
    words: Sequence[str], calls: Calls, faults: list[Fault]
) -> tuple[tuple[int, ...] | None, int]:
    """Return the tricks of a contract's line (None where they cannot be made out) and the next place."""
    typed = vocabulary.tricks(words[3]) if len(words) > 3 else None
    if calls in ("pp", "ph"):
        if typed is not None:
            faults.append(
                Fault(
                    "E108", 3, {"calls": canon.calls_text(calls)}, "whist.half" if calls == "ph" else None
                )
            )
            return (), 4
        return (), 3
    expected = _(_TRICKS_WW) if calls == "ww" else _(_TRICKS_ONE)
    if typed is None:
        if len(words) > 3 and _dest_of(words[3]) is None:
            faults.append(Fault("E106", 3, {"word": words[3][:60], "expected": expected}))
            return None, 4
        faults.append(Fault("E107", -1, {"expected": expected}))
        return None, 3
    if len(typed) == 1 and calls in _SINGLE_WHISTER:
        typed = (typed[0], max(0, TRICKS - typed[0]))
    if len(typed) != 3 and not (len(typed) == 2 and calls in _SINGLE_WHISTER):
        faults.append(Fault("E106", 3, {"word": words[3], "expected": expected}))
        return None, 4
    _check_sum(typed, 3, faults)
    return typed, 4


def _check_sum(tricks: Sequence[int], part: int, faults: list[Fault], rule: str | None = None) -> None:
    total = sum(tricks)
    if total != TRICKS:
        code = "E110" if total < TRICKS else "E111"
        faults.append(Fault(code, part, {"total": total, "off": abs(total - TRICKS)}, rule))


def _dest_of(word: str) -> Dest | None:
    return vocabulary.DESTS.find(word.removeprefix("@"))


def _dest(words: Sequence[str], place: int, faults: list[Fault]) -> Dest | None:
    """Return the destination that stands last, at `place`, if any."""
    if len(words) <= place:
        return None
    dest = _dest_of(words[place])
    if dest is None and words[place].startswith("@"):
        faults.append(Fault("E112", place, {"word": words[place][:60]}))
    elif dest is None:
        _extra(words, place, N_("nothing more, or irregular and a reason"), faults)
    elif len(words) > place + 1:
        _extra(words, place + 1, N_("nothing more, or irregular and a reason"), faults)
    return dest


def _extra(words: Sequence[str], place: int, expected: str, faults: list[Fault]) -> None:
    if any(vocabulary.IRREGULAR.find(word) for word in words[place:]):
        faults.append(Fault("E115", place))
    else:
        faults.append(Fault("E113", place, {"word": words[place][:60], "expected": _(expected)}))


def misere(words: Sequence[str], seats: Seats, faults: list[Fault]) -> Misere | None:
    """Return the misère of SEAT m TRICKS [@DEST], None where it is unclear."""
    declarer = find_seat(words[0], seats, 0, faults)
    if len(words) < 3:
        faults.append(Fault("E127", -1, {"expected": _(_MISERE_FORM)}))
        return None
    tricks = vocabulary.tricks(words[2])
    if tricks is None or len(tricks) != 1 or tricks[0] > TRICKS:
        expected = _("the declarer's tricks, 0–10")
        faults.append(Fault("E106", 2, {"word": words[2][:60], "expected": expected}))
        return None
    dest = _dest(words, 3, faults)
    return None if declarer < 0 else Misere(declarer, tricks[0], dest)


def allpass(words: Sequence[str], seats: Seats, faults: list[Fault]) -> AllPass | None:
    """Return the all-pass of r[@PRICE] T1/T2/T3/T4 [SEAT@DEST …], None where it is unclear."""
    pinned = None
    _word, at, price = words[0].partition("@")
    if at:
        pinned = int(price) if _PRICE.fullmatch(price) else None
        if pinned is None:
            expected = _("a price as r@4, from 1 to 99")
            faults.append(Fault("E116", 0, {"word": words[0][:60], "expected": expected}, "price.pinned"))
    if len(words) < 2:
        faults.append(Fault("E107", -1, {"expected": _(_TRICKS_FOUR)}))
        return None
    tricks = vocabulary.tricks(words[1])
    if tricks is None or len(tricks) != 4:
        faults.append(Fault("E106", 1, {"word": words[1][:60], "expected": _(_TRICKS_FOUR)}))
        return None
    _check_sum(tricks, 1, faults, "allpass.tricks")
    if len(words) == 2:
        return AllPass(tricks, (None, None, None, None), pinned)
    dests: list[Dest | None] = [None, None, None, None]
    for place, name, wish in wishes(words):
        dest = _dest_of(wish) if wish else None
        seat = find_seat(name, seats, place, faults)
        if dest is None:
            faults.append(Fault("E112", place, {"word": words[place][:60]}))
        elif seat >= 0 and dests[seat] is not None:
            faults.append(Fault("E128", place, {"seat": seats.players[seat]}))
        elif seat >= 0:
            dests[seat] = dest
    return AllPass(tricks, tuple(dests), pinned)


def wishes(words: Sequence[str]) -> Iterable[tuple[int, str, str]]:
    """Yield (place, seat word, destination word) of an all-pass: Vera@g, or Vera and г apart."""
    place = 2
    while place < len(words):
        name, at, wish = words[place].rpartition("@")
        if at and name:
            yield place, name, wish
        elif place + 1 < len(words):
            yield place, words[place], words[place + 1]
            place += 1
        else:
            yield place, words[place], ""
        place += 1
