"""`reconcile`: effects are exact, planted slips are found, every explanation and command holds."""

from __future__ import annotations

import json
import random
import shlex
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from bench import reconcile as bench
from conftest import Skachki

from skachki_ledger import gamefile
from skachki_ledger.arbitration import cells, claims, effects, leftout, slips, slips_paper
from skachki_ledger.arbitration.cells import Cell
from skachki_ledger.arbitration.claims import Claim
from skachki_ledger.arbitration.reconcile import Outcome, reconcile
from skachki_ledger.arbitration.scale import Scale
from skachki_ledger.arbitration.search import Search, ranked
from skachki_ledger.arbitration.slips import LAST_RESORT
from skachki_ledger.derive import History, derive
from skachki_ledger.errors import NotationError
from skachki_ledger.intake import admit
from skachki_ledger.names import Seats


def quiet(_done: int, _of: int) -> None:
    """Say nothing."""


def search_of(history: History, asked: Sequence[tuple[Cell, int]]) -> Search:
    """A search for nothing in particular, with these cells as claims."""
    events = effects.recorded(history)
    scale = Scale(asked, len(asked), len(events) + 1, 20)
    base = effects.Base(history.header, events, scale)
    return Search(base, [0] * len(asked), [cell.unit for cell, _at in asked], quiet)


def answer(history: History, *texts: str, most: int = 2) -> Outcome:
    """What reconcile says of these claims."""
    seats = Seats(history.state.players)
    return reconcile(history, [claims.read(text, seats) for text in texts], most, time.monotonic, quiet)


# ------------------------------------------------------------------ effects


