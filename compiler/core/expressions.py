"""Typed expressions to core expressions and views. Functions are written out where they are called."""

from __future__ import annotations

from dataclasses import replace

from rulespec.compiler.core import build, domains, shapes, views
from rulespec.compiler.core.context import Context
from rulespec.compiler.core.limits import Refused
from rulespec.compiler.core.scope import CASES, Case, Scope
from rulespec.compiler.core.tree import FALSE, TRUE, Const, Expr
from rulespec.compiler.core.views import (
    BagView,
    ListView,
    MapView,
    Maybe,
    SetView,
    TupleView,
    View,
    as_bag,
    scalar,
)
from rulespec.compiler.typed import tree as t

# --- names and constants ------------------------------------------------------------------------------------


def _lit(_: Scope, e: t.Lit) -> View:
    return build.truth(bool(e.value)) if isinstance(e.type, t.TBool) else build.number(e.value)


def _none(_: Scope, e: t.NoneOf) -> View:
    if shapes.holds_numbers(e.type):
        return Maybe(FALSE, build.ZERO)
    return views.coded(Const(-1), e.type.inner)


def _some(scope: Scope, e: t.SomeOf) -> View:
    return views.some(scope.expr(e.value), e.type.inner)


def _local(scope: Scope, e: t.Local) -> View:
    found = scope.named.get(e.name)
    return scope.locals[e.name] if found is None else found


def _bound(scope: Scope, e: t.Bound) -> View:
    return scope.bounds[e.name]


def _param(scope: Scope, e: t.ParamRef) -> View:
    return scope.ctx.params[e.name]


def _state(scope: Scope, e: t.StateRef) -> View:
    index = () if e.player is None else (scope.expr(e.player),)
    return shapes.read(scope.ctx, e.name, scope.ctx.state[e.name].type, index)


def _column(scope: Scope, e: t.ColumnOf) -> View:
    return shapes.constant(scope.ctx, f"{e.table}.{e.column}", e.type, (scope.expr(e.row),))


def _square(scope: Scope, e: t.SquareAt) -> View:
    column, row = scope.expr(e.column), scope.expr(e.row)
    inside = build.both(_from_one(column, e.columns), _from_one(row, e.rows))
    rows_before = build.arith("*", build.minus(row, build.ONE), build.number(e.columns))
    number = build.plus(rows_before, build.minus(column, build.ONE))
    return Maybe(inside, number, build.ite(inside, number, Const(-1)))


def _from_one(number: Expr, most: int) -> Expr:
    return build.both(build.compare(">=", number, build.ONE), build.compare("<=", number, build.number(most)))


def _reading(scope: Scope, e: t.ReadingIs) -> View:
    return build.truth(scope.ctx.readings.get(e.reading) == e.meaning)


def _variant(scope: Scope, e: t.VariantOn) -> View:
    return build.truth(e.variant in scope.ctx.variants)


# --- parts --------------------------------------------------------------------------------------------------


def _field(scope: Scope, e: t.FieldOf) -> View:
    whole = scope.view(e.value)
    assert isinstance(whole, TupleView)
    return whole.items[e.position]


def _index(scope: Scope, e: t.IndexOf) -> View:
    key = scope.expr(e.key)
    match scope.view(e.value):
        case MapView(_, at):
            return at(key)
        case BagView(_, count):
            return count(key)
        case SetView() as found:
            return as_bag(found).count(key)
        case ListView(_, length, item, kept):
            inside = build.both(build.compare(">=", key, build.ZERO), build.compare("<", key, length))
            if kept:  # a position that is not in use is no position at all
                return item(build.ite(inside, key, Const(-1)))
            beyond = scope.ctx.no_item()
            return build.ite(inside, item(key), build.as_truth(beyond) if e.type == t.BOOL else beyond)
    raise AssertionError("the checker lets only containers be looked into")


def _call(scope: Scope, e: t.CallFunction) -> View:
    function = scope.ctx.functions[e.function]
    names = (p.name for p in function.parameters)
    arguments = dict(zip(names, map(scope.view, e.arguments), strict=True))
    return Scope(scope.ctx, bounds=arguments).view(function.value)


# --- arithmetic and logic -----------------------------------------------------------------------------------


