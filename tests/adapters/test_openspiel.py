"""Every bundled game registered in OpenSpiel: its own tests of games, and what they do not ask."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'rulespec[openspiel]'")

import pyspiel
from open_spiel.integration_tests import api_test
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

import rulespec
from rulespec import library
from rulespec.adapters import openspiel

GAMES = [(name, f"rulespec(game={name})") for name in rulespec.games()]
# Those of which OpenSpiel's tests can walk the whole tree.
TREES = {
    "kuhn_poker": "rulespec(game=kuhn_poker,utility=difference)",
    "three_at_kuhn_poker": "rulespec(game=kuhn_poker,players=3,utility=difference)",
    "goofspiel": "rulespec(game=goofspiel,variants=three,utility=difference)",
    "tiny_auction": "rulespec(game=first_sealed_auction,scope=tiny)",
}


def loaded(text: str) -> Any:
    return pyspiel.load_game(text)


def theirs(base: type[Any], text: str) -> list[Callable[[], None]]:
    """The tests of one of OpenSpiel's classes, for a game of ours."""
    kind: Any = type("Theirs", (base,), {"game_name": text, "game": loaded(text)})
    kind.setUpClass()
    names = [name for name in dir(kind) if name.startswith("test_")]
    return [getattr(kind(name), name) for name in names if name != "test_number_of_nodes"]


@pytest.mark.parametrize("text", [text for _, text in GAMES], ids=[name for name, _ in GAMES])
def test_random_simulation(text: str) -> None:
    pyspiel.random_sim_test(loaded(text), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("text", TREES.values(), ids=TREES)
def test_information_states_on_the_whole_tree(text: str) -> None:
    """Perfect recall and no state of two players among them; only their counts of nodes are theirs alone."""
    api_test.PERFECT_RECALL_NUM_STATES[text] = count_states(loaded(text))
    tests = theirs(api_test.EnforceAPIOnFullTreeBase, text)
    assert len(tests) == 7
    for test in tests:
        test()


def count_states(game: Any) -> int:
    """How many information states a game has, counted by walking its tree."""
    found, left = set(), [game.new_initial_state()]
    while left:
        state = left.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            found.add((state.current_player(), state.information_state_string()))
        left += [state.child(action) for action in state.legal_actions()]
    return len(found)


@pytest.mark.parametrize(
    ("ours", "name"), [("kuhn_poker", "kuhn_poker"), ("three_at_kuhn_poker", "kuhn_poker3p")]
)
def test_there_are_as_many_information_states_as_in_their_game(ours: str, name: str) -> None:
    assert count_states(loaded(TREES[ours])) == api_test.PERFECT_RECALL_NUM_STATES[name]


SHORT = [text for name, text in GAMES if name not in ("il_principe", "breakthrough")]


@pytest.mark.parametrize("text", SHORT)
def test_the_interface_on_a_part_of_the_tree(text: str) -> None:
    tests = theirs(api_test.EnforceAPIOnPartialTreeBase, text)
    assert len(tests) > 4
    for test in tests:
        test()


@pytest.mark.deep
@pytest.mark.parametrize("name", rulespec.games())
def test_all_of_it_with_any_number_of_players(name: str) -> None:
    outline = rulespec.open_rulebook(name).outline
    assert outline is not None
    for players in range(outline.players[0], outline.players[1] + 1):
        text = f"rulespec(game={name},players={players},utility=win_loss)"
        pyspiel.random_sim_test(loaded(text), num_sims=2, serialize=True, verbose=False)
        for test in theirs(api_test.EnforceAPIOnPartialTreeBase, text):
            test()


# --- what their tests do not ask ----------------------------------------------------------------------------


def played(text: str, actions: list[int]) -> Any:
    state = loaded(text).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def test_what_is_loaded_is_the_game_with_its_parameters() -> None:
    game = loaded("rulespec(game=il_principe,players=4)")
    kind = game.get_type()
    assert (game.num_players(), kind.long_name) == (4, "Il Principe")
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert game.num_distinct_actions() == rulespec.load("il_principe", players=4).num_moves
    open_game = loaded("rulespec(game=tic_tac_toe,utility=difference)")
    assert open_game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert open_game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert open_game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert (open_game.max_game_length(), open_game.utility_sum()) == (9, 0.0)


def test_variants_and_readings_are_chosen_by_name() -> None:
    game = loaded("rulespec(game=il_principe,players=2,variants=generous,readings=bank:limited)")
    chosen = game.setting.game.core.configuration
    assert chosen.variants == ("generous",)
    assert dict(chosen.readings)["bank"] == "limited"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rulespec(game=tic_tac_toe,players=3)", "is for 2 players, not for 3"),
        ("rulespec(game=tic_tac_toe,utility=fun)", "there is no utility `fun`"),
        ("rulespec(game=no_such_game)", "no_such_game"),
        ("rulespec(game=kuhn_poker,readings=once)", "a reading is written `question:meaning`, not `once`"),
        ("rulespec(game=kuhn_poker,max_length=-3)", "`max_length` cannot be -3"),
    ],
)
def test_what_cannot_be_loaded_is_refused_with_a_reason(text: str, said: str) -> None:
    with pytest.raises(Exception, match=re.escape(said)):
        loaded(text)


