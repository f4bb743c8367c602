"""Names: what may be one, and which seat a word means (docs/notation.md, Seats)."""

import unicodedata

import pytest
from running import LATIN, RUSSIAN, read, read_words

from skachki_ledger.errors import NotationError
from skachki_ledger.names import clean_name
from skachki_ledger.vocabulary import KEYWORDS

FAMILY = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"


@pytest.mark.parametrize(
    ("players", "word", "name"),
    [
        (LATIN, "Boris", "Boris"),
        (LATIN, "b", "Boris"),
        (LATIN, "BOR", "Boris"),
        (LATIN, "2", "Boris"),
        (LATIN, '"Boris"', "Boris"),
        (RUSSIAN, "Борис", "Борис"),
        (RUSSIAN, "б", "Борис"),
        (RUSSIAN, "БОР", "Борис"),
        (RUSSIAN, "4", "Глеб"),
        (("Ann", "Anna", "Annabel", "Gleb"), "Ann", "Ann"),
        (("Ann", "Anna", "Annabel", "Gleb"), "ANNA", "Anna"),
        (("Ann", "Anna", "Annabel", "Gleb"), "annab", "Annabel"),
        (("Annabel", "Anna", "Ann", "Gleb"), "anna", "Anna"),
        (("Фёдор", "Артем", "Зоя", "Глеб"), "федор", "Фёдор"),
        (("Фёдор", "Артем", "Зоя", "Глеб"), "ФЁ", "Фёдор"),
        (("Фёдор", "Артем", "Зоя", "Глеб"), "артём", "Артем"),
        (("Фёдор", "Артем", "Зоя", "Глеб"), "фе\u0308до", "Фёдор"),
        (("Андрей", "José", "Зоя", "Глеб"), "Андреи\u0306", "Андрей"),
        (("Андрей", "José", "Зоя", "Глеб"), "JOSE\u0301", "José"),
        (("Anna Maria", "Anna", "Зоя", "Глеб"), "anna", "Anna"),
        (("Anna Maria", "Anna", "Зоя", "Глеб"), "ANNA_M", "Anna_Maria"),
        (("Anna Maria", "Anna", "Зоя", "Глеб"), '"anna m"', "Anna_Maria"),
        (("Anna_Maria", "Anna", "Зоя", "Глеб"), '"Anna Maria"', "Anna_Maria"),
        (("007", "1e3", "Зоя", "5"), "00", "007"),
        (("007", "1e3", "Зоя", "5"), "1", "007"),
        (("007", "1e3", "Зоя", "5"), "1e", "1e3"),
        (("007", "1e3", "Зоя", "5"), "5", "5"),
        (("12", "21", "34", "43"), "2", "21"),
        (("21", "12", "34", "43"), "2", "12"),
        (("[x]", "a|b", FAMILY, "<b>"), "[", "[x]"),
        (("[x]", "a|b", FAMILY, "<b>"), FAMILY, FAMILY),
        (("[x]", "a|b", FAMILY, "<b>"), "<", "<b>"),
        (("a\\b", "a'b", "$x", "`y`"), "a\\", "a\\b"),
        (("a\\b", "a'b", "$x", "`y`"), "$", "$x"),
        (("Notebook", "Undo", "7d", "ww"), "undo", "Undo"),
        (("Notebook", "Undo", "7d", "xx"), "7d", "7d"),
    ],
)
def test_a_word_finds_its_seat(players: tuple[str, ...], word: str, name: str) -> None:
    assert read(f"{word} 7d wp 7/3", players) == f"{name} 7d wp 7/3"
    assert read(f"r 5/3/2/0 {word}@g", players) == f"r 5/3/2/0 {name}@g"
    assert read(f"dealer {word}", players) == f"dealer {name}"


