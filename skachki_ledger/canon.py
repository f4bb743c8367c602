"""The one canonical text of an event, and the same line as it is shown to people."""

import functools
from collections.abc import Sequence
from typing import NamedTuple, assert_never

from .events import (
    Adjustment,
    Agreement,
    DealerNamed,
    DealPlayed,
    Event,
    Fine,
    Note,
    Stop,
    Substitution,
)
from .i18n import language
from .model import SEATS, AllPass, Contract, Deal, Dest, Misere


class Tokens(NamedTuple):
    """How the parts of a deal are written: strains, call letters and the two short words."""

    strains: dict[str, str]
    calls: dict[str, str]
    allpass: str
    misere: str
    over_misere: str
    dests: dict[str, str]
    keywords: dict[str, str]


_LATIN_CALLS = {"w": "w", "p": "p", "h": "h"}
_RUSSIAN_CALLS = {"w": "в", "p": "п", "h": "х"}
_SIGNS = {"s": "♠", "c": "♣", "d": "♦", "h": "♥", "n": "n"}
_LATIN_DESTS = {"pool": "@p", "gora": "@g"}
_RUSSIAN_DESTS = {"pool": "@п", "gora": "@г"}

_RUSSIAN_KEYWORDS = {
    "irregular": "нарушение",
    "fine": "штраф",
    "adjust": "правка",
    "pool": "пуля",
    "gora": "гора",
    "whists": "висты",
    "all": "все",
    "dealer": "сдаёт",
    "seat": "замена",
    "stop": "стоп",
    "final": "итог",
    "agree": "сверено",
    "note": "заметка",
    "amend": "исправить",
    "void": "вычеркнуть",
    "insert": "вставить",
    "rename": "переименовать",
    "rule": "правило",
    "undo": "отмена",
    "redo": "вернуть",
    "reopen": "открыть",
}

CANONICAL = Tokens(
    strains={strain: strain for strain in "scdhn"},
    calls=_LATIN_CALLS,
    allpass="r",
    misere="m",
    over_misere="/m",
    dests=_LATIN_DESTS,
    keywords={word: word for word in _RUSSIAN_KEYWORDS},
)
_RUSSIAN = Tokens(
    strains={"s": "п", "c": "т", "d": "б", "h": "ч", "n": "бк"},
    calls=_RUSSIAN_CALLS,
    allpass="р",
    misere="м",
    over_misere="/м",
    dests=_RUSSIAN_DESTS,
    keywords=_RUSSIAN_KEYWORDS,
)
_SHOWN = {
    ("en", True): CANONICAL._replace(strains=_SIGNS),
    ("en", False): CANONICAL,
    ("ru", True): _RUSSIAN._replace(strains={**_SIGNS, "n": "бк"}),
    ("ru", False): _RUSSIAN,
}


def shown(signs: bool) -> Tokens:
    """Return how people in the language in use write deals, suits as signs or as letters."""
    return _SHOWN[language(), signs]


def calls_text(calls: str) -> str:
    """Return the defenders' calls as people in the language in use type them: wp, вп."""
    letters = shown(signs=False).calls
    return "".join(letters[call] for call in calls)


def line(event: Event, players: Sequence[str], tokens: Tokens = CANONICAL) -> str:
    """Return the line of `event` with the names of those seated; reading it gives the event."""
    words = tokens.keywords
    match event:
        case DealPlayed():
            text = _deal(event.deal, players, tokens)
            return f"{text} {words['irregular']} {quoted(event.irregular)}" if event.irregular else text
        case Fine() | Adjustment():
            keyword = words["fine"] if isinstance(event, Fine) else words["adjust"]
            account = words[event.account]
            if event.account == "whists":
                several = len(event.writers) > 1
                account += " " + (words["all"] if several else _word(players[event.writers[0]]))
            return f"{keyword} {_word(players[event.seat])} {event.amount} {account}" + _optional(
                event.reason
            )
        case DealerNamed():
            return f"{words['dealer']} {_word(players[event.seat])}" + _optional(event.reason)
        case Substitution():
            seat, name = _word(players[event.seat]), quoted(event.name)
            return f"{words['seat']} {seat} {name}" + _optional(event.reason)
        case Stop():
            final = f" {words['final']}" if event.final else ""
            return words["stop"] + final + _optional(event.reason)
        case Agreement():
            return words["agree"] + _optional(event.note)
        case Note():
            return f"{words['note']} {quoted(event.text)}"
        case _:
            assert_never(event)


def _deal(deal: Deal, players: Sequence[str], tokens: Tokens) -> str:
    match deal:
        case Contract():
            bid = bid_text(deal, tokens)
            calls = "".join(tokens.calls[call] for call in deal.calls)
            tricks = " " + "/".join(map(str, deal.tricks)) if deal.tricks else ""
            dest = _dest(deal.dest, not deal.tricks or deal.tricks[0] >= deal.level, tokens)
            return f"{_word(players[deal.declarer])} {bid} {calls}{tricks}{dest}"
        case Misere():
            dest = _dest(deal.dest, deal.tricks == 0, tokens)
            return f"{_word(players[deal.declarer])} {tokens.misere} {deal.tricks}{dest}"
        case AllPass():
            pinned = f"@{deal.pinned}" if deal.pinned is not None else ""
            wishes = [
                f" {_word(players[seat])}{dest.strip()}"
                for seat in SEATS
                if (dest := _dest(deal.dests[seat], deal.tricks[seat] == 0, tokens))
            ]
            return f"{tokens.allpass}{pinned} {'/'.join(map(str, deal.tricks))}{''.join(wishes)}"
        case _:
            assert_never(deal)


def bid_text(deal: Contract, tokens: Tokens) -> str:
    """Return the contract's one word: 7d, 9c/m."""
    return f"{deal.level}{tokens.strains[deal.strain]}{tokens.over_misere if deal.outbid else ''}"


def _dest(dest: Dest | None, writes_pool: bool, tokens: Tokens) -> str:
    """Return the destination as it is written: the pool is left out where it is what is written."""
    if dest is None or (dest == "pool" and writes_pool):
        return ""
    return f" {tokens.dests[dest]}"


@functools.lru_cache(maxsize=256)
def _word(name: str) -> str:
    return name.replace(" ", "_")


def quoted(text: str) -> str:
    """Return `text` in quotes as a game file has it, with \\" and \\\\ for the two special signs."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _optional(text: str) -> str:
    return f" {quoted(text)}" if text else ""
