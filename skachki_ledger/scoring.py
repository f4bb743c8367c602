"""What one deal writes: the rule book as tables of entries.

`score` knows nothing of the game around the deal but who dealt it and what an all-pass costs; each
function below writes what the rule ids in it say. docs/rules.md has the rules.
"""

from typing import assert_never

from .events import Adjustment, Fine
from .model import SEATS, WHIST, AllPass, Contract, Deal, Dest, Entry, Misere, Seat, defenders
from .rules import (
    GORA_PER_POOL,
    MISERE_GORA_PER_TRICK,
    MISERE_VALUE,
    PAIR_MUST_TAKE,
    POOL_VALUE,
    TRICKS,
    Rules,
)


def score(deal: Deal, rules: Rules, dealer: Seat, price: int) -> list[Entry]:
    """Return the entries of a deal that `dealer` dealt; `price` is what an all-pass trick costs.

    The deal is scored as played: a choice that does not exist counts as the pool (irregular).
    """
    match deal:
        case Contract():
            return _contract(deal, rules, dealer)
        case AllPass():
            return _allpass(deal, rules, dealer, price)
        case Misere():
            return _misere(deal, rules)
        case _:
            assert_never(deal)


def is_whisted(deal: Deal) -> bool:
    """Tell whether at least one defender whisted."""
    return isinstance(deal, Contract) and "w" in deal.calls


def undertricks(deal: Contract) -> int:
    """Return by how many tricks the declarer fell short, 0 where the contract was made."""
    return max(0, deal.level - deal.tricks[0]) if deal.tricks else 0


def _pool_or_gora(rule: str, seat: Seat, value: int, dest: Dest | None, may_choose: bool) -> Entry:
    """Return `value` in the pool, or twice as much off the gora where that was chosen and exists."""
    if dest == "gora" and may_choose:
        return Entry(rule, seat, "gora", None, -GORA_PER_POOL * value, ("off-gora", value))
    return Entry(rule, seat, "pool", None, value, ("value", value))


def _contract(deal: Contract, rules: Rules, dealer: Seat) -> list[Entry]:
    value, calls = POOL_VALUE[deal.level], deal.calls
    if calls == "pp":
        may_choose = deal.level in rules.unwhisted_choice
        return [_pool_or_gora("game.unwhisted", deal.declarer, value, deal.dest, may_choose)]
    first, second = defenders(deal.declarer, dealer)
    if calls == "ph":
        must = PAIR_MUST_TAKE[deal.level]
        half = must * value * WHIST  # (required / 2) · w, with w = 2 · value
        return [
            Entry("whist.half", deal.declarer, "pool", None, value, ("value", value)),
            Entry("whist.half", second, "whists", deal.declarer, half, ("half-whist", must, 2 * value)),
        ]
    short = deal.level - deal.tricks[0]
    if short > 0:
        return _set(deal, rules, dealer, first, second, short)
    made = Entry("game.made", deal.declarer, "pool", None, value, ("value", value))
    return [made, *_made_whists(deal, rules, first, second), *_shortage(deal, rules, first, second)]


def _made_whists(deal: Contract, rules: Rules, first: Seat, second: Seat) -> list[Entry]:
    """Return the whists on a made contract (whist.tricks)."""
    whist, calls, on = 2 * POOL_VALUE[deal.level], deal.calls, deal.declarer
    if calls == "ww":
        return [
            Entry(
                "whist.tricks",
                seat,
                "whists",
                on,
                tricks * whist * WHIST,
                ("tricks", tricks, whist),
            )
            for seat, tricks in ((first, deal.tricks[1]), (second, deal.tricks[2]))
            if tricks
        ]
    pair = TRICKS - deal.tricks[0]
    if pair == 0:
        return []
    if rules.gentleman_on_made and calls != "wh":
        half, why = pair * whist * WHIST // 2, ("tricks-half", pair, whist)
        return [Entry("whist.gentleman", seat, "whists", on, half, why) for seat in (first, second)]
    whister = second if calls == "pw" else first
    rule = "whist.half" if calls == "wh" else "whist.tricks"
    return [Entry(rule, whister, "whists", on, pair * whist * WHIST, ("tricks", pair, whist))]


