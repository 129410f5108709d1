"""Why a condition does not hold: the values of the parts that decide it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.print import expression
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
from rulespec.compiler.core.walk import variables
from rulespec.engine.interpreter.evaluate import Names, evaluate
from rulespec.engine.layout import value_name
from rulespec.engine.stepper import Record


def explain(core: Core, e: Expr, r: Record, names: Names | None = None) -> tuple[str, ...]:
    """Lines like `points[p0] is 4`, each once, for the parts that make `e` what it is.

    A false conjunction is explained by its first false part, a false `all` by its first counterexample; where
    all parts matter, all are given. `e` must have a value over `r`.
    """
    return tuple(dict.fromkeys(_Explainer(core, r).parts(e, names or {})))


@dataclass(frozen=True, slots=True)
class Failing:
    """The part of a condition that does not hold, and for which members: `bound` are like `p = p1`."""

    part: Expr
    bound: tuple[str, ...]
    because: tuple[str, ...]

    def __str__(self) -> str:
        # Signs of the core's own text, which marks names that are also its words.
        shown = f"`{expression(self.part).replace('$', '').replace('`', '')}`"
        shown += f" with {', '.join(self.bound)}" if self.bound else ""
        return f"{shown}: {'; '.join(self.because)}" if self.because else shown


def failing(core: Core, e: Expr, r: Record, names: Names | None = None) -> Failing:
    """Where a false condition fails: the first false part, for the first members for which it is false."""
    explainer = _Explainer(core, r)
    known = dict(names or {})
    bound: list[str] = []
    part = e
    while (inner := explainer.within(part, known)) is not None:
        part, variable, value = inner
        if variable is not None:
            known[variable.variable] = value
            bound.append(f"{variable.variable} = {explainer.member(variable, value)}")
    given = sorted(variables(part) & (names or {}).keys())
    told = (f"{name} is {explainer.called(part, name, known[name])}" for name in given)
    because = (*told, *explainer.parts(part, known))
    return Failing(part, tuple(bound), tuple(dict.fromkeys(because)))


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

    def within(self, e: Expr, names: Names) -> tuple[Expr, Fold | None, int] | None:
        """The part by which a false `e` is false, with the fold and the member that it comes from, if any."""
        match e:
            case And(items):
                return next(i for i in items if not self.value(i, names)), None, 0
            case Fold("all", body=body) if body is not None:
                number = self.deciding(e, body, names, False)
                return None if number is None else (body, e, number)
            case Not(Fold("any", body=body) as fold) if body is not None:
                number = self.deciding(fold, body, names, True)
                return None if number is None else (Not(body), fold, number)
        return None

    def deciding(self, e: Fold, body: Expr, names: Names, wanted: bool) -> int | None:
        """The first member that decides an `all` or `any`."""
        for number in range(e.low, e.high + 1):
            inner = {**names, e.variable: number}
            if (e.where is None or self.value(e.where, inner)) and bool(self.value(body, inner)) == wanted:
                return number
        return None

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
        return self.called(And(tuple(part for part in (e.where, e.body) if part)), e.variable, value)

    def called(self, e: Expr, variable: str, value: int) -> str:
        """What the value of a variable of `e` is called."""
        domain = next(self.uses(e, variable), None)
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
