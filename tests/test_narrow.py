"""A phone's terminal, 40 columns wide: nothing is broken within a word, and a pipe gets lines whole."""

import fcntl
import os
import struct
import subprocess
import termios
from pathlib import Path

import pytest
from conftest import SKACHKI, Skachki, clean_environment

from skachki_ledger.render.lines import folded, width

ROOT = Path(__file__).parent.parent
COLUMNS = 40


def on_terminal(home: Path, *words: str, columns: int = COLUMNS, language: str = "en") -> list[str]:
    """Return the lines a command prints on a terminal, standard error included."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    process = subprocess.Popen(
        [SKACHKI, *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        cwd=home,
        env=clean_environment(home) | {"SKACHKI_LANG": language},
    )
    os.close(theirs)
    read = b""
    try:
        while more := os.read(ours, 65536):
            read += more
    except OSError:  # how a terminal ends
        pass
    finally:
        os.close(ours)
        process.wait(60)
    return read.decode().replace("\r\n", "\n").splitlines()


@pytest.fixture
def night(skachki: Skachki) -> None:
    """A finished night with a substitution, a problem to look at and a corrected deal."""
    assert skachki("import", ROOT / "examples" / "friday-night.skachki").returncode == 0
    amended = skachki(
        *("amend", "2", "Вера", "7d", "ww", "7/2/1", "--reopen", "--yes"),
        *("--reason", "взятки записаны не тому, это видно по сданным картам и по листу"),
    )
    assert amended.returncode == 0, amended.stderr


COMMANDS = (
    ("status",),
    ("standing",),
    ("settle",),
    ("log", "--deal", "2"),
    ("history",),
    ("check",),
    ("games",),
    ("rules",),
    ("explain", "2"),
    ("claim", "1 net 5", "after 12: 2 whists 3 44"),
    ("whatif", "without", "20"),
    ("whatif", "rules"),
    ("reconcile", "1 net 5"),
    ("deal", "m", "0"),
    ("void", "3", "--reason", "не игралась"),
)


@pytest.mark.usefixtures("night")
@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_line_is_wider_than_a_phone(skachki: Skachki, tmp_path: Path, language: str) -> None:
    for words in COMMANDS:
        piped = skachki(*words, "--lang", language)
        told = on_terminal(tmp_path, *words, language=language)
        wide = [line for line in told if width(line) > COLUMNS and "skachki " not in line]
        assert wide == [], words
        if words[0] not in ("reconcile", "whatif"):  # seconds; as lines a table has no first header
            assert said(piped.stdout + piped.stderr) <= said("\n".join(told)), words


def said(text: str) -> set[str]:
    """Every word; a table that is told as lines leaves rules and empty cells out."""
    return {word for word in text.split() if word.strip("-–·")}


@pytest.mark.usefixtures("night")
def test_a_wide_terminal_and_a_pipe_get_the_same(skachki: Skachki, tmp_path: Path) -> None:
    for words in COMMANDS[:6]:
        assert "\n".join(on_terminal(tmp_path, *words, columns=200)) + "\n" == skachki(*words).stdout


@pytest.mark.usefixtures("night")
def test_a_terminal_that_does_not_know_its_width_gets_lines_whole(skachki: Skachki, tmp_path: Path) -> None:
    assert "\n".join(on_terminal(tmp_path, "check", columns=0)) + "\n" == skachki("check").stdout


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("seven words that make one long line", "seven words that\n  make one long\n  line"),
        ("  set in by two already, and long", "  set in by two\n    already, and\n    long"),
        ("anunbreakablewordthatislong", "anunbreakablewordthatislong"),
        ("a anunbreakablewordthatislong b", "a\n  anunbreakablewordthatislong\n  b"),
        ("short", "short"),
        ("", ""),
        ("漢字 漢字 漢字 漢字", "漢字 漢字 漢字\n  漢字"),  # a sign takes two columns
        ("   skachki amend 1 'Anna' 7d ww 7/3/0", "   skachki amend 1 'Anna' 7d ww 7/3/0"),
        ("skachki: there is no deal 12", "skachki: there\n  is no deal 12"),
    ],
)
def test_folded(text: str, wanted: str) -> None:
    assert folded(text, 16) == wanted


@pytest.mark.usefixtures("night")
def test_a_format_for_other_programs_is_never_broken(skachki: Skachki, tmp_path: Path) -> None:
    for tablefmt in ("html", "github"):
        for command in ("standing", "settle"):
            words = (command, "--tablefmt", tablefmt)
            assert "\n".join(on_terminal(tmp_path, *words)) + "\n" == skachki(*words).stdout
