"""`diff`: where two records of one night part, and what each difference moves; and a dispute worked out."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path

import arguing_games
import pytest
import random_games
from arguing_games import HEADER, ROOT, Run, history, night
from conftest import SKACHKI, Skachki
from test_transcripts import Session, compare

from skachki_ledger.arbitration import diff
from skachki_ledger.derive import derive
from skachki_ledger.events import Event
from skachki_ledger.settlement import net

NIGHT = (
    HEADER
    + """1. r 2/3/4/1
2. Vera 7d ww 7/2/1
3. Gleb 6c wp 6/4
fine Boris 4 gora "revoke"
4. Anna 8h ww 7/2/1
5. Boris 6s ww 6/2/2
6. Anna m 0
7. Gleb 7h pp
"""
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("SKACHKI_DB", str(tmp_path / "ledger.db"))
    return arguing_games.runner(capsys)


def unnumbered(text: str) -> str:
    return re.sub(r"^\d+\. ", "", text, flags=re.MULTILINE)


def parted(left: str, right: str) -> list[diff.Difference]:
    one, other = history(unnumbered(left)), history(unnumbered(right))
    found = diff.differences(one, other)
    assert all(sum(row.nets) == 0 for row in found)
    return found


def moved(left: str, right: str) -> tuple[int, ...]:
    old, new = (net(history(unnumbered(text)).state) for text in (left, right))
    return tuple(now - was for now, was in zip(new, old, strict=True))


# ------------------------------------------------------------------ one difference of each kind


def test_a_deal_recorded_otherwise() -> None:
    other = NIGHT.replace("Anna 8h ww 7/2/1", "Anna 8h ww 8/1/1")
    (row,) = parted(NIGHT, other)
    assert row[:6] == ("different", "Anna 8h ww 7/2/1", "Anna 8h ww 8/1/1", "4", "4", "4")
    assert row.nets == moved(NIGHT, other)
    assert any(row.nets)


@pytest.mark.parametrize("line", ["6. Anna m 0\n", "7. Gleb 7h pp\n"])
def test_a_deal_one_record_lacks(line: str) -> None:
    """Later deals were dealt by whoever's turn it was, so theirs are no differences."""
    other = NIGHT.replace(line, "")
    label, text = line.strip().split(". ")
    (row,) = parted(NIGHT, other)
    assert row[:6] == ("missing", text, "", label, "", label)
    assert row.nets == moved(NIGHT, other)
    (row,) = parted(other, NIGHT)
    assert row[:6] == ("extra", "", text, "", label, str(int(label) - 1))
    assert row.nets == moved(other, NIGHT)


def test_two_deals_in_the_other_order() -> None:
    first, second = "2. Anna 7d ww 7/2/1\n", "3. Gleb 7c wp 7/3\n"
    text = NIGHT.replace("2. Vera 7d ww 7/2/1\n", first).replace("3. Gleb 6c wp 6/4\n", second)
    other = text.replace(first + second, second + first)
    (row,) = parted(text, other)
    assert row[:6] == (
        *("swapped", "Anna 7d ww 7/2/1 / Gleb 7c wp 7/3", "Gleb 7c wp 7/3 / Anna 7d ww 7/2/1"),
        *("2, 3", "2, 3", "2"),
    )
    assert row.nets == moved(text, other)


def test_an_event_that_is_no_deal() -> None:
    other = NIGHT.replace('fine Boris 4 gora "revoke"\n', "")
    (row,) = parted(NIGHT, other)
    assert row[:6] == ("missing", 'fine Boris 4 gora "revoke"', "", "", "", "3")
    assert row.nets == moved(NIGHT, other)
    (row,) = parted(NIGHT, NIGHT.replace("fine Boris 4", "fine Boris 8"))
    assert row.kind == "different"


