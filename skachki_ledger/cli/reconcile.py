"""The smallest set of slips that makes every claim true: `reconcile`."""

import shlex
import sys
import time
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from .. import canon, compare, consequences, drafting, lexer, rules
from ..arbitration import sliptext
from ..arbitration.cells import Cell
from ..arbitration.effects import Base
from ..arbitration.reconcile import Explanation, Miss, Outcome, reconcile
from ..arbitration.slips import Slip
from ..compare import Change
from ..derive import refusals
from ..errors import Fault, NotationError
from ..events import Agreement, DealPlayed, Event
from ..i18n import N_, _, ngettext
from ..journal import Game, Item
from ..names import shown
from . import ledger
from .argue import read_claims
from .options import Claims, ClaimsFile, ClaimsSheet, Db, GameId, Json, Lang
from .say import aside, tell
from .words import WordsCommand

HELP = {"reconcile": N_("Find the slips that explain every claim.")}
CLASS = {"reconcile": WordsCommand}

QUIET_SECONDS = 1.0
"""How long the search runs before it says how far it is."""
SLIPS_MAX = 2
EXPLANATIONS_MAX = 6
"""How many explanations are told; JSON has all that were proved."""
CELLS_MAX = 8
"""How many cells that would change besides are told."""


def reconcile_command(
    said: Claims = None,
    max_slips: Annotated[
        str, typer.Option("--max-slips", metavar="K", help=_("At most so many slips together: 1 or 2."))
    ] = "2",
    file: ClaimsFile = None,
    sheet: ClaimsSheet = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Print explanations, the likeliest first; exit 1 where there is none, 130 where interrupted."""
    slips = _number(max_slips)
    current = ledger.read_game(db, game)
    told = read_claims(current, said or [], file, sheet, as_json)
    if not told:
        return 1
    meter = _Meter()
    outcome = reconcile(current.history, told, slips, time.monotonic, meter)
    meter.done()
    asked = {claim.cell for claim in told}
    teller = _Teller(current, outcome.base, asked, db, game) if outcome.base else None
    if as_json:
        from ..render import jsonout

        print(jsonout.dump(_json(teller, outcome)))
    else:
        tell("\n".join(_lines(teller, outcome, slips)))
    if not outcome.complete:
        return 130
    return 0 if outcome.explanations else 1


def _number(text: str) -> int:
    """Return how many slips may go together. Raises NotationError (E423) for no such number."""
    if not (text.isascii() and text.isdecimal() and int(text[:9]) > 0):
        raise NotationError(Fault("E423", -1, {"word": text[:60]}))
    if int(text[:9]) > SLIPS_MAX:
        aside(_("more than two slips together are not looked for"))
    return min(int(text[:9]), SLIPS_MAX)


class _Meter:
    """Says on a terminal how far a long search is."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.shown = False

    def __call__(self, done: int, of: int) -> None:
        if time.monotonic() - self.began < QUIET_SECONDS or not sys.stderr.isatty():
            return
        text = _("looking for slips: {done} of {of}").format(done=done, of=of)
        print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
        self.shown = True

    def done(self) -> None:
        """Wipe the line."""
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _Teller:
    """What is told of slips of one game: their lines, the ready commands, what else would change."""

    def __init__(
        self, current: Game, base: Base, asked: set[Cell], db: str | None, game: str | None
    ) -> None:
        self.current, self.base, self.asked = current, base, asked
        self.items = [item for item in current.items if item.step is not None]
        closed = bool(current.history.state.over)
        closed = closed or any(isinstance(item.event, Agreement) for item in self.items)
        self.options = ["--reopen"] if closed else []
        self.ledger = (["--db", db] if db else []) + (["--game", game] if game else [])

    # -------------------------------------------------------------- commands

    def commands(self, slips: Sequence[Slip]) -> list[str]:
        """Return the commands that put the record's slips, or the rule, right, in order of play."""
        found: list[list[str]] = []
        for slip in sorted(slips, key=lambda slip: slip.at):
            if slip.where != "paper":
                found += self._commands(slip)
        return [shown(shlex.join(["skachki", *words, *self.ledger])) for words in found]

    def _commands(self, slip: Slip) -> list[list[str]]:
        because = ["--reason", _("reconciled with what was claimed"), *self.options]
        if slip.where == "rules":
            return [["rule", f"{slip.switch}={rules.show_value(slip.value)}", *because]]
        if slip.kind == "swapped":
            first, second = slip.events[0], slip.events[-1]
            return [
                ["amend", self._target(slip.at), *self._words(first, slip.at), *because],
                ["amend", self._target(slip.second), *self._words(second, slip.second), *because],
            ]
        if not slip.events:
            return [["void", self._target(slip.at), *because]]
        event = slip.events[0]
        if slip.removed:
            return [["amend", self._target(slip.at), *self._words(event, slip.at), *because]]
        if slip.at >= self.base.end:
            return [["deal", *self._words(event, slip.at)]]
        return [["insert", "--before", self._target(slip.at), *self._words(event, slip.at), *because]]

    def _target(self, at: int) -> str:
        return drafting.name_of(self.items[at])

    def _words(self, event: Event, at: int) -> list[str]:
        """Return an event's line as words, with its dealer where the command would take another."""
        players = self.items[at].players if at < len(self.items) else self.current.history.state.players
        words = _tokens(event, players)
        if not isinstance(event, DealPlayed) or at >= self.base.end or event.dealer is None:
            return words
        if event.dealer != self._default_dealer(event, at):
            words += ["--dealer", players[event.dealer]]
        return words

    def _default_dealer(self, event: DealPlayed, at: int) -> int:
        """Return whom `amend` and `insert` take for the dealer."""
        if event.label == self.items[at].label:
            return self.base.steps[at].dealer
        before = [taken.dealer for taken in self.base.steps[:at] if taken.label]
        return (before[-1] + 1) % 4 if before else self.base.history.start.dealer

    # -------------------------------------------------------------- what else would change

    def changes(self, one: Explanation) -> list[Change]:
        """Return the cells that would change, claimed ones aside."""
        claimed = {(cell.account, cell.seat, cell.on) for cell in self.asked if cell.semester is None}
        found = compare.cells(self.base.history, one.history)
        return [change for change in found if (change.account, change.seat, change.on) not in claimed]

    def problems(self, one: Explanation) -> tuple[list[str], list[str]]:
        """Return the labels of deals that would newly be against the rules, and that would not be now."""
        old = {taken.label for taken in self.base.steps if taken.label and refusals(taken)}
        new = [taken.label for taken in one.history.steps if taken.label and refusals(taken)]
        return [label for label in new if label not in old], sorted(old - set(new))

    def prizes(self, one: Explanation) -> list[str]:
        """Return the prizes that would be won by others."""
        old = self.base.history.state.prizes
        return [consequences.prize_text(prize) for prize in one.history.state.prizes if prize not in old]


def _tokens(event: Event, players: Sequence[str]) -> list[str]:
    return lexer.tokenize(canon.line(event, players))[0]


# ------------------------------------------------------------------ text


def _lines(teller: _Teller | None, outcome: Outcome, max_slips: int) -> list[str]:
    lines = [sliptext.contradiction_text(found) for found in outcome.contradictions]
    if not outcome.complete:
        lines.append(_("interrupted: this is what was found so far"))
    if teller is None:
        return lines
    for number, one in enumerate(outcome.explanations[:EXPLANATIONS_MAX], 1):
        lines += _explanation(teller, number, one)
    if (more := len(outcome.explanations) - EXPLANATIONS_MAX) > 0:
        lines.append(ngettext("… and {n} more", "… and {n} more", more).format(n=more))
    if not outcome.explanations and outcome.complete:
        text = ngettext("no {n} slip fits", "no slips fit, up to {n} together", max_slips)
        lines.append(text.format(n=max_slips))
        lines += [line for miss in outcome.misses for line in _miss(teller, miss)]
    text = ngettext("{n} derivation, {seconds} s", "{n} derivations, {seconds} s", outcome.derivations)
    seconds = f"{outcome.seconds:.1f}".replace(".", _("."))
    return [*lines, text.format(n=outcome.derivations, seconds=seconds)]


def _explanation(teller: _Teller, number: int, one: Explanation) -> list[str]:
    base = teller.base
    if not one.slips:
        return [_("every claim is right: there is nothing to explain")]
    told = [sliptext.slip_text(base, slip) for slip in one.slips]
    lines = [f"{number}. {told[0]}", *(f"   + {line}" for line in told[1:])]
    lines += [f"   {line}" for line in _equal(teller, one)]
    if any(slip.where != "paper" for slip in one.slips):
        lines += [f"   {line}" for line in _besides(teller, one)]
    return [*lines, *(f"   {command}" for command in teller.commands(one.slips))]


def _equal(teller: _Teller, one: Explanation) -> list[str]:
    """Return what else has the same effect: deals of the same kind in one line, other kinds each."""
    base = teller.base
    kinds = [slip.kind for slip in one.slips]
    if len(kinds) == 1:
        alike = [slips[0] for slips in one.equal if [slip.kind for slip in slips] == kinds]
        labels = sliptext.labels_alike(base, [one.slips[0], *alike])
        others = [slips for slips in one.equal if [slip.kind for slip in slips] != kinds]
    else:
        labels, others = [], list(one.equal)
    lines = []
    if len(labels) > 1:
        text = _("just as well any of deals {labels}: {kind}")
        lines.append(text.format(labels=", ".join(labels), kind=sliptext.kind_text(kinds[0])))
    said = ["; ".join(sliptext.slip_text(base, slip) for slip in slips) for slips in others]
    for text in list(dict.fromkeys(said))[:3]:
        lines.append(_("or as well: {slips}").format(slips=text))
    return lines


def _besides(teller: _Teller, one: Explanation) -> list[str]:
    players = teller.current.history.state.players
    changes = [consequences.cell_line(change, players) for change in teller.changes(one)]
    lines = []
    if changes:
        more = " …" if len(changes) > CELLS_MAX else ""
        shown = "; ".join(changes[:CELLS_MAX]) + more
        lines.append(_("it would also change {cells}").format(cells=shown))
    if prizes := teller.prizes(one):
        lines.append(_("prizes then: {prizes}").format(prizes="; ".join(prizes)))
    broken, mended = teller.problems(one)
    if broken:
        lines.append(_("against the rules then: deals {labels}").format(labels=", ".join(broken)))
    if mended:
        lines.append(_("within the rules then: deals {labels}").format(labels=", ".join(mended)))
    return lines


def _miss(teller: _Teller, miss: Miss) -> list[str]:
    said = "; ".join(sliptext.slip_text(teller.base, slip) for slip in miss.slips)
    near = _("nearest: {slips}").format(slips=said or _("the record as it stands"))
    text = _("{claim}: still off by {difference}")
    return [
        near,
        *(f"  {text.format(claim=claim.text, difference=_signed(off))}" for claim, off in miss.off),
    ]


def _signed(number: Any) -> str:
    return f"{'+' if number > 0 else ''}{number}"


# ------------------------------------------------------------------ JSON


def _json(teller: _Teller | None, outcome: Outcome) -> dict[str, Any]:
    return {
        "format": "skachki-reconcile/1",
        "contradictions": [
            {
                "kind": found.kind,
                "claims": [claim.text for claim in found.claims],
                "text": sliptext.contradiction_text(found),
            }
            for found in outcome.contradictions
        ],
        "explanations": [_explanation_json(teller, one) for one in outcome.explanations if teller],
        "misses": [
            {
                "slips": [_slip_json(teller, slip) for slip in miss.slips],
                "off": [{"claim": claim.text, "difference": str(off)} for claim, off in miss.off],
            }
            for miss in outcome.misses
            if teller
        ],
        "derivations": outcome.derivations,
        "seconds": round(outcome.seconds, 3),
        "complete": outcome.complete,
    }


def _explanation_json(teller: _Teller, one: Explanation) -> dict[str, Any]:
    from ..render import jsonout

    players = teller.current.history.state.players
    broken, mended = teller.problems(one)
    return {
        "slips": [_slip_json(teller, slip) for slip in one.slips],
        "cost": round(one.cost, 2),
        "satisfies": list(one.satisfies),
        "commands": [_with_yes(command) for command in teller.commands(one.slips)],
        "equal": [[_slip_json(teller, slip) for slip in slips] for slips in one.equal],
        "changes": jsonout.changes(teller.changes(one), players),
        "problems": {"new": broken, "gone": mended},
    }


def _with_yes(command: str) -> str:
    """Return a command as a program runs it, which cannot be asked."""
    return command if shlex.split(command)[1] == "deal" else f"{command} --yes"


def _slip_json(teller: _Teller, slip: Slip) -> dict[str, Any]:
    base = teller.base
    item: Item | None = teller.items[slip.at] if slip.at < len(teller.items) else None
    known = slip.where != "rules" and slip.note[:1] != sliptext.ANYWHERE
    value: Any = None
    if slip.where == "rules":
        value = list(slip.value) if isinstance(slip.value, tuple) else slip.value
    return {
        "kind": slip.kind,
        "where": slip.where,
        "deal": sliptext.deal_of(base, slip),
        "deal2": sliptext.second_of(base, slip),
        "event": item.record.n if item and known else None,
        "recorded": sliptext.recorded(base, slip),
        "instead": sliptext.instead(base, slip),
        "switch": slip.switch or None,
        "value": value,
        "text": sliptext.slip_text(base, slip),
    }
