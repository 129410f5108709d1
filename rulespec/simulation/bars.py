"""Whole numbers cut into bars for a picture, and what stands at a share of them."""

from __future__ import annotations

from collections.abc import Sequence

MOST_BARS = 60


def edges_of(least: int, greatest: int, most: int = MOST_BARS) -> list[float]:
    """Borders of at most so many bars, which hold equally many whole numbers each."""
    width = max(1, -(-(greatest - least + 1) // most))
    number = -(-(greatest - least + 1) // width)
    return [least - 0.5 + width * bar for bar in range(number + 1)]


def heights_of(numbers: Sequence[int], edges: Sequence[float]) -> list[float]:
    """The share of the numbers in each bar."""
    width = edges[1] - edges[0]
    bars = [0] * (len(edges) - 1)
    for number in numbers:
        bars[int((number - edges[0]) // width)] += 1
    return [bar / len(numbers) for bar in bars]


def quantile(ordered: Sequence[int], share: float) -> float:
    """Between the two neighbors, as the usual definition has it."""
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
