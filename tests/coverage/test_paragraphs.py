"""A text is split where a reader would split it, and nothing of it is lost."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.coverage.paragraphs import KINDS, hash_of, lines_of, split

LINE_EACH = """\
The Harbor
Setup
Each player takes a ship, three crates of the same color and coins; whoever sold fish last begins the game.
- 30 crates
- 5 ships
1. Load a ship.
II. Sail away.
| Port | Price |
|---|---|
| Genoa | 3 |
"""

WRAPPED = """\
A ship may carry as many crates as it has spaces, and no crate may be put on
another one. Whoever has no ship left may buy one from the bank at the price of
Genoa.
Loading is free. Nobody pays for what is left behind in the harbor of another
player.

• A ship that is full
  sails at once.
• A ship that is empty stays.

---

12
"""

PROGRAM = """\
// The licence says
// what may be done.
//
// A game of ships.

#include <ships>

enum Port { // where to
  kGenoa,
};
"""


def found(text: str) -> list[tuple[int, int, str]]:
    return [(p.first, p.last, p.kind) for p in split(lines_of(text))]


def test_a_line_is_a_paragraph_where_lines_are_long() -> None:
    assert found(LINE_EACH) == [
        (1, 1, "heading"),
        (2, 2, "heading"),
        (3, 3, "text"),
        (4, 4, "item"),
        (5, 5, "item"),
        (6, 6, "item"),
        (7, 7, "item"),
        (8, 8, "row"),
        (10, 10, "row"),
    ]


def test_wrapped_lines_belong_together() -> None:
    assert found(WRAPPED) == [
        (1, 3, "text"),
        (4, 5, "text"),
        (7, 8, "item"),
        (9, 9, "item"),
        (13, 13, "text"),
    ]


def test_comments_and_code_of_a_program_are_apart() -> None:
    assert found(PROGRAM) == [(1, 2, "comment"), (4, 4, "comment"), (6, 6, "code"), (8, 9, "code")]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("# Ships", "heading"),
        ("SHIPS, CRATES AND PORTS!", "heading"),
        ("Ships and ports", "heading"),
        ("A ship sails.", "text"),
        ("42", "text"),
        ("- ships", "item"),
        ("* ships", "item"),
        ("3) ships", "item"),
        ("a. ships", "item"),
        ("10 ships", "heading"),
        ("|ships|", "row"),
        ("Ships " * 20, "text"),
    ],
)
def test_what_a_paragraph_looks_like(line: str, kind: str) -> None:
    assert [p.kind for p in split([line])] == [kind]


@pytest.mark.parametrize("text", ["", "\n", "\n\n", "---\n", "|---|---|\n", "•\n \t\n"])
def test_where_no_word_is_there_is_no_paragraph(text: str) -> None:
    assert split(lines_of(text)) == ()


def test_lines_are_those_of_an_editor() -> None:
    assert lines_of("a\r\nb\rc\nd") == ["a", "b", "c", "d"]
    assert lines_of("a\x0cb\u2028c\n") == ["a\x0cb\u2028c"]
    assert lines_of("a\n\n") == ["a", ""]


def test_spaces_and_ends_of_lines_make_no_difference_to_a_hash() -> None:
    assert hash_of(["Each ship", "  sails  once."]) == hash_of(["Each\tship sails once. "])
    assert hash_of(["Each ship sails twice."]) != hash_of(["Each ship sails once."])
    assert hash_of(["Caf\u00e9"]) == hash_of(["Cafe\u0301"])


TEXTS = st.lists(
    st.text(alphabet="aB3 .-|#•/;{}\t—", max_size=40) | st.sampled_from(LINE_EACH.split("\n")), max_size=30
)


@given(TEXTS)
def test_every_line_with_a_word_is_in_one_paragraph_and_the_others_are_in_none(lines: list[str]) -> None:
    paragraphs = split(lines)

    inside = [n for p in paragraphs for n in range(p.first, p.last + 1)]
    assert inside == [n for n, line in enumerate(lines, 1) if re.search(r"\w", line)]
    assert all(a.last < b.first for a, b in pairwise(paragraphs))
    assert {p.kind for p in paragraphs} <= set(KINDS)
    assert [p.hash for p in paragraphs] == [hash_of(lines[p.first - 1 : p.last]) for p in paragraphs]
