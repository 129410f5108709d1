"""Questions about core expressions that need no values."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.compiler.core.tree import And, Arith, Compare, Expr, Fold, Ite, Lookup, Not, Or, Read, Var
from rulespec.compiler.core.walk import children, reads


def replaced(expr: Expr, old: Expr, new: Expr) -> Expr:
    """The expression with `new` wherever `old` stands (names bound by folds are not looked at)."""
    if expr == old:
        return new
    match expr:
        case Read(slot, index):
            return Read(slot, tuple(replaced(i, old, new) for i in index))
        case Lookup(table, index):
            return Lookup(table, tuple(replaced(i, old, new) for i in index))
        case Arith(operator, left, right):
            return Arith(operator, replaced(left, old, new), replaced(right, old, new))
        case Compare(operator, left, right):
            return Compare(operator, replaced(left, old, new), replaced(right, old, new))
        case Not(value):
            return Not(replaced(value, old, new))
        case And(items):
            return And(tuple(replaced(i, old, new) for i in items))
        case Or(items):
            return Or(tuple(replaced(i, old, new) for i in items))
        case Ite(condition, then, other):
            return Ite(replaced(condition, old, new), replaced(then, old, new), replaced(other, old, new))
        case Fold(operator, variable, low, high, where, body, default):
            inner = [None if e is None else replaced(e, old, new) for e in (where, body, default)]
            return Fold(operator, variable, low, high, inner[0], inner[1], inner[2])
        case _:
            return expr


def variables(expr: Expr) -> frozenset[str]:
    """Names that the expression takes from outside."""
    if isinstance(expr, Var):
        return frozenset((expr.name,))
    found: frozenset[str] = frozenset().union(*(variables(c) for c in children(expr)))
    if isinstance(expr, Fold):
        outside = frozenset() if expr.default is None else variables(expr.default)
        return (found - {expr.variable}) | outside
    return found


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """The expression and all in it, outermost first."""
    yield expr
    for child in children(expr):
        yield from subexpressions(child)


def slots(expr: Expr) -> frozenset[str]:
    """Slots that the expression reads."""
    return frozenset(read.slot for read in reads(expr))
