"""Imports point down the layers and never up; modules and functions stay small; all is documented."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import skachki_ledger

ROOT = Path(skachki_ledger.__file__).parent
PACKAGE = "skachki_ledger"

LANGUAGE, ENGINE, OUTPUT, SHELL = range(4)
LAYERS: dict[int, tuple[str, ...]] = {
    LANGUAGE: (
        *("errors", "i18n", "model", "rules", "events", "vocabulary", "names", "lexer", "parts", "digest"),
        *("deal_lines", "event_lines", "canon", "notation", "header", "gamefile", "corrections"),
        "ruletexts",
    ),
    ENGINE: (
        *("scoring", "state", "legality", "derive", "settlement", "standing", "intake", "wording"),
        *("journal", "journalfile", "resolve", "compare", "changes", "verify", "carve", "drafting"),
        *("arbitration", "arbitration.*"),
    ),
    OUTPUT: (
        *("reports", "live", "tables", "consequences", "arguing", "disputes", "sheet", "geometry"),
        *("closing", "flow", "paper", "render", "render.*"),
    ),
    SHELL: (
        *("cli", "cli.*", "play", "play.*", "store", "schema", "migrations", "migrations.*"),
        *("__init__", "__main__"),
    ),
}
"""A module that is in no layer fails the test: say here where it belongs. Shell is all that does I/O."""

PURE_NEVER = frozenset(
    (
        *("os", "sys", "io", "time", "random", "sqlite3", "typer", "click", "pathlib", "subprocess"),
        *("socket", "shutil", "tempfile", "logging", "threading", "datetime", "gettext", "locale"),
        *("sqlite_utils", "rich", "prompt_toolkit", "getpass", "secrets", "uuid"),
    )
)
PURE_EXCEPT = {"i18n": {"os", "gettext"}, "header": {"datetime"}, "render.csvout": {"io"}}
"""i18n reads the catalogs; header knows which dates exist; csv writes to a StringIO, in memory."""

PURE_CALLS_NEVER = frozenset(("print", "open", "input", "exec", "eval", "breakpoint", "__import__"))
CLOCK = frozenset(("now", "today", "utcnow"))

SLOW_TO_LOAD = frozenset(
    ("rich", "sqlite_utils", "tabulate", "pydantic", "decimal", "fractions", "importlib.metadata")
)
SLOW_GATES = {"render.text": {"tabulate"}, "migrations": {"sqlite_utils"}}
"""The modules that bring something slow: all others import these inside the function that needs them."""

LINES_MAX, FUNCTION_LINES_MAX = 400, 70

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(path: Path) -> str:
    """The module's name inside the package: derive, render.text, cli."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def layer_of(module: str) -> int | None:
    for layer, names in LAYERS.items():
        if module in names or ("." in module and f"{module.split('.')[0]}.*" in names):
            return layer
    return None


def is_for_types_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def top_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What runs when the module loads: everything but the insides of functions."""
    for node in body:
        if isinstance(node, Function) or is_for_types_only(node):
            continue
        yield node
        for field in ("body", "orelse", "finalbody"):
            yield from top_statements(getattr(node, field, []))
        for handler in getattr(node, "handlers", []):
            yield from top_statements(handler.body)


def targets(module: str, node: ast.stmt) -> list[str]:
    """The modules an import statement loads, absolute: skachki_ledger.derive, os.path."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    if node.level == 0:
        base = node.module or ""
    else:
        is_package = MODULES[module].name == "__init__.py" and module != "__init__"
        here = [PACKAGE, *([] if module == "__init__" else module.split("."))]
        up = node.level - (1 if is_package or module == "__init__" else 0)
        base = ".".join([*here[: len(here) - up], *([node.module] if node.module else [])])
    inside = [f"{base}.{alias.name}" for alias in node.names]
    return [name if name.removeprefix(f"{PACKAGE}.") in MODULES else base for name in inside] or [base]


def imports(module: str, top_only: bool) -> set[str]:
    tree = tree_of(module)
    nodes = top_statements(tree.body) if top_only else ast.walk(tree)
    return {name for node in nodes if isinstance(node, ast.stmt) for name in targets(module, node)}


