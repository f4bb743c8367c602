"""Every form of docs/notation.md, in both scripts, and the one canonical line it stands for."""

import itertools

import pytest
from running import LATIN, RUSSIAN, read, read_words

from skachki_ledger import notation
from skachki_ledger.errors import NotationError
from skachki_ledger.names import Seats

STRAINS = {
    "s": ("s", "♠", "п"),
    "c": ("c", "♣", "т"),
    "d": ("d", "♦", "б"),
    "h": ("h", "♥", "ч"),
    "n": ("n", "nt", "бк"),
}


@pytest.mark.parametrize("level", [6, 7, 8, 9, 10])
@pytest.mark.parametrize(("strain", "word"), [(s, word) for s, words in STRAINS.items() for word in words])
def test_level_and_strain_are_one_word(level: int, strain: str, word: str) -> None:
    assert read(f"2 {level}{word} ww 6/2/2") == f"Boris {level}{strain} ww 6/2/2"


CALLS = {
    "ww": ("ww", "вв"),
    "wp": ("wp", "вп"),
    "pw": ("pw", "пв"),
    "pp": ("pp", "пп"),
    "ph": ("ph", "p½", "пх", "п½"),
    "wh": ("wh", "w½", "вх", "в½"),
}


@pytest.mark.parametrize(("calls", "word"), [(c, word) for c, words in CALLS.items() for word in words])
def test_calls_in_both_scripts(calls: str, word: str) -> None:
    tricks = {"pp": "", "ph": "", "ww": " 6/3/1"}.get(calls, " 6/4")
    assert read(f"2 6c {word}{tricks}") == f"Boris 6c {calls}{tricks}"


@pytest.mark.parametrize("word", ["9c/m", "9c/м", "9т/м", "9♣/m", "9т/m"])
def test_outbid_a_misere(word: str) -> None:
    assert read(f"Vera {word} ww 8/1/1") == "Vera 9c/m ww 8/1/1"


@pytest.mark.parametrize("word", ["10n/m", "10nt/м", "10бк/м"])
def test_ten_outbid_a_misere(word: str) -> None:
    assert read(f"Vera {word} pp") == "Vera 10n/m pp"


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("ww 7/2/1", "ww 7/2/1"),
        ("ww 7.2.1", "ww 7/2/1"),
        ("ww 7,2,1", "ww 7/2/1"),
        ("ww 7-2-1", "ww 7/2/1"),
        ("wp 7", "wp 7/3"),
        ("wp 7/3", "wp 7/3"),
        ("pw 7.3", "pw 7/3"),
        ("pw 7,3", "pw 7/3"),
        ("wh 7-3", "wh 7/3"),
        ("wh 10", "wh 10/0"),
        ("pw 0", "pw 0/10"),
        ("wp 7/2/1", "wp 7/2/1"),
        ("pw 7/0/3", "pw 7/0/3"),
        ("wh 7/3/0", "wh 7/3/0"),
        ("pp", "pp"),
        ("ph", "ph"),
    ],
)
def test_tricks_of_a_contract(typed: str, canonical: str) -> None:
    assert read(f"Boris 7d {typed}") == f"Boris 7d {canonical}"


GORA = ("@g", "@gora", "@г", "gora", "гора", "г")
POOL = ("@p", "@pool", "@п", "pool", "пуля", "п")


@pytest.mark.parametrize("word", GORA)
def test_gora_chosen(word: str) -> None:
    assert read(f"2 10n pp {word}") == "Boris 10n pp @g"
    assert read(f"2 m 0 {word}") == "Boris m 0 @g"


@pytest.mark.parametrize("word", POOL)
def test_pool_chosen_is_what_is_meant_anyway(word: str) -> None:
    assert read(f"2 10n pp {word}") == "Boris 10n pp"
    assert read(f"2 7n ww 7/2/1 {word}") == "Boris 7n ww 7/2/1"
    assert read(f"2 m 0 {word}") == "Boris m 0"


@pytest.mark.parametrize("word", ["m", "м", "misere", "мизер"])
def test_misere_words(word: str) -> None:
    assert read(f"Vera {word} 2") == "Vera m 2"


@pytest.mark.parametrize("word", ["r", "р", "pass", "распас", "распасы"])
def test_allpass_words(word: str) -> None:
    assert read(f"{word} 3/4/2/1") == "r 3/4/2/1"
    assert read(f"{word}@4 3/4/2/1") == "r@4 3/4/2/1"
    assert read(f"{word}@1 3/4/2/1") == "r@1 3/4/2/1"
    assert read(f"{word}@99 3/4/2/1") == "r@99 3/4/2/1"


@pytest.mark.parametrize("tricks", ["3/4/2/1", "3.4.2.1", "3,4,2,1", "3-4-2-1"])
def test_tricks_of_an_allpass(tricks: str) -> None:
    assert read(f"r {tricks}") == "r 3/4/2/1"


