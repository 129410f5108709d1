"""Python reads brackets, loops and indentation only so deep: generated code stays within that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from random_cores import random_core

from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.tree import Core
from rulespec.engine.agree import Agreement
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python import expressions, flow, plays, statements
from rulespec.engine.python.playout import Playout
from rulespec.engine.python.stepper import PythonEngine

HEAD = """
core 1
game deep "Deep"
players 2
domain Player [p0, p1]
domain Int
slot x: Int in -1000..1000 = 1
slot y: Int in 0..3 = 0
slot purse[Player]: Int in 0..1 = 0
rank x
start go

"""
TAIL = "    chance y in 0..3 of Int weight 1 seen -1 to over\n\nblock over:\n    end\n"


def agree(core: Core) -> int:
    playout, engine = Playout(core), PythonEngine(core)
    entered, chosen = playout.counts()
    for play in (playout.play, lambda seed, most: playout.play_counted(seed, entered, chosen, most)):
        held = Agreement(Interpreter(core), engine, play, most=40)
        assert held.run(range(3)) is None
    return held.steps


def lines(body: Iterator[str]) -> Core:
    return parse(HEAD + "block go:\n" + "".join(f"    {line}\n" for line in body) + TAIL)


def nested(opening: list[str], innermost: str) -> Core:
    body = [f"{'    ' * depth}{line}" for depth, line in enumerate(opening)]
    return lines(iter([*body, f"{'    ' * len(opening)}{innermost}"]))


def test_seventy_branches_inside_one_another() -> None:
    assert agree(nested([f"if x < {900 - i}:" for i in range(70)], "x := x + 5")) > 0


def test_thirty_loops_inside_one_another() -> None:
    """The outermost does nothing, so that this takes no time."""
    loops = ["if x = 7:", *(f"for $i{i} in 0..1:" for i in range(30))]

    assert agree(nested(loops, "x := x + $i3 - $i29")) > 0


def test_branches_in_loops_give_back_what_they_change() -> None:
    mixed = [f"for $i{i} in 0..1:" if i % 8 == 0 else f"if x < {300 + i}:" for i in range(40)]

    assert agree(nested(mixed, "x := x + $i0 + $i32 + 1")) > 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("max(x, ", " - 1)"),
        ("(x - (", "))"),
        ("(if x > 3 then 1 else ", ")"),
        ("purse[purse[", "] mod 2]"),
        ("sum($v in 0..20 where x > 990: x - ", ") mod 9"),
    ],
)
def test_sixty_brackets_inside_one_another(before: str, after: str) -> None:
    deep = 12 if before.startswith("sum") else 35
    for levels in (3, deep):
        text = before * levels + "x" + after * levels
        assert agree(lines(iter([f"x := max(0, min(900, {text}))"]))) > 0


def test_loops_that_ask_inside_one_another() -> None:
    depth = 25
    slots = "".join(f"slot c{i}: Int in 0..2 control = 0\n" for i in range(depth))
    blocks = "block go:\n    goto h0\n\n"
    for i in range(depth):
        out = f"n{i - 1}" if i else "over"
        inside = f"h{i + 1}" if i + 1 < depth else "ask"
        blocks += f"block h{i}:\n    branch c{i} < 1 to {inside} else x{i}\n\n"
        blocks += f"block x{i}:\n    c{i} := 0\n    y := 1\n    x := 1\n    y := 0\n    goto {out}\n\n"
        blocks += f"block n{i}:\n    c{i} := c{i} + 1\n    x := 2\n    x := 3\n    y := 0\n    goto h{i}\n\n"
    blocks += f"block ask:\n    chance y in 0..3 of Int weight 1 seen -1 to n{depth - 1}\n\n"
    core = parse(HEAD.replace("rank x", slots + "rank x") + blocks + "block over:\n    end\n")

    assert agree(core) == 3


def test_the_same_games_with_hardly_any_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly everything becomes a function or a case of its own."""
    for module, limits in (
        (statements, {"_DEEPEST": 1}),
        (expressions, {"_DEEPEST": 3}),
        (plays, {"_DEEPEST": 3, "_MOST_LOOPS": 1}),
        (flow, {"_DEEPEST": 2, "_LONGEST": 2}),
    ):
        for name, value in limits.items():
            monkeypatch.setattr(module, name, value)

    assert sum(agree(random_core(seed)) for seed in range(40)) > 100


def test_long_stretches_are_written_in_reasonable_time() -> None:
    """Some seconds, where every fact to be remembered for ever would take minutes."""
    body = (f"purse[x mod 2] := (if x > {i} and purse[x mod 2] = 1 then 1 else 0)" for i in range(1500))

    assert agree(lines(body)) > 0
