"""The reference scorer's first part: presets, and what one deal writes.

Each comment names the rule of docs/rules.md that the code below it follows. The switches
half_whist, stalingrad and min_exit_level only say what is legal, so no amount here depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

SEATS = (1, 2, 3, 4)
Cell = tuple[str, int] | tuple[str, int, int]
"""("pool", seat), ("gora", seat) or ("whists", writer, on)."""
Amounts = dict[Cell, Fraction]

# Prices (base): what the contract is worth, what the defenders must take.
POOL_VALUE = {6: 2, 7: 4, 8: 6, 9: 8, 10: 10}
PAIR_MUST_TAKE = {6: 4, 7: 2, 8: 1, 9: 1, 10: 1}
# allpass.price: positions 1, 2, 3 and more.
ALLPASS_PRICE = {1: 2, 2: 4, 3: 6}

# The table "Presets" of rules.md, row by row: piter, gambler, horse-racing.
_SWITCHES = """
semesters           4       4           7
target              22      22          22
end_rule            whisted target      whisted
two_whisters_high   split   each        split
unwhisted_choice    8,9,10  6,7,8,9,10  8,9,10
misere_choice       yes     no          yes
forced_after        9,10    9           9,10
gentleman_on_made   no      no          no
consolation_dealer  yes     yes         yes
half_whist          yes     yes         yes
dealer_clean        yes     yes         yes
set_whist_factor    2       2           2
set_whist_scope     all     all         all
stalingrad          both    both        both
forced_price        literal literal     literal
min_exit_level      7       7           7
"""
PRESETS: dict[str, dict[str, str]] = {
    preset: {row.split()[0]: row.split()[column] for row in _SWITCHES.strip().splitlines()}
    for column, preset in enumerate(("piter", "gambler", "horse-racing"), start=1)
}


@dataclass(frozen=True)
class Rules:
    """A preset with its overrides; every switch is kept as the word that is written in a file."""

    switches: Mapping[str, str]

    def word(self, switch: str) -> str:
        return self.switches[switch]

    def number(self, switch: str) -> int:
        return int(self.switches[switch])

    def yes(self, switch: str) -> bool:
        return {"yes": True, "true": True, "no": False, "false": False}[self.switches[switch]]

    def levels(self, switch: str) -> set[int]:
        return {int(n) for n in self.switches[switch].split(",") if n.strip() != "none"}


def make_rules(preset: str, overrides: Mapping[str, object]) -> Rules:
    switches = dict(PRESETS[preset])
    for switch, value in overrides.items():
        if switch not in switches:
            raise KeyError(switch)
        if isinstance(value, bool):
            switches[switch] = "yes" if value else "no"
        elif isinstance(value, list | tuple):
            switches[switch] = ",".join(str(n) for n in value) or "none"
        else:
            switches[switch] = str(value)
    return Rules(switches)


# ------------------------------------------------------------------ deals


@dataclass(frozen=True)
class Contract:
    declarer: int
    level: int
    outbid: bool  # "/m": it outbid a misère
    calls: str  # ww wp pw pp ph wh
    tricks: tuple[int, ...]  # declarer, first, second - or declarer, pair - or none
    to_gora: bool

    @property
    def whisted(self) -> bool:
        return "w" in self.calls

    @property
    def short_by(self) -> int:
        """How many tricks the declarer is short; 0 when made or not played."""
        return max(0, self.level - self.tricks[0]) if self.whisted else 0


@dataclass(frozen=True)
class Misere:
    declarer: int
    tricks: int
    to_gora: bool


@dataclass(frozen=True)
class AllPass:
    tricks: tuple[int, ...]  # in seat order
    to_gora: frozenset[int]
    pinned: int | None


Deal = Contract | Misere | AllPass


def after(seat: int) -> int:
    """The next seat clockwise."""
    return seat % 4 + 1


def defenders(declarer: int, dealer: int) -> list[int]:
    """The two seats other than declarer and dealer, clockwise after the declarer."""
    clockwise = [after(declarer), after(after(declarer)), after(after(after(declarer)))]
    return [seat for seat in clockwise if seat != dealer]


def write(amounts: Amounts, cell: Cell, amount: Fraction | int) -> None:
    """Write an amount in a cell; nothing is written for zero."""
    if amount != 0:
        amounts[cell] = amounts.get(cell, Fraction(0)) + amount


def score_contract(rules: Rules, deal: Contract, dealer: int) -> Amounts:
    amounts: Amounts = {}
    v = POOL_VALUE[deal.level]
    w = 2 * v
    if deal.calls == "pp":
        # game.unwhisted: pool +v, or gora -2v where the choice exists (else it counts as pool)
        if deal.to_gora and deal.level in rules.levels("unwhisted_choice"):
            write(amounts, ("gora", deal.declarer), -2 * v)
        else:
            write(amounts, ("pool", deal.declarer), v)
    elif deal.calls == "ph":
        # whist.half: pool only; the half-whister writes (required / 2) * w
        write(amounts, ("pool", deal.declarer), v)
        half_whister = defenders(deal.declarer, dealer)[1]
        half = Fraction(PAIR_MUST_TAKE[deal.level], 2)
        write(amounts, ("whists", half_whister, deal.declarer), half * w)
    else:
        # game.made, game.set
        if deal.short_by == 0:
            write(amounts, ("pool", deal.declarer), v)
        else:
            write(amounts, ("gora", deal.declarer), deal.short_by * 2 * v)
        write_whists(rules, deal, dealer, amounts)
        write_shortage(rules, deal, dealer, amounts)
    return amounts


def write_whists(rules: Rules, deal: Contract, dealer: int, amounts: Amounts) -> None:
    """What is written on the declarer of a whisted contract: tricks and consolation."""
    first, second = defenders(deal.declarer, dealer)
    w = 2 * POOL_VALUE[deal.level]
    is_set = deal.short_by > 0
    pair = 10 - deal.tricks[0]

    if deal.calls == "ww":
        # whist.tricks: two whisters, each his own
        trick_whists = {first: Fraction(deal.tricks[1] * w), second: Fraction(deal.tricks[2] * w)}
    else:
        whister, other = (first, second) if deal.calls[0] == "w" else (second, first)
        # whist.gentleman: set (or the switch), with a passer; `wh` shares nothing (whist.half)
        shared = deal.calls != "wh" and (is_set or rules.yes("gentleman_on_made"))
        if shared:
            trick_whists = {whister: Fraction(pair * w, 2), other: Fraction(pair * w, 2)}
        else:
            trick_whists = {whister: Fraction(pair * w)}

    # whist.set-double: set_whist_factor and set_whist_scope
    factor = rules.number("set_whist_factor") if is_set else 1
    trick_factor = factor if rules.word("set_whist_scope") == "all" else 1
    for seat, amount in trick_whists.items():
        write(amounts, ("whists", seat, deal.declarer), amount * trick_factor)

    # whist.consolation: each of the three others; not the half-whister of `wh`
    if is_set:
        consoled = [first] if deal.calls == "wh" else [first, second]
        if rules.yes("consolation_dealer"):
            consoled.append(dealer)
        for seat in consoled:
            write(amounts, ("whists", seat, deal.declarer), deal.short_by * w * factor)


def write_shortage(rules: Rules, deal: Contract, dealer: int, amounts: Amounts) -> None:
    """whist.short: the gora of the whisters whose pair took too little."""
    first, second = defenders(deal.declarer, dealer)
    v = POOL_VALUE[deal.level]
    required = PAIR_MUST_TAKE[deal.level]
    missing = required - (10 - deal.tricks[0])
    if missing <= 0:
        return
    if deal.calls != "ww":
        whister = first if deal.calls[0] == "w" else second
        write(amounts, ("gora", whister), missing * v)
    elif deal.level <= 7:
        for seat, taken in ((first, deal.tricks[1]), (second, deal.tricks[2])):
            owed = max(0, required // 2 - taken)
            write(amounts, ("gora", seat), min(missing, owed) * v)
    else:
        each_first, each_second = {
            "split": (Fraction(v, 2), Fraction(v, 2)),
            "each": (Fraction(v), Fraction(v)),
            "second": (Fraction(0), Fraction(v)),
        }[rules.word("two_whisters_high")]
        write(amounts, ("gora", first), each_first)
        write(amounts, ("gora", second), each_second)


def score_misere(rules: Rules, deal: Misere) -> Amounts:
    amounts: Amounts = {}
    if deal.tricks > 0:  # misere.caught; a destination is ignored
        write(amounts, ("gora", deal.declarer), 20 * deal.tricks)
    elif deal.to_gora and rules.yes("misere_choice"):  # misere.made
        write(amounts, ("gora", deal.declarer), -20)
    else:
        write(amounts, ("pool", deal.declarer), 10)
    return amounts


def score_allpass(rules: Rules, deal: AllPass, dealer: int, price: int) -> Amounts:
    amounts: Amounts = {}
    for seat, tricks in zip(SEATS, deal.tricks, strict=True):
        if tricks > 0:  # allpass.tricks; a destination is ignored
            write(amounts, ("gora", seat), tricks * price)
        elif seat == dealer and not rules.yes("dealer_clean"):
            pass  # allpass.clean: dealer_clean = no, he writes nothing
        elif seat in deal.to_gora:
            write(amounts, ("gora", seat), -2 * price)
        else:
            write(amounts, ("pool", seat), price)
    return amounts
