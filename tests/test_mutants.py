"""What mutants of the engine showed to be untested (docs/decisions.md, Mutation testing).

Every entry of a deal as the protocol prints it – rule, cell, amount, arithmetic – where the other
tests look at sums. The amounts follow from docs/rules.md; the arithmetic is part of what is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from conftest import PLAYERS, Scored, game_text, score_texts

from skachki_ledger import gamefile
from skachki_ledger.derive import History, derive, refusals, step
from skachki_ledger.errors import IllegalEventError
from skachki_ledger.events import DealPlayed, Event
from skachki_ledger.header import Header
from skachki_ledger.lexer import tokenize
from skachki_ledger.names import Seats
from skachki_ledger.notation import parse
from skachki_ledger.settlement import stints

# ------------------------------------------------------------------ the entries of a deal


class Written(NamedTuple):
    """A deal or a penalty, the switches it stands under, and its entries in the order of seats asked."""

    line: str
    entries: str
    switches: Mapping[str, object] = {}


OPENING = ("r 2/4/3/1",)
"""Gleb deals it, so that Anna deals what follows; sixes are allowed."""

WRITTEN: dict[str, Written] = {
    # a six: value 2, whist 2·2 = 4; 3·4 = 12, 1·4 = 4
    "made-ww": Written(
        "Boris 6h ww 6/3/1",
        """game.made: Boris pool 2 (2 points)
        whist.tricks: Vera on Boris 12 (3 tricks × 4)
        whist.tricks: Gleb on Boris 4 (1 trick × 4)""",
    ),
    # a seven: value 4, whist 8; the pair's 1 + 1 tricks are the whister's: 2·8 = 16
    "made-wp": Written(
        "Boris 7h wp 8/1/1",
        """game.made: Boris pool 4 (4 points)
        whist.tricks: Vera on Boris 16 (2 tricks × 8)""",
    ),
    # the pair's 3·8 = 24 halved: 12 each
    "made-gentleman": Written(
        "Boris 7c wp 7/3",
        """game.made: Boris pool 4 (4 points)
        whist.gentleman: Vera on Boris 12 (3 tricks × 8, half each)
        whist.gentleman: Gleb on Boris 12 (3 tricks × 8, half each)""",
        {"gentleman_on_made": True},
    ),
    # the whist taken back: 3·8 = 24
    "made-wh": Written(
        "Boris 7c wh 7/3",
        """game.made: Boris pool 4 (4 points)
        whist.half: Vera on Boris 24 (3 tricks × 8)""",
    ),
    # half the requirement of 2 tricks, at 8: 8
    "half-seven": Written(
        "Boris 7c ph",
        """whist.half: Boris pool 4 (4 points)
        whist.half: Gleb on Boris 8 (half of 2 tricks × 8)""",
    ),
    # half the requirement of 4 tricks, at 4: 8
    "half-six": Written(
        "Boris 6c ph",
        """whist.half: Boris pool 2 (2 points)
        whist.half: Gleb on Boris 8 (half of 4 tricks × 4)""",
    ),
    # 4 − 1 = 3 missing at 2
    "short-alone": Written(
        "Boris 6h pw 9/1",
        """game.made: Boris pool 2 (2 points)
        whist.tricks: Gleb on Boris 4 (1 trick × 4)
        whist.short: Gleb gora 6 (3 tricks short × 2)""",
    ),
    # each answers for 2: Vera has 1, so 1·2; Gleb none, so 2·2; no line for his no tricks
    "short-both": Written(
        "Boris 6h ww 9/1/0",
        """game.made: Boris pool 2 (2 points)
        whist.tricks: Vera on Boris 4 (1 trick × 4)
        whist.short: Vera gora 2 (1 trick short × 2)
        whist.short: Gleb gora 4 (2 tricks short × 2)""",
    ),
    # a nine: value 8; one short: 8/2 each
    "short-split": Written(
        "Boris 9n ww 10/0/0",
        """game.made: Boris pool 8 (8 points)
        whist.short: Vera gora 4 (1 trick short × 8, half each)
        whist.short: Gleb gora 4 (1 trick short × 8, half each)""",
    ),
    "short-each": Written(
        "Boris 9n ww 10/0/0",
        """game.made: Boris pool 8 (8 points)
        whist.short: Vera gora 8 (1 trick short × 8)
        whist.short: Gleb gora 8 (1 trick short × 8)""",
        {"two_whisters_high": "each"},
    ),
    "short-second": Written(
        "Boris 9n ww 10/0/0",
        """game.made: Boris pool 8 (8 points)
        whist.short: Gleb gora 8 (1 trick short × 8)""",
        {"two_whisters_high": "second"},
    ),
    # a nine two down: gora 2·16 = 32; tricks 1·16·2 and 2·16·2; consolation 2·16·2 = 64
    "set-ww": Written(
        "Boris 9c ww 7/1/2",
        """game.set: Boris gora 32 (2 undertricks × 16)
        whist.tricks: Vera on Boris 32 (1 trick × 16, doubled)
        whist.tricks: Gleb on Boris 64 (2 tricks × 16, doubled)
        whist.consolation: Vera on Boris 64 (2 undertricks × 16, doubled)
        whist.consolation: Gleb on Boris 64 (2 undertricks × 16, doubled)
        whist.consolation: Anna on Boris 64 (2 undertricks × 16, doubled)""",
    ),
    # the consolation alone doubles, the dealer writes none; Gleb's no tricks are no line:
    # gora 3·8 = 24; tricks 6·8 = 48; consolation 3·8·2 = 48
    "set-scope": Written(
        "Boris 7c ww 4/6/0",
        """game.set: Boris gora 24 (3 undertricks × 8)
        whist.tricks: Vera on Boris 48 (6 tricks × 8)
        whist.consolation: Vera on Boris 48 (3 undertricks × 8, doubled)
        whist.consolation: Gleb on Boris 48 (3 undertricks × 8, doubled)""",
        {"set_whist_scope": "consolation", "consolation_dealer": False},
    ),
    # a six one down: gora 4; the pair's 5·4·2 = 40, halved 20; consolation 1·4·2 = 8
    "set-gentleman": Written(
        "Boris 6c wp 5/5",
        """game.set: Boris gora 4 (1 undertrick × 4)
        whist.gentleman: Vera on Boris 20 (5 tricks × 4, doubled, half each)
        whist.gentleman: Gleb on Boris 20 (5 tricks × 4, doubled, half each)
        whist.consolation: Vera on Boris 8 (1 undertrick × 4, doubled)
        whist.consolation: Gleb on Boris 8 (1 undertrick × 4, doubled)
        whist.consolation: Anna on Boris 8 (1 undertrick × 4, doubled)""",
    ),
    # nothing doubles: 5·4 = 20, halved 10; consolation 4
    "set-gentleman-single": Written(
        "Boris 6c wp 5/5",
        """game.set: Boris gora 4 (1 undertrick × 4)
        whist.gentleman: Vera on Boris 10 (5 tricks × 4, half each)
        whist.gentleman: Gleb on Boris 10 (5 tricks × 4, half each)
        whist.consolation: Vera on Boris 4 (1 undertrick × 4)
        whist.consolation: Gleb on Boris 4 (1 undertrick × 4)
        whist.consolation: Anna on Boris 4 (1 undertrick × 4)""",
        {"set_whist_factor": 1},
    ),
    # the returned whist alone: 5·4·2 = 40; consolation for Vera and the dealer, none for Gleb
    "set-wh": Written(
        "Boris 6c wh 5/5",
        """game.set: Boris gora 4 (1 undertrick × 4)
        whist.half: Vera on Boris 40 (5 tricks × 4, doubled)
        whist.consolation: Vera on Boris 8 (1 undertrick × 4, doubled)
        whist.consolation: Anna on Boris 8 (1 undertrick × 4, doubled)""",
    ),
    "unwhisted": Written("Boris 8d pp", "game.unwhisted: Boris pool 6 (6 points)"),
    "unwhisted-gora": Written("Boris 8d pp @g", "game.unwhisted: Boris gora -12 (2 × 6 off the gora)"),
    "misere": Written("Boris m 0", "misere.made: Boris pool 10 (10 points)"),
    "misere-gora": Written("Boris m 0 @g", "misere.made: Boris gora -20 (2 × 10 off the gora)"),
    "misere-caught": Written("Boris m 3", "misere.caught: Boris gora 60 (3 tricks × 20)"),
    # the second all-pass costs 4: 1·4, 6·4, 2·4 off the gora, 3·4
    "allpass": Written(
        "r 1/6/0/3 Vera@g",
        """allpass.tricks: Anna gora 4 (1 trick × 4)
        allpass.tricks: Boris gora 24 (6 tricks × 4)
        allpass.clean: Vera gora -8 (2 × 4 off the gora)
        allpass.tricks: Gleb gora 12 (3 tricks × 4)""",
    ),
    "allpass-pool": Written(
        "r 0/5/2/3",
        """allpass.clean: Anna pool 4 (4 points)
        allpass.tricks: Boris gora 20 (5 tricks × 4)
        allpass.tricks: Vera gora 8 (2 tricks × 4)
        allpass.tricks: Gleb gora 12 (3 tricks × 4)""",
    ),
    "fine": Written('fine Gleb 4 gora "late"', "fine: Gleb gora 4 (late)"),
    "fine-without-reason": Written("fine Gleb 20 gora", "fine: Gleb gora 20 (+20)"),
    "fine-by-all": Written(
        'fine Gleb 12 whists all "late"',
        """fine: Anna on Gleb 12 (late)
        fine: Boris on Gleb 12 (late)
        fine: Vera on Gleb 12 (late)""",
    ),
    # pools are equal: four winners, nothing; goras 4 8 6 2: Gleb is lowest and writes 200 on each
    "prize": Written(
        "stop final",
        """prize.total-gora: Gleb on Anna 200 (200)
        prize.total-gora: Gleb on Boris 200 (200)
        prize.total-gora: Gleb on Vera 200 (200)""",
    ),
    "adjust": Written('adjust Gleb -5 pool "paper"', "adjust: Gleb pool -5 (paper)"),
    "adjust-whists": Written('adjust Gleb -5 whists Anna "paper"', "adjust: Anna on Gleb -5 (paper)"),
}


SHARED = (*OPENING, 'adjust Gleb 2 gora "paper"', "stop final")
"""Goras 4 8 6 4: Anna and Gleb share, 200/2 each on Boris and on Vera."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    texts = {
        name: game_text("Gleb", "piter", {"min_exit_level": 6, **case.switches}, (*OPENING, case.line))
        for name, case in WRITTEN.items()
    }
    texts["shared"] = game_text("Gleb", "piter", {}, SHARED)
    return score_texts(tmp_path_factory.mktemp("written"), texts)


