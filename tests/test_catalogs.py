"""The Russian catalogues are current, and Russian is what a Russian table reads."""

import os
import re
import shutil
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skachki_ledger import i18n, reports, wording
from skachki_ledger.cli.app import COMMANDS
from skachki_ledger.errors import CODES
from skachki_ledger.model import Entry

ROOT = Path(__file__).parent.parent
CATALOGS = Path("skachki_ledger/locale/ru/LC_MESSAGES")
SKACHKI = Path(sys.executable).with_name("skachki")


@pytest.fixture
def russian() -> Iterator[None]:
    i18n.use("ru")
    yield
    i18n.use("en")


def judged(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.catalogs", "--check"]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


def skachki(*arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "SKACHKI_LANG": "ru"}
    return subprocess.run(
        [SKACHKI, *arguments], cwd=ROOT, env=environ, capture_output=True, encoding="utf-8", check=False
    )


def test_catalogs_are_current() -> None:
    result = judged(ROOT)
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('msgid "pool"\nmsgstr "пуля"\n', "", "missing: pool"),
        ('msgid "pool"', 'msgid "pond"\nmsgstr "пруд"\n\nmsgid "pool"', "no longer used: pond"),
        ('msgstr "пуля"', 'msgstr ""', "untranslated: pool"),
        ('msgstr[1] "{n} взятки"', 'msgstr[1] ""', "untranslated: {n} trick"),
        ('msgid "pool"', '#, fuzzy\nmsgid "pool"', "fuzzy: pool"),
        ('msgstr "по {price}"', 'msgstr "по {prise}"', "placeholders differ: at {price} / по {prise}"),
        ('msgstr "пуля"', 'msgstr "лужа"', "skachki.mo: not what skachki.po compiles to"),
        ('\n\nmsgid "pool"', '\n\n\nmsgid "pool"', "skachki.po: not as this program writes it"),
    ],
    ids=["missing", "extra", "empty", "plural", "fuzzy", "placeholders", "compiled", "form"],
)
def test_check_finds(tmp_path: Path, old: str, new: str, fault: str) -> None:
    kept = shutil.ignore_patterns("__pycache__")
    for folder in ("tools", "skachki_ledger"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=kept)
    catalog = tmp_path / CATALOGS / "skachki.po"
    text = catalog.read_text(encoding="utf-8")
    assert text.count(old) == 1
    catalog.write_text(text.replace(old, new), encoding="utf-8")
    result = judged(tmp_path)
    assert result.returncode == 1
    assert fault in result.stdout


def places(text: str) -> list[tuple[str, str]]:
    """The {places} of a text in alphabetical order, each with its conversion."""
    found = string.Formatter().parse(text)
    return sorted({(name, how or "") for _text, name, _spec, how in found if name is not None})


@pytest.mark.parametrize("code", CODES)
@pytest.mark.usefixtures("russian")
def test_error_is_russian(code: str) -> None:
    english = CODES[code].text
    russian = i18n._(english)
    assert russian != english
    assert places(russian) == places(english)
    assert re.search("[а-яё]", russian)


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("tricks", ["1 взятка", "2 взятки", "5 взяток", "11 взяток", "21 взятка"]),
        (
            "undertricks",
            [
                f"подсад на {text}"
                for text in ("1 взятку", "2 взятки", "5 взяток", "11 взяток", "21 взятку")
            ],
        ),
        (
            "missing",
            [
                f"недобор в {text}"
                for text in ("1 взятку", "2 взятки", "5 взяток", "11 взяток", "21 взятку")
            ],
        ),
        (
            "half-whist",
            [
                f"половина от {text}"
                for text in ("1 взятки", "2 взяток", "5 взяток", "11 взяток", "21 взятки")
            ],
        ),
    ],
)
@pytest.mark.usefixtures("russian")
def test_plurals_of_tricks(kind: str, texts: list[str]) -> None:
    entries = [Entry("game.set", 0, "gora", None, 0, (kind, n, 4)) for n in (1, 2, 5, 11, 21)]
    assert [wording.entry_text(entry) for entry in entries] == [f"{text} × 4" for text in texts]


@pytest.mark.usefixtures("russian")
def test_plurals_of_points_and_deals() -> None:
    numbers = (1, 2, 5, 11, 21)
    points = [wording.entry_text(Entry("game.made", 0, "pool", None, n, ("value", n))) for n in numbers]
    assert points == ["1 очко", "2 очка", "5 очков", "11 очков", "21 очко"]
    deals = [reports.deals_text(n) for n in numbers]
    assert deals == ["1 сдача", "2 сдачи", "5 сдач", "11 сдач", "21 сдача"]


ALLOWED = re.compile(
    r"""--dealer | \b(?:
      (?:game|whist|misere|allpass|prize|deal|settle)\.[a-z-]+ | fine | adjust   # rule ids
    | piter | RUB | E\d{3}                                                       # preset, currency, codes
    | I | II | III | IV                                                          # semesters
    )\b""",
    re.VERBOSE,
)


@pytest.mark.parametrize("options", [[], ["--log"], ["--log", "--suits", "letters"]], ids=" ".join)
def test_russian_score_is_russian(options: list[str]) -> None:
    result = skachki("score", "examples/friday-night.skachki", *options)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.findall("[A-Za-z]+", ALLOWED.sub("", result.stdout)) == []


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["score", "--help"], 0, "Ключи:"),
        (["score"], 2, "Ошибка: Не указан аргумент 'ФАЙЛ…'."),
        (["score", "--nope", "x"], 2, "Ошибка: Нет ключа '--nope'."),
        (["score", "x", "--after"], 2, "Ошибка: Ключу '--after' нужно значение."),
        (["rules", "piter", "x"], 2, "Ошибка: Лишний аргумент (x)"),
        (["nosuch"], 2, "Ошибка: Нет команды 'nosuch'."),
    ],
)
def test_click_speaks_russian(arguments: list[str], code: int, said: str) -> None:
    result = skachki(*arguments)
    assert result.returncode == code
    assert said in result.stdout + result.stderr
    english = r"\b(?:Usage|Options|Error|Missing|Show|Try|default|required|such)\b"
    assert not re.search(english, result.stdout + result.stderr)


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=" ".join)
def test_help_is_russian(command: list[str]) -> None:
    result = skachki(*command, "--help")
    assert (result.returncode, result.stderr) == (0, "")
    described = re.sub(
        r"^.*\n|-[-a-z]+ \S+|skachki [a-z]+", "", result.stdout
    )  # no usage, options, commands
    assert re.findall("[A-Za-z]*[a-z] [a-z]+", described) == []


def test_a_text_that_is_translated_at_once_has_one_mark() -> None:
    """N_ is for texts that are translated later."""
    for path in (ROOT / "skachki_ledger").rglob("*.py"):
        assert "_(N_(" not in path.read_text(encoding="utf-8"), path.name