def test_what_was_agreed() -> None:
    rows = diff.differences(history(NIGHT), history(HEADER + '[Rule "set_whist_factor = 1"]\n'))
    assert rows[0][:3] == ("different", '[Rule "set_whist_factor = 2"]', '[Rule "set_whist_factor = 1"]')
    assert rows[0].nets == moved(NIGHT, NIGHT.replace("1. r", '[Rule "set_whist_factor = 1"]\n1. r'))
    assert [row.kind for row in rows[1:]] == ["missing"] * 8
    (row,) = diff.differences(history(HEADER), history(HEADER + '[Dealer "Vera"]\n'))
    assert row[1:3] == ('[Dealer "Anna"]', '[Dealer "Vera"]')


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('fine Boris 4 gora "revoke"', "fine Boris 4 gora"),
        ("Gleb 6c wp 6/4", "Gleb 6c wp 6/3/1"),
        ("Gleb 6c wp 6/4", "4 6c wp 6"),
        ("6. Anna m 0", 'note "tea"\nagree\n6. Anna m 0 @p'),
        ("6. Anna m 0", "dealer Boris\n6. Anna m 0"),
        ("6. Anna m 0", '6. Anna m 0 irregular "really"'),
    ],
)
def test_what_writes_the_same_is_no_difference(old: str, new: str) -> None:
    assert old in NIGHT
    assert parted(NIGHT, NIGHT.replace(old, new)) == []


def test_who_dealt_is_a_difference() -> None:
    """A `dealer` line is one, and so is a ledger's fact that says the same."""
    other = NIGHT.replace("7. Gleb", 'dealer Anna "out of turn"\n7. Gleb')
    (row,) = parted(NIGHT, other)
    assert row[:6] == ("extra", "", "dealer Anna", "", "", "6")


def test_a_list_that_begins_with_another_seat() -> None:
    text = """[Players "Gleb, Anna, Boris, Vera"]
[Dealer "Anna"]
r 1/2/3/4
Vera 7d ww 7/2/1
Gleb 6c wp 6/4
fine Boris 4 gora
Anna 8h ww 7/2/1
Boris 6s ww 6/2/2
Anna m 0
Gleb 7h pp
"""
    assert parted(NIGHT, text) == []
    assert parted(text, NIGHT) == []
    (row,) = parted(NIGHT, text.replace("r 1/2/3/4", "r 1/2/4/3"))
    assert row[:3] == ("different", "r 2/3/4/1", "r 2/4/3/1")


# ------------------------------------------------------------------ random games


@pytest.mark.parametrize("seed", range(8))
def test_a_slip_in_a_random_night_is_found(seed: int) -> None:
    """One line left out, put in or changed is one difference, and taking it over gives the other net."""
    played = night(seed)
    rng = random.Random(seed)
    events: list[Event] = [taken.event for taken in played.steps]
    places = [place for place, taken in enumerate(played.steps) if taken.label]
    place = rng.choice(places[:-1])
    without = derive(played.header, [*events[:place], *events[place + 1 :]])
    assert diff.differences(played, played) == []
    kinds = [row.kind for row in diff.differences(played, without)]
    assert kinds.count("missing") - kinds.count("extra") == 1
    assert len(kinds) <= 3  # a line about who deals may go with it
    assert diff.total(played, without) == tuple(
        now - was for now, was in zip(net(without.state), net(played.state), strict=True)
    )
    if kinds == ["missing"]:
        (row,) = diff.differences(played, without)
        assert row.nets == diff.total(played, without)
        (row,) = diff.differences(without, played)
        assert (row.kind, row.nets) == ("extra", diff.total(without, played))


def test_two_different_nights_are_compared_to_the_end() -> None:
    one, two = night(3), night(6)
    rows = diff.differences(one, two)
    assert len(rows) > 20
    texts = [random_games.night(seed).text() for seed in (3, 6)]
    assert texts[0] != texts[1]


# ------------------------------------------------------------------ the command


