"""The generated documents: `python -m tools.reference` writes them, `--check` only says what is stale.

docs/cli.md has every command with its help, docs/errors.md every code with its texts. Nothing here
depends on the terminal, the locale or the clock.
"""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

os.environ["LANGUAGE"] = "en"  # before click loads, whose own texts are gettext's

import click

from skachki_ledger import i18n
from skachki_ledger.cli.app import ALIASES, COMMANDS, group
from skachki_ledger.errors import CODES

DOCS = Path(__file__).parent.parent / "docs"
GENERATED = "<!-- Written by python -m tools.reference; edit that program, not this page. -->"
WIDTH = 78
"""What click takes on a terminal of 80 columns."""

CLI_INTRO = """\
# The command line

`skachki COMMAND …`; what each command takes is below, as its `--help` says it. The words that `deal`
takes are explained in [notation.md](notation.md), the amounts in [rules.md](rules.md), refusals in
[errors.md](errors.md).

## What all commands share

- **Which ledger:** `--db FILE`, else `SKACHKI_DB`, else `ledger.db` in the user's data folder. `new`,
  `import`, `restore` and `recover` create one; `score`, `rule-text`, `rules` and `diff FILE FILE` need
  none; all other commands want it to exist.
- **Which game:** `--game ID` (its beginning will do), else `SKACHKI_GAME`, else the current one: the game
  last made, imported or chosen by `use`.
- **Which language:** `--lang ru` or `en`, else `SKACHKI_LANG`, else the locale; English where that says
  nothing.
- **Who writes:** `--by NAME`, else `SKACHKI_BY`, else the system's user. `log` shows it.
- **Streams:** what was asked for goes to standard output, errors and hints to standard error. With
  `--json` an answer is one object on one line, and so is an error; [json.md](json.md) has the keys, to
  which more may be added. `--format` is then for `export` alone. On a terminal long lines are broken at
  words, in a pipe they are whole.
- **Exit codes:** 0 fine; 1 refused, not confirmed, or the answer is no (`check`, `verify`, `claim`,
  `diff`, `reconcile`); 2 for an unknown command or option, or an argument missing or too many; 130
  interrupted.
- `skachki --version` prints the version.
"""

NOTES = {
    "new": """\
Standard output has the id alone; the switches on which the published rules differ go to standard error.""",
    "deal": """\
The line is the shell's words: only reasons and names with spaces need quotes. Options may stand before
or after it. Besides deals it takes fines, adjustments and the other [events](notation.md#other-events).""",
    "standing": "With `--after 12` the standing is the one before the deal that follows deal 12.",
    "undo": "What is taken back stays in the journal; `redo` brings it back until another event follows.",
    "import": "A file with a fault is not taken at all. The same game file twice is two games.",
    "export": """\
`skachki` is a [game file](notation.md#the-game-file) with the deals numbered anew, `journal` every
record as it was written, with its hash, one JSON object a line, to be imported elsewhere; `json` is the
standing with its log, `csv` a table with a row an event and the running figures of each seat, both in
[json.md](json.md); `sqlite` is three plain tables, described in [sql.md](sql.md).""",
    "amend": """\
N is the label of a deal as `log` shows it, or the place of any event, `e14`. The recorded dealer stays
unless `--dealer` names another. What would change is shown; a terminal is asked, elsewhere `--yes` is
needed. In a finished game, or before what the table agreed on, `--reopen` is needed too; one `undo`
takes both back.""",
    "void": "A voided deal keeps its label; later deals keep theirs.",
    "insert": """\
The line goes directly before N and gets a label between: before 13 it is 12a, before 1 it is 0a. Its
dealer is the seat after the previous deal's unless `--dealer` names another; later deals keep theirs.
An exported game file numbers anew.""",
    "backup": """\
Without FILE the copy lies beside the ledger, with the date in its name; nothing is overwritten.""",
    "restore": """\
A ledger that has more than the backup is replaced only with `--force`. In any case the old one stays
beside it, with `replaced` and the date in its name.""",
    "merge": """\
Games of both ledgers are compared record by record: a longer one extends, a diverged one is refused.""",
    "verify": """\
Exit 1 where anything is not as it was written. `--head` takes 12 digits or more of a head noted before,
from a printed page or a standing's JSON: that of an earlier state is fine and names the deal, one that
is no state of any game is not.""",
    "explain": "A player alone: all his cells. A deal or an event: what it wrote, and by which rules.",
    "sheet": "SVG and PNG without `--semester` are one picture, the pages one below the other.",
    "play": "There is no JSON: the screen is for people. See [play.md](play.md).",
    "watch": "As `play`, to look at only; `q` leaves.",
    "check": "Exit 1 if there is anything to look at.",
    "rules": """\
Without a preset: the current game's switches, or those of `piter` where there is no ledger; one named
by `--db` has to exist.""",
    "score": """\
Of several files a faulty one is reported, the others are printed all the same; then exit 1.""",
}
"""What the help of a command is too short for."""

