"""The standing of a game, built from its history when it is asked for; nothing of it is stored."""

from typing import NamedTuple

from . import settlement
from .derive import History
from .model import Four
from .settlement import Stint, Transfer
from .state import Prize


class Problem(NamedTuple):
    """Something in the record the table should look at; `deal` is "" where it is no deal's."""

    deal: str
    code: str
    message: str


class Standing(NamedTuple):
    """Where a game stands. Rows are semesters, fours are in seat order, whists and nets twelfths."""

    history: History
    pool: tuple[tuple[int, ...], ...]
    gora: tuple[tuple[int, ...], ...]
    pool_total: Four
    gora_total: Four
    whists: tuple[tuple[int, ...], ...]
    prizes: tuple[Prize, ...]
    net: Four
    rounded: Four
    money: Four | None
    transfers: tuple[Transfer, ...] | None
    persons: tuple[Stint, ...]
    rating: tuple[str, ...] | None
    problems: tuple[Problem, ...]


def standing(history: History) -> Standing:
    """Return the standing after the last event of a history."""
    state = history.state
    nets = settlement.net(state)
    stake = history.header.stake
    money = settlement.money(nets, stake) if stake else None
    final = tuple(sorted(state.prizes, key=lambda prize: prize.semester == 0))
    return Standing(
        history=history,
        pool=(*(pool for pool, _ in state.closed), state.pool),
        gora=(*(gora for _, gora in state.closed), state.gora),
        pool_total=state.pool_total(),
        gora_total=state.gora_total(),
        whists=tuple(state.whists[start : start + 4] for start in (0, 4, 8, 12)),
        prizes=final,
        net=nets,
        rounded=settlement.rounded(nets),
        money=money,
        transfers=settlement.transfers(money) if money else None,
        persons=settlement.stints(history),
        rating=settlement.rating(nets) if is_gambler(history) else None,
        problems=problems(history),
    )


def is_gambler(history: History) -> bool:
    """Tell whether the game is rated (rating.gambler)."""
    return history.header.rules.preset.startswith("gambler@")


def problems(history: History) -> tuple[Problem, ...]:
    """Return what in the record is against the rules, deal by deal (irregular, deal.fact)."""
    return tuple(
        Problem(taken.label, fault.code, fault.message())
        for taken in history.steps
        if taken.faults
        for fault in taken.faults
    )
