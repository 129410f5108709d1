"""Z3 behind a small face: the only module that knows it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import z3

from rulespec.proofs.smt.terms import Term, Terms, constant, first, pairs, parts


@dataclass(frozen=True, slots=True)
class Answer:
    """`status` is `unsat`, `sat` or `unknown`; `used` are the facts that an `unsat` leans on.

    `model` has a number for each variable, where `sat`.
    """

    status: str
    used: frozenset[Term] = frozenset()
    model: dict[int, int] = field(default_factory=dict)
    reason: str = ""


class Solver:
    """Asks whether conditions can hold together. `limit` is in seconds for one question."""

    def __init__(self, terms: Terms, limit: float) -> None:
        self.terms = terms
        self.limit = limit
        self.asked = 0
        self.seconds = 0.0
        self._known: dict[Term, z3.ExprRef] = {}
        self._axioms: dict[int, tuple[z3.ExprRef, ...]] = {}
        self._variables: dict[int, z3.ArithRef] = {}

    def ask(self, hard: Sequence[Term], facts: Iterable[Term]) -> Answer:
        """Can all of `hard` and `facts` hold?"""
        return Questions(self, hard, facts).ask(self.terms.true)

    @contextmanager
    def clock(self) -> Iterator[None]:
        """Counts the time spent as the solver's."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - began

    def bounds(self, key: int) -> tuple[z3.ExprRef, ...]:
        """What the interval of a variable says."""
        return self._axioms[key]

    def expression(self, term: Term) -> z3.ExprRef:
        """The term for Z3."""
        found = self._known.get(term)
        if found is None:
            found = self._translated(term)
            self._known[term] = found
        return found

    def _translated(self, term: Term) -> z3.ExprRef:
        if term.op == "lin":
            items = [self._scaled(c, self.expression(a)) for c, a in pairs(term)]
            if constant(term):
                items.append(z3.IntVal(constant(term)))
            return z3.Sum(items) if len(items) > 1 else items[0]
        if term.op in ("int", "var", "true", "false"):
            return self._leaf(term)
        if term.op in ("le", "eq", "ne"):
            return self._comparison(term)
        args = [self.expression(p) for p in parts(term)]
        match term.op:
            case "ite":
                return z3.If(args[0], args[1], args[2])
            case "ind":
                return z3.If(args[0], z3.IntVal(1), z3.IntVal(0))
            case "and":
                return z3.And(args)
            case "or":
                return z3.Or(args)
            case "div":
                return args[0] / z3.IntVal(constant(term))
            case "mod":
                return args[0] % z3.IntVal(constant(term))
            case _:
                return args[0] * args[1]

    def _scaled(self, c: int, atom: z3.ExprRef) -> z3.ExprRef:
        return atom if c == 1 else z3.IntVal(c) * atom

    def _leaf(self, term: Term) -> z3.ExprRef:
        if term.op == "var":
            key = constant(term)
            variable = z3.Int(f"{self.terms.names.get(key, 'v')}#{key}")
            self._variables[key] = variable
            bounds = []
            if term.low is not None:
                bounds.append(variable >= term.low)
            if term.high is not None:
                bounds.append(variable <= term.high)
            self._axioms[key] = tuple(bounds)
            return variable
        if term.op == "int":
            return z3.IntVal(constant(term))
        return z3.BoolVal(term.op == "true")

    def _comparison(self, term: Term) -> z3.ExprRef:
        """With the constant alone on the right, which keeps bounds on variables plain."""
        total = first(term)
        shift = constant(total) if total.op == "lin" else 0
        left = self.expression(self.terms.total(((1, total),), -shift))
        right = z3.IntVal(-shift)
        match term.op:
            case "le":
                return left <= right
            case "eq":
                return left == right
            case _:
                return left != right


class Questions:
    """Several questions under the same conditions and facts.

    Facts that share nothing with conditions or question are only added when the answer without them is `sat`:
    mostly it is not, and they are many.
    """

    def __init__(self, solver: Solver, hard: Sequence[Term], facts: Iterable[Term]) -> None:
        self._solver = solver
        self._facts = set(facts)
        self._used: set[Term] = set()
        self._declared: set[int] = set()
        with solver.clock():
            self._z3 = z3.SimpleSolver()
            self._z3.set("timeout", max(1, int(solver.limit * 1000)))
            self._z3.set("random_seed", 0)
            self._assert(hard)
            self._near(frozenset(self._declared))

    def ask(self, also: Term) -> Answer:
        """Can `also` hold besides? A model has the numbers of its variables and of those of the conditions.
        """
        self._solver.asked += 1
        with self._solver.clock():
            self._near(also.variables)
            status, model = self._check(also)
            if status == "sat" and len(self._used) < len(self._facts):
                self._use([f for f in self._facts if f not in self._used])
                status, model = self._check(also)
        used = frozenset(self._used)
        if status == "sat" and model is not None:
            return Answer("sat", used, self._values(model))
        reason = "" if status == "unsat" else self._z3.reason_unknown()
        return Answer(status, used, reason=reason)

    def _check(self, also: Term) -> tuple[str, z3.ModelRef | None]:
        self._declare(also)
        self._z3.push()
        self._z3.add(self._solver.expression(also))
        status = str(self._z3.check())
        model = self._z3.model() if status == "sat" else None
        self._z3.pop()
        return status, model

    def _near(self, variables: frozenset[int]) -> None:
        self._use([f for f in self._facts if f not in self._used and not variables.isdisjoint(f.variables)])

    def _use(self, facts: Sequence[Term]) -> None:
        self._used.update(facts)
        self._assert(facts)

    def _assert(self, terms: Sequence[Term]) -> None:
        if terms:
            self._z3.add(*(self._solver.expression(t) for t in terms))
        for term in terms:
            self._declare(term)

    def _declare(self, term: Term) -> None:
        new = term.variables - self._declared
        if new:
            self._solver.expression(term)
            self._declared |= new
            self._z3.add(*(b for key in new for b in self._solver.bounds(key)))

    def _values(self, model: z3.ModelRef) -> dict[int, int]:
        found = dict(self._solver.terms.somewhere)
        for declaration in model.decls():
            key = int(declaration.name().rpartition("#")[2])
            found[key] = model[declaration].as_long()
        return found
