"""Bounds from both sides: no ceiling is below what some play comes to, and small games are known exactly."""

from __future__ import annotations

from dataclasses import replace

import books
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from lowered import compiled

from rulespec.compiler.core.tree import Arith, Const, Core, Expr, Fold, Quantity, Read, Var
from rulespec.proofs.best import Finder, Goal
from rulespec.proofs.extremes import CEILING, FLOOR, Effort, Extremes, Target, extremes, lengths
from rulespec.proofs.measured import CHOICES, MOST, STEPS, counting
from rulespec.proofs.smt.potentials import Potentials
from tests.proofs.generate import cores

BLIND = Effort(seconds=20.0, positions=0, steps=6000)  # nothing is visited whole: all has to be proved
RELAXED = list(HealthCheck)
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)


def of(name: str, most: Expr, least: Expr | None = None, *, at_end: bool = False) -> Target:
    return Target(Quantity(name, "", most, most if least is None else least), "asked", at_end)


def each(slot: str, players: int, *, at_end: bool = False) -> Target:
    """A slot of each player."""
    most, least = (Fold(op, "p", 0, players - 1, None, Read(slot, (Var("p"),))) for op in ("max", "min"))
    return of(slot, most, least, at_end=at_end)


def core_of(name: str) -> Core:
    book = books.read(name)
    return book.core(book.said[0])


def ends(found: Extremes) -> tuple[int | None, int | None]:
    return found.low.proved, found.high.proved


# --- small games whose extremes are known -------------------------------------------------------------------


def test_a_potential_finds_the_exact_ceiling() -> None:
    """Five rounds of three at most, and four in the last: 19, where 18 and 40 are what the book and the range
    have.
    """
    points, last, choices, steps = extremes(
        core_of("sixth_round"),
        [each("points", 2), each("points", 2, at_end=True), *lengths()],
        BLIND,
    )

    assert (points.high.proved, points.high.found, points.high.how) == (19, 19, "potential")
    assert ends(points) == (0, 19)
    assert ends(last) == (6, 19)
    assert ends(choices) == ends(steps) == (12, 12)
    assert all(found.exact and not found.positions for found in (points, last, choices, steps))


def test_what_grows_with_a_counter_is_bounded_by_where_it_ends() -> None:
    """Twelve times five at most, one at least: the stated purse of 100 is far off."""
    purse, last = extremes(core_of("deep_bound"), [each("purse", 2), each("purse", 2, at_end=True)], BLIND)

    assert ends(purse) == (0, 60)
    assert ends(last) == (12, 60)
    assert (purse.low.found, last.low.found) == (0, 12)


