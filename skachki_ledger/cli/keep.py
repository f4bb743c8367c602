"""Keeping a ledger: `verify`, `backup`, `restore`, `merge`, `recover`."""

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from typing import Annotated

import typer

from .. import carve, journal, store, verify
from ..errors import Fault, FileError, LedgerError
from ..i18n import N_, _, ngettext
from ..verify import LedgerFault
from . import ledger
from .options import Db, GameId, Json, Lang
from .say import refusal

HELP = {
    "verify": N_("Check that the whole ledger is as written."),
    "backup": N_("Write a verified copy of the ledger."),
    "restore": N_("Put a backup in the ledger's place."),
    "merge": N_("Take in the games of another ledger."),
    "recover": N_("Save what is readable of a damaged ledger."),
}
HEAD_LENGTH_MIN = 12

New = Annotated[str, typer.Option("-o", metavar="NEW", help=_(N_("The new ledger; none is overwritten.")))]


def verify_command(
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HASH", help=_(N_("A head noted before, 12 digits or more."))),
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
    with store.reading(ledger.path(db)) as connection:
        only = store.find(connection, game) if game else None
        faults += [LedgerFault("", 0, "", kind, name) for name, kind in store.strangers(connection).items()]
        faults += [LedgerFault("", 0, "", "file", row) for row in store.damage(connection)]
        ids = store.all_game_ids(connection)
        for game_id in _progress(ids):
            records = store.raw_records(connection, game_id)
            stored = store.noted(connection, game_id)
            count, last = (stored.events, stored.head) if stored else (None, "")
            faults += verify.game_faults(game_id, records, count, last)
            if head is not None and only in (None, game_id) and found is None:
                found = _head_in(game_id, records, head.lower())
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
    with typer.progressbar(ids, file=sys.stderr, label=_(N_("games"))) as bar:
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
        print(fault.message())
    if not faults:
        print(
            ngettext("{n} game is as it was written", "{n} games are as they were written", games).format(
                n=games
            )
        )
    if head is None:
        return
    if found is None:
        print(_(N_("the head {head} is of no state of these games")).format(head=head))
    elif found[0] == "present":
        print(_(N_("the head {head} is game {game} as it stands")).format(head=head, game=found[1]))
    else:
        text = _(N_("the head {head} is game {game} after deal {deal}: it has gone on since"))
        print(text.format(head=head, game=found[1], deal=found[2] or "0"))


def backup_command(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help=_(N_("Where to; default beside it.")))
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
    print(back_up(path, file or _free_name(path, "")))


def _free_name(path: str, why: str) -> str:
    """Return a name beside the ledger with today's date that is not taken."""
    stem, suffix = os.path.splitext(path)
    name = f"{stem}-{why}{time.strftime('%Y-%m-%d')}"
    number, free = 1, f"{name}{suffix}"
    while os.path.lexists(free):
        number += 1
        free = f"{name}-{number}{suffix}"
    return free


def back_up(path: str, target: str) -> str:
    """Write a verified copy of the ledger to a new file and return its name.

    Raises LedgerError (E324, E329, E316).
    """
    if os.path.lexists(target):
        raise LedgerError(Fault("E324", -1, {"path": target}))
    part = f"{target}.part-{os.getpid()}"
    try:
        store.copy(path, part)
        with store.reading(part) as connection:
            for game_id in store.all_game_ids(connection):
                store.records(connection, game_id)
        os.link(part, target)  # unlike a rename this never replaces anything
    except FileExistsError:
        raise LedgerError(Fault("E324", -1, {"path": target})) from None
    except OSError as error:
        raise LedgerError(Fault("E329", -1, {"path": target, "why": error.strerror})) from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)
    return target


