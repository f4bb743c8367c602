"""An evening at the live table without its terminal: what each line and key does.

The program around it draws what `below` and `board` say and hands on lines and keys; tests can do
without it.
"""

import io
from collections.abc import Callable
from typing import NamedTuple

from .. import canon, journal, live
from ..errors import SkachkiError
from ..i18n import _, language
from ..state import State
from . import commands, complete, guided, prompt
from .commands import Asker, Command, Ran
from .guided import Guide
from .preview import Preview, judge, pasted_lines, plain, words_of
from .prompt import Below, Message
from .table import StaleError, Table
from .tell import foretold, told
from .text import Line

NARROW = 80
"""A terminal with fewer columns gets the settlement as lines, not as tables."""


class Reply(NamedTuple):
    """What stands in the prompt after Enter, where its cursor is, and whether the evening is over."""

    text: str = ""
    cursor: int = 0
    quits: bool = False


class Overlay(NamedTuple):
    """Text over the whole screen, from line `top` on; `asks`: y writes, any other key does not."""

    lines: tuple[str, ...]
    top: int = 0
    asks: bool = False


Background = Callable[[Callable[[], Ran], Callable[[Ran], None]], None]
"""Runs the first in a thread of its own and the second, with what came of it, in the screen's."""


class Session:
    """The live table: the game as shown, the way of typing, the message, pasted lines that wait."""

    def __init__(self, table: Table, suits: str, columns: Callable[[], int]) -> None:
        self.table, self.suits, self.columns = table, suits, columns
        self.tokens = canon.shown(suits == "signs")
        self.message = Message()
        self.guide: Guide | None = None
        self.prefers_keys = False
        self.overlay: Overlay | None = None
        self.waiting: list[str] = []
        self.wants_reason = ""
        self.asker: Asker | None = None
        self.busy = False
        self.begun_on = ""
        self.chosen = -1
        self._came = ""
        self.redraw: Callable[[], None] = lambda: None
        self.background: Background = lambda work, done: done(work())
        self.restore: Callable[[Reply], None] = lambda _reply: None
        self._seen: tuple[str, str, Preview] = ("", "", Preview("empty"))

    @property
    def state(self) -> State:
        """Return the game between two deals as shown."""
        return self.table.game.history.state

    # ---------------------------------------------------------------- looking

    def look(self, text: str) -> Preview:
        """Return the preview of the line; computed once for a text and a state of the game."""
        head = self.table.game.head
        if self._seen[:2] != (text, head):
            self._seen = (text, head, self._judged(text))
        return self._seen[2]

    def _judged(self, text: str) -> Preview:
        if self.wants_reason:
            return Preview("empty")
        command = commands.read(text)
        if command is None:
            return judge(text, self.table.game.history, self.tokens)
        return foretold(command, text, self.table.game, self.tokens)

    def suggestions(self, text: str) -> tuple[int, tuple[complete.Suggestion, ...]]:
        """Return how much of the last word is typed and what it may become."""
        if self.guide is not None or self.wants_reason:
            return 0, ()
        begun, found = complete.suggest(text, self.state, commands.spoken(language()))
        return begun, tuple(found)

    def below(self, text: str, cursor: int, columns: int, rows: int) -> list[Line]:
        """Return the lines below the prompt."""
        preview = self.look(text)
        question = guided.progress(self.guide).question if self.guide is not None else None
        begun, fitting = self.suggestions(text[:cursor])
        if not text and not self.prefers_keys:
            fitting = ()
        at_end = cursor == len(text)
        if preview.kind == "wrong" and fitting and begun and at_end and preview.column >= len(text) - begun:
            preview = Preview("unfinished", None, ("",))
        if [one.text for one in fitting] == [text[cursor - begun : cursor]]:
            fitting = ()
        names = complete.hint(text, self.state) if preview.kind == "unfinished" else ()
        view = Below(
            self.message,
            preview,
            question,
            self.guide is not None,
            fitting,
            self.chosen,
            names,
            len(self.waiting),
        )
        return prompt.below(view, columns, rows)

    # ---------------------------------------------------------------- typing

    def typed(self, text: str) -> None:
        """Note that the line changed; it is meant for the game that is shown when it is begun."""
        if not self.begun_on and text:
            self.begun_on = self.table.game.head
        if not text:
            self.begun_on = ""
            if self.guide is None:
                self._again()
        if not self.message.stays:
            self.message = Message()

    def by_keys(self) -> None:
        """Go over to guided questions."""
        self.guide, self.prefers_keys = Guide(self.state), True
        self.message = Message()
        if self.state.over:
            self.message = Message(_("The game is over: only :note and :agree may follow."))
            self.guide, self.prefers_keys = None, False

    def by_typing(self) -> None:
        """Go back to typing; what the keys made of the line stays."""
        self.guide, self.prefers_keys = None, False

    def key(self, char: str) -> str:
        """Answer the question with a key; return the line as it stands now."""
        assert self.guide is not None
        if char in ":Ж" and not self.guide.answers:
            self.guide = None
            return char
        after = guided.press(self.guide, char)
        if after is None:
            if guided.progress(self.guide).question is None:
                text = _("Enter records it, Backspace takes the last answer back.")
            else:
                text = _("{key!r} is no answer here; digits mean the same in both layouts.").format(
                    key=char
                )
            self.message = Message(text, "bad")
        else:
            if not self.guide.answers:
                self.begun_on = self.table.game.head
            self.guide, self.message = after, Message()
        return guided.progress(self.guide).line

    def key_back(self) -> str:
        """Take the last answer back; return the line as it stands now."""
        assert self.guide is not None
        self.guide, self.message = guided.back(self.guide), Message()
        if not self.guide.answers:
            self.begun_on = ""
        return guided.progress(self.guide).line

    def paste(self, text: str) -> str:
        """Return what of a pasted text goes into the line: all of it, or the first of several lines."""
        rows = pasted_lines(text)
        if len(rows) > 1:
            self.guide = None
            self.waiting = rows[1:] + self.waiting
        return rows[0] if rows else ""

    def drop(self) -> bool:
        """Drop the line and what waits behind it; tell whether there was anything to drop."""
        had = bool(self.waiting or self.wants_reason or (self.guide is not None and self.guide.answers))
        if self.waiting:
            self.message = Message(_("The lines that waited are dropped."))
        elif self.wants_reason:
            self.message = Message()
        self.waiting, self.wants_reason, self.begun_on = [], "", ""
        self._again()
        return had

    def _again(self) -> None:
        self.guide = Guide(self.state) if self.prefers_keys and not self.state.over else None

    # ---------------------------------------------------------------- Enter

    def enter(self, text: str) -> Reply:
        """Do what the line says: record it, run its command, or say why not and keep it."""
        stays = Reply(text, len(text))
        if self.wants_reason:
            return self._reason(text)
        if not text.strip():
            self.message = Message()
            return self._next_pasted()
        try:
            command = commands.read(text)
            if command is not None and command.name not in commands.EVENTS:
                return self._command(command, text)
            return self._record(text)
        except StaleError:
            self.catch_up()
            return self._say_came(text)
        except SkachkiError as error:
            self.message = Message(str(error), "bad")
        return stays

    def _record(self, text: str) -> Reply:
        preview = self.look(text)
        if self.guide is not None and guided.progress(self.guide).question is not None:
            self.message = Message(_("Not all is answered yet."), "bad")
            return Reply(text, len(text))
        if preview.taken is None:
            self.message = Message(_("Not recorded:"), "bad")
            return Reply(text, preview.column)
        if self._is_stale():
            return self._say_came(text)
        self.table.record(preview.taken, plain(text).strip())
        label = f"{preview.taken.label}. " if preview.taken.label else ""
        line = canon.line(preview.taken.event, preview.taken.players, self.tokens)
        said = [_("recorded: {line}").format(line=f"{label}{line}"), *live.ending(preview.taken)]
        self.message = Message(" ".join(said), "good")
        return self._next_pasted()

    def _next_pasted(self) -> Reply:
        self.begun_on = ""
        if self.waiting:
            text = self.waiting.pop(0)
            self.begun_on = self.table.game.head
            return Reply(text, len(text))
        self._again()
        return Reply()

    def catch_up(self) -> bool:
        """Show what others wrote; tell whether anything came. A line that is typed stays."""
        try:
            came = self.table.came()
        except SkachkiError as error:
            self.message = Message(str(error), "bad")
            return True
        if came is None:
            return False
        what = told(came, self.table.game, self.tokens)
        if came.replaced:
            what = _("the ledger was replaced by another")
        self._came = what
        self.message = Message(_("meanwhile {what}").format(what=what), "info", stays=True)
        if self.guide is not None:
            self.guide = Guide(self.state) if not self.guide.answers and not self.state.over else None
        return True

    def _is_stale(self) -> bool:
        return self.begun_on not in ("", self.table.game.head)

    def _say_came(self, text: str) -> Reply:
        """Refuse a line that was begun before others wrote; the next Enter is meant for the new game."""
        self.begun_on = self.table.game.head
        refused = _("Not recorded. Meanwhile {what}. Enter again writes yours after it.")
        self.message = Message(refused.format(what=self._came), "bad", stays=True)
        return Reply(text, len(text))

    # ---------------------------------------------------------------- commands

    def _command(self, command: Command, text: str) -> Reply:
        name = command.name
        if not name:
            said = _("{word!r} is no command; :help lists them").format(word=command.typed)
            self.message = Message(said, "bad")
            return Reply(text, len(text))
        if name == "quit":
            return Reply(quits=True)
        if self._is_stale() and (name in ("undo", "redo") or name in commands.CORRECTIONS):
            return self._say_came(text)
        if name in ("undo", "redo"):
            payload = journal.UNDO if name == "undo" else journal.REDO
            self.message = Message(self.table.turn_back(payload, self.tokens), "good")
        elif name == "help":
            self.overlay = Overlay(tuple(prompt.help_lines()))
        elif name == "keys":
            self.by_keys()
        elif name in commands.CORRECTIONS:
            return self._correction(command, text)
        else:
            return self._show(name, words_of(command.rest), text)
        return self._next_pasted()

    def _show(self, name: str, words: list[str], text: str) -> Reply:
        """Run a command that only shows something, over the whole screen."""
        if not commands.exists(name):
            self.message = Message(_("This version has no :{name} yet.").format(name=name), "bad")
            return self._next_pasted()
        if name == "log" and words and not words[0].startswith("-"):
            words = ["--deal", *words]
        if name == "settle" and self.columns() < NARROW and not words:
            words = ["--format", "chat"]
        ran = commands.run([name, *words, *self._where(name)], io.StringIO())
        if ran.refused:
            self.message = Message(ran.refused, "bad")
            return Reply(text, len(text))
        lines = tuple(ran.printed.rstrip("\n").split("\n"))
        if lines == ("",):
            self.message = Message(_("nothing to look at: all is well"), "good")
            return self._next_pasted()
        self.overlay = Overlay(lines, max(0, len(lines) - 1) if name in ("log", "history") else 0)
        return self._next_pasted()

    def _where(self, name: str) -> list[str]:
        suits = ["--suits", self.suits] if name in _WITH_SUITS else []
        return ["--db", self.table.path, "--game", self.table.game.id, *suits]

    def _correction(self, command: Command, text: str) -> Reply:
        words = words_of(command.rest)
        if not any(word == "--reason" or word.startswith("--reason=") for word in words):
            self.wants_reason = text
            self.message = Message(_("Why? The reason stays in the record."), stays=True)
            return Reply()
        self._correct(command.name, words, text)
        return Reply()

    def _reason(self, reason: str) -> Reply:
        text, self.wants_reason = self.wants_reason, ""
        command = commands.read(text)
        if command is None or not reason.strip():
            return Reply(text, len(text))
        try:
            self._correct(command.name, [*words_of(command.rest), f"--reason={plain(reason)}"], text)
        except SkachkiError as error:
            self.message = Message(str(error), "bad")
            return Reply(text, len(text))
        return Reply()

    def _correct(self, name: str, words: list[str], text: str) -> None:
        """Run a correction in the background: it shows what it would change and asks."""
        if name == "insert" and not any(word.startswith("--before") for word in words):
            words = ["--before", *words]
        out = io.StringIO()

        def ask() -> None:
            shown = out.getvalue().rstrip().split("\n")
            self.overlay = Overlay(tuple(shown), 0, asks=True)
            self.redraw()

        self.asker = asker = Asker(ask)
        self.busy = True
        where = [*self._where(name), f"--by={self.table.by}"]
        self.background(
            lambda: commands.run([name, *words, *where], out, asker), lambda ran: self._corrected(ran, text)
        )

    def _corrected(self, ran: Ran, text: str) -> None:
        self.busy, self.asker, self.overlay = False, None, None
        if ran.refused:
            self.message = Message(ran.refused, "bad")
            self.restore(Reply(text, len(text)))
            return
        came = self.table.came()
        what = told(came, self.table.game, self.tokens) if came else ""
        self.message = Message(_("written: {line}").format(line=what), "good")
        self.begun_on = ""
        self._again()

    def answer(self, char: str) -> None:
        """Answer a correction that asks: y or д writes it, any other key does not."""
        if self.asker is not None:
            self.overlay = None
            self.asker.answer("y" if char.lower() in ("y", "д") else "n")


_WITH_SUITS = frozenset(("log", "settle", "history", "amend", "void", "insert", "explain"))
