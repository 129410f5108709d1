"""Expressions from outside: what they mean in a rulebook, and where it is said what is wrong with them."""

from __future__ import annotations

import pytest
from small_game import framed

from rulespec.compiler import front
from rulespec.compiler.asked import LONGEST, Asked, resolve_asked, said
from rulespec.compiler.core import from_typed
from rulespec.compiler.core.print import expression
from rulespec.compiler.core.tree import Quantity
from rulespec.compiler.diagnostics import Diagnostic

GAME = """
bound purse for p in players: p.purse in 1 - 1..100
function worth(p: Player) -> ducat = 2 * p.purse
function points_of(p: Player) -> points = p.points
"""


def ask(*texts: str) -> tuple[tuple[Quantity, ...], tuple[Diagnostic, ...]]:
    """What the expressions are in the game for two, or what is wrong with them."""
    checked = front.check(front.Text("g.rules", framed(GAME)), lambda name: pytest.fail(name))
    assert checked.rulebook is not None
    asked = [Asked(f"expression {n}", text) for n, text in enumerate(texts, 1)]
    resolved, found = resolve_asked(checked.documents, asked)
    if resolved is None:
        return (), found
    rulebook, meant = resolved
    made, more = from_typed.compile_measured(rulebook, from_typed.configuration(rulebook, 2), meant)
    assert made is not None, more
    return made[1], (*found, *more)


def test_a_number_is_its_own_least_and_most() -> None:
    (pile, _), found = ask("size(pile) + 1", "2 * points_of(turn)")

    assert found == ()
    assert pile.most == pile.least
    assert expression(pile.most) == "sum($k in 0..2: pile[$k]) + 1"


def test_one_for_each_player_has_a_greatest_and_a_least() -> None:
    (purse, cards), found = ask("p.purse for p in players", "p.hand[c] for p in players, c in Color")

    assert found == ()
    assert expression(purse.most) == "max($p in 0..1: purse[$p])"
    assert expression(purse.least) == "min($p in 0..1: purse[$p])"
    assert expression(cards.most).count("max") == 2


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("1 + p.purs for p in players", "R0204", "purs"),
        ("p.purse for p in playerz", "R0201", "playerz"),
        ("p.purse for q in players", "R0201", "p"),
        ("turn", "R0301", "turn"),
        ("p.purse + true for p in players", "R0301", "true"),
        ("size(pile", "R0103", "size(pile"),
        ("1 +", "R0130", ""),
        ("1) in 0..3\nrule other:\n    nothing", "R0130", None),
        ("1" * (LONGEST + 1), "R0111", None),
    ],
)
def test_what_is_wrong_is_shown_in_the_text_that_was_given(text: str, code: str, place: str | None) -> None:
    _, found = ask("2", text)

    first = found[0]
    assert first.code == code
    assert (first.span.file, first.span.line, first.span.end_line) == ("expression 2", 1, 1)
    shown = text[first.span.column - 1 : first.span.end_column - 1]
    assert place is None or shown.startswith(place)
    assert first.span.column <= len(text) + 1


def test_nothing_else_of_the_rulebook_is_complained_about() -> None:
    quantities, found = ask("1 + 1")

    assert found == ()
    assert expression(quantities[0].most) == "2"


def test_the_parts_are_told_apart() -> None:
    assert said(Asked("", "max(p.purse for p in players) for  c in Color")) == (
        "max(p.purse for p in players)",
        "c in Color",
    )
    assert said(Asked("", "size(pile)")) == ("size(pile)", "")
