"""Z3 behind a small face: the only module that knows it, but for its engine Spacer (`fixedpoint`).

Terms are handed over through Z3's C interface, where a call takes a few microseconds; its Python expressions
take ten times that, which would be most of a proof's time.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import z3

from rulespec.proofs.smt.chosen import Memos, cases
from rulespec.proofs.smt.terms import Term, Terms

Ast = Any  # a pointer of Z3's

_ASSIGNED = re.compile(r"\(define-fun v(\d+) \(\) Int\s+(?:\(- (\d+)\)|(\d+))\)")


@dataclass(frozen=True, slots=True)
class Answer:
    """`status` is `unsat`, `sat` or `unknown`; `used` are the facts that an `unsat` leans on.

    `model` has a number for each variable, where `sat`.
    """

    status: str
    used: frozenset[Term] = frozenset()
    model: dict[int, int] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long Z3 may take over one question, in seconds of the clock, the only measure that it stops by."""

    whole: float  # after this it is unknown, whatever was tried

    @property
    def short(self) -> float:
        """What a question gets before it is taken apart into cases, and each case."""
        return self.whole / 10

    @property
    def together(self) -> float:
        """What several questions get that are asked as one, before each is asked alone."""
        return self.whole / 4


class Solver:
    """Asks whether conditions can hold together. `limit` is in seconds for one question.

    `always` are truth values that hold whatever is asked: they need not be among the facts.
    """

    def __init__(self, terms: Terms, limit: float, always: Iterable[Term] = ()) -> None:
        self.terms = terms
        self.patience = Patience(limit)
        self.asked = 0
        self.seconds = 0.0
        self.context = z3.Context()
        self.ref = self.context.ref()
        self._sort = z3.Z3_mk_int_sort(self.ref)
        self._known: dict[Term, Ast] = {}
        self._labels: dict[Term, z3.BoolRef] = {}
        self._memos: dict[int, Memos] = {}  # of the path that was split last
        self._axioms: dict[int, tuple[Ast, ...]] = {}
        self.always: dict[int, list[Term]] = {}  # by each variable
        for each in always:
            for key in sorted(each.variables):
                self.always.setdefault(key, []).append(each)

    def ask(self, hard: Sequence[Term], facts: Iterable[Term]) -> Answer:
        """Can all of `hard` and `facts` hold?"""
        facts = tuple(facts)
        short = Questions(self, hard, facts, self.patience.short).ask(self.terms.true)
        if short.status != "unknown":
            return short
        return self.by_cases(hard, facts) or Questions(self, hard, facts).ask(self.terms.true)

    def by_cases(
        self, hard: Sequence[Term], facts: Sequence[Term], until: float | None = None
    ) -> Answer | None:
        """The answer found case by case, within the limit of one question; None where there is none."""
        if until is None:
            until = self.seconds + self.patience.whole
            if not self._memos.keys() <= frozenset().union(*(h.variables for h in hard)):
                self._memos.clear()  # they are of another path
        used: frozenset[Term] = frozenset()
        looked = False
        for key, value, conditions in cases(self.terms, hard, self._memos):
            short = Questions(self, conditions, facts, self.patience.short).ask(self.terms.true)
            hopeless = short.status == "unknown"
            found = self.by_cases(conditions, facts, until) if hopeless else short
            if found is None or self.seconds > until:
                return None
            if found.status == "sat":
                return replace(found, model={**found.model, key: value})
            used |= found.used
            looked = True
        return Answer("unsat", used) if looked else None

    @contextmanager
    def clock(self) -> Iterator[None]:
        """Counts the time spent as the solver's. Raises a MemoryError where the solver has no more memory.

        After that nothing of the solver's may be used, nor given back: the process has to end.
        """
        began = time.process_time()
        try:
            yield
        except z3.Z3Exception as error:
            if "memory" in str(error):
                raise MemoryError("the solver ran out of memory") from error
            raise
        finally:
            self.seconds += time.process_time() - began

    def memory(self) -> float:
        """What all solvers of this process have at the moment, in megabytes."""
        return float(z3.Z3_get_estimated_alloc_size()) / 1_000_000

    def bounds(self, key: int) -> tuple[Ast, ...]:
        """What the interval of a variable says."""
        return self._axioms[key]

    def expression(self, term: Term) -> Ast:
        """The term for Z3; kept for as long as the solver."""
        found = self._known.get(term)
        if found is None:
            found = self._keep(self._translated(term))
            self._known[term] = found
        return found

    def label(self, fact: Term) -> z3.BoolRef:
        """A truth value that stands for a fact being taken into account."""
        found = self._labels.get(fact)
        if found is None:
            found = self._labels[fact] = z3.Bool(f"f{fact.id}", self.context)
        return found

    def _keep(self, ast: Ast) -> Ast:
        z3.Z3_inc_ref(self.ref, ast)
        return ast

    def _number(self, value: int) -> Ast:
        return self._keep(z3.Z3_mk_int64(self.ref, value, self._sort))

    def array(self, asts: Sequence[Ast]) -> Ast:
        return (z3.Ast * len(asts))(*asts)

    def _translated(self, term: Term) -> Ast:
        ref = self.ref
        match term.op:
            case "lin":
                return self._sum(term, term.number)
            case "le" | "eq" | "ne":
                return self._comparison(term)
            case "var":
                return self._variable(term)
            case "int":
                return z3.Z3_mk_int64(ref, term.number, self._sort)
            case "true" | "false":
                return z3.Z3_mk_true(ref) if term.op == "true" else z3.Z3_mk_false(ref)
        kids = [self.expression(kid) for kid in term.kids]
        match term.op:
            case "ite":
                return z3.Z3_mk_ite(ref, *kids)
            case "ind":
                return z3.Z3_mk_ite(ref, kids[0], self._number(1), self._number(0))
            case "and":
                return z3.Z3_mk_and(ref, len(kids), self.array(kids))
            case "or":
                return z3.Z3_mk_or(ref, len(kids), self.array(kids))
            case "div":
                return z3.Z3_mk_div(ref, kids[0], self._number(term.number))
            case "mod":
                return z3.Z3_mk_mod(ref, kids[0], self._number(term.number))
            case _:
                return z3.Z3_mk_mul(ref, 2, self.array(kids))

    def _sum(self, term: Term, constant: int) -> Ast:
        items = [
            self._scaled(c, self.expression(a)) for c, a in zip(term.coefficients, term.kids, strict=True)
        ]
        if constant:
            items.append(self._number(constant))
        return items[0] if len(items) == 1 else z3.Z3_mk_add(self.ref, len(items), self.array(items))

    def _scaled(self, c: int, atom: Ast) -> Ast:
        if c == 1:
            return atom
        return self._keep(z3.Z3_mk_mul(self.ref, 2, self.array((self._number(c), atom))))

    def _variable(self, term: Term) -> Ast:
        ref, key = self.ref, term.number
        ast = self._keep(z3.Z3_mk_const(ref, z3.Z3_mk_string_symbol(ref, f"v{key}"), self._sort))
        bounds = []
        if term.low is not None:
            bounds.append(self._keep(z3.Z3_mk_ge(ref, ast, self._number(term.low))))
        if term.high is not None:
            bounds.append(self._keep(z3.Z3_mk_le(ref, ast, self._number(term.high))))
        self._axioms[key] = tuple(bounds)
        return ast

    def _comparison(self, term: Term) -> Ast:
        """With the constant alone on the right, which keeps bounds on variables plain."""
        total = term.kids[0]
        shift = total.number if total.op == "lin" else 0
        left = self._keep(self._sum(total, 0)) if total.op == "lin" else self.expression(total)
        right = self._number(-shift)
        match term.op:
            case "le":
                return z3.Z3_mk_le(self.ref, left, right)
            case "eq":
                return z3.Z3_mk_eq(self.ref, left, right)
            case _:
                return z3.Z3_mk_not(self.ref, self._keep(z3.Z3_mk_eq(self.ref, left, right)))


