"""A deal asked for one key a question, only where the answer is not forced; builds a line of notation.

Nothing here knows a screen or a keyboard: a `Guide` is the game between two deals and the answers so
far. Its line is judged and recorded like a typed one.
"""

from collections.abc import Callable
from typing import NamedTuple

from .. import canon, vocabulary
from ..derive import step
from ..events import DealPlayed
from ..i18n import _, language
from ..model import SEATS, AllPass, Calls, Contract, Deal, Dest, Misere, Seat, Strain, defenders
from ..rules import DEALER_TRICKS_MAX, TRICKS
from ..state import State
from .preview import legal_calls

STRAINS: tuple[Strain, ...] = ("s", "c", "d", "h", "n")
_SUITS = {"s": "♠", "c": "♣", "d": "♦", "h": "♥"}


class Choice(NamedTuple):
    """One answer: the digit that gives it in every layout, a Latin and a Russian letter, its text.

    A key that is "" does not exist.
    """

    value: str
    digit: str
    latin: str
    russian: str
    text: str

    @property
    def key(self) -> str:
        """Return the key to show."""
        return self.digit or (self.russian if language() == "ru" else self.latin)


class Question(NamedTuple):
    """What is asked and the answers there are; `listed`: they are shown one by one."""

    text: str
    choices: tuple[Choice, ...]
    listed: bool = True


class Guide(NamedTuple):
    """Answers given so far to the questions about one deal."""

    state: State
    answers: tuple[str, ...] = ()


class Progress(NamedTuple):
    """How far a guide is: the line so far and what is asked next, None where all is said."""

    line: str
    question: Question | None


class _OpenQuestion(Exception):  # noqa: N818 - it is no error: the walk stops where an answer is missing
    def __init__(self, question: Question) -> None:
        super().__init__(question.text)
        self.question = question


Ask = Callable[[str, list[Choice], bool], str]


def progress(guide: Guide) -> Progress:
    """Return the line the answers make and the next question."""
    words: list[str] = []
    left = list(guide.answers)

    def ask(text: str, choices: list[Choice], listed: bool = True) -> str:
        if len(choices) == 1:
            return choices[0].value
        if not left:
            raise _OpenQuestion(Question(text, tuple(choices), listed))
        given = left.pop(0)
        if given not in {choice.value for choice in choices}:  # the game went on under the answers
            left.clear()
            raise _OpenQuestion(Question(text, tuple(choices), listed))
        return given

    try:
        if not guide.state.over:
            _deal(guide.state, ask, words)
    except _OpenQuestion as open_:
        return Progress(" ".join(words), open_.question)
    return Progress(" ".join(words), None)


def press(guide: Guide, char: str) -> Guide | None:
    """Return the guide after a key, or None where the key is no answer or could be two."""
    question = progress(guide).question
    choice = answer(question, char) if question else None
    return guide._replace(answers=(*guide.answers, choice.value)) if choice else None


def back(guide: Guide) -> Guide:
    """Return the guide without its last answer."""
    return guide._replace(answers=guide.answers[:-1])


def answer(question: Question, char: str) -> Choice | None:
    """Return the answer a key gives in either keyboard layout.

    A letter of the other script is refused where it means one thing as a letter and another as the
    key it stands on: Latin n is no trump, and the key of the Russian т.
    """
    char = char.lower()
    for choice in question.choices:
        if char == choice.digit != "":
            return choice
    latin = {choice.latin: choice for choice in question.choices if choice.latin}
    russian = {choice.russian: choice for choice in question.choices if choice.russian}
    is_russian = "а" <= char <= "я" or char == "ё"
    own, other = (russian, latin) if is_russian else (latin, russian)
    table = vocabulary.TO_LATIN if is_russian else vocabulary.TO_RUSSIAN
    direct, retyped = own.get(char), other.get(char.translate(table))
    if is_russian == (language() == "ru"):
        return direct or retyped
    return None if direct and retyped and direct != retyped else direct or retyped


# ------------------------------------------------------------------ the questions


