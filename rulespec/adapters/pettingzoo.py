"""Games of rulespec as environments of PettingZoo, with spaces of Gymnasium.

    from rulespec.adapters import pettingzoo

    env = pettingzoo.env("il_principe", players=4)                   one agent after the other (AEC)
    env = pettingzoo.parallel_env("goofspiel", players=2)            all agents at once

Agents are called `player_0`, `player_1` and so on, by their seats. What an agent observes is a dictionary:
`observation`, numbers from 0 to 1 (`rulespec.adapters.tensors` says which), and `action_mask`, with a 1 for
each move that it may make now. An action is the number of a move. Rewards come when a play ends: what it is
worth to the seat, by the `utility` that was chosen.

Chance is decided by the environment, from the seed that `reset` was given.
"""

from __future__ import annotations

import operator
import os
import random
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from rulespec.adapters.extras import needed
from rulespec.adapters.pictures import picture, text
from rulespec.adapters.setting import Setting
from rulespec.engine.state import State

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise needed(error, "pettingzoo") from None

ILLEGAL = ("error", "random", "terminate")
RENDER_MODES = ("human", "ansi", "rgb_array")

Observation = dict[str, np.ndarray[Any, Any]]


def env(
    game: str | os.PathLike[str] | Setting, *, illegal: str = "terminate", **options: Any
) -> AECEnv[str, Observation, int]:
    """An AEC environment in the wrappers that PettingZoo's own board games have.

    Takes what `raw_env` does. Whoever makes an illegal move ends the play and gets -1, unless `illegal` says
    otherwise.
    """
    if illegal not in ILLEGAL:
        raise ValueError(f"illegal moves can be an `error`, `random` or `terminate`, not `{illegal}`")
    made: Any = raw_env(game, illegal="error" if illegal == "terminate" else illegal, **options)
    if illegal == "terminate":
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class _Shared(EzPickle):  # type: ignore[misc]  # the package has no types
    """What both kinds of environment are made of.

    Args:
        game: the name of a bundled game, the path of a rulebook, or a `Setting`.
        players, variants, readings, scope, utility: as in `Setting`.
        render_mode: `ansi` gives text, `rgb_array` a picture, `human` writes the text after each step.
        max_cycles: turns of an agent (AEC) or steps (parallel) after which a play is truncated.
        rematch: begin another play when one ends, until `max_cycles`.
        illegal: what comes of a move that is not legal: an `error`, or a `random` legal move instead of it.
    """

    def __init__(
        self,
        game: str | os.PathLike[str] | Setting,
        *,
        players: int | None = None,
        variants: Iterable[str] = (),
        readings: Mapping[str, str] | None = None,
        scope: str | None = None,
        utility: str = "score",
        render_mode: str | None = None,
        max_cycles: int | None = None,
        rematch: bool = False,
        illegal: str = "error",
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"there is no render mode `{render_mode}`; there are {', '.join(RENDER_MODES)}")
        if illegal not in ILLEGAL[:2]:
            raise ValueError(f"illegal moves can be an `error` or `random`, not `{illegal}`")
        if rematch and max_cycles is None:
            raise ValueError("with `rematch`, `max_cycles` must say when it ends")
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"`max_cycles` must be at least 1, and is {max_cycles}")
        if not isinstance(game, Setting):
            game = Setting(
                game, players=players, variants=variants, readings=readings, scope=scope, utility=utility
            )
        elif (players, variants, readings, scope, utility) != (None, (), None, None, "score"):
            raise ValueError("a `Setting` has players, variants, readings, scope and utility already")
        EzPickle.__init__(
            self, game, render_mode=render_mode, max_cycles=max_cycles, rematch=rematch, illegal=illegal
        )
        self.setting = game
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.rematch = rematch
        self.illegal = illegal
        self.metadata = {
            "name": f"{game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        moves, seen = game.game.num_moves, game.tensors.observed
        self._action_spaces = {agent: spaces.Discrete(moves) for agent in self.possible_agents}
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (seen,), np.float32),
                    "action_mask": spaces.Box(0, 1, (moves,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.state_space = spaces.Box(0.0, 1.0, (game.tensors.record_size,), np.float32)
        self._luck = random.Random()
        self._dealt: State | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def state(self) -> np.ndarray[Any, Any]:
        """The whole state, whoever may see it."""
        return self.setting.tensors.everything(self._play)

    def render(self) -> str | np.ndarray[Any, Any] | None:
        """The whole table, as the render mode says."""
        match self.render_mode:
            case "rgb_array":
                return picture(self._play)
            case "ansi":
                return text(self._play)
            case "human":
                sys.stdout.write(text(self._play) + "\n\n")
        return None

    def close(self) -> None:
        """Nothing is held open."""

    # --- inside ---------------------------------------------------------------------------------------------

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._luck = random.Random(seed)
        self._deal()
        self.agents = list(self.possible_agents)

    @property
    def _play(self) -> State:
        if self._dealt is None:
            raise RuntimeError("no play has begun: call `reset` first")
        return self._dealt

    def _deal(self) -> None:
        self._dealt = self.setting.game.start(self._luck.randrange(2**32))

    def _name(self, seat: int) -> str:
        return self.possible_agents[seat]

    def _observed(self, state: State, seat: int) -> Observation:
        """What a seat sees, and which moves it may make if it is asked in this state."""
        mask = np.zeros(self.setting.game.num_moves, np.int8)
        if state.actor == seat:
            mask[state.numbers()] = 1
        return {"observation": self.setting.tensors.observation(state, seat), "action_mask": mask}

    def _number(self, state: State, action: Any) -> int:
        """The number of the move that is made in a state where an agent chose this action.

        Raises:
            IllegalMove: the move is not legal, and that is an error.
        """
        number, numbers = operator.index(action), state.numbers()
        if number not in numbers:
            if self.illegal == "random":
                return self._luck.choice(numbers)
            state.copy().play(number)  # says why not
        return number

    def _rewards(self) -> dict[str, float]:
        if not self._play.over:
            return dict.fromkeys(self.possible_agents, 0.0)
        return dict(zip(self.possible_agents, self.setting.worth(self._play), strict=True))


class raw_env(_Shared, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """One agent after the other: whoever the rules ask. See `_Shared` for what it takes."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a play. All that chance decides follows from `seed`."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turns = dict.fromkeys(self.agents, 0)
        self._select()

    def observe(self, agent: str) -> Observation:
        return self._observed(self._play, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Make a move of the agent that is selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._play.play(self._number(self._play, action))
        self._cumulative_rewards[agent] = 0.0
        self._turns[agent] += 1
        self.rewards = self._rewards()
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Who is asked next; if nobody is, the play is over for all."""
        if self._play.over and self.rematch:
            self._deal()
        actor = self._play.actor
        if actor is None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = self._name(actor)
        if self.max_cycles is not None and self._turns[self.agent_selection] >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)


class parallel_env(_Shared, ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """All agents at once: a step takes an action of each, and those of the seats that are asked count.

    Where the rules ask several to answer at once, these are asked in one step; else it is one seat. The
    mask of an agent that is not asked has no 1 in it. See `_Shared` for what it takes.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a play. All that chance decides follows from `seed`."""
        self._begin(seed)
        self._cycles = 0
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Make the moves of all who are asked, or none of them if one is not legal."""
        if not self.agents and self._dealt is not None:
            return {}, {}, {}, {}, {}
        chosen = [self._number(state, actions[self._name(seat)]) for seat, state in self._asked().items()]
        for number in chosen:
            self._play.play(number)
        self._cycles += 1
        rewards = self._rewards()
        if self._play.over and self.rematch:
            self._deal()
        over = self._play.over
        late = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        agents, observations = self.agents, self._observations()
        if over or late:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            observations,
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, late),
            {agent: {} for agent in agents},
        )

    def _observations(self) -> dict[str, Observation]:
        asked = self._asked()
        return {
            self._name(seat): self._observed(asked.get(seat, self._play), seat)
            for seat in range(self.setting.seats)
        }

    def _asked(self) -> dict[int, State]:
        """The seats that are asked at once, each with a state in which it is its turn.

        They are asked one after the other without seeing the others' answers, so any answer will do to see
        what the next may do.
        """
        if self._play.actor is None:
            return {}
        found = {self._play.actor: self._play}
        state = self._play
        while state.secret:
            block = state.points[-1].record[-1]
            state = state.copy()
            state.play(state.moves()[0])
            if state.actor is None or state.actor in found or state.points[-1].record[-1] != block:
                break
            found[state.actor] = state
        return found
