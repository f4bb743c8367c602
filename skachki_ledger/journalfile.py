"""A game's journal as a text file: JSON Lines, one record with its hash a line."""

import json
import re
from collections.abc import Sequence

from . import journal
from .errors import Fault, LedgerError, SkachkiError
from .journal import Record
from .names import is_printable

FORMAT = "skachki-journal/1"
LINE_LENGTH_MAX = 20_000

_ID = re.compile(r"[0-9A-Za-z_-]{1,40}")
_TIME = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\dZ", re.ASCII)
_NUMBERS = ("n", "payload_version")
_OPTIONAL = ("reason", "client_id", "announced")


def is_journal(text: str) -> bool:
    """Tell whether a file's text is a journal export rather than a game file."""
    return text.lstrip()[:1] == "{"


def write(records: Sequence[Record]) -> str:
    """Return the records as JSON Lines."""
    rows = ({"format": FORMAT, **record._asdict()} for record in records)
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


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
    try:
        journal.game(last.game, records)
    except (SkachkiError, ValueError, KeyError, TypeError) as error:
        raise _refused(len(records), f"{error}") from None
    return records


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
    why = _unfit(record)
    if why:
        raise _refused(number, why)
    return record


def _unfit(record: Record) -> str:
    """Return which field of a record says what no ledger would have written, "" where none does."""
    texts = [text for text in record if isinstance(text, str)]
    if not all(text.isprintable() or text.encode(errors="ignore").decode() == text for text in texts):
        return "surrogates"
    if not _ID.fullmatch(record.game):
        return '"game"'
    if not _TIME.fullmatch(record.at):
        return '"at"'
    if not all(is_printable(text or "") for text in (record.by, record.reason, record.client_id)):
        return "control characters"
    try:
        seen = json.loads(record.announced or "{}")
    except (ValueError, RecursionError):
        return '"announced"'
    return "" if _is_seen(seen) else '"announced"'


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
