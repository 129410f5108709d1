"""Which slots of a record are still to be used at a waiting point; the others hold what is left over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.compiler.core import walk
from rulespec.compiler.core.tree import (
    Branch,
    Chance,
    Check,
    Choose,
    Core,
    Expr,
    For,
    Goto,
    If,
    Let,
    Set,
    Statement,
    Switch,
    Terminator,
    Var,
)

Names = frozenset[str]
NO_NAMES: Names = frozenset()


class Live:
    """For each block of a core, the slots that may be read from its end on before they are written."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._before = dict.fromkeys(core.block, NO_NAMES)
        changed = True
        while changed:
            changed = False
            for block in reversed(core.blocks):
                found = self._body(block.body, self._end(block.end))
                if found != self._before[block.name]:
                    self._before[block.name] = found
                    changed = True

    def at(self, block: int) -> Names:
        """The slots that may still be read when the block of this number waits."""
        return self._end(self._core.blocks[block].end)

    def _end(self, end: Terminator) -> Names:
        before = self._before
        match end:
            case Goto(target):
                return before[target]
            case Branch(condition, then, other):
                return before[then] | before[other] | _read(condition)
            case Switch(slot, targets):
                return NO_NAMES.union(*(before[target] for target in targets), (slot,))
            case Chance():
                return (before[end.target] - {end.slot}) | _read(end.weight, end.seen_by)
            case Choose(actor, options):
                found = _read(actor)
                for option in options:
                    asks = [option.guard, *(e for p in option.params for e in (p.low, p.high))]
                    found |= (before[option.target] - {p.slot for p in option.params}) | _read(*asks)
                return found
            case _:
                # What the result of the game is made of.
                return _read(*self._core.ranking)

    def _body(self, body: Sequence[Statement], live: Names) -> Names:
        for statement in reversed(body):
            match statement:
                case Set(slot, index, value):
                    live = (live - (NO_NAMES if index else {slot})) | _read(value, *index)
                case Let(_, value) | Check(value):
                    live |= _read(value)
                case If(condition, then, other):
                    live = self._body(then, live) | self._body(other, live) | _read(condition)
                case For(body=inner):
                    whole = frozenset(self._overwritten(statement, ()))
                    live = (live - whole) | self._body(inner, live - whole)
                case _:
                    pass
        return live

    def _overwritten(self, loop: For, around: tuple[For, ...]) -> Iterator[str]:
        """Slots that nested loops write element by element, over all of each dimension."""
        loops = (*around, loop)
        for statement in loop.body:
            match statement:
                case Set(slot, index) if index == tuple(Var(each.variable) for each in loops):
                    sizes = [len(dim.names) for dim in self._core.slot[slot].dims]
                    if [(each.low, each.high) for each in loops] == [(0, size - 1) for size in sizes]:
                        yield slot
                case For():
                    yield from self._overwritten(statement, loops)
                case _:
                    pass


def _read(*expressions: Expr) -> Names:
    return frozenset(read.slot for e in expressions for read in walk.reads(e))
