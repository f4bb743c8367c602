"""A game's journal: hash-chained records of what was written down, and the game they add up to.

The first record holds what was agreed, every switch included; each later one is one event or one
correction, in canonical notation with seat numbers for names. Nothing derived is stored.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from . import canon, corrections, gamefile, header
from .derive import History, Step, derive, refusals
from .digest import sha256
from .errors import Fault, LedgerError
from .events import Agreement, DealerNamed, DealPlayed, Event, Note
from .header import Header
from .i18n import _
from .legality import NEVER
from .model import Seat
from .names import TEXT_LENGTH_MAX
from .resolve import Resolved, Slot, next_label, not_agreed, resolve, seated

PAYLOAD_VERSION = 1
UNDO, REDO, REOPEN = "undo", "redo", "reopen"


class Seen(NamedTuple):
    """What the table saw of a deal: who dealt it, its semester, what an all-pass was played at.

    Of a deal that is only tried the dealer alone is known.
    """

    dealer: Seat
    semester: int | None = None
    price: int | None = None

    def text(self) -> str:
        """Return it as a record keeps it: JSON, the dealer's seat counted from 1."""
        facts = {"dealer": self.dealer + 1}
        if self.semester is not None:
            facts |= {"semester": self.semester, "price": self.price}  # type: ignore[dict-item]
        return json.dumps(facts, separators=(",", ":"))


class Record(NamedTuple):
    """One row of the journal. `at` is UTC; `announced` is what the table saw, as `Seen.text` writes it.

    `hash` covers every other field, `prev` is the hash of the game's record before it.
    """

    game: str
    n: int
    at: str
    by: str
    payload_version: int
    payload: str
    typed: str
    reason: str | None
    client_id: str | None
    announced: str | None
    prev: str
    hash: str

    @property
    def seen(self) -> Seen | None:
        """Return what the table saw, None of a record that is no deal."""
        facts = json.loads(self.announced or "{}")
        return Seen(facts["dealer"] - 1, facts.get("semester"), facts.get("price")) if facts else None


class Draft(NamedTuple):
    """A record before it has a place in the chain."""

    payload: str
    typed: str
    reason: str | None = None
    client_id: str | None = None
    announced: str | None = None


class Item(NamedTuple):
    """One event in the order in which they count; `step` is None where it is struck.

    `struck` says why: amended, voided or undone. `players` are those then seated.
    """

    record: Record
    event: Event
    label: str
    step: Step | None
    struck: str
    players: tuple[str, ...]


class Game(NamedTuple):
    """A whole game of a ledger: its records, its events in the order in which they count, its history."""

    id: str
    records: tuple[Record, ...]
    items: tuple[Item, ...]
    history: History
    resolved: Resolved

    @property
    def head(self) -> str:
        """Return the hash of the last record, which stands for the whole journal."""
        return self.records[-1].hash


def record_hash(record: Record) -> str:
    """Return the SHA-256 of a record's canonical content: every field but the hash itself."""
    content = record._asdict()
    del content["hash"]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return str(sha256(text.encode()).hexdigest())


def chained(
    game_id: str, before: Sequence[Record], drafts: Iterable[Draft], at: str, by: str
) -> list[Record]:
    """Return the records that continue a journal with `drafts`."""
    prev, n = (before[-1].hash, before[-1].n) if before else ("", 0)
    records = []
    for draft in drafts:
        n += 1
        record = Record(
            game_id,
            n,
            at,
            by,
            PAYLOAD_VERSION,
            draft.payload,
            draft.typed,
            draft.reason,
            draft.client_id,
            draft.announced,
            prev,
            "",
        )
        record = record._replace(hash=record_hash(record))
        prev = record.hash
        records.append(record)
    return records


class Break(NamedTuple):
    """Where a journal is not as it was written: `kind` is changed, order, missing, newer or head."""

    event: int
    kind: str


def breaks(game_id: str, records: Sequence[Record], count: int, head: str) -> Iterator[Break]:
    """Yield every place where a journal is not as it was written.

    `count` and `head` are what the ledger noted of the game, so a cut tail shows.
    """
    prev, expected = "", 1
    for record in records:
        if record.n != expected:
            yield Break(expected, "missing")
        if record.game != game_id or record.hash != record_hash(record):
            yield Break(record.n, "changed")
        elif record.prev != prev and record.n == expected:
            yield Break(record.n, "order")
        elif record.payload_version > PAYLOAD_VERSION:
            yield Break(record.n, "newer")
        prev, expected = record.hash, record.n + 1
    if expected <= count:
        yield Break(expected, "missing")
    elif expected > count + 1:
        yield Break(count + 1, "uncounted")
    elif prev != head:
        yield Break(count, "head")


def check_chain(game_id: str, records: Sequence[Record], count: int, head: str) -> None:
    """Raise LedgerError (E316, E314) at the first record that is not as it was written."""
    for found in breaks(game_id, records, count, head):
        if found.kind == "newer":
            raise LedgerError(Fault("E314"))
        raise LedgerError(Fault("E316", -1, {"game": game_id, "event": found.event}))


