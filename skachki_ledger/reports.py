"""What is printed of a game, as values: titles, tables, sentences. Renderers turn them into text.

Every cell is a string already, in the language in use; a table says which columns are numbers.
"""

from collections.abc import Sequence
from typing import NamedTuple

from . import canon, rules
from .derive import History, Step
from .events import Agreement, DealPlayed, Substitution
from .i18n import N_, _, ngettext
from .model import SEATS, AllPass, Entry, Seat
from .rules import Rules
from .settlement import decimal, rational
from .standing import Problem, Standing
from .state import Prize, State
from .vocabulary import ROMAN
from .wording import entry_text, grounds

STRUCK = {"amended": N_("(amended)"), "voided": N_("(voided)"), "undone": N_("(taken back)")}
"""Why an event does not count, as it stands behind its line."""
HEAD_DIGITS = 12
"""Digits of a journal's head that printouts show; `verify --head` takes them."""


class Table(NamedTuple):
    """A table with its title; `numbers` are the columns to be set flush right."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]


class Report(NamedTuple):
    """A title, sentences under it, then sections: tables or titled lists of sentences."""

    title: str
    lines: tuple[str, ...]
    sections: tuple["Table | Listing", ...]


class Listing(NamedTuple):
    """Sentences under a title."""

    title: str
    lines: tuple[str, ...]


def whole_standing(now: Standing, head: str | None = None) -> Report:
    """Return everything `score` and `standing` print of a game; `head` stands for its journal."""
    sections: list[Table | Listing] = [*_semesters(now), _totals(now), _whists(now), _nets(now)]
    sections += _people(now)
    if now.problems:
        sections.append(_to_look_at(now))
    return Report(title(now.history), tuple(_summary(now, head)), tuple(sections))


def settlement(now: Standing, head: str | None = None) -> Report:
    """Return the settlement: totals, final prizes, whists, nets, money, payments, shares."""
    sections: list[Table | Listing] = [_by_semester(now), *_prizes(now)]
    sections += [_totals(now), _whists(now), _nets(now)]
    sections += _people(now)
    if now.problems:
        sections.append(_to_look_at(now))
    return Report(title(now.history), tuple(_summary(now, head)), tuple(sections))


def chat(now: Standing, head: str | None = None) -> Report:
    """Return the settlement as a few plain lines for a group chat."""
    players, stake = now.history.state.players, now.history.header.stake
    order = sorted(SEATS, key=lambda seat: (-now.net[seat], seat))
    lines = list(_summary(now, None)[1:])
    for seat in order:
        text = f"{players[seat]}: {now.rounded[seat]:+}" if now.rounded[seat] else f"{players[seat]}: 0"
        if now.money is not None and stake is not None:
            text += f" ({money_text(now.money[seat])} {stake.currency})"
        lines.append(text)
    lines += transfer_lines(now) if now.transfers else []
    if head:
        lines.append(_("head {head}").format(head=head[:HEAD_DIGITS]))
    return Report(title(now.history), tuple(lines), ())


def _by_semester(now: Standing) -> Table:
    """Return one row a semester: each seat's pool/gora."""
    rows = tuple(
        (roman(place + 1), *(f"{now.pool[place][seat]}/{now.gora[place][seat]}" for seat in SEATS))
        for place in range(len(now.pool))
    )
    headers = ("", *(str(seat + 1) for seat in SEATS))
    return Table(_("Semesters (pool/gora)"), headers, rows, (1, 2, 3, 4))


def _prizes(now: Standing) -> list[Table]:
    """Return who took the semesters' prizes, one row a semester; no table where none is awarded yet."""
    awarded = sorted({prize.semester for prize in now.prizes if prize.semester})
    rows = tuple(
        (roman(n), _winners(now.prizes, n, "pool"), _winners(now.prizes, n, "gora")) for n in awarded
    )
    headers = ("", _("pool prize"), _("gora prize"))
    return [Table(_("Prizes"), headers, rows, ())] if rows else []


def _winners(prizes: Sequence[Prize], semester: int, kind: str) -> str:
    return ", ".join(
        name for prize in prizes if (prize.semester, prize.kind) == (semester, kind) for name in prize.names
    )


def _to_look_at(now: Standing) -> Listing:
    return Listing(_("To look at"), tuple(problem_lines(now.problems)))


def title(history: History) -> str:
    """Return the title of a game with its date, or what the game is where it has none."""
    header = history.header
    return " · ".join(part for part in (header.title or _("Petersburg skachki"), header.date) if part)


