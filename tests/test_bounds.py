"""Hard input of every size: a refusal in a sentence, early; what is written can be read again."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import SKACHKI, Skachki, clean_environment
from test_ledger_recording import asked
from test_ledger_store import DEAL, GAME, NIGHT, fill, fine, ledger, refused

__all__ = ["ledger"]
HEAD = '[Players "Anna, Boris, Vera, Gleb"]\n\n'
LONG_NIGHT = 'r 3/3/3/1 irregular "x"\n' * 3_300


def test_a_title_too_long_to_be_read_again_is_refused(skachki: Skachki, ledger: Path) -> None:
    for title in ("T" * 492, '"' * 250, "\\" * 250):
        refused(skachki, "new", "A", "B", "C", "D", "--title", title, code="E125", file=ledger)
    fine(skachki("new", "A", "B", "C", "D", "--title", "T" * 491))
    assert asked(skachki, "status")["game"]["title"] == "T" * 491


def test_one_unreadable_game_hides_no_other(skachki: Skachki, tmp_path: Path) -> None:
    """A record whose hash is right and whose text no version wrote: the list and `verify` name it."""
    path = fill(tmp_path / "l.db", NIGHT)
    from skachki_ledger import journal, store

    with store.writing(str(path)) as connection:
        draft = journal.Draft('[Players "only one"]', "")
        store.append(connection, "strange1", [], [draft], "t", "2026-01-02T20:59:58Z")
    found = asked(skachki, "games", "--db", path)["games"]
    assert [(game["id"], game.get("unreadable", False)) for game in found] == [
        (GAME, False),
        ("strange1", True),
    ]
    assert "strange1 cannot be read" in fine(skachki("games", "--db", path))
    told = skachki("verify", "--json", "--db", path)
    assert told.returncode == 1
    assert [(f["game"], f["kind"]) for f in json.loads(told.stdout)["faults"]] == [
        ("strange1", "unreadable")
    ]


def test_very_long_nights_are_printed(skachki: Skachki, tmp_path: Path) -> None:
    (tmp_path / "long.skachki").write_text(HEAD + LONG_NIGHT, encoding="utf-8")
    fine(skachki("import", "long.skachki"))
    assert fine(skachki("settle", "--format", "html")).endswith("</html>\n")
    assert fine(skachki("chart", "-o", "night.svg")) == ""


def test_records_of_two_nights_are_not_laid_side_by_side(skachki: Skachki, tmp_path: Path) -> None:
    for name, first in (("a", 1), ("b", 2)):
        fines = "".join(f"fine {1 + at % 4} {2 * at + first} gora\n" for at in range(600))
        (tmp_path / f"{name}.skachki").write_text(f"{HEAD}r 2/4/3/1\n{fines}", encoding="utf-8")
    fine(skachki("import", "b.skachki"))
    refused(skachki, "diff", "a.skachki", code="E434", facts=["1200"])


def test_tags_and_lines_are_counted(skachki: Skachki, tmp_path: Path) -> None:
    tags = "".join(f'[A{at} "x"]\n' for at in range(600))
    (tmp_path / "tags.skachki").write_text(tags + HEAD, encoding="utf-8")
    told = skachki("import", "tags.skachki")
    assert (told.returncode, "[E142]" in told.stderr, "500" in told.stderr) == (1, True, True)
    (tmp_path / "lines.skachki").write_text(HEAD + "note x\n" * 20_001, encoding="utf-8")
    told = skachki("import", "lines.skachki")
    assert (told.returncode, told.stderr.count("\n"), "[E142]" in told.stderr) == (1, 1, True)


def test_a_wrong_name_in_an_all_pass_is_a_fault_of_its_line(skachki: Skachki, tmp_path: Path) -> None:
    """Beside a fault that is placed by the names, and with another file behind it."""
    (tmp_path / "bad.skachki").write_text(f"{HEAD}r 3/3/3/1 Zoya@g\n", encoding="utf-8")
    (tmp_path / "good.skachki").write_text(f"{HEAD}r 2/4/3/1\n", encoding="utf-8")
    told = skachki("import", "bad.skachki", "good.skachki")
    assert told.returncode == 1
    assert told.stderr.startswith("bad.skachki:3:")
    assert "E102" in told.stderr
    assert "E204" in told.stderr
    assert len(told.stdout.split()) == 1  # the good one is taken


@pytest.mark.usefixtures("ledger")
def test_what_is_written_short_is_written_whole_or_refused(skachki: Skachki, tmp_path: Path) -> None:
    """Unbuffered output writes as much as fits at once and says nothing of the rest."""
    whole = fine(skachki("export", "--format", "journal"))
    environment = clean_environment(tmp_path) | {"PYTHONUNBUFFERED": "1"}
    ran = subprocess.run(
        [SKACHKI, "export", "--format", "journal"], env=environment, cwd=tmp_path, capture_output=True
    )
    assert (ran.returncode, ran.stdout.decode()) == (0, whole)
    script = f"ulimit -f 1; '{SKACHKI}' export --format journal > out.jsonl"  # blocks of 512 or 1,024 bytes
    ran = subprocess.run(["sh", "-c", script], env=environment, cwd=tmp_path, capture_output=True)
    assert len(whole) > 1024
    assert (ran.returncode, b"[E405]" in ran.stderr) == (1, True)


def test_standard_input_may_be_closed(tmp_path: Path, ledger: Path) -> None:
    for words in ("score -", "import -", "claim --file -", "claim --sheet -", "diff -"):
        script = f"'{SKACHKI}' {words} <&-"
        ran = subprocess.run(
            ["sh", "-c", script],
            env=clean_environment(tmp_path) | {"SKACHKI_DB": str(ledger)},
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
        )
        assert (ran.returncode, "[E307]" in ran.stderr, "Traceback" in ran.stderr) == (1, True, False), (
            words
        )


def test_nobody_reads_what_is_said_aside(tmp_path: Path) -> None:
    """Standard error on a full device: the game is made and its id printed all the same."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [SKACHKI, "new", "A", "B", "C", "D", "--db", tmp_path / "l.db"],
            env=clean_environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=full,
        )
    assert (ran.returncode, len(ran.stdout.split())) == (0, 1)


