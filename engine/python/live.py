"""Which slots are still read: a value that nothing looks at again need not tell copies of a block apart."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Core,
    Expr,
    For,
    If,
    Let,
    Set,
    Statement,
    Switch,
)
from rulespec.compiler.core.walk import reads
from rulespec.engine.python.flow import arrivals

Slots = frozenset[str]


def live_slots(core: Core) -> dict[str, Slots]:
    """For each block, the slots that a random play may read from there on before they are written anew.

    Who is asked, and who sees what chance decides, is not looked at: a play-out does not want to know.
    """
    scalars = frozenset(s.name for s in core.slots if not s.dims)
    live: dict[str, Slots] = {b.name: frozenset() for b in core.blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(core.blocks):
            found = _before(block.body, _at_end(block, live), scalars)
            changed = changed or found != live[block.name]
            live[block.name] = found
    return live


def _at_end(block: Block, live: dict[str, Slots]) -> Slots:
    match block.end:
        case Branch(condition):
            return _read(condition).union(*(live[t] for t in arrivals(block)))
        case Switch(slot, targets):
            return frozenset({slot}).union(*(live[t] for t in targets))
        case Choose(_, options):
            asked = [_read(o.guard, *(e for p in o.params for e in (p.low, p.high))) for o in options]
            after = [live[o.target] - {p.slot for p in o.params} for o in options]
            return frozenset[str]().union(*asked, *after)
        case Chance(slot, _, _, weight, _, target):
            return _read(weight) | (live[target] - {slot})
        case _:
            return frozenset[str]().union(*(live[t] for t in arrivals(block)))


def _before(body: Iterable[Statement], after: Slots, scalars: Slots) -> Slots:
    live = after
    for statement in reversed(tuple(body)):
        match statement:
            case Set(slot, index, value):
                live = (live - {slot} if slot in scalars else live) | _read(value, *index)
            case Let(_, value):
                live |= _read(value)
            case If(condition, then, other):
                live = _before(then, live, scalars) | _before(other, live, scalars) | _read(condition)
            case For(_, _, _, body):
                live |= _before(body, live, scalars)
            case Check(condition):
                live |= _read(condition)
            case _:
                pass
    return live


def _read(*expressions: Expr) -> Slots:
    return frozenset(r.slot for e in expressions for r in reads(e))
