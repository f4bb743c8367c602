"""Games into a ledger and out of it: game files, journals, CSV, JSON, SQLite; ledgers of old versions."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import random_games
from conftest import Skachki
from running import LATIN
from test_ledger_recording import asked, rows
from test_ledger_store import GAME, NIGHT, fill, fine, ledger, refused

from skachki_ledger import journal, journalfile, store
from skachki_ledger.header import Header
from skachki_ledger.journal import Draft, Record
from skachki_ledger.rules import PRESETS

__all__ = ["ledger"]
HERE = Path(__file__).parent
FILES = sorted((HERE / "cases/games").glob("*.skachki"))
LIVE = [*NIGHT, "undo", "dealer Boris", 'seat Anna "Zoë K"', "r 3/1/3/3", "undo", "redo", "Boris m 1"]
"""A night with everything that a game file has no words for, or its own."""


def bare(standing: dict[str, Any]) -> dict[str, Any]:
    """A standing without what only the one or the other place knows."""
    found = {key: value for key, value in standing.items() if key not in ("file", "head", "log")}
    return found | {"game": found["game"] | {"id": None}}


def lines_of(text: str) -> list[Any]:
    """JSON, one object a line."""
    return [json.loads(line) for line in text.splitlines()]


# ------------------------------------------------------------------ game files


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """The games of the test cases and some random ones."""
    made = list(FILES)
    for seed in range(6):
        made.append(tmp_path / f"{seed}.skachki")
        made[-1].write_text(random_games.night(seed).text(), encoding="utf-8")
    return made


def test_an_imported_game_stands_as_its_file(skachki: Skachki, files: list[Path], tmp_path: Path) -> None:
    ids = fine(skachki("import", *files)).splitlines()
    assert len(set(ids)) == len(files)
    scored = lines_of(fine(skachki("score", *files, "--log", "--json")))
    for game_id, score in zip(ids, scored, strict=True):
        found = json.loads(fine(skachki("export", "--format", "json", "--game", game_id)))
        assert bare(found) == bare(score)
        assert (found["game"]["id"], len(found["head"]), score["head"]) == (game_id, 64, None)
        facts = [
            [{key: event[key] for key in event if key not in ("event", "at", "by")} for event in log]
            for log in (found["log"], score["log"])
        ]
        assert facts[0] == facts[1]
        assert [event["event"] - 1 for event in found["log"]] == [event["event"] for event in score["log"]]
    found = asked(skachki, "standing", "--game", ids[0])
    assert bare(found) == bare(scored[0])
    assert asked(skachki, "games")["games"][-1]["id"] == ids[-1] == asked(skachki, "status")["game"]["id"]
    out = tmp_path / "out.skachki"
    fine(skachki("export", "--game", ids[0], "-o", out))
    assert bare(json.loads(fine(skachki("score", out, "--json")))) == bare(scored[0])


def test_a_live_game_leaves_as_a_game_file(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", LIVE)
    now = asked(skachki, "standing", "--db", path)
    text = fine(skachki("export", "--db", path))
    assert "undo" not in text
    (tmp_path / "out.skachki").write_text(text, encoding="utf-8")
    score = json.loads(fine(skachki("score", tmp_path / "out.skachki", "--json")))
    assert bare(score) == bare(now)
    fine(skachki("import", "-", "--db", path, stdin=text))
    again = asked(skachki, "standing", "--db", path)
    assert bare(again) == bare(now)
    assert again["game"]["id"] != GAME
    assert fine(skachki("export", "--db", path)) == text


def test_a_file_is_one_game_or_nothing(skachki: Skachki, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.skachki", tmp_path / "bad.skachki"
    good.write_text('[Players "A, B, C, D"]\nr 2/4/3/1\n')
    bad.write_text('[Players "A, B, C, D"]\nr 2/4/3/1\nC 7d wp 7/4\nnonsense\n')
    before = sorted(path.name for path in tmp_path.iterdir())
    said = [skachki("import", bad, "--lang", language) for language in ("en", "ru")]
    for ran in said:
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 2)
        assert f"{bad}:3:" in ran.stderr
        assert f"{bad}:4:" in ran.stderr
    assert said[0].stderr != said[1].stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    refused(skachki, "import", "nowhere.skachki", code="E301", facts=["nowhere.skachki"])
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    ran = skachki("import", good, bad, good, "--json")
    made = [line["game"]["id"] for line in lines_of(ran.stdout)]
    assert (ran.returncode, len(set(made)), ran.stderr.count("\n")) == (1, 2, 2)
    assert lines_of(ran.stderr)[0]["error"]["line"] == 3
    assert [game["id"] for game in asked(skachki, "games")["games"]] == made  # the same twice: two games


# ------------------------------------------------------------------ journals


def test_a_journal_keeps_ids_and_hashes(skachki: Skachki, tmp_path: Path) -> None:
    old, new = fill(tmp_path / "old.db", LIVE), tmp_path / "new.db"
    short, whole = tmp_path / "short.jsonl", tmp_path / "whole.jsonl"
    fine(skachki("export", "--format", "journal", "--db", old, "-o", whole))
    records = whole.read_text().splitlines(keepends=True)
    assert [json.loads(line)["n"] for line in records] == list(range(1, len(LIVE) + 2))
    short.write_text("".join(records[:7]))
    assert fine(skachki("import", short, "--db", new)) == f"{GAME}\n"
    assert asked(skachki, "standing", "--db", new)["head"] == json.loads(records[6])["hash"]
    assert fine(skachki("import", "-", "--db", new, stdin=whole.read_text())) == f"{GAME}\n"
    assert asked(skachki, "standing", "--db", new) == asked(skachki, "standing", "--db", old)
    assert rows(new, "*") == rows(old, "*")
    stored = rows(new, "*")
    for same in (whole, short):  # there already: nothing is written
        assert fine(skachki("import", same, "--db", new)) == f"{GAME}\n"
        assert rows(new, "*") == stored
    short.write_text("".join(records[:-1]))
    other = tmp_path / "other.db"
    fine(skachki("import", short, "--db", other))
    fine(skachki("deal", "r", "3/3/1/3", "--db", other))
    refused(
        skachki, "import", whole, "--db", other, code="E327", facts=[GAME, str(len(records))], file=other
    )


def _changed(text: str) -> str:
    return text.replace("r 2/4/3/1", "r 4/2/3/1")


BROKEN_JOURNALS: dict[str, tuple[str, Callable[[str], str]]] = {
    "forged": ("E316", _changed),
    "beheaded": ("E316", lambda text: text.split("\n", 1)[1]),
    "with a gap": ("E316", lambda text: "\n".join(text.split("\n")[:2] + text.split("\n")[3:])),
    "of two games": ("E316", lambda text: text + text.replace(GAME, "other222")),
    "no json": ("E326", lambda text: text + "{]"),
    "another json": ("E326", lambda _: '{"format": "skachki-standing/1"}'),
    "without a key": ("E326", lambda text: text.replace('"typed"', '"tipped"', 1)),
    "true is no number": ("E326", lambda text: text.replace('"n":1,', '"n":true,', 1)),
    "a number is no text": ("E326", lambda text: text.replace('"by":"t"', '"by":7', 1)),
    "half a character": ("E326", lambda text: text.replace('"by":"t"', '"by":"\\ud800"', 1)),
    "deep": ("E326", lambda text: text + "[" * 10_000),
}


@pytest.mark.parametrize("kind", BROKEN_JOURNALS)
def test_a_broken_journal_is_refused(skachki: Skachki, ledger: Path, tmp_path: Path, kind: str) -> None:
    code, change = BROKEN_JOURNALS[kind]
    with store.reading(str(ledger)) as connection:
        text = journalfile.write(store.records(connection, GAME))
    (tmp_path / "x.jsonl").write_text(change(text))
    refused(skachki, "import", "x.jsonl", code=code, file=ledger, languages=["ru"])
    refused(skachki, "import", "x.jsonl", "--db", "no.db", code=code, languages=["en"])
    assert not (tmp_path / "no.db").exists()


OPENING = journal.draft_opening(Header(LATIN, 0, PRESETS["piter@1"]))


def _seen(**announced: object) -> list[Draft]:
    told = {"dealer": 1, "semester": 1, "price": 2} | announced
    return [OPENING, Draft("r 2/4/3/1", "r", None, None, json.dumps(told))]


HOSTILE: dict[str, tuple[list[Draft], str, str]] = {
    "a fifth seat deals": (_seen(dealer=5), GAME, "2026-01-02T20:00:00Z"),
    "nobody deals": (_seen(dealer=0), GAME, "2026-01-02T20:00:00Z"),
    "a dealer by name": (_seen(dealer="Anna"), GAME, "2026-01-02T20:00:00Z"),
    "a semester in words": (_seen(semester="first"), GAME, "2026-01-02T20:00:00Z"),
    "a price in words": (_seen(price="two"), GAME, "2026-01-02T20:00:00Z"),
    "no such line": ([OPENING, Draft("dance", "dance")], GAME, "2026-01-02T20:00:00Z"),
    "no opening": ([Draft("r 2/4/3/1", "r")], GAME, "2026-01-02T20:00:00Z"),
    "two openings": ([OPENING, OPENING], GAME, "2026-01-02T20:00:00Z"),
    "an id twice": ([OPENING, *[Draft('note "x"', "x", None, "x")] * 2], GAME, "2026-01-02T20:00:00Z"),
    "no game id": ([OPENING], "", "2026-01-02T20:00:00Z"),
    "a game id of two lines": ([OPENING], "two\nlines", "2026-01-02T20:00:00Z"),
    "no time": ([OPENING, Draft('note "x"', "x")], GAME, "yesterday"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_well_chained_journal_of_nonsense_is_refused(skachki: Skachki, tmp_path: Path, kind: str) -> None:
    """Whoever knows the hash can write any journal: it is looked at before it is taken."""
    drafts, game_id, at = HOSTILE[kind]
    records: list[Record] = journal.chained(game_id, [], drafts, at, "t")
    (tmp_path / "x.jsonl").write_text(journalfile.write(records))
    ran = skachki("import", "x.jsonl")
    assert "Traceback" not in ran.stderr
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert "x.jsonl" in ran.stderr


# ------------------------------------------------------------------ tables for others


def test_csv(skachki: Skachki, tmp_path: Path) -> None:
    head = Header(("=1+1", "Bo", "Вера К", "+4"), 0, PRESETS["piter@1"])
    lines = ["r 2/4/3/1", "3 7d wp 7/3", 'fine 4 4 gora "=HYPERLINK(1)"', "1 8h ww 8/1/1", "undo"]
    path = fill(tmp_path / "l.db", lines, head=head)
    now = asked(skachki, "standing", "--db", path)
    plain = fine(skachki("export", "--format", "csv", "--db", path))
    table = list(csv.DictReader(io.StringIO(plain, newline="")))
    assert [row["event"] for row in table] == ["2", "3", "4"]
    assert [row["deal"] for row in table] == ["1", "2", ""]
    last = table[-1]
    for seat, name in enumerate(now["game"]["players"]):
        for account, numbers in (
            ("pool", now["pool"][0]),
            ("gora", now["gora"][0]),
            ("net", now["rounded"]),
        ):
            assert last[f"{seat + 1} {name} {account}"] == str(numbers[seat])
    cells = [cell for row in csv.reader(io.StringIO(plain, newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "@", "\t"))]
    marked = tmp_path / "out.csv"
    fine(skachki("export", "--format", "csv", "--bom", "--db", path, "-o", marked))
    data = marked.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.decode("utf-8-sig").replace("\r\n", "\n") == plain.replace("\r\n", "\n")


def test_json_is_the_standing_and_the_log(skachki: Skachki, tmp_path: Path) -> None:
    path = fill(tmp_path / "l.db", LIVE)
    found = json.loads(fine(skachki("export", "--format", "json", "--db", path)))
    assert found == asked(skachki, "standing", "--db", path) | {
        "log": asked(skachki, "log", "--db", path)["events"]
    }


def table_of(path: Path, query: str) -> list[tuple[Any, ...]]:
    """What a query finds in an exported SQLite file."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_sqlite_adds_up(skachki: Skachki, tmp_path: Path) -> None:
    path, out = fill(tmp_path / "l.db", LIVE), tmp_path / "out.db"
    now = asked(skachki, "standing", "--db", path)
    fine(skachki("export", "--format", "sqlite", "--db", path, "-o", out))
    sums = {
        (seat, account): amount
        for seat, account, amount in table_of(
            out, "SELECT seat, account, sum(amount) FROM entries GROUP BY seat, account"
        )
    }
    assert sums["Boris", "gora"] == now["gora_total"][1]
    assert sums["Vera", "gora"] == now["gora_total"][2]
    assert sums["Gleb", "whists"] == sum(map(int, now["whists"][3]))
    struck = table_of(out, "SELECT deal, struck FROM deals WHERE deal IS NOT NULL ORDER BY event")
    assert struck == [("1", 0), ("2", 0), ("3", 1), ("3", 0), ("4", 0)]
    last = table_of(out, "SELECT seat, pool, gora, net FROM standings ORDER BY event DESC, rowid LIMIT 4")
    assert last == [
        (name, now["pool"][-1][seat], now["gora"][-1][seat], int(now["net"][seat]))
        for seat, name in enumerate(now["game"]["players"])
    ]


