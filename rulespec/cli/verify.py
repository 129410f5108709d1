"""`rulespec verify`."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec import api
from rulespec.cli import output
from rulespec.cli.configuration import jobs_option, readings_option, variants_option
from rulespec.cli.exit_code import ExitCode
from rulespec.cli.guard import working_on
from rulespec.collection import no_collection
from rulespec.outline import ConfigurationError

if TYPE_CHECKING:
    from rulespec.outline import Outline
    from rulespec.proofs.verdicts import Limits
    from rulespec.verifying.before import Before
    from rulespec.verifying.plan import Plan, Wanted
    from rulespec.verifying.run import Outcome
    from rulespec.verifying.vacuity import Vacuity

LEAST_MEMORY = 256  # megabytes, without which nothing works
MOST_PLAYERS = 99
TOLD = 5  # lines of a lock file that are not as they should be
STANDARD = "std"  # in place of a game: the standard library
NOT_SETTLED = ("unknown", "sampled", "bounded")


def _players(ctx: click.Context, param: click.Parameter, given: str | None) -> tuple[int, ...]:
    """`3`, `2,4`, `2..5`, `2,4..5`."""
    numbers: set[int] = set()
    for piece in given.split(",") if given is not None else ():
        match = re.fullmatch(r"\s*(\d{1,4})\s*(?:\.\.\s*(\d{1,4})\s*)?", piece)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= low <= high <= MOST_PLAYERS:
            raise click.BadParameter(f"`{given}` is not of the form `3`, `2,3` or `2..5`", ctx, param)
        numbers.update(range(low, high + 1))
    return tuple(sorted(numbers))


HELP = """\
Prove, or at least test, what must be true of a game.

Checks the rulebook and runs its examples, plays random games in two engines that must agree, and then
gives a verdict on each claim, for each number of players: that it ends and nobody gets stuck, that
nothing is lost and everything stays in range, that no offer gives a secret away, and what the
rulebook's own `invariant`, `bound` and `reachable` say. Each `scope` of the rulebook is visited in
every position.

What is refuted comes with a play, as an `example` that can be pasted into the rulebook. The status is
0 when nothing is refuted; what is unknown does not count unless `--strict`. Ctrl-C shows what is
finished.

What is found is kept in `rulespec.lock` beside the rulebook, and holds for later runs until the rules
that it depends on change.

`--recheck` gives each question that a proof rests on to a second solver, cvc5; where that disagrees,
nothing is shown as proved, and the status is 3.

\b
Examples:
  rulespec verify il_principe                            all numbers of players
  rulespec verify il_principe --players 2..3             only these
  rulespec verify il_principe --property purse           what is claimed of purses
  rulespec verify il_principe --property bound --property invariant
  rulespec verify il_principe --reading bank=limited --json
  rulespec verify il_principe --vacuity                  and what never happens
  rulespec verify il_principe --players 2 --export proofs
  rulespec verify il_principe --players 2 --explain money_pace
  rulespec verify std                                    the standard library
