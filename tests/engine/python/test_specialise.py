"""Cores before and after their blocks are copied for what is known there."""

from __future__ import annotations

import pytest
from random_cores import random_core

from rulespec.api import open_rulebook
from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.print import show
from rulespec.compiler.core.tree import Core
from rulespec.engine.agree import Agreement
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python import specialise as module
from rulespec.engine.python.playout import Playout
from rulespec.engine.python.specialise import specialise
from rulespec.library import games

CLASSIC = [name for name in games() if name != "il_principe"]

TURNS = """
core 1
game turns "In turn"
players 2
domain Player [p0, p1]
domain Int
slot p: Player in 0..1 = 0
slot next: Int in 0..2 = 0
slot coin: Int in 0..1 = 0
slot purse[Player]: Int in 0..99 = 0
rank purse[$p]
start begin
block begin:
    next := 0
    goto round
block round:
    branch next <= 1 to turn else over
block turn:
    p := next
    next := next + 1
    goto throw
block throw:
    chance coin in 0..1 of Int weight 1 seen -1 to paid
block paid:
    for $q in 0..1:
        if $q = p:
            purse[$q] := purse[$q] + coin
    goto round
block over:
    end
"""


def blocks(core: Core) -> str:
    text = show(core, spans=False)
    return text[text.index("block ") :].replace("`", "")


def test_each_turn_has_its_own_blocks() -> None:
    special = specialise(parse(TURNS))

    assert (
        blocks(special.core)
        == """block begin:
    goto round

block round:
    goto turn

block turn:
    goto throw

block throw:
    chance coin in 0..1 of Int weight 1 seen -1 to paid

block paid:
    if true:
        if true:
            purse[0] := coin
    p := 0
    goto round~2

block round~2:
    goto turn~2

block turn~2:
    goto throw~2

block throw~2:
    chance coin in 0..1 of Int weight 1 seen -1 to paid~2

block paid~2:
    if true:
        if true:
            purse[1] := coin
    p := 1
    goto round~3

block round~3:
    next := 2
    goto over

block over:
    end
"""
    )
    assert special.block("paid~2") == "paid"
    assert special.unwritten["throw~2"] == (("next", 2), ("p", 1))
    assert dict(special.known["throw~2"]) == {("p", 0): 1, ("next", 0): 2, ("purse", 1): 0}


def test_a_game_that_is_given_up_has_all_its_values() -> None:
    whole, stepped = Playout(parse(TURNS)), Interpreter(parse(TURNS))

    for most in range(4):
        held = Agreement(stepped, stepped, whole.play, most=most)
        assert held.run(range(4)) is None


def test_what_has_too_many_ways_is_not_followed() -> None:
    slots = "slot coin: Int in 0..1 = 0\nslot turn: Int in 0..15 = 0\n"
    many = TURNS.replace("slot coin: Int in 0..1 = 0\n", slots)
    many = many.replace("    next := 0\n", "    next := 0\n    turn := turn + 1\n")
    many = many.replace("else over\n", "else again\n")
    many = many.replace("block over:", "block again:\n    branch turn < 15 to begin else over\n\nblock over:")
    special = specialise(parse(many))

    followed = {slot for key in special.known.values() for (slot, _), _ in key}
    assert {"p", "next"} <= followed
    assert "turn" not in followed
    assert len(special.core.blocks) < 40


def test_large_cores_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_BLOCKS", 3)
    core = parse(TURNS)

    assert specialise(core).core is core


def test_copies_of_a_block_are_found_again_by_their_name() -> None:
    for seed in range(20):
        core = random_core(seed)
        special = specialise(core)
        assert {special.block(b.name) for b in special.core.blocks} <= set(core.block)


@pytest.mark.parametrize("name", CLASSIC)
def test_classic_games_are_played_as_the_interpreter_plays_them(name: str) -> None:
    book = open_rulebook(name)
    core = book.core(book.configuration(players=2))
    engine = Interpreter(core)

    held = Agreement(engine, engine, Playout(core).play, stride=1000, most=20)
    assert held.run(range(2)) is None
    assert held.steps > 6
