"""What the classic games are worth, worked out from the rules, is what is known and what OpenSpiel finds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'rulespec[openspiel]'")

import pyspiel
from open_spiel.python.algorithms import minimax
from open_spiel.python.games.data import kuhn_nash_equilibrium
from twins import CLOSE, LARGE, SMALL, Pair, Twin, breakthrough
from values import at_best, at_random

from rulespec import library

# Games whose trees OpenSpiel can walk.
WALKED = [
    twin
    for twin in (*SMALL, *LARGE)
    if twin.name in ("leduc_poker", "liars_dice", "tic_tac_toe")
    or (twin.name == "kuhn_poker" and twin.players < 5)
    or str(twin) in ("first_sealed_auction-2", "goofspiel-2-three", "goofspiel-2-four", "goofspiel-2-five")
]


def board(side: int, folder: Path) -> Twin:
    """Breakthrough on a smaller board, where OpenSpiel gives each player one row of pawns."""
    path = library.find("breakthrough").path
    text = path.read_text()
    for old, new in ((": Int = 8", f": Int = {side}"), (">= side - 2", ">= side - 1")):
        assert old in text
        text = text.replace(old, new)
    changed = folder / "breakthrough.rules.md"
    changed.write_text(text)
    name = f"breakthrough(rows={side},columns={side})"
    return Twin(str(changed), name, move=breakthrough(side))


LONG = [twin for twin in LARGE if str(twin) in ("kuhn_poker-5", "first_sealed_auction-3")]


@pytest.mark.parametrize("twin", [*WALKED, *(pytest.param(t, marks=pytest.mark.deep) for t in LONG)], ids=str)
def test_expected_returns_of_random_play_are_theirs(twin: Twin) -> None:
    game: Any = twin.game
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    policy = pyspiel.UniformRandomPolicy(game)
    theirs = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)
    assert theirs == pytest.approx([float(worth) for worth in at_random(twin.ours)], abs=CLOSE)


def test_tic_tac_toe_is_a_draw() -> None:
    twin = next(twin for twin in LARGE if twin.name == "tic_tac_toe")
    assert list(at_best(twin.ours)) == [0, 0]
    assert minimax.alpha_beta_search(twin.game)[0] == 0.0


@pytest.mark.parametrize("side", [3, 4])
def test_small_boards_of_breakthrough_are_worth_what_theirs_are(side: int, tmp_path: Path) -> None:
    twin = board(side, tmp_path)
    value, _ = minimax.alpha_beta_search(twin.game)
    assert list(at_best(twin.ours)) == [value, -value]


@pytest.mark.parametrize("alpha", [0.0, 0.2, 1 / 3])
def test_their_equilibrium_of_kuhn_poker_is_worth_what_kuhn_found(alpha: float) -> None:
    policy = kuhn_nash_equilibrium(alpha)

    def worth(pair: Pair) -> float:
        if pair.ours.over:
            return float(pair.ours.scores[0])
        if pair.ours.kind == "chance":
            chances = {outcome.number: float(outcome.probability) for outcome in pair.ours.chance()}
        else:
            chances = policy.action_probabilities(pair.theirs)
        return sum(chance * worth(after(pair, action)) for action, chance in chances.items())

    assert worth(SMALL[0].start()) == pytest.approx(float(Fraction(-1, 18)), abs=CLOSE)


def after(pair: Pair, action: int) -> Pair:
    """A copy one step on. Actions and outcomes of Kuhn poker have the same numbers in both."""
    child = pair.copy()
    child.go(action)
    return child
