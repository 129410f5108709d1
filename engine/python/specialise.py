"""A core in which a block stands once for each of the few ways to come to it.

Whose turn it is, how far a loop over players has come and who bet first are known at each place of such a
core, so that what depends on them alone is decided before the game is played. A scalar that is known is
not written at all: `Special.unwritten` says what is missing in a record that is given away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

from rulespec.compiler.core.liveness import Slots
from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Choose,
    Const,
    Core,
    Goto,
    Set,
    Statement,
    Switch,
    Table,
    Terminator,
)
from rulespec.engine.python.flow import waits
from rulespec.engine.python.follow import Follower
from rulespec.engine.python.live import live_slots
from rulespec.engine.python.reduce import Known, Reducer
from rulespec.engine.python.tables import Tables

# Cores with more blocks stay as they are; of the others so many times the blocks may come, and some.
_MOST_BLOCKS = 64
_TIMES, _AND_SOME = 4, 32
# Slots that are followed: scalars of so many values, arrays of so many elements.
_VALUES = 16
_ELEMENTS = 16

Key = tuple[tuple[tuple[str, int], int], ...]  # elements with their values, in the order of the record
Unwritten = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Special:
    """`core` has copies of blocks and some more tables; else it is the core that it came from."""

    core: Core
    original: Mapping[str, str] = field(default_factory=dict)  # block -> what it is a copy of
    known: Mapping[str, Key] = field(default_factory=dict)  # block -> what is known where it begins
    unwritten: Mapping[str, Unwritten] = field(default_factory=dict)  # waiting block -> scalars to be set

    def block(self, name: str) -> str:
        """What the core it came from calls the block."""
        return self.original.get(name, name)


def specialise(core: Core) -> Special:
    if len(core.blocks) > _MOST_BLOCKS:
        return Special(core)
    live = live_slots(core)
    tracked = {s.name for s in core.slots if (s.size <= _ELEMENTS if s.dims else s.high - s.low < _VALUES)}
    while True:
        explored = _Copies(
            core, tracked, Follower(core, tracked, Reducer(core, writes_out=False), None), live
        )
        if explored.run(_TIMES * len(core.blocks) + _AND_SOME):
            break
        tracked -= explored.widest()
    reducer = Reducer(core, writes_out=True)
    tables = Tables(core, reducer)
    copies = _Copies(core, tracked, Follower(core, tracked, reducer, tables), live)
    copies.run()
    return copies.special(tables.made)


class _Copies:
    """The copies that are found by following the blocks from the start."""

    def __init__(self, core: Core, tracked: set[str], follower: Follower, live: Mapping[str, Slots]) -> None:
        self.core = core
        self.tracked = tracked
        self.follower = follower
        self.live = live
        self.order = {s.name: i for i, s in enumerate(core.slots)}
        self.names: dict[tuple[str, Key], str] = {}
        self.blocks: dict[str, Block] = {}
        self.original: dict[str, str] = {}
        self.unwritten: dict[str, Unwritten] = {}
        self._taken = {b.name for b in core.blocks}
        self._todo: list[tuple[str, Key]] = []  # copies to be made

    def run(self, most: int | None = None) -> bool:
        """Follows everything; False if there would be more than `most` copies."""
        tracked = [s for s in self.core.slots if s.name in self.tracked]
        initial = {(s.name, i): value for s in tracked for i, value in enumerate(s.initial)}
        live = self.live[self.core.start]
        self._come_to(self.core.start, self._key({e: v for e, v in initial.items() if e[0] in live}))
        while self._todo:
            self._copy(*self._todo.pop())
            if most is not None and len(self.names) > most:
                return False
        return True

    def widest(self) -> set[str]:
        """Slots that the copies of one block differ in: one half, beginning with what the game declares.

        Whose turn it is, and how far a loop has come, is let go last.
        """
        block = Counter(name for name, _ in self.names).most_common(1)[0][0]
        keys = [
            {slot: tuple(known) for slot, known in groupby(key, key=lambda item: item[0][0])}
            for name, key in self.names
            if name == block
        ]
        values = {slot: {key.get(slot) for key in keys} for slot in self.tracked}
        differing = sorted(
            (s for s in self.core.slots if len(values.get(s.name, ())) > 1),
            key=lambda s: (s.role == "state", len(values[s.name]), s.size, s.high - s.low, s.name),
        )
        return {s.name for s in differing[-max(1, len(differing) // 2) :]}

    def special(self, tables: list[Table]) -> Special:
        start = next(iter(self.names.values()))
        all_tables = (*self.core.tables, *tables)
        core = replace(self.core, tables=all_tables, blocks=tuple(self.blocks.values()), start=start)
        known = {name: key for (_, key), name in self.names.items()}
        return Special(core, self.original, known, self.unwritten)

    def _key(self, known: Known) -> Key:
        return tuple(sorted(known.items(), key=lambda item: (self.order[item[0][0]], item[0][1])))

    def _come_to(self, block: str, key: Key) -> str:
        """The copy of the block for what is known."""
        name = self.names.get((block, key))
        if name is None:
            name = block if block not in self.original else self._fresh(block)
            self.names[block, key] = name
            self.original[name] = block
            self._todo.append((name, key))
        return name

    def _fresh(self, block: str) -> str:
        number = 2
        while f"{block}~{number}" in self._taken:
            number += 1
        self._taken.add(f"{block}~{number}")
        return f"{block}~{number}"

    def _copy(self, name: str, key: Key) -> None:
        block = self.core.block[self.original[name]]
        follower = self.follower
        follower.begin(dict(key), (slot for (slot, _), _ in key if not self.core.slot[slot].dims))
        body = follower.statements(block.body, {})
        end = follower.end(block.end)
        ways = [set(self.live[target]) | decided for target, decided in _ways(end)]
        if ways:
            body += follower.written(follower.stale - set[str]().union(*ways))
        end = self._aimed(block, end)
        if waits(block):
            self.unwritten[name] = tuple((s, follower.known[s, 0]) for s in sorted(follower.stale))
        self.blocks[name] = Block(name, tuple(body), end, None, block.origin)

    # --- from copy to copy ----------------------------------------------------------------------------------

    def _aimed(self, block: Block, end: Terminator) -> Terminator:
        """The end, leading to copies."""
        targets = iter([self._aim(block, target, decided) for target, decided in _ways(end)])
        match end:
            case Goto() | Chance():
                return replace(end, target=next(targets))
            case Branch():
                return replace(end, then=next(targets), other=next(targets))
            case Switch():
                return replace(end, targets=tuple(targets))
            case Choose():
                return replace(end, options=tuple(replace(o, target=next(targets)) for o in end.options))
            case _:
                return end

    def _aim(self, block: Block, target: str, decided: set[str]) -> str:
        """The copy that is come to, by way of a block that writes what will not be known there."""
        live, follower = self.live[target], self.follower
        known = {e: v for e, v in follower.known.items() if e[0] not in decided}
        late = [slot for slot in sorted(follower.stale - decided) if slot not in live]
        found = self._come_to(target, self._key({e: v for e, v in known.items() if e[0] in live}))
        if not late:
            return found
        writes: tuple[Statement, ...] = tuple(Set(slot, (), Const(known[slot, 0])) for slot in late)
        name = self._fresh(block.name)
        self.original[name] = block.name
        self.blocks[name] = Block(name, writes, Goto(found))
        return name


def _ways(end: Terminator) -> Iterable[tuple[str, set[str]]]:
    """Where an end can lead, as often as it says so, and the slots that somebody decides on that way."""
    match end:
        case Goto(target):
            return [(target, set())]
        case Branch(_, then, other):
            return [(then, set()), (other, set())]
        case Switch(_, targets):
            return [(target, set()) for target in targets]
        case Choose(_, options):
            return [(o.target, {p.slot for p in o.params}) for o in options]
        case Chance(slot=slot, target=target):
            return [(target, {slot})]
        case _:
            return []
