"""Makes core expressions, folding constants: what a configuration settles is not in core at all."""

from __future__ import annotations

from rulespec.compiler.core.tree import (
    FALSE,
    TRUE,
    And,
    Arith,
    Compare,
    Const,
    Expr,
    Fold,
    Ite,
    Not,
    Or,
    Truth,
    Var,
)

ZERO = Const(0)
ONE = Const(1)
_SMALL = tuple(Const(n) for n in range(256))
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRROR = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def number(value: int) -> Const:
    return _SMALL[value] if 0 <= value < len(_SMALL) else Const(value)


def truth(value: bool) -> Truth:
    return TRUE if value else FALSE


def calculate(operator: str, left: int, right: int) -> int:
    """What `Arith` means; `right` is positive for `div` and `mod`."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "div":
            return left // right
        case "mod":
            return left % right
        case "min":
            return min(left, right)
        case _:
            return max(left, right)


def holds(operator: str, left: int, right: int) -> bool:
    """What `Compare` means."""
    match operator:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def arith(operator: str, left: Expr, right: Expr) -> Expr:
    match left, right:
        case Const(a), Const(b) if operator not in ("div", "mod") or b > 0:
            return number(calculate(operator, a, b))
        case Const(0), _ if operator == "+":
            return right
        case _, Const(0) if operator in ("+", "-"):
            return left
        case _, Const(1) if operator in ("*", "div"):
            return left
        case Const(1), _ if operator == "*":
            return right
        case (Const(0), _) | (_, Const(0)) if operator == "*":
            return ZERO
        case Arith("+" | "-" as inner, a, Const(b)), Const(c) if operator in ("+", "-"):
            total = (b if inner == "+" else -b) + (c if operator == "+" else -c)
            return arith("+", a, number(total)) if total >= 0 else arith("-", a, number(-total))
    return Arith(operator, left, right)


def plus(left: Expr, right: Expr) -> Expr:
    return arith("+", left, right)


def minus(left: Expr, right: Expr) -> Expr:
    return arith("-", left, right)


def compare(operator: str, left: Expr, right: Expr) -> Expr:
    """Numbers compared; the constant, if there is one, stands on the right."""
    match left, right:
        case Const(a), Const(b):
            return truth(holds(operator, a, b))
        case Const(), _:
            return compare(_MIRROR[operator], right, left)
        case Var(a), Var(b) if a == b:
            return truth(operator in ("=", "<=", ">="))
        case Ite(condition, Const(a), Const(b)), Const(c):
            return either_way(condition, holds(operator, a, c), holds(operator, b, c))
    return Compare(operator, left, right)


def either_way(condition: Expr, then: bool, other: bool) -> Expr:
    if then == other:
        return truth(then)
    return condition if then else negate(condition)


def negate(value: Expr) -> Expr:
    match value:
        case Truth(known):
            return truth(not known)
        case Not(inner):
            return inner
        case Compare(operator, left, right):
            return Compare(_OPPOSITE[operator], left, right)
    return Not(value)


def both(*items: Expr) -> Expr:
    """`And` of all items, flat."""
    kept: list[Expr] = []
    for item in items:
        if item is FALSE or item == FALSE:
            return FALSE
        if isinstance(item, And):
            kept.extend(item.items)
        elif not isinstance(item, Truth):
            kept.append(item)
    if not kept:
        return TRUE
    return kept[0] if len(kept) == 1 else And(tuple(kept))


def either(*items: Expr) -> Expr:
    """`Or` of all items, flat."""
    kept: list[Expr] = []
    for item in items:
        if item is TRUE or item == TRUE:
            return TRUE
        if isinstance(item, Or):
            kept.extend(item.items)
        elif not isinstance(item, Truth):
            kept.append(item)
    if not kept:
        return FALSE
    return kept[0] if len(kept) == 1 else Or(tuple(kept))


def implies(left: Expr, right: Expr) -> Expr:
    return either(negate(left), right)


def same_truth(left: Expr, right: Expr) -> Expr:
    """Whether two truth values agree."""
    match left, right:
        case Truth(known), _:
            return right if known else negate(right)
        case _, Truth(known):
            return left if known else negate(left)
    return Ite(left, right, negate(right))


def ite(condition: Expr, then: Expr, other: Expr) -> Expr:
    match condition, then, other:
        case Truth(known), _, _:
            return then if known else other
        case _, Truth(a), Truth(b):
            return either_way(condition, a, b)
        case _, Truth(a), _:
            return either(condition, other) if a else both(negate(condition), other)
        case _, _, Truth(b):
            return either(negate(condition), then) if b else both(condition, then)
        case _, Const(a), Const(b) if a == b:
            return then
    return Ite(condition, then, other)


def as_number(value: Expr) -> Expr:
    """A truth value as it is kept in a slot."""
    return ite(value, ONE, ZERO)


def as_truth(value: Expr) -> Expr:
    """A number 0 or 1 as a truth value."""
    return compare("!=", value, ZERO)


def fold(
    operator: str,
    variable: str,
    low: int,
    high: int,
    where: Expr,
    body: Expr | None,
    default: Expr | None = None,
) -> Expr:
    """A `Fold`, or what it comes to whatever the record holds."""
    empty = high < low or where == FALSE
    match operator:
        case "all" if empty or body == TRUE:
            return TRUE
        case "any" if empty or body == FALSE:
            return FALSE
        case "sum" | "count" if empty:
            return ZERO
        case "sum" if body == ZERO:
            return ZERO
        case "count" if where == TRUE:
            return number(high - low + 1)
        case "min" | "max" if empty and default is not None:
            return default
        case "any" if where != TRUE and body is not None:
            where, body = TRUE, both(where, body)
    return Fold(operator, variable, low, high, None if where == TRUE else where, body, default)
