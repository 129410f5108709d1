"""Whatever is handed in, reading ends soon and says what is wrong, without a traceback."""

from __future__ import annotations

import time

import pytest
from effort import calls
from hypothesis import given
from hypothesis import strategies as st
from trees import document, mistakes

from rulespec.compiler import front
from rulespec.compiler.front import Text
from rulespec.compiler.surface.from_text import parse
from rulespec.compiler.surface.print import format_text

N = 10_000
LET = "rule play:\n    let a = "


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x" * 5_000_000, "R0111"),
        (LET + "(" * N + "1" + ")" * N, "R0107"),
        (LET + "[" * 61 + "]" * 61, "R0107"),
        (LET + "{" * 900_000, "R0107"),
        (LET + "not " * 5_000 + "x", "R0121"),
        (LET + "- " * 5_000 + "x", "R0121"),
        (LET + "1 + " * 4_000 + "1", "R0121"),
        (LET + "x" + ".y" * 4_000, "R0121"),
        (LET + "x" + "[1]" * 3_000, "R0121"),
        (LET + "a if b else " * 2_400 + "c", "R0121"),
        (LET + "all x in D: " * 1_900 + "y", "R0121"),
        (LET + "a implies " * 4_000 + "b", "R0121"),
        (LET + "+ ".join(["1"] * 200_000), "R0127"),
        ("rule p:\n    if a:\n        stop\n" + "    else if a:\n        stop\n" * 5_000, "R0121"),
        ("rule p:\n" + "".join(" " * (4 * i + 4) + "if a:\n" for i in range(100)), "R0120"),
        ("enum A: " + ", ".join(f"a{i}" for i in range(100_000)), "R0127"),
        ("param x: Int = " + "9" * 900_000, "R0106"),
        ("param x: Int = 1000000000001", "R0106"),
        ("rule p:\n    let r = roll 99999999999999d6", "R0122"),
        ("param x: Int = 1 @a(99999999999)", "R0106"),
        ("param x: Int = 1 @a(" + "1, " * 100_000, "R0127"),
        ("\0" * 900_000, "R0105"),
        ("game duel \0", "R0105"),
        (";" * 900_000, "R0117"),
        ("x;\n" * 300_000, "R0117"),
        ('"x\n' * 300_000, "R0102"),
        ("“" * 900_000, "R0115"),
        ("«" * 900_000, "R0105"),
        ("'" * 900_001, "R0115"),
        ("\\" * 900_000, "R0105"),
        ("rule r:\n    nothing\n" * 40_000, "R0128"),
        ("# nothing\n" * 90_000, "R0128"),
        ("param x: Int = 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1\n" * 5_000, "R0128"),
        ("foo\n" * 20_000, "R0135"),
        ("ruel x:\n    nothing\n" * 5_000, "R0136"),
        ("\t\tx\n" * 20_000, "R0101"),
        ("ü" * 900_000, "R0119"),
        ('game x "' + "\\n" * 400_000 + '"', "R0118"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) == 5 else None,
)
def test_too_much_of_anything_is_a_mistake_with_a_place(text: str, code: str) -> None:
    begun = time.process_time()
    found = mistakes(text)

    assert code in [c for c, _ in found]
    assert len(found) <= 51
    assert all(line >= 1 for _, line in found)
    assert time.process_time() - begun < 20
    assert format_text(text, "x.rules")[0] is text


@pytest.mark.parametrize(
    "text",
    [
        "`" * 900_000 + "x`",
        "~" * 900_000 + "x`",
        "# " + " " * 900_000 + "x",
        "# " + "#" * 900_000 + "x",
        "\n" * 900_000,
    ],
    ids=["backticks", "tildes", "spaces", "marks", "lines"],
)
def test_long_prose_is_passed_over(text: str) -> None:
    begun = time.process_time()

    assert mistakes(text, "x.md") == []
    assert format_text(text, "x.md") == (text, ())
    assert time.process_time() - begun < 20


def test_what_is_just_small_enough_is_read() -> None:
    document(LET + "(" * 60 + "1" + ")" * 60)
    document(LET + " + ".join(["1"] * 90))
    document("param x: Int = 1000000000000")
    document("rule p:\n" + "".join(" " * (4 * i + 4) + "if a:\n" for i in range(38)) + " " * 160 + "stop\n")


def test_rules_that_are_too_long_are_one_mistake() -> None:
    """What is cut off is not told of, nor what is missing then."""
    assert mistakes("rule r:\n    nothing\n\n" * 40_000) == [("R0128", 25_000)]


def test_all_files_of_a_rulebook_share_what_there_is_room_for() -> None:
    text = "param x: Int = 1\n" * 4_000
    files = [Text(f"{name}.rules", f'use "{after}"\n{text}') for name, after in ("ab", "bc", "ca")]
    found = front.check(files[0], {"a": files[0], "b": files[1], "c": files[2]}.__getitem__).diagnostics

    assert [(d.code, d.span.file) for d in found] == [("R0128", "b.rules")]


def test_two_thousand_lines_are_read_soon() -> None:
    """Two million calls take less than a second."""
    body = (
        "    if a + 1 <= b and (all p in players: p.purse >= c.price):\n        pay 5 from p.purse to bank\n"
    )
    text = "".join(f'rule r{i} "title" @rb(3..5):\n' + body * 9 for i in range(105))
    document("game duel")

    assert text.count("\n") > 1_990
    assert calls(lambda: document(text)) < 2_000_000


@given(st.text(st.sampled_from(list("(){}[]:=,.+-*\"'@#`~ \n\t\r\0ab0éü“”;&|!?<>\\")), max_size=200))
def test_no_text_raises(text: str) -> None:
    for file in ("x.rules", "x.rules.md"):
        made, found = parse(text, file)

        assert len(found) <= 51
        assert made.file == file
        assert found or format_text(text, file)[1] == ()


WORDS = (
    'rule play : = := if else for in all players p at once chooses ( ) { } [ ] , . .. "text" @rb(3) 1 2d6',
    "NL NL NL NL NL NL",
    "state table columns enum let var move from to draw pay score a b union minus not and or is some none",
    "example given when then run reading variant assumed where keeps decreasing requires stop return nothing",
)


@given(st.lists(st.sampled_from(" ".join(WORDS).split())))
def test_no_order_of_words_raises(words: list[str]) -> None:
    text = " ".join(words).replace("NL ", "\n    ").replace("NL", "\n")
    _, found = parse(text, "x.rules")

    assert len(found) <= 51
    assert all(1 <= d.span.line <= text.count("\n") + 1 for d in found)


def test_dice_with_very_long_numbers() -> None:
    _, found = parse("rule play:\n    let r = roll 2d" + "9" * 9_000 + "\n", "dice.rules")

    assert [d.message for d in found] == ["`2d999999999` cannot be rolled"]


@pytest.mark.parametrize("sign", ["\x1b", "\x00", "\x07", "\x9b", "\u202e", "\u2028", "\t"])
def test_text_for_people_steers_no_terminal(sign: str) -> None:
    _, found = parse(f'game duel "Du{sign}el"\n', "duel.rules")

    assert [(d.code, d.message, d.span.column) for d in found] == [
        ("R0105", f"the character U+{ord(sign):04X} has no meaning in text", 14)
    ]
