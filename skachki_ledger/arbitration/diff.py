"""Two records of one night side by side: what one has and the other lacks, and what that moves.

The two are aligned with the fewest differences; deals of one player are likelier the same deal than
others, and two neighbours in the other order are one difference. What writes the same is no
difference: reasons, remarks, 7/3 for 7/2/1 where only one whists, the seat a record begins with.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .. import canon, rules
from ..derive import History, derive
from ..errors import Fault, LedgerError
from ..events import (
    Adjustment,
    Agreement,
    DealerNamed,
    DealPlayed,
    Event,
    Fine,
    Note,
    Stop,
    Substitution,
)
from ..header import Header
from ..model import SEATS, AllPass, Contract, Four, Misere, Seat
from ..names import fold
from ..settlement import net

MISSING, EXTRA, DIFFERENT, SWAPPED = "missing", "extra", "different", "swapped"
CELLS_MAX = 250_000
"""Records that differ along some 500 lines each are no two records of one night."""
NUMBERS = ("1", "2", "3", "4")


class Difference(NamedTuple):
    """One difference: lines of both records ("" where one has none), and how the left nets would move.

    `kind`: missing (the right lacks it), extra (only the right has it), different, swapped. `left_at`
    and `right_at` are the labels of the deals told of; "" where it is none. `deal` is the left record's
    deal at which it stands, or after which where it is none of its own: "0" before the first, "" what
    was agreed for the whole night.
    """

    kind: str
    left: str
    right: str
    left_at: str
    right_at: str
    deal: str
    nets: Four


class _Line(NamedTuple):
    """An event to compare by its `key`; `label` is its deal's, `last` that of the last deal so far."""

    event: Event
    key: str
    label: str
    last: str
    players: tuple[str, ...]


class _Pair(NamedTuple):
    """Places of one difference in both records; of an extra, `left` is where it would go."""

    kind: str
    left: tuple[int, ...]
    right: tuple[int, ...]


def differences(left: History, right: History, tokens: canon.Tokens = canon.CANONICAL) -> list[Difference]:
    """Return where two records differ: first what was agreed, then in the order of the left one.

    Raises LedgerError (E434) where they differ nearly everywhere.
    """
    right = seated_as(left, right)
    a, b = _lines(left), _lines(right)
    events = [line.event for line in a]
    base = net(derive(left.header, events).state)
    found = [
        Difference(DIFFERENT, was, now, "", "", "", _moved(base, header, events))
        for was, now, header in _agreed(left.header, right.header)
    ]
    for pair in _aligned(a, b):
        ours = () if pair.kind == EXTRA else pair.left
        said = [_said(lines, at, tokens) for lines, at in ((a, ours), (b, pair.right))]
        (was, was_at), (now, now_at) = said
        nets = _moved(base, left.header, _changed(a, b, pair))
        found.append(Difference(pair.kind, was, now, was_at, now_at, _deal(a, pair), nets))
    return found


def total(left: History, right: History) -> Four:
    """Return how much the right record's nets are above the left one's, in twelfths of a whist."""
    old, new = net(left.state), net(seated_as(left, right).state)
    a, b, c, d = (now - was for now, was in zip(new, old, strict=True))
    return a, b, c, d


def _moved(base: Four, header: Header, events: Sequence[Event]) -> Four:
    now = net(derive(header, events).state)
    a, b, c, d = (new - old for new, old in zip(now, base, strict=True))
    return a, b, c, d


def _said(lines: Sequence[_Line], places: Sequence[int], tokens: canon.Tokens) -> tuple[str, str]:
    """Return lines of a record in one text, and the labels of their deals."""
    told = [lines[at] for at in places]
    text = " / ".join(canon.line(line.event, line.players, tokens) for line in told)
    return text, ", ".join(line.label for line in told if line.label)


def _deal(a: Sequence[_Line], pair: _Pair) -> str:
    place = pair.left[0]
    if pair.kind == EXTRA:
        return a[place - 1].last if place else "0"
    return a[place].label or a[place].last


# ------------------------------------------------------------------ what was agreed


