"""An evening at the live table: lines, keys, commands, other people's deals; by a pipe, no terminal."""

from __future__ import annotations

import asyncio
import io
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Skachki
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from running import LATIN
from test_ledger_store import fill, fine
from test_play_guided import expressible, keys_to, short

from skachki_ledger import canon, gamefile, i18n, journal, store
from skachki_ledger.derive import History
from skachki_ledger.events import DealPlayed
from skachki_ledger.header import Header
from skachki_ledger.intake import admit
from skachki_ledger.play import commands
from skachki_ledger.play.app import LiveTable
from skachki_ledger.play.session import Reply, Session
from skachki_ledger.play.table import Table
from skachki_ledger.play.watch import Board
from skachki_ledger.rules import PRESETS
from skachki_ledger.settlement import net

ROOT = Path(__file__).parent.parent
OPENED = ("r 2/4/3/1", "Vera 7d wp 7/3")
"""Two deals: the all-pass is closed, Vera deals next."""


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return fill(tmp_path / "l.db", OPENED)


def session(db: Path, by: str = "me", columns: int = 100) -> Session:
    return Session(Table(str(db), None, by), "letters", lambda: columns)


def lines(db: Path) -> list[str]:
    """Every record's payload after the opening."""
    with sqlite3.connect(db) as connection:
        found = [row[0] for row in connection.execute("SELECT payload FROM event ORDER BY n")][1:]
    connection.close()
    return found


def enter(at: Session, text: str) -> Reply:
    at.typed(text)
    return at.enter(text)


# ------------------------------------------------------------------ one line


def test_a_line_is_recorded_by_enter_alone(db: Path) -> None:
    at = session(db)
    at.typed("Anna 7s wp 7/3")
    assert at.look("Anna 7s wp 7/3").kind == "ready"
    assert len(lines(db)) == 2
    assert at.enter("Anna 7s wp 7/3") == Reply()
    assert lines(db)[2:] == ["1 7s wp 7/3"]
    assert "recorded: 3. Anna 7s wp 7/3" in at.message.text
    with store.reading(str(db)) as connection:
        record = store.records(connection, at.table.game.id)[-1]
    assert (record.by, record.typed) == ("me", "Anna 7s wp 7/3")
    replayed = journal.game(at.table.game.id, at.table.game.records)
    assert at.state == replayed.history.state
    assert at.table.game.resolved.done == replayed.resolved.done


@pytest.mark.parametrize(
    ("line", "cursor"),
    [("Anna 7s wp 7/4", 11), ("Vera 7s wp 7/3", 0), ("Anna 7s", 7), ("Anna 7s wp x", 11)],
)
def test_a_faulty_line_stays_with_the_cursor_at_the_fault(db: Path, line: str, cursor: int) -> None:
    at = session(db)
    assert enter(at, line) == Reply(line, cursor)
    assert len(lines(db)) == 2
    assert at.message.style == "bad"


def test_a_line_in_the_other_layout_is_recorded_and_shown(db: Path) -> None:
    at = session(db)
    assert "read as: Anna 7s wp 7/3" in "\n".join(at.look("Фттф 7ы цз 7.3").lines)
    enter(at, "Фттф 7ы цз 7.3")
    assert lines(db)[2:] == ["1 7s wp 7/3"]


def test_events_with_and_without_a_colon(db: Path) -> None:
    at = session(db)
    for line in (
        'fine Gleb 4 gora "card"',
        ":fine Gleb 4 gora",
        ":штраф Глеб 2 гора",
        ':note "tea"',
        ":agree",
    ):
        enter(at, line.replace("Глеб", "4"))
    assert lines(db)[2:] == [
        'fine 4 4 gora "card"',
        "fine 4 4 gora",
        "fine 4 2 gora",
        'note "tea"',
        "agree",
    ]
    assert enter(at, ":fine Zoya 4 gora") == Reply(":fine Zoya 4 gora", 6)
    enter(at, ':seat Boris "Dasha"')
    assert at.state.players[1] == "Dasha"


