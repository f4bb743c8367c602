"""Whether a whole ledger is as it was written: chains, counts, heads, each fault by game and deal."""

from collections.abc import Sequence
from typing import NamedTuple

from . import journal
from .errors import SkachkiError
from .events import DealPlayed
from .i18n import N_, _
from .journal import Record

KINDS = {
    "changed": N_("is not as it was written"),
    "order": N_("does not follow the event before it"),
    "missing": N_("is missing"),
    "newer": N_("was written by a newer version"),
    "uncounted": N_("was added past what the ledger counted"),
    "head": N_("is not the last one the ledger noted"),
    "unlisted": N_("belongs to a game the ledger does not list"),
    "file": N_("the file itself is damaged"),
    "stranger": N_("is a trigger or view that is not the ledger's"),
    "trigger": N_("is a trigger that has been dropped or changed"),
}
"""What can be wrong, in words that follow "game … event …"."""


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
        if self.deal:
            place = _(N_("game {game}, deal {deal} (e{event})"))
        else:
            place = _(N_("game {game}, e{event}"))
        return f"{place.format(game=self.game, deal=self.deal, event=self.event)} {what}"


def game_faults(game_id: str, records: Sequence[Record], count: int | None, head: str) -> list[LedgerFault]:
    """Return what is wrong with one game's journal; `count` None: the ledger does not list it."""
    if count is None:
        return [LedgerFault(game_id, records[0].n, "", "unlisted")]
    return [
        LedgerFault(game_id, found.event, label_at(records, found.event), found.kind)
        for found in journal.breaks(game_id, records, count, head)
    ]


def label_at(records: Sequence[Record], n: int) -> str:
    """Return the label of the deal at event `n`, "" where it is none or cannot be told."""
    before = [record for record in records if record.n <= n]
    if not before or before[0].n != 1:
        return ""
    try:
        items = journal.game(before[0].game, before).items
    except (SkachkiError, ValueError, KeyError, TypeError):
        return ""
    if items and items[-1].record.n == n:
        return items[-1].label
    return _next_label(items)


def last_label(records: Sequence[Record], n: int) -> str:
    """Return the label of the last deal at or before event `n`, "" where there is none."""
    labels = [
        item.label for item in journal.game(records[0].game, records[:n]).items if item.step and item.label
    ]
    return labels[-1] if labels else ""


def _next_label(items: Sequence[journal.Item]) -> str:
    """Return the label of the deal that would follow: what a missing event most likely was."""
    played = sum(isinstance(item.event, DealPlayed) and item.step is not None for item in items)
    return str(played + 1)
