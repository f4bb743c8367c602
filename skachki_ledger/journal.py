"""A game's journal: hash-chained records of what was written down, and the game they add up to.

The first record holds what was agreed, every switch included; each later one is one event or one
correction, in canonical notation with seat numbers for names. Nothing derived is stored.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import canon, gamefile, header, notation
from .derive import History, Step, derive
from .digest import sha256
from .errors import Fault, LedgerError
from .events import DealerNamed, DealPlayed, Event
from .header import Header
from .names import Seats

PAYLOAD_VERSION = 1
NUMBERS = ("1", "2", "3", "4")
"""Payloads name seats by number: a renamed player needs no new record."""

_SEATS = Seats(NUMBERS)
UNDO, REDO = "undo", "redo"


class Record(NamedTuple):
    """One row of the journal. `at` is UTC; `announced` is what the table saw, as JSON (see `Seen`).

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


class Draft(NamedTuple):
    """A record before it has a place in the chain."""

    payload: str
    typed: str
    reason: str | None = None
    client_id: str | None = None
    announced: str | None = None


class Item(NamedTuple):
    """One event of the journal that is no correction; `step` is None where it is struck."""

    record: Record
    event: Event
    label: str
    step: Step | None


class Game(NamedTuple):
    """A whole game of a ledger: its records, its events in the order in which they count, its history."""

    id: str
    records: tuple[Record, ...]
    items: tuple[Item, ...]
    history: History
    done: tuple[int, ...]
    """Records that count, the one that `undo` takes back last."""
    undone: tuple[int, ...]
    """Records that were undone and may be redone, the next one last."""

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


def check_chain(game_id: str, records: Sequence[Record], count: int, head: str) -> None:
    """Raise LedgerError (E316, E314) at the first record that is not as it was written.

    `count` and `head` are what the ledger noted of the game, so a cut tail shows.
    """
    prev = ""
    for n, record in enumerate(records, 1):
        damaged = record.game != game_id or record.n != n or record.prev != prev
        if damaged or record.hash != record_hash(record):
            raise LedgerError(Fault("E316", -1, {"game": game_id, "event": n}))
        if record.payload_version > PAYLOAD_VERSION:
            raise LedgerError(Fault("E314"))
        prev = record.hash
    if len(records) != count or prev != head:
        raise LedgerError(Fault("E316", -1, {"game": game_id, "event": min(len(records), count) + 1}))


def game(game_id: str, records: Sequence[Record]) -> Game:
    """Return the game that the records add up to. Records are as `check_chain` accepts them."""
    head = opening(records[0])
    done, undone = _undoing(records)
    live = frozenset(done)
    items: list[tuple[Record, Event, str, bool]] = []
    deals = 0
    for record in records[1:]:
        if record.payload in (UNDO, REDO):
            continue
        event = notation.read_line(record.payload, _SEATS).event
        label = ""
        if isinstance(event, DealPlayed):
            label = str(deals + 1)
            deals += record.n in live
            event = _as_seen(event, record, label)
        items.append((record, event, label, record.n in live))
    history = derive(head, [event for _, event, _, counts in items if counts])
    steps = iter(history.steps)
    placed = tuple(
        Item(record, event, label, next(steps) if counts else None)
        for record, event, label, counts in items
    )
    return Game(game_id, tuple(records), placed, history, done, undone)


def grown(before: Game, record: Record, taken: Step) -> Game:
    """Return the game with one more record, whose event was stepped already: nothing is replayed."""
    item = Item(record, taken.event, taken.label, taken)
    history = before.history._replace(steps=(*before.history.steps, taken))
    return Game(
        before.id, (*before.records, record), (*before.items, item), history, (*before.done, record.n), ()
    )


def opening(record: Record) -> Header:
    """Return what the game's first record says was agreed. Raises LedgerError (E314)."""
    head = gamefile.read(record.payload).header
    if head is None:
        raise LedgerError(Fault("E314"))
    return head


def _undoing(records: Sequence[Record]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return which records count, and which were undone and may be redone."""
    done: list[int] = []
    undone: list[int] = []
    for record in records[1:]:
        if record.payload == UNDO:
            undone += [done.pop()] if done else []
        elif record.payload == REDO:
            done += [undone.pop()] if undone else []
        else:
            done.append(record.n)
            undone.clear()
    return tuple(done), tuple(undone)


def _as_seen(event: DealPlayed, record: Record, label: str) -> DealPlayed:
    """Return a deal with its label and the facts that were recorded with it (deal.fact)."""
    seen = json.loads(record.announced or "{}")
    dealer = seen["dealer"] - 1 if "dealer" in seen else None
    announced = (seen["semester"], seen["price"]) if "semester" in seen else None
    return event._replace(dealer=dealer, label=label, announced=announced)


def draft_opening(head: Header) -> Draft:
    """Return the first record's draft: all that was agreed, with every switch."""
    text = "\n".join(header.write(head, every_switch=True))
    return Draft(text, text)


def draft_step(taken: Step, typed: str, client_id: str | None = None) -> Draft:
    """Return the draft of an event with what the table saw: dealer, semester, all-pass price."""
    announced = None
    if isinstance(taken.event, DealPlayed):
        seen = {"dealer": taken.dealer + 1, "semester": taken.semester, "price": taken.price}
        announced = json.dumps(seen, separators=(",", ":"))
    return Draft(canon.line(taken.event, NUMBERS), typed, None, client_id, announced)


def effective(history: History) -> list[Event]:
    """Return the events of a game file that gives the same history: facts become lines of their own.

    A deal that somebody else dealt than the file's lines would say gets a `dealer` line before it.
    """
    events: list[Event] = []
    dealer = history.start.dealer
    for taken in history.steps:
        event = taken.event
        if isinstance(event, DealPlayed):
            if taken.dealer != dealer:
                events.append(DealerNamed(taken.dealer, ""))
            event = event._replace(dealer=None, label="", announced=None)
        events.append(event)
        dealer = taken.after.dealer
    return events


def continuation(old: Sequence[Record], new: Sequence[Record]) -> list[Record]:
    """Return what `new` has of a game beyond `old`: nothing where it is not longer.

    Raises LedgerError (E327) where the two went different ways.
    """
    for before, after in zip(old, new, strict=False):
        if before.hash != after.hash:
            raise LedgerError(Fault("E327", -1, {"game": after.game, "event": after.n}))
    return list(new[len(old) :])
