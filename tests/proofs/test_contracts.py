"""Rules with contracts are proved once for all callers, and callers rely on no more than is ensured."""

from __future__ import annotations

import pytest
from lowered import compiled

from rulespec.compiler.core.tree import Core
from rulespec.proofs import verify as verifier
from rulespec.proofs.claims import Claims
from rulespec.proofs.smt import prove
from rulespec.proofs.smt.contracts import find_contracts
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.locations import Graph, Rounds, explore, nesting
from rulespec.proofs.smt.terms import Terms
from rulespec.proofs.verify import verify

ASKING = """
rule ask(most: Int in 0..9) -> Int in 0..9 "Asks how many":
    {ensures}
    var asked: Int in 0..9 = 0
    turn chooses:
        say number: Int in 0..most "says {{number}}":
            asked := number
    return asked

rule play "Twice":
    let a = ask({first})
    let b = ask(3)
    count := a + b
{more}
"""
KEPT = "ensures result <= most"

ASKED_AGAIN = """
    while count > 0:
        decreasing count
        let c = ask(9)
        if c > 0:
            count -= 1
"""

HANDED_ON = """
rule tell() -> Int in 0..1 "Asks until somebody says stop":
    ensures result = 1
    var left: Int in 0..3 = 3
    repeat:
        decreasing left
        turn may choose:
            on when left > 0 "goes on":
                left -= 1
        if left > 0:
            left -= 1
        else:
            stop
    return 1

rule both() "Two in a row":
    let a = tell()
    let b = tell()
    level[green] := a + b

rule play "Four in a row":
    both()
    both()
"""


def asking(ensures: str = KEPT, first: str = "5", more: str = "") -> Core:
    return compiled(ASKING.format(ensures=ensures, first=first, more=more))


def graph_of(core: Core, *, by_contract: bool = True) -> Graph:
    return explore(core, Encoder(core, Terms()), by_contract=by_contract)


def verdicts(core: Core) -> dict[str, str]:
    return {v.property: v.verdict for v in verify(core)}


def test_a_rule_that_asks_and_ensures_is_found_with_all_that_it_writes() -> None:
    core = asking()

    (contract,) = find_contracts(core).values()

    assert contract.rule == "ask"
    assert {core.block[name].kind for name in contract.body} == {"choice", "step"}
    assert "ask.asked" in contract.written
    assert "count" not in contract.written
    assert [check.kind for check in contract.ensures] == ["ensures"]


@pytest.mark.parametrize(
    "ensures",
    ["assert most >= 0", "ensures count = 0\n    count := 0"],
    ids=["nothing ensured", "writes state"],
)
def test_a_rule_that_ensures_nothing_or_changes_the_game_has_no_contract(ensures: str) -> None:
    assert find_contracts(asking(ensures)) == {}


def test_its_choice_is_there_once_for_all_calls() -> None:
    core = asking()

    once = [v for v in graph_of(core).locations if v.kind == "choice"]
    apart = [v for v in graph_of(core, by_contract=False).locations if v.kind == "choice"]

    assert (len(once), len(apart)) == (1, 2)


def test_callers_rely_on_what_is_ensured() -> None:
    found = verdicts(asking(more="    assert a <= 5 and b <= 3 and count <= 8"))

    assert found["checks of play"] == "proved"
    assert found["checks of ask"] == "proved"


def test_callers_do_not_rely_on_more_than_can_be() -> None:
    assert verdicts(asking(more="    assert b <= 2"))["checks of play"] == "refuted"


def test_what_is_ensured_is_owed_where_the_rule_returns() -> None:
    found = verdicts(asking("ensures result < most"))

    assert found["checks of ask"] == "refuted"


def test_a_promise_is_owed_for_every_caller() -> None:
    """Only the second call breaks it."""
    found = verdicts(asking("ensures result <= 4", first="4", more="    let c = ask(6)\n    count := c"))

    assert found["checks of ask"] == "refuted"


def test_where_too_little_is_ensured_calls_are_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[bool] = []

    def noted(core: Core, encoder: Encoder, *, by_contract: bool = True) -> Graph:
        ways.append(by_contract)
        return explore(core, encoder, by_contract=by_contract)

    monkeypatch.setattr(prove, "explore", noted)
    monkeypatch.setattr(verifier, "FIRST_STATES", 2)
    found = verdicts(asking("ensures result <= most + 1", more="    assert b <= 3"))

    assert found["checks of play"] == "proved"
    assert ways == [True, False]


def test_a_second_call_is_not_another_round() -> None:
    """Two calls without anything between them: the second begins with its measure at the top again."""
    core = compiled(HANDED_ON)

    found = verify(core)

    assert {c.rule for c in find_contracts(core).values()} == {"tell"}
    assert [
        (v.property, v.verdict, v.reason) for v in found if v.kind == "loop" and v.verdict != "proved"
    ] == []


def test_an_outer_loop_goes_round_through_a_called_rule() -> None:
    core = asking(more=ASKED_AGAIN)
    graph = graph_of(core)
    loops = list(nesting(graph).all())
    rounds = Rounds(core, graph, loops)
    outer = next(nest for nest in loops if nest.head.block.startswith("play"))
    choice = next(v for v in graph.locations if v.kind == "choice")

    head, asked = ((v.block, v.kind) for v in (outer.head, choice))
    record = tuple(v for slot in core.slots for v in slot.initial)
    where = rounds.where([(head, record), (asked, record), (head, record)])

    assert choice not in outer.inside
    assert list(rounds.of(outer, where)) == [(0, 2)]
    assert verdicts(core)[Claims(core).loop(outer.head.block)] == "refuted"
