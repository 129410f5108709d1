"""What rules do when they are played, where that takes more than a look at their core."""

from __future__ import annotations

import pytest
from lowered import Table, compiled, played, script

from rulespec.engine import examples
from rulespec.engine.faults import Fault

GIVE = "rule setup:\n    for p in players:\n        pay 9 from bank to p.purse\n"


def ended(text: str, players: int = 2) -> Table:
    table = played(text, players)
    assert table.kind == "end"
    return table


# --- pieces and money ---------------------------------------------------------------------------------------


def test_pieces_moved_to_where_they_are_stay() -> None:
    table = ended(
        "rule play:\n    let p = left of left of turn\n    pay 4 from turn.purse to p.purse\n" + GIVE
    )

    assert table.all("purse") == [9, 9]
    assert table.read("bank") == 42


def test_a_bag_is_counted_before_its_pieces_move() -> None:
    table = played(
        """
rule play:
    draw 2 from pile to box
    move {c: size(box) for c in Color where c in box} from box to shown_cards
"""
        + "state:\n    shown_cards: Bag[Card]\n"
    )
    table.happen(0)
    table.happen(0)

    assert table.all("shown_cards") == [2, 0, 0]


def test_more_than_there_is_cannot_move() -> None:
    with pytest.raises(Fault) as fault:
        played("rule play:\n    move 2 green from box to pile\n")

    assert fault.value.kind == "enough"


def test_less_than_nothing_cannot_be_paid() -> None:
    with pytest.raises(Fault) as fault:
        played("rule play:\n    let n = turn.purse - 3\n    pay n from turn.purse to bank\n")

    assert fault.value.kind == "enough"


def test_money_without_end_is_counted_below_zero() -> None:
    core = compiled(
        "currency gem: unlimited in mine\nstate:\n    per player:\n        gems: gem in 0..9\n"
        "rule play:\n    for p in players:\n        pay 4 from mine to p.gems\n"
    )
    table = Table(core)

    assert table.read("mine") == -8
    assert (core.slot["mine"].low, core.slot["mine"].high) == (-18, 0)


def test_a_draw_stops_when_the_pile_is_empty() -> None:
    table = played(
        "rule play:\n    move all from pile to box\n    move red from box to pile\n"
        "    draw up to 3 from pile to turn.hand\n"
    )
    table.happen(2)

    assert table.kind == "end"
    assert table.all("hand") == [0, 0, 1, 0, 0, 0]


# --- loops --------------------------------------------------------------------------------------------------


def test_a_loop_goes_over_the_values_as_they_were() -> None:
    table = ended(
        "rule play:\n    marks := {p in players}\n    for p in marks:\n"
        "        remove left of p from marks\n        score 1 to p\n",
        players=3,
    )

    assert table.all("points") == [1, 1, 1]
    assert table.all("marks") == [0, 0, 0]


def test_an_order_keeps_ties_as_they_are() -> None:
    table = ended(
        """
rule play:
    level := {green: 2, white: 1, red: 2}
    for c in Color order by level[c] descending:
        append_to(c)

rule append_to(c: Color):
    count := count * 3 + (0 if c = green else 1 if c = white else 2)
"""
    )

    assert table.read("count") == (0 * 3 + 2) * 3 + 1  # green, red, white


def test_an_order_by_several_keys() -> None:
    table = ended(
        """
rule play:
    score 5 to turn
    score 5 to left of turn
    score 1 to right of turn
    for p in players order by p.points, p.purse descending:
        append p to line
"""
        + "rule setup:\n    pay 3 from bank to turn.purse\n",
        players=3,
    )

    assert table.all("line") == [2, 0, 1]


def test_stop_leaves_the_innermost_loop() -> None:
    table = ended(
        """
rule play:
    for p in players:
        for c in Color:
            if c = white:
                stop
            score 1 to p
        score 10 to p
"""
    )

    assert table.all("points") == [11, 11]


def test_return_leaves_all_loops_of_its_rule() -> None:
    table = ended(
        """
rule play:
    for p in players:
        let c = find(p)
        score 1 to p
        if c is some x:
            level[x] += 1

rule find(p: Player) -> Color?:
    for q in players:
        for c in Color:
            if c = white and q = p:
                return c
    return none
"""
    )

    assert table.all("points") == [1, 1]
    assert table.all("level") == [0, 2, 0]


def test_numbers_of_a_loop_are_fixed_when_it_begins() -> None:
    table = played(
        """
rule play:
    count := 2
    for n in 1..count:
        turn chooses:
            more "asks for more":
                count += 5
                score 1 to turn
"""
    )
    table.play(0)
    table.play(0)

    assert table.kind == "end"
    assert table.read("points", 0) == 2


# --- calls --------------------------------------------------------------------------------------------------


