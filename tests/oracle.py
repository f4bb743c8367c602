"""An independent reference scorer: the rule book in plain Python, slow and literal.

It reads canonical Latin notation only, checks no legality and imports nothing of the product.
Each comment names the rule of docs/rules.md that the code below it follows.
Seats are the numbers 1-4. `play(...)` gives the amounts of every line and the final standing.
`oracle_scoring` holds what one deal writes, `oracle_settlement` who pays whom.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import oracle_settlement as settlement
from oracle_scoring import (
    ALLPASS_PRICE,
    SEATS,
    AllPass,
    Amounts,
    Contract,
    Deal,
    Misere,
    Rules,
    after,
    make_rules,
    score_allpass,
    score_contract,
    score_misere,
    write,
)

# ------------------------------------------------------------------ the game


@dataclass
class Stint:
    """A person's time on a seat."""

    name: str
    seat: int
    from_deal: int
    net_before: Fraction  # the seat's exact net when he sat down
    to_deal: int | None = None
    net: Fraction | None = None


@dataclass
class Game:
    rules: Rules
    preset: str
    names: list[str]  # those seated now
    dealer: int  # who deals the next deal
    stake: str | None = None
    deals: int = 0
    finished: bool = False
    stopped: bool = False
    semester: int = 1
    # allpass.opening: each semester begins open, with an all-pass due at position 1
    open: bool = True
    position: int = 0
    due: int | None = 1  # the position whose price the due all-pass has
    first_dealer: int | None = None  # who really dealt this semester's first deal
    reached: tuple[int, ...] = ()  # who reached the target first in this semester
    pool: list[list[Fraction]] = field(default_factory=lambda: [[Fraction(0)] * 4])
    gora: list[list[Fraction]] = field(default_factory=lambda: [[Fraction(0)] * 4])
    whists: list[list[Fraction]] = field(default_factory=lambda: [[Fraction(0)] * 4 for _ in SEATS])
    prizes: list[dict[str, object]] = field(default_factory=list)
    stints: list[Stint] = field(default_factory=list)

    def net(self) -> list[Fraction]:
        pools, goras = settlement.totals(self.pool), settlement.totals(self.gora)
        return settlement.net(pools, goras, self.whists)

    def sit_down(self, seat: int, name: str) -> None:
        """substitute: the seat's score goes on; each person has the change of its net."""
        net = self.net()[seat - 1]
        for stint in self.stints:
            if stint.seat == seat and stint.to_deal is None:
                stint.to_deal = self.deals
                stint.net = net - stint.net_before
        self.names[seat - 1] = name
        self.stints.append(Stint(name, seat, self.deals + 1, net))

    def next_price(self) -> int:
        return ALLPASS_PRICE[min(3, self.due or self.position + 1)]

    def book(self, amounts: Amounts) -> None:
        for cell, amount in amounts.items():
            if len(cell) == 3:
                self.whists[cell[1] - 1][cell[2] - 1] += amount
            else:
                rows = self.pool if cell[0] == "pool" else self.gora
                rows[-1][cell[1] - 1] += amount
        # semester.reached: by the first event, all at once, never undone
        if not self.reached:
            target = self.rules.number("target")
            self.reached = tuple(seat for seat in SEATS if self.pool[-1][seat - 1] >= target)

    def force(self, by: int) -> None:
        """allpass.forced: caught with, or set by, 1 / 2 / 3+."""
        f = min(by, 3)
        if self.rules.word("forced_price") == "max":
            f = max(f, self.position + 1)
        self.due = f
        self.open = True

    def play_deal(self, deal: Deal) -> Amounts:
        dealer = self.dealer
        was_open = self.open
        whisted = False
        if self.first_dealer is None:
            self.first_dealer = dealer
        self.deals += 1
        if isinstance(deal, AllPass):
            # price.pinned: only the price; the position derives as if it were the rule's
            price = self.next_price() if deal.pinned is None else deal.pinned
            amounts = score_allpass(self.rules, deal, dealer, price)
            # allpass.price, allpass.forced: the running position never goes back
            self.position = max(self.position, self.due or self.position + 1)
            self.due = None
            self.open = True  # allpass.exit: after any all-pass it is open
        elif isinstance(deal, Misere):
            amounts = score_misere(self.rules, deal)
            self.due = None  # irregular: any deal uses up the duty
            if deal.tricks > 0:
                self.force(deal.tricks)
        else:
            amounts = score_contract(self.rules, deal, dealer)
            whisted = deal.whisted
            self.due = None
            if whisted and deal.short_by == 0:  # allpass.exit
                self.open = False
                self.position = 0
            elif deal.outbid and deal.short_by and deal.level in self.rules.levels("forced_after"):
                self.force(deal.short_by)
        self.book(amounts)
        self.dealer = after(dealer)  # deal.rotation: counted from who really dealt
        if self.semester_ends(whisted, was_open):
            self.end_semester(amounts)
        return amounts

    def semester_ends(self, whisted: bool, was_open: bool) -> bool:
        """semester.end"""
        if not self.reached:
            return False
        if self.rules.word("end_rule") == "target":
            return not self.open
        closed_now = was_open and not self.open
        return whisted and (not was_open or closed_now) and self.due is None

    def end_semester(self, amounts: Amounts) -> None:
        lowest = min(self.gora[-1])
        fewest = tuple(seat for seat in SEATS if self.gora[-1][seat - 1] == lowest)
        self.award(amounts, self.semester, "pool", self.reached)  # prize.pool
        self.award(amounts, self.semester, "gora", fewest)  # prize.gora
        if self.semester == self.rules.number("semesters"):  # game.length
            self.award_finals(amounts)
            self.finished = True
            return
        # deal.rotation: after the one that really dealt the ended semester's first deal
        assert self.first_dealer is not None
        self.dealer = after(self.first_dealer)
        self.first_dealer = None
        self.semester += 1
        self.pool.append([Fraction(0)] * 4)
        self.gora.append([Fraction(0)] * 4)
        self.reached = ()
        self.open, self.position, self.due = True, 0, 1

    def award_finals(self, amounts: Amounts) -> None:
        """prize.total-pool, prize.total-gora"""
        pools = settlement.totals(self.pool)
        goras = settlement.totals(self.gora)
        highest = tuple(seat for seat in SEATS if pools[seat - 1] == max(pools))
        lowest = tuple(seat for seat in SEATS if goras[seat - 1] == min(goras))
        self.award(amounts, None, "pool", highest)
        self.award(amounts, None, "gora", lowest)

    def award(self, amounts: Amounts, semester: int | None, kind: str, winners: Iterable[int]) -> None:
        """prize.share: each of k winners writes prize/k on each of the others."""
        won = tuple(winners)
        each = Fraction({"pool": 300, "gora": 200}[kind], len(won))
        if len(won) == 4:
            each = Fraction(0)
        written: Amounts = {}
        for winner in won:
            for loser in SEATS:
                if loser not in won:
                    write(written, ("whists", winner, loser), each)
        self.book(written)
        for cell, amount in written.items():
            write(amounts, cell, amount)
        names = [self.names[seat - 1] for seat in won]
        self.prizes.append({"semester": semester, "kind": kind, "winners": names, "each": str(each)})


