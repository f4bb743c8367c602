"""No text from outside steers a terminal, a spreadsheet, a page or a database: it is refused, or shown.

Names, titles and reasons may be nearly anything that can be seen; files, journals and ledgers may come
from anybody; a command line may quote anything. All of it is data in every output there is.
"""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from test_fuzz import BIDI, call, folder, tame, unsafe

from skachki_ledger import journal, journalfile, store
from skachki_ledger.names import shown, shown_json
from skachki_ledger.render import csvout, text

HEADER = '[Players "Anna, Boris, Vera, Gleb"]\n'
NIGHT = HEADER + "r 2/4/3/1\nVera 7d wp 7/3\n"
STEER = "A\x1b[31m\u202eb\x9b2J\x7f\x07\rC"
"""Red, right to left, clear the screen, a bell, over the start of the line."""

SEEN = sorted(BIDI | {*map(chr, range(1, 32)), *map(chr, range(0x7F, 0xA0))} - {"\n"})

# ------------------------------------------------------------------ what is quoted back

QUOTED = [
    ["{}"],
    ["--{}"],
    ["status", "{}"],
    ["status", "--{}"],
    ["status", "--game", "{}"],
    ["status", "--suits", "{}"],
    ["standing", "--after", "{}"],
    ["standing", "--tablefmt", "{}"],
    ["log", "--deal", "{}"],
    ["settle", "--format", "{}"],
    ["sheet", "--semester", "{}"],
    ["verify", "--head", "{}"],
    ["rules", "{}"],
    ["rules", "--diff", "{}"],
    ["use", "{}"],
    ["deal", "{}"],
    ["deal", "note", "{}"],
    ["deal", "note", "x", "--by", "{}"],
    ["deal", "note", "x", "--id", "{}"],
    ["deal", "note", "x", "--expect", "{}"],
    ["deal", "fine", "{}", "3", "gora"],
    ["deal", "fine", "1", "{}", "gora"],
    ["deal", "fine", "1", "3", "whists", "{}"],
    ["deal", "seat", "1", "{}"],
    ["deal", "r", "{}"],
    ["deal", "Boris", "7d", "{}", "7/3"],
    ["deal", "r", "3/3/3/1", "irregular", "{}"],
    ["new", "A", "B", "C", "{}"],
    ["new", "A", "B", "C", "D", "{}"],
    ["new", "A", "B", "C", "D", "--title", "{}"],
    ["new", "A", "B", "C", "D", "--date", "{}"],
    ["new", "A", "B", "C", "D", "--stake", "1 {}"],
    ["new", "A", "B", "C", "D", "--dealer", "{}"],
    ["new", "A", "B", "C", "D", "--rules", "{}"],
    ["new", "A", "B", "C", "D", "--rule", "target={}"],
    ["export", "--format", "{}"],
    ["explain", "1", "{}"],
    ["register", "{}", "pool"],
    ["rule-text", "{}"],
    ["claim", "after {}: Anna pool 3"],
    ["whatif", "without", "{}"],
    ["whatif", "rule", "{}"],
    ["diff", "{}", "{}"],
    ["reconcile", "Anna pool 3", "--max-slips", "{}"],
    ["amend", "{}", "note", "x", "--reason", "x", "--yes"],
    ["amend", "1", "r", "3/3/3/1", "--reason", "{}", "--yes"],
    ["void", "1", "--reason", "x", "--by", "{}", "--yes"],
    ["rename", "1", "{}", "--reason", "x", "--yes"],
    ["rule", "{}", "--reason", "x", "--yes"],
]


@pytest.mark.parametrize("words", QUOTED, ids=" ".join)
def test_a_quoted_word_is_shown_as_text(words: list[str]) -> None:
    with folder() as here:
        (here / "x.skachki").write_text(NIGHT, encoding="utf-8")
        assert call("import", "x.skachki", "--db", "l.db").code == 0
        for more in ((), ("--json",)):
            said = tame(*(word.replace("{}", STEER) for word in words), "--db", "l.db", *more)
            assert said.code in (1, 2)


