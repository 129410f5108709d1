"""Why a condition does not hold: the values of the parts that decide it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.compiler.core.tree import (
    And,
    Arith,
    Compare,
    Core,
    Domain,
    Expr,
    Fold,
    Ite,
    Lookup,
    Not,
    Or,
    Read,
    Slot,
    Table,
    Var,
)
from rulespec.engine.interpreter.evaluate import Names, evaluate
from rulespec.engine.layout import value_name
from rulespec.engine.stepper import Record


def explain(core: Core, e: Expr, r: Record, names: Names | None = None) -> tuple[str, ...]:
    """Lines like `points[p0] is 4`, each once, for the parts that make `e` what it is.

    A false conjunction is explained by its first false part, a false `all` by its first counterexample; where
    all parts matter, all are given. `e` must have a value over `r`.
    """
    return tuple(dict.fromkeys(_Explainer(core, r).parts(e, names or {})))


class _Explainer:
    def __init__(self, core: Core, r: Record) -> None:
        self.core = core
        self.r = r

    def value(self, e: Expr, names: Names) -> int:
        return evaluate(self.core, e, self.r, names)

    def parts(self, e: Expr, names: Names) -> Iterator[str]:
        match e:
            case And(items) if not self.value(e, names):
                yield from self.parts(next(i for i in items if not self.value(i, names)), names)
            case Or(items) if self.value(e, names):
                yield from self.parts(next(i for i in items if self.value(i, names)), names)
            case And(items) | Or(items):
                for item in items:
                    yield from self.parts(item, names)
            case Not(value):
                yield from self.parts(value, names)
            case Compare(_, left, right) | Arith(_, left, right):
                yield from self.parts(left, names)
                yield from self.parts(right, names)
            case Ite(condition, then, other):
                yield from self.parts(condition, names)
                yield from self.parts(then if self.value(condition, names) else other, names)
            case Fold():
                yield from self.fold(e, names)
            case Read(name, index):
                slot = self.core.slot[name]
                content = value_name(slot.domain, self.value(e, names))
                yield f"{self.place(slot, index, names, '[]')} is {content}"
            case Lookup(name, index):
                yield f"{self.place(self.core.table[name], index, names, '()')} is {self.value(e, names)}"
            case _:
                pass

    def place(self, of: Slot | Table, index: Sequence[Expr], names: Names, brackets: str) -> str:
        if not index:
            return of.name
        called = [value_name(dim, self.value(i, names)) for dim, i in zip(of.dims, index, strict=True)]
        return f"{of.name}{brackets[0]}{', '.join(called)}{brackets[1]}"

    def fold(self, e: Fold, names: Names) -> Iterator[str]:
        """A decided `all` or `any` by the member that decides it, other folds by all that they run over."""
        members = [{**names, e.variable: v} for v in range(e.low, e.high + 1)]
        members = [m for m in members if e.where is None or self.value(e.where, m)]
        if e.operator in ("all", "any") and e.body is not None:
            wanted = e.operator == "any"
            deciding = [m for m in members if bool(self.value(e.body, m)) == wanted]
            if deciding:
                yield f"{e.variable} is {self.member(e, deciding[0][e.variable])}"
                yield from self.parts(e.body, deciding[0])
                return
        for m in members:
            if e.body is not None:
                yield from self.parts(e.body, m)
        if e.body is None:
            yield f"{len(members)} are counted"

    def member(self, e: Fold, value: int) -> str:
        """The name of a fold's member, where it is used as an index of something whose members have names."""
        domain = next((d for part in (e.where, e.body) if part for d in self.uses(part, e.variable)), None)
        return value_name(domain, value) if domain else str(value)

    def uses(self, e: Expr, variable: str) -> Iterator[Domain]:
        match e:
            case Read(name, index):
                yield from self.indexed(self.core.slot[name].dims, index, variable)
            case Lookup(name, index):
                yield from self.indexed(self.core.table[name].dims, index, variable)
            case And(items) | Or(items):
                for item in items:
                    yield from self.uses(item, variable)
            case Compare(_, left, right) | Arith(_, left, right):
                yield from self.uses(left, variable)
                yield from self.uses(right, variable)
            case Not(value):
                yield from self.uses(value, variable)
            case Ite(condition, then, other):
                for part in (condition, then, other):
                    yield from self.uses(part, variable)
            case Fold(where=where, body=body):
                for inner in (where, body):
                    if inner is not None:
                        yield from self.uses(inner, variable)
            case _:
                pass

    def indexed(self, dims: Sequence[Domain], index: Sequence[Expr], variable: str) -> Iterator[Domain]:
        for dim, i in zip(dims, index, strict=True):
            if i == Var(variable):
                yield dim
            else:
                yield from self.uses(i, variable)
