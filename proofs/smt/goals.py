"""What a proof is to show, path by path, and what it is stuck at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.proofs.smt.paths import Location, Obligation
from rulespec.proofs.smt.terms import Term


@dataclass(frozen=True, slots=True)
class Goal:
    """`claim` does not follow from the facts at the location and the conditions of a path that leaves it."""

    location: Location
    conditions: tuple[Term, ...]
    claim: Term


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a claim is not proved: at a location, this does not follow, as these values show (if the solver has
    any).
    """

    location: str
    text: str
    values: str
    gave_up: bool = False
    verb: str = "it is not inductive:"
    goal: Goal | None = None

    def __str__(self) -> str:
        shown = f", for example with {self.values}" if self.values else ""
        verb = "the solver gave up on" if self.gave_up else self.verb
        return f"{verb} {self.text} at {self.location}{shown}"


def in_a_row(obligations: Sequence[Obligation], most: int) -> Iterator[list[Obligation]]:
    """Runs of obligations each of which comes up on the path of the one before."""
    group: list[Obligation] = []
    for obligation in obligations:
        before = group[-1].conditions if group else ()
        if len(group) == most or obligation.conditions[: len(before)] != before:
            yield group
            group = []
        group.append(obligation)
    if group:
        yield group