def test_a_file_name_is_shown_as_text() -> None:
    name = f"{STEER}.x"
    with folder() as here:
        (here / "x.skachki").write_text(NIGHT, encoding="utf-8")
        (here / "faulty").write_text(HEADER + "dance\n", encoding="utf-8")
        assert call("import", "x.skachki", "--db", "l.db").code == 0
        (here / name).write_bytes((here / "faulty").read_bytes())
        (here / f"{STEER}.good").write_text(HEADER + "к 2.4.3.1\nVera 7d wp 7/3\n", encoding="utf-8")
        commands = [
            ("score", name),
            ("score", f"{STEER}.good"),
            ("score", f"none{name}"),
            ("import", name, "--db", "l.db"),
            ("import", f"{STEER}.good", "--db", "l.db"),
            ("status", "--db", name),
            ("status", "--db", f"none{name}"),
            ("export", "-o", name, "--db", "l.db"),
            ("export", "-o", f"{name}/x", "--db", "l.db"),
            ("backup", name, "--db", "l.db"),
            ("backup", f"{name}/x", "--db", "l.db"),
            ("restore", name, "--db", "l.db"),
            ("merge", f"none{name}", "--db", "l.db"),
            ("recover", name, "-o", f"{name}2"),
            ("claim", "--file", name, "--db", "l.db"),
            ("claim", "--sheet", name, "--db", "l.db"),
            ("diff", name, "--db", "l.db"),
        ]
        for words in commands:
            for more in ((), ("--json",)):
                tame(*words, *more)
        told = call("score", f"{STEER}.good", "--json")
        assert json.loads(told.out)["file"] == f"{STEER}.good"  # a program still gets the name as it is
        assert "\\x1b[31m" in call("score", name).err


def test_a_copy_made_under_an_odd_name_is_told_as_text() -> None:
    with folder() as here:
        (here / "x.skachki").write_text(NIGHT, encoding="utf-8")
        assert call("import", "x.skachki", "--db", "l.db").code == 0
        for number, more in enumerate(((), ("--json",))):
            said = call("backup", f"{number}{STEER}", "--db", "l.db", *more)
            assert (said.code, unsafe(said.out)) == (0, set())
        said = call("restore", f"0{STEER}", "--db", f"1{STEER}", "--force")
        assert (said.code, unsafe(said.err)) == (0, set())


# ------------------------------------------------------------------ files


@pytest.mark.parametrize("char", SEEN, ids=lambda char: f"U+{ord(char):04X}")
def test_a_character_that_is_not_seen_is_nowhere_in_a_game(char: str) -> None:
    """In names, titles, tags and reasons it is refused; in a comment it is shown."""
    ends_line = char == "\r"
    with folder() as here:
        for at, body in enumerate(
            (
                f'[Players "An{char}na, B, C, D"]\n',
                f'{HEADER}[Game "a{char}b"]\n',
                f'{HEADER}[Event "a{char}b"]\n',
                f'{HEADER}[Stake "1 R{char}B"]\n',
                f'{HEADER}note "a{char}b"\n',
                f'{HEADER}seat 1 "a{char}b"\n',
                f'{HEADER}r 3/3/3/1 irregular "a{char}b"\n',
            )
        ):
            (here / f"{at}.skachki").write_bytes(body.encode())
        said = tame("score", *(f"{at}.skachki" for at in range(7)), "--json")
        assert (said.code, said.out) == (1, "")
        assert {json.loads(line)["error"]["file"] for line in said.err.splitlines()} == {
            f"{at}.skachki" for at in range(7)
        }
        (here / "c.skachki").write_bytes(f"{HEADER}r 2/4/3/1 ; a{char}b\n".encode())
        said = tame("score", "c.skachki", "--json", "--log")
        assert said.code == int(ends_line)