@pytest.mark.parametrize(
    "wish",
    ["Vera@g", "Vera @g", "Vera gora", "Vera гора", "V@гора", "3@g", "3 г", "v г", '"Vera"@g', "3 @г"],
)
def test_destinations_of_an_allpass(wish: str) -> None:
    assert read(f"r 3/4/0/3 {wish}") == "r 3/4/0/3 Vera@g"


@pytest.mark.parametrize("wish", ["Vera@p", "Vera @p", "Vera pool", "Vera пуля", "3@п", "3 п"])
def test_pool_of_an_allpass_is_left_out(wish: str) -> None:
    assert read(f"r 3/4/0/3 {wish}") == "r 3/4/0/3"


def test_several_destinations_stand_in_seat_order() -> None:
    assert read("r 0/5/5/0 Gleb@g Anna@g") == "r 0/5/5/0 Anna@g Gleb@g"
    assert read("р 0.5.5.0 Г г А г", RUSSIAN) == "r 0/5/5/0 Анна@g Глеб@g"
    assert read("р 0.5.5.0 Г г А п", RUSSIAN) == "r 0/5/5/0 Глеб@g"
    assert read("р 5.0.5.0 г г", RUSSIAN) == "r 5/0/5/0 Глеб@g"
    assert read("р 3.4.0.3 Вера г", RUSSIAN) == "r 3/4/0/3 Вера@g"


def test_names_with_spaces() -> None:
    players = ("Anna Maria", "Boris", "Vera", "Gleb")
    for seat in ("Anna_Maria", '"Anna Maria"', "anna_m", '"anna m"', "A", "1"):
        assert read(f"{seat} m 0 @g", players) == "Anna_Maria m 0 @g"
        assert read(f"r 0/5/5/0 {seat}@g", players) == "r 0/5/5/0 Anna_Maria@g"
        assert read(f"r 0/5/5/0 {seat} @g", players) == "r 0/5/5/0 Anna_Maria@g"
    assert read_words(["Anna Maria", "m", "0"], players) == "Anna_Maria m 0"
    assert read_words(["r", "0/5/5/0", "Anna Maria@g"], players) == "r 0/5/5/0 Anna_Maria@g"


@pytest.mark.parametrize(
    "deal", ["Boris 6d ww 6/2/2", "Boris m 0 @g", "r@4 0/4/3/3 Anna@g", "Boris 9c/m pp"]
)
@pytest.mark.parametrize("word", ["irregular", "нарушение"])
def test_irregular(deal: str, word: str) -> None:
    assert read(f'{deal} {word} "played it"') == f'{deal} irregular "played it"'
    assert read_words([*deal.split(), word, "played it"]) == f'{deal} irregular "played it"'


EVENTS = [
    ('fine Gleb 4 gora "exposed card"', 'штраф Глеб 4 гора "exposed card"'),
    ("fine Gleb 4 gora", "штраф Г +4 гора"),
    ('fine Gleb 10 whists Anna "x"', 'штраф г 10 висты А "x"'),
    ("fine Gleb 10 whists all", "штраф 4 10 висты все"),
    ('adjust Boris -8 pool "talk"', 'правка Борис -8 пуля "talk"'),
    ('adjust Boris 8 gora "talk"', 'правка Б +8 гора "talk"'),
    ('adjust Boris -8 whists Vera "talk"', 'правка 2 -8 висты 3 "talk"'),
    ('adjust Boris 8 whists all "talk"', 'правка 2 8 висты все "talk"'),
    ("dealer Gleb", "сдаёт Глеб"),
    ('dealer Gleb "passed on"', 'сдает 4 "passed on"'),
    ('seat Boris "Даша"', 'замена Борис "Даша"'),
    ('seat Boris "Anna Lena" "left"', 'замена 2 "Anna Lena" "left"'),
    ("stop", "стоп"),
    ('stop "late"', 'стоп "late"'),
    ("stop final", "стоп итог"),
    ('stop final "late"', 'стоп итог "late"'),
    ("agree", "сверено"),
    ('agree "all of it"', 'сверено "all of it"'),
    ('note "tea"', 'заметка "tea"'),
]


@pytest.mark.parametrize(("canonical", "russian"), EVENTS)
def test_other_events(canonical: str, russian: str) -> None:
    assert read(canonical) == canonical
    cyrillic = canonical
    for latin, name in zip(LATIN, RUSSIAN, strict=True):
        cyrillic = cyrillic.replace(f"{latin} ", f"{name} ").replace(f"dealer {latin}", f"dealer {name}")
    cyrillic = cyrillic.replace("Анна Lena", "Anna Lena")
    assert read(russian, RUSSIAN) == cyrillic
    mixed = russian.split(" ")[0] + canonical[canonical.find(" ") :] if " " in canonical else russian
    assert read(mixed) == canonical


