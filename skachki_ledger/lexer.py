"""Words of a line: what stands between spaces, or in quotes."""

import re

from .errors import Fault, NotationError

_TOKEN = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^\s";])+')
_QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"')


class Quoted(str):
    """A word that stood in quotes: text, never a keyword."""

    __slots__ = ()


def tokenize(text: str) -> tuple[list[str], list[int]]:
    """Return the words of a line without its comment, and the column (from 1) of each.

    Quoted text is one word, with what adjoins it. Raises NotationError (E121) for an open quote.
    """
    words: list[str] = []
    columns: list[int] = []
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text) or text[at] == ";":
            return words, columns
        match = _TOKEN.match(text, at)
        if match is None:
            raise NotationError(Fault("E121", -at - 1))
        word = match[0]
        if '"' in word:
            plain = _QUOTED.sub(lambda quoted: unescape(quoted[1]), word)
            word = Quoted(plain) if _QUOTED.fullmatch(word) else plain
        words.append(word)
        columns.append(at + 1)
        at = match.end()


def unescape(text: str) -> str:
    """Return what stood between quotes, with \\" and \\\\ as the signs they mean."""
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text
