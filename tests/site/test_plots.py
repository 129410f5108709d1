"""Plots: what they are drawn from is what they show, whatever the numbers are."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from rulespec.site.pages import plots
from rulespec.site.pages.plots import WIDTH, Box, Interval

NUMBER = re.compile(r' (?:x|x1|x2|cx)="(-?[\d.]+)"')


def _inside(svg: str) -> bool:
    """Whether nothing is drawn outside of the picture."""
    return all(0 <= float(x) <= WIDTH for x in NUMBER.findall(svg))


def _ticks(svg: str) -> list[str]:
    return re.findall(r'text-anchor="middle">([^<]+)<', svg)


def test_a_bar_is_as_high_as_its_share() -> None:
    svg = plots.bars([0.5, 1.5, 2.5, 3.5], [0.5, 0.0, 0.25], "moves", "told")
    heights = [float(h) for h in re.findall(r'class="plot-bar"[^>]* height="([\d.]+)"', svg)]
    assert heights == [plots.BARS, plots.BARS / 2]
    assert {"1", "2", "3", "moves"} <= set(_ticks(svg))


@pytest.mark.parametrize(
    ("least", "most"), [(0, 0), (-3, 4), (0, 1), (7, 7), (-2_000_000, 5_000_000), (99, 101)]
)
def test_any_numbers_fit_and_have_a_few_ticks(least: int, most: int) -> None:
    middle = (least + most) / 2
    svg = plots.boxes([("p0", Box(least, least, middle, most, most))], "score", "told")
    assert _inside(svg)
    assert 1 <= len(_ticks(svg)) - 2 <= plots.MOST_TICKS + 2  # without the median and what is counted


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 1.0])
def test_shares_are_drawn_within_their_interval(share: float) -> None:
    low, high = max(0.0, share - 0.1), min(1.0, share + 0.1)
    svg = plots.intervals([("p0", Interval(share, low, high))], 0.5, "games", "told")
    assert _inside(svg)
    left, right = re.findall(r'<line class="plot-mark" x1="([\d.]+)"[^>]* x2="([\d.]+)"', svg)[0]
    dot = re.findall(r'cx="([\d.]+)"', svg)[0]
    assert float(left) <= float(dot) <= float(right)


def test_what_it_says_is_text_and_no_tag() -> None:
    svg = plots.bars([0.5, 1.5], [1.0], "<b>moves</b>", '"><script>')
    root = ElementTree.fromstring(svg)
    assert root.get("aria-label") == '"><script>'
    assert {each.tag for each in root.iter()} == {"svg", "rect", "line", "text"}