def test_words_of_a_shell_need_no_quotes() -> None:
    assert read_words(["seat", "3", "New name", "he left"]) == 'seat Vera "New name" "he left"'
    assert read_words(["fine", "4", "4", "gora", 'a "b" \\ c']) == 'fine Gleb 4 gora "a \\"b\\" \\\\ c"'
    assert read_words(["note", "one; two"]) == 'note "one; two"'
    assert read_words(["stop", "final"]) == "stop final"


TEXTS = (
    *('stop "final"', 'stop final "final"', 'note "note"', 'agree "agree"', 'fine Gleb 4 gora "all"'),
    *('note "irregular"', 'Boris 6d pp irregular "irregular"', 'seat Boris "Anna Lena" "Zoya"'),
    *('note "; @ , [x] 1. r"', r'note "a \"b\" \\ c"', 'note "@@"'),
)


@pytest.mark.parametrize("line", TEXTS)
def test_a_quoted_word_is_text(line: str) -> None:
    assert read(line) == line


@pytest.mark.parametrize("tail", [" ; all right", ";all right", ' ; "half a quote', "   ", "\t; ♠", " ;;"])
def test_comments_and_space(tail: str) -> None:
    assert read(f"  Boris\t7d  wp   7/3{tail}") == "Boris 7d wp 7/3"
    assert read(f'note "a;b"{tail}') == 'note "a;b"'


ROMAN = ("Roman", "Notebook", "Rita", "Misha")
РОМАН = ("Роман", "Пётр", "Миша", "Стопан")


@pytest.mark.parametrize(
    ("players", "typed", "canonical"),
    [
        (РОМАН, "Р 7б вп 7", "Роман 7d wp 7/3"),
        (РОМАН, "Р 3/4/1/2", "r 3/4/1/2"),
        (РОМАН, "р м 0", "Роман m 0"),
        (РОМАН, "р 3.4.0.3 м г", "r 3/4/0/3 Миша@g"),
        (РОМАН, "р 0.4.3.3 р г", "r 0/4/3/3 Роман@g"),
        (РОМАН, "м м 0", "Миша m 0"),
        (РОМАН, "п м 0 п", "Пётр m 0"),
        (РОМАН, "п 10бк пп г", "Пётр 10n pp @g"),
        (РОМАН, "стоп м 0", "Стопан m 0"),
        (РОМАН, "стоп", "stop"),
        (ROMAN, "note 7d wp 7", "Notebook 7d wp 7/3"),
        (ROMAN, "note m 1", "Notebook m 1"),
        (ROMAN, 'note "m 1"', 'note "m 1"'),
        (ROMAN, "Rita 7d wp 7", "Rita 7d wp 7/3"),
        (ROMAN, "Ri m 0", "Rita m 0"),
        (ROMAN, "m m 0", "Misha m 0"),
        (ROMAN, "r 3/4/1/2", "r 3/4/1/2"),
        (ROMAN, "r@4 3/4/1/2", "r@4 3/4/1/2"),
        (ROMAN, "r 3/4/0/3 ri@g", "r 3/4/0/3 Rita@g"),
        (("Finestra", "Adjust", "Dealerman", "Agreen"), "fine 7d wp 7", "Finestra 7d wp 7/3"),
        (("Finestra", "Seatle", "Dealerman", "Agreen"), "fine dealer 4 gora", "fine Dealerman 4 gora"),
        (("Finestra", "Seatle", "Dealerman", "Agreen"), "dealer m 0", "Dealerman m 0"),
        (("Finestra", "Seatle", "Dealerman", "Agreen"), "dealer d", "dealer Dealerman"),
        (("Finestra", "Seatle", "Dealerman", "Agreen"), "agree 8h pp", "Agreen 8h pp"),
        (("Passat", "Seatle", "Stop it", "Anna"), "pass 8h pp @g", "Passat 8h pp @g"),
        (("Anna", "Seatle", "Stop it", "Passat"), "pass 3/4/3/0 pass@g", "r 3/4/3/0 Passat@g"),
    ],
)
def test_a_word_is_a_keyword_only_where_the_rest_has_its_shape(
    players: tuple[str, ...], typed: str, canonical: str
) -> None:
    assert read(typed, players) == canonical


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("2 7с wp 7", "Boris 7c wp 7/3"),  # Cyrillic с
        ("2 7d wр 7", "Boris 7d wp 7/3"),  # Cyrillic р
        ("2 7d рр", "Boris 7d pp"),
        ("2 7d вp 7", "Boris 7d wp 7/3"),
        ("2 6d px", "Boris 6d ph"),  # Latin x for х
        ("2 1Оn pp", "Boris 10n pp"),  # Cyrillic О
        ("2 1On pp", "Boris 10n pp"),
        ("2 m О", "Boris m 0"),
        ("2 m o", "Boris m 0"),
        ("r З/4/О/3", "r 3/4/0/3"),  # Cyrillic З and О
        ("p 3/4/2/1", "r 3/4/2/1"),  # Latin p for р
        ("2 9c/М ww 9/1/0", "Boris 9c/m ww 9/1/0"),
        ("2 10n pр @g", "Boris 10n pp @g"),
        ("Аnna m 0", "Anna m 0"),  # Cyrillic А
        ("Vеrа m 0", "Vera m 0"),
        ("finе 2 4 gora", "fine Boris 4 gora"),
        ("stоp", "stop"),
    ],
)
def test_look_alike_letters_of_one_meaning(typed: str, canonical: str) -> None:
    assert read(typed) == canonical


