"""From drafts to core: readable names for blocks and variables, ranges put in, unused slots left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rulespec.compiler.core.blocks import BlockDraft
from rulespec.compiler.core.context import Context, SlotDraft
from rulespec.compiler.core.limits import ELEMENTS, Refused
from rulespec.compiler.core.ranges import Ranges
from rulespec.compiler.core.tidy import Graph, aim
from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Enter,
    Expr,
    Fold,
    For,
    If,
    Let,
    Lookup,
    Loop,
    Option,
    Param,
    Property,
    Read,
    Set,
    Slot,
    Statement,
    Switch,
    Terminator,
    Var,
)
from rulespec.compiler.core.walk import rebuild

Names = dict[str, str]  # variables in reach, and what they are called from now on


class Finisher:
    def __init__(self, ctx: Context, ranges: Ranges) -> None:
        self.ctx = ctx
        self.ranges = ranges
        self.used: set[str] = set()  # slots that are mentioned
        self.looked: set[str] = set()  # tables that are

    # --- blocks ---------------------------------------------------------------------------------------------

    def blocks(self, graph: Graph) -> dict[str, Block]:
        """The finished blocks by the name that they had as drafts."""
        called = _called(graph)
        inside: dict[str, list[str]] = {key: [] for key in graph}
        for key, draft in graph.items():
            for head in draft.loops:
                if head in inside:
                    inside[head].append(called[key])
        return {key: self._block(draft, called, tuple(inside[key])) for key, draft in graph.items()}

    def _block(self, draft: BlockDraft, called: Names, inside: tuple[str, ...]) -> Block:
        body = self.statements(draft.body, {})
        assert draft.end is not None
        end = aim(self._end(draft.end, draft), called)
        loop = None
        if draft.loop is not None:
            loop = Loop(
                tuple(self.expr(e, {}) for e in draft.loop.measure),
                draft.loop.bounded,
                tuple(self.expr(e, {}) for e in draft.loop.keeps),
                inside,
            )
        return Block(called[draft.key], body, end, loop, draft.origin)

    def _end(self, end: Terminator, draft: BlockDraft) -> Terminator:
        match end:
            case Branch(condition):
                return replace(end, condition=self.expr(condition, {}))
            case Switch(slot, _):
                self.used.add(slot)
            case Choose(actor, options, secret):
                offered = tuple(self._option(o) for o in options)
                return Choose(self.expr(actor, {}), offered, secret)
            case Chance(slot, low, high, weight, seen_by, target, domain):
                self.used.add(slot)
                if draft.spread:
                    low, high = self.ranges.variable(draft.spread) or (0, 0)
                kept = {"outcome": "outcome"}
                seen = self.expr(seen_by, {})
                return Chance(slot, low, high, self.expr(weight, kept), seen, target, domain)
        return end

    def _option(self, o: Option) -> Option:
        names: Names = {}
        params: list[Param] = []
        for p in o.params:
            self.used.add(p.slot)
            low, high = self.expr(p.low, names), self.expr(p.high, names)
            least, most = self.ranges.variable(p.name) or (0, 0)
            names = {**names, p.name: _fresh(p.name, names)}
            params.append(Param(names[p.name], p.slot, low, high, least, most, p.domain))
        guard, unasked = self.expr(o.guard, names), self.expr(o.unasked, names)
        return Option(o.name, tuple(params), guard, o.phrase, o.target, o.origin, unasked)

    # --- statements and expressions -------------------------------------------------------------------------

    def statements(
        self, body: list[Statement] | tuple[Statement, ...], names: Names
    ) -> tuple[Statement, ...]:
        result: list[Statement] = []
        for s in body:
            match s:
                case Set(slot, index, value, origin):
                    self.used.add(slot)
                    at = tuple(self.expr(i, names) for i in index)
                    result.append(Set(slot, at, self.expr(value, names), origin))
                case Let(name, value):
                    value = self.expr(value, names)
                    names = {**names, name: _fresh(name, names)}
                    result.append(Let(names[name], value))
                case If(condition, then, other):
                    test = self.expr(condition, names)
                    yes, no = self.statements(then, names), self.statements(other, names)
                    result.append(If(test, yes, no, s.origin, s.turned))
                case For(variable, low, high, inside):
                    low, high = self._bounds(variable, low, high)
                    within = {**names, variable: _fresh(variable, names)}
                    if low <= high:
                        inside = self.statements(inside, within)
                        result.append(For(within[variable], low, high, inside))
                case Check(condition, kind, text, origin):
                    result.append(Check(self.expr(condition, names), kind, text, origin))
                case Enter():
                    result.append(s)
        return tuple(result)

    def _bounds(self, variable: str, low: int, high: int) -> tuple[int, int]:
        """Those that were not known when the loop or fold was made are known now."""
        if variable in self.ctx.spreads:
            return self.ranges.variable(variable) or (0, -1)
        return low, high

    def expr(self, e: Expr, names: Names) -> Expr:
        """With readable names; `names` are those in reach."""
        match e:
            case Var(name):
                return Var(names[name])
            case Read(slot, ()):
                self.used.add(slot)
                return e
            case Read(slot):
                self.used.add(slot)
            case Lookup(table):
                self.looked.add(table)
            case Fold(operator, variable, low, high, where, body, default):
                low, high = self._bounds(variable, low, high)
                inner = {**names, variable: _fresh(variable, names)}
                return Fold(
                    operator,
                    inner[variable],
                    low,
                    high,
                    None if where is None else self.expr(where, inner),
                    None if body is None else self.expr(body, inner),
                    None if default is None else self.expr(default, names),
                )
        return rebuild(e, lambda child: self.expr(child, names))

    def claim(self, p: Property) -> Property:
        return replace(p, condition=self.expr(p.condition, {}))

    # --- slots ----------------------------------------------------------------------------------------------

    def slots(self) -> tuple[Slot, ...]:
        """State first, then what the rules keep; locals that are never used are left out."""
        kept = [d for d in self.ctx.slots.values() if d.role == "state" or d.name in self.used]
        total = sum(d.size for d in kept)
        if total > ELEMENTS:
            largest = max(kept, key=lambda d: d.size)
            text = f"the state of play takes {total} numbers, and {ELEMENTS} are the most"
            raise Refused("R0516", text, largest.origin.span)
        order = {"state": 0, "local": 1, "control": 2}
        return tuple(_slot(d) for d in sorted(kept, key=lambda d: order[d.role]))


def _slot(d: SlotDraft) -> Slot:
    assert d.low is not None
    assert d.high is not None
    initial = d.initial or [max(d.low, min(0, d.high))] * d.size
    return Slot(
        d.name,
        d.low,
        d.high,
        d.dims,
        d.domain,
        d.role,
        d.sight,
        d.counted,
        d.keeps,
        d.title,
        tuple(initial),
        d.origin,
        d.unless,
        d.said,
    )


def _fresh(name: str, names: Names) -> str:
    """A readable name that no variable in reach has."""
    base = name.partition("#")[0]
    taken = set(names.values())
    found, number = base, 2
    while found in taken:
        found, number = f"{base}.{number}", number + 1
    return found


def _called(graph: Graph) -> Names:
    """`rule.kind.number` for each block, in the order of the graph."""
    counts: Counter[str] = Counter()
    called: Names = {}
    for key, draft in graph.items():
        base = f"{draft.rule or 'game'}.{draft.what}"
        counts[base] += 1
        called[key] = f"{base}.{counts[base]}"
    return called
