"""Tables: columns, cells, and the limits that assumed rows must keep."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.citations import check_citation
from rulespec.compiler.typed.constants import NotConstant, World, evaluate
from rulespec.compiler.typed.expressions import truth, value, wrong
from rulespec.compiler.typed.scope import Binding, Book, Context
from rulespec.compiler.typed.shapes import UNKNOWN, a_type, known
from rulespec.compiler.typed.types_of import type_of

ROW = "row"


def columns(book: Book, e: s.Table) -> dict[str, t.Type]:
    """The columns by name."""
    found: dict[str, t.Type] = {}
    first: dict[str, s.Column] = {}
    for column in e.columns:
        name = column.name.text
        if name in first:
            label = Label(first[name].name.span, "the first one")
            book.report.error("R0210", f"the column `{name}` stands twice", column.name.span, label)
            continue
        type = type_of(Context(book), column.type)
        if isinstance(type, (t.TTuple, t.TRecord, t.TDeck)) or _is_place(type):
            advice = "a cell is a number, truth value, member, option, set, bag, map or list"
            text = f"a cell cannot be {a_type(type)}"
            book.report.error("R0313", text, column.type.span, help=(advice,))
            type = UNKNOWN
        first[name] = column
        book.parts[e.name.text, name] = column.name.span
        found[name] = type
    return found


def _is_place(type: t.Type) -> bool:
    return isinstance(type, (t.TSet, t.TBag)) and bool(type.piece)


def table(book: Book, e: s.Table) -> tuple[t.Table, t.Enum]:
    """The table, and the enum of its rows."""
    types = book.columns[e.name.text]
    rows: list[t.Row] = []
    labels: list[str] = []
    written_rows = [(row, "") for row in e.rows]
    written_rows += [(row, a.why) for a in e.assumed for row in a.rows]
    for written, why in written_rows:
        check_citation(book, written.citation)
        rows.append(_row(book, e, written, types, why))
        labels.append(written.label or written.name.text)
    names = book.enums.get(e.name.text, ())
    if len(names) == len(rows):
        # Cells by column, for constants that look rows up.
        book.cells[e.name.text] = {n: tuple(r.cells[i] for r in rows) for i, n in enumerate(types)}
    limits = tuple(limit for a in e.assumed for limit in _limits(book, e, a, rows))
    made = t.Table(e.name.text, e.title, tuple(types.items()), tuple(rows), limits, e.citation, e.span)
    assumed = tuple(row.assumed for row in rows)
    return made, t.Enum(e.name.text, e.title, names, tuple(labels), assumed, e.citation, e.span)


def _row(book: Book, e: s.Table, written: s.Row, types: dict[str, t.Type], why: str) -> t.Row:
    cx = Context(book)
    if len(written.cells) != len(types):
        label = Label(e.columns[0].span.to(e.columns[-1].span) if e.columns else e.span, "the columns")
        many = "1 cell" if len(written.cells) == 1 else f"{len(written.cells)} cells"
        columns = "1 column" if len(types) == 1 else f"{len(types)} columns"
        text = f"`{written.name.text}` has {many} for {columns if types else 'no columns'}"
        book.report.error("R0322", text, written.span, label)
        cells = tuple(wrong(written.span) for _ in types)
        return t.Row(written.name.text, cells, written.citation, why)
    made = []
    for cell, type in zip(written.cells, types.values(), strict=True):
        x = value(cx, cell, type)
        if known(x.type) and known(type):
            _constant(book, x)
        made.append(x)
    return t.Row(written.name.text, tuple(made), written.citation, why)


def _constant(book: Book, x: t.Expr) -> None:
    try:
        evaluate(x)
    except NotConstant as problem:
        advice = "write it as it is printed on the component"
        book.report.error("R0311", "a cell is a constant", problem.span, help=(advice,))


def _limits(book: Book, e: s.Table, assumed: s.Assumed, rows: list[t.Row]) -> list[t.AssumedLimit]:
    check_citation(book, assumed.citation)
    members = tuple(row.name.text for row in assumed.rows)
    row = t.Bound(ROW, t.TEnum(e.name.text), assumed.span)
    parts = book.parts
    scope = {
        name: Binding(
            t.ColumnOf(e.name.text, name, row, type, assumed.span), "column", parts[e.name.text, name]
        )
        for name, type in book.columns[e.name.text].items()
    }
    made = []
    for written in assumed.limits:
        cx = Context(book)
        cx.scope.update(scope)
        condition = truth(cx, written)[0]
        if known(condition.type):
            _hold(book, e, assumed, condition, rows)
        made.append(t.AssumedLimit(assumed.why, members, condition, assumed.citation, written.span))
    return made


def _hold(book: Book, e: s.Table, assumed: s.Assumed, condition: t.Expr, rows: list[t.Row]) -> None:
    """Report each assumed row outside the limits that were given for it."""
    if e.name.text not in book.cells:
        return
    sizes = {name: len(members) for name, members in book.enums.items()}
    world = World(sizes, book.cells)
    numbers = {row.member: n for n, row in enumerate(rows)}
    for written in assumed.rows:
        try:
            holds = evaluate(condition, world, {ROW: numbers[written.name.text]})
        except NotConstant as problem:
            if all(known(cell.type) for row in rows for cell in row.cells):
                advice = "a limit is about the columns alone"
                book.report.error("R0311", "a limit is a constant test", problem.span, help=(advice,))
            return
        if not holds:
            label = Label(condition.span, "the limit")
            text = f"`{written.name.text}` lies outside what is assumed"
            book.report.error("R0323", text, written.span, label, help=("change the row or the limit",))
