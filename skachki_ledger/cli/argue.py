"""Arguing about a score: `explain`, `register`, `rule-text`, `claim`, `diff`."""

import contextlib
import json
import os
from collections.abc import Sequence
from typing import Annotated, NamedTuple

import typer

from .. import arguing, disputes, gamefile, journal, journalfile, ruletexts, store, vocabulary
from ..arbitration import cells, claims, diff
from ..arbitration.claims import Claim
from ..arguing import Told
from ..canon import CANONICAL
from ..corrections import TARGET
from ..derive import History, derive
from ..errors import Fault, FileError, NotationError, SkachkiError
from ..i18n import N_, _
from ..intake import FaultyLine, admit
from ..journal import Game
from ..names import Seats
from . import ledger, say
from .files import read_text
from .options import Claims, ClaimsFile, ClaimsSheet, Db, GameId, Json, Lang, Suits, tokens
from .words import WordsCommand

HELP = {
    "explain": N_("Why a deal or a cell is what it is, rule by rule."),
    "register": N_("A cell deal by deal with its running total."),
    "rule-text": N_("The words of a rule."),
    "claim": N_("Compare what somebody says with what is computed."),
    "diff": N_("Compare two records of one night."),
}
CLASS = {"claim": WordsCommand}

CLAIMS_MAX = 1_000
"""More lines of claims than any sheet has cells; a file with more is refused before they are read."""

What = Annotated[
    list[str],
    typer.Argument(metavar=_("N | SEAT [ACCOUNT]"), help=_("A deal, or a player's cell.")),
]


