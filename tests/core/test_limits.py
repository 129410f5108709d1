"""Whatever a text says, lowering it ends soon, and a limit that is passed is told with its place."""

from __future__ import annotations

import time

import pytest
from lowered import refused, rulebook

from rulespec.compiler.core import from_typed
from rulespec.compiler.diagnostics import Diagnostic

SECONDS = 120.0  # of processor time, many times what it takes: what hangs is to fail, what is slow is not


def the_one(text: str) -> Diagnostic:
    began = time.process_time()
    (found,) = refused(text)
    assert time.process_time() - began < SECONDS
    assert found.span.line > 0
    return found


def chain(depth: int, last: str, step: str) -> str:
    """Functions that each use the one before."""
    lines = [f"function f0(p: Player) -> Int = {last}"]
    lines += [f"function f{n}(p: Player) -> Int = {step.format(f'f{n - 1}(p)')}" for n in range(1, depth)]
    return "\n".join(lines) + f"\nrule play:\n    count := f{depth - 1}(turn)\n"


def test_functions_that_double_each_time() -> None:
    assert the_one(chain(40, "size(p.hand)", "{0} + {0}")).code in ("R0513", "R0514")


def test_functions_that_call_each_other_in_a_long_row() -> None:
    assert the_one(chain(300, "size(p.hand)", "{0} + 1")).code == "R0512"


def test_sets_that_double_each_time() -> None:
    lines = ["function s0(p: Player) -> Set[Player] = {p}"]
    lines += [
        f"function s{n}(p: Player) -> Set[Player] = s{n - 1}(left of p) minus (s{n - 1}(p) minus marks)"
        for n in range(1, 40)
    ]
    text = "\n".join(lines) + "\nrule play:\n    marks := s39(turn)\n"

    assert the_one(text).code in ("R0513", "R0514")


def test_a_choice_of_sets_that_doubles_each_time() -> None:
    lines = ["function s0(p: Player) -> Set[Player] = {p}"]
    lines += [
        f"function s{n}(p: Player) -> Set[Player] = s{n - 1}(p) if flag else s{n - 1}(left of p)"
        for n in range(1, 30)
    ]
    text = "\n".join(lines) + "\nrule play:\n    marks := s29(turn)\n"

    assert the_one(text).code in ("R0513", "R0514")


def squares(text: str) -> str:
    members = ", ".join(f"m{n}" for n in range(256))
    return f"enum Square: {members}\nstate:\n{text}rule play:\n    nothing\n"


def test_a_place_of_very_many_numbers() -> None:
    assert the_one(squares("    per player:\n        far: Map[Square, Set[Square]]\n")).code == "R0516"


def test_a_map_of_maps_of_maps_and_so_on() -> None:
    deep = "Map[Color, " * 30 + "Bool" + "]" * 30

    assert the_one(f"state:\n    far: {deep}\nrule play:\n    nothing\n").code == "R0516"


def test_several_places_that_are_too_much_together() -> None:
    text = "    far: Map[Square, Set[Square]]\n    near: Map[Square, Set[Square]]\n"

    assert the_one(squares(text)).code == "R0516"


def test_very_many_choices() -> None:
    ask = '    turn chooses:\n        go "goes":\n            nothing\n'

    assert the_one("rule play:\n" + ask * 4_500).code == "R0517"


@pytest.mark.parametrize("many", ["100000000", "size(pile) * 100000000"])
def test_a_loop_over_very_many_numbers(many: str) -> None:
    assert the_one(f"rule play:\n    for n in 1..{many}:\n        count := n mod 9\n").code == "R0511"


def test_a_parameter_of_very_many_values() -> None:
    text = (
        "rule play:\n    turn chooses:\n"
        '        say n: Int in 0..1000000000 "says {n}":\n            nothing\n'
    )

    assert the_one(text).code == "R0511"


def test_a_slot_of_very_many_values() -> None:
    text = "state:\n    far: Int in 0..1000000000\nrule play:\n    far := 3\n"

    assert the_one(text).code == "R0524"


def test_very_many_ways_to_take_pieces() -> None:
    members = ", ".join(f"m{n}" for n in range(60))
    text = f"""
enum Square: {members}
piece Stone of Square: 9 each in bag
state:
    bag: Bag[Stone]
rule play:
    turn chooses:
        take stones: Bag[Stone] of 8 in bag "takes {{stones}}":
            nothing
"""

    assert the_one(text).code == "R0521"


def test_an_expectation_that_would_take_very_long_has_a_place() -> None:
    text = "rule play:\n    nothing\nexample far:\n    players 2\n    run play\n    then:\n"
    book = rulebook(text + "        sum(a * b for a in 1..9999, b in 1..9999) > 0\n")
    _, (found,) = from_typed.compile_example(book, book.examples[0])

    assert (found.code, found.span.line) == ("R0525", 7)
