"""The formatter changes the layout and nothing else, and what it wrote it leaves alone."""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from grammar_texts import laid_out, words
from hypothesis import event, given, settings
from hypothesis import strategies as st
from trees import document, shape

from rulespec.compiler.surface.from_text import parse
from rulespec.compiler.surface.print import format_text

ROOT = Path(__file__).parents[2]
REAL = [
    ROOT / "docs/language.md",
    *sorted(ROOT.glob("rulespec/std/*.rules")),
    *sorted(ROOT.glob("rulespec/games/*/*.md")),
]
# What a random text may have wrong in spite of the grammar: the order of its lines, and numbers of players.
ORDER = {"R0123", "R0125", "R0126"}


def formatted(text: str, file: str = "x.rules") -> str:
    made, found = format_text(text, file)
    assert found == ()
    return made


def check_kept(text: str, file: str) -> None:
    """The tree and the comments are the same, and a second time changes nothing."""
    before, once = document(text, file), formatted(text, file)
    after = document(once, file)

    assert not any(row.endswith(" ") for row in once.split("\n")) or file.endswith(".md")
    assert shape(after.declarations) == shape(before.declarations)
    assert [(c.text, c.own_line) for c in after.comments] == [(c.text, c.own_line) for c in before.comments]
    assert formatted(once, file) == once


@settings(max_examples=100)
@given(st.randoms(use_true_random=False))
def test_any_text_keeps_its_tree_and_comments_and_is_formatted_once(random: Random) -> None:
    text = "".join(laid_out(words(random), random) for _ in range(random.randint(1, 3)))
    _, found = parse(text, "x.rules")
    assert {d.code for d in found} <= ORDER, (text, found[0].message, found[0].span.line)
    event("in order" if not found else "out of order")
    if not found:
        check_kept(text, "x.rules")


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_texts_keep_their_trees(path: Path) -> None:
    check_kept(path.read_text("utf-8"), path.name)


def test_spaces() -> None:
    text = "rule  r ( p :Player,f:( A )->B )->C  :\n  x :=- 1+f ( a ) [ 1 ]* ( 2-3 ) .y\n"
    text += "  let ( a,b )=( 1,{} )\n"

    assert formatted(text) == (
        "rule r(p: Player, f: (A) -> B) -> C:\n    x := -1 + f(a)[1] * (2 - 3).y\n    let (a, b) = (1, {})\n"
    )


def test_spaces_around_points_braces_and_citations() -> None:
    text = "bound x @rb ( 3,5 .. 7 ) @a:y in-1 .. n+1\nparam m: Map [ A,B ]?={ a:1,b :2 } @b\n"

    assert (
        formatted(text) == "bound x @rb(3, 5..7) @a: y in -1..n + 1\nparam m: Map[A, B]? = {a: 1, b: 2} @b\n"
    )


def test_levels_are_four_spaces() -> None:
    text = "rule r:\n  if a:\n     stop\n  else:\n   if b:\n          stop\n"

    assert formatted(text) == (
        "rule r:\n    if a:\n        stop\n    else:\n        if b:\n            stop\n"
    )


def test_empty_lines_are_kept_but_not_two() -> None:
    assert formatted('\n\ngame a\n\n\n\nuse "b"\nuse "c"\n\n\n') == 'game a\n\nuse "b"\nuse "c"\n'


def test_comments_stay_with_the_lines_they_stand_beside() -> None:
    text = """
      # first
    game a   # name
    rule r:
      # about a
      a := 1# close
        # deep, but nothing is there
      if b:
            # about c
            c := 1
            # end of the if
      # end of the rule
    # about the next
    use "b"
    # last
    """

    assert formatted(dedent(text)) == dedent("""\
        # first
        game a  # name
        rule r:
            # about a
            a := 1  # close
            # deep, but nothing is there
            if b:
                # about c
                c := 1
                # end of the if
            # end of the rule
        # about the next
        use "b"
        # last
        """)


def test_long_lines_are_broken_inside_brackets() -> None:
    many = ", ".join(f"parameter_{i}: Player" for i in range(4))
    text = f"rule r({many}) -> (winner: Player?, price: money):\n    stop\n"

    assert formatted(text) == (f"rule r(\n    {many}\n) -> (winner: Player?, price: money):\n    stop\n")


def test_longer_lines_are_broken_at_commas_and_clauses() -> None:
    many = [f"parameter_{i}: Player" for i in range(6)]
    text = f"function f({', '.join(many)}) -> Int = 1\n"

    assert formatted(text).split("\n")[:3] == [
        "function f(",
        "    parameter_0: Player,",
        "    parameter_1: Player,",
    ]


def test_conditions_are_broken_before_and() -> None:
    parts = [f"condition_number_{i}(q) >= {i}" for i in range(4)]
    text = f"rule r:\n    let all_of_them = {{q in players where {' and '.join(parts)}}}\n"

    assert formatted(text).split("\n")[1:-1] == [
        "    let all_of_them = {",
        "        q in players",
        f"        where {parts[0]}",
        *(f"        and {part}" for part in parts[1:]),
        "    }",
    ]


def test_what_a_declaration_announces_goes_to_a_line_of_its_own() -> None:
    says = "all p in players: p.points <= 100 and p.purse <= 100 or p.hand = {}"
    text = f'invariant x "{"long " * 10}": {says}\n'

    head, body, _ = formatted(text).split("\n")
    assert head.endswith('":')
    assert body == "    " + says


def test_what_cannot_be_broken_is_left_long() -> None:
    text = "rule r:\n    let a = " + " + ".join(["number"] * 20) + "\n"

    assert formatted(text) == text


def test_short_lines_are_joined_again() -> None:
    assert (
        formatted("rule r:\n    let a = max(\n        1,\n        2\n    )\n")
        == "rule r:\n    let a = max(1, 2)\n"
    )


def test_comments_keep_brackets_broken() -> None:
    text = (
        "rule r:\n    let a = max(  # of\n     1,# one\n    # two\n        2+  # and\n        3\n    )# end\n"
    )

    assert formatted(text) == dedent("""\
        rule r:
            let a = max(  # of
                1,  # one
                # two
                2 +  # and
                3
            )  # end
        """)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_prose_is_kept_byte_for_byte(end: str) -> None:
    prose = [
        "\ufeff#  Title  ",
        "",
        "\tprose\u2028 ü \x0c",
        "* rule  x ( y ):",
        "```text",
        "a:=1",
        "```",
        "```rules",
    ]
    after = ["```", "  end without a line end"]
    text = end.join([*prose, "rule  r :", "  stop", *after])

    assert formatted(text, "x.rules.md") == end.join([*prose, "rule r:", "    stop", *after])


def test_empty_texts() -> None:
    assert formatted("") == ""
    assert formatted("", "x.md") == ""
    assert formatted("\n\n") == ""
    assert formatted("# only") == "# only\n"
    assert formatted("```rules\n```\n", "x.md") == "```rules\n```\n"
    assert formatted("```rules\n\n\n```", "x.md") == "```rules\n```"


def test_a_text_with_mistakes_is_left_alone() -> None:
    text = "game  duel\nrule r:\n  x = 1\n"
    made, found = format_text(text, "x.rules")

    assert made == text
    assert [d.code for d in found] == ["R0139"]
