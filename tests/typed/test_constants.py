"""Values known before play: what `evaluate` makes of constant expressions, and what it refuses."""

from __future__ import annotations

import pytest
from small_game import check_text, framed

from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.constants import NotConstant, World, evaluate, varying

TABLE = """
table City:
    columns price: ducat, cost: Bag[Color], near: Set[Color]
    milan: 4, {green: 2, red: 1}, {red}
    pisa: 2, {red: 1}, {red, white}
param step: Int = 3
"""


def typed(type: str, text: str) -> tuple[t.Expr, World]:
    rulebook, found = check_text(framed(f"{TABLE}\nfunction it() -> {type} = {text}\n"))
    assert rulebook is not None, found
    cells = {
        x.name: {name: tuple(row.cells[n] for row in x.rows) for n, (name, _) in enumerate(x.columns)}
        for x in rulebook.tables
    }
    sizes = {e.name: len(e.members) for e in rulebook.enums}
    return next(f.value for f in rulebook.functions if f.name == "it"), World(sizes, cells, {"step": 3})


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        ("Int", "2 + 3 * 4 - 1", 13),
        ("Int", "7 div 2 + 7 mod 4 - half up 5 + half down 5", 5),
        ("Int", "(0 - 7) div 2", -4),
        ("Int", "min(3, 1, 2) + max(4, 5) + abs(3 - 9)", 12),
        ("Int", "step * 2", 6),
        ("Int", "1 if 2 in 3..4 else 2", 2),
        ("Bool", "{green: 1} <= milan.cost and not (milan.cost <= pisa.cost)", 1),
        ("Bool", "{green: 2, red: 1} = milan.cost and {red: 1} != milan.cost", 1),
        ("Bool", "milan.cost >= {red: 1} implies red in milan.near", 1),
        ("Bool", "false implies false", 1),
        ("Bool", "false or white in milan.near", 0),
        ("Int", "size(milan.cost) + size(pisa.near) + size(milan.near union {green})", 7),
        ("Int", "milan.cost[green] * 10 + milan.cost[white]", 20),
        ("Int", "sum(c.cost[k] for c in City, k in Color where k != red)", 2),
        ("Int", "count(k in milan.cost) + count(i in 2..5)", 6),
        ("ducat", "max(c.price for c in City)", 4),
        ("Int", "max(i for i in 1..3 where i > 5 or 9)", 9),
        ("Int", "min(i for i in 2..3)", 2),
        ("Bool", "all k in Color: milan.cost[k] <= 2", 1),
        ("Bool", "any k in Color: milan.cost[k] > 2", 0),
        ("Bool", "(first k in Color where milan.cost[k] = 1) = some red", 1),
        ("Bool", "(first k in Color where milan.cost[k] = 5) is none", 1),
        ("Bool", "{k in Color where milan.cost[k] > 0} minus {red} = {green}", 1),
        ("Bool", "{green, red} intersect pisa.near = {red}", 1),
        ("Bool", "{k: 2 for k in Color} >= milan.cost + {white: 1}", 1),
    ],
)
def test_a_constant_has_its_value(type: str, text: str, value: int) -> None:
    e, world = typed(type, text)

    assert evaluate(e, world) == value


@pytest.mark.parametrize(
    ("type", "text"),
    [
        ("Int", "size(pile)"),
        ("Player", "left of turn"),
        ("Int", "max(i for i in 1..3 where i > 5)"),
        ("Int", "count(i in 1..2000000000)"),
        ("Int", "2000000000 * 2000000000 * 2000000000"),
        ("Int", "size(players)"),
    ],
)
def test_what_has_no_value_before_play_is_refused(type: str, text: str) -> None:
    e, world = typed(type, text)

    with pytest.raises(NotConstant):
        evaluate(e, world)


@pytest.mark.parametrize(
    ("text", "loose"),
    [("size(players) + step", False), ("size(pile) + 1", True), ("1 if turn = turn else 2", True)],
)
def test_what_depends_on_the_play_is_found(text: str, loose: bool) -> None:
    e, _ = typed("Int", text)

    assert (varying(e) is not None) is loose
