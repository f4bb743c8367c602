"""What is agreed before the first deal: players, dealer, rules, stake – the tags of a game file."""

import datetime
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from . import rules
from .canon import quoted
from .errors import Fault, NotationError
from .model import SEATS, Seat
from .names import TEXT_LENGTH_MAX, Seats, clean_name, is_printable
from .rules import Rules

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_STAKE = re.compile(r"([0-9]{1,7}(?:[.,][0-9]{1,6})?)\s*([^\W\d_]{1,8}|[^\s\w,;\"]{1,3})")


class Stake(NamedTuple):
    """Money a whist: `amount` as written ("0.50"), its value units / parts, and the currency."""

    amount: str
    units: int
    parts: int
    currency: str


class Header(NamedTuple):
    """What the tags say. `dealer` deals first; `other` are unknown tags, kept in their order."""

    players: tuple[str, ...]
    dealer: Seat
    rules: Rules
    title: str | None = None
    date: str | None = None
    stake: Stake | None = None
    other: tuple[tuple[str, str], ...] = ()


class Tag(NamedTuple):
    """One tag pair where it stands; line and column count from 1."""

    line: int
    column: int
    name: str
    value: str


Placed = tuple[int, int, Fault]
"""A fault with its line and column; line 0 is the file as a whole."""


def read(tags: Sequence[Tag], faults: list[Placed], seen_players: bool) -> Header | None:
    """Return what the tags say, None without four players; what is wrong goes to `faults`.

    `seen_players`: a Players tag is there, if only a faulty one.
    """
    header: Header | None = None
    for tag in tags:
        if tag.name == "Players":
            header = _guarded(_players, None, tag, faults)
    if header is None:
        if not seen_players:
            faults.append((0, 0, Fault("E132")))
        return None
    for tag in sorted(tags, key=lambda tag: tag.name == "Rule"):  # a preset before its switches
        if tag.name != "Players":
            header = _guarded(_READERS.get(tag.name, _keep), header, tag, faults) or header
    _repeated_switches(tags, faults)
    return header


T = TypeVar("T")


def _guarded(
    read_tag: Callable[[T, Tag], Header], before: T, tag: Tag, faults: list[Placed]
) -> Header | None:
    try:
        return read_tag(before, tag)
    except NotationError as error:
        faults.extend((tag.line, tag.column, fault) for fault in error.faults)
        return None


def _players(_nothing: None, tag: Tag) -> Header:
    return Header(four_names(tag.value.split(",")), 0, rules.PRESETS["piter@1"])


