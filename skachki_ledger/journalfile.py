"""A game's journal as a text file: JSON Lines, one record with its hash a line."""

import json
from collections.abc import Sequence

from . import journal
from .errors import Fault, LedgerError, SkachkiError
from .journal import Record

FORMAT = "skachki-journal/1"
LINE_LENGTH_MAX = 20_000

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
    return Record._make(row.get(name) for name in Record._fields)


def _refused(number: int, why: str) -> LedgerError:
    return LedgerError(Fault("E326", -1, {"line": number, "why": why}))
