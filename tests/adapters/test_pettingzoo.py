"""Every bundled game as an environment of PettingZoo: its own tests, and what they do not ask."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'rulespec[pettingzoo]'")

import numpy as np
from pettingzoo import test as their_tests
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import parallel_to_aec

import rulespec
from rulespec.adapters import pettingzoo
from rulespec.adapters.setting import Setting
from rulespec.engine.state import IllegalMove

CYCLES = 200
# What their tests say of board games: a dictionary with a mask is observed, and not a bare array; and a mask
# without a 1, or a table at its start, is all zeros.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture(scope="module", params=rulespec.games())
def setting(request: pytest.FixtureRequest) -> Setting:
    return Setting(request.param)


@pytest.fixture(autouse=True)
def quiet(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    capsys.readouterr()


def test_api(setting: Setting) -> None:
    their_tests.api_test(pettingzoo.env(setting), num_cycles=CYCLES)


def test_parallel_api(setting: Setting) -> None:
    their_tests.parallel_api_test(pettingzoo.parallel_env(setting), num_cycles=CYCLES)


def test_seeds(setting: Setting) -> None:
    their_tests.seed_test(lambda: pettingzoo.env(setting), num_cycles=CYCLES)
    their_tests.parallel_seed_test(lambda: pettingzoo.parallel_env(setting, illegal="random"))


def test_max_cycles(setting: Setting) -> None:
    def parallel(max_cycles: int) -> Any:
        # Their test makes any move, legal or not, and some of these games can be over after two.
        return pettingzoo.parallel_env(setting, max_cycles=max_cycles, illegal="random", rematch=True)

    in_turn = lambda max_cycles: parallel_to_aec(parallel(max_cycles))  # noqa: E731
    their_tests.max_cycles_test(SimpleNamespace(parallel_env=parallel, env=in_turn))


def test_render(setting: Setting) -> None:
    their_tests.render_test(lambda render_mode: pettingzoo.env(setting, render_mode=render_mode))


def test_state(setting: Setting) -> None:
    state_test(pettingzoo.env(setting, illegal="random"), pettingzoo.parallel_env(setting))


@pytest.mark.deep
@pytest.mark.parametrize("name", rulespec.games())
def test_all_of_them_with_any_number_of_players(name: str) -> None:
    outline = rulespec.open_rulebook(name).outline
    assert outline is not None
    for players in range(outline.players[0] + 1, outline.players[1] + 1):
        setting = Setting(name, players=players)
        for test in (test_api, test_parallel_api, test_seeds, test_max_cycles, test_state):
            test(setting)


# --- what their tests do not ask ----------------------------------------------------------------------------


def in_turn(name: str, **options: Any) -> Any:
    env = pettingzoo.raw_env(name, **options)
    env.reset(seed=1)
    return env


def test_the_mask_is_what_the_rules_allow_and_empty_for_others() -> None:
    env = in_turn("tic_tac_toe")
    env.step(4)
    assert list(env.observe("player_1")["action_mask"]) == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert not env.observe("player_0")["action_mask"].any()


def test_rewards_come_at_the_end_and_are_what_the_play_is_worth() -> None:
    env = in_turn("tic_tac_toe")
    for action in (0, 3, 1, 4):
        env.step(action)
        assert set(env.rewards.values()) == {0.0}
    env.step(2)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}


def test_an_illegal_move_is_an_error_or_random_or_loses() -> None:
    strict, loose, losing = in_turn("tic_tac_toe"), in_turn("tic_tac_toe", illegal="random"), None
    for env in (strict, loose):
        env.step(4)
    with pytest.raises(IllegalMove, match="`mark b2` is not offered to p1 now"):
        strict.step(4)
    loose.step(4)
    assert loose.agent_selection == "player_0"
    losing = pettingzoo.env("tic_tac_toe")
    losing.reset(seed=1)
    losing.step(4)
    losing.step(4)
    assert losing.unwrapped.rewards == {"player_0": 0, "player_1": -1}


def test_those_who_answer_at_once_are_asked_in_one_step_and_do_not_see_the_answers() -> None:
    env = pettingzoo.parallel_env("goofspiel", variants=["three"])
    observations, _ = env.reset(seed=1)
    assert [observations[agent]["action_mask"].sum() for agent in env.agents] == [3, 3]
    answered = []
    for other in (1, 2):
        env.reset(seed=1)
        answered.append(env.step({"player_0": 0, "player_1": other})[0])
    first, second = (seen["player_0"]["observation"] for seen in answered)
    assert not np.array_equal(first, second)  # afterwards everybody sees them
    asked = env._asked()
    assert {seat: state.actor for seat, state in asked.items()} == {0: 0, 1: 1}


def test_a_step_of_all_at_once_is_made_as_a_whole_or_not_at_all() -> None:
    env = pettingzoo.parallel_env("goofspiel", variants=["three"])
    env.reset(seed=1)
    with pytest.raises(IllegalMove, match="`bid c13` is not offered to p1 now"):
        env.step({"player_0": 0, "player_1": 12})
    with pytest.raises(KeyError, match="player_1"):
        env.step({"player_0": 0})
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        env.step({"player_0": 0, "player_1": cast("int", 1.5)})
    observations = env.step({"player_0": 0, "player_1": 1})[0]
    masks = [observations[agent]["action_mask"].nonzero()[0].tolist() for agent in env.agents]
    assert masks == [[1, 2], [0, 2]]


def test_illegal_moves_at_once_can_be_random() -> None:
    env = pettingzoo.parallel_env("goofspiel", variants=["three"], illegal="random")
    env.reset(seed=1)
    observations = env.step({"player_0": 12, "player_1": 12})[0]
    assert [observations[agent]["action_mask"].sum() for agent in env.agents] == [2, 2]


def test_after_the_end_all_at_once_nothing_comes_any_more() -> None:
    env = pettingzoo.parallel_env("goofspiel", variants=["three"], max_cycles=1)
    env.reset(seed=1)
    assert all(env.step({"player_0": 0, "player_1": 1})[3].values())
    assert env.step({"player_0": 1, "player_1": 0}) == ({}, {}, {}, {}, {})


def test_before_a_play_has_begun_it_cannot_be_looked_at() -> None:
    env = pettingzoo.parallel_env("goofspiel", render_mode="ansi")
    for look in (env.render, env.state, lambda: env.step({})):
        with pytest.raises(RuntimeError, match="call `reset` first"):
            look()


def test_a_setting_says_all_and_nothing_is_said_beside_it() -> None:
    with pytest.raises(ValueError, match="a `Setting` has players"):
        pettingzoo.raw_env(Setting("kuhn_poker"), players=4)


def test_a_rematch_goes_on_until_max_cycles() -> None:
    env = in_turn("kuhn_poker", max_cycles=6, rematch=True)
    rewarded = 0
    while not any(env.truncations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(np.flatnonzero(mask)[0]))
        rewarded += any(env.rewards.values())
    assert not any(env.terminations.values())
    assert rewarded > 1


def test_the_same_seed_deals_the_same_and_another_differently() -> None:
    def dealt(seed: int) -> bytes:
        env = pettingzoo.raw_env("kuhn_poker")
        env.reset(seed=seed)
        return bytes(env.state().tobytes())

    assert dealt(3) == dealt(3)
    assert len({dealt(seed) for seed in range(20)}) > 2


def test_an_environment_can_be_taken_to_another_process() -> None:
    for kind in (pettingzoo.raw_env, pettingzoo.parallel_env):
        env = kind("goofspiel", variants=["four"], utility="difference", max_cycles=2)
        again = pickle.loads(pickle.dumps(env))
        assert (again.max_cycles, again.setting.utility) == (2, "difference")
        assert again.setting.game.digest == env.setting.game.digest
        again.reset(seed=1)
        assert again.agents == ["player_0", "player_1"]


def test_pictures_show_the_board_and_keep_their_size() -> None:
    env = in_turn("tic_tac_toe", render_mode="rgb_array")
    before = env.render()
    env.step(4)
    after = env.render()
    assert before.shape == after.shape
    changed = np.argwhere((before != after).any(axis=2))
    middle = changed[changed[:, 0] < 156]
    assert (middle >= 60).all()
    assert (middle <= 108).all()


@pytest.mark.parametrize(("columns", "rows"), [(16, 16), (30, 3), (1, 20)])
def test_boards_of_any_size_are_drawn_as_boards(columns: int, rows: int, tmp_path: Path) -> None:
    book = tmp_path / "board.rules"
    book.write_text(f"""
