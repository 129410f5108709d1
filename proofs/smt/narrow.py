"""Less to rest on: of the facts that a proof leant on in passing, those that one claim really needs.

A proof settles many facts with one question and keeps what all of them together leant on. For a single claim
each is asked again by itself, and what can be left out is left out, first of all what nothing else needs.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulespec.proofs.smt.certificate import Certificate, Met, Slice
from rulespec.proofs.smt.houdini import Step
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.solver import Solver
from rulespec.proofs.smt.terms import Term

QUESTION = 1.0  # seconds of the solver for one question
MOST = 40  # facts that are tried to be left out one by one


class Narrow:
    """Of one certificate. After `seconds` of one processor what the proof leant on is taken as it is."""

    def __init__(self, certificate: Certificate, seconds: float) -> None:
        self.certificate = certificate
        self.terms = certificate.terms
        self._solver = Solver(self.terms, QUESTION, certificate.always)
        self._end = time.process_time() + seconds
        self._needed: set[tuple[Location, Term]] = set()
        self._known: dict[tuple[int, Term], frozenset[Term]] = {}

    def slice(self, claims: Sequence[str]) -> Slice:
        """What the claims rest on, without the ways that paths do not take."""
        whole = self.certificate
        own = Certificate(self.terms)
        own.steps, own.facts, own.ghosts = whole.steps, whole.facts, whole.ghosts
        own.held = {claim: whole.held[claim] for claim in claims if claim in whole.held}
        self._needed.update(pair for pairs in own.held.values() for pair in pairs)
        own.met = [self._met(met) for met in whole.met if met.claim in claims]
        return own.rests_on(claims, self.lean)

    def lean(self, step: Step, fact: Term) -> frozenset[Term]:
        """What a path needs at its source to keep a fact."""
        key = step.number, fact
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._lean(step, fact)
            self._needed.update((step.edge.source, each) for each in found)
        return found

    def _lean(self, step: Step, fact: Term) -> frozenset[Term]:
        goal = self.terms.substitute(fact, step.store, step.memo)
        if goal is self.terms.true:
            return frozenset()
        recorded = self.certificate.lean(step, fact)
        if goal in recorded:
            return frozenset((goal,))
        return self._fewer(step.edge.source, [*step.edge.conditions, self.terms.neg(goal)], recorded)

    def _met(self, met: Met) -> Met:
        if met.kind == "offer":
            return met
        hard = [*met.conditions, self.terms.neg(met.goal)]
        return replace(met, leans_on=self._fewer(met.location, hard, met.leans_on))

    def _fewer(self, location: Location, hard: Sequence[Term], facts: Iterable[Term]) -> frozenset[Term]:
        """A part of the facts that still excludes `hard`, or all of them."""
        left = self._core(hard, facts)
        if left is None:
            return frozenset(facts)
        for fact in sorted(left, key=lambda f: ((location, f) in self._needed, -len(f.variables), f.id)):
            if len(left) > MOST:
                break
            fewer = self._core(hard, left - {fact}) if fact in left else None
            left = left if fewer is None else fewer
        return left

    def _core(self, hard: Sequence[Term], facts: Iterable[Term]) -> frozenset[Term] | None:
        if time.process_time() > self._end:
            return None
        answer = self._solver.ask(hard, facts)
        return answer.used if answer.status == "unsat" else None
