"""Examples from outside: a file that holds only examples, against a rulebook that stands elsewhere."""

from __future__ import annotations

from small_game import framed

from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.surface.from_text import parse
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.check import check
from rulespec.compiler.typed.from_surface import resolve_examples

RULES = """
use "lots"
rule take(p: Player):
    p chooses:
        draw_card n: Int in 1..2 "draws {n}":
            draw n from pile to p.hand
        pass "passes":
            nothing

example own:
    players 2
    run take(p0)
"""
LOTS = """
rule first_of(value: (Player) -> money, least: money) -> Player?:
    return first q in players where value(q) >= least
"""


def outside(text: str, rules: str = RULES) -> tuple[t.Rulebook | None, tuple[Diagnostic, ...]]:
    documents = [parse(framed(rules), "game.rules")[0], parse(LOTS, "lots.rules")[0]]
    return resolve_examples(documents, parse(text, "mine.rules")[0])


def test_they_stand_in_place_of_the_rulebooks_own() -> None:
    rulebook, found = outside("example mine:\n    players 3\n    when:\n        p2 pass\n")

    assert found == ()
    assert rulebook is not None
    assert [(e.name, e.run.rule) for e in rulebook.examples] == [("mine", "take")]


def test_the_name_of_one_of_the_rulebooks_own_is_free() -> None:
    rulebook, found = outside("example own:\n    players 3\n    run take(p1)\n")

    assert found == ()
    assert rulebook is not None


def test_a_generic_rule_gets_an_instance_of_its_own() -> None:
    rulebook, found = outside("example rich:\n    players 2\n    run first_of(purse, 3)\n")

    assert found == ()
    assert rulebook is not None
    assert check(rulebook) == ()
    assert [r.name for r in rulebook.rules if r.base == "first_of"] == ["first_of"]


def test_mistakes_are_told_in_the_file_from_outside() -> None:
    rulebook, found = outside("example mine:\n    players 3\n    when:\n        p2 passs\n")

    assert rulebook is None
    assert [(d.code, d.span.file, d.span.line) for d in found] == [("R0601", "mine.rules", 4)]


def test_only_examples_stand_there() -> None:
    rulebook, found = outside("param income: ducat = 3\nexample mine:\n    players 2\n    run take(p0)\n")

    assert rulebook is None
    assert [(d.code, d.span.file, d.span.line) for d in found] == [("R0610", "mine.rules", 1)]


def test_warnings_of_the_rulebook_are_not_repeated() -> None:
    mine = "example mine:\n    players 2\n    run take(p0)\n"
    rulebook, found = outside(mine, RULES + "param loose: Int = 3\n")

    assert rulebook is not None
    assert found == ()