def _agreed(left: Header, right: Header) -> list[tuple[str, str, Header]]:
    """Return what was agreed otherwise: both texts, and the left header with this taken over."""
    found = []
    if left.dealer != right.dealer:
        was, now = (f'[Dealer "{header.players[header.dealer]}"]' for header in (left, right))
        found.append((was, now, left._replace(dealer=right.dealer)))
    for name, value in rules.differing(left.rules, right.rules).items():
        other = rules.switches(right.rules)[name]
        was, now = (f'[Rule "{name} = {rules.show_value(one)}"]' for one in (value, other))
        found.append((was, now, left._replace(rules=rules.with_switch(left.rules, name, other))))
    if left.stake and right.stake and left.stake[1:] != right.stake[1:]:
        was, now = (
            f'[Stake "{stake.amount} {stake.currency}"]' for stake in (left.stake, right.stake) if stake
        )
        found.append((was, now, left))
    return found


def seated_as(left: History, right: History) -> History:
    """Return the right record with the left one's seat numbers, where both name the same circle.

    Whoever keeps the score may call himself seat 1; clockwise the order is the same.
    """
    theirs = [fold(name) for name in right.header.players]
    ours = [fold(name) for name in left.header.players]
    if theirs == ours or sorted(theirs) != sorted(ours):
        return right
    turn = ours.index(theirs[0])
    if any(ours[(seat + turn) % 4] != theirs[seat] for seat in SEATS):
        return right
    header = right.header
    players = tuple(header.players[(seat - turn) % 4] for seat in SEATS)
    header = header._replace(players=players, dealer=(header.dealer + turn) % 4)
    return derive(
        header, [_turned(_kept(taken.event, taken.label, taken.dealer), turn) for taken in right.steps]
    )


def _kept(event: Event, label: str, dealer: Seat) -> Event:
    """Return a deal with its label and its dealer, whatever it is derived with; else the event."""
    return event._replace(label=label, dealer=dealer) if isinstance(event, DealPlayed) else event


