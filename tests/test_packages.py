"""What is built and shipped: the wheel and the source archive, and that the wheel runs alone."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "skachki_ledger"
PYTHONS = ("3.11", "3.12", "3.13")
PYENV = Path.home() / ".pyenv" / "versions"


def run(home: Path, *command: object, **more: str) -> str:
    """Run a command away from the project, with none of its settings; return what it printed."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("SKACHKI_", "PYTHON"))
    }
    ran = subprocess.run(
        [str(word) for word in command],
        cwd=home,
        env=kept | {"LC_ALL": "C.UTF-8", "HOME": str(home)} | more,
        capture_output=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with a wheel and a source archive, built from a copy of what git knows."""
    folder = tmp_path_factory.mktemp("build")
    source = folder / "source"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder],
        cwd=source,
        capture_output=True,
        check=True,
    )
    return folder


def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


def shipped() -> set[str]:
    """Return every file of the package that has to be there: code, catalogs, the mark of types."""
    kinds = ("*.py", "py.typed", "*.mo", "*.po")
    return {str(path.relative_to(ROOT)) for kind in kinds for path in PACKAGE.rglob(kind)}


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(wheel(built)) as archive:
        names = set(archive.namelist())
        metadata = next(name for name in names if name.endswith("/METADATA"))
        told = archive.read(metadata).decode()
    assert {"skachki_ledger/locale/ru/LC_MESSAGES/skachki.mo", "skachki_ledger/py.typed"} <= shipped()
    assert shipped() <= names
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"skachki_ledger"}
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "\nLicense-Expression: MIT\n" in told
    for version in PYTHONS:
        assert f"\nClassifier: Programming Language :: Python :: {version}\n" in told


def test_the_source_archive_holds_no_tests(built: Path) -> None:
    (found,) = built.glob("*.tar.gz")
    with tarfile.open(found) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert shipped() <= names
    assert {"README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "docs/rules.md"} <= names
    assert not [name for name in names if name.split("/")[0] in ("tests", "tools", ".ci", "requirements")]


def test_the_wheel_runs_by_itself_without_a_warning(built: Path, tmp_path: Path) -> None:
    """From the wheel's files alone, every command's module loaded, all warnings errors."""
    with zipfile.ZipFile(wheel(built)) as archive:
        archive.extractall(tmp_path / "site")
    code = (
        "import pkgutil, importlib, skachki_ledger as s\n"
        "for found in pkgutil.walk_packages(s.__path__, 'skachki_ledger.'):\n"
        "    found.name.endswith('__main__') or importlib.import_module(found.name)\n"
        "print(s.__file__)"
    )
    site = {"PYTHONPATH": str(tmp_path / "site")}
    python = (sys.executable, "-W", "error")
    found = run(tmp_path, *python, "-c", code, **site).strip()
    assert Path(found).parent == tmp_path / "site" / "skachki_ledger"
    night = ROOT / "examples" / "friday-night.skachki"
    told = run(tmp_path, *python, "-m", "skachki_ledger", "score", night, "--lang", "ru", **site)
    assert "пуля" in told.lower()


def interpreter(version: str) -> str | None:
    """Return a Python of this version that runs, on the path or among pyenv's."""
    named = shutil.which(f"python{version}")
    kept = map(str, PYENV.glob(f"{version}.*/bin/python"))
    for python in filter(None, (named, *kept)):
        if subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return python
    return None


@pytest.mark.long
@pytest.mark.parametrize("version", PYTHONS)
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_it_installs_clean_on_every_python(built: Path, tmp_path: Path, version: str, kind: str) -> None:
    """Into an empty environment of each Python there is, with what it needs from the package index."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    run(tmp_path, python, "-m", "venv", "env")
    (package,) = built.glob(kind)
    pip = (tmp_path / "env" / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(tmp_path, *pip, "install", package)
    run(tmp_path, *pip, "check")
    skachki = tmp_path / "env" / "bin" / "skachki"
    run(tmp_path, skachki, "import", ROOT / "examples" / "friday-night.skachki", PYTHONWARNINGS="error")
    for words in (("standing",), ("settle", "--format", "chat"), ("sheet", "--format", "svg"), ("verify",)):
        assert run(tmp_path, skachki, *words, "--lang", "ru", PYTHONWARNINGS="error")
