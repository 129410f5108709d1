"""`rulespec readings`."""

from __future__ import annotations

import json
import shutil
import textwrap
from dataclasses import asdict

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.outline import Outline, Reading


@click.command
@click.argument("game")
@click.option(
    "--open", "only_open", is_flag=True, help="Only the questions that have several meanings to choose from."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON list of the questions.")
def command(game: str, only_open: bool, as_json: bool) -> ExitCode:
    """List what the source leaves open, and what is assumed.

    A question with several meanings is marked `?`; each command that plays or proves takes another
    meaning with `--reading NAME=MEANING`. The meaning marked `*` is the one taken otherwise.

    \b
    Examples:
      rulespec readings il_principe           every question with its meanings
      rulespec readings il_principe --open    those where there is a choice
      rulespec run il_principe --players 3 --reading bank=limited
    """
    book = api.open_rulebook(game)
    outline = book.outline
    if outline is None:
        output.show(book.diagnostics, book.sources)
        return output.problems(as_json=as_json, empty="[]")
    readings = [each for each in outline.readings if len(each.meanings) > 1 or not only_open]
    if as_json:
        click.echo(json.dumps([_as_json(each) for each in readings], indent=2, ensure_ascii=False))
    else:
        _print(outline, readings)
        if not only_open:
            _print_assumed(outline)
    return ExitCode.FINE


def _as_json(reading: Reading) -> dict[str, object]:
    return {**asdict(reading), "flagged": len(reading.meanings) > 1}


def _print(outline: Outline, readings: list[Reading]) -> None:
    width = _width()
    for reading in readings:
        click.echo(_head(reading, width))
        longest = max(len(meaning.name) for meaning in reading.meanings)
        for meaning in reading.meanings:
            mark = "*" if meaning.name == reading.default else " "
            citation = f" {meaning.citation}" if meaning.citation else ""
            indent = " " * (longest + 10)
            text = textwrap.fill(
                f"{mark} {meaning.name:<{longest}}  {meaning.title}{citation}",
                width,
                initial_indent=" " * 6,
                subsequent_indent=indent,
            )
            click.echo(text)
    several = sum(len(reading.meanings) > 1 for reading in readings)
    questions = output.counted(len(readings), "question")
    click.echo(f"\n{outline.title}: {questions}, {several} with several meanings (`?`); `*` is the default")


def _width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, 120)


def _print_assumed(outline: Outline) -> None:
    """What the rulebook has although no source does, and why."""
    if outline.assumed:
        click.echo("\nassumed, as no source has it:")
    for each in outline.assumed:
        members = f" {', '.join(each.names)}" if each.names else ""
        citation = f" {each.citation}" if each.citation else ""
        text = f"  {each.of}{members}: {each.why}{citation}"
        click.echo(textwrap.fill(text, _width(), subsequent_indent=" " * 4))


def _head(reading: Reading, width: int) -> str:
    mark = "?" if len(reading.meanings) > 1 else " "
    ident = f"{reading.ident} " if reading.ident else ""
    citation = f" {reading.citation}" if reading.citation else ""
    text = f"{mark} {ident}{reading.name}: {reading.question}{citation}"
    return click.style(textwrap.fill(text, width, subsequent_indent=" " * 4), bold=mark == "?")