def shown(entry: Mapping[str, Any]) -> str:
    """One entry on one line: rule, cell, amount, arithmetic."""
    cell = entry["account"] if entry["on"] is None else f"on {entry['on']}"
    return f"{entry['rule']}: {entry['seat']} {cell} {entry['amount']} ({entry['text']})"


@pytest.mark.parametrize("name", WRITTEN)
def test_every_entry_has_its_rule_and_arithmetic(name: str, written: Scored) -> None:
    wanted = [line.strip() for line in WRITTEN[name].entries.splitlines()]
    assert [shown(entry) for entry in written[name]["log"][-1]["entries"]] == wanted


def test_a_shared_prize_has_its_arithmetic(written: Scored) -> None:
    assert [shown(entry) for entry in written["shared"]["log"][-1]["entries"]] == [
        f"prize.total-gora: {winner} on {other} 100 (200 between 2)"
        for winner in ("Anna", "Gleb")
        for other in ("Boris", "Vera")
    ]


# ------------------------------------------------------------------ a destination that says nothing


@pytest.mark.parametrize("line", ["Boris 7d ww 8/1/1 @p", "Boris 7d ww 10/0/0 @p", "Boris 7d pp @p"])
def test_a_made_game_may_say_its_pool(line: str) -> None:
    """Tricks above the level make it no set game: the pool is where the points go anyway."""
    taken = played("Gleb", *OPENING, line).steps[-1]
    assert taken.faults == ()
    assert taken.after.pool == (0, 4, 0, 0)


