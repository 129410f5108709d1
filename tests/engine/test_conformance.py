"""Every sample passes the kit, golden plays stay, and the kit notices what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from golden import Golden
from samples import NAMES, changed, sample

from rulespec.compiler.core.tree import Core
from rulespec.engine import conformance
from rulespec.engine.game import Game
from rulespec.engine.golden import playthrough
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.stepper import RawMove, Record, Stepper

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("engine", [Interpreter, PythonEngine])
@pytest.mark.parametrize("name", NAMES)
def test_samples_conform(
    name: str, engine: Callable[[Core], Stepper], check: Callable[[Game, int], None]
) -> None:
    for seed in range(3):
        check(Game(sample(name), engine(sample(name))), seed)


@pytest.mark.parametrize("name", NAMES)
def test_golden_playthroughs(name: str, golden: Golden) -> None:
    golden.check(FOLDER / f"{name}.txt", playthrough(Game(sample(name)), 1))


def assert_noticed(game: Game, said: str) -> None:
    with pytest.raises(AssertionError) as caught:
        conformance.check_game(game, range(5))
    assert said in str(caught.value)


def test_a_leak_through_an_open_slot_is_noticed() -> None:
    core = changed("duel", "0..2 local hidden", "0..2 local", "    drawn := 0\n", "")
    assert_noticed(Game(core), "learns from ['drawn']")


def test_a_secret_that_others_see_is_noticed() -> None:
    core = changed(
        "duel", "slot answer[Player]: Chosen in -1..2 control seat", "slot answer[Player]: Chosen in -1..2"
    )
    assert_noticed(Game(core), "learns from ['answer']")


@pytest.mark.parametrize("check", [conformance.check_observations, conformance.check_hidden])
@pytest.mark.parametrize("flag", ["shown", "over"])
def test_what_the_rules_show_for_a_while_conforms(flag: str, check: Callable[[Game, int], None]) -> None:
    core = changed(
        "auction",
        "in 0..30 private keeps",
        f"in 0..30 private unless {flag} keeps",
        "slot lots: Int in",
        'slot shown[Player]: Bool in 0..1 "shown" = 0\nslot over: Bool in 0..1 "over" = 0\nslot lots: Int in',
        "    turn := lots ; auction @rb(4)",
        "    turn := lots ; auction @rb(4)\n    shown[1] := 1 - shown[1]\n    over := 1 - over",
    )
    for seed in range(3):
        check(Game(core), seed)


def test_a_broken_invariant_is_noticed() -> None:
    core = changed("auction", "bank := bank + high ; sell @rb(3)", "bank := bank + 1")
    assert_noticed(Game(core), "conservation `ducat` does not hold")


def test_a_fault_is_noticed() -> None:
    core = changed("auction", "turn := lots ;", "turn := lots + 2 ;")
    assert_noticed(Game(core), "the rules fail: `turn` would become 3, above 2 (range in auction @rb(4))")


def test_a_play_without_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "_MOST", 300)
    core = changed(
        "auction",
        *("lots := lots + 1", "lots := 0"),
        *("purse[leader] := purse[leader] - high", "purse[leader] := purse[leader]"),
        *("bank := bank + high", "bank := bank"),
        *("points[leader] := points[leader] + worth", "points[leader] := 0"),
    )
    assert_noticed(Game(core), "the play is not over after 300 steps")


class Forgetful(Interpreter):
    """Changes the record that it is asked about."""

    def moves(self, r: Record) -> list[RawMove]:
        found = super().moves(r)
        r[0] = 0
        return found


def test_an_engine_that_changes_what_it_is_asked_about_is_noticed() -> None:
    core = sample("auction")
    with pytest.raises(AssertionError):
        conformance.check_game(Game(core, Forgetful(core)))
