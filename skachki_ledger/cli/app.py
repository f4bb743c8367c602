"""All commands by name; each lives in a module that loads when the command is called."""

import importlib
import unicodedata
from types import ModuleType
from typing import Annotated, Any

import click
import typer
from typer.core import TyperGroup

from ..i18n import N_, _, language
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
    "sheet": "printing",
    "chart": "printing",
    "verify": "keep",
    "backup": "keep",
    "restore": "keep",
    "merge": "keep",
    "recover": "keep",
    "explain": "argue",
    "register": "argue",
    "rule-text": "argue",
    "claim": "argue",
    "diff": "argue",
    "whatif": "whatif",
    "reconcile": "reconcile",
    "amend": "correct",
    "void": "correct",
    "insert": "correct",
    "rename": "correct",
    "rule": "correct",
    "play": "live_table",
    "watch": "live_table",
}
"""Command → module under `cli` whose function `<command>_command` it is."""

ALIASES = {
    "новая": "new",
    "сдача": "deal",
    "счёт": "standing",
    "счет": "standing",
    "что": "status",
    "протокол": "log",
    "история": "history",
    "отмена": "undo",
    "вернуть": "redo",
    "партии": "games",
    "проверка": "check",
    "правила": "rules",
    "лист": "sheet",
    "график": "chart",
    "копия": "backup",
    "почему": "explain",
    "исправить": "amend",
    "вычеркнуть": "void",
    "вставить": "insert",
    "расчёт": "settle",
    "расчет": "settle",
}


_OPTIONS = N_("[OPTIONS]")


def _meant(word: str) -> str:
    """Return the command a word means: itself, a Russian alias, or either in the other keyboard layout."""
    if word in COMMANDS or word in ALIASES:
        return ALIASES.get(word, word)
    from ..vocabulary import other_layout

    retyped = word.translate(other_layout(word) or {})
    return ALIASES.get(retyped, retyped)


def _names(name: str) -> str:
    """Return a command's name, and its Russian one where it has one and Russian is spoken."""
    aliases = [alias for alias, command in ALIASES.items() if command == name]
    return f"{name}, {aliases[0]}" if aliases and language() == "ru" else name


def _help(module: ModuleType, name: str) -> str:
    """Return a command's help, which begins with its names where it has a second one."""
    names, text = _names(name), _(module.HELP[name])
    return text if names == name else f"{names} – {text}"


class _LazyGroup(TyperGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a line of the notation without its command is told apart from a slip."""
        word = args[0][:40].lower() if args else ""
        if _meant(word) not in COMMANDS:
            from ..vocabulary import EVENTS

            if EVENTS.find(word):
                text = _("{word!r} is written as a deal is: skachki deal {word} …")
                raise click.UsageError(text.format(word=word))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with both their names; click would cut what they do short."""
        modules = {name: importlib.import_module(f".{COMMANDS[name]}", __package__) for name in COMMANDS}
        with formatter.section(_("Commands")):
            formatter.write_dl([(_names(name), _(modules[name].HELP[name])) for name in COMMANDS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = _meant(unicodedata.normalize("NFC", cmd_name[:40]).lower())
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".{COMMANDS[cmd_name]}", __package__)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        function = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        kind = getattr(module, "CLASS", {}).get(cmd_name)
        epilog = getattr(module, "EPILOG", {}).get(cmd_name)
        single.command(
            cmd_name,
            cls=kind,
            help=_help(module, cmd_name),
            epilog=_(epilog) if epilog else None,
            options_metavar=_(_OPTIONS),
        )(function)
        return typer.main.get_command(single)


app = typer.Typer(
    cls=_LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    options_metavar=_(_OPTIONS),
    subcommand_metavar=_("COMMAND [ARGS]..."),
    help=_("The score of the four-player Preferans game «Питерские скачки»."),
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        typer.echo(f"skachki {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help=_("Show the version and exit."),
        ),
    ] = False,
    lang: Lang = None,
) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        raise typer.Exit(2)


def group() -> Any:
    """Return the click command of the whole program."""
    return typer.main.get_command(app)
