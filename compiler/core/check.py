"""What every core holds to, said as sentences where it is broken. Run after each pass in tests.

Names are defined and unique where they must be; numbers and truth values stand where they belong; slots,
tables, loops and ends of blocks have the shapes that `tree` promises. That values stay in range is for the
engines to watch and the proofs to show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import prod

from rulespec.compiler.core.sorts import Sorts
from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Core,
    Domain,
    End,
    Enter,
    For,
    Goto,
    If,
    Let,
    Loop,
    Option,
    Param,
    Read,
    Set,
    Slot,
    Statement,
    Switch,
    Table,
)
from rulespec.compiler.core.walk import everything

CHECKS = ("assert", "requires", "ensures", "enough", "distinct", "limit")
ROLES = ("state", "local", "control")
SIGHTS = ("open", "private", "hidden", "seat")
PROPERTIES = ("invariant", "bound", "conservation", "reachable", "hint")


def check(core: Core) -> tuple[str, ...]:
    """The broken structural invariants of `core`, each a sentence; none if it is sound."""
    return tuple(_Checker(core).all())


def successors(block: Block) -> tuple[str, ...]:
    """The blocks that may come next, in the order of the block's end."""
    match block.end:
        case Goto(target):
            return (target,)
        case Branch(_, then, other):
            return (then, other)
        case Switch(_, targets):
            return targets
        case Choose(_, options, _):
            return tuple(option.target for option in options)
        case Chance():
            return (block.end.target,)
        case End():
            return ()


def _twice(names: Iterable[str], what: str) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1:
            yield f"{what} `{name}` is there {times} times"


