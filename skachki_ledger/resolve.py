"""What counts of a journal: undos taken back, amendments in place, inserted events where they stand.

The result is a list of slots in the order in which they count; struck ones stay where they were.
"""

from collections.abc import Sequence
from typing import NamedTuple

from . import rules
from .corrections import Amend, Insert, Line, Redo, Rename, Reopen, SetRule, Undo, Void
from .errors import Fault, LedgerError
from .events import DealPlayed, Event, Substitution
from .header import Header


class Slot(NamedTuple):
    """One event in its place. `n` is its place in the journal, `struck` why it does not count:
    "amended", "voided", "undone", or "" where it does. `root` is the first event it stands for."""

    n: int
    root: int
    event: Event
    label: str
    struck: str


class Resolved(NamedTuple):
    """The header as corrected, the slots, and the undo stacks (groups of records, last first out)."""

    header: Header
    slots: tuple[Slot, ...]
    done: tuple[tuple[int, ...], ...]
    undone: tuple[tuple[int, ...], ...]


def resolve(head: Header, lines: Sequence[Line]) -> Resolved:
    """Return what counts of a journal; `lines` follow its first record, so lines[0] is record 2.

    Raises LedgerError (E408) where a correction's target does not exist.
    """
    done, undone, labels = _stacks(lines)
    live = {n for group in done for n in group}
    slots: list[Slot] = []
    for n, line in enumerate(lines, 2):
        if isinstance(line, Undo | Redo | Reopen):
            continue
        struck = "" if n in live else "undone"
        if isinstance(line, Amend):
            _amend(slots, n, line, struck)
        elif isinstance(line, Insert):
            _insert(slots, n, line, struck)
        elif isinstance(line, Void):
            if not struck:
                place = find(slots, line.target)
                slots[place] = slots[place]._replace(struck="voided")
        elif isinstance(line, Rename):
            head = head if struck else _rename(head, slots, line)
        elif isinstance(line, SetRule):
            if not struck:
                head = head._replace(rules=rules.with_switch(head.rules, line.switch, line.value))
        else:
            slots.append(Slot(n, n, line, labels[n], struck))
    return Resolved(head, tuple(slots), tuple(done), tuple(undone))


def _stacks(
    lines: Sequence[Line],
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]], dict[int, str]]:
    """Return what is done, what is undone, and each plain event's label, "" where it is no deal.

    A deal's label is the number of deals that then counted or had been voided, and one.
    """
    done: list[tuple[int, ...]] = []
    undone: list[tuple[int, ...]] = []
    labels: dict[int, str] = {}
    played = 0
    reopened: tuple[int, ...] = ()
    for n, line in enumerate(lines, 2):
        if isinstance(line, Undo):
            if done:
                played -= sum(labels.get(m, "") != "" for m in done[-1])
                undone.append(done.pop())
        elif isinstance(line, Redo):
            if undone:
                played += sum(labels.get(m, "") != "" for m in undone[-1])
                done.append(undone.pop())
        elif isinstance(line, Reopen):
            reopened = (n,)
            continue
        else:
            labels[n] = str(played + 1) if isinstance(line, DealPlayed) else ""
            played += isinstance(line, DealPlayed)
            done.append((*reopened, n))
            undone.clear()
        reopened = ()
    return done, undone, labels


def find(slots: Sequence[Slot], target: str) -> int:
    """Return the place of the slot that counts under a label or eN. Raises LedgerError (E408, E409)."""
    if target.startswith("e"):
        wanted = int(target[1:])
        roots = {slot.root for slot in slots if slot.n == wanted}
        matches = [place for place, slot in enumerate(slots) if slot.root in roots]
    else:
        matches = [
            place for place, slot in enumerate(slots) if slot.label == target and slot.struck != "undone"
        ]
    for place in matches:
        if not slots[place].struck:
            return place
    if matches:
        raise LedgerError(Fault("E409", -1, {"target": target}))
    raise LedgerError(Fault("E408", -1, {"target": target}))


def _amend(slots: list[Slot], n: int, line: Amend, struck: str) -> None:
    if struck:
        roots = [place for place, slot in enumerate(slots) if line.target in (slot.label, f"e{slot.n}")]
        place = roots[-1] if roots else len(slots) - 1
        old = slots[place] if slots else Slot(n, n, line.event, "", "")
        slots.insert(place + 1, Slot(n, old.root, line.event, old.label, struck))
        return
    place = find(slots, line.target)
    old = slots[place]
    slots[place] = old._replace(struck="amended")
    slots.insert(place + 1, Slot(n, old.root, line.event, old.label, ""))


def _insert(slots: list[Slot], n: int, line: Insert, struck: str) -> None:
    if struck:
        slots.append(Slot(n, n, line.event, "", struck))
        return
    place = first_of(slots, find(slots, line.target))
    label = inserted_label(slots, place) if isinstance(line.event, DealPlayed) else ""
    slots.insert(place, Slot(n, n, line.event, label, ""))


def first_of(slots: Sequence[Slot], place: int) -> int:
    """Return the place of the first of the struck events that the slot at `place` stands for."""
    root = slots[place].root
    return next(at for at, slot in enumerate(slots) if slot.root == root)


def inserted_label(slots: Sequence[Slot], place: int) -> str:
    """Return the label of a deal inserted at `place`: the number before it and the next free letter."""
    before = [slot.label for slot in slots[:place] if slot.label and slot.struck != "undone"]
    number = before[-1].rstrip("abcdefghijklmnopqrstuvwxyz") if before else "0"
    used = {slot.label for slot in slots if slot.struck != "undone"}
    return next(label for letters in _letters() if (label := number + letters) not in used)


def _letters() -> list[str]:
    one = [chr(ord("a") + at) for at in range(26)]
    return one + [first + second for first in one for second in one]


def _rename(head: Header, slots: list[Slot], line: Rename) -> Header:
    """Give the person who sits at the seat now his right name, where he came in."""
    for place in range(len(slots) - 1, -1, -1):
        event = slots[place].event
        if isinstance(event, Substitution) and event.seat == line.seat and not slots[place].struck:
            slots[place] = slots[place]._replace(event=event._replace(name=line.name))
            return head
    players = tuple(line.name if seat == line.seat else old for seat, old in enumerate(head.players))
    return head._replace(players=players)
