"""What many games come to: lengths, scores, wins, and how often each rule and option happened."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from rulespec.compiler.core.tree import Core
from rulespec.engine.simulate import Chunk, Result, Totals
from rulespec.simulation.offered import OptionName, offered

# Two-sided 95 %.
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95 % confidence interval."""

    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Numbers in short; `deviation` is the standard deviation of those seen."""

    least: int
    median: float
    most: int
    mean: float
    deviation: float


class Tally:
    """Counts games of a core as they come."""

    def __init__(self, core: Core) -> None:
        self.games: list[Result] = []
        self._totals = Totals(core)
        self._offered = offered(core)

    def add(self, chunk: Chunk) -> None:
        """Take in some games."""
        self.games.extend(chunk.results)
        self._totals.add(chunk)

    @property
    def finished(self) -> list[Result]:
        return [game for game in self.games if game.finished]

    @property
    def stopped(self) -> list[Result]:
        """Games without an end: the rules failed, or there were too many steps."""
        return [game for game in self.games if not game.finished]

    def rules(self) -> dict[str, int]:
        """How often each rule happened, of those that the configuration offers."""
        counts = self._totals.by_rule()
        return {rule: counts[rule] for rule in self._offered.rules}

    def options(self) -> dict[OptionName, int]:
        """How often each option was taken, of those that the configuration offers."""
        counts = self._totals.by_option()
        return {option: counts[option] for option in self._offered.options}

    def lengths(self) -> Spread | None:
        """The players' moves in a finished game; None when no game was finished."""
        return spread([game.decisions for game in self.finished])

    def scores(self, seat: int) -> Spread | None:
        """A seat's final scores; None when no game was finished, or nothing is scored."""
        return spread([game.scores[seat] for game in self.finished if game.scores])

    def wins(self, seat: int) -> Rate | None:
        """How often a seat is among the winners; None when no game was finished."""
        finished = self.finished
        return interval(sum(seat in game.winners for game in finished), len(finished))

    def shared(self) -> Rate | None:
        """How often several seats win together; None when no game was finished."""
        finished = self.finished
        return interval(sum(len(game.winners) > 1 for game in finished), len(finished))


def spread(numbers: Sequence[int]) -> Spread | None:
    """The spread of some numbers, None of none."""
    if not numbers:
        return None
    return Spread(
        min(numbers),
        statistics.median(numbers),
        max(numbers),
        statistics.fmean(numbers),
        statistics.pstdev(numbers),
    )


def interval(hits: int, of: int) -> Rate | None:
    """Wilson's score interval, which is right near 0 and 1 as well; None of nothing.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    if of == 0:
        return None
    share = hits / of
    middle = share + _Z**2 / (2 * of)
    reach = _Z * math.sqrt(share * (1 - share) / of + _Z**2 / (4 * of**2))
    below = 1 + _Z**2 / of
    return Rate(share, max(0.0, (middle - reach) / below), min(1.0, (middle + reach) / below))