@pytest.mark.parametrize(
    ("players", "word", "listed"),
    [
        (("Anna", "Anton", "Vera", "Gleb"), "an", "Anna, Anton"),
        (("Anna", "Anton", "Vera", "Gleb"), "A", "Anna, Anton"),
        (("Семён", "Семен К", "Vera", "Gleb"), "семе", "Семён, Семен К"),
        (("Anna", "Anton", "Vera", "Gleb"), "Zoya", "Anna, Anton, Vera, Gleb"),
        (("Anna", "Anton", "Vera", "Gleb"), "5", "Anna, Anton, Vera, Gleb"),
        (("Anna", "Anton", "Vera", "Gleb"), "0", "Anna, Anton, Vera, Gleb"),
        (("Anna", "Anton", "Vera", "Gleb"), "01", "Anna, Anton, Vera, Gleb"),
        (("Anna", "Anton", "Vera", "Gleb"), "Vera2", "Anna, Anton, Vera, Gleb"),
        (("Anna", "Anton", "Vera", "Gleb"), "era", "Anna, Anton, Vera, Gleb"),
        (("Anna", "Anton", "Vera", "Gleb"), "_", "Anna, Anton, Vera, Gleb"),
        (("Anna", "Anton", "Vera", "Gleb"), '""', "Anna, Anton, Vera, Gleb"),
    ],
)
def test_a_word_for_nobody_or_several_is_refused(players: tuple[str, ...], word: str, listed: str) -> None:
    for line in (f"{word} 7d wp 7", f"dealer {word}", f"fine {word} 4 gora"):
        with pytest.raises(NotationError, match=listed):
            read(line, players)


ALLOWED = (
    *("A", "x" * 40, "ж" * 40, "Anna Maria", "007", "1e3", "5", "10", "<b>", "a|b", FAMILY, "O'Neil"),
    *("Anna-Maria", "Анна (1)", "Notebook", "Rita", "Роман", "é" * 40, "e\u0301" * 40, "名前", "Стоп-кран"),
    *("№4", "½x", "a/b", "."),
)


@pytest.mark.parametrize("name", ALLOWED)
def test_names_allowed(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)
    assert read_words(["seat", "2", name]) == f'seat Boris "{unicodedata.normalize("NFC", name)}"'


REFUSED = (
    *("", " ", "_", "x" * 41, "a,b", 'a"b', "a@b", "a;b", "-a", " -a", "1", "2", "3", "4", " 4 "),
    *("a\tb", "a\nb", "a\x00b", "a\x7fb", "a\x85b", "a\u2028b", "a\u2029b"),
    *("a\u202eb", "a\u200fb", "a\u2066b", "a\u061cb"),
    *("r", "Р", "pass", "распас", "распасы", "m", "М", "misere", "мизер"),
    *("pool", "Gora", "пуля", "гора", "п", "г", "all", "whists", "irregular", "нарушение"),
    *("fine", "штраф", "ADJUST", "правка", "dealer", "сдаёт", "СДАЕТ", "seat", "замена"),
    *("stop", "стоп", "final", "итог", "agree", "сверено", "note", "заметка"),
)


@pytest.mark.parametrize("name", REFUSED)
def test_names_refused(name: str) -> None:
    with pytest.raises(NotationError):
        clean_name(name)
    with pytest.raises(NotationError):
        read_words(["seat", "2", name])


def test_no_word_of_the_notation_is_a_name() -> None:
    for word in KEYWORDS:
        with pytest.raises(NotationError):
            clean_name(word.title())


@pytest.mark.parametrize(
    ("seated", "name"),
    [
        ("Пётр", "петр"),
        ("Anna Maria", "anna_maria"),
        ("José", "JOSE\u0301"),
        ("Straße", "STRASSE"),
        ("A B", "A  B"),
    ],
)
def test_two_players_may_not_have_equal_names(seated: str, name: str) -> None:
    with pytest.raises(NotationError, match="already at the table"):
        read_words(["seat", "2", name], (seated, "Boris", "Vera", "Gleb"))