def four_names(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the four players' names, clean. Raises NotationError with all faults (E122, E123, E133)."""
    faults: list[Fault] = []
    names: list[str] = []
    if len(texts) != len(SEATS):
        faults.append(Fault("E133", -1, {"count": len(texts) if texts != [""] else 0}))
    for text in texts[:10]:
        try:
            name = clean_name(text)
        except NotationError as error:
            faults.extend(error.faults)
            continue
        if clash := Seats(names).clash(name):
            faults.append(Fault("E123", -1, {"name": clash}))
        names.append(name)
    if faults:
        raise NotationError(*faults)
    return tuple(names)


def _title(header: Header, tag: Tag) -> Header:
    return header._replace(title=tag.value or None)


def _date(header: Header, tag: Tag) -> Header:
    return header._replace(date=parse_date(tag.value))


def parse_date(text: str) -> str:
    """Return a date as YYYY-MM-DD. Raises NotationError (E138) where it is none."""
    try:
        if not _DATE.fullmatch(text):
            raise ValueError
        datetime.date.fromisoformat(text)
    except ValueError:
        raise NotationError(Fault("E138", -1, {"word": text[:60]})) from None
    return text


def _dealer(header: Header, tag: Tag) -> Header:
    return header._replace(dealer=Seats(header.players).find(tag.value))


def _rules(header: Header, tag: Tag) -> Header:
    return header._replace(rules=parse_preset(tag.value))


def parse_preset(name: str) -> Rules:
    """Return the preset called so. Raises NotationError (E134) where there is none."""
    word = name.strip().lower()
    found = rules.preset(rules.RUSSIAN_PRESETS.get(word, word))
    if found is None:
        raise NotationError(Fault("E134", -1, {"word": name[:60], "presets": ", ".join(rules.CURRENT)}))
    return found


def _rule(header: Header, tag: Tag) -> Header:
    return header._replace(rules=set_switch(header.rules, tag.value))


@lru_cache  # the games of a ledger mostly have the same switches
def switch_name(text: str) -> str:
    """Return the switch that "switch = value" names, or "" where it names none."""
    name, equals, _value = text.partition("=")
    name = name.strip().lower().replace("-", "_")
    return name if equals and name in rules.SWITCHES else ""


@lru_cache
def set_switch(current: Rules, text: str) -> Rules:
    """Return the rules with "switch = value" set. Raises NotationError (E135, E136)."""
    name = switch_name(text)
    if not name:
        raise NotationError(Fault("E135", -1, {"word": text.partition("=")[0].strip()[:60]}))
    word = text.partition("=")[2].strip()
    value = rules.parse_value(name, word)
    if value is None:
        args = {"switch": name, "word": word[:60], "allowed": rules.show_allowed(name)}
        raise NotationError(Fault("E136", -1, args))
    return rules.with_switch(current, name, value)


def _stake(header: Header, tag: Tag) -> Header:
    return header._replace(stake=parse_stake(tag.value))


def parse_stake(text: str) -> Stake:
    """Return the money a whist that "0.50 RUB" names. Raises NotationError (E139)."""
    match = _STAKE.fullmatch(text.strip())
    if match and is_printable(text):
        amount = match[1].replace(",", ".")
        whole, _, fraction = amount.partition(".")
        units = int(whole + fraction)
        if units:
            return Stake(amount, units, 10 ** len(fraction), match[2])
    raise NotationError(Fault("E139", -1, {"word": text[:60]}))


def _keep(header: Header, tag: Tag) -> Header:
    return header._replace(other=(*header.other, (tag.name, tag.value)))


_READERS: dict[str, Callable[[Header, Tag], Header]] = {
    "Game": _title,
    "Date": _date,
    "Dealer": _dealer,
    "Rules": _rules,
    "Rule": _rule,
    "Stake": _stake,
}


def _repeated_switches(tags: Sequence[Tag], faults: list[Placed]) -> None:
    seen: set[str] = set()
    for tag in tags:
        switch = switch_name(tag.value) if tag.name == "Rule" else ""
        if switch and switch in seen:
            faults.append((tag.line, tag.column, Fault("E137", -1, {"switch": switch})))
        seen.add(switch)


def check_rows(header: Header) -> None:
    """Raise NotationError (E125) where a tag is longer than a game file's line may be."""
    if any(len(row) > TEXT_LENGTH_MAX for row in write(header, every_switch=True)):
        raise NotationError(Fault("E125", -1, {"limit": TEXT_LENGTH_MAX}))


def write(header: Header, every_switch: bool = False) -> list[str]:
    """Return the tag lines of a header, in their canonical order.

    Switches that stand as in the preset are left out, unless `every_switch` is wanted.
    """
    pairs: list[tuple[str, str]] = []
    if header.title is not None:
        pairs.append(("Game", header.title))
    if header.date is not None:
        pairs.append(("Date", header.date))
    pairs.append(("Players", ", ".join(header.players)))
    pairs.append(("Dealer", header.players[header.dealer]))
    pairs.append(("Rules", header.rules.preset))
    preset = rules.PRESETS[header.rules.preset]
    own = rules.switches(header.rules) if every_switch else rules.differing(header.rules, preset)
    for name, value in own.items():
        pairs.append(("Rule", f"{name} = {rules.show_value(value)}"))
    if header.stake is not None:
        pairs.append(("Stake", f"{header.stake.amount} {header.stake.currency}"))
    return [f"[{name} {quoted(value)}]" for name, value in (*pairs, *header.other)]
