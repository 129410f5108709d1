"""How each rule will be lowered: what the configuration has decided, what waits, what is written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import get_args

from rulespec.compiler.core import survey
from rulespec.compiler.core.context import Context
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.limits import Refused
from rulespec.compiler.core.tree import Truth
from rulespec.compiler.typed import tree as t

SMALL = 25  # statements of a rule that is written out wherever it is called
IN_ALL = 120  # statements that the calls of one rule may come to when it is written out

Body = tuple[t.Statement, ...]
_STATEMENTS: tuple[type[t.Statement], ...] = get_args(t.Statement)
_OPEN = (t.Local, t.Bound, t.StateRef, t.CallFunction)


@dataclass(frozen=True)
class Plan:
    """A rule with the configuration's decisions taken; `mutable` locals are assigned to again."""

    rule: t.Rule
    body: Body
    mutable: frozenset[str]
    calls: tuple[str, ...]


class Plans:
    def __init__(self, ctx: Context, roots: Iterable[str]) -> None:
        self.ctx = ctx
        self.survey = survey.Survey(ctx.functions, ctx.rules)
        self._plans: dict[str, Plan] = {}
        self._flat: dict[tuple[int, bool], bool] = {}
        self._cost: dict[str, int] = {}
        self._inlined: dict[str, bool] = {}
        self.sites: Counter[str] = Counter()
        self.reached: list[str] = []
        waiting = list(roots)
        for name in waiting:
            if name not in self.reached:
                self.reached.append(name)
                self.sites.update(self.of(name).calls)
                waiting.extend(self.of(name).calls)

    def of(self, name: str) -> Plan:
        if name not in self._plans:
            rule = self.ctx.rules[name]
            body = self.decided(rule.body)
            calls = tuple(n.rule for n in survey.nodes(body) if isinstance(n, t.CallRule))
            self._plans[name] = Plan(rule, body, frozenset(survey.mutable(body)), calls[::-1])
        return self._plans[name]

    # --- what the configuration decides ---------------------------------------------------------------------

    def decided(self, body: Body) -> Body:
        """Without branches never taken; what follows a branch that leaves goes into the other branch."""
        result: list[t.Statement] = []
        rest = list(reversed(body))
        while rest:
            s = self._decided(rest.pop())
            if isinstance(s, t.If):
                known = self.known(s.condition)
                if known is not None:
                    rest.extend(reversed(s.then if known else s.other))
                    continue
                then, other = self.decided(s.then), self.decided(s.other)
                if leaves(then):
                    other, rest = self.decided((*s.other, *reversed(rest))), []
                elif leaves(other):
                    then, rest = self.decided((*s.then, *reversed(rest))), []
                s = replace(s, then=then, other=other)
            result.append(s)
            if isinstance(s, t.Return | t.Stop):
                break
        return tuple(result)

    def _decided(self, s: t.Statement) -> t.Statement:
        match s:
            case t.For() | t.While():
                return replace(s, body=self.decided(s.body))
            case t.Choose() | t.AtOnce():
                offered = [o for o in s.options if o.guard is None or self.known(o.guard) is not False]
                # A choice of nothing stays one, to be found by whoever plays or proves.
                options = offered or list(s.options[:1])
                return replace(s, options=tuple(replace(o, body=self.decided(o.body)) for o in options))
        return s

    def known(self, condition: t.Expr) -> bool | None:
        """What the configuration makes of a condition, if it does."""
        match condition:
            case t.Logic("not", (only,)):
                found = self.known(only)
                return None if found is None else not found
            case t.Logic("and" | "or" as operator, (left, right)):
                decisive = operator == "or"
                sides = (self.known(left), self.known(right))
                if decisive in sides:
                    return decisive
                return None if None in sides else not decisive
        if any(isinstance(node, _OPEN) for node in survey.nodes(condition)):
            return None
        try:
            found_expr = Scope(self.ctx).expr(condition)
        except Refused:
            return None  # lowering it for good will say what is wrong
        return found_expr.value if isinstance(found_expr, Truth) else None

    # --- what waits -----------------------------------------------------------------------------------------

    def flat_list(self, body: Body, tail: bool) -> bool:
        last = len(body) - 1
        return all(self.flat(s, tail and n == last) for n, s in enumerate(body))

    def flat(self, s: t.Statement, tail: bool) -> bool:
        """Whether `s` lies within one block. `tail`: it is the last thing its rule does, so it may return."""
        key = (id(s), tail)
        if key not in self._flat:
            self._flat[key] = self._is_flat(s, tail)
        return self._flat[key]

    def _is_flat(self, s: t.Statement, tail: bool) -> bool:
        match s:
            case t.Draw() | t.Random() | t.While() | t.Choose() | t.AtOnce() | t.Stop():
                return False
            case t.Return():
                return tail
            case t.If(_, then, other):
                return self.flat_list(then, tail) and self.flat_list(other, tail)
            case t.For():
                return self.flat_list(s.body, False)
            case t.CallRule(rule):
                return self.inlined(rule)
        return True

    def inlined(self, name: str) -> bool:
        """Whether calls of the rule are written out: it does not wait, and is small or called once."""
        if name not in self._inlined:
            cost, sites = self.cost(name), self.sites[name]
            small = sites <= 1 or cost <= SMALL or cost * sites <= IN_ALL
            self._inlined[name] = small and self.flat_list(self.of(name).body, True)
        return self._inlined[name]

    def cost(self, name: str) -> int:
        """Number of statements, those of called rules taken in."""
        if name not in self._cost:
            plan = self.of(name)
            own = sum(isinstance(node, _STATEMENTS) for node in survey.nodes(plan.body))
            self._cost[name] = own + sum(map(self.cost, plan.calls))
        return self._cost[name]


def leaves(body: Body) -> bool:
    """Whether a list of statements always returns or leaves its loop."""
    if not body:
        return False
    match body[-1]:
        case t.Return() | t.Stop():
            return True
        case t.If(_, then, other):
            return leaves(then) and leaves(other)
    return False
