"""Proofs for whoever wants to look into them: written out as files, or told claim by claim."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespec.proofs.verdicts import Event
from rulespec.verifying.plan import Part
from rulespec.verifying.processes import Tell
from rulespec.verifying.work import Stage

if TYPE_CHECKING:
    from rulespec.proofs.explained import Explained
    from rulespec.proofs.exported import Exported, File
    from rulespec.proofs.verify import Certified


@dataclass(frozen=True)
class ExportJob:
    """Prove one configuration, and write down what that rests on."""

    part: Part

    @property
    def seconds(self) -> float:
        return self.part.limits.patience

    def do(self, tell: Tell) -> Exported:
        from rulespec.proofs.exported import Exported, export

        found = certified(self.part, tell)
        files: tuple[File, ...] = ()
        certificate = found.proof.certificate
        if certificate is not None:
            tell(Stage("writing down"))
            files = tuple(export(self.part.core, found.claims, certificate, found.proved, folder(self.part)))
        single = (claim for claim in found.open if not found.claims.all[claim].parts)
        open_claims = {claim: found.otherwise(claim) or found.why_open(claim) for claim in single}
        return Exported(self.part.core.title, self.part.label, files, found.proved, open_claims)


@dataclass(frozen=True)
class ExplainJob:
    """Prove one configuration, and say why each of the part's claims holds."""

    part: Part

    @property
    def seconds(self) -> float:
        return self.part.limits.patience

    def do(self, tell: Tell) -> tuple[Explained, ...]:
        from rulespec.proofs.explained import Explained, explain

        part, told = self.part, []
        found = certified(part, tell)
        certificate = found.proof.certificate
        for claim in part.properties or ():
            tell(Stage("finding what is needed"))
            meant = found.claims.all[claim]
            if claim in found.proved and certificate is not None:
                seconds = part.limits.proof / 2
                told.append(explain(part.core, found.claims, certificate, claim, found.proved, seconds))
            else:
                otherwise, why_not = found.otherwise(claim), found.why_open(claim)
                told.append(Explained(claim, meant.kind, meant.title, part.players, otherwise, why_not))
        return tuple(told)


def certified(part: Part, tell: Tell) -> Certified:
    """The proof of one configuration."""
    from rulespec.proofs.evidence import Task
    from rulespec.proofs.verify import certify

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
