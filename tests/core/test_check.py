"""Core's structural invariants: the samples keep them, and each is noticed when it is broken."""

from __future__ import annotations

import pytest
from samples import NAMES, changed, sample

from rulespec.compiler.core.check import check


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_sound(name: str) -> None:
    assert check(sample(name)) == ()


@pytest.mark.parametrize(
    ("name", "before", "after", "said"),
    [
        (
            "auction",
            "branch lots < 2 to reveal else over",
            "branch lots to reveal else over",
            "a number stands where",
        ),
        ("auction", "rank purse[$p]", "rank purse[$p] > 2", "a truth value stands where"),
        ("auction", "rank purse[$p]", "rank purse[$q]", "`$q` is not in reach"),
        ("auction", "    high := amount ;", "    hig := amount ;", "slot `hig` is not there"),
        ("auction", "rank purse[$p]", "rank purse", "has 1 dimensions and 0 indices"),
        ("auction", "= 10\nslot bank", "= [10, 10]\nslot bank", "has 3 elements and 2 initial values"),
        ("auction", "= 10\nslot bank", "= 31\nslot bank", "starts outside its range"),
        (
            "auction",
            "leader := -1\n    worth",
            "let $found = 1\n    let $found = 2\n    worth",
            "is bound again",
        ),
        ("auction", "goto lot\n\nblock lot", "goto nowhere\n\nblock lot", "goes on at `nowhere`"),
        ("auction", "to ask else sold", "to sold else sold", "block `ask` is never reached"),
        ("auction", '("bids ", 0)', '("bids ", 1)', "its phrase names parameter 1"),
        ("auction", "within 1..10", "within 1..31", "does not fit its slot `amount`"),
        ("auction", "option pass", "option bid", "option `bid` is there 2 times"),
        (
            "auction",
            "property bound high",
            "property bound points",
            "property `bound points` is there 2 times",
        ),
        ("auction", "to amount", "to purse", "goes to slot `purse`, which is an array"),
        (
            "auction",
            "block auction loop:",
            "block auction loop bounded:",
            "bounded by construction and has a measure",
        ),
        ("auction", "chance worth in 1..6", "chance worth in 1..7", "does not fit its slot `worth`"),
        ("auction", "enter auction ;", "enter auktion ;", "enters rule `auktion`"),
        ("auction", "private keeps ducat", "hidden counted keeps ducat", None),
        ("auction", "private keeps ducat", "private unless live keeps ducat", None),
        ("auction", "private keeps ducat", "hidden unless live keeps ducat", "which has other indices"),
        ("auction", "private keeps ducat", "private unless high keeps ducat", "is no open truth value"),
        ("auction", "private keeps ducat", "private unless shown keeps ducat", "which is not there"),
        ("auction", "private keeps ducat", "unless live keeps ducat", "only private and hidden slots may be"),
        (
            "duel",
            "slot deck[Color]: Int in 0..3 hidden",
            "slot deck[Color]: Int in 0..3 private",
            "not indexed by seats",
        ),
        (
            "duel",
            "points[Player]: points in 0..6",
            "points[Player]: points in 0..6 counted",
            "is counted, which only",
        ),
        (
            "market",
            "table price[Good] = [1, 3]",
            "table price[Good] = [1, 3, 4]",
            "has 2 elements and 3 values",
        ),
        ("market", "div 4", "div cash[0]", "not a positive constant"),
        (
            "market",
            "switch back to after_first, next_day",
            "switch back to next_day",
            "switches on 0..1 over 1 targets",
        ),
        (
            "market",
            "slot back: Int in 0..1",
            "slot stall: Int in 0..1",
            "slot or table `stall` is there 2 times",
        ),
    ],
)
def test_a_broken_invariant_is_said(name: str, before: str, after: str, said: str | None) -> None:
    flaws = check(changed(name, before, after))
    if said is None:
        assert flaws == ()
    else:
        assert any(said in flaw for flaw in flaws), flaws


def test_a_start_that_is_not_there_is_said() -> None:
    core = changed("auction", "start setup", "start nowhere")
    assert "there is no start block `nowhere`" in check(core)
