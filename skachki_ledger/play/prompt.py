"""What stands below the prompt: a message, the question or the words that fit, and the preview."""

from collections.abc import Sequence
from typing import NamedTuple

from ..i18n import N_, _
from .complete import Suggestion
from .guided import Choice, Question
from .preview import Preview
from .text import Line, clip, columns_of, packed, wrapped


class Message(NamedTuple):
    """One thing to say, and its style: info, good or bad; `stays` until the next Enter."""

    text: str = ""
    style: str = "info"
    stays: bool = False


class Below(NamedTuple):
    """All that may have to be said below the prompt."""

    message: Message
    preview: Preview
    question: Question | None = None
    guided: bool = False
    suggestions: tuple[Suggestion, ...] = ()
    chosen: int = -1
    names: tuple[str, ...] = ()
    waiting: int = 0


def below(view: Below, columns: int, rows: int) -> list[Line]:
    """Return at most `rows` lines: the message first, then what to press, then the preview."""
    lines: list[Line] = []
    if view.message.text:
        room = max(1, min(3, rows // 2)) if view.preview.kind != "empty" or view.question else rows - 1
        said = wrapped(view.message.text, columns)
        if len(said) > room:
            said = [*said[: room - 1], clip(" ".join(said[room - 1 :]), columns)]
        lines += [[(view.message.style, row)] for row in said]
    if view.waiting:
        lines.append([("info", clip(_waiting(view.waiting), columns))])
    if view.question is not None:
        lines += _question(view.question, columns)
    elif view.suggestions:
        lines.append(_words(view, columns))
    lines += _preview(view, columns, rows - len(lines))
    return lines[:rows]


def _waiting(count: int) -> str:
    return _("lines pasted and waiting: {n}; Enter takes them one by one, Ctrl-C drops them").format(
        n=count
    )


def _question(question: Question, columns: int) -> list[Line]:
    """Return a question and its answers, each with its key; tricks need no list."""
    lines: list[Line] = [[("info", row)] for row in wrapped(question.text, columns)]
    if not question.listed:
        return lines
    if any(len(choice.text) > 20 for choice in question.choices):
        for choice in question.choices:
            first, *more = wrapped(choice.text, columns - 2)
            lines.append([("key", choice.key), ("", f" {first}")])
            lines += [[("", f"  {row}")] for row in more]
        return lines
    row: Line = []
    for choice in question.choices:
        part = _choice(choice)
        if row and columns_of(row) + 2 + columns_of(part) > columns:
            lines.append(row)
            row = []
        row += [*([("", "  ")] if row else []), *part]
    return [*lines, row]


def _choice(choice: Choice) -> Line:
    """Return the key to press and what it says; the key alone where it says itself."""
    if choice.value == "10" and choice.digit:
        return [("key", choice.digit), ("", " = 10")]
    return [("key", choice.key), ("", f" {choice.text}" if choice.text else "")]


def _words(view: Below, columns: int) -> Line:
    """Return the words that fit on one line, the chosen one in view; Tab takes the next."""
    row: Line = [("dim", "Tab: ")]
    first = max(0, view.chosen - 2)
    for at, word in enumerate(view.suggestions[first:], first):
        style = "chosen" if at == view.chosen else "dim"
        if columns_of(row) + len(word.text) + 2 > columns:
            row.append(("dim", "…"))
            break
        row += [(style, word.text), ("", " ")]
    return row


def _preview(view: Below, columns: int, rows: int) -> list[Line]:
    """Return what would be written, in full where there is room for it, or why it cannot be."""
    preview = view.preview
    if view.question is not None:
        return []
    if preview.kind == "wrong":
        return [[("bad", row)] for row in wrapped(preview.lines[0], columns)]
    if preview.kind == "unfinished":
        names: list[Line] = [[("", clip(" / ".join(view.names), columns))]] if view.names else []
        return names + [[("dim", row)] for row in wrapped(preview.lines[0], columns)]
    if preview.kind == "empty":
        if view.message.text or view.guided:
            return []
        hint = _("Space: by keys · Tab: words · :help")
        return [[("dim", clip(hint, columns))]]
    first, *rest = preview.lines
    enter = _("Enter records:")
    head: list[Line] = [[("good", row)] for row in wrapped(f"{enter} {first}", columns, "  ")]
    full = [row for line in rest for row in wrapped(line, columns, "    ")]
    if len(head) + len(full) <= rows:
        return head + [[("", row)] for row in full]
    others = [line for line in rest if not line.startswith("  ")]
    brief = packed(preview.brief, columns) if preview.brief else []
    tail = [row for line in others for row in wrapped(line, columns)]
    return head + [[("", row)] for row in [*brief, *tail]]


def rows_below(height: int) -> int:
    """Return how many rows below the prompt a terminal of a height leaves for all this."""
    if height <= 21:
        return 5
    return min(14, max(6, height // 3))


def cycled(chosen: int, count: int, step: int) -> int:
    """Return the next of `count` suggestions, round and round; -1 before the first."""
    if count == 0:
        return -1
    if chosen < 0:
        return 0 if step > 0 else count - 1
    return (chosen + step) % count


def help_lines() -> Sequence[str]:
    """Return what can be typed and pressed, a line each."""
    return [_(text) for text in _HELP]


_HELP = (
    N_("A deal is one line:"),
    N_("  Vera 7d wp 7/3   contract, calls, tricks"),
    N_("  Vera m 0 @g      misère, off the gora"),
    N_("  r 3/4/2/1        all-pass, in seat order"),
    N_("Names may be cut short or be seats 1–4."),
    N_("Both alphabets and keyboard layouts will do."),
    "",
    N_("Space on an empty line: by keys, one a"),
    N_("  question; Backspace takes one back;"),
    N_("  Tab or Esc goes on by typing."),
    N_("Tab: the words that fit. Up: earlier lines."),
    N_("Enter records what the preview shows."),
    N_("Ctrl-C drops the line. Ctrl-D leaves."),
    "",
    N_(":undo  :redo      take back, bring back"),
    N_(":amend 12 LINE    correct deal 12"),
    N_(":void 12          deal 12 does not count"),
    N_(":insert 12 LINE   a deal forgotten before 12"),
    N_(":fine Gleb 4 gora    :dealer Vera"),
    N_(':seat Boris "Dasha"  a newcomer'),
    N_(':agree  :note "text"  :stop'),
    N_(":log  :settle  :sheet  :check  :history"),
    N_(":quit             everything is on the disk"),
)
