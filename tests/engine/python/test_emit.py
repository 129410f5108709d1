"""The generated source: as a person reads it, and what it leaves out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from golden import Golden
from random_cores import random_core
from samples import NAMES, changed, sample

from rulespec.compiler.core.from_text import parse, parse_expression
from rulespec.compiler.core.tree import Core, Expr
from rulespec.engine.python import plays
from rulespec.engine.python.emit import emit
from rulespec.engine.python.expressions import number, truth
from rulespec.engine.python.frame import Frame, Module
from rulespec.engine.python.intervals import Facts
from rulespec.engine.python.writer import Writer

GOLDEN = Path(__file__).parent / "golden"

SLOTS = """
core 1
game small "Small"
players 3
domain Player [p0, p1, p2]
domain Color [red, white, blue, green, black]
domain Int
slot x: Int in 0..9 = 0
slot y: Int in 0..9 = 0
slot on: Int in 0..1 = 0
slot who: Int in -1..2 = -1
slot purse[Player]: Int in 0..9 = 0
slot hand[Player, Color]: Int in 0..4 = 0
slot row[Color]: Int in 0..1 = 0
table cost[Color] = [3, 1, 4, 1, 5]
rank x
start go
block go:
    end
"""


@pytest.mark.parametrize("name", NAMES)
def test_the_stepping_module_reads_as_before(name: str, golden: Golden) -> None:
    golden.check(GOLDEN / f"{name}_steps.txt", emit(sample(name)))


@pytest.mark.parametrize("name", NAMES)
def test_the_random_game_reads_as_before(name: str, golden: Golden) -> None:
    golden.check(GOLDEN / f"{name}_game.txt", plays.generate(sample(name), tally=True).source)


def spell(text: str, *, local: bool = False, learnt: str = "") -> str:
    """Python for an expression or condition over SLOTS; `learnt` is known to hold."""
    core: Core = parse(SLOTS)
    module = Module(core, local=local)
    frame = Frame(
        module, module.names.scope(), module.places, Writer(), Facts(core), core.blocks[0].origin, "go"
    )
    if learnt:
        frame.facts.learn(parse_expression(learnt), True)
    expr: Expr = parse_expression(text)
    try:
        return number(frame, expr).source
    except TypeError:
        return truth(frame, expr).source


@pytest.mark.parametrize(
    ("core", "python"),
    [
        ("x + (y - 1)", "x + (y - 1)"),
        ("(x + y) * 2", "(x + y) * 2"),
        ("x * 2 + y div 3", "x * 2 + y // 3"),
        ("x - -1", "x + 1"),
        ("x + 0", "x"),
        ("min(x, y)", "x if x < y else y"),
        ("min(x, y) + 1", "(x if x < y else y) + 1"),
        ("max(x + y, 3)", "max(x + y, 3)"),
        ("on = 1 and not x < 3", "on and x >= 3"),
        ("x < 3 and (y < 3 or on = 0)", "x < 3 and (y < 3 or not on)"),
        ("not (x < 3 or y < 3)", "not (x < 3 or y < 3)"),
        ("x >= 0", "True"),
        ("x >= 0 and x < 5", "x < 5"),
        ("cost(2)", "4"),
        ("hand[1, 2]", "hand[1][2]"),
        ("(if on = 1 then 1 else 0)", "on"),
        ("(if x = 1 then 1 else 0) + (if y = 1 then 1 else 0)", "(x == 1) + (y == 1)"),
        ("sum($c in 0..4: hand[0, $c])", "sum(hand[0])"),
        ("count($c in 0..4 where hand[0, $c] > 0)", "5 - hand[0].count(0)"),
        ("count($c in 0..4 where row[$c] != 0)", "sum(row)"),
        ("any($c in 0..4: hand[0, $c] > 0)", "any(hand[0])"),
        ("sum($p in 0..2: purse[$p])", "purse[0] + purse[1] + purse[2]"),
        ("all($p in 0..2: purse[$p] >= 1)", "purse[0] >= 1 and purse[1] >= 1 and purse[2] >= 1"),
        ("max($p in 0..2: purse[$p])", "max(purse[0], purse[1], purse[2])"),
        (
            "all($c in 0..2: cost($c) <= hand[0, $c])",
            "3 <= hand[0][0] and 1 <= hand[0][1] and 4 <= hand[0][2]",
        ),
        ("sum($c in 0..2: hand[0, $c] * cost($c))", "hand[0][0] * 3 + hand[0][1] + hand[0][2] * 4"),
    ],
)
def test_expressions_are_spelled_as_a_person_would(core: str, python: str) -> None:
    assert spell(core, local=True) == python


def test_a_record_is_reached_by_named_offsets() -> None:
    assert spell("hand[1, 2] + x") == "r[HAND_P1_BLUE] + r[X]"
    assert spell("hand[x mod 3, 2]") == "r[HAND_BLUE + 5 * (r[X] % 3)]"


def test_an_index_is_checked_unless_it_is_known_to_be_in_range() -> None:
    assert spell("purse[who]", local=True) == "purse[within(who, 3, 0)]"
    assert spell("purse[who]", local=True, learnt="who != -1") == "purse[who]"
    assert spell("(if who != -1 then purse[who] else 0)", local=True) == "purse[who] if who != -1 else 0"
    assert spell("who = -1 or purse[who] > 3", local=True) == "who == -1 or purse[who] > 3"


def test_a_value_is_checked_only_on_the_side_that_it_can_leave() -> None:
    source = emit(sample("auction"))

    assert "if value > 30:\n            leaves(value, 1)" in source
    assert "if value < 0" not in source


def test_a_check_that_cannot_fail_is_left_out() -> None:
    core = changed("market", "stall[$g] >= 0) or false", "stall[$g] >= 0) or 1 < 2")

    assert "somebody keeps" not in emit(core)
    assert emit(core).count("fault(") == emit(sample("market")).count("fault(")


def test_the_source_names_rules_lines_and_citations() -> None:
    source = emit(sample("auction"))

    assert '"""Ascending auction (auction) @rb(5)"""' in source
    assert "# bid: bids {amount}" in source


@pytest.mark.parametrize("seed", range(20))
def test_hostile_names_leave_functions_constants_and_tables(seed: int) -> None:
    tree = ast.parse(emit(random_core(seed)))

    assert all(isinstance(node, ast.Expr | ast.Assign | ast.FunctionDef) for node in tree.body)
    calls = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert calls <= own | {"range", "sum", "min", "max", "any", "within", "leaves", "fault"}


def steps(body: str) -> str:
    """The stepping function for a block with these lines over SLOTS."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = emit(parse(SLOTS.replace("block go:\n", f"block go:\n{lines}")))
    return source[source.index("# -- go") :].split("    r[AT]")[0]


