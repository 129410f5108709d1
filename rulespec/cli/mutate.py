"""`rulespec mutate`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.configuration import Wanted, configuration_options, core_of, jobs_option
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import working_on

if TYPE_CHECKING:
    from rulespec.compiler.core.tree import Configuration
    from rulespec.compiler.typed.mutants import Mutant
    from rulespec.mutating.bench import Bench
    from rulespec.mutating.run import Outcome


@click.command
@click.argument("game")
@configuration_options()
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only so many changes, drawn at random.")
@click.option("--seed", type=int, default=0, show_default=True, help="For the sample.")
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="NAME",
    help="Only changes of this rule or function; may be repeated.",
)
@click.option("--only", multiple=True, metavar="ID", help="Only this change; may be repeated.")
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(1, 1_000_000),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to try to prove one change, in seconds of one processor.",
)
@click.option("--no-proof", is_flag=True, help="Ask the compiler, the examples and plays only.")
@jobs_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all that was tried.")
@click.option("-v", "--verbose", is_flag=True, help="Show what was noticed, by what, and what was left out.")
def command(
    game: str,
    wanted: Wanted,
    sample: int | None,
    seed: int,
    rules: tuple[str, ...],
    only: tuple[str, ...],
    seconds: float,
    no_proof: bool,
    jobs: int | None,
    as_json: bool,
    verbose: bool,
) -> ExitCode:
    """Change the rules in small ways and see what notices.

    Each change is one number, one comparison, one statement, one player. It is held against what the
    rulebook has, the cheapest first: the compiler, the examples that come by the changed place, random
    plays against all claims, and the proof of all claims. What none of them notices is listed with its
    place, before and after: a list to review, for each of them may want an example or an invariant.

    Changes that make no difference with this number of players are left out of the score. Each has an
    id that stays the same while its rule does; `--only ID` tries it again. Ctrl-C shows what is finished.

    \b
    Examples:
      rulespec mutate il_principe --players 3 --sample 100
      rulespec mutate il_principe --players 3 --rule sell
      rulespec mutate il_principe --players 3 --only sell.drop.2 --verbose
      rulespec mutate il_principe --sample 100 --seed 7 --no-proof --json
    """
    from rulespec.mutating import report

    book = api.open_rulebook(game)
    core = core_of(book, wanted)
    if core is None or book.outline is None:
        return output.problems(as_json=as_json)
    chosen = core.configuration
    outcome = _tried(book, game, chosen, (sample, seed, rules, only), seconds, not no_proof, jobs)
    if as_json:
        told = report.to_json(book.outline.game, chosen.players, seed, outcome)
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        report.show(output.console(), book.outline.game, chosen.players, outcome, verbose=verbose)
    return _status(outcome)


def _tried(
    book: api.Book,
    game: str,
    configuration: Configuration,
    wanted: tuple[int | None, int, tuple[str, ...], tuple[str, ...]],
    seconds: float,
    proof: bool,
    jobs: int | None,
) -> Outcome:
    from rulespec.mutating import run
    from rulespec.mutating.bench import changes
    from rulespec.verifying.processes import Workers, processors

    with working_on(f"changing `{game}`"):
        found = changes(book)
        chosen = _choose(found, *wanted)
        bench = _bench(book, game, configuration, seconds, proof)
    teller = output.Teller()

    def tell(outcome: Outcome) -> None:
        unnoticed = outcome.counted - outcome.noticed
        teller(f"{len(outcome.tried)} of {outcome.asked} changes tried, {unnoticed} unnoticed")

    with Workers(max(1, min(jobs or processors(), len(chosen)))) as workers:
        outcome = run.run(bench, chosen, len(found), workers, tell)
    output.line("")
    return outcome


def _choose(
    found: tuple[Mutant, ...], sample: int | None, seed: int, rules: tuple[str, ...], only: tuple[str, ...]
) -> tuple[Mutant, ...]:
    from rulespec.mutating import run

    try:
        return run.choose(found, sample, seed, rules, only)
    except KeyError as error:
        raise click.UsageError(f"there is no change of `{error.args[0]}`, and none with this id") from None


def _bench(book: api.Book, game: str, configuration: Configuration, seconds: float, proof: bool) -> Bench:
    """With the examples that fail already, which therefore notice nothing."""
    from rulespec import examples
    from rulespec.mutating.bench import Bench
    from rulespec.proofs.verdicts import Limits

    rulebook = examples.own(book).rulebook
    failing: set[str] = set()
    for number, example in enumerate(rulebook.examples if rulebook else ()):
        assert rulebook is not None
        output.line(f"example {number + 1} of {len(rulebook.examples)}")
        if not examples.run(rulebook, example).passed:
            failing.add(example.name)
            click.echo(f"example `{example.name}` fails without any change, and is left out", err=True)
    return Bench(game, configuration, replace(Limits(), proof=seconds), proof, frozenset(failing))


def _status(outcome: Outcome) -> ExitCode:
    output.faults(outcome.faults)
    if outcome.interrupted:
        return ExitCode.INTERRUPTED
    return ExitCode.FAULT if outcome.faults else ExitCode.FINE