# ------------------------------------------------------------------ replay: faults, labels, prices


def header(dealer: str, **switches: object) -> Header:
    found = gamefile.read(game_text(dealer, "piter", switches, ())).header
    assert found is not None
    return found


def event(line: str, **recorded: Any) -> Event:
    """What a line says, with what a ledger keeps of a deal: `dealer`, `label`, `announced`."""
    found = parse(tokenize(line)[0], Seats(PLAYERS))
    return found._replace(**recorded) if isinstance(found, DealPlayed) else found


def played(dealer: str, *lines: str | Event, **switches: object) -> History:
    events = [event(line) if isinstance(line, str) else line for line in lines]
    return derive(header(dealer, **switches), events)


AFTER_THE_END = (
    "fine Gleb 4 gora",
    'adjust Gleb 30 pool "paper"',
    "dealer Gleb",
    'seat Gleb "Zoya"',
    "stop final",
    "r 2/2/3/3",
    "Gleb 8d pp",
    'r 2/2/3/3 irregular "we went on"',
)


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("stop", "E216"),
        ("Vera 7d wp 7/3", "E215"),  # the target is 4, the game one semester
    ],
)
def test_nothing_counts_after_the_end(end: str, code: str) -> None:
    """settle.early, game.length: a correction may leave such events behind; no reason lifts it."""
    history = played("Anna", *OPENING, end, *AFTER_THE_END, "agree", target=4, semesters=1)
    ended = history.steps[1].after
    for taken in history.steps[2:-1]:
        assert [fault.code for fault in refusals(taken)] == [code]
        assert (taken.entries, taken.after) == ((), ended)
    assert history.steps[-1].faults == ()
    assert [(one.name, one.last) for one in stints(history)] == [(name, None) for name in PLAYERS]


