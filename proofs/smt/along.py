"""Candidates that are read off paths.

A check is brought back along its path to where the path begins, and a little further: what a rule promises of
its result is thus asked of the variables that it returns, and of what these are made from. What a number is
set to goes on to hold as long as neither changes; or the number only rises or only falls from there. What was
answered in secret was a move: it still is where nothing that decides it has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.compiler.core.tree import Arith, Choose, Compare, Const, Read
from rulespec.compiler.core.walk import sets
from rulespec.proofs.claims import rule_of
from rulespec.proofs.smt.candidates import LONGEST, Candidates
from rulespec.proofs.smt.houdini import parted, split_up
from rulespec.proofs.smt.paths import Edge, Location
from rulespec.proofs.smt.syntax import subexpressions, variables
from rulespec.proofs.smt.terms import FIRST_FRESH, Term

CHECKED = ("assert", "requires", "ensures", "choice")
BACK = 1  # control points that a candidate is brought back beyond the one where its check's path begins
LARGEST = 40  # different terms within a candidate


def propose_along(candidates: Candidates) -> None:
    """All candidates of this module, at each location of the rule that they come from."""
    places: dict[str, list[Location]] = {}
    for location in candidates.graph.locations:
        places.setdefault(_rule(candidates, location), []).append(location)
    for rule, facts in _Facts(candidates).all().items():
        for fact in facts:
            for place in places.get(rule, ()):
                candidates.propose(place, fact)


def _rule(candidates: Candidates, location: Location) -> str:
    return rule_of(candidates.core.block[location.block])


Found = dict[str, dict[Term, None]]  # by rule, in the order in which they were found


class _Facts:
    """The candidates by rule."""

    def __init__(self, candidates: Candidates) -> None:
        self.to = candidates
        self.core = candidates.core
        self.terms = candidates.terms
        self._inside: dict[str, list[Edge]] = {}
        for edge in candidates.graph.edges:
            rule = _rule(candidates, edge.target)
            if edge.source.kind != "start" and _rule(candidates, edge.source) == rule:
                self._inside.setdefault(rule, []).append(edge)

    def all(self) -> Found:
        found = self._checked()
        latest = found
        for _ in range(BACK):
            latest = {rule: self._back(rule, facts) for rule, facts in latest.items()}
            found = {rule: {**facts, **latest[rule]} for rule, facts in found.items()}
        for more in (self._assigned(), self._answered()):
            for rule, facts in more.items():
                found[rule] = {**found.get(rule, {}), **facts}
        return found

    def _checked(self) -> Found:
        found: Found = {}
        for location, obligation in self.to.graph.obligations():
            if obligation.kind in CHECKED and location.kind != "start":
                facts = self._under(obligation.conditions, split_up(self.terms, obligation.claim))
                found.setdefault(_rule(self.to, location), {}).update(dict.fromkeys(facts))
        return found

    def _back(self, rule: str, facts: Iterable[Term]) -> dict[Term, None]:
        """What must hold before a path of the rule so that these hold after it."""
        found: dict[Term, None] = {}
        for edge in self._inside.get(rule, ()):
            memo: dict[Term, Term] = {}
            touched = [f for f in facts if not f.variables.isdisjoint(edge.store)]
            before = (self.terms.substitute(f, edge.store, memo) for f in touched)
            found.update(dict.fromkeys(self._under(edge.conditions, before)))
        return found

    def _under(self, conditions: Iterable[Term], parts: Iterable[Term]) -> Iterator[Term]:
        """Each part as it is, and under what is known on its path of what it is about."""
        known = [c for c in sorted(parted(conditions)) if _is_of_record(c)]
        for part in parts:
            if _is_of_record(part):
                about = [c for c in known if not c.variables.isdisjoint(part.variables)]
                for premise in (self.terms.true, *about, self.terms.conj(about)):
                    fact = self.terms.implies(premise, part)
                    if _is_small(fact):
                        yield fact

    def _assigned(self) -> Found:
        """What a number of the rules is set to, as bounds of it from either side."""
        found: Found = {}
        for block in self.core.blocks:
            for statement in sets(block.body):
                slot, target = self.core.slot[statement.slot], Read(statement.slot, statement.index)
                known = isinstance(statement.value, Const) or target in subexpressions(statement.value)
                if slot.role == "state" or known or variables(statement.value) or slot.dims:
                    continue
                signs = ("=", "<=", ">=") if isinstance(statement.value, Arith) else ("=",)
                facts = [f for s in signs for f in self.to.conjuncts_of(Compare(s, target, statement.value))]
                small = dict.fromkeys(f for f in facts if _is_small(f))
                found.setdefault(slot.origin.rule, {}).update(small)
        return found

    def _answered(self) -> Found:
        """That what is kept of a secret answer was among the moves, also just for those who gave this one."""
        found: Found = {}
        kept = {
            self.core.offset[slot.name] + place
            for slot in self.core.slots
            if slot.sight == "seat"
            for place in range(slot.size)
        }
        for edge in self.to.graph.edges:
            end = self.core.block[edge.source.block].end
            if isinstance(end, Choose) and end.secret:
                facts = [f for f in self._of_answer(edge, kept) if _is_of_record(f) and _is_small(f)]
                found.setdefault(_rule(self.to, edge.source), {}).update(dict.fromkeys(facts))
        return found

    def _of_answer(self, edge: Edge, kept: set[int]) -> Iterator[Term]:
        elements = self.to.encoder.elements
        written = {key: value for key, value in edge.store.items() if key in kept}
        back = {value.number: elements[key] for key, value in written.items() if value.op == "var"}
        which = [self.terms.eq(elements[key], v) for key, v in written.items() if v.op == "int"]
        memo: dict[Term, Term] = {}
        for condition in sorted(parted(edge.conditions)):
            if condition.variables.isdisjoint(edge.store) and not condition.variables.isdisjoint(back):
                fact = self.terms.substitute(condition, back, memo)
                yield fact
                yield self.terms.implies(self.terms.conj(which), fact)


def _is_of_record(term: Term) -> bool:
    """Whether it is about the record alone, not about what is chosen or happens on the path."""
    return all(key < FIRST_FRESH for key in term.variables)


def _is_small(term: Term) -> bool:
    seen: set[Term] = set()
    waiting = [term]
    while waiting and len(seen) <= LARGEST:
        now = waiting.pop()
        if now not in seen:
            seen.add(now)
            waiting.extend(now.kids)
    return len(seen) <= LARGEST and len(term.variables) <= LONGEST
