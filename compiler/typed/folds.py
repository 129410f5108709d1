"""Domains, generators, and the values made from many: quantifiers, sums, comprehensions."""

from __future__ import annotations

from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.conditions import truth
from rulespec.compiler.typed.constants import number
from rulespec.compiler.typed.inference import (
    both,
    coerce,
    infer,
    mismatch,
    needs_hint,
    takes_unit,
    value,
    wrong,
)
from rulespec.compiler.typed.scope import Context
from rulespec.compiler.typed.shapes import INT, UNKNOWN, a_type, known, plain, scalar, show
from rulespec.compiler.typed.types_of import check_range

# --- domains ------------------------------------------------------------------------------------------------

NOTHING = t.Members(t.Lit(0, UNKNOWN))


def domain(cx: Context, e: s.Expr, want: t.Type | None = None) -> tuple[t.Domain, t.Type]:
    """What a generator ranges over, and the type of its values; the type is `UNKNOWN` after a mistake."""
    match e:
        case s.SeatsFrom():
            return t.SeatsFrom(value(cx, e.start, t.PLAYER)), t.PLAYER
        case s.RangeExpr():
            return _numbers(cx, e, want)
        case s.Ref(name) if name.text not in cx.scope:
            enum = _enum(cx, name)
            if enum is not None:
                return t.EveryMember(enum), enum
    owner = infer(e, cx, None)
    match owner.type:
        case t.TSet(kind) | t.TBag(kind) | t.TDeck(kind):
            return t.Members(owner), kind
        case t.TList(item):
            return t.Members(owner), plain(item)
        case type if known(type):
            _not_a_domain(cx, type, e.span)
    return NOTHING, UNKNOWN


def _enum(cx: Context, name: s.Name) -> t.TEnum | None:
    if name.text in ("players", "Player"):
        return t.PLAYER
    symbol = cx.book.find(name)
    if symbol is None or cx.book.find_members(name):
        return None
    if symbol.sort in ("enum", "table", "grid"):
        return t.TEnum(symbol.name)
    return None


def _not_a_domain(cx: Context, type: t.Type, span: Span) -> None:
    advice = "there are enums, tables, `players`, sets, bags, places, lists and ranges `a..b`"
    if isinstance(type, t.TMap):
        advice = f"go through its keys: `{type.key.name}`"
    if isinstance(type, t.TInt):
        advice = "to count write a range, as in `1..n`"
    cx.report.error("R0314", f"one cannot go through {a_type(type)}", span, help=(advice,))


def _numbers(cx: Context, e: s.RangeExpr, want: t.Type | None) -> tuple[t.Domain, t.Type]:
    low, high = both(cx, e.low, e.high, want)
    if takes_unit(e.low) and takes_unit(e.high) and isinstance(want, t.TInt):
        low, high = infer(e.low, cx, want), infer(e.high, cx, want)
    if not isinstance(low.type, t.TInt):
        if known(low.type):
            mismatch(cx, low, INT)
        return NOTHING, UNKNOWN
    high = coerce(cx, high, plain(low.type))
    if not known(high.type):
        return NOTHING, UNKNOWN
    check_range(cx, number(low), number(high), e.span)
    return t.Numbers(low, high, low.type.unit), t.TInt(low.type.unit)


@infer.register
def _range(e: s.RangeExpr, cx: Context, want: t.Type | None) -> t.Expr:
    advice = "ranges stand after `in`"
    cx.report.error("R0314", "a range is not a value", e.span, help=(advice,))
    return wrong(e.span)


@infer.register
def _seats(e: s.SeatsFrom, cx: Context, want: t.Type | None) -> t.Expr:
    advice = "a set has no order: write `players`, and give the first player besides"
    cx.report.error("R0314", "`players from` stands only after `in`", e.span, help=(advice,))
    return wrong(e.span)


def membership(e: s.Binary, cx: Context) -> t.Expr:
    """`x in D`, `x not in D`."""
    if needs_hint(e.left, cx):
        found, type = domain(cx, e.right)
        item = infer(e.left, cx, type if known(type) else None)
    else:
        item = infer(e.left, cx, None)
        found, type = domain(cx, e.right, plain(item.type) if known(item.type) else None)
    if not known(type, item.type):
        return wrong(e.span)
    checked = coerce(cx, item, type)
    if not known(checked.type):
        return wrong(e.span)
    inside = t.Within(checked, found, e.span)
    return inside if e.operator == "in" else t.Logic("not", (inside,), e.span)


# --- generators ---------------------------------------------------------------------------------------------


def generators(cx: Context, written: tuple[s.Generator, ...]) -> tuple[tuple[t.Generator, ...], Context]:
    """Generators from left to right, each seeing those before it, and the context in which all are known."""
    found = []
    for generator in written:
        one, cx = generator_of(cx, generator)
        found.append(one)
    return tuple(found), cx


