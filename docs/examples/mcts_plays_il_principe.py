"""OpenSpiel's Monte Carlo tree search plays Il Principe against somebody who plays at random.

The search sees the whole table, as OpenSpiel's does in every game: it is a strong opponent and no fair one.
"""

from __future__ import annotations

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import rulespec.adapters.openspiel  # noqa: F401  registers `rulespec(game=...)`


def play(seed: int, seat: int, simulations: int = 10) -> float:
    """What one game is worth to the search, which sits at `seat`: 1 if it wins, -1 if it does not."""
    game = pyspiel.load_game("rulespec(game=il_principe,players=2,utility=win_loss)")
    luck = np.random.RandomState(seed)
    bot = mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            action = luck.choice(actions, p=chances)
        elif state.current_player() == seat:
            action = bot.step(state)
        else:
            action = luck.choice(state.legal_actions())
        state.apply_action(int(action))
    return float(state.returns()[seat])


def won(games: int) -> int:
    """How many of so many games the search wins, beginning at each seat in turn."""
    return sum(play(seed, seat=seed % 2) > 0 for seed in range(games))


if __name__ == "__main__":
    print(f"the search won {won(10)} of 10 games")