def _deal(state: State, ask: Ask, words: list[str]) -> None:
    tokens = canon.shown(signs=False)
    if state.due:
        _allpass(state, ask, words, tokens)
        return
    who = [_seat(state, seat) for seat in SEATS if seat != state.dealer]
    rest = Choice("r", "", "r", "р", _("all-pass"))
    played = ask(_("Who plays?"), [*who, rest], True)
    if played == "r":
        _allpass(state, ask, words, tokens)
        return
    declarer = int(played)
    words.append(_name(state, declarer))
    levels = [Choice(str(n), str(n % 10), "", "", "") for n in range(state.min_level, 11)]
    misere = Choice("m", "", "m", "м", _("misère"))
    level = ask(_("What does {name} play?").format(name=state.players[declarer]), [*levels, misere], True)
    if level == "m":
        words.append(tokens.misere)
        _misere(state, declarer, ask, words, tokens)
    else:
        _contract(state, declarer, int(level), ask, words, tokens)


def _seat(state: State, seat: Seat) -> Choice:
    return Choice(str(seat), str(seat + 1), "", "", state.players[seat])


def _name(state: State, seat: Seat) -> str:
    return state.players[seat].replace(" ", "_")


def _contract(
    state: State, declarer: Seat, level: int, ask: Ask, words: list[str], tokens: canon.Tokens
) -> None:
    words.append(str(level))
    strains = [_strain(at, strain) for at, strain in enumerate(STRAINS, 1)]
    strain = vocabulary.STRAINS[ask(_("Which suit?"), strains, True)]
    words[-1] += tokens.strains[strain]
    outbid = False
    if level >= 9 and level in state.rules.forced_after:
        asked = _("Did it outbid a misère?")
        no, yes = _("no"), _("yes")
        outbid = ask(asked, [Choice("n", "1", "n", "н", no), Choice("y", "2", "y", "д", yes)], True) == "y"
    if outbid:
        words[-1] += tokens.over_misere
    first, second = defenders(declarer, state.dealer)
    calls = _calls(state, declarer, level, strain, ask, words, tokens, (first, second))
    if calls in ("pp", "ph"):
        tricks: tuple[int, ...] = ()
    else:
        name = state.players[declarer]
        taken = _tricks(_("Tricks of {name} ({level} to make)"), name, ask, 0, TRICKS, level)
        words.append(f"{taken}/")
        tricks = (taken, TRICKS - taken)
        if calls == "ww":
            left = TRICKS - taken
            one = _tricks(_("Tricks of {name}"), state.players[first], ask, 0, left)
            tricks = (taken, one, left - one)
        words[-1] = "/".join(map(str, tricks))
    deal = Contract(declarer, level, strain, outbid, calls, tricks, None)
    if calls == "pp" and level in state.rules.unwhisted_choice:
        dest = _destination(state, declarer, deal, ask, lambda wish: deal._replace(dest=wish))
        words += [tokens.dests["gora"]] if dest == "gora" else []


def _strain(at: int, strain: Strain) -> Choice:
    russian = {"s": "п", "c": "т", "d": "б", "h": "ч", "n": "к"}[strain]
    return Choice(strain, str(at), strain, russian, _SUITS.get(strain) or _("no trump"))


def _calls(
    state: State,
    declarer: Seat,
    level: int,
    strain: Strain,
    ask: Ask,
    words: list[str],
    tokens: canon.Tokens,
    pair: tuple[Seat, Seat],
) -> Calls:
    """Ask what the defenders said, each only where he had a choice (whist.stalingrad)."""
    allowed = legal_calls(state, declarer, level, strain)
    said = ""
    for at, seat in enumerate(pair):
        letters = list(dict.fromkeys(calls[at] for calls in allowed if calls.startswith(said)))
        choices = [choice for choice in _every_call() if choice.value in letters]
        said += ask(_("{name} says?").format(name=state.players[seat]), choices, True)
        shown = "".join(tokens.calls[call] for call in said)
        words[2:] = [shown]
    return next(calls for calls in allowed if calls == said)


def _every_call() -> list[Choice]:
    return [
        Choice("w", "1", "w", "в", _("whist")),
        Choice("p", "2", "p", "п", _("pass")),
        Choice("h", "3", "h", "х", _("half")),
    ]


