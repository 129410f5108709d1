"""Random games of ours and of OpenSpiel's, side by side: one loop in Python drives OpenSpiel's games."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from rulespec.api import open_rulebook
from rulespec.engine.python.playout import Playout

# Our classic games and OpenSpiel's names for them.
GAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "kuhn_poker": "kuhn_poker",
    "leduc_poker": "leduc_poker",
    "first_sealed_auction": "first_sealed_auction",
    "liars_dice": "liars_dice",
    "goofspiel": "goofspiel(points_order=descending)",
}
# Games that OpenSpiel has in Python too, and how many times as fast ours are to be.
IN_PYTHON = {"tic_tac_toe": ("python_tic_tac_toe", 12.0), "kuhn_poker": ("python_kuhn_poker", 3.0)}

# Of the classic games so many are to be faster than OpenSpiel's, and none slower than a part of it.
FASTER = 3
SLOWEST = 1 / 3

PLAYERS = 2
_TURNS = 8

Games = Callable[[int], None]  # plays so many


@dataclass
class Measured:
    """Games a second of ours and of OpenSpiel's."""

    name: str
    theirs: str
    ours_a_second: float
    theirs_a_second: float

    @property
    def ratio(self) -> float:
        return self.ours_a_second / self.theirs_a_second


def compare(seconds: float) -> list[Measured]:
    """In C++ all of `GAMES`, in Python all of `IN_PYTHON`; raises `ImportError` without OpenSpiel."""
    import pyspiel
    from open_spiel.python import games as _in_python  # noqa: F401  (registers them)

    pairs = [*GAMES.items(), *((name, theirs) for name, (theirs, _) in IN_PYTHON.items())]
    return [_measure(name, theirs, _ours(name), _theirs(pyspiel, theirs), seconds) for name, theirs in pairs]


def _measure(name: str, theirs: str, first: Games, second: Games, seconds: float) -> Measured:
    """Both in turns, so that both meet the same machine."""
    games, passed = [0, 0], [0.0, 0.0]
    sizes = [_games_in(play, seconds / _TURNS) for play in (first, second)]
    for _ in range(_TURNS):
        for i, play in enumerate((first, second)):
            passed[i] += _time(play, sizes[i])
            games[i] += sizes[i]
    return Measured(name, theirs, games[0] / passed[0], games[1] / passed[1])


def _games_in(play: Games, seconds: float) -> int:
    games = 1
    while (taken := _time(play, games)) < seconds / 4:
        games *= 2
    return max(1, int(games * seconds / taken))


def _time(play: Games, games: int) -> float:
    begun = time.process_time()
    play(games)
    return time.process_time() - begun


def _ours(name: str) -> Games:
    book = open_rulebook(name)
    playout = Playout(book.core(book.configuration(players=PLAYERS)))

    def play(games: int) -> None:
        for record, _ in playout.series(1, games):
            playout.scores(record)

    play(1)
    return play


def _theirs(pyspiel: Any, name: str) -> Games:
    """Moves and outcomes are drawn in as few steps as Python allows."""
    game = pyspiel.load_game(name)
    draw = random.Random(1).random
    at_once = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    seats = range(game.num_players())

    def play(games: int) -> None:
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    left = draw()
                    for outcome, probability in state.chance_outcomes():  # noqa: B007
                        left -= probability
                        if left < 0:
                            break
                    state.apply_action(outcome)
                elif at_once:
                    offered = [state.legal_actions(seat) for seat in seats]
                    state.apply_actions([actions[int(draw() * len(actions))] for actions in offered])
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[int(draw() * len(actions))])
            state.returns()

    play(1)
    return play


def show(console: Console, found: list[Measured]) -> None:
    table = Table(title="random games a second, ours and OpenSpiel's", title_justify="left")
    for name in ("ours", "OpenSpiel's"):
        table.add_column(name)
    for name in ("games/s", "games/s", "times"):
        table.add_column(name, justify="right")
    for m in found:
        row = f"{m.ours_a_second:,.0f}", f"{m.theirs_a_second:,.0f}", f"{m.ratio:.2f}"
        table.add_row(m.name, m.theirs, *row)
    console.print(table)


def bars(found: list[Measured]) -> list[tuple[str, float, float]]:
    """What is asked for: in words, what was measured, and the least that will do."""
    ratios = {m.theirs: m.ratio for m in found}
    classic = {name: ratios[theirs] for name, theirs in GAMES.items()}
    slowest = min(classic, key=lambda name: classic[name])
    faster = sum(ratio > 1 for ratio in classic.values())
    return [
        (f"of {len(classic)} classic games, faster than OpenSpiel's in C++", faster, FASTER),
        (f"the slowest of them, {slowest}: times OpenSpiel's", classic[slowest], SLOWEST),
        *(
            (f"{name}: times OpenSpiel's in Python", ratios[theirs], least)
            for name, (theirs, least) in IN_PYTHON.items()
        ),
    ]