def test_a_rule_returns_to_where_it_was_called() -> None:
    table = played(
        """
rule play:
    outer(turn)
    inner(left of turn)
    outer(left of turn)

rule outer(p: Player):
    inner(p)
    score 10 to p

rule inner(p: Player):
    p chooses:
        go "goes":
            score 1 to p
"""
    )
    for _ in range(3):
        table.play(0)

    assert table.kind == "end"
    assert table.all("points") == [11, 12]


def test_a_result_survives_another_call() -> None:
    table = played(
        """
rule play:
    let a = pick(turn)
    let b = pick(left of turn)
    count := 4 * a + b

rule pick(p: Player) -> Int:
    p chooses:
        take n: Int in 1..3 "takes {n}":
            return n
"""
    )
    table.play(0, 3)
    table.play(0, 2)

    assert table.read("count") == 14


def test_what_a_rule_requires_is_checked() -> None:
    with pytest.raises(Fault) as fault:
        played(
            "rule play:\n    half(3)\n\nrule half(n: Int):\n    requires n mod 2 = 0\n    count := n div 2\n"
        )

    assert fault.value.kind == "requires"


# --- choices ------------------------------------------------------------------------------------------------


def test_a_bag_is_taken_in_every_way_that_the_place_allows() -> None:
    core = compiled(
        """
rule play:
    turn chooses:
        give cards: Bag[Card] of 2 in box "gives {cards}":
            move cards from box to turn.hand
"""
        + "rule setup:\n    draw 3 from pile to box\n"
    )
    table = Table(core)
    for card in (0, 0, 2):
        table.happen(card)
    domain = core.block[core.blocks[table.record[-1]].name].end.options[0].params[0].domain  # type: ignore[union-attr]

    assert [domain.names[move[1]] for move in table.moves] == ["{green: 2}", "{green: 1, red: 1}"]
    assert [domain.labels[move[1]] for move in table.moves] == ["2 green", "1 green, 1 red"]
    table.play(*table.moves[1])
    assert table.all("hand") == [1, 0, 1, 0, 0, 0]


def test_a_later_parameter_depends_on_an_earlier_one() -> None:
    table = played(
        "rule play:\n    level := {green: 2, white: 0, red: 1}\n    turn chooses:\n"
        '        put c: Color, n: Int in 1..level[c] "puts {n} on {c}":\n            count := n\n'
    )

    assert table.moves == [(0, 0, 1), (0, 0, 2), (0, 2, 1)]


def test_answers_at_once_are_carried_out_later_and_on_what_was_there() -> None:
    table = played(
        """
rule play:
    all players p at once:
        bid n: ducat in 0..p.purse "bids {n}":
            if all q in players: q.purse > n:
                score 7 to p
            pay n from p.purse to bank
"""
        + GIVE,
        players=3,
    )
    table.play(0, 3)
    assert table.all("purse") == [9, 9, 9]
    table.play(0, 9)
    assert (0, 9) in table.moves
    table.play(0, 5)

    assert table.all("purse") == [6, 0, 4]
    assert table.all("points") == [7, 0, 0]


def test_only_those_are_asked_at_once_who_are_meant() -> None:
    table = played(
        'rule play:\n    all players p where p != turn at once:\n        yes "says yes":\n'
        '            score 1 to p\n        no "says no":\n            score 2 to p\n',
        players=3,
    )
    table.play(1)
    table.play(0)

    assert table.kind == "end"
    assert table.all("points") == [0, 2, 1]


def test_a_choice_of_nothing_is_one_without_a_move() -> None:
    table = played(
        """
reading night "Is it dark?" R1:
    no "no" default
    yes "yes"

rule play:
    turn chooses:
        sleep when reading night is yes "sleeps":
            nothing
"""
    )

    assert table.kind == "choice"
    with pytest.raises(Fault, match="no legal move"):
        table.engine.moves(table.record)


# --- lists and options --------------------------------------------------------------------------------------


def test_a_list_has_no_item_beyond_its_length() -> None:
    with pytest.raises(Fault):
        played("rule play:\n    append turn to line\n    turn := line[1]\n")


def test_a_full_list_takes_no_more() -> None:
    with pytest.raises(Fault) as fault:
        played("rule play:\n    for n in 1..4:\n        append turn to line\n")

    assert fault.value.kind == "limit"


def test_an_option_that_is_none_looks_the_same_whatever_it_was() -> None:
    table = ended(
        """
state:
    offer: Int?

rule play:
    offer := count + 5
    if offer is some n:
        score_points(n)
    offer := none

rule score_points(n: Int):
    count := n
"""
    )

    assert (table.read("offer.some"), table.read("offer"), table.read("count")) == (0, 0, 5)


def test_a_record_is_kept_by_its_fields() -> None:
    table = ended(
        """
record Bid: who: Player, what: ducat in 0..9

state:
    last: Bid

rule play:
    last := made_by(left of turn)
    last.what := last.what + 1
    count := 1 if last.who = turn else 2

rule made_by(p: Player) -> Bid:
    return {who: p, what: 3}
"""
    )

    assert (table.read("last.who"), table.read("last.what"), table.read("count")) == (1, 4, 2)


