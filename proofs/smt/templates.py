"""Candidates of particular shapes, fitted to what was seen: what pointers point at, what a loop's counter
divides into done and still to do, and what the rules say with the exceptions that were seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.tree import Chance, Choose, Compare, Const, Domain, Expr, Or, Read, Slot, Var
from rulespec.compiler.core.walk import checks
from rulespec.proofs.claims import rule_of
from rulespec.proofs.smt.candidates import ENOUGH, SMALL_RANGE, Candidates
from rulespec.proofs.smt.columns import Columns
from rulespec.proofs.smt.measures import FIRST_GHOST
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.syntax import replaced, slots, variables
from rulespec.proofs.smt.terms import Term

LARGEST_SUM = 40  # elements of a sum that is tried
EXCEPTIONS = 2  # ways to weaken one fact
WIDEST = 24  # values of a scalar that may name an exception


def propose_all(candidates: Candidates) -> None:
    """All shapes that this module knows."""
    _Pointers(candidates).run()
    _Splits(candidates).run()
    _Spread(candidates).run()
    _Exceptions(candidates).run()


# --- what pointers point at --------------------------------------------------------------------------------


class _Pointers:
    """Whether what a slot names is in a set, and whether two slots name the same."""

    def __init__(self, candidates: Candidates) -> None:
        self.to = candidates
        self.core = candidates.core

    def run(self) -> None:
        named = [s for s in self.core.slots if not s.dims and s.low >= -1 and s.domain.names]
        sets = [s for s in self.core.slots if s.dims and (s.low, s.high) == (0, 1)]
        facts: set[Term] = set()
        for number, pointer in enumerate(named):
            for place in sets:
                if len(place.dims) == 1 and points_into(pointer, place.dims[0]):
                    facts.update(self._member(place, (pointer,)))
                for other in named if len(place.dims) == 2 and pointer.role != "state" else ():
                    pair = (pointer, other)
                    fits = all(points_into(p, d) for p, d in zip(pair, place.dims, strict=True))
                    if fits and _related(pointer, other):
                        facts.update(self._member(place, pair))
            for other in named[number + 1 :]:
                if _kind(other) == _kind(pointer):
                    facts.update(self._alike(pointer, other))
        for location, columns in self.to.columns.items():
            if columns.size >= ENOUGH:
                for fact in facts:
                    self.to.propose(location, fact)

    def _member(self, place: Slot, pointers: tuple[Slot, ...]) -> Iterable[Term]:
        """In the set, or not, unless a pointer is at nothing."""
        index = tuple(Read(p.name) for p in pointers)
        nothing = tuple(Compare("<", Read(p.name), Const(0)) for p in pointers if p.low < 0)
        for operator in ("=", "!="):
            inside = Compare(operator, Read(place.name, index), Const(1))
            yield self.to.encoder.sound_truth(Or((*nothing, inside)), {})

    def _alike(self, a: Slot, b: Slot) -> Iterable[Term]:
        x, y = (self.to.encoder.elements[self.core.offset[s.name]] for s in (a, b))
        yield self.to.terms.eq(x, y)
        yield self.to.terms.ne(x, y)


def points_into(pointer: Slot, dim: Domain) -> bool:
    """Whether the slot's numbers from 0 on are those of the dimension, judged by their names."""
    return pointer.domain.names[-len(dim.names) :] == dim.names and pointer.high == len(dim.names) - 1


def _kind(slot: Slot) -> tuple[str, int]:
    """Slots that name members of one enum have the same last name and the same highest number."""
    return slot.domain.names[-1] if slot.domain.names else "", slot.high


def _related(a: Slot, b: Slot) -> bool:
    """Slots of one rule, or one of them of the game."""
    return a.origin.rule == b.origin.rule or "state" in (a.role, b.role)


# --- what a counter divides --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Cases:
    """For each index of a dimension, when it belongs to the case."""

    tests: tuple[Term, ...]