def test_what_was_typed_is_kept_as_text() -> None:
    with folder() as here:
        (here / "x.skachki").write_text(f"{HEADER}r\t2/4/3/1 ; {STEER[:-2]}\n", encoding="utf-8")
        assert tame("import", "x.skachki", "--db", "l.db").code == 0
        for words in (("log", "--json"), ("history", "--json"), ("export", "--format", "json")):
            assert "2/4/3/1 ; A\\\\x1b[31m" in tame(*words, "--db", "l.db").out
        assert tame("export", "--format", "journal", "--db", "l.db").code == 0


# ------------------------------------------------------------------ journals and ledgers of anybody's


def forged(**fields: Any) -> list[journal.Record]:
    """A journal with right hashes of which the second record, a deal, says something unheard of."""
    opening = HEADER + '[Rules "piter@1"]'
    seen = '{"dealer":1,"semester":1,"price":2}'
    drafts = [journal.Draft(opening, opening), journal.Draft("r 2/4/3/1", "r 2/4/3/1", None, None, seen)]
    records = journal.chained(fields.get("game", "g"), [], drafts, "2026-01-02T20:00:00Z", "x")
    last = records[1]._replace(**fields, hash="")
    return [records[0], last._replace(hash=journal.record_hash(last))]


REFUSED = {
    "at": ("2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "\x1b[2J", ""),
    "by": (STEER,),
    "reason": (STEER,),
    "client_id": (STEER,),
    "game": (STEER,),
    "payload": (STEER, f'note "{STEER}"', f'seat 1 "{STEER}"', f'rename 1 "{STEER}"', f"void {STEER}"),
    "announced": (STEER, "[]", '{"dealer":9,"semester":1,"price":2}', "[" * 5000),
}
LOOKS = (
    ("status",),
    ("standing",),
    ("log",),
    ("history",),
    ("check",),
    ("settle",),
    ("games",),
    ("verify",),
    ("export", "--format", "journal"),
    ("export", "--format", "csv"),
    ("sheet",),
    ("undo",),
    ("recover", "l.db", "-o", "new.db"),
)


def keep(here: Path, records: list[journal.Record]) -> None:
    """Write a forged journal into a ledger past the program, and as an export."""
    with store.writing(str(here / "l.db"), create=True) as connection:
        store.write(connection, records, begins=True)
        store.make_current(connection, records[0].game)
    rows = [{"format": journalfile.FORMAT, **record._asdict()} for record in records]
    (here / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, values in REFUSED.items() for value in values]
)
def test_a_forged_field_is_refused(field: str, value: str) -> None:
    """By import and merge, and by every command on a ledger that has it already."""
    with folder() as here:
        keep(here, forged(**{field: value}))
        assert tame("import", "x.jsonl", "--db", "new.db").code == 1
        (here / "o.skachki").write_text(NIGHT, encoding="utf-8")
        assert call("import", "o.skachki", "--db", "o.db").code == 0
        assert tame("merge", "l.db", "--db", "o.db").code == 1
        for words in LOOKS:
            for more in ((), ("--json",)):
                said = tame(*words, "--db", "l.db", *more)
                if words[0] not in ("games", "verify", "recover"):
                    assert (said.code, said.out) == (1, ""), words
                (here / "new.db").unlink(missing_ok=True)


def test_a_forged_typed_line_is_shown_as_text() -> None:
    with folder() as here:
        keep(here, forged(typed=STEER))
        assert tame("import", "x.jsonl", "--db", "new.db").code == 0
        for words in LOOKS[:-2]:
            for more in ((), ("--json",)):
                assert tame(*words, "--db", "l.db", *more).code == 0, words
        told = json.loads(call("log", "--json", "--db", "l.db").out)
        assert told["events"][0]["typed"] == STEER
        kept = call("export", "--format", "journal", "--db", "l.db").out
        assert journalfile.read(kept)[1].typed == STEER


# ------------------------------------------------------------------ names and reasons are data

EVIL = ("'; DROP TABLE event; --", "<script>x()</script>", "a|b](y)[x", r"\n${1+1}`id`")
NAMES = tuple(name.replace(";", "；") for name in EVIL)  # no name has a real semicolon
REASON = "=HYPERLINK(1) '); DROP TABLE event; -- <img src=x onerror=y> |[x](y)| \\n %s {0} &lt;"


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger `l.db` of a game in which every text wants to be something else."""
    here = tmp_path_factory.mktemp("evil")
    quoted = ['"' + name.replace("\\", "\\\\") + '"' for name in NAMES]
    said = '"' + REASON.replace("\\", "\\\\").replace('"', '\\"') + '"'
    lines = [
        "[Players " + '"' + ", ".join(NAMES).replace("\\", "\\\\") + '"]',
        f"[Game {said}]",
        f"[Event {said}]",
        '[Stake "1 RUB"]',
        "r 2/4/3/1",
        f"{quoted[2]} 7d wp 7/3",
        f"fine {quoted[0]} 4 gora {said}",
        f"note {said}",
        f"4 6s ww 6/2/2 irregular {said}",
    ]
    (here / "x.skachki").write_text("\n".join(lines) + "\n", encoding="utf-8")
    taken = call("import", str(here / "x.skachki"), "--db", str(here / "l.db"))
    assert taken.code == 0, taken.err
    return here


def ask(evil: Path, *words: str) -> str:
    said = tame(*words, "--db", str(evil / "l.db"))
    assert said.code == 0, said
    return said.out


class Tags(HTMLParser):
    """Which tags and attributes a page has, and what it says."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.said = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _value in attrs}

    def handle_data(self, data: str) -> None:
        self.said += data


HTML = [
    ("sheet", "--format", "html"),
    ("settle", "--format", "html"),
    ("log", "--format", "html"),
    ("standing", "--tablefmt", "html"),
    ("standing", "--tablefmt", "unsafehtml"),
    ("settle", "--tablefmt", "html"),
]


@pytest.mark.parametrize("words", HTML, ids=" ".join)
def test_pages_have_no_markup_of_the_players(evil: Path, words: tuple[str, ...]) -> None:
    page = Tags()
    page.feed(call(*words, "--db", str(evil / "l.db")).out)
    assert not page.tags & {"script", "img", "a", "b", "iframe", "object", "link"}
    assert not page.attributes & {"onerror", "src", "href"}
    for name in NAMES[:2]:
        assert name in page.said


def test_pictures_have_no_markup_of_the_players(evil: Path) -> None:
    picture = ElementTree.fromstring(ask(evil, "sheet", "--format", "svg"))
    tags = {element.tag.rpartition("}")[2] for element in picture.iter()}
    assert not tags & {"script", "img", "image", "a", "foreignObject"}
    assert any(NAMES[1] in (element.text or "") for element in picture.iter())


@pytest.mark.parametrize("tablefmt", ["github", "pipe"])
@pytest.mark.parametrize("command", ["standing", "settle"])
def test_markdown_tables_keep_their_columns(evil: Path, command: str, tablefmt: str) -> None:
    said = ask(evil, command, "--tablefmt", tablefmt)
    assert "<script" not in said
    assert not re.search(r"(?<!\\)\]\(", said)
    blocks = [block.split("\n") for block in said.split("\n\n")]
    for rows in ([row for row in block if row.startswith("|")] for block in blocks):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) <= 1, rows


