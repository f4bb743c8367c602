"""Each refusal of docs/rules.md and docs/notation.md through `skachki score`: place, reason, rule id."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from running import Ran, run

PLAYERS = '[Players "Anna, Boris, Vera, Gleb"]'
R1, CLOSED = "r 2/4/3/1", "r 2/4/3/1\nVera 7d wp 7"
"""Anna deals the opening; then Boris deals and Vera's seven closes the all-pass: Vera deals next."""


class Refusal(NamedTuple):
    """A game's events, or a whole file, and what is said of its one faulty line."""

    text: str
    place: str
    rule: str
    words: str


def last(events: str, column: int, rule: str, words: str, *tags: str) -> Refusal:
    """Return a game whose last line is refused."""
    lines = [PLAYERS, *tags, *events.split("\n")]
    return Refusal("\n".join(lines), f":{len(lines)}:{column}", rule, words)


OVER = ['[Rule "semesters = 1"]', '[Rule "target = 2"]']
DEALS = {
    "sum-short": last(f"{R1}\nVera 7d ww 7/1/1", 12, "", "9.*1 missing"),
    "sum-over": last(f"{R1}\nVera 7d wp 8/4", 12, "", "12.*2 too many"),
    "allpass-short": last("r 2/2/2/1", 3, "allpass.tricks", "7.*3 missing"),
    "allpass-over": last("r 2/4/3/2", 3, "allpass.tricks", "11.*1 too many"),
    "dealer-declares": last(f"{R1}\nBoris 7d wp 7", 1, "deal.rotation", "Boris"),
    "dealer-misere": last(f"{R1}\nBoris m 0", 1, "deal.rotation", "Boris"),
    "dealer-third": last("r 3/3/3/1", 3, "allpass.tricks", "Anna.*2.*3"),
    "open-six": last(f"{R1}\nVera 6d ww 6/2/2", 6, "allpass.hard-exit", "1.*7"),
    "exit-8": last(f"{R1}\nVera 7d ww 7/2/1", 6, "allpass.hard-exit", "8", '[Rule "min_exit_level = 8"]'),
    "opening": last("Vera 7d ww 7/2/1", 6, "allpass.opening", "all-pass"),
    "opening-misere": last("Vera m 0", 6, "allpass.opening", "all-pass"),
    "forced-1": last(f"{CLOSED}\nAnna m 1\nBoris 7d wp 7", 7, "allpass.forced", "2"),
    "forced-2": last(f"{CLOSED}\nAnna m 2\nBoris m 0", 7, "allpass.forced", "4"),
    "forced-3": last(f"{CLOSED}\nAnna m 5\nBoris 10n pp", 7, "allpass.forced", "6"),
    "forced-9": last(f"{CLOSED}\nAnna 9d/m ww 7/2/1\nBoris 7d wp 7", 7, "allpass.forced", "4"),
    "forced-10": last(f"{CLOSED}\nAnna 10d/m ww 9/0/1\nBoris 7d wp 7", 7, "allpass.forced", "2"),
    "forced-9-gambler": last(
        f"{CLOSED}\nAnna 9d/m ww 8/1/1\nBoris 7d wp 7", 7, "allpass.forced", "2", '[Rules "gambler"]'
    ),
    "stalingrad": last(f"{CLOSED}\nAnna 6s wp 6", 9, "whist.stalingrad", "both"),
    "stalingrad-pp": last(f"{CLOSED}\nAnna 6s pp", 9, "whist.stalingrad", "both"),
    "stalingrad-half": last(f"{CLOSED}\nAnna 6s ph", 9, "whist.stalingrad", "both"),
    "stalingrad-one": last(
        f"{CLOSED}\nAnna 6s pp", 9, "whist.stalingrad", "one", '[Rule "stalingrad = one"]'
    ),
    "stalingrad-one-half": last(
        f"{CLOSED}\nAnna 6s ph", 9, "whist.stalingrad", "one", '[Rule "stalingrad = one"]'
    ),
    "half-8": last(f"{CLOSED}\nAnna 8d ph", 9, "whist.half", "six.*seven"),
    "half-10-back": last(f"{CLOSED}\nAnna 10n wh 10", 10, "whist.half", "six.*seven"),
    "half-off": last(f"{CLOSED}\nAnna 6d ph", 9, "whist.half", "half_whist", '[Rule "half_whist = no"]'),
    "half-off-back": last(
        f"{CLOSED}\nAnna 7d wh 7", 9, "whist.half", "half_whist", '[Rule "half_whist = no"]'
    ),
    "choice-7": last(f"{CLOSED}\nAnna 7d pp @g", 12, "game.unwhisted", "8"),
    "choice-6": last(f"{CLOSED}\nAnna 6d pp gora", 12, "game.unwhisted", "8"),
    "choice-none": last(
        f"{CLOSED}\nAnna 9d pp @g", 12, "game.unwhisted", "", '[Rule "unwhisted_choice = none"]'
    ),
    "choice-whisted": last(f"{CLOSED}\nAnna 9d ww 9/1/0 @g", 18, "game.made", "pool"),
    "choice-half": last(f"{CLOSED}\nAnna 7d ph @g", 12, "whist.half", "pool"),
    "choice-half-back": last(f"{CLOSED}\nAnna 7d wh 7/3 @g", 16, "game.made", "pool"),
    "choice-misere": last(f"{CLOSED}\nAnna m 0 @g", 10, "misere.made", "pool", '[Rules "gambler"]'),
    "dest-caught": last(f"{CLOSED}\nAnna m 1 @g", 10, "misere.caught", "Anna"),
    "dest-caught-pool": last(f"{CLOSED}\nAnna m 1 @p", 10, "misere.caught", "Anna"),
    "dest-set": last(f"{CLOSED}\nAnna 7d ww 6/2/2 @g", 18, "game.set", "Anna"),
    "dest-set-pool": last(f"{CLOSED}\nAnna 7d ww 6/2/2 @p", 18, "game.set", "Anna"),
    "dest-tricks": last("r 2/4/3/1 Vera@g", 11, "allpass.clean", "Vera"),
    "dest-tricks-pool": last("r 2/4/3/1 Vera п", 16, "allpass.clean", "Vera"),
    "dest-second": last("r 0/4/6/0 Anna@g Vera@g", 18, "allpass.clean", "Vera"),
    "dest-first": last("r 0/4/6/0 Vera@g Anna@g", 11, "allpass.clean", "Vera"),
    "dest-dealer": last("r 0/5/4/1 Anna@g", 11, "allpass.clean", "Anna", '[Rule "dealer_clean = no"]'),
    "dest-dealer-pool": last("r 0/5/4/1 Anna@p", 11, "allpass.clean", "Anna", '[Rule "dealer_clean = no"]'),
    "tricks-pp": last(f"{CLOSED}\nAnna 7d pp 7/3", 12, "game.unwhisted", "tricks"),
    "tricks-ph": last(f"{CLOSED}\nAnna 7d ph 7", 12, "whist.half", "tricks"),
    "tricks-missing": last(f"{CLOSED}\nAnna 7d wp", 11, "", "tricks.*7/3"),
    "tricks-two": last(f"{CLOSED}\nAnna 7d ww 7/3", 12, "", "7/3.*7/2/1"),
    "tricks-allpass": last("r", 2, "", "tricks.*3/4/2/1"),
    "tricks-misere": last(f"{CLOSED}\nAnna m", 7, "", "m 0"),
    "tricks-misere-11": last(f"{CLOSED}\nAnna m 11", 8, "", "11.*0–10"),
    "outbid-8": last(f"{CLOSED}\nAnna 8d/m ww 8/1/1", 6, "allpass.forced", "nine.*ten"),
    "concession": last(f"{CLOSED}\nAnna 7d -3", 9, "game.no-concession", "without"),
    "concession-ru": last(f"{CLOSED}\nAnna 7d без трёх", 9, "game.no-concession", "without"),
    "who-plays": last(f"{CLOSED}\n7d wp 7/3", 1, "", "who plays, before the contract \\[E127\\]$"),
    "who-plays-misere": last(f"{CLOSED}\nm 0", 1, "", "who plays, before the contract \\[E127\\]$"),
    "nobody": last(f"{CLOSED}\nZoya 7d wp 7", 1, "", "Zoya.*Anna, Boris, Vera, Gleb"),
    "nobody-dest": last("r 0/5/4/1 Zoya@g", 11, "", "Zoya.*Anna, Boris, Vera, Gleb"),
    "nobody-fine": last(f"{CLOSED}\nfine Zoya 4 gora", 6, "", "Zoya"),
    "other-layout": last(f"{CLOSED}\nцуке 7я цз 7", 1, "", "цуке"),
    "fine-zero": last(f"{R1}\nfine Vera 0 gora", 11, "", "from 1 to"),
    "fine-minus": last(f"{R1}\nfine Vera -4 gora", 11, "", "from 1 to"),
    "fine-pool": last(f"{R1}\nfine Vera 4 pool", 13, "", "gora"),
    "fine-himself": last(f"{R1}\nfine Vera 4 whists Vera", 20, "", "Vera"),
    "fine-nobody": last(f"{R1}\nfine Vera 4 whists", 19, "", "all"),
    "adjust-zero": last(f'{R1}\nadjust Vera 0 pool "x"', 13, "", "not 0"),
    "adjust-half": last(f'{R1}\nadjust Vera 2.5 pool "x"', 13, "", "whole"),
    "adjust-reason": last(f"{R1}\nadjust Vera 2 pool", 19, "", "reason"),
    "adjust-empty": last(f'{R1}\nadjust Vera 2 pool ""', 20, "", "reason"),
    "irregular-reason": last(f"{R1}\nVera 6d wp 6 irregular", 23, "", "reason"),
    "irregular-sum": last(f'{R1}\nVera 6d wp 6/5 irregular "x"', 12, "", "1 too many"),
    "irregular-dealer": last(f'{R1}\nBoris 7d wp 7 irregular "x"', 1, "deal.rotation", "Boris"),
    "irregular-outbid": last(f'{R1}\nVera 7d/m wp 7 irregular "x"', 6, "allpass.forced", "nine"),
    "irregular-tricks": last(f'{R1}\nVera 7d pp 7/3 irregular "x"', 12, "game.unwhisted", "tricks"),
    "irregular-dest": last(f'{R1}\nVera 7d wp 7/3 @x irregular "x"', 16, "", "@x"),
    "irregular-fine": last(f'{R1}\nfine Vera 4 gora irregular "x"', 28, "", '"x"|x'),
    "note-empty": last(f"{R1}\nnote", 5, "", '"'),
    "note-open-quote": last(f'{R1}\nnote "tea', 6, "", "quote"),
    "seat-name": last(f"{R1}\nseat Vera", 10, "", "name"),
    "seat-seated": last(f'{R1}\nseat Vera "ANNA"', 11, "", "Anna"),
    "seat-keyword": last(f'{R1}\nseat Vera "gora"', 11, "", "gora"),
    "seat-left": last(f'{R1}\nseat Vera "Dasha"\nVera 7d wp 7', 1, "", "Vera.*Dasha"),
    "price-0": last("r@0 2/4/3/1", 1, "", "1.*99"),
    "price-100": last("r@100 2/4/3/1", 1, "", "1.*99"),
    "label": last(f"{R1}\n3. Vera 7d wp 7", 1, "", "2.*3"),
    "label-alone": last(f"{R1}\n2.", 1, "", "nothing"),
    "label-fine": last(f"{R1}\n2. fine Vera 4 gora", 1, "", "2"),
    "text": last(f'{R1}\nnote "a\u202eb"', 6, "", "bidirectional"),
    "long": last(f"{R1}\nnote {'x' * 100_000}", 1, "", "long"),
    "ambiguous": Refusal(
        f'[Players "Anna, Anton, Vera, Gleb"]\n{R1}\nan 7d wp 7', ":3:1", "", "an.*Anna, Anton"
    ),
    "look-alike": Refusal(
        f'[Players "Cora, Соня, Vera, Gleb"]\n{R1}\nVera 7d wp 7\nCо m 0', ":4:1", "", "Cora.*Соня"
    ),
    "look-alike-2": Refusal(
        f'[Players "Cora, Соня, Vera, Gleb"]\n{R1}\nVera 7d wp 7\nСo m 0', ":4:1", "", "Cora.*Соня"
    ),
    "no-number": last(f"{CLOSED}\n007 m 0", 1, "", "007.*Anna, Boris, Vera, Gleb"),
    "tag-after": Refusal(f'{PLAYERS}\n{R1}\n[Date "2026-11-27"]', ":3:1", "", "before"),
}
LINES = {
    "deal": "r 2/2/3/3",
    "deal2": "Gleb 7d wp 7",
    "fine": "fine Gleb 4 gora",
    "adjust": 'adjust Gleb 4 pool "x"',
    "dealer": "dealer Gleb",
    "seat": 'seat Gleb "Dasha"',
    "stop": "stop",
    "stop-final": "stop final",
}
for key, line in LINES.items():
    for end, (events, rule, tags) in {
        "finished": (CLOSED, "game.length", OVER),
        "stopped": (f'{CLOSED}\nstop "late"', "settle.early", []),
        "stopped-final": (f"{R1}\nstop final", "settle.early", []),
    }.items():
        DEALS[f"{end}-{key}"] = last(f'{events}\nnote "x"\nagree\n{line}', 1, rule, "note.*agree", *tags)
