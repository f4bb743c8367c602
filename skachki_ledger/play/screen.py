"""The board as text for a terminal of any size: seats as they sit, what comes next, the last deals.

All of it is computed from the game as it stands; nothing here knows a terminal.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .. import canon, live, settlement
from ..derive import History, Step
from ..i18n import _
from ..model import SEATS, Seat
from ..render.lines import width
from ..reports import deals_text, next_text, over_text, roman
from ..settlement import rational
from ..state import State
from .preview import in_brief
from .text import Line, both_ends, clip, columns_of, packed, padded, wrapped

WIDE = 84
"""From this many columns on the last deals stand beside the seats."""
CELL_MAX = 32
DEALS_SHOWN = 3


class Net(NamedTuple):
    """What a seat stands at: whists written on others less those written on it, and the rounded net."""

    whists: int
    net: int


def board(history: History, tokens: canon.Tokens, columns: int, rows: int) -> list[Line]:
    """Return the board in at most `rows` lines; what matters least goes first where they are few."""
    if columns >= WIDE:
        return _wide(history, tokens, columns, rows)[:rows]
    return _narrow(history, tokens, columns, rows)[:rows]


def rows_needed(history: History, columns: int) -> int:
    """Return how many lines the board has with three deals and nothing left out."""
    state = history.state
    if columns >= WIDE:
        return len(_head(state, columns)) + 9 + len(_prizes(state, columns))
    return len(_head(state, columns)) + 6 + len(_prizes(state, columns)) + DEALS_SHOWN


def _narrow(history: History, tokens: canon.Tokens, columns: int, rows: int) -> list[Line]:
    state = history.state
    head, prizes = _head(state, columns), _prizes(state, columns)
    spare = rows - len(head) - 6 - DEALS_SHOWN - len(prizes)
    if spare < 0:
        prizes = prizes[: max(0, len(prizes) + spare)]
    ruled = spare >= 5
    seats = _seats(state, columns, ruled)
    space: list[Line] = [[]] if spare >= 7 else []
    room = rows - len(head) - len(seats) - len(prizes) - 2 * len(space)
    return [*head, *seats, *prizes, *space, *_deals(history, tokens, columns, max(0, room)), *space]


def _wide(history: History, tokens: canon.Tokens, columns: int, rows: int) -> list[Line]:
    """Return the board with the last deals to the right of the seats."""
    state = history.state
    left = min(2 * CELL_MAX + 3, columns * 11 // 20)
    right = columns - left - 3
    head = _head(state, columns)
    prizes = _prizes(state, columns)
    block = _seats(state, left, rows >= 15)
    room = max(len(block), rows - len(head) - len(prizes) - 2)
    deals = _told(history, tokens, right, room)
    height = max(len(block), len(deals))
    block += [[] for _row in range(height - len(block))]
    deals += [[] for _row in range(height - len(deals))]
    side = [[*padded(one, left), ("dim", " │ "), *other] for one, other in zip(block, deals, strict=True)]
    gap: list[Line] = [[]] if rows >= len(head) + len(side) + len(prizes) + 2 else []
    return [*head, *gap, *side, *gap, *prizes]


# ------------------------------------------------------------------ what comes next


def _head(state: State, columns: int) -> list[Line]:
    """Return the semester, who deals what at which price, and the way to the target."""
    semester = _("semester {roman} of {count}").format(
        roman=roman(state.semester), count=state.rules.semesters
    )
    first: Line = [("title", f"{semester} · {deals_text(state.deals)}")]
    if state.over:
        return [first, *([("info", row)] for row in wrapped(over_text(state), columns))]
    parts = [("info", row) for row in packed(_next(state), columns)]
    distance = wrapped(live.distance(state), columns)
    style = "reached" if state.reached else ""
    return [first, *([part] for part in parts), *([(style, row)] for row in distance)]


def _next(state: State) -> str:
    dealer = _("{name} deals").format(name=state.players[state.dealer])
    if state.due:
        return next_text(state)
    lowest = _("from {level} up").format(level=state.min_level)
    allpass = _("all-pass at {price}").format(price=state.price)
    return f"{dealer} · {lowest} · {allpass}"


# ------------------------------------------------------------------ the seats


def balances(state: State) -> list[Net]:
    """Return each seat's whist balance in twelfths and its rounded net."""
    nets = settlement.rounded(settlement.net(state))
    whists = state.whists
    return [Net(sum(whists[4 * s : 4 * s + 4]) - sum(whists[s::4]), nets[s]) for s in SEATS]