def test_a_name_in_look_alike_letters() -> None:
    assert read("Bерa м 0", RUSSIAN) == "Вера m 0"
    assert read("AННA м 0", RUSSIAN) == "Анна m 0"
    assert read("p 3/4/2/1", РОМАН) == "r 3/4/2/1"
    assert read("pоман м 0", РОМАН) == "Роман m 0"


@pytest.mark.parametrize("seat", ["Cо", "Сo"])  # one letter Latin, one Cyrillic, and the reverse
def test_a_look_alike_of_two_names_is_refused_with_both(seat: str) -> None:
    with pytest.raises(NotationError, match=r"Cora.*Соня|Соня.*Cora"):
        read(f"{seat} m 0", ("Cora", "Соня", "Vera", "Gleb"))


@pytest.mark.parametrize(
    ("typed", "players", "canonical"),
    [
        ("<jhbc 7, dg 7", RUSSIAN, "Борис 7d wp 7/3"),
        ("<jhbc 7, dg 7", LATIN, None),
        ("2 7, dg 7", LATIN, "Boris 7d wp 7/3"),
        ("h 3/4/0/3 Dthf u", RUSSIAN, "r 3/4/0/3 Вера@g"),
        ("Dthf vbpth 0 u", RUSSIAN, "Вера m 0 @g"),
        ("cltkfyj", RUSSIAN, None),
        ("cdthtyj", RUSSIAN, "agree"),
        ("cnjg bnju", RUSSIAN, "stop final"),
        ("inhfa Uktt 4 ujhf", RUSSIAN, None),
        ("inhfa Ukt, 4 ujhf", RUSSIAN, "fine Глеб 4 gora"),
        ("Ищкшы 7в цз 7.3", LATIN, "Boris 7d wp 7/3"),
        ("Ищкшы 7в цз 7", RUSSIAN, None),
        ("2 7в цз 7", LATIN, "Boris 7d wp 7/3"),
        ("2 7в цз 7", RUSSIAN, "Борис 7d wp 7/3"),
        ("к 3.4.0.3", LATIN, "r 3/4/0/3"),
        ("Мукф ь 0", LATIN, "Vera m 0"),
        ("Мукф ь 0 пщкф", LATIN, "Vera m 0 @g"),
        ("ащк Мукф 1 2 3", LATIN, None),
        ("дежурный 1 2 3", RUSSIAN, None),
        ("ыещз аштфд", LATIN, "stop final"),
    ],
)
def test_a_line_in_the_other_layout(typed: str, players: tuple[str, ...], canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(NotationError):
            read(typed, players)
    else:
        assert read(typed, players) == canonical
        assert notation.read_line(typed, Seats(players)).retyped
        assert notation.read_words(typed.split(), Seats(players)).retyped


@pytest.mark.parametrize(
    "typed",
    ['note "tea', 'note ""', 'adjust Vera 2 pool ""', 'Boris m 0 irregular ""', 'Аnnа m 0 "', 'Сo m 0 "x',
     "Vera m 0 #"],
)  # fmt: skip
def test_what_is_not_wholly_in_the_other_layout_is_no_line(typed: str) -> None:
    with pytest.raises(NotationError):
        read(typed)
    with pytest.raises(NotationError):
        read(typed.replace("Vera", "Вера").replace("Boris", "Борис"), RUSSIAN)


def test_a_line_of_two_meanings_in_the_other_layout_is_refused_with_both() -> None:
    with pytest.raises(NotationError, match="typed in the other keyboard layout this may be"):
        read("cdthtyj ;tyz", RUSSIAN)  # agree, with «женя» or with a comment


def test_a_line_that_reads_as_typed_is_not_retyped() -> None:
    for line, players in itertools.product(["2 7d wp 7", "р 3.4.2.1", "2 m 0 г"], [LATIN, RUSSIAN]):
        assert not notation.read_line(line, Seats(players)).retyped
