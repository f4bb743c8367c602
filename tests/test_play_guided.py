"""Guided entry: one key a question, asked only where the answer is not forced, in both layouts."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from random_games import night
from running import LATIN

from skachki_ledger import canon, gamefile, i18n, notation, rules
from skachki_ledger.derive import History, refusals, step
from skachki_ledger.events import DealPlayed
from skachki_ledger.intake import admit
from skachki_ledger.model import AllPass, Contract, Misere
from skachki_ledger.names import Seats
from skachki_ledger.play import guided
from skachki_ledger.play.guided import Guide, Progress
from skachki_ledger.rules import PRESETS, Rules
from skachki_ledger.state import State, start
from skachki_ledger.vocabulary import TO_LATIN, TO_RUSSIAN

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.skachki"))


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.use(request.param)
    yield request.param
    i18n.use("en")


def history_of(text: str) -> History:
    history = admit(gamefile.read(text)).history
    assert history is not None
    return history


def keys_to(state: State, line: str, guide: Guide | None = None) -> str | None:
    """The keys that make `line`, found by trying every answer; None where no keys do."""
    guide = guide or Guide(state)
    at = guided.progress(guide)
    if at.question is None:
        return "" if at.line == line else None
    for choice in at.question.choices:
        after = guide._replace(answers=(*guide.answers, choice.value))
        if line.startswith(guided.progress(after).line):
            rest = keys_to(state, line, after)
            if rest is not None:
                return choice.key + rest
    return None


def pressed(state: State, keys: str) -> Progress:
    guide = Guide(state)
    for key in keys:
        after = guided.press(guide, key)
        assert after is not None, (keys, key, guided.progress(guide))
        guide = after
    return guided.progress(guide)


def short(deal: Contract | Misere | AllPass) -> Contract | Misere | AllPass:
    """A deal as keys say it: where one whists alone, declarer and pair; no wish for the pool."""
    if isinstance(deal, Contract):
        tricks = deal.tricks
        if deal.calls != "ww" and tricks:
            tricks = (tricks[0], 10 - tricks[0])
        return deal._replace(tricks=tricks, dest=deal.dest if deal.dest == "gora" else None)
    return deal


def expressible(event: object, rules_: Rules) -> bool:
    """Keys say every legal deal but a price pinned by hand and /m where it means nothing."""
    if not isinstance(event, DealPlayed) or event.irregular:
        return False
    deal = event.deal
    if isinstance(deal, Contract) and deal.outbid:
        return deal.level in rules_.forced_after
    return not (isinstance(deal, AllPass) and deal.pinned is not None)


def check_night(history: History) -> int:
    state, count = history.start, 0
    for taken in history.steps:
        event = taken.event
        if isinstance(event, DealPlayed) and expressible(event, state.rules):
            deal = short(event.deal)
            line = canon.line(DealPlayed(deal), state.players, canon.shown(signs=False))
            keys = keys_to(state, line)
            assert keys is not None, (line, state)
            done = pressed(state, keys)
            assert (done.line, done.question) == (line, None)
            again = step(state, notation.read_line(line, Seats(state.players)).event)
            assert not refusals(again)
            assert again.entries == taken.entries
            assert [again.after.pool, again.after.due] == [taken.after.pool, taken.after.due]
            count += 1
        state = taken.after
    return count


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_deal_of_a_night_can_be_keyed_in(path: Path) -> None:
    assert check_night(history_of(path.read_text(encoding="utf-8"))) > 5


@pytest.mark.usefixtures("language")
def test_random_nights_can_be_keyed_in() -> None:
    assert sum(check_night(history_of(night(seed).text())) for seed in range(4)) > 100


# ------------------------------------------------------------------ how many keys


def states(preset: str, **switches: rules.Value) -> Iterator[State]:
    """Moments between two deals: the first and the last seat dealing, an all-pass due or not."""
    current = PRESETS[preset]
    for name, value in switches.items():
        current = rules.with_switch(current, name, value)
    for dealer, (is_open, due) in itertools.product((0, 3), ((True, 1), (False, 0))):
        yield start(current, LATIN, dealer)._replace(due=due, is_open=is_open, semester_deals=3, deals=3)


def walks(guide: Guide, depth: int = 0) -> Iterator[list[str]]:
    """Ways of answering, as the answers given: two players, two suits, few numbers of tricks."""
    question = guided.progress(guide).question
    assert depth < 20
    if question is None:
        yield list(guide.answers)
        return
    choices = question.choices
    assert len(choices) > 1, "a forced answer is asked"
    if not question.listed:
        choices = tuple(dict.fromkeys((choices[0], choices[len(choices) // 2], choices[-1])))
    elif depth == 0 or {"s", "d"} < {choice.value for choice in choices}:
        choices = tuple(choice for choice in choices if choice.value in ("1", "2", "r", "s", "d"))
    for choice in choices:
        yield from walks(guide._replace(answers=(*guide.answers, choice.value)), depth + 1)


SWITCHES: list[dict[str, rules.Value]] = [
    {},
    {"stalingrad": "one"},
    {"stalingrad": "off", "half_whist": False},
    {"dealer_clean": False, "misere_choice": False, "unwhisted_choice": ()},
    {"min_exit_level": 8, "forced_after": ()},
]


@pytest.mark.parametrize(
    ("preset", "switches"), [("gambler@1", {}), *(("piter@1", switches) for switches in SWITCHES)], ids=str
)
def test_never_more_than_eight_keys_after_the_contract(
    preset: str, switches: dict[str, rules.Value]
) -> None:
    longest = due_longest = 0
    for state in states(preset, **switches):
        for answers in walks(Guide(state)):
            line = guided.progress(Guide(state, tuple(answers))).line
            event = notation.read_line(line, Seats(state.players)).event
            assert isinstance(event, DealPlayed)
            assert not refusals(step(state, event)), line
            if state.due:
                due_longest = max(due_longest, len(answers))
            elif isinstance(event.deal, Contract):
                longest = max(longest, len(answers) - 3)  # who, level and suit are the contract
            elif isinstance(event.deal, Misere):
                assert len(answers) <= 4
            else:
                assert len(answers) <= 7
    assert longest <= 8
    assert due_longest <= 6
    assert longest >= 4
    assert due_longest >= 5


def test_a_due_all_pass_asks_tricks_only() -> None:
    state = start(PRESETS["piter@1"], LATIN, 0)
    question = guided.progress(Guide(state)).question
    assert question is not None
    assert "Anna" in question.text
    assert [choice.digit for choice in question.choices] == ["0", "1", "2"]  # Anna deals
    assert pressed(state, "243") == Progress("r 2/4/3/1", None)  # the last number fills in


def test_the_last_seat_is_the_dealer() -> None:
    state = start(PRESETS["piter@1"], LATIN, 3)
    third = pressed(state, "34").question
    assert third is not None
    assert [choice.digit for choice in third.choices] == ["1", "2", "3"]  # Gleb takes 0–2
    assert pressed(state, "0x").line == "r 0/10/0/0"


def played(calls: str, level: int, suit: str = "s", preset: str = "piter@1") -> Progress:
    state = start(PRESETS[preset], LATIN, 0)._replace(due=0, is_open=False)
    return pressed(state, f"2{level % 10}{suit}{'n' if level > 8 else ''}{calls}")


def test_six_spades_is_asked_no_call() -> None:
    question = played("", 6).question
    assert question is not None
    assert "Tricks of Boris" in question.text
    other = played("", 6, "d").question
    assert other is not None
    assert "Vera says" in other.text


def test_pool_or_gora_only_where_it_may_be_chosen() -> None:
    assert played("pp", 7).question is None
    asked = played("pp", 8).question
    assert asked is not None
    pool, gora = asked.choices
    assert pool.text == "pool 0 → 6, 16 to 22, lowest gora: Anna, Boris, Vera, Gleb (0)"
    assert gora.text == "gora 0 → -12, lowest gora: Boris (-12)"
    assert played("pp2", 8).line == "Boris 8s pp @g"
    assert played("pp", 7, preset="gambler@1").question is not None


def test_half_a_whist_is_offered_on_six_and_seven() -> None:
    def calls(level: int) -> list[str]:
        question = played("p", level, "d").question
        assert question is not None
        return [choice.value for choice in question.choices]

    assert calls(7) == ["w", "p", "h"]
    assert calls(8) == ["w", "p"]


def test_backspace_takes_the_last_answer_back() -> None:
    state = start(PRESETS["piter@1"], LATIN, 0)
    guide = Guide(state, ("2", "4"))
    assert guided.back(guide).answers == ("2",)
    assert guided.back(Guide(state)) == Guide(state)


def test_answers_of_another_moment_are_asked_anew() -> None:
    """The game went on under the answers: what is no choice any more is asked."""
    state = start(PRESETS["piter@1"], LATIN, 0)._replace(due=0)
    at = guided.progress(Guide(state, ("0", "7")))  # Anna deals now
    assert at.line == ""
    assert at.question is not None


# ------------------------------------------------------------------ both layouts


def other_key(key: str) -> str:
    return key.translate(TO_LATIN if "а" <= key <= "я" or key == "ё" else TO_RUSSIAN)


def test_letters_are_found_on_either_layout(language: str) -> None:
    """A key of the other layout gives the same answer or none; digits are the same in both."""
    asked = 0
    rng = random.Random(5)
    for state in states("piter@1"):
        guide = Guide(state)
        while (question := guided.progress(guide).question) is not None:
            for choice in question.choices:
                for key in (choice.digit, choice.russian if language == "ru" else choice.latin):
                    if not key:
                        continue
                    assert guided.answer(question, key) == choice
                    assert guided.answer(question, key.upper()) == choice
                    other = guided.answer(question, key if key.isdigit() else other_key(key))
                    assert other in (choice, None)
                    asked += 1
            guide = guide._replace(answers=(*guide.answers, rng.choice(question.choices).value))
    assert asked > 100


@pytest.mark.parametrize(
    ("language_", "key", "answer"),
    [
        ("en", "d", "d"),
        ("en", "б", "d"),
        ("en", "т", None),  # clubs, or the key of n
        ("en", "2", "c"),
        ("ru", "б", "d"),
        ("ru", "т", "c"),
        ("ru", "n", None),  # no trump, or the key of т
        ("ru", ",", "d"),  # the key of б
        ("ru", "d", "d"),
        ("ru", "5", "n"),
        ("ru", "?", None),
    ],
)
def test_a_doubtful_letter_is_refused(language_: str, key: str, answer: str | None) -> None:
    i18n.use(language_)
    try:
        question = played_suit()
        choice = guided.answer(question, key)
        assert (choice.value if choice else None) == answer
    finally:
        i18n.use("en")


def played_suit() -> guided.Question:
    state = start(PRESETS["piter@1"], LATIN, 0)._replace(due=0, is_open=False)
    question = pressed(state, "27").question
    assert question is not None
    return question


def test_nothing_is_asked_after_the_end() -> None:
    state = start(PRESETS["piter@1"], LATIN, 0)._replace(over="finished")
    assert guided.progress(Guide(state)) == Progress("", None)