def _seats(state: State, columns: int, ruled: bool) -> list[Line]:
    """Return the four seats clockwise: 1 and 2 above, 4 and 3 below."""
    cell = min(CELL_MAX, (columns - 3) // 2)
    found = balances(state)
    top = _pair(state, found, 0, 1, cell)
    bottom = _pair(state, found, 3, 2, cell)
    if not ruled:
        return [*top, *bottom]
    rule = "─" * (cell + 1)
    upper: Line = [("dim", f"{rule}┬{rule}")]
    middle: Line = [("dim", f"{rule}┼{rule}")]
    lower: Line = [("dim", f"{rule}┴{rule}")]
    return [upper, *top, middle, *bottom, lower]


def _pair(state: State, found: Sequence[Net], left: Seat, right: Seat, cell: int) -> list[Line]:
    one, other = (_cell(state, seat, found[seat], cell) for seat in (left, right))
    return [[*padded(a, cell), ("dim", " │ "), *padded(b, cell)] for a, b in zip(one, other, strict=True)]


def _cell(state: State, seat: Seat, found: Net, cell: int) -> list[Line]:
    """Return a seat's three lines: name, who deals and net; pool and gora; the whist balance."""
    net = f"{found.net:+}" if found.net else "0"
    style = "plus" if found.net > 0 else "minus" if found.net < 0 else "value"
    room = cell - 2 - width(net) - 1
    name: Line = [("dim", f"{seat + 1} ")]
    if seat == state.dealer and not state.over:
        mark = _("dealer")
        mark = mark if width(f"{state.players[seat]} {mark}") <= room else "*"
        who = clip(state.players[seat], room - width(mark) - 1)
        name += [("dealer", who), ("", " "), ("dealer", mark)]
    else:
        name.append(("title", clip(state.players[seat], room)))
    room = cell - columns_of(name) - width(net) - 1
    label = _("net") + " "
    shown: Line = [("dim", label), (style, net)] if width(label) <= room else [(style, net)]
    pool = "reached" if seat in state.reached else "value"
    second: Line = [
        ("dim", _("pool") + " "),
        (pool, f"{state.pool[seat]:<3}"),
        ("dim", " " + _("gora") + " "),
        ("value", str(state.gora[seat])),
    ]
    third: Line = [("dim", _("whists") + " "), ("value", _balance(found.whists))]
    return [both_ends(name, shown, cell), second, third]


def _balance(twelfths: int) -> str:
    """Return a whist balance with its sign; thirds and halves as they are."""
    text = rational(twelfths)
    return text if twelfths <= 0 else f"+{text}"


# ------------------------------------------------------------------ prizes


def _prizes(state: State, columns: int) -> list[Line]:
    """Return who would take which prize if it were awarded now."""
    if state.over:
        return []
    pool = state.reached or _best(state.pool, max(state.pool))
    now = _prize_line(_("prizes now"), state, pool, _best(state.gora, min(state.gora)))
    pools, goras = state.pool_total(), state.gora_total()
    end = _prize_line(_("at the end"), state, _best(pools, max(pools)), _best(goras, min(goras)))
    if columns >= WIDE:
        return [[*now, ("", "   "), *end]]
    return [now, end]


def _prize_line(title: str, state: State, pool: Sequence[Seat], gora: Sequence[Seat]) -> Line:
    return [
        ("dim", f"{title}: {_('pool')} "),
        ("", _names(state, pool)),
        ("dim", f" · {_('gora')} "),
        ("", _names(state, gora)),
    ]


def _best(amounts: Sequence[int], wanted: int) -> tuple[Seat, ...]:
    return tuple(seat for seat in SEATS if amounts[seat] == wanted)


def _names(state: State, seats: Sequence[Seat]) -> str:
    """Return the names; a dash where all four are equal, for then nothing is written."""
    return "–" if len(seats) == len(SEATS) else ", ".join(state.players[seat] for seat in seats)


# ------------------------------------------------------------------ the last deals


def _deals(history: History, tokens: canon.Tokens, columns: int, rows: int) -> list[Line]:
    """Return the last deals and what stands between them, newest last; deals before other events."""
    if not history.steps:
        return [[("dim", clip(_("nothing is recorded yet"), columns))]][:rows]
    return [_deal_line(taken, tokens, columns) for taken in _last(history.steps, rows)]


def _last(steps: Sequence[Step], rows: int) -> list[Step]:
    """Return the last `rows` steps, but three deals at least where there is room for three."""
    found = list(steps[len(steps) - min(rows, len(steps)) :])
    deals = [taken for taken in steps[-60:] if taken.label][-min(DEALS_SHOWN, rows) :] if rows else []
    if sum(bool(taken.label) for taken in found) >= len(deals):
        return found
    kept = [*deals]
    for taken in reversed(found):
        if not taken.label and len(kept) < rows:
            kept.append(taken)
    places = {id(taken): at for at, taken in enumerate(steps)}
    return sorted(kept, key=lambda taken: places[id(taken)])


def _deal_line(taken: Step, tokens: canon.Tokens, columns: int) -> Line:
    line = canon.line(taken.event, taken.players, tokens)
    number = f"{taken.label}. " if taken.label else "· "
    price = "" if taken.price is None else " " + _("at {price}").format(price=taken.price)
    return [("dim", number), ("", clip(line + price, columns - len(number)))]


def _told(history: History, tokens: canon.Tokens, columns: int, rows: int) -> list[Line]:
    """Return the last deals with what they wrote, as many as fit, at least three lines of deals."""
    if not history.steps:
        return [[("dim", clip(_("nothing is recorded yet"), columns))]]
    blocks: list[list[Line]] = []
    used = 0
    for taken in reversed(history.steps):
        block = [_deal_line(taken, tokens, columns)]
        told = packed(in_brief(taken.entries, taken.players), columns - 4)
        block += [[("dim", "    " + row)] for row in told if row]
        if used + len(block) > rows:
            break
        blocks.append(block)
        used += len(block)
    if sum(len(block) > 1 for block in blocks) < DEALS_SHOWN <= len(history.steps):
        return [_deal_line(taken, tokens, columns) for taken in _last(history.steps, rows)]
    return [line for block in reversed(blocks) for line in block]
