"""Core expressions over a symbolic record, as ground terms.

A place that is read or written at an index nobody knows yet becomes a chain of cases over the indices it can
have; folds are unrolled. What must hold for looking at an expression (an index in range, something to take
the least of) is collected as `Need`s, each under the guards that lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from rulespec.compiler.core.tree import (
    And,
    Arith,
    Compare,
    Const,
    Core,
    Domain,
    Expr,
    Fold,
    Ite,
    Lookup,
    Not,
    Or,
    Read,
    Table,
    Truth,
    Var,
)
from rulespec.proofs.smt.syntax import replaced, subexpressions, variables
from rulespec.proofs.smt.terms import FIRST_SYMBOL, Term, Terms, conjuncts


@dataclass(frozen=True, slots=True)
class Need:
    """`claim` must hold or looking is a fault of this kind (`index`, `empty`, `arith`)."""

    kind: str
    claim: Term
    text: str


@dataclass(slots=True)
class Scope:
    """What expressions are read in: changed elements, bound names, and the conditions that lead here."""

    store: Mapping[int, Term]
    names: dict[str, Term] = field(default_factory=dict)
    guards: list[Term] = field(default_factory=list)
    needs: list[Need] = field(default_factory=list)


class Encoder:
    """Turns expressions of one core into terms.

    Elements have their place in the record as variables' keys. If `symbolic`, open cells of tables are
    variables too, which nothing changes: `given` has for the key of each the number that was assumed, and
    `limits` hold.
    """

    def __init__(self, core: Core, terms: Terms, *, symbolic: bool = False) -> None:
        self.core = core
        self.terms = terms
        self.elements: list[Term] = []
        self.owner: list[tuple[str, int]] = []
        for slot in core.slots:
            for number in range(slot.size):
                name = slot.name + _element_name(slot.dims, number)
                self.elements.append(terms.variable(len(self.elements), slot.low, slot.high, name))
                self.owner.append((slot.name, number))
        self.given: dict[int, int] = {}
        self._symbols: dict[tuple[str, int], Term] = {}
        self.limits: tuple[Term, ...] = ()
        if symbolic:
            for table in core.tables:
                for position, low, high in table.open:
                    self._open(table, position, low, high)
            self.limits = tuple(limit for e in core.limits for limit in conjuncts(self.sound_truth(e, {})))

    def _open(self, table: Table, position: int, low: int, high: int) -> None:
        key = FIRST_SYMBOL + len(self.given)
        self.given[key] = self.terms.somewhere[key] = table.values[position]
        name = table.name + _element_name(table.dims, position)
        self._symbols[table.name, position] = self.terms.variable(key, low, high, name)

    def cell(self, table: Table, position: int) -> Term:
        found = self._symbols.get((table.name, position))
        return self.terms.integer(table.values[position]) if found is None else found

    def element(self, scope: Scope, position: int) -> Term:
        found = scope.store.get(position)
        return self.elements[position] if found is None else found

    # --- numbers -------------------------------------------------------------------------------------------

    def number(self, expr: Expr, scope: Scope) -> Term:
        terms = self.terms
        match expr:
            case Const(value):
                return terms.integer(value)
            case Var(name):
                return scope.names[name]
            case Read(slot, index):
                declared = self.core.slot[slot]
                at = self.indices(index, declared.dims, slot, scope)
                base = self.core.offset[slot]
                return self.pick(at, declared.dims, lambda i: self.element(scope, base + i))
            case Lookup(table, index):
                found = self.core.table[table]
                at = self.indices(index, found.dims, table, scope)
                return self.pick(at, found.dims, lambda i: self.cell(found, i))
            case Arith(operator, left, right):
                return self._arith(operator, self.number(left, scope), self.number(right, scope))
            case Ite(condition, then, other):
                c = self.truth(condition, scope)
                with under(scope, c):
                    a = self.number(then, scope) if c is not terms.false else terms.zero
                with under(scope, terms.neg(c)):
                    b = self.number(other, scope) if c is not terms.true else terms.zero
                return terms.ite(c, a, b)
            case Fold():
                return self._fold_number(expr, scope)
            case _:
                raise TypeError(f"not a number: {expr}")

    def _arith(self, operator: str, a: Term, b: Term) -> Term:
        match operator:
            case "+":
                return self.terms.add(a, b)
            case "-":
                return self.terms.sub(a, b)
            case "*":
                return self.terms.mul(a, b)
            case "div":
                return self.terms.div(a, b.number)
            case "mod":
                return self.terms.mod(a, b.number)
            case "min":
                return self.terms.minimum(a, b)
            case _:
                return self.terms.maximum(a, b)

    def indices(
        self, index: tuple[Expr, ...], dims: tuple[Domain, ...], what: str, scope: Scope
    ) -> tuple[Term, ...]:
        """The indices, with a need for each that could leave its dimension."""
        found = tuple(self.number(e, scope) for e in index)
        for at, dim in zip(found, dims, strict=True):
            inside = self.within(at, 0, len(dim.names) - 1)
            self.need(scope, "index", inside, what)
        return found

    def within(self, value: Term, low: int, high: int) -> Term:
        terms = self.terms
        return terms.conj((terms.le(terms.integer(low), value), terms.le(value, terms.integer(high))))

    def need(self, scope: Scope, kind: str, claim: Term, text: str) -> None:
        guarded = self.terms.disj([*(self.terms.neg(g) for g in scope.guards), claim])
        if guarded is not self.terms.true:
            scope.needs.append(Need(kind, guarded, text))

    def pick(self, index: tuple[Term, ...], dims: tuple[Domain, ...], get: Callable[[int], Term]) -> Term:
        """The element at `index`; some element of the same array where the index is out of range."""
        return self._pick(index, tuple(len(d.names) for d in dims), 0, get)

    def _pick(
        self, index: tuple[Term, ...], sizes: tuple[int, ...], base: int, get: Callable[[int], Term]
    ) -> Term:
        if not index:
            return get(base)
        at, size = index[0], sizes[0]
        low = max(0, -1 if at.low is None else at.low)
        high = min(size - 1, size if at.high is None else at.high)
        if low > high:
            low, high = 0, 0
        result = self._pick(index[1:], sizes[1:], base * size + high, get)
        for value in range(high - 1, low - 1, -1):
            here = self._pick(index[1:], sizes[1:], base * size + value, get)
            if here is not result:
                result = self.terms.ite(self.terms.le(at, self.terms.integer(value)), here, result)
        return result

    # --- truth values --------------------------------------------------------------------------------------

    def truth(self, expr: Expr, scope: Scope) -> Term:
        terms = self.terms
        match expr:
            case Truth(value):
                return terms.truth(value)
            case Compare(operator, left, right):
                return terms.compare(operator, self.number(left, scope), self.number(right, scope))
            case Not(value):
                return terms.neg(self.truth(value, scope))
            case And(items):
                return self._in_turn((partial(self.truth, e, scope) for e in items), True, scope)
            case Or(items):
                return self._in_turn((partial(self.truth, e, scope) for e in items), False, scope)
            case Ite(condition, then, other):
                c = self.truth(condition, scope)
                with under(scope, c):
                    a = self.truth(then, scope) if c is not terms.false else terms.false
                with under(scope, terms.neg(c)):
                    b = self.truth(other, scope) if c is not terms.true else terms.false
                return terms.choose(c, a, b)
            case Fold():
                return self._fold_truth(expr, scope)
            case _:
                raise TypeError(f"not a truth value: {expr}")

    def sound_truth(
        self, expr: Expr, store: Mapping[int, Term], names: dict[str, Term] | None = None
    ) -> Term:
        """True where the expression can be looked at without a fault and holds."""
        scope = Scope(store, dict(names or {}))
        value = self.truth(expr, scope)
        return self.terms.conj([*(n.claim for n in scope.needs), value])

    def _in_turn(self, items: Iterator[Callable[[], Term]], neutral: bool, scope: Scope) -> Term:
        """One after the other, as far as they are looked at: `and` (neutral true) or `or`."""
        terms = self.terms
        stop = terms.truth(not neutral)
        found: list[Term] = []
        depth = len(scope.guards)
        for item in items:
            value = item()
            found.append(value)
            if value is stop:
                break
            scope.guards.append(value if neutral else terms.neg(value))
        del scope.guards[depth:]
        return terms.conj(found) if neutral else terms.disj(found)

    # --- folds ---------------------------------------------------------------------------------------------

    def _turned(self, fold: Fold) -> Fold:
        """A fold over all remainders of `(e + v) mod n` is one over the remainders themselves.

        Seats are gone through from some seat on; where only all of them matter, it does not matter from
        which.
        """
        if fold.operator in ("min", "max") or fold.low != 0:
            return fold
        whole = And(tuple(e for e in (fold.where, fold.body) if e is not None))
        shifted = [
            e
            for e in subexpressions(whole)
            if isinstance(e, Arith) and e.operator == "mod" and fold.variable in variables(e)
        ]
        if len(set(shifted)) != 1 or shifted[0].right != Const(fold.high + 1):
            return fold
        match shifted[0].left:
            case Arith("+", start, Var(name)) if name == fold.variable and name not in variables(start):
                pass
            case _:
                return fold
        where = None if fold.where is None else replaced(fold.where, shifted[0], Var(fold.variable + "'"))
        body = None if fold.body is None else replaced(fold.body, shifted[0], Var(fold.variable + "'"))
        left = frozenset().union(*(variables(e) for e in (where, body) if e is not None))
        if fold.variable in left:
            return fold
        return Fold(fold.operator, fold.variable + "'", 0, fold.high, where, body, fold.default)

    def _fold_truth(self, fold: Fold, scope: Scope) -> Term:
        turned = self._turned(fold)
        if turned is fold:
            return self._fold_in_order(fold, scope)
        before = len(scope.needs)
        result = self._fold_in_order(turned, scope)
        if len(scope.needs) == before:
            return result
        del scope.needs[before:]  # what is looked at depends on the order after all
        return self._fold_in_order(fold, scope)

    def _fold_in_order(self, fold: Fold, scope: Scope) -> Term:
        everything = fold.operator == "all"

        def at(value: int) -> Term:
            scope.names[fold.variable] = self.terms.integer(value)
            where = self._where(fold, scope)
            if where is self.terms.false or fold.body is None:
                return self.terms.truth(everything)
            with under(scope, where):
                body = self.truth(fold.body, scope)
            return self.terms.implies(where, body) if everything else self.terms.conj((where, body))

        with binding(scope, fold.variable):
            rounds = (partial(at, value) for value in range(fold.low, fold.high + 1))
            return self._in_turn(rounds, everything, scope)

    def _where(self, fold: Fold, scope: Scope) -> Term:
        return self.terms.true if fold.where is None else self.truth(fold.where, scope)

    def _fold_number(self, fold: Fold, scope: Scope) -> Term:
        fold = self._turned(fold)
        terms = self.terms
        found: list[tuple[Term, Term]] = []
        with binding(scope, fold.variable):
            for value in range(fold.low, fold.high + 1):
                scope.names[fold.variable] = terms.integer(value)
                where = self._where(fold, scope)
                if where is terms.false:
                    continue
                with under(scope, where):
                    found.append((where, terms.one if fold.body is None else self.number(fold.body, scope)))
        if fold.operator in ("sum", "count"):
            return terms.total([(1, terms.ite(where, value, terms.zero)) for where, value in found])
        return self._extreme(fold, found, scope)

    def _extreme(self, fold: Fold, found: list[tuple[Term, Term]], scope: Scope) -> Term:
        terms = self.terms
        best, some = terms.zero, terms.false
        for where, value in found:
            better = terms.lt(value, best) if fold.operator == "min" else terms.lt(best, value)
            taken = terms.conj((where, terms.disj((terms.neg(some), better))))
            best, some = terms.ite(taken, value, best), terms.disj((some, where))
        if fold.default is None:
            self.need(scope, "empty", some, f"{fold.operator} over nothing")
            return best
        with under(scope, terms.neg(some)):
            default = self.number(fold.default, scope) if some is not terms.true else best
        return terms.ite(some, best, default)


@contextmanager
def under(scope: Scope, condition: Term) -> Iterator[None]:
    """Needs that arise meanwhile arise only where `condition` holds."""
    scope.guards.append(condition)
    yield
    scope.guards.pop()


@contextmanager
def binding(scope: Scope, name: str) -> Iterator[None]:
    """The name may be bound anew meanwhile."""
    before = scope.names.get(name)
    yield
    scope.names.pop(name, None)
    if before is not None:
        scope.names[name] = before


def _element_name(dims: tuple[Domain, ...], number: int) -> str:
    labels: list[str] = []
    for dim in reversed(dims):
        number, at = divmod(number, len(dim.names))
        labels.append(dim.names[at])
    return f"[{', '.join(reversed(labels))}]" if labels else ""