class _Checker:
    def __init__(self, core: Core) -> None:
        self.core = core
        self.sorts = Sorts(core)
        self.rules = {r.name for r in core.rules}

    def all(self) -> Iterator[str]:
        core = self.core
        if core.configuration.players < 1:
            yield "a game has at least one player"
        for slot in core.slots:
            yield from (f"slot `{slot.name}` {flaw}" for flaw in self.slot(slot))
        for table in core.tables:
            yield from (f"table `{table.name}` {flaw}" for flaw in self.table(table))
        yield from _twice([s.name for s in core.slots] + [t.name for t in core.tables], "slot or table")
        yield from _twice((b.name for b in core.blocks), "block")
        yield from _twice((f"{p.kind} {p.name}" for p in (*core.properties, *core.hints)), "property")
        yield from _twice((r.name for r in core.rules), "rule")
        if core.start not in core.block:
            yield f"there is no start block `{core.start}`"
        for block in core.blocks:
            yield from (f"block `{block.name}`: {flaw}" for flaw in self.block(block))
        for p in (*core.properties, *core.hints):
            if p.kind not in PROPERTIES:
                yield f"property `{p.name}` is of no known kind: `{p.kind}`"
            yield from (f"property `{p.name}`: {flaw}" for flaw in self.sorts.truth(p.condition))
        for key in core.ranking:
            yield from (f"ranking: {flaw}" for flaw in self.sorts.number(key, frozenset({"p"})))
        for limit in core.limits:
            yield from (f"limit: {flaw}" for flaw in self.sorts.truth(limit))
            if any(isinstance(e, Read) for e in everything(limit)):
                yield "a limit depends on the record"
        yield from self.unreached()

    def unreached(self) -> Iterator[str]:
        seen = {self.core.start}
        waiting = [self.core.start]
        while waiting:
            block = self.core.block.get(waiting.pop())
            for target in successors(block) if block else ():
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        for block in self.core.blocks:
            if block.name not in seen:
                yield f"block `{block.name}` is never reached from the start"

    # --- what there is --------------------------------------------------------------------------------------

    def slot(self, slot: Slot) -> Iterator[str]:
        if slot.low > slot.high:
            yield f"has the empty range {slot.low}..{slot.high}"
        if slot.role not in ROLES:
            yield f"is of no known role: `{slot.role}`"
        if slot.sight not in SIGHTS:
            yield f"is of no known sight: `{slot.sight}`"
        for dim in slot.dims:
            yield from self.dim(dim)
        yield from self.domain(slot.domain)
        if slot.sight in ("private", "seat") and not self.per_seat(slot):
            yield f"is {slot.sight} but not indexed by seats first"
        if slot.counted and slot.sight not in ("private", "hidden"):
            yield "is counted, which only private and hidden slots are"
        if slot.unless:
            yield from self.unless(slot)
        if len(slot.initial) != slot.size:
            yield f"has {slot.size} elements and {len(slot.initial)} initial values"
        elif any(not slot.low <= v <= slot.high for v in slot.initial):
            yield f"starts outside its range {slot.low}..{slot.high}"

    def unless(self, slot: Slot) -> Iterator[str]:
        flag = self.core.slot.get(slot.unless)
        if slot.sight not in ("private", "hidden"):
            yield f"is {slot.sight} unless `{slot.unless}`, which only private and hidden slots may be"
        if flag is None:
            yield f"is {slot.sight} unless `{slot.unless}`, which is not there"
        elif (flag.low, flag.high) != (0, 1) or flag.sight != "open":
            yield f"is {slot.sight} unless `{slot.unless}`, which is no open truth value"
        elif flag.dims and (slot.sight == "hidden" or flag.dims != slot.dims[:1]):
            yield f"is {slot.sight} unless `{slot.unless}`, which has other indices"

    def per_seat(self, slot: Slot) -> bool:
        return bool(slot.dims) and len(slot.dims[0].names) == self.core.configuration.players

    def dim(self, dim: Domain) -> Iterator[str]:
        yield from self.domain(dim)
        if dim.low != 0 or not dim.names:
            yield f"has a dimension `{dim.name}` that does not count names from 0"

    def domain(self, domain: Domain) -> Iterator[str]:
        if domain.labels and len(domain.labels) != len(domain.names):
            yield f"has {len(domain.labels)} labels for the {len(domain.names)} names of `{domain.name}`"
        yield from _twice(domain.names, f"name in domain `{domain.name}`")

    def table(self, table: Table) -> Iterator[str]:
        if not table.dims:
            yield "has no dimension"
            return
        for dim in table.dims:
            yield from self.dim(dim)
        size = prod(len(d.names) for d in table.dims)
        if len(table.values) != size:
            yield f"has {size} elements and {len(table.values)} values"
        for row in table.assumed:
            if not 0 <= row < len(table.dims[0].names):
                yield f"assumes row {row}, which it has not"
        for at, low, high in table.open:
            if not 0 <= at < size:
                yield f"leaves element {at} open, which it has not"
            elif not low <= table.values[at] <= high:
                yield f"leaves {low}..{high} open at {at}, where {table.values[at]} is outside"

    # --- blocks ---------------------------------------------------------------------------------------------

    def block(self, block: Block) -> Iterator[str]:
        if block.loop:
            yield from self.loop(block, block.loop)
        yield from self.statements(block.body, frozenset())
        for target in successors(block):
            if target not in self.core.block:
                yield f"goes on at `{target}`, which is not there"
        match block.end:
            case Branch(condition):
                yield from self.sorts.truth(condition)
            case Switch(slot, targets):
                yield from self.switch(slot, targets)
            case Choose(actor, options):
                yield from self.sorts.number(actor)
                yield from _twice((o.name for o in options), "option")
                if not options:
                    yield "offers no option"
                for option in options:
                    yield from (f"option `{option.name}`: {flaw}" for flaw in self.option(option))
            case Chance():
                yield from self.chance(block.end)

    def loop(self, block: Block, loop: Loop) -> Iterator[str]:
        if block.kind != "loop":
            yield f"heads a loop and is a {block.kind} at once"
        if loop.bounded and loop.measure:
            yield "is bounded by construction and has a measure"
        for e in loop.measure:
            yield from (f"measure: {flaw}" for flaw in self.sorts.number(e))
        for e in loop.keeps:
            yield from (f"keeps: {flaw}" for flaw in self.sorts.truth(e))
        for name in loop.body:
            if name not in self.core.block:
                yield f"has `{name}` in its loop, which is not there"

    def scalar(self, slot: str, what: str) -> Iterator[str]:
        if slot not in self.core.slot:
            yield f"{what} goes to slot `{slot}`, which is not there"
        elif self.core.slot[slot].dims:
            yield f"{what} goes to slot `{slot}`, which is an array"

    def switch(self, slot: str, targets: tuple[str, ...]) -> Iterator[str]:
        yield from self.scalar(slot, "a switch")
        found = self.core.slot.get(slot)
        if found and (found.low != 0 or found.high != len(targets) - 1):
            yield f"switches on {found.low}..{found.high} over {len(targets)} targets"

    def option(self, option: Option) -> Iterator[str]:
        names = frozenset[str]()
        for p in option.params:
            yield from self.param(p, names)
            if p.name in names:
                yield f"parameter `{p.name}` is there twice"
            names |= {p.name}
        yield from self.sorts.truth(option.guard, names)
        for part in option.phrase:
            if isinstance(part, int) and not 0 <= part < len(option.params):
                yield f"its phrase names parameter {part}, which it has not"

    def param(self, p: Param, names: frozenset[str]) -> Iterator[str]:
        yield from self.sorts.number(p.low, names)
        yield from self.sorts.number(p.high, names)
        yield from self.scalar(p.slot, f"parameter `{p.name}`")
        yield from self.domain(p.domain)
        if p.least > p.most:
            yield f"parameter `{p.name}` has the empty encoding {p.least}..{p.most}"
        slot = self.core.slot.get(p.slot)
        if slot and not (slot.low <= p.least and p.most <= slot.high):
            yield f"parameter `{p.name}` in {p.least}..{p.most} does not fit its slot `{p.slot}`"
        if p.domain.names and not 0 <= p.least - p.domain.low <= p.most - p.domain.low < len(p.domain.names):
            yield f"parameter `{p.name}` has values that `{p.domain.name}` does not name"

    def chance(self, end: Chance) -> Iterator[str]:
        yield from self.scalar(end.slot, "chance")
        yield from self.sorts.number(end.weight, frozenset({"outcome"}))
        yield from self.sorts.number(end.seen_by)
        if end.low > end.high:
            yield f"chance has the empty range {end.low}..{end.high}"
        slot = self.core.slot.get(end.slot)
        if slot and not (slot.low <= end.low and end.high <= slot.high):
            yield f"chance in {end.low}..{end.high} does not fit its slot `{end.slot}`"
        if end.domain.names and not 0 <= end.low - end.domain.low <= end.high - end.domain.low < len(
            end.domain.names
        ):
            yield f"chance has outcomes that `{end.domain.name}` does not name"

    def statements(self, body: tuple[Statement, ...], names: frozenset[str]) -> Iterator[str]:
        for s in body:
            yield from self.statement(s, names)
            if isinstance(s, Let):
                names |= {s.name}

    def statement(self, s: Statement, names: frozenset[str]) -> Iterator[str]:
        match s:
            case Set(slot, index, value):
                yield from self.sorts.access(slot, index, names)
                yield from self.sorts.number(value, names)
            case Let(name, value):
                yield from self.sorts.number(value, names)
                if name in names:
                    yield f"`${name}` is bound again where it is in reach"
            case If(condition, then, other):
                yield from self.sorts.truth(condition, names)
                yield from self.statements(then, names)
                yield from self.statements(other, names)
            case For(variable, _, _, inner):
                if variable in names:
                    yield f"`${variable}` is bound again where it is in reach"
                yield from self.statements(inner, names | {variable})
            case Check(condition, kind):
                if kind not in CHECKS:
                    yield f"a check is of no known kind: `{kind}`"
                yield from self.sorts.truth(condition, names)
            case Enter(rule):
                if rule not in self.rules:
                    yield f"enters rule `{rule}`, of which nothing is known"
