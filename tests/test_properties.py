"""What is true of every game: sums, folds, round trips, and the reference scorer's agreement.

Each claim is a function of a game or an event; the short run draws a few dozen of each, the same
every time, and `pytest -m long` draws thousands.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import oracle
import pytest
import random_games
import strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st
from random_games import RandomGame

from skachki_ledger import canon, gamefile
from skachki_ledger.canon import CANONICAL, Tokens
from skachki_ledger.derive import History, derive, refusals, step
from skachki_ledger.events import DealPlayed, Event, Note, Substitution
from skachki_ledger.gamefile import GameFile
from skachki_ledger.header import Header
from skachki_ledger.intake import admit
from skachki_ledger.lexer import tokenize
from skachki_ledger.model import SEATS, WHIST, AllPass, Contract, Deal, Misere
from skachki_ledger.names import Seats
from skachki_ledger.notation import parse, read_line
from skachki_ledger.render import jsonout
from skachki_ledger.standing import standing

LONG = settings(settings.get_profile("long"))


def tokens(language: str, signs: bool) -> Tokens:
    """The words in which a language's lines are shown, whatever language is in use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canon, "language", lambda: language)
        return canon.shown(signs)


ALL_TOKENS = [tokens(language, signs) for language in ("en", "ru") for signs in (False, True)]
RUSSIAN = tokens("ru", False)


def read(game: RandomGame) -> GameFile:
    return gamefile.read(game.text())


def admitted(game: RandomGame) -> History:
    """The product's history of a legal game; every line was read and none refused."""
    taken = admit(read(game))
    assert [(line.line, line.faults) for line in taken.faulty] == []
    assert taken.retyped == ()
    assert taken.history is not None
    return taken.history


def printed(history: History) -> dict[str, Any]:
    """The standing as `score --json` prints it."""
    value: dict[str, Any] = json.loads(jsonout.dump(jsonout.standing(standing(history))))
    return value


# ------------------------------------------------------------------ claims on a game


def is_zero_sum(game: RandomGame) -> None:
    """settle.net, settle.round, settle.transfers, substitute."""
    now = printed(admitted(game))
    assert sum(map(Fraction, now["net"])) == 0
    assert sum(now["rounded"]) == 0
    assert all(abs(Fraction(n) - r) < 1 for n, r in zip(now["net"], now["rounded"], strict=True))
    assert sum(Fraction(person["net"]) for person in now["persons"]) == 0
    for seat, net in enumerate(now["net"], 1):
        shares = [Fraction(person["net"]) for person in now["persons"] if person["seat"] == seat]
        assert sum(shares) == Fraction(net)
    if game.stake is None:
        assert (now["money"], now["transfers"]) == (None, None)
        return
    money = [Fraction(amount) for amount in now["money"]]
    assert sum(money) == 0
    left = dict(zip(now["game"]["players"], money, strict=True))
    for paid in now["transfers"]:
        assert Fraction(paid["amount"]) > 0
        left[paid["from"]] += Fraction(paid["amount"])
        left[paid["to"]] -= Fraction(paid["amount"])
    assert set(left.values()) == {0}
    assert len(now["transfers"]) <= 3


def is_the_sum_of_its_entries(game: RandomGame) -> None:
    """Each cell is the sum of the entries in it: pool and gora by semester, whists through the game."""
    history = admitted(game)
    rows = {
        account: [[0] * 4 for _ in range(history.state.semester)] for account in ("pool", "gora", "whists")
    }
    whists = [[0] * 4 for _ in SEATS]
    for taken in history.steps:
        for entry in taken.entries:
            if entry.on is None:
                rows[entry.account][taken.semester - 1][entry.seat] += entry.amount
            else:
                assert (entry.account, entry.seat != entry.on) == ("whists", True)
                whists[entry.seat][entry.on] += entry.amount
    now = standing(history)
    assert [list(row) for row in now.pool] == rows["pool"]
    assert [list(row) for row in now.gora] == rows["gora"]
    assert [list(row) for row in now.whists] == whists


