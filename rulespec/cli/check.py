"""`rulespec check`."""

from __future__ import annotations

import json
import sys

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import working_on
from rulespec.collection import no_collection
from rulespec.outline import Outline


@click.command
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--strict", is_flag=True, help="End with 1 for warnings too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list with an object for each game.")
def command(games: tuple[str, ...], strict: bool, as_json: bool) -> ExitCode:
    """Check rulebooks: spelling, names, types, units, citations, limits.

    GAME is the name of a bundled game or the path of a `.rules.md` or `.rules` file; a folder with one of
    them in it will do. The rulebook is compiled for each number of players, so what only goes wrong with
    five is found too. Everything that can be found at once is told at once, each with its place and a
    code that `rulespec explain` explains.

    \b
    Examples:
      rulespec check il_principe            a bundled game
      rulespec check duel.rules.md          a file of your own
      rulespec check --strict *.rules.md    for a test: warnings count too
      rulespec check --json duel.rules.md   for an editor
    """
    good = True
    objects = []
    for game in games:
        with working_on(f"checking `{game}`"), no_collection():
            book = api.open_rulebook(game)
            found = book.all_diagnostics
            errors = output.errors_in(found)
            good = good and not (found if strict else errors)
            if as_json:
                objects.append(_as_json(game, book))
                continue
            output.show(found, book.sources, to=sys.stdout)
            if found:
                click.echo()
            click.echo(_verdict(game, book.outline, errors, len(found) - errors))
    if as_json:
        click.echo(json.dumps(objects, indent=2, ensure_ascii=False))
    return ExitCode.FINE if good else ExitCode.PROBLEMS


def _verdict(game: str, outline: Outline | None, errors: int, warnings: int) -> str:
    told = []
    if errors:
        told.append(click.style(output.counted(errors, "error"), fg="red", bold=True))
    if warnings:
        told.append(click.style(output.counted(warnings, "warning"), fg="yellow", bold=True))
    if not errors and outline is not None:
        told = [click.style("good", fg="green", bold=True), *told, *_size(outline)]
    return f"{game}: {', '.join(told)}"


def _size(outline: Outline) -> list[str]:
    low, high = outline.players
    players = f"{low} players" if low == high else f"{low} to {high} players"
    counts = [output.counted(number, thing) for thing, number in outline.counts if number]
    cited = [f"{lines} of {of} lines of `{source}` cited" for source, lines, of in outline.cited]
    return [players, *counts, *cited]


def _as_json(game: str, book: api.Book) -> dict[str, object]:
    from rulespec.compiler.render import as_json

    outline = book.outline
    found = book.all_diagnostics
    size: dict[str, object] = {}
    if outline is not None:
        size = {
            "title": outline.title,
            "players": list(outline.players),
            "counts": dict(outline.counts),
            "cited": {source: {"lines": lines, "of": of} for source, lines, of in outline.cited},
        }
    errors = output.errors_in(found)
    return {
        "game": game,
        "good": not errors,
        "errors": errors,
        "warnings": len(found) - errors,
        **size,
        "diagnostics": [as_json(each, book.sources) for each in found],
    }
