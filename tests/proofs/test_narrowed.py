"""Moves with wide ranges of numbers: what is listed is legal, in order, and near both ends."""

from __future__ import annotations

from rulespec import api
from rulespec.engine.python.stepper import PythonEngine
from rulespec.proofs.narrowed import END, Moves


def engine_of(game: str) -> PythonEngine:
    book = api.open_rulebook(game)
    return PythonEngine(book.core(book.configuration(players=2)))


def test_of_a_wide_range_both_ends_are_listed() -> None:
    engine = engine_of("std/ascending_auction")
    record = engine.start()

    found = Moves(engine.core, engine, PythonEngine).at(record)
    whole = engine.moves(record)

    assert found == [*whole[:END], *whole[-END - 1 :]]  # the last is the option to stay out
    assert len(whole) > 99_999


def test_a_range_that_is_narrow_by_now_is_listed_whole() -> None:
    engine = engine_of("std/ascending_auction")
    record = engine.start()
    for move in ((0, 7), (0, 3)):
        engine.play(record, move)
    engine.happen(record, 0)
    engine.play(record, (0, 2))

    found = Moves(engine.core, engine, PythonEngine).at(record)

    assert found == engine.moves(record) == [*((0, n) for n in range(2, 8)), (1,)]


def test_other_games_are_listed_by_their_own_engine() -> None:
    engine = engine_of("il_principe")
    record = engine.start()
    while engine.kind(record) == "chance":
        engine.happen(record, engine.outcomes(record)[0][0])

    assert Moves(engine.core, engine, PythonEngine).at(record) == engine.moves(record)
