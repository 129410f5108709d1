"""The classic games: examples, the kit for every game, both engines alike, golden plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from classic import CLASSIC
from golden import Golden

import rulespec
from rulespec import agreement, api, examples, library
from rulespec.engine.conformance import check_game
from rulespec.engine.golden import playthrough

HERE = Path(__file__).parent
LONGEST = 140  # lines of a rulebook


@pytest.fixture(scope="module", params=CLASSIC)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_they_are_bundled() -> None:
    assert set(CLASSIC) | {"il_principe"} == set(api.games())


def test_nothing_is_wrong_with_it(name: str) -> None:
    assert rulespec.check(name) == ()


def test_it_is_short(name: str) -> None:
    assert len(library.read(library.find(name)).splitlines()) < LONGEST


def test_its_examples_hold_and_begin_where_a_play_can_come_to(name: str) -> None:
    own = examples.own(api.open_rulebook(name))
    assert own.rulebook is not None
    assert own.examples
    for example in own.examples:
        ran = examples.run(own.rulebook, example)
        assert ran.passed, f"{example.name}: {ran.result}"


def test_both_engines_play_it_alike(name: str) -> None:
    agreed = agreement.compare(api.open_rulebook(name), 6)

    assert str(agreed.difference) == "None"
    assert agreed.games == 6


@pytest.mark.parametrize("way", [0, -1])
def test_it_keeps_the_promises_of_every_game(name: str, way: int) -> None:
    """The fewest players as usual, and the most with all variants."""
    book = api.open_rulebook(name)
    chosen = list(agreement.configurations(book))[way]

    check_game(api.game_of(book.core(chosen), "python"), range(1))


def test_golden_play(name: str, golden: Golden) -> None:
    golden.check(HERE / "golden" / f"{name}.txt", playthrough(rulespec.load(name, players=2), seed=2))
