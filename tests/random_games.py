"""Random games, legal by construction and as varied as the rules allow.

The rule book as the reference scorer reads it says what may be played next, not the product; the
lines are canonical Latin notation written out here. All chance comes from one `random.Random`, so a
seed is a game, and a property test may pass a `Random` that hypothesis shrinks.

Every chance is drawn so that small numbers are the plain choice: no fine, no irregular deal.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import oracle
from oracle_scoring import PRESETS, SEATS, AllPass, Misere, Rules, make_rules

TABLES = (
    ("Anna", "Boris", "Vera", "Gleb"),
    ("Анна", "Борис", "Вера", "Глеб"),
    ("Anna Maria", "Bo", "Боря", "Zoë"),
    ("Ёлка", "Nina", "Ян", "O'Neil"),
)
GUESTS = ("Zoya", "Mark", "Пётр", "Jean Luc", "Ursula", "Тит")
REASONS = ("revoke", "agreed", "карта на столе", 'he said "pass"', "two\\three", "final", "с; а потом")
STAKES = ("0.50 RUB", "1 EUR", "0.005 USD", "33.3 ₽", "7 KZT", "0.015 BTC")

SWITCH_VALUES: dict[str, tuple[str, ...]] = {
    "end_rule": ("whisted", "target"),
    "two_whisters_high": ("split", "each", "second"),
    "unwhisted_choice": ("none", "8,9,10", "6,7,8,9,10", "6", "7,10"),
    "misere_choice": ("yes", "no"),
    "forced_after": ("none", "9", "10", "9,10"),
    "gentleman_on_made": ("yes", "no"),
    "consolation_dealer": ("yes", "no"),
    "half_whist": ("yes", "no"),
    "dealer_clean": ("yes", "no"),
    "set_whist_factor": ("1", "2"),
    "set_whist_scope": ("all", "consolation"),
    "stalingrad": ("both", "one", "off"),
    "forced_price": ("literal", "max"),
    "min_exit_level": ("6", "7", "8"),
}
"""Every value of every switch but the two lengths, which `rules` draws apart."""


@dataclass(frozen=True)
class Mix:
    """How often, in thousandths, each rarity is drawn."""

    events: int = 60  # a fine, an adjustment, a dealer line, a newcomer, a remark before a deal
    irregular: int = 25
    pinned: int = 40
    stop: int = 0  # before a deal: the game is stopped


@dataclass
class RandomGame:
    """A game's text in parts; `game` is the reference scorer after the last line."""

    players: tuple[str, ...]
    dealer: str
    preset: str
    overrides: dict[str, str]
    stake: str | None
    game: oracle.Game
    lines: list[str] = field(default_factory=list)

    def text(self) -> str:
        rows = [f'[Players "{", ".join(self.players)}"]', f'[Dealer "{self.dealer}"]']
        rows.append(f'[Rules "{self.preset}"]')
        rows += [f'[Rule "{name} = {value}"]' for name, value in self.overrides.items()]
        if self.stake is not None:
            rows.append(f'[Stake "{self.stake}"]')
        return "\n".join([*rows, "", *self.lines, ""])


def rare(rng: random.Random, thousandths: int) -> bool:
    return rng.randrange(1000) >= 1000 - thousandths


def play(
    rng: random.Random,
    preset: str,
    overrides: dict[str, str],
    mix: Mix | None = None,
    deals_max: int = 300,
    stake: str | None = None,
) -> RandomGame:
    """Play to the game's end, or until `deals_max` deals, where it is stopped or just breaks off."""
    players = rng.choice(TABLES)
    dealer = rng.choice(players)
    game = start(players, dealer, preset, overrides, stake)
    made = RandomGame(players, dealer, preset, overrides, stake, game)
    mix = mix or Mix()
    while not (game.finished or game.stopped):
        if game.deals >= deals_max:
            if rare(rng, 500):
                _say(made, rng.choice(("stop", "stop final", f"stop {_quoted(rng.choice(REASONS))}")))
            break
        if rare(rng, mix.events):
            _say(made, _event(rng, game))
        if rare(rng, mix.stop):
            _say(made, rng.choice(("stop", "stop final")))
            break
        _say(made, _deal(rng, game, mix))
    if rare(rng, 300):
        _say(made, rng.choice(("agree", 'note "the end"', 'agree "until next time"')))
    return made


def start(
    players: tuple[str, ...], dealer: str, preset: str, overrides: dict[str, str], stake: str | None
) -> oracle.Game:
    """The reference scorer before the first deal."""
    rules = make_rules(preset, overrides)
    game = oracle.Game(rules, preset, list(players), players.index(dealer) + 1, stake)
    for seat in SEATS:
        game.sit_down(seat, players[seat - 1])
    return game


