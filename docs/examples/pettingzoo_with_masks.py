"""A loop over a PettingZoo environment: everybody makes a random legal move, and the best score wins."""

from __future__ import annotations

from collections import Counter

import numpy as np

from rulespec.adapters import pettingzoo


def play(games: int, players: int = 4) -> Counter[str]:
    """How often each agent has the best score of Il Principe."""
    env = pettingzoo.env("il_principe", players=players)
    luck = np.random.default_rng(0)
    best: Counter[str] = Counter()
    for seed in range(games):
        env.reset(seed=seed)
        rewards: dict[str, float] = {}
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            if terminated or truncated:
                rewards[agent] = reward
                env.step(None)
            else:
                legal = np.flatnonzero(observation["action_mask"])
                env.step(int(luck.choice(legal)))
        most = max(rewards.values())
        best.update(agent for agent, reward in rewards.items() if reward == most)
    return best


if __name__ == "__main__":
    for agent, games in sorted(play(20).items()):
        print(f"{agent} had the best score in {games} of 20 games")
