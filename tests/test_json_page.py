"""docs/json.md says what `--json` prints: every key of every format, and none that is not printed.

The page's tables are read as a reader reads them. `key` heads the keys of a section's own object,
"key in `slips`" those of the objects under a key of it. Where a key's objects have no table there, its
row has them in braces or links to where they are told; "as in" means: under the same key there.
"""

from __future__ import annotations

import ast
import csv
import hashlib
import io
import json
import re
import shlex
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import Skachki

import skachki_ledger
from skachki_ledger import rules, verify
from skachki_ledger.cli.app import COMMANDS
from skachki_ledger.journal import Record

ROOT = Path(__file__).parent.parent
PACKAGE = Path(skachki_ledger.__file__).parent
TEXT = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
NOTATION = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
RECONCILE = (ROOT / "docs" / "reconcile.md").read_text(encoding="utf-8")

Object = dict[str, Any]

# ------------------------------------------------------------------ what is run

NIGHT = """
new Anna Boris Vera Gleb --date 2026-11-27 --stake "0.50 RUB"
deal r 2/4/3/1
deal Vera 7d wp 7/3
deal Gleb m 2
"""
DISPUTE = "import dispute-recorded.skachki\n"

SAMPLES = {
    "skachki-standing/1": f"""{NIGHT}
        status
        standing
        settle
        sheet
        export --format json
        score dispute-recorded.skachki gambler-night.skachki friday-night.skachki
        score --log substitution.skachki
        new Anna Boris Vera Gleb
        standing
        """,
    "skachki-log/1": f"""{NIGHT}
        undo
        log
        log --deal 1
        deal fine Gleb 4 gora "exposed card"
        log
        """,
    "skachki-deal/1": f"""{NIGHT}
        undo
        redo
        deal Boris 6s ww 6/2/2 --id b1 --dry-run
        deal r 2/3/4/1 --id b1
        deal r 2/3/4/1 --id b1
        amend 2 Vera 7d wp 6/4 --reason "miscounted" --yes
        void 3 --reason "a misdeal" --yes
        insert --before 2 Gleb 7c wp 7/3 --dealer Boris --reason "forgotten" --yes
        rename Gleb Gleb_K --reason "two of that name" --yes
        rule target=17 --reason "as agreed" --yes
        """,
    "skachki-game/1": f"""{NIGHT}
        use ID
        import dispute-recorded.skachki friday-night.skachki
        """,
    "skachki-games/1": f"""games
        {DISPUTE}
        games
        {NIGHT}
        games
        """,
    "skachki-rules/1": """rules
        rules gambler
        rules piter --diff gambler
        """,
    "skachki-rule/1": """rule-text game.set
        rule-text whist.half
        """,
    "skachki-explain/1": f"""{DISPUTE}
        explain 12
        explain e14
        explain Anna
        explain Vera net
        explain Boris gora
        register Boris gora
        register Anna whists Gleb
        register Anna net
        deal note "paid"
        explain e27
        """,
    "skachki-history/1": f"""{NIGHT}
        undo
        deal Gleb m 0 @g
        deal note "tea"
        amend 2 Vera 7d wp 6/4 --reason "miscounted" --yes
        void 3 --reason "a misdeal" --yes
        rule target=17 --reason "as agreed" --yes
        history
        """,
    "skachki-diff/1": f"""{DISPUTE}
        diff dispute-paper.skachki
        diff friday-night.skachki
        diff dispute-paper.skachki dispute-paper.skachki
        """,
    "skachki-check/1": f"""{DISPUTE}
        check
        import friday-night.skachki
        check
        {NIGHT}
        amend 2 Vera 6d wp 7/3 irregular "nobody noticed" --reason "as it was" --yes
        check
        """,
    "skachki-verify/1": f"""{DISPUTE}
        verify
        verify --head 111111111111
        sql drop trigger event_is_never_changed
        sql update event set payload = 'r 1/4/4/1' where n = 2
        verify
        """,
    "skachki-claim/1": f"""{DISPUTE}
        claim "semester 1: Vera pool 18" "Boris net ~2508" "Anna gora 24"
        """,
    "skachki-whatif/1": f"""{DISPUTE}
        whatif deal 13 Boris 8s ww 7/2/1
        whatif deal 12 Anna 6s pp
        whatif without 13
        whatif rule target=17
        """,
    "skachki-whatif-rules/1": f"""{DISPUTE}
        whatif rules
        {NIGHT}
        whatif rules
        """,
    "skachki-reconcile/1": f"""{DISPUTE}
        reconcile "Vera net -1756" "Gleb net 648"
        reconcile "semester 1: Vera pool 18" "after 12: Vera pool 12" "Vera gora 34" "Boris gora 28"
        reconcile "Vera pool 24" "Anna gora 24"
        reconcile "Anna net 1" "Boris net 2" "Vera net 4" "Gleb net 8" "Vera net 5" "Vera pool 7"
        reconcile "Anna gora 1/3" "semester 1: Vera pool 2" "semester 2: Vera pool 2" "Vera pool 6"
        {NIGHT}
        reconcile "Gleb net 234" "Anna net -160"
        reconcile "Boris net -146" "Vera net -72" "Gleb gora 20"
        """,
    "skachki-backup/1": f"""{DISPUTE}
        backup night.db
        backup
        """,
    "skachki-restore/1": f"""{DISPUTE}
        backup night.db
        restore night.db
        restore night.db --force
        """,
    "skachki-merge/1": f"""{DISPUTE}
        backup night.db
        {NIGHT}
        merge night.db
        """,
    "skachki-recover/1": f"""{DISPUTE}
        recover ledger.db -o new.db
        sql drop trigger event_is_never_changed
        sql update event set payload = 'r 1/4/4/1' where n = 20
        recover ledger.db -o newer.db
        """,
    "skachki-journal/1": f"""{NIGHT}
        deal r 2/3/4/1 --id b1
        void 3 --reason "a misdeal" --yes
        export --format journal
        """,
    "error": f"""{NIGHT}
        deal Zoya 7d wp 7/3
        deal Vera 6d pp
        score faulty.skachki
        import nowhere.skachki
        """,
    "reading": """new Anna Boris Vera Gleb
        deal r 2/4/3/1
        deal Мукф 7в цз 7
        score other-layout.skachki
        """,
}
"""What prints each kind of object, command by command; ID is the game last begun."""

