"""Conditions as one function: the interpreter's values, and its faults with the conditions' origins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from random_cores import random_core
from samples import NAMES, sample

from rulespec.compiler.core.from_text import parse_expression
from rulespec.compiler.core.tree import Origin
from rulespec.compiler.spans import Span
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.evaluate import Wrong, evaluate
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python.predicates import conditions, numbers
from rulespec.engine.rng import playout
from rulespec.engine.stepper import Record


@pytest.mark.parametrize("name", NAMES)
def test_conditions_have_the_interpreters_values(name: str) -> None:
    core = sample(name)
    asked = [p.condition for p in core.properties]
    holds = conditions(core, asked)

    for seed in range(30):
        r, _ = playout(Interpreter(core), seed, most=seed)
        found = holds(r)
        assert found == [bool(evaluate(core, e, r, {})) for e in asked]
        assert all(type(value) is bool for value in found)


def fault_of(holds: Callable[[Record], list[bool]], r: Record) -> tuple[str, str]:
    with pytest.raises(Fault) as caught:
        holds(r)
    return caught.value.kind, caught.value.text


@pytest.mark.parametrize("seed", range(40))
def test_each_random_condition_has_the_interpreters_value_or_fault(seed: int) -> None:
    core = random_core(seed)
    r = [value for slot in core.slots for value in slot.initial] + [0]
    for prop in core.properties:
        holds = conditions(core, [prop.condition])
        try:
            expected = [bool(evaluate(core, prop.condition, r, {}))]
        except Wrong as error:
            wrong = (error.kind, error.text)
        else:
            assert holds(r) == expected
            continue
        assert fault_of(holds, r) == wrong


def test_a_fault_has_the_origin_of_its_condition() -> None:
    core = sample("auction")
    origin = Origin(Span("f", 3, 1, 3, 9), "mine")
    holds = conditions(
        core, [parse_expression("high = 0"), parse_expression("purse[leader] > 0")], [Origin(), origin]
    )

    with pytest.raises(Fault) as caught:
        holds(Interpreter(core).start())
    assert (caught.value.kind, caught.value.origin) == ("index", origin)


def test_numbers_are_numbers() -> None:
    core = sample("auction")
    values = numbers(core, [parse_expression("sum($p in 0..2: purse[$p])"), parse_expression("high - 1")])

    assert values(Interpreter(core).start()) == [30, -1]
