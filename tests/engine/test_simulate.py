"""Many random games: the same whatever plays them and on however many processes."""

from __future__ import annotations

import pytest
from samples import NAMES, changed, sample

from rulespec.compiler.core.tree import Core
from rulespec.engine.game import Game
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.rng import playout
from rulespec.engine.simulate import Result, Totals, simulate
from rulespec.engine.tally import places


def run(core: Core, games: int, **settings: int | str) -> tuple[list[Result], Totals]:
    results: list[Result] = []
    totals = Totals(core)
    for chunk in simulate(core, games, **settings):  # type: ignore[arg-type]
        results += chunk.results
        totals.add(chunk)
    return results, totals


@pytest.mark.parametrize("name", NAMES)
def test_both_engines_play_and_count_the_same_games(name: str) -> None:
    fast, fast_totals = run(sample(name), 60, seed=3)
    slow, slow_totals = run(sample(name), 60, seed=3, engine="interpreter")

    assert fast == slow
    assert fast_totals == slow_totals
    assert [r.seed for r in fast] == list(range(3, 63))


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    assert run(sample("duel"), 130, jobs=2) == run(sample("duel"), 130)


def test_a_result_says_how_the_game_went() -> None:
    core = sample("auction")
    results, _ = run(core, 40)

    for result in results:
        record, steps = playout(Interpreter(core), result.seed)
        state = Game(core).random_play(result.seed)
        assert (result.steps, result.finished, result.fault) == (steps, True, "")
        assert result.keys == PythonEngine(core).scores(record)
        assert result.scores == state.scores
        assert result.winners == state.winners
        assert result.decisions == sum(type(step).__name__ == "Played" for step in state.history)


def test_counts_name_rules_and_options() -> None:
    core = sample("auction")
    results, totals = run(core, 50)

    assert totals.games == 50
    assert totals.by_rule() == {"sell": 50, "auction": 100}
    assert sum(totals.by_option().values()) == sum(r.decisions for r in results)
    assert set(totals.by_option()) == {("auction", "bid"), ("auction", "pass")}


def test_what_never_happens_is_counted_as_nothing() -> None:
    core = changed(
        "auction", "to pass ; auction @rb(8)", "to pass ; auction @rb(8)\n            when turn > 5"
    )

    assert run(core, 5)[1].by_option()["auction", "pass"] == 0
    assert places(core).options == ((5, 0), (5, 1))


def test_a_fault_is_a_result() -> None:
    core = changed("auction", "points[Player]: points in 0..12", "points[Player]: points in 0..5")
    results, _ = run(core, 40)

    faulty = [r for r in results if r.fault]
    assert faulty
    assert "above 5 (range in sell @rb(3))" in faulty[0].fault
    assert all(r.finished != bool(r.fault) for r in results)


def test_a_game_that_is_given_up_has_no_winner() -> None:
    results, _ = run(sample("auction"), 3, most=2)

    assert [(r.steps, r.finished, r.winners) for r in results] == [(2, False, ())] * 3


def test_games_come_in_chunks_and_can_be_broken_off() -> None:
    chunks = simulate(sample("duel"), 10_000, jobs=2)
    first = next(iter(chunks))
    chunks.close()  # type: ignore[attr-defined]

    assert [r.seed for r in first.results] == list(range(len(first.results)))


@pytest.mark.parametrize("settings", [{"engine": "abacus"}, {"jobs": 0}, {"games": -1}])
def test_settings_that_make_no_sense_are_refused(settings: dict[str, int | str]) -> None:
    with pytest.raises(ValueError):
        simulate(sample("duel"), **{"games": 1, **settings})  # type: ignore[arg-type]