def test_pasted_lines_wait_for_their_enter(db: Path) -> None:
    at = session(db)
    first = at.paste('3. Anna 7s wp 7/3\r\n; a comment\r\n4. Anna 6d wp 6/4 \n\nnote "x"\n')
    assert (first, at.waiting) == ("Anna 7s wp 7/3", ["Anna 6d wp 6/4", 'note "x"'])
    assert enter(at, first).text == "Anna 6d wp 6/4"
    assert lines(db)[2:] == ["1 7s wp 7/3"]  # the rest is not recorded by itself
    assert at.drop()
    assert (at.waiting, len(lines(db))) == ([], 3)
    assert at.paste(" one line\n") == "one line"


# ------------------------------------------------------------------ commands


def test_undo_and_redo(db: Path) -> None:
    at = session(db)
    assert at.look(":undo").lines == ("Enter takes back: 2. Vera 7d wp 7/3",)
    enter(at, ":undo")
    assert (lines(db)[2:], at.state.deals) == (["undo"], 1)
    assert at.message.text == "taken back: 2. Vera 7d wp 7/3"
    enter(at, ":redo")
    assert (lines(db)[2:], at.state.deals) == (["undo", "redo"], 2)
    assert enter(at, ":redo") == Reply(":redo", 5)
    assert "nothing to redo" in at.message.text
    enter(at, "Жгтвщ")  # :undo on the Russian layout
    assert at.state.deals == 1
    enter(at, ":отмена")
    assert at.state.deals == 0


def test_amend_shows_asks_and_writes(db: Path) -> None:
    at = session(db)
    shown: list[str] = []

    def look_and_say_yes() -> None:
        assert at.overlay is not None
        shown.extend(at.overlay.lines)
        assert at.overlay.asks
        at.answer("д")

    at.redraw = look_and_say_yes
    assert at.look(":amend 2 Vera 7d wp 6/4").lines == ("2: Vera 7d wp 7/3",)
    assert enter(at, ":amend 2 Vera 7d wp 6/4") == Reply()
    assert at.wants_reason
    assert at.enter("miscounted") == Reply()
    assert lines(db)[2:] == ["amend 2: 3 7d wp 6/4"]
    assert any("Vera: gora" in line for line in shown)
    assert "amend 2" in at.message.text
    with store.reading(str(db)) as connection:
        assert store.records(connection, at.table.game.id)[-1].reason == "miscounted"


def test_a_declined_or_faulty_correction_keeps_the_line(db: Path) -> None:
    at = session(db)
    kept: list[Reply] = []
    at.restore = kept.append
    at.redraw = lambda: at.answer("n")
    enter(at, ':void 2 --reason "twice"')
    assert kept == [Reply(':void 2 --reason "twice"', 24)]
    enter(at, ":amend 99 r 3/3/3/1 --reason=x")
    assert "no deal number 99" in at.message.text
    enter(at, ":amend --reason=x")
    assert at.message.style == "bad"
    enter(at, ":amend 2 Vera 7d wp 6/4")
    assert enter(at, "  ") == Reply(":amend 2 Vera 7d wp 6/4", 23)
    assert len(lines(db)) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (":log", "Vera 7d wp 7/3"),
        (":log 1", "r 2/4/3/1"),
        (":settle", "Vera"),
        (":help", ":undo"),
        (":?", ":undo"),
        (":history", "e2"),
        (":протокол", "Vera"),
    ],
)
@pytest.mark.parametrize("columns", [40, 100])
def test_commands_that_show(db: Path, line: str, said: str, columns: int) -> None:
    at = session(db, columns=columns)
    assert enter(at, line) == Reply()
    assert at.overlay is not None
    assert any(said in row for row in at.overlay.lines)
    assert len(lines(db)) == 2


