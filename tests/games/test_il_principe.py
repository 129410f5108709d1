"""Il Principe: the whole game held to its examples, to the kit for every game, and to golden plays."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from golden import Golden

import rulespec
from rulespec import agreement, api, examples
from rulespec.engine import conformance
from rulespec.engine.game import random_step
from rulespec.engine.golden import playthrough

HERE = Path(__file__).parent
PLAYERS = range(2, 6)


@pytest.fixture(scope="module")
def book() -> api.Book:
    return api.open_rulebook("il_principe")


def test_nothing_is_wrong_with_it() -> None:
    assert rulespec.check("il_principe") == ()


def test_each_example_holds_and_begins_where_a_play_can_come_to() -> None:
    collection = examples.own(api.open_rulebook("il_principe"))
    assert collection.rulebook is not None
    assert len(collection.examples) >= 40
    for example in collection.examples:
        ran = examples.run(collection.rulebook, example)
        assert ran.passed, f"{example.name}: {ran.result}"


@pytest.mark.parametrize("players", PLAYERS)
def test_it_passes_the_kit(players: int) -> None:
    conformance.check_game(rulespec.load("il_principe", players=players), range(2))


def test_money_is_secret_until_it_is_compared() -> None:
    state = rulespec.load("il_principe", players=3).start(5)
    rng = random.Random(5)
    while not state.over:
        assert state.observation(1)["slots"]["purse"].keys() == {"p1"}
        random_step(state, rng)
    assert state.observation(1)["slots"]["purse"].keys() == {"p0", "p1", "p2"}
    assert state.observation(None)["slots"]["hand"]["p0"].keys() == {"(total)"}


@pytest.mark.parametrize("players", PLAYERS)
def test_golden_play(players: int, golden: Golden) -> None:
    game = rulespec.load("il_principe", players=players)
    golden.check(HERE / "golden" / f"il_principe_{players}.txt", playthrough(game, seed=players))


def test_the_engines_agree_in_many_configurations(book: api.Book) -> None:
    found = agreement.compare(book, games=12, seed=5)
    assert found.difference is None, f"{found.where}: {found.difference}"
    assert found.games == 12
    assert found.steps > 12 * 20


def test_every_question_of_the_rulings_is_a_reading(book: api.Book) -> None:
    assert book.outline is not None
    readings = {reading.ident: reading for reading in book.outline.readings}
    assert set(readings) == {f"IP{number}" for number in range(1, 48)}
    flagged = {ident for ident, reading in readings.items() if len(reading.meanings) > 1}
    assert flagged == {"IP1", "IP5", "IP11", "IP20", "IP36", "IP41"}


def test_each_meaning_of_a_flagged_question_has_an_example(book: api.Book) -> None:
    collection = examples.own(book)
    assert book.outline is not None
    shown = {pair for example in collection.examples for pair in example.readings}
    for reading in book.outline.readings:
        if len(reading.meanings) > 1:
            for meaning in reading.meanings:
                assert (reading.name, meaning.name) in shown
