"""What adapters are made of, without the tools that they are for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from samples import sample

import rulespec
from rulespec.adapters.lengths import lengths
from rulespec.adapters.setting import Setting
from rulespec.adapters.tensors import Tensors
from rulespec.adapters.utility import limits, worth
from rulespec.engine.game import Game
from rulespec.engine.state import State

LAMPS = """
game lamps "Lamps"
players 3

enum Color: red, green, blue

state:
    lamp: Color? = none
    shown: Bool
    left hidden: Int in 0..4 = 4
    per player:
        hand private unless shown: Int in 0..4
        eye private: Color?
        points: points in 0..6

rule setup:
    for p in players:
        let seen = random c in Color seen by p
        p.eye := some seen
        p.hand := 2

rule play:
    for p in players:
        p chooses:
            light c: Color "lights {c}":
                lamp := some c
                score 2 to p
            rest:
                nothing
    shown := true
    for p in players:
        p chooses:
            end:
                nothing

ranking for p: p.points
"""


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("lamps") / "lamps.rules"
    path.write_text(LAMPS)
    return Setting(path).game


def play(game: Game, *moves: str) -> State:
    state = game.start(0, auto_chance=False)
    for color in ("red", "green", "blue"):
        state.happen(color)
    for move in moves:
        state.play(move)
    return state


def test_a_play_is_worth_the_score_or_what_follows_from_it(lamps: Game) -> None:
    one = play(lamps, "light red", "rest", "rest")
    two = play(lamps, "light red", "rest", "light red")
    none = play(lamps, "rest", "rest", "rest")
    assert worth(one, "score") == (2, 0, 0)
    assert worth(one, "difference") == (4 / 3, -2 / 3, -2 / 3)
    assert worth(one, "win_loss") == (1, -1 / 2, -1 / 2)
    assert worth(two, "win_loss") == (1 / 2, -1, 1 / 2)
    assert worth(none, "win_loss") == worth(none, "difference") == (0, 0, 0)


def test_limits_come_from_the_ranges_of_the_score(lamps: Game) -> None:
    assert limits(lamps.core, "score") == (0, 6)
    assert limits(lamps.core, "difference") == (-4, 4)
    assert limits(lamps.core, "win_loss") == (-1, 1)


def test_lengths_of_small_games_are_known_and_those_of_others_guessed(lamps: Game) -> None:
    found = lengths(lamps)
    assert (found.moves, found.chances, found.steps, found.known) == (6, 3, 9, True)
    guess = lengths(rulespec.load("connect_four", players=2))
    assert not guess.known
    assert 42 <= guess.moves <= 84
    assert guess.chances == 0


def piece(tensors: Tensors, state: State, seat: int | None, name: str) -> list[float]:
    part = next(part for part in tensors.pieces if part.name == name)
    return [float(number) for number in tensors.observation(state, seat)[part.start : part.stop]]


def test_names_have_a_place_each_and_amounts_one(lamps: Game) -> None:
    tensors = Tensors(lamps)
    state = play(lamps)
    assert piece(tensors, state, 0, "lamp") == [1, 0, 0, 0]
    assert piece(tensors, state, 0, "points") == [0, 0, 0]
    state.play("light green")
    assert piece(tensors, state, 0, "lamp") == [0, 0, 1, 0]
    assert piece(tensors, state, 0, "points") == pytest.approx([1 / 3, 0, 0])


def test_what_is_private_has_places_for_its_owner_alone(lamps: Game) -> None:
    tensors = Tensors(lamps)
    state = play(lamps)
    seen = [piece(tensors, state, seat, "eye") for seat in (0, 1, 2, None)]
    assert seen == [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert "left" not in [part.name for part in tensors.pieces]


def test_what_comes_to_light_says_that_it_has(lamps: Game) -> None:
    tensors = Tensors(lamps)
    before, after = play(lamps), play(lamps, "rest", "rest", "rest")
    assert piece(tensors, before, 1, "hand") == [0, 0, 0.5, 1, 0, 0]
    assert piece(tensors, before, None, "hand") == [0, 0, 0, 0, 0, 0]
    assert piece(tensors, after, 1, "hand") == piece(tensors, after, None, "hand") == [0.5, 1] * 3


def test_sums_that_are_public_have_a_place() -> None:
    game = rulespec.load("kuhn_poker", players=2)
    tensors, state = Tensors(game), game.start(0, auto_chance=False)
    before = piece(tensors, state, None, "hand")
    state.resolve()
    after = piece(tensors, state, None, "hand")
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


def test_an_information_state_has_a_row_for_each_point(lamps: Game) -> None:
    tensors, state = Tensors(lamps), play(lamps, "light red")
    rows = tensors.information_state(state, 0, 10)
    assert rows.shape == (10, tensors.row)
    assert [bool(row.any()) for row in rows] == [True] * 5 + [False] * 5
    now = tensors.observation(state, 0)
    assert np.array_equal(rows[4][-tensors.observed :], now)
    drawn = [rows[number][0] for number in (1, 2, 3, 4)]
    assert drawn == [1, 0, 0, 1]  # its own draw and its own move, and not what the others drew
    with pytest.raises(ValueError, match="the play has 5 points, and there is room for 4"):
        tensors.information_state(state, 0, 4)


def test_tensors_tell_apart_what_texts_do_in_a_game_with_secret_answers() -> None:
    game = Game(sample("duel"))
    tensors = Tensors(game)
    for seat in range(game.players):
        texts: dict[str, bytes] = {}
        for seed in range(40):
            state = game.start(seed, auto_chance=False)
            while not state.over:
                state = game.random_play(seed, most=len(state.history) + 1)
                known = tensors.information_state(state, seat, 30).tobytes()
                assert texts.setdefault(state.information_state(seat), known) == known
        assert len(set(texts.values())) == len(texts)


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [("openspiel", "pyspiel", "openspiel"), ("pettingzoo", "gymnasium", "pettingzoo")],
)
def test_what_is_not_installed_is_named_with_its_extra(module: str, package: str, extra: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import rulespec.adapters.{module}"
    root = Path(rulespec.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=False)
    assert f"it is in the extra `{extra}`: pip install 'rulespec[{extra}]'" in done.stderr
