"""Games of rulespec in OpenSpiel. Importing this module registers them all under one name.

    import pyspiel
    import rulespec.adapters.openspiel

    game = pyspiel.load_game("rulespec(game=il_principe,players=4)")

Parameters, all but `game` optional:

    game         the name of a bundled game, or the path of a rulebook
    players      how many play; by default the fewest
    variants     names of variants, with `+` between them
    readings     `question:meaning`, with `+` between them
    scope        the name of a small configuration in the rulebook
    utility      what a play is worth: `score` (the default), `difference` or `win_loss`
    max_length   the most steps of a play, those of chance among them; by default found or guessed

Games are sequential: where all answer at once, they are asked one after the other, and nobody sees what the
others have answered. A seat's action is the number of its move (`rulespec.Game.decode`); an outcome of chance
is counted from the least that chance may decide for there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from rulespec.adapters.extras import needed
from rulespec.adapters.setting import Setting
from rulespec.adapters.utility import is_zero_sum
from rulespec.compiler.core.tree import Chance, Choose, Core
from rulespec.engine.layout import value_label
from rulespec.engine.observation import lines, slots
from rulespec.engine.positions import Positions
from rulespec.engine.state import State

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise needed(error, "openspiel") from None

Key = tuple[tuple[str, str | int], ...]

NAME = "rulespec"
PARAMETERS: Mapping[str, str | int] = {
    "game": "tic_tac_toe",
    "players": 0,
    "variants": "",
    "readings": "",
    "scope": "",
    "utility": "score",
    "max_length": 0,
}


class RulespecGame(pyspiel.Game):  # type: ignore[misc]  # the package has no types
    """One configuration of a rulebook."""

    def __init__(self, params: Mapping[str, str | int] | None = None) -> None:
        chosen = {**PARAMETERS, **(params or {})}
        unknown = chosen.keys() - PARAMETERS.keys() - {"name"}
        if unknown:
            raise ValueError(f"there is no parameter `{min(unknown)}`; there are {', '.join(PARAMETERS)}")
        self.key = tuple((name, chosen[name]) for name in PARAMETERS)
        self.setting = _setting(self.key)
        game, lengths = self.setting.game, self.setting.lengths
        low, high = self.setting.limits
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_moves,
            max_chance_outcomes=max((c.high - c.low + 1 for c in _chances(game.core)), default=0),
            num_players=game.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if is_zero_sum(self.setting.utility) else None,
            max_game_length=max(1, lengths.moves),
        )
        super().__init__(_type_of(self.setting), info, params or {})
        self._begun = game.start(0, auto_chance=False)
        self.positions = Positions(game.core, game.core.ranking)

    def new_initial_state(self) -> RulespecState:
        return RulespecState(self)

    def begun(self) -> State:
        """A play at its start."""
        return self._begun.copy()

    def max_chance_nodes_in_history(self) -> int:
        return self.setting.lengths.chances

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        if params:
            raise ValueError(f"observers take no parameters, and were given {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        for_whom = pyspiel.PrivateInfoType
        if kind.private_info == for_whom.ALL_PLAYERS:
            raise ValueError("nobody observes what is private to others")
        if not kind.public_info:
            if kind.perfect_recall or kind.private_info == for_whom.NONE:
                raise ValueError("without what is public, only what a seat alone sees now can be observed")
            return _Private(self.setting, spectator=False)
        observer = _Memory if kind.perfect_recall else _Observer
        return observer(self.setting, spectator=kind.private_info == for_whom.NONE)


class RulespecState(pyspiel.State):  # type: ignore[misc]
    """A play of such a game."""

    def __init__(self, game: RulespecGame) -> None:
        super().__init__(game)
        self.held = _Held(game.begun(), game.key)

    @property
    def play(self) -> State:
        """The play as rulespec has it: to look at, not to move on."""
        return self.held.state

    def current_player(self) -> int:
        state = self.held.state
        match state.kind:
            case "choice":
                assert state.actor is not None
                return state.actor
            case "chance":
                return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.held.state.numbers())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        state = self.held.state
        total, low = sum(weight for _, weight in state.weights), _chance(state).low
        return [(number - low, weight / total) for number, weight in state.weights]

    def _apply_action(self, action: int) -> None:
        state = self.held.state
        if state.kind == "chance":
            state.happen(action + _chance(state).low)
        else:
            state.play(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        state = self.held.state
        if player == pyspiel.PlayerId.CHANCE and state.kind == "chance":
            chance = _chance(state)
            return f"{chance.domain.name} {value_label(chance.domain, action + chance.low)}"
        return state.game.decode(action).text

    def is_terminal(self) -> bool:
        return self.held.state.over

    def returns(self) -> list[float]:
        game = self.get_game()
        if not self.held.state.over:
            return [0.0] * game.num_players()
        return list(game.setting.worth(self.held.state))

    def __str__(self) -> str:
        """The same for plays that have come to the same position, by whatever way."""
        state = self.held.state
        record = state.record
        self.get_game().positions.settle(record)
        core = state.game.core
        shown = "\n".join(lines(core, slots(core, record, None, everything=True)))
        return f"{shown}\nposition: {state.game.layout.pack(record).hex()}"


class _Held:
    """A play within a state: OpenSpiel copies states by deep copies, and saves them by pickling."""

    def __init__(self, state: State, key: Key) -> None:
        self.state = state
        self.key = key

    def __deepcopy__(self, memo: object) -> _Held:
        return _Held(self.state.copy(), self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return _revived, (self.key, self.state.to_json())


def _revived(key: Key, saved: str) -> _Held:
    return _Held(_setting(key).game.from_json(saved), key)


class _Observer:
    """What a seat sees, by OpenSpiel's interface for observers."""

    def __init__(self, setting: Setting, spectator: bool) -> None:
        self._setting = setting
        self._spectator = spectator
        self._tensors = setting.tensors
        self.tensor = np.zeros(setting.seats + self._size(), np.float32)
        self.dict: dict[str, Any] = {"player": self.tensor[: setting.seats]}
        self._name(self.tensor[setting.seats :])

    def set_from(self, state: RulespecState, player: int) -> None:
        """Write what a seat sees into `tensor`, and so into the parts in `dict`."""
        self.tensor[: self._setting.seats] = 0
        if not self._spectator:
            self.tensor[player] = 1
        self._write(state.play, self._seat(player), self.tensor[self._setting.seats :])

    def string_from(self, state: RulespecState, player: int) -> str:
        """What a seat sees, as text."""
        seat = self._seat(player)
        who = "spectator" if seat is None else state.play.game.seat_name(seat)
        return f"{who}\n{state.play.observation_text(seat)}"

    def _seat(self, player: int) -> int | None:
        return None if self._spectator else player

    def _size(self) -> int:
        return self._tensors.observed

    def _name(self, tensor: Any) -> None:
        for piece in self._tensors.pieces:
            self.dict[piece.name] = tensor[piece.start : piece.stop]

    def _write(self, state: State, seat: int | None, out: Any) -> None:
        out[:] = self._tensors.observation(state, seat)