def explain_command(
    what: What,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print every entry with its arithmetic, then the words of each rule it came under."""
    shown = tokens(suits)
    current = ledger.read_game(db, game)
    target = vocabulary.label(what[0])
    if len(what) == 1 and TARGET.fullmatch(target):
        told = arguing.record(current, target, shown)
    else:
        told = arguing.cell(current, _cells(what, current.history.seats))
    _show(current, told, as_json)


def _show(current: Game, told: Told, as_json: bool) -> None:
    if as_json:
        from ..render import jsonout

        rules = [arguing.rule_json(rule, current) for rule in told.rules]
        value = {"format": "skachki-explain/1", "entries": told.rows, "rules": rules, **told.more}
        print(jsonout.dump(value))
        return
    lines = [told.title, *(f"  {line}".rstrip() for line in told.lines)]
    for rule in told.rules:
        lines += ["", *arguing.rule_lines(rule, current, say.columns())]
    say.tell("\n".join(lines))


def _cells(words: Sequence[str], seats: Seats) -> list[cells.Cell]:
    """Return the cell the words name, or all that a seat has written, where it is named alone."""
    if len(words) > 1:
        return [cells.read(words, seats)]
    seat = seats.find(words[0])
    others = [on for on in range(4) if on != seat]
    return [
        cells.Cell(seat, "pool"),
        cells.Cell(seat, "gora"),
        *(cells.Cell(seat, "whists", on) for on in others),
    ]


def register_command(
    seat: Annotated[str, typer.Argument(metavar=_("SEAT"), help=_("The player."))],
    account: Annotated[
        list[str],
        typer.Argument(metavar=_("ACCOUNT"), help=_("pool, gora, net, or whists and a player.")),
    ],
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print the cell's entries with the running total, and the paper's dotted line."""
    current = ledger.read_game(db, game)
    cell = cells.read([seat, *account], current.history.seats)
    told = arguing.register(current, cell)
    _show(current, told, as_json)


def rule_text_command(
    rule: Annotated[str, typer.Argument(metavar="ID", help=_("A rule's id, as whist.short."))],
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Print a rule's words, its source and the switches that decide it."""
    found = ruletexts.rule_text(rule.strip().lower())
    if found is None:
        raise NotationError(Fault("E420", -1, {"word": rule[:60], "rules": ruletexts.nearest(rule)}))
    if as_json:
        from ..render import jsonout

        value = {"format": "skachki-rule/1", **arguing.rule_json(rule.strip().lower())}
        print(jsonout.dump(value))
        return
    say.tell("\n".join(arguing.rule_lines(rule.strip().lower(), None, say.columns())))


def claim_command(
    said: Claims = None,
    file: ClaimsFile = None,
    sheet: ClaimsSheet = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Print claimed, computed, difference and the entries behind each; exit 1 if any is off."""
    current = ledger.read_game(db, game)
    told = read_claims(current, said or [], file, sheet, as_json)
    if not told:
        return 1
    answers = [claims.answer(current.history, claim) for claim in told]
    if as_json:
        from ..render import jsonout

        rows = [disputes.answer_json(current, answer) for answer in answers]
        print(jsonout.dump({"format": "skachki-claim/1", "claims": rows}))
    else:
        from ..render import text

        say.tell(text.report(disputes.answers(current, answers), columns=say.columns()).lstrip("\n"))
    return 0 if all(answer.ok for answer in answers) else 1


def read_claims(
    current: Game, said: Sequence[str], file: str | None, sheet: str | None, as_json: bool
) -> list[Claim]:
    """Return the claims of the command line, a file of lines and a standing's JSON.

    None at all where a line of the file is no claim; then its faults are said, one message a line. Raises
    NotationError (E416–E418, E421), FileError.
    """
    in_file, faulty = _from_file(current, file)
    if faulty:
        say.faulty_lines(file or "", faulty, as_json)
        return []
    return _claims(current, said, in_file, sheet)


def _claims(current: Game, said: Sequence[str], in_file: Sequence[Claim], sheet: str | None) -> list[Claim]:
    found = [*(_claim(current, text) for text in said), *in_file]
    if sheet is not None:
        try:
            value = json.loads(read_text(sheet))
        except (ValueError, RecursionError):
            raise NotationError(Fault("E418")) from None
        if not isinstance(value, dict):
            raise NotationError(Fault("E418"))
        found += claims.from_sheet(value, current.history.state.players)
    if not found:
        raise NotationError(Fault("E421"))
    return found


def _claim(current: Game, text: str) -> Claim:
    """Return a claim; the names are of those who sat there at the time it is about."""
    label, semester = claims.after_label(text), claims.semester_of(text)
    history = current.history.until(label) if label else current.history
    if semester:
        history = history._replace(
            steps=tuple(taken for taken in history.steps if taken.semester <= semester)
        )
    try:
        return claims.read(text, history.seats)
    except NotationError:
        if not semester:
            raise
        with contextlib.suppress(NotationError):  # a sheet names the column by who sits there now
            return claims.read(text, current.history.seats)
        raise


def _from_file(current: Game, file: str | None) -> tuple[list[Claim], list[FaultyLine]]:
    """Return the claims of a file, one a line, and the lines that are none; ; and # begin a remark."""
    found: list[Claim] = []
    faulty: list[FaultyLine] = []
    lines = read_text(file).splitlines() if file is not None else []
    if len(lines) > CLAIMS_MAX:
        raise FileError(Fault("E142", -1, {"limit": CLAIMS_MAX}))
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line or line[0] in ";#":
            continue
        try:
            claim = _claim(current, line)
            claims.answer(current.history, claim)
        except SkachkiError as error:
            faulty.append(FaultyLine(number, (1,) * len(error.faults), error.faults))
        else:
            found.append(claim)
    return found, faulty


def diff_command(
    first: Annotated[
        str,
        typer.Argument(metavar=_("FILE|GAME"), help=_("A game file, a journal, or a game's id.")),
    ],
    second: Annotated[
        str | None, typer.Argument(metavar=_("[GAME]"), help=_("Default: the current game."))
    ] = None,
    suits: Suits = "signs",
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Print the differences with each one's effect on the nets; exit 1 if there are any."""
    shown = tokens(suits)
    left = _record(first, db, as_json)
    right = ledger.read_game(db, game) if second is None else _record(second, db, as_json)
    if left is None or right is None:
        return 1
    old, new = left.history, right.history
    found = diff.differences(old, new, CANONICAL if as_json else shown)
    if as_json:
        from ..render import jsonout

        rows = [disputes.diff_json(row) for row in found]
        print(jsonout.dump({"format": "skachki-diff/1", "rows": rows}))
    elif found:
        names = (first, right.id if second is None else second)
        say.tell("\n".join(disputes.diff_lines(names, found, old.state.players, diff.total(old, new))))
    else:
        say.tell(_("the two records agree"))
    return 1 if found else 0


class _Record(NamedTuple):
    """A record to compare: where it is a ledger's, its id."""

    id: str
    history: History


def _record(word: str, db: str | None, as_json: bool) -> _Record | Game | None:
    """Return the record a word names: a file where there is one, else a game of the ledger.

    The faults of a game file are said. One that lacks a deal may well have some: the wrong players deal
    from there on. None where a line cannot be read.
    """
    if word != "-" and not os.path.exists(word):
        if "." in word or os.sep in word:
            read_text(word)  # refuses it
        with store.reading(ledger.path(db)) as connection:
            return ledger.load(connection, word)
    text = read_text(word)
    if journalfile.is_journal(text):
        records = journalfile.read(text)
        return journal.game(records[0].game, records)
    file = gamefile.read(text)
    taken = admit(file)
    say.say_retyped(word, taken, as_json)
    if taken.history is not None:
        return _Record("", taken.history)
    say.faulty_lines(word, taken.faulty, as_json)
    events = [line.event for line in file.lines if line.event is not None]
    if file.header is None or file.faults or len(events) < len(file.lines):
        return None
    return _Record("", derive(file.header, events))
