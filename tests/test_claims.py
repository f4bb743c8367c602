"""`claim`: what somebody says beside what is computed, with the entries behind it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import arguing_games
import pytest
from arguing_games import CELLS, EXAMPLES, HEADER, ROOT, Run, example, night, recorded
from conftest import Skachki

from skachki_ledger import disputes
from skachki_ledger.arbitration import cells, claims
from skachki_ledger.arbitration.cells import Cell
from skachki_ledger.errors import NotationError
from skachki_ledger.names import Seats
from skachki_ledger.render import jsonout
from skachki_ledger.standing import standing

SEATS = Seats(("Anna", "Борис", "Vera", "Gleb"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("SKACHKI_DB", str(tmp_path / "ledger.db"))
    return arguing_games.runner(capsys)


# ------------------------------------------------------------------ reading


@pytest.mark.parametrize(
    ("text", "cell", "number", "about", "after"),
    [
        ("Anna gora 24", Cell(0, "gora"), 24, False, ""),
        ("anna гора 24", Cell(0, "gora"), 24, False, ""),
        ("2 пуля -3", Cell(1, "pool"), -3, False, ""),
        ("бор итог ~-120", Cell(1, "net"), -120, True, ""),
        ("Gleb net 7070/3", Cell(3, "net"), Fraction(7070, 3), False, ""),
        ("Gleb net ~12.5", Cell(3, "net"), Fraction(25, 2), True, ""),
        ("Gleb net 12,5", Cell(3, "net"), Fraction(25, 2), False, ""),
        ("Gleb net −12", Cell(3, "net"), -12, False, ""),
        ("Vera whists Gleb 8", Cell(2, "whists", 3), 8, False, ""),
        ("Vera висты 4 +8", Cell(2, "whists", 3), 8, False, ""),
        ("after 12: Vera pool 4", Cell(2, "pool"), 4, False, "12"),
        ("после 12a: Vera пуля 4", Cell(2, "pool"), 4, False, "12a"),
        ("After 0 :Vera net 0", Cell(2, "net"), 0, False, "0"),
        ("semester 2: Vera gora 4", Cell(2, "gora", None, 2), 4, False, ""),
        ("семестр 2: Vera гора 4", Cell(2, "gora", None, 2), 4, False, ""),
        ("after 30: semester 1: Vera gora 4", Cell(2, "gora", None, 1), 4, False, "30"),
    ],
)
def test_a_claim_is_read(text: str, cell: Cell, number: Fraction, about: bool, after: str) -> None:
    assert claims.read(text, SEATS) == claims.Claim(text, cell, Fraction(number), about, after)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "E416"),
        ("Anna gora", "E416"),
        ("Anna gora x", "E416"),
        ("Anna gora 1/0", "E416"),
        ("Anna gora 1e5", "E416"),
        ("Anna gora 99999999999", "E416"),
        ("Anna gora ~", "E416"),
        ("Anna 24", "E415"),
        ("24", "E415"),
        ("Anna whists 24", "E415"),
        ("Anna whists Anna 24", "E117"),
        ("Anna gora Vera 24", "E415"),
        ("Zoya gora 24", "E102"),
        ("Anna whists Zoya 24", "E102"),
        ("semester 1: Anna net 24", "E417"),
        ("semester 1: Anna whists Vera 24", "E417"),
    ],
)
def test_what_is_no_claim_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as refused:
        claims.read(text, SEATS)
    assert [fault.code for fault in refused.value.faults] == [code]


# ------------------------------------------------------------------ answers


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_games_own_sheet_is_right_in_every_cell(path: Path) -> None:
    check_own_sheet(example(path.stem))


@pytest.mark.parametrize("seed", range(6))
def test_a_random_games_own_sheet_is_right_in_every_cell(seed: int) -> None:
    check_own_sheet(night(seed))


def check_own_sheet(played: Any) -> None:
    sheet = json.loads(jsonout.dump(jsonout.standing(standing(played))))
    players = played.state.players
    found = claims.from_sheet(sheet, players)
    assert len(found) == 8 * len(sheet["pool"]) + 24
    game = recorded(played)
    for claim in found:
        answer = claims.answer(played, claim)
        assert answer.ok
        assert answer.difference == 0
        rows = disputes.answer_json(game, answer)["entries"]
        assert sum(Fraction(row["effect"]) for row in rows) == answer.computed
    sheet["net"][2] = None
    sheet["whists"][0][1] = None
    sheet["gora"] = None
    del sheet["pool_total"]
    assert len(claims.from_sheet(sheet, players)) == 4 * len(sheet["pool"]) + 24 - 6


def test_a_sheet_seated_otherwise_is_read_by_its_names() -> None:
    played = example("friday-night")
    sheet = json.loads(jsonout.dump(jsonout.standing(standing(played))))

    def turned(row: list[Any]) -> list[Any]:
        return [*row[1:], row[0]]

    for key in ("pool", "gora"):
        sheet[key] = [turned(row) for row in sheet[key]]
    for key in ("pool_total", "gora_total", "net"):
        sheet[key] = turned(sheet[key])
    sheet["whists"] = turned([turned(row) for row in sheet["whists"]])
    assert not all(
        claims.answer(played, claim).ok for claim in claims.from_sheet(sheet, played.state.players)
    )
    sheet["game"]["players"] = turned(sheet["game"]["players"])
    assert all(claims.answer(played, claim).ok for claim in claims.from_sheet(sheet, played.state.players))


@pytest.mark.parametrize(
    "sheet",
    [
        {"net": 3},
        {"net": [1, 2, 3]},
        {"net": [True, 0, 0, 0]},
        {"net": [[1], 0, 0, 0]},
        {"pool": [[1, 2, 3, 4, 5]]},
        {"whists": [["0", "0"]]},
        {"game": []},
        {"game": {"players": [1, 2, 3, 4]}},
    ],
)
def test_a_sheet_of_another_shape_is_refused(sheet: dict[str, Any]) -> None:
    with pytest.raises(NotationError) as refused:
        claims.from_sheet({"gora_total": [0, 0, 0, 0], **sheet}, SEATS.players)
    assert refused.value.faults[0].code == "E418"


def test_within_one_is_right_where_it_was_said_about() -> None:
    played = example("friday-night")
    for number, ok in (
        ("1975", True),
        ("~1975", True),
        ("~1974.5", True),
        ("1974.5", False),
        ("~1974", False),
    ):
        answer = claims.answer(played, claims.read(f"1 net {number}", Seats(played.state.players)))
        assert answer.ok is ok
        assert answer.difference == answer.claim.number - 1975


def test_claims_of_every_moment() -> None:
    """after N is the game up to the deal that follows N."""
    played = example("friday-night")
    for label in ("0", "1", "18", "19", "40", "73"):
        then = played.until(label)
        for one in CELLS:
            about = f"after {label}: {one.seat + 1} {one.account} "
            about += f"{one.on + 1} " if one.on is not None else ""
            number = Fraction(cells.value(then, one), one.unit)
            claim = claims.read(f"{about}{number}", Seats(played.state.players))
            assert claims.answer(played, claim).ok


# ------------------------------------------------------------------ the command


def test_right_and_wrong_claims(run: Run) -> None:
    run("import", ROOT / "examples" / "friday-night.skachki")
    right = ("Анна gora 124", "семестр 4: Анна гора 38", "Анна итог ~1975.5", "после 12: Борис пуля 6")
    done = run("claim", *right)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("✓") == 4
    assert "✗" not in done.out
    done = run("claim", "Анна gora 100", *right)
    assert done.code == 1
    assert done.out.splitlines()[2].split() == ["Анна:", "gora", "100", "124", "-24", "✗"]
    assert "of it in the current semester: Анна: gora (IV) 38" in done.out
    assert "\n  65  +18  38  (3 tricks × 6; allpass.tricks)" in done.out


def test_the_json_of_claims(skachki: Skachki, tmp_path: Path) -> None:
    assert skachki("import", ROOT / "examples" / "friday-night.skachki").returncode == 0
    done = skachki("claim", "Анна gora 100", "Вера итог ~-249.5", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    told = json.loads(done.stdout)
    assert list(told) == ["format", "claims"]
    assert told["format"] == "skachki-claim/1"
    first, second = told["claims"]
    assert list(first)[:6] == ["claim", "claimed", "computed", "difference", "ok", "entries"]
    assert [first[key] for key in ("claim", "claimed", "computed", "difference", "ok")] == [
        *("Анна gora 100", "100", "124", "-24"),
        False,
    ]
    assert first["current_semester"] == "38"
    assert sum(int(row["amount"]) for row in first["entries"]) == 124
    assert {"event", "deal", "running", "rule", "text"} <= set(first["entries"][0])
    assert (second["difference"], second["ok"]) == ("-1/2", True)
    standing_text = skachki("standing", "--json").stdout
    (tmp_path / "s.json").write_text(standing_text, encoding="utf-8")
    assert skachki("claim", "--sheet", "s.json").returncode == 0
    assert skachki("claim", "--sheet", "-", stdin=standing_text).returncode == 0
    sheet = json.loads(standing_text)
    sheet["whists"][0][1] = "7"
    (tmp_path / "s.json").write_text(json.dumps(sheet), encoding="utf-8")
    done = skachki("claim", "--sheet", "s.json", "--json")
    off = [row for row in json.loads(done.stdout)["claims"] if not row["ok"]]
    assert (done.returncode, [row["claim"] for row in off]) == (1, ["Анна whists Даша 7"])


def test_a_file_of_claims(run: Run, tmp_path: Path) -> None:
    run("import", ROOT / "examples" / "friday-night.skachki")
    file = tmp_path / "claims.txt"
    file.write_text("\ufeff; said at three\nАнна гора 124\n\n# and\nпосле 12: Борис пуля 6\r\n", "utf-8")
    assert run("claim", "--file", file).code == 0
    assert len(run("claim", "Анна pool 50", "--file", file, "--json").json["claims"]) == 3
    file.write_text("Анна гора 124\nЗоя гора 1\nпосле 99: Анна гора 1\nсеместр 7: Анна гора 1\n", "utf-8")
    done = run("claim", "--file", file)
    assert (done.code, done.out) == (1, "")
    lines = done.err.splitlines()
    assert [line.split("[")[-1] for line in lines] == ["E102]", "E401]", "E419]"]
    assert [line.removeprefix(f"{file}:").split(":")[0] for line in lines] == ["2", "3", "4"]
    error = json.loads(run("claim", "--file", file, "--json").err.splitlines()[0])["error"]
    assert (error["code"], error["line"]) == ("E102", 2)


def test_claims_on_a_game_without_a_deal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "night.skachki").write_text(HEADER, encoding="utf-8")
    run("import", tmp_path / "night.skachki")
    assert run("claim", "Anna net 0", "after 0: Gleb whists Anna 0", "semester 1: Vera pool 0").code == 0
    assert run("claim", "Anna net 1").code == 1


@pytest.mark.parametrize(
    ("words", "code", "fault"),
    [
        ((), 1, "E421"),
        (("Anna", "gora", "24"), 1, "E416"),
        (("Zoya gora 24",), 1, "E102"),
        (("after 99: Anna gora 24",), 1, "E401"),
        (("after x: Anna gora 24",), 1, "E102"),
        (("semester 0: Anna gora 24",), 1, "E419"),
        (("semester 2: Anna gora 24",), 1, "E419"),
        (("--file", "nosuch"), 1, "E301"),
        (("--file", "."), 1, "E302"),
        (("--sheet", "nosuch"), 1, "E301"),
        (("--sheet", "night.skachki"), 1, "E418"),
        (("--sheet", "list.json"), 1, "E418"),
        (("--sheet", "more.json"), 1, "E419"),
        (("--sheet", "empty.json"), 1, "E421"),
        (("--sheet", "tall.json"), 1, "E418"),
        (("--file", "tall.txt"), 1, "E142"),
        (("--file", "wide.txt"), 1, "E125"),
        (("Anna gora " + " " * 500 + "24",), 1, "E125"),
        (("--sheet",), 2, ""),
        (("--nosuch",), 2, ""),
    ],
    ids=lambda value: str(value),
)
def test_bad_input_is_one_message(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, fault: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "night.skachki").write_text(HEADER + "1. r 2/3/4/1\n", encoding="utf-8")
    (tmp_path / "list.json").write_text("[1, 2]")
    (tmp_path / "more.json").write_text('{"pool": [[0, 0, 0, 0], [0, 0, 0, 0]]}')
    (tmp_path / "tall.json").write_text(f'{{"pool": [{", ".join(["[0, 0, 0, 0]"] * 21)}]}}')
    (tmp_path / "tall.txt").write_text("Anna gora 24\n" * 10_001)
    (tmp_path / "wide.txt").write_text("Anna gora 24" + " " * 500 + ".5\n")
    (tmp_path / "empty.json").write_text('{"net": [null, null, null, null]}')
    run("import", "night.skachki")
    done = run("claim", *words)
    assert (done.code, done.out) == (code, "")
    if code == 1:
        assert done.err.count("\n") == 1
        assert done.err.endswith(f"[{fault}]\n")
        assert json.loads(run("claim", *words, "--json").err)["error"]["code"] == fault


def test_a_claim_may_be_written_as_it_is_printed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "n.skachki").write_text(HEADER + "1. r 2/3/4/1\n2. Vera 7d wp 7/3\n", encoding="utf-8")
    run("import", tmp_path / "n.skachki")
    for said in (
        "Gleb whists Vera 24",
        "Gleb: whists on Vera 24",
        "Gleb whists on Vera 24",
        "Глеб висты на 3 24",
    ):
        told = run("claim", said.replace("Глеб", "4"))
        assert told.code == 0, told.err


def test_a_semester_is_told_of_those_who_sat_there_then(run: Run, tmp_path: Path) -> None:
    """Vera left in the second semester and came back in Boris's seat: in the first she sat on the third."""
    rows = (
        '[Rule "target = 4"]',
        "r 2/4/3/1",
        "Vera 7d wp 7/3",  # ends the first semester: gora 4, 8, 6, 2
        'seat Vera "Zoe"',
        'seat Boris "Vera"',
    )
    (tmp_path / "n.skachki").write_text(
        HEADER.rstrip("\n") + "\n" + "\n".join(rows) + "\n", encoding="utf-8"
    )
    assert run("import", tmp_path / "n.skachki").code == 0
    for said in ("semester 1: Vera gora 6", "semester I: Boris gora 8", "семестр I: Vera гора 6"):
        assert run("claim", said).code == 0, said
    assert run("claim", "semester 1: Zoe gora 6").code == 0  # a sheet names the column by her
    assert "[E102]" in run("claim", "semester 1: Nobody gora 6").err
    assert run("claim", "Zoe gora 6", "Vera gora 8", "after deal 1: Vera gora 6").code == 0