def _shortage(deal: Contract, rules: Rules, first: Seat, second: Seat) -> list[Entry]:
    """Return the gora of whisters whose pair took less than it must (whist.short)."""
    must, value = PAIR_MUST_TAKE[deal.level], POOL_VALUE[deal.level]
    short = must - (TRICKS - deal.tricks[0])
    if short <= 0:
        return []
    if deal.calls != "ww":
        owed = {second if deal.calls == "pw" else first: short * value}
        return _short_entries(owed, short, value)
    if deal.level <= 7:
        half = must // 2
        missing = {
            seat: min(short, max(0, half - tricks))
            for seat, tricks in ((first, deal.tricks[1]), (second, deal.tricks[2]))
        }
        return [
            Entry("whist.short", seat, "gora", None, count * value, ("missing", count, value))
            for seat, count in missing.items()
            if count
        ]
    if rules.two_whisters_high == "split":
        why = ("missing-split", 1, value)
        return [Entry("whist.short", seat, "gora", None, value // 2, why) for seat in (first, second)]
    if rules.two_whisters_high == "each":
        return _short_entries({first: value, second: value}, 1, value)
    return _short_entries({second: value}, 1, value)


def _short_entries(owed: dict[Seat, int], short: int, value: int) -> list[Entry]:
    why = ("missing", short, value)
    return [Entry("whist.short", seat, "gora", None, gora, why) for seat, gora in owed.items()]


def _set(deal: Contract, rules: Rules, dealer: Seat, first: Seat, second: Seat, short: int) -> list[Entry]:
    """Return what a set contract writes (game.set): gora, trick whists, consolation.

    Every whist is multiplied by `set_whist_factor`, or only the consolation is, as
    `set_whist_scope` says (whist.set-double).
    """
    whist, on = 2 * POOL_VALUE[deal.level], deal.declarer
    on_consolation = rules.set_whist_factor
    on_tricks = on_consolation if rules.set_whist_scope == "all" else 1
    entries = [Entry("game.set", on, "gora", None, short * whist, ("undertricks", short, whist))]
    if deal.calls == "ww":
        took = [("whist.tricks", first, deal.tricks[1]), ("whist.tricks", second, deal.tricks[2])]
    elif deal.calls == "wh":
        took = [("whist.half", first, TRICKS - deal.tricks[0])]
    else:
        took = []
        pair = TRICKS - deal.tricks[0]
        half = pair * whist * on_tricks * WHIST // 2
        why = ("tricks-half", pair, whist, on_tricks)
        for seat in (first, second):
            entries.append(Entry("whist.gentleman", seat, "whists", on, half, why))
    for rule, seat, tricks in took:
        if tricks:
            amount = tricks * whist * on_tricks * WHIST
            entries.append(Entry(rule, seat, "whists", on, amount, ("tricks", tricks, whist, on_tricks)))
    consoled = [first] if deal.calls == "wh" else [first, second]
    if rules.consolation_dealer:
        consoled.append(dealer)
    amount, why = (
        short * whist * on_consolation * WHIST,
        ("consolation", short, whist, on_consolation),
    )
    entries += [Entry("whist.consolation", seat, "whists", on, amount, why) for seat in consoled]
    return entries


def _misere(deal: Misere, rules: Rules) -> list[Entry]:
    if deal.tricks == 0:
        may_choose = rules.misere_choice
        return [_pool_or_gora("misere.made", deal.declarer, MISERE_VALUE, deal.dest, may_choose)]
    gora = deal.tricks * MISERE_GORA_PER_TRICK
    why = ("taken", deal.tricks, MISERE_GORA_PER_TRICK)
    return [Entry("misere.caught", deal.declarer, "gora", None, gora, why)]


def _allpass(deal: AllPass, rules: Rules, dealer: Seat, price: int) -> list[Entry]:
    entries = []
    for seat in SEATS:
        tricks = deal.tricks[seat]
        if tricks:
            why = ("taken", tricks, price)
            entries.append(Entry("allpass.tricks", seat, "gora", None, tricks * price, why))
        elif seat != dealer or rules.dealer_clean:
            entries.append(_pool_or_gora("allpass.clean", seat, price, deal.dests[seat], True))
    return entries


def penalty(event: Fine | Adjustment) -> list[Entry]:
    """Return the entries of a fine or an adjustment: one a writer where it is whists."""
    rule = "fine" if isinstance(event, Fine) else "adjust"
    why = ("stated", event.reason or f"{event.amount:+}")
    if event.account == "whists":
        amount = event.amount * WHIST
        return [Entry(rule, writer, "whists", event.seat, amount, why) for writer in event.writers]
    return [Entry(rule, event.seat, event.account, None, event.amount, why)]


def prize(rule: str, prize_whists: int, winners: tuple[Seat, ...]) -> list[Entry]:
    """Return what the winners write: each his share on each of the others (prize.share)."""
    count = len(winners)
    if count == len(SEATS):
        return []
    why = ("share", prize_whists, count)
    return [
        Entry(rule, winner, "whists", other, prize_whists * WHIST // count, why)
        for winner in winners
        for other in SEATS
        if other not in winners
    ]
