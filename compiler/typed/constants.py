"""Expressions whose value is known before play: divisors, ranges, table cells, limits of assumed rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.shapes import UNKNOWN
from rulespec.compiler.typed.walk import every

# Numbers, truth values, members are ints; `none` None; sets frozensets; bags and maps dicts; the rest tuples.
Value = Any
LARGEST = 2**31
MOST_ROUNDS = 10_000


class NotConstant(Exception):
    """The expression depends on the play, on a param that is not given, or has no value."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@dataclass(frozen=True)
class World:
    """What constants may look at: the sizes of enums, the cells of tables, the values of params."""

    enums: Mapping[str, int] = field(default_factory=dict)
    cells: Mapping[str, Mapping[str, tuple[t.Expr, ...]]] = field(default_factory=dict)
    params: Mapping[str, Value] = field(default_factory=dict)


EMPTY = World()
_VARYING = (t.StateRef, t.Local, t.CallFunction, t.Seat, t.ColumnOf)


def varying(e: t.Expr) -> t.Expr | None:
    """The first part of an expression that is not fixed before play (params and readings are), or None."""
    bound: set[str] = set()
    for node in every(e):
        if isinstance(node, t.Generator):
            bound.add(node.binder.name)
        elif isinstance(node, t.IsSome):
            bound.update((node.binder.name,) if node.binder else ())
        elif isinstance(node, _VARYING) or (isinstance(node, t.Bound) and node.name not in bound):
            return node
    return None


def evaluate(e: t.Expr, world: World = EMPTY, env: Mapping[str, Value] | None = None) -> Value:
    """The value of a constant expression.

    Raises:
        NotConstant: it has none before play.
    """
    scope = env or {}
    match e:
        case t.Lit() if e.type != UNKNOWN:
            return e.value
        case t.NoneOf():
            return None
        case t.SomeOf():
            return evaluate(e.value, world, scope)
        case t.ParamRef() if e.name in world.params:
            return world.params[e.name]
        case t.Bound() if e.name in scope:
            return scope[e.name]
        case t.Arith() | t.Compare() | t.Logic() | t.Conditional() | t.Within() | t.IsSome():
            return _operation(e, world, scope)
        case t.ColumnOf(table, column) if table in world.cells:
            row = evaluate(e.row, world, scope)
            return evaluate(world.cells[table][column][row], world)
        case t.SquareAt():
            column, row = evaluate(e.column, world, scope), evaluate(e.row, world, scope)
            inside = 1 <= column <= e.columns and 1 <= row <= e.rows
            return (row - 1) * e.columns + column - 1 if inside else None
        case t.IndexOf():
            return _element(e, world, scope)
        case t.Size():
            return _size(evaluate(e.value, world, scope))
        case t.Fold():
            return _fold(e, world, scope)
        case _:
            return _container(e, world, scope)


def number(e: t.Expr | None, world: World = EMPTY) -> int | None:
    """The value of a constant number, None when it is not known."""
    if e is None or not isinstance(e.type, (t.TInt, t.TBool, t.TEnum)):
        return None
    try:
        value = evaluate(e, world)
    except NotConstant:
        return None
    return value if isinstance(value, int) else None


def _operation(e: t.Expr, world: World, scope: Mapping[str, Value]) -> Value:
    match e:
        case t.Arith(operator, arguments):
            values = [evaluate(a, world, scope) for a in arguments]
            return _arithmetic(operator, values, e.span)
        case t.Compare(operator, left, right):
            return compare(operator, evaluate(left, world, scope), evaluate(right, world, scope))
        case t.Logic(operator, arguments):
            return _logic(operator, arguments, world, scope)
        case t.Conditional(condition, then, other):
            return evaluate(then if evaluate(condition, world, scope) else other, world, scope)
        case t.Within(value, domain):
            found = evaluate(value, world, scope)
            if isinstance(domain, t.Numbers):
                return evaluate(domain.low, world, scope) <= found <= evaluate(domain.high, world, scope)
            return found in list(_values(domain, world, scope, e.span))
        case t.IsSome(value):
            return evaluate(value, world, scope) is not None
        case _:
            raise NotConstant(e.span)


def _arithmetic(operator: str, values: list[int], span: Span) -> int:
    match operator, values:
        case "neg", [a]:
            return -a
        case "abs", [a]:
            return abs(a)
        case "half_up", [a]:
            return (a + 1) // 2
        case "half_down", [a]:
            return a // 2
        case "+", [a, b]:
            return a + b
        case "-", [a, b]:
            return a - b
        case "*", [a, b]:
            return _bounded(a * b, span)
        case "div", [a, b] if b > 0:
            return a // b
        case "mod", [a, b] if b > 0:
            return a % b
        case "min", _:
            return min(values)
        case "max", _:
            return max(values)
        case _:
            raise NotConstant(span)


def _bounded(value: int, span: Span) -> int:
    if abs(value) > LARGEST**2:
        raise NotConstant(span)
    return value


def _logic(operator: str, arguments: tuple[t.Expr, ...], world: World, scope: Mapping[str, Value]) -> bool:
    first = bool(evaluate(arguments[0], world, scope))
    match operator:
        case "not":
            return not first
        case "and":
            return first and bool(evaluate(arguments[1], world, scope))
        case "or":
            return first or bool(evaluate(arguments[1], world, scope))
        case _:
            return not first or bool(evaluate(arguments[1], world, scope))


