"""Candidates that Z3's engine Spacer finds for a part of the rules that is cut down to a goal.

The last source of facts, since it is the slowest, and may find nothing or go on for ever. What it says is
taken as candidates like any others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulespec.proofs.claims import rule_of
from rulespec.proofs.smt.cases import simplified
from rulespec.proofs.smt.fixedpoint import Limits, Reached, reach
from rulespec.proofs.smt.goals import Goal
from rulespec.proofs.smt.horn import Clauses, Paths, cut, widened
from rulespec.proofs.smt.houdini import parted
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.reading import NotSaid, read
from rulespec.proofs.smt.seats import Seats
from rulespec.proofs.smt.terms import Term

if TYPE_CHECKING:
    from rulespec.proofs.smt.prove import Prover, Settled

MOST_PLACES = 60  # control points of a part
MOST_STEPS = 300  # paths of a part
MOST_VARIABLES = 60
SHARE = 0.15  # of the time that is left for a proof
GUARDS = (0, 1, 2)  # how often what is looked at together is taken along
OPTIONS = {"spacer.global": True}  # looks for what many lemmas have in common, instead of listing them all


@dataclass(frozen=True)
class Effort:
    """For one part, and how many parts may be given up before all is."""

    limits: Limits
    given_up: int


# A million steps take about half a second.
BRIEFLY = Effort(Limits(steps=600_000, seconds=5), 2)
AT_LENGTH = Effort(Limits(steps=12_000_000, seconds=40), 4)


@dataclass(frozen=True)
class Part:
    """Control points, and variables that are looked at there."""

    inside: frozenset[Location]
    tracked: frozenset[int]


class Spacer:
    """Asks for one goal after the other."""

    def __init__(self, prover: Prover, settled: Settled, effort: Effort) -> None:
        self.prover = prover
        self.settled = settled
        self.limits = effort.limits
        self.patience = effort.given_up
        self.left = (prover.end - time.process_time()) * SHARE
        self.candidates = settled.candidates
        self.terms = prover.terms
        self.seats = Seats(prover.encoder)
        facts = {location: set(found) for location, found in self.candidates.facts.items()}
        always = prover.encoder.limits
        self.paths = Paths(self.terms, settled.houdini.steps, facts, self.candidates.matters, always)

    def propose(self, goals: Iterable[Goal]) -> None:
        """What is found for each goal that does not follow from what was found for those before."""
        for goal in dict.fromkeys(goals):
            hard = [*goal.conditions, self.terms.neg(goal.claim)]
            facts = self.paths.facts.get(goal.location, set())
            if not self._is_over() and self.prover.solver.ask(hard, facts).status != "unsat":
                self._propose(goal)

    def _propose(self, goal: Goal) -> None:
        """From smaller parts to larger ones until one is enough."""
        for part in dict.fromkeys(self._parts(goal)):
            clauses = cut(self.paths, goal, part.inside, part.tracked)
            if self.prover.late() or self._is_over():
                return
            if self.settled.asked.get(clauses.text, 0) >= self.limits.steps:
                continue
            reached = self._asked(clauses)
            self.settled.asked[clauses.text] = self.limits.steps
            self.patience -= reached.status not in ("sat", "unsat")
            self._take(clauses, reached)
            if reached.status == "unsat":
                return

    def _is_over(self) -> bool:
        return self.patience <= 0 or self.left <= 0

    def _parts(self, goal: Goal) -> Iterator[Part]:
        """The goal's rule, then with those that come to it, and so on; each with few variables first."""
        for inside in self._regions(goal):
            steps = sum(step.edge.target in inside for step in self.paths.steps)
            if len(inside) > MOST_PLACES or steps > MOST_STEPS:
                return
            for guards in GUARDS:
                tracked = widened(self.paths, goal, inside, guards=guards)
                if len(tracked) <= MOST_VARIABLES:
                    yield Part(inside, tracked)

    def _regions(self, goal: Goal) -> Iterator[frozenset[Location]]:
        inside: set[Location] = set()
        more = {goal.location}
        while more:
            rules = {self._rule(place) for place in more}
            inside |= {place for place in self.settled.graph.locations if self._rule(place) in rules}
            yield frozenset(inside)
            steps = (step.edge for step in self.paths.steps if step.edge.target in inside)
            more = {edge.source for edge in steps if edge.source.kind != "start"} - inside

    def _rule(self, place: Location) -> str:
        return rule_of(self.prover.core.block[place.block])

    def _asked(self, clauses: Clauses) -> Reached:
        relations = {clauses.names[place]: len(keys) for place, keys in clauses.about.items()}
        seconds = max(1, min(self.limits.seconds, math.ceil(self.left)))
        megabytes = int(min(self.limits.megabytes, self.prover.memory))
        limits = replace(self.limits, seconds=seconds, megabytes=megabytes)
        reached = reach(clauses.text, relations, limits, OPTIONS)
        self.left -= reached.seconds
        self.prover.end -= reached.seconds
        self.prover.proof.seconds += reached.seconds
        return reached

    def _take(self, clauses: Clauses, reached: Reached) -> None:
        """Propose it, for other seats too. What is enough for the goal counts as known when the next is asked
        about.
        """
        for place, fact in self._found(clauses, reached):
            for each in (fact, *self.seats.others(simplified(self.terms, fact))):
                self.candidates.propose(place, each)
            if reached.status == "unsat":
                self.paths.facts[place].add(fact)

    def _found(self, clauses: Clauses, reached: Reached) -> Iterator[tuple[Location, Term]]:
        for place, keys in clauses.about.items():
            variables = [self.terms.variable(key, None, None, "") for key in keys]
            names = {f"a{number}": variable for number, variable in enumerate(variables)}
            for text in reached.holds.get(clauses.names[place], ()):
                with suppress(NotSaid):
                    yield from ((place, fact) for fact in parted([read(text, self.terms, names)]))
