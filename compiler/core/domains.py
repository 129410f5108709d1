"""What generators, loops and options range over: all members, seats, numbers, what a container holds."""

from __future__ import annotations

from rulespec.compiler.core import build, views
from rulespec.compiler.core.context import Context, Spread
from rulespec.compiler.core.scope import Scope
from rulespec.compiler.core.tree import TRUE, Const, Expr, Var
from rulespec.compiler.core.views import BagView, ListView, MapView, Maybe, SetView, View
from rulespec.compiler.core.walk import rebuild
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Sweep:
    """`variable` from `low` to `high`, where `inside` holds; `value` is the domain's value there.

    When `variable` is in `ctx.spreads`, `low` and `high` are not known yet and `ranges` puts them in.
    """

    variable: str
    low: int
    high: int
    inside: Expr
    value: Expr

    def fold(self, operator: str, where: Expr, body: Expr | None, default: Expr | None = None) -> Expr:
        """`some` asks whether there is any value."""
        if operator == "some":
            return build.fold("any", self.variable, self.low, self.high, self.inside, where)
        where = build.both(self.inside, where)
        return build.fold(operator, self.variable, self.low, self.high, where, body, default)


def sweep(scope: Scope, domain: t.Domain, name: str, span: Span) -> Sweep:
    """The values in whatever order is simplest."""
    match domain:
        case t.SeatsFrom():
            return sweep(scope, t.EveryMember(t.PLAYER), name, span)
    return in_order(scope, domain, name, span)


def in_order(scope: Scope, domain: t.Domain, name: str, span: Span) -> Sweep:
    """The values in the domain's order, as `variable` goes up."""
    ctx = scope.ctx
    variable = ctx.fresh(name)
    here = Var(variable)
    match domain:
        case t.EveryMember(enum):
            value = build.as_truth(here) if enum.name == "Bool" else here
            return Sweep(variable, 0, ctx.members(enum) - 1, TRUE, value)
        case t.SeatsFrom(start):
            return seats(ctx, name, scope.expr(start))
        case t.Numbers(low, high, _):
            return _numbers(ctx, variable, scope.expr(low), scope.expr(high), span)
        case t.Members(value):
            return _members(variable, scope.view(value))


def seats(ctx: Context, name: str, start: Expr) -> Sweep:
    """All seats, clockwise from `start`."""
    variable = ctx.fresh(name)
    seat = build.arith("mod", build.plus(start, Var(variable)), build.number(ctx.players))
    return Sweep(variable, 0, ctx.players - 1, TRUE, seat)


def _numbers(ctx: Context, variable: str, low: Expr, high: Expr, span: Span) -> Sweep:
    here = Var(variable)
    if isinstance(low, Const) and isinstance(high, Const):
        return Sweep(variable, *ctx.swept(low.value, high.value, span), TRUE, here)
    ctx.spreads[variable] = Spread(low, high, span)
    inside = build.both(build.compare(">=", here, low), build.compare("<=", here, high))
    return Sweep(variable, 0, 0, inside, here)


def _members(variable: str, container: View) -> Sweep:
    here = Var(variable)
    match container:
        case SetView(size, has):
            return Sweep(variable, 0, size - 1, has(here), here)
        case BagView(size, count):
            return Sweep(variable, 0, size - 1, build.compare(">=", count(here), build.ONE), here)
        case ListView(limit, length, at, _):
            return Sweep(variable, 0, limit - 1, build.compare("<", here, length), at(here))
        case MapView(size, _):
            return Sweep(variable, 0, size - 1, TRUE, here)
    raise AssertionError("the checker lets only containers be gone through")


def contains(scope: Scope, domain: t.Domain, value: Expr) -> Expr:
    """Whether `value` is one of the domain's."""
    ctx = scope.ctx
    match domain:
        case t.EveryMember() | t.SeatsFrom():
            return TRUE
        case t.Numbers(low, high, _):
            above = build.compare(">=", value, scope.expr(low))
            return build.both(above, build.compare("<=", value, scope.expr(high)))
        case t.Members(container):
            return _held(ctx, scope.view(container), value, container.type)


def _held(ctx: Context, container: View, value: Expr, type: t.Type) -> Expr:
    match container:
        case SetView(_, has):
            return has(value)
        case BagView(_, count):
            return build.compare(">=", count(value), build.ONE)
        case ListView(limit, length, at, _):
            k = ctx.fresh("k")
            item = type.item if isinstance(type, t.TList) else t.TInt()
            inside = build.compare("<", Var(k), length)
            return build.fold("any", k, 0, limit - 1, inside, views.equal(at(Var(k)), value, item, ctx.fresh))
        case MapView():
            return TRUE
    raise AssertionError("the checker lets only containers be searched")


def first(ctx: Context, sweep: Sweep, where: Expr, inner: t.Type) -> Maybe:
    """The first value for which `where` holds."""
    here = Var(sweep.variable)
    there = sweep.fold("some", where, None)
    if sweep.value == here and isinstance(inner, t.TEnum):
        return views.coded(sweep.fold("min", where, here, Const(-1)), inner)
    place = sweep.fold("min", where, here)
    value = place_at(sweep.value, sweep.variable, place)
    if isinstance(inner, t.TInt):
        return Maybe(there, value)
    code = build.as_number(value) if isinstance(inner, t.TBool) else value
    return views.coded(build.ite(there, code, Const(-1)), inner)


def place_at(e: Expr, variable: str, place: Expr) -> Expr:
    """`e` with `place` for the variable."""
    if isinstance(e, Var):
        return place if e.name == variable else e
    return rebuild(e, lambda child: place_at(child, variable, place))