def test_what_is_right_of_the_semester_under_way_is_told(run: Run, tmp_path: Path) -> None:
    rows = ('[Rule "target = 4"]', "r 2/4/3/1", "Vera 7d wp 7/3", "r 3/2/3/2")  # the last opens semester 2
    (tmp_path / "n.skachki").write_text(
        HEADER.rstrip("\n") + "\n" + "\n".join(rows) + "\n", encoding="utf-8"
    )
    run("import", tmp_path / "n.skachki")
    told = run("claim", "Boris gora 4")  # 8 in the first, 2 tricks × 2 in the second
    assert (told.code, "right of semester 2 alone" in told.out) == (1, True)
    assert "right of semester" not in run("claim", "Boris gora 6").out
    assert run("claim", "semester 2: Boris gora 4").code == 0


def test_a_russian_slip_is_written_in_russian(run: Run) -> None:
    run("import", ROOT / "examples" / "friday-night.skachki")
    told = run("reconcile", "1 net 1979", "--lang", "ru").out
    assert "сдача 11: Глеб 6п вв 6/3/1, а не Глеб 6п вв 6/2/2" in told
    slips = run("reconcile", "1 net 1979", "--lang", "ru", "--json").json["explanations"][0]["slips"]
    assert (slips[0]["recorded"], slips[0]["instead"]) == ("Глеб 6s ww 6/2/2", "Глеб 6s ww 6/3/1")
