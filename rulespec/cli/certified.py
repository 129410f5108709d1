"""`rulespec verify --export` and `--explain`: proofs to look into."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec import api, whole_file
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode

if TYPE_CHECKING:
    from rulespec.proofs.verdicts import Limits
    from rulespec.verifying.plan import Part, Wanted
    from rulespec.verifying.processes import Gathered, Job
    from rulespec.verifying.work import Stage

MOST = 6  # claims that are explained at once


def show(
    game: str,
    wanted: Wanted,
    limits: Limits,
    jobs: int | None,
    folder: Path | None,
    asked: str | None,
    as_json: bool,
) -> ExitCode:
    """Write proofs into a folder, or say why a claim holds: one of the two is asked for."""
    if folder is None:
        return explain(game, wanted, limits, jobs, asked or "", as_json)
    if asked is not None:
        raise click.UsageError("only one of `--export` and `--explain` can be given")
    return export(game, wanted, limits, jobs, folder)


def export(game: str, wanted: Wanted, limits: Limits, jobs: int | None, folder: Path) -> ExitCode:
    """Write what the proofs rest on into a folder."""
    from rulespec.proofs.exported import PAGE, page
    from rulespec.verifying import folder as folders
    from rulespec.verifying.certified import ExportJob

    try:
        folders.check(folder)
        outcome = _carried_out(game, wanted, limits, jobs, ExportJob)
        if outcome.faults or outcome.interrupted or not outcome.results:
            return _status(outcome)
        found = [outcome.results[number] for number in sorted(outcome.results)]
        files = {file.name: file.text for part in found for file in part.files}
        folders.write(folder, {PAGE: page(found[0].game, found), **files})
    except whole_file.Unwritable as error:
        raise click.ClickException(str(error)) from None
    claims = sum(len(part.proved) for part in found)
    told = f"{len(files):,} questions behind {claims:,} proved claims are in `{folder}`"
    click.echo(f"{told}; `{PAGE}` there says what they are")
    unproved = sum(len(part.open) for part in found)
    if unproved:
        click.echo(f"{unproved:,} claims are not proved; `{PAGE}` says why")
    return _status(outcome)


def explain(
    game: str, wanted: Wanted, limits: Limits, jobs: int | None, asked: str, as_json: bool
) -> ExitCode:
    """Say why a claim holds; without a number of players, with as few as there can be.

    Where one that was asked for is neither proved nor known otherwise, problems were found.
    """
    from rulespec.proofs.explained import lines
    from rulespec.verifying.certified import ExplainJob

    only = replace(wanted, properties=(asked,), scopes=False)
    outcome = _carried_out(game, only, limits, jobs, ExplainJob, asked=asked)
    told = [each for number in sorted(outcome.results) for each in outcome.results[number]]
    if as_json:
        click.echo(json.dumps([asdict(each) for each in told], indent=2, ensure_ascii=False))
    elif told:
        click.echo("\n".join(text for each in told for text in (*lines(each), "")).rstrip("\n"))
    status = _status(outcome)
    return (
        ExitCode.PROBLEMS
        if status == ExitCode.FINE and any(each.why_not and not each.otherwise for each in told)
        else status
    )


def _meant(parts: Mapping[int, Part], asked: str, players: tuple[int, ...]) -> Mapping[int, Part]:
    """The parts that are to be explained: of all that is meant, what has exactly the name or title."""
    from rulespec.proofs.claims import Claims

    if not players:
        parts = dict(list(parts.items())[:1])
    chosen: dict[int, Part] = {}
    for number, part in parts.items():
        claims = Claims(part.core).all
        names = part.properties or ()
        exact = tuple(n for n in names if asked in (n, claims[n].title, n.partition(" ")[2]))
        if len(exact or names) > MOST:
            some = ", ".join(f"`{name}`" for name in names[:3])
            raise click.UsageError(f"`{asked}` may be any of {len(names)} claims, such as {some}: name one")
        chosen[number] = replace(part, properties=exact or names)
    return chosen


def _carried_out(
    game: str,
    wanted: Wanted,
    limits: Limits,
    jobs: int | None,
    make: Callable[[Part], Job],
    *,
    asked: str = "",
) -> Gathered:
    """A job for each configuration that is no small one; nothing where the rulebook has errors."""
    from rulespec.cli.verify import planned
    from rulespec.verifying.processes import Gathered, Workers, gather, processors

    book = api.open_rulebook(game)
    plan = planned(book, game, wanted, limits)
    output.show(plan.diagnostics, book.sources)
    parts: Mapping[int, Part] = {n: part for n, part in enumerate(plan.parts) if not part.scope}
    parts = _meant(parts, asked, wanted.players) if asked else parts
    todo: Mapping[int, Job] = {number: make(part) for number, part in parts.items()}
    if not todo:
        return Gathered()
    teller = output.Teller()

    def tell(job: int, stage: Stage) -> None:
        far = f", {stage.done} of {stage.whole}" if stage.whole else ""
        teller(f"{parts[job].label}: {stage.text}{far}")

    with Workers(min(jobs or processors(), len(todo))) as workers:
        outcome = gather(todo, workers, tell=tell)
    output.line("")
    return outcome


def _status(outcome: Gathered) -> ExitCode:
    output.faults(outcome.faults)
    if outcome.interrupted:
        return ExitCode.INTERRUPTED
    if outcome.faults:
        return ExitCode.FAULT
    return ExitCode.FINE if outcome.results else ExitCode.PROBLEMS
