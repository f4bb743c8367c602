"""Players' names: what a name may be, and which seat a word means."""

import functools
import unicodedata
from collections.abc import Sequence

from .errors import Fault, NotationError
from .i18n import N_, _
from .model import SEATS, Seat
from .vocabulary import KEYWORDS, skeleton

NAME_LENGTH_MAX = 40
TEXT_LENGTH_MAX = 500
_JOINERS = frozenset("\u200c\u200d")
"""Invisible, but part of how some scripts and emoji are written."""
_FORBIDDEN = frozenset(',"@;')


_IGNORED = dict.fromkeys(
    (
        *(0xAD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x200C, 0x200D, 0x3164, 0xFFA0),
        *range(0xFE00, 0xFE10),
        *range(0xE0000, 0xE01F0),
    )
)
"""Characters that show nothing: names that differ in them alone are equal."""
FOLDED_MAX = 200
"""A longer word is nobody's name; to bring it to its normal form could take hours."""


@functools.lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """Return the form in which names are compared: NFC, any case, ё as е, _ as a space.

    >>> fold("АРТЁМ_К") == fold("артем к")
    True
    """
    text = name[:FOLDED_MAX].translate(_IGNORED)
    text = unicodedata.normalize("NFC", text).casefold().replace("ё", "е").replace("_", " ")
    return unicodedata.normalize("NFC", " ".join(text.split()))


def is_printable(text: str) -> bool:
    """Tell whether a text is free of control, line, bidirectional and invisible characters."""
    return text.isprintable() or not any(map(_is_unseen, text))


def _is_unseen(char: str) -> bool:
    category = unicodedata.category(char)
    if category == "Cf":
        return char not in _JOINERS and not "\U000e0020" <= char <= "\U000e007f"  # tags of flag emoji
    return category in ("Cc", "Cs", "Zl", "Zp")


def shown(text: str) -> str:
    """Return a text of anybody's as it can be shown on a terminal: what is unseen as its escape.

    >>> shown("a\\x1b[31mb\\u202ec\\n")
    'a\\\\x1b[31mb\\\\u202ec\\\\n'
    """
    if text.isprintable():
        return text
    return "".join(_escape(char) if _is_unseen(char) else char for char in text)


def shown_json(text: str) -> str:
    """Return JSON that says the same, with what is unseen in its strings as escapes."""
    if text.isprintable():
        return text
    return "".join(f"\\u{ord(char):04x}" if char < "\uffff" and _is_unseen(char) else char for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def clean_name(text: str) -> str:
    """Return the name `text` stands for, in NFC with single spaces.

    Raises NotationError (E122) saying why it cannot be a name.
    """
    is_short = len(text) <= FOLDED_MAX
    name = unicodedata.normalize("NFC", text) if is_short and is_printable(text) else text[: FOLDED_MAX + 1]
    why = _name_fault(name)
    if why:
        shown = text.strip() if len(text) <= NAME_LENGTH_MAX else text[:NAME_LENGTH_MAX] + "…"
        raise NotationError(Fault("E122", -1, {"word": shown, "why": _(why)}))
    return " ".join(name.split())


def _name_fault(name: str) -> str:
    if not name.strip() or not fold(name).strip():
        return N_("it is empty")
    if not is_printable(name):
        return N_("control, invisible and bidirectional characters and line breaks are not allowed")
    if len(" ".join(name.split())) > NAME_LENGTH_MAX:
        return N_("it is longer than 40 characters")
    if _FORBIDDEN & set(name):
        return N_('a comma, ", @ and ; are not allowed')
    if name.strip().startswith("-"):
        return N_("it begins with -")
    if name.strip() in ("1", "2", "3", "4"):
        return N_("1–4 are the seats' numbers")
    if fold(" ".join(name.split())) in _FOLDED_KEYWORDS:
        return N_("it is a word of the notation")
    return ""


_FOLDED_KEYWORDS = frozenset(map(fold, KEYWORDS))


class Seats:
    """The four names at the table, and the seat each word means.

    `left` are those who sat there before, "" where nobody did: they are no players, but a refusal
    tells whose place it is now.
    """

    __slots__ = ("_found", "left", "players")

    def __init__(self, players: Sequence[str], left: Sequence[str] = ("", "", "", "")) -> None:
        self.players, self.left = tuple(players), tuple(left)
        self._found: dict[str, Seat] = {}

    def find(self, word: str, part: int = -1) -> Seat:
        """Return the seat `word` means: 1–4, a full name, or an unambiguous beginning of one.

        Raises NotationError: E102 for nobody, E103 for several, E120 where only look-alike
        letters fit and fit several.
        """
        seat = self._found.get(word)
        if seat is None:
            seat = self._found[word] = self._search(word, part)
        return seat

    def knows(self, word: str) -> bool:
        """Tell whether `word` means exactly one seat."""
        try:
            self.find(word)
        except NotationError:
            return False
        return True

    def _search(self, word: str, part: int) -> Seat:
        if word in ("1", "2", "3", "4"):
            return int(word) - 1
        names = [fold(name) for name in self.players]
        hits = _matches(fold(word), names)
        code = "E103"
        if not hits:
            hits = _matches(skeleton(fold(word)), [skeleton(name) for name in names])
            code = "E120"
        if len(hits) == 1:
            return hits[0]
        if not hits:
            raise NotationError(Fault("E102", part, {"word": word[:60], "players": self._told()}))
        listed = ", ".join(self.players[seat] for seat in hits)
        raise NotationError(Fault(code, part, {"word": word, "players": listed, "meanings": listed}))

    def replaced(self, seat: Seat, name: str) -> "Seats":
        """Return the table with `name` at `seat`, in the place of who sits there."""
        players, left = list(self.players), list(self.left)
        players[seat], left[seat] = name, self.players[seat]
        return Seats(players, left)

    def _told(self) -> str:
        """Return who sits there, and in whose place: "Anna, Boris, Zoe (was Vera), Gleb"."""
        now = [
            _("{name} (was {before})").format(name=name, before=before) if before else name
            for name, before in zip(self.players, self.left, strict=False)
        ]
        return ", ".join(now)

    def clash(self, name: str) -> str:
        """Return the seated player whose name equals `name`, or ""."""
        return next((old for old in self.players if fold(old) == fold(name)), "")


def _matches(word: str, names: Sequence[str]) -> list[Seat]:
    """Return the seats whose name is `word`, else those whose name begins with it."""
    exact = [seat for seat in SEATS if names[seat] == word]
    return exact or [seat for seat in SEATS if word.strip() and names[seat].startswith(word)]
