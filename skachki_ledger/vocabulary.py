"""The words of the notation in both scripts, and what look-alike letters and wrong layouts mean.

Everything is looked up in lower case. A letter is only taken for its look-alike where its place
leaves one meaning: each table below lists the look-alikes of its own place.
"""

import functools
import re
from typing import TypeVar, cast

from .i18n import N_, _
from .model import Account, Calls, Dest, Strain

STRAINS: dict[str, Strain] = {
    **dict.fromkeys(("s", "♠", "♤", "п"), "s"),
    **dict.fromkeys(("c", "♣", "♧", "т"), "c"),
    **dict.fromkeys(("d", "♦", "♢", "б"), "d"),
    **dict.fromkeys(("h", "♥", "♡", "ч"), "h"),
    **dict.fromkeys(("n", "nt", "бк"), "n"),
    # look-alikes: Cyrillic с for c, Latin t for т, the other script's t or k
    **dict.fromkeys(("с", "t"), "c"),
    **dict.fromkeys(("nт", "бk"), "n"),
}
STRAIN_DOUBTS = {"н": N_("h (hearts) or n (no trump)"), "p": N_("s (spades) or c (clubs)")}
"""Letters after a level that look or sound like two things: refused with both."""

_CALL_LETTERS: dict[str, str] = {
    **dict.fromkeys(("w", "в", "b"), "w"),  # Latin B looks like В
    **dict.fromkeys(("p", "п", "р"), "p"),  # Cyrillic р looks like p
    **dict.fromkeys(("h", "½", "х", "x"), "h"),  # Latin x looks like х
}
CALLS = frozenset(("ww", "wp", "pw", "pp", "ph", "wh"))

_LOOKALIKE = str.maketrans("авекмнорстухзіј0", "abekmhopctyx3ijo")


def skeleton(lower: str) -> str:
    """Return lower-case text with every letter replaced by one sign for all its look-alikes."""
    return lower.translate(_LOOKALIKE)


V = TypeVar("V")


class _Words(dict[str, V]):
    """Words and what they mean; a word written in look-alike letters is found by its skeleton."""

    def __init__(self, words: dict[str, V]) -> None:
        super().__init__({skeleton(word): meaning for word, meaning in words.items()} | words)
        self.find = functools.lru_cache(maxsize=4096)(self._find)

    def _find(self, word: str) -> V | None:
        """Return what `word`, in any case, means here; None where it means nothing."""
        word = word.lower()
        return self.get(word) or self.get(skeleton(word))


def _words(meaning: V, *words: str) -> dict[str, V]:
    return dict.fromkeys(words, meaning)


ALLPASS = _Words(_words(True, "r", "р", "pass", "распас", "распасы", "распасовка"))
MISERE = _Words(_words(True, "m", "м", "misere", "misère", "мизер"))
IRREGULAR = _Words(_words(True, "irregular", "нарушение"))
ALL = _Words(_words(True, "all", "все", "всех", "всем"))
FINAL = _Words(_words(True, "final", "итог"))

EVENTS: _Words[str] = _Words(
    {
        "fine": "fine",
        "штраф": "fine",
        "adjust": "adjust",
        "правка": "adjust",
        "dealer": "dealer",
        "сдаёт": "dealer",
        "сдает": "dealer",
        "seat": "seat",
        "замена": "seat",
        "stop": "stop",
        "стоп": "stop",
        "agree": "agree",
        "сверено": "agree",
        "note": "note",
        "заметка": "note",
    }
)
CORRECTIONS = frozenset(("amend", "void", "insert", "rename", "rule", "undo", "redo", "reopen"))

_POOL: Dest = "pool"
_GORA: Dest = "gora"
_WHISTS: Account = "whists"
DESTS: _Words[Dest] = _Words(
    {
        **_words(_POOL, "p", "pool", "п", "пуля", "пулю"),
        **_words(_GORA, "g", "gora", "г", "гора", "гору"),
    }
)

ACCOUNTS: _Words[Account] = _Words(
    {
        **_words(_POOL, "pool", "пуля", "пули", "пулю", "п", "p"),
        **_words(_GORA, "gora", "гора", "горы", "гору", "г", "g"),
        **_words(_WHISTS, "whists", "whist", "висты", "вистов", "вист", "виста"),
    }
)

