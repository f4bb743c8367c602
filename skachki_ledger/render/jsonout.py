"""The JSON of standings, logs and errors, keys as docs/notation.md has them."""

import json
from collections.abc import Sequence
from typing import Any

from .. import canon, corrections
from ..compare import Change
from ..derive import History, Step
from ..errors import Fault
from ..events import DealPlayed, Note
from ..header import Header
from ..i18n import _
from ..journal import Game, Item, seated_before
from ..model import Entry
from ..names import shown_json
from ..rules import PRESETS, SWITCHES, Rules, Value, differing
from ..rules import switches as rule_switches
from ..settlement import decimal, rational
from ..standing import Problem, Standing
from ..state import Prize
from ..wording import entry_text


def dump(value: dict[str, Any]) -> str:
    """Return a JSON object on one line; what a terminal would obey is written as escapes."""
    return shown_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def switch_values(values: dict[str, Value]) -> dict[str, Any]:
    """Return switches with numbers, booleans, words and arrays of numbers as values."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def game(history: History, game_id: str | None = None) -> dict[str, Any]:
    """Return the "game" object: what was agreed, and who is seated now."""
    return agreed(history.agreed_now, game_id)


def agreed(header: Header, game_id: str | None) -> dict[str, Any]:
    """Return the "game" object of what a header says."""
    return {
        "id": game_id,
        "title": header.title,
        "date": header.date,
        "rules": header.rules.preset,
        "switches": own_switches(header.rules),
        "players": header.players,
    }


def own_switches(rules: Rules) -> dict[str, Any]:
    """Return the switches that differ from the preset."""
    return switch_values(differing(rules, PRESETS[rules.preset]))


def standing(
    now: Standing, game_id: str | None = None, head: str | None = None, file: str | None = None
) -> dict[str, Any]:
    """Return the standing as JSON: exact rationals in strings, points as integers."""
    state, players = now.history.state, now.history.state.players
    running = not state.over
    result: dict[str, Any] = {"format": "skachki-standing/1", "game": game(now.history, game_id)}
    if file is not None:
        result["file"] = file
    result |= {
        "deals": state.deals,
        "finished": state.over == "finished",
        "stopped": state.over == "stopped",
        "head": head,
        "semester": state.semester,
        "dealer": players[state.dealer] if running else None,
        "next": ("all-pass" if state.due else "auction") if running else None,
        "price": state.price if running else None,
        "min_level": state.min_level if running else None,
        "pool": now.pool,
        "gora": now.gora,
        "pool_total": now.pool_total,
        "gora_total": now.gora_total,
        "whists": [[rational(amount) for amount in row] for row in now.whists],
        "prizes": [_prize(prize) for prize in now.prizes],
        "net": [rational(amount) for amount in now.net],
        "rounded": now.rounded,
        "money": now.money and [decimal(amount) for amount in now.money],
        "transfers": _transfers(now),
        "problems": problems(now.problems),
        "persons": [
            {
                "name": stint.name,
                "seat": stint.seat + 1,
                "from_deal": stint.first,
                "to_deal": stint.last,
                "net": rational(stint.net),
            }
            for stint in now.persons
        ],
    }
    if now.rating is not None:
        result["rating"] = now.rating
    return result


def problems(found: Sequence[Problem]) -> list[dict[str, Any]]:
    """Return problems with their deals, None where it is no deal's."""
    return [
        {"deal": problem.deal or None, "code": problem.code, "message": problem.message}
        for problem in found
    ]


def _prize(prize: Prize) -> dict[str, Any]:
    return {
        "semester": prize.semester or None,
        "kind": prize.kind,
        "winners": prize.names,
        "each": rational(prize.whists),
    }


def _transfers(now: Standing) -> list[dict[str, str]] | None:
    if now.transfers is None:
        return None
    players = now.history.state.players
    return [
        {"from": players[paid.payer], "to": players[paid.payee], "amount": decimal(paid.amount)}
        for paid in now.transfers
    ]


def entry(written: Entry, players: Sequence[str]) -> dict[str, Any]:
    """Return one entry with its arithmetic in words."""
    is_whists = written.account == "whists"
    return {
        "rule": written.rule,
        "seat": players[written.seat],
        "account": written.account,
        "on": None if written.on is None else players[written.on],
        "amount": rational(written.amount) if is_whists else str(written.amount),
        "text": entry_text(written),
    }


