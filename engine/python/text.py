"""Pieces of Python with how tightly they bind, so that brackets stand only where they are needed."""

from __future__ import annotations

from typing import NamedTuple

TERNARY, OR, AND, NOT, COMPARE, SUM, PRODUCT, UNARY, ATOM = range(9)


class Text(NamedTuple):
    """An expression and its outermost operator's level."""

    source: str
    level: int = ATOM


def wrap(text: Text, level: int) -> str:
    """Ready to stand where an operand of at least `level` is expected."""
    return text.source if text.level >= level else f"({text.source})"


def span(low: int, high: int) -> str:
    """All numbers from `low` to `high`, upwards."""
    return f"range({low}, {high + 1})" if low else f"range({high + 1})"


def literal(value: int) -> Text:
    return Text(str(value), ATOM if value >= 0 else UNARY)


def is_cheap(text: Text) -> bool:
    """Short and without a call: may be evaluated twice."""
    return text.level == ATOM and "(" not in text.source and len(text.source) <= 24
