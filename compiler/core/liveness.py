"""Which slots matter where the rules wait: those that may still be read before they are written anew.

Two records that differ in dead slots only are the same position. Whoever keeps positions apart can put the
dead slots to their initial values first; nothing that follows can tell.

A rule that is called from several places goes back to one of them only, and what the others keep is dead
meanwhile. So a block is looked at once for each way in which the rules may have come to it.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.compiler.core.check import successors
from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Const,
    Core,
    Expr,
    For,
    If,
    Let,
    Set,
    Statement,
    Switch,
    Var,
)
from rulespec.compiler.core.walk import reads, sets
from rulespec.compiler.values import dataclass

Slots = frozenset[str]
Way = tuple[tuple[str, int], ...]  # where the rules that are going on will return to: slots and their values
Node = tuple[str, Way]
_NONE: Slots = frozenset()
_MOST = 50_000  # ways; no rulebook that people can read has so many


@dataclass(frozen=True, slots=True)
class Mask:
    """In a block, where the slots of `when` have these values, the content of `dead` makes no difference."""

    when: Way
    dead: tuple[str, ...]


class _Untold(Exception):
    """Where a rule goes back to cannot be told from the blocks alone, or only in too many ways."""


def masks(core: Core) -> dict[str, tuple[Mask, ...]]:
    """For each block, its masks, of which just one fits a record that play can come to.

    There are none where it cannot be told to which place a rule goes back.
    """
    kept = [s.name for s in core.slots if s.role != "state"]
    found: dict[str, list[Mask]] = {b.name: [] for b in core.blocks}
    try:
        everywhere = _live(core)
    except _Untold:
        return dict.fromkeys(found, ())
    for (name, way), alive in everywhere.items():
        found[name].append(Mask(way, tuple(x for x in kept if x not in alive)))
    return {name: tuple(several) for name, several in found.items()}


def _live(core: Core) -> dict[Node, Slots]:
    """For each block and way, the slots that may be read from its beginning on before they are written."""
    following = _ways(core)
    found: dict[Node, Slots] = dict.fromkeys(following, _NONE)
    leading: dict[Node, list[Node]] = {node: [] for node in following}
    for node, after in following.items():
        for target in after:
            leading[target].append(node)
    waiting = list(following)
    while waiting:
        node = waiting.pop()
        block = core.block[node[0]]
        after_end = _NONE.union(*(_put(block, t[0], found[t]) for t in following[node]))
        alive = before(core, block.body, after_end | _asked(block))
        if block.loop is not None:
            alive |= read_by(*block.loop.measure, *block.loop.keeps)
        if alive != found[node]:
            found[node] = alive
            waiting.extend(leading[node])
    return found


def _ways(core: Core) -> dict[Node, tuple[Node, ...]]:
    """All blocks with the ways to them, and what each leads to."""
    returns = {b.end.slot for b in core.blocks if isinstance(b.end, Switch)}
    if returns & {slot for b in core.blocks for slot in _decided(b)}:
        raise _Untold
    found: dict[Node, tuple[Node, ...]] = {}
    waiting: list[Node] = [(core.start, ())]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = _following(core.block[node[0]], node[1], returns)
            waiting.extend(found[node])
            if len(found) > _MOST:
                raise _Untold
    return found


def _decided(block: Block) -> tuple[str, ...]:
    """The slots that a player or chance fills at the end of a block."""
    match block.end:
        case Chance(slot):
            return (slot,)
        case Choose(_, options):
            return tuple(p.slot for o in options for p in o.params)
    return ()


def _following(block: Block, way: Way, returns: set[str]) -> tuple[Node, ...]:
    going_on = dict(way)
    for s in block.body:
        if isinstance(s, Set) and s.slot in returns and isinstance(s.value, Const):
            going_on[s.slot] = s.value.value
        elif any(w.slot in returns for w in sets((s,))):
            raise _Untold
    if isinstance(block.end, Switch):
        back = going_on.pop(block.end.slot, None)
        if back is None:
            raise _Untold
        return ((block.end.targets[back], tuple(sorted(going_on.items()))),)
    after = tuple(sorted(going_on.items()))
    return tuple((target, after) for target in successors(block))


def _put(block: Block, target: str, wanted: Slots) -> Slots:
    """What must be alive before the end of `block` for `wanted` to be alive in `target`."""
    match block.end:
        case Chance(slot):
            return wanted - {slot}
        case Choose(_, options):
            written = (frozenset(p.slot for p in o.params) for o in options if o.target == target)
            # Several options may lead to the same place, and not all of them write the same.
            return wanted - frozenset.intersection(*written)
    return wanted


def _asked(block: Block) -> Slots:
    """What the end of a block itself reads."""
    match block.end:
        case Branch(condition):
            return read_by(condition)
        case Switch(slot):
            return frozenset({slot})
        case Choose(actor, options):
            parts = [e for o in options for e in (o.guard, *(x for p in o.params for x in (p.low, p.high)))]
            return read_by(actor, *parts)
        case Chance():
            return read_by(block.end.weight, block.end.seen_by)
    return _NONE


def read_by(*expressions: Expr) -> Slots:
    """The slots that looking at these may read."""
    return frozenset(r.slot for e in expressions for r in reads(e))


def before(core: Core, body: Iterable[Statement], after: Slots) -> Slots:
    """What must be alive before some statements for `after` to be alive behind them."""
    alive = after
    for s in reversed(tuple(body)):
        match s:
            case Set(slot, index, value):
                if not index:
                    alive -= {slot}
                alive |= read_by(value, *index)
            case Let(_, value) | Check(value):
                alive |= read_by(value)
            case If(condition, then, other):
                alive = before(core, then, alive) | before(core, other, alive) | read_by(condition)
            case For(_, _, _, inside):
                # What the body reads it may have written the time before, or not: it counts as read.
                alive = (alive - _overwritten(core, s, ())) | before(core, inside, _NONE)
    return alive


def _overwritten(core: Core, loop: For, outer: tuple[For, ...]) -> Slots:
    """Arrays of which a loop, with those around it, writes every element."""
    found: set[str] = set()
    around = (*outer, loop)
    for s in loop.body:
        match s:
            case Set(slot, index) if index == tuple(Var(x.variable) for x in around):
                dims = core.slot[slot].dims
                spans = zip(around, dims, strict=True)
                if all(x.low <= 0 and x.high >= len(d.names) - 1 for x, d in spans):
                    found.add(slot)
            case For():
                found |= _overwritten(core, s, around)
    return frozenset(found)
