"""The rules in words are those of docs/rules.md, and every rule the program names is among them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import skachki_ledger
from skachki_ledger import rules
from skachki_ledger.errors import CODES
from skachki_ledger.ruletexts import RULES, rule_text

PACKAGE = Path(skachki_ledger.__file__).parent
BOOK = (PACKAGE.parent / "docs" / "rules.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^### (\S+)$", BOOK, re.MULTILINE)
FAMILIES = "|".join(sorted({rule.split(".")[0] for rule in HEADINGS if "." in rule}))


def switches_in_book(rule: str) -> set[str]:
    """The switches named in the bullet «Switch» of a rule of docs/rules.md."""
    section = re.split(r"^##", BOOK.split(f"\n### {rule}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]
    _, _, bullet = section.partition("- **Switch:**")
    return set(re.findall(r"`([a-z_]+)`", bullet)) & set(rules.SWITCHES)


def entry_rules() -> set[str]:
    """What scoring.py gives entries as their rule: first arguments, values of a variable `rule`."""
    tree = ast.parse((PACKAGE / "scoring.py").read_bytes())
    givers: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            if node.func.id in ("Entry", "_pool_or_gora"):
                givers.append(node.args[0])
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "rule":
            if isinstance(node.value, ast.IfExp):
                givers += [node.value.body, node.value.orelse]
            else:
                givers.append(node.value)
    return {
        giver.value for giver in givers if isinstance(giver, ast.Constant) and isinstance(giver.value, str)
    }


def rule_like_texts() -> Iterator[str]:
    """Every text in the code of the package that looks like a rule id: whist.half, settle.net."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from re.findall(rf"^(?:{FAMILIES})\.[a-z][a-z-]*[a-z]$", node.value)


def test_the_rules_are_those_of_the_book_in_its_order() -> None:
    assert list(RULES) == HEADINGS
    assert len(HEADINGS) == 43


def test_every_rule_of_an_entry_has_a_text() -> None:
    found = entry_rules()
    assert {"game.made", "whist.tricks", "whist.half", "misere.made", "fine", "adjust"} <= found
    assert found - set(RULES) == set()


def test_every_rule_the_code_names_has_a_text() -> None:
    assert {code.rule for code in CODES.values() if code.rule} - set(RULES) == set()
    assert set(rule_like_texts()) - set(RULES) == set()


def test_every_switch_is_named_by_its_rule() -> None:
    assert {name for rule in RULES.values() for name in rule.switches} == set(rules.SWITCHES)
    for name, switch in rules.SWITCHES.items():
        assert name in RULES[switch.rule].switches


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_names_the_switches_the_book_names(rule: str) -> None:
    switches = RULES[rule].switches
    assert len(set(switches)) == len(switches)
    assert switches_in_book(rule) <= set(switches)


@pytest.mark.parametrize("rule", RULES)
def test_a_text_says_what_its_switches_do(rule: str) -> None:
    text, _, switches = RULES[rule]
    named = re.findall(rf"\b(?:{'|'.join(rules.SWITCHES)})\b", text)
    assert set(switches) <= set(named)
    assert {name for name in named if "_" in name} <= set(switches)


@pytest.mark.parametrize("rule", RULES)
def test_a_text_is_one_to_three_sentences(rule: str) -> None:
    text, source, _ = RULES[rule]
    assert text == " ".join(text.split())
    assert 1 <= len(re.findall(r"\.(?= |$)", text)) <= 3
    assert text.endswith(".")
    assert re.search(r"\b(P|G|H|base|fill)\b", source)


def test_no_two_texts_are_equal() -> None:
    texts = [rule.text for rule in RULES.values()]
    assert all(texts)
    assert len(set(texts)) == len(texts)


def test_a_rule_is_found_by_its_id() -> None:
    assert rule_text("game.made") == RULES["game.made"]
    assert rule_text("game.nosuch") is None
