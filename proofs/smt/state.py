"""A path on its way through step blocks."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Expr
from rulespec.proofs.smt.bounds import Bounds
from rulespec.proofs.smt.terms import Term


@dataclass(slots=True)
class State:
    """A path as far as it has come. `conditions` include what was checked on the way."""

    store: dict[int, Term]
    active: dict[str, int]
    conditions: list[Term] = field(default_factory=list)
    trail: list[str] = field(default_factory=list)
    passed: list[tuple[Expr, bool]] = field(default_factory=list)
    bounds: Bounds = field(default_factory=Bounds)
    label: str = ""

    def fork(self, condition: Term) -> State:
        other = State(
            dict(self.store),
            dict(self.active),
            [*self.conditions, condition],
            list(self.trail),
            list(self.passed),
            self.bounds.copy(),
            self.label,
        )
        other.bounds.learn((condition,))
        return other

    def assume(self, claim: Term) -> None:
        self.conditions.append(claim)
        self.bounds.learn((claim,))