@pytest.mark.parametrize("tablefmt", sorted({*text.formats()} - {"tsv"}))  # which is made of tabs
def test_every_table_format_prints_them(evil: Path, tablefmt: str) -> None:
    assert ask(evil, "standing", "--tablefmt", tablefmt)


def test_texts_and_chats_say_them_as_they_are(evil: Path) -> None:
    for words in (("standing",), ("settle", "--format", "chat"), ("sheet",), ("status",), ("log",)):
        said = ask(evil, *words)
        assert NAMES[1] in said, words
    assert REASON in ask(evil, "log", "--suits", "letters").replace("\\\\", "\\")
    told = json.loads(ask(evil, "standing", "--json"))
    assert tuple(told["game"]["players"]) == NAMES
    assert told["game"]["title"] == REASON


def test_exports_read_back(evil: Path, tmp_path: Path) -> None:
    for layout in ("skachki", "journal"):
        (tmp_path / layout).write_text(ask(evil, "export", "--format", layout), encoding="utf-8")
        assert tame("import", str(tmp_path / layout), "--db", str(tmp_path / f"{layout}.db")).code == 0
        again = json.loads(call("standing", "--json", "--db", str(tmp_path / f"{layout}.db")).out)
        assert tuple(again["game"]["players"]) == NAMES