class Questions:
    """Several questions under the same conditions and facts.

    Facts that share nothing with conditions or question are only added when the answer without them is `sat`:
    mostly it is not, and they are many.
    """

    def __init__(
        self, solver: Solver, hard: Sequence[Term], facts: Iterable[Term], limit: float | None = None
    ) -> None:
        self._solver = solver
        self.terms = solver.terms
        self._facts = sorted(facts, key=lambda fact: fact.id)  # so that every run asks the same
        self._labels: dict[Term, z3.BoolRef] = {}  # of the facts that are taken into account
        self._declared: set[int] = set()
        with solver.clock():
            self._z3 = z3.SimpleSolver(ctx=solver.context)
            self._z3.set("timeout", max(1, int((limit or solver.patience.whole) * 1000)))
            self._z3.set("random_seed", 0)
            self._z3.set("smt.arith.solver", 2)  # the older one takes a third less time on these questions
            self._assert(hard)
            self._near(frozenset(self._declared))

    def ask(self, also: Term) -> Answer:
        """Can `also` hold besides?"""
        self._solver.asked += 1
        with self._solver.clock():
            self._near(also.variables)
            answer = self._check(also)
            if answer.status == "sat" and len(self._labels) < len(self._facts):
                self._use(self._facts)
                answer = self._check(also)
        return answer

    def _check(self, also: Term) -> Answer:
        self._declare(also)
        self._z3.push()
        self._add(self._solver.expression(also))
        labels = self._solver.array([label.as_ast() for label in self._labels.values()])
        found = z3.Z3_solver_check_assumptions(self._solver.ref, self._z3.solver, len(labels), labels)
        if found == z3.Z3_L_FALSE:
            answer = Answer("unsat", used=self._leant_on())
        elif found == z3.Z3_L_TRUE:
            answer = Answer("sat", model=self._values(self._z3.model().sexpr()))
        else:
            answer = Answer("unknown", reason=self._z3.reason_unknown())
        self._z3.pop()
        return answer

    def _near(self, variables: frozenset[int]) -> None:
        self._use([f for f in self._facts if not variables.isdisjoint(f.variables)])

    def _use(self, facts: Sequence[Term]) -> None:
        """Facts hold where their labels do, so that the solver can say which it leant on."""
        for fact in facts:
            if fact not in self._labels:
                label = self._labels[fact] = self._solver.label(fact)
                expression = self._solver.expression(fact)
                self._add(z3.Z3_mk_implies(self._solver.ref, label.as_ast(), expression))
                self._declare(fact)

    def _leant_on(self) -> frozenset[Term]:
        facts = {label.get_id(): fact for fact, label in self._labels.items()}
        return frozenset(facts[label.get_id()] for label in self._z3.unsat_core())

    def _assert(self, terms: Sequence[Term]) -> None:
        for term in terms:
            self._add(self._solver.expression(term))
            self._declare(term)

    def _add(self, ast: Ast) -> None:
        z3.Z3_solver_assert(self._solver.ref, self._z3.solver, ast)

    def _declare(self, term: Term) -> None:
        new = term.variables - self._declared
        if new:
            self._solver.expression(term)
            self._declared |= new
            for key in new:
                for bound in self._solver.bounds(key):
                    self._add(bound)
            for each in dict.fromkeys(e for key in sorted(new) for e in self._solver.always.get(key, ())):
                self._add(self._solver.expression(each))
                self._declare(each)

    def _values(self, model: str) -> dict[int, int]:
        found = dict(self._solver.terms.somewhere)
        for key, negative, positive in _ASSIGNED.findall(model):
            found[int(key)] = int(positive) if positive else -int(negative)
        return found
