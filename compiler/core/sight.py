"""Who may see what the rules keep on the way.

A local is open unless something secret comes into it: the value of a private or hidden slot, or a condition
on one. Then it is private too when each seat's part depends on that seat's secrets only; if not, it is
hidden. What a player has announced by choosing is no secret any more.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.compiler.core.context import Context
from rulespec.compiler.core.tidy import Graph
from rulespec.compiler.core.tree import Expr, Fold, For, If, Let, Read, Set, Statement, Var
from rulespec.compiler.core.walk import children
from rulespec.compiler.values import dataclass

_RANK = {"open": 0, "private": 1, "hidden": 2}


@dataclass(frozen=True, slots=True)
class Flow:
    """What decides the content of a slot: reads of other slots, each once."""

    target: Set
    reads: tuple[Read, ...]


def find(ctx: Context, blocks: Graph) -> None:
    """Sets `sight` of all locals and control slots."""
    flows = list(_Flows(ctx, blocks).all())
    changed = True
    while changed:
        changed = False
        for flow in flows:
            draft = ctx.slots[flow.target.slot]
            wanted = _sight(ctx, flow)
            if draft.role != "state" and draft.sight in _RANK and _RANK[wanted] > _RANK[draft.sight]:
                draft.sight = wanted
                changed = True


def _sight(ctx: Context, flow: Flow) -> str:
    draft = ctx.slots[flow.target.slot]
    by_seat = bool(draft.dims) and draft.dims[0] == ctx.domains["Player"]
    worst = "open"
    for read in flow.reads:
        match ctx.slots[read.slot].sight:
            case "open":
                continue
            case "private" | "seat" if by_seat and read.index[0] == flow.target.index[0]:
                worst = "private" if worst == "open" else worst
            case _:
                return "hidden"
    return worst


class _Flows:
    def __init__(self, ctx: Context, blocks: Graph) -> None:
        self.ctx = ctx
        self.blocks = blocks
        self.named: dict[str, tuple[Read, ...]] = {}  # what decides a variable

    def all(self) -> Iterator[Flow]:
        for block in self.blocks.values():
            under: set[Read] = set()
            for condition in block.under:
                under.update(self.reads(condition))
            yield from self.statements(block.body, frozenset(under))

    def statements(
        self, body: list[Statement] | tuple[Statement, ...], under: frozenset[Read]
    ) -> Iterator[Flow]:
        for s in body:
            match s:
                case Set(slot, index, value) if self.ctx.slots[slot].role != "state":
                    found = under.union(self.reads(value), *(self.reads(i) for i in index))
                    yield Flow(s, tuple(found))
                case Let(name, value):
                    self.named[name] = tuple(under.union(self.reads(value)))
                case If(condition, then, other):
                    inner = under.union(self.reads(condition))
                    yield from self.statements(then, inner)
                    yield from self.statements(other, inner)
                case For(_, _, _, inside):
                    yield from self.statements(inside, under)

    def reads(self, e: Expr) -> set[Read]:
        """Reads of slots that may be secret: locals, and state that is not open."""
        found: set[Read] = set()
        waiting = [e]
        while waiting:
            x = waiting.pop()
            if isinstance(x, Read):
                draft = self.ctx.slots[x.slot]
                if draft.role != "state" or draft.sight != "open":
                    found.add(x)
            elif isinstance(x, Var):
                found.update(self.named.get(x.name, ()))
            elif isinstance(x, Fold) and self.public(x):
                read = x.body
                assert isinstance(read, Read)
                waiting.extend(read.index)
                continue
            waiting.extend(children(x))
        return found

    def public(self, e: Fold) -> bool:
        """Whether it is the number of pieces in a place, which all may see although not what they are."""
        if e.operator != "sum" or e.where is not None or not isinstance(e.body, Read):
            return False
        draft = self.ctx.slots[e.body.slot]
        secret = e.body.index[1:] if draft.sight == "private" else e.body.index
        return draft.counted and secret == (Var(e.variable),)
