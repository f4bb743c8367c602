"""Reading text files as people have them: UTF-8 with or without BOM, UTF-16 with BOM."""

import sys

from ..errors import Fault, FileError
from ..i18n import _

BYTES_MAX = 16 * 1024 * 1024
"""No night fills so much; a larger file is refused before it is read."""


def read_text(path: str) -> str:
    """Return the text of a file, "-" for standard input. Raises FileError (E301–E308) with its name."""
    try:
        return _text(path)
    except FileError as error:
        error.path = path
        raise


def _text(path: str) -> str:
    data = _read_bytes(path)
    if len(data) > BYTES_MAX:
        raise FileError(Fault("E306", -1, {"limit": BYTES_MAX}))
    if data.startswith(b"SQLite format 3\0"):
        raise FileError(Fault("E308"))
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise FileError(Fault("E305" if _is_cp1251(data) else "E304")) from None
    if "\0" in text:
        raise FileError(Fault("E304"))
    return text


def _read_bytes(path: str) -> bytes:
    try:
        if path == "-":
            if sys.stdin is None:
                raise FileError(Fault("E307", -1, {"why": _("standard input is closed")}))
            return sys.stdin.buffer.read(BYTES_MAX + 1) or b""
        with open(path, "rb") as file:
            return file.read(BYTES_MAX + 1)
    except FileNotFoundError:
        raise FileError(Fault("E301")) from None
    except IsADirectoryError:
        raise FileError(Fault("E302")) from None
    except PermissionError:
        raise FileError(Fault("E303")) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise FileError(Fault("E307", -1, {"why": why})) from None


def _is_cp1251(data: bytes) -> bool:
    """Tell whether bytes that are no UTF-8 read as Russian text in CP1251."""
    sample = data[:4096]
    if any(byte < 32 and byte not in b"\t\r\n" for byte in sample):
        return False
    letters = sum(byte in range(0xC0, 0x100) or byte in b"\xa8\xb8" for byte in sample)
    foreign = sum(byte >= 0x80 for byte in sample)
    return letters * 2 > foreign
