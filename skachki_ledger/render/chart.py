"""The night's picture: each seat's net after every deal, semester ends and prizes marked."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..derive import History
from ..geometry import Item, Line, Path, text, text_width
from ..i18n import _
from ..model import SEATS, WHIST
from ..reports import roman, title
from ..settlement import net, rounded
from ..sheet import counting, fenced, number
from . import svg

WIDTH, HEIGHT = 800.0, 440.0
STYLES = ("s1", "s2", "s3", "s4")
MARKS = {"pool": "●", "gora": "▲"}
"""How a prize is marked on its winner's line."""

TOP, FOOT = 18.0, 30.0


class End(NamedTuple):
    """Where a semester, or the game, ended: at which deal, and who took which prize then."""

    place: int
    label: str
    won: tuple[tuple[int, str], ...]


def nets(history: History) -> tuple[list[tuple[int, ...]], list[str]]:
    """Return the four nets before the first deal and after each one, and the deals' labels.

    What was written between two deals counts with the earlier.
    """
    values: list[tuple[int, ...]] = [(0, 0, 0, 0)]
    labels = ["0"]
    for taken in counting(history):
        if taken.label:
            values.append(rounded(net(taken.after)))
            labels.append(taken.label)
        elif taken.entries:
            values[-1] = rounded(net(taken.after))
    return values, labels


def ends(history: History) -> list[End]:
    """Return the ends of semesters in their order, with the prizes awarded there."""
    found, place, known = [], 0, 0
    for taken in counting(history):
        place += bool(taken.label)
        prizes = taken.after.prizes[known:]
        known = len(taken.after.prizes)
        if taken.after.semester > taken.semester or (taken.after.over and prizes):
            won = tuple((seat, prize.kind) for prize in prizes if prize.whists for seat in prize.winners)
            found.append(End(place, roman(taken.semester), won))
    return found


def document(history: History) -> str:
    """Return the picture as an SVG file."""
    placed = items(history, WIDTH, HEIGHT, 10.0)
    return svg.document(placed, WIDTH, HEIGHT, f"{title(history)} · {_('Net after each deal')}")


def items(history: History, width: float, height: float, size: float) -> list[Item]:
    """Return the picture's lines and texts; `size` is that of its smallest texts."""
    values, labels = nets(history)
    names = [
        f"{fenced(name)} {_signed(values[-1][seat])}" for seat, name in enumerate(history.state.players)
    ]
    low, high, step = _scale(values)
    left = text_width(max(map(_signed, (low, high)), key=len), size) + 8
    right = width - min(max(text_width(name, size) for name in names) + 18, width * 0.3)
    bottom = height - FOOT

    def x(place: int) -> float:
        return left + (right - left) * place / max(1, len(values) - 1)

    def y(value: int) -> float:
        return bottom - (bottom - TOP) * (value - low) / (high - low)

    placed: list[Item] = []
    for value in range(low, high + 1, step):
        placed.append(Line(left, y(value), right, y(value), "thin" if value == 0 else "faint"))
        placed.append(text(left - 5, y(value) + size * 0.35, _signed(value), size, "quiet", "end"))
    steps = (each * 10**power for power in range(6) for each in (1, 2, 5))
    every = next(step for step in steps if len(labels) / step <= 16)
    for place, label in enumerate(labels):
        if label.isdecimal() and int(label) and int(label) % every == 0:
            placed.append(text(x(place), bottom + size * 1.2, label, size, "quiet", "middle"))
    placed += _marked(ends(history), values, x, y, bottom, size)
    for seat in SEATS:
        line = tuple((x(place), y(row[seat])) for place, row in enumerate(values))
        placed.append(Path(line, STYLES[seat]))
    placed += _names(names, values[-1], right + 12, y, size, width)
    legend = f"{MARKS['pool']} {_('pool prize')}   {MARKS['gora']} {_('gora prize')}"
    placed.append(text(left, height - size * 0.5, f"{_('deals')} · {legend}", size, "quiet"))
    return placed


def _marked(
    found: Sequence[End],
    values: Sequence[Sequence[int]],
    x: Callable[[int], float],
    y: Callable[[int], float],
    bottom: float,
    size: float,
) -> list[Item]:
    """Return a line at each semester's end with its number, and the prizes on their winners' lines."""
    placed: list[Item] = []
    for end in found:
        placed.append(Line(x(end.place), TOP, x(end.place), bottom, "thin"))
        placed.append(text(x(end.place), TOP - 5, end.label, size, "quiet", "middle"))
        for seat in SEATS:
            kinds = [kind for winner, kind in end.won if winner == seat]
            for at, kind in enumerate(kinds):
                shift = (at - (len(kinds) - 1) / 2) * size * 0.8
                base = y(values[end.place][seat]) + size * 0.42
                mark = text(x(end.place) + shift, base, MARKS[kind], size * 1.2, STYLES[seat], "middle")
                placed.append(mark)
    return placed


def _names(
    names: Sequence[str],
    last: Sequence[int],
    x: float,
    y: Callable[[int], float],
    size: float,
    width: float,
) -> list[Item]:
    """Return the seats' names at the ends of their lines, moved apart where they would touch."""
    order = sorted(SEATS, key=lambda seat: (-last[seat], seat))
    bases: list[float] = []
    for seat in order:
        wanted = y(last[seat]) + size * 0.35
        bases.append(max(wanted, bases[-1] + size * 1.3) if bases else wanted)
    floor = y(min(last)) + size * 1.5
    over = max(0.0, bases[-1] - floor)
    for at in range(len(bases) - 1, -1, -1):
        below = bases[at + 1] - size * 1.3 if at + 1 < len(bases) else bases[at] - over
        bases[at] = min(bases[at], below)
    return [
        text(x, base, names[seat], size, STYLES[seat], room=width - x, bold=True)
        for seat, base in zip(order, bases, strict=True)
    ]


def _scale(values: Sequence[Sequence[int]]) -> tuple[int, int, int]:
    """Return lowest and highest mark of the axis and the step between marks: 1, 2 or 5 times 10ⁿ."""
    low, high = min(map(min, values)), max(map(max, values))
    step = 10
    while (high - low) / step > 8:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    low, high = low // step * step, -(-high // step) * step
    return (low, high, step) if low < high else (-step, step, step)


def _signed(value: int) -> str:
    return f"+{value}" if value > 0 else number(value * WHIST)
