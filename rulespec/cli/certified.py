"""`rulespec verify --export`: proofs to look into."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec import api, whole_file
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import describe_fault

if TYPE_CHECKING:
    from rulespec.proofs.verdicts import Limits
    from rulespec.verifying.certified import Outcome
    from rulespec.verifying.plan import Part, Wanted
    from rulespec.verifying.processes import Job
    from rulespec.verifying.work import Stage

SECONDS = 10.0  # between lines where there is no terminal


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


def _carried_out(
    game: str, wanted: Wanted, limits: Limits, jobs: int | None, make: Callable[[Part], Job]
) -> Outcome:
    """A job for each configuration that is no small one; nothing where the rulebook has errors."""
    from rulespec.cli.verify import line, planned
    from rulespec.verifying import certified
    from rulespec.verifying.processes import Workers, processors

    book = api.open_rulebook(game)
    plan = planned(book, game, wanted, limits)
    output.show(plan.diagnostics, book.sources)
    parts = {number: part for number, part in enumerate(plan.parts) if not part.scope}
    todo: Mapping[int, Job] = {number: make(part) for number, part in parts.items()}
    if not todo:
        return certified.Outcome()
    last = time.monotonic()

    def tell(job: int, stage: Stage) -> None:
        nonlocal last
        part = parts[job]
        text = f"{part.label}: {stage.text}" + (f", {stage.done} of {stage.whole}" if stage.whole else "")
        line(text)
        if not sys.stderr.isatty() and time.monotonic() - last > SECONDS:
            last = time.monotonic()
            click.echo(text, err=True)

    with Workers(min(jobs or processors(), len(todo))) as workers:
        outcome = certified.run(todo, workers, tell)
    line("")
    return outcome


def _status(outcome: Outcome) -> ExitCode:
    for text in dict.fromkeys(str(fault) for fault in outcome.faults):
        click.echo(describe_fault(next(each for each in outcome.faults if str(each) == text)), err=True)
    if outcome.interrupted:
        return ExitCode.INTERRUPTED
    if outcome.faults:
        return ExitCode.FAULT
    return ExitCode.FINE if outcome.results else ExitCode.PROBLEMS
