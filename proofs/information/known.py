"""What players know of the rules' own variables because they saw it happen: cards drawn, answers given.

A variable may be hidden and yet hold what the one who is asked has just drawn or chosen. For each block it
is found which variables hold, on every way there, what was drawn or chosen the last time at one certain
place, or the last time at all, and who saw that: a seat that is still named by the same variable or number.
Two plays that look alike to that seat all along then agree in these variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.check import successors
from rulespec.compiler.core.tree import (
    Block,
    Chance,
    Choose,
    Const,
    Core,
    Expr,
    For,
    If,
    Ite,
    Read,
    Set,
    Statement,
)
from rulespec.compiler.core.walk import sets

EVERYBODY = Const(-1)
LAST = ""  # in place of a block: wherever the game waited last


@dataclass(frozen=True, slots=True)
class Fact:
    """`slot` holds what was drawn or chosen the last time at the block `place`, or where the game waited
    last, and `seat` saw it.
    """

    slot: str
    seat: Expr
    place: str


Facts = frozenset[Fact]


def known(core: Core) -> dict[str, Facts]:
    """What is known where a block asks, by its name; nothing of blocks that no play comes to."""
    found: dict[str, Facts] = {core.start: frozenset()}
    waiting = [core.start]
    while waiting:
        block = core.block[waiting.pop()]
        for target, after in _leaving(block, _within(block, found[block.name])):
            before = found.get(target)
            joined = after if before is None else before & after
            if joined != before:
                found[target] = joined
                waiting.append(target)
    return {name: _within(core.block[name], facts) for name, facts in found.items()}


def to_seat(facts: Facts, actor: Expr) -> frozenset[str]:
    """The slots whose content the seat `actor` knows."""
    return frozenset(fact.slot for fact in facts if fact.seat in (actor, EVERYBODY))


def _within(block: Block, facts: Facts) -> Facts:
    """What is known after the statements of a block."""
    for statement in block.body:
        facts = _after(statement, facts)
    return facts


def _after(statement: Statement, facts: Facts) -> Facts:
    match statement:
        case Set(slot, (), value):
            kept = _without(facts, slot)
            copied = {Fact(slot, f.seat, f.place) for f in kept if value == Read(f.slot)}
            named = {Fact(f.slot, Read(slot), f.place) for f in kept if value == f.seat}
            return kept | copied | named
        case If() | For():
            for inner in sets((statement,)):
                facts = _without(facts, inner.slot)
    return facts


def _without(facts: Facts, slot: str) -> Facts:
    """What stays known when the slot is written."""
    return frozenset(f for f in facts if f.slot != slot and f.seat != Read(slot))


def _happens(block: Block, facts: Facts, written: Sequence[str], seer: Expr | None) -> Facts:
    """What is known after something was chosen or drawn at a block, and `seer` saw what is written."""
    facts = frozenset(f for f in facts if f.place not in (block.name, LAST))
    for slot in written:
        facts = _without(facts, slot)
    if seer is None or any(seer == Read(slot) for slot in written):
        return facts
    return facts | {Fact(slot, seer, place) for slot in written for place in (block.name, LAST)}


def _leaving(block: Block, facts: Facts) -> Iterator[tuple[str, Facts]]:
    """The blocks that may come next, with what is known there."""
    match block.end:
        case Chance(slot=slot, seen_by=seen_by, target=target):
            yield target, _happens(block, facts, [slot], _seer(seen_by))
        case Choose(actor=actor, options=options):
            for option in options:
                written = [param.slot for param in option.params]
                yield option.target, _happens(block, facts, written, _seer(actor))
        case _:
            for target in successors(block):
                yield target, facts


def _seer(seen_by: Expr) -> Expr | None:
    """One who sees it in any case, if the expression tells; None else."""
    match seen_by:
        case Const(value):
            return seen_by if value >= -1 else None
        case Read(_, ()):
            return seen_by
        case Ite(_, Const(-1), other) | Ite(_, other, Const(-1)):
            return _seer(other)
    return None
