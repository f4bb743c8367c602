"""The documents say what the program does: commands, rules, codes, examples, queries, links."""

import ast
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import oracle
import pytest
from conftest import SKACHKI, Skachki
from running import LATIN, RUSSIAN, read

import skachki_ledger
from skachki_ledger import rules
from skachki_ledger.cli.app import COMMANDS
from skachki_ledger.errors import CODES

ROOT = Path(__file__).parent.parent
PACKAGE = Path(skachki_ledger.__file__).parent
EXAMPLES = sorted((ROOT / "examples").glob("*.skachki"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, its first two lines left out."""
    below = text.split(f"\n## {heading}\n")[1]
    lines = [line for line in below.split("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip(" *`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def fences(text: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


# ------------------------------------------------------------------ docs/cli.md, docs/errors.md


@pytest.mark.parametrize("settings", [{}, {"SKACHKI_LANG": "ru", "LC_ALL": "ru_RU.UTF-8", "COLUMNS": "40"}])
def test_generated_pages_are_up_to_date(settings: dict[str, str]) -> None:
    """Wherever they are written, in any language and on any terminal."""
    command = [sys.executable, "-m", "tools.reference", "--check"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_stands_in_cli_md_with_its_help(skachki: Skachki, command: str) -> None:
    printed = skachki(*command.split(), "--help", env={"COLUMNS": "80"}).stdout
    text = page("docs/cli.md")
    below = text.split(f"\n## {command}\n")[1] if command else text
    assert fences(below, "text")[0] == printed
    for option in re.findall(r"^  (--?[a-z-]+)", printed, flags=re.MULTILINE):
        assert option in below


def test_every_code_stands_in_errors_md() -> None:
    found = re.findall(r"^\| (E\d+) \| (.+) \| (.+) \| (.*) \|$", page("docs/errors.md"), re.MULTILINE)
    assert [code for code, *_ in found] == sorted(CODES)
    for code, _english, russian, rule in found:
        assert re.search("[а-я]", russian), f"{code} has no Russian"
        assert (CODES[code].rule or "") in rule


def test_messages_quoted_in_errors_md(skachki: Skachki, tmp_path: Path) -> None:
    night = tmp_path / "night.skachki"
    night.write_text('[Players "Anna, Boris, Vera, Gleb"]\n1. r 2/4/3/1\n2. Zoya 7d wp 7/3\n')
    told = skachki("score", "night.skachki").stderr
    assert skachki("new", *LATIN).returncode == 0
    assert skachki("deal", "r", "2/4/3/1").returncode == 0
    assert skachki("deal", "Vera", "7d", "wp", "7/3").returncode == 0
    told += skachki("deal", "Gleb", "6s", "wp", "6/4").stderr
    quoted = re.findall(r"^    (.*)$", page("docs/errors.md"), re.MULTILINE)
    assert sorted(quoted) == sorted(told.splitlines())


# ------------------------------------------------------------------ docs/rules.md

RULES = page("docs/rules.md")
HEADINGS = re.findall(r"^### (\S+)$", RULES, re.MULTILINE)
FAMILIES = "|".join(sorted({rule.split(".")[0] for rule in HEADINGS if "." in rule}))
CODE = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "ruletexts.py"]
"""Where rules are used; ruletexts.py has the words of all of them."""


def texts_in_code() -> Iterator[str]:
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_rule_id_has_a_heading() -> None:
    used = {switch.rule for switch in rules.SWITCHES.values()}
    used |= {code.rule for code in CODES.values() if code.rule}
    used |= {text for text in texts_in_code() if re.fullmatch(rf"({FAMILIES})\.[a-z][a-z-]*[a-z]", text)}
    assert used - set(HEADINGS) == set()
    assert len(HEADINGS) == len(set(HEADINGS))


def test_every_amount_has_a_rule_with_a_heading(skachki: Skachki) -> None:
    printed = skachki("score", "--log", "--json", *EXAMPLES).stdout
    events = [event for line in printed.splitlines() for event in json.loads(line)["log"]]
    used = {entry["rule"] for event in events for entry in event["entries"]}
    assert len(used) > 15
    assert used - set(HEADINGS) == set()


def test_every_heading_is_a_rule_of_the_program() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in CODE)
    unknown = {rule for rule in HEADINGS if not re.search(rf"(?<![\w.-]){re.escape(rule)}(?![\w-])", code)}
    assert unknown == set()


def test_the_switch_table() -> None:
    table = {row[0]: row for row in rows(RULES, "Switches")}
    assert set(table) == set(rules.SWITCHES)
    for name, switch in rules.SWITCHES.items():
        _, values, default, _, rule, _ = table[name]
        assert default == rules.show_value(rules.switches(rules.PRESETS["piter@1"])[name])
        assert rule == switch.rule
        assert allowed_in_words(values) == allowed_in_words(rules.show_allowed(name).replace(", none", ""))


def allowed_in_words(text: str) -> set[str]:
    """`split`, `each` · list of 9, 10 · list of 6–10 · 1–20, as a set of words to compare."""
    text = text.removeprefix("list of ").replace("`", "")
    listed = re.fullmatch(r"6–10", text)
    return {"6", "7", "8", "9", "10"} if listed else set(text.split(", "))


def test_the_preset_table() -> None:
    table = rows(RULES, "Presets")
    names = list(rules.CURRENT)
    sources = {"piter": "P", "gambler": "G", "horse-racing": "H"}
    assert table[0] == ["follows", *(sources[name] for name in names)]
    every = [rules.switches(rules.PRESETS[rules.CURRENT[name]]) for name in names]
    written = {row[0]: row[1:] for row in table[1:]}
    assert written == {
        switch: [rules.show_value(preset[switch]) for preset in every] for switch in rules.SWITCHES
    }


# ------------------------------------------------------------------ examples


def test_a_night_for_every_preset() -> None:
    texts = [path.read_text(encoding="utf-8") for path in EXAMPLES]
    for preset in rules.CURRENT:
        assert any(f'[Rules "{preset}"]' in text for text in texts)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_scores_as_the_rule_book_says(skachki: Skachki, tmp_path: Path, path: Path) -> None:
    """The independent scorer reads the canonical form of the same night."""
    done = skachki("score", "--json", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert skachki("import", path).returncode == 0
    canonical = tmp_path / "canonical.skachki"
    canonical.write_text(skachki("export").stdout, encoding="utf-8")
    wanted = oracle.play_file(canonical).standing
    told = json.loads(done.stdout)
    assert {key: told[key] for key in wanted} == wanted
    transcript = page(f"tests/transcripts/{path.stem}.test")
    for name, net in zip(told["game"]["players"], cast(list[int], wanted["rounded"]), strict=True):
        assert re.search(rf"^{name} .* {net}( |$)", transcript, re.MULTILINE), (name, net)


def test_friday_night_has_one_thing_to_look_at(skachki: Skachki) -> None:
    found = {}
    for path in EXAMPLES:
        told = json.loads(skachki("score", "--json", path).stdout)
        found[path.stem] = [problem["code"] for problem in told["problems"]]
    assert found.pop("friday-night") == ["E220"]
    assert set(map(tuple, found.values())) == {()}


def test_the_shell_session(tmp_path: Path) -> None:
    path = f"{SKACHKI.parent}{os.pathsep}{os.environ['PATH']}"
    settings = os.environ | {"PATH": path, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    script = ROOT / "examples" / "session.sh"
    done = subprocess.run(
        ["sh", script], env=settings, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "Boris → Gleb 17.00 RUB" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_deals_in_the_readme_are_understood() -> None:
    english, russian = (text for text in fences(page("README.md"), "text"))
    for text, players in ((english, LATIN), (russian, RUSSIAN)):
        lines = [re.split(" {2,}", line)[0] for line in text.splitlines()]
        assert len(lines) == 10
        canonical = [read(line, players) for line in lines]
        assert len(set(canonical)) == 10
        assert any("@g" in line for line in canonical)


# ------------------------------------------------------------------ docs/sql.md


def as_table(cursor: sqlite3.Cursor) -> str:
    names = [column[0] for column in cursor.description]
    lines = [names, *([str(value) for value in row] for row in cursor)]
    told = [f"| {' | '.join(cells)} |\n" for cells in lines]
    return "".join([told[0], "|" + "---|" * len(names) + "\n", *told[1:]])


@pytest.fixture
def exported(skachki: Skachki, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    assert skachki("import", ROOT / "examples" / "friday-night.skachki").returncode == 0
    assert skachki("export", "--format", "sqlite", "-o", "night.db").returncode == 0
    connection = sqlite3.connect(tmp_path / "night.db")
    yield connection
    connection.close()


def test_the_queries_give_the_answers_shown(exported: sqlite3.Connection) -> None:
    pattern = r"^```sql\n([^`]+)^```\n\n((?:\|.*\n)+)"
    found = re.findall(pattern, page("docs/sql.md"), re.MULTILINE)
    assert len(found) == 3
    for query, answer in found:
        assert as_table(exported.execute(query)) == answer


@pytest.mark.parametrize("table", ["deals", "entries", "standings"])
def test_the_columns_are_those_described(exported: sqlite3.Connection, table: str) -> None:
    described = [name.strip(" `") for row in rows(page("docs/sql.md"), table) for name in row[0].split(",")]
    columns = exported.execute(f"select name, lower(type) from pragma_table_info('{table}')").fetchall()
    assert described == [name for name, _ in columns]
    types = dict(columns)
    for row in rows(page("docs/sql.md"), table):
        for name in row[0].split(","):
            assert row[1] in ("", types[name.strip(" `")])


# ------------------------------------------------------------------ links


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, made as code hosts make them."""
    found = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), target
        assert there.is_relative_to(ROOT), target
        assert not anchor or anchor in anchors(there), target


def test_every_page_is_reached_from_the_readme() -> None:
    linked = set(re.findall(r"\]\(([^)#\s]+)", page("README.md")))
    assert {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} <= linked
