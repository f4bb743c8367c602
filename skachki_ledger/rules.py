"""Every number of the game and every switch a table may set: the rule book's tables, nothing else.

Three published texts are behind the presets: P «Питерские скачки», G «Преферанс: скачки»,
H "St. Petersburg horse racing"; "base" is the Питер system all three build on, "fill" what none
of them says. docs/rules.md has the words of every rule id named here.
"""

from typing import Any, Literal, NamedTuple, cast

from .i18n import N_

POOL_VALUE = {6: 2, 7: 4, 8: 6, 9: 8, 10: 10}
"""Pool points of a made contract; a whist is worth twice, an undertrick twice in gora."""

PAIR_MUST_TAKE = {6: 4, 7: 2, 8: 1, 9: 1, 10: 1}
"""Tricks the two defenders answer for together."""

MISERE_VALUE = 10
MISERE_GORA_PER_TRICK = 20
GORA_PER_POOL = 2
WHISTS_PER_POOL = 20
WHISTS_PER_GORA = 10
TRICKS = 10
DEALER_TRICKS_MAX = 2
ALLPASS_PRICES = (2, 4, 6)
"""Prices of the first, second, third all-pass; every later one costs what the third does."""

PRIZE_POOL = 300
PRIZE_GORA = 200
RATING_WHISTS = 250
"""Whists of one Gambler rating point (rating.gambler)."""


def allpass_price(position: int) -> int:
    """Return the gora points a trick costs at the `position`-th all-pass (allpass.price)."""
    return ALLPASS_PRICES[position - 1] if position < 3 else ALLPASS_PRICES[2]


Value = bool | int | str | tuple[int, ...]


class Rules(NamedTuple):
    """All switches of one game, and the preset they started from, as "piter@1"."""

    preset: str
    semesters: int
    target: int
    end_rule: Literal["whisted", "target"]
    two_whisters_high: Literal["split", "each", "second"]
    unwhisted_choice: tuple[int, ...]
    misere_choice: bool
    forced_after: tuple[int, ...]
    gentleman_on_made: bool
    consolation_dealer: bool
    half_whist: bool
    dealer_clean: bool
    set_whist_factor: int
    set_whist_scope: Literal["all", "consolation"]
    stalingrad: Literal["both", "one", "off"]
    forced_price: Literal["literal", "max"]
    min_exit_level: int


_PITER = Rules(
    preset="piter@1",
    semesters=4,
    target=22,
    end_rule="whisted",
    two_whisters_high="split",
    unwhisted_choice=(8, 9, 10),
    misere_choice=True,
    forced_after=(9, 10),
    gentleman_on_made=False,
    consolation_dealer=True,
    half_whist=True,
    dealer_clean=True,
    set_whist_factor=2,
    set_whist_scope="all",
    stalingrad="both",
    forced_price="literal",
    min_exit_level=7,
)

PRESETS: dict[str, Rules] = {
    "piter@1": _PITER,
    "gambler@1": _PITER._replace(
        preset="gambler@1",
        end_rule="target",
        two_whisters_high="each",
        unwhisted_choice=(6, 7, 8, 9, 10),
        misere_choice=False,
        forced_after=(9,),
    ),
    "horse-racing@1": _PITER._replace(preset="horse-racing@1", semesters=7),
}
"""Every version of every preset ever released; a released one is never edited."""

CURRENT = {"piter": "piter@1", "gambler": "gambler@1", "horse-racing": "horse-racing@1"}

RUSSIAN_PRESETS = {"питер": "piter", "гамблер": "gambler"}
"""What players call the presets; accepted wherever a preset is named."""


class Switch(NamedTuple):
    """What a switch may be set to, what it means and which rule and source it comes from."""

    values: tuple[Value, ...]
    rule: str
    source: str
    meaning: str


_YES_NO: tuple[Value, ...] = (True, False)

