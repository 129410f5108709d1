"""What names stand for while expressions are lowered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from rulespec.compiler.core import build, views
from rulespec.compiler.core.context import Context
from rulespec.compiler.core.limits import DEPTH, Refused
from rulespec.compiler.core.tree import Expr
from rulespec.compiler.core.views import View, scalar
from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """What names stand for. `locals` grows while a rule is lowered; the others are one expression's."""

    ctx: Context
    locals: dict[str, View] = field(default_factory=dict)
    named: Mapping[str, View] = field(default_factory=dict)  # locals bound by `is some` in this condition
    bounds: Mapping[str, View] = field(default_factory=dict)

    def bind(self, name: str, view: View) -> Scope:
        return replace(self, bounds={**self.bounds, name: view})

    def bind_local(self, name: str, view: View) -> Scope:
        return replace(self, named={**self.named, name: view})

    def view(self, e: t.Expr) -> View:
        ctx = self.ctx
        ctx.tick(e.span)
        if ctx.depth >= DEPTH:
            text = f"this is nested more than {DEPTH} deep when functions are written out"
            raise Refused("R0512", text, e.span)
        ctx.depth += 1
        try:
            return CASES[type(e)](self, e)
        finally:
            ctx.depth -= 1

    def expr(self, e: t.Expr) -> Expr:
        """A scalar: a number, or a truth value when the type is `Bool`."""
        return scalar(self.view(e))

    def condition(self, e: t.Expr) -> tuple[Expr, Scope]:
        """A truth value, and the scope where it holds: with what `is some` binds."""
        match e:
            case t.IsSome(value, binder):
                option = views.maybe(self.view(value))
                if binder is None:
                    return option.some, self
                bind = self.bind if isinstance(binder, t.Bound) else self.bind_local
                return option.some, bind(binder.name, option.value)
            case t.Logic("and", (left, right)):
                a, inner = self.condition(left)
                b, inner = inner.condition(right)
                return build.both(a, b), inner
        return self.expr(e), self


Case = Callable[[Scope, Any], View]
CASES: dict[type[t.Expr], Case] = {}  # how each kind of expression is lowered; `expressions` fills it
