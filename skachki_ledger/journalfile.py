"""A game's journal as a text file: JSON Lines, one record with its hash a line."""

import json
import re
from collections.abc import Sequence

from . import journal
from .errors import Fault, LedgerError, NotationError, SkachkiError
from .header import parse_date
from .journal import Record
from .names import is_printable, shown_json

FORMAT = "skachki-journal/1"
LINE_LENGTH_MAX = 200_000

_ID = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_-]{0,39}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", re.ASCII)
_NUMBERS = ("n", "payload_version")
_OPTIONAL = ("reason", "client_id", "announced")


def is_journal(text: str) -> bool:
    """Tell whether a file's text is a journal export rather than a game file."""
    return text.lstrip()[:1] == "{"


def write(records: Sequence[Record]) -> str:
    """Return the records as JSON Lines."""
    rows = ({"format": FORMAT, **record._asdict()} for record in records)
    return "".join(
        shown_json(json.dumps(row, ensure_ascii=False, separators=(",", ":"))) + "\n" for row in rows
    )


def read(text: str) -> list[Record]:
    """Return the records of an export, their chain and content checked.

    Raises LedgerError (E314, E316, E326).
    """
    records: list[Record] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            records.append(_record(number, line))
    last = records[-1]
    journal.check_chain(records[0].game, records, last.n, last.hash)
    check(records)
    return records


def check(records: Sequence[Record]) -> None:
    """Raise LedgerError (E326) where well-chained records say what no ledger would have written.

    Whoever knows the hash can write any journal; `line` of the refusal is the record's place.
    """
    seen: set[str] = set()
    for number, record in enumerate(records, 1):
        why = unfit(record)
        if not why and record.client_id is not None and record.client_id in seen:
            why = f'"client_id": {record.client_id}'
        if why:
            raise _refused(number, why)
        if record.client_id is not None:
            seen.add(record.client_id)
    try:
        journal.game(records[0].game, records)
    except (SkachkiError, ValueError, KeyError, TypeError) as error:
        raise _refused(len(records), f"{error}") from None


def _record(number: int, line: str) -> Record:
    if len(line) > LINE_LENGTH_MAX:
        raise _refused(number, f"> {LINE_LENGTH_MAX}")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _refused(number, str(error)) from None
    if not isinstance(row, dict) or row.get("format") != FORMAT:
        raise _refused(number, f'"format": "{FORMAT}"')
    for name in Record._fields:
        value = row.get(name)
        if name in _OPTIONAL and value is None:
            continue
        wanted = int if name in _NUMBERS else str
        if type(value) is not wanted:
            raise _refused(number, f'"{name}"')
    record = Record._make(row.get(name) for name in Record._fields)
    why = unfit(record)
    if why:
        raise _refused(number, why)
    return record


def plain(row: Sequence[object]) -> Record:
    """Return a damaged row of a ledger as a record: its hash will not be right, but it can be looked at."""
    values: list[object] = []
    for name, value in zip(Record._fields, row, strict=True):
        if name in _NUMBERS:
            values.append(value if type(value) is int else 0)
        elif isinstance(value, bytes):
            values.append(value.decode(errors="replace"))
        else:
            values.append(value if value is None and name in _OPTIONAL else str(value))
    return Record._make(values)


def unfit(record: Record) -> str:
    """Return which field of a record says what no ledger would have written, "" where none does."""
    texts = [text for text in record if isinstance(text, str)]
    if not all(text.isprintable() or text.encode(errors="ignore").decode() == text for text in texts):
        return "surrogates"
    if not _ID.fullmatch(record.game):
        return '"game"'
    if not _is_time(record.at):
        return '"at"'
    if not all(is_printable(text or "") for text in (record.by, record.reason, record.client_id)):
        return "control characters"
    try:
        seen = json.loads(record.announced or "{}")
    except (ValueError, RecursionError):
        return '"announced"'
    return "" if _is_seen(seen) else '"announced"'


def _is_time(text: str) -> bool:
    """Tell whether a text is a moment of the calendar as the journal writes it."""
    try:
        return bool(_TIME.fullmatch(text) and parse_date(text[:10]))
    except NotationError:
        return False


def _is_seen(seen: object) -> bool:
    """Tell whether facts of a deal are a dealer's seat number, a semester and a price or none."""
    if seen == {}:
        return True
    if not isinstance(seen, dict) or set(seen) != {"dealer", "semester", "price"}:
        return False
    dealer, semester, price = seen["dealer"], seen["semester"], seen["price"]
    numbers = [number for number in (dealer, semester, price) if number is not None]
    if not all(type(number) is int and 1 <= number <= 99 for number in numbers):
        return False
    return dealer in (1, 2, 3, 4) and semester is not None


def _refused(number: int, why: str) -> LedgerError:
    return LedgerError(Fault("E326", -1, {"line": number, "why": why}))
