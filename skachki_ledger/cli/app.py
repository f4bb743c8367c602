"""All commands by name; each lives in a module that loads when the command is called."""

import importlib
import unicodedata
from typing import Annotated, Any

import click
import typer
from typer.core import TyperGroup

from ..i18n import N_, _
from .options import Lang

COMMANDS = {
    "new": "record",
    "deal": "record",
    "status": "read",
    "standing": "read",
    "log": "past",
    "history": "past",
    "settle": "read",
    "undo": "record",
    "redo": "record",
    "import": "transfer",
    "export": "transfer",
    "use": "record",
    "games": "read",
    "check": "read",
    "rules": "score",
    "score": "score",
    "verify": "keep",
    "backup": "keep",
    "restore": "keep",
    "merge": "keep",
    "recover": "keep",
    "amend": "correct",
    "void": "correct",
    "insert": "correct",
    "rename": "correct",
    "rule": "correct",
}
"""Command → module under `cli` whose function `<command>_command` it is."""

ALIASES = {
    "сдача": "deal",
    "счёт": "standing",
    "счет": "standing",
    "что": "status",
    "отмена": "undo",
    "расчёт": "settle",
    "расчет": "settle",
}


_OPTIONS = N_("[OPTIONS]")


class _LazyGroup(TyperGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = ALIASES.get(unicodedata.normalize("NFC", cmd_name).lower(), cmd_name)
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".{COMMANDS[cmd_name]}", __package__)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        function = getattr(module, f"{cmd_name}_command")
        kind = getattr(module, "CLASS", {}).get(cmd_name)
        single.command(cmd_name, cls=kind, help=_(module.HELP[cmd_name]), options_metavar=_(_OPTIONS))(
            function
        )
        return typer.main.get_command(single)


app = typer.Typer(
    cls=_LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    options_metavar=_(_OPTIONS),
    subcommand_metavar=_(N_("COMMAND [ARGS]...")),
    help=_(N_("The score of the four-player Preferans game «Питерские скачки».")),
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        typer.echo(f"skachki {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help=_(N_("Show the version and exit.")),
        ),
    ] = False,
    lang: Lang = None,
) -> None:
    pass


def group() -> Any:
    """Return the click command of the whole program."""
    return typer.main.get_command(app)
