"""The `rulespec` command: what it says of itself, and how it finds the commands below it."""

from __future__ import annotations

import difflib
import os
import sys

import click

from rulespec.cli import registry
from rulespec.cli.exit_code import MEANINGS
from rulespec.cli.guard import run


class Commands(click.Group):
    """The registered commands, in their order there, each imported only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [entry.name for entry in registry.COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = registry.find(cmd_name)
        return None if entry is None else registry.load(entry)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # An option in the command's place is left to click, which knows the options.
        if registry.find(args[0]) is None and not args[0].startswith("-"):
            ctx.fail(_unknown_command(args[0], self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.summary) for entry in registry.COMMANDS])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            formatter.write_dl([(entry.example, "") for entry in registry.COMMANDS])
        with formatter.section("Exit status"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in MEANINGS.items()])
        with formatter.section("Environment"):
            formatter.write_dl(
                [
                    ("NO_COLOR", "if set, colors are never used; else they are on terminals alone"),
                    ("RULESPEC_DEBUG", "if 1, an internal fault shows where in rulespec it happened"),
                ]
            )


def _unknown_command(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    advice = f"did you mean `{near[0]}`?" if near else "`rulespec --help` lists the commands"
    return f"there is no command `{name}`; {advice}"


def _print_version(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        click.echo(f"rulespec {version('rulespec')}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Say which version this is.",
)
@click.pass_context
def app(ctx: click.Context) -> None:
    """Check, play and prove the rules of board games.

    The rules are text: a Markdown rulebook with blocks of rules in it. Each command below takes
    `--help`, which shows what it is for and how it is called.
    """
    # None leaves it to each stream: colors on a terminal, none in a file or a pipe.
    ctx.color = False if os.environ.get("NO_COLOR") else None


def main() -> None:
    """Run the command line of this process and end the process with its exit status."""
    sys.exit(run(app, sys.argv[1:]))
