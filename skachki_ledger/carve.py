"""Reading what is left of a damaged ledger: records straight from the pages of the file.

SQLite keeps a table's rows in leaf pages that can be read one by one, whatever has become of the
pages around them (the file format is published and has been stable since 2004). Nothing read here
is trusted: a record counts only if its hash is right and it continues its game's chain.
"""

from collections.abc import Iterator
from typing import NamedTuple

from .journal import Record, record_hash

_LEAF = 0x0D
_COLUMNS = 1 + len(Record._fields)
"""seq and the fields of a record."""
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))


class Salvage(NamedTuple):
    """What was saved of a game: its records up to the first that is lost, and how many lie beyond it."""

    records: tuple[Record, ...]
    beyond: int


def salvage(data: bytes) -> dict[str, Salvage]:
    """Return what can be read of each game in a ledger's bytes, games in the order they began."""
    found: dict[str, dict[int, Record]] = {}
    for record in carved(data):
        found.setdefault(record.game, {}).setdefault(record.n, record)
    saved = {game_id: _unbroken(by_n) for game_id, by_n in found.items()}
    return dict(sorted(saved.items(), key=lambda pair: (_began(pair[1]), pair[0])))


def _unbroken(by_n: dict[int, Record]) -> Salvage:
    records: list[Record] = []
    prev = ""
    while len(records) + 1 in by_n and by_n[len(records) + 1].prev == prev:
        records.append(by_n[len(records) + 1])
        prev = records[-1].hash
    return Salvage(tuple(records), len(by_n) - len(records))


def _began(saved: Salvage) -> str:
    return saved.records[0].at if saved.records else "9"


def carved(data: bytes) -> Iterator[Record]:
    """Yield every record in the bytes whose hash is right, in page order."""
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    if size not in _PAGE_SIZES:
        size = 4096
    for start in range(0, len(data), size):
        page = data[start : start + size]
        head = 100 if start == 0 else 0
        if len(page) > head + 8 and page[head] == _LEAF:
            for row in _rows(data, page, head, size):
                record = _record(row)
                if record is not None:
                    yield record


def _record(row: list[object]) -> Record | None:
    if len(row) != _COLUMNS or not isinstance(row[1], str):
        return None
    record = Record._make(row[1:])
    try:
        return record if record.hash == record_hash(record) else None
    except (TypeError, ValueError):
        return None


def _rows(data: bytes, page: bytes, head: int, size: int) -> Iterator[list[object]]:
    count = int.from_bytes(page[head + 3 : head + 5], "big")
    for place in range(count):
        pointer = head + 8 + 2 * place
        at = int.from_bytes(page[pointer : pointer + 2], "big")
        try:
            yield _row(_payload(data, page, at, size))
        except (IndexError, ValueError):
            continue


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return SQLite's variable-length integer at `at` and the place after it."""
    value = 0
    for length in range(9):
        byte = data[at + length]
        if length == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + length + 1
    raise ValueError


def _payload(data: bytes, page: bytes, at: int, size: int) -> bytes:
    """Return a cell's payload, gathered from its overflow pages where it has any."""
    length, at = _varint(page, at)
    _rowid, at = _varint(page, at)
    if length > 1 << 20:
        raise ValueError
    most, least = size - 35, (size - 12) * 32 // 255 - 23
    local = length
    if length > most:
        local = least + (length - least) % (size - 4)
        local = least if local > most else local
    payload = page[at : at + local]
    link = int.from_bytes(page[at + local : at + local + 4], "big") if local < length else 0
    while link and len(payload) < length:
        start = (link - 1) * size
        link = int.from_bytes(data[start : start + 4], "big")
        payload += data[start + 4 : start + size][: length - len(payload)]
    if len(payload) != length:
        raise ValueError
    return payload


def _row(payload: bytes) -> list[object]:
    """Return the values of a row in SQLite's record format; only NULL, integers and text."""
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[object] = []
    for kind in kinds:
        if kind == 0:
            values.append(None)
        elif kind in (8, 9):
            values.append(kind - 8)
        elif kind in (1, 2, 3, 4, 5, 6):
            width = (1, 2, 3, 4, 6, 8)[kind - 1]
            values.append(int.from_bytes(payload[at : at + width], "big", signed=True))
            at += width
        elif kind >= 13 and kind % 2:
            width = (kind - 13) // 2
            values.append(payload[at : at + width].decode())
            at += width
        else:
            raise ValueError
    return values
