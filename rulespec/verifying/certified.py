"""Proofs for whoever wants to look into them: written out as files, or told claim by claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulespec.interruption import interruptible
from rulespec.proofs.verdicts import Event
from rulespec.verifying.plan import Part
from rulespec.verifying.processes import Done, Fault, Job, Lost, Tell, Told, Workers
from rulespec.verifying.work import Stage

if TYPE_CHECKING:
    from rulespec.proofs.explained import Explained
    from rulespec.proofs.exported import Exported, File
    from rulespec.proofs.verify import Certified


@dataclass
class Outcome:
    """What the jobs came to, by their numbers."""

    results: dict[int, Any] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    interrupted: bool = False


@dataclass(frozen=True)
class ExportJob:
    """Prove one configuration, and write down what that rests on."""

    part: Part

    @property
    def seconds(self) -> float:
        return 8 * self.part.limits.total + 60

    def do(self, tell: Tell) -> Exported:
        from rulespec.proofs.exported import Exported, export

        found = certified(self.part, tell)
        files: tuple[File, ...] = ()
        certificate = found.proof.certificate
        if certificate is not None:
            tell(Stage("writing down"))
            files = tuple(export(self.part.core, found.claims, certificate, found.proved, folder(self.part)))
        return Exported(self.part.core.title, self.part.label, files, found.proved, found.open)


@dataclass(frozen=True)
class ExplainJob:
    """Prove one configuration, and say why each of the part's claims holds."""

    part: Part

    @property
    def seconds(self) -> float:
        return 8 * self.part.limits.total + 60

    def do(self, tell: Tell) -> tuple[Explained, ...]:
        from rulespec.proofs.explained import Explained, explain

        part, told = self.part, []
        found = certified(part, tell)
        certificate = found.proof.certificate
        for claim in part.properties or ():
            tell(Stage("finding what is needed"))
            title, players = found.claims.all[claim].title, part.players
            if claim in found.proved and certificate is not None:
                seconds = part.limits.proof / 2
                told.append(explain(part.core, found.claims, certificate, claim, found.proved, seconds))
            else:
                why = found.open.get(claim) or "some of what it sums up is not"
                told.append(Explained(claim, title, players, why))
        return tuple(told)


def certified(part: Part, tell: Tell) -> Certified:
    """The proof of one configuration."""
    from rulespec.proofs.verify import Task, certify

    def pass_on(event: Event) -> None:
        if event.kind == "stage":
            tell(Stage(event.text, event.done, event.whole))

    try:
        return certify(Task(part.core, "", part.properties, part.limits, part.sources), pass_on)
    except Exception as error:
        error.add_note(f"proving `{part.core.configuration.game}`, {part.label}")
        raise


def folder(part: Part) -> str:
    """Where the files of a configuration are."""
    return re.sub(r"[^A-Za-z0-9]+", "-", part.label).strip("-")


def run(jobs: Mapping[int, Job], workers: Workers, tell: Callable[[int, Stage], None]) -> Outcome:
    """Do all jobs; after Ctrl-C what is finished by then."""
    outcome = Outcome()
    with interruptible() as interrupted:
        for news in workers.run(jobs, interrupted):
            match news:
                case Told(job, stage):
                    tell(job, stage)
                case Done(job, result):
                    outcome.results[job] = result
                case Lost(_, reason, fault):
                    outcome.faults.append(fault or Fault(reason, (), ""))
        outcome.interrupted = interrupted()
    return outcome
