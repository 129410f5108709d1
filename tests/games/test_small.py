"""Small games, each of other parts of the language: checked, played in both engines, held to the kit."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import agreement, api, examples
from rulespec.engine.conformance import check_game

SMALL = Path(__file__).with_name("small")
MODULES = {"trade.rules"}
GAMES = sorted({path.name for path in SMALL.glob("*.rules*")} - MODULES)


@pytest.fixture(scope="module", params=GAMES)
def book(request: pytest.FixtureRequest) -> api.Book:
    return api.Book(SMALL / str(request.param))


def test_nothing_is_wrong_with_it(book: api.Book) -> None:
    assert book.all_diagnostics == ()


def test_its_examples_hold(book: api.Book) -> None:
    own = examples.own(book)
    assert own.rulebook is not None
    ran = [examples.run(own.rulebook, each) for each in own.examples]

    assert ran
    assert [(r.example.name, r.diagnostics, r.result and r.result.message) for r in ran if not r.passed] == []


def test_both_engines_play_it_alike(book: api.Book) -> None:
    agreed = agreement.compare(book, 6)

    assert str(agreed.difference) == "None"
    assert agreed.games == 6


@pytest.mark.parametrize(("engine", "way"), [("interpreter", 0), ("python", -1)])
def test_it_keeps_the_promises_of_every_game(book: api.Book, engine: str, way: int) -> None:
    """The fewest players as usual, and the most with all variants and the readings other than usual."""
    chosen = list(agreement.configurations(book))[way]

    check_game(api.game_of(book.core(chosen), engine), range(1))