game board "Board"
players 2
grid Square {columns} x {rows}
state:
    mark: Map[Square, Player?]
    per player:
        points: points in 0..1
rule setup:
    nothing
rule play:
    for p in players:
        p chooses:
            mark s: Square:
                mark[s] := p
ranking for p: p.points
""")
    env = in_turn(str(book), render_mode="rgb_array")
    before = env.render()
    env.step(columns - 1)  # the last square of the lowest row
    tall, wide = np.argwhere((before != env.render()).any(axis=2)[: 12 + 48 * rows]).max(axis=0)
    assert 12 + 48 * (rows - 1) < tall < 12 + 48 * rows
    assert 12 + 48 * (columns - 1) < wide < 12 + 48 * columns


def test_text_shows_the_whole_table() -> None:
    env = in_turn("kuhn_poker", render_mode="ansi")
    assert "hand[p0]: " in env.render()
    assert "hand[p1]: " in env.render()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"render_mode": "3d"}, "there is no render mode `3d`"),
        ({"illegal": "maybe"}, "illegal moves can be an `error` or `random`, not `maybe`"),
        ({"rematch": True}, "with `rematch`, `max_cycles` must say when it ends"),
        ({"utility": "fun"}, "there is no utility `fun`"),
        ({"max_cycles": 0}, "`max_cycles` must be at least 1, and is 0"),
        ({"variants": "small"}, "`variants` is a list of names: \\['small'\\]"),
    ],
)
def test_options_that_do_not_exist_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        pettingzoo.raw_env("tic_tac_toe", **options)