def test_commands_that_cannot(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = session(db)
    assert enter(at, ":nosuch") == Reply(":nosuch", 7)
    assert "no command" in at.message.text
    assert enter(at, ":log 99") == Reply(":log 99", 7)
    assert "no deal 99" in at.message.text
    assert enter(at, ":check") == Reply()
    assert "all is well" in at.message.text
    monkeypatch.setattr(commands, "exists", lambda name: name != "sheet")
    enter(at, ":sheet")
    assert at.message.text == "This version has no :sheet yet."
    assert enter(at, ":quit").quits
    assert enter(at, ":q").quits


def test_a_player_whose_name_begins_with_the_colons_letter(tmp_path: Path) -> None:
    """Ж is the key of the colon on the Russian layout."""
    from skachki_ledger.header import Header
    from skachki_ledger.rules import PRESETS

    names = ("Жанна", "Борис", "Вера", "Глеб")
    head = Header(names, 1, PRESETS["piter@1"])
    at = session(fill(tmp_path / "j.db", ("r 3/2/3/2",), head=head))
    assert commands.read("Жанна 7п вп 7/3") is None
    enter(at, "Жанна 7п вп 7/3")
    assert at.state.deals == 2


# ------------------------------------------------------------------ two scorekeepers


def test_a_second_scorekeepers_deal_is_shown_and_mine_stays(db: Path) -> None:
    mine, other = session(db), session(db, "Petya")
    mine.typed("Anna 7s wp 7/3")
    enter(other, "Anna 7s wp 7/3")
    assert mine.catch_up()
    assert "Petya: 3. Anna 7s wp 7/3" in mine.message.text
    line = "Anna 7s wp 7/3"
    assert mine.enter(line) == Reply(line, len(line))  # begun before: told first
    assert "Not recorded. Meanwhile Petya: 3. Anna 7s wp 7/3" in mine.message.text
    assert len(lines(db)) == 3
    mine.typed(line + " ")
    assert "Not recorded" in mine.message.text  # it is not wiped away by typing on
    mine.enter("Boris 7s wp 7/3")
    assert lines(db)[3:] == ["2 7s wp 7/3"]


@pytest.mark.parametrize("line", ["Anna 7s wp 7/3", ":undo", ":redo", ":fine Gleb 4 gora"])
def test_the_same_without_a_poll_between(db: Path, line: str) -> None:
    mine, other = session(db), session(db, "Petya")
    mine.typed(line)
    enter(other, "Anna 6d pp")
    enter(other, ":undo")
    assert mine.enter(line) in (Reply(line, len(line)), Reply(line))
    assert len(lines(db)) == 4
    if line != ":redo":  # of which there was nothing, as shown
        assert "Not recorded. Meanwhile Petya: 3. Anna 6d pp; Petya: undo" in mine.message.text


def test_keys_become_a_typed_line_when_others_write(db: Path) -> None:
    mine, other = session(db), session(db, "Petya")
    mine.by_keys()
    assert mine.key("1") == "Anna"
    enter(other, 'note "x"')
    mine.catch_up()
    assert mine.guide is None
    assert mine.enter("Anna") == Reply("Anna", 4)
    mine.drop()
    assert mine.guide is not None  # and keys go on afterwards


def test_a_ledger_that_cannot_be_read_is_said_and_the_night_goes_on(db: Path) -> None:
    at = session(db)
    kept = db.read_bytes()
    db.unlink()
    assert at.catch_up()
    assert "no ledger" in at.message.text
    assert enter(at, "Anna 7s wp 7/3").text == "Anna 7s wp 7/3"
    db.write_bytes(kept)
    assert enter(at, "Anna 7s wp 7/3") == Reply()
    assert len(lines(db)) == 3


def test_another_course_of_the_game(db: Path, tmp_path: Path) -> None:
    at = session(db)
    shorter = fill(tmp_path / "other.db", OPENED[:1])
    db.write_bytes(shorter.read_bytes())
    assert at.catch_up()
    assert "replaced" in at.message.text
    assert at.state.deals == 1


# ------------------------------------------------------------------ the program, by a pipe


class Screen(DummyOutput):
    """An output of a given size that shows nothing."""

    def get_size(self) -> Size:
        return Size(rows=20, columns=40)


@pytest.fixture
def driven() -> Iterator[Callable[..., int]]:
    """Runs the live table with these keys typed, each chunk at once and a moment after the one before."""

    def run(db: Path, *chunks: str, language: str = "en") -> int:
        i18n.use(language)

        async def type_chunks() -> None:
            for chunk in chunks:
                pipe.send_text(chunk)
                await asyncio.sleep(0.04)
            await asyncio.sleep(20)
            pipe.close()  # rather than wait for ever

        with create_pipe_input() as pipe, create_app_session(input=pipe, output=Screen()):
            table = LiveTable(Table(str(db), None, "me"), "letters")
            begin = table._begin
            table._begin = lambda: (begin(), table.app.create_background_task(type_chunks()))  # type: ignore
            return table.run()

    yield run
    i18n.use("en")


Driven = Callable[..., int]


def test_typing_keys_and_enter(db: Path, driven: Driven) -> None:
    assert driven(db, "Anna 7s wp 7/3\r :q\r") == 0
    assert lines(db)[2:] == ["1 7s wp 7/3"]


@pytest.mark.parametrize(
    ("keys", "recorded"),
    [
        ("Anna 7s wp 7/4\r", []),
        ("Anna 7s wp 7/4\r\x7f3\r", []),  # what was typed at once behind a refused line is dropped
        (" 17s12x\r", ["1 7s wp 10/0"]),
        (" 17swp7\r", ["1 7s wp 7/3"]),
        (" 17sw\x7fp1\x7f2\r", ["1 7s pp"]),
        (" 18\tc wp 8/2\r", ["1 8c wp 8/2"]),  # Tab goes on by typing
        (" :undo\r", ["undo"]),
        (" 17s\x1bOP\x1b[A\x1b[3~wp7\r", ["1 7s wp 7/3"]),  # F1, Up and Delete are no answers
        ("A\t7\td wp 7/3\x03 ", []),  # Ctrl-C drops the line
        ("An\t7d\twp\t7/3\r", ["1 7d wp 7/3"]),
        ("\x1b[200~Anna 7s wp 7/3\nBoris 6d wp 6/4\x1b[201~\r\r", ["1 7s wp 7/3", "2 6d wp 6/4"]),
        ("\x1b[200~Anna 7s wp 7/3\nBoris 6d wp 6/4\x1b[201~", []),
        ("Anna 7s wp 7/3\x1b[D\x1b[D\x1b[D8\x7f\r", ["1 7s wp 7/3"]),
    ],
)
def test_what_keys_do(db: Path, driven: Driven, keys: str, recorded: list[str]) -> None:
    assert driven(db, keys, "\x03", "\x03", "\x03") == 130
    assert lines(db)[2:] == recorded


def test_end_of_input_leaves(db: Path, driven: Driven) -> None:
    assert driven(db, "\x04") == 0
    assert driven(db, "Anna\x01\x04\x04\x04\x04\x04") == 0
    assert len(lines(db)) == 2


def test_an_overlay_scrolls_and_closes(db: Path, driven: Driven) -> None:
    keys = ":log\r\x1b[A\x1b[A\x1b[6~qAnna 7s wp 7/3\r:help\r\x03:q\r"
    assert driven(db, keys) == 0
    assert lines(db)[2:] == ["1 7s wp 7/3"]


def test_a_correction_by_keys(db: Path) -> None:
    """The answer comes later than the question: it is typed when the question stands there."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=Screen()):
        table = LiveTable(Table(str(db), None, "me"), "letters")
        asked = table.session.redraw

        def redraw() -> None:
            asked()
            pipe.send_text("y")

        table.session.redraw = redraw
        done = table.session._corrected

        def corrected(ran: commands.Ran, text: str) -> None:
            done(ran, text)
            pipe.send_text(":q\r")

        table.session._corrected = corrected  # type: ignore[method-assign]
        pipe.send_text(":amend 2 Vera 7d wp 6/4\rmiscounted\r")
        assert table.run() == 0
    assert lines(db)[2:] == ["amend 2: 3 7d wp 6/4"]


# ------------------------------------------------------------------ a whole night


def a_night(language: str) -> tuple[str, History]:
    text = (ROOT / "examples" / "friday-night.skachki").read_text(encoding="utf-8")
    if language == "en":
        for russian, latin in zip(
            ("Анна", "Борис", "Вера", "Глеб", "Даша"), (*LATIN, "Dasha"), strict=True
        ):
            text = text.replace(russian, latin)
    history = admit(gamefile.read(text)).history
    assert history is not None
    return text, history


def night_keys(history: History, by_keys: bool, language: str) -> str:
    """A night as it is typed: deals by keys where keys can say them, all else as lines."""
    i18n.use(language)
    tokens, keys, state = canon.shown(signs=False), "", history.start
    for taken in history.steps:
        event, line = taken.event, canon.line(taken.event, state.players, tokens)
        if by_keys and isinstance(event, DealPlayed) and expressible(event, state.rules):
            short_line = canon.line(DealPlayed(short(event.deal)), state.players, tokens)
            found = keys_to(state, short_line)
            assert found is not None
            keys += f" {found}\r" + ("" if taken.after.over else "\t")
        else:
            keys += f"{line}\r"
        state = taken.after
    i18n.use("en")
    return keys


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_night_keyed_in_ends_as_its_file_does(
    tmp_path: Path, skachki: Skachki, driven: Driven, language: str
) -> None:
    text, history = a_night(language)
    file = tmp_path / "night.skachki"
    file.write_text(text, encoding="utf-8")
    played, imported = tmp_path / "played.db", tmp_path / "imported.db"
    fill(played, (), head=history.header)
    fine(skachki("import", "night.skachki", "--db", imported))
    assert driven(played, night_keys(history, True, language) + ":q\r", language=language) == 0
    table, other = Table(str(played), None, "x"), Table(str(imported), None, "x")
    mine, theirs = table.game.history.state, other.game.history.state
    assert mine == theirs
    assert len(table.game.records) == len(other.game.records)
    assert net(mine) == net(theirs)


# ------------------------------------------------------------------ the board


def test_watch_follows_the_game_and_the_current_one(db: Path) -> None:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=Screen()):
        board = Board(Table(str(db), None, None), "letters", follows=True)
        assert not board.changed()
        enter(session(db), "Anna 7s wp 7/3")
        assert board.changed()
        assert board.table.game.history.state.deals == 3
        before = board.table.game.id
        fill(db, ("r 1/3/3/3",), "another2")
        assert board.changed()
        assert board.table.game.id == "another2" != before
        moved = db.rename(db.with_suffix(".away"))
        assert board.changed()
        assert "no ledger" in board.fault
        moved.rename(db)
        assert board.changed()
        assert board.fault == ""
        pipe.send_text("q")
        assert board.run() == 0


def test_what_a_command_prints_does_not_reach_the_terminal(
    db: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = commands.run(["log", "--db", str(db)], io.StringIO())
    assert "Vera" in ran.printed
    assert capsys.readouterr() == ("", "")


# ------------------------------------------------------------------ what a fresh eye found


def test_the_prompt_has_the_label_the_deal_will_have(db: Path, skachki: Skachki) -> None:
    fine(skachki("deal", "Anna", "7s", "wp", "7/3", "--db", db))
    fine(skachki("void", "2", "--reason", "x", "--yes", "--db", db))
    at = session(db)  # two deals count, the third one had the label 3
    assert at.table.game.history.label_to_come == "4"
    assert at.look("r 3/3/2/2 irregular x").lines[0].startswith("4. r 3/3/2/2")
    enter(at, "r 3/3/2/2 irregular x")
    assert at.message.text.startswith("recorded: 4. r 3/3/2/2")
    assert at.table.game.items[-1].label == "4"


def test_the_end_of_the_game_is_announced(tmp_path: Path) -> None:
    rules = PRESETS["piter@1"]._replace(target=4, semesters=1)
    at = session(fill(tmp_path / "l.db", ["r 2/4/3/1"], head=Header(LATIN, 0, rules)))
    enter(at, "Anna 7d ww 7/2/1")
    assert at.message.text == "recorded: 2. Anna 7d ww 7/2/1 Semester I has ended."


def test_the_table_says_what_the_command_line_says(db: Path) -> None:
    at = session(db)
    assert 'add irregular "reason"' in "".join(at.look("Anna 6s wp 6/4").lines)
    enter(at, 'seat Vera "Zoe"')
    assert "Zoe (was Vera)" in "".join(at.look("Vera 7d wp 7/3").lines)


def test_a_dropped_question_leaves_no_message(db: Path) -> None:
    at = session(db)
    enter(at, ":void 2")
    assert "Why?" in at.message.text
    at.drop()
    assert at.message.text == ""


def test_a_deal_is_inserted_before_another_without_the_option(db: Path) -> None:
    at = session(db)
    at.redraw = lambda: at.answer("y")
    enter(at, ":insert 2 r 4/2/2/2")
    assert at.enter("forgotten") == Reply()
    assert lines(db)[2:] == ["insert 2: r 4/2/2/2"]
