"""The real program on a real terminal: a pseudo-terminal for what it does, tmux for what it shows.

docs/screens/ holds three moments at two sizes; `WRITE_SCREENS=1 pytest tests/test_play_terminal.py`
takes them anew.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import shutil
import signal
import sqlite3
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from conftest import SKACHKI, Skachki, clean_environment
from test_hot_path import loaded
from test_ledger_store import fill, fine
from test_play_session import OPENED, a_night, lines, night_keys

from skachki_ledger.play.table import Table

ROOT = Path(__file__).parent.parent
SCREENS = ROOT / "docs" / "screens"
TMUX = shutil.which("tmux")


def until(holds: Callable[[], bool], seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.03)


class Terminal:
    """A program on a pseudo-terminal; everything it draws is read and kept."""

    def __init__(
        self, home: Path, *arguments: str | Path, columns: int = 40, rows: int = 20, **env: str
    ) -> None:
        self.master, slave = pty.openpty()
        self.resize(columns, rows)
        self.process = subprocess.Popen(
            [str(SKACHKI), *map(str, arguments)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=home,
            env=clean_environment(home) | {"TERM": "xterm-256color"} | env,
            start_new_session=True,
        )
        os.close(slave)
        self.drawn = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while data := os.read(self.master, 65536):
                self.drawn += data

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if hasattr(self, "process"):
            self.process.send_signal(signal.SIGWINCH)

    def shows(self, text: str) -> Terminal:
        until(lambda: text.encode() in self.drawn)
        return self

    def type(self, text: str) -> None:
        data = text.encode()
        while data:
            data = data[os.write(self.master, data[:512]) :]

    def ends(self) -> int:
        return self.process.wait(timeout=15)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=15)
        with contextlib.suppress(OSError):
            os.close(self.master)
        self._reader.join(timeout=5)


Starts = Callable[..., Terminal]


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    open_ones: list[Terminal] = []

    def start(*arguments: str | Path, **more: str) -> Terminal:
        terminal = Terminal(tmp_path, *arguments, "--db", tmp_path / "l.db", **more)  # type: ignore[arg-type]
        open_ones.append(terminal)
        return terminal

    yield start
    for terminal in open_ones:
        terminal.close()


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return fill(tmp_path / "l.db", OPENED)


def test_a_line_is_durable_once_it_is_entered(db: Path, starts: Starts) -> None:
    """kill -9 between two lines and in the middle of one: only the line being typed is lost."""
    for number, line in enumerate(("Anna 7s wp 7/3", "Anna 6d pp", "Vera 7s wp 7/3"), 3):
        play = starts("play")
        play.shows(f"{number}>").type(f"{line}\r")
        until(lambda number=number: len(lines(db)) == number)  # type: ignore[misc]
        play.type("Gleb 7s wp 7")
        play.shows("Gleb")
        os.kill(play.process.pid, signal.SIGKILL)
        play.ends()
    assert lines(db)[2:] == ["1 7s wp 7/3", "1 6d pp", "3 7s wp 7/3"]


def test_kill_at_any_moment_leaves_a_sound_ledger(db: Path, starts: Starts, skachki: Skachki) -> None:
    for delay in (0.0, 0.006, 0.02):
        before = len(lines(db))
        play = starts("play")
        play.shows(">").type("note a\rnote b\rnote c\r" * 3)
        time.sleep(delay)
        os.kill(play.process.pid, signal.SIGKILL)
        play.ends()
        written = lines(db)[before:]
        assert (
            written
            == ['note "a"', 'note "b"', 'note "c"', *['note "a"', 'note "b"', 'note "c"'] * 2][
                : len(written)
            ]
        )
    fine(skachki("verify", "--db", db))


def test_hangup_end_of_input_and_interrupt(db: Path, starts: Starts) -> None:
    gone = starts("play")
    gone.shows("3>").type("Anna 7s wp")
    gone.shows("wp")
    os.close(gone.master)
    gone.ends()
    left = starts("play", SKACHKI_LANG="ru")
    left.shows("3>").type("\x04")
    assert left.ends() == 0
    interrupted = starts("play")
    interrupted.shows("3>").type("Anna 7s\x03")
    time.sleep(0.2)
    interrupted.type("\x03")
    time.sleep(0.2)
    interrupted.type("\x03")
    assert interrupted.ends() == 130
    ended = starts("play")
    ended.shows("3>").process.send_signal(signal.SIGTERM)
    assert ended.ends() == 143
    assert len(lines(db)) == 2


def test_resizing_and_pasting(db: Path, starts: Starts) -> None:
    play = starts("play")
    play.shows("3>")
    for columns, rows in ((200, 60), (40, 20), (20, 5), (3, 2), (100, 30)):
        play.resize(columns, rows)
        time.sleep(0.05)
    ten = "\n".join(f'note "{number}"' for number in range(10))
    play.type(f"\x1b[200~{ten}\x1b[201~")
    play.shows("waiting: 9")
    assert len(lines(db)) == 2  # nothing is recorded by pasting
    play.type("\r" * 10)
    until(lambda: len(lines(db)) == 12)
    play.type(":quit\r")
    assert play.ends() == 0
    assert "Vera" in play.drawn.decode().rpartition("\x1b[?1049l")[2]  # where the game stands, for good
    assert lines(db)[2:] == [f'note "{number}"' for number in range(10)]


def test_two_scorekeepers_enter_the_same_deal(db: Path, starts: Starts) -> None:
    first, second = (starts("play", "--by", name, columns=100, rows=30) for name in ("Ann", "Bob"))
    for play in (first, second):
        play.shows("3>").type("Anna 7s wp 7/3")
        play.shows("Enter records")
    first.type("\r")
    until(lambda: len(lines(db)) == 3)
    entered = time.monotonic()
    second.shows("Ann: 3. Anna")
    assert time.monotonic() - entered < 1.5
    second.type("\r")
    second.shows("Not recorded")
    assert len(lines(db)) == 3
    second.type("\x7f" * 14 + "Boris 7s wp 7/3\r")
    until(lambda: len(lines(db)) == 4)
    first.shows("Bob: 4.")


def test_watch_shows_a_deal_within_a_second(db: Path, starts: Starts, skachki: Skachki) -> None:
    board = starts("watch", columns=100, rows=30)
    board.shows("2. Vera")
    fine(skachki(*("deal", "Anna", "7s", "wp", "7/3"), "--db", db))
    written = time.monotonic()
    board.shows("3. Anna")
    assert time.monotonic() - written < 1.5
    board.type("q")
    assert board.ends() == 0
    assert len(lines(db)) == 3


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_night_typed_key_by_key(tmp_path: Path, starts: Starts, skachki: Skachki, language: str) -> None:
    text, history = a_night(language)
    (tmp_path / "night.skachki").write_text(text, encoding="utf-8")
    fill(tmp_path / "l.db", (), head=history.header)
    fine(skachki("import", "night.skachki", "--db", "whole.db"))
    play = starts("play", SKACHKI_LANG=language)
    play.shows("1>")
    for key in night_keys(history, False, language):
        play.type(key)
    play.type(":quit\r")
    assert play.ends() == 0
    played, imported = (
        Table(str(tmp_path / "l.db"), None, "x"),
        Table(str(tmp_path / "whole.db"), None, "x"),
    )
    assert played.game.history.state == imported.game.history.state
    assert len(played.game.records) == len(imported.game.records)


@pytest.mark.parametrize("command", ["play", "watch"])
def test_without_a_terminal_it_says_so(db: Path, skachki: Skachki, command: str) -> None:
    ran = skachki(command, "--db", db, stdin="Anna 7s wp 7/3\n")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "needs a terminal" in ran.stderr
    assert len(lines(db)) == 2


def test_without_a_ledger_it_says_so(tmp_path: Path, starts: Starts) -> None:
    play = starts("play")
    assert play.ends() == 1
    play.shows("E310")
    assert not (tmp_path / "l.db").exists()


def test_hot_commands_do_not_load_the_screen(db: Path, tmp_path: Path) -> None:
    slow = ("prompt_toolkit", "skachki_ledger.play", "asyncio")
    for command in ("status", "undo", "redo", "deal Anna 7s wp 7/3"):
        names = loaded(tmp_path, *command.split(), "--db", str(db))
        assert not [name for name in names if name.startswith(slow)]


# ------------------------------------------------------------------ what is seen


class Tmux:
    """A terminal of a given size in tmux, of which the screen can be read."""

    def __init__(
        self, home: Path, db: Path, columns: int, rows: int, command: str = "play", **env: str
    ) -> None:
        self.home, self.name = home, f"skachki-{os.getpid()}-{columns}-{rows}"
        told = " ".join(f"{name}={value}" for name, value in ({"SKACHKI_LANG": "en"} | env).items())
        program = f"env {told} {SKACHKI} {command} --db {db}; sleep 30"
        self.run("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), program)

    def run(self, *arguments: str) -> str:
        command = [str(TMUX), "-L", self.name, *arguments]
        done = subprocess.run(
            command,
            env=clean_environment(self.home) | {"TERM": "xterm-256color"},
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        return done.stdout

    def screen(self) -> str:
        rows = [row.rstrip() for row in self.run("capture-pane", "-p").split("\n")]
        return "\n".join(rows).rstrip("\n") + "\n"

    def shows(self, text: str) -> str:
        until(lambda: text in self.screen())
        return self.screen()

    def type(self, text: str) -> None:
        self.run("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        self.run("send-keys", *keys)

    def close(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.run("kill-server")


@contextlib.contextmanager
def tmux(
    home: Path, db: Path, columns: int, rows: int, command: str = "play", **env: str
) -> Iterator[Tmux]:
    terminal = Tmux(home, db, columns, rows, command, **env)
    try:
        yield terminal
    finally:
        terminal.close()


def evening(path: Path, deals: int) -> Path:
    """A ledger with the first deals of a night of fixed times, so that screens are the same each time."""
    _text, history = a_night("en")
    from skachki_ledger.canon import CANONICAL, line

    count = next(at for at, taken in enumerate(history.steps) if taken.after.deals > deals)
    state, typed = history.start, []
    for taken in history.steps[:count]:
        typed.append(line(taken.event, state.players, CANONICAL))
        state = taken.after
    return fill(path, typed, head=history.header)


@pytest.mark.skipif(TMUX is None, reason="tmux is not installed")
@pytest.mark.parametrize(("columns", "rows"), [(40, 20), (100, 30)])
def test_screens_of_three_moments(tmp_path: Path, columns: int, rows: int) -> None:
    moments = {}
    with tmux(tmp_path, evening(tmp_path / "a.db", 33), columns, rows) as terminal:
        terminal.shows("34>")
        terminal.type("Boris 9s/m ww 7/2/1")
        moments["a-typed-line"] = terminal.shows("Enter records")
    with tmux(tmp_path, evening(tmp_path / "b.db", 26), columns, rows) as terminal:
        terminal.shows("27>")
        terminal.type(" 18sp")
        terminal.press("BSpace")
        terminal.type("pp")
        moments["b-pool-or-gora"] = terminal.shows("pool or gora?")
    with tmux(tmp_path, evening(tmp_path / "c.db", 60), columns, rows) as terminal:
        terminal.shows("61>")
        terminal.type("Anna 6d wp 6/4")
        terminal.press("Enter")
        moments["c-refused"] = terminal.shows("Not recorded")
    for name, screen in moments.items():
        file = SCREENS / f"{name}-{columns}x{rows}.txt"
        if os.environ.get("WRITE_SCREENS"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(screen, encoding="utf-8")
        assert screen == file.read_text(encoding="utf-8"), file.name


@pytest.mark.skipif(TMUX is None, reason="tmux is not installed")
def test_resize_without_colours_with_letters_and_hangup(tmp_path: Path) -> None:
    db = evening(tmp_path / "l.db", 16)
    with tmux(tmp_path, db, 100, 30, "play --suits letters", NO_COLOR="1") as terminal:
        terminal.shows("17>")
        for columns, rows in ((40, 20), (200, 60), (60, 22)):
            terminal.run("resize-window", "-x", str(columns), "-y", str(rows))
            for name in ("17>", "1 Anna", "2 Boris", "3 Vera", "4 Gleb", "16. Boris 7c pw 6/4"):
                terminal.shows(name)
        assert not any(sign in terminal.screen() for sign in "♠♣♦♥")
        coloured = terminal.run("capture-pane", "-p", "-e")
        assert "\x1b[31m" not in coloured
        assert "\x1b[32m" not in coloured
        assert "\x1b[1m" in coloured
        pane = int(terminal.run("list-panes", "-F", "#{pane_pid}"))
        terminal.type("Vera 7")
    until(lambda: not Path(f"/proc/{pane}").exists())
    with closing(sqlite3.connect(db)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
