"""Records put into the form of their position go on as they would have."""

from __future__ import annotations

import random

import pytest
from samples import NAMES, sample

from rulespec.api import open_rulebook
from rulespec.compiler.core.from_text import parse_expression
from rulespec.compiler.core.tree import Core
from rulespec.engine.positions import Positions
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.rng import pick, pick_move
from rulespec.engine.stepper import Record


def declared(core: Core, r: Record) -> list[int]:
    """What the rules declare as state, and the waiting block."""
    result = [r[-1]]
    for slot in core.slots:
        if slot.role == "state":
            start = core.offset[slot.name]
            result += r[start : start + slot.size]
    return result


def goes_on_alike(core: Core, seed: int) -> int:
    """Plays a game with and without settling every record; how often settling changed one."""
    engine, positions, rng = PythonEngine(core), Positions(core), random.Random(seed)
    plain, settled = engine.start(), engine.start()
    changed = 0
    while True:
        before = list(settled)
        positions.settle(settled)
        changed += before != settled
        assert declared(core, settled) == declared(core, plain)
        if engine.kind(plain) == "end":
            return changed
        if engine.kind(plain) == "chance":
            weights = engine.outcomes(plain)
            assert engine.outcomes(settled) == weights
            outcome = pick(rng, weights)
            engine.happen(plain, outcome)
            engine.happen(settled, outcome)
        else:
            moves = engine.moves(plain)
            assert engine.moves(settled) == moves
            assert engine.actor(settled) == engine.actor(plain)
            move = pick_move(rng, moves)
            engine.play(plain, move)
            engine.play(settled, move)


@pytest.mark.parametrize("name", NAMES)
def test_samples_go_on_alike(name: str) -> None:
    for seed in range(30):
        goes_on_alike(sample(name), seed)


@pytest.mark.parametrize("players", [2, 4])
def test_il_principe_goes_on_alike(players: int) -> None:
    book = open_rulebook("il_principe")
    core = book.core(book.configuration(players=players))

    assert all(goes_on_alike(core, seed) > 50 for seed in range(6))


def test_what_is_watched_is_left_as_it_is() -> None:
    core = sample("duel")
    r = PythonEngine(core).start()
    watched = Positions(core, [parse_expression("drawn > 0")])
    r[core.offset["drawn"]] = 2
    watched.settle(r)
    assert r[core.offset["drawn"]] == 2

    Positions(core).settle(r)
    assert r[core.offset["drawn"]] == 0
