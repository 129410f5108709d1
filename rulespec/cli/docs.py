"""`rulespec docs`."""

from __future__ import annotations

from pathlib import Path

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode


@click.group
def command() -> None:
    """Publish rulebooks as a site that can be browsed."""


@command.command("build")
@click.argument("games", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("site"), show_default=True)
def build(games: tuple[str, ...], out: Path) -> ExitCode:
    """Make the site of some games in a folder."""
    from rulespec.site import build as site
    from rulespec.site.subject import Subject

    try:
        subjects = [Subject(game) for game in games]
    except api.RulesError as error:
        output.show(error.diagnostics, error.sources)
        return output.problems(as_json=False)
    site.build(subjects, out)
    return ExitCode.FINE
