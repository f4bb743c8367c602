"""What `score` prints for people: any name whole and aligned, any circumstances without a traceback."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from running import LATIN, SKACHKI, run
from wcwidth import wcswidth

FAMILY = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
TABLES = {
    "long": ("x" * 40, "Ж" * 40, "Анна Мария", "y"),
    "numbers": ("007", "1e3", "5", "0x10"),
    "marks": ("<b>x</b>", "a|b", "&amp", "*x*_y"),
    "wide": (FAMILY, "名前", "é" * 3, "q\N{COMBINING ACUTE ACCENT} й"),
    "signs": ("\\n", "$HOME", "%s{}", "[red]x"),
    "flags": (
        "\N{REGIONAL INDICATOR SYMBOL LETTER R}\N{REGIONAL INDICATOR SYMBOL LETTER U}",
        "🂡",
        "½",
        "—",
    ),
    "empty": ("nan", "None", "inf", "0"),
}
EVENTS = """r 0/4/3/3 1@g
3 7d wp 7
1 m 0 @g
2 10n ww 8/1/1
fine 1 7 whists all "a|b <i> %s"
4 7s wp 6
1 8c ww 10/0/0
seat 3 "Зоя"
4 6s ww 4/4/2
2 9d ww 10/0/0
adjust 2 -14 gora "nothing left"
agree "x | y"
"""


def night(names: tuple[str, ...], events: str = EVENTS) -> str:
    """Return a game of these four."""
    players = ", ".join(names).replace("\\", "\\\\")
    return f'[Game "a | b <i>"]\n[Players "{players}"]\n[Stake "0.05 RUB"]\n{events}'


def columns(dashes: str) -> list[tuple[int, int]]:
    """Return where the gaps between a table's columns are, from its line of dashes."""
    return [match.span() for match in re.finditer(" +", dashes)]


def cut(row: str, width: int) -> int:
    """Return how many characters of a row fill `width` places of the terminal."""
    place = next((at for at in range(len(row) + 1) if wcswidth(row[:at]) >= width), len(row))
    while place < len(row) and wcswidth(row[: place + 1]) == width:
        place += 1
    return place


def tables_of(text: str) -> list[tuple[str, list[str]]]:
    """Return each table: its line of dashes, and its other lines."""
    lines = text.splitlines()
    found: list[tuple[str, list[str]]] = []
    for at, line in enumerate(lines):
        if re.fullmatch("-+(  -+)+", line):
            end = next((row for row in range(at, len(lines)) if not lines[row]), len(lines))
            found.append((line, [lines[at - 1], *lines[at + 1 : end]]))
    return found


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    folder = tmp_path_factory.mktemp("names")
    for key, names in TABLES.items():
        (folder / key).write_text(night(names), encoding="utf-8")
    found: dict[tuple[str, str], str] = {}
    for language in ("en", "ru"):
        ran = run("score", *TABLES, "--lang", language, "--log", cwd=folder)
        assert (ran.code, ran.err) == (0, "")
        heading = "Deal by deal" if language == "en" else "По сдачам"
        games = ran.out.split(heading)[1:]
        assert len(games) == len(TABLES)
        found |= {(key, language): game for key, game in zip(TABLES, games, strict=True)}
    return found


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("key", TABLES)
def test_names_are_whole_and_aligned(printed: dict[tuple[str, str], str], key: str, language: str) -> None:
    text = printed[key, language]
    for name in (*TABLES[key], "Зоя", "a | b <i>"):
        assert name in text
    tables = tables_of(text)
    assert len(tables) >= 5
    for dashes, rows in tables:
        for row in rows:
            for start, end in columns(dashes):
                gap = row[cut(row, start) :][: end - start]
                assert not gap.strip(), f"{row!r} is not in line with {dashes!r}"
            assert wcswidth(row) <= wcswidth(dashes) or row.rstrip() == row


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("key", TABLES)
def test_every_player_has_a_row_in_every_table(
    printed: dict[tuple[str, str], str], key: str, language: str
) -> None:
    seated = [*TABLES[key][:2], "Зоя", TABLES[key][3]]
    for _, rows in tables_of(printed[key, language])[:4]:
        assert len(rows) == 5
        assert all(name in row for name, row in zip(seated, rows[1:], strict=True))


def test_nothing_is_minus_nothing(printed: dict[tuple[str, str], str], tmp_path: Path) -> None:
    for text in printed.values():
        assert not re.search(r"(?<![\d.])[-−]0+([.,]0+)?(?![\d.,])", text)
    (tmp_path / "x").write_text(night(LATIN, 'r 2/4/2/2\nadjust 1 -4 gora "x"\nadjust 2 -8 gora "x"\n'))
    out = run("score", "x", "--json", cwd=tmp_path).out
    assert '"-0' not in out
    assert "-0," not in out


def test_suits_as_letters_or_signs(tmp_path: Path) -> None:
    events = "r 2/4/3/1\n3 7d wp 7\n1 7s wp 7\n2 7c wp 7\n3 7h wp 7\n1 7n wp 7\n"
    (tmp_path / "x").write_text(night(LATIN, events), encoding="utf-8")
    wanted = {
        ("en", "signs"): "7♦ 7♠ 7♣ 7♥ 7n",
        ("en", "letters"): "7d 7s 7c 7h 7n",
        ("ru", "signs"): "7♦ 7♠ 7♣ 7♥ 7бк",
        ("ru", "letters"): "7б 7п 7т 7ч 7бк",
    }
    for (language, suits), contracts in wanted.items():
        out = run("score", "x", "--log", "--lang", language, "--suits", suits, cwd=tmp_path).out
        assert re.findall(r"^\d+\. \S+ (7\S+) ", out, re.MULTILINE) == contracts.split()
        assert suits == "signs" or not set("♠♣♦♥") & set(out)


