"""Small plots as SVG: bars, boxes and intervals, in the page's own colors and fonts.

A plot is an image with a text that says what it shows; whoever puts it on a page puts its numbers beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.site.page import text

WIDTH = 360.0
LEFT, RIGHT = 12.0, 16.0
NAMES = 64.0  # room for the names of rows
LABEL = 44.0  # room for a number after a row
ROW = 26.0
BARS = 120.0  # height of bars
AXIS = 34.0  # room for ticks and what they count
MOST_TICKS = 6


@dataclass(frozen=True)
class Box:
    """Numbers in short: where they begin and end, and where a quarter, half and three quarters are."""

    least: float
    quarter: float
    median: float
    three_quarters: float
    most: float


@dataclass(frozen=True)
class Interval:
    """A share with the interval that it is known within."""

    share: float
    low: float
    high: float


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float
    left: float
    right: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low or 1
        return self.left + (value - self.low) / span * (self.right - self.left)


def bars(edges: Sequence[float], heights: Sequence[float], counts: str, told: str) -> str:
    """A histogram; `counts` says what is counted along it, `told` what it shows."""
    scale = _Scale(edges[0], edges[-1], LEFT, WIDTH - RIGHT)
    tallest = max(heights) or 1
    made = []
    for left, right, height in zip(edges, edges[1:], heights, strict=False):
        if not height:
            continue
        x, width, tall = scale(left), scale(right) - scale(left), BARS * height / tallest
        made.append(_rect(x, BARS - tall + 4, max(width - 0.6, 0.6), tall, "plot-bar"))
    low, high = math.ceil(edges[0]), math.floor(edges[-1])
    axis = _axis(scale, _ticks(low, high), BARS + 4, counts)
    return _svg(BARS + 4 + AXIS, [*made, *axis], told)


def boxes(rows: Sequence[tuple[str, Box]], counts: str, told: str) -> str:
    """A row for each name: a line from least to most, a bar for the middle half, a mark at the median."""
    scale = _Scale(min(box.least for _, box in rows), max(box.most for _, box in rows), NAMES, WIDTH - RIGHT)
    made = []
    for number, (name, box) in enumerate(rows):
        y = ROW * number + ROW / 2
        made += [_name(name, y), _line(scale(box.least), y, scale(box.most), y, "plot-line")]
        left, right = scale(box.quarter), scale(box.three_quarters)
        made.append(_rect(left, y - 6, max(right - left, 1), 12, "plot-bar"))
        middle = scale(box.median)
        made.append(_line(middle, y - 8, middle, y + 8, "plot-mark"))
        made.append(f'<text x="{middle:.1f}" y="{y - 9:.1f}" text-anchor="middle">{box.median:g}</text>')
    bottom = ROW * len(rows) + 4
    axis = _axis(scale, _ticks(math.floor(scale.low), math.ceil(scale.high)), bottom, counts)
    return _svg(bottom + AXIS, [*made, *axis], told, top=10)


def intervals(rows: Sequence[tuple[str, Interval]], even: float, counts: str, told: str) -> str:
    """A row for each name: a dot for the share, a line for its interval; a broken line where all are even."""
    most = max(max(each.high for _, each in rows), even)
    scale = _Scale(0.0, min(1.0, most * 1.1), NAMES, WIDTH - LABEL)
    bottom = ROW * len(rows) + 4
    made = [_line(scale(even), 0, scale(even), bottom, "plot-even")]
    for number, (name, each) in enumerate(rows):
        y = ROW * number + ROW / 2
        made += [_name(name, y), _line(scale(each.low), y, scale(each.high), y, "plot-mark")]
        made.append(f'<circle class="plot-dot" cx="{scale(each.share):.1f}" cy="{y:.1f}" r="4.5"/>')
        made.append(f'<text x="{scale(each.high) + 6:.1f}" y="{y + 4:.1f}">{100 * each.share:.0f} %</text>')
    ticks = [(value / 100, f"{value:g} %") for value, _ in _ticks(0, 100 * scale.high)]
    return _svg(bottom + AXIS, [*made, *_axis(scale, ticks, bottom, counts)], told, top=10)


# --- parts -------------------------------------------------------------------------------------------------


def _svg(height: float, parts: Sequence[str], told: str, top: float = 0.0) -> str:
    return (
        f'<svg class="plot" role="img" aria-label="{text(told)}" '
        f'viewBox="0 {-top:g} {WIDTH:g} {height + top:g}">{"".join(parts)}</svg>'
    )


def _axis(scale: _Scale, ticks: Sequence[tuple[float, str]], y: float, counts: str) -> Iterator[str]:
    yield _line(scale.left, y, scale.right, y, "plot-line")
    for value, name in ticks:
        x = scale(value)
        yield _line(x, y, x, y + 4, "plot-line")
        yield f'<text x="{x:.1f}" y="{y + 15:.1f}" text-anchor="middle">{text(name)}</text>'
    middle = (scale.left + scale.right) / 2
    place = f'x="{middle:.1f}" y="{y + 29:.1f}" text-anchor="middle"'
    yield f'<text class="plot-counts" {place}>{text(counts)}</text>'


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers from `low` to `high`, a few, at whole steps."""
    rough = max((high - low) / MOST_TICKS, 1)
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = math.ceil(low / step) * step
    number = int((high - first) // step) + 1
    return [(first + step * place, f"{first + step * place:g}") for place in range(max(number, 0))]


def _rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _name(name: str, y: float) -> str:
    return f'<text x="{NAMES - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{text(name)}</text>'
