"""Numbers, truth values, `none`, and what stands in brackets and braces."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.constants import LARGEST
from rulespec.compiler.typed.inference import infer, mismatch, needs_hint, value, wrong
from rulespec.compiler.typed.scope import Context
from rulespec.compiler.typed.shapes import INT, a_type, known, plain, show
from rulespec.compiler.typed.suggest import did_you_mean, listing


@infer.register
def _number(e: s.Number, cx: Context, want: t.Type | None) -> t.Expr:
    if e.value > LARGEST:
        text = f"{_short(e.value)} is larger than {LARGEST}"
        cx.report.error("R0310", text, e.span, help=("no game counts so far",))
        return wrong(e.span)
    unit = want.inner if isinstance(want, t.TOption) else want
    return t.Lit(e.value, t.TInt(unit.unit) if isinstance(unit, t.TInt) else INT, e.span)


def _short(number: int) -> str:
    if number >= 10**18:
        return "this number"
    return str(number)


@infer.register
def _truth(e: s.Truth, cx: Context, want: t.Type | None) -> t.Expr:
    return t.Lit(int(e.value), t.BOOL, e.span)


@infer.register
def _none(e: s.Nothing, cx: Context, want: t.Type | None) -> t.Expr:
    if isinstance(want, t.TOption):
        return t.NoneOf(t.TOption(plain(want.inner)), e.span)
    if want is None:
        advice = "say of which type, as in `var leader: Player? = none`"
        cx.report.error("R0320", "the type of this `none` is not known", e.span, help=(advice,))
    elif known(want):
        advice = f"only an option can be `none`: `{show(want)}?`"
        cx.report.error("R0301", f"expected `{show(want)}`, found `none`", e.span, help=(advice,))
    return wrong(e.span)


@infer.register
def _tuple(e: s.TupleExpr, cx: Context, want: t.Type | None) -> t.Expr:
    if isinstance(want, (t.TTuple, t.TRecord)):
        types = want.items if isinstance(want, t.TTuple) else tuple(type for _, type in want.fields)
        if len(types) != len(e.items):
            text = f"expected {len(types)} components, found {len(e.items)}"
            cx.report.error("R0301", text, e.span, help=(f"the type is `{show(want)}`",))
            return wrong(e.span)
        return t.TupleLit(tuple(value(cx, i, x) for i, x in zip(e.items, types, strict=True)), want, e.span)
    items = tuple(infer(i, cx, None) for i in e.items)
    type = t.TTuple(("",) * len(items), tuple(plain(i.type) for i in items))
    return t.TupleLit(items, type, e.span) if known(*type.items) else wrong(e.span)


@infer.register
def _list(e: s.ListExpr, cx: Context, want: t.Type | None) -> t.Expr:
    if isinstance(want, t.TList):
        return t.ListLit(tuple(value(cx, i, want.item) for i in e.items), want, e.span)
    if not e.items:
        advice = "say of which type, as in `var order: List[Player] up to 4 = []`"
        cx.report.error("R0320", "the type of this list is not known", e.span, help=(advice,))
        return wrong(e.span)
    items = _alike(cx, e.items, None)
    if not known(items[0].type):
        return wrong(e.span)
    limit = t.Lit(len(items), INT, e.span)
    return t.ListLit(tuple(items), t.TList(plain(items[0].type), limit), e.span)


def _alike(cx: Context, items: Sequence[s.Expr], want: t.Type | None) -> list[t.Expr]:
    """Expressions of one type: that of the first."""
    first = infer(items[0], cx, want)
    return [first, *(value(cx, i, plain(first.type)) for i in items[1:])]


@infer.register
def _set(e: s.SetExpr, cx: Context, want: t.Type | None) -> t.Expr:
    if not e.items:
        return _empty(e, cx, want)
    if isinstance(want, t.TBag):
        infer(e.items[0], cx, want.kind)
        advice = "a bag says how many of each: `{green: 1}`"
        cx.report.error("R0301", f"expected `{show(want)}`, found a set", e.span, help=(advice,))
        return wrong(e.span)
    kind = want.kind if isinstance(want, t.TSet) else None
    items = _alike(cx, e.items, kind) if kind is None else [value(cx, i, kind) for i in e.items]
    type = items[0].type
    if not known(*(i.type for i in items)):
        return wrong(e.span)
    if not isinstance(type, t.TEnum):
        advice = "sets hold members of an enum, rows of a table or players"
        cx.report.error("R0313", f"there is no set of `{show(type)}`", e.span, help=(advice,))
        return wrong(e.span)
    _twice(cx, items)
    return t.SetLit(tuple(items), t.TSet(type), e.span)


def _empty(e: s.SetExpr, cx: Context, want: t.Type | None) -> t.Expr:
    match want:
        case t.TSet():
            return t.SetLit((), t.TSet(want.kind), e.span)
        case t.TBag():
            return t.MapLit((), t.TBag(want.kind), e.span)
        case t.TMap():
            cx.report.error("R0321", "a map names every key", e.span, help=(_every_key(want),))
        case None:
            advice = "say of which type, as in `var seen: Set[Color] = {}`"
            cx.report.error("R0320", "the type of `{}` is not known", e.span, help=(advice,))
        case _ if known(want):
            cx.report.error("R0301", f"expected `{show(want)}`, found `{{}}`", e.span)
    return wrong(e.span)


def _every_key(type: t.TMap) -> str:
    return f"to give all the same value write `{{k: ... for k in {type.key.name}}}`"


def _twice(cx: Context, items: Sequence[t.Expr]) -> bool:
    """Report literal members that are named twice."""
    first: dict[int, t.Expr] = {}
    for item in items:
        if not isinstance(item, t.Lit):
            continue
        if item.value in first:
            label = Label(first[item.value].span, "the first time")
            cx.report.error("R0321", "the same member stands here twice", item.span, label)
            return True
        first[item.value] = item
    return False


@infer.register
def _map(e: s.MapExpr, cx: Context, want: t.Type | None) -> t.Expr:
    match want:
        case t.TRecord():
            return _record(e, cx, want)
        case t.TMap() | t.TBag():
            keys = [value(cx, key, want.kind if isinstance(want, t.TBag) else want.key) for key, _ in e.items]
            item = INT if isinstance(want, t.TBag) else want.value
            values = [value(cx, v, item) for _, v in e.items]
            return _entries(e, cx, keys, values, t.TBag(want.kind) if isinstance(want, t.TBag) else want)
        case t.TSet():
            _first_key(e, cx)
            advice = "a set only says which: `{green}`"
            cx.report.error("R0301", f"expected `{show(want)}`, found a bag", e.span, help=(advice,))
            return wrong(e.span)
    keys = _alike(cx, [key for key, _ in e.items], None)
    values = _alike(cx, [v for _, v in e.items], None)
    kind = keys[0].type
    if not isinstance(kind, t.TEnum):
        if known(kind):
            mismatch(cx, keys[0], t.TEnum("a member of an enum"))
        return wrong(e.span)
    item = plain(values[0].type)
    return _entries(e, cx, keys, values, t.TBag(kind) if item == INT else t.TMap(kind, item))


def _first_key(e: s.MapExpr, cx: Context) -> None:
    for key, _ in e.items[:1]:
        infer(key, cx, None)


def _entries(
    e: s.MapExpr, cx: Context, keys: list[t.Expr], values: list[t.Expr], type: t.TMap | t.TBag
) -> t.Expr:
    if not known(*(k.type for k in keys), *(v.type for v in values)):
        return wrong(e.span)
    literal = [k for k in keys if isinstance(k, t.Lit)]
    for key in keys:
        if not isinstance(key, t.Lit):
            advice = "the keys in braces are members by name; write `{k: ... for k in ...}` for others"
            cx.report.error("R0321", "this key is not a member's name", key.span, help=(advice,))
            return wrong(e.span)
    if _twice(cx, keys):
        return wrong(e.span)
    if isinstance(type, t.TMap) and not _complete(e, cx, {k.value for k in literal}, type):
        return wrong(e.span)
    return t.MapLit(tuple(zip(literal, values, strict=True)), type, e.span)


def _complete(e: s.MapExpr, cx: Context, named: set[int], type: t.TMap) -> bool:
    members: Sequence[str] = cx.book.enums.get(type.key.name, ())
    if type.key == t.PLAYER:
        if cx.seats is None:
            cx.report.error("R0321", "a map names every key", e.span, help=(_every_key(type),))
            return False
        members = [f"p{n}" for n in range(cx.seats)]
    missing = [m for n, m in enumerate(members) if n not in named]
    if missing:
        advice = (f"add {listing(missing)}", _every_key(type))
        cx.report.error("R0321", "a map names every key", e.span, help=advice)
    return not missing


def _record(e: s.MapExpr, cx: Context, want: t.TRecord) -> t.Expr:
    """`{who: p, amount: 3}`: every field once."""
    fields = dict(want.fields)
    found: dict[str, t.Expr] = {}
    failed = False
    for key, item in e.items:
        name = key.name.text if isinstance(key, s.Ref) else ""
        if name in found:
            label = Label(found[name].span, "the first time")
            cx.report.error("R0321", f"the field `{name}` stands here twice", key.span, label)
            failed = True
        elif name not in fields:
            advice = did_you_mean(name, fields) or (f"its fields are {listing(fields)}",)
            cx.report.error("R0204", f"`{name}` is not a field of `{want.name}`", key.span, help=advice)
            if not needs_hint(item, cx):
                infer(item, cx, None)
            failed = True
        else:
            found[name] = value(cx, item, fields[name])
    missing = [name for name in fields if name not in found]
    if missing and not failed:
        text = f"{a_type(want)} has further fields"
        cx.report.error("R0321", text, e.span, help=(f"add {listing(missing)}",))
    if missing or failed:
        return wrong(e.span)
    return t.TupleLit(tuple(found[name] for name in fields), want, e.span)