# ------------------------------------------------------------------ lines


def words_of(line: str) -> list[str]:
    """Split a line; a quoted text is one word, kept with its opening quote mark."""
    words: list[str] = re.findall(r'"(?:\\.|[^"\\])*"|\S+', line)
    return [re.sub(r"\\(.)", r"\1", w[:-1]) if w[0] == '"' else w for w in words]


def seat_of(game: Game, word: str) -> int:
    names = [name.replace("_", " ") for name in game.names]
    return names.index(word.replace("_", " ")) + 1


def read_deal(game: Game, words: list[str]) -> Deal:
    if "irregular" in words:  # irregular: scored as played
        words = words[: words.index("irregular")]
    head, *rest = words
    if head == "r" or head.startswith("r@"):
        to_gora = [w.removesuffix("@g") for w in rest[1:] if w.endswith("@g")]
        return AllPass(
            tuple(int(n) for n in rest[0].split("/")),
            frozenset(seat_of(game, name) for name in to_gora),
            int(head[2:]) if "@" in head else None,
        )
    seat = seat_of(game, head)
    if rest[0] == "m":
        return Misere(seat, int(rest[1]), "@g" in rest)
    bid = re.fullmatch(r"(10|[6-9])[scdhn](/m)?", rest[0])
    assert bid is not None, words
    tricks = rest[2] if len(rest) > 2 and rest[2][0] != "@" else ""
    return Contract(
        declarer=seat,
        level=int(bid[1]),
        outbid=bid[2] is not None,
        calls=rest[1],
        tricks=tuple(int(n) for n in tricks.split("/") if n),
        to_gora="@g" in rest,
    )


def fine_or_adjust(game: Game, words: list[str]) -> Amounts:
    """`fine SEAT N gora|pool|whists …`: the others' whists are written *on* SEAT."""
    amounts: Amounts = {}
    seat, n, account = seat_of(game, words[1]), int(words[2]), words[3]
    if account == "whists":
        others = [s for s in SEATS if s != seat]
        for writer in others if words[4] == "all" else [seat_of(game, words[4])]:
            write(amounts, ("whists", writer, seat), n)
    else:
        write(amounts, (account, seat), n)
    return amounts