def generator_of(cx: Context, written: s.Generator) -> tuple[t.Generator, Context]:
    ranges_over, type = domain(cx, written.domain)
    binder, bindings = cx.bound(written.name, type, "name of a generator")
    return t.Generator(binder, ranges_over), cx.with_(bindings)


@infer.register
def _fold(e: s.Fold, cx: Context, want: t.Type | None) -> t.Expr:
    made, inner = generators(cx, e.generators)
    where = truth(inner, e.where)[0] if e.where is not None else None
    failed = any(not known(g.binder.type) for g in made)
    match e.operator:
        case "all" | "any":
            body = _required(e, inner, t.BOOL)
            return t.Fold(e.operator, made, where, body, None, t.BOOL, e.span)
        case "count":
            return t.Fold("count", made, where, None, None, INT, e.span)
        case "sum" | "min" | "max":
            return wrong(e.span) if failed else _number_fold(e, cx, inner, made, where, want)
    if failed:
        return wrong(e.span)
    match e.operator:
        case "first":
            return _first(e, cx, made[0], where)
        case "set":
            return _set_of(e, cx, made[0], where)
        case _:
            return _map_of(e, inner, made[0], where, want)


def _required(e: s.Fold, cx: Context, type: t.Type) -> t.Expr:
    assert e.body is not None
    return value(cx, e.body, type)


def _number_fold(
    e: s.Fold,
    cx: Context,
    inner: Context,
    made: tuple[t.Generator, ...],
    where: t.Expr | None,
    want: t.Type | None,
) -> t.Expr:
    assert e.body is not None
    body = infer(e.body, inner, want)
    if not isinstance(body.type, t.TInt):
        if known(body.type):
            mismatch(cx, body, INT)
        return wrong(e.span)
    type = plain(body.type)
    default = value(cx, e.default, type) if e.default is not None else None
    return t.Fold(e.operator, made, where, body, default, type, e.span)


def _first(e: s.Fold, cx: Context, generator: t.Generator, where: t.Expr | None) -> t.Expr:
    type = generator.binder.type
    if not scalar(type) or isinstance(type, t.TOption):
        text = f"`first` gives an option, and there is no option of `{show(type)}`"
        cx.report.error("R0313", text, e.span)
        return wrong(e.span)
    return t.Fold("first", (generator,), where, None, None, t.TOption(type), e.span)


def _set_of(e: s.Fold, cx: Context, generator: t.Generator, where: t.Expr | None) -> t.Expr:
    type = generator.binder.type
    if not isinstance(type, t.TEnum):
        advice = "sets hold members of an enum, rows of a table or players"
        cx.report.error("R0313", f"there is no set of `{show(type)}`", e.span, help=(advice,))
        return wrong(e.span)
    return t.SetOf(generator, where, t.TSet(type), e.span)


def _map_of(
    e: s.Fold, cx: Context, generator: t.Generator, where: t.Expr | None, want: t.Type | None
) -> t.Expr:
    """A bag where one is expected, else a map; a map has a value for every key."""
    key = generator.binder.type
    if not isinstance(key, t.TEnum):
        advice = "its keys are members of an enum, rows of a table or players"
        cx.report.error("R0313", f"there is no map from `{show(key)}`", e.span, help=(advice,))
        return wrong(e.span)
    assert e.body is not None
    if e.key is not None:
        cx.book.uses[e.key.span] = e.generators[0].name.span
    if e.key is not None and not (isinstance(e.key, s.Ref) and e.key.name.text == e.generators[0].name.text):
        name = e.generators[0].name.text
        text = "the keys are what is gone through"
        cx.report.error("R0321", text, e.key.span, help=(f"write `{{{name}: ... for {name} in ...}}`",))
        return wrong(e.span)
    if isinstance(want, t.TBag):
        body: t.Expr = value(cx, e.body, INT)
        type: t.TMap | t.TBag = t.TBag(key)
    else:
        item = want.value if isinstance(want, t.TMap) else None
        body = value(cx, e.body, item) if item is not None else infer(e.body, cx, None)
        type = t.TMap(key, item if item is not None else plain(body.type))
    if not known(body.type):
        return wrong(e.span)
    whole = isinstance(generator.domain, t.EveryMember) and where is None
    if isinstance(type, t.TMap) and not whole:
        if want is None and body.type == INT:
            type = t.TBag(key)
        else:
            advice = f"go through all of `{key.name}`, with a conditional for the others"
            cx.report.error("R0321", "a map has a value for every key", e.span, help=(advice,))
            return wrong(e.span)
    if where is not None:
        body = t.Conditional(where, body, t.Lit(0, INT, e.span), INT, e.span)
    return t.MapOf(generator, body, type, e.span)
