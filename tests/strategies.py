"""What may be drawn: texts and names, rules, events of every kind, and whole legal games.

Events are canonical: a destination that says nothing is left out, an irregular deal has its reason.
"""

from __future__ import annotations

import random
from typing import Any

import random_games
from hypothesis import strategies as st
from random_games import Mix, RandomGame

from skachki_ledger import rules as rule_book
from skachki_ledger.errors import NotationError
from skachki_ledger.events import (
    Adjustment,
    Agreement,
    DealerNamed,
    DealPlayed,
    Event,
    Fine,
    Note,
    Stop,
    Substitution,
)
from skachki_ledger.header import Header, parse_stake
from skachki_ledger.model import SEATS, Account, AllPass, Calls, Contract, Dest, Misere, Seat
from skachki_ledger.names import Seats, clean_name, is_printable
from skachki_ledger.rules import Rules

# ------------------------------------------------------------------ texts

KEYWORDS = (
    "irregular",
    "нарушение",
    "final",
    "итог",
    "all",
    "все",
    "@g",
    "1",
    "-3",
    "r",
    "p",
    "7/3",
    "[x]",
)
AWKWARD = ('"', "\\", '\\"', ";", "a;b", "# c", "12. r", "ё", "e\u0301", " x ", "\u00a0", "½", "♠", "a\\")

TEXTS = st.one_of(
    st.sampled_from((*KEYWORDS, *AWKWARD)),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30),
    st.text("abя \"\\;@/'", max_size=12),
).filter(is_printable)
REASONS = TEXTS.filter(lambda text: text.strip() != "")


def _as_name(text: str) -> str:
    try:
        return clean_name(text)
    except NotationError:
        return ""


NAMES = (
    st.one_of(
        st.sampled_from(
            ("Anna", "Anna Maria", "Аня", "Б", "O'Neil", "5", "12.", "x/y", "Ann\\", "undo", "[a]")
        ),
        st.text("abcёеБЗ39._- ", min_size=1, max_size=8),
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12),
    )
    .map(_as_name)
    .filter(bool)
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, ...]:
    """Four names that may sit at one table."""
    players: list[str] = []
    while len(players) < 4:
        players.append(draw(NAMES.filter(lambda name: not Seats(players).clash(name))))
    return tuple(players)


# ------------------------------------------------------------------ rules


def _values(switch: str) -> st.SearchStrategy[Any]:
    """Every value of a switch."""
    allowed = rule_book.SWITCHES[switch].values
    if switch in ("semesters", "target"):
        low, high = allowed
        assert isinstance(low, int)
        assert isinstance(high, int)
        return st.integers(low, high)
    if switch in ("unwhisted_choice", "forced_after"):
        return st.sets(st.sampled_from(allowed)).map(lambda levels: tuple(sorted(levels)))
    return st.sampled_from(allowed)


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    """A preset with some of its switches set to any value."""
    drawn = rule_book.PRESETS[draw(st.sampled_from(sorted(rule_book.PRESETS)))]
    for switch in draw(st.sets(st.sampled_from(sorted(rule_book.SWITCHES)), max_size=6)):
        drawn = rule_book.with_switch(drawn, switch, draw(_values(switch)))
    return drawn


TITLES = TEXTS.filter(lambda text: text != "")
STAKES = st.builds(
    lambda units, currency: parse_stake(f"{units} {currency}"),
    st.one_of(
        st.integers(1, 9_999_999).map(str),
        st.decimals("0.000001", "9999", allow_nan=False, allow_infinity=False, places=6).map(str),
        st.sampled_from(("0.50", "0.005", "0.333333", "0.015")),
    ),
    st.sampled_from(("RUB", "EUR", "₽", "$", "Kč")),
)


@st.composite
def headers(draw: st.DrawFn) -> Header:
    """Everything the tags of a file can say."""
    return Header(
        players=draw(tables()),
        dealer=draw(st.sampled_from(SEATS)),
        rules=draw(rules()),
        title=draw(st.none() | TITLES),
        date=draw(st.none() | st.dates().map(str)),
        stake=draw(st.none() | STAKES),
        other=tuple(draw(st.dictionaries(st.sampled_from(("Site", "Table2")), TEXTS)).items()),
    )


# ------------------------------------------------------------------ events

SEAT = st.sampled_from(SEATS)
CALLS: tuple[Calls, ...] = ("ww", "wp", "pw", "pp", "ph", "wh")
DESTS: tuple[Dest | None, ...] = (None, "gora", "pool")


@st.composite
def splits(draw: st.DrawFn, parts: int) -> tuple[int, ...]:
    """Ten tricks among `parts`."""
    cuts = sorted(draw(st.lists(st.integers(0, 10), min_size=parts - 1, max_size=parts - 1)))
    return tuple(high - low for low, high in zip([0, *cuts], [*cuts, 10], strict=True))