@pytest.mark.parametrize("seed", range(6))
def test_effects_are_what_a_full_derivation_gives(seed: int) -> None:
    """Every sort of slip, with sheets asked for at the end, in the middle and of one semester."""
    rng = random.Random(seed)
    preset = bench.PRESETS[seed % 3]
    history = bench.with_fine(rng, bench.night(seed, preset, 60 + 8 * seed))
    deals = [place for place, taken in enumerate(history.steps) if taken.label]
    end = len(history.steps) + 1
    asked = [(cell, end) for cell in bench.CELLS]
    asked += [
        (Cell(1, "net"), deals[len(deals) // 2]),
        (Cell(0, "pool", None, 2), end),
        (Cell(2, "gora", None, 1), deals[len(deals) // 3]),
    ]
    search = search_of(history, asked)
    search.weigh()
    tried = 0
    for one in rng.sample(search.weighed, min(250, len(search.weighed))):
        proved = search.prove((one.slip,))
        assert proved is not None, one.slip
        assert proved.moved == one.moved, one.slip
        tried += 1
    assert tried > 200


@pytest.mark.parametrize("seed", range(3))
def test_deals_left_out_share_their_phases_exactly(seed: int) -> None:
    """Where the dealers jump, deals that write alike are weighed together: as each would be alone."""
    record = bench.planted(seed, bench.PRESETS[seed], ("left-out",)).record
    deals = [place for place, taken in enumerate(record.steps) if taken.label]
    asked = [(cell, len(record.steps) + 1) for cell in bench.CELLS]
    search = search_of(record, [*asked, (Cell(1, "net"), deals[len(deals) // 2])])
    weighed = list(leftout.at_gaps(search.base))
    for slip, effect in random.Random(seed).sample(weighed, min(150, len(weighed))):
        proved = search.prove((slip,))
        assert proved is not None
        assert proved.moved == effect.moved, slip


def test_the_final_prizes_of_a_stopped_game_are_counted_once() -> None:
    """A slip that closes an all-pass the record leaves open, right before `stop final`."""
    lines = ["r 2/4/3/1", "3 7d wp 7/3", "4 7h ww 7/2/1", "r 3/3/2/2", "3 8s ww 7/2/1", "stop final"]
    text = '[Players "Anna, Boris, Vera, Gleb"]\n\n' + "\n".join(lines)
    history = admit(gamefile.read(text)).history
    assert history is not None
    search = search_of(history, [(cell, len(history.steps) + 1) for cell in bench.CELLS])
    search.weigh()
    for one in search.weighed[::3]:
        proved = search.prove((one.slip,))
        assert proved is not None
        assert proved.moved == one.moved, one.slip


def test_the_long_way_and_the_short_way_agree() -> None:
    """Wherever the short way decides, stepping the game gives the same."""
    history = bench.night(4, "piter", 50)
    base = search_of(history, [(cell, len(history.steps) + 1) for cell in bench.CELLS]).base
    compared = 0
    for slip in slips.of_record(base.steps, base.header.rules):
        if slip.removed == 1 and len(slip.events) == 1:
            quick = base.quick.effect(slip.at, 1, slip.events)
            if quick is not None and quick is not base.quick.UNDECIDED:
                stepped = base._stepped(slip.at, 1, slip.events).effect
                assert stepped is not None
                assert (quick.moved, quick.faults) == (stepped.moved, stepped.faults), slip
                compared += 1
    assert compared > 500


# ------------------------------------------------------------------ planted slips


@pytest.mark.parametrize("kind", bench.KINDS)
def test_a_planted_slip_is_among_the_first_three(kind: str) -> None:
    place = bench.KINDS.index(kind)
    result = bench.run(place, bench.PRESETS[place % 3], (kind,), bench.CELLS)
    assert result.found


def test_two_planted_slips_are_mostly_among_the_first_three() -> None:
    games = [(seed, preset) for preset in bench.PRESETS for seed in (0, 1)]
    found = [bench.run(s, preset, bench.pair_of(s, preset), bench.CELLS).found for s, preset in games]
    assert sum(found) >= 5


@pytest.mark.parametrize("kinds", [("tricks",), ("paper-double",), ("tricks", "paper-price")], ids="+".join)
def test_every_explanation_holds(kinds: tuple[str, ...]) -> None:
    """A fresh derivation with the slips put right, and the paper's amounts, gives the claims."""
    game = bench.planted(3, "gambler", kinds)
    outcome = reconcile(game.record, bench.claims_on(game, bench.CELLS), 2, time.monotonic, quiet)
    assert outcome.explanations
    for one in outcome.explanations:
        seen = bench.values(bench.effect_of(one))
        assert {cell: seen[cell] for cell in bench.CELLS} == {c: game.claimed[c] for c in bench.CELLS}
    order = [(len(one.slips), *ranked(one.cost, one.slips)) for one in outcome.explanations]
    assert order == sorted(order)


def test_slips_of_the_record_come_before_sums_on_paper() -> None:
    """4 gora on one seat is a fine left out, or wrong addition: the record is asked first."""
    history = bench.night(3, "piter")
    gora = history.state.gora_total()[0]
    net = Fraction(cells.value(history, Cell(0, "net")), 12)
    others = [
        Claim("net", Cell(seat, "net"), Fraction(cells.value(history, Cell(seat, "net")), 12) + 10)
        for seat in (1, 2, 3)
    ]
    told = [Claim("g", Cell(0, "gora"), Fraction(gora + 4)), Claim("n", Cell(0, "net"), net - 30), *others]
    outcome = reconcile(history, told, 1, time.monotonic, quiet)
    kinds = [one.slips[0].kind for one in outcome.explanations]
    alike = [slip[0].kind for one in outcome.explanations for slip in one.equal]
    assert kinds[0] not in LAST_RESORT
    assert "fine-missing" in (*kinds, *alike)


# ------------------------------------------------------------------ what is claimed


def test_claims_after_a_deal_of_a_semester_and_about() -> None:
    history = bench.night(3, "piter")
    before = history.until("20").state
    told = answer(history, f"after 20: 1 pool {before.pool_total()[0]}", "2 net ~0", "semester 1: 1 gora 4")
    for one in told.explanations[:5]:
        if one.slips and one.slips[0].where == "ledger":
            nets = abs(cells.value(one.history, Cell(1, "net")))
            assert nets < 12


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        (("1 net 5", "2 net 5", "3 net 5", "4 net 5"), "nets"),
        (("1 net 5", "1 net 7"), "twice"),
        (("1 pool 11",), "pool"),
        (("1 gora 11.5",), "fraction"),
        (("1 net 1/7",), "fraction"),
        (("1 pool 40", "semester 1: 1 pool 40"), ""),
    ],
    ids=str,
)
def test_what_contradicts_itself_is_said(told: tuple[str, ...], kind: str) -> None:
    outcome = answer(bench.night(3, "piter"), *told, most=1)
    assert [found.kind for found in outcome.contradictions] == ([kind] if kind else [])
    if kind and kind != "pool":
        assert not outcome.explanations
        assert outcome.misses


def test_a_semester_the_record_has_not_reached_may_be_claimed() -> None:
    """A sheet of a night of four semesters, beside a record in which the third never ended."""
    history = bench.night(3, "piter", 20)
    assert history.state.semester < 4
    outcome = answer(history, "semester 4: 1 pool 0", "1 net ~0")
    assert all(one.satisfies for one in outcome.explanations)
    with pytest.raises(NotationError, match="there is no semester 5"):
        answer(history, "semester 5: 1 pool 0")


def test_semesters_that_do_not_add_up_are_said() -> None:
    history = bench.night(3, "piter")
    rows = [f"semester {number}: 1 pool 20" for number in range(1, history.state.semester + 1)]
    outcome = answer(history, "1 pool 10", *rows, most=1)
    assert [found.kind for found in outcome.contradictions] == ["sum"]


def test_nothing_to_explain() -> None:
    history = bench.night(3, "piter")
    outcome = answer(history, f"1 pool {history.state.pool_total()[0]}")
    assert [one.slips for one in outcome.explanations] == [()]


def test_interrupted_it_keeps_what_it_has() -> None:
    def stop(_done: int, _of: int) -> None:
        raise KeyboardInterrupt

    history = bench.night(3, "piter")
    told = [claims.read("1 pool 2", Seats(history.state.players))]
    outcome = reconcile(history, told, 2, time.monotonic, stop)
    assert not outcome.complete
    assert outcome.explanations == ()


def test_no_fewer_plausible_deals_than_the_rules_allow() -> None:
    """By the rule book: 166 all-passes' tricks; a ww contract has 66 splits of the ten tricks."""
    rules = bench.night(3, "piter", 20).header.rules
    allpasses = {one.deal.tricks for one in leftout.plausible_allpasses(rules, 2)}
    assert len(allpasses) == 66 + 55 + 45
    whisted = [one for one in leftout.plausible(rules) if getattr(one.deal, "calls", "") == "ww"]
    assert len([one for one in whisted if not getattr(one.deal, "outbid", False)]) == 3 * 5 * 66


@pytest.mark.parametrize(
    ("number", "turned"), [(126, {216, 162}), (110, {101}), (-12, {-21}), (7, set()), (100, set())]
)
def test_transposed_digits(number: int, turned: set[int]) -> None:
    assert set(slips_paper.transposed(number)) == turned


# ------------------------------------------------------------------ the command


GAME = """[Players "Anna, Boris, Vera, Gleb"]
[Rules "piter"]

r 2/4/3/1
Vera 7d wp 7/3
Gleb 7h ww 7/2/1
Boris 6d wp 6/4
Boris m 0
fine Gleb 5 gora
Anna 8s ww 7/2/1
Gleb 7c ww 8/1/1
"""


@pytest.fixture
def played(skachki: Skachki, tmp_path: Path) -> Skachki:
    (tmp_path / "night.skachki").write_text(GAME, encoding="utf-8")
    assert skachki("import", "night.skachki").returncode == 0
    return skachki


def told(played: Skachki, *arguments: str) -> tuple[int, dict[str, Any]]:
    done = played("reconcile", *arguments, "--json")
    return done.returncode, json.loads(done.stdout)


SLIPS = [
    ("Gleb 7h ww 7/2/1", "Gleb 7h ww 7/1/2", "tricks"),
    ("Vera 7d wp 7/3", "Vera 7d pw 7/3", "calls"),
    ("Anna 8s ww 7/2/1", "Anna 9s ww 7/2/1", "level"),
    ("Boris m 0", "Boris m 0 @g", "dest"),
    ("fine Gleb 5 gora\n", "", "fine-twice"),
    ("fine Gleb 5 gora", "fine Vera 5 gora", "fine-seat"),
    ("Boris 6d wp 6/4\n", "", "left-out"),
]


@pytest.mark.parametrize(("right", "recorded", "kind"), SLIPS, ids=lambda value: str(value)[:12])
def test_the_commands_put_the_record_right(
    skachki: Skachki, tmp_path: Path, right: str, recorded: str, kind: str
) -> None:
    """The record has the slip; the first explanation's commands, run as printed, make all claims true."""
    text = GAME.replace(right, recorded)
    if kind == "fine-twice":
        text = GAME.replace(right, right + right)
    elif kind == "left-out":  # the next deals keep their dealers
        text = text.replace("Boris m 0", "dealer Anna\nBoris m 0")
    (tmp_path / "night.skachki").write_text(text, encoding="utf-8")
    assert skachki("import", "night.skachki").returncode == 0
    (tmp_path / "true.skachki").write_text(GAME, encoding="utf-8")
    told_all = claimed_of(skachki, "true.skachki")
    code, value = told(skachki, *told_all)
    assert code == 0
    first = value["explanations"][0]
    assert first["satisfies"] == told_all
    assert [slip["kind"] for slip in first["slips"]] == [kind]
    for command in first["commands"]:
        words = shlex.split(command)
        assert words[0] == "skachki"
        done = skachki(*words[1:])
        assert done.returncode == 0, done.stderr
    assert skachki("claim", *told_all).returncode == 0


def claimed_of(skachki: Skachki, file: str) -> list[str]:
    """Claims on every final pool, gora and net of a game file."""
    value = json.loads(skachki("score", "--json", file).stdout)
    names = value["game"]["players"]
    found = [f"{name} pool {value['pool_total'][seat]}" for seat, name in enumerate(names)]
    found += [f"{name} gora {value['gora_total'][seat]}" for seat, name in enumerate(names)]
    return found + [f"{name} net {value['net'][seat]}" for seat, name in enumerate(names)]


def test_json_is_as_pinned(played: Skachki) -> None:
    code, value = told(played, "Boris gora 12", "Anna gora 10")
    assert value["format"] == "skachki-reconcile/1"
    assert {"explanations", "misses", "derivations", "seconds", "complete"} <= set(value)
    assert code == (0 if value["explanations"] else 1)
    for one in value["explanations"]:
        assert {"slips", "cost", "satisfies", "commands"} <= set(one)
        for slip in one["slips"]:
            keys = ("kind", "where", "deal", "deal2", "event", "recorded", "instead", "switch", "text")
            assert set(keys) <= set(slip)
            assert slip["kind"] in slips.COSTS
            assert slip["where"] in ("ledger", "paper", "rules")


def test_a_switch_read_otherwise(skachki: Skachki, tmp_path: Path) -> None:
    """The paper has single whists on set games all night."""
    (tmp_path / "night.skachki").write_text(GAME, encoding="utf-8")
    single = GAME.replace("\nr 2", '[Rule "set_whist_factor = 1"]\n\nr 2', 1)
    two = single.replace("Gleb 7c ww 8/1/1", "Gleb 7c ww 6/2/2")
    (tmp_path / "night.skachki").write_text(GAME.replace("Gleb 7c ww 8/1/1", "Gleb 7c ww 6/2/2"), "utf-8")
    (tmp_path / "single.skachki").write_text(two, encoding="utf-8")
    assert skachki("import", "night.skachki").returncode == 0
    code, value = told(skachki, *claimed_of(skachki, "single.skachki"))
    first = value["explanations"][0]
    assert (code, [slip["kind"] for slip in first["slips"]]) == (0, ["switch"])
    assert first["slips"][0]["switch"] == "set_whist_factor"
    assert first["slips"][0]["value"] == 1
    assert shlex.split(first["commands"][0])[:3] == ["skachki", "rule", "set_whist_factor=1"]


def test_text_names_the_deals_that_would_do_as_well(played: Skachki) -> None:
    done = played("reconcile", "Vera gora 8", "Anna gora 2")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("1. ")
    assert "skachki amend" in done.stdout or "on paper" in done.stdout


def test_nothing_fits(played: Skachki) -> None:
    done = played("reconcile", "Anna net 12345", "Boris net -99999", "Vera pool 998")
    assert done.returncode == 1
    assert "nearest: " in done.stdout
    code, value = told(played, "Anna net 12345", "Boris net -99999", "Vera pool 998")
    assert (code, value["explanations"]) == (1, [])
    assert value["misses"]
    assert all(miss["off"] for miss in value["misses"])


def test_contradictions_come_first(played: Skachki) -> None:
    done = played("reconcile", "Anna net 1", "Boris net 1", "Vera net 1", "Gleb net 1")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0].startswith("the four nets sum to 4, not 0")


def test_right_claims_need_no_slip(played: Skachki) -> None:
    code, value = told(played, "Gleb gora 2", "--max-slips", "1")
    standing = json.loads(played("standing", "--json").stdout)
    code, value = told(played, f"Gleb gora {standing['gora_total'][3]}")
    assert (code, value["explanations"][0]["slips"]) == (0, [])


@pytest.mark.parametrize("most", ["0", "two", "-1"])
def test_a_number_of_slips_is_one_at_least(played: Skachki, most: str) -> None:
    done = played("reconcile", "Anna gora 1", f"--max-slips={most}")
    assert (done.returncode, "E423" in done.stderr) == (1, True)


def test_claims_from_a_file_and_from_a_sheet(played: Skachki, tmp_path: Path) -> None:
    standing = json.loads(played("standing", "--json").stdout)
    standing["gora_total"][0] += 4
    standing["gora"][0][0] += 4
    standing["net"] = [None] * 4
    (tmp_path / "sheet.json").write_text(json.dumps(standing), encoding="utf-8")
    code, value = told(played, "--sheet", "sheet.json")
    assert code == 0
    assert value["explanations"]
    (tmp_path / "claims.txt").write_text("; said at breakfast\nAnna gora 8\n", encoding="utf-8")
    assert told(played, "--file", "claims.txt")[1]["format"] == "skachki-reconcile/1"


def test_it_writes_nothing(played: Skachki) -> None:
    before = played("export", "--format", "journal").stdout
    told(played, "Anna gora 8")
    assert played("export", "--format", "journal").stdout == before


def test_a_planted_record_derives_as_the_truth() -> None:
    """The planter itself: putting the slip right by hand gives the claims."""
    game = bench.planted(1, "piter", ("twice",))
    events = bench.events_of(game.record)
    twice = next(place for place in range(1, len(events)) if events[place] == events[place - 1])
    del events[twice]
    seen = bench.values(bench.sheet(derive(game.record.header, events), []))
    assert seen == game.claimed