def is_a_fold(game: RandomGame) -> None:
    """Deriving the first events and stepping on from there is deriving all, wherever the cut is."""
    history = admitted(game)
    events = [taken.event for taken in history.steps]
    assert derive(history.header, events) == history
    for cut in {0, 1, len(events) // 2, len(events) - 1} & set(range(len(events))):
        state = derive(history.header, events[:cut]).state
        for taken in history.steps[cut:]:
            again = step(state, taken.event)
            assert again == taken
            state = again.after


def is_written_as_it_was_read(game: RandomGame) -> None:
    """The generator's lines are canonical: written again they are the same but for the numbers."""
    history = admitted(game)
    text = gamefile.write(history.header, [taken.event for taken in history.steps])
    lines = [line for line in text.splitlines() if line and line[0] != "["]
    assert [line.split(". ", 1)[-1] if line[0].isdigit() else line for line in lines] == game.lines
    again = gamefile.read(text)
    assert again.header == history.header
    assert [line.event for line in again.lines] == [taken.event for taken in history.steps]
    assert gamefile.write(history.header, [line.event for line in again.lines if line.event]) == text


def is_the_same_in_russian(game: RandomGame) -> None:
    """A file whose lines are Cyrillic is the same game."""
    history = admitted(game)
    lines = [canon.line(taken.event, taken.players, RUSSIAN) for taken in history.steps]
    game = RandomGame(game.players, game.dealer, game.preset, game.overrides, game.stake, game.game, lines)
    assert admitted(game) == history


def cells(history: History) -> list[dict[Any, Fraction]]:
    """What each line wrote, cell by cell, in the reference scorer's shape."""
    shaped = []
    for taken in history.steps:
        sums: dict[tuple[Any, ...], Fraction] = {}
        for entry in taken.entries:
            on = () if entry.on is None else (entry.on + 1,)
            amount = Fraction(entry.amount, WHIST if on else 1)
            cell = (entry.account, entry.seat + 1, *on)
            sums[cell] = sums.get(cell, Fraction(0)) + amount
        shaped.append({cell: amount for cell, amount in sums.items() if amount})
    return shaped


def is_the_oracles(game: RandomGame) -> None:
    """Line by line and as a whole the product and the reference scorer agree."""
    history = admitted(game)
    words: dict[str, object] = {**game.overrides}
    for count in {len(game.lines), len(game.lines) // 2, len(game.lines) * 4 // 5}:
        lines = game.lines[:count]
        played = oracle.play(game.players, game.dealer, game.preset, words, lines, game.stake)
        part = history._replace(steps=history.steps[:count])
        assert cells(part) == [
            {cell: amount for cell, amount in amounts.items() if amount} for amounts in played.amounts
        ]
        now = printed(part)
        assert {key: now[key] for key in played.standing} == played.standing
        seated = [person["name"] for person in now["persons"] if person["to_deal"] is None]
        assert now["game"]["players"] == seated


def refuses_what_the_rules_forbid(game: RandomGame) -> None:
    """Where the game now stands, a deal is refused exactly when the rule book forbids it."""
    if game.game.finished or game.game.stopped:
        return
    state = admitted(game).state
    rng = random.Random("\n".join(game.lines))
    for _ in range(12):
        line = random_games.any_deal(rng, game.game)
        taken = step(state, parse(tokenize(line)[0], Seats(state.players)))
        refused = [fault.message() for fault in refusals(taken)]
        assert (not refused) is random_games.is_legal(game.game, line), (line, refused)


GAME_CLAIMS: dict[str, Callable[[RandomGame], None]] = {
    "zero-sum": is_zero_sum,
    "entries": is_the_sum_of_its_entries,
    "fold": is_a_fold,
    "canonical": is_written_as_it_was_read,
    "russian": is_the_same_in_russian,
    "oracle": is_the_oracles,
    "refusals": refuses_what_the_rules_forbid,
}


@pytest.mark.parametrize("claim", GAME_CLAIMS)
def test_every_game(claim: str) -> None:
    @settings(max_examples=200)
    @given(strategies.GAMES)
    def holds(game: RandomGame) -> None:
        GAME_CLAIMS[claim](game)

    holds()


@pytest.mark.long
@pytest.mark.parametrize("claim", GAME_CLAIMS)
def test_every_game_long(claim: str) -> None:
    @LONG
    @given(strategies.GAMES)
    def holds(game: RandomGame) -> None:
        GAME_CLAIMS[claim](game)

    holds()


# ------------------------------------------------------------------ claims on an event


def reads_back(event: Event, players: Sequence[str]) -> None:
    """`parse(line(x)) == x`, and the canonical text of what was read is the text."""
    seats = Seats(players)
    for words in (CANONICAL, *ALL_TOKENS):
        text = canon.line(event, players, words)
        found = parse(tokenize(text)[0], seats)
        assert (type(found), found) == (type(event), event)
        assert _kind(found) is _kind(event)
        assert read_line(text, seats) == (event, False)
    assert canon.line(parse(tokenize(canon.line(event, players))[0], seats), players) == canon.line(
        event, players
    )


def _kind(event: Event) -> type[Event] | type[Deal]:
    return type(event.deal) if isinstance(event, DealPlayed) else type(event)


@st.composite
def seated_events(draw: st.DrawFn) -> tuple[Event, tuple[str, ...]]:
    players = draw(strategies.tables())
    return draw(strategies.events(players)), players


FOUR = ("Anna", "Boris", "Vera", "Gleb")
ALL_PASS = AllPass((0, 4, 3, 3), ("gora", None, None, None), 4)


@example((DealPlayed(ALL_PASS, "irregular"), FOUR))
@example((DealPlayed(Misere(0, 0, "gora"), "нарушение"), FOUR))
@example((DealPlayed(Contract(0, 9, "c", True, "ww", (8, 1, 1), "pool"), "@g"), FOUR))
@example((Note('a "b" \\ c ; d'), FOUR))
@settings(max_examples=300)
@given(seated_events())
def test_every_event_reads_back(drawn: tuple[Event, tuple[str, ...]]) -> None:
    reads_back(*drawn)


@pytest.mark.long
@settings(LONG, max_examples=20_000)
@given(seated_events())
def test_every_event_reads_back_long(drawn: tuple[Event, tuple[str, ...]]) -> None:
    reads_back(*drawn)


@given(strategies.DEALS)
def test_a_pool_that_goes_without_saying_is_left_out(event: DealPlayed) -> None:
    deal = event.deal
    if isinstance(deal, AllPass):
        said: Deal = deal._replace(dests=tuple(wish or "pool" for wish in deal.dests))
    else:
        said = deal._replace(dest=deal.dest or "pool")
    text = canon.line(event._replace(deal=said), FOUR)
    again = parse(tokenize(text)[0], Seats(FOUR))
    assert canon.line(again, FOUR) == text
    assert "@p" not in canon.line(event, FOUR) or "pool" in repr(deal)


# ------------------------------------------------------------------ claims on a file


def is_a_fixed_point(night: tuple[Header, tuple[Event, ...]]) -> None:
    """A whole file reads back as the same header and events, and is then written the same."""
    head, events = night
    text = gamefile.write(head, events)
    again = gamefile.read(text)
    assert again.faults == ()
    assert again.header == head
    assert [(line.event, line.faults, line.retyped) for line in again.lines] == [
        (event, (), False) for event in events
    ]
    assert gamefile.write(again.header, [line.event for line in again.lines if line.event]) == text


@given(strategies.nights())
def test_every_file_reads_back(night: tuple[Header, tuple[Event, ...]]) -> None:
    is_a_fixed_point(night)


@pytest.mark.long
@LONG
@given(strategies.nights(40))
def test_every_file_reads_back_long(night: tuple[Header, tuple[Event, ...]]) -> None:
    is_a_fixed_point(night)


@given(strategies.nights(20))
def test_deriving_never_raises(night: tuple[Header, tuple[Event, ...]]) -> None:
    """Replay never refuses: any events at all have a standing, and its nets sum to 0."""
    head, events = night
    history = derive(head, events)
    now = standing(history)
    assert (sum(now.net), sum(now.rounded), sum(stint.net for stint in now.persons)) == (0, 0, 0)
    assert len(history.steps) == len(events)
    last = {event.seat: event.name for event in events if isinstance(event, Substitution)}
    if not any(taken.faults for taken in history.steps if isinstance(taken.event, Substitution)):
        assert history.state.players == tuple(last.get(seat, head.players[seat]) for seat in SEATS)


# ------------------------------------------------------------------ every refusal

STATES = {
    "due": (),
    "open": ("r 2/4/3/1",),
    "closed": ("r 2/4/3/1", "Vera 7d ww 7/2/1"),
    "forced": ("r 2/4/3/1", "Vera m 2"),
}
"""Anna deals the first deal; in the third state Vera deals the next one, else Boris or Anna."""
HOUSES = [{}, *({name: value} for name, values in random_games.SWITCH_VALUES.items() for value in values)]


def every_deal() -> list[str]:
    """A line of every kind that a rule could refuse, each by each declarer and with each destination."""
    lines = []
    wishes = ("", " @g", " @p")
    for level, strain, calls, wish in itertools.product(range(6, 11), "sd", strategies.CALLS, wishes):
        made = f" {level}/{10 - level}/0" if "w" in calls else ""
        lines.append(f"Anna {level}{strain} {calls}{made}{wish}")
    lines += [f"Anna 8d ww 7/3/0{wish}" for wish in wishes]
    lines += [f"{who} m {taken}{wish}" for who in FOUR for taken in (0, 3) for wish in wishes]
    for tricks in ("0/4/3/3", "3/0/4/3", "4/3/0/3", "2/2/2/4", "3/3/3/1"):
        lines += [f"r {tricks}{wish}" for wish in ("", " Anna@g", " Boris@p", " Vera@g Anna@g")]
    return lines


@pytest.mark.parametrize("standing_before", STATES)
def test_every_refusal(standing_before: str) -> None:
    seats, lines = Seats(FOUR), every_deal()
    events = [parse(line.split(), seats) for line in lines]
    before = [parse(line.split(), seats) for line in STATES[standing_before]]
    for house in HOUSES:
        tags = "".join(f'[Rule "{name} = {value}"]' + "\n" for name, value in house.items())
        head = gamefile.read(f'[Players "{", ".join(FOUR)}"]' + "\n" + tags).header
        assert head is not None
        state = derive(head, before).state
        game = random_games.start(FOUR, "Anna", "piter", house, None)
        for line in STATES[standing_before]:
            oracle.play_line(game, line)
        for line, event in zip(lines, events, strict=True):
            refused = [fault.message() for fault in refusals(step(state, event))]
            assert (not refused) is random_games.is_legal(game, line), (house, line, refused)
