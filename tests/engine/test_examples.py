"""Worked examples pass or say what is wrong, where, and with which values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import changed, sample

from rulespec.compiler.core.from_text import parse_expression
from rulespec.compiler.core.tree import Act, Core, Happens, Origin, Script
from rulespec.compiler.spans import Span
from rulespec.engine.examples import ExampleResult, run
from rulespec.engine.explain import explain
from rulespec.engine.interpreter.stepper import initial


def at(line: int) -> Span:
    return Span("example.rules", line, 1, line, 9)


def script(core: Core, steps: list[Act | Happens], *then: str) -> Script:
    conditions = tuple((parse_expression(text), at(100 + n)) for n, text in enumerate(then))
    return Script("ex", "An example", core, tuple(steps), conditions, Origin(at(1)))


def bid(seat: int, amount: int, line: int = 5, refused: bool = False) -> Act:
    return Act(seat, refused, "bid", (str(amount),), at(line))


def leave(seat: int, line: int = 6) -> Act:
    return Act(seat, False, "pass", (), at(line))


START: list[Act | Happens] = [Happens("4", at(2))]


def test_an_example_passes() -> None:
    steps = [*START, bid(0, 3), bid(1, 2, refused=True), bid(2, 9, refused=True), leave(1), leave(2)]
    result = run(script(sample("auction"), [*steps, Happens("1", at(7))], "points[0] = 4", "purse[0] = 7"))
    assert result == ExampleResult(
        "ex",
        "An example",
        True,
        "",
        at(1),
        (),
        ("chance 4", "p0 bids 3", "p1 passes", "p2 passes", "chance 1"),
        (),
    )


@pytest.mark.parametrize(
    ("steps", "then", "line", "said"),
    [
        (
            [*START, bid(0, 3), bid(1, 3, 9)],
            [],
            9,
            "`bid 3` is not offered to p1: possible: `bid 4`, `bid 5`",
        ),
        ([*START, bid(1, 3, 9)], [], 9, "p1 is not asked here: p0 is asked, possible: `bid 1`"),
        (
            [*START, bid(0, 3, 9, refused=True)],
            [],
            9,
            "`bid 3` is offered to p0, and the example says that it is",
        ),
        ([bid(0, 3, 9)], [], 9, "chance decides here, and the example does not say how: possible: `1`, `2`"),
        ([Happens("7", at(9))], [], 9, "chance cannot decide for `7` here: possible: `1`"),
        ([*START, Happens("7", at(9))], [], 9, "chance does not decide here: p0 is asked"),
        (
            [*START, leave(0), leave(1), leave(2, 9)],
            [],
            9,
            "chance decides here, and the example does not say how",
        ),
        (START, ["points[0] = 0", "points[1] = 4"], 101, "this does not hold"),
        (START, ["points[5] = 0"], 100, "this has no value: `points` has no element 5"),
    ],
)
def test_an_example_fails_with_place_and_reason(
    steps: list[Act | Happens], then: list[str], line: int, said: str
) -> None:
    result = run(script(sample("auction"), steps, *then))
    assert not result.passed
    assert said in result.message
    assert result.span == at(line)


def test_a_failing_condition_gives_the_values_of_its_parts() -> None:
    result = run(script(sample("auction"), [*START, bid(0, 3)], "high = 3 and leader = 1"))
    assert result.parts == ("leader is p0",)
    assert result.played == ("chance 4", "p0 bids 3")


def test_a_fault_of_the_rules_fails_the_example() -> None:
    core = changed("auction", "high := amount ; auction @rb(7)", "high := 31 ; auction @rb(7)")
    result = run(script(core, [*START, bid(0, 3, 9)]))
    assert "the rules fail: `high` would become 31, above 30 (range in auction @rb(7))" in result.message
    assert result.span == at(9)


def test_a_position_that_no_play_reaches_is_played_and_said_to_be_so() -> None:
    core = changed("auction", 'private keeps ducat "money" = 10', 'private keeps ducat "money" = [30, 0, 5]')
    result = run(script(core, START, "purse[0] = 30"))
    assert result.passed
    assert result.unreachable == ("all money is somewhere",)


LOW = 'starting money": high <= 10'


def claiming(condition: str, *passages: str) -> Core:
    return changed("auction", LOW, f'starting money": {condition}', *passages)


@pytest.mark.parametrize(
    ("claim", "line", "after"),
    [
        ("high <= 2", 9, "after `p0 bids 3`, bound `high` does not hold"),
        ("worth = 0", 2, "after `chance 4`, bound `high` does not hold"),
        ("high < lots", 1, None),
    ],
)
def test_a_claim_is_asked_of_each_position_on_the_way(claim: str, line: int, after: str | None) -> None:
    core = claiming(claim)
    result = run(script(core, [*START, bid(0, 3, 9), bid(1, 4)], "high = 4"))
    assert (result.passed, result.span) == (after is None, at(line))
    assert result.message == (after or "")
    assert [p.name for p in result.breaks] == ([] if after is None else ["high"])
    assert bool(result.unreachable) is (after is None)


def test_a_claim_may_be_broken_before_the_first_step() -> None:
    core = claiming("high = 0", "enter sell ; sell @rb(1..3)", "high := 3 ; sell @rb(1)")
    result = run(script(core, [*START]))
    assert result.message == "before the first step, bound `high` does not hold"
    assert result.parts == ("high is 3",)


def test_claims_that_break_together_are_named_together() -> None:
    core = claiming("high <= 2", "leader = -1 or (any", "high = 0 or (leader = -1 and any")
    result = run(script(core, [*START, bid(0, 3, 9)]))
    assert "bound `high` and invariant `leader_can_pay` do not hold" in result.message


def test_the_end_of_a_rule_inside_the_game_is_no_place_of_claims() -> None:
    core = claiming("lots = 0", "branch lots < 2 to reveal else over", "branch lots < 1 to reveal else over")
    steps = [*START, leave(0), leave(1), leave(2, 9)]
    inside = run(replace(script(core, steps), ends_the_game=False))
    assert (inside.passed, inside.ends_breaking) == (True, ("nobody bids more than the starting money",))
    whole = run(script(core, steps))
    assert (whole.passed, whole.ends_breaking) == (False, ())


def test_where_play_begins_is_not_said_to_be_out_of_reach() -> None:
    core = claiming("lots > 0")
    assert run(script(core, START)).unreachable == ("nobody bids more than the starting money",)
    assert run(replace(script(core, START), from_the_start=True)).unreachable == ()


def test_chance_with_one_outcome_need_not_be_said() -> None:
    core = changed(
        "auction", "worth in 1..6 of points weight 1", "worth in 1..6 of points weight max(0, $outcome - 5)"
    )
    said = run(script(core, [Happens("6", at(3)), bid(0, 3)], "worth = 6"))
    unsaid = run(script(core, [bid(0, 3)], "worth = 6"))
    assert (said.passed, unsaid.passed) == (True, True)


def test_the_end_of_the_rule_is_named() -> None:
    core = changed("auction", "branch lots < 2 to reveal else over", "branch lots < 1 to reveal else over")
    steps = [*START, leave(0), leave(1), leave(2), leave(0, 9)]
    assert run(script(core, steps)).message == "p0 is not asked here: the rule has ended"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("all($p in 0..2: purse[$p] = 10 and points[$p] > 0)", ("p is p0", "points[p0] is 0")),
        ("any($p in 0..1: purse[$p] = 3)", ("purse[p0] is 10", "purse[p1] is 10")),
        ("sum($p in 0..1 where live[$p] = 0: purse[$p]) = 3", ("purse[p0] is 10", "purse[p1] is 10")),
        ("count($p in 0..2 where purse[$p] > 3) = 2", ("3 are counted",)),
        ("leader = 2 or high > 3", ("leader is none", "high is 0")),
        ("not leader = -1", ("leader is none",)),
        ("(if high = 0 then lots else bank) = 1", ("high is 0", "lots is 0")),
        ("live[turn] != 0", ("live[p0] is false",)),
    ],
)
def test_explanations(text: str, parts: tuple[str, ...]) -> None:
    core = sample("auction")
    assert explain(core, parse_expression(text), initial(core)) == parts


def test_an_explanation_looks_into_tables() -> None:
    core = sample("market")
    found = explain(core, parse_expression("all($g in 0..1: price($g) > 1)"), initial(core))
    assert found == ("g is cloth", "price(cloth) is 1")
