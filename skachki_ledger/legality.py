"""Which deals the rules allow in the game as it stands: every refusal with its rule.

A deal marked irregular may break all of these but `NEVER`; each one broken is a problem in the
reports.
"""

from .errors import Fault
from .events import DealPlayed
from .model import SEATS, AllPass, Contract, Misere, Seat
from .rules import DEALER_TRICKS_MAX, Rules
from .scoring import undertricks
from .state import State

DEALER_DECLARES = "E201"
NEVER = frozenset((DEALER_DECLARES, "E215", "E216"))
"""Faults that no reason lifts: nothing of such an event is written."""

FACTS = frozenset(("E220", "E221", "E222", "E431"))
"""What the table did or saw otherwise than derived: a problem in the reports, never refused."""


def legality(state: State, event: DealPlayed, dealer: Seat) -> tuple[Fault, ...]:
    """Return all faults of a deal that `dealer` dealt, the gravest first; () for a legal one."""
    deal = event.deal
    if state.over:
        return over(state)
    faults: list[Fault] = []
    if isinstance(deal, AllPass):
        _allpass(state, deal, dealer, faults)
    else:
        if deal.declarer == dealer:
            faults.append(Fault(DEALER_DECLARES, "declarer", {"seat": state.players[dealer]}))
        if state.due:
            code = "E212" if state.semester_deals else "E202"
            faults.append(Fault(code, "contract", {"price": state.price}))
        if isinstance(deal, Contract):
            _contract(state, deal, faults)
        else:
            _misere(state, deal, faults)
    if dealer != state.turn:
        args = {"dealer": state.players[dealer], "turn": state.players[state.turn]}
        faults.append(Fault("E220", -1, args))
    return tuple(faults)


def over(state: State) -> tuple[Fault, ...]:
    """Return the fault of anything that is played or written after the end; () before it."""
    if not state.over:
        return ()
    return (Fault("E215" if state.over == "finished" else "E216", 0),)


def _allpass(state: State, deal: AllPass, dealer: Seat, faults: list[Fault]) -> None:
    tricks = deal.tricks[dealer]
    if tricks > DEALER_TRICKS_MAX:
        faults.append(Fault("E204", "tricks", {"seat": state.players[dealer], "tricks": tricks}))
    for seat in SEATS:
        if deal.dests[seat] is None:
            continue
        if deal.tricks[seat] or (seat == dealer and not state.rules.dealer_clean):
            faults.append(Fault("E214", f"dest{seat}", {"seat": state.players[seat]}, "allpass.clean"))


def _contract(state: State, deal: Contract, faults: list[Fault]) -> None:
    if deal.level < state.min_level and not state.due:
        args = {"since": state.open_since, "level": state.min_level}
        faults.append(Fault("E203", "contract", args))
    if deal.level == 6 and deal.strain == "s":
        if state.rules.stalingrad == "both" and deal.calls != "ww":
            faults.append(Fault("E205", "calls"))
        elif state.rules.stalingrad == "one" and "w" not in deal.calls:
            faults.append(Fault("E213", "calls"))
    if "h" in deal.calls:
        if not state.rules.half_whist:
            faults.append(Fault("E207", "calls"))
        if deal.level > 7:
            faults.append(Fault("E206", "calls"))
    if deal.dest is None:
        return
    if undertricks(deal):
        faults.append(Fault("E214", "dest", {"seat": state.players[deal.declarer]}))
    elif deal.dest == "gora":
        _gora_choice(state.rules, deal, faults)


def _gora_choice(rules: Rules, deal: Contract, faults: list[Fault]) -> None:
    if deal.calls == "ph":
        faults.append(Fault("E211", "dest"))
    elif deal.calls != "pp":
        faults.append(Fault("E210", "dest"))
    elif deal.level not in rules.unwhisted_choice:
        levels = ", ".join(map(str, rules.unwhisted_choice)) or "none"
        faults.append(Fault("E208", "dest", {"level": deal.level, "levels": levels}))


def _misere(state: State, deal: Misere, faults: list[Fault]) -> None:
    if deal.dest is None:
        return
    if deal.tricks:
        args = {"seat": state.players[deal.declarer]}
        faults.append(Fault("E214", "dest", args, "misere.caught"))
    elif deal.dest == "gora" and not state.rules.misere_choice:
        faults.append(Fault("E209", "dest"))
