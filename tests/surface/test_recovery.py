"""One mistake hides no other, and none is reported twice."""

from __future__ import annotations

import pytest
from trees import found_in, mistakes

from rulespec.compiler.surface import tree
from rulespec.compiler.surface.from_text import parse


def rule(*lines: str) -> str:
    return "rule play:\n" + "".join(f"    {line}\n" for line in lines)


def test_each_bad_statement_is_reported_once() -> None:
    text = rule("x = 1", "y := 2", "move from a to b", "if x:", "    z = 3", "    stop", "w = 4")

    assert [line for _, line in mistakes(text)] == [2, 4, 6, 8]


def test_the_good_statements_around_a_bad_one_are_kept() -> None:
    made, _ = parse(rule("x := 1", "y = 2", "z := 3"), "t.rules")
    (play,) = made.declarations

    assert isinstance(play, tree.Rule)
    assert [type(s) for s in play.body] == [tree.Assign, tree.Assign]


def test_each_bad_declaration_is_reported_and_the_others_kept() -> None:
    lines = (
        "game duel",
        "enum A b",
        "param x = 3",
        "param y: Int = 4",
        "rule play(:",
        "    stop",
        "use 3",
        'use "a"',
    )
    text = "\n".join(lines)
    made, found = parse(text, "t.rules")

    assert [d.span.line for d in found] == [2, 3, 5, 7]
    assert [type(d).__name__ for d in made.declarations] == ["Game", "Param", "Rule", "Use"]


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("if x = :", "stop"),
        ("if (x:", "stop"),
        ("for c of D:", "keeps a"),
        ("while x <:", "decreasing a"),
        ("repeat 3:", "decreasing a"),
        ("p choses:", "pass:"),
        ("all players p at onc:", "pass:"),
        ("all player p at once:", "pass:"),
    ],
)
def test_lines_under_a_bad_head_are_read_as_what_they_are(head: str, body: str) -> None:
    deeper = ["        nothing"] if body == "pass:" else []
    text = rule(head, f"    {body}", *deeper, "x = 1")

    assert [line for _, line in mistakes(text)] == [2, 4 + len(deeper)]


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("tabel City:", "columns a: Int"),
        ('table City "x:', "columns a: Int"),
        ("state", "x: Int"),
        ("example e(:", "players 2"),
        ("scope s 3:", "players 2"),
        ('reading "q" r:', "yes default"),
        ("variant v @:", "a = 1"),
        ("enum :", "a, b"),
        ("when player = 2:", "a = 1"),
    ],
)
def test_lines_under_a_bad_declaration_are_read(head: str, body: str) -> None:
    assert [line for _, line in mistakes(f"{head}\n    {body}\n    ( (\n")][:1] == [1]
    assert [line for _, line in mistakes(f"{head}\n    {body}\ngame g\nrule\n")] == [1, 4]


def test_a_body_that_is_not_indented_is_one_mistake() -> None:
    text = "rule play:\nif x:\n    stop\nscore 1 to p\nrule setup:\n    y = 1\n"

    assert mistakes(text) == [("R0110", 1), ("R0139", 6)]


def test_many_lines_that_are_no_declarations_are_one_mistake() -> None:
    text = "Once upon a time\nthere was a game\n  with rules\n\ngame duel\nno more\nrul play:\n    x = 1\n"

    assert mistakes(text) == [("R0135", 1), ("R0135", 6), ("R0136", 7), ("R0139", 8)]


def test_a_bracket_left_open_costs_one_line() -> None:
    text = rule("let a = max(1, (2", "x = 1") + "enum A: (\nparam x Int = 1\n"

    assert mistakes(text) == [("R0103", 2), ("R0139", 3), ("R0103", 4), ("R0148", 5)]


def test_an_unclosed_text_costs_one_line() -> None:
    text = rule("p chooses:", '    bid "bids:', "        x = 1", '    pass "passes":', "        y = 1")

    assert mistakes(text) == [("R0102", 3), ("R0139", 4), ("R0139", 6)]


def test_lines_indented_too_deep_are_read_all_the_same() -> None:
    text = rule("a := 1", "    b := 2", "    if c:", "        d = 3", "e = 4")

    assert mistakes(text) == [("R0109", 3), ("R0139", 5), ("R0139", 6)]


def test_indentation_between_two_levels_is_one_mistake() -> None:
    text = "rule play:\n    if a:\n        b := 1\n      c := 2\n      d = 3\n    e = 4\n"

    assert mistakes(text) == [("R0108", 4), ("R0139", 5), ("R0139", 6)]


def test_tabs_are_reported_once_and_counted_as_four() -> None:
    assert mistakes("rule play:\n\tif a:\n\t\tb = 1\n\tc = 2\n") == [("R0101", 2), ("R0139", 3), ("R0139", 4)]


def test_what_other_languages_write_is_read_as_it_is_meant() -> None:
    text = rule("if a == 1 && !b || c <> d:", "    e := a / 2 % 3;", "x++", "f := 1 … 2")

    assert {code for code, _ in mistakes(text)} == {"R0116", "R0117"}
    assert [line for _, line in mistakes(text)] == [2] * 5 + [3] * 3 + [4, 5]


def test_an_else_after_a_bad_if_has_an_if() -> None:
    assert mistakes(rule("if a: stop", "else:", "    stop")) == [("R0149", 2)]
    assert mistakes(rule("if a", "else:", "    stop")) == [("R0148", 2)]


def test_a_broken_continuation_is_one_mistake() -> None:
    assert mistakes(rule("let a = b and", "    c", "let d = e", "    or f", "g = 1")) == [
        ("R0131", 2),
        ("R0134", 5),
        ("R0139", 6),
    ]


def test_rows_options_settings_and_steps_go_on_after_a_bad_line() -> None:
    text = """table T:
    columns a: Int
    one 1
    two: 2
    three: 3 4
variant v:
    a := 1
    b = 2
    c 3
state:
    x Int
    per player:
        y: Int
        z Int
example e:
    players 2
    given:
        a := 1
        b = 2
    when:
        p0 does: x
        p0 x
        chance
    then:
        a b
        a = b
enum E:
    a b,
    c
    d "d" "e"
reading r:
    a "x" y
    b default
"""
    assert [line for _, line in mistakes(text)] == [3, 5, 7, 9, 11, 14, 18, 21, 23, 25, 28, 30, 32]


def test_the_first_fifty_are_shown_and_the_rest_counted() -> None:
    found = found_in(rule(*["x = 1"] * 60))

    assert len(found) == 51
    assert (found[-1].code, found[-1].message) == ("R0199", "there are 10 more mistakes")
    assert "at least" in found_in(rule(*["x = 1"] * 300))[-1].message


def test_findings_stand_in_the_order_of_the_text() -> None:
    lines = [line for _, line in mistakes(rule("x = 1", "let a = (", "y = 1", 'let b = "', "z == 1"))]

    assert lines == sorted(lines)
