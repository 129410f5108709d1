"""The examples in docs/examples do what they say."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


def example(name: str, extra: str) -> dict[str, Any]:
    needed = {"openspiel": "pyspiel"}.get(extra, extra)
    pytest.importorskip(needed, reason=f"not installed: pip install 'rulespec[{extra}]'")
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def test_cfr_solves_our_kuhn_poker() -> None:
    gain, value = example("cfr_solves_kuhn_poker", "openspiel")["solve"]()
    assert 0 <= gain < 0.01
    assert value == pytest.approx(-1 / 18, abs=0.01)


def test_a_search_plays_il_principe_to_the_end() -> None:
    assert example("mcts_plays_il_principe", "openspiel")["play"](0, 0, simulations=2) in (-1.0, 0.0, 1.0)


@pytest.mark.deep
def test_a_search_wins_more_than_its_share_of_il_principe() -> None:
    assert example("mcts_plays_il_principe", "openspiel")["won"](10) >= 8


def test_a_loop_with_masks_plays_to_the_end() -> None:
    best = example("pettingzoo_with_masks", "pettingzoo")["play"](4)
    assert set(best) <= {f"player_{seat}" for seat in range(4)}
    assert sum(best.values()) >= 4


def test_each_example_is_run_here() -> None:
    text = Path(__file__).read_text()
    names = [path.stem for path in EXAMPLES.glob("*.py")]
    assert len(names) == 3
    assert all(f'example("{name}"' in text for name in names)