def play_line(game: Game, line: str) -> Amounts:
    """Let one line happen and return everything it wrote, prizes included."""
    words = words_of(line)
    amounts: Amounts = {}
    keyword = words[0]
    if keyword in ("note", "agree"):
        return amounts
    if keyword in ("fine", "adjust"):
        amounts = fine_or_adjust(game, words)
        game.book(amounts)
    elif keyword == "dealer":
        game.dealer = seat_of(game, words[1])
    elif keyword == "seat":
        game.sit_down(seat_of(game, words[1]), words[2].removeprefix('"'))
    elif keyword == "stop":
        game.stopped = True
        if words[1:2] == ["final"]:  # settle.early
            game.award_finals(amounts)
    else:
        return game.play_deal(read_deal(game, words))
    return amounts


# ------------------------------------------------------------------ the standing


def standing(game: Game) -> dict[str, object]:
    """The keys of notation.md's "JSON of a standing" that the rules decide."""
    over = game.finished or game.stopped
    pools, goras = settlement.totals(game.pool), settlement.totals(game.gora)
    net = game.net()
    cents = settlement.money(net, game.stake)
    closed = not game.open and game.due is None
    result: dict[str, object] = {
        "deals": game.deals,
        "finished": game.finished,
        "stopped": game.stopped,
        "semester": game.semester,
        "dealer": None if over else game.names[game.dealer - 1],
        "next": None if over else "auction" if game.due is None else "all-pass",
        "price": None if over else game.next_price(),
        "min_level": None if over else 6 if closed else game.rules.number("min_exit_level"),
        "pool": [[int(n) for n in row] for row in game.pool],
        "gora": [[int(n) for n in row] for row in game.gora],
        "pool_total": [int(n) for n in pools],
        "gora_total": [int(n) for n in goras],
        "whists": [[str(n) for n in row] for row in game.whists],
        "prizes": game.prizes,
        "net": [str(n) for n in net],
        "rounded": settlement.largest_remainder(net),
        "money": None if cents is None else [settlement.decimal(n) for n in cents],
        "transfers": None if cents is None else transfers(game, cents),
        "persons": persons(game, net),
    }
    if game.preset == "gambler":  # rating.gambler
        result["rating"] = [settlement.decimal(round(n * 100 / 250)) for n in net]
    return result


def transfers(game: Game, cents: list[int]) -> list[dict[str, str]]:
    return [
        {"from": game.names[payer], "to": game.names[payee], "amount": settlement.decimal(amount)}
        for payer, payee, amount in settlement.transfers(cents)
    ]


def persons(game: Game, net: list[Fraction]) -> list[dict[str, object]]:
    """One row a stint, by seat, then in time."""
    return [
        {
            "name": stint.name,
            "seat": stint.seat,
            "from_deal": str(stint.from_deal),
            "to_deal": None if stint.to_deal is None else str(stint.to_deal),
            "net": str(net[stint.seat - 1] - stint.net_before if stint.net is None else stint.net),
        }
        for stint in sorted(game.stints, key=lambda stint: stint.seat)
    ]


@dataclass(frozen=True)
class Played:
    amounts: list[Amounts]  # one a line
    standing: dict[str, object]


def play(
    players: Iterable[str],
    dealer: str,
    preset: str,
    overrides: Mapping[str, object],
    lines: Iterable[str],
    stake: str | None = None,
) -> Played:
    names = list(players)
    game = Game(make_rules(preset, overrides), preset, names, names.index(dealer) + 1, stake)
    for seat in SEATS:
        game.sit_down(seat, names[seat - 1])
    amounts = [play_line(game, line) for line in lines]
    return Played(amounts, standing(game))


def play_file(path: Path) -> Played:
    """Play a canonical `*.skachki` file."""
    tags: dict[str, str] = {}
    overrides: dict[str, object] = {}
    lines: list[str] = []
    for raw in path.read_text(encoding="utf-8").splitlines():
        line = re.sub(r'^((?:[^";]|"(?:\\.|[^"\\])*")*);.*$', r"\1", raw).strip()
        tag = re.fullmatch(r'\[(\w+) "(.*)"\]', line)
        if tag and tag[1] == "Rule":
            switch, _, value = tag[2].partition("=")
            overrides[switch.strip()] = value.strip()
        elif tag:
            tags[tag[1]] = tag[2]
        elif line:
            lines.append(re.sub(r"^\d+\.\s+", "", line))
    players = [name.strip() for name in tags["Players"].split(",")]
    return play(
        players,
        tags.get("Dealer", players[0]),
        tags.get("Rules", "piter").split("@")[0],
        overrides,
        lines,
        tags.get("Stake"),
    )
