"""The classic games are OpenSpiel's, step by step: turns, moves, chance, ends, returns, what seats know."""

from __future__ import annotations

import random
from collections import Counter

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'rulespec[openspiel]'")

from twins import LARGE, SMALL, Partition, Twin, tree


@pytest.mark.parametrize("twin", SMALL, ids=str)
def test_the_whole_tree_is_the_same(twin: Twin) -> None:
    known = Partition()
    kinds: Counter[str] = Counter()
    for pair in tree(twin.start()):
        pair.compare()
        kinds[pair.ours.kind] += 1
        if pair.ours.kind == "choice":
            known.add(pair)
    assert kinds["end"] > 1
    assert len(known) > twin.players


@pytest.mark.parametrize("twin", LARGE, ids=str)
def test_random_games_are_the_same(twin: Twin) -> None:
    known = Partition()
    for seed in range(twin.games):
        rng = random.Random(seed)
        pair = twin.start()
        pair.compare()
        while not pair.ours.over:
            if pair.ours.kind == "choice":
                known.add(pair)
            pair.go(rng.choice(pair.actions()))
            pair.compare()
    assert len(known) > twin.games / 10
