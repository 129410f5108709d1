"""OpenSpiel's counterfactual regret minimization solves the Kuhn poker of a rulebook."""

from __future__ import annotations

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import rulespec.adapters.openspiel  # noqa: F401  registers `rulespec(game=...)`


def solve(iterations: int = 300) -> tuple[float, float]:
    """How much the best answer gains against the strategy that was found, and what it is worth to begin."""
    # Kuhn poker's scores add up to 0, so their difference from the mean is the scores themselves.
    game = pyspiel.load_game("rulespec(game=kuhn_poker,players=2,utility=difference)")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    value, _ = expected_game_score.policy_value(game.new_initial_state(), [found, found])
    return exploitability.exploitability(game, found), value


if __name__ == "__main__":
    gain, value = solve()
    print(f"exploitability {gain:.5f}; worth {value:.5f} to the first player, in theory {-1 / 18:.5f}")
