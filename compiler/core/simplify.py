"""Uses the ranges that were found: what has one value only is a constant; what always holds is left out."""

from __future__ import annotations

from dataclasses import replace

from rulespec.compiler.core import build
from rulespec.compiler.core.context import Context, Settled
from rulespec.compiler.core.intervals import Interval
from rulespec.compiler.core.ranges import Ranges
from rulespec.compiler.core.tidy import Graph
from rulespec.compiler.core.tree import (
    TRUE,
    Branch,
    Chance,
    Check,
    Choose,
    Compare,
    Const,
    Expr,
    For,
    If,
    Let,
    Lookup,
    Option,
    Read,
    Set,
    Statement,
    Switch,
    Terminator,
    Truth,
    Var,
)
from rulespec.compiler.core.walk import rebuild


class Simplifier:
    def __init__(self, ctx: Context, ranges: Ranges) -> None:
        self.ctx = ctx
        self.ranges = ranges
        self.known: dict[str, Const] = {}  # variables that are constants

    def graph(self, graph: Graph) -> None:
        """Rewrites the blocks in place; they may be tidied again afterwards."""
        asked = {b.end.slot for b in graph.values() if isinstance(b.end, Switch)}
        self.fixed = {
            d.name: d.low
            for d in self.ctx.slots.values()
            if d.role != "state" and d.low is not None and d.low == d.high and d.name not in asked
        }
        for block in graph.values():
            block.body = self.statements(block.body)
            assert block.end is not None
            block.end = self.end(block.end)
            if block.loop is not None:
                block.loop.measure = tuple(map(self.expr, block.loop.measure))
                block.loop.keeps = tuple(e for e in map(self.expr, block.loop.keeps) if e != TRUE)

    def statements(self, body: list[Statement] | tuple[Statement, ...]) -> list[Statement]:
        result: list[Statement] = []
        for s in body:
            match s:
                case Set(slot, index, value):
                    if slot not in self.fixed:
                        result.append(Set(slot, tuple(map(self.expr, index)), self.expr(value), s.origin))
                case Let(name, value):
                    found = self.expr(value)
                    if isinstance(found, Const):
                        self.known[name] = found
                    else:
                        result.append(Let(name, found))
                case If():
                    result.extend(self._if(s))
                case For(variable, low, high, inside):
                    kept = self.statements(inside)
                    if kept:
                        result.append(For(variable, low, high, tuple(kept)))
                case Check(condition, kind, text):
                    test = self.expr(condition)
                    if test != TRUE:
                        result.append(Check(test, kind, text, s.origin))
                case _:
                    result.append(s)
        return result

    def _if(self, s: If) -> list[Statement]:
        test = self.expr(s.condition)
        if isinstance(test, Truth):
            self.ctx.settled.append(Settled(s.origin, test.value is not s.turned))
            return self.statements(s.then if test.value else s.other)
        yes, no = self.statements(s.then), self.statements(s.other)
        if yes:
            return [If(test, tuple(yes), tuple(no), s.origin, s.turned)]
        return [If(build.negate(test), tuple(no), (), s.origin, not s.turned)] if no else []

    def end(self, end: Terminator) -> Terminator:
        match end:
            case Branch(condition):
                test = self.expr(condition)
                if isinstance(test, Truth):
                    self.ctx.settled.append(Settled(end.origin, test.value))
                return replace(end, condition=test)
            case Choose(actor, options, secret):
                return Choose(self.expr(actor), tuple(map(self._option, options)), secret)
            case Chance():
                return replace(end, weight=self.expr(end.weight), seen_by=self.expr(end.seen_by))
        return end

    def _option(self, o: Option) -> Option:
        params = tuple(replace(p, low=self.expr(p.low), high=self.expr(p.high)) for p in o.params)
        return replace(o, params=params, guard=self.expr(o.guard), unasked=self.expr(o.unasked))

    def expr(self, e: Expr) -> Expr:
        match e:
            case Const() | Truth():
                return e
            case Var(name):
                return self.known.get(name, e)
            case Read(slot) if slot in self.fixed:
                return build.number(self.fixed[slot])
            case Compare(operator, left, right):
                decided = self._decided(operator, left, right)
                if decided is not None:
                    return decided
        return rebuild(e, self.expr)

    def _decided(self, operator: str, left: Expr, right: Expr) -> Expr | None:
        """What a comparison of two plain numbers always comes to, if it does."""
        if not isinstance(left, Const | Read | Var | Lookup) or not isinstance(
            right, Const | Read | Var | Lookup
        ):
            return None
        a, b = self._range(left), self._range(right)
        if a is None or b is None:
            return None
        outcomes = {
            "<": (a[1] < b[0], a[0] >= b[1]),
            "<=": (a[1] <= b[0], a[0] > b[1]),
            ">": (a[0] > b[1], a[1] <= b[0]),
            ">=": (a[0] >= b[1], a[1] < b[0]),
            "=": (a[0] == a[1] == b[0] == b[1], a[1] < b[0] or b[1] < a[0]),
            "!=": (a[1] < b[0] or b[1] < a[0], a[0] == a[1] == b[0] == b[1]),
        }
        always, never = outcomes[operator]
        return build.truth(always) if always or never else None

    def _range(self, e: Expr) -> Interval | None:
        return self.ranges.intervals.of(e, {})
