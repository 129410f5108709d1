"""Which small numbers of the rules a proof keeps apart: return addresses, and counters that are indices.

A rule that is called from three places has three copies of its control points in a proof. Likewise a loop
that goes through the colors by a counter has a copy for each color, if the counter always holds a number
known on the way and is itself used as an index: the formulas of each copy are then about one color only.
A rule with a contract (`contracts`) has one copy for all that call it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as Set_

from rulespec.compiler.core.check import successors
from rulespec.compiler.core.tree import (
    Arith,
    Block,
    Chance,
    Choose,
    Const,
    Core,
    Expr,
    For,
    If,
    Read,
    Set,
    Statement,
    Switch,
)
from rulespec.compiler.core.walk import asked_by, said_by, sets, statements
from rulespec.proofs.smt.contracts import Contract
from rulespec.proofs.smt.syntax import slots

MOST_VALUES = 12  # of a counter that is kept apart
Returns = tuple[tuple[str, int], ...]
Node = tuple[str, Returns]


class Contexts:
    """The slots of one core that are kept apart, and where each of them is still needed."""

    def __init__(self, core: Core, contracts: Mapping[str, Contract] | None = None) -> None:
        self.core = core
        self.contracts = dict(contracts or {})
        self.exits = frozenset(c.exit for c in self.contracts.values())
        self.returns = return_slots(core)
        self.counters = index_counters(core)
        self._uses = {b.name: _uses(b, self.returns | self.counters) for b in core.blocks}
        self._sets = {b.name: _sets_first(b, self.returns | self.counters) for b in core.blocks}
        self._after: dict[Node, list[Node]] = {}
        self._explore()
        self._start, self._end = self._liveness()

    def needed(self, block: str, returns: Returns, *, at_end: bool) -> frozenset[str]:
        """Kept slots that may be read before they are set, from the start or the end of a block on."""
        return (self._end if at_end else self._start)[block, returns]

    def _explore(self) -> None:
        """All blocks with the return addresses in force there, conditions left out of account."""
        waiting: list[Node] = [(self.core.start, ())]
        while waiting:
            node = waiting.pop()
            if node not in self._after:
                self._after[node] = list(self._following(node))
                waiting.extend(self._after[node])

    def _following(self, node: Node) -> Iterable[Node]:
        block, active = self.core.block[node[0]], dict(node[1])
        if block.name in self.exits:
            return []
        for statement in block.body:
            match statement:
                case Set(slot, _, Const(value)) if slot in self.returns:
                    active[slot] = value
        match block.end:
            case Switch(slot, targets) if slot in self.returns:
                return self._returning(slot, targets, active)
        return [node for target in successors(block) for node in self._coming(target, active)]

    def _returning(self, slot: str, targets: Sequence[str], active: Mapping[str, int]) -> list[Node]:
        known = active.get(slot)
        after = tuple(sorted(item for item in active.items() if item[0] != slot))
        return [(t, after) for n, t in enumerate(targets) if known in (None, n)]

    def _coming(self, target: str, active: Mapping[str, int]) -> list[Node]:
        """The block, or for a rule with a contract its entry as for every caller, and what comes after it."""
        contract = self.contracts.get(target)
        if contract is None:
            return [(target, tuple(sorted(active.items())))]
        end = self.core.block[contract.exit].end
        assert isinstance(end, Switch)
        return [(target, ()), *self._returning(contract.returns, end.targets, active)]

    def _liveness(self) -> tuple[dict[Node, frozenset[str]], dict[Node, frozenset[str]]]:
        start: dict[Node, frozenset[str]] = dict.fromkeys(self._after, frozenset())
        end = dict(start)
        before: dict[Node, list[Node]] = {}
        for node, coming in self._after.items():
            for other in coming:
                before.setdefault(other, []).append(node)
        waiting = set(self._after)
        while waiting:
            node = waiting.pop()
            block = self.core.block[node[0]]
            found: frozenset[str] = frozenset().union(*(start[n] for n in self._after[node]))
            if node[0] not in self.exits:
                found |= _asked(block) & (self.returns | self.counters)
            whole = (found - self._sets[node[0]]) | self._uses[node[0]]
            if (start[node], end[node]) != (whole, found):
                start[node], end[node] = whole, found
                waiting.update(before.get(node, ()))
        return start, end


# --- which slots -------------------------------------------------------------------------------------------


def return_slots(core: Core) -> frozenset[str]:
    """Slots that a `Switch` reads and that are only ever set to constants, outside conditions."""
    read = {b.end.slot for b in core.blocks if isinstance(b.end, Switch)}
    return frozenset(s for s in read if not core.slot[s].dims and _only_set(core, s, counting=False))


def index_counters(core: Core) -> frozenset[str]:
    """Control slots that only count, outside conditions, and their copies, which are what they are the index
    of.
    """
    scalars = [s for s in core.slots if not s.dims and s.role != "state"]
    counters = {
        s.name
        for s in scalars
        if s.role == "control" and s.high - s.low < MOST_VALUES and _only_set(core, s.name, counting=True)
    }
    found: set[str] = set()
    grown = True
    while grown:
        grown = False
        for slot in scalars:
            if slot.name not in found | counters and _copies(core, slot.name, found | counters):
                found.add(slot.name)
                grown = True
    values = [s.value for b in core.blocks for s in sets(b.body) if s.slot in found]
    copied = {v.slot for v in values if isinstance(v, Read)}
    return frozenset(found | (copied & counters))


def _copies(core: Core, slot: str, kept: Set_[str]) -> bool:
    """Whether the slot is only ever set to what one of `kept` holds, outside conditions."""
    values = [s.value for b in core.blocks for s in sets(b.body) if s.slot == slot]
    copied = all(isinstance(v, Read) and not v.index and v.slot in kept for v in values)
    return bool(values) and copied and _only_set(core, slot, counting=False, copying=True)


def _only_set(core: Core, slot: str, *, counting: bool, copying: bool = False) -> bool:
    return all(_plain(b, slot, counting, copying) for b in core.blocks)


def _plain(block: Block, slot: str, counting: bool, copying: bool) -> bool:
    match block.end:
        case Chance(slot=name):
            if name == slot:
                return False
        case Choose(options=options):
            if any(p.slot == slot for o in options for p in o.params):
                return False
    return all(_plain_statement(s, slot, counting, copying) for s in block.body)


def _plain_statement(statement: Statement, slot: str, counting: bool, copying: bool) -> bool:
    match statement:
        case Set(name, _, value):
            plain = isinstance(value, Const) or (copying and isinstance(value, Read))
            return name != slot or plain or (counting and _counts(value, slot))
        case If(_, then, other):
            return all(s.slot != slot for s in sets((*then, *other)))
        case For(_, _, _, body):
            return all(s.slot != slot for s in sets(body))
    return True


def _counts(value: Expr, slot: str) -> bool:
    match value:
        case Arith("+" | "-", Read(name, ()), Const()):
            return name == slot
    return False


# --- where they are read -----------------------------------------------------------------------------------


def _uses(block: Block, kept: frozenset[str]) -> frozenset[str]:
    """Kept slots that the block's statements read before they set them."""
    used: set[str] = set()
    done: set[str] = set()
    for statement in block.body:
        used |= (_reads(statement) & kept) - done
        if isinstance(statement, Set) and not statement.index:
            done.add(statement.slot)
    return frozenset(used)


def _sets_first(block: Block, kept: frozenset[str]) -> frozenset[str]:
    return frozenset(s.slot for s in block.body if isinstance(s, Set) and s.slot in kept)


def _asked(block: Block) -> frozenset[str]:
    """Slots that the block's end reads."""
    own = frozenset((block.end.slot,)) if isinstance(block.end, Switch) else frozenset()
    return own.union(*map(slots, asked_by(block.end)))


def _reads(statement: Statement) -> frozenset[str]:
    said = (e for each in statements((statement,)) for e in said_by(each))
    return frozenset[str]().union(*map(slots, said))
