"""From the parser's reductions to types and expressions. Each function is named by its rule in `rules.lark`.

Values of terminals: a `Name` for NAME, an int for NUMBER, text for STRING, a `Citation`, and for all else the
kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.surface import tree
from rulespec.compiler.surface.parser import Action

ACTIONS: dict[str, Action] = {}


def on(*rules: str) -> Callable[[Action], Action]:
    """Marks the function that makes the value of these rules."""

    def register(action: Action) -> Action:
        for rule in rules:
            ACTIONS[rule] = action
        return action

    return register


# --- parts of everything -----------------------------------------------------------------------------------


@on("lines")
def _lines(c: list[Any], span: Span) -> Any:
    return (None, c[0]) if len(c) == 1 else (c[0], c[1])


@on("block")
def _block(c: list[Any], span: Span) -> tuple[Any, ...]:
    """The lines in order, without those that say nothing or could not be read."""
    chain, found = c[2], []
    while chain is not None:
        chain, line = chain
        if line is not None:
            found.append(line)
    return tuple(reversed(found))


@on("commas")
def _commas(c: list[Any], span: Span) -> list[Any]:
    if len(c) == 1:
        return [c[0]]
    items: list[Any] = c[0]
    items.append(c[2])
    return items


@on("bad", "nothing")
def _nothing(c: list[Any], span: Span) -> None:
    return None


@on("meant")
def _meant(c: list[Any], span: Span) -> Any:
    return c[0] if len(c) == 2 else c[2]


@on("title")
def _title(c: list[Any], span: Span) -> str:
    return c[0] or ""


@on("citation")
def _citation(c: list[Any], span: Span) -> Citation | None:
    match c:
        case [Citation() as first, Citation() as more]:
            return replace(first, also=(*first.also, more))
        case [_, Citation() as only]:
            return only
    return None


@on("where")
def _where(c: list[Any], span: Span) -> Any:
    return c[1]


@on("order_sign", "target", "supply", "declaration", "argument")
def _only(c: list[Any], span: Span) -> Any:
    return c[0]


# --- types -------------------------------------------------------------------------------------------------


@on("named")
def _named(c: list[Any], span: Span) -> tree.NamedType:
    return tree.NamedType(c[0], None, None, span)


@on("ranged")
def _ranged(c: list[Any], span: Span) -> tree.NamedType:
    name, _, low, _, high = c
    return tree.NamedType(name, low, high, span)


@on("generic")
def _generic(c: list[Any], span: Span) -> tree.GenericType:
    head, _, arguments, _, _, limit = c
    return tree.GenericType(head, tuple(arguments), limit, span)


@on("type_item")
def _type_item(c: list[Any], span: Span) -> tuple[tree.Name | None, tree.Type]:
    name, _, kind = c
    return name, kind


@on("type_items")
def _type_items(c: list[Any], span: Span) -> list[tuple[tree.Name | None, tree.Type]]:
    items: list[tuple[tree.Name | None, tree.Type]] = c[1]
    return items


@on("tuple_type")
def _tuple_type(c: list[Any], span: Span) -> tree.Type:
    """One type in brackets is that type; a component with a name is a tuple even alone."""
    items = c[0]
    if len(items) == 1 and items[0][0] is None:
        alone: tree.Type = items[0][1]
        return alone
    return tree.TupleType(tuple(items), span)


@on("optional")
def _optional(c: list[Any], span: Span) -> tree.OptionType:
    return tree.OptionType(c[0], span)


@on("function_type")
def _function_type(c: list[Any], span: Span) -> tree.FunctionType:
    items, _, result = c
    return tree.FunctionType(tuple(kind for _, kind in items), result, span)


# --- expressions -------------------------------------------------------------------------------------------


@on("number")
def _number(c: list[Any], span: Span) -> tree.Number:
    return tree.Number(c[0], span)


@on("true", "false")
def _truth(c: list[Any], span: Span) -> tree.Truth:
    return tree.Truth(c[0] == "true", span)


@on("none")
def _none(c: list[Any], span: Span) -> tree.Nothing:
    return tree.Nothing(span)


@on("ref")
def _ref(c: list[Any], span: Span) -> tree.Ref:
    return tree.Ref(c[0], span)


@on("brackets")
def _brackets(c: list[Any], span: Span) -> Any:
    """The expression inside, with the brackets in its span: what is around it spans whole brackets."""
    return replace(c[1], span=span)


@on("field")
def _field(c: list[Any], span: Span) -> tree.FieldOf:
    return tree.FieldOf(c[0], c[2], span)


@on("index")
def _index(c: list[Any], span: Span) -> tree.Index:
    return tree.Index(c[0], tuple(c[2]), span)


@on("call")
def _call(c: list[Any], span: Span) -> tree.Call:
    function, _, arguments, _ = c
    if isinstance(function, str):
        start = Span(span.file, span.line, span.column, span.line, span.column + len(function))
        function = tree.Name(function, start)
    return tree.Call(function, tuple(arguments or ()), span)


@on("unary")
def _unary(c: list[Any], span: Span) -> tree.Unary:
    return tree.Unary(c[0], c[1], span)


@on("binary")
def _binary(c: list[Any], span: Span) -> tree.Binary:
    return tree.Binary(c[1], c[0], c[2], span)


@on("is_some")
def _is_some(c: list[Any], span: Span) -> tree.Expr:
    return tree.IsSome(c[0], c[2], span)


@on("is_none")
def _is_none(c: list[Any], span: Span) -> tree.Expr:
    return tree.IsSome(c[0], None, span)


@on("is_reading")
def _is_reading(c: list[Any], span: Span) -> tree.IsReading:
    return tree.IsReading(c[1], c[3], span)


@on("is_variant")
def _is_variant(c: list[Any], span: Span) -> tree.IsVariant:
    return tree.IsVariant(c[1], span)


@on("conditional")
def _conditional(c: list[Any], span: Span) -> tree.Conditional:
    then, _, condition, _, other = c
    return tree.Conditional(condition, then, other, span)


@on("range")
def _range(c: list[Any], span: Span) -> tree.RangeExpr:
    return tree.RangeExpr(c[0], c[2], span)


@on("seats_from")
def _seats_from(c: list[Any], span: Span) -> tree.SeatsFrom:
    return tree.SeatsFrom(c[1], span)


@on("generator")
def _generator(c: list[Any], span: Span) -> tree.Generator:
    return tree.Generator(c[0], c[2], span)


@on("quantified")
def _quantified(c: list[Any], span: Span) -> tree.Fold:
    operator, generators, where, _, body = c
    return tree.Fold(operator, tuple(generators), where, body, span)


@on("first")
def _first(c: list[Any], span: Span) -> tree.Fold:
    return tree.Fold("first", (c[1],), c[2], None, span)


@on("fold")
def _fold(c: list[Any], span: Span) -> tree.Fold:
    operator, _, body, _, generators, where, _ = c
    return tree.Fold(operator, tuple(generators), where, body, span)


@on("extreme")
def _extreme(c: list[Any], span: Span) -> tree.Fold:
    operator, _, body, _, generators, _, where, _, default, _ = c
    return tree.Fold(operator, tuple(generators), where, body, span, default)


@on("count")
def _count(c: list[Any], span: Span) -> tree.Fold:
    return tree.Fold("count", tuple(c[2]), c[3], None, span)


@on("tuple")
def _tuple(c: list[Any], span: Span) -> tree.TupleExpr:
    return tree.TupleExpr((c[1], *c[3]), span)


@on("set")
def _set(c: list[Any], span: Span) -> tree.SetExpr:
    return tree.SetExpr(tuple(c[1] or ()), span)


@on("set_of")
def _set_of(c: list[Any], span: Span) -> tree.Fold:
    return tree.Fold("set", (c[1],), c[2], None, span)


@on("entry")
def _entry(c: list[Any], span: Span) -> tuple[tree.Expr, tree.Expr]:
    return c[0], c[2]


@on("map")
def _map(c: list[Any], span: Span) -> tree.MapExpr:
    return tree.MapExpr(tuple(c[1]), span)


@on("map_of")
def _map_of(c: list[Any], span: Span) -> tree.Fold:
    _, (key, body), _, generator, where, _ = c
    return tree.Fold("map", (generator,), where, body, span, key=key)


@on("list")
def _list(c: list[Any], span: Span) -> tree.ListExpr:
    return tree.ListExpr(tuple(c[1] or ()), span)
