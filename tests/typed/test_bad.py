"""Mistakes, and exactly what is said about each: `bad/NAME.rules` and its golden `bad/NAME.txt`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from golden import Golden
from small_game import check_text, errors, framed

from rulespec.compiler.diagnostics import Severity
from rulespec.compiler.render import render
from rulespec.compiler.typed.codes import TYPED

HERE = Path(__file__).parent
BAD = sorted((HERE / "bad").glob("*.rules"))
USED = re.compile(r'^use "(\w+)"', re.MULTILINE)

# These take more text than a file here should have; `test_limits` has them.
ELSEWHERE = {"R0241", "R0242", "R0243", "R0299", "R0610"}


def modules(text: str) -> dict[str, str]:
    paths = {name: HERE / "modules" / f"{name}.rules" for name in USED.findall(text)}
    return {name: path.read_text() for name, path in paths.items() if path.exists()}


def said(path: Path) -> str:
    """The errors of a file as they are printed; its warnings when there are no errors."""
    text = framed(path.read_text())
    used = modules(text)
    _, found = check_text(text, path.name, **used)
    shown = errors(found) or found
    return render(
        shown, {path.name: text, **{f"{n}.rules": source for n, source in used.items()}}, color=False
    )


@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_each_mistake_is_told_as_it_should_be(path: Path, golden: Golden) -> None:
    golden.check(path.with_suffix(".txt"), said(path))


@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_the_parser_has_nothing_to_say(path: Path) -> None:
    """So that the golden texts are about names and types."""
    text = framed(path.read_text())
    _, found = check_text(text, path.name, **modules(text))

    assert [d for d in found if d.code.startswith("R01") and d.severity is Severity.ERROR] == []


def test_every_code_has_a_golden_message() -> None:
    shown = "".join(path.with_suffix(".txt").read_text() for path in BAD)
    missing = {code.code for code in TYPED if f"[{code.code}]" not in shown}

    assert missing == ELSEWHERE
