"""Chance: how random play-outs draw, the same in all engines, and how a game uses its seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rulespec.engine.stepper import RawMove, Record, Stepper


def pick(rng: random.Random, weighted: Sequence[tuple[int, int]]) -> int:
    """The outcome that holds a random unit of weight; no draw where only one is possible."""
    if len(weighted) == 1:
        return weighted[0][0]
    unit = int(rng.random() * sum(weight for _, weight in weighted))
    for outcome, weight in weighted:
        unit -= weight
        if unit < 0:
            return outcome
    return weighted[-1][0]


def pick_move(rng: random.Random, moves: Sequence[RawMove]) -> RawMove:
    """Each move with equal chance; no draw where there is only one."""
    return moves[0] if len(moves) == 1 else moves[int(rng.random() * len(moves))]


def decide(seed: int, number: int, weighted: Sequence[tuple[int, int]]) -> int:
    """What chance decides as event `number` (from 0) of the game with this seed.

    Each event has a generator of its own, so that undoing, saving and replaying need only the seed and the
    count.
    """
    if len(weighted) == 1:
        return weighted[0][0]
    return pick(random.Random(f"{seed}:{number}"), weighted)


def playout(stepper: Stepper, seed: int, most: int = 100_000) -> tuple[Record, int]:
    """A random play to the end, or for `most` steps; the last record and the number of steps taken.

    All engines play the same game from the same seed.
    """
    rng = random.Random(seed)
    r = stepper.start()
    for step in range(most):
        match stepper.kind(r):
            case "choice":
                stepper.play(r, pick_move(rng, stepper.moves(r)))
            case "chance":
                stepper.happen(r, pick(rng, stepper.outcomes(r)))
            case _:
                return r, step
    return r, most