def test_a_rulebook_that_was_changed_is_loaded_anew(tmp_path: Path) -> None:
    book = tmp_path / "own.rules.md"
    text = library.read(library.find("goofspiel"))
    counts = []
    for cards in (13, 9):
        book.write_text(text.replace("points = 13 @", f"points = {cards} @"))
        state = loaded(f"rulespec(game={book})").new_initial_state()
        counts.append(len(state.legal_actions()))
    assert counts == [13, 9]


def test_actions_and_outcomes_have_the_names_of_the_rules() -> None:
    state = loaded("rulespec(game=kuhn_poker)").new_initial_state()
    assert [state.action_to_string(a) for a in state.legal_actions()] == [
        "Card the jack",
        "Card the queen",
        "Card the king",
    ]
    state = played("rulespec(game=kuhn_poker)", [0, 2])
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["pass", "bet"]


def test_a_state_that_was_saved_is_the_same_and_goes_on() -> None:
    state = played("rulespec(game=leduc_poker)", [0, 2, 1, 1])
    game, again = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(state.get_game(), state)
    )
    assert (str(again), again.history()) == (str(state), state.history())
    assert again.information_state_string(0) == state.information_state_string(0)
    again.apply_action(3)
    assert again.history() != state.history()
    assert game.get_parameters() == state.get_game().get_parameters()


def test_returns_are_0_until_the_end() -> None:
    state = played("rulespec(game=kuhn_poker)", [0, 2, 0])
    assert state.returns() == [0.0, 0.0]
    state.apply_action(0)
    assert state.returns() == [-1.0, 1.0]


def test_states_of_one_position_are_called_the_same_whatever_led_there() -> None:
    text = "rulespec(game=tic_tac_toe)"
    one, other = played(text, [0, 4, 8]), played(text, [8, 4, 0])
    assert str(one) == str(other)
    assert one.information_state_string(1) != other.information_state_string(1)
    assert str(one) != str(played(text, [0, 4, 7]))


def test_tensors_tell_apart_what_texts_do() -> None:
    for text in TREES.values():
        texts: dict[str, tuple[float, ...]] = {}
        left = [loaded(text).new_initial_state()]
        while left:
            state = left.pop()
            for seat in range(state.num_players()):
                known = tuple(state.information_state_tensor(seat))
                assert texts.setdefault(state.information_state_string(seat), known) == known
            left += [state.child(action) for action in state.legal_actions()]
        assert len(set(texts.values())) == len(texts)


def test_an_observation_has_a_part_for_each_slot() -> None:
    game = loaded("rulespec(game=kuhn_poker)")
    seen = make_observation(game)
    state = played("rulespec(game=kuhn_poker)", [1, 2])
    seen.set_from(state, 0)
    assert list(seen.dict["player"]) == [1, 0]
    own = list(seen.dict["hand"])
    seen.set_from(played("rulespec(game=kuhn_poker)", [1, 0]), 0)
    assert list(seen.dict["hand"]) == own  # the other's card makes no difference
    seen.set_from(played("rulespec(game=kuhn_poker)", [0, 2]), 0)
    assert list(seen.dict["hand"]) != own


def test_a_spectator_may_observe_and_the_hands_of_others_cannot_be() -> None:
    game = loaded("rulespec(game=kuhn_poker)")
    state = played("rulespec(game=kuhn_poker)", [1, 2])
    nobody = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)
    text = make_observation(game, nobody).string_from(state, 0)
    assert text.startswith("spectator")
    assert "queen" not in text.replace("hand[p0, jack]", "")
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="nobody observes what is private to others"):
        make_observation(game, everything)
    alone = make_observation(game, pyspiel.IIGObservationType(public_info=False, perfect_recall=False))
    assert alone.string_from(state, 0) == "hand[p0]: queen 1"
    assert make_observation(game, INFO_STATE_OBS_TYPE).dict["history"].ndim == 2


def test_a_play_that_is_longer_than_was_said_has_no_tensor() -> None:
    state = played("rulespec(game=tic_tac_toe,max_length=2)", [0, 1, 2])
    with pytest.raises(ValueError, match="the play has 4 points, and there is room for 3"):
        state.information_state_tensor(0)
    assert openspiel.PARAMETERS["max_length"] == 0
