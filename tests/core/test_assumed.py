"""Numbers that are assumed within limits: which stay open in core, and how much room each has."""

from __future__ import annotations

import pytest
from lowered import compiled

from rulespec.compiler.core.check import check
from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.print import show
from rulespec.compiler.core.tree import Core

TABLE = """
table Ware "wares":
    columns price: ducat, worth: Int in 1..3, weight: Bag[Color], marks: Set[Color]
    bread "Bread": 1, 1, {green: 1}, {green}
    assumed "nobody printed these" where LIMITS:
        wine "Wine": 2, 2, {green: 1, red: 2}, {red}
"""


def game(limits: str, play: str) -> Core:
    return compiled(TABLE.replace("LIMITS", limits) + "rule play:\n    " + play)


def room(core: Core, table: str) -> tuple[tuple[int, int, int], ...]:
    return core.table[f"Ware.{table}"].open


BUY = "for w in Ware:\n        if w.price <= bank:\n            pay w.price from bank to turn.purse"
WEIGH = "for w in Ware:\n        for c in Color:\n            count := w.weight[c]"


@pytest.mark.parametrize(
    ("limits", "left"),
    [
        ("price in 2..5", ((1, 2, 5),)),
        ("price <= 5, price > 1", ((1, 2, 5),)),
        ("2 <= price and price < 5", ((1, 2, 4),)),
        ("price = 2", ((1, 2, 2),)),
        ("price >= 2", ()),  # there is no end to it
        ("price in 1..3 or price = 9", ()),
        ("worth in 2..3", ()),  # of another column
    ],
)
def test_a_cell_has_the_room_that_limits_leave(limits: str, left: tuple[tuple[int, int, int], ...]) -> None:
    core = game(limits, BUY)

    assert room(core, "price") == left
    assert check(core) == ()


def test_a_declared_range_is_a_limit_too() -> None:
    core = game("worth >= 2", "for w in Ware:\n        count := w.worth")

    assert room(core, "worth") == ((1, 2, 3),)


def test_what_sums_up_to_a_limit_has_at_most_that_much_room() -> None:
    core = game("size(weight) in 2..4", WEIGH)

    assert room(core, "weight") == ((3, 0, 4), (4, 0, 4), (5, 0, 4))
    assert len(core.limits) == 1


def test_nothing_is_open_that_play_does_not_look_at() -> None:
    core = game("price in 2..5", "nothing")

    assert room(core, "price") == ()
    assert core.limits == ()
    assert core.fixed == ()


def test_a_look_at_an_open_cell_stays_one() -> None:
    core = game(
        "price in 2..5", "pay wine.price from bank to turn.purse\n    pay bread.price from bank to turn.purse"
    )

    assert "Ware.price(1)" in show(core)
    assert "Ware.price(0)" not in show(core)  # the price of bread is printed


def test_a_slot_has_room_for_all_that_may_be_put_into_it() -> None:
    core = game("price in 2..5", "var x = wine.price\n    while x > 0:\n        decreasing x\n        x -= 1")

    assert (core.slot["play.x"].low, core.slot["play.x"].high) == (0, 5)


def test_a_number_that_is_needed_before_play_is_fixed() -> None:
    table = TABLE.replace("price: ducat", "price: Int").replace("LIMITS", "price in 2..5, worth in 1..3")
    take = 'turn chooses:\n        take b: Bag[Card] of wine.price in box "takes {b}":\n            nothing'
    core = compiled(f"{table}rule play:\n    {take}\n    for w in Ware:\n        count := w.price + w.worth")

    assert core.fixed == ("Ware.price",)
    assert room(core, "price") == ()
    assert room(core, "worth") == ((1, 1, 3),)


def test_what_is_open_is_in_the_text_of_core() -> None:
    core = game("price in 2..5, size(weight) in 2..4", BUY + "\n    " + WEIGH)
    text = show(core)

    assert "assumed [1] open [1 in 2..5]" in text
    assert "limit sum($k in 0..2: Ware.weight(1, $k)) >= 2" in text
    assert parse(text).tables == core.tables
    assert parse(text).limits == core.limits


# --- params -------------------------------------------------------------------------------------------------

PARAM = 'param fee "fee": ducat in 1..4 = 2 assumed "nobody says"\n'
PAY = "rule play:\n    if bank >= fee:\n        pay fee from bank to turn.purse"


def test_an_assumed_param_with_a_range_is_open() -> None:
    core = compiled(f"{PARAM}{PAY}\n    else:\n        count := 3")

    assert core.table["param.fee"].open == ((0, 1, 4),)
    assert core.params == (("fee", 2),)
    assert core.fixed == ()


@pytest.mark.parametrize(
    "declared",
    [
        'param fee "fee": ducat = 2 assumed "nobody says"\n',  # of any size
        'param fee "fee": ducat in 1..4 = 2 @rb(3)\n',  # printed
    ],
)
def test_another_param_is_a_constant(declared: str) -> None:
    core = compiled(f"{declared}{PAY}")

    assert core.tables == ()
    assert "param.fee" not in show(core)


def test_a_param_that_is_set_is_a_constant() -> None:
    core = compiled(f"{PARAM}when players = 2 @rb(4):\n    fee = 3\n{PAY}")

    assert "param.fee" not in show(core)
    assert core.params == (("fee", 3),)


def test_a_param_that_is_needed_before_play_is_fixed() -> None:
    declared = 'param most: Int in 1..4 = 2 assumed "nobody says"\n'
    core = compiled(
        f"{declared}rule play:\n    var held: Int in 0..most = 0\n    held := most - 1\n    count := held"
    )

    assert core.fixed == ("param.most",)
    assert core.table["param.most"].open == ()
