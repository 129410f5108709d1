"""`rulespec verify std`: the standard library."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, replace

import click

from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.verify import status
from rulespec.outline import ConfigurationError
from rulespec.proofs.verdicts import Limits
from rulespec.verifying import standard
from rulespec.verifying.plan import Wanted
from rulespec.verifying.processes import Workers, processors
from rulespec.verifying.progress import progress
from rulespec.verifying.run import verify

# Options that are for one rulebook.
NOT_HERE = ("fresh", "locked", "vacuity", "export", "explain", "deadline")


def verify_std(wanted: Wanted, limits: Limits) -> ExitCode:
    """Verify all of it as the options say, show what came of it, and say how to end."""
    given = click.get_current_context().params
    if any(given[name] not in (False, None, ()) for name in NOT_HERE):
        named = ", ".join(f"`--{name}`" for name in NOT_HERE)
        raise click.UsageError(f"{named} are for one rulebook, and `std` is several: `std/NAME` is one")
    return _Command(wanted, limits, given["jobs"], given["strict"], given["as_json"], given["verbose"]).run()


@dataclass(frozen=True)
class _Command:
    """One call of the command."""

    wanted: Wanted
    limits: Limits
    jobs: int | None
    strict: bool
    as_json: bool
    verbose: bool

    def run(self) -> ExitCode:
        began = time.monotonic()
        try:
            asked = standard.mechanisms(self.wanted, self.limits)
        except ConfigurationError as error:
            raise click.UsageError(str(error)) from None
        parts = [part for each in asked for part in each.parts]
        checked = time.monotonic() - began
        with (
            progress(parts, checked, examples=False, colors=output.colors_on(sys.stderr)) as watcher,
            Workers(min(self.jobs or processors(), len(parts)), self.limits.memory) as workers,
        ):
            outcome = verify(standard.NAME, parts, workers, watcher, examples=False, games=False)
        found = list(standard.apart(outcome, asked))
        if not self.wanted.properties and not outcome.interrupted:
            found = [(each, replace(of, examples=standard.carried_out(each.name))) for each, of in found]
        self._show(found, time.monotonic() - began)
        return status(outcome, failed=any(of.failed_examples for _, of in found), strict=self.strict)

    def _show(self, found: standard.Found, seconds: float) -> None:
        if self.as_json:
            click.echo(json.dumps(standard.to_json(found), indent=2, ensure_ascii=False))
            return
        standard.show(output.console(), found, seconds, verbose=self.verbose)
