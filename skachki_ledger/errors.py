"""What can be wrong, as data: stable codes, the rule behind each, and the words for people.

Families: E1xx the text is not the language of docs/notation.md, E2xx the deal is not possible now,
E3xx the file. Anything else that goes wrong is a bug and shows a traceback.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .i18n import N_, _


class Code(NamedTuple):
    """The rule a refusal follows (None where it is only form) and its text with {places}."""

    rule: str | None
    text: str


CODES: dict[str, Code] = {
    # E10x–E12x: one line
    "E101": Code(None, N_("nothing to read here")),
    "E102": Code(None, N_("{word!r} is none of the players ({players})")),
    "E103": Code(None, N_("{word!r} may be {players}: write more letters or the seat number")),
    "E104": Code(
        None,
        N_("{word!r} is no contract: level 6–10 and strain in one word (s c d h n), as 7d; or m, a misère"),
    ),
    "E105": Code(
        None,
        N_("{word!r} is no pair of calls: one of ww wp pw pp ph wh, the defenders in clockwise order"),
    ),
    "E106": Code(None, N_("{word!r} is no list of tricks: expected {expected}")),
    "E107": Code(None, N_("tricks are missing: expected {expected}")),
    "E108": Code("game.unwhisted", N_("nobody played this deal: no tricks are written after {calls}")),
    "E109": Code(
        "allpass.forced", N_("only a nine or a ten can outbid a misère: no /m after level {level}")
    ),
    "E110": Code(None, N_("the tricks add up to {total}, not to 10: {off} missing")),
    "E111": Code(None, N_("the tricks add up to {total}, not to 10: {off} too many")),
    "E112": Code(None, N_("{word!r} is no destination: @p (pool) or @g (gora)")),
    "E113": Code(None, N_("{word!r} is one word too many: expected {expected}")),
    "E114": Code(
        "game.no-concession",
        N_("a game is not left 'without three, without whists': write the tricks each side took"),
    ),
    "E115": Code(None, N_('a reason or text is required here: "…"')),
    "E116": Code(None, N_("{word!r} is no amount: expected {expected}")),
    "E117": Code(None, N_("nobody writes whists on himself: {seat}")),
    "E118": Code(None, N_("{word!r} is no account: expected {expected}")),
    "E119": Code(None, N_("typed in the other keyboard layout this may be {readings}: type it again")),
    "E120": Code(None, N_("{word!r} may be {meanings}: the letters look alike, type it again")),
    "E121": Code(None, N_('a quote is not closed: expected " before the end of the line')),
    "E122": Code(None, N_("{word!r} cannot be a name: {why}")),
    "E123": Code(None, N_("{name} is already at the table: two players may not have equal names")),
    "E124": Code(
        "correction",
        N_("{word!r} is no line of a game: correct a ledger with skachki {word}"),
    ),
    "E125": Code(None, N_("the text is too long: at most {limit} characters")),
    "E126": Code(
        None, N_("a text holds no control, invisible or bidirectional characters and no line breaks")
    ),
    "E127": Code(None, N_("a word is missing: expected {expected}")),
    "E128": Code(None, N_("{seat} has two destinations: one is enough")),
    "E145": Code(None, N_("{word!r} came as one word: leave the quotes around the line out")),
    # E13x: the game file
    "E130": Code(None, N_('this is no tag: expected [Name "value"]')),
    "E131": Code(None, N_("the tag {tag} stands here a second time")),
    "E132": Code(None, N_('the tag Players is missing: [Players "four names, with commas"]')),
    "E133": Code(None, N_("Players has {count} names: this game is for four")),
    "E134": Code(None, N_("{word!r} is no preset: one of {presets}")),
    "E135": Code(None, N_('{word!r} is no switch: expected "switch = value", see skachki rules')),
    "E136": Code(None, N_("{switch} cannot be {word!r}, only {allowed}")),
    "E137": Code(None, N_("the switch {switch} is set a second time")),
    "E138": Code(None, N_("{word!r} is no date: expected YYYY-MM-DD")),
    "E139": Code(None, N_("{word!r} is no stake: expected money per whist and a currency, as 0.50 RUB")),
    "E140": Code(None, N_("tags stand before the first deal")),
    "E141": Code(None, N_("this is deal {expected}, its line says {number}")),
    "E142": Code(None, N_("the file is too long: at most {limit} lines")),
    "E143": Code(None, N_("only deals are numbered: leave {number} out")),
    # E2xx: the deal is not possible now
    "E201": Code("deal.rotation", N_("{seat} deals, and the dealer never plays")),
    "E202": Code(
        "allpass.opening",
        N_("a semester's first deal is the opening all-pass: r and the four seats' tricks"),
    ),
    "E203": Code(
        "allpass.hard-exit",
        N_("the all-pass is open since deal {since}: the lowest contract is {level}"),
    ),
    "E204": Code("allpass.tricks", N_("{seat} deals: the dealer takes at most 2 tricks, not {tricks}")),
    "E205": Code("whist.stalingrad", N_("six spades is whisted by both: the calls are ww")),
    "E206": Code("whist.half", N_("half a whist is only for a six or a seven")),
    "E207": Code("whist.half", N_("half a whist is switched off in this game (half_whist = no)")),
    "E208": Code(
        "game.unwhisted",
        N_("an unwhisted {level} goes to the pool: only {levels} may be written off the gora"),
    ),
    "E209": Code("misere.made", N_("a made misère goes to the pool (misere_choice = no)")),
    "E210": Code("game.made", N_("a whisted game goes to the pool: there is nothing to choose")),
    "E211": Code(
        "whist.half",
        N_("a game left for half a whist goes to the pool: there is nothing to choose"),
    ),
    "E212": Code("allpass.forced", N_("an all-pass at {price} is due here: r and the four seats' tricks")),
    "E213": Code("whist.stalingrad", N_("six spades is whisted by one at least")),
    "E214": Code("game.set", N_("{seat} has nothing to choose here: leave the destination out")),
    "E215": Code("game.length", N_("the game is over: only note and agree may follow")),
    "E216": Code("settle.early", N_("the game was stopped: only note and agree may follow")),
    "E220": Code(
        "deal.fact",
        N_(
            "{dealer} dealt, by the rotation it was {turn}'s turn: if {turn} did deal, amend it with "
            "--dealer {turn}"
        ),
    ),
    "E221": Code(
        "price.pinned",
        N_(
            "the table played the all-pass at {announced}, it counts at {derived}: "
            "amend it with r@{announced} if {announced} was really played"
        ),
    ),
    "E222": Code("semester.end", N_("recorded in semester {announced}, it counts in semester {derived}")),
    # E30x: a text file
    "E301": Code(None, N_("no such file")),
    "E302": Code(None, N_("this is a directory, not a game file")),
    "E303": Code(None, N_("this file may not be read: no permission")),
    "E304": Code(None, N_("this is no text: a game file is UTF-8 text")),
    "E305": Code(None, N_("this looks like CP1251: save the file as UTF-8 and try again")),
    "E306": Code(None, N_("the file is too large: at most {limit} bytes")),
    "E308": Code(None, N_("this is an SQLite file: skachki export writes a game file from a ledger")),
    "E307": Code(None, N_("cannot read it: {why}")),
    "E310": Code(None, N_("there is no ledger at {path}: skachki new makes one, --db FILE names another")),
    "E311": Code(None, N_("{path} is not a ledger of this program")),
    "E312": Code(None, N_("{path} is a directory, not a ledger")),
    "E313": Code(None, N_("{path} may not be opened: no permission")),
    "E314": Code(None, N_("this was written by a newer version of the program: update skachki-ledger")),
    "E315": Code(None, N_("another program is writing to {path}: try again in a moment")),
    "E316": Code(
        None,
        N_("game {game} is damaged: event {event} is not as written; recover saves what precedes it"),
    ),
    "E317": Code(None, N_("{path} holds a trigger or view that is not the ledger's: {name}")),
    "E318": Code(None, N_("there is no game {word!r}: skachki games lists them")),
    "E319": Code(None, N_("the ledger has no game yet: skachki new begins one")),
    "E320": Code(None, N_("you saw {expected} deals, since then there are {count} more; the last: {came}")),
    "E321": Code(None, N_("the id {word!r} belongs to another line: {line}")),
    "E322": Code(None, N_("there is nothing to undo")),
    "E323": Code(None, N_("there is nothing to redo")),
    "E324": Code(None, N_("{path} exists already: nothing is overwritten")),
    "E325": Code(None, N_("{word!r} may be several games: {games}")),
    "E326": Code(None, N_("line {line} is no event of a journal export: {why}")),
    "E327": Code(
        None, N_("game {game} went another way in this ledger from event {event} on: nothing was taken")
    ),
    "E328": Code(None, N_("{path} cannot be used: {why}")),
    "E329": Code(None, N_("{path} cannot be written: {why}")),
    "E330": Code(None, N_("deals in this game: {count}, not {expected}")),
    "E331": Code(None, N_("{word!r} is no number of deals")),
    "E332": Code(None, N_("{path} is damaged: skachki recover FILE -o NEW saves what can be read")),
    "E333": Code(
        None,
        N_("{path} has events of game {game} the backup lacks: --force replaces it and keeps the old one"),
    ),
    "E334": Code(None, N_("nothing in {path} can be read as a ledger's record")),
    "E336": Code(None, N_("the trigger {name} of {path} was dropped or changed: nothing is written to it")),
    "E337": Code(None, N_("{path} is a symbolic link to a file that is not there")),
    "E338": Code(None, N_("{path} is this ledger itself")),
    "E339": Code(
        None,
        N_(
            "{path} was left in the middle of a write: to read it, the file and its folder "
            "must be writable, so that the write can be rolled back"
        ),
    ),
    "E335": Code(
        None, N_("no game is the current one: skachki use ID makes one so, skachki games lists them")
    ),
    # E4xx: what was asked for
    "E401": Code(None, N_("there is no deal {label}: the last one is {last}")),
    "E402": Code(None, N_("{word!r} is no language: ru or en")),
    "E403": Code(None, N_("{word!r} is no way to show suits: letters or signs")),
    "E404": Code(None, N_("{word!r} is no format: one of {allowed}")),
    "E407": Code(None, N_("{word!r} is no deal or event: a label as 12 or 12a, or a place as e14")),
    "E408": Code("correction", N_("there is no {target} in this game")),
    "E409": Code("correction", N_("{target} no longer counts: there is nothing to correct")),
    "E410": Code("deal.fact", N_("only a deal has a dealer: leave --dealer out")),
    "E411": Code(
        "correction", N_("the game went on meanwhile, nothing is written: {came}. You had typed: {typed}")
    ),
    "E412": Code(
        "correction",
        N_("{why}: --reopen takes it up again"),
    ),
    "E413": Code(None, N_("nothing is written")),
    "E414": Code(None, N_("nothing is written: add --yes where nobody can be asked")),
    "E406": Code(None, N_("{word!r} is no head: 12 to 64 digits 0–9, a–f")),
    "E415": Code(
        None, N_("{word!r} is no cell: a player and pool, gora, net, or whists and another player")
    ),
    "E416": Code(
        None,
        N_(
            '{word!r} is no claim: expected a cell and a number, in quotes, as "Anna gora 24" or '
            '"Boris net ~-120" (~: within 1)'
        ),
    ),
    "E417": Code(
        "settle.net", N_("whists and nets run through the whole game: no semester goes with them")
    ),
    "E418": Code(None, N_("this is no standing's JSON: expected what standing --json prints")),
    "E419": Code("game.length", N_("there is no semester {semester}: the game is in semester {count}")),
    "E420": Code(None, N_("there is no rule {word!r}; there are: {rules}")),
    "E422": Code(
        None,
        N_("{word!r} is no question: expected deal N and a line, without N, rule switch=value, or rules"),
    ),
    "E423": Code(None, N_("{word!r} is no number of slips")),
    "E421": Code(None, N_('nothing is claimed: expected claims as "Anna gora 24"')),
    "E430": Code(
        "correction",
        N_("{target} is no deal or event but a record about them: undo takes a correction back"),
    ),
    "E431": Code(
        "correction",
        N_("the table agreed up to here (e{event}), corrected since by {later}: compare, and agree again"),
    ),
    "E432": Code(
        "correction",
        N_("{name} took that seat after the game's end: void that line before this one is renamed"),
    ),
    "E433": Code(
        "deal.fact",
        N_("{label} is a deal: that {dealer} dealt it is said by amend {label} --dealer {dealer}"),
    ),
    "E434": Code(
        None, N_("the two records have too little in common to be laid side by side: {count} lines")
    ),
    "E440": Code(
        None,
        N_("PDF and PNG need typst: pip install 'skachki-ledger[pdf]'; the HTML prints the same"),
    ),
    "E405": Code(
        None, N_("the output could not be written: {why}; look at the log before you repeat what records")
    ),
    "E450": Code(None, N_("this needs a terminal; elsewhere skachki deal records and status shows")),
}


QUOTED_MAX = 1000
"""No message quotes more of what somebody typed."""
_NO_ARGS: Mapping[str, object] = MappingProxyType({})


LIFTABLE = frozenset(("E202", "E203", "E204", "E205", "E206", "E207", "E212", "E213"))
"""What a table may really have played against the rules: `irregular "reason"` records it."""


DEALERS = frozenset(("E201", "E204"))
"""What is often said of a deal because somebody else dealt it."""


class Fault(NamedTuple):
    """One thing that is wrong: its code, the `part` of the line it sits in, the words it needs.

    `part` is the index of a word of the line, or a name that `notation.part_index` finds
    ("declarer", "contract", "calls", "tricks", "dest", "dest2" of an all-pass's third seat); "line"
    is where the line begins, -1 where it ends.
    """

    code: str
    part: int | str = -1
    args: Mapping[str, object] = _NO_ARGS
    by: str | None = None
    """The rule in this case, where it is not the code's usual one."""

    @property
    def rule(self) -> str | None:
        """Return the id of the rule this refusal follows, or None."""
        return self.by or CODES[self.code].rule

    def message(self) -> str:
        """Return the text for people, in the language in use, with the rule id."""
        args = {
            name: f"{value[:QUOTED_MAX]}…" if isinstance(value, str) and len(value) > QUOTED_MAX else value
            for name, value in self.args.items()
        }
        text = _(CODES[self.code].text).format(**args)
        return f"{text} ({self.rule})" if self.rule else text


def told(faults: Sequence[Fault]) -> str:
    """Return all faults as one message, with the way out where a table may really have played so."""
    message = "; ".join(fault.message() for fault in faults)
    if all(fault.code in LIFTABLE for fault in faults):
        message += "; " + _('if it was really played so, add irregular "reason"')
    if any(fault.code in DEALERS for fault in faults):
        message += "; " + _("if somebody else dealt: dealer NAME first, or --dealer in a correction")
    return message


class SkachkiError(Exception):
    """A refusal that is shown to the user as one message; the program exits 1."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*faults)
        self.faults = faults

    def __str__(self) -> str:
        return "; ".join(fault.message() for fault in self.faults)


class NotationError(SkachkiError):
    """The text is not the language of docs/notation.md."""


class IllegalEventError(SkachkiError):
    """The event is not possible in the game as it now stands."""


class FileError(SkachkiError):
    """A file cannot be used; `path` is its name, where the message does not say it."""

    path = ""


class LedgerError(SkachkiError):
    """A ledger cannot be used, or not as was asked."""