def compare(operator: str, a: Value, b: Value) -> bool:
    """`<=` and `>=` of bags and sets mean contained; a kind that a bag does not name counts 0."""
    if isinstance(a, dict) and isinstance(b, dict):
        return _compare_bags(operator, a, b)
    match operator:
        case "=":
            return bool(a == b)
        case "!=":
            return bool(a != b)
        case "<":
            return bool(a < b)
        case "<=":
            return bool(a <= b)
        case ">":
            return bool(a > b)
        case _:
            return bool(a >= b)


def _compare_bags(operator: str, a: dict[int, int], b: dict[int, int]) -> bool:
    keys = a.keys() | b.keys()
    pairs = [(a.get(k, 0), b.get(k, 0)) for k in keys]
    match operator:
        case "=":
            return all(x == y for x, y in pairs)
        case "!=":
            return any(x != y for x, y in pairs)
        case "<=":
            return all(x <= y for x, y in pairs)
        case _:
            return all(x >= y for x, y in pairs)


def _element(e: t.IndexOf, world: World, scope: Mapping[str, Value]) -> Value:
    container = evaluate(e.value, world, scope)
    key = evaluate(e.key, world, scope)
    if isinstance(container, dict) and isinstance(e.value.type, t.TBag):
        return container.get(key, 0)
    try:
        return container[key]
    except (KeyError, IndexError, TypeError):
        raise NotConstant(e.span) from None


def _size(value: Value) -> int:
    return sum(value.values()) if isinstance(value, dict) else len(value)


def _container(e: t.Expr, world: World, scope: Mapping[str, Value]) -> Value:
    match e:
        case t.SetLit(items):
            return frozenset(evaluate(i, world, scope) for i in items)
        case t.ListLit(items) | t.TupleLit(items):
            return tuple(evaluate(i, world, scope) for i in items)
        case t.MapLit(entries):
            return {key.value: evaluate(value, world, scope) for key, value in entries}
        case t.FieldOf(value, position):
            return evaluate(value, world, scope)[position]
        case t.SetOf(generator, where):
            one = (generator,)
            return frozenset(next(iter(v.values())) for v in _rounds(one, where, world, scope, e.span))
        case t.MapOf(generator, value):
            name = generator.binder.name
            found = _rounds((generator,), None, world, scope, e.span)
            return {v[name]: evaluate(value, world, {**scope, **v}) for v in found}
        case t.SetOp(operator, left, right):
            return _combine(operator, evaluate(left, world, scope), evaluate(right, world, scope))
        case _:
            raise NotConstant(e.span)


def _combine(operator: str, a: Value, b: Value) -> Value:
    match operator:
        case "union":
            return a | b
        case "minus":
            return a - b
        case "intersect":
            return a & b
        case "+":
            return {k: a.get(k, 0) + b.get(k, 0) for k in a.keys() | b.keys()}
        case _:
            return {k: a.get(k, 0) - b.get(k, 0) for k in a.keys() | b.keys()}


def _fold(e: t.Fold, world: World, scope: Mapping[str, Value]) -> Value:
    rounds = [{**scope, **r} for r in _rounds(e.generators, e.where, world, scope, e.span)]
    if e.operator == "count":
        return len(rounds)
    if e.operator == "first":
        return rounds[0][e.generators[0].binder.name] if rounds else None
    if e.body is None:
        raise NotConstant(e.span)
    values = [evaluate(e.body, world, r) for r in rounds]
    if e.operator in ("min", "max"):
        if not values and e.default is None:
            raise NotConstant(e.span)
        if not values and e.default is not None:
            return evaluate(e.default, world, scope)
        return min(values) if e.operator == "min" else max(values)
    if e.operator == "sum":
        return sum(values)
    return all(values) if e.operator == "all" else any(values)


def _rounds(
    generators: tuple[t.Generator, ...],
    where: t.Expr | None,
    world: World,
    scope: Mapping[str, Value],
    span: Span,
) -> Iterator[dict[str, Value]]:
    names = [g.binder.name for g in generators]
    domains = [list(_values(g.domain, world, scope, span)) for g in generators]
    if prod(map(len, domains)) > MOST_ROUNDS:
        raise NotConstant(span)
    for values in product(*domains):
        found = dict(zip(names, values, strict=True))
        if where is None or evaluate(where, world, {**scope, **found}):
            yield found


def _values(domain: t.Domain, world: World, scope: Mapping[str, Value], span: Span) -> Iterator[Value]:
    match domain:
        case t.EveryMember(enum) if enum.name in world.enums:
            yield from range(world.enums[enum.name])
        case t.Numbers(low, high):
            a, b = evaluate(low, world, scope), evaluate(high, world, scope)
            if b - a > MOST_ROUNDS:
                raise NotConstant(span)
            yield from range(a, b + 1)
        case t.Members(value):
            found = evaluate(value, world, scope)
            yield from sorted(k for k, n in found.items() if n > 0) if isinstance(found, dict) else found
        case _:
            raise NotConstant(span)