def _dest(draw: st.DrawFn, writes_pool: bool) -> Dest | None:
    """A destination as the canonical text keeps it: the pool only where no pool is written."""
    return draw(st.sampled_from(DESTS[:2] if writes_pool else DESTS))


@st.composite
def contracts(draw: st.DrawFn) -> Contract:
    """Any contract whose line has the right shape, legal or not."""
    level = draw(st.integers(6, 10))
    calls = draw(st.sampled_from(CALLS))
    if calls in ("pp", "ph"):
        tricks: tuple[int, ...] = ()
    else:
        tricks = draw(splits(3 if calls == "ww" else draw(st.sampled_from((2, 3)))))
    return Contract(
        declarer=draw(SEAT),
        level=level,
        strain=draw(st.sampled_from(("s", "c", "d", "h", "n"))),
        outbid=level >= 9 and draw(st.booleans()),
        calls=calls,
        tricks=tricks,
        dest=_dest(draw, not tricks or tricks[0] >= level),
    )


@st.composite
def miseres(draw: st.DrawFn) -> Misere:
    """Any misère."""
    tricks = draw(st.integers(0, 10))
    return Misere(draw(SEAT), tricks, _dest(draw, tricks == 0))


@st.composite
def allpasses(draw: st.DrawFn) -> AllPass:
    """Any all-pass."""
    tricks = draw(splits(4))
    dests = tuple(_dest(draw, taken == 0) for taken in tricks)
    return AllPass(tricks, dests, draw(st.none() | st.integers(1, 99)))


DEALS = st.tuples(st.one_of(contracts(), miseres(), allpasses()), st.just("") | REASONS).map(
    lambda drawn: DealPlayed(*drawn)
)


@st.composite
def penalties(draw: st.DrawFn, fine: bool) -> Fine | Adjustment:
    """Any fine or adjustment: on a point account, by one writer, or by all the others."""
    seat: Seat = draw(SEAT)
    others = ((seat + 1) % 4, (seat + 2) % 4, (seat + 3) % 4)
    accounts: tuple[Account, ...] = ("gora", "whists", "pool")
    account = draw(st.sampled_from(accounts[:2] if fine else accounts))
    writers: tuple[Seat, ...] = ()
    if account == "whists":
        writers = draw(st.just(others) | st.sampled_from(others).map(lambda writer: (writer,)))
    amount = draw(st.integers(1, 999_999))
    if fine:
        return Fine(seat, amount, account, writers, draw(TEXTS))
    return Adjustment(seat, amount * draw(st.sampled_from((1, -1))), account, writers, draw(REASONS))


def substitutions(players: tuple[str, ...]) -> st.SearchStrategy[Substitution]:
    """A newcomer whose name is nobody's at the table."""
    newcomers = NAMES.filter(lambda name: not Seats(players).clash(name))
    return st.builds(Substitution, SEAT, newcomers, TEXTS)


def events(players: tuple[str, ...]) -> st.SearchStrategy[Event]:
    """Any event of any kind at this table."""
    return st.one_of(
        DEALS,
        penalties(True),
        penalties(False),
        st.builds(DealerNamed, SEAT, TEXTS),
        substitutions(players),
        st.builds(Stop, st.booleans(), TEXTS),
        st.builds(Agreement, TEXTS),
        st.builds(Note, REASONS),
    )


@st.composite
def nights(draw: st.DrawFn, most: int = 12) -> tuple[Header, tuple[Event, ...]]:
    """A header and events of any kind, legal or not, names kept apart as newcomers come."""
    head = draw(headers())
    seats = Seats(head.players)
    drawn: list[Event] = []
    for _ in range(draw(st.integers(0, most))):
        event = draw(events(seats.players))
        drawn.append(event)
        if isinstance(event, Substitution):
            seats = seats.replaced(event.seat, event.name)
    return head, tuple(drawn)


# ------------------------------------------------------------------ games

RARE = Mix(events=250, irregular=80, pinned=100, stop=10)
"""Rarities more often than at a table: short games should still have them."""

RARE_LONG = Mix(events=250, irregular=80, pinned=100, stop=2)


@st.composite
def short_games(draw: st.DrawFn) -> RandomGame:
    """A legal game, drawn deal by deal, so that a failing one shrinks."""
    rng = draw(st.randoms(note_method_calls=False, use_true_random=False))
    preset, overrides = random_games.rules(rng, semesters_max=3, target_max=8)
    stake = rng.choice((None, *random_games.STAKES))
    return random_games.play(rng, preset, overrides, RARE, deals_max=rng.randrange(40), stake=stake)


@st.composite
def seeded_games(draw: st.DrawFn) -> RandomGame:
    """A legal game to its end; a seed decides all."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    preset, overrides = random_games.rules(rng, semesters_max=5, target_max=30)
    stake = rng.choice((None, *random_games.STAKES))
    return random_games.play(rng, preset, overrides, RARE_LONG, stake=stake)


GAMES = st.one_of(short_games(), seeded_games(), st.integers(0, 100_000).map(random_games.night))
