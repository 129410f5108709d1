"""Tests, and the names that they give to the values of options."""

from __future__ import annotations

from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.inference import infer, value, wrong
from rulespec.compiler.typed.scope import Binding, Context
from rulespec.compiler.typed.shapes import a_type, known, plain


def truth(cx: Context, e: s.Expr, statement: bool = False) -> tuple[t.Expr, dict[str, Binding]]:
    """A truth value, and the names that are bound where it holds.

    In the condition of an `if` statement the names are locals, elsewhere they belong to the expression.
    """
    match e:
        case s.Binary("and", left, right):
            first, bindings = truth(cx, left, statement)
            second, more = truth(cx.with_(bindings), right, statement)
            return t.Logic("and", (first, second), e.span), {**bindings, **more}
        case s.Binary("implies", left, right):
            first, bindings = truth(cx, left)
            second, _ = truth(cx.with_(bindings), right)
            return t.Logic("implies", (first, second), e.span), {}
        case s.Binary("or", left, right):
            return t.Logic("or", (truth(cx, left)[0], truth(cx, right)[0]), e.span), {}
        case s.IsSome() if e.name is not None:
            return _is_some(cx, e, e.name, statement)
        case _:
            return value(cx, e, t.BOOL), {}


def _is_some(cx: Context, e: s.IsSome, name: s.Name, statement: bool) -> tuple[t.Expr, dict[str, Binding]]:
    owner = infer(e.value, cx, None)
    inner = owner.type.inner if isinstance(owner.type, t.TOption) else owner.type
    if known(owner.type) and not isinstance(owner.type, t.TOption):
        _not_an_option(cx, owner, e.span)
    bind = cx.local if statement else cx.bound
    binder, bindings = bind(name, plain(inner), "name of an option's value")
    if not isinstance(owner.type, t.TOption):
        return wrong(e.span), bindings
    return t.IsSome(owner, binder, e.span), bindings


def _not_an_option(cx: Context, owner: t.Expr, span: Span) -> None:
    text = f"{a_type(owner.type)} is never `none`"
    advice = "only an option, such as `Player?`, is `some` or `none`"
    cx.report.error("R0304", text, span, help=(advice,))


@infer.register
def _option_test(e: s.IsSome, cx: Context, want: t.Type | None) -> t.Expr:
    if e.name is not None:
        return truth(cx, e)[0]
    owner = infer(e.value, cx, None)
    if not isinstance(owner.type, t.TOption):
        if known(owner.type):
            _not_an_option(cx, owner, e.span)
        return wrong(e.span)
    return t.Logic("not", (t.IsSome(owner, None, e.span),), e.span)
