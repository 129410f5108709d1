"""Whole random games, as fast as Python plays them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from rulespec.compiler.core.tree import Core
from rulespec.engine.python import plays
from rulespec.engine.python.emit import generate_scores
from rulespec.engine.python.load import load
from rulespec.engine.stepper import Record
from rulespec.engine.tally import places

# As `rng.playout`: steps after which a game is given up.
MOST = 100_000


class Playout:
    """Plays the same games from the same seeds as `rng.playout` does with any stepper of the core."""

    def __init__(self, core: Core) -> None:
        self.core = core

    def play(self, seed: int, most: int = MOST) -> tuple[Record, int]:
        """A random game to the end, or for `most` steps: the last record and the number of steps taken.

        Raises `Fault`.
        """
        record, steps = self._play(random.Random(seed).random, most)
        return record, steps

    def series(self, seed: int, games: int, most: int = MOST) -> Iterator[tuple[Record, int]]:
        """So many games in a row that draw from one generator; the first is that of `play(seed)`."""
        draw, play = random.Random(seed).random, self._play
        for _ in range(games):
            yield play(draw, most)

    def play_counted(
        self, seed: int, entered: list[int], chosen: list[int], most: int = MOST
    ) -> tuple[Record, int]:
        """The same, adding to the counts of rules and options, which are in the order of `tally.places`."""
        record, steps = self._play_counted(random.Random(seed).random, most, entered, chosen)
        return record, steps

    def counts(self) -> tuple[list[int], list[int]]:
        """Counts of rules and options for `play_counted` to begin with."""
        counted = places(self.core)
        return [0] * len(counted.rules), [0] * len(counted.options)

    @cached_property
    def scores(self) -> Callable[[Record], tuple[tuple[int, ...], ...]]:
        """As `Stepper.scores`."""
        found: Callable[[Record], tuple[tuple[int, ...], ...]]
        found = load(self.core, generate_scores(self.core))["scores"]
        return found

    @cached_property
    def _play(self) -> Callable[..., Any]:
        return self._generated(tally=False)

    @cached_property
    def _play_counted(self) -> Callable[..., Any]:
        return self._generated(tally=True)

    def _generated(self, *, tally: bool) -> Callable[..., Any]:
        play: Callable[..., Any] = load(self.core, plays.generate(self.core, tally=tally))["play"]
        return play
