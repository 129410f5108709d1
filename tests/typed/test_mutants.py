"""Small changes of a rulebook: which there are, how they are shown, and that the text says just that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from small_game import check_text, errors

from rulespec.compiler.core import from_typed
from rulespec.compiler.core.tree import Core
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.mutants import Mutant, apply, mutants

FILE = "sample.rules"

TEXT = """\
game sample "Sample"
source rb "The rules" of 100 lines
players 2..3
enum Color "a color": green, white, red
currency ducat "ducats": 40 in bank
param most "at the most": Int = 7 @rb(2)
reading first "Who is first?":
    left "left" default
    right "right"

state:
    round: Int in 0..20
    open: Bool
    per player:
        purse: ducat in 0..40
        points: points in 0..60
        chips: Map[Color, Int in 0..9]

function rich(p: Player) -> Bool @rb(3) = p.purse > 3 and not open
function pace(n: Int) -> Int = max(n, 2) if n >= 1 else 5

rule setup "Setting up" @rb(4):
    for p in players:
        pay 3 from bank to p.purse

rule play "The game" @rb(5..9):
    while round < most:
        decreasing most - round
        round += 1
        for p in players where p.purse < 9 or open:
            turn(p)
        if reading first is right:
            open := true
    open := false

rule turn(p: Player) "A turn" @rb(10):
    p chooses:
        earn n: Int in 1..3 when not rich(p) "earns {n}" @rb(11):
            pay up to 1 * n from bank to p.purse
            p.chips[red] := min(p.chips[red] + 1, 9)
        rest "rests":
            if all q in players where q != p: q.points <= p.points:
                score 1 to left of p
            else:
                score 2 * pace(round) - 1 to p
                open := true

ranking "Most points" for p: p.points, sum(p.chips[c] for c in Color where c != green)

invariant never "Never": all p in players: p.purse <= 40
"""


def rulebook(text: str = TEXT) -> t.Rulebook:
    found, diagnostics = check_text(text)
    assert errors(diagnostics) == ()
    assert found is not None
    return found


def found(text: str = TEXT) -> dict[str, Mutant]:
    return {m.id: m for m in mutants(rulebook(text), {FILE: text})}


def core(book: t.Rulebook) -> Core | None:
    try:
        made, _ = from_typed.compile(book, from_typed.configuration(book, 3))
    except (KeyError, AssertionError):
        return None
    return made and replace(made, rules=())  # which say where they stand


def written(mutant: Mutant) -> str:
    """The whole text with the change."""
    lines = TEXT.split("\n")
    span = mutant.span
    if mutant.text is None:
        del lines[span.line - 1 : span.end_line]
        return "\n".join(lines)
    head = lines[span.line - 1][: span.column - 1]
    tail = lines[span.end_line - 1][span.end_column - 1 :]
    return "\n".join([*lines[: span.line - 1], head + mutant.text + tail, *lines[span.end_line :]])


def test_each_operator_is_there() -> None:
    assert {m.operator for m in found().values()} >= {
        "number", "truth", "compare", "arith", "part", "turn", "else", "guard", "option", "where", "fold",
        "side", "neighbour", "up_to", "drop", "key",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("play.compare.1", "while round < most:", "while round <= most:"),
        ("play.number.2", "round += 1", "round += 2"),
        ("play.arith.1", "round += 1", "round -= 1"),
        ("play.part.1", "for p in players where p.purse < 9 or open:", "for p in players where open:"),
        ("rich.part.2", None, "function rich(p: Player) -> Bool @rb(3) = p.purse > 3"),
        ("turn.guard.1", None, 'earn n: Int in 1..3 when true "earns {n}" @rb(11):'),
        ("turn.side.1", "score 1 to left of p", "score 1 to right of p"),
        ("turn.drop.2", "pay up to 1 * n from bank to p.purse", ""),
        ("most.number.2", None, 'param most "at the most": Int = 8 @rb(2)'),
    ],
)
def test_a_change_is_shown_in_the_language(name: str, before: str | None, after: str) -> None:
    mutant = found()[name]

    assert before in (None, mutant.before)
    assert mutant.after == after


def test_a_change_is_cited_by_its_option_or_its_rule() -> None:
    assert str(found()["turn.up_to.1"].citation) == "@rb(11)"
    assert str(found()["turn.side.1"].citation) == "@rb(10)"
    assert found()["turn.side.1"].title == "A turn"


def test_claims_and_readings_are_left_alone() -> None:
    lines = TEXT.split("\n")
    touched = {lines[m.span.line - 1] for m in found().values() if m.text is not None}

    assert not any("decreasing" in line or "invariant" in line or "reading" in line for line in touched)


def test_ids_stay_while_their_rule_does() -> None:
    changed = TEXT.replace("        pay 3 from bank to p.purse\n", "        pay 2 + 1 from bank to p.purse\n")
    before, after = found(), found(changed)
    kept = {name: m.after for name, m in before.items() if m.owner == "turn"}

    assert {name: m.after for name, m in after.items() if m.owner == "turn"} == kept
    assert before.keys() != after.keys()


def rewritable() -> Iterator[Mutant]:
    for mutant in found().values():
        if (
            mutant.operator not in ("order", "up_to", "key", "else", "option")
            and "(left of" not in mutant.after
        ):
            yield mutant


def test_the_text_that_is_shown_says_what_is_tried() -> None:
    tried = 0
    for mutant in rewritable():
        other, diagnostics = check_text(written(mutant))
        if errors(diagnostics) or other is None:
            continue  # a `pay` with nothing after it, for one: nothing that could be written
        tried += 1
        assert core(other) == core(apply(rulebook(), mutant)), mutant

    assert tried > 40


def test_every_change_changes_the_rules() -> None:
    book = rulebook()

    assert all(apply(book, m) != book for m in found().values())
