"""Expressions before and after they are worked out, and that none is left out which could fault."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from random_cores import random_core

from rulespec.compiler.core.from_text import parse, parse_expression
from rulespec.compiler.core.print import expression
from rulespec.compiler.core.tree import Core, Expr, Fold
from rulespec.compiler.core.walk import everything
from rulespec.engine.interpreter.evaluate import Wrong, evaluate
from rulespec.engine.python import reduce
from rulespec.engine.python.reduce import Known, Reducer
from rulespec.engine.python.tables import Tables

SLOTS = """
core 1
game small "Small"
players 2
domain Player [p0, p1]
domain Square [a1, b1, c1, a2, b2, c2, a3, b3, c3]
domain Int
slot p: Int in 0..1 = 0
slot who: Int in -1..1 = 0
slot x: Int in 0..9 = 0
slot mark[Square]: Int in -1..1 = -1
slot purse[Player]: Int in 0..9 = 0
table column[Square] = [1, 2, 3, 1, 2, 3, 1, 2, 3]
table row[Square] = [1, 1, 1, 2, 2, 2, 3, 3, 3]
rank x
start go
block go:
    end
"""
LINES = """any($s in 0..8: any($d in 0..1: all($i in 0..2: column($s) + $i * $d <= 3 and
    row($s) + $i * (1 - $d) <= 3 and mark[$s + $i * ($d + 3 * (1 - $d))] = p)))"""


def worked_out(text: str, known: Known | None = None, *, writes_out: bool = True) -> str:
    reducer = Reducer(parse(SLOTS), writes_out=writes_out)
    reducer.known = known or {}
    return expression(reducer.expr(parse_expression(text), {"v": 2}))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("column($v) + row($v) * x", "3 + x"),
        ("mark[$v] = 1 and x < 0 + 3", "mark[2] = 1 and x < 3"),
        ("x + 2 - 5", "x - 3"),
        ("p = 1 and $v = 3", "false"),
        ("(if p = 1 then 4 else 7) = 4", "p = 1"),
        ("who = -1 or who = 1", "who != 0"),
        ("who = -1 or who != 1", "who != 1"),
        ("all($i in 0..1: purse[$i] > 3 or $i = 1)", "purse[0] > 3"),
        ("max($i in 0..1: purse[$i])", "max(purse[0], purse[1])"),
        ("sum($i in 0..1: purse[$i] * $i)", "purse[1]"),
        (
            "count($i in 0..2 where $i = x or $i = 2)",
            "(if x = 0 then 1 else 0) + (if x = 1 then 1 else 0) + 1",
        ),
        (
            "min($i in 0..2 where mark[$i] = -1: $i else 9)",
            "(if mark[0] = -1 then 0 else if mark[1] = -1 then 1 else if mark[2] = -1 then 2 else 9)",
        ),
    ],
)
def test_what_is_constant_is_gone(before: str, after: str) -> None:
    assert worked_out(before) == after


def test_lines_of_a_board_are_written_out_and_their_first_square_is_asked_once() -> None:
    assert worked_out(LINES, {("p", 0): 1}) == (
        "mark[0] = 1 and (mark[3] = 1 and mark[6] = 1 or mark[1] = 1 and mark[2] = 1)"
        " or mark[1] = 1 and mark[4] = 1 and mark[7] = 1"
        " or mark[2] = 1 and mark[5] = 1 and mark[8] = 1"
        " or mark[3] = 1 and mark[4] = 1 and mark[5] = 1"
        " or mark[6] = 1 and mark[7] = 1 and mark[8] = 1"
    )


def test_what_an_element_decides_is_written_out_for_each_of_its_values() -> None:
    lowest = "min($s in 0..8 where column($s) = p + 1 and mark[$s] = -1: $s else -1)"

    assert worked_out(lowest) == (
        "(if p < 1 then"
        " (if mark[0] = -1 then 0 else if mark[3] = -1 then 3 else if mark[6] = -1 then 6 else -1)"
        " else if mark[1] = -1 then 1 else if mark[4] = -1 then 4 else if mark[7] = -1 then 7 else -1)"
    )


@pytest.mark.parametrize(
    "text",
    [
        "mark[x] = 1 and false",
        "mark[x] = 1 or true",
        "mark[x] * 0",
        "(if mark[x] = 1 then 4 else 4)",
        "(if mark[x] = 1 then 4 else 4) = 4",
        "min($i in 0..2 where mark[x + $i] = 1: $i else -1)",
    ],
)
def test_what_can_fault_stays(text: str) -> None:
    assert "mark[x" in worked_out(text)


def test_rows_that_python_has_a_word_for_stay_rows() -> None:
    for text in ("all($s in 0..8: mark[$s] != -1)", "count($s in 0..8 where mark[$s] = 1)"):
        assert worked_out(text) == text


def test_folds_stay_while_the_ways_are_only_explored() -> None:
    text = "sum($i in 0..1: purse[$i] * $i)"

    assert worked_out(text, writes_out=False) == text
    assert worked_out(text, {("purse", 0): 3, ("purse", 1): 4}, writes_out=False) == "4"


def test_too_much_is_not_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reduce, "_WORK", 50)

    assert worked_out(LINES, {("p", 0): 1}).startswith("any($s in 0..8: ")


def test_what_two_elements_decide_is_looked_up() -> None:
    reducer = Reducer(parse(SLOTS), writes_out=True)
    tables = Tables(reducer.core, reducer)
    text = "x + (if who = -1 then 7 else if who = 0 and p = 1 then column(3) else p + who * 2)"

    found = tables.tabulated(reducer.expr(parse_expression(text), {}))
    again = tables.tabulated(reducer.expr(parse_expression(text), {}))

    assert expression(found) == expression(again) == "x + `by who and p`(who + 1, p)"
    (table,) = tables.made
    assert table.values == (7, 7, 0, 1, 2, 3)


@pytest.mark.parametrize("seed", range(80))
def test_the_meaning_is_kept(seed: int) -> None:
    """Conditions of random cores come to the same value or fault where the record is as it is known."""
    core, rng = random_core(seed), random.Random(seed)
    for condition in (p.condition for p in core.properties):
        for _ in range(4):
            record = [rng.randint(s.low, s.high) for s in core.slots for _ in range(s.size)]
            reducer = Reducer(core, writes_out=rng.random() < 0.8)
            for slot in core.slots:
                for at in range(slot.size):
                    if rng.random() < 0.4:
                        reducer.known[slot.name, at] = record[core.offset[slot.name] + at]
            found = reducer.expr(condition, {})
            tables = Tables(core, reducer)
            looked_up = tables.tabulated(found)
            with_tables = replace(core, tables=(*core.tables, *tables.made))
            assert value(with_tables, looked_up, record) == value(core, condition, record)


def value(core: Core, e: Expr, record: list[int]) -> tuple[str, object]:
    try:
        return "", evaluate(core, e, record, {})
    except Wrong as wrong:
        return wrong.kind, wrong.text


def test_random_conditions_are_worth_trying() -> None:
    conditions = [p.condition for seed in range(80) for p in random_core(seed).properties]

    assert sum(isinstance(e, Fold) for c in conditions for e in everything(c)) > 100