KEYWORDS = frozenset(
    word for table in (ALLPASS, MISERE, IRREGULAR, ALL, FINAL, DESTS, ACCOUNTS, EVENTS) for word in table
)
"""No player may be called by one of these."""

_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,./`" + 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?~' + "@#$^&|\\"
_RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбю.ё" + "ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,Ё" + '"№;:?/\\'
TO_RUSSIAN = str.maketrans(_LATIN, _RUSSIAN)
"""What a key of the Latin layout says on the Russian one."""
TO_LATIN = str.maketrans(_RUSSIAN, _LATIN)
_LATIN_LETTER = re.compile("[a-z]", re.IGNORECASE)
_RUSSIAN_LETTER = re.compile("[а-яё]", re.IGNORECASE)


def other_layout(text: str) -> dict[int, int] | None:
    """Return the table that retypes `text` in the other keyboard layout, None where it mixes scripts."""
    latin, russian = _LATIN_LETTER.search(text), _RUSSIAN_LETTER.search(text)
    if (latin is None) == (russian is None):
        return None
    return TO_RUSSIAN if latin else TO_LATIN


_LOOKALIKES = str.maketrans("авекмнорстух", "abekmhopctyx")


ROMAN = (
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    *("XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX"),
)
"""Semesters as players write them, up to as many as a game may have."""


def semester(word: str) -> int:
    """Return the number of a semester written 2 or II, 0 where it is neither."""
    if word.isdecimal():
        return int(word)
    numeral = word.upper().replace("Х", "X")
    return ROMAN.index(numeral) + 1 if numeral in ROMAN else 0


def label(word: str) -> str:
    """Return a deal's label or an event's place as typed, in lower case and Latin letters.

    >>> label("12А"), label("е14")
    ('12a', 'e14')
    """
    return word.strip().lower().translate(_LOOKALIKES)


DIGITS = str.maketrans("oоOОзЗ", "000033")
_CONTRACT = re.compile(r"(10|1[oо]|[6-9])([^/.]+?)([/.][mм])?", re.IGNORECASE)
_TRICKS = re.compile(r"\d{1,3}(?:[/.,-]\d{1,3}){0,3}", re.ASCII)
_CONCESSION = re.compile(r"[-−–]\d{1,2}", re.ASCII)


@functools.lru_cache(maxsize=1024)
def contract(word: str) -> tuple[int, Strain, bool] | None:
    """Return (level, strain, outbid a misère) of a word as 7d, 10♠, 9т/м, or None.

    >>> contract("9т/м")
    (9, 'c', True)
    """
    match = _CONTRACT.fullmatch(word.lower().replace("\ufe0f", ""))
    if not match or (strain := STRAINS.get(match[2])) is None:
        return None
    return (10 if match[1][0] == "1" else int(match[1])), strain, match[3] is not None


def contract_doubt(word: str) -> str:
    """Return the strains a word like 7н may mean, or "" where there is no such doubt."""
    match = _CONTRACT.fullmatch(word.lower())
    return _(STRAIN_DOUBTS.get(match[2], "")) if match else ""


@functools.lru_cache(maxsize=256)
def calls(word: str) -> Calls | None:
    """Return the two defenders' calls of a word as wp, вп, п½, or None.

    >>> calls("вп")
    'wp'
    """
    letters = "".join(_CALL_LETTERS.get(letter, "?") for letter in word.lower())
    return cast(Calls, letters) if letters in CALLS else None


@functools.lru_cache(maxsize=4096)
def tricks(word: str) -> tuple[int, ...] | None:
    """Return the one to four numbers of a word as 7/2/1, 7.2.1, 7,2,1, 7-2-1, or None.

    >>> tricks("З.4.О.3")
    (3, 4, 0, 3)
    """
    word = word.translate(DIGITS)
    if not _TRICKS.fullmatch(word):
        return None
    return tuple(int(part) for part in re.split("[/.,-]", word))


def is_concession(word: str) -> bool:
    """Tell whether the word leaves a game without playing it: -3, без, without."""
    return bool(_CONCESSION.fullmatch(word)) or word.lower() in ("без", "without")