def _tricks(text: str, name: str, ask: Ask, low: int, high: int, level: int = 0) -> int:
    """Ask for a number of tricks, where more than one is possible."""
    choices = [
        Choice(str(n), str(n), "", "", "") if n < TRICKS else Choice("10", "", "x", "х", "10")
        for n in range(low, high + 1)
    ]
    asked = text.format(name=name, level=level)
    keys = f"{low}–{min(high, 9)}" if low < min(high, 9) else str(low)
    if high == TRICKS:
        keys += ", " + _("x is ten")
    return int(ask(f"{asked}: {keys}", choices, False))


def _misere(state: State, declarer: Seat, ask: Ask, words: list[str], tokens: canon.Tokens) -> None:
    taken = _tricks(_("Tricks of {name}"), state.players[declarer], ask, 0, TRICKS)
    words.append(str(taken))
    if taken == 0 and state.rules.misere_choice:
        deal = Misere(declarer, 0, None)
        dest = _destination(state, declarer, deal, ask, lambda wish: deal._replace(dest=wish))
        words += [tokens.dests["gora"]] if dest == "gora" else []


def _allpass(state: State, ask: Ask, words: list[str], tokens: canon.Tokens) -> None:
    """Ask the tricks in seat order, the last filled in, then where each clean seat wants his points."""
    words += [tokens.allpass, ""]
    most = [DEALER_TRICKS_MAX if seat == state.dealer else TRICKS for seat in SEATS]
    tricks: list[int] = []
    for seat in SEATS:
        left = TRICKS - sum(tricks)
        low, high = max(0, left - sum(most[seat + 1 :])), min(most[seat], left)
        tricks.append(_tricks(_("Tricks of {name}"), state.players[seat], ask, low, high))
        words[1] = "/".join(map(str, tricks)) + ("/" if seat < 3 else "")
    dests: list[Dest | None] = [None, None, None, None]
    for seat in SEATS:
        if tricks[seat] or (seat == state.dealer and not state.rules.dealer_clean):
            continue

        def wished(wish: Dest, seat: Seat = seat) -> AllPass:
            return AllPass(
                tuple(tricks), tuple(wish if at == seat else d for at, d in enumerate(dests)), None
            )

        if _destination(state, seat, wished("pool"), ask, wished) == "gora":
            dests[seat] = "gora"
            words.append(f"{_name(state, seat)}{tokens.dests['gora']}")


def _destination(state: State, seat: Seat, _deal: Deal, ask: Ask, with_wish: Callable[[Dest], Deal]) -> str:
    """Ask pool or gora, saying what each would mean for the target and the lowest gora."""
    choices = [
        Choice("pool", "1", "p", "п", _pool_means(state, seat, with_wish("pool"))),
        Choice("gora", "2", "g", "г", _gora_means(state, seat, with_wish("gora"))),
    ]
    return ask(_("{name}: pool or gora?").format(name=state.players[seat]), choices, True)


def _after(state: State, deal: Deal) -> tuple[list[int], list[int], bool]:
    """Return pool and gora of this semester after a deal, and whether it ends the semester."""
    taken = step(state, DealPlayed(deal))
    pool, gora = list(state.pool), list(state.gora)
    for entry in taken.entries:
        if entry.account != "whists":
            (pool if entry.account == "pool" else gora)[entry.seat] += entry.amount
    return pool, gora, bool(taken.ended)


def _pool_means(state: State, seat: Seat, deal: Deal) -> str:
    pool, gora, ends = _after(state, deal)
    text = _("pool {old} → {new}").format(old=state.pool[seat], new=pool[seat])
    target = state.rules.target
    if pool[seat] < target:
        text += ", " + _("{n} to {target}").format(n=target - pool[seat], target=target)
    elif state.reached:
        text += ", " + _("the target was reached before")
    else:
        text += ", " + _("reaches {target}").format(target=target)
    return text + _lowest(state, gora) + (", " + _("ends the semester") if ends else "")


def _gora_means(state: State, seat: Seat, deal: Deal) -> str:
    _pool, gora, ends = _after(state, deal)
    text = _("gora {old} → {new}").format(old=state.gora[seat], new=gora[seat])
    return text + _lowest(state, gora) + (", " + _("ends the semester") if ends else "")


def _lowest(state: State, gora: list[int]) -> str:
    names = ", ".join(state.players[seat] for seat in SEATS if gora[seat] == min(gora))
    return ", " + _("lowest gora: {names} ({gora})").format(names=names, gora=min(gora))
