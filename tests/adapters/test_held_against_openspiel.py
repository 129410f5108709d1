"""The classic games are OpenSpiel's, step by step: turns, moves, chance, ends, returns, what seats know."""

from __future__ import annotations

import random
from collections import Counter

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'rulespec[openspiel]'")

from twins import LARGE, SMALL, Pair, Partition, Twin, tree

DEEP = [twin for twin in LARGE if str(twin) in ("tic_tac_toe-2", "liars_dice-2")]


@pytest.mark.parametrize("twin", [*SMALL, *(pytest.param(t, marks=pytest.mark.deep) for t in DEEP)], ids=str)
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


# --- differences that are theirs ----------------------------------------------------------------------------


def played(name: str, actions: list[int]) -> Pair:
    pair = next(twin for twin in SMALL if str(twin) == name).start()
    for action in actions:
        pair.go(action)
    pair.compare()
    return pair


def test_their_goofspiel_forgets_in_which_order_cards_went() -> None:
    """In theirs a seat that played 4 and then 3 knows the same as if it had played 3 and then 4."""
    one, other = (played("goofspiel-2-four", actions) for actions in ([3, 1, 2, 0], [2, 0, 3, 1]))
    for seat in range(2):
        assert one.their_state(seat) == other.their_state(seat)
        assert one.ours.information_state(seat) != other.ours.information_state(seat)
        assert one.known[seat] != other.known[seat]


def test_their_poker_does_not_tell_what_the_showdown_shows() -> None:
    """The first player has the queen, and after two passes sees that the other has the jack or the king."""
    one, other = (played("kuhn_poker-2", [1, card, 0, 0]) for card in (0, 2))
    assert one.ours.over
    assert one.their_state(0) == other.their_state(0)
    assert one.ours.information_state(0) != other.ours.information_state(0)
