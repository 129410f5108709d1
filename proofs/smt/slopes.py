"""Facts that a number is at most a sum of others, as `points <= 10 * size(built)`.

The sum has numbers of the game that only ever rise or only ever fall, each with a slope. At each control
point it has a constant besides, and slopes for what the rules' own variables say there. What the number has
beyond the sum must not rise from one control point to the next: that is linear in the slopes, which come from
a linear program over changes seen in plays, and later over those that the solver finds. With slopes at hand,
each constant is the greatest that all paths allow. Nothing here has to be right: what comes out are
candidates.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from rulespec.compiler.core.tree import Domain
from rulespec.proofs.linear import Program
from rulespec.proofs.plays import Passed
from rulespec.proofs.smt.bounds import Bounds
from rulespec.proofs.smt.candidates import Candidates
from rulespec.proofs.smt.houdini import Facts, after
from rulespec.proofs.smt.locations import Graph, Rounds
from rulespec.proofs.smt.paths import Edge, Location
from rulespec.proofs.smt.solver import Questions, Solver
from rulespec.proofs.smt.templates import points_into
from rulespec.proofs.smt.terms import Term
from rulespec.proofs.smt.values import evaluate

ROUNDS = 12  # of fitting slopes
LOWERED = 6  # times that one constant is lowered before other slopes are looked for
LARGEST = 1000.0  # of a slope
FARTHEST = 1_000_000.0  # of a constant
SIMPLE = 1e-3  # what a slope costs, so that those not needed are 0
DENOMINATOR = 60  # of a slope
DIFFERENT = 400  # changes of plays that are looked at for one number

Values = Mapping[int, int]
Change = tuple[tuple[int, int], ...]  # features by number, and by how much each rises


@dataclass(frozen=True)
class Target:
    """A number that is to be kept from rising, and the range obligations that are not to be taken as met."""

    number: Term
    apart: frozenset[Term] = frozenset()


@dataclass(frozen=True)
class Seen:
    """A step of a play."""

    source: Location
    before: Values
    target: Location
    now: Values


@dataclass
class Slopes:
    """Finds candidates of this form for one proof."""

    candidates: Candidates
    solver: Solver
    facts: Facts
    seen: Sequence[Seen]
    late: Callable[[], bool]
    edges: dict[Location, list[tuple[int, Edge]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.terms = self.candidates.terms
        for number, edge in enumerate(self.candidates.graph.edges):
            self.edges.setdefault(edge.source, []).append((number, edge))
        self.drifting = list(self._drifting())

    def _drifting(self) -> Iterator[Term]:
        """Numbers of the game, and sums over arrays, that never rose or never fell."""
        for slot in self.candidates.core.slots:
            if slot.role != "state" or (not slot.dims and slot.domain.names):
                continue
            base = self.candidates.core.offset[slot.name]
            total = self.terms.total(
                (1, e) for e in self.candidates.encoder.elements[base : base + slot.size]
            )
            changes = {self._change(total, step) for step in self.seen}
            if changes != {0} and (min(changes, default=0) >= 0 or max(changes, default=0) <= 0):
                yield total

    def _change(self, total: Term, step: Seen) -> int:
        return evaluate(total, step.now, {}) - evaluate(total, step.before, {}) if step.before else 0

    def find(self, target: Target, goals: Iterable[Location]) -> dict[Location, Term]:
        """Candidates for a number, one at each location, that say most where the goals are."""
        return _Search(self, target, frozenset(goals)).run()


class _Search:
    """For one target."""

    def __init__(self, of: Slopes, target: Target, goals: frozenset[Location]) -> None:
        self.of = of
        self.terms = of.terms
        self.target = target
        self.goals = goals
        self.core = of.candidates.core
        self.place = {v: n for n, v in enumerate(of.candidates.graph.locations)}
        self.start = of.candidates.graph.start
        self.features: dict[Location, list[tuple[int, Term]]] = {}
        self.count = 0
        self._number_features()
        self.rows: dict[tuple[Location, Location, int, Change], None] = {}
        self._conditions: dict[int, tuple[tuple[Term, ...], Bounds]] = {}
        for step in of.seen:
            self._note(step.source, step.before, step.target, step.now)

    def _number_features(self) -> None:
        about = self.target.number.variables
        shared = [t for t in self.of.drifting if t.op == "var" or about.isdisjoint(t.variables)]
        shared = [t for t in shared if t is not self.target.number]
        self.count = len(shared)
        for location in self.place:
            own = [] if location == self.start else list(self._own(location))
            at = self.of.candidates.at
            numbered = [(n, at(location, t)) for n, t in enumerate(shared)] if location != self.start else []
            numbered += [(self.count + n, t) for n, t in enumerate(own)]
            self.count += len(own)
            self.features[location] = numbered

    def _own(self, location: Location) -> Iterator[Term]:
        """What the rules' own variables say: numbers, and whether a pointer is at what it is about."""
        live = self.of.candidates.live[location]
        about = self._indices()
        for slot in self.core.slots:
            position = self.core.offset[slot.name]
            if slot.role == "state" or slot.dims or position not in live:
                continue
            element = self.of.candidates.at(location, self.of.candidates.encoder.elements[position])
            if element.op != "var":
                continue
            if not slot.domain.names or (slot.low, slot.high) == (0, 1):
                yield element
                continue
            for dim, index in about:
                if points_into(slot, dim):
                    yield self.terms.indicator(self.terms.eq(element, self.terms.integer(index)))

    def _indices(self) -> list[tuple[Domain, int]]:
        """The dimensions of the elements that the target is about, with the index in each."""
        owner = self.of.candidates.encoder.owner
        found: dict[tuple[str, int], tuple[Domain, int]] = {}
        for key in sorted(key for key in self.target.number.variables if key < len(owner)):
            name, number = owner[key]
            for dim in reversed(self.core.slot[name].dims):
                number, at = divmod(number, len(dim.names))
                found.setdefault((dim.name, at), (dim, at))
        return list(found.values())

    # --- what is known of steps ----------------------------------------------------------------------------

    def _values(self, location: Location, record: Values) -> dict[int, int]:
        memo: dict[Term, int] = {}
        return {n: evaluate(term, record, memo) for n, term in self.features[location]}

    def _note(self, source: Location, before: Values, target: Location, now: Values) -> bool:
        """Keep what a step changes; whether that is new."""
        change = {n: -v for n, v in self._values(source, before).items()} if source != self.start else {}
        for n, v in self._values(target, now).items():
            change[n] = change.get(n, 0) + v
        rise = evaluate(self.target.number, now, {})
        rise -= evaluate(self.target.number, before, {}) if source != self.start else 0
        key = (source, target, rise, tuple(sorted((n, v) for n, v in change.items() if v)))
        new = key not in self.rows
        self.rows[key] = None
        return new

    # --- fitting -------------------------------------------------------------------------------------------

    def run(self) -> dict[Location, Term]:
        for _ in range(ROUNDS):
            slopes = self._slopes() if not self.of.late() else None
            if slopes is None:
                return {}
            found = self._with(slopes)
            if found is not None:
                return found
        return {}

    def _costs(self) -> list[float]:
        """What is least where the sums are, on the whole, least at the goals."""
        places = len(self.place)
        costs = [0.0] * (places + 2 * self.count)
        goals = [step for step in self.of.seen if step.target in self.goals]
        for step in goals:
            costs[self.place[step.target]] -= 1.0
            for n, v in self._values(step.target, step.now).items():
                costs[places + n] -= v
                costs[places + self.count + n] += v
        simple = [0.0] * places + [SIMPLE] * (2 * self.count)
        return [c / max(1, len(goals)) + s for c, s in zip(costs, simple, strict=True)]

    def _slopes(self) -> list[int] | None:
        """The factor of the number, then that of each feature."""
        places = len(self.place)
        limits = [(-FARTHEST, FARTHEST)] * places + [(0.0, LARGEST)] * (2 * self.count)
        program = Program(self._costs(), limits)
        for source, target, rise, change in self.rows:
            items = [(places + n, -v) for n, v in change]
            items += [(places + self.count + n, v) for n, v in change]
            if source != target:
                items += [(self.place[target], -1)]
                items += [(self.place[source], 1)] if source != self.start else []
            program.add(items, rise)
        found = program.solve()
        if found is None:
            return None
        up, down = found[places : places + self.count], found[places + self.count :]
        fractions = [Fraction(a - b).limit_denominator(DENOMINATOR) for a, b in zip(up, down, strict=True)]
        scale = lcm(1, *(f.denominator for f in fractions))
        return [scale, *(int(f * scale) for f in fractions)]

    def _sum(self, location: Location, slopes: Sequence[int]) -> Term:
        if location == self.start:
            return self.terms.zero
        number = self.of.candidates.at(location, self.target.number)
        parts = ((slopes[1 + n], term) for n, term in self.features[location])
        return self.terms.total(((slopes[0], number), *parts))

    def _with(self, slopes: Sequence[int]) -> dict[Location, Term] | None:
        """With the greatest constants that all paths allow; None where they fall further and further."""
        constant = {self.start: 0}
        for _ in range(len(self.place) + 1):
            if not self._lowered(slopes, constant):
                break
        else:
            return None
        sums = {v: self._sum(v, slopes) for v in self.place}
        if not self._settled(sums, constant):
            return None
        return {
            v: self.terms.le(self.terms.add(sums[v], self.terms.integer(c)), self.terms.zero)
            for v, c in constant.items()
            if v != self.start
        }

    def _settled(self, sums: Mapping[Location, Term], constant: dict[Location, int]) -> bool:
        """Lower constants until no path makes the number gain on its sum; whether that comes to an end."""
        lowered: dict[Location, int] = {}
        waiting = deque(self.place)
        while waiting:
            source = waiting.popleft()
            if self.of.late():
                return False
            for number, edge in self.of.edges.get(source, ()) if source in constant else ():
                rise = self._greatest(number, edge, sums, constant)
                if rise is None:
                    continue
                constant[edge.target] = constant[source] - rise
                lowered[edge.target] = lowered.get(edge.target, 0) + 1
                if lowered[edge.target] > LOWERED:
                    return False
                if edge.target not in waiting:
                    waiting.append(edge.target)
        return True

    def _lowered(self, slopes: Sequence[int], constant: dict[Location, int]) -> bool:
        """Take the steps that are known into account once; whether that lowered a constant."""
        changed = False
        for source, target, rise, change in self.rows:
            if source not in constant:
                continue
            most = constant[source] - slopes[0] * rise - sum(slopes[1 + n] * v for n, v in change)
            if most < constant.get(target, FARTHEST):
                constant[target] = most
                changed = True
        return changed

    def _greatest(
        self, number: int, edge: Edge, sums: Mapping[Location, Term], constant: Mapping[Location, int]
    ) -> int | None:
        """By how much the sum may rise on a path, if that is more than the constants allow."""
        source, target = edge.source, edge.target
        rise = self.terms.sub(self.terms.substitute(sums[target], edge.store, {}), sums[source])
        allowed = constant[source] - constant[target] if target in constant else None
        conditions, known = self._known(number, edge)
        if known.impossible:
            return None
        high = known.interval(rise)[1]
        if allowed is not None and high is not None and high <= allowed:
            return None
        found = allowed
        questions = Questions(self.of.solver, conditions, self.of.facts[source])
        stride = 1
        while True:
            least = None if found is None else self.terms.integer(found + stride - 1)
            answer = questions.ask(self.terms.true if least is None else self.terms.lt(least, rise))
            if answer.status == "sat":
                found = evaluate(rise, answer.model, {})
                self._note(source, answer.model, target, after(edge.store, answer.model))
                stride *= 2
            elif stride > 1:
                stride = 1
            else:
                return found if found != allowed else None

    def _known(self, number: int, edge: Edge) -> tuple[tuple[Term, ...], Bounds]:
        found = self._conditions.get(number)
        if found is None:
            conditions = tuple(c for c in edge.conditions if c not in self.target.apart)
            bounds = Bounds()
            bounds.learn(conditions)
            found = self._conditions[number] = conditions, bounds
        return found


def seen_steps(graph: Graph, rounds: Rounds, traces: Iterable[Sequence[Passed]], given: Values) -> list[Seen]:
    """Steps of plays from one control point to the next that is known from it alone; few of each kind.

    `given` is what symbols stood for.
    """
    pairs = {(edge.source, edge.target) for edge in graph.edges}
    count: dict[tuple[Location, Location], int] = {}
    found: list[Seen] = []
    for trace in traces:
        before: tuple[Location, Values] | None = (graph.start, {})
        for visit, (_, record) in zip(rounds.where(trace), trace, strict=True):
            values = {**given, **dict(enumerate(record))}
            here = (visit.locations[0], values) if len(visit.locations) == 1 else None
            if before is not None and here is not None:
                pair = before[0], here[0]
                count[pair] = count.get(pair, 0) + 1
                if pair in pairs and count[pair] <= DIFFERENT:
                    found.append(Seen(*before, *here))
            before = here
    return found
