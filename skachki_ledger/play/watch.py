"""The board for a second monitor: read only, drawn anew when somebody has written."""

import asyncio
import contextlib

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl

from .. import canon, store
from ..errors import SkachkiError
from ..i18n import _
from . import screen
from .app import INTERRUPTED, POLL_SECONDS, classed, style
from .table import Table
from .text import Line, clip


class Board:
    """The application; `follows`: it goes over to the game that becomes the current one."""

    def __init__(self, table: Table, suits: str, follows: bool) -> None:
        self.table, self.follows = table, follows
        self.tokens = canon.shown(suits == "signs")
        self.fault = ""
        keys = KeyBindings()
        for name in ("q", "й", "escape", "c-d"):
            keys.add(name)(lambda event: event.app.exit(result=0))
        keys.add("c-c")(lambda event: event.app.exit(result=INTERRUPTED))
        self.app: Application[int] = Application(
            layout=Layout(Window(FormattedTextControl(self._text, show_cursor=False))),
            key_bindings=keys,
            style=style(),
            full_screen=True,
        )
        self.app.ttimeoutlen = 0.1

    def run(self) -> int:
        """Show the board until it is closed; return the exit code."""
        with contextlib.suppress(EOFError):
            return self.app.run(pre_run=self._begin)
        return 0

    def _begin(self) -> None:
        self.app.create_background_task(self._poll())

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if self.changed():
                self.app.invalidate()

    def changed(self) -> bool:
        """Take in what was written; tell whether there is something new to show."""
        fault, self.fault = self.fault, ""
        try:
            if self.follows:
                with store.reading(self.table.path) as connection:
                    current = store.current_or_none(connection)
                if current not in ("", self.table.game.id):
                    self.table = Table(self.table.path, current, self.table.by)
                    return True
            return self.table.came() is not None or bool(fault)
        except SkachkiError as error:
            self.fault = str(error)
            return True

    def _text(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        columns, rows = max(1, size.columns), max(1, size.rows)
        lines = screen.board(self.table.game.history, self.tokens, columns, rows - 1)
        lines += [[] for _row in range(rows - 1 - len(lines))]
        left = self.fault or _("q closes the board; the game goes on")
        last: Line = [("bad" if self.fault else "dim", clip(left, columns))]
        return classed([*lines, last])


def watch(table: Table, suits: str, follows: bool) -> int:
    """Run the board; return the exit code."""
    return Board(table, suits, follows).run()
