"""What counts of a journal: undos taken back, amendments in place, inserted events where they stand.

The result is a list of slots in the order in which they count; struck ones stay where they were.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from string import ascii_lowercase
from typing import NamedTuple

from . import rules
from .corrections import Amend, Insert, Line, Redo, Rename, Reopen, SetRule, Undo, Void
from .errors import Fault, LedgerError
from .events import Agreement, DealPlayed, Event, Substitution
from .header import Header
from .i18n import N_, _
from .names import fold


class Slot(NamedTuple):
    """One event in its place. `n` is its place in the journal, `struck` why it does not count:
    "amended", "voided", "undone", or "" where it does; `by` is the record that struck it, 0 for none.
    `root` is the first event it stands for."""

    n: int
    root: int
    event: Event
    label: str
    struck: str
    by: int = 0


class Resolved(NamedTuple):
    """The header as corrected, the slots, and the undo stacks (groups of records, last first out).

    `whole` are the records that count and touch no single event: `rename` and `rule`.
    """

    header: Header
    slots: tuple[Slot, ...]
    done: tuple[tuple[int, ...], ...]
    undone: tuple[tuple[int, ...], ...]
    whole: tuple[int, ...] = ()


class _Stacks(NamedTuple):
    """What is done and undone; each plain event's label, "" where it is no deal; who undid what."""

    done: list[tuple[int, ...]]
    undone: list[tuple[int, ...]]
    labels: dict[int, str]
    undoers: dict[int, int]


def resolve(head: Header, lines: Sequence[Line]) -> Resolved:
    """Return what counts of a journal; `lines` follow its first record, so lines[0] is record 2.

    Raises LedgerError (E408, E409) where a correction's target does not exist or does not count.
    """
    stacks = _stacks(lines)
    live = {n for group in stacks.done for n in group}
    slots: list[Slot] = []
    whole: list[int] = []
    for n, line in enumerate(lines, 2):
        if isinstance(line, Undo | Redo | Reopen):
            continue
        undone_by = 0 if n in live else stacks.undoers[n]
        if isinstance(line, Amend):
            _amend(slots, n, line, undone_by)
        elif isinstance(line, Insert):
            _insert(slots, n, line, undone_by)
        elif isinstance(line, Void):
            if not undone_by:
                place = find(slots, line.target)
                slots[place] = slots[place]._replace(struck="voided", by=n)
        elif isinstance(line, Rename | SetRule):
            if not undone_by:
                head = _corrected(head, slots, line)
                whole.append(n)
        else:
            struck = "undone" if undone_by else ""
            slots.append(Slot(n, n, line, stacks.labels[n], struck, undone_by))
    return Resolved(head, tuple(slots), tuple(stacks.done), tuple(stacks.undone), tuple(whole))


def _stacks(lines: Sequence[Line]) -> _Stacks:
    """Return the stacks. A deal's label is the number of deals that then counted or had been voided,
    and one."""
    done: list[tuple[int, ...]] = []
    undone: list[tuple[int, ...]] = []
    labels: dict[int, str] = {}
    undoers: dict[int, int] = {}
    played = 0
    reopened: tuple[int, ...] = ()
    for n, line in enumerate(lines, 2):
        if isinstance(line, Undo):
            if done:
                played -= sum(labels.get(m, "") != "" for m in done[-1])
                undoers |= dict.fromkeys(done[-1], n)
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
    return _Stacks(done, undone, labels, undoers)


def find(slots: Sequence[Slot], target: str) -> int:
    """Return the place of the slot that counts under a label or eN. Raises LedgerError (E408, E409)."""
    if target.startswith("e"):
        named = [slot for slot in slots if slot.n == int(target[1:])]
    else:
        named = [slot for slot in slots if slot.label == target and slot.struck != "undone"]
    roots = {slot.root for slot in named if slot.struck != "undone"}
    for place, slot in enumerate(slots):
        if slot.root in roots and not slot.struck:
            return place
    if named:
        raise LedgerError(Fault("E409", -1, {"target": _named(target, N_("deal {label}"))}))
    raise LedgerError(Fault("E408", -1, {"target": _named(target, N_("deal number {label}"))}))


def _named(target: str, deal: str) -> str:
    """Return a target in words: an event's place as it is, a label as a deal's."""
    return target if target.startswith("e") else _(deal).format(label=target)


def _amend(slots: list[Slot], n: int, line: Amend, undone_by: int) -> None:
    """Put the new event behind all that stands, or once stood, in the target's place."""
    if undone_by:
        place = _once(slots, line.target)
        old = slots[place] if place < len(slots) else Slot(n, n, line.event, "", "")
    else:
        place = find(slots, line.target)
        old = slots[place]
    label = old.label
    if not label and isinstance(line.event, DealPlayed):
        label = inserted_label(slots, min(place, len(slots)))
    last = max((at for at, slot in enumerate(slots) if slot.root == old.root), default=len(slots) - 1)
    if not undone_by:
        slots[place] = old._replace(struck="amended", by=n)
    struck = "undone" if undone_by else ""
    slots.insert(last + 1, Slot(n, old.root, line.event, label, struck, undone_by))