def _arith(scope: Scope, e: t.Arith) -> View:
    first, *rest = [scope.expr(a) for a in e.arguments]
    match e.operator:
        case "neg":
            return build.minus(build.ZERO, first)
        case "abs":
            return build.arith("max", first, build.minus(build.ZERO, first))
        case "half_up":
            return build.arith("div", build.plus(first, build.ONE), build.number(2))
        case "half_down":
            return build.arith("div", first, build.number(2))
        case "div" | "mod":
            by = scope.ctx.evaluate(rest[0], e.arguments[1].span)
            if by <= 0:
                text = f"`{e.operator}` is by a positive number, and this is {by}"
                raise Refused("R0502", text, e.arguments[1].span)
            return build.arith(e.operator, first, build.number(by))
    for other in rest:
        first = build.arith(e.operator, first, other)
    return first


def _compare(scope: Scope, e: t.Compare) -> View:
    left, right = scope.view(e.left), scope.view(e.right)
    fresh = scope.ctx.fresh
    if e.operator in ("=", "!="):
        same = views.equal(left, right, e.left.type, fresh)
        return same if e.operator == "=" else build.negate(same)
    if isinstance(left, SetView | BagView):
        if e.operator == "<=":
            return views.contained(left, right, fresh)
        return views.contained(right, left, fresh)
    return build.compare(e.operator, scalar(left), scalar(right))


def _logic(scope: Scope, e: t.Logic) -> View:
    match e.operator, e.arguments:
        case "not", (only,):
            return build.negate(scope.expr(only))
        case "and", _:
            return scope.condition(e)[0]
        case "or", (left, right):
            return build.either(scope.expr(left), scope.expr(right))
        case "implies", (left, right):
            condition, inner = scope.condition(left)
            if condition == FALSE:
                return TRUE
            return build.implies(condition, inner.expr(right))
    raise AssertionError(e.operator)


def _within(scope: Scope, e: t.Within) -> View:
    return domains.contains(scope, e.domain, scope.expr(e.value))


def _is_some(scope: Scope, e: t.IsSome) -> View:
    return views.maybe(scope.view(e.value)).some


def _conditional(scope: Scope, e: t.Conditional) -> View:
    condition, inner = scope.condition(e.condition)
    if condition == TRUE:
        return inner.view(e.then)
    if condition == FALSE:
        return scope.view(e.other)
    return views.either_of(condition, inner.view(e.then), scope.view(e.other), e.type)


def _seat(scope: Scope, e: t.Seat) -> View:
    return neighbour(scope.ctx, e.side, scope.expr(e.player))


def neighbour(ctx: Context, side: str, player: Expr) -> Expr:
    """Play goes clockwise, to the left."""
    step = build.plus if side == "left" else build.minus
    return build.arith("mod", step(player, build.ONE), build.number(ctx.players))


# --- folds and containers -----------------------------------------------------------------------------------


def _size(scope: Scope, e: t.Size) -> View:
    return views.size_of(scope.view(e.value), scope.ctx.fresh)


def _fold(scope: Scope, e: t.Fold) -> View:
    if e.operator == "first":
        return _first(scope, e)
    return _nested(scope, e, e.generators, e.operator)


def _nested(scope: Scope, e: t.Fold, generators: tuple[t.Generator, ...], operator: str) -> Expr:
    """One core fold for each generator, the condition in the innermost."""
    generator, *rest = generators
    sweep = domains.sweep(scope, generator.domain, generator.binder.name, e.span)
    inner = scope.bind(generator.binder.name, sweep.value)
    default = None
    if operator in ("min", "max") and generators is e.generators and e.default is not None:
        default = scope.expr(e.default)
    if not rest:
        where, inner = (TRUE, inner) if e.where is None else inner.condition(e.where)
        body = None if e.body is None else inner.expr(e.body)
        return sweep.fold(operator, where, body, default)
    if operator in ("min", "max"):
        # A max of maxima leaves out those that are over nothing.
        there = _nested(inner, replace(e, body=None), tuple(rest), "some")
        return sweep.fold(operator, there, _nested(inner, e, tuple(rest), operator), default)
    outer = "sum" if operator == "count" else "any" if operator == "some" else operator
    return sweep.fold(outer, TRUE, _nested(inner, e, tuple(rest), operator), default)


def _first(scope: Scope, e: t.Fold) -> View:
    (generator,) = e.generators
    sweep = domains.in_order(scope, generator.domain, generator.binder.name, e.span)
    inner = scope.bind(generator.binder.name, sweep.value)
    where = TRUE if e.where is None else inner.expr(e.where)
    assert isinstance(e.type, t.TOption)
    return domains.first(scope.ctx, sweep, where, e.type.inner)


