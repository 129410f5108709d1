"""Facts to propose: what the rules say somewhere, and what was never seen otherwise.

Nothing here has to be right. A candidate that some seen record contradicts is left out at once; the rest goes
to Houdini.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.compiler.core.tree import (
    Check,
    Compare,
    Const,
    Core,
    Domain,
    Expr,
    For,
    If,
    Not,
    Or,
    Read,
    Slot,
    Statement,
)
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.columns import Columns
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.houdini import Facts, parted
from rulespec.proofs.smt.locations import Graph, Nesting
from rulespec.proofs.smt.measures import Measures
from rulespec.proofs.smt.paths import Edge, Location
from rulespec.proofs.smt.syntax import slots, variables
from rulespec.proofs.smt.terms import Term, conjuncts

SMALL_RANGE = 8  # slots of the game with so few values have their seen least and most proposed too
ENOUGH = 5  # records that must have been seen before chance agreement is taken for a pattern
LONGEST = 60  # variables of a candidate that is passed on along paths


class Candidates:
    """Collects candidates for every location but the start."""

    def __init__(self, core: Core, encoder: Encoder, graph: Graph, samples: Samples) -> None:
        self.core = core
        self.encoder = encoder
        self.terms = encoder.terms
        self.graph = graph
        self.facts: Facts = {location: set() for location in graph.locations}
        self.columns = {
            location: Columns(list(samples.seen(location)))
            for location in graph.locations
            if location.kind != "start"
        }
        self._sound: dict[Expr, tuple[Term, ...]] = {}

    def propose(self, location: Location, fact: Term) -> bool:
        """Whether it is new here and no seen record speaks against it."""
        if location.kind == "start" or fact in self.facts[location] or fact is self.terms.true:
            return False
        columns = self.columns[location]
        if columns.records and columns.knows(fact) and not columns.holds(fact):
            return False
        self.facts[location].add(fact)
        return True

    def everywhere(self, facts: Iterable[Term]) -> None:
        for fact in facts:
            for location in self.graph.locations:
                self.propose(location, fact)

    def conjuncts_of(self, expr: Expr) -> tuple[Term, ...]:
        """The parts of a condition that takes no names from outside; nothing if it does."""
        if variables(expr):
            return ()
        if expr not in self._sound:
            self._sound[expr] = conjuncts(self.encoder.sound_truth(expr, {}))
        return self._sound[expr]

    # --- where candidates come from ------------------------------------------------------------------------

    def from_loops(self, nesting: Nesting, measures: Measures) -> None:
        """What loops keep, and how their measures stand, inside them."""
        for nest in nesting.all():
            loop = self.core.block[nest.head.block].loop
            kept = parted(t for e in (loop.keeps if loop else ()) for t in self.conjuncts_of(e))
            for measure in measures.of.get(nest.head, ()):
                kept |= set(measures.candidates(measure))
            for location in nest.inside:
                for fact in kept:
                    self.propose(location, fact)

    def from_checks(self) -> None:
        """Whatever is asserted about the game alone, everywhere."""
        for block in self.core.blocks:
            for check in _checks(block.body):
                if all(self.core.slot[s].role == "state" for s in slots(check.condition)):
                    self.everywhere(self.conjuncts_of(check.condition))

    def from_paths(self) -> None:
        """Conditions that were passed on the way, as far along as nothing seen speaks against them."""
        waiting: list[tuple[Location, Term]] = []
        for edge in self.graph.edges:
            for fact in self._passed(edge):
                if self.propose(edge.target, fact):
                    waiting.append((edge.target, fact))
        while waiting:
            location, fact = waiting.pop()
            for edge in self.graph.exits[location].edges:
                if self.propose(edge.target, fact):
                    waiting.append((edge.target, fact))

    def _passed(self, edge: Edge) -> set[Term]:
        found: set[Term] = set()
        for condition, value in edge.passed:
            found.update(self.conjuncts_of(condition if value else Not(condition)))
        return {fact for fact in found if len(fact.variables) <= LONGEST}

    def from_samples(self) -> None:
        """The least and the most that was seen of an element."""
        for location, columns in self.columns.items():
            if not columns.records:
                continue
            for position, element in enumerate(self.encoder.elements):
                if element.op == "var":
                    seen = columns.of(element)
                    for fact in self._limits(position, element, min(seen), max(seen)):
                        self.propose(location, fact)

    def _limits(self, position: int, element: Term, least: int, most: int) -> Iterable[Term]:
        slot = self.core.slot[self.encoder.owner[position][0]]
        terms = self.terms
        if slot.role == "state" and slot.high - slot.low > SMALL_RANGE and least != most:
            if least > slot.low:
                yield terms.le(terms.integer(slot.low + 1), element)
            return
        yield terms.le(terms.integer(least), element)
        yield terms.le(element, terms.integer(most))

    def from_pointers(self) -> None:
        """Whether what a slot names is in a set, and whether two slots name the same."""
        named = [s for s in self.core.slots if not s.dims and s.low >= -1 and s.domain.names]
        sets = [s for s in self.core.slots if s.dims and (s.low, s.high) == (0, 1)]
        facts: set[Term] = set()
        for number, pointer in enumerate(named):
            for place in sets:
                if len(place.dims) == 1 and _points_into(pointer, place.dims[0]):
                    facts.update(self._member(place, (pointer,)))
                for other in named if len(place.dims) == 2 else ():
                    for pair in ((pointer, other), (other, pointer)):
                        if all(_points_into(p, d) for p, d in zip(pair, place.dims, strict=True)):
                            facts.update(self._member(place, pair))
            for other in named[number + 1 :]:
                if _kind(other) == _kind(pointer):
                    facts.update(self._alike(pointer, other))
        for location, columns in self.columns.items():
            if len(columns.records) >= ENOUGH:
                for fact in facts:
                    self.propose(location, fact)

    def _member(self, place: Slot, pointers: tuple[Slot, ...]) -> Iterable[Term]:
        """In the set, or not, unless a pointer is at nothing."""
        index = tuple(Read(p.name) for p in pointers)
        nothing = tuple(Compare("<", Read(p.name), Const(0)) for p in pointers if p.low < 0)
        for operator in ("=", "!="):
            yield self.encoder.sound_truth(
                Or((*nothing, Compare(operator, Read(place.name, index), Const(1)))), {}
            )

    def _alike(self, a: Slot, b: Slot) -> Iterable[Term]:
        x, y = (self.encoder.elements[self.core.offset[s.name]] for s in (a, b))
        yield self.terms.eq(x, y)
        yield self.terms.ne(x, y)


def _points_into(pointer: Slot, dim: Domain) -> bool:
    """Whether the slot's numbers from 0 on are those of the dimension, judged by their names."""
    return pointer.domain.names[-len(dim.names) :] == dim.names and pointer.high == len(dim.names) - 1


def _kind(slot: Slot) -> tuple[str, int]:
    """Slots that name members of one enum have the same last name and the same highest number."""
    return slot.domain.names[-1] if slot.domain.names else "", slot.high


def _checks(body: Iterable[Statement]) -> Iterable[Check]:
    for statement in body:
        match statement:
            case Check():
                yield statement
            case If(_, then, other):
                yield from _checks((*then, *other))
            case For(_, _, _, inner):
                yield from _checks(inner)
