"""Candidates that Z3's engine Spacer finds for a part of the rules that is cut down to a goal.

The last source of facts, since it is the slowest, and may find nothing or go on for ever. What it says is
taken as candidates like any others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulespec.proofs.claims import rule_of
from rulespec.proofs.smt.fixedpoint import Limits, Reached, reach
from rulespec.proofs.smt.goals import Goal
from rulespec.proofs.smt.horn import Clauses, Paths, cut, widened
from rulespec.proofs.smt.houdini import parted
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.reading import NotSaid, read

if TYPE_CHECKING:
    from rulespec.proofs.smt.prove import Prover, Settled

MOST_GOALS = 24
MOST_PLACES = 60  # control points of a part
MOST_STEPS = 300  # paths of a part
MOST_VARIABLES = 60
GUARDS = (0, 1, 2)  # how often what is looked at together is taken along
# For one part; a million steps take a quarter of a second.
BRIEFLY = Limits(steps=4_000_000, seconds=15)
AT_LENGTH = Limits(steps=40_000_000, seconds=60)


@dataclass(frozen=True)
class Part:
    """Control points, and variables that are looked at there."""

    inside: frozenset[Location]
    tracked: frozenset[int]


class Spacer:
    """Asks for one goal after the other."""

    def __init__(self, prover: Prover, settled: Settled, limits: Limits) -> None:
        self.prover = prover
        self.limits = limits
        self.settled = settled
        self.candidates = settled.candidates
        self.terms = prover.terms
        facts = {location: set(found) for location, found in self.candidates.facts.items()}
        always = prover.encoder.limits
        self.paths = Paths(self.terms, settled.houdini.steps, facts, self.candidates.matters, always)

    def propose(self, goals: Iterable[Goal]) -> None:
        """What is found for each goal."""
        for goal in list(dict.fromkeys(goals))[:MOST_GOALS]:
            self._propose(goal)

    def _propose(self, goal: Goal) -> None:
        """From smaller parts to larger ones until one is enough."""
        for part in dict.fromkeys(self._parts(goal)):
            if self.prover.late():
                return
            clauses = cut(self.paths, goal, part.inside, part.tracked)
            reached = self._asked(clauses)
            self._take(clauses, reached)
            if reached.status == "unsat":
                return

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
        left = self.prover.end - time.process_time()
        seconds = max(1, min(self.limits.seconds, math.ceil(left)))
        megabytes = int(min(self.limits.megabytes, self.prover.memory))
        reached = reach(clauses.text, relations, replace(self.limits, seconds=seconds, megabytes=megabytes))
        self.prover.end -= reached.seconds
        self.prover.proof.seconds += reached.seconds
        return reached

    def _take(self, clauses: Clauses, reached: Reached) -> None:
        for place, keys in clauses.about.items():
            variables = [self.terms.variable(key, None, None, "") for key in keys]
            names = {f"a{number}": variable for number, variable in enumerate(variables)}
            for text in reached.holds.get(clauses.names[place], ()):
                try:
                    found = read(text, self.terms, names)
                except NotSaid:
                    continue
                for fact in parted([found]):
                    self.candidates.propose(place, fact)
