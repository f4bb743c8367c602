"""What may stand next in a line: seats, contracts legal now, calls, the tricks that are left.

Words are suggested as people in the language in use type them; a word begun in Latin letters is
completed in Latin.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .. import canon, lexer, vocabulary
from ..canon import Tokens
from ..errors import NotationError
from ..model import SEATS, Calls, Seat, defenders
from ..names import Seats, fold
from ..rules import DEALER_TRICKS_MAX, TRICKS
from ..state import State
from .guided import STRAINS
from .preview import legal_calls, plain


class Suggestion(NamedTuple):
    """A word that fits: `text` replaces what has been typed of it; `ends`: a space may follow."""

    text: str
    ends: bool = True


EVENTS = ("fine", "adjust", "dealer", "seat", "stop", "agree", "note")


def suggest(text: str, state: State, commands: Sequence[str] = ()) -> tuple[int, list[Suggestion]]:
    """Return how many characters of the last word are typed, and the words it may become.

    `text` is the line up to the cursor. `commands` are the words that may follow a colon.
    """
    text = plain(text)
    if text.startswith(":") and " " not in text:
        found = [Suggestion(f":{word}") for word in commands if word.startswith(text[1:].lower())]
        return len(text), found
    if text.count('"') % 2:
        return 0, []
    try:
        words = lexer.tokenize(text.removeprefix(":"))[0]
    except NotationError:
        return 0, []
    begun = words.pop() if words and not text[-1:].isspace() else ""
    for tokens in (canon.shown(signs=False), canon.CANONICAL):
        fitting = _next(words, begun, state, tokens)
        found = [one for one in fitting if fold(one.text).startswith(fold(begun))]
        if found:
            break
    return len(begun), found


def _next(words: Sequence[str], begun: str, state: State, tokens: Tokens) -> list[Suggestion]:
    seats = Seats(state.players)
    if not words:
        return _first(begun, state, tokens)
    first = words[0].lower()
    if keyword := vocabulary.EVENTS.find(first):
        return _event(keyword, words, state, tokens)
    if vocabulary.ALLPASS.find(first.partition("@")[0]):
        if len(words) == 1:
            most = [DEALER_TRICKS_MAX if seat == state.dealer else TRICKS for seat in SEATS]
            return _numbers(begun, most)
        return _clean(words, state, tokens, seats)
    if not seats.knows(words[0]):
        return []
    declarer = seats.find(words[0])
    if len(words) == 1:
        return [] if state.due or declarer == state.dealer else _contracts(begun, state, tokens)
    if vocabulary.MISERE.find(words[1]):
        return _after_misere(words, state, tokens)
    bid = vocabulary.contract(words[1])
    return _after_contract(words, begun, state, tokens, declarer, bid) if bid else []


def _first(begun: str, state: State, tokens: Tokens) -> list[Suggestion]:
    """Return what a line begins with; the rarer events only once a letter of theirs is typed."""
    rare = [Suggestion(tokens.keywords[word]) for word in EVENTS] if begun else []
    if state.over:
        return [Suggestion(tokens.keywords[word]) for word in ("agree", "note")]
    if state.due:
        return [Suggestion(tokens.allpass), *rare]
    players = [Suggestion(_word(state, seat)) for seat in SEATS if seat != state.dealer]
    return [*players, Suggestion(tokens.allpass), *rare]


def _word(state: State, seat: Seat) -> str:
    return state.players[seat].replace(" ", "_")


def _contracts(begun: str, state: State, tokens: Tokens) -> list[Suggestion]:
    """Return levels; after a level its five strains; after a nine or ten that may have outbid, /m."""
    levels = [str(level) for level in range(state.min_level, 11)]
    level = next((level for level in levels if begun.startswith(level)), "")
    if not level:
        return [*(Suggestion(level, ends=False) for level in levels), Suggestion(tokens.misere)]
    found = [f"{level}{tokens.strains[strain]}" for strain in STRAINS]
    if int(level) in state.rules.forced_after and len(begun) > len(level):
        found += [f"{text}{tokens.over_misere}" for text in found]
    return [Suggestion(text) for text in found]


def _after_misere(words: Sequence[str], state: State, tokens: Tokens) -> list[Suggestion]:
    if len(words) == 2:
        return [Suggestion(str(taken)) for taken in range(TRICKS + 1)]
    if len(words) == 3 and words[2] == "0" and state.rules.misere_choice:
        return _wishes(tokens)
    return []


def _wishes(tokens: Tokens) -> list[Suggestion]:
    """Return the gora as it is typed: the Russian layout has no @."""
    gora = tokens.dests["gora"]
    return [Suggestion(gora if tokens.allpass == canon.CANONICAL.allpass else gora[1:])]


def _after_contract(
    words: Sequence[str],
    begun: str,
    state: State,
    tokens: Tokens,
    declarer: Seat,
    bid: tuple[int, str, bool],
) -> list[Suggestion]:
    allowed = legal_calls(state, declarer, bid[0], bid[1]) if declarer != state.dealer else []
    if len(words) == 2:
        return [Suggestion("".join(tokens.calls[call] for call in calls)) for calls in allowed]
    calls = vocabulary.calls(words[2])
    if calls is None:
        return []
    if len(words) == 3 and calls not in ("pp", "ph"):
        return _contract_tricks(begun, bid[0], calls)
    is_choice = calls == "pp" and bid[0] in state.rules.unwhisted_choice
    return _wishes(tokens) if len(words) == 3 and is_choice else []


def _contract_tricks(begun: str, level: int, calls: Calls) -> list[Suggestion]:
    """Return likely results first: just made, with over-tricks, then set by one, two …"""
    order = [*range(level, TRICKS + 1), *range(level - 1, -1, -1)]
    if calls != "ww":
        return [Suggestion(f"{taken}/{TRICKS - taken}") for taken in order]
    if "/" not in begun:
        return [Suggestion(f"{taken}/", ends=False) for taken in order]
    return _numbers(begun, [TRICKS, TRICKS, TRICKS])


def _numbers(begun: str, most: Sequence[int]) -> list[Suggestion]:
    """Return the next number of a list of tricks that add up to ten; the last one fills in."""
    parts = begun.split("/")
    if len(parts) > len(most) or not all(part.isdecimal() and len(part) < 3 for part in parts[:-1]):
        return []
    done = [int(part) for part in parts[:-1]]
    left = TRICKS - sum(done)
    head = "".join(f"{part}/" for part in parts[:-1])
    at = len(done)
    if at == len(most) - 1:
        return [Suggestion(f"{head}{left}")] if 0 <= left <= most[at] else []
    low, high = max(0, left - sum(most[at + 1 :])), min(most[at], left)
    if at == len(most) - 2:
        return [Suggestion(f"{head}{taken}/{left - taken}") for taken in range(low, high + 1)]
    return [Suggestion(f"{head}{taken}/", ends=False) for taken in range(low, high + 1)]


def _clean(words: Sequence[str], state: State, tokens: Tokens, seats: Seats) -> list[Suggestion]:
    """Return the wish of each seat that stayed clean and has not said anything yet."""
    tricks = vocabulary.tricks(words[1])
    if tricks is None or len(tricks) != len(SEATS):
        return []
    said = {seats.find(name) for word in words[2:] if seats.knows(name := word.partition("@")[0])}
    return [
        Suggestion(f"{_word(state, seat)}{tokens.dests['gora']}")
        for seat in SEATS
        if not tricks[seat] and seat not in said and (seat != state.dealer or state.rules.dealer_clean)
    ]


def _event(keyword: str, words: Sequence[str], state: State, tokens: Tokens) -> list[Suggestion]:
    """Return what follows the keyword of a fine, an adjustment, a dealer or a substitution."""
    players = [Suggestion(_word(state, seat)) for seat in SEATS]
    if keyword == "stop":
        return [Suggestion(tokens.keywords["final"])] if len(words) == 1 else []
    if keyword in ("agree", "note"):
        return []
    if len(words) == 1:
        return players
    if keyword not in ("fine", "adjust"):
        return []
    if len(words) == 3:
        accounts = ("gora", "whists") if keyword == "fine" else ("pool", "gora", "whists")
        return [Suggestion(tokens.keywords[account]) for account in accounts]
    if len(words) == 4 and vocabulary.ACCOUNTS.find(words[3]) == "whists":
        return [*players, Suggestion(tokens.keywords["all"])]
    return []


def hint(text: str, state: State) -> tuple[str, ...]:
    """Return the names whose calls or tricks come next, for whoever forgot the order: first, second."""
    try:
        words = lexer.tokenize(plain(text))[0]
    except NotationError:
        return ()
    if words and vocabulary.ALLPASS.find(words[0].lower().partition("@")[0]):
        return state.players if len(words) < 3 else ()
    seats = Seats(state.players)
    if len(words) < 2 or not seats.knows(words[0]) or vocabulary.contract(words[1]) is None:
        return ()
    declarer = seats.find(words[0])
    if declarer == state.dealer or len(words) > 4:
        return ()
    pair = tuple(state.players[seat] for seat in defenders(declarer, state.dealer))
    calls = vocabulary.calls(words[2]) if len(words) > 2 else None
    if calls is None:
        return pair
    return (state.players[declarer], *pair) if calls == "ww" else ()