SWITCHES: dict[str, Switch] = {
    "semesters": Switch((1, 20), "game.length", "P, G: 4; H: 7", N_("semesters in a game")),
    "target": Switch((1, 1000), "semester.reached", "P, G, H", N_("pool points that end a semester")),
    "end_rule": Switch(
        ("whisted", "target"),
        "semester.end",
        N_("P, H: whisted; G: target"),
        N_("what ends a semester – whisted: a whisted game after the target; target: reaching it"),
    ),
    "two_whisters_high": Switch(
        ("split", "each", "second"),
        "whist.short",
        N_("P, H: split; G: each; base: second"),
        N_("gora of two whisters on 8–10 without tricks – split: halves; each: in full; second: his alone"),
    ),
    "unwhisted_choice": Switch(
        (6, 7, 8, 9, 10),
        "game.unwhisted",
        N_("P, H: 8, 9, 10; G: 6–10 (amount: fill)"),
        N_("unwhisted games that may be written off the gora instead"),
    ),
    "misere_choice": Switch(
        _YES_NO, "misere.made", N_("P, H: yes; G: no"), N_("a made misère may be written off the gora")
    ),
    "forced_after": Switch(
        (9, 10),
        "allpass.forced",
        "P, H: 9, 10; G: 9",
        N_("games that force an all-pass when they outbid a misère and were set"),
    ),
    "gentleman_on_made": Switch(
        _YES_NO, "whist.gentleman", N_("fill"), N_("whists are halved with the passer also when made")
    ),
    "consolation_dealer": Switch(
        _YES_NO,
        "whist.consolation",
        N_("base"),
        N_("the dealer, too, writes consolation on a set game"),
    ),
    "half_whist": Switch(_YES_NO, "whist.half", N_("base"), N_("leaving for half a whist is allowed")),
    "dealer_clean": Switch(
        _YES_NO,
        "allpass.clean",
        N_("G; P, H: fill"),
        N_("a dealer without tricks writes a clean all-pass"),
    ),
    "set_whist_factor": Switch(
        (1, 2), "whist.set-double", "P, G, H", N_("whists on a set declarer are multiplied by this")
    ),
    "set_whist_scope": Switch(
        ("all", "consolation"),
        "whist.set-double",
        N_("P, G, H: all (fill)"),
        N_("what that multiplies – all: every whist of the deal; consolation: the consolation alone"),
    ),
    "stalingrad": Switch(
        ("both", "one", "off"),
        "whist.stalingrad",
        N_("P, G, H: both (fill)"),
        N_("six spades is whisted by – both: both; one: at least one; off: whoever wants to"),
    ),
    "forced_price": Switch(
        ("literal", "max"),
        "allpass.forced",
        N_("P: literal; fill"),
        N_("a forced all-pass is played at – literal: its own price; max: never below the running one"),
    ),
    "min_exit_level": Switch(
        (6, 7, 8),
        "allpass.hard-exit",
        N_("P, H: 7; base"),
        N_("lowest contract while the all-pass is open"),
    ),
}

_LISTS = ("unwhisted_choice", "forced_after")
_RANGES = ("semesters", "target")
_WORDS: dict[str, Value] = {
    **dict.fromkeys(("yes", "true", "да"), True),
    **dict.fromkeys(("no", "false", "нет"), False),
}
AGREE_FIRST = ("two_whisters_high", "unwhisted_choice", "misere_choice", "end_rule")
"""Switches on which the three source texts differ: a table agrees on them before it plays."""


def preset(name: str) -> Rules | None:
    """Return the preset `name` ("piter", "piter@1"), or None where there is no such one."""
    return PRESETS.get(CURRENT.get(name, name))


def parse_value(switch: str, text: str) -> Value | None:
    """Return the value of `switch` that `text` names, or None where it may not be set to that."""
    allowed, text = SWITCHES[switch].values, text.strip().lower()
    if switch in _LISTS:
        parts = [] if text in ("none", "") else [part.strip() for part in text.split(",")]
        if not all(part.isascii() and part.isdecimal() and len(part) < 3 for part in parts):
            return None
        levels = tuple(sorted({int(part) for part in parts}))
        return levels if set(levels) <= set(allowed) else None
    if switch in _RANGES:
        low, high = cast(tuple[int, int], allowed)
        if not (text.isascii() and text.isdecimal() and len(text) < 6):
            return None
        return int(text) if low <= int(text) <= high else None
    for value in allowed:
        if show_value(value) == text or (value is _WORDS.get(text) and isinstance(value, bool)):
            return value
    return None


def show_value(value: Value) -> str:
    """Return `value` as it is written in a Rule tag: yes/no, a number, a word, a comma list."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return str(value)


def show_allowed(switch: str) -> str:
    """Return what `switch` may be set to, for messages and docs: "split, each, second"."""
    allowed = SWITCHES[switch].values
    if switch in _RANGES:
        return f"{allowed[0]}–{allowed[1]}"
    listed = ", ".join(map(show_value, allowed))
    return f"{listed}, none" if switch in _LISTS else listed


def with_switch(rules: Rules, switch: str, value: Value) -> Rules:
    """Return `rules` with one switch set to a value that `parse_value` gave."""
    changed: dict[str, Any] = {switch: value}
    return rules._replace(**changed)


def switches(rules: Rules) -> dict[str, Value]:
    """Return every switch of `rules` with its value, in the order of the rule book."""
    return dict(zip(rules._fields[1:], rules[1:], strict=True))


def differing(rules: Rules, other: Rules) -> dict[str, Value]:
    """Return the switches of `rules` that stand otherwise in `other`, with their values here."""
    return {
        name: value
        for name, value, old in zip(rules._fields[1:], rules[1:], other[1:], strict=True)
        if value != old
    }