HEADINGS = {"error": "Refusals", "reading": "The other keyboard layout"}

FAULTY = '[Players "Anna, Boris, Vera, Gleb"]\n1. r 2/4/3/1\n2. Zoya 7d wp 7/3\n3. Vera 6d wp 7/2\n'
OTHER_LAYOUT = '[Players "Anna, Boris, Vera, Gleb"]\n1. r 2/4/3/1\n2. Мукф 7в цз 7\n'


class Told(NamedTuple):
    """One object and the command that printed it."""

    command: str
    value: Object

    @property
    def kind(self) -> str:
        """Its format; of one on standard error, which has none, its only key."""
        return str(self.value.get("format") or next(iter(self.value)))


def tell(skachki: Skachki, home: Path, script: str) -> list[Told]:
    """Everything a script prints as JSON, on both streams."""
    for path in (ROOT / "examples").glob("*.skachki"):
        shutil.copy(path, home)
    (home / "faulty.skachki").write_text(FAULTY, encoding="utf-8")
    (home / "other-layout.skachki").write_text(OTHER_LAYOUT, encoding="utf-8")
    env = {"SKACHKI_DB": "ledger.db", "SKACHKI_BY": "anna"}
    found: list[Told] = []
    for line in filter(None, map(str.strip, script.splitlines())):
        if line.startswith("sql "):
            with closing(sqlite3.connect(home / "ledger.db")) as connection, connection:
                connection.execute(line.removeprefix("sql "))
            continue
        games = [told.value["game"]["id"] for told in found if told.kind == "skachki-game/1"]
        words = [games[-1] if word == "ID" else word for word in shlex.split(line)]
        done = skachki(*words, *([] if words[0] == "export" else ["--json"]), env=env)
        assert done.returncode in (0, 1), line
        printed = [*done.stdout.splitlines(), *re.findall(r"^\{.*", done.stderr, re.MULTILINE)]
        found += [Told(words[0], json.loads(one)) for one in printed]
    return found


# ------------------------------------------------------------------ the page's tables


