"""`rulespec bounds`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec import api, whole_file
from rulespec.cli import output
from rulespec.cli.configuration import Wanted, configuration_of, configuration_options
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import working_on

if TYPE_CHECKING:
    from rulespec.bounding.plan import Plan
    from rulespec.compiler.core.tree import Core
    from rulespec.proofs.extremes import Extremes

PLAIN_WIDTH = 120


@click.command
@click.argument("game")
@click.argument("expressions", nargs=-1, metavar="[EXPR]...")
@configuration_options()
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(1, 1_000_000),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to try, in seconds of one processor.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**62),
    default=0,
    show_default=True,
    metavar="N",
    help="Decides which plays are tried.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with the plays.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write each best play as a file for `rulespec run --moves`.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show the best plays, as examples for the rulebook.")
def command(
    game: str,
    expressions: tuple[str, ...],
    wanted: Wanted,
    seconds: float,
    seed: int,
    as_json: bool,
    out: Path | None,
    verbose: bool,
) -> ExitCode:
    """Find how high and how low numbers can go, proved and played.

    An expression is written as in the rules, with `for` where it stands for several: `p.points for p in
    players`. Its extremes are those of all positions in which somebody waits. Without expressions: each
    player's score at the end, what the rulebook's bounds are about, purses, counters, and how many choices
    a game takes.

    A ceiling is proved for every play, however long; the highest play shows how near that comes. Where both
    meet it is exact. Ctrl-C ends it and shows what is known by then.

    \b
    Examples:
      rulespec bounds il_principe --players 2
      rulespec bounds il_principe "p.purse for p in players" "size(row)"
      rulespec bounds il_principe "p.points for p in players" --time 300 --json
      rulespec bounds harbor.rules.md --out plays
    """
    book = api.open_rulebook(game)
    configuration = configuration_of(book, wanted)
    if configuration is None:
        return output.problems(as_json=as_json)
    from rulespec.bounding import plan as planning

    with working_on(f"reading `{game}`"):
        plan = planning.plan(book, configuration, expressions)
    output.show(plan.diagnostics, plan.sources)
    if plan.core is None:
        return output.problems(as_json=as_json)
    results, interrupted = _find(plan, seconds, seed)
    _show(plan.core, results, as_json, verbose)
    if out is not None:
        _write(out, plan.core, results)
    if interrupted:
        click.echo("interrupted: this is what was known by then", err=True)
        return ExitCode.INTERRUPTED
    return ExitCode.FINE


def _find(plan: Plan, seconds: float, seed: int) -> tuple[list[Extremes], bool]:
    from rulespec.interruption import interruptible
    from rulespec.proofs.extremes import Effort, extremes

    assert plan.core is not None
    with (
        interruptible() as interrupted,
        working_on(f"bounding `{plan.core.configuration.game}`"),
    ):
        effort = Effort(seconds=seconds, seed=seed)
        results = extremes(plan.core, plan.targets, effort, _teller(), interrupted)
        stopped = interrupted()
    output.line("")
    return results, stopped


def _teller() -> Callable[[str, int, int], None]:
    """Tells on standard error what is being tried."""
    teller = output.Teller()

    def tell(text: str, done: int, whole: int) -> None:
        teller(f"{text} {done:,} of {whole:,}" if whole else text)

    return tell


def _show(core: Core, results: list[Extremes], as_json: bool, verbose: bool) -> None:
    from rulespec.bounding import report

    if as_json:
        click.echo(json.dumps(report.as_json(core, results), indent=2, ensure_ascii=False))
        return
    console = output.console(PLAIN_WIDTH)
    console.print(report.table(core, results))
    for note in report.notes(core, results):
        console.print(note)
    for example in report.plays(results) if verbose else ():
        click.echo(f"\n{example}", nl=False)


def _write(out: Path, core: Core, results: list[Extremes]) -> None:
    from rulespec.bounding import report

    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in report.files(core, results):
            whole_file.write(out / name, text.encode())
    except (OSError, whole_file.Unwritable) as error:
        raise click.ClickException(f"`{out}` cannot be written: {error}") from None
    click.echo(f"plays in `{out}`", err=True)