def _set_of(scope: Scope, e: t.SetOf) -> View:
    def has(k: Expr) -> Expr:
        inside = domains.contains(scope, e.generator.domain, k)
        if e.where is None or inside == FALSE:
            return inside
        return build.both(inside, scope.bind(e.generator.binder.name, k).expr(e.where))

    return SetView(scope.ctx.members(e.type.kind), has)


def _map_of(scope: Scope, e: t.MapOf) -> View:
    def at(k: Expr) -> View:
        return scope.bind(e.generator.binder.name, k).view(e.value)

    def count(k: Expr) -> Expr:
        inside = domains.contains(scope, e.generator.domain, k)
        return build.ZERO if inside == FALSE else build.ite(inside, scalar(at(k)), build.ZERO)

    if isinstance(e.type, t.TMap):
        return MapView(scope.ctx.members(e.type.key), at)
    return BagView(scope.ctx.members(e.type.kind), count)


def _set_literal(scope: Scope, e: t.SetLit) -> View:
    items = [scope.expr(item) for item in e.items]
    has = lambda k: build.either(*(build.compare("=", k, item) for item in items))  # noqa: E731
    return SetView(scope.ctx.members(e.type.kind), has)


def _map_literal(scope: Scope, e: t.MapLit) -> View:
    items = [(build.number(key.value), scope.view(value)) for key, value in e.items]
    if isinstance(e.type, t.TMap):
        inner = e.type.value
        *others, (_, last) = items

        def at(k: Expr) -> View:
            found = last
            for key, value in reversed(others):
                found = views.either_of(build.compare("=", k, key), value, found, inner)
            return found

        return MapView(scope.ctx.members(e.type.key), at)

    def count(k: Expr) -> Expr:
        found: Expr = build.ZERO
        for key, value in reversed(items):
            found = build.ite(build.compare("=", k, key), scalar(value), found)
        return found

    return BagView(scope.ctx.members(e.type.kind), count)


def _list_literal(scope: Scope, e: t.ListLit) -> View:
    items = [scope.expr(item) for item in e.items]

    def at(k: Expr) -> Expr:
        found = items[-1] if items else build.ZERO
        for position in range(len(items) - 2, -1, -1):
            found = build.ite(build.compare("=", k, build.number(position)), items[position], found)
        return found

    return ListView(len(items), build.number(len(items)), at)


def _tuple_literal(scope: Scope, e: t.TupleLit) -> View:
    return TupleView(tuple(map(scope.view, e.items)))


def _set_op(scope: Scope, e: t.SetOp) -> View:
    left, right = scope.view(e.left), scope.view(e.right)
    match e.operator, left, right:
        case "union", SetView(size, a), SetView(_, b):
            return SetView(size, lambda k: build.either(a(k), b(k)))
        case "intersect", SetView(size, a), SetView(_, b):
            return SetView(size, lambda k: build.both(a(k), b(k)))
        case "minus", SetView(size, a), SetView(_, b):
            return SetView(size, lambda k: build.both(a(k), build.negate(b(k))))
    c, d = as_bag(left), as_bag(right)
    if e.operator == "+":
        return BagView(c.size, lambda k: build.plus(c.count(k), d.count(k)))
    # No bag holds less than nothing.
    return BagView(c.size, lambda k: build.arith("max", build.minus(c.count(k), d.count(k)), build.ZERO))


_CASES: dict[type[t.Expr], Case] = {
    t.Lit: _lit,
    t.NoneOf: _none,
    t.SomeOf: _some,
    t.ParamRef: _param,
    t.Local: _local,
    t.Bound: _bound,
    t.StateRef: _state,
    t.ColumnOf: _column,
    t.SquareAt: _square,
    t.FieldOf: _field,
    t.IndexOf: _index,
    t.CallFunction: _call,
    t.Arith: _arith,
    t.Compare: _compare,
    t.Logic: _logic,
    t.Within: _within,
    t.IsSome: _is_some,
    t.ReadingIs: _reading,
    t.VariantOn: _variant,
    t.Conditional: _conditional,
    t.Seat: _seat,
    t.Size: _size,
    t.Fold: _fold,
    t.SetOf: _set_of,
    t.MapOf: _map_of,
    t.SetLit: _set_literal,
    t.MapLit: _map_literal,
    t.ListLit: _list_literal,
    t.TupleLit: _tuple_literal,
    t.SetOp: _set_op,
}

CASES.update(_CASES)

__all__ = ["Scope", "neighbour"]  # whoever takes names from here can lower expressions