def test_a_dealer_as_declarer_writes_nothing() -> None:
    """irregular: no reason lifts this, also where something else is wrong that a reason would lift."""
    history = played("Anna", 'Anna 7d ww 7/2/1 irregular "so we played"')
    (taken,) = history.steps
    assert [fault.code for fault in taken.faults] == ["E201", "E202"]
    assert [fault.code for fault in refusals(taken)] == ["E201"]
    assert (taken.label, taken.semester, taken.dealer, taken.price) == ("1", 1, 0, None)
    assert (taken.entries, taken.after) == ((), history.start)


def test_what_the_table_saw_is_compared_with_what_follows() -> None:
    """deal.fact, price.pinned: Vera dealt the opening, out of turn, thinking it semester 2 at 6."""
    seen = event("r 3/2/2/3", dealer=2, label="1a", announced=(2, 6))
    (taken,) = played("Anna", seen).steps
    assert [(fault.part, fault.message()) for fault in taken.faults] == [
        (
            -1,
            "Vera dealt, by the rotation it was Anna's turn: if Anna did deal, "
            "amend it with --dealer Anna (deal.fact)",
        ),
        (-1, "recorded in semester 2, it counts in semester 1 (semester.end)"),
        (
            -1,
            "the table played the all-pass at 6, it counts at 2: "
            "amend it with r@6 if 6 was really played (price.pinned)",
        ),
    ]
    assert refusals(taken) == ()
    assert (taken.label, taken.dealer, taken.price, taken.after.dealer) == ("1a", 2, 2, 3)
    assert taken.after.gora == (6, 4, 4, 6)  # at 2
    for line, announced in (("r 2/4/3/1", (1, 2)), ("r 2/4/3/1", (1, None)), ("r@6 2/4/3/1", (1, 6))):
        assert played("Anna", event(line, announced=announced)).steps[0].faults == ()
    for price in (None, 4):  # recorded as an all-pass and amended: a contract has no price
        contract = event("Vera 7d ww 7/2/1", announced=(1, price))
        assert played("Anna", *OPENING, contract).steps[-1].faults == ()


SINCE = (
    ("r 2/4/3/1", "1"),
    ("Vera 7d ww 6/2/2", "1"),  # set: no exit
    ("fine Gleb 4 gora", "1"),
    ("Boris 7d ww 7/2/1", ""),  # whisted and made: closed
    ("Boris m 1", "4"),  # caught: an all-pass is due, so it is open
    ("r 2/4/3/1", "4"),
    ("r 3/2/2/3", "4"),
    ("Boris 7d ww 7/2/1", ""),
    ("r 3/3/2/2", "8"),
)
"""Anna deals the first; deals are numbered 1–8."""


@pytest.mark.parametrize("count", range(1, len(SINCE) + 1))
def test_the_deal_that_opened_the_allpass_is_named(count: int) -> None:
    """allpass.exit, allpass.hard-exit."""
    before = played("Anna", *(line for line, _ in SINCE[:count])).state
    since = SINCE[count - 1][1]
    assert before.open_since == since
    assert before.is_open is (since != "")
    if not before.due:
        declarer = PLAYERS[(before.dealer + 1) % 4]
        said = [fault.message() for fault in step(before, event(f"{declarer} 6d ww 6/2/2")).faults]
        wanted = f"the all-pass is open since deal {since}: the lowest contract is 7 (allpass.hard-exit)"
        assert said == ([wanted] if since else [])


