"""Operators: numbers and their units, comparisons, sets and bags."""

from __future__ import annotations

from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.conditions import truth
from rulespec.compiler.typed.constants import number, varying
from rulespec.compiler.typed.folds import membership
from rulespec.compiler.typed.inference import (
    both,
    coerce,
    infer,
    mismatch,
    needs_hint,
    takes_unit,
    unit_mismatch,
    value,
    wrong,
)
from rulespec.compiler.typed.scope import Context
from rulespec.compiler.typed.shapes import INT, a_type, known, plain, same, scalar, show

ORDERED = ("<", "<=", ">", ">=")
SET_WORDS = ("union", "minus", "intersect")


# --- one operand --------------------------------------------------------------------------------------------


@infer.register
def _unary(e: s.Unary, cx: Context, want: t.Type | None) -> t.Expr:
    match e.operator:
        case "not":
            return t.Logic("not", (value(cx, e.value, t.BOOL),), e.span)
        case "some":
            inner = want.inner if isinstance(want, t.TOption) else None
            return _some(e, cx, infer(e.value, cx, inner))
        case "left of" | "right of":
            return t.Seat(e.operator.split()[0], value(cx, e.value, t.PLAYER), e.span)
        case "others of":
            return _others(e, cx)
        case operator:
            return _number_unary(e, cx, operator, want)


def _some(e: s.Unary, cx: Context, inner: t.Expr) -> t.Expr:
    if not known(inner.type):
        return wrong(e.span)
    if not scalar(inner.type) or isinstance(inner.type, t.TOption):
        text = f"{a_type(inner.type)} cannot be an option"
        cx.report.error("R0313", text, e.span, help=("options hold numbers, truth values and members",))
        return wrong(e.span)
    return t.SomeOf(inner, t.TOption(plain(inner.type)), e.span)


def _others(e: s.Unary, cx: Context) -> t.Expr:
    player = value(cx, e.value, t.PLAYER)
    binder = t.Bound(cx.names.fresh("other"), t.PLAYER, e.span)
    where = t.Compare("!=", binder, player, e.span)
    return t.SetOf(t.Generator(binder, t.EveryMember(t.PLAYER)), where, t.TSet(t.PLAYER), e.span)


def _number_unary(e: s.Unary, cx: Context, operator: str, want: t.Type | None) -> t.Expr:
    inner = infer(e.value, cx, want)
    if not isinstance(inner.type, t.TInt):
        if known(inner.type):
            mismatch(cx, inner, INT)
        return wrong(e.span)
    name = {"-": "neg", "half up": "half_up", "half down": "half_down"}[operator]
    if name == "neg" and isinstance(inner, t.Lit):
        return t.Lit(-inner.value, inner.type, e.span)
    return t.Arith(name, (inner,), plain(inner.type), e.span)


# --- two operands -------------------------------------------------------------------------------------------


@infer.register
def _binary(e: s.Binary, cx: Context, want: t.Type | None) -> t.Expr:
    match e.operator:
        case "and" | "or" | "implies":
            return truth(cx, e)[0]
        case "=" | "!=" | "<" | "<=" | ">" | ">=":
            return _compare(e, cx)
        case "+" | "-":
            return _sum(e, cx, want)
        case "*":
            return _product(e, cx, want)
        case "div" | "mod":
            return _division(e, cx, want)
        case "in" | "not in":
            return membership(e, cx)
        case _:
            return _set_operation(e, cx, want)


