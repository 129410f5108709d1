"""A verification from its first job to its last, or to Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from rulespec.interruption import interruptible
from rulespec.proofs.claims import Claims
from rulespec.proofs.verdicts import Verdict, of
from rulespec.verifying.before import Before, Known
from rulespec.verifying.plan import Part
from rulespec.verifying.processes import Began, Done, Fault, Job, Lost, Told, Workers
from rulespec.verifying.work import ExamplesJob, Stage

if TYPE_CHECKING:
    from rulespec.examples import Ran

EXAMPLES = -1  # the number of the job that carries out examples; those of parts are their places in the plan


@dataclass
class Outcome:
    """What came of it. `verdicts` are by the places of parts in the plan, only of those that are finished;
    `examples` None where they were not carried out; `held` so many hold, as was found before. `late`: the
    time for all was over before all was finished."""

    parts: tuple[Part, ...]
    verdicts: dict[int, tuple[Verdict, ...]] = field(default_factory=dict)
    examples: tuple[Ran, ...] | None = None
    held: int | None = None
    faults: list[Fault] = field(default_factory=list)
    interrupted: bool = False
    late: bool = False
    seconds: float = 0.0

    @property
    def failed_examples(self) -> list[Ran]:
        return [ran for ran in self.examples or () if not ran.passed]

    @property
    def all_verdicts(self) -> list[Verdict]:
        """Those of all finished parts, in the order of the plan."""
        return [verdict for number in sorted(self.verdicts) for verdict in self.verdicts[number]]

    def any_are(self, *verdicts: str) -> bool:
        """Whether any claim has one of these verdicts."""
        return any(each.verdict in verdicts for each in self.all_verdicts)


class Watcher(Protocol):
    """Whoever shows the progress. Jobs are told apart by their numbers."""

    def began(self, job: int) -> None: ...

    def stage(self, job: int, stage: Stage) -> None: ...

    def ended(self, job: int, outcome: Outcome) -> None: ...

    def tick(self) -> None: ...


def verify(
    game: str,
    parts: Sequence[Part],
    workers: Workers,
    watcher: Watcher,
    *,
    examples: bool,
    games: bool,
    before: Before | None = None,
    until: float = float("inf"),
) -> Outcome:
    """Verdicts on all parts; after Ctrl-C those that are finished by then.

    `examples`: carry out those of the rulebook too; `games`: play each part but scopes in both engines.
    What is known `before` is not tried again. At the moment `until` of the monotonic clock all is stopped,
    and what is not finished is unknown.
    """
    outcome = Outcome(tuple(parts))
    known = before or Before()
    began = time.monotonic()
    jobs = _jobs(game, outcome, known, watcher, examples, games)
    with interruptible() as interrupted:

        def tick() -> bool:
            watcher.tick()
            outcome.interrupted = interrupted()
            outcome.late = time.monotonic() > until
            return outcome.interrupted or outcome.late

        for news in workers.run(jobs, tick):
            match news:
                case Began(job):
                    watcher.began(job)
                case Told(job, what):
                    watcher.stage(job, what)
                case Done(job, result):
                    _keep(outcome, job, result, known)
                    watcher.ended(job, outcome)
                case Lost(job, reason, fault):
                    _keep_lost(outcome, job, reason, fault, known)
                    watcher.ended(job, outcome)
    outcome.seconds = time.monotonic() - began
    outcome.late = outcome.late and not outcome.interrupted and bool(_unfinished(outcome, jobs))
    for job in _unfinished(outcome, jobs) if outcome.late else ():
        if job != EXAMPLES:
            _keep_lost(outcome, job, "the time for all was over", None, known)
    return outcome


def _unfinished(outcome: Outcome, jobs: Iterable[int]) -> list[int]:
    done = {*outcome.verdicts, *([EXAMPLES] if outcome.examples is not None else [])}
    return [job for job in jobs if job not in done]


def _jobs(
    game: str, outcome: Outcome, known: Before, watcher: Watcher, examples: bool, games: bool
) -> dict[int, Job]:
    """What is to be done, in the order in which it begins; what is known is put into the outcome."""
    jobs: dict[int, Job] = {}
    if examples and known.held is not None:
        outcome.held = known.held
        watcher.ended(EXAMPLES, outcome)
    elif examples:
        jobs[EXAMPLES] = ExamplesJob(game)
    parts = outcome.parts
    for number in sorted(range(len(parts)), key=lambda n: _weight(parts[n]), reverse=True):
        if known.of(number).done:
            _keep(outcome, number, (), known)
            watcher.ended(number, outcome)
        else:
            jobs[number] = known.of(number).job(parts[number], games and not parts[number].scope)
    return jobs


def _weight(part: Part) -> tuple[int, int, int]:
    """What takes longest begins first."""
    return int(not part.scope), part.players, len(part.core.blocks)


def _keep(outcome: Outcome, job: int, result: Any, known: Before) -> None:
    """Put into the outcome what a job came to, and tell it to whoever keeps it."""
    if job == EXAMPLES:
        outcome.examples = result
        if known.ledger is not None and not outcome.failed_examples:
            known.ledger.keep_examples(len(result))
        return
    part, before = outcome.parts[job], known.of(job)
    outcome.verdicts[job] = before.with_found(part, result)
    if known.ledger is not None:
        known.ledger.keep(part, before, result)


def _keep_lost(outcome: Outcome, job: int, reason: str, fault: Fault | None, known: Before) -> None:
    outcome.faults += [fault or Fault(reason, (), "")] if fault or job == EXAMPLES else []
    if job != EXAMPLES:
        part, before = outcome.parts[job], known.of(job)
        outcome.verdicts[job] = before.with_found(part, tuple(_unknown(part, before, reason)))


def _unknown(part: Part, known: Known, reason: str) -> Iterator[Verdict]:
    for claim in Claims(part.core).all.values():
        if claim.name not in known.verdicts and (part.properties is None or claim.name in part.properties):
            yield of(
                part.core.configuration,
                property=claim.name,
                kind=claim.kind,
                verdict="unknown",
                method="",
                seconds=0.0,
                title=claim.title,
                origin=claim.origin,
                scope=part.scope,
                reason=reason,
            )