def _summary(now: Standing, head: str | None) -> list[str]:
    state, header = now.history.state, now.history.header
    terms = [rules_text(header.rules)]
    if header.stake:
        stake = f"{header.stake.amount.replace('.', _('.'))} {header.stake.currency}"
        terms.append(_("{stake} a whist").format(stake=stake))
    if head:
        terms.append(_("head {head}").format(head=head[:HEAD_DIGITS]))
    lines = [" · ".join(terms), f"{deals_text(state.deals)} · {progress(now.history)}"]
    agreed = _agreed(now.history)
    return [*lines, agreed] if agreed else lines


def _agreed(history: History) -> str:
    """Return up to where the table has agreed, and how much came after; "" where it has not."""
    last, mark, deals = "0", "", 0
    for taken in history.steps:
        last = taken.label or last
        if isinstance(taken.event, Agreement):
            mark, deals = last, taken.after.deals
    if not mark:
        return ""
    since = history.state.deals - deals
    text = _("agreed up to deal {deal}").format(deal=mark)
    if not since:
        return text
    return f"{text}, " + ngettext("{n} deal since", "{n} deals since", since).format(n=since)


def rules_text(current: Rules) -> str:
    """Return the rules in force: the preset and the switches that differ from it."""
    own = rules.differing(current, rules.PRESETS[current.preset])
    texts = [f"{name} = {rules.show_value(value)}" for name, value in own.items()]
    return ", ".join([current.preset.partition("@")[0], *texts])


def deals_text(count: int) -> str:
    """Return a number of deals in words: 1 deal, 66 deals."""
    return ngettext("{n} deal", "{n} deals", count).format(n=count)


def progress(history: History) -> str:
    """Return how far the game is: what comes next, or how it ended."""
    state = history.state
    if state.over:
        return over_text(state)
    semester = _("semester {roman}").format(roman=roman(state.semester))
    return f"{semester} · {next_text(state)}"


def next_text(state: State) -> str:
    """Return who deals and what may be played: "Gleb deals · a forced all-pass at 4"."""
    dealer = _("{name} deals").format(name=state.players[state.dealer])
    if state.due and not state.semester_deals:
        return f"{dealer} · " + _("the opening all-pass at {price}").format(price=state.price)
    if state.due:
        return f"{dealer} · " + _("a forced all-pass at {price}").format(price=state.price)
    return f"{dealer} · " + _("auction, lowest contract {level}").format(level=state.min_level)


def over_text(state: State) -> str:
    """Return how the game ended; of an early stop, which prizes were not awarded (settle.early)."""
    if state.over == "finished":
        return _("the game is finished")
    if any(prize.semester == 0 for prize in state.prizes):
        return _("stopped: the final prizes are awarded, the unfinished semester's are not")
    return _("stopped: neither the unfinished semester's prizes nor the final ones are awarded")


def roman(semester: int) -> str:
    """Return a semester's number as players write it."""
    return ROMAN[semester - 1]


def _semesters(now: Standing) -> list[Table]:
    return [
        Table(
            _("Semester {roman}").format(roman=roman(place + 1)),
            (_("player"), _("pool"), _("gora"), _("prize")),
            tuple(
                (
                    now.history.state.players[seat],
                    str(now.pool[place][seat]),
                    str(now.gora[place][seat]),
                    _won(now.prizes, place + 1, seat),
                )
                for seat in SEATS
            ),
            (1, 2),
        )
        for place in range(len(now.pool))
    ]


def _won(prizes: Sequence[Prize], semester: int, seat: Seat) -> str:
    """Return the prizes a seat took in a semester (0: after the game): "pool 300, gora 200/3"."""
    kinds = {"pool": _("pool"), "gora": _("gora")}
    return ", ".join(
        f"{kinds[prize.kind]} {rational(prize.whists)}"
        for prize in prizes
        if prize.semester == semester and seat in prize.winners
    )


def _totals(now: Standing) -> Table:
    players = now.history.state.players
    rows = tuple(
        (
            f"{seat + 1} {players[seat]}",
            str(now.pool_total[seat]),
            str(now.gora_total[seat]),
            _won(now.prizes, 0, seat),
        )
        for seat in SEATS
    )
    headers = (_("player"), _("pool"), _("gora"), _("prize"))
    return Table(_("All semesters"), headers, rows, (1, 2))


def _whists(now: Standing) -> Table:
    """Return who has written what on whom; columns are seat numbers, to stay narrow."""
    players = now.history.state.players
    rows = tuple(
        (
            f"{seat + 1} {players[seat]}",
            *("·" if seat == on else rational(now.whists[seat][on]) for on in SEATS),
        )
        for seat in SEATS
    )
    headers = (_("writes"), *(_("on {seat}").format(seat=seat + 1) for seat in SEATS))
    return Table(_("Whists"), headers, rows, (1, 2, 3, 4))


