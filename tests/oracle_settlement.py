"""The reference scorer's last part: nets, rounding, money and who pays whom.

Seats are places 0-3 here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import floor

Transfer = tuple[int, int, int]
"""Payer, payee, amount."""


def totals(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """Sum the semesters seat by seat."""
    return [sum((row[seat] for row in rows), Fraction(0)) for seat in range(4)]


def net(
    pools: Sequence[Fraction], goras: Sequence[Fraction], whists: Sequence[Sequence[Fraction]]
) -> list[Fraction]:
    """settle.net"""
    mean_pool = sum(pools, Fraction(0)) / 4
    mean_gora = sum(goras, Fraction(0)) / 4
    nets = []
    for i in range(4):
        balance = sum((whists[i][j] - whists[j][i] for j in range(4)), Fraction(0))
        nets.append(20 * (pools[i] - mean_pool) - 10 * (goras[i] - mean_gora) + balance)
    return nets


def largest_remainder(exact: Sequence[Fraction]) -> list[int]:
    """settle.round: floor each, the missing units to the largest fractions, ties to lower seats."""
    whole = [floor(n) for n in exact]
    missing = sum(exact, Fraction(0)) - sum(whole)
    by_fraction = sorted(range(len(exact)), key=lambda i: (whole[i] - exact[i], i))
    for i in by_fraction[: int(missing)]:
        whole[i] += 1
    return whole


def money(nets: Sequence[Fraction], stake: str | None) -> list[int] | None:
    """settle.round for money: minor units of 1/100, from the exact net."""
    if stake is None:
        return None
    per_whist = Fraction(stake.split()[0])
    return largest_remainder([n * per_whist * 100 for n in nets])


def decimal(hundredths: int) -> str:
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


def transfers(balance: Sequence[int]) -> list[Transfer]:
    """settle.transfers, by trying every set of (payer, payee) pairs, the smallest sets first.

    Only who lost pays and only who won is paid.
    """
    payers = [i for i in range(4) if balance[i] < 0]
    payees = [i for i in range(4) if balance[i] > 0]
    pairs = [(payer, payee) for payer in payers for payee in payees]
    for size in range(len(pairs) + 1):
        clearing = [amounts_of(chosen, balance) for chosen in combinations(pairs, size)]
        lists = [found for found in clearing if found is not None]
        if lists:
            # the first in order of payer seat, payee seat, larger amount first
            return min(lists, key=lambda one: [(payer, payee, -n) for payer, payee, n in one])
    raise AssertionError(balance)


def amounts_of(pairs: Sequence[tuple[int, int]], balance: Sequence[int]) -> list[Transfer] | None:
    """The amounts on these pairs that clear the balance, or None.

    Again and again one who has a single pair left must settle over it all that he still has open.
    """
    open_balance = list(balance)
    left = list(pairs)
    paid: list[Transfer] = []
    while left:
        ends = [seat for pair in left for seat in pair]
        single = [pair for pair in left if ends.count(pair[0]) == 1 or ends.count(pair[1]) == 1]
        if not single:
            return None  # a ring: the same can be cleared with one transfer less
        payer, payee = single[0]
        amount = -open_balance[payer] if ends.count(payer) == 1 else open_balance[payee]
        if amount <= 0:
            return None
        open_balance[payer] += amount
        open_balance[payee] -= amount
        paid.append((payer, payee, amount))
        left.remove((payer, payee))
    return sorted(paid) if not any(open_balance) else None
