"""R0234 to R0238: what a source says that no rule needs."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code
from rulespec.compiler.typed.code_pages import page

ASIDES: tuple[Code, ...] = (
    page(
        "R0234",
        "no kind of aside",
        what="An aside begins with a word that is none of the kinds.",
        why=(
            "The kinds are `heading`, `flavor`, `component`, `example`, `repeat` and `outside`: "
            "each says why no rule needs these lines."
        ),
        bad="""
        aside flavour "the age in which it plays" @rb(3..4)
        """,
        good="""
        aside flavor "the age in which it plays" @rb(3..4)
        """,
    ),
    page(
        "R0235",
        "left out without a reason",
        what="Lines of a source are declared `outside`, and nothing says why.",
        why="What a rulebook leaves out is the reader's business; the other kinds are reasons already.",
        bad="""
        aside outside @rb(90..100)
        """,
        good="""
        aside outside "rules for tournaments" @rb(90..100)
        """,
    ),
    page(
        "R0236",
        "an aside about no lines",
        what="An aside does not say which lines of a source it is about.",
        why="It accounts for these lines; a whole source is too much to be waved through.",
        bad="""
        aside flavor "the age in which it plays" @rb
        """,
        good="""
        aside flavor "the age in which it plays" @rb(3..4)
        """,
    ),
    page(
        "R0237",
        "set aside twice",
        what="Two asides are about the same line.",
        why="A line is one thing; where the two say different things, one of them is wrong.",
        bad="""
        aside:
            heading @rb(1..6)
            flavor "the age in which it plays" @rb(5..8)
        """,
        good="""
        aside:
            heading @rb(1..4)
            flavor "the age in which it plays" @rb(5..8)
        """,
    ),
    page(
        "R0238",
        "left out and cited",
        what="Lines that are declared `outside` are cited as well.",
        why="What a rule, a reading or an example follows is not left out.",
        bad="""
        param income: ducat = 5 @rb(88..91)
        aside outside "rules for tournaments" @rb(90..100)
        """,
        good="""
        param income: ducat = 5 @rb(88..89)
        aside outside "rules for tournaments" @rb(90..100)
        """,
    ),
)
