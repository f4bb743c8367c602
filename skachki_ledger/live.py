"""What is said between two deals: what was written, where all stand, what comes next."""

from collections.abc import Sequence

from . import canon, corrections, settlement
from .derive import Step
from .events import DealPlayed
from .i18n import _, ngettext
from .journal import Game, seated_before
from .model import SEATS, Seat
from .reports import entry_line, money_text, next_text, over_text, roman
from .standing import Standing
from .state import State

Rows = list[tuple[str, ...]]


def written(taken: Step, tokens: canon.Tokens, narrow: bool = False) -> list[str]:
    """Return the event's line and what it wrote, an entry a line; a semester's end is announced.

    `narrow`: without the rule ids, for a phone's terminal.
    """
    number = f"{taken.label}. " if taken.label else ""
    lines = [f"{number}{canon.line(taken.event, taken.players, tokens)}"]
    lines += [f"  {entry_line(entry, taken.players, not narrow)}" for entry in taken.entries]
    return [*lines, *ending(taken)]


def ending(taken: Step) -> list[str]:
    """Return the announcement of a semester's end, nothing where none ended with the event."""
    return [_("Semester {roman} has ended.").format(roman=roman(taken.ended))] if taken.ended else []


def taken_back(before: Game, n: int, tokens: canon.Tokens, again: bool) -> str:
    """Return what an undo of the game's record `n` took back, or a redo brought in again."""
    text = _("brought back: {line}") if again else _("taken back: {line}")
    return text.format(line=line_of(before, n, tokens))


def line_of(game: Game, n: int, tokens: canon.Tokens) -> str:
    """Return the line of a game's record, a deal with its label, with the names of those then seated."""
    line = corrections.read(game.records[n - 1].payload)
    item = next((item for item in game.items if item.record.n == n), None)
    number = f"{item.label}. " if item and isinstance(line, DealPlayed) else ""
    return number + corrections.text(line, item.players if item else seated_before(game.records, n), tokens)


def short_standing(state: State) -> Rows:
    """Return the header and the seats' rows: player, pool and gora of the semester, net so far."""
    nets = settlement.rounded(settlement.net(state))
    rows: Rows = [("", _("pool"), _("gora"), _("net"))]
    rows += [(state.players[s], str(state.pool[s]), str(state.gora[s]), str(nets[s])) for s in SEATS]
    return rows


def what_next(state: State) -> str:
    """Return who deals, what may be played, and who is nearest to the target."""
    if state.over:
        return over_text(state)
    return f"{next_text(state)}; {distance(state)}"


def distance(state: State) -> str:
    """Return how far the leader of the pool is from the target, or that it has been reached."""
    target = state.rules.target
    if state.reached:
        if state.is_open:
            text = _("{names} reached {target}: the exit from the all-pass ends the semester")
        elif state.rules.end_rule == "target":
            text = _("{names} reached {target}: the next deal ends the semester")
        else:
            text = _("{names} reached {target}: a whisted game ends the semester")
        return text.format(names=_names(state, state.reached), target=target)
    best = max(state.pool)
    leaders = [seat for seat in SEATS if state.pool[seat] == best]
    if len(leaders) == len(SEATS):
        return _("all have {n}, the target is {target}").format(n=best, target=target)
    return ngettext(
        "{names} needs {n} more to reach {target}", "{names} need {n} more to reach {target}", len(leaders)
    ).format(names=_names(state, leaders), n=target - best, target=target)


def _names(state: State, seats: Sequence[Seat]) -> str:
    return ", ".join(state.players[seat] for seat in seats)


def status_lines(now: Standing) -> list[str]:
    """Return where the game is: semester, dealer, what may be played, target, lowest gora."""
    state = now.history.state
    semester = _("semester {roman} of {count}").format(
        roman=roman(state.semester), count=state.rules.semesters
    )
    deals = ngettext("{n} deal", "{n} deals", state.deals).format(n=state.deals)
    lines = [f"{semester} · {deals}"]
    if state.over:
        lines.append(over_text(state))
    else:
        lines.append(next_text(state))
        if not state.due:
            lines.append(_("the next all-pass costs {price} a trick").format(price=state.price))
        lines.append(distance(state))
        lowest = [seat for seat in SEATS if state.gora[seat] == min(state.gora)]
        names = _names(state, lowest)
        lines.append(_("lowest gora: {names} ({gora})").format(names=names, gora=min(state.gora)))
    if now.money is not None:
        lines.append(_money_line(now))
    return lines


def _money_line(now: Standing) -> str:
    assert now.money is not None
    stake = now.history.header.stake
    assert stake is not None
    players = now.history.state.players
    parts = [f"{players[seat]} {money_text(now.money[seat])}" for seat in SEATS]
    return f"{stake.currency}: " + " · ".join(parts)