def _say(made: RandomGame, line: str) -> None:
    oracle.play_line(made.game, line)
    made.lines.append(line)


def _word(name: str) -> str:
    return name.replace(" ", "_")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# ------------------------------------------------------------------ deals


def _deal(rng: random.Random, game: oracle.Game, mix: Mix) -> str:
    """One line of a deal: legal, or marked irregular where it need not be."""
    irregular = rare(rng, mix.irregular)
    reason = f" irregular {_quoted(rng.choice(REASONS))}" if irregular else ""
    if irregular:
        return _any_deal(rng, game) + reason
    if game.due is not None or rng.randrange(100) < 22:
        return _allpass(rng, game, mix, 2)
    if rng.randrange(100) < 12:
        return _misere(rng, game, legal=True)
    lowest = game.rules.number("min_exit_level") if game.open else 6
    return _contract(rng, game, _level(rng, lowest), legal=True)


def _any_deal(rng: random.Random, game: oracle.Game) -> str:
    """A deal that the rules may forbid here: only its shape is right."""
    kind = rng.randrange(4)
    if kind == 0:
        return _allpass(rng, game, Mix(pinned=200), 10)
    if kind == 1:
        return _misere(rng, game, legal=False)
    return _contract(rng, game, _level(rng, 6), legal=False)


def _level(rng: random.Random, lowest: int) -> int:
    return max(lowest, rng.choice((6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 9, 9, 10)))


def _split(rng: random.Random, total: int, parts: int) -> list[int]:
    """Cut `total` tricks into `parts`, every cut as likely."""
    cuts = sorted(rng.randrange(total + 1) for _ in range(parts - 1))
    return [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]


def _allpass(rng: random.Random, game: oracle.Game, mix: Mix, dealer_max: int) -> str:
    dealers = rng.randrange(dealer_max + 1)
    tricks = _split(rng, 10 - dealers, 3)
    if rare(rng, 300):  # someone stays clean
        place = rng.randrange(3)
        tricks[place - 1] += tricks[place]
        tricks[place] = 0
    tricks.insert(game.dealer - 1, dealers)
    wishes = ""
    for seat in SEATS:
        may_choose = tricks[seat - 1] == 0 and (seat != game.dealer or game.rules.yes("dealer_clean"))
        if rare(rng, 400 if may_choose else 0 if dealer_max == 2 else 100):
            wishes += f" {_word(game.names[seat - 1])}@g"
    pinned = f"@{rng.choice((2, 4, 6, 8, 1, 99))}" if rare(rng, mix.pinned) else ""
    return f"r{pinned} {'/'.join(map(str, tricks))}{wishes}"


def _declarer(rng: random.Random, game: oracle.Game) -> str:
    return _word(game.names[rng.choice([seat for seat in SEATS if seat != game.dealer]) - 1])


def _misere(rng: random.Random, game: oracle.Game, legal: bool) -> str:
    may_choose = not legal or game.rules.yes("misere_choice")
    tricks = rng.choice((0, 0, 0, 1, 2, 3, rng.randrange(11)))
    to_gora = may_choose and (tricks == 0 or not legal) and rare(rng, 400)
    return f"{_declarer(rng, game)} m {tricks}{' @g' if to_gora else ''}"


def _calls(rules: Rules, level: int, strain: str) -> list[str]:
    """Every pair of calls that the rules allow: whist.stalingrad, whist.half."""
    allowed = ["ww", "wp", "pw", "pp"]
    if level <= 7 and rules.yes("half_whist"):
        allowed += ["ph", "wh"]
    if level == 6 and strain == "s":
        stalingrad = rules.word("stalingrad")
        if stalingrad == "both":
            allowed = ["ww"]
        elif stalingrad == "one":
            allowed = [calls for calls in allowed if "w" in calls]
    return allowed