def test_a_database_holds_them_as_values(evil: Path, tmp_path: Path) -> None:
    call("export", "--format", "sqlite", "-o", str(tmp_path / "x.db"), "--db", str(evil / "l.db"))
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        tables = {
            row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        assert {"deals", "entries", "standings"} <= tables
        rows = [row for table in sorted(tables) for row in connection.execute(f"SELECT * FROM {table}")]
        held = {value for row in rows for value in row}
    assert set(NAMES) <= held
    for word in (EVIL[0], REASON, "' OR 1=1 --", "%", "_", "*"):
        for command in ("status", "verify", "use"):
            given = ("use", word) if command == "use" else (command, "--game", word)
            assert tame(*given, "--db", str(evil / "l.db")).code == 1
    assert ask(evil, "verify")


def test_no_cell_of_a_csv_is_a_formula(evil: Path, tmp_path: Path) -> None:
    lines = [
        '[Players "=1+1, +2, ＝3, Gleb"]',
        "r 2/4/3/1",
        'note "=A1"',
        "＝3 7d wp 7/3",
        "fine ＝3 4 gora",
    ]
    (tmp_path / "x.skachki").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for db, path in (("l.db", evil / "l.db"), ("f.db", tmp_path / "f.db")):
        if db == "f.db":
            taken = call("import", str(tmp_path / "x.skachki"), "--db", str(path))
            assert taken.code == 0, taken.err
        for more in ((), ("--bom",)):
            said = tame("export", "--format", "csv", "--db", str(path), *more).out
            cells = [cell for row in csv.reader(said.removeprefix("\ufeff").splitlines()) for cell in row]
            assert any(NAMES[0] in cell for cell in cells) or db == "f.db"
            for cell in cells:
                assert re.fullmatch(r"[+-]?\d+", cell) or not cell.startswith(
                    tuple("=+-@\t\r\n＝＋－＠")
                ), cell


@pytest.mark.parametrize("start", list("=+-@\t\r\n＝＋－＠"))
def test_a_cell_that_begins_like_a_formula(start: str) -> None:
    assert csvout.cell(f"{start}SUM(A1)") == f"'{start}SUM(A1)"
    assert csvout.cell(f"a{start}") == f"a{start}"
    assert csvout.cell("-12") == "-12"


# ------------------------------------------------------------------ the two functions


def test_shown_leaves_what_can_be_seen() -> None:
    for seen in ("Zoë 😀👩‍👩‍👧", "a\u00a0b", "שרה", "½ ♠", "\U0001f3f4\U000e0067\U000e007f"):
        assert shown(seen) == seen
        assert json.loads(shown_json(json.dumps(seen, ensure_ascii=False))) == seen
    for char in (*SEEN, "\n", "\u2028", "\ufeff", "\udc9b"):
        assert unsafe(shown(f"a{char}b")) == set()
        assert shown(f"a{char}b") != f"a{char}b"
        assert json.loads(shown_json(json.dumps(char, ensure_ascii=False))) == char
