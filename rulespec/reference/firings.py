"""What happens in play-outs: random games of a configuration, with how often each rule and option happened,
how long they were, what was scored and who won.

Everybody plays at random, so this says what the rules lead to by themselves and not how people play. The
games follow from their seeds alone; they are kept in the cache, under the core that was played.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rulespec import cache
from rulespec.compiler.core.tree import Choose, Core
from rulespec.engine.faults import Fault
from rulespec.engine.python.playout import Playout
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.rng import pick, pick_move
from rulespec.engine.tally import places
from rulespec.simulation.offered import OptionName, offered

GAMES = 400
WATCHED = 20  # games of which each choice is looked at
SEED = 1
MOST = 20_000  # steps of a game
MOST_IN_ALL = 400_000  # steps after which no other game begins
SECONDS = 10.0  # of one processor, after which no other game begins: a rulebook may be anything
FORMAT = 1  # raised when what is kept comes to mean something else

_Name = TypeVar("_Name")


@dataclass(frozen=True)
class Fired:
    """How often something happened: in all games together, and in how many of them at all."""

    times: int
    games: int


@dataclass(frozen=True)
class Game:
    """One finished game: the players' moves, each seat's score (none where nothing is scored), who won."""

    moves: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True)
class PlayOuts:
    """The games of one configuration, `played` of them, from `seed` on.

    `rules` and `options` have what the configuration offers, also what never happened. `stopped` says of
    games that came to no end how many there were for each reason. `choices` counts, over some games, how
    many decisions had so many legal moves. `late`: fewer games than usual, for want of time.
    """

    players: int
    seed: int
    played: int
    games: tuple[Game, ...]
    rules: Mapping[str, Fired]
    options: Mapping[OptionName, Fired]
    stopped: Mapping[str, int] = field(default_factory=dict)
    choices: Mapping[int, int] = field(default_factory=dict)
    watched: int = 0
    late: bool = False

    @property
    def never(self) -> tuple[str, ...]:
        """The rules that are there and did not happen."""
        return tuple(rule for rule, fired in self.rules.items() if not fired.times)

    def times_a_game(self, fired: Fired) -> float:
        return fired.times / self.played

    def share_of_games(self, fired: Fired) -> float:
        return fired.games / self.played


def play_outs(core: Core, core_hash: str, games: int = GAMES) -> PlayOuts:
    """Random games, played now or kept from before; `core_hash` is that of the core."""
    kept, name = cache.opened(), cache.key(core_hash, json.dumps([FORMAT, games, SEED, MOST, WATCHED]))
    text = kept.get("playouts", name)
    if text is not None:
        try:
            return _from_data(json.loads(text))
        except (ValueError, KeyError, TypeError):
            pass
    made = _Playing(core).all(games)
    if not made.late:
        kept.put("playouts", name, json.dumps(_to_data(made)))
    return made


class _Playing:
    def __init__(self, core: Core) -> None:
        self.core = core
        self.playout = Playout(core)
        counted = places(core)
        self.rules = counted.rules
        self.options = [self._option(block, number) for block, number in counted.options]
        self.fired: dict[str, list[int]] = {name: [0, 0] for name in self.rules}
        self.taken: dict[OptionName, list[int]] = {name: [0, 0] for name in self.options}
        self.games: list[Game] = []
        self.stopped: Counter[str] = Counter()

    def _option(self, block: int, number: int) -> OptionName:
        end = self.core.blocks[block].end
        assert isinstance(end, Choose)
        option = end.options[number]
        return option.origin.rule or self.core.blocks[block].origin.rule, option.name

    def all(self, games: int) -> PlayOuts:
        end = time.process_time() + SECONDS
        steps = played = 0
        while played < games and steps < MOST_IN_ALL and time.process_time() < end:
            steps += self._play(SEED + played)
            played += 1
        choices, watched = self._choices(min(WATCHED, played), end)
        there = offered(self.core)
        return PlayOuts(
            self.core.configuration.players,
            SEED,
            played,
            tuple(self.games),
            {name: Fired(*self.fired.get(name, (0, 0))) for name in there.rules},
            {name: Fired(*self.taken.get(name, (0, 0))) for name in there.options},
            dict(self.stopped),
            choices,
            watched,
            played < games,
        )

    def _play(self, seed: int) -> int:
        """One game, counted; the number of its steps."""
        entered, chosen = self.playout.counts()
        try:
            record, steps = self.playout.play_counted(seed, entered, chosen, MOST)
            keys = self.playout.scores(record)
        except Fault as fault:
            self.stopped[str(fault)] += 1
            return 1 + sum(chosen)
        finally:
            _add(self.fired, self.rules, entered)
            _add(self.taken, self.options, chosen)
        if self.core.blocks[record[-1]].kind != "end":
            self.stopped[f"no end after {MOST:,} steps"] += 1
            return steps
        best = max(keys, default=())
        winners = tuple(seat for seat, own in enumerate(keys) if own == best) if best else ()
        self.games.append(Game(sum(chosen), tuple(own[0] for own in keys if own), winners))
        return steps

    def _choices(self, games: int, end: float) -> tuple[Mapping[int, int], int]:
        """For the first games: how many decisions had so many moves; and how many games these were."""
        found: Counter[int] = Counter()
        engine = PythonEngine(self.core)
        for game in range(games):
            if time.process_time() > end:
                return found, game
            try:
                _watch(engine, SEED + game, found)
            except Fault:
                continue
        return found, games


def _watch(engine: PythonEngine, seed: int, found: Counter[int]) -> None:
    rng = random.Random(seed)
    r = engine.start()
    for _ in range(MOST):
        match engine.kind(r):
            case "choice":
                moves = engine.moves(r)
                found[len(moves)] += 1
                engine.play(r, pick_move(rng, moves))
            case "chance":
                engine.happen(r, pick(rng, engine.outcomes(r)))
            case _:
                return


def _add(to: dict[_Name, list[int]], names: Sequence[_Name], counts: Sequence[int]) -> None:
    """One game's counts; a name may stand for several places."""
    of_game: Counter[_Name] = Counter()
    for name, count in zip(names, counts, strict=True):
        of_game[name] += count
    for name, count in of_game.items():
        to[name][0] += count
        to[name][1] += count > 0


# --- as data, for the cache --------------------------------------------------------------------------------


def _to_data(made: PlayOuts) -> dict[str, Any]:
    return {
        "players": made.players,
        "seed": made.seed,
        "played": made.played,
        "games": [[game.moves, game.scores, game.winners] for game in made.games],
        "rules": {name: [fired.times, fired.games] for name, fired in made.rules.items()},
        "options": [[*name, fired.times, fired.games] for name, fired in made.options.items()],
        "stopped": made.stopped,
        "choices": list(made.choices.items()),
        "watched": made.watched,
    }


def _from_data(data: dict[str, Any]) -> PlayOuts:
    return PlayOuts(
        data["players"],
        data["seed"],
        data["played"],
        tuple(Game(moves, tuple(scores), tuple(winners)) for moves, scores, winners in data["games"]),
        {name: Fired(*counts) for name, counts in data["rules"].items()},
        {(rule, option): Fired(times, games) for rule, option, times, games in data["options"]},
        data["stopped"],
        {int(moves): count for moves, count in data["choices"]},
        data["watched"],
    )
