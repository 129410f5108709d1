"""Questions about core expressions that need no values."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.compiler.core.tree import And, Arith, Compare, Expr, Fold, Ite, Lookup, Not, Or, Read, Var


def children(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Read(_, index) | Lookup(_, index):
            return index
        case Arith(_, left, right) | Compare(_, left, right):
            return left, right
        case Not(value):
            return (value,)
        case And(items) | Or(items):
            return items
        case Ite(condition, then, other):
            return condition, then, other
        case Fold(where=where, body=body, default=default):
            return tuple(e for e in (where, body, default) if e is not None)
        case _:
            return ()


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
    return frozenset(e.slot for e in subexpressions(expr) if isinstance(e, Read))
