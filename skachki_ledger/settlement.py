"""Who owes whom: exact nets, one rounding place, money and the fewest transfers.

Nets are twelfths of a whist until they are shown or rounded (settle.net); the four always sum to
zero exactly.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from .derive import History
from .events import Substitution
from .header import Stake
from .model import SEATS, WHIST, Four, Seat
from .rules import RATING_WHISTS, WHISTS_PER_GORA, WHISTS_PER_POOL
from .state import State

MINOR_UNITS = 100
"""Minor units of money in one major unit, for every currency."""


class Transfer(NamedTuple):
    """One payment in minor units of money."""

    payer: Seat
    payee: Seat
    amount: int


class Stint(NamedTuple):
    """One person's time at a seat (substitute): labels of his first and last deal, his share.

    `last` is None while he is seated; a stint without a deal ends before it begins. `net` is the
    change of the seat's exact net over it, in twelfths of a whist.
    """

    name: str
    seat: Seat
    first: str
    last: str | None
    net: int


def net(state: State) -> Four:
    """Return the four exact nets in twelfths of a whist; they sum to 0 (settle.net).

    A twelfth is fine enough: a quarter of the summed gora times ten is a half.
    """
    pool, gora, whists = state.pool_total(), state.gora_total(), state.whists
    pool_sum, gora_sum = sum(pool), sum(gora)
    nets = []
    for seat in SEATS:
        written = sum(whists[4 * seat : 4 * seat + 4])
        suffered = whists[seat] + whists[4 + seat] + whists[8 + seat] + whists[12 + seat]
        by_pool = WHISTS_PER_POOL * (4 * pool[seat] - pool_sum) * WHIST // 4
        by_gora = WHISTS_PER_GORA * (4 * gora[seat] - gora_sum) * WHIST // 4
        nets.append(by_pool - by_gora + written - suffered)
    assert sum(nets) == 0
    a, b, c, d = nets
    return a, b, c, d


def largest_remainder(amounts: Sequence[int], parts: int) -> Four:
    """Return amounts / parts in whole numbers whose sum is that of the exact ones (settle.round).

    Each is floored; the missing units go to the largest fractions, ties to the lower seat.
    `amounts` sum to a multiple of `parts`.
    """
    floors = [amount // parts for amount in amounts]
    missing = sum(amounts) // parts - sum(floors)
    order = sorted(SEATS, key=lambda seat: (-(amounts[seat] % parts), seat))
    for seat in order[:missing]:
        floors[seat] += 1
    a, b, c, d = floors
    return a, b, c, d


def rounded(nets: Four) -> Four:
    """Return the nets in whole whists; their sum is 0 (settle.round)."""
    return largest_remainder(nets, WHIST)


def money(nets: Four, stake: Stake) -> Four:
    """Return the nets in minor units of money, from the exact nets; their sum is 0 (settle.round)."""
    return largest_remainder([amount * stake.units * MINOR_UNITS for amount in nets], WHIST * stake.parts)


def transfers(amounts: Four) -> tuple[Transfer, ...]:
    """Return the fewest payments that clear the amounts (settle.transfers).

    Of several such lists the first in order of (payer, payee, larger amount first). Three payments
    always suffice for four seats, so trying every set of at most three pairs finds them.
    """
    debtors = [seat for seat in SEATS if amounts[seat] < 0]
    creditors = [seat for seat in SEATS if amounts[seat] > 0]
    pairs = [(payer, payee) for payer in debtors for payee in creditors]
    for count in range(len(SEATS)):
        lists = [
            paid for chosen in itertools.combinations(pairs, count) if (paid := _clear(chosen, amounts))
        ]
        if lists:
            return min(lists, key=lambda paid: [(t.payer, t.payee, -t.amount) for t in paid])
        if not any(amounts):
            return ()
    raise AssertionError("three payments clear any four amounts that sum to 0")


def _clear(pairs: Sequence[tuple[Seat, Seat]], amounts: Four) -> tuple[Transfer, ...]:
    """Return the payments over exactly these pairs that clear the amounts, () where none do.

    Peels off seats that stand in one pair only: their payment is forced. A cycle of pairs needs
    four payments, so three pairs never leave one.
    """
    left, paid = list(amounts), []
    open_pairs = list(pairs)
    while open_pairs:
        counts = [sum(seat in pair for pair in open_pairs) for seat in SEATS]
        pair = next(pair for pair in open_pairs if counts[pair[0]] == 1 or counts[pair[1]] == 1)
        payer, payee = pair
        amount = -left[payer] if counts[payer] == 1 else left[payee]
        if amount <= 0:
            return ()
        left[payer] += amount
        left[payee] -= amount
        paid.append(Transfer(payer, payee, amount))
        open_pairs.remove(pair)
    return tuple(sorted(paid)) if paid and not any(left) else ()


def stints(history: History) -> tuple[Stint, ...]:
    """Return every person's share, by seat and then in time; the nets sum to 0 (substitute)."""
    first = _label_from(history, 0)
    since = {seat: (history.start.players[seat], 0, first) for seat in SEATS}
    found: list[Stint] = []
    last = "0"
    for place, taken in enumerate(history.steps):
        last = taken.label or last
        if isinstance(taken.event, Substitution) and not taken.faults:
            seat = taken.event.seat
            name, before, first = since[seat]
            now = net(taken.after)[seat]
            found.append(Stint(name, seat, first, last, now - before))
            since[seat] = (taken.event.name, now, _label_from(history, place + 1))
    final = net(history.state)
    for seat, (name, before, first) in since.items():
        found.append(Stint(name, seat, first, None, final[seat] - before))
    return tuple(sorted(found, key=lambda stint: stint.seat))


def _label_from(history: History, place: int) -> str:
    """Return the label of the first deal from `place` on; where none is played yet, its label to be."""
    for taken in history.steps[place:]:
        if taken.label:
            return taken.label
    return history.label_to_come


def rating(nets: Four) -> tuple[str, ...]:
    """Return Gambler rating points, net / 250 to two decimals, halves away from zero (rating.gambler)."""
    return tuple(decimal(_round_half_up(100 * amount, WHIST * RATING_WHISTS)) for amount in nets)


def _round_half_up(amount: int, parts: int) -> int:
    whole = (2 * abs(amount) + parts) // (2 * parts)
    return whole if amount >= 0 else -whole


def decimal(hundredths: int) -> str:
    """Return a number of hundredths with two decimals: -1178.34, never -0.00."""
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


def rational(twelfths: int) -> str:
    """Return twelfths as an exact number: "250", "-4030/3"."""
    if twelfths % WHIST == 0:
        return str(twelfths // WHIST)
    for parts in (2, 3, 4, 6):
        if twelfths * parts % WHIST == 0:
            return f"{twelfths * parts // WHIST}/{parts}"
    return f"{twelfths}/{WHIST}"
