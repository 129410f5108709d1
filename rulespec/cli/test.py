"""`rulespec test`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import working_on

if TYPE_CHECKING:
    from rulespec.compiler.typed.tree import Example
    from rulespec.examples import Collection, Ran


@click.command
@click.argument("game")
@click.option(
    "--with",
    "outside",
    metavar="FILE",
    help="Run the examples of this file instead: `.rules` or `.rules.md`.",
)
@click.option("-k", "name", metavar="NAME", help="Only examples with this in their name or title.")
@click.option(
    "--agree",
    type=click.IntRange(1),
    metavar="N",
    help="Instead of the examples, play N random games in both engines at once and compare every step.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="The first game's seed, with --agree.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One JSON list with an object for each example, or with one that says why there are none.",
)
def command(
    game: str, outside: str | None, name: str | None, agree: int | None, seed: int, as_json: bool
) -> ExitCode:
    """Run the examples of a rulebook.

    Each example puts a position on an empty table, carries out a rule with the moves it lists, and says
    what must then hold. One that fails is shown with the step or the line that failed, and the values
    that it found.

    A dispute at the table is settled by an example in a file of your own, which changes nothing in the
    rulebook:

    \b
      example may_i "Two blazons in one region" @rb(56):
          players 3
          given:
              p0.hand = {blue: 2, red: 1, yellow: 1}
              ...

    \b
    Examples:
      rulespec test il_principe                        all examples of the rulebook
      rulespec test il_principe -k milan               those about Milan
      rulespec test il_principe --with dispute.rules   those of a file of your own
      rulespec test il_principe --agree 10000          both engines, over all variants and readings
    """
    from rulespec import examples

    book = api.open_rulebook(game)
    if agree is not None and book.outline is not None:
        from rulespec.cli.agreeing import agree as compared

        return compared(book, game, agree, seed, as_json)
    collection = examples.outside(book, outside) if outside else examples.own(book)
    if collection.rulebook is None:
        if as_json:
            click.echo(json.dumps([_unreadable(collection)], indent=2, ensure_ascii=False))
        else:
            output.show(collection.diagnostics, collection.sources)
        return ExitCode.PROBLEMS
    chosen = [each for each in collection.examples if _is_chosen(each, name)]
    if not chosen:
        raise click.ClickException(f"no example is named like `{name}`" if name else "there are no examples")
    started = time.perf_counter()
    ran = []
    for number, example in enumerate(chosen, 1):
        output.line(f"{number}/{len(chosen)} {example.name}")
        with working_on(f"running example `{example.name}`"):
            ran.append(examples.run(collection.rulebook, example))
        output.line("")
        if not as_json:
            _tell(ran[-1], collection.sources)
    if as_json:
        objects = [_as_json(each, collection.sources) for each in ran]
        click.echo(json.dumps(objects, indent=2, ensure_ascii=False))
    else:
        click.echo(_verdict(game, ran, time.perf_counter() - started))
    return ExitCode.FINE if all(each.passed for each in ran) else ExitCode.PROBLEMS


def _is_chosen(example: Example, name: str | None) -> bool:
    return name is None or name in example.name or name.lower() in example.title.lower()


def _tell(ran: Ran, sources: Mapping[str, str]) -> None:
    from rulespec import examples_told

    color = output.colors_on(sys.stdout)
    for paragraph in examples_told.paragraphs(ran, sources, color=color):
        click.echo(paragraph, color=color)


def _verdict(game: str, ran: list[Ran], seconds: float) -> str:
    failed = [each.example.name for each in ran if not each.passed]
    total = output.counted(len(ran), "example")
    if not failed:
        return f"{game}: {click.style('good', fg='green', bold=True)}, {total} in {seconds:.1f} s"
    count = click.style(f"{len(failed)} of {total} failed", fg="red", bold=True)
    return f"{game}: {count} in {seconds:.1f} s: {', '.join(failed)}"


def _unreadable(collection: Collection) -> dict[str, object]:
    """Instead of all examples: nothing can be run, and why."""
    from rulespec.compiler.render import as_json

    found = [as_json(each, collection.sources) for each in collection.diagnostics]
    return {"passed": False, "message": "the examples cannot be read", "diagnostics": found}


def _as_json(ran: Ran, sources: Mapping[str, str]) -> dict[str, object]:
    from rulespec.compiler.render import as_json
    from rulespec.examples_told import findings

    example = ran.example
    found = findings(ran)
    return {
        "name": example.name,
        "title": example.title,
        "citation": str(example.citation) if example.citation else "",
        "players": example.players,
        "variants": list(example.variants),
        "readings": dict(example.readings),
        "passed": ran.passed,
        "message": ran.result.message if ran.result else "",
        "values": list(ran.result.parts) if ran.result else [],
        "played": list(ran.result.played) if ran.result else [],
        "unreachable": list(ran.result.unreachable) if ran.result else [],
        "breaks": [claim.name for claim in ran.result.breaks] if ran.result else [],
        "ends_breaking": list(ran.result.ends_breaking) if ran.result else [],
        "diagnostics": [as_json(each, sources) for each in found],
    }