def own_imports(module: str, top_only: bool) -> set[str]:
    """Modules of the package that `module` imports."""
    found = set()
    for name in imports(module, top_only):
        if name == PACKAGE or name.startswith(f"{PACKAGE}."):
            found.add(name.removeprefix(PACKAGE).lstrip(".") or "__init__")
    return found


def foreign(names: set[str], wanted: frozenset[str]) -> set[str]:
    """Those of `wanted` that are imported, by themselves or through a submodule."""
    return {bad for name in names for bad in wanted if name == bad or name.startswith(f"{bad}.")}


def functions(tree: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


# ------------------------------------------------------------------ layers


@pytest.mark.parametrize("module", MODULES)
def test_every_module_is_in_a_layer(module: str) -> None:
    assert layer_of(module) is not None, f"{module}: say in LAYERS which layer it belongs to"


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_down(module: str) -> None:
    here = layer_of(module)
    above = {
        name: layer_of(name)
        for name in own_imports(module, top_only=False)
        if name != "__init__" and (layer_of(name) or 0) > (here or 0)
    }
    assert above == {}


@pytest.mark.parametrize("module", MODULES)
def test_imported_modules_exist(module: str) -> None:
    assert own_imports(module, top_only=False) <= set(MODULES)


def test_no_cycles() -> None:
    graph = {module: own_imports(module, top_only=True) - {module} for module in MODULES}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"modules import each other in a ring: {' > '.join(error.args[1])}")
    assert set(order) == set(MODULES)


PURE = [module for module in MODULES if layer_of(module) in (LANGUAGE, ENGINE, OUTPUT)]


@pytest.mark.parametrize("module", PURE)
def test_only_the_shell_touches_the_world(module: str) -> None:
    never = PURE_NEVER - PURE_EXCEPT.get(module, set())
    assert foreign(imports(module, top_only=False), frozenset(never)) == set()
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            assert called not in PURE_CALLS_NEVER, f"line {node.lineno}: {called}()"
            method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            assert method not in CLOCK, f"line {node.lineno}: .{method}() asks the clock"


@pytest.mark.parametrize("module", MODULES)
def test_nothing_slow_loads_at_the_top(module: str) -> None:
    slow = SLOW_TO_LOAD - SLOW_GATES.get(module, set())
    assert foreign(imports(module, top_only=True), frozenset(slow)) == set()


@pytest.mark.parametrize("module", MODULES)
def test_what_is_slow_loads_only_when_called(module: str) -> None:
    assert own_imports(module, top_only=True) & set(SLOW_GATES) == set()


# ------------------------------------------------------------------ size and words


@pytest.mark.parametrize("module", MODULES)
def test_modules_and_functions_are_small(module: str) -> None:
    lines = len(MODULES[module].read_text(encoding="utf-8").splitlines())
    assert lines <= LINES_MAX
    sizes = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions(tree_of(module))}
    assert {name: size for name, size in sizes.items() if size > FUNCTION_LINES_MAX} == {}


def public(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Public functions and classes, and the public methods of public classes."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{node.name}.")


@pytest.mark.parametrize("module", MODULES)
def test_everything_public_says_what_it_is(module: str) -> None:
    tree = tree_of(module)
    assert ast.get_docstring(tree), "the module has no docstring"
    assert [name for name, node in public(tree.body) if not ast.get_docstring(node)] == []


# ------------------------------------------------------------------ the test tests


def test_the_layers_name_no_module_that_is_gone() -> None:
    named = {name for names in LAYERS.values() for name in names if not name.endswith("*")}
    assert named <= set(MODULES)


def test_relative_imports_are_resolved() -> None:
    assert "derive" in own_imports("settlement", top_only=True)
    assert "settlement" in own_imports("standing", top_only=True)
    assert {"canon", "rules"} <= own_imports("render.jsonout", top_only=True)
    assert "render.text" in own_imports("cli.score", top_only=False)
    assert layer_of("cli.score") == SHELL
    assert layer_of("stranger") is None
