"""Simplifies the graph of blocks: nothing unreachable, no detours, straight lines in one block.

Blocks that ask, let chance decide, head a loop or end stay without statements: what holds at such a point
holds for the record as it is there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rulespec.compiler.core.blocks import BlockDraft
from rulespec.compiler.core.tree import (
    Branch,
    Chance,
    Choose,
    End,
    Goto,
    Set,
    Statement,
    Switch,
    Terminator,
    Truth,
)

Graph = dict[str, BlockDraft]


def targets(end: Terminator | None) -> tuple[str, ...]:
    """Where a block's end may lead, in its order."""
    match end:
        case Goto(target):
            return (target,)
        case Branch(_, then, other):
            return (then, other)
        case Switch(_, several):
            return several
        case Choose(_, options):
            return tuple(o.target for o in options)
        case Chance():
            return (end.target,)
    return ()


def aim(end: Terminator, new: dict[str, str]) -> Terminator:
    """The end with other targets; those not in `new` stay."""
    match end:
        case Goto(target):
            return Goto(new.get(target, target))
        case Branch(_, then, other):
            return replace(end, then=new.get(then, then), other=new.get(other, other))
        case Switch(slot, several):
            return Switch(slot, tuple(new.get(x, x) for x in several))
        case Choose(_, options):
            return replace(
                end, options=tuple(replace(o, target=new.get(o.target, o.target)) for o in options)
            )
        case Chance():
            return replace(end, target=new.get(end.target, end.target))
        case End():
            return end


def tidy(blocks: Graph, start: str) -> tuple[Graph, str]:
    """The reachable blocks in the order of coming to them, and the start. May be done again."""
    for block in blocks.values():
        block.end = _settled(block.end)
    _forget_returns(blocks)
    for block in blocks.values():
        if block.end is not None:
            direct = {key: _through(blocks, key, block.loops) for key in targets(block.end)}
            block.end = _settled(aim(block.end, direct))
    start = _through(blocks, start, ())
    blocks = reached(blocks, start)
    _merge(blocks, start)
    return reached(blocks, start), start


def _settled(end: Terminator | None) -> Terminator | None:
    match end:
        case Branch(Truth(known), then, other):
            return Goto(then if known else other)
        case Branch(_, then, other) if then == other:
            return Goto(then)
        case Switch(_, (only,)):
            return Goto(only)
    return end


def _forget_returns(blocks: Graph) -> None:
    """Where a rule is called from one place only, nobody asks where to return to."""
    asked = {block.end.slot for block in blocks.values() if isinstance(block.end, Switch)}
    for block in blocks.values():
        block.body = _without(block.body, asked)


def _without(body: list[Statement], asked: set[str]) -> list[Statement]:
    return [
        s for s in body if not (isinstance(s, Set) and s.slot.endswith(".return") and s.slot not in asked)
    ]


def _through(blocks: Graph, key: str, loops: tuple[str, ...]) -> str:
    """Where one comes to from `key` without anything happening on the way.

    `loops` are those around where one comes from. A rule called within a loop is not within it; were its
    return to lead to the loop's head at once, nobody could tell going round from coming in.
    """
    seen = {key}
    while True:
        block = blocks[key]
        if block.body or block.loop or not isinstance(block.end, Goto) or block.end.target in seen:
            return key
        following = block.end.target
        if blocks[following].loop and (following in block.loops) != (following in loops):
            return key
        key = following
        seen.add(key)


def reached(blocks: Graph, start: str) -> Graph:
    """Depth first, the first of the ways on first."""
    found: Graph = {}
    waiting = [start]
    while waiting:
        key = waiting.pop()
        if key not in found:
            found[key] = blocks[key]
            waiting.extend(reversed(targets(blocks[key].end)))
    return found


def _merge(blocks: Graph, start: str) -> None:
    """Appends a block to the only one that leads to it; the two together are in the loops of either."""
    leading = Counter(target for block in blocks.values() for target in targets(block.end))
    leading[start] += 1
    for key in list(blocks):
        first = blocks.get(key)
        while first is not None and isinstance(first.end, Goto) and not first.loop:
            name = first.end.target
            second = blocks[name]
            waits = isinstance(second.end, Choose | Chance | End)
            if leading[name] != 1 or second.loop or name == key or (waits and (first.body or second.body)):
                break
            first.body.extend(second.body)
            first.end, first.spread = second.end, second.spread
            if waits:
                first.what = second.what
            first.loops = tuple(dict.fromkeys(first.loops + second.loops))
            del blocks[name]
