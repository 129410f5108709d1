"""Boards of squares, drawn as tables with the first row at the bottom."""

from __future__ import annotations

from rulespec.reference.parts import Board
from rulespec.reference.values import without_article
from rulespec.site.page import text
from rulespec.site.pages.badges import cited
from rulespec.site.pages.cells import code, declared, link
from rulespec.site.subject import Subject

WIDEST, TALLEST = 16, 24  # squares that are drawn


def board(subject: Subject, grid: Board) -> str:
    """A board with the names of its squares; a large one in words alone."""
    named = link(declared(subject, grid.name, grid.span), code(grid.name))
    size = f"{grid.columns} columns and {grid.rows} rows, {len(grid.squares)} squares"
    names = f"{code(grid.squares[0])} to {code(grid.squares[-1])}"
    told = f"{named} {text(without_article(grid.title))}: {size}, {names} {cited(subject, grid.citation)}"
    if grid.columns > WIDEST or grid.rows > TALLEST:
        return f'<p class="rs-meta" id="{text(grid.name)}">{told}</p>'
    rows = "".join(f"<tr>{_row(grid, row)}</tr>" for row in reversed(range(grid.rows)))
    return (
        f'<p class="rs-meta">{told}</p><table class="rs-board" id="{text(grid.name)}">'
        f"<caption>The squares of {text(grid.name)}</caption><tbody>{rows}</tbody></table>"
    )


def _row(grid: Board, row: int) -> str:
    squares = grid.squares[row * grid.columns : (row + 1) * grid.columns]
    return "".join(f"<td>{text(name)}</td>" for name in squares)