for line in ("undo", "redo", "amend 3: r 2/2/3/3", "void 2", "insert 2: r 2/2/3/3", "rename Vera Zoya",
             "rule target = 30", "reopen"):  # fmt: skip
    DEALS[f"correction-{line.split()[0]}"] = last(f"{R1}\n{line}", 1, "correction", line.split()[0])


def tag(row: str, column: int, words: str) -> Refusal:
    """Return a file whose second tag is refused."""
    return Refusal(f"{PLAYERS}\n{row}\n{R1}\n", f":2:{column}", "", words)


def players(names: str, words: str) -> Refusal:
    """Return a file whose players are refused."""
    return Refusal(f'[Game "x"]\n[Players "{names}"]\n', ":2:11", "", words)


HEADERS = {
    "no-players": Refusal('[Game "x"]\n', "", "", "Players"),
    "empty": Refusal("", "", "", "Players"),
    "three": players("Anna, Boris, Vera", "3.*four"),
    "five": players("Anna, Boris, Vera, Gleb, Zoya", "5.*four"),
    "none": players("", "0.*four"),
    "twice": players("Anna, Boris, Vera, Anna", "Anna"),
    "twice-case": players("Anna, Boris, Vera, aNNA", "Anna"),
    "twice-yo": players("Пётр, Boris, Vera, петр", "Пётр"),
    "twice-nfd": players("José, Boris, Vera, Jose\u0301", "José"),
    "twice-underscore": players("Anna Maria, Boris, Vera, anna_maria", "Anna Maria"),
    "name-digit": players("Anna, Boris, 3, Gleb", "1–4"),
    "name-keyword": players("Anna, Boris, Гора, Gleb", "Гора"),
    "name-all": players("Anna, Boris, all, Gleb", "all"),
    "name-minus": players("Anna, Boris, -x, Gleb", "-x"),
    "name-at": players("Anna, Boris, x@y, Gleb", "@"),
    "name-semicolon": players("Anna, Boris, x;y, Gleb", ";"),
    "name-quote": players('Anna, Boris, x\\"y, Gleb', '"'),
    "name-empty": players("Anna, Boris, , Gleb", "empty"),
    "name-long": players(f"Anna, Boris, {'x' * 41}, Gleb", "40"),
    "name-control": players("Anna, Boris, x\x07y, Gleb", "control"),
    "name-bidi": players("Anna, Boris, x\u202ey, Gleb", "bidi"),
    "name-line": players("Anna, Boris, x\u2028y, Gleb", "line"),
    "switch": tag('[Rule "tagret = 22"]', 8, "tagret"),
    "switch-form": tag('[Rule "target 22"]', 8, "="),
    "value": tag('[Rule "target = much"]', 8, "target.*much.*1.*1000"),
    "target-0": tag('[Rule "target = 0"]', 8, "target.*0.*1.*1000"),
    "target-1001": tag('[Rule "target = 1001"]', 8, "target.*1001"),
    "semesters-0": tag('[Rule "semesters = 0"]', 8, "semesters.*0"),
    "semesters-21": tag('[Rule "semesters = 21"]', 8, "semesters.*21.*20"),
    "exit-9": tag('[Rule "min_exit_level = 9"]', 8, "6.*7.*8"),
    "choice-5": tag('[Rule "unwhisted_choice = 5,8"]', 8, "unwhisted_choice"),
    "word": tag('[Rule "stalingrad = all"]', 8, "both.*one.*off"),
    "preset": tag('[Rules "pieter"]', 9, "pieter.*piter"),
    "version": tag('[Rules "piter@9"]', 9, "piter@9"),
    "version-word": tag('[Rules "piter@one"]', 9, "piter@one"),
    "date": tag('[Date "27.11.2026"]', 8, "YYYY-MM-DD"),
    "date-32": tag('[Date "2026-11-32"]', 8, "YYYY-MM-DD"),
    "dealer": tag('[Dealer "Zoya"]', 10, "Zoya.*Anna, Boris, Vera, Gleb"),
    "stake": tag('[Stake "much"]', 9, "0.50 RUB"),
    "stake-minus": tag('[Stake "-1 RUB"]', 9, "0.50 RUB"),
    "stake-0": tag('[Stake "0 RUB"]', 9, "0.50 RUB"),
    "tag-form": tag("[Game Friday]", 1, r'\[Name "value"\]'),
    "tag-twice": tag('[Players "a, b, c, d"]', 2, "Players"),
    "unknown-twice": Refusal(f'{PLAYERS}\n[Place "x"]\n[Place "y"]', ":3:2", "", "Place"),
    "switch-twice": Refusal(
        f'{PLAYERS}\n[Rule "target = 22"]\n[Rule "target = 23"]', ":3:8", "", "target.*second"
    ),
}
ALL = {f"deal-{key}": case for key, case in DEALS.items()} | {
    f"tag-{k}": case for k, case in HEADERS.items()
}


