"""The page of each code shows rules that have the mistake, and rules that do not; the message is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from golden import Golden
from small_game import check_text, errors, framed

from rulespec.compiler.core import from_typed
from rulespec.compiler.core.codes import CORE
from rulespec.compiler.diagnostics import Code, Diagnostic
from rulespec.compiler.render import render
from rulespec.compiler.typed.tree import Rulebook

HERE = Path(__file__).parent
COMPILER = HERE.parents[1] / "compiler" / "core"

# Their mistakes take more text than a page should show, or are made by who asks for a configuration.
ELSEWHERE = {"R0505", "R0512", "R0513", "R0514", "R0516", "R0517", "R0522"}
# Found when an example is carried out.
PLAYED = {"R0690", "R0691"}
SHOWN = [code for code in CORE if code.code not in ELSEWHERE | PLAYED]


def found_in(text: str) -> tuple[Diagnostic, ...]:
    """All that is said about a text and its configurations and examples."""
    rulebook, found = check_text(framed(text))
    assert errors(found) == ()
    assert rulebook is not None
    return tuple(dict.fromkeys(_compiled(rulebook)))


def _compiled(rulebook: Rulebook) -> Iterator[Diagnostic]:
    for configuration in from_typed.configurations(rulebook):
        yield from from_typed.compile(rulebook, configuration)[1]
    for example in rulebook.examples:
        yield from from_typed.compile_example(rulebook, example)[1]


@pytest.mark.parametrize("code", SHOWN, ids=lambda c: c.code)
def test_the_bad_example_has_the_mistake_and_no_other(code: Code) -> None:
    assert {d.code for d in found_in(code.example_bad)} == {code.code}


@pytest.mark.parametrize("code", SHOWN, ids=lambda c: c.code)
def test_the_good_example_has_no_mistake(code: Code) -> None:
    assert found_in(code.example_good) == ()


@pytest.mark.parametrize("code", SHOWN, ids=lambda c: c.code)
def test_each_mistake_is_told_as_it_should_be(code: Code, golden: Golden) -> None:
    text = framed(code.example_bad)
    shown = render(found_in(code.example_bad), {"sample.rules": text}, color=False)

    golden.check(HERE / "bad" / f"{code.code}.txt", shown)


def test_each_code_that_is_reported_has_a_page_and_each_page_a_code() -> None:
    sources = (p.read_text() for p in COMPILER.glob("*.py") if p.name != "codes.py")
    reported = {code for source in sources for code in re.findall(r'"(R05\d{2}|R06\d{2})"', source)}

    # The checker has a page for seats that are not there.
    assert {code.code for code in CORE} == (reported - {"R0603"}) | PLAYED
