"""The live table on a terminal: prompt_toolkit draws what a `Session` says and hands it keys."""

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import ConditionalContainer, HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.styles import Style

from ..i18n import _
from ..render.lines import folded, width
from . import prompt, screen
from .commands import Ran
from .complete import Suggestion
from .session import Overlay, Reply, Session
from .table import Table
from .text import PLAIN, STYLES, Line, clip, joined

POLL_SECONDS = 0.5
"""How often the ledger is asked whether somebody else has written."""
SIZE_MAX = 1000
"""No terminal is larger; one that says so would fill the memory."""
PROMPT_ROWS_MAX = 3
ROWS_BELOW_MIN = 4
INTERRUPTED = 130


def style() -> Style:
    """Return how styles look on this terminal; NO_COLOR leaves bold, underline and reverse."""
    looks = PLAIN if os.environ.get("NO_COLOR") else STYLES
    return Style.from_dict(looks)


def classed(lines: list[Line]) -> StyleAndTextTuples:
    """Return lines as prompt_toolkit wants them."""
    return [(f"class:{name}" if name else "", text) for name, text in joined(lines)]


class LiveTable:
    """The application: its layout, its keys, the poll of the ledger."""

    def __init__(self, table: Table, suits: str) -> None:
        self.bug: Exception | None = None
        self.session = Session(table, suits, lambda: self.size()[0])
        self.buffer = Buffer(multiline=False, on_text_changed=self._changed)
        self._by_program = False
        self._leaving = False
        control = BufferControl(self.buffer, input_processors=[BeforeInput(self._label)])
        window = FormattedTextControl
        line = Window(control, wrap_lines=True, height=self._exactly(lambda: self.prompt_rows()))
        table_view = HSplit(
            [
                Window(window(self._board), height=self._exactly(lambda: self.rows()[0])),
                line,
                Window(window(self._below), height=self._exactly(lambda: self.rows()[1])),
            ]
        )
        covered = Condition(lambda: self.session.overlay is not None)
        root = HSplit(
            [
                ConditionalContainer(Window(window(self._overlay)), covered),
                ConditionalContainer(table_view, ~covered),
            ]
        )
        self.app: Application[int] = Application(
            layout=Layout(root, focused_element=line),
            key_bindings=self._keys(covered),
            style=style(),
            full_screen=True,
        )
        self.app.ttimeoutlen = 0.1
        self.session.redraw = self.app.invalidate
        self.session.background = self._background
        self.session.restore = self._restore

    def run(self) -> int:
        """Show the table until it is left; return the exit code."""
        code = 0
        with contextlib.suppress(EOFError):
            code = self.app.run(pre_run=self._begin)
        if self.bug is not None:
            raise self.bug
        return code

    def _begin(self) -> None:
        self.app.create_background_task(self._poll())
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._exit, 128 + signal.SIGTERM)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if not self.session.busy and self.session.catch_up():
                self.app.invalidate()

    def _background(self, work: Callable[[], Ran], done: Callable[[Ran], None]) -> None:
        loop = asyncio.get_running_loop()

        def finish(ran: Ran) -> None:
            done(ran)
            self.app.invalidate()

        def go() -> None:
            try:
                ran = work()
            except Exception as error:  # a bug in a command must not take the night's screen with it
                self.bug = error  # it is raised when the table is left
                ran = Ran("", repr(error))
            with contextlib.suppress(RuntimeError):  # the screen was left meanwhile
                loop.call_soon_threadsafe(finish, ran)

        threading.Thread(target=go, daemon=True).start()

    # ---------------------------------------------------------------- what is drawn

    def size(self) -> tuple[int, int]:
        """Return columns and rows of the terminal."""
        size = self.app.output.get_size()
        return min(max(1, size.columns), SIZE_MAX), min(max(1, size.rows), SIZE_MAX)

    def prompt_rows(self) -> int:
        """Return how many rows the typed line takes."""
        columns = self.size()[0]
        return min(PROMPT_ROWS_MAX, 1 + (width(self._label() + self.buffer.text)) // columns)

    def rows(self) -> tuple[int, int]:
        """Return how many rows the board and what stands below the prompt take."""
        columns, height = self.size()
        key = (self.session.table.game.head, columns, height, self.prompt_rows())
        if key != self._rows_for[0]:
            free = height - self.prompt_rows()
            spare = free - screen.rows_needed(self.session.table.game.history, columns)
            under = max(1, min(prompt.rows_below(height), max(spare, ROWS_BELOW_MIN), free - 2))
            self._rows_for = (key, (max(0, free - under), under))
        return self._rows_for[1]

    _rows_for: tuple[object, tuple[int, int]] = (None, (0, 0))

    @staticmethod
    def _exactly(rows: Callable[[], int]) -> Callable[[], Dimension]:
        return lambda: Dimension.exact(rows())

    def _label(self) -> str:
        if self.session.wants_reason:
            return _("why> ")
        return f"{self.session.table.game.history.label_to_come}> "

    def _board(self) -> StyleAndTextTuples:
        game, columns, rows = self.session.table.game, self.size()[0], self.rows()[0]
        key = (game.head, columns, rows)
        if key != self._board_for[0]:
            self._board_for = (key, classed(screen.board(game.history, self.session.tokens, columns, rows)))
        return self._board_for[1]

    _board_for: tuple[object, StyleAndTextTuples] = (None, [])

    def _below(self) -> StyleAndTextTuples:
        text, cursor = self.buffer.text, self.buffer.cursor_position
        return classed(self.session.below(text, cursor, self.size()[0], self.rows()[1]))

    def _overlay(self) -> StyleAndTextTuples:
        overlay = self.session.overlay
        assert overlay is not None
        columns, rows = self.size()
        shown = self._folded(overlay)[self._top(overlay) :][: rows - 1]
        lines: list[Line] = [[("", clip(text, columns))] for text in shown]
        lines += [[] for _row in range(rows - 1 - len(lines))]
        keys = _("Write it? y – yes, any other key – no")
        if not overlay.asks:
            keys = _("Space, arrows: on and back · q: close")
        return classed([*lines, [("dealer", clip(keys, columns))]])

    def _top(self, overlay: Overlay) -> int:
        return max(0, min(overlay.top, len(self._folded(overlay)) - (self.size()[1] - 1)))

    def _folded(self, overlay: Overlay) -> list[str]:
        return folded("\n".join(overlay.lines), self.size()[0]).split("\n")

    # ---------------------------------------------------------------- the line

    def _set(self, text: str, cursor: int) -> None:
        self._by_program = True
        self.buffer.set_document(Document(text, min(cursor, len(text))), bypass_readonly=True)
        self._by_program = False

    def _changed(self, _buffer: Buffer) -> None:
        if not self._by_program:
            self.session.chosen = -1
            self._leaving = False
            self.session.typed(self.buffer.text)

    def _restore(self, reply: Reply) -> None:
        self._set(reply.text, reply.cursor)

    def _exit(self, code: int) -> None:
        if self.session.asker is not None:
            self.session.asker.answer("n")
        if not self.app.is_done:
            self.app.exit(result=code)

    def _enter(self, event: KeyPressEvent) -> None:
        text = self.buffer.text
        self.session.chosen, self._leaving = -1, False
        reply = self.session.enter(text)
        if reply.quits:
            self._exit(0)
            return
        if reply.text != text and text.strip():
            self.buffer.append_to_history()
            self._by_program = True
            self.buffer.reset()
            self._by_program = False
        elif text.strip():
            event.app.key_processor.empty_queue()  # what was pasted behind a refused line is dropped
        self._set(reply.text, reply.cursor)

    def _complete(self, step: int) -> None:
        """Put the next of the words that fit in the place of what is typed of it."""
        buffer, session = self.buffer, self.session
        if session.chosen < 0:
            begun, fitting = session.suggestions(buffer.text[: buffer.cursor_position])
            self._cycle = (buffer.cursor_position - begun, fitting)
        start, fitting = self._cycle
        if not fitting:
            return
        chosen = prompt.cycled(session.chosen, len(fitting), step)
        word, tail = fitting[chosen], self.buffer.text[buffer.cursor_position :]
        if len(fitting) == 1 and word.ends and not tail:
            self._set(buffer.text[:start] + word.text + " ", start + len(word.text) + 1)
            chosen = -1
        else:
            self._set(buffer.text[:start] + word.text + tail, start + len(word.text))
        session.typed(buffer.text)
        session.chosen = chosen if len(fitting) > 1 else -1

    _cycle: tuple[int, tuple[Suggestion, ...]] = (0, ())

    # ---------------------------------------------------------------- keys

    def _keys(self, covered: Condition) -> KeyBindings:
        keys = KeyBindings()
        session = self.session
        by_keys = Condition(lambda: session.guide is not None) & ~covered
        plain = ~covered & ~by_keys
        empty = Condition(lambda: not self.buffer.text and not session.wants_reason)

        keys.add("enter", filter=~covered)(self._enter)
        keys.add("tab", filter=plain & ~empty)(lambda _event: self._complete(1))
        keys.add("s-tab", filter=plain & ~empty)(lambda _event: self._complete(-1))
        keys.add("tab", filter=plain & empty)(lambda _event: self._complete(1))
        keys.add(" ", filter=plain & empty)(lambda _event: session.by_keys())
        keys.add(Keys.BracketedPaste, filter=~covered)(self._paste)
        keys.add("c-c")(self._interrupt)
        keys.add("c-d", filter=~covered)(self._end)
        self._guided_keys(keys, by_keys)
        keys.add(Keys.Any, filter=covered)(self._overlay_key)
        for name in ("up", "down", "pageup", "pagedown", "home", "end", "escape", "enter", "backspace"):
            keys.add(name, filter=covered, eager=True)(self._overlay_key)
        return keys

    def _guided_keys(self, keys: KeyBindings, by_keys: Filter) -> None:
        session = self.session

        def answer(event: KeyPressEvent) -> None:
            if len(event.data) == 1 and event.data.isprintable() and event.data != " ":
                text = session.key(event.data)
                self._set(text, len(text))

        def back(_event: KeyPressEvent) -> None:
            if session.guide is not None and not session.guide.answers:
                session.by_typing()
            else:
                text = session.key_back()
                self._set(text, len(text))

        keys.add(Keys.Any, filter=by_keys)(answer)
        for name in ("backspace", "c-h", "left"):
            keys.add(name, filter=by_keys)(back)
        for name in ("up", "down", "delete"):  # the line is the answers': nothing else changes it
            keys.add(name, filter=by_keys)(lambda _event: None)
        for name in ("tab", "escape"):
            keys.add(name, filter=by_keys, eager=True)(lambda _event: session.by_typing())

    def _paste(self, event: KeyPressEvent) -> None:
        if self.session.wants_reason:
            self.buffer.insert_text(" ".join(event.data.split()))
            return
        self.buffer.insert_text(self.session.paste(event.data))

    def _interrupt(self, _event: KeyPressEvent) -> None:
        """Drop the line; a second time on an empty line leaves."""
        if self.session.overlay is not None:
            self._close()
            return
        had = bool(self.buffer.text)
        if had:
            self.buffer.append_to_history()
        dropped = self.session.drop()
        self._by_program = True
        self.buffer.reset()
        self._by_program = False
        if had or dropped:
            self._leaving = False
        elif self._leaving:
            self._exit(INTERRUPTED)
        else:
            self._leaving = True
            self.session.message = prompt.Message(_("Ctrl-C again leaves; all is recorded."))

    def _end(self, _event: KeyPressEvent) -> None:
        if self.buffer.text and self.session.guide is None:
            self.buffer.delete()
        else:
            self._exit(0)

    def _close(self) -> None:
        overlay = self.session.overlay
        if overlay is not None and overlay.asks:
            self.session.answer("n")
        self.session.overlay = None

    def _overlay_key(self, event: KeyPressEvent) -> None:
        """Scroll or close what covers the screen; give the answer it asks for."""
        overlay = self.session.overlay
        if overlay is None:
            return
        key = event.key_sequence[0]
        name, page = str(getattr(key.key, "value", key.key)), max(1, self.size()[1] - 2)
        last, top = len(self._folded(overlay)), self._top(overlay)
        moves = {"home": 0, "end": last}
        moves |= dict.fromkeys(("up", "k"), top - 1) | dict.fromkeys(("down", "j", "c-m"), top + 1)
        moves |= dict.fromkeys(("pagedown", " "), top + page) | dict.fromkeys(("pageup", "b"), top - page)
        is_end = top >= last - (page + 1)
        if (
            name in moves
            and not (overlay.asks and len(name) == 1)
            and not (is_end and name in (" ", "c-m"))
        ):
            self.session.overlay = overlay._replace(top=max(0, moves[name]))
        elif overlay.asks:
            self.session.answer(key.data)
        else:
            self.session.overlay = None


def play(table: Table, suits: str) -> int:
    """Run the live table; return the exit code."""
    return LiveTable(table, suits).run()