def _contract(rng: random.Random, game: oracle.Game, level: int, legal: bool) -> str:
    strain = rng.choice("scdhn")
    every = ["ww", "wp", "pw", "pp", "ph", "wh"]
    calls = rng.choice(_calls(game.rules, level, strain) if legal else every)
    outbid = "/m" if level >= 9 and rare(rng, 300) else ""
    head = f"{_declarer(rng, game)} {level}{strain}{outbid} {calls}"
    if calls in ("pp", "ph"):
        choice = calls == "pp" and level in game.rules.levels("unwhisted_choice")
        return head + (" @g" if (choice or not legal) and rare(rng, 400) else "")
    taken = level + rng.choice((0, 0, 0, 1, 1, 2, 3)) if rng.randrange(100) < 70 else rng.randrange(level)
    taken = min(10, taken)
    first = rng.randrange(10 - taken + 1)
    tricks = f"{taken}/{first}/{10 - taken - first}"
    if calls != "ww" and rare(rng, 500):
        tricks = f"{taken}/{10 - taken}"
    wish = rng.choice((" @g", " @p" if taken < level else "")) if not legal and rare(rng, 300) else ""
    return f"{head} {tricks}{wish}"


def any_deal(rng: random.Random, game: oracle.Game) -> str:
    """A deal's line of the right shape; half of them, or so, are legal here."""
    if rare(rng, 500):
        return _deal(rng, game, Mix(irregular=0))
    return _any_deal(rng, game)


def is_legal(game: oracle.Game, line: str) -> bool:
    """Tell what the rule book says of a deal's line, read off it rule by rule."""
    words = oracle.words_of(line)
    deal = oracle.read_deal(game, words)
    yes = game.rules.yes
    if isinstance(deal, AllPass):
        wishing = {oracle.seat_of(game, word[:-2]) for word in words[2:]}
        clean = {seat for seat in SEATS if deal.tricks[seat - 1] == 0}
        if not yes("dealer_clean"):
            clean.discard(game.dealer)
        return deal.tricks[game.dealer - 1] <= 2 and wishing <= clean
    if deal.declarer == game.dealer or game.due is not None:
        return False
    if isinstance(deal, Misere):
        made = deal.tricks == 0
        return (made or words[-1][0] != "@") and (not deal.to_gora or yes("misere_choice"))
    if game.open and deal.level < game.rules.number("min_exit_level"):
        return False
    strain = "s" if "s" in words[1] else ""
    if deal.calls not in _calls(game.rules, deal.level, strain):
        return False
    if deal.to_gora:
        return deal.calls == "pp" and deal.level in game.rules.levels("unwhisted_choice")
    return words[-1] != "@p" or deal.short_by == 0


# ------------------------------------------------------------------ everything else


def _event(rng: random.Random, game: oracle.Game) -> str:
    reason = _quoted(rng.choice(REASONS))
    optional = f" {reason}" if rare(rng, 500) else ""
    seats = [_word(name) for name in game.names]
    who = rng.choice(seats)
    other = rng.choice([name for name in seats if name != who])
    amount = rng.randrange(1, 41)
    signed = -amount if rare(rng, 500) else amount
    match rng.randrange(9):
        case 0:
            return f"fine {who} {amount} gora{optional}"
        case 1:
            return f"fine {who} {amount} whists {other}{optional}"
        case 2:
            return f"fine {who} {amount} whists all{optional}"
        case 3:
            return f"adjust {who} {signed} {rng.choice(('pool', 'gora'))} {reason}"
        case 4:
            return f"adjust {who} {signed} whists {rng.choice((other, 'all'))} {reason}"
        case 5:
            return f"dealer {who}{optional}"
        case 6:
            free = [name for name in (*GUESTS, *TABLES[0]) if name not in game.names]
            return f"seat {who} {_quoted(rng.choice(free))}{optional}"
        case 7:
            return f"agree{optional}"
        case _:
            return f"note {reason}"


# ------------------------------------------------------------------ rules


def rules(rng: random.Random, semesters_max: int = 3, target_max: int = 22) -> tuple[str, dict[str, str]]:
    """A preset and some switches set to any value; few semesters, low targets, so games end."""
    preset = rng.choice(list(PRESETS))
    overrides = {name: rng.choice(values) for name, values in SWITCH_VALUES.items() if rare(rng, 450)}
    overrides["semesters"] = str(rng.randrange(1, semesters_max + 1))
    overrides["target"] = str(rng.randrange(1, target_max + 1))
    return preset, overrides


def night(seed: int) -> RandomGame:
    """A full-length game under one of the presets as it is sold, now and then with a house rule."""
    rng = random.Random(seed)
    preset = list(PRESETS)[seed % len(PRESETS)]
    overrides = {}
    if rare(rng, 400):
        names: Sequence[str] = rng.sample(sorted(SWITCH_VALUES), rng.randrange(1, 4))
        overrides = {name: rng.choice(SWITCH_VALUES[name]) for name in names}
    stake = rng.choice(STAKES) if rare(rng, 700) else None
    return play(rng, preset, overrides, Mix(events=70, irregular=8, pinned=10), 90, stake)