def test_steps_say_what_they_are() -> None:
    history = played("Anna", "fine Gleb 4 gora", *OPENING, "Vera 7d ww 7/2/1")
    assert [taken.price for taken in history.steps] == [None, 2, None]
    assert [taken.label for taken in history.steps] == ["", "1", "2"]
    assert [taken.after.semester_deals for taken in history.steps] == [0, 1, 2]
    assert [taken.dealer for taken in history.steps] == [0, 0, 1]


def test_a_game_until_a_deal() -> None:
    """Up to, not including, the deal that follows: what was written between them belongs to it."""
    lines = ('note "a"', "r 2/4/3/1", "fine Gleb 4 gora", "Vera 7d ww 7/2/1", "agree")
    history = played("Anna", *lines)
    assert [len(history.until(label).steps) for label in ("0", "1", "2")] == [1, 3, 5]
    assert history.until("1").state == history.steps[2].after
    assert played("Anna").until("0").state == history.start
    for game, label, last in ((history, "3", "2"), (history, "", "2"), (played("Anna"), "1", "–")):
        with pytest.raises(IllegalEventError) as refused:
            game.until(label)
        assert refused.value.faults[0].part == -1
        assert str(refused.value) == f"there is no deal {label}: the last one is {last}"


@pytest.mark.parametrize("line", ["Anna m 4", "Anna 9c/m ww 5/3/2"])
def test_four_down_force_the_third_step(line: str) -> None:
    """allpass.forced: three and more at 6, the third step; the position is then 3 and the price 6."""
    closed = (*OPENING, "Vera 7d ww 7/2/1")
    due = played("Anna", *closed, line).state
    assert (due.due, due.price) == (3, 6)
    after = played("Anna", *closed, line, "r 2/2/3/3").state
    assert (after.position, after.price, after.due) == (3, 6, 0)


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        # a six is too low besides, but no contract at all may be played now
        (("Vera 6d ww 6/2/2",), "E202", "opening all-pass"),
        ((*OPENING, "Vera m 2", "Anna 6d ww 6/2/2"), "E212", "an all-pass at 4 is due here"),
        ((*OPENING, "Vera 7d pp @g"), "E208", "only 8, 9 may be written off"),
        ((*OPENING, "Vera 10d pp @g"), "E208", "only 8, 9 may be written off"),
    ],
)
def test_a_refusal_is_one_and_names_what_may_be(lines: tuple[str, ...], code: str, said: str) -> None:
    """allpass.opening, allpass.forced, game.unwhisted."""
    (fault,) = played("Anna", *lines, unwhisted_choice="8,9").steps[-1].faults
    assert fault.code == code
    assert said in fault.message()


def test_a_choice_at_no_level_is_called_none() -> None:
    (fault,) = played("Anna", *OPENING, "Vera 8d pp @g", unwhisted_choice="none").steps[-1].faults
    assert "only none may be written off" in fault.message()


def test_a_new_semester_has_its_own_rotation() -> None:
    """deal.rotation: Anna dealt the first deal, Boris the last; Boris again deals the first of the next."""
    lines = (*OPENING, "Vera 7d ww 7/2/1")  # Vera has the 4 of the target
    history = played("Anna", *lines, "r 4/2/3/1", "Anna 7d ww 7/2/1", target=4)
    assert [taken.semester for taken in history.steps] == [1, 1, 2, 2]
    assert [taken.dealer for taken in history.steps] == [0, 1, 1, 2]
    assert [taken.faults for taken in history.steps] == [()] * 4
    assert history.steps[1].after.semester_deals == 0


def test_a_game_starts_with_nothing_written() -> None:
    start = played("Anna").start
    assert (start.pool, start.gora, start.whists) == ((0,) * 4, (0,) * 4, (0,) * 16)


def test_a_stint_begins_with_the_deal_that_came_next() -> None:
    """substitute: in a game cut short, too, a newcomer's first deal has the label it was played under."""
    first, second = event("r 2/4/3/1", label="1a"), event("Vera 7d ww 7/2/1", label="2b")
    history = played("Anna", first, 'seat Gleb "Zoya"', second)
    assert [one.first for one in stints(history.until("0"))] == ["1a"] * 4
    (gleb, zoya) = stints(history.until("1a"))[-2:]
    assert (gleb.first, gleb.last, zoya.name, zoya.first, zoya.last) == ("1a", "1a", "Zoya", "2b", None)
    assert stints(played("Anna", first, 'seat Gleb "Zoya"'))[-1].first == "2"