class Key(NamedTuple):
    """What a table says of a key."""

    type: str
    words: str

    @property
    def is_sometimes(self) -> bool:
        """Tell whether it is said to be there only sometimes."""
        return re.match(r"only\b|[^:]* only: ", self.words) is not None


Table = dict[str, Key]


class Place(NamedTuple):
    """Where objects are told of: the anchor of a heading, and the keys under which they stand."""

    anchor: str
    path: str


def anchor_of(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@cache
def tables(text: str) -> dict[Place, Table]:
    """Every table of keys of a page."""
    found: dict[Place, Table] = {}
    anchor, path = "", None
    for before, line in zip(["", *text.splitlines()], text.splitlines(), strict=False):
        if line.startswith("#"):
            anchor = anchor_of(line.lstrip("# "))
        if not line.startswith("|") or line.startswith("|--"):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not before.startswith("|"):
            path, is_inside = _path_of(cells[0]), cells[0] == "inside"
        elif path is not None:
            if is_inside:  # the objects in one table, each named in front of its first key
                path = cells[0].strip("`") or path
                cells = cells[1:]
            key = Key(cells[1], cells[2])
            for name in re.findall(r"`(\w+)`", cells[0]):
                found.setdefault(Place(anchor, path), {})[name] = key
                if braces := re.search(r'\{("\w+"(?:, "\w+")*)\}', f"{key.type} {key.words}"):
                    inline = re.findall(r"\w+", braces[1])
                    found[Place(anchor, f"{path}.{name}".strip("."))] = dict.fromkeys(inline, Key("", ""))
    return found


def _path_of(head: str) -> str | None:
    """The keys a table is about, by its head; None where it is no table of keys."""
    named = re.fullmatch(r"key in `([\w.]+)`", head)
    return named[1] if named else {"key": "", "key of an entry": "entries", "inside": ""}.get(head)


def section_of(text: str, heading: str) -> str:
    assert text.count(f"\n## {heading}\n") == 1
    return re.split(r"(?m)^(?=## )", text.split(f"\n## {heading}\n")[1])[0]


def index_of(text: str) -> dict[str, set[str]]:
    """The commands that print each format, by the table at the beginning."""
    rows = re.findall(r"^\| \[`(.+?)`\]\(#(.+?)\) \| (.*) \|$", text, re.MULTILINE)
    assert all(anchor == anchor_of(name) for name, anchor, _ in rows)
    return {name: set(re.findall(r"`([a-z-]+)", commands)) for name, _, commands in rows}


# ------------------------------------------------------------------ the page and what is printed


def objects(value: object) -> Iterator[Object]:
    """The objects of a value: itself, or those in its lists."""
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from objects(one)


class Comparison:
    """One section of the page beside what is printed."""

    def __init__(self, text: str, heading: str, printed: Sequence[Object]) -> None:
        anchor = anchor_of(heading)
        self.section = section_of(text, heading)
        headings = [heading, *re.findall(r"^### (.+)$", self.section, re.MULTILINE)]
        self.own = {anchor_of(one) for one in headings}
        self.typed = tables(text)
        self.told = tables(NOTATION) | self.typed
        if heading == "skachki-standing/1":
            for place, table in tables(NOTATION).items():
                if place.anchor == "json-of-a-standing":
                    here = Place(anchor, place.path)
                    self.told[here] = table | self.told.get(here, {})
        self.seen: dict[Place, list[Object]] = {
            place: [] for place in self.told if place.anchor in self.own
        }
        self.complaints: list[str] = []
        self._look(printed, Place(anchor, ""))
        self._compare()

    def _look(self, value: object, place: Place) -> None:
        """Sort all objects by the table that tells of them."""
        for one in objects(value):
            self.seen.setdefault(place, []).append(one)
            for name, inner in one.items():
                key = self.told.get(place, {}).get(name)
                if key is None or not any(objects(inner)):
                    continue
                if there := self._place_of(place, name, key, inner):
                    self._look(inner, there)

    def _place_of(self, place: Place, name: str, key: Key, inner: object) -> Place | None:
        """Where the objects under a key are told of; None where their keys are names of switches."""
        here = Place(place.anchor, f"{place.path}.{name}".strip("."))
        if here in self.told:
            return here
        if isinstance(inner, dict) and inner.keys() <= rules.SWITCHES.keys():
            return None
        if link := re.search(r"\]\((?:notation\.md)?#([\w-]+)\)", key.words):
            same = re.match(r"as (?:in|under `([\w.]+)` of) ", key.words)
            return Place(link[1], f"{same[1] or ''}.{name}".strip(".") if same else "")
        self._complain(place, f"the objects under {name} are nowhere told of")
        return None

    def _compare(self) -> None:
        for place, found in self.seen.items():
            table = self.told.get(place, {})
            always = {name for name, key in table.items() if not key.is_sometimes}
            for one in found:
                for name in sorted(one.keys() - table.keys()):
                    self._complain(place, f"{name} is printed and not listed")
                for name in sorted(always - one.keys()):
                    self._complain(place, f"{name} is listed and not always printed")
            if place.anchor in self.own:
                for name, key in table.items():
                    self._compare_own(place, name, key, [one for one in found if name in one])

    def _compare_own(self, place: Place, name: str, key: Key, having: Sequence[Object]) -> None:
        if not having:
            self._complain(place, f"{name} is listed and never printed")
        elif key.is_sometimes and len(having) == len(self.seen[place]):
            self._complain(place, f"{name} is always printed")
        for one in having if name in self.typed.get(place, {}) else ():
            value = one[name]
            if key.type and not any(fits(value, kind) for kind in re.split(r", | or ", key.type)):
                self._complain(place, f"{name} is no {key.type}: {value!r}")
            if name in ("kind", "where"):
                words = RECONCILE if "reconcile.md" in key.words else self.section
                if f"`{value}`" not in words:
                    self._complain(place, f"{name} may be {value!r}")

    def _complain(self, place: Place, what: str) -> None:
        complaint = f"{place.anchor} {place.path}: {what}"
        if complaint not in self.complaints:
            self.complaints.append(complaint)


TYPES = {"string": str, "integer": int, "boolean": bool, "object": dict, "null": type(None)}


def fits(value: object, kind: str) -> bool:
    """Tell whether a value is of a kind named as in the page: string, 4 strings, list of objects."""
    if several := re.fullmatch(r"(list of|\d) (\w+)s( of \w+)?", kind):
        count, one, rest = several.groups(default="")
        return (
            isinstance(value, list)
            and count in ("list of", str(len(value)))
            and all(fits(inner, one + rest) for inner in value)
        )
    return type(value) in (int, float) if kind == "number" else type(value) is TYPES[kind]


# ------------------------------------------------------------------ the page's examples

OF_THE_DAY = ("id", "game", "at", "head", "prev", "hash", "derivations", "seconds")
"""What is another each time."""


def examples_of(section: str) -> list[Object]:
    """The examples of a section."""
    blocks = re.findall(r"(?m)^(?:    .*\n)+", section)
    return [json.loads(legible(block)) for block in blocks if block.startswith("    {")]


def legible(example: str) -> str:
    """An example as JSON: … becomes "…" in a list and a key of that name in an object."""
    inside = ""

    def put(found: re.Match[str]) -> str:
        nonlocal inside
        token = found[0]
        if token in "[{":
            inside += token
        elif token in "]}":
            inside = inside[:-1]
        elif token == "…":
            return '"…"' if inside.endswith("[") else '"…": 0'
        return token

    return re.sub(r'"(?:[^"\\]|\\.)*"|[\[\]{}…]', put, example)


def matches(example: object, real: object, name: str = "") -> bool:
    """Tell whether a value is what an example shows of it."""
    if isinstance(example, dict) and isinstance(real, dict):
        shown = example.keys() - {"…"}
        whole = "…" in example or shown == real.keys()
        return whole and all(one in real and matches(example[one], real[one], one) for one in shown)
    if name in OF_THE_DAY and not isinstance(example, dict):
        return type(example) is type(real)
    if isinstance(example, list) and isinstance(real, list):
        if "…" not in example:
            return len(example) == len(real) and all(map(matches, example, real))
        left = iter(real)
        return all(any(matches(one, other) for other in left) for one in example if one != "…")
    if isinstance(example, str) and isinstance(real, str) and example.endswith("…"):
        return real.startswith(example[:-1])
    return example == real


# ------------------------------------------------------------------ tests


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_keys_printed_are_those_listed(skachki: Skachki, tmp_path: Path, kind: str) -> None:
    everything = tell(skachki, tmp_path, SAMPLES[kind])
    printed = [told.value for told in everything if told.kind == kind]
    heading = HEADINGS.get(kind, kind)
    assert Comparison(TEXT, heading, printed).complaints == []

    index = index_of(TEXT)
    assert {told.command for told in everything if told.kind == kind} == index.get(kind) or kind in HEADINGS
    for told in everything:
        assert told.kind in HEADINGS or told.command in index[told.kind]

    section = section_of(TEXT, heading)
    examples = examples_of(section)
    assert examples != []
    for example in examples:
        assert any(matches(example, value) for value in printed), example

    for row in re.findall(r"(?m)^\| `.*\n", section):  # each row is needed, and one more would be too many
        for other in ("", f"{row}| `more` | string | x |\n"):
            mutant = TEXT.replace(section, section.replace(row, other))
            assert Comparison(mutant, heading, printed).complaints != [], row


def formats_in(path: Path) -> Iterator[str]:
    """The formats a module names, also those it puts together from what a function is called with."""
    tree = ast.parse(path.read_bytes())
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Constant) and re.fullmatch(r"skachki-[a-z-]+/\d+", str(node.value)):
            yield str(node.value)
        if not (isinstance(node, ast.JoinedStr) and re.match(r"f'skachki-.*/\d+'", ast.unparse(node))):
            continue
        function = next(
            one for one in nodes if isinstance(one, ast.FunctionDef) and node in set(ast.walk(one))
        )
        template = ast.unparse(node)[2:-1]
        place = [f"{{{argument.arg}}}" in template for argument in function.args.args].index(True)
        for call in nodes:
            if isinstance(call, ast.Call) and ast.unparse(call.func) == function.name:
                yield re.sub(r"\{.*\}", ast.literal_eval(call.args[place]), template)


