"""Rules that keep their word: what callers may rely on when such a rule returns, whatever happened inside.

A rule that is called from several places, asks somebody, changes nothing of the game's own state and says
what it ensures is proved once for all its callers. Where it is called, a proof goes two ways: into the rule,
to its first control point, without the return address; and past it, where what the rule writes can be
anything that it ensures. The promise itself is an obligation inside the rule, where it returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulespec.compiler.core.check import successors
from rulespec.compiler.core.tree import (
    Block,
    Check,
    Core,
    End,
    Enter,
    Switch,
)
from rulespec.compiler.core.walk import answered, sets
from rulespec.proofs.smt.syntax import variables


@dataclass(frozen=True)
class Contract:
    """Of one rule. `body` are its blocks from `entry` to `exit`, where it returns to what `returns` says.

    `written` are the slots that may be different afterwards, all of them the rules' own.
    """

    rule: str
    entry: str
    exit: str
    returns: str
    body: frozenset[str]
    written: tuple[str, ...]
    ensures: tuple[Check, ...]


def find_contracts(core: Core) -> dict[str, Contract]:
    """The contracts of a core, by their entry."""
    before = _before(core)
    found: dict[str, Contract] = {}
    for block in core.blocks:
        if isinstance(block.end, Switch) and _ensured(block):
            contract = _contract(core, block, block.end.slot, before)
            if contract is not None:
                found[contract.entry] = contract
    return found


def _contract(core: Core, last: Block, returns: str, before: Mapping[str, set[str]]) -> Contract | None:
    if sum(isinstance(b.end, Switch) and b.end.slot == returns for b in core.blocks) != 1:
        return None
    for entry in core.blocks:
        for rule in (s.rule for s in entry.body if isinstance(s, Enter)):
            body = _region(core, entry.name, last.name, before) if _is_of(rule, last) else None
            written = _written(core, body or frozenset())
            own = all(core.slot[name].role != "state" for name in written)
            if body and own and returns not in written and any(core.block[b].kind != "step" for b in body):
                return Contract(rule, entry.name, last.name, returns, body, written, _ensured(last))
    return None


def _is_of(rule: str, last: Block) -> bool:
    return any(check.origin.rule == rule for check in _ensured(last)) or last.origin.rule == rule


def _ensured(block: Block) -> tuple[Check, ...]:
    """What is checked last before the block ends, if it speaks of nothing but slots."""
    found: list[Check] = []
    for statement in reversed(block.body):
        if not isinstance(statement, Check) or statement.kind != "ensures":
            break
        if variables(statement.condition):
            break
        found.append(statement)
    return tuple(reversed(found))


def _region(core: Core, entry: str, last: str, before: Mapping[str, set[str]]) -> frozenset[str] | None:
    """The blocks from `entry` to `last`, if there is no other way in, none out, and none back to `entry`."""
    found: set[str] = set()
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += successors(core.block[name]) if name != last else ()
    ends = any(isinstance(core.block[name].end, End) for name in found)
    if last not in found or entry == core.start or ends or before.get(entry, set()) & found:
        return None
    inside = all(before.get(name, set()) <= found for name in found - {entry})
    return frozenset(found) if inside and core.start not in found else None


def _before(core: Core) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for block in core.blocks:
        for name in successors(block):
            found.setdefault(name, set()).add(block.name)
    return found


def _written(core: Core, body: frozenset[str]) -> tuple[str, ...]:
    blocks = [core.block[name] for name in body]
    names = {s.slot for block in blocks for s in sets(block.body)}
    names |= {name for block in blocks for name in answered(block.end)}
    return tuple(slot.name for slot in core.slots if slot.name in names)
