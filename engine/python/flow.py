"""How blocks follow one another, and which of them are written out inside others.

A block that is reached from one place only is written there; a small one that only goes on is written
wherever it is reached. All others are entries: each becomes a function of its own, or a case of the play-
out's loop. `nested` are the entries that are come to from one place and otherwise only go round: a play-out
can write them there, as a loop inside the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.compiler.core.tree import Block, Branch, Chance, Choose, Core, For, Goto, If, Statement, Switch
from rulespec.engine.python.graph import dominates, dominators, on_cycles, search

# Python reads at most 100 levels of indentation; a block adds up to two.
_DEEPEST = 16
# The writer follows a row of blocks by calling itself.
_LONGEST = 30
# A block of so few statements is rather repeated, so many times, than jumped to.
_SMALL = 3
_COPIES = 6


class Flow:
    """The blocks of a core that can be reached, and their places in generated code."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._order = search(core.start, lambda name: successors(core.block[name]))
        self.reachable = frozenset(self._order.names)
        self._before = self._places_before()
        self._copies: dict[str, int] = {}
        self.inlined = self._find_inlined()
        self._cut_deep_nests()
        outside = self.reachable - self.inlined
        self.entries = [b.name for b in core.blocks if b.name in outside]
        self.spinning = on_cycles(self.entries, self._jumps_unasked)
        self.nested = self._find_nested()

    def _places_before(self) -> dict[str, list[str]]:
        """For each block the blocks that lead to it; two options of one choice are two places."""
        before: dict[str, list[str]] = {name: [] for name in self.reachable}
        for name in self._order.names:
            for target in arrivals(self.core.block[name]):
                before[target].append(name)
        return before

    def _find_inlined(self) -> set[str]:
        inlined: set[str] = set()
        for name in self._order.names:
            places = sum(self._copies.get(place, 1) for place in self._before[name])
            if name == self.core.start:
                continue
            if places == 1:
                inlined.add(name)
            elif places <= _COPIES and self._is_small(self.core.block[name]):
                inlined.add(name)
                self._copies[name] = places
        return inlined

    def _is_small(self, block: Block) -> bool:
        only_goes_on = isinstance(block.end, Goto) and block.name not in self._order.heads
        return only_goes_on and statements_in(block.body) <= _SMALL

    def _cut_deep_nests(self) -> None:
        """Where blocks would be written too deep inside one another, or in too long a row, start anew."""
        todo = [(name, 0, 0) for name in self._order.names if name not in self.inlined]
        while todo:
            name, depth, length = todo.pop()
            deeper = depth + (not isinstance(self.core.block[name].end, Goto))
            for target in successors(self.core.block[name]):
                if target not in self.inlined:
                    continue
                if depth < _DEEPEST and length < _LONGEST:
                    todo.append((target, deeper, length + 1))
                else:
                    self.inlined.discard(target)
                    self._copies.pop(target, None)
                    todo.append((target, 0, 0))

    def region(self, entry: str, *, past_waits: bool) -> Iterator[Block]:
        """The entry and the blocks written inside it; `past_waits`: also those behind choices and chances."""
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

    # --- loops inside loops ---------------------------------------------------------------------------------

    def _find_nested(self) -> dict[str, str]:
        """Nested loop -> the block that comes to it from outside."""
        above = dominators(self._order, self._before)
        nested: dict[str, str] = {}
        back: dict[str, set[str]] = {}
        for entry in self.entries:
            outside = [p for p in self._before[entry] if not dominates(above, entry, p)]
            back[entry] = {p for p in self._before[entry] if dominates(above, entry, p)}
            if back[entry] and len(outside) == 1 and self._copies.get(outside[0], 1) == 1:
                nested[entry] = outside[0]
        while True:
            kept = {e: place for e, place in nested.items() if back[e] <= self._code_of(e, nested)}
            if kept == nested:
                return nested
            nested = kept

    def _code_of(self, entry: str, nested: dict[str, str]) -> set[str]:
        """The blocks written inside an entry and the loops nested in it."""
        code = {entry}
        todo = [entry]
        while todo:
            name = todo.pop()
            for target in successors(self.core.block[name]):
                if target not in code and (target in self.inlined or nested.get(target) == name):
                    code.add(target)
                    todo.append(target)
        return code


def waits(block: Block) -> bool:
    return block.kind in ("choice", "chance", "end")


def successors(block: Block) -> tuple[str, ...]:
    """Where a block can lead, each once."""
    return tuple(dict.fromkeys(arrivals(block)))


def arrivals(block: Block) -> tuple[str, ...]:
    """Where a block can lead, as often as its end names it; the two sides of a branch count once if equal."""
    match block.end:
        case Goto(target):
            return (target,)
        case Branch(_, then, other):
            return (then,) if then == other else (then, other)
        case Switch(_, targets):
            return targets
        case Choose(_, options):
            return tuple(o.target for o in options)
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