@pytest.mark.parametrize(
    ("core", "python"),
    [
        ("x := x + 1 - y\n", "value = r[X] + 1 - r[Y]"),
        ("purse[1] := purse[1] + on\n", "value = r[PURSE_P1] + r[ON]"),
        ("x := min(x, 8)\nx := x + on\n", "r[X] += r[ON]"),
        ("for $c in 0..4:\n    row[$c] := 1\n", "r[ROW:ROW_END] = [1, 1, 1, 1, 1]"),
        ("for $c in 0..4:\n    hand[0, $c] := row[$c]\n", "r[HAND:HAND_P0_END] = r[ROW:ROW_END]"),
        ("for $c in 0..3:\n    row[$c] := 1\n", "for c in range(4):\n        r[ROW + c] = 1"),
        ("for $p in 2..2:\n    purse[$p] := 3\n", "r[PURSE_P2] = 3"),
        ("check enough \"x\": x >= 0\nx := 2\n", "r[X] = 2"),
        ("if on = 0:\n    x := 2\nelse:\n    x := 3", "if not r[ON]:\n        r[X] = 2\n    else:\n"),
    ],
)  # fmt: skip
def test_statements_are_spelled_as_a_person_would(core: str, python: str) -> None:
    assert python in steps(core)


@pytest.mark.parametrize(
    "body",
    [
        'check enough "x": purse[who] >= y\npurse[who] := purse[who] - y',
        "let $n = x\nx := x - $n",
        "if y <= x:\n    x := x - y",
        "if who != -1 and purse[who] < 3:\n    purse[who] := purse[who] + 1",
        "x := min(x, y)\nx := x",
    ],
)
def test_what_was_tested_before_is_not_tested_again(body: str) -> None:
    assert "leaves" not in steps(body)


@pytest.mark.parametrize(
    "body",
    [
        "let $n = x\nx := y\ny := x - $n",
        "if y <= x:\n    y := 9\n    x := x - y",
        "for $p in 0..2:\n    if y <= x:\n        x := x - y\n    x := x - y",
        "if who != -1:\n    who := who - 1\n    purse[0] := who",
    ],
)
def test_what_may_have_changed_since_is_tested_again(body: str) -> None:
    assert "leaves" in steps(body)