def restore_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=_(N_("The backup.")))],
    force: Annotated[
        bool, typer.Option("--force", help=_(N_("Also where the ledger has more; it is kept beside.")))
    ] = False,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> None:
    """Put a backup in the ledger's place: at once where it has all the ledger has, else with --force."""
    path = ledger.path(db)
    with store.reading(file) as backup:
        _check_all(backup)
        if os.path.lexists(path) and not force:
            _restore_onto(path, backup)
            return
    if os.path.lexists(path):
        kept = _free_name(path, "replaced-")
        back_up(path, kept)
        print(_(N_("the old ledger is kept as {path}")).format(path=kept), file=sys.stderr)
    store.copy(file, path)


def _check_all(connection: sqlite3.Connection) -> None:
    for game_id in store.all_game_ids(connection):
        store.records(connection, game_id)


def _restore_onto(path: str, backup: sqlite3.Connection) -> None:
    """Add to the ledger what the backup has beyond it; refuse where the ledger has more (E333)."""
    with store.writing(path) as connection:
        for game_id in store.all_game_ids(connection):
            old = store.records(connection, game_id)
            new = store.raw_records(backup, game_id)
            if [r.hash for r in new[: len(old)]] != [r.hash for r in old]:
                raise LedgerError(Fault("E333", -1, {"path": path, "game": game_id}))
        for game_id in store.all_game_ids(backup):
            store.take_in(connection, store.raw_records(backup, game_id))
        store.make_current(connection, store.current(backup))


def merge_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=_(N_("The other ledger.")))],
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Take in every game of another ledger; one that went another way is refused by name."""
    failed = 0
    with store.reading(file) as other, store.writing(ledger.path(db)) as connection:
        for game_id in store.all_game_ids(other):
            try:
                records = store.records(other, game_id)
                new = store.take_in(connection, records)
            except LedgerError as error:
                failed = refusal(error.faults, as_json)
                continue
            if not as_json:
                print(_merged(game_id, len(records), new))
    return failed


def _merged(game_id: str, total: int, new: int) -> str:
    if new == 0:
        return _(N_("{game}: already here")).format(game=game_id)
    if new == total:
        return _(N_("{game}: taken in")).format(game=game_id)
    text = ngettext("{game}: {n} event more", "{game}: {n} events more", new)
    return text.format(game=game_id, n=new)


def recover_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=_(N_("The damaged ledger.")))],
    output: New,
    as_json: Json = False,
    lang: Lang = None,
    db: Db = None,
    game: GameId = None,
) -> int:
    """Write each readable game up to its first damaged event into a new ledger; say what is lost."""
    if os.path.lexists(output):
        raise LedgerError(Fault("E324", -1, {"path": output}))
    with contextlib.suppress(LedgerError), store.reading(file):
        pass  # opening it lets SQLite roll back what a killed writer left
    saved = carve.salvage(_bytes(file))
    whole = {game_id: found for game_id, found in saved.items() if found.records}
    if not whole:
        raise LedgerError(Fault("E334", -1, {"path": file}))
    with store.writing(output, create=True) as connection:
        for found in whole.values():
            store.write(connection, found.records, begins=True)
        store.make_current(connection, list(whole)[-1])
    listed = _listed_counts(file)
    for game_id in sorted(saved.keys() | listed.keys()):
        print(_saved(game_id, saved.get(game_id), listed.get(game_id)))
    return 0


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise FileError(Fault("E307", -1, {"why": error.strerror})) from None


def _listed_counts(path: str) -> dict[str, int]:
    """Return how many events the damaged ledger itself says each game had, as far as it can be read."""
    try:
        with store.reading(path) as connection:
            return {stored.id: stored.events for stored in store.listed(connection)}
    except LedgerError:
        return {}


def _saved(game_id: str, found: carve.Salvage | None, listed: int | None) -> str:
    saved = len(found.records) if found else 0
    beyond = max((listed or 0) - saved, found.beyond if found else 0)
    text = ngettext("{game}: {n} event saved", "{game}: {n} events saved", saved).format(
        game=game_id, n=saved
    )
    if beyond:
        lost = ngettext("{n} event lost after that", "{n} events lost after that", beyond).format(n=beyond)
        text = f"{text}, {lost}"
    elif listed is None:
        text = f"{text}, " + _(N_("whether more followed cannot be read"))
    return text
