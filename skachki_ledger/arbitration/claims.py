"""What somebody says stands in a cell, against what does: claimed, computed, difference.

Numbers are exact rationals: a claim may be whole, decimal or a fraction as 7070/3.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .. import vocabulary
from ..derive import History
from ..errors import Fault, NotationError
from ..model import SEATS
from ..names import TEXT_LENGTH_MAX, Seats, fold
from ..rules import SWITCHES
from . import cells
from .cells import Cell

if TYPE_CHECKING:
    from fractions import Fraction  # loaded where it is needed: hot commands do without

_AFTER = re.compile(r"(?:after|после)\s+(?:deal\s+|сдачи\s+)?(\d{1,6}[a-zа-я]{0,3})\s*:\s*", re.IGNORECASE)
_SEMESTER = re.compile(r"(?:semester|семестр[а]?)\s+(\d{1,2}|[ivxх]{1,5})\s*:\s*", re.IGNORECASE)
_NUMBER = re.compile(r"(~?)([+−–-]?\d{1,9}(?:[.,]\d{1,6}|/\d{1,6})?)", re.ASCII)
_MINUS = str.maketrans("−–,", "--.")


class Claim(NamedTuple):
    """One claim: `number` is said of `cell` after deal `after` ("" is now); `about`: within 1."""

    text: str
    cell: Cell
    number: "Fraction"
    about: bool = False
    after: str = ""


class Answer(NamedTuple):
    """A claim answered; numbers are in whole units of the cell, exact."""

    claim: Claim
    computed: "Fraction"
    difference: "Fraction"
    ok: bool


def read(text: str, seats: Seats) -> Claim:
    """Return the claim [after N: | semester K:] SEAT ACCOUNT [SEAT2] [~]NUMBER.

    `seats` are those at the table then. Raises NotationError (E102, E103, E125, E415, E416, E417).
    """
    if len(text) > TEXT_LENGTH_MAX:
        raise NotationError(Fault("E125", -1, {"limit": TEXT_LENGTH_MAX}))
    rest, after, semester = text.strip(), after_label(text), None
    if match := _AFTER.match(rest):
        rest = rest[match.end() :]
    if match := _SEMESTER.match(rest):
        semester, rest = vocabulary.semester(match[1]), rest[match.end() :]
    words = rest.split()
    number = _NUMBER.fullmatch(words[-1]) if words else None
    if number is None:
        raise NotationError(Fault("E416", -1, {"word": text[:80]}))
    cell = cells.read(words[:-1], seats)
    if semester is not None:
        if cell.account not in ("pool", "gora"):
            raise NotationError(Fault("E417"))
        cell = cell._replace(semester=semester)
    return Claim(text.strip(), cell, exact(number[2]), number[1] == "~", after)


def after_label(text: str) -> str:
    """Return the deal after which a claim is made, "" where it is made of now."""
    match = _AFTER.match(text.strip())
    return vocabulary.label(match[1]) if match else ""


def semester_of(text: str) -> int:
    """Return the semester a claim is about, 0 where it is about none."""
    rest = _AFTER.sub("", text.strip(), count=1)
    match = _SEMESTER.match(rest)
    return vocabulary.semester(match[1]) if match else 0


def exact(text: str) -> "Fraction":
    """Return a whole, decimal or rational number as typed. Raises NotationError (E416)."""
    from fractions import Fraction

    try:
        if not _NUMBER.fullmatch(text):
            raise ValueError
        return Fraction(text.translate(_MINUS))
    except (ValueError, ZeroDivisionError):
        raise NotationError(Fault("E416", -1, {"word": text[:80]})) from None


def from_sheet(sheet: Mapping[str, Any], players: Sequence[str]) -> list[Claim]:
    """Return the claims of a standing's JSON: semesters, totals, whists and nets that are not null.

    Its columns are the seats; where it names the same four otherwise seated, they are the names'.
    Raises NotationError (E418) where it is none.
    """
    found: list[Claim] = []
    try:
        columns = _columns(sheet, players)
        for account in ("pool", "gora"):
            for place, row in enumerate(_semesters(sheet.get(account) or [])):
                found += _row(players, columns, row, Cell(0, account, semester=place + 1))
        for account, key in (("pool", "pool_total"), ("gora", "gora_total"), ("net", "net")):
            found += _row(players, columns, sheet.get(key), Cell(0, account))
        rows = sheet.get("whists") or [[None] * 4] * 4
        for seat in SEATS:
            for on in SEATS:
                number = rows[columns[seat]][columns[on]]
                if seat != on and number is not None:
                    found.append(_said(players, Cell(seat, "whists", on), number))
    except (TypeError, IndexError, KeyError, AttributeError, ValueError):
        raise NotationError(Fault("E418")) from None
    return found


def _semesters(rows: Sequence[object]) -> Sequence[object]:
    """Return the rows of an account if there are no more than a game may have semesters."""
    if len(rows) > cast(int, SWITCHES["semesters"].values[-1]):
        raise ValueError
    return rows


def _columns(sheet: Mapping[str, Any], players: Sequence[str]) -> list[int]:
    """Return in which column of a sheet each seat stands."""
    named = [fold(name) for name in sheet.get("game", {}).get("players") or ()]
    ours = [fold(name) for name in players]
    return [named.index(name) for name in ours] if sorted(named) == sorted(ours) else list(SEATS)


def _row(players: Sequence[str], columns: Sequence[int], row: object, cell: Cell) -> list[Claim]:
    """Return the claims of one row of a sheet, a seat each; None claims nothing."""
    if row is None:
        return []
    if not isinstance(row, list | tuple) or len(row) != len(SEATS):
        raise TypeError
    said = [(seat, row[columns[seat]]) for seat in SEATS]
    return [_said(players, cell._replace(seat=seat), number) for seat, number in said if number is not None]


def _said(players: Sequence[str], cell: Cell, number: object) -> Claim:
    if not isinstance(number, int | float | str) or isinstance(number, bool):
        raise TypeError
    when = f"semester {cell.semester}: " if cell.semester is not None else ""
    on = f" {players[cell.on]}" if cell.on is not None else ""
    return Claim(f"{when}{players[cell.seat]} {cell.account}{on} {number}", cell, exact(str(number)))


def answer(history: History, claim: Claim) -> Answer:
    """Return the claim beside what is computed. Raises IllegalEventError (E401), NotationError (E419)."""
    from fractions import Fraction

    then = history.until(claim.after) if claim.after else history
    if claim.cell.semester is not None and not 1 <= claim.cell.semester <= then.state.semester:
        raise NotationError(
            Fault("E419", -1, {"semester": claim.cell.semester, "count": then.state.semester})
        )
    computed = Fraction(cells.value(then, claim.cell), claim.cell.unit)
    difference = claim.number - computed
    return Answer(claim, computed, difference, abs(difference) < 1 if claim.about else difference == 0)