def test_a_file_against_the_ledger(skachki: Skachki, tmp_path: Path) -> None:
    (tmp_path / "a.skachki").write_text(NIGHT, encoding="utf-8")
    other = NIGHT.replace("Anna 8h ww 7/2/1", "Anna 8h ww 8/1/1")
    (tmp_path / "b.skachki").write_text(other, encoding="utf-8")
    game = skachki("import", "b.skachki").stdout.strip()
    done = skachki("diff", "a.skachki", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    told = json.loads(done.stdout)
    assert told["format"] == "skachki-diff/1"
    (row,) = told["rows"]
    assert (row["kind"], row["left"], row["right"]) == ("different", "Anna 8h ww 7/2/1", "Anna 8h ww 8/1/1")
    assert row["nets"] == ["300", "-120", "-96", "-84"]
    assert (row["deal"], row["left_deal"], row["right_deal"]) == ("4", "4", "4")
    assert json.loads(skachki("diff", "a.skachki", "b.skachki", "--json").stdout) == told
    assert json.loads(skachki("diff", "a.skachki", game, "--json").stdout) == told
    done = skachki("diff", "b.skachki")
    assert (done.returncode, done.stdout) == (0, "the two records agree\n")
    assert skachki("diff", "b.skachki", "--json").stdout == '{"format":"skachki-diff/1","rows":[]}\n'
    (tmp_path / "b.jsonl").write_text(skachki("export", "--format", "journal").stdout, encoding="utf-8")
    assert skachki("diff", "b.jsonl").returncode == 0
    assert skachki("diff", "-", stdin=NIGHT).returncode == 1


def test_a_file_that_cannot_have_been_played_is_compared_all_the_same(run: Run, tmp_path: Path) -> None:
    """Without deal 3 it is Gleb's turn to deal when Gleb declares: that is said, and does no harm."""
    (tmp_path / "a.skachki").write_text(NIGHT, encoding="utf-8")
    (tmp_path / "b.skachki").write_text(
        unnumbered(NIGHT.replace("3. Gleb 6c wp 6/4\n", "")), encoding="utf-8"
    )
    done = run("diff", tmp_path / "a.skachki", tmp_path / "b.skachki", "--json")
    assert done.code == 1
    assert [(row["kind"], row["left"]) for row in done.json["rows"]] == [("missing", "Gleb 6c wp 6/4")]
    errors = [json.loads(line)["error"] for line in done.err.splitlines()]
    assert errors
    assert {error["code"] for error in errors} == {"E201"}


def test_a_corrected_ledger_is_compared_as_it_counts(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.skachki").write_text(NIGHT, encoding="utf-8")
    run("import", tmp_path / "a.skachki")
    why = ("--reason", "so it was", "--yes")
    assert run("void", "3", *why).code == 0
    assert run("insert", "--before", "6", "Gleb", "6h", "wp", "6/4", *why, "--dealer", "Boris").code == 0
    rows = run("diff", tmp_path / "a.skachki", "--json").json["rows"]
    assert {"missing", "extra"} <= {row["kind"] for row in rows}
    extra = next(row for row in rows if row["right"] == "Gleb 6h wp 6/4")
    assert (extra["right_deal"], extra["left"]) == ("5a", None)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_words(run: Run, tmp_path: Path, language: str) -> None:
    (tmp_path / "a.skachki").write_text(NIGHT, encoding="utf-8")
    other = NIGHT.replace("Anna 8h ww 7/2/1", "Anna 8h ww 8/1/1").replace("7. Gleb 7h pp\n", "")
    (tmp_path / "b.skachki").write_text(other, encoding="utf-8")
    told = run("diff", tmp_path / "a.skachki", tmp_path / "b.skachki", "--lang", language).out
    if language == "en":
        assert "deal 4: different\n  < 4. Anna 8♥ ww 7/2/1\n  > 4. Anna 8♥ ww 8/1/1\n" in told
        assert "  if the second is right: Anna +300, Boris -120, Vera -96, Gleb -84\n" in told
        assert "deal 7: only in the first\n  < 7. Gleb 7♥ pp\n" in told
        assert told.splitlines()[-1].startswith("all together: ")
    else:
        assert "сдача 4: различаются\n  < 4. Anna 8♥ вв 7/2/1\n  > 4. Anna 8♥ вв 8/1/1\n" in told
    letters = run("diff", tmp_path / "a.skachki", tmp_path / "b.skachki", "--suits", "letters").out
    assert "< 4. Anna 8h ww 7/2/1" in letters


@pytest.mark.parametrize(
    ("words", "code", "fault"),
    [
        ((), 2, ""),
        (("a", "b", "c"), 2, ""),
        (("nosuch",), 1, "E318"),
        (("nosuch.skachki",), 1, "E301"),
        (("folder/nosuch",), 1, "E301"),
        (("folder",), 1, "E302"),
        (("a.skachki", "nosuch"), 1, "E318"),
        (("bad.skachki",), 1, "E102"),
        (("bad.jsonl",), 1, "E326"),
        (("ledger.db",), 1, "E308"),
        (("a.skachki", "--suits", "x"), 1, "E403"),
        (("a.skachki", "--db", "nosuch.db"), 1, "E310"),
    ],
    ids=lambda value: str(value),
)
def test_bad_input_is_one_message(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, fault: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.skachki").write_text(NIGHT, encoding="utf-8")
    (tmp_path / "bad.skachki").write_text(NIGHT.replace("2. Vera", "2. Zoya"), encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text('{"format": "x"}\n')
    (tmp_path / "folder").mkdir()
    run("import", "a.skachki")
    done = run("diff", *words)
    assert (done.code, done.out) == (code, "")
    if code == 1:
        assert done.err.count("\n") == 1
        assert done.err.endswith(f"[{fault}]\n")
        assert json.loads(run("diff", *words, "--json").err)["error"]["code"] == fault


# ------------------------------------------------------------------ the worked dispute


def test_the_dispute_on_the_page(tmp_path: Path) -> None:
    """What docs/dispute.md prints is what the commands print, one after the other."""
    session = Session(tmp_path, merged=True)
    block = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
    compare(
        ROOT / "docs" / "dispute.md", lambda text: block.sub(lambda found: session.replay(found[0]), text)
    )


def test_the_dispute_as_a_script(tmp_path: Path) -> None:
    path = f"{SKACHKI.parent}{os.pathsep}{os.environ['PATH']}"
    settings = os.environ | {
        "PATH": path,
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path),
        "SKACHKI_LANG": "en",
    }
    done = subprocess.run(
        ["sh", ROOT / "examples" / "dispute.sh"],
        env=settings,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"^\$ skachki (\S+)", done.stdout, re.MULTILINE) == [
        *("import", "settle", "claim", "explain", "register", "diff", "whatif"),
        *("amend", "diff", "claim", "settle"),
    ]
    assert "Boris → Gleb 664.00 RUB" in done.stdout
    assert done.stdout.count("✗") == 2
    assert list(tmp_path.iterdir()) == []


def test_one_deal_moved_the_semester(run: Run) -> None:
    """The two records differ in one deal only, and in where the first semester ends."""
    wrong, right = (ROOT / "examples" / f"dispute-{name}.skachki" for name in ("recorded", "paper"))
    said = [run("score", path, "--json", "--log").json for path in (wrong, right)]
    last = [[event["deal"] for event in told["log"] if event["semester"] == 1][-1] for told in said]
    assert last == ["13", "17"]
    assert [told["prizes"][0]["winners"] for told in said] == [["Boris"], ["Vera"]]
    assert [told["problems"] for told in said] == [[], []]
    rows = run("diff", wrong, right, "--json").json["rows"]
    assert [(row["kind"], row["deal"]) for row in rows] == [("different", "13")]
