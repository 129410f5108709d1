"""Linear potentials: at each control point a sum over the record that nothing makes greater, and that is
never below the number whose ceiling is looked for. So that number never passes what the sum is at the start.

The coefficients come from a linear program over transitions, first those of plays, then those that the solver
finds against the latest potential. Nothing here has to be right: what comes out is a candidate for `houdini`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from rulespec.compiler.core.tree import Slot
from rulespec.proofs.linear import Program
from rulespec.proofs.plays import Trail
from rulespec.proofs.smt.bounds import Bounds
from rulespec.proofs.smt.ceilings import Instance
from rulespec.proofs.smt.houdini import Facts, Step, after
from rulespec.proofs.smt.locations import Rounds
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.prove import Prover, Settled
from rulespec.proofs.smt.solver import Questions
from rulespec.proofs.smt.terms import Term
from rulespec.proofs.smt.values import evaluate

LEVELS = (1, 2, 3)  # of features
ROUNDS = 60  # of fitting and looking for what speaks against it
SEEN = 16  # transitions of plays for one pair of control points
LARGEST = 10_000.0  # of a coefficient
FARTHEST = 10_000_000.0  # of a constant
SIMPLE = 1e-4  # what a coefficient costs against the ceiling, so that those not needed are 0
SCALES = (1, 2, 3, 4, 6, 12, 60, 840)  # the coefficients are tried as so many parts of one
LARGEST_PART = 10_000  # a denominator that is looked for behind a coefficient
LARGEST_SCALE = 10**9
ROUGH = 1 << 12  # parts of one, where no fractions fit
ROUGHLY = 50  # of which this share is no matter
SLICES = 12  # of a dimension whose indices are told apart
STEPPED = 12  # numbers of the game with so few values count step by step too
SMALL = 6  # elements of a slot that are told apart, values of a pointer that are
WALK = 12  # steps that are gone on from where the solver found one
STRONGER = 3  # times that the solver is asked for something that speaks more strongly against a potential

Values = Mapping[int, int]
Sum = tuple[tuple[int, int], ...]  # numbers of features and their coefficients


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
    """Fits potentials to the transitions of one proof. Features are told apart by numbers."""

    def __init__(
        self, prover: Prover, settled: Settled, trails: Sequence[Trail], late: Callable[[], bool]
    ) -> None:
        self.core = prover.core
        self.encoder = prover.encoder
        self.terms = prover.terms
        self.solver = prover.solver
        self.settled = settled
        self.late = late
        self.start = settled.graph.start
        self.known: dict[int, Bounds] = {}
        self._tasks: dict[tuple[Instance, tuple[Location, ...], int], _Fitting] = {}
        self.seen = self._seen(trails)

    # --- features ------------------------------------------------------------------------------------------

    def features(self, instance: Instance, level: int) -> tuple[int, dict[Location, list[tuple[int, Term]]]]:
        """How many features there are, and which at each location, by number. Those of the game's state have
        the same number everywhere, the others one for each location.

        Level 1 has counters, measures and what the instance reads, 2 also sums over arrays, 3 also each
        counter's steps, apart for each location.
        """
        elements = (self.encoder.elements[k] for k in sorted(instance.value.variables))
        slots = [s for s in self.core.slots if s.role == "state"]
        counters = (t for s in slots if not s.dims for t in self._of_scalar(s, steps=False))
        arrays = (t for s in slots if s.dims and level > 1 for t in self._of_array(s))
        common = (*elements, self.terms.total(((1, instance.value),)), *counters, *arrays)
        shared = list(enumerate(dict.fromkeys(t for t in common if t.op != "int")))
        number = len(shared)
        found: dict[Location, list[tuple[int, Term]]] = {self.start: []}
        at = self.settled.candidates.at
        for location in self.settled.graph.locations:
            if location != self.start:
                own = dict.fromkeys(t for t in self._of_location(location, level) if t.op != "int")
                numbered = [*shared, *enumerate(own, number)]
                found[location] = [(n, at(location, term)) for n, term in numbered]
                number += len(own)
        return number, found

    def _of_location(self, location: Location, level: int) -> Iterator[Term]:
        """What counters, locals and measures say there."""
        live = self.settled.candidates.live[location]
        for slot in self.core.slots:
            if self.core.offset[slot.name] not in live:
                continue
            if not slot.dims and (slot.role != "state" or level > 2):
                yield from self._of_scalar(slot, steps=level > 2 and slot.role == "state")
            elif slot.dims and slot.role != "state":
                yield from self._of_array(slot)
        for nest in self.settled.loops.all():
            for measure in self.settled.measures.of.get(nest.head, ()) if location in nest.inside else ():
                yield from (p for p in measure.parts if p.variables <= live)

    def _of_scalar(self, slot: Slot, *, steps: bool) -> Iterator[Term]:
        """A number, and its steps if there are few; a pointer by what it may point at."""
        element = self.encoder.elements[self.core.offset[slot.name]]
        pointer = slot.domain.names and (slot.low, slot.high) != (0, 1)
        if not pointer:
            yield element
        if steps and 1 < slot.high - slot.low <= STEPPED:
            for value in range(slot.low, slot.high):
                number = self.terms.integer(value)
                test = self.terms.eq(element, number) if pointer else self.terms.le(element, number)
                yield self.terms.indicator(test)

    def _of_array(self, slot: Slot) -> Iterator[Term]:
        """The elements of a small array, else the sums over it and over its parts."""
        base = self.core.offset[slot.name]
        elements = self.encoder.elements[base : base + slot.size]
        if slot.size <= SMALL:
            yield from elements
            return
        yield self.terms.total((1, e) for e in elements)
        stride = slot.size
        for dim in slot.dims:
            size = len(dim.names)
            stride //= size
            for index in range(size) if size <= SLICES else ():
                part = [e for n, e in enumerate(elements) if n // stride % size == index]
                yield self.terms.total((1, e) for e in part)

    # --- what plays show -----------------------------------------------------------------------------------

    def _seen(self, trails: Sequence[Trail]) -> list[tuple[Location, Values, Location, Values]]:
        """Some steps from each control point to the next, and those with which plays begin."""
        rounds = Rounds(self.core, self.settled.graph, self.settled.loops.all())
        edges = {(edge.source, edge.target) for edge in self.settled.graph.edges}
        count: dict[tuple[Location, Location], int] = {}
        found: list[tuple[Location, Values, Location, Values]] = []
        for trail in trails:
            before: tuple[Location, Values] = (self.start, {})
            for visit, (_, record) in zip(rounds.where(trail.passed), trail.passed, strict=True):
                if len(visit.locations) != 1:
                    break
                here = (visit.locations[0], dict(enumerate(record)))
                pair = before[0], here[0]
                times = count[pair] = count.get(pair, 0) + 1
                if pair in edges and (times <= SEEN or (times % 50 == 0 and times <= 50 * SEEN)):
                    found.append((*before, *here))
                before = here
        return found

    # --- fitting -------------------------------------------------------------------------------------------

    def fit(
        self, instance: Instance, where: Iterable[Location], facts: Facts, below: int, level: int
    ) -> Potential | None:
        """A potential that keeps the number below `below` at these locations, if one is found.

        When asked again it goes on from what it knows.
        """
        where = tuple(where)
        task = self._tasks.get((instance, where, level))
        if task is None:
            task = self._tasks[instance, where, level] = _Fitting(self, instance, where, level)
        return task.run(facts, below)

    def bounds(self, step: Step) -> Bounds:
        """What the conditions of a path say."""
        found = self.known.get(step.number)
        if found is None:
            found = self.known[step.number] = Bounds()
            found.learn(step.edge.conditions)
        return found


class _Fitting:
    """The search for one potential: what it must satisfy, as far as that is known."""

    def __init__(self, of: Potentials, instance: Instance, where: tuple[Location, ...], level: int) -> None:
        self.of = of
        self.terms = of.terms
        self.instance = instance
        self.where = where
        self.facts: Facts = {}
        self.count, self.features = of.features(instance, level)
        self.steps: dict[tuple[Location, Location, Sum], None] = {}
        self.least: dict[tuple[Location, Sum, int], None] = {}
        self.place = {v: n for n, v in enumerate(of.settled.graph.locations)}
        places = len(self.place)
        costs = [0.0] * places + [SIMPLE] * (2 * self.count)
        costs[self.place[of.start]] = 1.0
        limits = [(-FARTHEST, FARTHEST)] * places + [(0.0, LARGEST)] * (2 * self.count)
        self.program = Program(costs, limits)
        self.busy: list[Step] = []

    def run(self, facts: Facts, below: int) -> Potential | None:
        self.facts = facts
        if not self.program:
            self._from_plays()
        for _ in range(ROUNDS):
            solved = self._solved() if not self.of.late() else None
            if solved is None or solved[self.place[self.of.start]] > below - 1 + 1e-6:
                return None
            potential = self._rational(solved)
            if potential is None:
                rough = self._rough(solved)
                if not self._against(rough, ROUGH // ROUGHLY):
                    return None
                continue
            if potential.limit >= below:
                return None
            against = self._against(potential, 0)
            if not against:
                return potential if against is not None else None
        return None

    # --- what is known -------------------------------------------------------------------------------------

    def _from_plays(self) -> None:
        for source, before, target, now in self.of.seen:
            self._step(source, before, target, now)
            if target in self.where:
                self._value(target, now)

    def _step(self, source: Location, before: Values, target: Location, now: Values) -> bool:
        """Whether this says anything new."""
        change = self._features(source, before)
        for feature, value in self._features(target, now).items():
            change[feature] = change.get(feature, 0) - value
        key = (source, target, tuple(sorted((f, v) for f, v in change.items() if v)))
        if key in self.steps:
            return False
        self.steps[key] = None
        ends = () if source == target else ((self.place[source], 1), (self.place[target], -1))
        self.program.add((*self._split(key[2]), *ends), 0)
        return True

    def _split(self, items: Sum) -> Iterator[tuple[int, int]]:
        """A coefficient is what one column has less what another has, so that its size has a cost."""
        for feature, value in items:
            yield len(self.place) + feature, value
            yield len(self.place) + self.count + feature, -value

    def _features(self, location: Location, record: Values) -> dict[int, int]:
        memo: dict[Term, int] = {}
        return {n: evaluate(term, record, memo) for n, term in self.features[location]}

    def _value(self, location: Location, record: Values) -> bool:
        memo: dict[Term, int] = {}
        at = self.of.settled.candidates.at
        if not evaluate(at(location, self.instance.guard), record, memo):
            return False
        value = evaluate(at(location, self.instance.value), record, memo)
        values = tuple(sorted((f, v) for f, v in self._features(location, record).items() if v))
        if (location, values, value) in self.least:
            return False
        self.least[location, values, value] = None
        self.program.add((*self._split(values), (self.place[location], 1)), value)
        return True

    # --- from what is known to a potential -----------------------------------------------------------------

    def _solved(self) -> list[float] | None:
        """The constants of locations and then the coefficients that keep the start least."""
        found = self.program.solve(self.of.late)
        if found is None:
            return None
        places = len(self.place)
        up, down = found[places : places + self.count], found[places + self.count :]
        return [*found[:places], *(a - b for a, b in zip(up, down, strict=True))]

    def _rational(self, solved: Sequence[float]) -> Potential | None:
        """With coefficients that are fractions, near those found; the potential with the least limit."""
        best: Potential | None = None
        coefficients = solved[len(self.place) :]
        fractions = [Fraction(c).limit_denominator(LARGEST_PART) for c in coefficients]
        exact = lcm(*(f.denominator for f in fractions))
        for scale in (*SCALES, *((exact,) if exact < LARGEST_SCALE else ())):
            parts = fractions if scale == exact else coefficients
            found = self._rounded([round(c * scale) for c in parts], scale)
            if found is not None and (best is None or found.limit < best.limit):
                best = found
        return best

    def _rough(self, solved: Sequence[float]) -> Potential:
        """What was found, as near as whole numbers come to it."""
        weights = [round(c * ROUGH) for c in solved[len(self.place) :]]
        constants = {location: round(solved[n] * ROUGH) for location, n in self.place.items()}
        return self._potential(weights, ROUGH, constants)

    def _rounded(self, weights: Sequence[int], scale: int) -> Potential | None:
        """With these coefficients, and the least constants that fit what is known; None if there are none."""
        constant: dict[Location, int] = {}

        def raise_to(location: Location, value: int) -> bool:
            known = constant.get(location)
            constant[location] = value if known is None else max(known, value)
            return known is None or value > known

        for location, values, least in self.least:
            raise_to(location, scale * least - sum(weights[f] * v for f, v in values))
        rises = [(s, t, -sum(weights[f] * v for f, v in change)) for s, t, change in self.steps]
        for _ in range(len(self.place) + 1):
            changed = False
            for source, target, rise in rises:
                if target in constant:
                    changed = raise_to(source, constant[target] + rise) or changed
            if not changed:
                break
        else:
            return None
        return self._potential(weights, scale, constant)

    def _potential(self, weights: Sequence[int], scale: int, constants: Mapping[Location, int]) -> Potential:
        sums = {
            location: self.terms.total(((weights[f], t) for f, t in self.features[location]), number)
            for location, number in constants.items()
        }
        return Potential(scale, sums, constants.get(self.of.start, -(10**12)))

    # --- what speaks against a potential -------------------------------------------------------------------

    def _against(self, potential: Potential, slack: int) -> bool | None:
        """Whether the solver knows something new against it, by more than `slack`; None if it cannot tell."""
        found = self._against_steps(self.busy, potential, slack)
        if found is not False:
            return found
        self.busy = []
        for location in self.where:
            new = self._against_value(location, potential, slack)
            if new is None:
                return None
            found = found or new
        return self._against_steps(self.of.settled.houdini.steps, potential, slack) or found

    def _against_steps(self, steps: Sequence[Step], potential: Potential, slack: int) -> bool | None:
        found = False
        for step in steps:
            if self.of.late():
                return None
            if step.edge.target in potential.sums:
                new = self._against_step(step, potential, slack)
                if new is None:
                    return None
                if new and step not in self.busy:
                    self.busy.append(step)
                found = found or new
        return found

    def _against_step(self, step: Step, potential: Potential, slack: int) -> bool | None:
        source, target = step.edge.source, step.edge.target
        arrived = self.terms.substitute(potential.sums[target], step.store, step.memo)
        before = potential.sums.get(source)
        rise = None if before is None else self.terms.sub(arrived, before)
        beyond = self.terms.true if rise is None else self.terms.lt(self.terms.integer(slack), rise)
        if self.of.bounds(step).truth(beyond) is False:
            return False
        questions = Questions(self.of.solver, step.edge.conditions, self.facts[source])

        def note(model: dict[int, int]) -> bool:
            self._walk(target, after(step.store, model))
            return self._step(source, model, target, after(step.store, model))

        return self._ask(questions, beyond, rise, note)

    def _against_value(self, location: Location, potential: Potential, slack: int) -> bool | None:
        at = self.of.settled.candidates.at
        value, guard = at(location, self.instance.value), at(location, self.instance.guard)
        known = potential.sums.get(location)
        rise = None if known is None else self.terms.total(((potential.scale, value), (-1, known)))
        beyond = self.terms.true if rise is None else self.terms.lt(self.terms.integer(slack), rise)
        questions = Questions(self.of.solver, [guard], self.facts[location])
        return self._ask(questions, beyond, rise, lambda model: self._value(location, model))

    def _walk(self, location: Location, values: dict[int, int]) -> None:
        """Go on from there: what the facts do not rule out is as good as a play, and costs no solver."""
        for _ in range(WALK):
            onward = self.of.settled.houdini.onward(location, values)
            if onward is None:
                return
            step, following = onward
            self._step(location, values, step.edge.target, following)
            location, values = step.edge.target, following
            if location in self.where:
                self._value(location, values)

    def _ask(
        self, questions: Questions, beyond: Term, rise: Term | None, note: Callable[[dict[int, int]], bool]
    ) -> bool | None:
        """Note what the solver finds, and then what speaks more strongly still."""
        found = False
        for _ in range(STRONGER):
            answer = questions.ask(beyond)
            if answer.status == "unknown":
                return found or None
            if answer.status == "unsat":
                break
            found = note(answer.model) or found
            if rise is None:
                break
            most = evaluate(rise, answer.model, {})
            beyond = self.terms.lt(self.terms.integer(2 * most), rise)
        return found