def _insert(slots: list[Slot], n: int, line: Insert, undone_by: int) -> None:
    place = _once(slots, line.target) if undone_by else find(slots, line.target)
    if place < len(slots):
        place = first_of(slots, place)
    label = inserted_label(slots, place) if isinstance(line.event, DealPlayed) else ""
    struck = "undone" if undone_by else ""
    slots.insert(place, Slot(n, n, line.event, label, struck, undone_by))


def _once(slots: Sequence[Slot], target: str) -> int:
    """Return the last place that ever had this label or eN, the end where none had: what was undone
    is shown where it stood, if that can be told."""
    places = [place for place, slot in enumerate(slots) if target in (slot.label, f"e{slot.n}")]
    return places[-1] if places else len(slots)


def first_of(slots: Sequence[Slot], place: int) -> int:
    """Return the place of the first of the struck events that the slot at `place` stands for."""
    root = slots[place].root
    return next(at for at, slot in enumerate(slots) if slot.root == root)


def next_label(slots: Sequence[Slot]) -> str:
    """Return the label of the deal that is recorded next: labels belong to deals, not to places."""
    numbered = {slot.label for slot in slots if slot.struck != "undone" and slot.label.isdecimal()}
    return str(len(numbered) + 1)


def inserted_label(slots: Sequence[Slot], place: int) -> str:
    """Return the label of a deal inserted at `place`: the number before it and the next free letter."""
    before = [slot.label for slot in slots[:place] if slot.label and slot.struck != "undone"]
    number = before[-1].rstrip(ascii_lowercase) if before else "0"
    used = {slot.label for slot in slots if slot.struck != "undone"}
    return next(label for letters in _letters() if (label := number + letters) not in used)


def _letters() -> Iterator[str]:
    for length in (1, 2, 3):
        yield from map("".join, product(ascii_lowercase, repeat=length))


def _corrected(head: Header, slots: list[Slot], line: Rename | SetRule) -> Header:
    """Return the header as corrected; a renamed person is renamed in every line that seated him."""
    if isinstance(line, SetRule):
        return head._replace(rules=rules.with_switch(head.rules, line.switch, line.value))
    old = fold(seated(head, slots)[line.seat])
    for place, slot in enumerate(slots):
        event = slot.event
        if isinstance(event, Substitution) and not slot.struck and fold(event.name) == old:
            slots[place] = slot._replace(event=event._replace(name=line.name))
    return head._replace(players=tuple(line.name if fold(name) == old else name for name in head.players))


def seated(head: Header, slots: Sequence[Slot]) -> tuple[str, ...]:
    """Return who sits at the table after the last of the slots."""
    players = list(head.players)
    for slot in slots:
        if isinstance(slot.event, Substitution) and not slot.struck:
            players[slot.event.seat] = slot.event.name
    return tuple(players)


def corrected_since(resolved: Resolved) -> dict[int, tuple[int, ...]]:
    """Return for each agreement's record the later records that corrected what it had agreed on."""
    touched = _touched(resolved)
    since = {
        n: tuple(sorted(m for m, at in touched.items() if m > agreed and at < place))
        for n, (agreed, place) in _agreements(resolved).items()
    }
    return {n: found for n, found in since.items() if found}


def not_agreed(resolved: Resolved) -> dict[int, tuple[int, ...]]:
    """Return those of `corrected_since` that no later agreement covers: they are to be compared again."""
    since = corrected_since(resolved)
    if not since:
        return {}
    touched, agreements = _touched(resolved), _agreements(resolved)
    pending = {
        n: tuple(m for m in found if not any(k > m and at > touched[m] for k, at in agreements.values()))
        for n, found in since.items()
    }
    return {n: found for n, found in pending.items() if found}


def _agreements(resolved: Resolved) -> dict[int, tuple[int, int]]:
    """Return, by their records, when the table agreed and where that stands.

    Whoever corrects the note of an agreement does not make the table agree anew: the record with
    which it did is the first one in that place.
    """
    agreed: dict[int, int] = {}
    for slot in resolved.slots:
        if isinstance(slot.event, Agreement) and slot.struck != "undone":
            agreed[slot.root] = min(slot.n, agreed.get(slot.root, slot.n))
    return {
        slot.n: (agreed[slot.root], place)
        for place, slot in enumerate(resolved.slots)
        if isinstance(slot.event, Agreement) and not slot.struck
    }


def _touched(resolved: Resolved) -> dict[int, int]:
    """Return where each record that counts did something: a rename or a switch before everything."""
    places = dict.fromkeys(resolved.whole, -1)
    for place, slot in enumerate(resolved.slots):
        if slot.struck != "undone":
            places[slot.n] = place
        if slot.struck == "voided":
            places[slot.by] = place
    return places