# --- examples -----------------------------------------------------------------------------------------------


def test_what_an_example_gives_comes_from_where_it_is_kept() -> None:
    made = script(
        """
rule play:
    nothing

example deal:
    players 3
    given:
        p0.hand = {green: 4, red: 1}
        p1.hand includes green
        p2.hand = {green: 2}
        box includes {white: 2}
        shown includes red
        p1.purse = 12
        level[white] = 3
        line = [p2, p1]
    run play()
    then:
        size(pile) = 7
"""
    )
    table = Table(made.core)

    assert table.all("pile") == [0, 3, 4]
    assert table.all("hand") == [4, 0, 1, 1, 0, 0, 2, 0, 0]
    assert table.all("shelf") == [1, 1, 0]
    assert table.read("bank") == 48
    assert table.all("level") == [0, 3, 0]
    assert (table.read("line.size"), table.all("line")) == (2, [2, 1, 0])
    assert examples.run(made).unreachable == ("card of green: none is lost or made",)


def test_an_example_carries_its_rule_out_with_arguments_by_name() -> None:
    made = script(
        """
rule play:
    nothing

rule offer(p: Player, most: ducat):
    p chooses:
        give cards: Bag[Card] of 2 in p.hand, c: Color, n: ducat in 0..most "gives {cards} for {c} and {n}":
            move cards from p.hand to box
        pass "passes":
            nothing

example trade:
    players 2
    given:
        p1.hand = {white: 1, red: 2}
    run offer(p1, 3)
    when:
        p1 cannot give {green: 1, red: 1} white 0
        p1 give {red: 1, white: 1} red 2
    then:
        box = {white: 1, red: 1}
        size(p1.hand) = 1
"""
    )

    assert [step.arguments for step in made.steps] == [  # type: ignore[union-attr]
        ("{green: 1, red: 1}", "white", "0"),
        ("{white: 1, red: 1}", "red", "2"),
    ]
    assert examples.run(made).passed


@pytest.mark.parametrize("listed", ["[3, 4, 5]", "[3, 4, 5] if flag else [1]", "{0}"])
def test_there_is_nothing_beyond_the_end_of_a_list(listed: str) -> None:
    text = "state:\n    kept: List[Int in 0..9] up to 5\n    at: Int in 0..9 = 3\n"
    text += (
        f"rule play:\n    flag := true\n    append 7 to kept\n    count := ({listed.format('kept')})[at]\n"
    )

    with pytest.raises(Fault, match="the list has no item there"):
        played(text)


def test_there_is_nothing_beyond_the_end_of_a_list_of_truths() -> None:
    text = "state:\n    at: Int in 0..9 = 2\nrule play:\n    flag := [true, false][at]\n"

    with pytest.raises(Fault, match="the list has no item there"):
        played(text)


@pytest.mark.parametrize(
    ("statement", "done"),
    [
        ("draw count - 1 from pile to box", "drawn"),
        ("draw up to count - 1 from pile to box", "drawn"),
        ("pay 2 * count - 1 from bank to turn.purse", "paid"),
        ("pay up to 2 * count - 1 from bank to turn.purse", "paid"),
        ("move count - 1 red from pile to box", "moved"),
    ],
)
def test_less_than_nothing_cannot_be_moved(statement: str, done: str) -> None:
    with pytest.raises(Fault, match=f"no less than nothing can be {done}"):
        played(f"rule play:\n    {statement}\n")


def test_an_empty_list_may_be_assigned() -> None:
    text = (
        "rule play:\n    append turn to line\n    line := []\n    count := size(line)\n    line := [turn]\n"
    )

    assert played(text).read("line.size") == 1


def test_parts_of_a_map_and_the_whole_of_it_are_changed_by_what_they_hold() -> None:
    text = """
rule play:
    level[green] := level[red] + 3
    level := {c: level[red] + 1 if c = red else level[c] + level[green] for c in Color}
    level[red] := sum(level[c] for c in Color) mod 10
    level := {c: level[white] - level[c] if level[c] < level[white] else level[red] for c in Color}
"""
    assert ended(text).all("level") == [0, 0, 3]


def test_records_and_tuples_of_one_name_in_two_branches_keep_apart() -> None:
    text = """
rule few -> (who: Player?, many: Int in 0..3):
    return (turn, 3)
rule more -> (who: Color, many: Int in 0..20):
    return (red, 18)
rule play:
    if size(box) = 0:
        let found = few()
        count := found.many
        best := found.who
    if size(box) = 0:
        let found = more()
        count += found.many - 3
        flag := found.who = red
"""
    table = ended(text)

    assert (table.read("count"), table.read("best"), table.read("flag")) == (18, 0, 1)
