"""Facts at locations: propose many, keep those that every path keeps.

A fact is kept at a location if on each path to it, from a location where all facts kept there hold, it holds
again. Dropping one may take others with it; what is left when nothing more falls is inductive, so it holds
whenever the location is reached.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from rulespec.proofs.smt.bounds import Bounds, is_simple
from rulespec.proofs.smt.locations import Graph
from rulespec.proofs.smt.measures import Measures
from rulespec.proofs.smt.paths import Edge, Location
from rulespec.proofs.smt.solver import Questions, Solver
from rulespec.proofs.smt.terms import FIRST_FRESH, Term, Terms, conjuncts
from rulespec.proofs.smt.values import evaluate

IDLE = 8  # steps without a find after which a walk from where a fact was found wanting ends
Facts = dict[Location, set[Term]]
_NOTHING: frozenset[Term] = frozenset()


class OutOfTime(Exception):
    """The time that a proof may take is over."""


@dataclass
class Step:
    """A path with what is known of it so far.

    `leans_on` has for each fact at its target that it is known to keep the facts at its source that this
    takes; `open` the facts that are still to be looked at, None for all.
    """

    edge: Edge
    number: int
    store: dict[int, Term]
    fresh: tuple[int, ...] = ()  # what is chosen or happens at its start
    memo: dict[Term, Term] = field(default_factory=dict)
    leans_on: dict[Term, frozenset[Term]] = field(default_factory=dict)
    open: set[Term] | None = None
    known: Bounds | None = None  # what the conditions of the path say

    def reopen(self, lost: set[Term], left: set[Term]) -> bool:
        """Facts were lost at its source: what of those `left` at its target leant on them is open again."""
        shaken = {f for f in left if not self.leans_on.get(f, _NOTHING).isdisjoint(lost)}
        if self.open is not None:
            self.open |= shaken
        return bool(shaken)


class Houdini:
    """Brings proposed facts down to inductive ones. `late` says whether time is up."""

    def __init__(
        self,
        graph: Graph,
        measures: Measures,
        solver: Solver,
        late: Callable[[], bool] = lambda: False,
        progress: Callable[[str, int, int], None] = lambda text, done, whole: None,
    ) -> None:
        self.graph = graph
        self.progress = progress
        self.solver = solver
        self.terms = solver.terms
        self.late = late
        self.dropped: dict[tuple[Location, Term], str] = {}
        self.steps: list[Step] = []
        for number, edge in enumerate(graph.edges):
            step = Step(edge, number, edge.store)
            ghosts = measures.arrival(edge.target, edge.store, step.memo)
            involved = frozenset().union(*(t.variables for t in (*edge.conditions, *edge.store.values())))
            fresh = tuple(sorted(key for key in involved if key > FIRST_FRESH))
            step = Step(edge, number, {**edge.store, **ghosts}, fresh)
            self.steps.append(step)
        self._rng = random.Random(0)
        self._sure: Facts = {}  # inductive by themselves, whatever else is dropped
        self.loose: dict[tuple[Location, Term], int] = {}  # bounds that may be widened, and how often still
        self._wider: Facts = {}
        self._touched: dict[Location, set[Term]] = {}
        self._leaving: dict[Location, list[Step]] = {}
        for step in self.steps:
            self._leaving.setdefault(step.edge.source, []).append(step)

    def run(self, facts: Facts) -> None:
        """Removes from `facts` until they are inductive. Raises OutOfTime."""
        waiting = deque(step.number for step in self.steps)
        queued = set(waiting)
        while waiting:
            if self.late():
                raise OutOfTime
            self.progress("settling facts", len(self.steps) - len(waiting), len(self.steps))
            number = waiting.popleft()
            queued.discard(number)
            gone = self._look(self.steps[number], facts)
            self._touched.setdefault(self.steps[number].edge.target, set()).update(gone)
            self._cascade(facts)
            shaken = [
                step.number
                for target, lost in self._touched.items()
                for step in self._leaving.get(target, ())
                if step.reopen(lost, facts[step.edge.target])
            ]
            shaken += self._opened()
            waiting.extend(each for each in dict.fromkeys(shaken) if each not in queued)
            queued.update(shaken)
            self._touched.clear()

    def _opened(self) -> list[int]:
        """Paths to where a bound was widened: all of them must keep the wider one."""
        found: list[int] = []
        for step in self.steps if self._wider else ():
            wider = self._wider.get(step.edge.target)
            if wider and step.open is not None:
                step.open |= wider
                found.append(step.number)
        self._wider.clear()
        return found

    def _widen(
        self, location: Location, lost: Iterable[Term], values: Mapping[int, int], facts: Facts
    ) -> None:
        """For bounds that do not hold with these values, propose others that do."""
        for fact in lost:
            left = self.loose.get((location, fact), 0)
            if left:
                total = fact.kids[0]
                beyond = evaluate(total, values, {})
                wider = self.terms.le(
                    self.terms.sub(fact.kids[0], self.terms.integer(beyond)), self.terms.zero
                )
                if wider is not self.terms.true:
                    self.loose[location, wider] = left - 1
                    self._wider.setdefault(location, set()).add(wider)
                    facts[location].add(wider)

    def extend(self, facts: Facts, more: Facts) -> Facts:
        """Inductive facts together with those of `more` that hold beside them. Raises OutOfTime; `facts` stay
        as they are.
        """
        new = {location: more.get(location, set()) - known for location, known in facts.items()}
        whole = {location: known | new[location] for location, known in facts.items()}
        for step in self.steps:
            step.open = set(new[step.edge.target])
        self._sure = facts
        self.run(whole)
        return whole

    def _look(self, step: Step, facts: Facts) -> set[Term]:
        """Drop at the step's target what it does not keep; says what was dropped."""
        before, kept = facts[step.edge.source], facts[step.edge.target]
        wanted = self._open_goals(step, before, kept if step.open is None else kept & step.open)
        step.open = set()
        gone: set[Term] = set()
        found: list[dict[int, int]] = []
        limit = self.solver.patience.together
        questions = Questions(self.solver, step.edge.conditions, before, limit) if wanted else None
        while questions is not None and wanted:
            broken = self.terms.disj(self.terms.neg(g) for g in wanted)
            answer = questions.ask(broken)
            if answer.status == "unknown":
                split = self.solver.by_cases([*step.edge.conditions, broken], sorted(before))
                answer = answer if split is None else split
            if answer.status == "unsat":
                step.leans_on.update((f, answer.used) for stands in wanted.values() for f in stands)
                break
            if answer.status == "unknown":
                gone |= self._one_by_one(step, wanted, before)
                break
            memo: dict[Term, int] = {}
            lost = [g for g in wanted if not evaluate(g, answer.model, memo)]
            assert lost, "a model of a broken goal breaks one"
            for goal in lost:
                dropped = self._drop(step, wanted.pop(goal), "a path does not keep it")
                if not self.loose.keys().isdisjoint((step.edge.target, fact) for fact in dropped):
                    self._widen(step.edge.target, sorted(dropped), after(step.store, answer.model), facts)
                gone |= dropped
            found.append(answer.model)
        kept -= gone
        for model in found:
            self._ripple(step, model, facts)
        return gone

    def _cascade(self, facts: Facts) -> None:
        """What was dropped at a location is dropped behind the paths that do not touch what it is about.

        Unless the path itself says that it holds, or a weaker fact is left at the location that may say so.
        It might follow in another way; but hardly ever does.
        """
        waiting = [(location, fact) for location, gone in self._touched.items() for fact in gone]
        while waiting:
            location, fact = waiting.pop()
            for step in self._leaving.get(location, ()):
                target = step.edge.target
                if fact not in facts[target] or not step.store.keys().isdisjoint(fact.variables):
                    continue
                if fact in self._sure.get(target, _NOTHING) or (target, fact) in self.loose:
                    continue
                weaker = any(f.op == "or" and fact in f.kids for f in facts[location])
                if not weaker and self._conditions(step).truth(fact) is not True:
                    facts[target].discard(fact)
                    self._drop(step, (fact,), "a path does not keep it")
                    self._touched.setdefault(target, set()).add(fact)
                    waiting.append((target, fact))

    def _conditions(self, step: Step) -> Bounds:
        """What the conditions of the path say."""
        if step.known is None:
            step.known = Bounds()
            step.known.learn(step.edge.conditions)
        return step.known

    def _ripple(self, step: Step, model: dict[int, int], facts: Facts) -> None:
        """Go on from what the path makes of a model: nothing speaks against it, so what it breaks is no fact.

        What a location's facts allow may break facts at the next; a walk finds that out at less cost than a
        solver.
        """
        values = after(step.store, model)
        location = step.edge.target
        idle = 0
        while idle < IDLE:
            onward = self.onward(location, values)
            if onward is None:
                return
            known = facts[location]
            step, values = onward
            location = step.edge.target
            memo: dict[Term, int] = {}
            written = step.store.keys()
            asked = [f for f in facts[location] if f not in known or not written.isdisjoint(f.variables)]
            broken = {f for f in asked if not evaluate(f, values, memo)}
            idle = 0 if broken else idle + 1
            if broken:
                self._drop(step, broken, "a path does not keep it")
                facts[location] -= broken
                if self.loose:
                    self._widen(location, sorted(broken), values, facts)
                self._touched.setdefault(location, set()).update(broken)

    def onward(self, location: Location, values: dict[int, int]) -> tuple[Step, dict[int, int]] | None:
        """Some path that may be taken with these values, and the values at its end."""
        steps = self._leaving.get(location, [])
        for step in self._rng.sample(steps, len(steps)):
            tried = dict(values)
            for key in step.fresh:
                low, high = self.terms.range_of[key]
                tried[key] = self._rng.randint(low, high)
            memo: dict[Term, int] = {}
            if all(evaluate(c, tried, memo) for c in step.edge.conditions):
                return step, after(step.store, tried)
        return None

    def _open_goals(self, step: Step, before: set[Term], wanted: Iterable[Term]) -> dict[Term, list[Term]]:
        """What has to hold at the end of the path, said at its start, with the facts it stands for.

        Leaves out what holds plainly, and notes what that leans on.
        """
        changed = step.store.keys()
        goals: dict[Term, list[Term]] = {}
        for fact in sorted(wanted):
            goal = fact
            if not changed.isdisjoint(fact.variables):
                goal = self.terms.substitute(fact, step.store, step.memo)
            if goal in before:
                step.leans_on[fact] = frozenset((goal,))
            elif self._conditions(step).truth(goal) is True or self._conditions(step).impossible:
                step.leans_on[fact] = _NOTHING
            else:
                goals.setdefault(goal, []).append(fact)
        return self._not_near(step, before, goals) if goals else goals

    def _not_near(
        self, step: Step, before: set[Term], goals: dict[Term, list[Term]]
    ) -> dict[Term, list[Term]]:
        """The goals that do not follow from the intervals that facts nearby give."""
        known = self._conditions(step).copy()
        touched: frozenset[int] = frozenset().union(
            *(g.variables for g in goals), *(c.variables for c in step.edge.conditions)
        )
        near = frozenset(f for f in before if is_simple(f) and not touched.isdisjoint(f.variables))
        known.learn(sorted(near))
        left: dict[Term, list[Term]] = {}
        for goal, stands_for in goals.items():
            if known.impossible or known.truth(goal) is True:
                step.leans_on.update((fact, near) for fact in stands_for)
            else:
                left[goal] = stands_for
        return left

    def _one_by_one(self, step: Step, wanted: Mapping[Term, list[Term]], before: set[Term]) -> set[Term]:
        gone: set[Term] = set()
        for goal, stands_for in wanted.items():
            answer = self.solver.ask([*step.edge.conditions, self.terms.neg(goal)], before)
            if answer.status == "unsat":
                step.leans_on.update((fact, answer.used) for fact in stands_for)
            else:
                why = answer.reason if answer.status == "unknown" else "a path does not keep it"
                gone |= self._drop(step, stands_for, why)
        return gone

    def _drop(self, step: Step, facts: Iterable[Term], why: str) -> set[Term]:
        found = set(facts)
        for fact in found:
            self.dropped.setdefault((step.edge.target, fact), f"{why}: {' > '.join(step.edge.trail)}")
        return found


def after(store: Mapping[int, Term], values: dict[int, int]) -> dict[int, int]:
    """What a path makes of a record, fresh variables and ghosts included."""
    memo: dict[Term, int] = {}
    return {**values, **{key: evaluate(term, values, memo) for key, term in store.items()}}


def parted(terms: Iterable[Term]) -> set[Term]:
    """Conjunctions taken apart."""
    return {part for term in terms for part in conjuncts(term)}


def split_up(terms: Terms, claim: Term) -> list[Term]:
    """The parts of a claim; `a or (b and c)` has the parts `a or b` and `a or c`, `b and c` being the longest
    of its kind.
    """
    parts: set[Term] = set()
    for part in parted([claim]):
        several = [kid for kid in part.kids if part.op == "or" and kid.op == "and"]
        both = max(several, key=lambda kid: len(kid.kids), default=None)
        rest = [kid for kid in part.kids if kid is not both]
        parts.update([part] if both is None else (terms.disj((*rest, each)) for each in both.kids))
    return sorted(parts)
