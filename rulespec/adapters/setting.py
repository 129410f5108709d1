"""A game in one configuration, as an adapter plays it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from rulespec import api
from rulespec.adapters.lengths import Lengths, lengths
from rulespec.adapters.tensors import Tensors
from rulespec.adapters.utility import UTILITIES, limits, worth
from rulespec.engine.game import Game
from rulespec.engine.state import State


class Setting:
    """A loaded game with what a play of it is worth, and its tensors.

    Args:
        game: the name of a bundled game, or the path of a rulebook.
        players: how many play; by default the fewest.
        variants, readings, scope: as in `rulespec.load`.
        utility: one of `UTILITIES`.
        max_length: the most steps of a play, those of chance among them; by default found or guessed.

    Raises:
        RulesError, ConfigurationError: as `rulespec.load`.
        ValueError: there is no such utility, or another argument makes no sense.
    """

    def __init__(
        self,
        game: str | os.PathLike[str],
        *,
        players: int | None = None,
        variants: Iterable[str] = (),
        readings: Mapping[str, str] | None = None,
        scope: str | None = None,
        utility: str = "score",
        max_length: int | None = None,
    ) -> None:
        if utility not in UTILITIES:
            raise ValueError(f"there is no utility `{utility}`; there are {', '.join(UTILITIES)}")
        if isinstance(variants, str):
            raise ValueError(f"`variants` is a list of names: [{variants!r}]")
        if max_length is not None and max_length < 1:
            raise ValueError(f"a play has at least one step, so `max_length` cannot be {max_length}")
        self._asked: dict[str, Any] = {
            "game": os.fspath(game),
            "players": players,
            "variants": tuple(variants),
            "readings": dict(readings or {}),
            "scope": scope,
            "utility": utility,
            "max_length": max_length,
        }
        book = api.open_rulebook(game)
        if players is None and scope is None and book.outline is not None:
            players = book.outline.players[0]
        configuration = book.configuration(
            players=players,
            variants=self._asked["variants"],
            readings=self._asked["readings"],
            scope=scope,
        )
        self.game: Game = api.game_of(book.core(configuration))
        self.name = self.game.core.configuration.game
        self.utility = utility
        self._max_length = max_length

    def __reduce__(self) -> tuple[Any, ...]:
        """Loaded anew where it is copied or taken to another process, as generated code cannot be."""
        return _made, (self._asked,)

    @property
    def seats(self) -> int:
        return self.game.players

    def worth(self, state: State) -> tuple[float, ...]:
        """What a play is worth to each seat, as things stand."""
        return worth(state, self.utility)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """What a play is worth at least and at most."""
        return limits(self.game.core, self.utility)

    @cached_property
    def lengths(self) -> Lengths:
        """How long plays get."""
        if self._max_length is not None:
            return Lengths(self._max_length, self._max_length, self._max_length, known=True)
        return lengths(self.game)

    @cached_property
    def tensors(self) -> Tensors:
        """What seats see and know, as numbers."""
        return Tensors(self.game)


def _made(asked: dict[str, Any]) -> Setting:
    return Setting(**asked)
