"""Z3 behind a small face: the only module that knows it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import z3

from rulespec.proofs.smt.terms import Term, Terms, constant, first, pairs, parts


@dataclass(frozen=True, slots=True)
class Answer:
    """`status` is `unsat`, `sat` or `unknown`; `used` are the facts that were given to the solver.

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
        """Can all of `hard` and `facts` hold? Tries first with those facts that touch `hard`."""
        began = time.perf_counter()
        self.asked += 1
        try:
            return self._ask(hard, tuple(facts))
        finally:
            self.seconds += time.perf_counter() - began

    def _ask(self, hard: Sequence[Term], facts: tuple[Term, ...]) -> Answer:
        touched: set[int] = set().union(*(h.variables for h in hard))
        near = [f for f in facts if not touched.isdisjoint(f.variables)]
        far = [f for f in facts if touched.isdisjoint(f.variables)]
        solver = z3.SimpleSolver()
        solver.set("timeout", max(1, int(self.limit * 1000)))
        solver.set("random_seed", 0)
        declared: set[int] = set()
        self._assert(solver, [*hard, *near], declared)
        status = str(solver.check())
        if status == "unsat":
            return Answer("unsat", frozenset(near))
        if status == "sat" and far:
            self._assert(solver, far, declared)
            status = str(solver.check())
            if status == "unsat":
                return Answer("unsat", frozenset(facts))
        if status == "sat":
            return Answer("sat", frozenset(facts), self._model(solver, declared))
        return Answer("unknown", frozenset(facts), reason=solver.reason_unknown())

    def _assert(self, solver: z3.Solver, terms: Sequence[Term], declared: set[int]) -> None:
        batch: list[z3.ExprRef] = []
        for term in terms:
            batch.append(self.expression(term))
            for key in term.variables - declared:
                declared.add(key)
                batch.extend(self._axioms[key])
        solver.add(*batch)

    def _model(self, solver: z3.Solver, declared: Iterable[int]) -> dict[int, int]:
        model = solver.model()
        found = dict(self.terms.somewhere)
        for key in declared:
            found[key] = model.eval(self._variables[key], model_completion=True).as_long()
        return found

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
