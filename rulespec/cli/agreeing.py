"""What `rulespec test --agree` says."""

from __future__ import annotations

import json
import time

import click

from rulespec import agreement
from rulespec.agreement import Agreed
from rulespec.api import Book
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import working_on
from rulespec.compiler.core.tree import Configuration


def agree(book: Book, game: str, games: int, seed: int, as_json: bool) -> ExitCode:
    """Play random games in both engines at once, over all configurations, and say whether they agree."""
    started = time.perf_counter()
    with working_on(f"playing {games} games of `{game}` in both engines"):
        found = agreement.compare(book, games, seed, _tell)
    output.line("")
    seconds = time.perf_counter() - started
    click.echo(json.dumps(_as_json(found, seconds)) if as_json else _told(game, found, seconds))
    return ExitCode.PROBLEMS if found.difference else ExitCode.FINE


def _tell(done: int, steps: int) -> None:
    output.line(f"{done} games, {steps} steps")


def _told(game: str, found: Agreed, seconds: float) -> str:
    size = f"{found.games} games with {found.steps} steps in {found.configurations} configurations"
    if found.difference is None:
        good = click.style("the engines agree", fg="green", bold=True)
        return f"{game}: {good}, {size}, in {seconds:.0f} s"
    bad = click.style("the engines part", fg="red", bold=True)
    assert found.where is not None
    return f"{game}: {bad} with {_way(found.where)}, after {size}\n  {found.difference}"


def _way(way: Configuration) -> str:
    readings = [f"{name} is {meaning}" for name, meaning in way.readings]
    return ", ".join([f"{way.players} players", *way.variants, *readings])


def _as_json(found: Agreed, seconds: float) -> dict[str, object]:
    return {
        "games": found.games,
        "steps": found.steps,
        "configurations": found.configurations,
        "difference": str(found.difference) if found.difference else "",
        "where": _way(found.where) if found.where else "",
        "seconds": round(seconds, 2),
    }
