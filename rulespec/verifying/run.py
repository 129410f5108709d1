"""A verification from its first job to its last, or to Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rulespec.examples import Ran
from rulespec.interruption import interruptible
from rulespec.proofs.claims import Claims
from rulespec.proofs.verdicts import Verdict, of
from rulespec.verifying.plan import Part
from rulespec.verifying.processes import Began, Done, Fault, Job, Lost, Told, Workers
from rulespec.verifying.work import ExamplesJob, PartJob, Stage

EXAMPLES = -1  # the number of the job that carries out examples; those of parts are their places in the plan


@dataclass
class Outcome:
    """What came of it. `verdicts` are by the places of parts in the plan, only of those that are finished;
    `examples` None where they were not carried out."""

    parts: tuple[Part, ...]
    verdicts: dict[int, tuple[Verdict, ...]] = field(default_factory=dict)
    examples: tuple[Ran, ...] | None = None
    faults: list[Fault] = field(default_factory=list)
    interrupted: bool = False
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
    game: str, parts: Sequence[Part], workers: Workers, watcher: Watcher, *, examples: bool, games: bool
) -> Outcome:
    """Verdicts on all parts; after Ctrl-C those that are finished by then.

    `examples`: carry out those of the rulebook too; `games`: play each part but scopes in both engines.
    """
    outcome = Outcome(tuple(parts))
    began = time.monotonic()
    jobs: dict[int, Job] = {EXAMPLES: ExamplesJob(game)} if examples else {}
    for number in sorted(range(len(parts)), key=lambda n: _weight(parts[n]), reverse=True):
        jobs[number] = PartJob(parts[number], games and not parts[number].scope)
    with interruptible() as interrupted:

        def tick() -> bool:
            watcher.tick()
            outcome.interrupted = interrupted()
            return outcome.interrupted

        for news in workers.run(jobs, tick):
            match news:
                case Began(job):
                    watcher.began(job)
                case Told(job, what):
                    watcher.stage(job, what)
                case Done(job, result) if job == EXAMPLES:
                    outcome.examples = result
                    watcher.ended(job, outcome)
                case Done(job, result):
                    outcome.verdicts[job] = result
                    watcher.ended(job, outcome)
                case Lost(job, reason, fault):
                    _keep_lost(outcome, job, reason, fault)
                    watcher.ended(job, outcome)
    outcome.seconds = time.monotonic() - began
    return outcome


def _weight(part: Part) -> tuple[int, int, int]:
    """What takes longest begins first."""
    return int(not part.scope), part.players, len(part.core.blocks)


def _keep_lost(outcome: Outcome, job: int, reason: str, fault: Fault | None) -> None:
    outcome.faults += [fault or Fault(reason, (), "")] if fault or job == EXAMPLES else []
    if job != EXAMPLES:
        outcome.verdicts[job] = tuple(_unknown(outcome.parts[job], reason))


def _unknown(part: Part, reason: str) -> Iterator[Verdict]:
    for claim in Claims(part.core).all.values():
        if part.properties is None or claim.name in part.properties:
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
