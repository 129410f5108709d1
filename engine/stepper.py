"""What every engine offers: one core, stepped from waiting point to waiting point over a plain record."""

from __future__ import annotations

from typing import Protocol

from rulespec.compiler.core.tree import Core

# Blocks that may be passed without anybody being asked before the rules count as endless.
BUDGET = 200_000

Record = list[int]
RawMove = tuple[int, ...]


class Stepper(Protocol):
    """Steps a record: the slots of `core` in layout order (`Core.offset`), then the waiting block's index.

    A waiting block is one that chooses, decides by chance, or ends. All methods may raise `Fault`; then the
    record that was handed in may have been changed, so callers that go on (`State` does) hand in a copy.
    `start`, `play` and `happen` do not look at the waiting point they come to: that a choice has no move is
    found by `moves`, that chance has no outcome by `outcomes`, that the seat does not exist by `actor`.
    """

    @property
    def core(self) -> Core: ...

    def start(self) -> Record:
        """A new record, run from the start block to the first block that waits."""
        ...

    def kind(self, r: Record) -> str:
        """`choice`, `chance` or `end`."""
        ...

    def actor(self, r: Record) -> int:
        """The seat that is asked, at a choice."""
        ...

    def moves(self, r: Record) -> list[RawMove]:
        """The legal moves, at a choice, at least one: (option index, parameter values...).

        Options in their order, then parameters lexicographically. A parameter takes the values from `low` to
        `high`; where there is one and it is outside `least..most`, that is a fault. An option's guard is
        asked once for each combination of its parameters.
        """
        ...

    def play(self, r: Record, move: RawMove) -> None:
        """Keep the parameters of a legal move in their slots, then go on at the option's target."""
        ...

    def outcomes(self, r: Record) -> list[tuple[int, int]]:
        """(outcome, weight above 0) in ascending order of outcomes, at chance, at least one."""
        ...

    def happen(self, r: Record, outcome: int) -> None:
        """Keep an outcome of positive weight in its slot, go on at the target to the next wait."""
        ...

    def scores(self, r: Record) -> tuple[tuple[int, ...], ...]:
        """For each seat its ranking keys: the score first, then what breaks ties; higher is better."""
        ...