def game(game_id: str, records: Sequence[Record]) -> Game:
    """Return the game that the records add up to. Records are as `check_chain` accepts them.

    Raises NotationError or LedgerError for lines that are none of a journal.
    """
    resolved = resolve(opening(records[0]), [corrections.read(record.payload) for record in records[1:]])
    facts = [_as_seen(slot, records[slot.n - 1]) for slot in resolved.slots]
    counting = [event for slot, event in zip(resolved.slots, facts, strict=True) if not slot.struck]
    history = _compared(derive(resolved.header, counting), resolved)
    history = history._replace(next_label=next_label(resolved.slots))
    items: list[Item] = []
    steps, players = iter(history.steps), history.start.players
    for slot, event in zip(resolved.slots, facts, strict=True):
        taken = None if slot.struck else next(steps)
        items.append(Item(records[slot.n - 1], event, slot.label, taken, slot.struck, players))
        players = taken.after.players if taken else players
    return Game(game_id, tuple(records), tuple(items), history, resolved)


def _compared(history: History, resolved: Resolved) -> History:
    """Return the history with what was corrected since the table agreed on it as a problem (E431)."""
    corrected = not_agreed(resolved)
    if not corrected:
        return history
    counting = (slot.n for slot in resolved.slots if not slot.struck)
    steps = [
        taken._replace(faults=(*taken.faults, _corrected(n, corrected[n]))) if n in corrected else taken
        for n, taken in zip(counting, history.steps, strict=True)
    ]
    return history._replace(steps=tuple(steps))


def _corrected(agreed: int, later: Sequence[int]) -> Fault:
    return Fault("E431", -1, {"event": agreed, "later": ", ".join(f"e{n}" for n in later)})


def grown(before: Game, record: Record, taken: Step) -> Game:
    """Return the game with one more record, whose event was taken by the history before it.

    Nothing is replayed, unless the table agrees.
    """
    old = before.resolved
    if isinstance(taken.event, Agreement):
        return game(before.id, (*before.records, record))  # what was open to compare may be so no more
    item = Item(record, taken.event, taken.label, taken, "", taken.players)
    slots = (*old.slots, Slot(record.n, record.n, taken.event, taken.label, ""))
    steps = (*before.history.steps, taken)
    history = before.history._replace(steps=steps, next_label=next_label(slots))
    resolved = old._replace(slots=slots, done=(*old.done, (record.n,)), undone=())
    return Game(before.id, (*before.records, record), (*before.items, item), history, resolved)


def seated_before(records: Sequence[Record], n: int) -> tuple[str, ...]:
    """Return who sat there when record `n` was written, in seat order, under the names of then."""
    lines = [corrections.read(record.payload) for record in records[1 : n - 1]]
    then = resolve(opening(records[0]), lines)
    return seated(then.header, then.slots)


def opening(record: Record) -> Header:
    """Return what the game's first record says was agreed. Raises LedgerError (E314)."""
    head = gamefile.read(record.payload).header
    if head is None:
        raise LedgerError(Fault("E314"))
    return head


def _as_seen(slot: Slot, record: Record) -> Event:
    """Return an event; a deal with its label and the facts that were recorded with it (deal.fact)."""
    if not isinstance(slot.event, DealPlayed):
        return slot.event
    if (seen := record.seen) is None:
        return slot.event._replace(label=slot.label)
    announced = None if seen.semester is None else (seen.semester, seen.price)
    return slot.event._replace(dealer=seen.dealer, label=slot.label, announced=announced)


def draft_opening(head: Header) -> Draft:
    """Return the first record's draft: all that was agreed, with every switch."""
    text = "\n".join(header.write(head, every_switch=True))
    return Draft(text, text)


def draft_step(taken: Step, typed: str, client_id: str | None = None) -> Draft:
    """Return the draft of an event with what the table saw: dealer, semester, all-pass price."""
    return Draft(corrections.payload(taken.event), typed, None, client_id, seen(taken))


def seen(taken: Step) -> str | None:
    """Return what the table sees of a deal, as the journal has it; None where it is no deal."""
    if not isinstance(taken.event, DealPlayed):
        return None
    return Seen(taken.dealer, taken.semester, taken.price).text()


def effective(history: History) -> list[Event]:
    """Return the events of a game file that gives the same standing: facts become lines of their own.

    A deal that somebody else dealt than the file's lines would say gets a `dealer` line before it, one
    that only a correction made irregular says so, and what a correction put behind the game's end,
    where it counts for nothing, is a remark.
    """
    events: list[Event] = []
    dealer = history.start.dealer
    for taken in history.steps:
        event = taken.event
        found = refusals(taken)
        if any(fault.code in NEVER for fault in found):
            events.append(_remark(taken))
            continue
        if isinstance(event, DealPlayed):
            if taken.dealer != dealer:
                events.append(DealerNamed(taken.dealer, ""))
            reason = event.irregular or (_("so by a later correction") if found else "")
            event = event._replace(irregular=reason, dealer=None, label="", announced=None)
        events.append(event)
        dealer = taken.after.dealer
    return events


def _remark(taken: Step) -> Note:
    """Return what does not count as a remark, which may follow a game's end."""
    text = _("does not count: {line}").format(line=canon.line(taken.event, taken.players))
    return Note(text[:TEXT_LENGTH_MAX])


def continuation(old: Sequence[Record], new: Sequence[Record]) -> list[Record]:
    """Return what `new` has of a game beyond `old`: nothing where it is not longer.

    Raises LedgerError (E327) where the two went different ways.
    """
    for before, after in zip(old, new, strict=False):
        if before.hash != after.hash:
            raise LedgerError(Fault("E327", -1, {"game": after.game, "event": after.n}))
    return list(new[len(old) :])
