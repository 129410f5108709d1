"""Holding engines against each other: they agree, and where they do not it is said where."""

from __future__ import annotations

import pytest
from samples import NAMES, changed, sample

from rulespec.engine.agree import Agreement
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python.playout import Playout
from rulespec.engine.python.stepper import PythonEngine


@pytest.mark.parametrize("name", NAMES)
def test_the_engines_agree_on_the_samples(name: str) -> None:
    core = sample(name)
    held = Agreement(Interpreter(core), PythonEngine(core), Playout(core).play)

    assert held.run(range(60)) is None
    assert held.games == 60
    assert held.steps > 300


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("high := amount ;", "high := amount - 0 * bank ;", None),
        ("high := amount ;", "high := min(amount, 4) ;", "the record"),
        ("option pass (", "option pazz (", None),
        ("min(purse[turn], 10)", "min(purse[turn], 9)", "what may be chosen"),
        ("choose turn:", "choose (turn + 1) mod 3:", "the seat that is asked"),
        ("of points weight 1", "of points weight $outcome", "what chance may decide"),
        ("rank purse[$p]", "rank 0 - purse[$p]", "the ranking"),
        ("points[Player]: points in 0..12", "points[Player]: points in 0..12 hidden", "the observation"),
        ("lots: Int in 0..2", "lots: Int in 0..1", "the record"),
        (
            "over:\n    end",
            'over:\n    choose 0:\n        option o ("") to over',
            "the kind of the waiting point",
        ),
    ],
)
def test_rules_that_differ_are_found_out(before: str, after: str, what: str | None) -> None:
    other = changed("auction", before, after)
    difference = Agreement(Interpreter(sample("auction")), PythonEngine(other)).run(range(20))

    assert (difference.what if difference else None) == what


def test_a_difference_can_be_played_again() -> None:
    engine = Interpreter(sample("auction"))
    other = PythonEngine(changed("auction", "high := amount ;", "high := min(amount, 4) ;"))
    difference = Agreement(engine, other).run(range(20))
    assert difference is not None

    r = engine.start()
    for step in difference.taken:
        if isinstance(step, tuple):
            engine.play(r, step)
        else:
            engine.happen(r, step)
    assert r == difference.first != difference.second
    assert f"after {len(difference.taken)} steps of the game from seed" in str(difference)


def test_a_fault_in_both_engines_alike_is_agreement() -> None:
    core = changed("auction", "points[Player]: points in 0..12", "points[Player]: points in 0..2")
    held = Agreement(Interpreter(core), PythonEngine(core), Playout(core).play)

    assert held.run(range(20)) is None


def test_another_end_of_the_random_game_is_a_difference() -> None:
    core = sample("auction")
    held = Agreement(Interpreter(core), PythonEngine(core), lambda seed, most: ([], 0))

    difference = held.run([7])
    assert difference is not None
    assert difference.what == "the end of the play-out"