class _Splits:
    """A loop's counter goes through a dimension: below it, above it, and at the index at hand, sums of an
    array's elements are constant, or are constant together with another counter.
    """

    def __init__(self, candidates: Candidates) -> None:
        self.to = candidates
        self.core = candidates.core
        self.terms = candidates.terms
        self._totals = {fact.variables for fact in candidates.stated}
        chances = [b.end for b in self.core.blocks if isinstance(b.end, Chance)]
        self._drawn = frozenset().union(*(slots(c.weight) for c in chances))

    def run(self) -> None:
        for location, columns in self.to.columns.items():
            if columns.size >= ENOUGH:
                self._at(location, columns)

    def _at(self, location: Location, columns: Columns) -> None:
        alive = [s for s in self.core.slots if self.core.offset[s.name] in self.to.live[location]]
        scalars = [s for s in alive if not s.dims and s.role != "state"]
        counters = [s for s in scalars if not s.domain.names and s.low == 0]
        for fallen in self._fallen(location):
            self._one(location, columns, fallen, counters)
        for slot in alive:
            if slot.dims and slot.size <= LARGEST_SUM:
                self._whole(location, columns, slot, counters)
            for place, dim in enumerate(slot.dims):
                sums = self._sums(slot, place)
                if len(dim.names) < 2 or sums is None:
                    continue
                size = len(dim.names)
                dividers = [c for c in counters if c.high in (size, size - 1)]
                pointers = [p for p in scalars if points_into(p, dim)]
                self._fit(location, columns, sums, dividers, pointers, counters)

    def _sums(self, slot: Slot, place: int) -> list[Term] | None:
        """For each index of a dimension the sum over all others."""
        sizes = [len(d.names) for d in slot.dims]
        if slot.size // sizes[place] > LARGEST_SUM or slot.size > 4 * LARGEST_SUM:
            return None
        base = self.core.offset[slot.name]
        stride = 1
        for size in sizes[place + 1 :]:
            stride *= size
        parts: list[list[Term]] = [[] for _ in range(sizes[place])]
        for number in range(slot.size):
            parts[number // stride % sizes[place]].append(self.to.encoder.elements[base + number])
        return [self.terms.total((1, e) for e in part) for part in parts]

    def _whole(self, location: Location, columns: Columns, slot: Slot, counters: Sequence[Slot]) -> None:
        """The sum over the whole slot: constant, or at least a counter."""
        base = self.core.offset[slot.name]
        total = self.terms.total((1, e) for e in self.to.encoder.elements[base : base + slot.size])
        most = max(columns.of(total))
        if total.variables in self._totals and most <= SMALL_RANGE:
            self.to.propose(location, self.terms.le(total, self.terms.integer(most)))
        if self._one(location, columns, total, counters):
            return
        for counter in counters:
            if slot.name in self._drawn and counter.role == "control":
                self.to.propose(location, self.terms.le(self._element(counter), total))
        for fallen in self._fallen(location):
            if len(set(columns.of(fallen))) > 1:
                self._one(location, columns, self.terms.add(fallen, total), ())

    def _fallen(self, location: Location) -> Iterator[Term]:
        """By how much a measure that is one number has fallen since the head of its loop."""
        for nest in self.to.nesting.all():
            if location in nest.inside:
                for measure in self.to.measures.of.get(nest.head, ()):
                    if len(measure.parts) == 1:
                        yield self.terms.sub(measure.parts[0], measure.ghosts[0])

    def _one(self, location: Location, columns: Columns, total: Term, counters: Sequence[Slot]) -> bool:
        case = _Cases((self.terms.true,))
        return self._constant(location, columns, (total,), case, counters)

    def _fit(
        self,
        location: Location,
        columns: Columns,
        sums: Sequence[Term],
        dividers: Sequence[Slot],
        pointers: Sequence[Slot],
        counters: Sequence[Slot],
    ) -> None:
        fixed = [self._one(location, columns, total, counters) for total in sums if total.op != "var"]
        if all(fixed):
            return
        for pointer in pointers:
            at = self._at_pointer(pointer, sums)
            self._constant(location, columns, sums, at, counters)
            away = _Cases(tuple(self.terms.neg(t) for t in at.tests))
            self._constant(location, columns, sums, away, ())
        for divider in dividers:
            for below in (True, False):
                side = self._side(divider, sums, below)
                if self._constant(location, columns, sums, side, ()):
                    continue
                for pointer in pointers:
                    at = self._at_pointer(pointer, sums)
                    tests = zip(side.tests, at.tests, strict=True)
                    rest = _Cases(tuple(self.terms.conj((s, self.terms.neg(t))) for s, t in tests))
                    self._constant(location, columns, sums, rest, ())

    def _element(self, slot: Slot) -> Term:
        return self.to.encoder.elements[self.core.offset[slot.name]]

    def _at_pointer(self, pointer: Slot, sums: Sequence[Term]) -> _Cases:
        element = self._element(pointer)
        return _Cases(tuple(self.terms.eq(element, self.terms.integer(j)) for j in range(len(sums))))

    def _side(self, divider: Slot, sums: Sequence[Term], below: bool) -> _Cases:
        element = self._element(divider)
        tests = [self.terms.lt(self.terms.integer(j), element) for j in range(len(sums))]
        return _Cases(tuple(t if below else self.terms.neg(t) for t in tests))

    def _constant(
        self,
        location: Location,
        columns: Columns,
        sums: Sequence[Term],
        cases: _Cases,
        counters: Sequence[Slot],
    ) -> bool:
        """Propose that the sums are constant in the case, alone or with a counter added or taken away."""
        shifts: list[Term] = [self.terms.zero]
        for counter in counters:
            element = self._element(counter)
            shifts += [element, self.terms.total(((-1, element),))]
        for shift in shifts:
            shifted = [self.terms.add(s, shift) for s in sums]
            values = {
                value
                for total, test in zip(shifted, cases.tests, strict=True)
                for value, inside in zip(columns.of(total), columns.of(test), strict=True)
                if inside
            }
            if len(values) == 1:
                number = self.terms.integer(values.pop())
                for total, test in zip(shifted, cases.tests, strict=True):
                    self.to.propose(location, self.terms.implies(test, self.terms.eq(total, number)))
                return True
        return False


# --- what was asked of one, spread to all ------------------------------------------------------------------


class _Spread:
    """A condition that is asked for the index at hand holds for all indices that a counter has or has not
    passed.
    """

    def __init__(self, candidates: Candidates) -> None:
        self.to = candidates
        self.core = candidates.core
        self.terms = candidates.terms

    def run(self) -> None:
        for rule, condition in self._conditions():
            for name in sorted(slots(condition)):
                pointer = self.core.slot[name]
                if not pointer.dims and pointer.role != "state" and pointer.domain.names and pointer.low == 0:
                    each = [
                        self.to.encoder.sound_truth(replaced(condition, Read(name), Const(j)), {})
                        for j in range(pointer.high + 1)
                    ]
                    self._spread(rule, each)

    def _conditions(self) -> Iterator[tuple[str, Expr]]:
        for block in self.core.blocks:
            for check in checks(block.body):
                if not variables(check.condition):
                    yield rule_of(block), check.condition
            if isinstance(block.end, Choose):
                for option in block.end.options:
                    guard = option.guard
                    for param in option.params:
                        guard = replaced_name(guard, param.name, param.slot)
                    if not variables(guard):
                        yield rule_of(block), guard

    def _spread(self, rule: str, each: Sequence[Term]) -> None:
        for location, columns in self.to.columns.items():
            if columns.size < ENOUGH:
                continue
            for slot in self.core.slots:
                counts = not slot.dims and slot.role != "state" and not slot.domain.names and slot.low == 0
                if not counts or slot.origin.rule != rule or slot.high not in (len(each), len(each) - 1):
                    continue
                if self.to.counts_at(location, slot):
                    self._by_counter(location, columns, slot, each)

    def _by_counter(self, location: Location, columns: Columns, slot: Slot, each: Sequence[Term]) -> None:
        counter = self.to.encoder.elements[self.core.offset[slot.name]]
        passed = [self.terms.lt(self.terms.integer(j), counter) for j in range(len(each))]
        for side in (passed, [self.terms.neg(p) for p in passed]):
            facts = [self.terms.implies(s, fact) for s, fact in zip(side, each, strict=True)]
            if all(columns.holds(fact) for fact in facts):
                for fact in facts:
                    self.to.propose(location, fact)


def replaced_name(condition: Expr, name: str, slot: str) -> Expr:
    """The condition with an option's parameter read from the slot that keeps it."""
    return replaced(condition, Var(name), Read(slot))


# --- what the rules say, with exceptions -------------------------------------------------------------------


class _Exceptions:
    """Facts that were seen not to hold at some place, unless something that was the case each time it did
    not.
    """

    def __init__(self, candidates: Candidates) -> None:
        self.to = candidates
        self.core = candidates.core
        self.terms = candidates.terms
        self._owner = candidates.encoder.owner
        self._stricter: set[Term] = set()

    def run(self) -> None:
        self._stricter = self._strictest()
        places: dict[Term, list[Location]] = {}
        for location, fact in self.to.refuted:
            places.setdefault(fact, []).append(location)
        for fact, locations in places.items():
            found: set[Term] = set()
            for location in locations:
                columns = self.to.columns[location]
                if columns.size >= ENOUGH and columns.knows(fact):
                    bad = [n for n, value in enumerate(columns.of(fact)) if not value]
                    found.update(self._exceptions(location, columns, fact, bad))
            for exception in sorted(found):
                for location in locations:
                    self.to.propose(location, self.terms.disj((fact, exception)))

    def _strictest(self) -> set[Term]:
        """Facts that leave room beside another: they look ahead to what may be added once to what they are
        about.
        """
        alike: dict[tuple[object, ...], list[Term]] = {}
        for fact in self.to.stated:
            if fact.op == "le" and fact.kids[0].op == "lin":
                total = fact.kids[0]
                alike.setdefault((total.kids, total.coefficients), []).append(fact)
        return {
            fact
            for facts in alike.values()
            for fact in facts
            if fact.kids[0].number > min(f.kids[0].number for f in facts)
        }

    def _exceptions(
        self, location: Location, columns: Columns, fact: Term, bad: Sequence[int]
    ) -> Iterator[Term]:
        """What holds in all the bad records and in the fewest others."""
        if any(key >= FIRST_GHOST for key in fact.variables):
            tests = list(self._values(location, columns, bad))
        else:
            tests = list(self._flags(location, fact))
        ranked: list[tuple[int, Term]] = []
        for test in tests:
            column = columns.of(test)
            if all(column[n] for n in bad) and not all(column):
                ranked.append((sum(column), test))
        for _, test in sorted(ranked)[:EXCEPTIONS]:
            yield test
        if len(ranked) > 1 and any(key >= FIRST_GHOST for key in fact.variables):
            yield self.terms.conj(test for _, test in ranked)

    def _flags(self, location: Location, fact: Term) -> Iterator[Term]:
        """Whether what the fact is about, a player say, is in a set; and truth values of the rules."""
        own = self._own(fact)
        about = {number for _, number in location.stack}
        for slot in self.core.slots:
            position = self.core.offset[slot.name]
            flag = not slot.dims and slot.role != "state" and (slot.low, slot.high) == (0, 1)
            if flag and position in self.to.live[location]:
                element = self.to.encoder.elements[position]
                yield self.terms.eq(element, self.terms.one)
                yield self.terms.eq(element, self.terms.zero)
        if fact not in self._stricter:
            return
        for number, element in enumerate(self.to.encoder.elements):
            slot = self.core.slot[self._owner[number][0]]
            if (slot.low, slot.high) != (0, 1) or element.op != "var" or number not in self.to.live[location]:
                continue
            here = self._indices(number)
            if not own.isdisjoint(here) and all(i in own or i[1] in about for i in here):
                yield self.terms.eq(element, self.terms.one)
                yield self.terms.eq(element, self.terms.zero)

    def _indices(self, number: int) -> list[tuple[str, int]]:
        """The dimensions of an element with its index in each."""
        name, at = self._owner[number]
        found: list[tuple[str, int]] = []
        for dim in reversed(self.core.slot[name].dims):
            at, here = divmod(at, len(dim.names))
            found.append((dim.name, here))
        return found

    def _own(self, fact: Term) -> set[tuple[str, int]]:
        """The indices that a slot appears with in the fact and with no other of the same dimension."""
        seen: dict[tuple[str, str], set[int]] = {}
        for key in fact.variables:
            for dim, here in self._indices(key):
                seen.setdefault((self._owner[key][0], dim), set()).add(here)
        return {(dim, next(iter(at))) for (_, dim), at in seen.items() if len(at) == 1}

    def _values(self, location: Location, columns: Columns, bad: Sequence[int]) -> Iterator[Term]:
        """A scalar of the rules that had one value each time."""
        for slot in self.core.slots:
            position = self.core.offset[slot.name]
            if slot.dims or slot.role == "state" or position not in self.to.live[location]:
                continue
            values = {columns.row(position)[n] for n in bad}
            if len(values) == 1 and slot.high - slot.low <= WIDEST:
                yield self.terms.eq(self.to.encoder.elements[position], self.terms.integer(values.pop()))
