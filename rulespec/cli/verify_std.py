"""`rulespec verify std`: the standard library."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace

import click
from rich.console import Console

from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.outline import ConfigurationError
from rulespec.proofs.verdicts import Limits
from rulespec.verifying import run, standard
from rulespec.verifying.plan import Wanted
from rulespec.verifying.processes import Workers, processors
from rulespec.verifying.progress import progress

PLAIN_WIDTH = 100
SETTLED = ("proved", "exhaustive", "vacuous")


def verify_std(
    wanted: Wanted, limits: Limits, jobs: int | None, *, strict: bool, as_json: bool, verbose: bool
) -> ExitCode:
    """Verify all of it, show what came of it, and say how to end."""
    began = time.monotonic()
    try:
        asked = standard.mechanisms(wanted, limits)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    parts = [part for each in asked for part in each.parts]
    checked = time.monotonic() - began
    with (
        progress(parts, checked, examples=False, colors=output.colors_on(sys.stderr)) as watcher,
        Workers(min(jobs or processors(), len(parts)), limits.memory) as workers,
    ):
        outcome = run.verify(standard.NAME, parts, workers, watcher, examples=False, games=False)
    found = list(standard.apart(outcome, asked))
    if not wanted.properties and not outcome.interrupted:
        found = [(each, replace(of, examples=standard.carried_out(each.name))) for each, of in found]
    if as_json:
        click.echo(json.dumps(standard.to_json(found), indent=2, ensure_ascii=False))
    else:
        width = None if sys.stdout.isatty() else PLAIN_WIDTH
        console = Console(width=width, no_color=not output.colors_on(sys.stdout), highlight=False)
        standard.show(console, found, time.monotonic() - began, verbose=verbose)
    return _status(outcome, [of for _, of in found], strict)


def _status(outcome: run.Outcome, found: list[run.Outcome], strict: bool) -> ExitCode:
    for fault in outcome.faults:
        click.echo(str(fault), err=True)
    doubted = output.doubts(outcome.all_verdicts)
    if outcome.interrupted:
        return ExitCode.INTERRUPTED
    if outcome.faults or doubted:
        return ExitCode.FAULT
    failed = any(of.failed_examples for of in found)
    open_claims = any(each.verdict not in SETTLED for each in outcome.all_verdicts)
    refuted = outcome.any_are("refuted")
    return ExitCode.PROBLEMS if refuted or failed or (strict and open_claims) else ExitCode.FINE
