"""How blocks follow one another, and which of them are written out inside others.

A block that is reached from one place only is written there; a small one that only goes on is written wherever it is
reached. All others are entries: each becomes a function of its own, or a case of the play-out's loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.compiler.core.tree import Block, Branch, Chance, Choose, Core, For, Goto, If, Statement, Switch

# Python reads at most 100 levels of indentation; a block adds up to three.
_DEEPEST = 24
# Statements up to which a block is rather repeated than jumped to.
_SMALL = 3


class Flow:
    """The blocks of a core that can be reached, and their places in generated code."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.reachable = _reachable(core)
        self.heads = _loop_heads(core)
        arrivals = _arrivals(core, self.reachable)
        self.inlined = {
            name
            for name in self.reachable
            if name != core.start and (arrivals[name] == 1 or self._is_small(core.block[name]))
        }
        self._cut_deep_nests()
        self.entries = [b.name for b in core.blocks if b.name in self.reachable and b.name not in self.inlined]
        self.spinning = _cycles(self.entries, self._jumps_unasked)

    def _is_small(self, block: Block) -> bool:
        small = isinstance(block.end, Goto) and block.name not in self.heads
        return small and block.loop is None and statements_in(block.body) <= _SMALL

    def _cut_deep_nests(self) -> None:
        """Where blocks would be written too deep inside one another, start anew."""
        todo = [(name, 0) for name in self.reachable if name not in self.inlined]
        while todo:
            name, depth = todo.pop()
            for target in successors(self.core.block[name]):
                if target not in self.inlined:
                    continue
                if depth >= _DEEPEST:
                    self.inlined.discard(target)
                    todo.append((target, 0))
                else:
                    todo.append((target, depth + (not isinstance(self.core.block[name].end, Goto))))

    def region(self, entry: str, *, past_waits: bool) -> Iterator[Block]:
        """The entry and all blocks written inside it; `past_waits`: those behind its choices and chances too."""
        todo = [entry]
        while todo:
            block = self.core.block[todo.pop()]
            yield block
            if past_waits or not waits(block):
                todo.extend(t for t in successors(block) if t in self.inlined)

    def loops(self, entry: str, *, past_waits: bool) -> bool:
        """Whether code written inside the entry goes back to it."""
        return any(
            entry in successors(block)
            for block in self.region(entry, past_waits=past_waits)
            if past_waits or not waits(block)
        )

    def _jumps_unasked(self, entry: str) -> Iterator[str]:
        for block in self.region(entry, past_waits=False):
            if not waits(block):
                yield from (t for t in successors(block) if t not in self.inlined)


def waits(block: Block) -> bool:
    return block.kind in ("choice", "chance", "end")


def successors(block: Block) -> tuple[str, ...]:
    """Where a block can lead, each once."""
    match block.end:
        case Goto(target):
            return (target,)
        case Branch(_, then, other):
            return (then,) if then == other else (then, other)
        case Switch(_, targets):
            return tuple(dict.fromkeys(targets))
        case Choose(_, options):
            return tuple(dict.fromkeys(o.target for o in options))
        case Chance(target=target):
            return (target,)
        case _:
            return ()


def statements_in(statements: tuple[Statement, ...]) -> int:
    """How many statements there are, with those inside others."""
    count = 0
    for statement in statements:
        count += 1
        match statement:
            case If(_, then, other):
                count += statements_in(then) + statements_in(other)
            case For(_, _, _, body):
                count += statements_in(body)
            case _:
                pass
    return count


def _reachable(core: Core) -> set[str]:
    found = {core.start}
    todo = [core.start]
    while todo:
        for target in successors(core.block[todo.pop()]):
            if target not in found:
                found.add(target)
                todo.append(target)
    return found


def _arrivals(core: Core, reachable: set[str]) -> dict[str, int]:
    """How many places lead to each block; two options of one choice are two places."""
    count = dict.fromkeys(reachable, 0)
    for name in reachable:
        end = core.block[name].end
        options = [o.target for o in end.options] if isinstance(end, Choose) else successors(core.block[name])
        for target in options:
            count[target] += 1
    return count


def _loop_heads(core: Core) -> set[str]:
    """Targets of the edges that lead back while blocks are visited depth first: every cycle has one."""
    heads: set[str] = set()
    open_blocks: set[str] = set()
    seen = {core.start}
    path = [(core.start, iter(successors(core.block[core.start])))]
    open_blocks.add(core.start)
    while path:
        name, targets = path[-1]
        target = next(targets, None)
        if target is None:
            path.pop()
            open_blocks.discard(name)
        elif target in open_blocks:
            heads.add(target)
        elif target not in seen:
            seen.add(target)
            open_blocks.add(target)
            path.append((target, iter(successors(core.block[target]))))
    return heads


def _cycles(nodes: list[str], leads_to: Callable[[str], Iterator[str]]) -> set[str]:
    """All nodes on cycles (and those between two): the rest, which lead nowhere or come from nowhere, is peeled off."""
    after = {node: set(leads_to(node)) for node in nodes}
    before: dict[str, set[str]] = {node: set() for node in nodes}
    for node, targets in after.items():
        for target in targets:
            before[target].add(node)
    left = set(nodes)
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if node in left and (not after[node] & left or not before[node] & left):
            left.discard(node)
            todo.extend((after[node] | before[node]) & left)
    return left