def _turned(event: Event, turn: int) -> Event:
    """Return the event with every seat `turn` places further."""

    def around(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return tuple((seat + turn) % 4 for seat in seats)

    match event:
        case DealPlayed(deal=AllPass() as deal):
            tricks = tuple(deal.tricks[(seat - turn) % 4] for seat in SEATS)
            dests = tuple(deal.dests[(seat - turn) % 4] for seat in SEATS)
            turned = event._replace(deal=deal._replace(tricks=tricks, dests=dests))
            return turned._replace(dealer=None if event.dealer is None else around((event.dealer,))[0])
        case DealPlayed(deal=Contract() | Misere() as deal):
            turned = event._replace(deal=deal._replace(declarer=around((deal.declarer,))[0]))
            return turned._replace(dealer=None if event.dealer is None else around((event.dealer,))[0])
        case Fine() | Adjustment():
            writers = tuple(sorted(around(event.writers)))
            return event._replace(seat=around((event.seat,))[0], writers=writers)
        case DealerNamed() | Substitution():
            return event._replace(seat=around((event.seat,))[0])
        case _:
            return event


# ------------------------------------------------------------------ lines to compare


def _lines(history: History) -> list[_Line]:
    """Return the events that write or move anything; who dealt out of turn stands in lines of its own."""
    lines: list[_Line] = []
    dealer, last = history.start.dealer, "0"
    for taken in history.steps:
        event = taken.event
        if isinstance(event, DealPlayed):
            if taken.dealer != dealer:
                named = DealerNamed(taken.dealer, "")
                lines.append(_Line(named, _key(named), "", last, taken.players))
            event = event._replace(dealer=None, label="", announced=None)
            last = taken.label
        if not isinstance(event, Agreement | Note | DealerNamed):
            label = taken.label
            lines.append(_Line(event, _key(event), label, last, taken.players))
        dealer = taken.after.turn if isinstance(event, DealerNamed) else taken.after.dealer
    return lines


def _key(event: Event) -> str:
    """Return what an event writes or moves, as a text: reasons and ways of writing it aside."""
    match event:
        case DealPlayed(deal=Contract() as deal):
            tricks = deal.tricks
            if len(tricks) == 3 and deal.calls != "ww":
                tricks = (tricks[0], tricks[1] + tricks[2])
            return canon.line(DealPlayed(deal._replace(tricks=tricks)), NUMBERS)
        case DealPlayed():
            return canon.line(DealPlayed(event.deal), NUMBERS)
        case Fine() | Adjustment() | DealerNamed() | Stop():
            return canon.line(event._replace(reason=""), NUMBERS)
        case Substitution():
            return canon.line(event._replace(name=fold(event.name), reason=""), NUMBERS)
        case _:
            return canon.line(event, NUMBERS)


def _changed(a: Sequence[_Line], b: Sequence[_Line], pair: _Pair) -> list[Event]:
    """Return the left record with this one difference taken over from the right."""
    events = [line.event for line in a]
    if pair.kind == MISSING:
        del events[pair.left[0]]
    elif pair.kind == EXTRA:
        events.insert(pair.left[0], b[pair.right[0]].event)
    elif pair.kind == DIFFERENT:
        events[pair.left[0]] = b[pair.right[0]].event
    else:
        first, second = pair.left
        events[first], events[second] = events[second], events[first]
    return events


# ------------------------------------------------------------------ alignment


def _aligned(x: Sequence[_Line], y: Sequence[_Line]) -> list[_Pair]:
    """Return the differences of the cheapest alignment; what both begin and end with is set aside."""
    start = 0
    while start < min(len(x), len(y)) and x[start].key == y[start].key:
        start += 1
    end = 0
    while end < min(len(x), len(y)) - start and x[-1 - end].key == y[-1 - end].key:
        end += 1
    ours, theirs = x[start : len(x) - end], y[start : len(y) - end]
    if len(ours) * len(theirs) > CELLS_MAX:
        raise LedgerError(Fault("E434", -1, {"count": len(ours) + len(theirs)}))
    found = _cheapest(ours, theirs)
    return [
        _Pair(kind, tuple(at + start for at in left), tuple(at + start for at in right))
        for kind, left, right in found
    ]


def _cheapest(x: Sequence[_Line], y: Sequence[_Line]) -> list[_Pair]:
    """Return the differences with the least cost: insertions, deletions, changes, swaps."""
    rows, columns = len(x) + 1, len(y) + 1
    cost = [[0.0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            if i or j:
                cost[i][j] = min(price for price, _, _, _ in _moves(cost, x, y, i, j))
    pairs: list[_Pair] = []
    i, j = len(x), len(y)
    while i or j:
        _price, kind, di, dj = min(_moves(cost, x, y, i, j))
        if kind == EXTRA:
            pairs.append(_Pair(kind, (i,), (j - 1,)))
        elif kind:
            pairs.append(_Pair(kind, tuple(range(i - di, i)), tuple(range(j - dj, j))))
        i, j = i - di, j - dj
    return pairs[::-1]


def _moves(
    cost: list[list[float]], x: Sequence[_Line], y: Sequence[_Line], i: int, j: int
) -> list[tuple[float, str, int, int]]:
    """Return the ways to come to (i, j): price, kind ("" where both agree), steps left and right."""
    moves: list[tuple[float, str, int, int]] = []
    if i and j:
        if x[i - 1].key == y[j - 1].key:
            moves.append((cost[i - 1][j - 1], "", 1, 1))
        else:
            price = _unlike(x[i - 1].event, y[j - 1].event)
            moves.append((cost[i - 1][j - 1] + price, DIFFERENT, 1, 1))
    if i:
        moves.append((cost[i - 1][j] + 1, MISSING, 1, 0))
    if j:
        moves.append((cost[i][j - 1] + 1, EXTRA, 0, 1))
    if i > 1 and j > 1 and y[j - 2].key == x[i - 1].key != x[i - 2].key == y[j - 1].key:
        moves.append((cost[i - 2][j - 2] + 1, SWAPPED, 2, 2))
    return moves


def _unlike(one: Event, other: Event) -> float:
    """Return how unlikely it is that two lines tell of the same thing: below 2, or not at all."""
    if isinstance(one, DealPlayed) and isinstance(other, DealPlayed):
        if isinstance(one.deal, AllPass) or isinstance(other.deal, AllPass):
            return 1.0 if isinstance(one.deal, AllPass) and isinstance(other.deal, AllPass) else 1.9
        return 1.0 if one.deal.declarer == other.deal.declarer else 1.5
    return 1.2 if type(one) is type(other) else 3.0
