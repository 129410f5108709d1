"""The greatest value that the facts at each control point leave a number: a ceiling is what the solver has
answered `unsat` beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rulespec.compiler.core.tree import Const, Expr, Fold, Var
from rulespec.proofs.smt.candidates import Candidates
from rulespec.proofs.smt.encode import Encoder, Scope
from rulespec.proofs.smt.houdini import Facts, Step
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.solver import Answer, Questions, Solver
from rulespec.proofs.smt.syntax import replaced, variables
from rulespec.proofs.smt.terms import Term
from rulespec.proofs.smt.values import evaluate

INSTANCES = 40  # of a quantity that stands for several numbers; beyond these it is taken as one number


@dataclass(frozen=True)
class Instance:
    """One number of a quantity, where `guard` holds; `sound`: it has a value."""

    value: Term
    guard: Term
    sound: Term


def instances(encoder: Encoder, extreme: Expr, sign: int) -> list[Instance]:
    """The numbers of which an expression is the greatest or least, each times `sign`."""
    parts = list(_parts(extreme, ()))
    if len(parts) > INSTANCES:
        parts = [(extreme, ())]
    found: dict[tuple[Term, Term, Term], Instance] = {}
    for expr, conditions in parts:
        scope = Scope({})
        guard = encoder.terms.conj(encoder.truth(c, scope) for c in conditions)
        value = encoder.terms.total(((sign, encoder.number(expr, scope)),))
        sound = encoder.terms.conj(need.claim for need in scope.needs)
        if guard is not encoder.terms.false:
            found.setdefault((value, guard, sound), Instance(value, guard, sound))
    return list(found.values())


def _parts(extreme: Expr, conditions: tuple[Expr, ...]) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    match extreme:
        case Fold("max" | "min", name, low, high, where, body, None) if body is not None:
            for number in range(low, high + 1):
                here = () if where is None else (replaced(where, Var(name), Const(number)),)
                inner = replaced(body, Var(name), Const(number))
                yield from _parts(inner, (*conditions, *here))
        case _:
            assert not variables(extreme), "a quantity takes no names from outside"
            yield extreme, conditions


class Ceilings:
    """Looks for ceilings under the facts of a proof. When it is `late`, what is shown by then counts."""

    def __init__(
        self, candidates: Candidates, steps: Iterable[Step], solver: Solver, late: Callable[[], bool]
    ) -> None:
        self.at = candidates.at
        self.solver = solver
        self.terms = solver.terms
        self.late = late
        self.coming: dict[Location, list[Step]] = {}
        for step in steps:
            self.coming.setdefault(step.edge.target, []).append(step)

    def holds(self, instance: Instance, locations: Iterable[Location], facts: Facts, most: int) -> bool:
        """Whether it is proved that the number has a value at these locations, which is at most `most`."""
        return all(self._holds(instance, v, facts[v], most) for v in locations)

    def _holds(self, instance: Instance, location: Location, facts: set[Term], most: int) -> bool:
        value, guard, sound = self._here(instance, location)
        beyond = self.terms.disj((self.terms.neg(sound), self.terms.lt(self.terms.integer(most), value)))
        if beyond is self.terms.false:
            return True
        return not self.late() and self.solver.ask([guard, beyond], facts).status == "unsat"

    def of(self, instance: Instance, locations: Iterable[Location], facts: Facts, least: int) -> int | None:
        """The greatest value at these locations, or `least` if that is more; None where nothing is proved.

        Whatever is given out was proved: at none of the locations can the number be greater.
        """
        tops: dict[Location, int] = {}
        for location in locations:
            value, guard, sound = self._here(instance, location)
            found = self._greatest(value, guard, sound, facts[location], (), least)
            if found is None:
                return None
            tops[location] = found
        return max((least, *self._by_paths(instance, facts, tops, least).values()))

    def _by_paths(
        self, instance: Instance, facts: Facts, tops: dict[Location, int], least: int
    ) -> dict[Location, int]:
        """The same by the facts one path earlier, for the greatest in turn, while that brings it down."""
        while tops and not self.late():
            location = max(tops, key=lambda v: tops[v])
            found = self._along(instance, location, facts, least, tops[location])
            if found >= tops[location]:
                break
            tops[location] = found
        return tops

    def _along(self, instance: Instance, location: Location, facts: Facts, least: int, known: int) -> int:
        """The greatest value with which a path arrives, `known` if that is not told."""
        most = least
        for step in self.coming.get(location, ()):
            value, guard, sound = (
                self.terms.substitute(t, step.store, step.memo) for t in self._here(instance, location)
            )
            before, conditions = facts[step.edge.source], step.edge.conditions
            found = self._greatest(value, guard, sound, before, conditions, most)
            most = known if found is None else max(most, found)
            if most >= known:
                return known
        return most

    def _here(self, instance: Instance, location: Location) -> tuple[Term, Term, Term]:
        """The value, the guard, and whether there is a value, with the numbers that are kept apart there."""
        return (
            self.at(location, instance.value),
            self.at(location, instance.guard),
            self.at(location, instance.sound),
        )

    def _greatest(
        self, value: Term, guard: Term, sound: Term, facts: set[Term], conditions: Iterable[Term], least: int
    ) -> int | None:
        if value.high is not None and value.high <= least and sound is self.terms.true:
            return least
        if self.late():
            return value.high if sound is self.terms.true else None
        questions = Questions(self.solver, [*conditions, guard], facts)
        if sound is not self.terms.true and questions.ask(self.terms.neg(sound)).status != "unsat":
            return None
        return _climb(questions, value, least, value.high, self.late)


def greatest(questions: Questions, value: Term, guess: int, late: Callable[[], bool]) -> int | None:
    """The greatest value, or more than that where the solver cannot tell; None where there is none.

    `guess` is tried first.
    """
    answer = _beyond(questions, value, guess)
    if answer.status == "sat":
        return _climb(questions, value, evaluate(value, answer.model, {}), value.high, late)
    if answer.status != "unsat":
        return value.high
    answer = _beyond(questions, value, guess - 1)
    if answer.status == "sat":
        return guess
    answer = questions.ask(questions.terms.true)
    if answer.status == "unsat":
        return None
    if answer.status != "sat":
        return guess
    return _climb(questions, value, evaluate(value, answer.model, {}), guess, late)


def _climb(
    questions: Questions, value: Term, low: int, high: int | None, late: Callable[[], bool]
) -> int | None:
    """The greatest value from `low` up, where `high` is known not to be passed, as near as is told."""
    stride = 1
    while (high is None or low < high) and not late():
        # Whatever the model found, the next question is a little beyond it, then further and further.
        beyond = low + stride - 1 if high is None else min(low + stride - 1, (low + high) // 2)
        answer = _beyond(questions, value, beyond)
        if answer.status == "sat":
            low = max(beyond + 1, evaluate(value, answer.model, {}))
            stride *= 2
        elif answer.status == "unsat":
            high, stride = beyond, 1
        else:
            break
    return high


def _beyond(questions: Questions, value: Term, number: int) -> Answer:
    return questions.ask(questions.terms.lt(questions.terms.integer(number), value))