def _sum(e: s.Binary, cx: Context, want: t.Type | None) -> t.Expr:
    left, right = both(cx, e.left, e.right, want)
    match left.type, right.type:
        case t.TInt(unit), t.TInt(other):
            if unit != other:
                unit_mismatch(cx, other, unit, right.span)
                return wrong(e.span)
            return t.Arith(e.operator, (left, right), t.TInt(unit), e.span)
        case t.TBag(kind), t.TBag(other_kind):
            if same(kind, other_kind):
                return t.SetOp(e.operator, left, right, t.TBag(kind), e.span)
            mismatch(cx, right, plain(left.type))
        case t.TSet(), t.TSet():
            word = "union" if e.operator == "+" else "minus"
            text = f"`{e.operator}` is for numbers and bags"
            cx.report.error("R0301", text, e.span, help=(f"for sets write `{word}`",))
        case a, b if known(a, b):
            wrong_side = right if isinstance(a, (t.TInt, t.TBag)) else left
            mismatch(cx, wrong_side, plain(a) if wrong_side is right else INT)
    return wrong(e.span)


def _product(e: s.Binary, cx: Context, want: t.Type | None) -> t.Expr:
    """A unit times a plain number; a literal takes the unit that is expected of the whole."""
    literal, other = (e.left, e.right) if takes_unit(e.left) else (e.right, e.left)
    if not takes_unit(literal):
        first, second = infer(e.left, cx, None), infer(e.right, cx, None)
    else:
        # Where both could take the unit, the left one does.
        counted = infer(other, cx, INT)
        weight = infer(literal, cx, INT if _unit(counted) else want)
        first, second = (weight, counted) if literal is e.left else (counted, weight)
    if not known(first.type, second.type):
        return wrong(e.span)
    for side in (first, second):
        if not isinstance(side.type, t.TInt):
            mismatch(cx, side, INT)
            return wrong(e.span)
    unit, other_unit = _unit(first), _unit(second)
    if unit and other_unit:
        text = f"`{unit}` times `{other_unit}` is no amount"
        cx.report.error("R0302", text, e.span, help=("multiply a unit by a plain number",))
        return wrong(e.span)
    return t.Arith("*", (first, second), t.TInt(unit or other_unit), e.span)


def _unit(x: t.Expr) -> str:
    return x.type.unit if isinstance(x.type, t.TInt) else ""


def _division(e: s.Binary, cx: Context, want: t.Type | None) -> t.Expr:
    left = infer(e.left, cx, want)
    right = infer(e.right, cx, INT)
    for side in (left, right):
        if not isinstance(side.type, t.TInt):
            if known(side.type):
                mismatch(cx, side, INT)
            return wrong(e.span)
    amount, divisor = _unit(left), _unit(right)
    if divisor and divisor != amount:
        unit_mismatch(cx, divisor, amount, right.span)
        return wrong(e.span)
    if not _good_divisor(cx, e, right):
        return wrong(e.span)
    # Ducats by ducats is how many times; what is left over are ducats.
    unit = "" if divisor and e.operator == "div" else amount
    return t.Arith(e.operator, (left, right), t.TInt(unit), e.span)


def _good_divisor(cx: Context, e: s.Binary, right: t.Expr) -> bool:
    if varying(right) is not None:
        advice = "divide by a number or a param"
        cx.report.error("R0307", f"`{e.operator}` is by something that changes", right.span, help=(advice,))
        return False
    found = number(right)
    if found is not None and found <= 0:
        cx.report.error("R0307", f"`{e.operator}` is by {found}", right.span, help=("a divisor is positive",))
        return False
    return True


def _set_operation(e: s.Binary, cx: Context, want: t.Type | None) -> t.Expr:
    left, right = both(cx, e.left, e.right, want)
    if not known(left.type, right.type):
        return wrong(e.span)
    if isinstance(left.type, t.TBag) and isinstance(right.type, t.TBag):
        words = {"union": "+", "minus": "-"}
        advice = (f"for bags write `{words[e.operator]}`",) if e.operator in words else ()
        cx.report.error("R0301", f"`{e.operator}` is for sets", e.span, help=advice)
        return wrong(e.span)
    if not isinstance(left.type, t.TSet):
        text = f"`{e.operator}` is for sets, found `{show(left.type)}`"
        cx.report.error("R0301", text, left.span)
        return wrong(e.span)
    other = coerce(cx, right, plain(left.type))
    if not known(other.type):
        return wrong(e.span)
    return t.SetOp(e.operator, left, other, t.TSet(left.type.kind), e.span)


