"""What is known so far of one configuration: proofs, plays and visits, and which claims they settle."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core
from rulespec.proofs.assumed import settles
from rulespec.proofs.claims import Claim, Claims
from rulespec.proofs.exhaustive import Visited
from rulespec.proofs.information.flow import Flow
from rulespec.proofs.information.search import Told
from rulespec.proofs.recheck import Rechecked
from rulespec.proofs.sampled import Found
from rulespec.proofs.smt.found import Telling
from rulespec.proofs.smt.prove import Proof
from rulespec.proofs.verdicts import Limits, Verdict


@dataclass(frozen=True)
class Task:
    """One configuration to verify. A `scope` (its name) is small, and is explored whole instead.

    `known` are verdicts of other claims that are relied upon where a claim sums up several.
    """

    core: Core
    scope: str = ""
    properties: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)
    sources: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Verdict] = field(default_factory=dict)


class Evidence:
    """All that is found on the claims of a task.

    `for_any` is the proof for whatever the assumed numbers are, `proof` the one that shows most. `doubted`
    are the claims on what a choice gives away that flow alone does not settle, with their blocks. `distrust`
    says which fault of the verifier was found: then nothing counts as proved.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.claims = Claims(task.core)
        self.proof = Proof()
        self.for_any = self.proof
        self.tellings: list[Telling] = []  # for any assumed numbers, and for those given
        self.distrust = ""
        self.found = Found()
        self.sampled = 0
        self.visited: Visited | None = None
        self.told = Told()
        self.rechecked: Rechecked | None = None
        self.facts: dict[str, tuple[str, ...]] = {}  # what proofs rest on, by claim
        flow = Flow(task.core)
        self.doubted = {
            self.claims.information(b.name): b.name
            for b in task.core.blocks
            if b.kind == "choice" and flow.doubts(b)
        }
        self._parts = {name for claim in self.chosen() for name in claim.parts}

    # --- what is asked -------------------------------------------------------------------------------------

    def chosen(self) -> list[Claim]:
        """The claims that were asked for."""
        return [claim for claim in self.claims.all.values() if self._is_chosen(claim)]

    def _is_chosen(self, claim: Claim) -> bool:
        wanted = self.task.properties
        return wanted is None or any(w == claim.kind or w in claim.name for w in wanted)

    def is_wanted(self, claim: Claim) -> bool:
        """Whether it is to be looked at: it is chosen, or is not known and belongs to one that is."""
        return self._is_chosen(claim) or (claim.name in self._parts and claim.name not in self.task.known)

    # --- what is settled -----------------------------------------------------------------------------------

    @property
    def whole_visit(self) -> Visited | None:
        """The visit of each position of the game, if there was one."""
        return self.visited if self.visited is not None and self.visited.whole else None

    def settled(self, claim: Claim) -> bool:
        """Whether the proof decides it."""
        if self.distrust:
            return False
        if claim.name in self.task.known and not self.is_wanted(claim):
            return self.task.known[claim.name].holds
        if claim.kind == "information" and claim.name not in self.doubted:
            return True
        return settles(self.proof, claim)

    def proved(self) -> list[str]:
        """Claims that the proof settles, of those that were chosen and of their parts."""
        names = dict.fromkeys(name for c in self.chosen() for name in (c.name, *c.parts))
        return [n for n in names if n not in self.found.plays and self.settled(self.claims.all[n])]

    def unproved(self) -> list[str]:
        """Claims that plays should decide."""
        return [
            c.name
            for c in self.chosen()
            if c.kind != "information"
            and ((not c.parts and not self.settled(c)) or (c.kind == "end" and not self._all_settled(c)))
        ]

    def _all_settled(self, claim: Claim) -> bool:
        parts = (self.claims.all[name] for name in claim.parts)
        return self.settled(claim) and all(self.settled(part) for part in parts)

    def open(self, broken: Collection[str]) -> list[str]:
        """Claims that neither a proof nor a play has decided, nor a visit of all positions; `broken` are
        those against which a play is known that is not among the plays found yet.
        """
        if self.whole_visit is not None:
            return []
        return [name for name in self.unproved() if name not in broken and name not in self.found.plays]

    def missing(self, broken: Collection[str]) -> list[str]:
        """Claims that a better proof might decide."""
        offers = [
            name
            for name, block in self.doubted.items()
            if block in self.told.looked_at
            and not self.told.is_decided(block)
            and not self.settled(self.claims.all[name])
        ]
        return offers + [name for name in self.open(broken) if self.claims.all[name].kind != "reachable"]
