"""`rulespec games`."""

from __future__ import annotations

import json

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.outline import Outline


@click.command
@click.option("--json", "as_json", is_flag=True, help="One JSON list with an object for each game.")
def command(as_json: bool) -> ExitCode:
    """List the games that come with rulespec.

    Each is a rulebook: its name goes wherever a command takes a game.

    \b
    Examples:
      rulespec games
      rulespec games --json
      rulespec check tic_tac_toe
    """
    found: list[tuple[str, Outline]] = []
    for name in api.games():
        book = api.open_rulebook(name)
        if book.outline is None:
            output.show(book.diagnostics, book.sources)
            return output.problems(as_json=as_json, empty="[]")
        found.append((name, book.outline))
    if as_json:
        click.echo(json.dumps([_as_json(*each) for each in found], indent=2, ensure_ascii=False))
    else:
        _print(found)
    return ExitCode.FINE


def _as_json(name: str, outline: Outline) -> dict[str, object]:
    """The name, the title, the least and most players, and the names of variants and of open questions."""
    return {
        "name": name,
        "title": outline.title,
        "players": list(outline.players),
        "variants": [variant for variant, _ in outline.variants],
        "readings": [each.name for each in outline.readings if len(each.meanings) > 1],
    }


def _print(found: list[tuple[str, Outline]]) -> None:
    rows = [("name", "title", "players", "variants")]
    for name, outline in found:
        low, high = outline.players
        players = str(low) if low == high else f"{low} to {high}"
        rows.append((name, outline.title, players, " ".join(variant for variant, _ in outline.variants)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
