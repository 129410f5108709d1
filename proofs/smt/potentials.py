"""Linear potentials: at each control point a sum over the record that nothing makes greater, and that is
never below the number whose ceiling is looked for. So that number never passes what the sum is at the start.

The coefficients come from one linear program for all paths: on each, in each of its cases, the fall of the
sums has to follow from what conditions and facts say as inequalities (see `inequalities`). The solver then
says what the constants have to be. Nothing here has to be right: what comes out is a candidate for `houdini`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

from rulespec.compiler.core.tree import Slot
from rulespec.proofs.linear import ONE, Consequences
from rulespec.proofs.smt.ceilings import Instance, greatest
from rulespec.proofs.smt.houdini import Facts, Step
from rulespec.proofs.smt.inequalities import Case, Inequalities
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.prove import Prover, Settled
from rulespec.proofs.smt.solver import Questions
from rulespec.proofs.smt.sums import slices
from rulespec.proofs.smt.terms import Term, split

LARGEST = 10_000.0  # of a coefficient
SIMPLE = 1e-4  # what a coefficient costs against the ceiling, so that those not needed are 0
FARTHEST = 10_000_000.0  # of a constant
DENOMINATORS = (60, 10_000)  # that are looked for behind coefficients
LARGEST_SCALE = 10**9
MARGIN = 0.001  # by which the sums fall on each path, where no fractions are found
FINE = 10**6  # parts of one in which coefficients are then told
SLICES = 12  # of a dimension whose indices are told apart
SMALL = 6  # elements of a slot that are told apart, values of a pointer that are
STEPPED = 12  # numbers of the game with so few values count step by step too
LARGE = 50_000  # premises and unknowns of a linear program, with which more features are too many
SECONDS = 120.0  # by the clock for one linear program, which is mostly over sooner

Sum = dict[Term, dict[int, int]]  # for each atom the unknowns that it is multiplied with, and their factors


@dataclass(frozen=True)
class Potential:
    """Nothing makes the sums greater from one location to the next; `scale` times the number is at most the
    sum at its location, and `ceiling` what the sums begin with.
    """

    scale: int
    sums: dict[Location, Term]
    ceiling: int

    @property
    def limit(self) -> int:
        """A ceiling on the number itself."""
        return self.ceiling // self.scale


class Potentials:
    """Fits potentials to the paths of one proof.

    Features are told apart by numbers, and so are unknowns: the constant of each location, then the
    coefficient of each feature. Level 1 has counters, measures and what is small, 2 also sums over arrays and
    what pointers point at, 3 also each step of the game's counters, apart for each location.
    """

    def __init__(
        self,
        prover: Prover,
        settled: Settled,
        instances: Iterable[Instance],
        facts: Facts,
        late: Callable[[], bool],
        level: int,
    ) -> None:
        self.core = prover.core
        self.encoder = prover.encoder
        self.terms = prover.terms
        self.solver = prover.solver
        self.settled = settled
        self.facts = facts
        self.late = late
        self.start = settled.graph.start
        self.inequalities = Inequalities(self.terms)
        self.constant = {v: n for n, v in enumerate(settled.graph.locations, ONE + 1)}
        self.first = len(self.constant) + ONE + 1  # the unknown of the first feature
        self.level = level
        self.count, self.features = self._features(instances)
        self.margin = self.first + 2 * self.count
        self._program = self._paths()

    @property
    def is_large(self) -> bool:
        """Whether a program with more features had better not be tried."""
        return len(self._program) > LARGE

    # --- features ------------------------------------------------------------------------------------------

    def _features(self, instances: Iterable[Instance]) -> tuple[int, dict[Location, list[tuple[int, Term]]]]:
        """How many features there are, and which at each location, by number. Those of the game's state have
        the same number everywhere, the others one for each location.
        """
        slots = [s for s in self.core.slots if s.role == "state"]
        common = [t for i in instances for t in self._of_instance(i)]
        common += [t for s in slots for t in self._of_slot(s)]
        shared = list(enumerate(dict.fromkeys(t for t in common if t.op != "int")))
        number = len(shared)
        found: dict[Location, list[tuple[int, Term]]] = {self.start: []}
        at = self.settled.candidates.at
        for location in self.settled.graph.locations:
            if location != self.start:
                own = dict.fromkeys(t for t in self._of_location(location) if t.op != "int")
                numbered = [*shared, *enumerate(own, number)]
                found[location] = [(n, at(location, term)) for n, term in numbered]
                number += len(own)
        return number, found

    def _of_instance(self, instance: Instance) -> Iterator[Term]:
        yield from (self.encoder.elements[k] for k in sorted(instance.value.variables))
        yield self.terms.total(((1, instance.value),))

    def _of_location(self, location: Location) -> Iterator[Term]:
        """What locals and measures say there."""
        live = self.settled.candidates.live[location]
        for slot in self.core.slots:
            if slot.role != "state" and self.core.offset[slot.name] in live:
                yield from self._of_slot(slot)
            elif slot.role == "state" and self.level > 2:
                yield from self._steps(slot)
        for nest in self.settled.loops.all():
            for measure in self.settled.measures.of.get(nest.head, ()) if location in nest.inside else ():
                yield from (p for p in measure.parts if p.variables <= live)

    def _of_slot(self, slot: Slot) -> Iterator[Term]:
        """The elements of a small slot, else the sums over it and over its parts; of a pointer of the rules
        what it points at.
        """
        base = self.core.offset[slot.name]
        elements = self.encoder.elements[base : base + slot.size]
        if slot.dims and slot.size > SMALL:
            if self.level == 1:
                return
            yield self.terms.total((1, e) for e in elements)
            yield from (self.terms.total((1, e) for e in part) for part in slices(slot, elements, SLICES))
        elif not slot.domain.names or (slot.low, slot.high) == (0, 1):
            yield from elements
        elif self.level > 1 and slot.role != "state" and not slot.dims and slot.high - slot.low < SMALL:
            numbers = map(self.terms.integer, range(slot.low, slot.high))
            yield from (self.terms.indicator(self.terms.eq(elements[0], n)) for n in numbers)

    def _steps(self, slot: Slot) -> Iterator[Term]:
        """Of a number with few values, which it has passed; of a pointer what it points at."""
        if slot.dims or slot.high - slot.low > STEPPED:
            return
        element = self.encoder.elements[self.core.offset[slot.name]]
        pointer = slot.domain.names and (slot.low, slot.high) != (0, 1)
        for number in map(self.terms.integer, range(slot.low, slot.high)):
            test = self.terms.eq(element, number) if pointer else self.terms.le(element, number)
            yield self.terms.indicator(test)

    # --- the linear program --------------------------------------------------------------------------------

    def _paths(self) -> Consequences[Term]:
        """That the sums do not grow on any path; the start is to be low."""
        costs = [0.0] * len(self.constant) + [SIMPLE] * (2 * self.count) + [0.0]
        costs[self.constant[self.start] - 1] = 1.0
        limits = [(-FARTHEST, FARTHEST)] * len(self.constant) + [(0.0, LARGEST)] * (2 * self.count)
        limits.append((0.0, MARGIN))
        program: Consequences[Term] = Consequences(costs, limits)
        for step in self.settled.houdini.steps:
            if self.late():
                break
            self._fall(program, step)
        return program

    def _fall(self, program: Consequences[Term], step: Step) -> None:
        source, target = step.edge.source, step.edge.target
        arrived = [(n, self.terms.substitute(t, step.store, step.memo)) for n, t in self.features[target]]
        features = [*((1, n, t) for n, t in self.features[source]), *((-1, n, t) for n, t in arrived)]
        constants = {} if source == target else {self.constant[source]: 1, self.constant[target]: -1}
        constants[self.margin] = -1
        self._imply(program, features, constants, step.edge.conditions, sorted(self.facts[source]))

    def _reach(self, program: Consequences[Term], instance: Instance, location: Location) -> None:
        """The sum is not below the number."""
        at = self.settled.candidates.at
        features = [(1, n, t) for n, t in self.features[location]]
        value = (-1, ONE - self.first, at(location, instance.value))
        guard = at(location, instance.guard)
        constants = {self.constant[location]: 1}
        self._imply(program, [*features, value], constants, (guard,), sorted(self.facts[location]))

    def _imply(
        self,
        program: Consequences[Term],
        features: Sequence[tuple[int, int, Term]],
        constants: Mapping[int, int],
        conditions: Sequence[Term],
        facts: Sequence[Term],
    ) -> None:
        """In each case the sum of sign times coefficient times feature, and of constants, is at least 0."""
        about = [term for _, _, term in self._added(features)]
        for case in self.inequalities.cases(about, conditions, facts):
            atoms: Sum = {}
            alone = dict(constants)
            for sign, number, term in features:
                self._take(case, self.first + number, sign, term, atoms, alone)
            left = {a: self._split(items) for a, items in atoms.items() if any(items.values())}
            said = self.inequalities.about(left, case)
            program.add(left, self._split(alone), ((one.constant, one.atoms, one.equal) for one in said))

    def _split(self, items: Mapping[int, int]) -> dict[int, int]:
        """A coefficient is what one unknown has less what another has, so that its size has a cost."""
        found = {unknown: factor for unknown, factor in items.items() if factor}
        more = {u + self.count: -f for u, f in found.items() if self.first <= u < self.margin}
        return found | more

    def _added(self, features: Sequence[tuple[int, int, Term]]) -> list[tuple[int, int, Term]]:
        """Without what a path leaves as it is."""
        found: dict[tuple[int, Term], int] = {}
        for sign, number, term in features:
            found[number, term] = found.get((number, term), 0) + sign
        return [(sign, number, term) for (number, term), sign in found.items() if sign]

    def _take(
        self, case: Case, unknown: int, sign: int, term: Term, atoms: Sum, alone: dict[int, int]
    ) -> None:
        number = self.terms.substitute(term, case.values, case.memo)
        constant, parts = split(self.inequalities.simpler(number, case.known))
        if constant:
            alone[unknown] = alone.get(unknown, 0) + sign * constant
        for atom, factor in parts.items():
            items = atoms.setdefault(atom, {})
            items[unknown] = items.get(unknown, 0) + sign * factor

    # --- from the program to a potential -------------------------------------------------------------------

    def fit(self, instance: Instance, where: Sequence[Location], below: int) -> Iterator[Potential]:
        """Potentials that keep the number below `below` at these locations, as far as some are found."""
        solved = self._solved(instance, where, 0.0)
        if solved is None:
            return
        for weights, scale in self._fractions(solved):
            found = self._with_constants(instance, where, weights, scale, solved)
            if found is not None:
                if found.limit < below:
                    yield found
                return
        solved = self._solved(instance, where, MARGIN)
        if solved is not None:
            weights = tuple(round(c * FINE) for c in self._coefficients(solved))
            found = self._with_constants(instance, where, weights, FINE, solved)
            if found is not None and found.limit < below:
                yield found

    def _solved(self, instance: Instance, where: Sequence[Location], margin: float) -> list[float] | None:
        """All unknowns, where the sums fall by so much on each path."""
        if self.late():
            return None
        before = self._program.mark()
        for location in where:
            self._reach(self._program, instance, location)
        found = self._program.solve(SECONDS, {self.margin: margin})
        self._program.back_to(before)
        return found

    def _coefficients(self, solved: Sequence[float]) -> list[float]:
        up, down = solved[self.first : self.first + self.count], solved[self.first + self.count : self.margin]
        return [a - b for a, b in zip(up, down, strict=True)]

    def _fractions(self, solved: Sequence[float]) -> Iterator[tuple[tuple[int, ...], int]]:
        """The coefficients as so many parts of one, and how many: simple fractions first, then nearer."""
        known: set[tuple[int, ...]] = set()
        for denominator in DENOMINATORS:
            fractions = [Fraction(c).limit_denominator(denominator) for c in self._coefficients(solved)]
            scale = lcm(1, *(f.denominator for f in fractions))
            weights = tuple(int(f * scale) for f in fractions)
            if scale <= LARGEST_SCALE and weights not in known:
                known.add(weights)
                yield weights, scale

    def _with_constants(
        self,
        instance: Instance,
        where: Sequence[Location],
        weights: Sequence[int],
        scale: int,
        solved: Sequence[float],
    ) -> Potential | None:
        """With these coefficients, and the least constants that paths and the number allow."""
        if self.late():
            return None
        guess = {v: solved[n] * scale for v, n in self.constant.items()}
        sums = {
            location: self.terms.total((weights[n], term) for n, term in self.features[location])
            for location in self.constant
        }
        least: dict[Location, int] = {}
        for location in where:
            found = self._beyond(instance, scale, location, sums[location], guess[location])
            if found is not None:
                least[location] = found
        rises: list[tuple[Location, Location, int]] = []
        for step in self.settled.houdini.steps:
            expected = guess[step.edge.source] - guess[step.edge.target]
            rise = None if self.late() else self._rise(step, sums, expected)
            if rise is not None:
                rises.append((step.edge.source, step.edge.target, rise))
        if self.late() or not _raise(least, rises, len(self.constant)):
            return None
        whole = {v: self.terms.add(sums[v], self.terms.integer(n)) for v, n in least.items()}
        return Potential(scale, whole, least[self.start]) if self.start in least else None

    def _beyond(
        self, instance: Instance, scale: int, location: Location, total: Term, guess: float
    ) -> int | None:
        """How far the number may be above the sum."""
        at = self.settled.candidates.at
        over = self.terms.total(((scale, at(location, instance.value)), (-1, total)))
        questions = Questions(self.solver, [at(location, instance.guard)], self.facts[location])
        return greatest(questions, over, ceil(guess - 1e-3), self.late)

    def _rise(self, step: Step, sums: Mapping[Location, Term], expected: float) -> int | None:
        """By how much a path raises the sum at most; None where it cannot be taken."""
        arrived = self.terms.substitute(sums[step.edge.target], step.store, step.memo)
        rise = self.terms.sub(arrived, sums[step.edge.source])
        if rise.op == "int":
            return rise.number
        questions = Questions(self.solver, step.edge.conditions, self.facts[step.edge.source])
        return greatest(questions, rise, ceil(expected - 1e-3), self.late)


def _raise(least: dict[Location, int], rises: Sequence[tuple[Location, Location, int]], rounds: int) -> bool:
    """Raise constants until no path raises a sum; whether that comes to an end."""
    for _ in range(rounds + 1):
        changed = False
        for source, target, rise in rises:
            if target in least and least[target] + rise > least.get(source, least[target] + rise - 1):
                least[source] = least[target] + rise
                changed = True
        if not changed:
            return True
    return False
