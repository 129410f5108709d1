"""What plays say against what is proved, told by the interpreter: it shares nothing with the translation."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence

from rulespec.compiler.core.tree import Core, Expr
from rulespec.engine.interpreter.evaluate import Wrong, evaluate
from rulespec.proofs.claims import ALWAYS, Claims
from rulespec.proofs.monitors import WAITING, claim_of_fault
from rulespec.proofs.plays import Trail

MOST = 40  # records that are looked at for one claim

Record = tuple[int, ...]


def broken_by_plays(core: Core, claims: Claims, proved: Collection[str], trails: Sequence[Trail]) -> str:
    """A proved claim that one of the plays breaks, "" if there is none, as it must be."""
    for trail in trails:
        name = "" if trail.fault is None else claim_of_fault(claims, trail.fault)
        if name in proved:
            return name
    for name in sorted(proved):
        for condition, records, always in _conditions(core, claims, name, trails):
            if any(_holds(core, condition, record) is not always for record in _some(records)):
                return name
    return ""


def _conditions(
    core: Core, claims: Claims, name: str, trails: Sequence[Trail]
) -> Iterator[tuple[Expr, list[Record], bool]]:
    """What is to hold where the claim speaks of a position: always, or never."""
    claim = claims.all[name]
    if claim.property is not None:
        waiting = [record for t in trails for place, record in t.passed if place[1] in WAITING]
        yield claim.property.condition, waiting, claim.kind in ALWAYS
    if claim.kind == "kept":
        for block in core.blocks:
            if block.loop is not None and claims.kept(block.name) == name:
                heads = [r for t in trails for place, r in t.passed if place == (block.name, "head")]
                for condition in block.loop.keeps:
                    yield condition, heads, True


def _some(records: list[Record]) -> list[Record]:
    """Some of them, the same in every run."""
    return records if len(records) <= MOST else random.Random(len(records)).sample(records, MOST)


def _holds(core: Core, condition: Expr, record: Record) -> bool:
    try:
        return bool(evaluate(core, condition, record, {}))
    except Wrong:
        return False
