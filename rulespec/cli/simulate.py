"""`rulespec simulate`."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec import api, whole_file
from rulespec.cli import output
from rulespec.cli.configuration import MOST_JOBS, Wanted, configuration_options, core_of, jobs_option
from rulespec.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from rulespec.simulation.report import Setting
    from rulespec.simulation.tally import Tally

FILE = click.Path(path_type=Path)


@click.command
@click.argument("game")
@configuration_options()
@click.option(
    "-n",
    "--games",
    type=click.IntRange(1, 100_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many games.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**62),
    default=1,
    show_default=True,
    metavar="N",
    help="The seed of the first game; the others follow.",
)
@jobs_option
@click.option(
    "--engine", type=click.Choice(api.ENGINES), default="python", show_default=True, help="What plays."
)
@click.option("--out", type=FILE, metavar="FILE", help="Keep the games in a Parquet file, a row each.")
@click.option("--plot", type=FILE, metavar="FILE", help="Draw scores, wins and lengths as a PNG picture.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
def command(
    game: str,
    wanted: Wanted,
    games: int,
    seed: int,
    jobs: int | None,
    engine: str,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
) -> ExitCode:
    """Play many random games and say what they come to.

    Lengths, scores and wins by seat, how often each rule and option happened, and which never did. The games
    follow from their seeds alone, whatever the number of processes; `rulespec run --seed` shows one of them.
    Ctrl-C ends it early, and keeps what was played.

    \b
    Examples:
      rulespec simulate il_principe --players 4 --games 10000
      rulespec simulate il_principe --players 3 --out games.parquet --plot games.png
      rulespec simulate il_principe --players 2 --variant generous --json
    """
    _need("pyarrow", "--out", out)
    _need("matplotlib", "--plot", plot)
    core = core_of(api.open_rulebook(game), wanted)
    if core is None:
        return output.problems(as_json=as_json)
    from rulespec.compiler.core.print import digest
    from rulespec.play.events import seat_names
    from rulespec.simulation.report import Setting

    setting = Setting(core, seat_names(core), engine, seed, games, digest(core))
    try:
        return _simulate(setting, min(jobs or _processors(), games), out, plot, as_json)
    except whole_file.Unwritable as error:
        raise click.ClickException(str(error)) from None


def _need(package: str, option: str, asked: Path | None) -> None:
    if asked is not None and importlib.util.find_spec(package) is None:
        extra = "pip install 'rulespec[simulate]'"
        raise click.ClickException(f"`{option}` needs {package}, which is in the extra `simulate`: {extra}")


def _processors() -> int:
    # Fewer than the machine has where this process may not use all of them.
    allowed = getattr(os, "sched_getaffinity", None)
    number = os.cpu_count() or 1 if allowed is None else len(allowed(0))
    return min(MOST_JOBS, number)


def _simulate(setting: Setting, jobs: int, out: Path | None, plot: Path | None, as_json: bool) -> ExitCode:
    from rulespec.simulation import run
    from rulespec.simulation.progress import progress

    if plot is not None:
        whole_file.check(plot)
    with progress(setting.asked, colors=output.colors_on(sys.stderr)) as advance:
        tally = run.play(setting, jobs, out, advance)
    _print(setting, tally, as_json)
    if out is not None:
        click.echo(f"{output.counted(len(tally.games), 'game')} in `{out}`", err=True)
    if plot is not None:
        _draw(plot, setting, tally)
    if len(tally.games) < setting.asked:
        click.echo(f"interrupted after {len(tally.games):,} of {setting.asked:,} games", err=True)
        return ExitCode.INTERRUPTED
    return ExitCode.PROBLEMS if tally.stopped else ExitCode.FINE


def _print(setting: Setting, tally: Tally, as_json: bool) -> None:
    from rulespec.simulation import report

    if as_json:
        click.echo(json.dumps(report.as_json(setting, tally), indent=2, ensure_ascii=False))
        return
    console = output.console()
    for table in report.tables(setting, tally):
        console.print(table)


def _draw(plot: Path, setting: Setting, tally: Tally) -> None:
    if not any(game.scores for game in tally.finished):
        click.echo(f"`{plot}` is not drawn: no game has come to an end with scores", err=True)
        return
    from rulespec.simulation import picture

    whole_file.write(plot, picture.png(setting, tally))
    click.echo(f"picture in `{plot}`", err=True)
