"""The closing page and the protocol, as values: what the table signs, and the night deal by deal."""

from typing import NamedTuple

from . import canon, changes, consequences, live, reports, rules
from .corrections import Amend, Insert, Rename, SetRule, Void, read
from .i18n import N_, _, language
from .journal import Game, Item, Record
from .reports import Listing, Report, Table
from .resolve import Slot
from .settlement import Transfer, decimal
from .sheet import fenced, runs_left
from .standing import Standing

SIGNS = {"RUB": "₽", "EUR": "€", "USD": "$", "GBP": "£", "UAH": "₴", "KZT": "₸"}
"""Currencies whose sign stands after an amount on paper; others keep their name."""


class Told(NamedTuple):
    """One event of the protocol. `struck` is "" where it counts, else why it does not, in words."""

    number: str
    line: str
    facts: tuple[str, ...]
    struck: str
    entries: tuple[str, ...]
    ends: str
    """The semester that ended with it, announced, or ""."""


def closing(now: Standing, head: str | None) -> Report:
    """Return the closing page: reports.settlement, payments as people write them, rules, problems."""
    base = reports.settlement(now, head)
    sections: list[Table | Listing] = []
    for section in base.sections:
        if section.title == _("Who pays whom"):
            sections.append(
                Listing(section.title, tuple(payment(paid, now) for paid in now.transfers or ()))
            )
        elif section.title != _("To look at"):
            sections.append(section)
    if now.transfers is not None and not now.transfers:
        sections.append(Listing(_("Who pays whom"), (_("nobody owes anything"),)))
    sections.append(_in_force(now))
    found = tuple(reports.problem_lines(now.problems)) or (_("no open problems"),)
    sections.append(Listing(_("To look at"), found))
    return Report(base.title, base.lines, tuple(sections))


def payment(paid: Transfer, now: Standing) -> str:
    """Return a payment as a sentence: "Глеб → Анна 1 178,34 ₽"."""
    players, stake = now.history.state.players, now.history.header.stake
    assert stake is not None
    sign = SIGNS.get(stake.currency, stake.currency)
    return f"{players[paid.payer]} → {players[paid.payee]} {grouped(paid.amount)}\u00a0{sign}"


def signers(now: Standing) -> list[str]:
    """Return who signs the settlement: those seated at the end."""
    return [f"{seat} {fenced(name)}" for seat, name in enumerate(now.history.state.players, 1)]


def stake_short(now: Standing) -> str:
    """Return the stake as it stands in the middle of the sheet: "0.50 ₽", "" where there is none."""
    stake = now.history.header.stake
    if stake is None:
        return ""
    return f"{stake.amount.replace('.', _('.'))} {SIGNS.get(stake.currency, stake.currency)}"


def grouped(hundredths: int) -> str:
    """Return money with its thousands apart: 1,178.34, in Russian 1 178,34.

    >>> grouped(123456789)
    '1,234,567.89'
    """
    whole, _dot, rest = decimal(hundredths).partition(".")
    between, point = ("\u00a0", ",") if language() == "ru" else (",", ".")
    return f"{int(whole):,}".replace(",", between) + point + rest


def _in_force(now: Standing) -> Listing:
    """Return the rules of the game: the preset, then each switch that differs, with its meaning."""
    current = now.history.header.rules
    preset = rules.PRESETS[current.preset]
    usual = rules.switches(preset)
    lines = [_("preset {preset}").format(preset=current.preset)]
    for name, value in rules.differing(current, preset).items():
        text = _("{name} = {value} (preset: {usual}) – {meaning}")
        values = {"value": rules.show_value(value), "usual": rules.show_value(usual[name])}
        lines.append(text.format(name=name, meaning=_(rules.SWITCHES[name].meaning), **values))
    if len(lines) == 1:
        lines.append(_("no switch differs from it"))
    return Listing(_("Rules in force"), tuple(lines))


# ------------------------------------------------------------------ the protocol


STRUCK = {"amended": N_("amended"), "voided": N_("voided"), "undone": N_("taken back")}


def protocol(game: Game, tokens: canon.Tokens, deal: str | None = None) -> tuple[Told, ...]:
    """Return the night event by event as it counts; `deal`: that deal alone."""
    return tuple(
        _told(game, item, slot, tokens)
        for item, slot in zip(game.items, game.resolved.slots, strict=True)
        if deal is None or item.label == deal
    )


def _told(game: Game, item: Item, slot: Slot, tokens: canon.Tokens) -> Told:
    players = tuple(map(fenced, item.players))
    taken = item.step._replace(players=players) if item.step else None
    dealt = reports.facts(taken).strip(" []") if taken else ""
    facts = [dealt] if dealt else []
    facts.append(_origin(item.record))
    line = canon.line(item.event, players, tokens)
    if taken is None:
        struck = _(STRUCK[item.struck])
        if slot.by:
            struck += f": {_origin(game.records[slot.by - 1])}"
        return Told(item.label, line, tuple(facts), struck, (), "")
    entries = [reports.entry_line(entry, players) for entry in taken.entries]
    if consequences.over(taken):
        entries.append(_("does not count: the game is over before it"))
    return Told(item.label, line, tuple(facts), "", tuple(entries), "".join(live.ending(taken)))


def _origin(record: Record) -> str:
    """Return where a line comes from: its place in the journal, when, who, why."""
    moment = record.at.replace("T", " ").removesuffix("Z")[:16]
    reason = f" – {record.reason}" if record.reason else ""
    return f"e{record.n} · {moment} UTC · {record.by}{reason}"


def corrections(game: Game, tokens: canon.Tokens) -> tuple[str, ...]:
    """Return every correction as it was made: when, who, what, why, and whether it was taken back."""
    counts = {n for group in game.resolved.done for n in group}
    made = []
    for change in changes.history(game, tokens):
        if isinstance(read(change.record.payload), Amend | Insert | Void | Rename | SetRule):
            undone = "" if change.record.n in counts else f" ({_(STRUCK['undone'])})"
            made.append(f"{change.line}{undone} – {_origin(change.record)}")
    return tuple(made)


# ------------------------------------------------------------------ names that run the other way


def isolated(game_or_now: Standing) -> Standing:
    """Return the standing with right-to-left names fenced off, so that sentences keep their order."""
    state = game_or_now.history.state
    header = game_or_now.history.header
    names = {*state.players, *header.players, *(stint.name for stint in game_or_now.persons)}
    if not any(map(runs_left, names)):
        return game_or_now
    players = tuple(map(fenced, state.players))
    steps = game_or_now.history.steps
    if steps:
        steps = (*steps[:-1], steps[-1]._replace(after=state._replace(players=players)))
    history = game_or_now.history._replace(steps=steps)
    persons = tuple(stint._replace(name=fenced(stint.name)) for stint in game_or_now.persons)
    prizes = tuple(p._replace(names=tuple(map(fenced, p.names))) for p in game_or_now.prizes)
    return game_or_now._replace(history=history, persons=persons, prizes=prizes)
