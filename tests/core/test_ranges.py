"""Ranges that the rules do not say are found, or asked for."""

from __future__ import annotations

from lowered import compiled, refused

from rulespec.compiler.core.tree import Choose, Core, Param


def bounds(text: str, slot: str) -> tuple[int, int]:
    found = compiled(text).slot[slot]
    return found.low, found.high


def params(core: Core) -> list[Param]:
    return [p for b in core.blocks if isinstance(b.end, Choose) for o in b.end.options for p in o.params]


def test_a_local_holds_what_is_put_into_it() -> None:
    text = "rule play:\n    var n = 3\n    if flag:\n        n := count + 2\n    count := n mod 9\n"

    assert bounds(text, "play.n") == (2, 22)


def test_a_counter_is_held_by_its_loop() -> None:
    text = "rule play:\n    var n = 0\n    while n < 7:\n        decreasing 7 - n\n        n += 1\n"

    assert bounds(text, "play.n") == (0, 7)


def test_a_long_counter_is_held_too() -> None:
    text = "rule play:\n    var n = 500\n    while n > 0:\n        decreasing n\n        n -= 1\n"

    assert bounds(text, "play.n") == (0, 500)


def test_a_bid_lies_between_the_last_and_the_purse() -> None:
    core = compiled(
        "rule play:\n    var high: ducat = 0\n    repeat:\n        decreasing 30 - high\n"
        '        turn chooses:\n            bid n: ducat in high + 1..turn.purse "bids {n}":\n'
        '                high := n\n            pass "passes":\n                stop\n'
    )

    assert (core.slot["play.high"].low, core.slot["play.high"].high) == (0, 30)
    assert [(p.least, p.most) for p in params(core)] == [(1, 30)]
    assert (core.slot["play.n"].low, core.slot["play.n"].high) == (1, 30)


def test_a_parameter_of_a_rule_holds_all_that_it_is_given() -> None:
    text = (
        "rule play:\n    ask(2)\n    ask(count + 1)\n\nrule ask(n: Int):\n    turn chooses:\n"
        '        go "goes":\n            count := n div 2\n'
    )

    assert bounds(text, "ask.n") == (1, 21)


def test_what_grows_without_end_is_asked_for() -> None:
    text = (
        "rule play:\n    var n = 0\n    while size(pile) > 0:\n        decreasing size(pile)\n"
        "        draw from pile to box\n        n += 1\n"
    )
    (found,) = refused(text)

    assert found.code == "R0503"
    assert found.span.line == 2
    assert "`n`" in found.message


def test_money_without_end_needs_a_range_where_it_is_kept() -> None:
    text = (
        "currency gem: unlimited in mine\nstate:\n    per player:\n        gems: gem\n"
        "rule play:\n    nothing\n"
    )
    (found,) = refused(text)

    assert found.code == "R0503"
    assert "`gems`" in found.message


def test_a_slot_of_one_value_is_a_constant() -> None:
    core = compiled(
        "rule play:\n    ask(2)\n\nrule ask(n: Int):\n    turn chooses:\n"
        '        go "goes":\n            count := n\n'
    )

    assert "ask.n" not in core.slot


def test_a_bag_that_grows_without_end_is_better_a_map() -> None:
    text = "state:\n    got: Bag[Color]\nrule play:\n    while flag:\n        got := got + {red: 1}\n"
    (found,) = refused(text)

    assert (found.code, found.message) == ("R0503", "no end is found to what `got` can be")
    assert "`Map[Color, Int in 0..100]`" in found.help[0]