def test_sqlite_has_its_tables_before_the_first_deal(skachki: Skachki, tmp_path: Path) -> None:
    path, out = fill(tmp_path / "l.db", []), tmp_path / "out.db"
    fine(skachki("export", "--format", "sqlite", "--db", path, "-o", out))
    names = table_of(out, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    assert names == [("deals",), ("entries",), ("standings",)]


@pytest.mark.parametrize("layout", ["skachki", "journal", "csv", "json", "sqlite"])
def test_nothing_is_overwritten(skachki: Skachki, ledger: Path, layout: str) -> None:
    taken = ledger.parent / "taken"
    taken.write_bytes(b"mine")
    export = ("export", "--format", layout, "-o")
    refused(skachki, *export, taken, code="E324", facts=["taken"], file=taken)
    refused(skachki, *export, ledger, code="E324", file=ledger, languages=["en"])
    refused(skachki, *export, "no/folder/x", code="E329", facts=["no/folder/x"], languages=["ru"])


def test_an_unknown_format_is_refused(skachki: Skachki, ledger: Path) -> None:
    refused(skachki, "export", "--format", "xls", code="E404", facts=["xls", "csv"], file=ledger)


# ------------------------------------------------------------------ ledgers of old versions

OLD_LEDGERS = sorted((HERE / "data").glob("ledger-*.db"))


def known(now: Any, wanted: Any) -> Any:
    """`now` without keys that `wanted` does not have: new ones may come, none may change."""
    if isinstance(wanted, dict):
        return {key: known(now[key], value) for key, value in wanted.items() if key in now}
    if isinstance(wanted, list) and len(now) == len(wanted):
        return [known(*pair) for pair in zip(now, wanted, strict=True)]
    return now


def without_texts(problems: Sequence[dict[str, str]]) -> list[tuple[str, str]]:
    """Problems without their wording, which may get better."""
    return [(problem["deal"], problem["code"]) for problem in problems]


@pytest.mark.parametrize("old", OLD_LEDGERS, ids=lambda path: path.stem)
def test_an_old_ledger_reads_as_it_did(skachki: Skachki, tmp_path: Path, old: Path) -> None:
    """Each version's ledger lies in tests/data with the standings it gave, and stays for ever."""
    path = Path(shutil.copy(old, tmp_path / "copy.db"))
    standings = lines_of(old.with_suffix(".jsonl").read_text(encoding="utf-8"))
    assert len(asked(skachki, "games", "--db", path)["games"]) == len(standings) > 0
    for wanted in standings:
        now = asked(skachki, "standing", "--game", wanted["game"]["id"], "--db", path)
        assert without_texts(now.pop("problems")) == without_texts(wanted.pop("problems"))
        assert known(now, wanted) == wanted
    assert path.read_bytes() == old.read_bytes()
    running = next(one for one in standings if one["dealer"])["game"]["id"]
    fine(skachki("deal", "note", "still here", "--game", running, "--db", path))
    fine(skachki("undo", "--game", running, "--db", path))


def test_there_are_old_ledgers() -> None:
    assert "ledger-v1" in [path.stem for path in OLD_LEDGERS]
