"""What a configuration settles before play: params, bounds of types, the rows of tables."""

from __future__ import annotations

from rulespec.compiler.core import build, shapes
from rulespec.compiler.core.context import Context
from rulespec.compiler.core.evaluate import evaluate
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.limits import FAR, ITEMS, WIDTH, Refused
from rulespec.compiler.core.tree import Domain, Expr, Lookup, Table
from rulespec.compiler.core.views import View
from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.typed import tree as t


def value(ctx: Context, e: t.Expr) -> int:
    """What `e` comes to; a truth value is 0 or 1."""
    return ctx.evaluate(Scope(ctx).expr(e), e.span)


def known(ctx: Context, e: Expr) -> int:
    """A settled param as a number, to be told of."""
    return evaluate(e, ctx.tables)


def bounds(ctx: Context, type: t.TInt) -> tuple[int | None, int | None]:
    """The declared range; None on a side where there is none."""
    low = None if type.low is None else value(ctx, type.low)
    high = None if type.high is None else value(ctx, type.high)
    if low is not None and high is not None and type.low is not None and low > high:
        raise Refused("R0504", f"there is no number in {low}..{high}", type.low.span)
    if low is not None and high is not None and type.high is not None and high - low >= WIDTH:
        text = f"{low}..{high} are {high - low + 1} values, and {WIDTH} are the most"
        raise Refused("R0524", text, type.high.span)
    return low, high


def limit(ctx: Context, type: t.TList) -> int:
    """The most items of a list."""
    most = value(ctx, type.limit)
    if not 1 <= most <= ITEMS:
        text = f"a list has room for 1 to {ITEMS} items, and this is {most}"
        raise Refused("R0515", text, type.limit.span)
    return most


# --- params -------------------------------------------------------------------------------------------------


def settle_params(ctx: Context) -> None:
    """Default, then `when players`, then variants, then the scope: what is said last counts."""
    said: dict[str, tuple[t.Expr, Span]] = {p.name: (p.value, p.span) for p in ctx.rulebook.params}
    for rule in ctx.rulebook.when_players:
        if build.holds(rule.operator, ctx.players, rule.number):
            said |= {s.param: (s.value, s.span) for s in rule.settings}
    for variant in ctx.rulebook.variants:
        if variant.name in ctx.variants:
            said |= {s.param: (s.value, s.span) for s in variant.settings}
    declared = {p.name: p for p in ctx.rulebook.params}
    for name, number in ctx.configuration.settings:
        if name not in declared:
            raise Refused("R0505", f"there is no param `{name}` to set", NOWHERE)
        said[name] = (t.Lit(number, declared[name].type, declared[name].span), declared[name].span)
    # The checker lets a param and its settings use only those before it.
    for name, (expr, span) in said.items():
        type = declared[name].type
        number = value(ctx, expr)
        if isinstance(type, t.TBool):
            ctx.params[name] = build.truth(bool(number))
        else:
            within(ctx, type, number, f"param `{name}`", span)
            ctx.params[name] = build.number(number)
            if declared[name].assumed and expr is declared[name].value:
                _leave_open(ctx, declared[name], number)


def _leave_open(ctx: Context, param: t.Param, number: int) -> None:
    """An assumed number with a range stays open; what sets it besides is no assumption."""
    low, high = bounds(ctx, param.type) if isinstance(param.type, t.TInt) else (None, None)
    if low is not None and high is not None:
        name = f"param.{param.name}"
        ctx.tables[name] = Table(name, (Domain("param", 0, (param.name,)),), (number,), (0,))
        ctx.open[name, 0] = (low, high)
        ctx.params[param.name] = Lookup(name, (build.ZERO,))


def within(ctx: Context, type: t.Type, number: int, what: str, span: Span) -> None:
    """Refuses a number outside the declared range, or beyond all that a game counts to."""
    low, high = bounds(ctx, type) if isinstance(type, t.TInt) else (None, None)
    low, high = -FAR if low is None else low, FAR if high is None else high
    if not low <= number <= high:
        raise Refused("R0507", f"{what} is {number}, outside {low}..{high}", span)


# --- tables -------------------------------------------------------------------------------------------------


def flatten(ctx: Context, type: t.Type, view: View, span: Span) -> dict[str, list[int]]:
    """The numbers of a value that is known before play."""

    def number(e: Expr) -> int:
        return ctx.evaluate(e, span)

    return shapes.flatten(ctx, lambda x: bounds(ctx, x), lambda x: limit(ctx, x), number, type, view)


def settle_tables(ctx: Context) -> None:
    for table in ctx.rulebook.tables:
        for position, (column, type) in enumerate(table.columns):
            _column(ctx, table, position, column, type)


def _column(ctx: Context, table: t.Table, position: int, column: str, type: t.Type) -> None:
    name = f"{table.name}.{column}"
    dims = (ctx.domains[table.name],)
    assumed = tuple(n for n, row in enumerate(table.rows) if row.assumed)
    found: dict[str, list[int]] = {}
    for row in table.rows:
        cell = row.cells[position]
        numbers = flatten(ctx, type, Scope(ctx).view(cell), cell.span)
        if isinstance(type, t.TInt):
            within(ctx, type, numbers[""][0], f"`{column}` of `{row.member}`", cell.span)
        for suffix, part in numbers.items():
            found.setdefault(suffix, []).extend(part)
    for leaf in shapes.leaves(ctx, lambda x: bounds(ctx, x), lambda x: limit(ctx, x), name, type, dims):
        suffix = leaf.name.removeprefix(name)
        ctx.tables[leaf.name] = Table(leaf.name, leaf.dims, tuple(found[suffix]), assumed)
