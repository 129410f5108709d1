"""Dead slots make no difference: whatever stands in them, play goes on alike."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lowered import Table, compiled

from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.liveness import masks
from rulespec.compiler.core.tree import Core

# `moves` moves what is not there.
RULES = sorted(p for p in (Path(__file__).parent / "lowering").glob("*.rules") if p.stem != "moves")

TWICE = """
rule play:
    for c in Color:
        ask(turn)
        count := (count * 3 + level[c]) mod 20
    for p in players:
        ask(p)

rule ask(p: Player):
    p chooses:
        go "goes":
            score 1 to p
"""


def scramble(core: Core, record: list[int], dice: random.Random) -> list[int]:
    """The record with any values in its dead slots."""
    result = list(record)
    name = core.blocks[record[-1]].name
    fitting = [m for m in masks(core)[name] if all(record[core.offset[s]] == v for s, v in m.when)]
    assert len(fitting) == 1
    for slot in fitting[0].dead:
        found = core.slot[slot]
        for element in range(found.size):
            result[core.offset[slot] + element] = dice.randint(found.low, found.high)
    return result


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.stem)
def test_dead_slots_make_no_difference(path: Path) -> None:
    core = compiled(path.read_text())
    engine, dice = Table(core).engine, random.Random(7)
    state = [slot.name for slot in core.slots if slot.role == "state"]
    for _ in range(20):
        one = engine.start()
        two = scramble(core, one, dice)
        while engine.kind(one) != "end":
            if engine.kind(one) == "choice":
                assert engine.moves(one) == engine.moves(two)
                assert engine.actor(one) == engine.actor(two)
                if not engine.moves(one):
                    break
                move = dice.choice(engine.moves(one))
                engine.play(one, move)
                engine.play(two, move)
            else:
                assert engine.outcomes(one) == engine.outcomes(two)
                if not engine.outcomes(one):
                    break
                outcome = dice.choice(engine.outcomes(one))[0]
                engine.happen(one, outcome)
                engine.happen(two, outcome)
            for slot in state:
                first, size = core.offset[slot], core.slot[slot].size
                assert one[first : first + size] == two[first : first + size]
            two = scramble(core, two, dice)


def test_what_one_caller_keeps_is_dead_while_a_rule_works_for_another() -> None:
    core = compiled(TWICE)
    (choice,) = (b.name for b in core.blocks if b.kind == "choice")
    dead = {mask.when: set(mask.dead) for mask in masks(core)[choice]}

    assert dead.keys() == {(("ask.return", 0),), (("ask.return", 1),)}
    assert "play.c" not in dead[(("ask.return", 0),)]
    assert "play.c" in dead[(("ask.return", 1),)]


def test_nothing_is_dead_where_a_rule_may_go_back_anywhere() -> None:
    """A core written by hand need not say where it comes from before it calls."""
    path = Path(__file__).parents[1] / "proofs" / "wrong" / "wrong_return.core"

    assert set(masks(parse(path.read_text())).values()) == {()}
