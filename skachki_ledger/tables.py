"""A game as flat tables for spreadsheets and SQL: deals, entries, standings after each event."""

from typing import Any

from . import canon, settlement
from .derive import History, Step
from .events import DealPlayed
from .journal import Game, Item
from .model import SEATS, WHIST
from .wording import entry_text

Row = dict[str, Any]

DEALS: dict[str, type] = {
    "game": str,
    "event": int,
    "deal": str,
    "semester": int,
    "dealer": str,
    "price": int,
    "line": str,
    "struck": int,
    "at": str,
    "by": str,
}
ENTRIES: dict[str, type] = {
    "game": str,
    "event": int,
    "deal": str,
    "semester": int,
    "rule": str,
    "seat": str,
    "account": str,
    "on": str,
    "amount": float,
    "exact": str,
    "text": str,
}
STANDINGS: dict[str, type] = {
    "game": str,
    "event": int,
    "deal": str,
    "semester": int,
    "seat": str,
    "pool": int,
    "gora": int,
    "pool_total": int,
    "gora_total": int,
    "net": float,
    "net_exact": str,
}
"""Columns of the three tables with their types."""


def deals(game: Game) -> list[Row]:
    """Return one row an event of the record, struck ones included."""
    return [_deal(game, item) for item in game.items]


def _deal(game: Game, item: Item) -> Row:
    taken = item.step
    players = item.players
    is_deal = taken is not None and isinstance(item.event, DealPlayed)
    return {
        "game": game.id,
        "event": item.record.n,
        "deal": item.label or None,
        "semester": taken.semester if taken else None,
        "dealer": players[taken.dealer] if taken and is_deal else None,
        "price": taken.price if taken else None,
        "line": canon.line(item.event, players),
        "struck": int(taken is None),
        "at": item.record.at,
        "by": item.record.by,
    }


def entries(game: Game) -> list[Row]:
    """Return one row an entry: `amount` as a number to sum, `exact` as the number itself."""
    rows = []
    for item in game.items:
        for entry in item.step.entries if item.step else ():
            assert item.step is not None
            players = item.players
            parts = WHIST if entry.account == "whists" else 1
            exact = settlement.rational(entry.amount) if parts == WHIST else str(entry.amount)
            rows.append(
                {
                    "game": game.id,
                    "event": item.record.n,
                    "deal": item.label or None,
                    "semester": item.step.semester,
                    "rule": entry.rule,
                    "seat": players[entry.seat],
                    "account": entry.account,
                    "on": None if entry.on is None else players[entry.on],
                    "amount": entry.amount / parts,
                    "exact": exact,
                    "text": entry_text(entry),
                }
            )
    return rows


def standings(game: Game) -> list[Row]:
    """Return four rows an event that counts: each seat's pool and gora of the semester, and net."""
    rows = []
    for item in game.items:
        if item.step is None:
            continue
        after = item.step.after
        nets = settlement.net(after)
        for seat in SEATS:
            rows.append(
                {
                    "game": game.id,
                    "event": item.record.n,
                    "deal": item.label or None,
                    "semester": after.semester,
                    "seat": after.players[seat],
                    "pool": after.pool[seat],
                    "gora": after.gora[seat],
                    "pool_total": after.pool_total()[seat],
                    "gora_total": after.gora_total()[seat],
                    "net": nets[seat] / WHIST,
                    "net_exact": settlement.rational(nets[seat]),
                }
            )
    return rows


def night(history: History, items: tuple[Item, ...]) -> tuple[list[str], list[list[str]]]:
    """Return headers and rows of a spreadsheet: an event that counts a row, four running columns a seat.

    Pool and gora are the semester's, nets are rounded to whole whists.
    """
    seats = [f"{seat + 1} {name}" for seat, name in zip(SEATS, history.state.players, strict=True)]
    headers = ["event", "deal", "semester", "dealer", "price", "line"]
    headers += [f"{seat} {account}" for seat in seats for account in ("pool", "gora", "net")]
    rows = [_night_row(item.record.n, item.step) for item in items if item.step is not None]
    return headers, rows


def _night_row(n: int, taken: Step) -> list[str]:
    is_deal = isinstance(taken.event, DealPlayed)
    after, nets = taken.after, settlement.rounded(settlement.net(taken.after))
    row = [
        str(n),
        taken.label,
        str(taken.semester),
        taken.players[taken.dealer] if is_deal else "",
        "" if taken.price is None else str(taken.price),
        canon.line(taken.event, taken.players),
    ]
    for seat in SEATS:
        row += [str(after.pool[seat]), str(after.gora[seat]), str(nets[seat])]
    return row
