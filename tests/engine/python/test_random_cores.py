"""The generated engine and the interpreter agree on cores that were made to be difficult."""

from __future__ import annotations

import pytest
from random_cores import random_core

from rulespec.engine.agree import Agreement
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python.playout import Playout
from rulespec.engine.python.stepper import PythonEngine


def agreement(seed: int, games: int = 4) -> Agreement:
    core = random_core(seed)
    held = Agreement(Interpreter(core), PythonEngine(core), Playout(core).play, most=40)
    assert held.run(range(games)) is None, f"random core {seed}"
    return held


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_engines_agree_on_random_cores(first: int) -> None:
    steps = sum(agreement(seed).steps for seed in range(first, first + 20))

    assert steps > 20


@pytest.mark.deep
def test_engines_agree_on_very_many_random_cores() -> None:
    assert sum(agreement(seed).steps for seed in range(10_000, 11_500)) > 10_000
