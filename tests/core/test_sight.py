"""Who sees what the rules keep on the way."""

from __future__ import annotations

from lowered import compiled

from rulespec.compiler.core.print import expression
from rulespec.compiler.core.tree import Chance

ASK = '    turn chooses:\n        go "goes":\n            count := 1\n'


def sight(text: str, slot: str) -> str:
    return compiled(text).slot[slot].sight


def test_what_comes_from_open_places_is_open() -> None:
    assert sight("rule play:\n    var n = size(box)\n" + ASK + "    n := 1\n", "play.n") == "open"


def test_what_comes_from_a_secret_is_hidden() -> None:
    assert sight("rule play:\n    var n = turn.purse\n" + ASK + "    n := 1\n", "play.n") == "hidden"


def test_a_secret_goes_on_through_other_locals() -> None:
    text = "rule play:\n    var n = turn.purse\n    var m = n + 1\n" + ASK + "    m := 0\n    n := 1\n"

    assert sight(text, "play.m") == "hidden"


def test_a_condition_on_a_secret_tells_it() -> None:
    text = "rule play:\n    var n = 0\n    if turn.purse > 3:\n        n := 1\n" + ASK + "    n := 2\n"

    assert sight(text, "play.n") == "hidden"


def test_the_number_of_cards_in_a_hand_is_no_secret() -> None:
    text = "rule play:\n    var n = size(turn.hand)\n" + ASK + "    n := 1\n"

    assert sight(text, "play.n") == "open"


def test_the_number_of_one_kind_in_a_hand_is_one() -> None:
    text = "rule play:\n    var n = turn.hand[red]\n" + ASK + "    n := 1\n"

    assert sight(text, "play.n") == "hidden"


def test_what_each_seat_knows_of_itself_is_private() -> None:
    text = "rule play:\n    let rich = {p in players where p.purse > 5}\n" + ASK + "    marks := rich\n"

    assert sight(text, "play.rich") == "private"


def test_what_compares_seats_is_hidden() -> None:
    text = (
        "rule play:\n    let rich = {p in players where all q in players: p.purse >= q.purse}\n"
        + ASK
        + "    marks := rich\n"
    )

    assert sight(text, "play.rich") == "hidden"


def test_what_was_announced_is_no_secret() -> None:
    text = """
rule play:
    var n: ducat = 0
    if turn.purse > 3:
        turn chooses:
            bid m: ducat in 1..turn.purse "bids {m}":
                n := m
    pay n from turn.purse to bank
"""

    assert sight(text, "play.n") == "open"
    assert sight(text, "play.m") == "open"


def test_an_answer_given_in_secret_is_seen_by_its_seat() -> None:
    core = compiled(
        """
rule play:
    all players p at once:
        hide c: Color in p.hand "hides {c}":
            move c from p.hand to box
        pass "passes":
            nothing
"""
    )

    assert core.slot["play.p.answer"].sight == "seat"
    assert core.slot["play.c.of"].sight == "seat"
    assert core.slot["play.c"].sight == "hidden"


def test_a_drawn_card_is_seen_by_those_who_see_where_it_goes() -> None:
    core = compiled(
        "rule play:\n    let c = draw from pile to turn.hand\n    let d = draw from pile to box\n"
    )

    assert core.slot["play.c"].sight == "hidden"
    assert core.slot["play.d"].sight == "open"


def test_a_card_drawn_to_where_all_may_see_for_now_is_seen_by_all() -> None:
    core = compiled(
        """
state:
    lit: Bool
    per player:
        open_hand: Bool
        tray private unless open_hand: Bag[Card]
    den hidden unless lit: Bag[Card]
rule play:
    draw 1 from pile to turn.tray
    draw 1 from pile to den
"""
    )
    seen = [expression(block.end.seen_by) for block in core.blocks if isinstance(block.end, Chance)]

    assert (core.slot["tray"].unless, core.slot["den"].unless) == ("open_hand", "lit")
    assert seen == ["(if open_hand[turn] != 0 then -1 else turn)", "(if lit != 0 then -1 else -2)"]
