"""A part of a proof's paths as Horn clauses: what a goal is about, and what that is made of.

Each control point is a relation between the numbers that are looked at there. All else can be anything, and
what comes into the part from outside is anything that the facts known there allow. So a goal that is never
missed in the clauses is not missed in the game; that it is missed in them says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from rulespec.proofs.smt.goals import Goal
from rulespec.proofs.smt.houdini import Facts, Step
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.smtlib import Rule, rules
from rulespec.proofs.smt.terms import FIRST_FRESH, Term, Terms

MISSED = "missed"


@dataclass(frozen=True)
class Paths:
    """What clauses are made of: `matters` says whether a variable is still looked at somewhere, `always` are
    truth values that hold everywhere.
    """

    terms: Terms
    steps: Sequence[Step]
    facts: Facts
    matters: Callable[[Location, Term], bool]
    always: Sequence[Term] = ()


@dataclass(frozen=True)
class Clauses:
    """`text` asks whether the goal can be missed; `about` are the variables of each relation, in order."""

    text: str
    about: Mapping[Location, tuple[int, ...]]
    names: Mapping[Location, str]


def cut(paths: Paths, goal: Goal, inside: frozenset[Location], tracked: frozenset[int]) -> Clauses:
    """The clauses of the control points `inside`, among them the goal's, about the variables `tracked`."""
    return _Cut(paths, goal, inside, tracked).clauses()


def widened(paths: Paths, goal: Goal, inside: frozenset[Location], *, guards: int) -> frozenset[int]:
    """Variables of the goal, those that these are made of, and those that are looked at together with them
    before something is done, and so on so many times.
    """
    steps = [step for step in paths.steps if step.edge.target in inside]
    found = _kept(goal.claim.variables.union(*(c.variables for c in goal.conditions)))
    found = _made_of(steps, found)
    for _ in range(guards):
        conditions = {c for step in steps for c in step.edge.conditions}
        beside = (c.variables for c in conditions if not found.isdisjoint(c.variables))
        found = _made_of(steps, _kept(found.union(*beside)))
    return found


def _kept(variables: Iterable[int]) -> frozenset[int]:
    """Without what is chosen or happens on a path."""
    return frozenset(key for key in variables if key < FIRST_FRESH)


def _made_of(steps: Sequence[Step], found: frozenset[int]) -> frozenset[int]:
    while True:
        values = (step.store[key] for step in steps for key in found & step.store.keys())
        more = found | _kept(chain.from_iterable(value.variables for value in values))
        if more == found:
            return found
        found = more


class _Cut:
    def __init__(
        self, paths: Paths, goal: Goal, inside: frozenset[Location], tracked: frozenset[int]
    ) -> None:
        self.paths = paths
        self.terms = paths.terms
        self.goal = goal
        self.tracked = tracked
        self.variable = {v: self._variable(v) for v in tracked}
        self.about = {
            place: tuple(v for v in sorted(tracked) if paths.matters(place, self.variable[v]))
            for place in sorted(inside)
            if place.kind != "start"
        }
        self.names = {place: f"at{number}" for number, place in enumerate(self.about)}

    def _variable(self, key: int) -> Term:
        low, high = self.terms.range_of.get(key, (None, None))
        return self.terms.variable(key, low, high, "")

    def clauses(self) -> Clauses:
        relations = {self.names[place]: len(keys) for place, keys in self.about.items()}
        text = rules({**relations, MISSED: 0}, [*self._steps(), self._missed()], MISSED)
        return Clauses(text, self.about, self.names)

    def _steps(self) -> Iterator[Rule]:
        for step in self.paths.steps:
            keys = self.about.get(step.edge.target)
            if keys is not None:
                values = tuple(step.store.get(key, self.variable[key]) for key in keys)
                yield self._rule(step.edge.source, step.edge.conditions, values, step.edge.target)

    def _missed(self) -> Rule:
        conditions = (*self.goal.conditions, self.terms.neg(self.goal.claim))
        return self._rule(self.goal.location, conditions, (), None)

    def _rule(
        self, source: Location, conditions: Iterable[Term], values: tuple[Term, ...], target: Location | None
    ) -> Rule:
        made_of = frozenset().union(*(value.variables for value in values))
        looked_at = self.tracked | made_of
        asked = [c for c in conditions if not looked_at.isdisjoint(c.variables)] if target else [*conditions]
        known = made_of.union(*(c.variables for c in asked), self.about.get(source, ()))
        facts = [f for f in self.paths.facts.get(source, ()) if f.variables <= known]
        always = [f for f in self.paths.always if f.variables <= known]
        start = None
        if source in self.about:
            start = self.names[source], tuple(self.variable[key] for key in self.about[source])
        head = (self.names[target] if target else MISSED), values
        return Rule(start, (*asked, *sorted(facts), *always), head)
