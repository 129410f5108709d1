"""`rulespec compile`."""

from __future__ import annotations

import sys

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.configuration import Wanted, configuration_options, core_of
from rulespec.cli.exit_code import ExitCode


@click.command
@click.argument("game")
@configuration_options(players_required=True)
@click.option(
    "--show",
    type=click.Choice(["python", "core"]),
    default="python",
    show_default=True,
    help="The generated engine as Python, or the core that everything is made from.",
)
def command(game: str, wanted: Wanted, show: str) -> ExitCode:
    """Print what a rulebook is compiled to, for one configuration.

    The Python is what `rulespec simulate` runs: it names the rules and the lines of the rulebook. The
    core is the one object that every engine and every proof is made from: slots, blocks, and the steps
    between them.

    \b
    Examples:
      rulespec compile il_principe --players 3               the generated engine
      rulespec compile il_principe --players 3 --show core   the transition system
      rulespec compile il_principe --players 5 --variant generous --reading bank=limited
    """
    book = api.open_rulebook(game)
    core = core_of(book, wanted)
    if core is None:
        return ExitCode.PROBLEMS
    if show == "core":
        from rulespec.compiler.core.print import show as show_core

        text = show_core(core)
    else:
        from rulespec.engine.python.emit import emit

        text = emit(core)
    if show == "python" and output.colors_on(sys.stdout):
        _print_colored(text)
    else:
        click.echo(text, nl=False)
    return ExitCode.FINE


def _print_colored(text: str) -> None:
    from rich.console import Console
    from rich.syntax import Syntax

    colored = Syntax("", "python", theme="ansi_dark").highlight(text)
    Console(soft_wrap=True, force_terminal=True).print(colored, end="")
