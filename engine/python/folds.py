"""Folds that need no loop: short ones written out, and those over a whole row that Python has a word for."""

from __future__ import annotations

from dataclasses import replace

from rulespec.compiler.core.tree import (
    And,
    Arith,
    Compare,
    Const,
    Core,
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
from rulespec.engine.python.intervals import Facts, children, parts

LONGEST_UNROLLED = 8
LARGEST_UNROLLED = 64


def whole_row(core: Core, fold: Fold, body: Expr) -> Read | None:
    """`body`, if it is `slot[..., variable]` and the fold runs over all of that row."""
    if not isinstance(body, Read) or not body.index or body.index[-1] != Var(fold.variable):
        return None
    if any(Var(fold.variable) in parts(e) for e in body.index[:-1]):
        return None
    size = len(core.slot[body.slot].dims[-1].names)
    return body if fold.low == 0 and fold.high == size - 1 else None


def asked_row(core: Core, fold: Fold, condition: Expr) -> tuple[Read, bool, int] | None:
    """The row, if `condition` asks whether its element at the variable is (True) or is not a number."""
    match condition:
        case Compare("=" | "!=" as operator, Read() as read, Const(value)):
            row = whole_row(core, fold, read)
            return None if row is None else (row, operator == "=", value)
        case Compare(">", Read(slot) as read, Const(0)) | Compare(">=", Read(slot) as read, Const(1)):
            row = whole_row(core, fold, read)
            return (row, False, 0) if row is not None and core.slot[slot].low >= 0 else None
        case _:
            return None


def effort(e: Expr) -> int:
    """About how many expressions are looked at for this one."""
    if isinstance(e, Fold):
        rounds = max(0, e.high - e.low + 1)
        inside = sum(effort(part) for part in (e.where, e.body) if part is not None)
        return 1 + rounds * inside + (0 if e.default is None else effort(e.default))
    return 1 + sum(map(effort, children(e)))


def unrolled(facts: Facts, fold: Fold) -> Expr | None:
    """The fold without a loop, if it is short enough and not `min` or `max`."""
    rounds = fold.high - fold.low + 1
    size = sum(1 for e in (fold.where, fold.body) if e is not None for _ in parts(e))
    if rounds > LONGEST_UNROLLED or rounds * size > LARGEST_UNROLLED:
        return None
    rows = [_round(fold, value) for value in range(fold.low, fold.high + 1)]
    match fold.operator:
        case "sum":
            return _total([_only_where(where, body) for where, body in rows])
        case "count":
            return _total([_only_where(where, Const(1)) for where, _ in rows])
        case "all":
            return And(tuple(b if w is None else Or((Not(w), b)) for w, b in rows))
        case "any":
            return Or(tuple(b if w is None else And((w, b)) for w, b in rows))
        case _:
            return None


def _total(terms: list[Expr]) -> Expr:
    total: Expr = Const(0)
    for term in terms:
        total = Arith("+", total, term)
    return total


def _only_where(where: Expr | None, body: Expr) -> Expr:
    return body if where is None else Ite(where, body, Const(0))


def _round(fold: Fold, value: int) -> tuple[Expr | None, Expr]:
    where = None if fold.where is None else substitute(fold.where, fold.variable, value)
    body = Truth(True) if fold.body is None else substitute(fold.body, fold.variable, value)
    return where, body


def rounds_of(fold: Fold) -> list[Expr]:
    """The body for each value of the variable."""
    return [_round(fold, value)[1] for value in range(fold.low, fold.high + 1)]


def substitute(expr: Expr, variable: str, value: int) -> Expr:
    """`expr` with a number for a variable."""

    def inner(e: Expr) -> Expr:
        return substitute(e, variable, value)

    match expr:
        case Var(name):
            return Const(value) if name == variable else expr
        case Read(_, index) | Lookup(_, index):
            return replace(expr, index=tuple(inner(e) for e in index)) if index else expr
        case Arith(_, left, right) | Compare(_, left, right):
            return replace(expr, left=inner(left), right=inner(right))
        case Not(negated):
            return Not(inner(negated))
        case And(items) | Or(items):
            return replace(expr, items=tuple(inner(e) for e in items))
        case Ite(condition, then, other):
            return Ite(inner(condition), inner(then), inner(other))
        case Fold():
            return _inside_fold(expr, variable, value)
        case _:
            return expr


def _inside_fold(fold: Fold, variable: str, value: int) -> Fold:
    def inner(e: Expr | None) -> Expr | None:
        return None if e is None else substitute(e, variable, value)

    shadowed = fold.variable == variable
    return replace(
        fold,
        where=fold.where if shadowed else inner(fold.where),
        body=fold.body if shadowed else inner(fold.body),
        default=inner(fold.default),
    )


def free_variables(expr: Expr) -> list[str]:
    """Variables that something outside must bind, in the order they are met."""
    found: dict[str, None] = {}
    _collect(expr, frozenset(), found)
    return list(found)


def _collect(expr: Expr, bound: frozenset[str], found: dict[str, None]) -> None:
    match expr:
        case Var(name):
            if name not in bound:
                found[name] = None
        case Read(_, index) | Lookup(_, index):
            for e in index:
                _collect(e, bound, found)
        case Arith(_, left, right) | Compare(_, left, right):
            _collect(left, bound, found)
            _collect(right, bound, found)
        case Not(value):
            _collect(value, bound, found)
        case And(items) | Or(items):
            for e in items:
                _collect(e, bound, found)
        case Ite(condition, then, other):
            for e in (condition, then, other):
                _collect(e, bound, found)
        case Fold():
            for inner in (expr.where, expr.body):
                if inner is not None:
                    _collect(inner, bound | {expr.variable}, found)
            if expr.default is not None:
                _collect(expr.default, bound, found)
        case _:
            pass