def test_what_is_scored_on_the_last_path_is_bounded_by_what_is_known_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No fact at the end says more than that the count is at most 20."""
    monkeypatch.setattr(Potentials, "fit", lambda *of_what: None)
    core = compiled(
        "rule play:\n    turn chooses:\n        take n: Int in 0..3:\n            count := 5 * n + 1\n"
    )

    (count,) = extremes(core, [of("count", Read("count"))], BLIND)

    assert (count.high.proved, count.high.how) == (16, "facts")
    assert count.high.exact


def test_the_best_play_for_one_number_counts_for_another_too(monkeypatch: pytest.MonkeyPatch) -> None:
    core = compiled("rule play:\n    turn chooses:\n        take n: Int in 0..9:\n            count := n\n")
    goal = Goal(Read("count"), 1, at_end=False)
    visited = Finder(core, [goal])
    assert visited.visit(20_000)
    (best,) = visited.found.best

    def only_the_first(finder: Finder, place: int, steps: int, seed: int) -> None:
        finder.found.best[0] = best

    monkeypatch.setattr(Finder, "improve", only_the_first)
    finder = Finder(core, [goal, goal])
    finder.search(0, 0, lambda done: None)

    assert best is not None
    assert best.value == 9
    assert finder.found.best == [best, best]


def test_a_small_game_is_visited_and_known_exactly() -> None:
    points, choices = extremes(core_of("sixth_round"), [each("points", 2), lengths()[0]], Effort(seconds=5.0))

    assert points.positions > 100
    assert points.high.how == choices.low.how == "every position"
    assert (*ends(points), *ends(choices)) == (0, 19, 12, 12)
    assert points.high.play is not None
    assert len(points.high.play.steps) == 11  # the other need not move any more


def test_the_best_play_is_an_example_that_holds() -> None:
    target = replace(each("points", 2), said=("p in players", "p.points"))
    (points,) = extremes(core_of("sixth_round"), [target], Effort(seconds=5.0))

    assert points.high.play is not None
    assert "any p in players: (p.points) = 19" in points.high.play.example
    assert "p0 harvest" not in points.high.play.example
    assert points.high.play.example.count("market") >= 5


def test_every_run_says_the_same() -> None:
    runs = [extremes(core_of("deep_bound"), [each("purse", 2, at_end=True)], BLIND) for _ in range(2)]

    assert runs[0] == runs[1]


def test_where_nothing_is_proved_that_is_said() -> None:
    """A number that has no value somewhere has no ceiling either."""
    core = core_of("sixth_round")
    without = Fold("max", "p", 0, 1, None, Arith("+", Read("points", (Read("round"),)), Var("p")))
    (found,) = extremes(core, [of("beyond", without)], replace(BLIND, seconds=1.0))

    assert (found.high.proved, found.high.how) == (None, "")
    assert "value" in found.high.reason
    assert not found.exact


def test_interrupted_work_keeps_what_is_known() -> None:
    asked = 0

    def enough() -> bool:
        nonlocal asked
        asked += 1
        return asked > 400

    found = extremes(core_of("deep_bound"), [each("purse", 2)], BLIND, stop=enough)

    assert found[0].high.found is not None
    assert found[0].high.proved is None or found[0].high.proved >= 60


# --- lengths ------------------------------------------------------------------------------------------------


def test_counting_changes_no_move() -> None:
    core = core_of("sixth_round")
    counted = counting(core)

    assert [s.name for s in counted.slots[-2:]] == [CHOICES, STEPS]
    assert [b.end for b in counted.blocks] == [b.end for b in core.blocks]


# --- random games -------------------------------------------------------------------------------------------


def targets(core: Core) -> list[Target]:
    pile = Fold("sum", "s", 0, 1, None, Read("pile", (Var("s"),)))
    product = Arith("*", Read("a"), Arith("-", Read("pile", (Read("side"),)), Const(1)))
    most, least = (
        Fold(op, "s", 0, 1, None, Arith("+", Read("pile", (Var("s"),)), Read("b"))) for op in ("max", "min")
    )
    return [
        *(of(slot, Read(slot)) for slot in ("a", "round") if slot in core.slot),
        of("pile", pile),
        of("pile", pile, at_end=True),
        of("product", product),
        of("each", most, least),
        *lengths(),
    ]


def agrees(core: Core, seconds: float) -> None:
    """Fails where something proved is less than what a visit of all positions finds, or nothing is exact."""
    wanted = targets(core)
    goals = [Goal(t.expr(sign), sign, t.at_end) for t in wanted for sign in (FLOOR, CEILING)]
    finder = Finder(counting(core), goals)
    assume(finder.visit(5000))
    found = extremes(core, wanted, replace(BLIND, seconds=seconds))
    tight = 0
    for number, best in enumerate(finder.found.best):
        sign = (FLOOR, CEILING)[number % 2]
        side = found[number // 2].side(sign)
        assert side.proved is None or -MOST < side.proved < MOST
        if best is not None and side.proved is not None:
            assert sign * side.proved >= sign * best.value, (found[number // 2].target.quantity, sign, best)
            tight += side.proved == best.value
        assert best is not None or side.found is None
        if best is not None and side.found is not None:
            assert sign * side.found <= sign * best.value
    assert tight or all(best is None for best in finder.found.best)


@pytest.mark.slow
@settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=RELAXED, phases=UNSHRUNK)
@given(cores())
def test_no_ceiling_is_below_a_position_of_a_random_game(core: Core) -> None:
    agrees(core, 1.0)


@pytest.mark.deep
@settings(max_examples=150, deadline=None, suppress_health_check=RELAXED, phases=UNSHRUNK)
@given(cores())
def test_no_ceiling_is_below_a_position_of_many_random_games(core: Core) -> None:
    agrees(core, 6.0)


BOOKS = ("half_below_nothing", "two_prices")


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_no_ceiling_is_below_a_position_of_a_wrong_book(name: str) -> None:
    core = core_of(name)
    wanted = [*(of(s.name, Read(s.name)) for s in core.slots if not s.dims), *lengths()]
    goals = [Goal(t.expr(sign), sign, t.at_end) for t in wanted for sign in (FLOOR, CEILING)]
    finder = Finder(counting(core), goals)
    finder.visit(20_000)
    found = extremes(core, wanted, replace(BLIND, seconds=1.0))
    for number, best in enumerate(finder.found.best):
        sign = (FLOOR, CEILING)[number % 2]
        proved = found[number // 2].side(sign).proved
        assert best is None or proved is None or sign * proved >= sign * best.value, wanted[number // 2]


@pytest.mark.deep
def test_il_principe_has_tighter_ceilings_than_it_states() -> None:
    from rulespec import api
    from rulespec.bounding import plan as planning

    book = api.open_rulebook("il_principe")
    plan = planning.plan(book, book.configuration(players=2), ["p.purse for p in players", "round"])
    assert plan.core is not None
    purse, rounds, choices, steps = extremes(plan.core, [*plan.targets, *lengths()], Effort(seconds=120.0))

    assert purse.high.proved is not None
    assert purse.high.found is not None
    assert purse.high.found <= purse.high.proved <= 90
    assert ends(rounds)[1] is not None
    for found, most in ((choices, 300), (steps, 450)):
        assert found.high.proved is not None
        assert found.high.found is not None
        assert found.high.found <= found.high.proved <= most