class Runs(NamedTuple):
    """The same files scored at once, three ways."""

    en: Ran
    ru: Ran
    json: Ran

    def of(self, name: str) -> tuple[list[str], list[str], list[dict[str, object]]]:
        """Return what was said of one file, in each way."""
        said = [
            [line for line in ran.err.splitlines() if line.startswith(f"{name}.skachki")]
            for ran in (self.en, self.ru)
        ]
        errors = [json.loads(line)["error"] for line in self.json.err.splitlines() if line[:1] == "{"]
        return said[0], said[1], [error for error in errors if error["file"] == f"{name}.skachki"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder: Path = tmp_path_factory.mktemp("refused")
    for key, case in ALL.items():
        (folder / f"{key}.skachki").write_text(case.text, encoding="utf-8", newline="")
    names = [f"{key}.skachki" for key in ALL]
    return Runs(
        run("score", *names, "--lang", "en", cwd=folder),
        run("score", *names, "--lang", "ru", cwd=folder),
        run("score", *names, "--json", "--lang", "en", cwd=folder),
    )


@pytest.mark.parametrize("key", ALL)
def test_one_message_names_the_place_the_reason_and_the_rule(runs: Runs, key: str) -> None:
    case = ALL[key]
    english, russian, errors = runs.of(key)
    assert [len(english), len(russian), len(errors)] == [1, 1, 1], english
    for line in (english[0], russian[0]):
        assert line.startswith(f"{key}.skachki{case.place}: "), line
        assert f"({case.rule})" in line or not case.rule
        assert len(line) < 600
    assert re.search(case.words, english[0]), english[0]
    words = re.sub(r'".*?"|\'.*?\'|\(.*?\)|\[.*?\]|[a-z]+\.skachki\S*', "", russian[0])
    assert len(re.findall("[а-яё]+", words)) >= 2, russian[0]
    error = errors[0]
    assert list(error)[:6] == ["code", "message", "rule", "file", "line", "column"]
    place = "".join(f":{error[at]}" for at in ("line", "column") if error[at] is not None)
    assert place == case.place
    assert error["rule"] == case.rule or not case.rule
    assert re.search(rf"\[{error['code']}[],]", english[0])
    assert str(error["message"]) in english[0]


def test_a_faulty_file_prints_nothing(runs: Runs) -> None:
    for ran in runs:
        assert (ran.code, ran.out) == (1, "")
    assert len(runs.en.err.splitlines()) == len(ALL)


GOOD = f"{PLAYERS}\n{CLOSED}\n"


def one(folder: Path, text: str | bytes, *options: str) -> Ran:
    """Score one file with this content."""
    (folder / "x.skachki").write_bytes(text if isinstance(text, bytes) else text.encode())
    return run("score", "x.skachki", "--lang", "en", *options, cwd=folder)


def test_other_files_are_scored_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(f'[Game "First"]\n{GOOD}')
    (tmp_path / "b").write_text(f"{PLAYERS}\nVera 7d wp 7\n")
    (tmp_path / "c").write_text(f'[Game "Third"]\n{GOOD}')
    ran = run("score", "a", "b", "nowhere", "c", "--lang", "en", cwd=tmp_path)
    assert ran.code == 1
    assert re.findall("First|Third", ran.out) == ["First", "Third"]
    assert [line.split(":")[0] for line in ran.err.splitlines()] == ["b", "nowhere"]
    ran = run("score", "a", "b", "nowhere", "c", "--json", cwd=tmp_path)
    assert [json.loads(line)["file"] for line in ran.out.splitlines()] == ["a", "c"]
    assert [json.loads(line)["error"]["file"] for line in ran.err.splitlines()] == ["b", "nowhere"]


def test_a_game_too_short_for_after_is_a_bad_file_among_others(tmp_path: Path) -> None:
    (tmp_path / "short").write_text(f"{PLAYERS}\n{R1}\n")
    (tmp_path / "long").write_text(GOOD)
    ran = run("score", "long", "short", "long", "--after", "2", "--json", cwd=tmp_path)
    assert (ran.code, [json.loads(line)["file"] for line in ran.out.splitlines()]) == (1, ["long"] * 2)
    assert [json.loads(line)["error"]["file"] for line in ran.err.splitlines()] == ["short"]


def test_faults_of_one_line_are_one_message(tmp_path: Path) -> None:
    text = f"{PLAYERS}\n{R1}\nZoya 5d xx 7/2/1\n"
    lines = one(tmp_path, text).err.splitlines()
    assert len(lines) == 1
    assert re.search("Zoya.*5d.*xx", lines[0])
    error = json.loads(one(tmp_path, text, "--json").err)["error"]
    assert [error["line"], error["column"]] == [3, 1]
    text = f"{PLAYERS}\n{R1}\nBoris 6d wp 6/5\n"
    assert re.search("too many.*Boris|Boris.*too many", one(tmp_path, text).err)
    assert "(allpass.hard-exit)" in one(tmp_path, text).err


@pytest.mark.parametrize(
    ("events", "faulty"),
    [
        ("r 2/4/3/2\nVera 7d wp 7\nAnna 6d ww 6/2/2", [1]),
        (f"{R1}\nVera 7d wp 7/4\nAnna 6d ww 6/2/2", [2]),
        (f"{R1}\nVera 7d\nAnna 6d ww 6/2/2\nAnna 6d ww 6/2/2\nBoris 6d wp 5", [2]),
        (f"{R1}\nZoya 7d wp 7\nAnna 7d wp 7\nAnna 7d wp 7\nZoya 7d wp 7", [2, 5]),
        (f"{R1}\nVera m 11\nr 3/3/2/2\nBoris 7d wp 7", [2]),
        (f"{R1}\nVera m 11\nAnna 7d wp 7\nBoris 7d wp 7", [2]),
        (f"{R1}\nBoris 7d wp 7\nAnna 7d wp 7", [2]),
        (f"{R1}\n3. Vera 7d wp 7\n3. Anna 7d wp 7", [2]),
        (f"{R1}\ndealer Zoya\nBoris 7d wp 7", [2]),
        (f"{R1}\nseat Vera Dasha a b\nDasha 7d wp 7", [2]),
        (f"{CLOSED}\nfine Zoya 4 gora\nAnna 7d wp 7", [3]),
        (f"{R1}\nVera 6d wp 6 irregular\nAnna 6d wp 6", [2]),
        (f"{R1}\nVera 6d wp 6\nAnna 6d wp 6", [2]),
        (f"{R1}\nnote\nadjust Vera 0 pool\nVera 7d wp 7", [2, 3]),
        (f"{CLOSED}\nAnna 9d/m ww 8/1\nr 3/3/2/2\nBoris 7d wp 7", [3]),
        (f"{CLOSED}\nAnna 7d wp 7/2/2\nr 2/3/2/3\nVera 7d wp 7", [3]),  # it may have ended the semester
    ],
)
def test_a_faulty_line_casts_no_doubt_on_the_next(tmp_path: Path, events: str, faulty: list[int]) -> None:
    rules = '[Rule "target = 1"]' if "2/3/2/3" in events else '[Rule "target = 22"]'
    ran = one(tmp_path, f"{PLAYERS}\n{rules}\n{events}\n")
    assert [int(line.split(":")[1]) - 2 for line in ran.err.splitlines()] == faulty, ran.err
    assert (ran.code, ran.out) == (1, "")


def test_a_faulty_tag_casts_no_doubt_on_the_lines(tmp_path: Path) -> None:
    for bad in ('[Rule "min_exit_level = 5"]', '[Rules "pieter"]', '[Dealer "Zoya"]', "[Bad]"):
        ran = one(tmp_path, f"{PLAYERS}\n{bad}\n{R1}\nVera 6d wp 6\nZoya 7d wp 7\n")
        assert [line.split(":")[1] for line in ran.err.splitlines() if ":4:" not in line] == ["2", "5"]
    for bad in (
        '[Players "Anna, Boris, Vera"]',
        '[Players "a, b, c, d]',
        "[Players a, b, c, d]",
        '[Players "a\x07, b, c, d"]',
    ):
        ran = one(tmp_path, f"{bad}\n{R1}\nGleb 7d wp 7\n")
        assert len(ran.err.splitlines()) == 1, ran.err
