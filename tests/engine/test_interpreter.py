"""What core means, feature by feature, and how it faults."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from samples import NAMES, changed, sample

from rulespec.compiler.core.from_text import parse, parse_expression
from rulespec.compiler.core.tree import TRUE, Block, Choose, Core, Enter
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.evaluate import Wrong, evaluate
from rulespec.engine.interpreter.stepper import Interpreter, initial
from rulespec.engine.rng import playout
from rulespec.engine.stepper import Record

SMALL = """
core 1
game small "Small"
players 2
domain Player [p0, p1]
domain Int
slot x: Int in -5..5 = 2
slot a[Player]: Int in 0..9 = [3, 4]
slot m[Player, Player]: Int in 0..9 = [1, 2, 3, 4]
table t[Player] = [7, 8]
rank a[$p]
start go
block go:
{body}
"""


def small(*body: str) -> Core:
    return parse(SMALL.format(body="\n".join("    " + line for line in body)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x", 2),
        ("a[1]", 4),
        ("m[1, 0]", 3),
        ("t(1)", 8),
        ("-7 div 2", -4),
        ("-7 mod 3", 2),
        ("10 - 3 - 2", 5),
        ("2 + 3 * 4", 14),
        ("min(x, 1) + max(x, 9)", 10),
        ("(if x = 2 then 10 else a[9])", 10),
        ("sum($i in 0..1: a[$i] * t($i))", 53),
        ("count($i in 0..1 where a[$i] > 3)", 1),
        ("max($i in 0..1: a[$i])", 4),
        ("min($i in 0..1 where a[$i] > 9: a[$i] else -1)", -1),
        ("sum($i in 3..1: 1)", 0),
    ],
)
def test_numbers(text: str, value: int) -> None:
    core = small("end")
    assert evaluate(core, parse_expression(text), initial(core), {}) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x = 2 and not x != 2", True),
        ("x < 2 or x <= 2 and x >= 3", False),
        ("x > 1", True),
        ("false and a[9] = 1", False),
        ("true or a[9] = 1", True),
        ("all($i in 0..1: a[$i] >= 3)", True),
        ("any($i in 0..5: a[$i] = 4)", True),
        ("all($i in 0..5: a[$i] = 4)", False),
        ("all($i in 0..1 where a[$i] > 9: false)", True),
        ("and()", True),
        ("or()", False),
    ],
)
def test_truth_values_stop_where_they_are_decided(text: str, value: bool) -> None:
    core = small("end")
    assert bool(evaluate(core, parse_expression(text), initial(core), {})) == value


@pytest.mark.parametrize(
    ("text", "kind"),
    [("a[2]", "index"), ("m[0, -1]", "index"), ("t(x)", "index"), ("max($i in 1..0: 1)", "empty")],
)
def test_expressions_without_a_value(text: str, kind: str) -> None:
    core = small("end")
    with pytest.raises(Wrong) as caught:
        evaluate(core, parse_expression(text), initial(core), {})
    assert caught.value.kind == kind


def run(core: Core) -> Record:
    return Interpreter(core).start()


def test_statements_run_in_order_and_names_end_with_their_list() -> None:
    r = run(
        small(
            "let $n = x + 1",
            "if $n = 3:",
            "    let $m = $n * 2",
            "    x := $m - 1",
            "else:",
            "    x := 0",
            "for $i in 0..1:",
            "    a[$i] := a[$i] + $n + $i",
            "end",
        )
    )
    assert r[:3] == [5, 6, 8]


def test_an_assignment_sees_the_record_as_the_one_before_left_it() -> None:
    assert run(small("for $i in 1..3:", "    x := x + (if x < 4 then 1 else 0)", "end"))[0] == 4


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("x := 6", "range", "`x` would become 6, above 5"),
        ("a[1] := -1", "range", "`a[p1]` would become -1, below 0"),
        ("a[x] := 1", "index", "`a` has no element 2 among its 2 of `Player`"),
        ('check enough "there are enough": a[0] > 3', "enough", "there are enough"),
    ],
)
def test_faults_of_statements(body: str, kind: str, text: str) -> None:
    with pytest.raises(Fault) as caught:
        run(small(f"{body} ; pay @rb(4)", "end"))
    fault = caught.value
    assert (fault.kind, fault.text, fault.block) == (kind, text, "go")
    assert (fault.origin.rule, str(fault.origin.citation)) == ("pay", "@rb(4)")
    assert "in pay @rb(4)" in str(fault)


def test_a_fault_survives_pickling() -> None:
    with pytest.raises(Fault) as caught:
        run(small("x := 6", "end"))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.kind, again.text, again.block) == (caught.value.kind, caught.value.text, caught.value.block)


def test_rules_that_never_wait_are_a_fault() -> None:
    with pytest.raises(Fault) as caught:
        run(small("goto go"))
    assert caught.value.kind == "endless"


def at_first_wait(core: Core) -> tuple[Interpreter, Record]:
    stepper = Interpreter(core)
    return stepper, stepper.start()


def test_moves_come_in_order_of_options_and_then_of_parameters() -> None:
    stepper, r = at_first_wait(sample("market"))
    stepper.happen(r, 1)
    assert stepper.kind(r) == "choice"
    assert stepper.moves(r) == [(0, 0, 1), (0, 1, 3), (0, 2, 3), (1,)]


def test_a_later_parameter_may_use_an_earlier_one() -> None:
    core = changed("market", "$number in 0 .. min(cash[seat_now], 3)", "$number in $goods .. $goods + 1")
    core = replace(core, blocks=tuple(_without_guard(b) for b in core.blocks))
    stepper, r = at_first_wait(core)
    stepper.happen(r, 0)
    assert stepper.moves(r) == [(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 2), (0, 2, 2), (0, 2, 3), (1,)]


def _without_guard(block: Block) -> Block:
    if not isinstance(block.end, Choose):
        return block
    free = tuple(replace(o, guard=TRUE) for o in block.end.options)
    return replace(block, end=replace(block.end, options=free))


def test_a_parameter_that_leaves_the_encoding_is_a_fault_unless_there_is_none() -> None:
    stepper, r = at_first_wait(changed("auction", "in high + 1 .. min(purse[turn], 10)", "in 11 .. 11"))
    stepper.happen(r, 1)
    with pytest.raises(Fault) as caught:
        stepper.moves(r)
    assert caught.value.kind == "parameter"
    stepper, r = at_first_wait(changed("auction", "in high + 1 .. min(purse[turn], 10)", "in 12 .. 11"))
    stepper.happen(r, 1)
    assert stepper.moves(r) == [(1,)]


def test_a_choice_without_a_move_is_a_fault() -> None:
    stepper, r = at_first_wait(changed("duel", "hand[asked, $card] >= 1", "hand[asked, $card] >= 4"))
    while stepper.kind(r) == "chance":
        stepper.happen(r, stepper.outcomes(r)[0][0])
    with pytest.raises(Fault) as caught:
        stepper.moves(r)
    assert (caught.value.kind, caught.value.block) == ("choice", "question")


def test_a_seat_that_is_not_there_is_a_fault() -> None:
    stepper, r = at_first_wait(changed("auction", "    choose turn:", "    choose turn + 3:"))
    stepper.happen(r, 1)
    with pytest.raises(Fault) as caught:
        stepper.actor(r)
    assert caught.value.kind == "seat"


@pytest.mark.parametrize(
    ("weight", "outcomes"), [("$outcome - 3", None), ("0", None), ("max(0, $outcome - 4)", 2)]
)
def test_chance_needs_an_outcome_and_no_negative_weight(weight: str, outcomes: int | None) -> None:
    stepper, r = at_first_wait(changed("auction", "weight 1 seen", f"weight {weight} seen"))
    if outcomes:
        assert stepper.outcomes(r) == [(5, 1), (6, 2)]
        return
    with pytest.raises(Fault) as caught:
        stepper.outcomes(r)
    assert caught.value.kind == "chance"


def test_a_switch_returns_to_where_the_rule_was_called() -> None:
    stepper, r = at_first_wait(sample("market"))
    core = stepper.core
    stepper.happen(r, 1)
    assert core.blocks[r[-1]].name == "visit"
    stepper.play(r, (1,))
    assert core.blocks[r[-1]].name == "income"
    stepper.happen(r, 0)
    assert (core.blocks[r[-1]].name, r[core.offset["day"]]) == ("income", 1)


def test_asking_for_what_a_record_does_not_wait_for_is_an_error() -> None:
    stepper, r = at_first_wait(sample("auction"))
    with pytest.raises(ValueError, match="nobody is asked"):
        stepper.moves(r)
    stepper.happen(r, 1)
    with pytest.raises(ValueError, match="chance does not decide"):
        stepper.outcomes(r)


def test_a_watcher_sees_blocks_and_rules_in_order() -> None:
    seen: list[str] = []

    def watch(event: Block | Enter, r: Record) -> None:
        seen.append(event.name if isinstance(event, Block) else f"enter {event.rule}")

    stepper = Interpreter(sample("auction"), watch)
    r = stepper.start()
    stepper.happen(r, 4)
    assert seen == ["setup", "enter sell", "lot", "reveal", "open_bidding", "enter auction", "auction", "ask"]


@pytest.mark.parametrize("name", NAMES)
def test_random_plays_end_and_are_the_same_from_the_same_seed(name: str) -> None:
    stepper = Interpreter(sample(name))
    for seed in range(30):
        r, steps = playout(stepper, seed)
        assert stepper.kind(r) == "end"
        assert (r, steps) == playout(stepper, seed)
        assert playout(stepper, seed, most=2)[1] == 2


def test_scores_are_the_ranking_keys_of_each_seat() -> None:
    stepper = Interpreter(sample("market"))
    r = initial(sample("market"))
    assert stepper.scores(r) == ((10, 0), (10, 0))
