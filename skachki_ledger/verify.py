"""Whether a whole ledger is as it was written: chains, counts, heads, each fault by game and deal."""

from collections.abc import Sequence
from typing import NamedTuple

from . import corrections, header, journal, journalfile
from .corrections import Amend, Insert, Void
from .errors import SkachkiError
from .events import DealPlayed
from .header import Header
from .i18n import N_, _
from .journal import Draft, Record
from .rules import PRESETS

KINDS = {
    "changed": N_("is not as it was written"),
    "order": N_("does not follow the event before it"),
    "missing": N_("is missing"),
    "newer": N_("was written by a newer version"),
    "unreadable": N_("says nothing that this version can read"),
    "uncounted": N_("was added past what the ledger counted"),
    "head": N_("is not the last one the ledger noted"),
    "unlisted": N_("belongs to a game the ledger does not list"),
    "file": N_("the file itself is damaged"),
    "stranger": N_("is a trigger or view that is not the ledger's"),
    "trigger": N_("is a trigger that has been dropped or changed"),
}
"""What can be wrong, in words that follow "game … event …"."""

_GUESSES_MAX = 1000
_DEAL = Draft("r 3/3/3/1", "")
_NOTE = Draft('note "?"', "")


class LedgerFault(NamedTuple):
    """One thing that is wrong. `game`, `event` and `deal` are "" or 0 where it is the file's."""

    game: str
    event: int
    deal: str
    kind: str
    detail: str = ""

    def message(self) -> str:
        """Return the fault in words, in the language in use."""
        what = _(KINDS[self.kind])
        if not self.game:
            return f"{self.detail}: {what}" if self.detail else what
        deal_place, place = _("game {game}, deal {deal} (e{event})"), _("game {game}, e{event}")
        place = deal_place if self.deal else place
        return f"{place.format(game=self.game, deal=self.deal, event=self.event)} {what}"


def game_faults(
    game_id: str, records: Sequence[Record], count: int | None, head: str, jumps: Sequence[int] = ()
) -> list[LedgerFault]:
    """Return what is wrong with one game's journal; `count` None: the ledger does not list it.

    `jumps` are the events that stand in the file before the one they follow.
    """
    if count is None:
        return [LedgerFault(game_id, records[0].n if records else 0, "", "unlisted")]
    found = [(broken.event, broken.kind) for broken in journal.breaks(game_id, records, count, head)]
    broken = {n for n, _kind in found}
    found += [(n, "order") for n in jumps if n not in broken]
    if not found:
        return [] if _is_readable(records) else [LedgerFault(game_id, 1, "", "unreadable")]
    labels = labels_of(records, max(n for n, _kind in found))
    return [LedgerFault(game_id, n, labels.get(n, ""), kind) for n, kind in sorted(found)]


def _is_readable(records: Sequence[Record]) -> bool:
    """Tell whether what was agreed in a game can be read."""
    try:
        journal.opening(records[0])
    except SkachkiError:
        return False
    return True


def labels_of(records: Sequence[Record], last: int = 0) -> dict[int, str]:
    """Return the label of the deal that each event of a journal is or corrects, as far as can be told.

    Whatever has happened to the records: one that is missing or cannot be read stands for the kind
    of event it most likely was.
    """
    if not records:
        return {}
    last = max(last, records[-1].n)
    if last > 2 * len(records) + _GUESSES_MAX:
        return {}
    by_n = {record.n: record for record in records}
    every = [_legible(by_n.get(n), n) for n in range(1, last + 1)]
    try:
        items = journal.game("", every).items
    except (SkachkiError, ValueError, KeyError, TypeError, IndexError):
        items = journal.game("", [_plain(record) for record in every]).items
    labels = {item.record.n: item.label for item in items if item.label}
    targets = {record.n: _target(record) for record in every[1:]}
    return {n: label for n, label in targets.items() if label} | labels


def _legible(record: Record | None, n: int) -> Record:
    """Return a record that can be read: itself, or one like what it most likely was."""
    if n == 1:
        try:
            if record is not None:
                journal.opening(record)
                return record
        except (SkachkiError, ValueError):
            pass
        head = Header(("A", "B", "C", "D"), 0, PRESETS["piter@1"])
        return _standing_in(Draft("\n".join(header.write(head, every_switch=True)), ""), 1)
    if record is None:
        return _standing_in(_DEAL, n)
    was_deal = record.announced is not None
    if journalfile.unfit(record):
        record = record._replace(announced=None)
    try:
        line = corrections.read(record.payload)
    except SkachkiError:
        return _standing_in(_DEAL if was_deal else _NOTE, n)
    if was_deal and not isinstance(line, DealPlayed | Amend | Insert):
        return _standing_in(_DEAL, n)
    return record


def _standing_in(draft: Draft, n: int) -> Record:
    return journal.chained("", [], [draft], "", "")[0]._replace(n=n)


def _plain(record: Record) -> Record:
    """Return a correction as a note: what it corrects may not be there."""
    if record.n > 1 and isinstance(corrections.read(record.payload), corrections.Correction):
        return _standing_in(_NOTE, record.n)
    return record


def _target(record: Record) -> str:
    """Return the label of the deal that a correction corrects, "" where it names none."""
    line = corrections.read(record.payload)
    named = line.target if isinstance(line, Amend | Void) else ""
    return "" if named.startswith("e") else named


def last_label(records: Sequence[Record], n: int) -> str:
    """Return the label of the last deal played at or before event `n`, "" where there is none."""
    try:
        items = journal.game(records[0].game, records[:n]).items
    except (SkachkiError, ValueError, KeyError, TypeError):
        return labels_of(records).get(n, "")
    labels = [item.label for item in items if item.step and item.label]
    return labels[-1] if labels else ""
