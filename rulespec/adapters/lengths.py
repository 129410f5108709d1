"""How long plays of a game can get."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.engine.game import Game
from rulespec.engine.positions import Positions
from rulespec.engine.state import Played
from rulespec.engine.stepper import Record

# Positions that are visited for the longest way to the end; plays that are drawn where there are more.
_MOST = 6_000
_DEEPEST = 300
_PLAYS = 40
_MARGIN = 2


@dataclass(frozen=True, slots=True)
class Lengths:
    """The most moves, decisions of chance, and steps of both kinds in a play.

    `known`: no play has more. Else it is a guess: some times what random plays had.
    """

    moves: int
    chances: int
    steps: int
    known: bool

    def __str__(self) -> str:
        return f"{self.moves} moves and {self.chances} decisions of chance"


def lengths(game: Game) -> Lengths:
    """Found by visiting every position where there are few, else guessed from random plays."""
    try:
        return Lengths(*_Longest(game).after(game.stepper.start()), known=True)
    except _TooMuch:
        return _guess(game)


def _guess(game: Game) -> Lengths:
    most = [0, 0, 0]
    for seed in range(_PLAYS):
        history = game.random_play(seed).history
        moves = sum(isinstance(step, Played) for step in history)
        found = (moves, len(history) - moves, len(history))
        most = [max(pair) for pair in zip(most, found, strict=True)]
    moves, chances, steps = (number * _MARGIN for number in most)
    return Lengths(moves, chances, steps, known=False)


class _TooMuch(Exception):
    """There are too many positions, or plays that come back to one."""


class _Longest:
    """The longest ways to the end, from each position that was visited."""

    def __init__(self, game: Game) -> None:
        self._stepper = game.stepper
        self._positions = Positions(game.core, game.core.ranking)
        self._found: dict[tuple[int, ...], tuple[int, int, int] | None] = {}

    def after(self, record: Record, depth: int = 0) -> tuple[int, int, int]:
        """The most moves, decisions of chance and steps from a record on; each may be of another play."""
        self._positions.settle(record)
        key = tuple(record)
        if key in self._found:
            known = self._found[key]
            if known is None:
                raise _TooMuch
            return known
        if len(self._found) >= _MOST or depth > _DEEPEST:
            raise _TooMuch
        self._found[key] = None
        moves = chances = steps = 0
        kind = self._stepper.kind(record)
        for after in self._next(record, kind):
            m, c, s = self.after(after, depth + 1)
            moves = max(moves, m + (kind == "choice"))
            chances, steps = max(chances, c + (kind == "chance")), max(steps, s + 1)
        self._found[key] = (moves, chances, steps)
        return moves, chances, steps

    def _next(self, record: Record, kind: str) -> list[Record]:
        found: list[Record] = []
        if kind == "choice":
            for move in self._stepper.moves(record):
                found.append(list(record))
                self._stepper.play(found[-1], move)
        elif kind == "chance":
            for outcome, _ in self._stepper.outcomes(record):
                found.append(list(record))
                self._stepper.happen(found[-1], outcome)
        return found
