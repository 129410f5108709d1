"""Rules text as trees that can be compared."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree
from rulespec.compiler.surface.from_text import parse


def document(text: str, file: str = "test.rules") -> tree.Document:
    """The document of a text without mistakes."""
    made, found = parse(text, file)
    assert [(d.code, d.message, d.span.line) for d in found] == []
    return made


def mistakes(text: str, file: str = "test.rules") -> list[tuple[str, int]]:
    """The code and line of each mistake."""
    return [(d.code, d.span.line) for d in found_in(text, file)]


def found_in(text: str, file: str = "test.rules") -> tuple[Diagnostic, ...]:
    return parse(text, file)[1]


def declaration(text: str) -> Any:
    """The only declaration of a text."""
    (made,) = document(text).declarations
    return made


def statements(*lines: str) -> tuple[Any, ...]:
    """The body of a rule."""
    body = "\n".join(f"    {line}" for line in lines)
    return declaration(f"rule test:\n{body}\n").body  # type: ignore[no-any-return]


def expression(text: str) -> Any:
    return declaration(f"invariant test: {text}").condition


def shape(node: Any) -> Any:
    """The tree without its places: nested tuples of class names and values."""
    if isinstance(node, tree.Name):
        return node.text
    if isinstance(node, tuple | list):
        return tuple(shape(item) for item in node)
    if is_dataclass(node) and not isinstance(node, type):
        parts = [getattr(node, f.name) for f in fields(node)]
        kept = [shape(part) for part in parts if not isinstance(part, Span)]
        return (type(node).__name__, *kept)
    return node


def cut(text: str, span: Span) -> str:
    """The part of a text that a span on one line names."""
    assert span.line == span.end_line
    return text.split("\n")[span.line - 1][span.column - 1 : span.end_column - 1]


def said(node: Any) -> str:
    """An expression written with all its brackets, to see how it was read."""
    match node:
        case tree.Ref(name):
            return name.text
        case tree.Number(value):
            return str(value)
        case tree.Binary(operator, left, right):
            return f"({said(left)} {operator} {said(right)})"
        case tree.Unary(operator, value):
            return f"({operator} {said(value)})"
        case tree.Conditional(condition, then, other):
            return f"({said(then)} if {said(condition)} else {said(other)})"
        case tree.Fold(operator, generators, where, body):
            over = ", ".join(f"{g.name.text} in {said(g.domain)}" for g in generators)
            over += f" where {said(where)}" if where is not None else ""
            return f"[{operator} {over}" + (f": {said(body)}]" if body is not None else "]")
        case tree.RangeExpr(low, high):
            return f"({said(low)}..{said(high)})"
        case tree.FieldOf(value, field):
            return f"{said(value)}.{field.text}"
        case tree.Index(value, keys):
            return f"{said(value)}[{', '.join(map(said, keys))}]"
        case tree.Call(function, arguments):
            return f"{function.text}({', '.join(map(said, arguments))})"
        case tree.IsSome(value, name):
            return f"({said(value)} is {'some ' + name.text if name else 'none'})"
        case tree.SeatsFrom(start):
            return f"(players from {said(start)})"
    return str(shape(node))
