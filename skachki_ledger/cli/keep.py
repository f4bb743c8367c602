"""Keeping a ledger: `verify`, `backup`, `restore`, `merge`, `recover`."""

import contextlib
import os
import sqlite3
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from .. import carve, journal, journalfile, schema, store, verify
from ..errors import Fault, LedgerError
from ..i18n import N_, _, ngettext
from ..names import shown
from ..verify import LedgerFault
from . import ledger
from .options import Db, GameId, Json, Lang
from .say import aside, refusal, tell

HELP = {
    "verify": N_("Check that the whole ledger is as written."),
    "backup": N_("Write a verified copy of the ledger."),
    "restore": N_("Put a backup in the ledger's place."),
    "merge": N_("Take in the games of another ledger."),
    "recover": N_("Save what is readable of a damaged ledger."),
}
HEAD_LENGTH_MIN = 12
_REPLACEABLE = ("E310", "E314", "E317", "E332", "E336")
"""What may be wrong with a ledger that `restore --force` puts aside; a file of another kind it does not."""

New = Annotated[str, typer.Option("-o", metavar=_("NEW"), help=_("The new ledger; none is overwritten."))]


def verify_command(
    head: Annotated[
        str | None,
        typer.Option("--head", metavar=_("HASH"), help=_("A head noted before, 12 digits or more.")),
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Print every fault by game and deal; exit 1 if there is one or the head is nowhere found."""
    if head is not None and not _is_head(head):
        raise LedgerError(Fault("E406", -1, {"word": head[:80]}))
    faults: list[LedgerFault] = []
    found: tuple[str, str, str] | None = None
    path = ledger.path(db)
    with store.reading(path) as connection:
        only = store.find(connection, game) if game else None
        strangers = schema.shape(path, connection).strangers
        faults += [LedgerFault("", 0, "", kind, schema.visible(name)) for name, kind in strangers.items()]
        connection.text_factory = store.legible
        faults += [LedgerFault("", 0, "", "file", row) for row in store.damage(connection)]
        ids = store.all_game_ids(connection)
        for game_id in _progress(ids):
            records = store.raw_records(connection, game_id)
            stored = store.noted(connection, game_id)
            count, last = (stored.events, stored.head) if stored else (None, "")
            jumps = store.jumps(connection, game_id)
            faults += verify.game_faults(schema.visible(game_id), records, count, last, jumps)
            if head is not None and only in (None, game_id) and found is None:
                found = _head_in(game_id, records, head.lower())
            store.let_others_in(connection)
    state = None if head is None else found[0] if found else "foreign"
    if as_json:
        _print_verified(faults, len(ids), state)
    else:
        _say_verified(faults, len(ids), head, found)
    return 1 if faults or state == "foreign" else 0


def _is_head(word: str) -> bool:
    return HEAD_LENGTH_MIN <= len(word) <= 64 and all(digit in "0123456789abcdefABCDEF" for digit in word)


def _progress(ids: list[str]) -> Iterator[str]:
    """Yield the ids; on a terminal a bar on standard error shows how far it is."""
    if not sys.stderr.isatty() or len(ids) < 100:
        yield from ids
        return
    with typer.progressbar(ids, file=sys.stderr, label=_("games")) as bar:
        yield from bar


def _head_in(game_id: str, records: list[journal.Record], head: str) -> tuple[str, str, str] | None:
    """Return ("present" | "earlier", game, deal) where the head is a record of this game."""
    for record in records:
        if record.hash.startswith(head):
            state = "present" if record is records[-1] else "earlier"
            return state, game_id, verify.last_label(records, record.n)
    return None


def _print_verified(faults: list[LedgerFault], games: int, state: str | None) -> None:
    from ..render import jsonout

    rows = [
        {
            "game": fault.game or None,
            "event": fault.event or None,
            "deal": fault.deal or None,
            "kind": fault.kind,
            "message": fault.message(),
        }
        for fault in faults
    ]
    value = {"format": "skachki-verify/1", "ok": not faults and state != "foreign", "games": games}
    print(jsonout.dump(value | {"faults": rows, "head": state}))


def _say_verified(
    faults: list[LedgerFault], games: int, head: str | None, found: tuple[str, str, str] | None
) -> None:
    for fault in faults:
        tell(fault.message())
    if not faults:
        tell(ngettext("{n} game checked, unaltered", "{n} games checked, unaltered", games).format(n=games))
    if head is None:
        return
    if found is None:
        tell(_("the head {head} is of no state of these games").format(head=head))
    elif found[0] == "present":
        tell(_("the head {head} is game {game} as it stands").format(head=head, game=found[1]))
    else:
        text = _("the head {head} is game {game} after deal {deal}: it has gone on since")
        tell(text.format(head=head, game=found[1], deal=found[2] or "0"))


def backup_command(
    file: Annotated[
        str | None, typer.Argument(metavar=_("[FILE]"), help=_("Where to; default beside it."))
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Copy the ledger page by page as one consistent state, verify the copy, then give it its name."""
    path = ledger.path(db)
    with store.reading(path):
        pass  # refuses what is no ledger
    made = store.back_up(path, file or schema.free_name(path, ""))
    _tell(as_json, "backup", shown(made), file=made)


def _tell(as_json: bool, what: str, text: str, **facts: object) -> None:
    """Print what was done, as a line for people or as JSON."""
    if not as_json:
        tell(text)
        return
    from ..render import jsonout

    print(jsonout.dump({"format": f"skachki-{what}/1", **facts}))


def restore_command(
    file: Annotated[str, typer.Argument(metavar=_("FILE"), help=_("The backup."))],
    force: Annotated[
        bool, typer.Option("--force", help=_("Even if the ledger has more; it is kept beside."))
    ] = False,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Put a backup in the ledger's place: at once where it has all the ledger has, else with --force."""
    path = ledger.path(db)
    kept = None
    with store.reading(file) as backup:
        _refuse_itself(file, path)
        schema.refuse_strangers(file, schema.shape(file, backup).strangers)
        store.check_whole(file, backup)
        if not os.path.lexists(path):
            schema.make_folder(path)
            with schema.new_file(path) as part:
                store.copy(file, part, path)
        elif not force:
            _restore_onto(path, file, backup)
        else:
            kept = _replace(path, file)
    if kept is not None:
        aside(_("the old ledger is kept as {path}").format(path=shown(kept)))
    if as_json:
        _tell(as_json, "restore", "", file=path, kept=kept)


def _refuse_itself(file: str, path: str) -> None:
    """Raise LedgerError (E338) where two names are of one file: it would wait for itself."""
    with contextlib.suppress(OSError, ValueError):
        if os.path.samefile(file, path):
            raise LedgerError(Fault("E338", -1, {"path": file}))


def _restore_onto(path: str, file: str, backup: sqlite3.Connection) -> None:
    """Add to the ledger what the backup has beyond it; refuse where the ledger has more (E333)."""
    with store.writing(path, create=True) as connection:
        for game_id in store.all_game_ids(connection):
            old = store.records(connection, game_id)
            with store.blaming(file):
                new = store.raw_records(backup, game_id)
            if [record.hash for record in new[: len(old)]] != [record.hash for record in old]:
                raise LedgerError(Fault("E333", -1, {"path": path, "game": game_id}))
        for game_id in store.all_game_ids(backup):
            with store.blaming(file):
                new = store.raw_records(backup, game_id)
            store.take_in(connection, new)
        if current := store.current_or_none(backup):
            store.make_current(connection, current)


def _replace(path: str, file: str) -> str:
    """Put a copy of the backup in the ledger's place; return the name under which the old one is kept.

    A ledger too damaged for SQLite, into which nobody can write, becomes that file itself.
    """
    try:
        with store.reading(path):
            pass
    except LedgerError as error:
        if error.faults[0].code not in _REPLACEABLE:
            raise
    real = os.path.realpath(path)
    kept = schema.free_name(real, "replaced-")
    try:
        store.replace(path, file, kept)
    except LedgerError as error:
        if error.faults[0].code != "E332":
            raise
        with schema.part_of(real) as part:
            store.copy(file, part, path)
            schema.swap(real, part, kept)
    return kept


def merge_command(
    file: Annotated[str, typer.Argument(metavar=_("FILE"), help=_("The other ledger."))],
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Take in every game of another ledger; one that went another way is refused by name."""
    taken: list[tuple[str, int, int]] = []
    refused: list[LedgerError] = []
    path = ledger.path(db)
    with store.reading(file) as other:
        _refuse_itself(file, path)
        with store.writing(path) as connection:
            for game_id in store.all_game_ids(other):
                try:
                    with store.blaming(file):
                        records = store.records(other, game_id)
                    if not records:
                        raise LedgerError(Fault("E316", -1, {"game": schema.visible(game_id), "event": 1}))
                    taken.append((game_id, len(records), _take_in(connection, records)))
                except LedgerError as error:
                    refused.append(error)
    for game_id, total, new in taken:  # said only now that it is written
        _tell(as_json, "merge", _merged(game_id, total, new), game=game_id, events=total, new=new)
    return max((refusal(error.faults, as_json) for error in refused), default=0)


def _take_in(connection: sqlite3.Connection, records: list[journal.Record]) -> int:
    """Write what is new of a game; return how much. Raises LedgerError (E316, E327)."""
    head = store.noted(connection, records[0].game)
    if head is not None and head.head == records[-1].hash:
        return 0
    try:
        journalfile.check(records)
    except LedgerError as error:
        args = {"game": schema.visible(records[0].game), "event": error.faults[0].args["line"]}
        raise LedgerError(Fault("E316", -1, args)) from None
    return store.take_in(connection, records)


def _merged(game_id: str, total: int, new: int) -> str:
    if new == 0:
        return _("{game}: already here").format(game=game_id)
    if new == total:
        return _("{game}: taken in").format(game=game_id)
    text = ngettext("{game}: {n} event more", "{game}: {n} events more", new)
    return text.format(game=game_id, n=new)


def recover_command(
    file: Annotated[str, typer.Argument(metavar=_("FILE"), help=_("The damaged ledger."))],
    output: New,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Write each readable game up to its first damaged event into a new ledger; say what is lost."""
    with schema.new_file(output) as part:
        data = _settled_bytes(file)
        saved, counts = carve.salvage(data), carve.counts(data)
        whole = {game_id: found for game_id, found in saved.items() if found.records}
        if not whole:
            raise LedgerError(Fault("E334", -1, {"path": file}))
        with store.writing(part, create=True) as connection:
            for found in whole.values():
                store.write(connection, found.records, begins=True)
            store.make_current(connection, list(whole)[-1])
    for game_id in sorted(saved.keys() | counts.keys()):
        kept = len(saved[game_id].records) if game_id in saved else 0
        known = counts.get(game_id)
        lost = max((known or 0) - kept, saved[game_id].beyond if game_id in saved else 0)
        text = _saved(schema.visible(game_id), kept, lost, known is not None)
        _tell(as_json, "recover", text, game=game_id, saved=kept, lost=lost, counted=known)
    return 0


def _settled_bytes(path: str) -> bytes:
    """Return a file's bytes after what a killed writer left is rolled back – in a copy of it.

    Raises LedgerError (E310–E313, E328, E329, E337).
    """
    import shutil
    import tempfile

    schema.plain_file(path)
    with schema.accessing(path), open(path, "rb") as file:
        data = file.read()
    if not os.path.isfile(f"{path}-journal"):
        return data
    try:
        with tempfile.TemporaryDirectory(prefix="skachki-") as folder:
            copied = os.path.join(folder, "ledger.db")
            shutil.copyfile(path, copied)
            shutil.copyfile(f"{path}-journal", f"{copied}-journal")
            with contextlib.suppress(LedgerError), store.reading(copied):
                pass
            with open(copied, "rb") as file:
                return file.read()
    except OSError as error:
        raise schema.unwritable(tempfile.gettempdir(), schema.why(error)) from None


def _saved(game_id: str, saved: int, lost: int, is_counted: bool) -> str:
    text = ngettext("{game}: {n} event saved", "{game}: {n} events saved", saved).format(
        game=game_id, n=saved
    )
    if lost:
        gone = ngettext("{n} event lost after that", "{n} events lost after that", lost).format(n=lost)
        text = f"{text}, {gone}"
    elif not is_counted:
        text = f"{text}, " + _("whether more followed cannot be read")
    return text