LOCALES = [
    ({"LC_ALL": "C"}, "en"),
    ({"LC_ALL": "POSIX"}, "en"),
    ({"LC_ALL": "", "LANG": "C"}, "en"),
    ({"LC_ALL": "ru_RU.UTF-8"}, "ru"),
    ({"LC_ALL": "", "LANG": "ru_RU.UTF-8"}, "ru"),
    ({"LC_ALL": "ru_RU.KOI8-R"}, "ru"),
    ({"LC_ALL": "nowhere"}, "en"),
    ({"LC_ALL": "", "LC_MESSAGES": "ru_RU.UTF-8", "LANG": "C"}, "ru"),
    ({"LC_ALL": "C", "SKACHKI_LANG": "ru"}, "ru"),
    ({"LC_ALL": "ru_RU.UTF-8", "SKACHKI_LANG": "en"}, "en"),
    ({"LC_ALL": "ru_RU.UTF-8", "SKACHKI_LANG": ""}, "ru"),
    ({"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "en"),
    ({"LC_ALL": "C", "PYTHONIOENCODING": "cp1251", "TERM": "dumb", "COLUMNS": "10"}, "en"),
]


@pytest.mark.parametrize(("env", "language"), LOCALES)
def test_any_locale(tmp_path: Path, env: dict[str, str], language: str) -> None:
    (tmp_path / "ночь.skachki").write_text(night(TABLES["wide"]), encoding="utf-8")
    ran = run("score", "ночь.skachki", "нет", env=env, cwd=tmp_path)
    assert ran.code == 1
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith("нет: ") or "PYTHONUTF8" in env
    assert ("Итог" in ran.out or "Расчёт" in ran.out) == (language == "ru")
    assert FAMILY in ran.out


def test_a_broken_pipe_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(night(LATIN), encoding="utf-8")
    for options in ([], ["--json"], ["--log"]):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            done = subprocess.run(
                [SKACHKI, "score", *["x"] * 20, *options],
                cwd=tmp_path,
                stdout=pipe,
                stderr=subprocess.PIPE,
                timeout=60,
                check=False,
            )
        assert b"Traceback" not in done.stderr
        assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "> /dev/full"])
def test_a_stream_that_is_closed_or_full_gives_no_traceback(tmp_path: Path, closed: str) -> None:
    (tmp_path / "x").write_text(night(LATIN), encoding="utf-8")
    for arguments in ("score x", "score nowhere", "--version"):
        command = f"{SKACHKI} {arguments} {closed}"
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, capture_output=True, timeout=60, check=False
        )
        assert b"Traceback" not in done.stderr + done.stdout, done.stderr.decode()
        assert b"Exception ignored" not in done.stderr
        assert done.returncode in (0, 1)


def test_arguments_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(night(LATIN), encoding="utf-8")
    odd: list[list[str | bytes]] = [
        ["score", b"\xff\xfe"],
        ["score", "x", "--after", b"\xff"],
        ["score", "x", "--lang", b"\xff"],
        ["score", "x", "--suits", b"\xff"],
        ["rules", b"\xff"],
        ["rules", "--diff", b"\xd0"],
    ]
    for arguments in odd:
        for extra in ([], ["--json"]):
            ran = run(*arguments, *extra, cwd=tmp_path)
            assert (ran.code, ran.out, len(ran.err.splitlines())) == (1, "", 1)
    assert run(b"\xff", cwd=tmp_path).code == 2
    assert run("score", b"--\xff", cwd=tmp_path).code == 2
    name = os.fsdecode(b"\xcd\xee\xf7\xfc.skachki")  # «Ночь» in CP1251
    (tmp_path / name).write_text(night(LATIN), encoding="utf-8")
    ran = run("score", os.fsencode(name), "--json", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["file"]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_help_and_rules_are_in_one_language(language: str) -> None:
    for arguments in (
        "score --help",
        "rules --help",
        "rules",
        "rules gambler",
        "rules piter --diff gambler",
    ):
        ran = run(*arguments.split(), env={"SKACHKI_LANG": language})
        assert (ran.code, ran.err) == (0, "")
        assert bool(re.search("[А-Яа-я]{3}", ran.out)) == (language == "ru"), ran.out
    for arguments in ("", "score", "nonsense", "score --after"):
        ran = run(*arguments.split(), env={"SKACHKI_LANG": language})
        text = (ran.out + ran.err).replace("«Питерские скачки»", "")
        assert ran.code == 2
        assert bool(re.search("[А-Яа-я]{3}", text)) == (language == "ru"), text


@pytest.mark.parametrize(
    "arguments",
    [
        *(["score"], ["score", "--nonsense", "x"], ["score", "x", "--after"], ["score", "x", "--lang"]),
        *(["nonsense"], ["-x"], ["rules", "piter", "x"], ["rules", "--after", "3"]),
    ],
)
def test_misuse_is_exit_2(tmp_path: Path, arguments: list[str]) -> None:
    ran = run(*arguments, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_a_wrong_value_is_exit_1(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(night(LATIN), encoding="utf-8")
    for options in ("--after 999", "--after x", "--after -1", "--lang de", "--suits x"):
        ran = run("score", "x", *options.split(), cwd=tmp_path)
        assert (ran.code, ran.out, len(ran.err.splitlines())) == (1, "", 1), options
    assert json.loads(run("score", "x", "--after", "999", "--json", cwd=tmp_path).err)["error"]["code"]
    assert run("rules", "pieter", cwd=tmp_path).code == 1
