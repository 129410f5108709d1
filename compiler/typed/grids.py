"""Grids: the squares of a board as rows of a table, and the square at a column and row."""

from __future__ import annotations

from itertools import product

from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.inference import value
from rulespec.compiler.typed.scope import MOST_MEMBERS, Book, Context
from rulespec.compiler.typed.shapes import INT

_LETTERS = "abcdefghijklmnoqrstuvwxyz"  # without p: p1 is a seat


def squares(book: Book, e: s.Grid) -> list[s.Name]:
    """`a1 b1 c1 a2 ...`: columns have letters, rows have numbers; row by row."""
    if e.columns * e.rows == 0:
        advice = ("a board has at least one column and one row",)
        book.report.error("R0224", f"`{e.name.text}` has no squares", e.name.span, help=advice)
        return [s.Name("a1", e.name.span)]
    if e.columns * e.rows > MOST_MEMBERS:
        text = f"`{e.name.text}` has {e.columns * e.rows} squares, and {MOST_MEMBERS} are the most"
        book.report.error("R0224", text, e.name.span)
        return [s.Name("a1", e.name.span)]
    return [
        s.Name(f"{_column(column)}{row}", e.name.span)
        for row in range(1, e.rows + 1)
        for column in range(e.columns)
    ]


def _column(number: int) -> str:
    """`a` to `z` without `p`, then `aa`, `ab` and so on."""
    more, last = divmod(number, len(_LETTERS))
    return (_LETTERS[more - 1] if more else "") + _LETTERS[last]


def columns(book: Book, e: s.Grid) -> dict[str, t.Type]:
    """Each square has a `column` and a `row`, both counted from 1."""
    for part in ("column", "row"):
        book.parts[e.name.text, part] = e.name.span
    return {"column": _up_to(e.columns, e), "row": _up_to(e.rows, e)}


def _up_to(most: int, e: s.Grid) -> t.Type:
    return t.TInt("", t.Lit(1, INT, e.span), t.Lit(most, INT, e.span))


def grid(book: Book, e: s.Grid) -> tuple[t.Table, t.Enum]:
    """The table of the squares, and the enum of them."""
    name, types = e.name.text, book.columns[e.name.text]
    names = book.enums.get(name, ())
    rows: list[t.Row] = []
    for square, (row, column) in zip(names, product(range(e.rows), range(e.columns)), strict=False):
        cells = (t.Lit(column + 1, types["column"], e.span), t.Lit(row + 1, types["row"], e.span))
        rows.append(t.Row(square, cells, None, ""))
    if len(names) == e.columns * e.rows:
        book.cells[name] = {n: tuple(r.cells[i] for r in rows) for i, n in enumerate(types)}
    table = t.Table(name, e.title, tuple(types.items()), tuple(rows), (), e.citation, e.span)
    return table, t.Enum(name, e.title, names, names, ("",) * len(names), e.citation, e.span)


def square_at(cx: Context, e: s.Call, grid: s.Grid) -> t.Expr:
    """`Square(3, 4)`: the square at column 3 and row 4, none where the board has no such square."""
    column, row = (value(cx, argument, INT) for argument in e.arguments)
    type = t.TOption(t.TEnum(grid.name.text))
    return t.SquareAt(column, row, grid.columns, grid.rows, type, e.span)
