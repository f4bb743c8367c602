"""Game files: tags, defaults, numbers, comments, and the one canonical text (docs/notation.md)."""

import json
import os
import re
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from running import Ran, run

from skachki_ledger import gamefile, rules

TESTS = Path(__file__).parent
NIGHTS = sorted(
    [*(TESTS / "cases/games").glob("*.skachki"), *(TESTS.parent / "examples").glob("*.skachki")]
)
PLAYERS = '[Players "Anna, Boris, Vera, Gleb"]'


def parts(text: str) -> gamefile.GameFile:
    """Read a text that must be faultless."""
    file = gamefile.read(text)
    assert file.header is not None
    assert not file.faults
    assert not any(line.faults for line in file.lines)
    return file


def canonical(text: str) -> str:
    """Return the canonical text of a faultless game file."""
    file = parts(text)
    assert file.header is not None
    return gamefile.write(file.header, [line.event for line in file.lines if line.event is not None])


def said(text: str) -> list[str]:
    """Return what is wrong with a text."""
    file = gamefile.read(text)
    faults = [fault for _, _, fault in file.faults]
    faults += [fault for line in file.lines for fault in line.faults]
    return [fault.message() for fault in faults]


def test_there_are_nights_to_read() -> None:
    assert len(NIGHTS) >= 5


@pytest.mark.parametrize("path", NIGHTS, ids=lambda path: path.stem)
def test_the_canonical_text_is_a_fixed_point(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    once = canonical(text)
    assert canonical(once) == once
    before, after = parts(text), parts(once)
    assert after.header == before.header
    assert [(type(line.event), line.event) for line in after.lines] == [
        (type(line.event), line.event) for line in before.lines
    ]


def test_the_canonical_text_scores_the_same(tmp_path: Path) -> None:
    for path in NIGHTS:
        (tmp_path / path.name).write_text(canonical(path.read_text(encoding="utf-8")), encoding="utf-8")
    before = run("score", "--json", *[str(path) for path in NIGHTS])
    after = run("score", "--json", *[str(tmp_path / path.name) for path in NIGHTS])
    assert (before.code, before.err, after.code, after.err) == (0, "", 0, "")
    ours, theirs = ([json.loads(line) for line in ran.out.splitlines()] for ran in (before, after))
    assert [{**game, "file": ""} for game in ours] == [{**game, "file": ""} for game in theirs]
    assert len(ours) == len(NIGHTS)


def test_what_is_not_said_has_a_default() -> None:
    head = parts(PLAYERS).header
    assert head is not None
    assert head.players == ("Anna", "Boris", "Vera", "Gleb")
    assert (head.dealer, head.title, head.date, head.stake, head.other) == (0, None, None, None, ())
    assert head.rules == rules.PRESETS["piter@1"]


def test_tags_in_any_order() -> None:
    tags = [PLAYERS, '[Dealer "Vera"]', '[Rules "horse-racing"]', '[Rule "semesters = 3"]']
    texts = {canonical("\n".join([*order, "r 2/4/2/2"])) for order in permutations(tags)}
    assert len(texts) == 1
    head = parts(texts.pop()).header
    assert head is not None
    assert (head.dealer, head.rules.preset, head.rules.semesters) == (2, "horse-racing@1", 3)


def test_unknown_tags_are_kept_and_written_back() -> None:
    other = ['[Place "a \\"dacha\\" \\\\ garden"]', '[Round "3; of 4"]', '[Empty ""]', '[Table_2 "x"]']
    text = canonical("\n".join([*other[:2], PLAYERS, *other[2:], "r 2/4/3/1"]))
    assert [line for line in text.splitlines() if line in other] == other
    assert canonical(text) == text


def test_an_unknown_tag_may_be_russian() -> None:
    assert '[Место "дача"]' in canonical(f'[Место "дача"]\n{PLAYERS}\n').splitlines()


@pytest.mark.parametrize(
    ("typed", "amount", "value", "currency"),
    [
        ("0.50 RUB", "0.50", Fraction(1, 2), "RUB"),
        ("0.5 RUB", "0.5", Fraction(1, 2), "RUB"),
        ("1 EUR", "1", Fraction(1), "EUR"),
        ("0,05 USD", "0.05", Fraction(1, 20), "USD"),
        ("10 XYZ", "10", Fraction(10), "XYZ"),
        ("0.50 ₽", "0.50", Fraction(1, 2), "₽"),
        ("0.125 RUB", "0.125", Fraction(1, 8), "RUB"),
        ("2 руб", "2", Fraction(2), "руб"),
    ],
)
def test_stakes(typed: str, amount: str, value: Fraction, currency: str) -> None:
    text = canonical(f'{PLAYERS}\n[Stake "{typed}"]\n')
    head = parts(text).header
    assert head is not None
    assert head.stake is not None
    assert Fraction(head.stake.units, head.stake.parts) == value
    assert (head.stake.amount, head.stake.currency) == (amount, currency)
    assert f'[Stake "{amount} {currency}"]' in text


@pytest.mark.parametrize(
    "stake", ["", "RUB", "0.50", "0 RUB", "0.00 RUB", "-1 RUB", "1e3 RUB", "½ RUB", "1.2 3 RUB"]
)
def test_stakes_refused(stake: str) -> None:
    assert len(said(f'{PLAYERS}\n[Stake "{stake}"]')) == 1


@pytest.mark.parametrize("date", ["2026-11-27", "2028-02-29", "0999-01-01"])
def test_dates(date: str) -> None:
    assert f'[Date "{date}"]' in canonical(f'{PLAYERS}\n[Date "{date}"]\n')


@pytest.mark.parametrize(
    "date",
    [
        "2026-02-29",
        "2026-13-01",
        "2026-1-5",
        "20261127",
        "27.11.2026",
        "2026-W48-5",
        "٢٠٢٦-11-27",
        "2026-11-27T10:00",
    ],
)
def test_dates_refused(date: str) -> None:
    assert len(said(f'{PLAYERS}\n[Date "{date}"]')) == 1


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("target = 17", "target = 17"),
        ("target=17", "target = 17"),
        ("misere_choice = no", "misere_choice = no"),
        ("misere_choice = false", "misere_choice = no"),
        ("misere_choice = нет", "misere_choice = no"),
        ("gentleman_on_made = да", "gentleman_on_made = yes"),
        ("gentleman_on_made = true", "gentleman_on_made = yes"),
        ("unwhisted_choice = none", "unwhisted_choice = none"),
        ("unwhisted_choice = 6,7,10", "unwhisted_choice = 6,7,10"),
        ("unwhisted_choice = 10, 6, 7", "unwhisted_choice = 6,7,10"),
        ("forced_after = 9", "forced_after = 9"),
        ("stalingrad = off", "stalingrad = off"),
        ("two_whisters_high = second", "two_whisters_high = second"),
        ("set_whist_factor = 1", "set_whist_factor = 1"),
        ("target = 22", ""),
    ],
)
def test_switches(typed: str, shown: str) -> None:
    text = canonical(f'{PLAYERS}\n[Rule "{typed}"]\n')
    assert "".join(re.findall(r'\[Rule "(.*)"]', text)).replace(", ", ",") == shown
    assert canonical(text) == text