ERRORS_INTRO = """\
# What can be wrong

A refusal is a message on standard error and exit code 1. The message names the [rule](rules.md) behind it,
where there is one, and ends in its code, or its codes:

    skachki: six spades is whisted by both: the calls are ww (whist.stalingrad); if it was really played so, add irregular "reason" [E205]

In a game file every faulty line has a message of its own, which begins with file, line and column:

    night.skachki:3:4: 'Zoya' is none of the players (Anna, Boris, Vera, Gleb) [E102]

With `--json` the same is an object under the key `error`, with `code`, `message`, `rule`, `file`, `line` and
`column`. E22x and E431 are no refusals: such a deal is recorded and scored, and `check`, `score` and the sheets
point it out; a deal marked irregular is pointed out by the code with which it would have been refused. A command line
that is misused (exit code 2) has no code. Codes are stable: a text may be worded better one day, its code keeps its meaning. Capitals below stand
for what the message fills in.
"""  # noqa: E501

FAMILIES = {
    "E10 E11 E12": "A line that is not the notation",
    "E13 E14": "A game file that is not one",
    "E20 E21": "A deal that is not possible now",
    "E22": "A deal that counts otherwise than the table played it",
    "E30": "A file",
    "E31 E32 E33 E34": "A ledger",
    "E40 E41 E42 E43": "A question, or a correction",
    "E44 E45": "Printing, and the live table",
}
"""Beginnings of codes under one heading."""


def help_of(command: click.Command, name: str) -> str:
    """Return what `--help` prints on 80 columns."""
    context = click.Context(command, info_name=name, terminal_width=WIDTH)
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


def cli_page() -> str:
    """Return docs/cli.md."""
    i18n.use("en")
    program = group()
    parts = [CLI_INTRO, _block(help_of(program, "skachki"))]
    for name in COMMANDS:
        command = program.get_command(click.Context(program), name)
        parts += [f"## {name}\n"]
        parts += [f"{NOTES[name]}\n"] if name in NOTES else []
        if aliases := [f"`{alias}`" for alias, meant in ALIASES.items() if meant == name]:
            parts.append(f"In Russian also {' or '.join(aliases)}.\n")
        parts.append(_block(help_of(command, f"skachki {name}")))
    return _page(parts)


def errors_page() -> str:
    """Return docs/errors.md."""
    texts = {code: CODES[code].text for code in CODES}
    i18n.use("ru")
    russian = {code: i18n._(text) for code, text in texts.items()}
    i18n.use("en")
    homeless = [code for code in CODES if not any(code[:3] in family for family in FAMILIES)]
    assert not homeless, f"FAMILIES has no place for {homeless}"
    parts = [ERRORS_INTRO]
    for beginnings, heading in FAMILIES.items():
        rows = [f"## {heading}\n", "| code | message | по-русски | rule |", "|---|---|---|---|"]
        for code, text in sorted(texts.items()):
            if code[:3] in beginnings.split():
                shown = [_filled(text), _filled(russian[code]), _rule_link(CODES[code].rule)]
                rows.append(f"| {code} | {' | '.join(shown)} |")
        parts.append("\n".join(rows) + "\n")
    return _page(parts)


def _filled(text: str) -> str:
    """Return a message with its places in capitals, safe inside a table."""
    words = re.sub(r"\{(\w+)!r\}", lambda place: f"'{place[1].upper()}'", text)
    words = re.sub(r"\{(\w+)\}", lambda place: place[1].upper(), words)
    return re.sub(r"([|*_<>\[\]])", r"\\\1", words)


def _rule_link(rule: str | None) -> str:
    return f"[{rule}](rules.md#{rule.replace('.', '')})" if rule else ""


def _block(text: str) -> str:
    return f"```text\n{text}\n```\n"


def _page(parts: list[str]) -> str:
    title, rest = "\n".join(parts).split("\n", 1)
    return f"{title}\n\n{GENERATED}\n{rest}"


PAGES: dict[str, Callable[[], str]] = {"cli.md": cli_page, "errors.md": errors_page}


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check name those that are stale; return the exit code."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m tools.reference [--check]", file=sys.stderr)
        return 2
    stale = []
    for name, page in PAGES.items():
        path, text = DOCS / name, page().encode()
        if not path.exists() or path.read_bytes() != text:
            stale.append(name)
            if not arguments:
                path.write_bytes(text)
    if not arguments:
        return 0
    for name in stale:
        print(f"docs/{name} is out of date: run python -m tools.reference")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