"""


@click.command(help=HELP)
@click.argument("game")
@click.option(
    "-p",
    "--players",
    metavar="N",
    callback=_players,
    help="Only with so many players: `3`, `2,3` or `2..5`; by default all that there can be.",
)
@variants_option
@readings_option
@click.option(
    "--all-readings",
    is_flag=True,
    help="Also with each other meaning of each open question, one question at a time.",
)
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="NAME",
    help="Only claims with this in their name or title, or of this kind, and no examples; may be repeated.",
)
@jobs_option
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(1, 1_000_000),
    metavar="SECONDS",
    help="How long to try for each number of players and each scope, in seconds of one processor.",
)
@click.option(
    "--property-time",
    "claim_seconds",
    type=click.FloatRange(0.1, 1_000_000),
    metavar="SECONDS",
    help="How long to try to prove one claim, of that; by default 60.",
)
@click.option(
    "--deadline",
    type=click.FloatRange(1, 1_000_000),
    metavar="SECONDS",
    help="Stop after so many seconds by the clock; what is not finished then is unknown.",
)
@click.option(
    "--memory",
    type=click.IntRange(LEAST_MEMORY, 1_000_000),
    metavar="MB",
    help="How many megabytes each process may have; by default 4000.",
)
@click.option("--no-scopes", is_flag=True, help="Leave the small games out that are visited whole.")
@click.option("--fresh", is_flag=True, help="Take nothing from the lock file, but write it anew.")
@click.option("--no-lock", is_flag=True, help="Neither read nor write the lock file.")
@click.option("--locked", is_flag=True, help="Try nothing: end with 1 unless the lock file has it all.")
@click.option(
    "--vacuity",
    is_flag=True,
    help="Also look for what never happens: rules, options and branches, and premises of properties.",
)
@click.option(
    "--export",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write what the proofs rest on into a folder, as questions to any SMT solver, and do nothing else.",
)
@click.option(
    "--explain",
    metavar="NAME",
    help="Say why a claim holds, with the facts and paths behind it, and do nothing else.",
)
@click.option(
    "--unaided",
    is_flag=True,
    help="Prove without the measures, `keeps`, `requires`, `ensures` and hints of the rulebook.",
)
@click.option("--recheck", is_flag=True, help="Have all that is proved decided by cvc5 as well.")
@click.option("--facts", is_flag=True, help="Prove anew, and keep with each verdict the facts behind it.")
@click.option("--strict", is_flag=True, help="End with 1 unless all is proved or visited whole.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list with an object for each verdict.")
@click.option("-v", "--verbose", is_flag=True, help="A line for each claim; whole reasons and plays.")
def command(
    game: str,
    players: tuple[int, ...],
    variants: tuple[str, ...],
    readings: dict[str, str],
    all_readings: bool,
    properties: tuple[str, ...],
    jobs: int | None,
    seconds: float | None,
    claim_seconds: float | None,
    deadline: float | None,
    memory: int | None,
    no_scopes: bool,
    fresh: bool,
    no_lock: bool,
    locked: bool,
    vacuity: bool,
    export: Path | None,
    explain: str | None,
    unaided: bool,
    recheck: bool,
    facts: bool,
    strict: bool,
    as_json: bool,
    verbose: bool,
) -> ExitCode:
    """Ask for verdicts; `HELP` says it to users."""
    from rulespec.verifying.plan import Wanted

    wanted = Wanted(players, variants, readings, all_readings, not no_scopes, properties, unaided)
    limits = _limits(seconds, claim_seconds, memory, recheck=recheck and not (export or explain))
    limits = replace(limits, facts=limits.proof if facts else 0.0)
    if game == STANDARD:
        return _standard(wanted, limits)
    if unaided and (fresh or locked):
        raise click.UsageError("what is found `--unaided` is kept nowhere: not with `--fresh` and `--locked`")
    use = _use_of_lock(fresh, no_lock or unaided, locked, recheck, facts)
    if export is not None or explain is not None:
        from rulespec.cli import certified

        given = {"locked": locked, "vacuity": vacuity, "recheck": recheck, "facts": facts, "strict": strict}
        _without(given | {"deadline": deadline is not None, "json": as_json and export is not None})
        if explain is not None and properties:
            raise click.UsageError("`--explain` names the claims itself, and takes no `--property`")
        return certified.show(game, wanted, limits, jobs, export, explain, as_json)
    return _Command(game, wanted, use, jobs, strict, as_json, verbose, vacuity, deadline).run(limits)


def _without(options: Mapping[str, bool]) -> None:
    """Refuse what would otherwise be left out without a word."""
    given = ", ".join(f"`--{name}`" for name, is_given in options.items() if is_given)
    if given:
        raise click.UsageError(f"{given}: not with `--export` and `--explain`, which do nothing else")


def _use_of_lock(fresh: bool, no_lock: bool, locked: bool, recheck: bool, facts: bool) -> str:
    if fresh + no_lock + locked > 1:
        raise click.UsageError("only one of `--fresh`, `--no-lock` and `--locked` can be given")
    if recheck and locked:
        raise click.UsageError("`--recheck` proves anew, and `--locked` tries nothing: only one can be given")
    if facts and locked:
        raise click.UsageError("`--facts` proves anew, and `--locked` tries nothing: only one can be given")
    # What is to be checked twice, or looked into, has to be proved now.
    return "no" if no_lock else "only" if locked else "fresh" if fresh or recheck or facts else ""


def _standard(wanted: Wanted, limits: Limits) -> ExitCode:
    from rulespec.cli.verify_std import verify_std

    return verify_std(wanted, limits)


def _limits(seconds: float | None, claim: float | None, memory: int | None, *, recheck: bool) -> Limits:
    from rulespec.proofs.smt import second
    from rulespec.proofs.verdicts import Limits

    if recheck and not second.is_installed():
        needs = f"`--recheck` needs cvc5, which is in the extra `{second.EXTRA}`"
        raise click.ClickException(f"{needs}: {second.HOW}")
    limits = Limits()
    if seconds is not None:
        proof = seconds * limits.proof / limits.total
        limits = replace(limits, total=seconds, proof=proof, scope_seconds=seconds)
    if claim is not None:
        limits = replace(limits, claim=claim)
    if memory is not None:
        limits = replace(limits, memory=memory)
    return replace(limits, recheck=limits.total if recheck else 0.0)


@dataclass(frozen=True)
class _Command:
    """One call of the command. `lock`: `fresh`, `no` or `only` as the options say, else ""."""

    game: str
    wanted: Wanted
    lock: str
    jobs: int | None
    strict: bool
    as_json: bool
    verbose: bool
    vacuity: bool = False
    deadline: float | None = None

    def run(self, limits: Limits) -> ExitCode:
        began = time.monotonic()
        book = api.open_rulebook(self.game)
        plan = planned(book, self.game, self.wanted, limits)
        output.show(plan.diagnostics, book.sources)
        if not plan.parts or book.outline is None:
            return output.problems(as_json=self.as_json, empty="[]")
        before = self._before(book, plan, limits)
        if self.lock == "only" and self._is_behind(before, plan):
            return output.problems(as_json=self.as_json, empty="[]")
        outcome = self._verify(plan, before, began, limits.memory)
        goes_on = not outcome.interrupted and not outcome.late
        never = self._look_for_what_never_happens(book, plan, limits) if goes_on else None
        outcome.seconds = time.monotonic() - began
        self._show(outcome, book.outline, never)
        if never is not None:
            outcome.faults += never.faults
            outcome.interrupted = never.interrupted
        return status(outcome, failed=bool(outcome.failed_examples), strict=self.strict)

    def _before(self, book: api.Book, plan: Plan, limits: Limits) -> Before:
        """What the lock file says."""
        from rulespec.verifying import ledger as ledgers
        from rulespec.verifying.before import Before
        from rulespec.verifying.lock import Unusable

        if self.lock == "no":
            return Before()
        try:
            ledger = ledgers.Ledger(book, limits, fresh=self.lock == "fresh", writes=self.lock != "only")
        except Unusable as error:
            raise click.UsageError(f"{error}; `--no-lock` leaves it alone") from None
        for sentence in ledger.wrong[:TOLD] if not self.lock else ():
            click.echo(f"{sentence}; what it says is not used", err=True)
        if len(ledger.wrong) > TOLD and not self.lock:
            click.echo(f"and {len(ledger.wrong) - TOLD} more lines like these", err=True)
        return ledgers.before(ledger, plan.parts, everything=not self.wanted.properties)

    def _is_behind(self, before: Before, plan: Plan) -> bool:
        from rulespec.verifying.ledger import behind

        told = list(behind(before, plan.parts, examples=not self.wanted.properties))
        for sentence in told:
            click.echo(sentence, err=True)
        if told:
            click.echo("the lock file is behind; `rulespec verify` brings it up to date", err=True)
        return bool(told)

    def _verify(self, plan: Plan, before: Before, began: float, memory: int) -> Outcome:
        from rulespec.verifying import run
        from rulespec.verifying.processes import Workers, processors
        from rulespec.verifying.progress import progress

        everything = not self.wanted.properties
        checked = time.monotonic() - began
        jobs = min(self.jobs or processors(), before.left(len(plan.parts), everything))
        colors = output.colors_on(sys.stderr)
        with (
            progress(plan.parts, checked, examples=everything, colors=colors) as watcher,
            Workers(jobs, memory) as workers,
        ):
            outcome = run.verify(
                self.game,
                plan.parts,
                workers,
                watcher,
                examples=everything,
                games=everything,
                before=before,
                until=float("inf") if self.deadline is None else began + self.deadline,
            )
        if before.ledger is not None and before.ledger.unwritten:
            click.echo(f"{before.ledger.unwritten}; what was found is not kept", err=True)
        return outcome

    def _look_for_what_never_happens(self, book: api.Book, plan: Plan, limits: Limits) -> Vacuity | None:
        """Where it was asked for, in all configurations that are not small ones."""
        if not self.vacuity:
            return None
        from rulespec.verifying import vacuity
        from rulespec.verifying.processes import Workers, processors

        configurations = [part.core.configuration for part in plan.parts if not part.scope]
        if not configurations:
            return None
        with Workers(min(self.jobs or processors(), max(1, len(configurations)))) as workers:
            found = vacuity.run(book, self.game, configurations, limits, workers, output.line)
        output.line("")
        return found

    def _show(self, outcome: Outcome, outline: Outline, never: Vacuity | None) -> None:
        from rulespec.verifying import report

        if self.as_json:
            objects = report.to_json(outcome, outline)
            if never is not None:
                from rulespec.verifying import vacuity_report

                objects += vacuity_report.to_json(outline.game, never)
            click.echo(json.dumps(objects, indent=2, ensure_ascii=False))
            return
        console = output.console()
        if never is not None:
            from rulespec.verifying import vacuity_report

            vacuity_report.show(console, never, verbose=self.verbose)
        report.show(console, self.game, outcome, outline, verbose=self.verbose)


def status(outcome: Outcome, *, failed: bool, strict: bool) -> ExitCode:
    """How a verification ends; `failed`: an example did. Tells of faults, and where the solvers disagree."""
    output.faults(outcome.faults)
    doubted = output.doubts(outcome.all_verdicts)
    if outcome.interrupted:
        return ExitCode.INTERRUPTED
    if outcome.faults or doubted:
        return ExitCode.FAULT
    claims = [each.verdict for each in outcome.all_verdicts if each.kind != "agreement"]
    not_settled = strict and any(verdict in NOT_SETTLED for verdict in claims)
    bad = failed or outcome.any_are("refuted") or not_settled
    return ExitCode.PROBLEMS if bad else ExitCode.FINE


def planned(book: api.Book, game: str, wanted: Wanted, limits: Limits) -> Plan:
    """What is to be verified."""
    from rulespec.verifying import plan

    output.line("checking the rulebook")
    try:
        with working_on(f"checking `{game}`"), no_collection():
            return plan.make(book, wanted, limits)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    finally:
        output.line("")
