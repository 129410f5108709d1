"""Facts to propose: what the rules say somewhere, and what was never seen otherwise.

Nothing here has to be right. A candidate that some seen record contradicts is left out at once; the rest goes
to Houdini. `templates` has the candidates of more particular shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.compiler.core.tree import Core, Expr, Not, Slot
from rulespec.compiler.core.walk import checks
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.columns import Columns, as_given
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.houdini import Facts, parted
from rulespec.proofs.smt.liveness import live
from rulespec.proofs.smt.locations import Graph, Nest, Nesting
from rulespec.proofs.smt.measures import FIRST_GHOST, Measures
from rulespec.proofs.smt.paths import Edge, Location
from rulespec.proofs.smt.syntax import variables
from rulespec.proofs.smt.terms import Term, conjuncts

SMALL_RANGE = 8  # slots of the game with so few values have their seen least and most proposed too
LONGEST = 60  # variables of a candidate that is passed on along paths
ENOUGH = 30  # records that must have been seen before chance agreement is taken for a pattern


class Candidates:
    """Collects candidates for every location but the start, about what matters there (`live`)."""

    def __init__(
        self,
        core: Core,
        encoder: Encoder,
        graph: Graph,
        nesting: Nesting,
        measures: Measures,
        samples: Samples,
    ) -> None:
        self.core = core
        self.encoder = encoder
        self.terms = encoder.terms
        self.graph = graph
        self.nesting = nesting
        self.measures = measures
        self.facts: Facts = {location: set() for location in graph.locations}
        self.columns = {
            location: self._columns(location, samples)
            for location in graph.locations
            if location.kind != "start"
        }
        self._sound: dict[Expr, tuple[Term, ...]] = {}
        state = [n for n, (slot, _) in enumerate(encoder.owner) if core.slot[slot].role == "state"]
        self.live = live(graph, state, {nest.head: self._kept_by(nest) for nest in nesting.all()})
        self.stated: set[Term] = set()
        self.refuted: list[tuple[Location, Term]] = []  # stated somewhere, but seen otherwise here
        self._inside = {
            key: nest.inside
            for nest in nesting.all()
            for measure in measures.of.get(nest.head, ())
            for key in measure.keys
        }
        self._alike: dict[int, list[tuple[int, Slot]]] = {}  # slots by their number of elements
        for slot in core.slots:
            self._alike.setdefault(slot.size, []).append((core.offset[slot.name], slot))
        self._fixed: dict[Location, tuple[dict[int, Term], dict[Term, Term]]] = {}

    def _kept_by(self, nest: Nest) -> frozenset[int]:
        """What the facts are about that a loop is said to keep."""
        loop = self.core.block[nest.head.block].loop
        kept = [t for e in (loop.keeps if loop else ()) for t in self.conjuncts_of(e)]
        return frozenset().union(*(t.variables for t in kept))

    def _columns(self, location: Location, samples: Samples) -> Columns:
        """What was seen at a location, with what the measures of the loops around it were at their heads."""
        seen = samples.seen(location)
        extra = as_given(self.encoder.given, len(seen))
        for nest in self.nesting.all():
            if location in nest.inside and all(nest.head.block in s.heads for s in seen):
                given = as_given(self.encoder.given, len(seen))
                heads = Columns([s.heads[nest.head.block] for s in seen], given)
                for measure in self.measures.of.get(nest.head, ()):
                    for key, part in zip(measure.keys, measure.parts, strict=True):
                        extra[key] = heads.of(part)
        return Columns([s.record for s in seen], extra)

    # --- proposing -----------------------------------------------------------------------------------------

    def propose(self, location: Location, fact: Term) -> bool:
        """Whether it is new here and no seen record speaks against it."""
        fact = self.at(location, fact)
        if location.kind == "start" or fact in self.facts[location] or fact is self.terms.true:
            return False
        if not self.matters(location, fact) or not self.agrees(location, fact):
            return False
        self.facts[location].add(fact)
        return True

    def at(self, location: Location, fact: Term) -> Term:
        """The fact with the numbers that are kept apart at the location."""
        fixed = self._fixed.get(location)
        if fixed is None:
            offset, integer = self.core.offset, self.terms.integer
            fixed = self._fixed[location] = {offset[slot]: integer(n) for slot, n in location.stack}, {}
        return self.terms.substitute(fact, *fixed)

    def matters(self, location: Location, fact: Term) -> bool:
        """Whether all that the fact is about may still be looked at, within the loops whose measures it is
        about.
        """
        alive = self.live[location]
        return all(
            key in alive
            or key in self.encoder.given
            or (key in self._inside and location in self._inside[key])
            for key in fact.variables
        )

    def counts_at(self, location: Location, slot: Slot) -> bool:
        """Whether the number in a slot still matters at a location, or is known there and kept apart."""
        apart = any(name == slot.name for name, _ in location.stack)
        return apart or self.core.offset[slot.name] in self.live[location]

    def in_part_at(self, location: Location, slot: Slot) -> bool:
        """Whether some element of a slot still matters at a location."""
        base = self.core.offset[slot.name]
        return not self.live[location].isdisjoint(range(base, base + slot.size))

    def agrees(self, location: Location, fact: Term) -> bool:
        columns = self.columns[location]
        return not columns.size or not columns.knows(fact) or columns.holds(fact)

    def state(self, locations: Iterable[Location], facts: Iterable[Term]) -> None:
        """Propose what the rules say; what was seen otherwise is kept in mind, to be weakened."""
        facts = list(facts)
        self.stated.update(facts)
        for location in locations:
            for fact in facts if location.kind != "start" else ():
                here = self.at(location, fact)
                new = self.propose(location, here)
                if not new and here not in self.facts[location] and self.matters(location, here):
                    self.refuted.append((location, here))

    def everywhere(self, facts: Iterable[Term]) -> None:
        self.state(self.graph.locations, facts)

    def conjuncts_of(self, expr: Expr) -> tuple[Term, ...]:
        """The parts of a condition that takes no names from outside; nothing if it does."""
        if variables(expr):
            return ()
        if expr not in self._sound:
            self._sound[expr] = conjuncts(self.encoder.sound_truth(expr, {}))
        return self._sound[expr]

    # --- where candidates come from ------------------------------------------------------------------------

    def from_loops(self) -> None:
        """What loops keep, and how their measures stand, inside them."""
        for nest in self.nesting.all():
            loop = self.core.block[nest.head.block].loop
            kept = parted(t for e in (loop.keeps if loop else ()) for t in self.conjuncts_of(e))
            self.state(sorted(nest.inside), kept)
            self._from_measures(nest)

    def _from_measures(self, nest: Nest) -> None:
        for measure in self.measures.of.get(nest.head, ()):
            self.state((nest.head,), self.measures.at_head(measure))
            self.state(sorted(nest.inside - {nest.head}), self.measures.inside(measure))

    def from_checks(self) -> None:
        """What is asserted and the rulebook's hints, wherever what they are about still matters."""
        for hint in self.core.hints:
            self.everywhere(self.conjuncts_of(hint.condition))
        for block in self.core.blocks:
            for check in checks(block.body):
                self.everywhere(self.conjuncts_of(check.condition))

    def from_paths(self) -> None:
        """Conditions that were passed on the way, as far along as nothing seen speaks against them."""
        waiting: list[tuple[Location, Term]] = []
        for edge in self.graph.edges:
            for fact in self._passed(edge):
                waiting.extend(self._carried(edge, fact))
            for fact in self._written(edge):
                self.propose(edge.target, fact)
        while waiting:
            location, fact = waiting.pop()
            for edge in self.graph.exits[location].edges:
                waiting.extend(self._carried(edge, fact))

    def _written(self, edge: Edge) -> Iterator[Term]:
        """Numbers that the path writes, and slots of the rules into which it writes the same."""
        for key, value in edge.store.items():
            if value.op == "int":
                yield self.terms.eq(self.encoder.elements[key], value)
        for slot in self.core.slots:
            base = self.core.offset[slot.name]
            if slot.role != "state" and base in edge.store and base in self.live[edge.target]:
                for copy in self.copies(edge, slot):
                    start = self.core.offset[copy.name]
                    for number in range(slot.size if copy is not slot else 0):
                        a, b = (self.encoder.elements[at + number] for at in (base, start))
                        yield self.terms.eq(a, b)

    def _carried(self, edge: Edge, fact: Term) -> Iterator[tuple[Location, Term]]:
        """Propose the fact at the path's end, also for copies made on the way of what it is about."""
        for said in (fact, *self._renamed(edge, fact)):
            if self.propose(edge.target, said):
                yield edge.target, said

    def _renamed(self, edge: Edge, fact: Term) -> Iterator[Term]:
        """The fact about slots that hold the same at the path's end, where those it is about no longer
        matter.
        """
        if self.matters(edge.target, fact):
            return
        dead = {self.encoder.owner[k][0] for k in fact.variables if k < FIRST_GHOST}
        dead = {s for s in dead if self.core.offset[s] not in self.live[edge.target]}
        for name in sorted(dead):
            for copy in self.copies(edge, self.core.slot[name]):
                base, other = self.core.offset[name], self.core.offset[copy.name]
                renaming = {base + n: self.encoder.elements[other + n] for n in range(copy.size)}
                yield self.terms.substitute(fact, renaming, {})

    def copies(self, edge: Edge, slot: Slot) -> Iterator[Slot]:
        """Slots that matter at the path's end and hold the same as `slot` there."""
        base = self.core.offset[slot.name]
        values = [edge.store.get(base + n, self.encoder.elements[base + n]) for n in range(slot.size)]
        for start, other in self._alike[slot.size]:
            if start not in edge.store or start not in self.live[edge.target]:
                continue
            if all(edge.store.get(start + n) is values[n] for n in range(slot.size)):
                yield other

    def _passed(self, edge: Edge) -> set[Term]:
        found: set[Term] = set()
        for condition, value in edge.passed:
            found.update(self.conjuncts_of(condition if value else Not(condition)))
        return {fact for fact in found if len(fact.variables) <= LONGEST}

    def from_samples(self) -> None:
        """The least and the most that was seen in a slot."""
        for location, columns in self.columns.items():
            if columns.size < ENOUGH:
                continue
            for slot in self.core.slots:
                base = self.core.offset[slot.name]
                elements = [e for e in self.encoder.elements[base : base + slot.size] if e.op == "var"]
                if elements and base in self.live[location]:
                    values = [v for e in elements for v in columns.of(e)]
                    for fact in self._limits(columns, slot, elements, min(values), max(values)):
                        self.propose(location, fact)

    def _limits(
        self, columns: Columns, slot: Slot, elements: list[Term], least: int, most: int
    ) -> Iterable[Term]:
        terms = self.terms
        small = slot.high - slot.low <= SMALL_RANGE and not slot.dims
        flags = (slot.low, slot.high) == (0, 1)
        for element in elements:
            if slot.role != "state" or small or (flags and least == most):
                yield terms.le(terms.integer(least), element)
                yield terms.le(element, terms.integer(most))
            elif flags:
                values = set(columns.of(element))
                if len(values) == 1:
                    yield terms.eq(element, terms.integer(values.pop()))
            elif least > slot.low and not slot.dims:
                yield terms.lt(terms.integer(slot.low), element)

    def spread_out(self) -> None:
        """What is proposed somewhere is proposed behind each path that does not touch what it is about."""
        waiting = [(location, fact) for location, facts in self.facts.items() for fact in facts]
        while waiting:
            location, fact = waiting.pop()
            for edge in self.graph.exits[location].edges:
                if edge.store.keys().isdisjoint(fact.variables) and self.propose(edge.target, fact):
                    waiting.append((edge.target, fact))