# --- comparing ----------------------------------------------------------------------------------------------


def _compare(e: s.Binary, cx: Context) -> t.Expr:
    left, right = both(cx, e.left, e.right, None)
    if not known(left.type, right.type):
        return wrong(e.span)
    # `leader != q` with `leader: Player?`: the player is taken as an option.
    if isinstance(left.type, t.TOption) and same(left.type.inner, right.type):
        right = t.SomeOf(right, t.TOption(plain(right.type)), right.span)
    elif isinstance(right.type, t.TOption) and same(right.type.inner, left.type):
        left = t.SomeOf(left, t.TOption(plain(left.type)), left.span)
    if not same(left.type, right.type):
        _unlike(cx, e, left, right)
        return wrong(e.span)
    return t.Compare(e.operator, left, right, e.span) if _comparable(cx, e, left.type) else wrong(e.span)


def _unlike(cx: Context, e: s.Binary, left: t.Expr, right: t.Expr) -> None:
    if isinstance(left.type, t.TInt) and isinstance(right.type, t.TInt):
        unit_mismatch(cx, right.type.unit, left.type.unit, right.span)
        return
    text = f"{a_type(left.type)} is never {a_type(right.type)}"
    advice: tuple[str, ...] = ()
    if isinstance(left.type, t.TEnum) and isinstance(right.type, (t.TSet, t.TBag)):
        advice = ("to ask whether it is in there write `in`",)
    if {type(left.type), type(right.type)} == {t.TSet, t.TBag}:
        advice = ("compare a set with a set `{green}`, a bag with a bag `{green: 1}`",)
    if t.TDeck in (type(left.type), type(right.type)):
        advice = ("compare how many it holds of each kind, as in `pile[green] = 1`",)
    cx.report.error("R0305", text, e.span, help=advice)


def _comparable(cx: Context, e: s.Binary, type: t.Type) -> bool:
    ordered = e.operator in ORDERED
    match type:
        case t.TInt() | t.TEnum():
            return True
        case t.TBool() | t.TOption():
            fits = not ordered
        case t.TSet() | t.TBag():
            fits = e.operator not in ("<", ">")
        case _:
            text = f"two `{show(type)}` cannot be compared"
            cx.report.error("R0305", text, e.span, help=("compare them part by part",))
            return False
    if not fits:
        text = f"`{e.operator}` does not compare two `{show(type)}`"
        cx.report.error("R0305", text, e.span, help=_instead(type))
    return fits


def _instead(type: t.Type) -> tuple[str, ...]:
    if isinstance(type, (t.TSet, t.TBag)):
        return ("`<=` asks whether all of the left is in the right, `size(...)` counts",)
    return ("`=` and `!=` do",)


@infer.register
def _conditional(e: s.Conditional, cx: Context, want: t.Type | None) -> t.Expr:
    condition, bindings = truth(cx, e.condition)
    inner = cx.with_(bindings)
    if needs_hint(e.then, inner) and not needs_hint(e.other, cx):
        other = infer(e.other, cx, want)
        then = infer(e.then, inner, plain(other.type) if known(other.type) else want)
    else:
        then = infer(e.then, inner, want)
        other = infer(e.other, cx, want or (plain(then.type) if known(then.type) else None))
    if not known(then.type, other.type):
        return wrong(e.span)
    type = _common(then.type, other.type)
    then, other = coerce(cx, then, type), coerce(cx, other, type)
    return t.Conditional(condition, then, other, type, e.span) if known(other.type) else wrong(e.span)


def _common(a: t.Type, b: t.Type) -> t.Type:
    if isinstance(b, t.TOption) and same(b.inner, a):
        return plain(b)
    return plain(a)
