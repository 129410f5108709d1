"""What a proof is stuck at."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.terms import Term


@dataclass(frozen=True, slots=True)
class Goal:
    """`claim` does not follow from the facts at the location and the conditions of a path that leaves it."""

    location: Location
    conditions: tuple[Term, ...]
    claim: Term
