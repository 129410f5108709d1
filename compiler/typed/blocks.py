"""Lists of statements. The forms register themselves with `statement` in `statements` and `choices`."""

from __future__ import annotations

from functools import singledispatch
from itertools import pairwise

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.flow import leaves
from rulespec.compiler.typed.scope import Binding, Context


@singledispatch
def statement(e: object, cx: Context) -> list[t.Statement]:
    """What a statement becomes; a `let` or `var` adds its names to the scope of `cx`."""
    raise TypeError(f"no rule for {type(e).__name__}")


def block(
    cx: Context, written: tuple[s.Statement, ...], bindings: dict[str, Binding] | None = None
) -> tuple[t.Statement, ...]:
    """Statements in a scope of their own, with some names already bound."""
    inner = cx.child()
    inner.scope.update(bindings or {})
    made: list[t.Statement] = []
    for one in written:
        made.extend(statement(one, inner))
    _unreachable(cx, written)
    return tuple(made)


def _unreachable(cx: Context, written: tuple[s.Statement, ...]) -> None:
    for before, after in pairwise(written):
        if leaves(before):
            label = Label(before.span, "nothing goes on after this")
            cx.report.error("R0409", "this is never reached", after.span, label, help=("remove it",))
            return
