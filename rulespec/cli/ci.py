"""`rulespec ci`."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click

from rulespec import api, projects, whole_file
from rulespec.ci import github, places, report, stage
from rulespec.ci.finding import Finding, Opened
from rulespec.ci.stage import Result
from rulespec.ci.stages import STAGES
from rulespec.cli import output
from rulespec.cli.exit_code import ExitCode

GITHUB = "GITHUB_ACTIONS"
SUMMARY = "GITHUB_STEP_SUMMARY"


@click.command
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@click.option(
    "--stage",
    "names",
    multiple=True,
    type=click.Choice([each.name for each in STAGES]),
    help="Only this stage; may be repeated.",
)
@click.option("--strict", is_flag=True, help="Warnings count too, and what is tried but not proved.")
@click.option("--allow-unknown", is_flag=True, help="What could not be decided does not count.")
@click.option(
    "--sarif",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write all that is found as SARIF 2.1.0, for code scanning.",
)
@click.option(
    "--annotations/--no-annotations",
    default=None,
    help=f"Print remarks for GitHub; by default where {GITHUB} is `true`.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    paths: tuple[str, ...],
    names: tuple[str, ...],
    strict: bool,
    allow_unknown: bool,
    sarif: Path | None,
    annotations: bool | None,
    as_json: bool,
) -> ExitCode:
    """All that must hold before a change is taken.

    Each PATH is a rulebook, a module (which stands for the rulebooks that use it) or a folder, in which all
    rulebooks are found; without one, it is this folder. Every stage is carried out, though an earlier one
    failed, and the status is 1 if any does. Nothing is proved here: `rulespec verify` does that, and
    `rulespec.lock` keeps what it found.

    \b
    Examples:
      rulespec ci                             all rulebooks below this folder
      rulespec ci harbor.rules.md --strict    one, and warnings count
      rulespec ci --sarif rulespec.sarif      for code scanning
      rulespec ci --stage check harbor.rules  one stage alone
    """
    if sarif is not None:
        _check_writable(sarif)
    books = [Opened(name, api.open_rulebook(name)) for name in projects.named(paths or (".",))]
    if not books:
        raise click.ClickException(f"there is no rulebook in {_listed(paths or ('.',))}")
    chosen = [each for each in STAGES if each.name in names or not names]
    color = output.colors_on(sys.stdout) and not as_json
    work = stage.Work(output.Teller(), color, strict, allow_unknown)
    if annotations is None:
        annotations = os.environ.get(GITHUB) == "true"
    shown = _Shown(places.top(os.environ), annotations, as_json)
    results = []
    with shown.unheard():
        for result in stage.carry_out(chosen, books, work):
            results.append(result)
            shown.result(result)
        shown.all(results)
    if sarif is not None:
        _write_sarif(sarif, results, shown.top)
    return _status(results)


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(f"`{path}`" for path in paths)


def _check_writable(path: Path) -> None:
    try:
        whole_file.check(path)
    except whole_file.Unwritable as error:
        raise click.UsageError(str(error)) from None


def _status(results: Sequence[Result]) -> ExitCode:
    if any(each.result == stage.STOPPED for each in results):
        return ExitCode.INTERRUPTED
    if any(each.fault for each in results):
        return ExitCode.FAULT
    return ExitCode.FINE if report.is_good(results) else ExitCode.PROBLEMS


def _write_sarif(path: Path, results: Sequence[Result], top: places.Top) -> None:
    from rulespec.ci import sarif

    complete = not any(each.fault or each.result == stage.STOPPED for each in results)
    log = sarif.log(_findings(results), top, complete=complete)
    text = json.dumps(log, indent=2, ensure_ascii=False)
    try:
        whole_file.write(path, text.encode("utf-8", "replace"))
    except whole_file.Unwritable as error:
        raise click.ClickException(str(error)) from None


def _findings(results: Sequence[Result]) -> list[Finding]:
    return [finding for result in results for finding in result.findings]


@dataclass(frozen=True)
class _Shown:
    """What is printed, and what is handed to GitHub where that is asked for."""

    top: places.Top
    annotations: bool
    as_json: bool
    token: str = field(default_factory=lambda: secrets.token_hex(16))

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """What is printed meanwhile may quote a rulebook, and GitHub is to follow none of it."""
        if not self.annotations:
            yield
            return
        click.echo(github.unheard(self.token), err=self.as_json)
        try:
            yield
        finally:
            click.echo(github.heard(self.token), err=self.as_json)

    def result(self, result: Result) -> None:
        """What one stage found, as soon as it is through."""
        if result.fault is not None:
            output.faults([result.fault])
        if not self.as_json:
            for finding in result.findings:
                if finding.shown:
                    click.echo(f"{finding.shown}\n", color=output.colors_on(sys.stdout))
        remarks = [github.line(each, self.top) for each in result.findings if each.level != "note"]
        if self.annotations and remarks:
            told = (github.heard(self.token), *remarks, github.unheard(self.token))
            click.echo("\n".join(told), err=self.as_json)

    def all(self, results: Sequence[Result]) -> None:
        """The summary: as a table or JSON, and on the page of a GitHub job."""
        if self.as_json:
            click.echo(json.dumps(report.as_json(results, self.top), indent=2, ensure_ascii=False))
        else:
            output.console().print(report.table(results))
            good = report.is_good(results)
            mark = click.style("good" if good else "not good", fg="green" if good else "red", bold=True)
            click.echo(f"\n{mark}: {report.verdict(results)}")
        if summary := os.environ.get(SUMMARY):
            page = report.page(results, _findings(results), self.top)
            try:
                with open(summary, "a", encoding="utf-8", errors="replace") as stream:
                    stream.write(page)
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                click.echo(f"`{SUMMARY}` cannot be written: {reason}", err=True)
