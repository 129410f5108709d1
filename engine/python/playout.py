"""Whole random games, as fast as Python plays them."""

from __future__ import annotations

import random
from collections.abc import Callable

from rulespec.compiler.core.tree import Core
from rulespec.engine.python import plays
from rulespec.engine.python.load import load
from rulespec.engine.stepper import Record

# As `rng.playout`: steps after which a game is given up.
MOST = 100_000


class Playout:
    """Plays the same games from the same seeds as `rng.playout` does with any stepper of the core."""

    def __init__(self, core: Core) -> None:
        self.core = core
        names = load(core, plays.generate(core, tally=False))
        self._play: Callable[[Callable[[], float], int], tuple[Record, int]] = names["play"]

    def play(self, seed: int, most: int = MOST) -> tuple[Record, int]:
        """A random game to the end, or for `most` steps: the last record and the number of steps taken.

        Raises `Fault`.
        """
        return self._play(random.Random(seed).random, most)