class _Private(_Observer):
    """What a seat sees and a spectator does not."""

    def string_from(self, state: RulespecState, player: int) -> str:
        open_to_all = state.play.observation_text(None).splitlines()
        own = state.play.observation_text(player).splitlines()
        return "\n".join(line for line in own if line not in open_to_all)

    def _write(self, state: State, seat: int | None, out: Any) -> None:
        seen, open_to_all = (self._tensors.observation(state, who) for who in (seat, None))
        out[:] = np.where(seen == open_to_all, 0, seen)


class _Memory(_Observer):
    """All that a seat has seen and done."""

    def string_from(self, state: RulespecState, player: int) -> str:
        return state.play.information_state(self._seat(player))

    @property
    def _rows(self) -> int:
        return self._setting.lengths.steps + 1

    def _size(self) -> int:
        return self._rows * self._tensors.row

    def _name(self, tensor: Any) -> None:
        self.dict["history"] = tensor.reshape(self._rows, self._tensors.row)

    def _write(self, state: State, seat: int | None, out: Any) -> None:
        out[:] = self._tensors.information_state(state, seat, self._rows).reshape(-1)


# --- what OpenSpiel is told of a game -----------------------------------------------------------------------


def _setting(params: Key) -> Setting:
    """A game is compiled once for all who load it with the same parameters, until its file is changed."""
    try:
        found = os.stat(str(dict(params)["game"]))
    except (OSError, ValueError):
        return _compiled(params, None)
    return _compiled(params, (found.st_mtime_ns, found.st_size))


@lru_cache(maxsize=64)
def _compiled(params: Key, stamp: tuple[int, int] | None) -> Setting:
    chosen = dict(params)
    return Setting(
        str(chosen["game"]),
        players=int(chosen["players"]) or None,
        variants=_listed(chosen["variants"]),
        readings=dict(_reading(pair) for pair in _listed(chosen["readings"])),
        scope=str(chosen["scope"]) or None,
        utility=str(chosen["utility"]),
        max_length=int(chosen["max_length"]) or None,
    )


def _listed(text: str | int) -> list[str]:
    return [part for part in str(text).split("+") if part]


def _reading(text: str) -> tuple[str, str]:
    question, colon, meaning = text.partition(":")
    if not colon:
        raise ValueError(f"a reading is written `question:meaning`, not `{text}`")
    return question, meaning


def _type_of(setting: Setting | None) -> Any:
    """What kind of game it is; None for what is registered, before anything is known of it."""
    core = setting.game.core if setting else None
    chance = core is None or bool(_chances(core))
    open_to_all = core is not None and _is_open(core)
    modes, known = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    sums = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=NAME,
        long_name=core.title if core else "Rulespec",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=known.PERFECT_INFORMATION if open_to_all else known.IMPERFECT_INFORMATION,
        utility=sums.ZERO_SUM if setting and is_zero_sum(setting.utility) else sums.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=setting.seats if setting else 99,
        min_num_players=setting.seats if setting else 1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(PARAMETERS),
    )


def _is_open(core: Core) -> bool:
    """Whether everybody sees everything."""
    seen = all(slot.sight == "open" for slot in core.slots)
    return seen and not any(isinstance(b.end, Choose) and b.end.secret for b in core.blocks)


def _chances(core: Core) -> list[Chance]:
    return [block.end for block in core.blocks if isinstance(block.end, Chance)]


def _chance(state: State) -> Chance:
    """What chance decides where the state waits for it."""
    end = state.game.core.blocks[state.points[-1].record[-1]].end
    assert isinstance(end, Chance)
    return end


pyspiel.register_game(_type_of(None), RulespecGame)
