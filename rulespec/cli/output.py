"""How commands print: what the compiler found, tables, how far they are, and how they end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

import click

from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import describe_fault
from rulespec.compiler.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from rich.console import Console

    from rulespec.proofs.verdicts import Verdict

PLAIN_WIDTH = 100  # of tables, where they do not go to a terminal
SECONDS = 10.0  # between two lines on the progress, where there is no terminal


def colors_on(stream: TextIO) -> bool:
    """Whether colors may be used on a stream: as the command line says, else on a terminal alone."""
    context = click.get_current_context(silent=True)
    if context is not None and context.color is not None:
        return context.color
    return stream.isatty()


def show(diagnostics: Sequence[Diagnostic], sources: Mapping[str, str], *, to: TextIO | None = None) -> None:
    """Print diagnostics, to standard error if no stream is given; nothing when there are none."""
    if not diagnostics:
        return
    from rulespec.compiler.render import render

    stream = sys.stderr if to is None else to
    color = colors_on(stream)
    click.echo(render(diagnostics, sources, color).rstrip("\n"), file=stream, color=color)


def problems(*, as_json: bool, empty: str = "{}") -> ExitCode:
    """How a command ends where errors were shown instead of a result: with `--json`, it still prints JSON."""
    if as_json:
        click.echo(empty)
    return ExitCode.PROBLEMS


def console(width: int = PLAIN_WIDTH) -> Console:
    """Where tables go: as wide as the terminal, or else `width`."""
    from rich.console import Console

    return Console(
        width=None if sys.stdout.isatty() else width, no_color=not colors_on(sys.stdout), highlight=False
    )


def line(text: str) -> None:
    """What is being done, on the last line of a terminal; "" clears it."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)


class Teller:
    """Says how far a command is: on a terminal at once, elsewhere with a line now and then."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def __call__(self, text: str) -> None:
        line(text)
        if not sys.stderr.isatty() and time.monotonic() - self.last > SECONDS:
            self.last = time.monotonic()
            click.echo(text, err=True)


def faults(found: Iterable[Exception]) -> None:
    """Tell of internal faults, of those that say the same once."""
    for fault in {str(each): each for each in found}.values():
        click.echo(describe_fault(fault), err=True)


def doubts(verdicts: Iterable[Verdict]) -> bool:
    """Tell of each claim on which a second solver disagrees; whether there is any."""
    doubted = [verdict for verdict in verdicts if verdict.second == "disagrees"]
    for verdict in doubted:
        click.echo(f"error: {verdict.property}, {verdict.players} players: {verdict.reason}", err=True)
    return bool(doubted)


def counted(number: int, thing: str, things: str = "") -> str:
    """`1 rule`, `2 rules`."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def errors_in(diagnostics: Sequence[Diagnostic]) -> int:
    """How many of them are errors."""
    return sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
