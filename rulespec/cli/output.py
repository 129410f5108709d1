"""How commands print what the compiler found."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

import click

from rulespec.compiler.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from rulespec.proofs.verdicts import Verdict


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
