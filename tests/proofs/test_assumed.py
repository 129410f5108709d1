"""What is proved whatever the assumed numbers are is true of the game with any of them."""

from __future__ import annotations

from itertools import product

import pytest
from lowered import compiled

from rulespec.compiler.core.tree import Core
from rulespec.proofs.evidence import Task
from rulespec.proofs.verdicts import ANY, GIVEN, Limits, Verdict
from rulespec.proofs.verify import run_task, verify

QUICK = Limits(total=15.0, proof=8.0, question=1.0, sampling=0.3, plays=100, machine=0, shrinking=0.2)

SHOP = """
table Ware "wares":
    columns price: ducat, worth: points
    bread "Bread": 1, 1
    assumed "nobody printed these" where price in 2..4, worth in 1..3:
        wine "Wine": {wine}
        cloth "Cloth": {cloth}

rule setup "Setting up":
    for p in players:
        pay 7 from bank to p.purse

rule play "Two rounds":
    while count < 2:
        decreasing 2 - count
        keeps all p in players: p.points <= 3 * count
        turn chooses:
            buy w: Ware when w.price <= turn.purse "buys {{w}}":
                pay w.price from turn.purse to bank
                score w.worth to turn
            pass "passes":
                nothing
        count += 1

invariant few: all p in players: p.points <= 6
invariant fewer: all p in players: p.points <= 4
invariant cheap: wine.price <= 3
invariant worth_it: all w in Ware: w.worth < 4
invariant something: any w in Ware: w.price < 3
"""


def shop(wine: tuple[int, int] = (3, 2), cloth: tuple[int, int] = (2, 1)) -> Core:
    """The shop with these prices and worths."""
    return compiled(SHOP.format(wine="{}, {}".format(*wine), cloth="{}, {}".format(*cloth)))


def verdicts(core: Core) -> dict[str, Verdict]:
    return {v.property: v for v in verify(core, limits=QUICK)}


@pytest.mark.slow
def test_a_verdict_says_whether_it_holds_for_other_numbers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.proofs.verify.FIRST_STATES", 5)
    found = verdicts(shop())
    fewer = next(v for name, v in found.items() if name.endswith(" fewer"))

    assert {
        v.property.split()[-1]: (v.verdict, v.assumed)
        for v in found.values()
        if v.kind == "invariant" and v is not fewer
    } == {
        "few": ("proved", ANY),
        "cheap": ("proved", GIVEN),
        "worth_it": ("proved", ANY),
        "something": ("proved", ANY),
    }
    assert found["the game ends"].assumed == ANY
    # What the loop keeps is found where there is time for it.
    assert (fewer.verdict in ("proved", "sampled"), fewer.assumed) == (True, GIVEN)


@pytest.mark.slow
def test_what_holds_for_any_numbers_holds_in_games_with_others() -> None:
    for_any = {name for name, v in verdicts(shop()).items() if v.assumed == ANY}
    assert len(for_any) >= 8

    room = list(product((2, 3, 4), (1, 2, 3)))
    for wine, cloth in list(product(room, room))[::13]:
        other = run_task(Task(shop(wine, cloth), "whole", limits=QUICK))
        assert {v.verdict for v in other if v.property in for_any} <= {"exhaustive", "proved"}, (wine, cloth)


def test_a_game_without_assumed_numbers_says_nothing_of_them() -> None:
    core = compiled("rule play:\n    count := 3\n")

    assert {v.assumed for v in verify(core, limits=QUICK)} == {""}
