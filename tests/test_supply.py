"""What is shipped: locked requirements without addresses; the protocol prints from the command line."""

import re
import tomllib
from pathlib import Path

import pytest
from conftest import Skachki

ROOT = Path(__file__).parent.parent
LOCKS = ("requirements/run.txt", "requirements/test.txt")


@pytest.mark.parametrize("lock", LOCKS)
def test_locked_requirements_are_hashed_and_name_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index-url|--find-links", text)
    pins = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    for pinned in re.split(r"\n(?=\S)", pins.strip()):
        assert re.match(r"[a-z0-9._-]+==\S+ \\\n", pinned), pinned
        assert "--hash=sha256:" in pinned, pinned


@pytest.mark.parametrize(("lock", "extras"), [(LOCKS[0], ()), (LOCKS[1], ("test",))])
def test_every_requirement_is_locked(lock: str, extras: tuple[str, ...]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    locked = set(re.findall(r"^([a-z0-9._-]+)==", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE))
    names = {re.split(r"[\[<>=!~;\s]", need)[0].lower().replace("_", "-") for need in wanted}
    assert names <= locked


def test_the_protocol_prints_from_the_command_line(skachki: Skachki, tmp_path: Path) -> None:
    """One page of HTML with the struck deal beside the one that counts; text goes to a file too."""
    assert skachki("new", "Anna", "Boris", "<b>Vera", "Gleb").returncode == 0
    for line in ("r 2/4/3/1", "3 7d wp 7/3"):
        assert skachki("deal", *line.split()).returncode == 0
    amended = skachki("amend", "2", "3", "7d", "wp", "6/4", "--reason", "one down", "--yes")
    assert amended.returncode == 0
    page = tmp_path / "log.html"
    assert skachki("log", "--format", "html", "-o", page).returncode == 0
    html = page.read_text(encoding="utf-8")
    assert "7/3" in html
    assert "6/4" in html
    assert "<b>Vera" not in html
    assert "&lt;b&gt;Vera" in html
    assert skachki("log", "--format", "html", "-o", page).returncode == 1  # nothing is overwritten
    assert skachki("log", "--format", "pdf").returncode == 2  # a PDF needs -o
    assert skachki("log", "--format", "docx").returncode == 1
    text = skachki("log")
    assert skachki("log", "-o", tmp_path / "log.txt").returncode == 0
    assert (tmp_path / "log.txt").read_text(encoding="utf-8") == text.stdout
