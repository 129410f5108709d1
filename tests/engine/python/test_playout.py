"""Whole random games: the same as step by step, given up when they are to be, and loops that ask nobody."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from samples import NAMES, changed, sample

from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.tree import Core
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python.playout import Playout
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.rng import pick, pick_move, playout
from rulespec.engine.stepper import Record
from rulespec.engine.tally import places

ENDLESS = """
core 1
game endless "Round and round"
players 2
domain Int
slot x: Int in 0..9 = 0
rank x
start ask

block ask:
    chance x in 0..1 of Int weight 1 seen -1 to around

block around:
    branch x = 1 to ask else LOOP

block again:
    x := 0
    goto around
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_given_up_where_a_stepped_one_is(name: str) -> None:
    core = sample(name)
    whole, stepped = Playout(core), PythonEngine(core)

    for seed in range(10):
        for most in range(12):
            assert whole.play(seed, most) == playout(stepped, seed, most)


@pytest.mark.parametrize("name", NAMES)
def test_a_series_goes_on_with_one_generator(name: str) -> None:
    core = sample(name)
    rng = random.Random(5)
    stepped = PythonEngine(core)

    games = list(Playout(core).series(5, 4))

    assert games == [drawn(stepped, rng) for _ in range(4)]
    assert games[0] == Playout(core).play(5)


def drawn(stepper: PythonEngine, rng: random.Random) -> tuple[Record, int]:
    """A whole game with draws from a generator that is used for others too."""
    r, steps = stepper.start(), 0
    while stepper.kind(r) != "end":
        if stepper.kind(r) == "chance":
            stepper.happen(r, pick(rng, stepper.outcomes(r)))
        else:
            stepper.play(r, pick_move(rng, stepper.moves(r)))
        steps += 1
    return r, steps


@pytest.mark.parametrize("name", NAMES)
def test_counting_changes_nothing(name: str) -> None:
    core = sample(name)
    whole = Playout(core)
    entered, chosen = whole.counts()

    counted = [whole.play_counted(seed, entered, chosen) for seed in range(20)]

    assert counted == [whole.play(seed) for seed in range(20)]
    assert len(chosen) == len(places(core).options)
    assert min(chosen) > 0


@pytest.mark.parametrize("loop", ["around", "again"])
def test_rules_that_never_ask_again_are_endless(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("python.load", "python.stepper"):
        monkeypatch.setattr(f"rulespec.engine.{module}.BUDGET", 300)
    text = ENDLESS if loop == "again" else ENDLESS[: ENDLESS.index("block again")]
    core: Core = parse(text.replace("LOOP", loop))

    plays: list[Callable[[], object]] = [
        lambda: playout(Interpreter(core, budget=300), 1),
        lambda: playout(PythonEngine(core), 1),
        lambda: Playout(core).play(1),
    ]
    for play in plays:
        with pytest.raises(Fault) as caught:
            play()
        assert (caught.value.kind, caught.value.text) == ("endless", "nobody is asked in 300 blocks")


def test_waiting_points_of_another_kind_are_refused() -> None:
    engine = PythonEngine(sample("auction"))
    r = engine.start()

    assert engine.kind(r) == "chance"
    asks: list[Callable[[Record], object]] = [engine.moves, engine.actor, lambda r: engine.play(r, (0,))]
    for ask in asks:
        with pytest.raises(ValueError, match="nobody is asked at block 'reveal'"):
            ask(r)
    engine.happen(r, 3)
    decisions: list[Callable[[Record], object]] = [engine.outcomes, lambda r: engine.happen(r, 0)]
    for decide in decisions:
        with pytest.raises(ValueError, match="chance does not decide at block 'ask'"):
            decide(r)


def test_a_fault_of_the_ranking_names_the_block_where_it_was_asked() -> None:
    core = changed("auction", "rank purse[$p]", "rank purse[leader + $p]")

    for engine in (Interpreter(core), PythonEngine(core)):
        with pytest.raises(Fault) as caught:
            engine.scores(engine.start())
        assert (caught.value.kind, caught.value.block) == ("index", "reveal")