def _nets(now: Standing) -> Table:
    players, stake = now.history.state.players, now.history.header.stake
    headers = [_("player"), _("net"), _("rounded")]
    columns = [[rational(net) for net in now.net], [str(net) for net in now.rounded]]
    if now.money is not None and stake is not None:
        headers.append(stake.currency)
        columns.append([money_text(amount) for amount in now.money])
    if now.rating is not None:
        headers.append(_("rating"))
        columns.append(list(now.rating))
    rows = tuple((players[seat], *(column[seat] for column in columns)) for seat in SEATS)
    return Table(_("Result"), tuple(headers), rows, tuple(range(1, len(headers))))


def money_text(amount: int) -> str:
    """Return minor units of money as people in the language in use write them."""
    text = decimal(amount)
    return text.replace(".", _("."))


def _people(now: Standing) -> list[Table | Listing]:
    sections: list[Table | Listing] = []
    if now.transfers:
        sections.append(Listing(_("Who pays whom"), tuple(transfer_lines(now))))
    if any(isinstance(taken.event, Substitution) for taken in now.history.steps):
        end = _last_label(now.history) if now.history.state.over else ""
        rows = tuple(
            (
                stint.name,
                str(stint.seat + 1),
                f"{stint.first}–{stint.last or end}",
                rational(stint.net),
            )
            for stint in now.persons
        )
        headers = (_("person"), _("seat"), _("deals"), _("share"))
        sections.append(Table(_("Persons"), headers, rows, (1, 3)))
    return sections


def _last_label(history: History) -> str:
    return next((taken.label for taken in reversed(history.steps) if taken.label), "0")


def transfer_lines(now: Standing) -> list[str]:
    """Return the payments as sentences: "Gleb → Anna 1178.34 RUB"."""
    players, stake = now.history.state.players, now.history.header.stake
    assert stake is not None
    assert now.transfers is not None
    return [
        f"{players[paid.payer]} → {players[paid.payee]} {money_text(paid.amount)} {stake.currency}"
        for paid in now.transfers
    ]


def problem_lines(problems: Sequence[Problem]) -> list[str]:
    """Return the problems as sentences with their deals and codes."""
    at = _("deal {label}")
    return [
        f"{at.format(label=problem.deal)}: {problem.message} [{problem.code}]"
        if problem.deal
        else f"{problem.message} [{problem.code}]"
        for problem in problems
    ]


def log_listing(history: History, tokens: canon.Tokens) -> Report:
    """Return the night event by event, each with the entries it wrote."""
    sections: list[Table | Listing] = []
    for taken in history.steps:
        number = f"{taken.label}. " if taken.label else ""
        sections.append(
            Listing(
                f"{number}{canon.line(taken.event, taken.players, tokens)}{facts(taken)}",
                tuple(entry_line(entry, taken.players) for entry in taken.entries),
            )
        )
    return Report(_("Deal by deal"), (), tuple(sections))


def facts(taken: Step) -> str:
    """Return what the table saw with a deal: who dealt, and what an all-pass cost."""
    if not isinstance(taken.event, DealPlayed):
        return ""
    facts = [_("{name} dealt").format(name=taken.players[taken.dealer])]
    if isinstance(taken.event.deal, AllPass):
        facts.append(_("at {price}").format(price=taken.price))
    return f"  [{', '.join(facts)}]"


def entry_line(entry: Entry, players: Sequence[str], with_rule: bool = True) -> str:
    """Return an entry as a sentence: "Boris: gora +8 (2 undertricks × 4; game.set)"."""
    if entry.on is not None:
        account = _("whists on {name}").format(name=players[entry.on])
        amount = rational(entry.amount)
    else:
        account = _("pool") if entry.account == "pool" else _("gora")
        amount = str(entry.amount)
    sign = "" if amount.startswith("-") else "+"
    why = grounds(entry.rule, entry_text(entry), amount) + ([entry.rule] if with_rule else [])
    because = f" ({'; '.join(why)})" if why else ""
    return f"{players[entry.seat]}: {account} {sign}{amount}{because}"


def switches(current: Rules, other: Rules | None) -> Report:
    """Return every switch with value, meaning and source; with `other`, those that differ."""
    values = rules.switches(current)
    others = rules.switches(other) if other else {}
    sections = []
    for name, switch in rules.SWITCHES.items():
        if other and others[name] == values[name]:
            continue
        value = f"{name} = {rules.show_value(values[name])}"
        if other:
            value += f"   ({other.preset}: {rules.show_value(others[name])})"
        source = f"{_(switch.source)} · {switch.rule}"
        sections.append(Listing(value, (_(switch.meaning), source)))
    legend = _("P, G, H: the published texts; base: the system under them; fill: decided here")
    return Report(rules_text(current), (legend,), tuple(sections))
