"""Visiting every state: counts, what holds, the shortest way to what does not, and honest limits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import NAMES, sample

from rulespec.compiler.core.from_text import parse, parse_expression
from rulespec.compiler.core.tree import Core, Property
from rulespec.engine.explore import Exploration, Limits, Packing, Taken, explore
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.positions import Positions
from rulespec.engine.rng import playout
from rulespec.engine.stepper import Record, Stepper

COUNTDOWN = """
core 1
game countdown "Take one or two"
players 2
domain Player [p0, p1]
domain Int
slot left: Int in 0..5 = 5
slot turn: Player in 0..1 = 0
slot taken: Int in 0..2 control = 0
property invariant even "nothing is below two": left >= 2
property reachable gone "all is taken": left = 0
property reachable six "six are left": left = 6
rank turn
start ask

block ask:
    branch left > 0 to turn else over

block turn:
    choose turn:
        option take ("takes ", 0) to take
            $n in 1 .. min(left, 2) within 1..2 of Int to taken

block take:
    left := left - taken
    taken := 0
    turn := 1 - turn
    goto ask

block over:
    end
"""


def play(engine: Stepper, steps: tuple[Taken, ...]) -> Record:
    r = engine.start()
    for step in steps:
        if isinstance(step, tuple):
            engine.play(r, step)
        else:
            engine.happen(r, step)
    return r


def by_hand(core: Core) -> tuple[int, int, int]:
    """States, transitions and ends, by the interpreter and the plainest search."""
    engine = Interpreter(core)
    seen = {tuple(engine.start())}
    todo = list(seen)
    transitions = ends = 0
    while todo:
        r = list(todo.pop())
        kind = engine.kind(r)
        ends += kind == "end"
        steps: list[Taken] = []
        if kind == "choice":
            steps += engine.moves(r)
        elif kind == "chance":
            steps += (outcome for outcome, _ in engine.outcomes(r))
        for step in steps:
            after = list(r)
            if isinstance(step, tuple):
                engine.play(after, step)
            else:
                engine.happen(after, step)
            transitions += 1
            if tuple(after) not in seen:
                seen.add(tuple(after))
                todo.append(tuple(after))
    return len(seen), transitions, ends


@pytest.mark.parametrize("core", [sample("duel"), sample("market"), parse(COUNTDOWN)], ids=lambda c: c.title)
def test_as_many_states_as_the_plainest_search_finds(core: Core) -> None:
    found = explore(core)

    assert found.finished
    assert (found.states, found.transitions, found.ends) == by_hand(core)


def test_a_broken_property_comes_with_a_shortest_play() -> None:
    core = parse(COUNTDOWN)
    found = explore(core)

    assert set(found.broken) == {"even"}
    assert found.broken["even"].play == ((0, 2), (0, 2))
    assert play(Interpreter(core), found.broken["even"].play) == found.broken["even"].record
    assert set(found.reached) == {"gone"}
    assert len(found.reached["gone"].play) == 3
    assert found.depth == 4


def test_only_the_properties_asked_for_are_looked_at() -> None:
    asked = Property("invariant", "mine", "", parse_expression("left != 3"))
    found = explore(parse(COUNTDOWN), [asked])

    assert set(found.broken) == {"mine"}
    assert found.reached == {}


def test_a_choice_without_moves_is_found() -> None:
    core = parse(COUNTDOWN.replace("1 .. min(left, 2)", "2 .. min(left, 2)"))
    found = explore(core)

    assert [s.fault.kind for s in found.faults] == ["choice"]
    assert found.faults[0].play == ((0, 2), (0, 2))
    assert found.finished


def test_a_fault_on_the_way_is_found_with_the_step_that_failed() -> None:
    core = parse(COUNTDOWN.replace("left := left - taken", "left := left - taken - 1"))
    found = explore(core)

    assert [s.fault.kind for s in found.faults] == ["range"]
    *before, last = found.faults[0].play
    r = play(Interpreter(core), tuple(before))
    assert last in Interpreter(core).moves(r)


def test_a_property_without_a_value_is_a_fault_of_the_state() -> None:
    strange = Property("invariant", "strange", "", parse_expression("max($p in 0..0 where left < 4: 1) = 1"))
    found = explore(parse(COUNTDOWN), [strange])

    assert [s.fault.kind for s in found.faults] == ["empty"]
    assert found.faults[0].play == ()


def test_a_fault_in_the_opening_is_all_there_is() -> None:
    core = parse(COUNTDOWN.replace("block ask:\n", "block ask:\n    left := left + 1\n"))
    found = explore(core)

    assert found.states == 0
    assert [s.play for s in found.faults] == [()]


@pytest.mark.parametrize(
    ("limits", "stopped"),
    [
        (Limits(states=5), "states"),
        (Limits(memory=2000), "memory"),
        (Limits(seconds=0), "seconds"),
    ],
)
def test_a_limit_is_said(limits: Limits, stopped: str) -> None:
    found = explore(sample("duel"), limits=limits)

    assert not found.finished
    assert found.stopped == stopped
    assert found.states <= 10


def test_whoever_watches_can_stop_it() -> None:
    seen: list[int] = []

    def progress(found: Exploration) -> bool:
        seen.append(found.states)
        return len(seen) < 3

    found = explore(sample("duel"), progress=progress)

    assert (found.finished, found.stopped) == (False, "stop")
    assert len(seen) == 3


def test_a_game_that_ends_has_no_endless_play() -> None:
    assert explore(parse(COUNTDOWN)).endless is None
    assert explore(sample("market")).endless is None


def test_a_play_that_can_go_on_for_ever_is_found() -> None:
    core = parse(
        COUNTDOWN.replace("1 .. min(left, 2)", "0 .. min(left, 2)").replace("within 1..2", "within 0..2")
    )
    endless = explore(core).endless

    assert endless is not None
    engine, positions = Interpreter(core), Positions(core)
    passed = play(engine, endless.play[: endless.back])
    again = play(engine, endless.play)
    positions.settle(passed)
    positions.settle(again)
    assert passed == again
    assert endless.back < len(endless.play)


def test_nothing_is_said_of_endless_plays_before_all_is_visited() -> None:
    assert explore(sample("duel"), limits=Limits(states=8)).endless is None


def test_without_properties_states_are_counted() -> None:
    assert explore(parse(COUNTDOWN), []).states == explore(parse(COUNTDOWN)).states


def test_any_engine_will_do() -> None:
    core = sample("duel")
    fast, slow = explore(core), explore(core, engine=Interpreter(core))

    assert replace(fast, seconds=0.0) == replace(slow, seconds=0.0)


@pytest.mark.parametrize("name", NAMES)
def test_records_survive_packing(name: str) -> None:
    core = sample(name)
    packing = Packing(core)
    for seed in range(20):
        r, _ = playout(Interpreter(core), seed, most=seed)
        assert packing.unpack(packing.pack(r)) == r
        assert len(packing.pack(r)) == packing.bytes


def test_wide_numbers_are_packed_too() -> None:
    core = parse(COUNTDOWN.replace("left: Int in 0..5", "left: Int in -70000..70000"))
    r = [-70000, 1, 2, 3]

    assert Packing(core).unpack(Packing(core).pack(r)) == r
