"""Numbers that no source has, with the limits within which they were assumed: they stay open in core.

What play looks up stays a look-up, and ranges leave room for all that such a cell may hold, so that what is
proved can be proved for all of it. A number that had to be known before play is fixed from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulespec.compiler.core import build, shapes, survey
from rulespec.compiler.core.constants import bounds, limit
from rulespec.compiler.core.context import Cell, Context
from rulespec.compiler.core.evaluate import Open, evaluate
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.tree import And, Compare, Const, Expr, Fold, Lookup, Table, Var
from rulespec.compiler.core.walk import everything
from rulespec.compiler.typed import tree as t

ROW = "row"  # what a limit is about, as a Bound
_MIRROR = {"=": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

Room = tuple[int | None, int | None]


def settle(ctx: Context) -> None:
    """Opens the cells that the limits of assumed rows speak of, where the limits leave finite room."""
    rooms: dict[Cell, Room] = {}
    for table in ctx.rulebook.tables:
        rows = {row.member: number for number, row in enumerate(table.rows)}
        for each in table.limits:
            for name in _mentioned(table, each):
                for member in each.members:
                    rooms.update(_cells(ctx, table, name, rows[member]))
    settled = dict(ctx.open)  # params
    ctx.open = {**settled, **{cell: (_value(ctx, cell), _value(ctx, cell)) for cell in rooms}}
    for table in ctx.rulebook.tables:
        rows = {row.member: number for number, row in enumerate(table.rows)}
        for each in table.limits:
            for member in each.members:
                scope = Scope(ctx, bounds={ROW: build.number(rows[member])})
                ctx.limits.append(scope.expr(each.condition))
    for condition in ctx.limits:
        _narrow(ctx, condition, rooms)
    ctx.open = settled
    for cell, (low, high) in rooms.items():
        if low is not None and high is not None and low <= _value(ctx, cell) <= high:
            ctx.open[cell] = (low, high)


def _mentioned(table: t.Table, each: t.AssumedLimit) -> list[str]:
    """The columns of the table that a limit speaks of itself."""
    found = {n.column for n in survey.nodes(each.condition) if isinstance(n, t.ColumnOf)}
    return [name for name, _ in table.columns if name in found]


def _cells(ctx: Context, table: t.Table, column: str, row: int) -> Iterator[tuple[Cell, Room]]:
    """The numbers that keep one cell, with the room that its type leaves; none for lists and options of
    numbers, whose parts go together.
    """
    type = dict(table.columns)[column]
    if not isinstance(type, t.TBool | t.TInt | t.TEnum | t.TSet | t.TBag | t.TDeck):
        return
    name, dims = f"{table.name}.{column}", (ctx.domains[table.name],)
    for leaf in shapes.leaves(ctx, lambda x: bounds(ctx, x), lambda x: limit(ctx, x), name, type, dims):
        made = ctx.tables[leaf.name]
        size = len(made.values) // len(dims[0].names)
        for position in range(row * size, (row + 1) * size):
            yield (leaf.name, position), (leaf.low, leaf.high)


def _value(ctx: Context, cell: Cell) -> int:
    return ctx.tables[cell[0]].values[cell[1]]


# --- the room that limits leave -----------------------------------------------------------------------------


def _narrow(ctx: Context, condition: Expr, rooms: dict[Cell, Room]) -> None:
    """What a limit says of cells one by one: of a cell itself, or of a sum of cells."""
    match condition:
        case And(items):
            for item in items:
                _narrow(ctx, item, rooms)
        case Compare(operator, left, right) if operator in _MIRROR:
            _compared(ctx, operator, left, right, rooms)
            _compared(ctx, _MIRROR[operator], right, left, rooms)


def _compared(ctx: Context, operator: str, left: Expr, right: Expr, rooms: dict[Cell, Room]) -> None:
    cells = _summed(ctx, left)
    if cells is None or any(cell not in rooms for cell in cells) or _reads_open(ctx, right):
        return
    try:
        number = evaluate(right, ctx.tables)
    except Open:
        return
    least = number + (operator == ">") if operator in ("=", ">", ">=") else None
    most = number - (operator == "<") if operator in ("=", "<", "<=") else None
    for cell in cells:
        low, high = rooms[cell]
        others = [rooms[other] for other in cells if other != cell]
        if most is not None and all(other is not None for other, _ in others):
            left_over = most - sum(other for other, _ in others if other is not None)
            high = left_over if high is None else min(high, left_over)
        if least is not None and all(other is not None for _, other in others):
            wanting = least - sum(other for _, other in others if other is not None)
            low = wanting if low is None else max(low, wanting)
        rooms[cell] = (low, high)


def _summed(ctx: Context, e: Expr) -> list[Cell] | None:
    """The cells of which `e` is the sum, each once; None where it is something else."""
    match e:
        case Lookup(table, index) if all(isinstance(i, Const) for i in index):
            return [(table, _position(ctx.tables[table], [i.value for i in index if isinstance(i, Const)]))]
        case Fold("sum", variable, low, high, None, Lookup(table, (*first, Var(name)))) if (
            name == variable and all(isinstance(i, Const) for i in first)
        ):
            at = [i.value for i in first if isinstance(i, Const)]
            return [(table, _position(ctx.tables[table], [*at, k])) for k in range(low, high + 1)]
    return None


def _position(table: Table, index: list[int]) -> int:
    position = 0
    for at, dim in zip(index, table.dims, strict=True):
        position = position * len(dim.names) + at
    return position


def _reads_open(ctx: Context, e: Expr) -> bool:
    """Whether it may look at a cell that is open."""
    tables = {table for table, _ in ctx.open}
    return any(isinstance(x, Lookup) and x.table in tables for x in everything(e))


# --- what is left of it when all is made --------------------------------------------------------------------


def tables(ctx: Context, looked: set[str]) -> tuple[Table, ...]:
    """All tables, with the cells that are still open of those that play looks at."""
    left: dict[str, list[tuple[int, int, int]]] = {}
    for (table, position), (low, high) in sorted(ctx.open.items()):
        if table in looked and (table, position) not in ctx.fixed:
            left.setdefault(table, []).append((position, low, high))
    return tuple(replace(each, open=tuple(left.get(name, ()))) for name, each in ctx.tables.items())


def limits(ctx: Context, made: Iterable[Table]) -> list[Expr]:
    """The limits that speak of open cells."""
    there = {table.name for table in made if table.open}
    return [e for e in ctx.limits if any(isinstance(x, Lookup) and x.table in there for x in everything(e))]


def fixed(ctx: Context) -> tuple[str, ...]:
    """The tables with cells that were fixed."""
    return tuple(sorted({table for table, _ in ctx.fixed}))
