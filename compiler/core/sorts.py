"""Whether an expression is a number or a truth value, and whether all that it names is there."""

from __future__ import annotations

from collections.abc import Iterator

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
    Truth,
    Var,
)

NO_NAMES: frozenset[str] = frozenset()

_ARITH = ("+", "-", "*", "div", "mod", "min", "max")
_COMPARE = ("=", "!=", "<", "<=", ">", ">=")
_NUMBERS = ("sum", "count", "min", "max")
_TRUTHS = ("all", "any")


def is_truth(e: Expr) -> bool:
    """The sort that `e` is of if it is well-made; an `Ite` has that of its first side."""
    while isinstance(e, Ite):
        e = e.then
    return isinstance(e, Truth | Compare | Not | And | Or) or (isinstance(e, Fold) and e.operator in _TRUTHS)


class Sorts:
    """Flaws of expressions over one core; `names` are the variables in reach."""

    def __init__(self, core: Core) -> None:
        self.core = core

    def number(self, e: Expr, names: frozenset[str] = NO_NAMES) -> Iterator[str]:
        if is_truth(e):
            yield "a truth value stands where a number belongs"
        yield from self.inside(e, names)

    def truth(self, e: Expr, names: frozenset[str] = NO_NAMES) -> Iterator[str]:
        if not is_truth(e):
            yield "a number stands where a truth value belongs"
        yield from self.inside(e, names)

    def inside(self, e: Expr, names: frozenset[str]) -> Iterator[str]:
        match e:
            case Const() | Truth():
                pass
            case Var(name):
                if name not in names:
                    yield f"`${name}` is not in reach"
            case Read(slot, index):
                yield from self.access(slot, index, names)
            case Lookup(table, index):
                found = self.core.table.get(table)
                yield from self.indices(f"table `{table}`", found.dims if found else None, index, names)
            case Arith(operator, left, right):
                yield from self.arith(operator, left, right, names)
            case Compare(operator, left, right):
                if operator not in _COMPARE:
                    yield f"`{operator}` is no comparison"
                yield from self.number(left, names)
                yield from self.number(right, names)
            case Not(value):
                yield from self.truth(value, names)
            case And(items) | Or(items):
                for item in items:
                    yield from self.truth(item, names)
            case Ite(condition, then, other):
                yield from self.truth(condition, names)
                side = self.truth if is_truth(then) else self.number
                yield from side(then, names)
                yield from side(other, names)
            case Fold():
                yield from self.fold(e, names)

    def arith(self, operator: str, left: Expr, right: Expr, names: frozenset[str]) -> Iterator[str]:
        if operator not in _ARITH:
            yield f"`{operator}` is no arithmetic"
        if operator in ("div", "mod") and not (isinstance(right, Const) and right.value > 0):
            yield f"the right side of `{operator}` is not a positive constant"
        yield from self.number(left, names)
        yield from self.number(right, names)

    def access(self, slot: str, index: tuple[Expr, ...], names: frozenset[str]) -> Iterator[str]:
        found = self.core.slot.get(slot)
        yield from self.indices(f"slot `{slot}`", found.dims if found else None, index, names)

    def indices(
        self, what: str, dims: tuple[Domain, ...] | None, index: tuple[Expr, ...], names: frozenset[str]
    ) -> Iterator[str]:
        if dims is None:
            yield f"{what} is not there"
        elif len(dims) != len(index):
            yield f"{what} has {len(dims)} dimensions and {len(index)} indices"
        for e in index:
            yield from self.number(e, names)

    def fold(self, e: Fold, names: frozenset[str]) -> Iterator[str]:
        if e.operator not in _NUMBERS + _TRUTHS:
            yield f"`{e.operator}` is no fold"
        if e.variable in names:
            yield f"`${e.variable}` is bound again where it is in reach"
        inner = names | {e.variable}
        if e.where is not None:
            yield from self.truth(e.where, inner)
        if (e.body is None) != (e.operator == "count"):
            yield f"a fold `{e.operator}` has {'no' if e.body is None else 'a'} body"
        elif e.body is not None:
            yield from (self.truth if e.operator in _TRUTHS else self.number)(e.body, inner)
        if e.default is not None:
            if e.operator not in ("min", "max"):
                yield f"a fold `{e.operator}` has a default"
            yield from self.number(e.default, names)
