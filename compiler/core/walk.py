"""Walks over core expressions and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulespec.compiler.core import build
from rulespec.compiler.core.tree import (
    TRUE,
    And,
    Arith,
    Branch,
    Chance,
    Check,
    Choose,
    Compare,
    Const,
    Expr,
    Fold,
    For,
    If,
    Ite,
    Let,
    Lookup,
    Not,
    Or,
    Read,
    Set,
    Statement,
    Terminator,
    Truth,
    Var,
)


def _of_fold(e: Fold) -> tuple[Expr, ...]:
    return tuple(x for x in (e.where, e.body, e.default) if x is not None)


# By type and not by `match`: whatever is done with core goes through here, once for each node.
_CHILDREN: dict[type[Expr], Callable[[Any], tuple[Expr, ...]]] = {
    Const: lambda _: (),
    Truth: lambda _: (),
    Var: lambda _: (),
    Read: lambda e: e.index,
    Lookup: lambda e: e.index,
    Arith: lambda e: (e.left, e.right),
    Compare: lambda e: (e.left, e.right),
    Not: lambda e: (e.value,),
    And: lambda e: e.items,
    Or: lambda e: e.items,
    Ite: lambda e: (e.condition, e.then, e.other),
    Fold: _of_fold,
}


def children(e: Expr) -> tuple[Expr, ...]:
    return _CHILDREN[type(e)](e)


def rebuild(e: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """`e` with each child changed, constants folded where they turn up."""
    match e:
        case Const() | Truth() | Var():
            return e
        case Read(slot, index):
            return Read(slot, tuple(map(change, index))) if index else e
        case Lookup(table, index):
            return Lookup(table, tuple(map(change, index)))
        case Arith(operator, left, right):
            return build.arith(operator, change(left), change(right))
        case Compare(operator, left, right):
            return build.compare(operator, change(left), change(right))
        case Not(value):
            return build.negate(change(value))
        case And(items):
            return build.both(*map(change, items))
        case Or(items):
            return build.either(*map(change, items))
        case Ite(condition, then, other):
            return build.ite(change(condition), change(then), change(other))
        case Fold(operator, variable, low, high, where, body, default):
            return build.fold(
                operator,
                variable,
                low,
                high,
                TRUE if where is None else change(where),
                None if body is None else change(body),
                None if default is None else change(default),
            )


def measure(e: Expr) -> tuple[int, int]:
    """Number of nodes written out in full, and nesting. Quick: shared parts are looked at once."""
    known: dict[int, tuple[int, int]] = {}

    def look(x: Expr) -> tuple[int, int]:
        parts = children(x)
        if not parts:
            return (1, 1)
        found = known.get(id(x))
        if found is None:
            nodes, nesting = 1, 0
            for part in parts:
                inside = look(part)
                nodes += inside[0]
                nesting = max(nesting, inside[1])
            found = known[id(x)] = (nodes, nesting + 1)
        return found

    return look(e)


def everything(e: Expr) -> Iterator[Expr]:
    """`e` and all within, each shared part once."""
    seen: set[int] = set()
    waiting = [e]
    while waiting:
        x = waiting.pop()
        if id(x) not in seen:
            seen.add(id(x))
            yield x
            waiting.extend(_CHILDREN[type(x)](x))


def reads(e: Expr) -> Iterator[Read]:
    return (x for x in everything(e) if isinstance(x, Read))


def variables(e: Expr) -> set[str]:
    """Names of variables that occur, bound within or not."""
    return {x.name for x in everything(e) if isinstance(x, Var)}


def statements(body: Iterable[Statement]) -> Iterator[Statement]:
    """All statements, those inside others after the one that they are in."""
    for s in body:
        yield s
        match s:
            case If(_, then, other):
                yield from statements(then)
                yield from statements(other)
            case For(_, _, _, inner):
                yield from statements(inner)


def sets(body: Iterable[Statement]) -> Iterator[Set]:
    """All assignments, those inside other statements too."""
    return (s for s in statements(body) if isinstance(s, Set))


def checks(body: Iterable[Statement]) -> Iterator[Check]:
    """All checks, those inside other statements too."""
    return (s for s in statements(body) if isinstance(s, Check))


def said_by(statement: Statement) -> tuple[Expr, ...]:
    """The expressions of a statement itself, not of those inside it."""
    match statement:
        case Set(_, index, value):
            return (*index, value)
        case Let(_, value):
            return (value,)
        case Check(condition) | If(condition):
            return (condition,)
    return ()


def asked_by(end: Terminator) -> Iterator[Expr]:
    """The expressions at the end of a block."""
    match end:
        case Branch(condition):
            yield condition
        case Choose(actor, options):
            yield actor
            for option in options:
                yield option.guard
                for param in option.params:
                    yield from (param.low, param.high)
        case Chance():
            yield end.weight
            yield end.seen_by


def answered(end: Terminator) -> tuple[str, ...]:
    """The slots that the end of a block writes: what is chosen or drawn."""
    match end:
        case Chance(slot):
            return (slot,)
        case Choose(_, options):
            return tuple(param.slot for option in options for param in option.params)
    return ()
