"""The page of each code shows rules that have the mistake, and rules that do not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_game import check_text, errors, framed

from rulespec.compiler.diagnostics import Code
from rulespec.compiler.typed.codes import TYPED

COMPILER = Path(__file__).parents[2] / "compiler" / "typed"

# Their mistakes take several files, or more text than a page should show; other tests have them.
ELSEWHERE = {"R0215", "R0241", "R0242", "R0243", "R0299", "R0610"}
SHOWN = [code for code in TYPED if code.code not in ELSEWHERE]


@pytest.mark.parametrize("code", SHOWN, ids=lambda c: c.code)
def test_the_bad_example_has_the_mistake(code: Code) -> None:
    _, found = check_text(framed(code.example_bad))

    assert code.code in {d.code for d in found}


@pytest.mark.parametrize("code", SHOWN, ids=lambda c: c.code)
def test_the_bad_example_has_no_other_mistake(code: Code) -> None:
    _, found = check_text(framed(code.example_bad))

    assert {d.code for d in errors(found)} <= {code.code}


@pytest.mark.parametrize("code", SHOWN, ids=lambda c: c.code)
def test_the_good_example_has_no_mistake(code: Code) -> None:
    rulebook, found = check_text(framed(code.example_good))

    assert errors(found) == ()
    assert rulebook is not None
    assert code.code not in {d.code for d in found}


def test_each_code_that_is_reported_has_a_page_and_each_page_a_code() -> None:
    pages = COMPILER.glob("codes*.py")
    sources = (p.read_text() for p in COMPILER.glob("*.py") if p not in set(pages))
    reported = {code for source in sources for code in re.findall(r'"(R0\d{3})"', source)}

    assert {code.code for code in TYPED} == reported | {"R0491", "R0492", "R0493"}
