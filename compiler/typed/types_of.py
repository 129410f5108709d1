"""Types as written become types: names looked up, ranges made constant, places told from values."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.constants import LARGEST, number, varying
from rulespec.compiler.typed.inference import value
from rulespec.compiler.typed.scope import Context, Symbol
from rulespec.compiler.typed.shapes import MONEY, UNKNOWN, FunctionShape, Shape, scalar, show
from rulespec.compiler.typed.suggest import did_you_mean, with_article

CONTAINERS = {"Set": 1, "Bag": 1, "Deck": 1, "Map": 2, "List": 1}


def shape_of(cx: Context, written: s.Type) -> Shape:
    """The type of a parameter, which may be that of a function."""
    if isinstance(written, s.FunctionType):
        parameters = tuple(type_of(cx, p) for p in written.parameters)
        return FunctionShape(parameters, type_of(cx, written.result))
    return type_of(cx, written)


def type_of(cx: Context, written: s.Type) -> t.Type:
    """The type written; `UNKNOWN` after a mistake, which has been reported."""
    match written:
        case s.NamedType():
            return _named(cx, written)
        case s.OptionType():
            return _option(cx, written)
        case s.TupleType():
            return _tuple(cx, written)
        case s.GenericType():
            return _generic(cx, written)
        case s.FunctionType():
            advice = "a function type is only for the parameters of rules and functions"
            cx.report.error("R0313", "a function cannot be a value", written.span, help=(advice,))
            return UNKNOWN


def _named(cx: Context, written: s.NamedType) -> t.Type:
    name = written.name.text
    if name in ("Int", "points", "money") or _symbol_sort(cx, written.name) == "currency":
        return _number(cx, written)
    type = _member_type(cx, written.name)
    if written.low is not None and type != UNKNOWN:
        advice = "only numbers have a range"
        cx.report.error("R0313", f"`{name}` cannot have a range", written.span, help=(advice,))
    return type


def _symbol_sort(cx: Context, name: s.Name) -> str:
    symbol = cx.book.find(name)
    return symbol.sort if symbol else ""


def _member_type(cx: Context, name: s.Name) -> t.Type:
    """`Bool`, `Player`, an enum, a table or a record."""
    if name.text == "Bool":
        return t.BOOL
    if name.text == "Player":
        return t.PLAYER
    symbol = cx.book.find(name)
    if symbol is None:
        return _unknown_type(cx, name)
    match symbol.sort:
        case "enum" | "table" | "grid":
            return t.TEnum(name.text)
        case "record":
            return cx.book.records.get(name.text, UNKNOWN)
        case "piece":
            kind = cx.book.kinds(name.text).name
            advice = f"for one kind of it write `{kind}`, for a place `Bag[{name.text}]`, `Set` or `Deck`"
            _not_a_type(cx, name, symbol, advice)
        case _:
            _not_a_type(cx, name, symbol)
    return UNKNOWN


def _not_a_type(cx: Context, name: s.Name, symbol: Symbol, *advice: str) -> None:
    label = Label(symbol.span, "defined here")
    text = f"`{name.text}` is {with_article(symbol.sort)}, not a type of values"
    cx.report.error("R0203", text, name.span, label, help=advice)


def _unknown_type(cx: Context, name: s.Name) -> t.Type:
    known = ["Bool", "Int", "Player", "points", *CONTAINERS]
    known += cx.book.names(name.span.file, "enum", "table", "grid", "record", "currency", "piece")
    advice = did_you_mean(name.text, known) or ("declare it as an `enum`, `table`, `record` or `currency`",)
    if name.text in CONTAINERS:
        advice = (f"say of what, as in `{name.text}[Color]`",)
    cx.report.error("R0202", f"there is no type `{name.text}`", name.span, help=advice)
    return UNKNOWN


def _number(cx: Context, written: s.NamedType) -> t.Type:
    unit = "" if written.name.text == "Int" else written.name.text
    if unit == MONEY:
        if cx.money is None:
            advice = "name the currency; `money` is for rules and functions of modules, whose callers fix it"
            cx.report.error("R0312", "`money` has no meaning here", written.name.span, help=(advice,))
            return UNKNOWN
        unit = cx.money
    if unit not in ("", "points"):
        cx.book.used.add(unit)
    if written.low is None or written.high is None:
        return t.TInt(unit)
    bare = t.TInt(unit)
    low, high = (value(cx, end, bare) for end in (written.low, written.high))
    if not (_fixed(cx, low) and _fixed(cx, high)):
        return bare
    check_range(cx, number(low), number(high), written.low.span.to(written.high.span))
    return t.TInt(unit, low, high)


def _fixed(cx: Context, end: t.Expr) -> bool:
    loose = varying(end)
    if loose is not None:
        advice = "use numbers and params; a test of the play belongs in an `invariant`"
        cx.report.error("R0311", "the ends of a range are fixed before play", loose.span, help=(advice,))
    return loose is None


def check_range(cx: Context, low: int | None, high: int | None, span: Span) -> None:
    """Report a range that is empty or very wide."""
    if low is None or high is None:
        return
    if low > high:
        cx.report.error("R0309", f"nothing lies in `{low}..{high}`", span, help=(f"write `{high}..{low}`?",))
    elif high - low > LARGEST:
        text = f"the range `{low}..{high}` is wider than {LARGEST} values"
        cx.report.error("R0310", text, span, help=("a narrower range is played and proved faster, too",))


def _option(cx: Context, written: s.OptionType) -> t.Type:
    inner = type_of(cx, written.inner)
    if inner == UNKNOWN:
        return UNKNOWN
    if isinstance(inner, t.TOption) or not scalar(inner):
        advice = "an option holds a number, a truth value, a member of an enum or a player"
        cx.report.error("R0313", f"`{show(inner)}` cannot be an option", written.span, help=(advice,))
        return UNKNOWN
    return t.TOption(inner)


def _tuple(cx: Context, written: s.TupleType) -> t.Type:
    items = tuple(type_of(cx, item) for _, item in written.items)
    names = tuple(name.text if name else "" for name, _ in written.items)
    first: dict[str, s.Name] = {}
    for name, _ in written.items:
        if name is not None and name.text in first:
            label = Label(first[name.text].span, "the first one")
            cx.report.error("R0210", f"the component `{name.text}` stands twice", name.span, label)
        elif name is not None:
            first[name.text] = name
    if UNKNOWN in items:
        return UNKNOWN
    # A single component in brackets is just itself; its name is for `ensures`.
    return items[0] if len(items) == 1 else t.TTuple(names, items)


def _generic(cx: Context, written: s.GenericType) -> t.Type:
    head = written.head.text
    if head not in CONTAINERS:
        return _unknown_container(cx, written.head)
    if len(written.arguments) != CONTAINERS[head]:
        form = "Map[K, V]" if head == "Map" else f"{head}[T]"
        cx.report.error("R0313", f"`{head}` is written `{form}`", written.span)
        return UNKNOWN
    if written.limit is not None and head != "List":
        cx.report.error("R0313", f"only a `List` has a limit, not a `{head}`", written.limit.span)
    match head:
        case "List":
            return _list(cx, written)
        case "Map":
            return _map(cx, written)
        case _:
            return _of_kinds(cx, written)


def _unknown_container(cx: Context, head: s.Name) -> t.Type:
    advice = did_you_mean(head.text, CONTAINERS) or ("there are `Set`, `Bag`, `Deck`, `Map` and `List`",)
    cx.report.error("R0202", f"there is no type `{head.text}[...]`", head.span, help=advice)
    return UNKNOWN


def _of_kinds(cx: Context, written: s.GenericType) -> t.Type:
    """`Set`, `Bag`, `Deck` of an enum or of a piece."""
    head, argument = written.head.text, written.arguments[0]
    if isinstance(argument, s.NamedType) and _symbol_sort(cx, argument.name) == "piece":
        cx.book.used.add(argument.name.text)
        kind, piece = cx.book.kinds(argument.name.text), argument.name.text
        match head:
            case "Set":
                return t.TSet(kind, piece)
            case "Bag":
                return t.TBag(kind, piece)
            case _:
                return t.TDeck(kind, piece)
    inner = type_of(cx, argument)
    if inner == UNKNOWN:
        return UNKNOWN
    if head == "Deck":
        advice = "a deck is a pile of pieces: declare a `piece` and write its name"
        cx.report.error("R0313", f"there is no deck of `{show(inner)}`", argument.span, help=(advice,))
        return UNKNOWN
    if not isinstance(inner, t.TEnum):
        advice = f"a `{head}` is of an enum, a table, `Player` or a piece"
        cx.report.error("R0313", f"there is no `{head}` of `{show(inner)}`", argument.span, help=(advice,))
        return UNKNOWN
    return t.TSet(inner) if head == "Set" else t.TBag(inner)


def _map(cx: Context, written: s.GenericType) -> t.Type:
    key = type_of(cx, written.arguments[0])
    item = type_of(cx, written.arguments[1])
    if UNKNOWN in (key, item):
        return UNKNOWN
    if not isinstance(key, t.TEnum):
        advice = "the keys of a map are an enum, a table or `Player`"
        cx.report.error("R0313", f"`{show(key)}` cannot be a key", written.arguments[0].span, help=(advice,))
        return UNKNOWN
    if isinstance(item, (t.TTuple, t.TDeck, t.TList)):
        advice = "a map holds numbers, truth values, members, options, records, sets, bags or maps"
        cx.report.error(
            "R0313", f"a map cannot hold `{show(item)}`", written.arguments[1].span, help=(advice,)
        )
        return UNKNOWN
    return t.TMap(key, item)


def _list(cx: Context, written: s.GenericType) -> t.Type:
    item = type_of(cx, written.arguments[0])
    if item == UNKNOWN:
        return UNKNOWN
    if isinstance(item, t.TOption) or not scalar(item):
        advice = "a list holds numbers, truth values, members or players"
        cx.report.error("R0313", f"a list cannot hold `{show(item)}`", written.span, help=(advice,))
        return UNKNOWN
    if written.limit is None:
        advice = f"say how long it may get: `List[{show(item)}] up to 10`"
        cx.report.error("R0313", "this list has no limit", written.span, help=(advice,))
        return UNKNOWN
    limit = value(cx, written.limit, t.TInt())
    if not _fixed(cx, limit):
        return UNKNOWN
    found = number(limit)
    if found is not None and not 1 <= found <= 1000:
        text = f"a list of up to {found} items is too long"
        if found < 1:
            text = f"a list of up to {found} items is always empty"
        cx.report.error("R0310", text, written.limit.span, help=("between 1 and 1000 are possible",))
    return t.TList(item, limit)
