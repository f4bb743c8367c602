"""Commands that take a line of notation as words: tokens that are never re-joined or taken apart."""

from collections.abc import Sequence

import click
from typer.core import TyperCommand


class WordsCommand(TyperCommand):
    """A command whose words may be negative numbers but not misspelt options.

    Options stand before or after the line; after a lone `--` every word is the line's.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.ignore_unknown_options = True
        self.allow_interspersed_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, after refusing words that look like options but are none."""
        self._refuse_unknown(ctx, args)
        return super().parse_args(ctx, args)

    def _refuse_unknown(self, ctx: click.Context, args: Sequence[str]) -> None:
        options = {
            name: param
            for param in self.get_params(ctx)
            if isinstance(param, click.Option)
            for name in (*param.opts, *param.secondary_opts)
        }
        takes_value = False
        for word in args:
            if word == "--":
                return
            name, equals, _value = word.partition("=")
            if not takes_value and word.startswith("--") and name not in options:
                raise click.NoSuchOption(name, possibilities=sorted(options), ctx=ctx)
            option = options.get(name)
            takes_value = not takes_value and option is not None and not option.is_flag and not equals
