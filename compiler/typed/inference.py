"""The heart of typing expressions: `infer` for each form, `value` where a type is expected.

The forms register themselves with `infer` in `literals`, `access`, `calls`, `operators` and `folds`;
`expressions` brings all of them together and is what other modules import.
"""

from __future__ import annotations

from functools import singledispatch

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.constants import number
from rulespec.compiler.typed.scope import Context
from rulespec.compiler.typed.shapes import UNKNOWN, known, plain, same, show


@singledispatch
def infer(e: object, cx: Context, want: t.Type | None) -> t.Expr:
    """The typed form of an expression. `want` is a hint for literals, braces, `none`; it is not enforced."""
    raise TypeError(f"no rule for {type(e).__name__}")


def value(cx: Context, e: s.Expr, want: t.Type, *labels: Label) -> t.Expr:
    """An expression where a type is expected; a mismatch is reported, with `labels` saying who expects it."""
    return coerce(cx, infer(e, cx, want), want, *labels)


def wrong(span: Span) -> t.Expr:
    """What stands for an expression with a mistake that has been reported."""
    return t.Lit(0, UNKNOWN, span)


def coerce(cx: Context, x: t.Expr, want: t.Type, *labels: Label) -> t.Expr:
    """The expression as a value of `want`: the same type, or a value where an option is expected."""
    if same(x.type, want):
        _check_in_range(cx, x, want)
        return x
    if isinstance(want, t.TOption) and same(x.type, want.inner):
        _check_in_range(cx, x, want.inner)
        return t.SomeOf(x, t.TOption(plain(want.inner)), x.span)
    mismatch(cx, x, want, *labels)
    return wrong(x.span)


def mismatch(cx: Context, x: t.Expr, want: t.Type, *labels: Label) -> None:
    """Report that `x` has another type than `want`."""
    found = x.type
    if isinstance(found, t.TInt) and isinstance(want, t.TInt):
        unit_mismatch(cx, found.unit, want.unit, x.span, *labels)
        return
    advice: tuple[str, ...] = ()
    if isinstance(found, t.TOption) and same(found.inner, want):
        advice = ("it may be `none`: test it first, as in `if x is some y:`",)
    if isinstance(found, t.TSet) and isinstance(want, t.TBag):
        advice = ("a bag says how many of each: `{green: 1}`",)
    if isinstance(found, t.TBag) and isinstance(want, t.TSet):
        advice = ("a set only says which: `{green}`",)
    text = f"expected `{show(want)}`, found `{show(found)}`"
    cx.report.error("R0301", text, x.span, *labels, help=advice)


def unit_mismatch(cx: Context, found: str, want: str, span: Span, *labels: Label) -> None:
    if not found:
        advice = f"say how many {want} each one is worth: a literal takes the unit, as in `1 * n`"
    elif not want:
        advice = f"{found} divided by {found} (`div`) are a plain number; otherwise units never mix"
    else:
        advice = "units never mix"
    text = f"expected {_amount(want)}, found {_amount(found)}"
    cx.report.error("R0302", text, span, *labels, help=(advice,))


def _amount(unit: str) -> str:
    return f"`{unit}`" if unit else "a plain `Int`"


def _check_in_range(cx: Context, x: t.Expr, want: t.Type) -> None:
    if not isinstance(want, t.TInt) or want.low is None:
        return
    found, low, high = number(x), number(want.low), number(want.high)
    if found is None or low is None or high is None or low <= found <= high or low > high:
        return
    advice = f"the type allows `{low}..{high}`"
    cx.report.error("R0308", f"{found} lies outside `{low}..{high}`", x.span, help=(advice,))


# --- which side of an operator tells the other its type -----------------------------------------------------


def takes_unit(e: s.Expr) -> bool:
    """A number whose unit is open because a literal decides it: `3`, `2 * size(x)`, `max(1, 2)`."""
    match e:
        case s.Number():
            return True
        case s.Unary("-" | "half up" | "half down", inner):
            return takes_unit(inner)
        case s.Binary("+" | "-", left, right):
            return takes_unit(left) and takes_unit(right)
        case s.Binary("*", left, right):
            return takes_unit(left) or takes_unit(right)
        case s.Binary("div" | "mod", left, _):
            return takes_unit(left)
        case s.Conditional():
            return takes_unit(e.then) and takes_unit(e.other)
        case s.Call(name, arguments) if name.text in ("min", "max", "abs"):
            return all(map(takes_unit, arguments))
        case s.Fold("sum" | "min" | "max") if e.body is not None:
            return takes_unit(e.body)
        case _:
            return False


def needs_hint(e: s.Expr, cx: Context) -> bool:
    """True when an expression is better understood once the type of its neighbor is known."""
    match e:
        case s.Nothing() | s.SetExpr() | s.MapExpr() | s.ListExpr() | s.TupleExpr() | s.Fold("map"):
            return True
        case s.Ref(name):
            return name.text not in cx.scope and len(cx.book.find_members(name)) > 1
        case s.Conditional():
            return needs_hint(e.then, cx) and needs_hint(e.other, cx)
        case _:
            return takes_unit(e)


def both(cx: Context, left: s.Expr, right: s.Expr, want: t.Type | None) -> tuple[t.Expr, t.Expr]:
    """Two expressions of one type: whoever knows its type is asked first and tells the other."""
    if needs_hint(left, cx) and not needs_hint(right, cx):
        second = infer(right, cx, want)
        return infer(left, cx, _told(second, want)), second
    first = infer(left, cx, want)
    return first, infer(right, cx, _told(first, want))


def _told(x: t.Expr, want: t.Type | None) -> t.Type | None:
    return plain(x.type) if known(x.type) else want