def event(taken: Step, place: int, typed: str) -> dict[str, Any]:
    """Return one event of a log; `place` counts from 1, `typed` is the line as it was written."""
    is_deal = isinstance(taken.event, DealPlayed)
    return {
        "event": place,
        "deal": taken.label or None,
        "line": canon.line(taken.event, taken.players),
        "typed": typed,
        "dealer": taken.players[taken.dealer] if is_deal else None,
        "semester": taken.semester,
        "price": taken.price,
        "struck": False,
        "at": None,
        "by": None,
        "reason": None,
        "entries": [entry(written, taken.players) for written in taken.entries],
    }


def record_event(current: Game, n: int) -> dict[str, Any]:
    """Return one record of a journal as a log's event; corrections and undos write nothing."""
    record = current.records[n - 1]
    facts = {"at": record.at, "by": record.by, "reason": record.reason, "typed": record.typed}
    item = next((item for item in current.items if item.record.n == n), None)
    if item is None:
        state = current.history.state
        line = corrections.text(corrections.read(record.payload), seated_before(current.records, n))
        bare = Step(Note(""), "", state.semester, state.dealer, None, (), (), state.players, state)
        return event(bare, n, "") | facts | {"line": line}
    if item.step is None:
        return struck_event(item) | facts
    return event(item.step, n, "") | facts


def struck_event(item: Item) -> dict[str, Any]:
    """Return an event that was amended, voided or undone: what it said, and that it writes nothing."""
    seen = item.record.seen
    players = item.players
    return {
        "event": item.record.n,
        "deal": item.label or None,
        "line": canon.line(item.event, players),
        "typed": item.record.typed,
        "dealer": players[seen.dealer] if seen else None,
        "semester": seen.semester if seen else None,
        "price": seen.price if seen else None,
        "struck": True,
        "at": item.record.at,
        "by": item.record.by,
        "reason": item.record.reason,
        "entries": [],
    }


def journal_log(current: Game, label: str | None = None) -> dict[str, Any]:
    """Return a ledger game's log, struck events included; `label`: that deal's alone."""
    items = [item for item in current.items if label is None or item.label == label]
    events = [record_event(current, item.record.n) for item in items]
    return {"format": "skachki-log/1", "events": events}


def changes(found: Sequence[Change], players: Sequence[str]) -> list[dict[str, Any]]:
    """Return the cells that differ between two histories, named by account and players."""
    rows = []
    for change in found:
        names = [players[seat] for seat in (change.seat, change.on) if seat is not None]
        old, new = (
            rational(amount) if change.semester is None else str(amount)
            for amount in (change.old, change.new)
        )
        cell = " ".join([change.account, *names])
        rows.append({"cell": cell, "semester": change.semester, "old": old, "new": new})
    return rows


def error(faults: Sequence[Fault], columns: Sequence[int], place: dict[str, Any]) -> str:
    """Return a refusal as one JSON line; `place` has file and line where they are known.

    Code, rule and column are the first fault's, the message has all of them; several stand apart in
    "faults" too.
    """
    placed = [column or None for column in columns] or [None] * len(faults)
    body: dict[str, Any] = {
        "code": faults[0].code,
        "message": "; ".join(fault.message() for fault in faults),
        "rule": faults[0].rule,
        "file": None,
        "line": None,
    }
    body |= place | {"column": placed[0]}
    if len(faults) > 1:
        body["faults"] = [
            {"code": fault.code, "message": fault.message(), "rule": fault.rule, "column": column}
            for fault, column in zip(faults, placed, strict=True)
        ]
    return dump({"error": body})


def log(history: History, typed: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return all events of a history; `typed` are the lines as written, else the canonical ones."""
    return [
        event(taken, place + 1, typed[place] if typed else canon.line(taken.event, taken.players))
        for place, taken in enumerate(history.steps)
    ]


def switches(current: Rules, other: Rules | None) -> dict[str, Any]:
    """Return the switches of `rules`; with `other`, those that differ, with both values."""
    values = switch_values(rule_switches(current))
    others = switch_values(rule_switches(other)) if other else {}
    rows = [
        {
            "switch": name,
            "value": value,
            "meaning": _(SWITCHES[name].meaning),
            "source": _(SWITCHES[name].source),
            "rule": SWITCHES[name].rule,
        }
        | ({"other": others[name]} if others else {})
        for name, value in values.items()
        if not others or others[name] != value
    ]
    return {"format": "skachki-rules/1", "switches": rows}