def test_no_half_file_is_left(ledger: Path, tmp_path: Path) -> None:
    script = (
        f"ulimit -f 1; trap '' XFSZ; exec '{SKACHKI}' export --format journal -o out.jsonl --db '{ledger}'"
    )
    ran = subprocess.run(
        ["sh", "-c", script], env=clean_environment(tmp_path), cwd=tmp_path, capture_output=True
    )
    assert (ran.returncode, b"[E329]" in ran.stderr) == (1, True)
    assert not (tmp_path / "out.jsonl").exists()


def test_names_of_files_are_shown_as_text(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    name = "d\x1b[31m\u202eb\x07.skachki"
    (tmp_path / name).write_text(f"{HEAD}r 2/4/3/1\n", encoding="utf-8")
    told = skachki("diff", name)
    assert told.returncode == 1
    assert not {"\x1b", "\u202e", "\x07"} & set(told.stdout + told.stderr)
    strange = tmp_path / "l\x1b[31m\n.db"
    os.rename(ledger, strange)
    told = skachki("reconcile", "Anna gora 500", "--max-slips", "1", "--db", strange)
    assert "\x1b" not in told.stdout + told.stderr


def test_claims_in_a_file_have_a_message_a_line(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "claims.txt").write_text("Anna gora 4\nnobody net 1\nAnna gora many\n", encoding="utf-8")
    for command in ("claim", "reconcile"):
        told = skachki(command, "--file", "claims.txt", "--db", ledger)
        assert (told.returncode, told.stdout) == (1, "")
        assert [line.split(": ")[0] for line in told.stderr.splitlines()] == [
            "claims.txt:2:1",
            "claims.txt:3:1",
        ]


@pytest.mark.parametrize("unseen", ["\u034f", "\u3164", "\u200d", "\U000e0041", "\ufe0f"])
def test_what_shows_nothing_is_no_difference_between_names(
    skachki: Skachki, tmp_path: Path, unseen: str
) -> None:
    made = skachki("new", "Anna", f"An{unseen}na", "Vera", "Gleb", "--db", tmp_path / "l.db")
    assert (made.returncode, "[E123]" in made.stderr) == (1, True)
    made = skachki("new", unseen, "Boris", "Vera", "Gleb", "--db", tmp_path / "l.db")
    assert (made.returncode, "[E122]" in made.stderr) == (1, True)


def test_a_long_word_is_nobodys_name(skachki: Skachki, ledger: Path, tmp_path: Path) -> None:
    """Marks in disorder, which would take hours to be brought into their order."""
    endless = "A" + "\u0315\u0300" * 20_000
    refused(skachki, "explain", endless, code="E102", file=ledger)
    assert "[E122]" in skachki("new", endless, "B", "C", "D", "--db", ledger).stderr
    sheet = {"game": {"players": [endless, "B", "C", "D"]}, "net": [0, 0, 0, 0]}
    (tmp_path / "sheet.json").write_text(json.dumps(sheet), encoding="utf-8")
    assert skachki("claim", "--sheet", "sheet.json", "--db", ledger).returncode == 1
    assert skachki(endless).returncode == 2


def test_a_long_path_is_refused(skachki: Skachki) -> None:
    told = skachki("new", "A", "B", "C", "D", "--db", "d/" * 1500 + "x")
    assert (told.returncode, "Traceback" in told.stderr) == (1, False)


def test_a_correction_is_judged_as_it_is_typed(skachki: Skachki, tmp_path: Path) -> None:
    """@p for a dealer who writes nothing: refused of a new deal, and of a corrected one."""
    (tmp_path / "n.skachki").write_text(
        '[Players "Anna, Boris, Vera, Gleb"]\n[Rule "dealer_clean = no"]\n'
        "r 2/4/3/1\nVera 7d ww 7/1/2\nr 2/3/2/3\n",
        encoding="utf-8",
    )
    fine(skachki("import", "n.skachki"))
    why = ("--reason", "x", "--yes")
    line = ("r", "0/5/0/5", "3@p")  # Vera deals the third
    assert "[E214]" in skachki("amend", "3", *line, *why).stderr
    assert "[E214]" in skachki("insert", "--before", "3", *line, *why).stderr
    fine(skachki("amend", "3", "r", "0/5/0/5", *why))
    fine(skachki(*DEAL, "--dry-run", "--db", fill(tmp_path / "l.db", NIGHT)))


def test_a_line_of_faults_tells_the_first_ones(skachki: Skachki, tmp_path: Path) -> None:
    (tmp_path / "x.skachki").write_text(f"{HEAD}r 3/4/2/1 {'x@q ' * 1000}\n", encoding="utf-8")
    told = skachki("score", "x.skachki")
    assert (told.returncode, told.stderr.count("\n")) == (1, 1)
    assert len(told.stderr) < 5_000


@pytest.mark.usefixtures("ledger")
def test_no_message_quotes_all_that_was_typed(skachki: Skachki) -> None:
    for words in (
        ("status", "--game", "g" * 60_000),
        ("use", "u" * 60_000),
        ("status", "--lang", "l" * 60_000),
    ):
        told = skachki(*words)
        assert (told.returncode, len(told.stderr) < 2_000) == (1, True), words


def test_a_broken_pipe_is_quiet_with_unbuffered_output_too(tmp_path: Path, ledger: Path) -> None:
    for unbuffered in ("", "1"):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            ran = subprocess.run(
                [SKACHKI, "log", "--db", ledger],
                env=clean_environment(tmp_path) | {"PYTHONUNBUFFERED": unbuffered},
                stdout=pipe,
                stderr=subprocess.PIPE,
            )
        assert (ran.returncode, ran.stderr) == (1, b"")
