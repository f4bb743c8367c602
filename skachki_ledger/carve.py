"""Reading what is left of a damaged ledger: records straight from the bytes of its pages.

SQLite keeps a row's values together behind a header of their types, on a page and the overflow
pages it links to (the file format is published and has been stable since 2004). Such headers are
looked for everywhere, whatever has become of the pages' own bookkeeping. Nothing found is trusted:
a record counts only if its hash is right and it continues its game's chain.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .journal import Record, record_hash

_COLUMNS = 1 + len(Record._fields)
"""seq and the fields of a record."""
_PAGE_SIZE = 4096
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
_LENGTH_MAX = 1 << 20
_HEX64 = rb"\x81\x0d"
"""How SQLite writes the type of a text of 64 bytes, which each hash is."""
_EVENT = re.compile(rb"(?=[\x0e-\x28]\x00.{9,38}?" + _HEX64 + rb")", re.DOTALL)
_GAME = re.compile(rb"(?=\x05[\x0f\x11-\x7f][\x01-\x04\x08\x09]" + _HEX64 + rb")", re.DOTALL)
_COUNT_MAX = 1_000_000


class Salvage(NamedTuple):
    """What was saved of a game: its records up to the first that is lost, and how many lie beyond it."""

    records: tuple[Record, ...]
    beyond: int


def salvage(data: bytes) -> dict[str, Salvage]:
    """Return what can be read of each game in a ledger's bytes, games in the order they began."""
    found: dict[str, dict[int, dict[str, Record]]] = {}
    for record in carved(data):
        found.setdefault(record.game, {}).setdefault(record.n, {})[record.hash] = record
    saved = {game_id: _unbroken(by_n) for game_id, by_n in found.items()}
    return dict(sorted(saved.items(), key=lambda pair: (_began(pair[1]), pair[0])))


def _unbroken(by_n: dict[int, dict[str, Record]]) -> Salvage:
    """Return the longest chain from the first record on."""
    reached: dict[str, tuple[Record, ...]] = {"": ()}
    chain: tuple[Record, ...] = ()
    while reached:
        chain = next(iter(reached.values()))
        following = by_n.get(len(chain) + 1, {}).values()
        reached = {one.hash: (*reached[one.prev], one) for one in following if one.prev in reached}
    return Salvage(chain, len(by_n) - len(chain))


def _began(saved: Salvage) -> str:
    return saved.records[0].at if saved.records else "9"


def carved(data: bytes) -> Iterator[Record]:
    """Yield every record in the bytes whose hash is right, some perhaps twice."""
    size = page_size(data)
    sizes = [size] if size == _PAGE_SIZE else [size, _PAGE_SIZE]  # the damage may sit there
    for size in sizes:
        for match in _EVENT.finditer(data):
            record = _record(data, match.start(), size)
            if record is not None:
                yield record


def page_size(data: bytes) -> int:
    """Return the page size a database's header states, the usual one where it states none."""
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    return size if size in _PAGE_SIZES else _PAGE_SIZE


def counts(data: bytes) -> dict[str, int]:
    """Return how many events the bytes say each game has: the highest count noted anywhere in them."""
    found: dict[str, int] = {}
    for match in _GAME.finditer(data):
        try:
            game_id, count, _head = _row(data[match.start() : match.start() + 400])
        except (IndexError, ValueError):
            continue
        if isinstance(game_id, str) and isinstance(count, int) and 0 < count <= _COUNT_MAX:
            found[game_id] = max(count, found.get(game_id, 0))
    return found


def _record(data: bytes, at: int, size: int) -> Record | None:
    """Return the record whose row begins at `at`, None where that is none or its hash is wrong."""
    try:
        row = _row(_payload(data, at, size))
        if len(row) != _COLUMNS or not isinstance(row[1], str) or not isinstance(row[2], int):
            return None
        record = Record._make(row[1:])
        return record if record.hash == record_hash(record) else None
    except (IndexError, TypeError, ValueError):
        return None


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


def _types(data: bytes, at: int) -> tuple[list[int], int]:
    """Return the types in the header of a row that begins at `at`, and the header's end."""
    length, place = _varint(data, at)
    end = at + length
    kinds = []
    while place < end:
        kind, place = _varint(data, place)
        kinds.append(kind)
    if place != end or len(kinds) > _COLUMNS:
        raise ValueError
    return kinds, end


_WIDTHS = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}


def _width(kind: int) -> int:
    return (kind - 12) // 2 if kind >= 12 else _WIDTHS.get(kind, _LENGTH_MAX)


def _payload(data: bytes, at: int, size: int) -> bytes:
    """Return the row that begins at `at`, gathered from its overflow pages where it has any."""
    kinds, end = _types(data, at)
    length = end - at + sum(map(_width, kinds))
    if length > _LENGTH_MAX:
        raise ValueError
    most, least = size - 35, (size - 12) * 32 // 255 - 23
    local = length
    if length > most:
        local = least + (length - least) % (size - 4)
        local = least if local > most else local
    payload = data[at : at + local]
    link = int.from_bytes(data[at + local : at + local + 4], "big") if local < length else 0
    while link and len(payload) < length:
        start = (link - 1) * size
        link = int.from_bytes(data[start : start + 4], "big")
        payload += data[start + 4 : start + size][: length - len(payload)]
        if start + 4 >= len(data):
            break
    if len(payload) != length:
        raise ValueError
    return payload


def _row(payload: bytes) -> list[object]:
    """Return the values of a row in SQLite's record format; only NULL, integers and text."""
    kinds, at = _types(payload, 0)
    values: list[object] = []
    for kind in kinds:
        data = payload[at : at + _width(kind)]
        at += _width(kind)
        if len(data) != _width(kind):
            raise ValueError
        if kind == 0:
            values.append(None)
        elif kind in (8, 9):
            values.append(kind - 8)
        elif kind < 7:
            values.append(int.from_bytes(data, "big", signed=True))
        elif kind >= 13 and kind % 2:
            values.append(data.decode())
        else:
            raise ValueError
    return values
