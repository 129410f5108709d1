"""Candidates around an obligation that is not met: the least and the most that was seen of sums over what it
is about, in the rule that it comes up in. A counter may stand for what is still to come or already there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from rulespec.compiler.core.tree import Slot
from rulespec.proofs.claims import rule_of
from rulespec.proofs.smt.candidates import ENOUGH, Candidates
from rulespec.proofs.smt.columns import Columns
from rulespec.proofs.smt.goals import Goal
from rulespec.proofs.smt.paths import Edge, Location
from rulespec.proofs.smt.terms import Term

SLICES = 8  # of a dimension whose indices are told apart
WIDEST = 40  # elements of a sum
CLOSE = 2  # steps from what an obligation is about to what that is made of
MOST_SLOTS = 12


def propose_sums(candidates: Candidates, goals: Sequence[Goal]) -> list[tuple[Location, Term]]:
    """Candidates for every goal, at all locations of its rule. They may be widened."""
    found: list[tuple[Location, Term]] = []
    rules: dict[str, set[str]] = {}
    for goal in goals:
        if goal.location.kind != "start":
            rules.setdefault(_rule(candidates, goal.location), set()).update(_about(candidates, goal))
    for rule, about in rules.items():
        places = [v for v in candidates.graph.locations if _rule(candidates, v) == rule and v.kind != "start"]
        edges = [edge for edge in candidates.graph.edges if edge.source in set(places)]
        slots = _made_of(candidates, about, edges)
        for location in places:
            found += ((location, fact) for fact in _Fitting(candidates, location, slots).run())
    return found


def _rule(candidates: Candidates, location: Location) -> str:
    return rule_of(candidates.core.block[location.block])


def _about(candidates: Candidates, goal: Goal) -> set[str]:
    owner = candidates.encoder.owner
    return {owner[key][0] for key in goal.claim.variables if key < len(owner)}


def _made_of(candidates: Candidates, about: set[str], edges: Iterable[Edge]) -> list[Slot]:
    """The slots, and those whose numbers move into them or out of them."""
    owner, core = candidates.encoder.owner, candidates.core
    found = set(about)
    for _ in range(CLOSE):
        more = {
            owner[key][0]
            for edge in edges
            for written, value in edge.store.items()
            if owner[written][0] in found
            for key in value.variables
            if key < len(owner)
        }
        if len(found | more) > MOST_SLOTS:
            break
        found |= more
    return [slot for slot in core.slots if slot.name in found and not (slot.domain.names and not slot.dims)]


class _Fitting:
    """At one location."""

    def __init__(self, candidates: Candidates, location: Location, slots: Sequence[Slot]) -> None:
        self.to = candidates
        self.terms = candidates.terms
        self.location = location
        live = candidates.live[location]
        offset = candidates.core.offset
        self.slots = [s for s in slots if candidates.in_part_at(location, s)]
        self.counters = [
            self._element(s)
            for s in candidates.core.slots
            if s.role == "control" and not s.dims and s.low == 0 and not s.domain.names
            if offset[s.name] in live and self._element(s).op == "var"
        ]

    def _element(self, slot: Slot) -> Term:
        return self.to.at(self.location, self.to.encoder.elements[self.to.core.offset[slot.name]])

    def run(self) -> Iterator[Term]:
        columns = self.to.columns[self.location]
        if columns.size < ENOUGH:
            return
        totals = dict.fromkeys(chain.from_iterable(self._totals(slot) for slot in self.slots))
        for total in totals:
            for counter in (self.terms.zero, *self.counters):
                for shifted in {self.terms.add(total, counter): None, self.terms.sub(total, counter): None}:
                    yield from self._limits(columns, shifted)

    def _totals(self, slot: Slot) -> Iterator[Term]:
        """The sum over the whole slot, and for each index of a dimension over the rest."""
        base = self.to.core.offset[slot.name]
        elements = self.to.encoder.elements[base : base + slot.size]
        if slot.size <= WIDEST:
            yield self.terms.total((1, e) for e in elements)
        yield from (self.terms.total((1, e) for e in part) for part in slices(slot, elements, SLICES))

    def _limits(self, columns: Columns, total: Term) -> Iterator[Term]:
        values = columns.of(total)
        for fact in (
            self.terms.le(self.terms.integer(min(values)), total),
            self.terms.le(total, self.terms.integer(max(values))),
        ):
            if fact.op == "le" and self.to.propose(self.location, fact):
                yield fact


def slices(slot: Slot, elements: Sequence[Term], most: int) -> Iterator[list[Term]]:
    """The elements with the same index in a dimension, for each index where they are no more than `most`."""
    stride = slot.size
    for dim in slot.dims:
        size = len(dim.names)
        stride //= size
        for index in range(size) if size <= most else ():
            yield [e for n, e in enumerate(elements) if n // stride % size == index]
