"""What the score would be otherwise: another line, none, or a rule read the other way all night."""

from collections.abc import Iterator
from typing import NamedTuple

from .. import rules
from ..derive import History, Step, derive
from ..events import DealPlayed
from ..legality import FACTS
from ..model import Four
from ..rules import Value
from ..settlement import net

TRIED: dict[str, tuple[Value, ...]] = {
    "semesters": (4, 7),
    "target": (),
    "unwhisted_choice": ((8, 9, 10), (6, 7, 8, 9, 10)),
    "forced_after": ((9, 10), (9,)),
}
"""The values the rule book names for switches that could take many; all others are tried in full."""


class Reading(NamedTuple):
    """One switch read otherwise: the nets then, their change, and the deals at which it bit."""

    switch: str
    value: Value
    nets: Four
    changes: Four
    deals: tuple[str, ...]


def values_tried(switch: str, current: Value) -> list[Value]:
    """Return the values of a switch other than the one in force that the rule book names for it."""
    named = TRIED.get(switch, rules.SWITCHES[switch].values)
    return [value for value in named if value != current]


def readings(history: History) -> Iterator[Reading]:
    """Yield every switch at each other value, one derivation a value."""
    events = [taken.event for taken in history.steps]
    before = net(history.state)
    for switch, current in rules.switches(history.header.rules).items():
        for value in values_tried(switch, current):
            changed = rules.with_switch(history.header.rules, switch, value)
            after = derive(history.header._replace(rules=changed), events)
            nets = net(after.state)
            a, b, c, d = (new - old for new, old in zip(nets, before, strict=True))
            yield Reading(switch, value, nets, (a, b, c, d), bitten(history, after))


def bitten(before: History, after: History) -> tuple[str, ...]:
    """Return the labels of the deals that write something else, or whose phase or legality differs."""
    return tuple(
        old.label
        for old, new in zip(before.steps, after.steps, strict=True)
        if isinstance(old.event, DealPlayed)
        and (old.entries, old.price, old.semester, _broken(old))
        != (new.entries, new.price, new.semester, _broken(new))
    )


def _broken(taken: Step) -> tuple[str, ...]:
    """Return the rules a deal broke, without what the table merely saw otherwise."""
    return tuple(fault.code for fault in taken.faults if fault.code not in FACTS)
