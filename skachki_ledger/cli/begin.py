"""What `new` needs besides writing: names and options made into what was agreed."""

import time
from collections.abc import Sequence

import click

from .. import header, rules
from ..derive import History
from ..errors import Fault, NotationError
from ..header import Header
from ..i18n import _
from ..model import SEATS
from ..names import Seats, is_printable
from .say import aside


def check_names(names: Sequence[str], again: bool) -> None:
    """Refuse another number of names than is wanted as misuse (exit 2)."""
    wanted = 0 if again else len(SEATS)
    if len(names) < wanted:
        raise click.UsageError(_("Missing argument: four names, in seat order."))
    if len(names) > wanted:
        raise click.UsageError(_("Too many arguments: {word!r}").format(word=names[wanted]))


def begun(
    names: Sequence[str],
    old: History | None,
    dealer: str | None,
    preset: str | None,
    switches: Sequence[str],
    title: str | None,
    date: str | None,
    stake: str | None,
) -> Header:
    """Return what the options of `new` agree on; `old` is the game that --again goes on from.

    Raises NotationError (E102, E103, E122, E123, E125, E126, E134–E139).
    """
    if old is not None:
        players, current, money = old.state.players, old.header.rules, old.header.stake
    else:
        players, current, money = header.four_names(names), header.parse_preset("piter"), None
    if preset is not None:
        current = header.parse_preset(preset)
    seen: set[str] = set()
    for text in switches:
        current = header.set_switch(current, text)
        name = header.switch_name(text)
        if name in seen:
            raise NotationError(Fault("E137", -1, {"switch": name}))
        seen.add(name)
    if title is not None and not is_printable(title):
        raise NotationError(Fault("E126"))
    agreed = Header(
        players=players,
        dealer=Seats(players).find(dealer) if dealer is not None else 0,
        rules=current,
        title=title or None,
        date=header.parse_date(date) if date is not None else time.strftime("%Y-%m-%d"),
        stake=header.parse_stake(stake) if stake is not None else money,
    )
    header.check_rows(agreed)
    return agreed


def say_agreements(head: Header) -> None:
    """Print on standard error the switches on which the source texts differ, to be agreed on."""
    aside(_("To agree on before the first deal (skachki rules explains each):"))
    values = rules.switches(head.rules)
    for name in rules.AGREE_FIRST:
        meaning = _(rules.SWITCHES[name].meaning)
        aside(f"  {name} = {rules.show_value(values[name])}: {meaning}")
