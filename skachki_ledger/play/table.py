"""One game of a ledger as a screen shows it: written to only where it still stands as shown.

This is where the live table touches the ledger. A deal costs one `step` and one record: nothing is
replayed, unless somebody else has written meanwhile.
"""

from .. import canon, journal, live, store
from ..cli import ledger
from ..derive import Step
from ..errors import Fault, LedgerError
from ..journal import Draft, Record
from .tell import Came


class StaleError(Exception):
    """The game went on since it was shown; nothing was written, the table shows it as it is now."""


class Table:
    """A game that is open on a screen: `game` is as shown, `by` writes."""

    def __init__(self, path: str, word: str | None, by: str | None) -> None:
        self.path = path
        self.by = ledger.author(by)
        with store.reading(path) as connection:
            self.game = ledger.load(connection, word)

    def came(self) -> Came | None:
        """Take in what was written since the game was shown; None where nothing was.

        Raises LedgerError where the ledger cannot be read now: the screen keeps what it has.
        """
        with store.reading(self.path) as connection:
            noted = store.noted(connection, self.game.id)
            if noted is not None and noted.head == self.game.head:
                return None
            records = store.records(connection, self.game.id)
        if not records:
            raise LedgerError(Fault("E318", -1, {"word": self.game.id}))
        old = self.game.records
        grows = len(records) > len(old) and records[len(old) - 1].hash == old[-1].hash
        self.game = journal.game(self.game.id, records)
        return Came(tuple(records[len(old) :]) if grows else (), not grows)

    def record(self, taken: Step, typed: str) -> None:
        """Write an event; on return it is on the disk. Raises StaleError, LedgerError."""
        new = self._append(journal.draft_step(taken, typed))
        self.game = journal.grown(self.game, new, taken)

    def turn_back(self, payload: str, tokens: canon.Tokens) -> str:
        """Write an `undo` or `redo` and return what it took back or brought in again.

        Raises LedgerError (E322, E323) where there is nothing, StaleError.
        """
        before, again = self.game, payload == journal.REDO
        stack = before.resolved.undone if again else before.resolved.done
        if not stack:
            raise LedgerError(Fault("E323" if again else "E322"))
        new = self._append(Draft(payload, payload))
        self.game = journal.game(before.id, [*before.records, new])
        return live.taken_back(before, stack[-1][-1], tokens, again)

    def _append(self, draft: Draft) -> Record:
        with store.writing(self.path) as connection:
            noted = store.noted(connection, self.game.id)
            if noted is None or (noted.events, noted.head) != (len(self.game.records), self.game.head):
                raise StaleError
            return store.append(
                connection, self.game.id, self.game.records, [draft], self.by, ledger.now()
            )[0]