def test_every_format_has_a_section() -> None:
    found = {name for path in PACKAGE.rglob("*.py") for name in formats_in(path)}
    headings = re.findall(r"^## (skachki-.*)$", TEXT, re.MULTILINE)
    assert found == set(headings) == set(index_of(TEXT)) == SAMPLES.keys() - HEADINGS.keys()
    assert len(headings) == len(set(headings)) > 20


def test_every_command_is_accounted_for() -> None:
    printing = set().union(*index_of(TEXT).values())
    [sentence] = re.findall(r"^- (.*) print no JSON", TEXT, re.MULTILINE)
    without = set(re.findall(r"`([a-z-]+)`", sentence))
    assert printing | without == set(COMMANDS)
    assert printing & without == set()


def test_all_kinds_of_damage_are_named() -> None:
    [told] = re.findall(r"Of `kind`, ([^.]*)\.", section_of(TEXT, "skachki-verify/1"))
    assert set(re.findall(r"`([a-z]+)`", told)) == set(verify.KINDS)


def test_the_columns_of_the_csv(skachki: Skachki) -> None:
    assert skachki("import", ROOT / "examples" / "dispute-recorded.skachki").returncode == 0
    printed = skachki("export", "--format", "csv").stdout
    [header, *rows] = csv.reader(io.StringIO(printed))
    section = section_of(TEXT, "CSV")
    listed = [re.findall(r"`([^`]+)`", row)[0] for row in re.findall(r"(?m)^\| `.*", section)]
    wanted = [name for name in listed if "NAME" not in name]
    for seat, player in enumerate(("Anna", "Boris", "Vera", "Gleb"), 1):
        wanted += [name.replace("N NAME", f"{seat} {player}") for name in listed if "NAME" in name]
    assert header == wanted
    assert len(rows) == 25
    for line in re.findall(r"(?m)^    (.*)…$", section):
        assert any(one.startswith(line) for one in printed.splitlines()), line


def test_the_hash_of_a_journal_is_made_as_told(skachki: Skachki) -> None:
    assert skachki("import", ROOT / "examples" / "substitution.skachki").returncode == 0
    before = ""
    for line in skachki("export", "--format", "journal").stdout.splitlines():
        row = json.loads(line)
        assert row.keys() == {"format", *Record._fields}
        assert row["prev"] == before
        before = row.pop("hash")
        del row["format"]
        text = json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == before