@pytest.mark.parametrize("preset", ["piter", "gambler", "horse-racing", "piter@1", "gambler@1"])
def test_presets_are_written_with_their_version(preset: str) -> None:
    name = preset.removesuffix("@1")
    assert f'[Rules "{name}@1"]' in canonical(f'{PLAYERS}\n[Rules "{preset}"]\n')


def test_numbers_comments_and_blank_lines_are_free() -> None:
    text = f"""
; a night
  {PLAYERS} ; seats
[Game "a; b"];c

r 2/4/3/1
\t2.\tVera 7d wp 7 ; she made it
fine Gleb 4 gora

; nothing
  3. Anna 7d wp 7
note "x ; y" ;"
Boris m 0"""
    assert (
        canonical(text)
        == f"""[Game "a; b"]
{PLAYERS}
[Dealer "Anna"]
[Rules "piter@1"]

1. r 2/4/3/1
2. Vera 7d wp 7/3
fine Gleb 4 gora
3. Anna 7d wp 7/3
note "x ; y"
4. Boris m 0
"""
    )


def test_the_writer_numbers_anew_and_follows_substitutions() -> None:
    text = canonical(
        f'{PLAYERS}\nр 2.4.3.1\nзамена 3 "Anna Lena"\nAnna_L 7б вп 7\nseat 1 Vera\nvera 7б вп 7\n'
    )
    assert text.splitlines()[4:] == [
        "1. r 2/4/3/1",
        'seat Vera "Anna Lena"',
        "2. Anna_Lena 7d wp 7/3",
        'seat Anna "Vera"',
        "3. Vera 7d wp 7/3",
    ]


@pytest.mark.parametrize(
    "names",
    [
        "a\\\\b, c'd, [x], <b>",
        "007, 1e3, 5, 10.",
        "Anna Maria, Anna, Фёдор, 名前",
        "Undo, Void, 7d, ww",
        "12., ½, №4, a/b",
    ],
)
def test_any_names_are_written_so_that_they_read_back(names: str) -> None:
    lines = ["r 0/4/3/3 1@g", "3 7d wp 7", "1 m 0 @g", "2 10n pp", "dealer 1", "fine 1 4 whists 2"]
    text = canonical(f'[Players "{names}"]\n[Dealer "1"]\n' + "\n".join(lines))
    assert canonical(text) == text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n\n"])
def test_line_ends(end: str) -> None:
    assert len(parts(end.join([PLAYERS, "r 2/4/3/1", "3 7d wp 7"])).lines) == 2


def one(folder: Path, content: bytes) -> Ran:
    """Score one file with this content."""
    (folder / "x.skachki").write_bytes(content)
    return run("score", "x.skachki", "--lang", "en", cwd=folder)


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    assert re.search("no text|UTF-8", one(tmp_path, bytes(range(256)) * 8).err)
    assert re.search("UTF-8", one(tmp_path, b"\x7fELF\0\0\1\2" * 40).err)
    russian = '[Players "Анна, Борис, Вера, Глеб"]\nр 2/4/3/1\n'
    assert "CP1251" in one(tmp_path, russian.encode("cp1251")).err
    assert "UTF-8" in one(tmp_path, russian.encode("utf-16")[:-3]).err
    accepted = [russian.encode("utf-16"), b"\xfe\xff" + russian.encode("utf-16-be")]
    accepted += [text.encode("utf-8-sig") for text in (russian.replace("\n", "\r\n"), russian.rstrip("\n"))]
    accepted += [russian.replace("\n", "\r").encode(), russian.replace("\n", "\r\n").encode("utf-16")]
    for content in accepted:
        assert one(tmp_path, content)[0::2] == (0, "")


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(PLAYERS)
    (tmp_path / "locked").write_text(PLAYERS)
    (tmp_path / "locked").chmod(0)
    os.symlink("loop", tmp_path / "loop")
    ran = run("score", ".", "nowhere", "file/below", "loop", "x" * 300, "", "--lang", "en", cwd=tmp_path)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (1, "", 6)
    for words in ("directory", "no such file"):
        assert words in ran.err
    if os.geteuid():
        assert "permission" in run("score", "locked", "--lang", "en", cwd=tmp_path).err
