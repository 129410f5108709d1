"""Candidates from the ends of ranges: tried where the usual ones were not enough.

What a player picks lies between the ends of its range, and what is set to the lesser of two numbers is at
most either. Both go on to hold for as long as nothing changes what they are about, under whatever names: the
highest bid is then not more than the highest bidder has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from rulespec.compiler.core.tree import Arith, Choose, Compare, Expr, Option, Read, Set, Slot
from rulespec.compiler.core.walk import sets
from rulespec.proofs.smt.candidates import LONGEST, Candidates
from rulespec.proofs.smt.paths import Edge, Location
from rulespec.proofs.smt.syntax import subexpressions, variables
from rulespec.proofs.smt.templates import replaced_name
from rulespec.proofs.smt.terms import Term

RENAMINGS = 8  # ways in which one fact is said about copies of what it is about
MOST_ELEMENTS = 12  # of an array that is compared with another
SIGN = {"min": "<=", "max": ">="}


def propose_ends(candidates: Candidates) -> None:
    """All candidates of this module."""
    _Picked(candidates).run()
    assigned = [fact for expr in _assigned(candidates) for fact in candidates.conjuncts_of(expr)]
    for location in candidates.graph.locations:
        for fact in assigned:
            candidates.propose(location, fact)
        for fact in (*_alongside(candidates, location), *_once_known(candidates, location)):
            candidates.propose(location, fact)


def _alongside(candidates: Candidates, location: Location) -> Iterator[Term]:
    """Arrays of the rules that are nowhere beyond another array: what each bids, and what each has."""
    offset, terms = candidates.core.offset, candidates.terms
    arrays = [s for s in candidates.core.slots if len(s.dims) == 1 and candidates.in_part_at(location, s)]
    for one in arrays if candidates.columns.get(location) else ():
        for other in arrays if one.role != "state" else ():
            flags = {(s.low, s.high) == (0, 1) for s in (one, other)}
            if other is one or other.dims != one.dims or len(flags) == 2 or one.size > MOST_ELEMENTS:
                continue
            for number in range(one.size):
                a, b = (candidates.encoder.elements[offset[s.name] + number] for s in (one, other))
                yield terms.le(a, b)


def _once_known(candidates: Candidates, location: Location) -> Iterator[Term]:
    """As soon as a pointer of the rules is at something, a number beside it is not below another, or 0."""
    live, offset, terms = candidates.live[location], candidates.core.offset, candidates.terms
    scalars = [s for s in candidates.core.slots if not s.dims and offset[s.name] in live]
    numbers = [s for s in scalars if not s.domain.names]
    for pointer in scalars if candidates.columns.get(location) else ():
        if pointer.role == "state" or pointer.low >= 0 or not pointer.domain.names:
            continue
        nothing = terms.lt(candidates.encoder.elements[offset[pointer.name]], terms.zero)
        beside = [s for s in numbers if s.role != "state" and s.origin.rule == pointer.origin.rule]
        for number in beside:
            element = candidates.encoder.elements[offset[number.name]]
            others = [candidates.encoder.elements[offset[s.name]] for s in numbers if s is not number]
            for least in (terms.zero, *others):
                yield terms.disj((nothing, terms.le(least, element)))


def _assigned(candidates: Candidates) -> Iterator[Expr]:
    """What holds after an assignment of the lesser or greater of two numbers."""
    for block in candidates.core.blocks:
        for statement in sets(block.body):
            if not candidates.core.slot[statement.slot].dims:
                yield from _beside(statement)


def _beside(statement: Set) -> Iterator[Expr]:
    target = Read(statement.slot)
    waiting = [statement.value]
    while waiting:
        match waiting.pop():
            case Arith("min" | "max" as operator, left, right):
                for side in (left, right):
                    if target not in subexpressions(side):
                        yield Compare(SIGN[operator], target, side)
                    waiting.append(side)


class _Picked:
    """What is picked at choices, and what it goes on to be called."""

    def __init__(self, candidates: Candidates) -> None:
        self.to = candidates
        self.core = candidates.core
        self.terms = candidates.terms
        self.elements = candidates.encoder.elements

    def run(self) -> None:
        waiting: list[tuple[Location, Term]] = []
        for edge in self.to.graph.edges:
            end = self.core.block[edge.source.block].end
            if edge.source.kind == "choice" and isinstance(end, Choose):
                option = next(o for o in end.options if o.name == edge.label)
                for expr in _within(option):
                    for fact in self.to.conjuncts_of(expr):
                        waiting.extend(self._carried(edge, fact))
        while waiting:
            location, fact = waiting.pop()
            for edge in self.to.graph.exits[location].edges:
                waiting.extend(self._carried(edge, fact))

    def _carried(self, edge: Edge, fact: Term) -> Iterator[tuple[Location, Term]]:
        """Propose the fact at the path's end, as it is and about copies made on the way."""
        for said in self._renamed(edge, fact):
            for new in (said, *self._unless_nothing(said)):
                if len(new.variables) <= LONGEST and self.to.propose(edge.target, new):
                    yield edge.target, new

    def _renamed(self, edge: Edge, fact: Term) -> Iterator[Term]:
        """The fact itself where it still matters, else about all that now holds the same."""
        if self.to.matters(edge.target, fact):
            yield fact
            return
        live = self.to.live[edge.target]
        dead = [s for s in self._slots(fact) if self.core.offset[s.name] not in live]
        copies = [list(self.to.copies(edge, slot)) for slot in dead]
        for chosen in islice(product(*copies), RENAMINGS):
            renaming: dict[int, Term] = {}
            for slot, copy in zip(dead, chosen, strict=True):
                base, other = self.core.offset[slot.name], self.core.offset[copy.name]
                renaming.update((base + n, self.elements[other + n]) for n in range(slot.size))
            yield self.terms.substitute(fact, renaming, {})

    def _slots(self, fact: Term) -> list[Slot]:
        owner = self.to.encoder.owner
        return [self.core.slot[s] for s in sorted({owner[k][0] for k in fact.variables if k < len(owner)})]

    def _unless_nothing(self, fact: Term) -> Iterator[Term]:
        """The same, unless what the fact looks something up by is at nothing."""
        for slot in self._slots(fact):
            if not slot.dims and slot.low < 0 and slot.domain.names:
                nothing = self.terms.lt(self.elements[self.core.offset[slot.name]], self.terms.zero)
                yield self.terms.disj((nothing, fact))


def _within(option: Option) -> Iterable[Expr]:
    """Parameters between their ends, read from the slots that keep them."""
    for number, param in enumerate(option.params):
        for operator, end in (("<=", param.high), (">=", param.low)):
            for earlier in option.params[:number]:
                end = replaced_name(end, earlier.name, earlier.slot)
            if not variables(end):
                yield Compare(operator, Read(param.slot), end)
