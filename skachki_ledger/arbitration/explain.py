"""Why a number is what it is: the rules that an event came under, beyond those its entries name."""

from ..derive import History, Step
from ..events import Adjustment, DealerNamed, DealPlayed, Fine, Stop, Substitution
from ..model import AllPass, Contract, Misere
from ..scoring import is_whisted, undertricks
from ..standing import is_gambler
from ..state import State


def rules_of(history: History, place: int, corrected: bool) -> list[str]:
    """Return the ids of every rule that the event at `place` came under, each once.

    First those of its entries; then what made them so: doubling, price, exit, semester's end.
    `corrected`: the record of this event was amended, inserted or stands for another.
    """
    taken = history.steps[place]
    before = state_before(history, place)
    found = [entry.rule for entry in taken.entries]
    found += [fault.rule for fault in taken.faults if fault.rule]
    if isinstance(taken.event, DealPlayed):
        found += _deal_rules(before, taken, taken.event)
    elif isinstance(taken.event, Fine):
        found.append("fine")
    elif isinstance(taken.event, Adjustment):
        found.append("adjust")
    elif isinstance(taken.event, DealerNamed):
        found += ["deal.fact", "deal.rotation"]
    elif isinstance(taken.event, Substitution):
        found.append("substitute")
    elif isinstance(taken.event, Stop):
        found.append("settle.early")
    found += _phase_rules(before, taken)
    if corrected:
        found.append("correction")
    return list(dict.fromkeys(found))


def state_before(history: History, place: int) -> State:
    """Return the state in which the event at `place` came."""
    return history.steps[place - 1].after if place else history.start


def reached_with(before: State, taken: Step) -> tuple[str, ...]:
    """Return who reached the target with this event, () where nobody did or it was reached before."""
    if before.reached or before.over:
        return ()
    if not taken.ended:
        return tuple(taken.after.players[seat] for seat in taken.after.reached)
    return next(prize.names for prize in taken.after.prizes[len(before.prizes) :] if prize.kind == "pool")


def goes_on_because(taken: Step) -> str:
    """Return why the semester goes on though the target is reached: due, open or unwhisted.

    "" where it is not reached, where the semester ended, and where no deal was played.
    """
    event, after = taken.event, taken.after
    if not isinstance(event, DealPlayed) or not after.reached or taken.ended:
        return ""
    if after.due or after.is_open:
        return "due" if after.due else "open"
    return "" if is_whisted(event.deal) else "unwhisted"


def _deal_rules(before: State, taken: Step, event: DealPlayed) -> list[str]:
    found = ["irregular"] if event.irregular and taken.faults else []
    if _is_below_zero(before, taken):
        found.append("gora.negative")
    deal = event.deal
    if isinstance(deal, AllPass):
        found += ["allpass.opening"] if before.semester_deals == 0 else []
        found += ["allpass.forced"] if before.due and before.semester_deals else []
        found.append("allpass.price" if deal.pinned is None else "price.pinned")
    elif isinstance(deal, Contract):
        found += _contract_rules(deal, before)
    elif isinstance(deal, Misere) and deal.tricks:
        found.append("allpass.forced")
    if before.is_open and not before.due and not isinstance(deal, AllPass):
        found.append("allpass.exit")
    if taken.dealer != before.turn:
        found += ["deal.fact", "deal.rotation"]
    return [*found, "deal.rotation"] if before.semester_deals == 0 else found


def _is_below_zero(before: State, taken: Step) -> bool:
    """Tell whether the event took somebody's gora of the semester below zero."""
    gora = list(before.gora)
    lowered = set()
    for entry in taken.entries:
        if entry.account == "gora":
            gora[entry.seat] += entry.amount
            lowered |= {entry.seat} if entry.amount < 0 else set()
    return any(gora[seat] < 0 for seat in lowered)


def _contract_rules(deal: Contract, before: State) -> list[str]:
    found = []
    if undertricks(deal):
        found += ["game.set", "whist.set-double", "game.no-concession"]
    if deal.level == 10:
        found.append("game.ten")
    if (deal.level, deal.strain) == (6, "s") and before.rules.stalingrad != "off":
        found.append("whist.stalingrad")
    if before.is_open and not before.due:
        found.append("allpass.hard-exit")
    return found


def _phase_rules(before: State, taken: Step) -> list[str]:
    """Return the rules by which an event opened, closed or ended something."""
    after = taken.after
    found = []
    ended = taken.ended
    if before.is_open and (not after.is_open or ended) and not before.over:
        found.append("allpass.exit")
    if after.due and not ended and after.due != before.due:
        found.append("allpass.forced")
    if reached_with(before, taken):
        found.append("semester.reached")
    if ended or goes_on_because(taken):
        found += ["semester.reached", "semester.end"]
    if after.over == "finished" and not before.over:
        found.append("game.length")
    new = after.prizes[len(before.prizes) :]
    found += [f"prize.{'' if prize.semester else 'total-'}{prize.kind}" for prize in new]
    if any(len(prize.winners) > 1 for prize in new):
        found.append("prize.share")
    return found


def settlement_rules(history: History) -> list[str]:
    """Return the rules that lead from the sheet to a net, to money and to payments."""
    found = ["settle.net", "settle.round"]
    found += ["settle.transfers"] if history.header.stake else []
    found += ["settle.early"] if history.state.over == "stopped" else []
    found += ["rating.gambler"] if is_gambler(history) else []
    return found
