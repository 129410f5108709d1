"""Asides: what is written of lines that no rule needs, and that it makes no difference to the rules."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from small_game import check_text, framed

from rulespec.compiler.digest import digest
from rulespec.compiler.surface.print import format_text
from rulespec.compiler.typed.asides import KINDS
from rulespec.summary import summarize

ASIDES = """\
aside flavor   "the age"  @rb(3..4)
aside:
    heading @rb( 1,7 )
    outside "tournaments"   @rb(90..95)   # and leagues
"""

FORMATTED = """\
aside flavor "the age" @rb(3..4)
aside:
    heading @rb(1, 7)
    outside "tournaments" @rb(90..95)  # and leagues
"""


def test_one_or_several_stand_in_a_declaration() -> None:
    rulebook, found = check_text(framed(ASIDES))

    assert found == ()
    assert rulebook is not None
    assert [(one.kind, one.why, str(one.citation)) for one in rulebook.asides] == [
        ("flavor", "the age", "@rb(3..4)"),
        ("heading", "", "@rb(1, 7)"),
        ("outside", "tournaments", "@rb(90..95)"),
    ]


def test_every_kind_can_be_written() -> None:
    lines = (f'    {kind} "why" @rb({n})\n' for n, kind in enumerate(KINDS, 1))
    rulebook, found = check_text(framed("aside:\n" + "".join(lines)))

    assert found == ()
    assert rulebook is not None
    assert [one.kind for one in rulebook.asides] == list(KINDS)


def test_the_page_of_the_language_tells_the_kinds() -> None:
    page = (Path(__file__).parents[2] / "docs" / "language.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", page, re.MULTILINE))

    assert {kind: told[kind].partition(";")[0] for kind in KINDS} == KINDS


def test_a_kind_is_a_name_elsewhere() -> None:
    _, found = check_text(framed('enum Word "a word": aside, flavor, heading, outside\n'))

    assert found == ()


def test_they_are_formatted_like_all_else() -> None:
    assert format_text(ASIDES, "a.rules") == (FORMATTED, ())
    assert format_text(FORMATTED, "a.rules") == (FORMATTED, ())


def test_they_make_no_difference_to_the_hash_of_the_rules() -> None:
    with_asides, _ = check_text(framed(ASIDES))
    without, _ = check_text(framed(""))
    assert with_asides is not None
    assert without is not None

    assert with_asides.asides
    assert digest(with_asides) == digest(without) == digest(replace(with_asides, asides=()))


def test_what_is_set_aside_is_not_counted_as_cited() -> None:
    text = framed(ASIDES + "enum Port @rb(10..12, 12..14) @rb(11): genoa\n")
    rulebook, _ = check_text(text)
    assert rulebook is not None
    from rulespec.compiler.surface.from_text import parse

    document, _ = parse(text, "sample.rules")

    assert summarize(rulebook, (document,)).cited == (("rb", 5, 100),)


def test_the_first_aside_that_is_wrong_hides_no_other() -> None:
    _, found = check_text(framed("aside:\n    heading @rb(1\n    flavour @rb(2)\n    outside @rb(3)\n"))

    assert {d.code for d in found} >= {"R0234", "R0235"}
    assert any(d.code.startswith("R01") for d in found)
