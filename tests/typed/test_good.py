"""Rules without mistakes, and what they become: `good/NAME.rules` and its dump `good/NAME.txt`."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden import Golden
from small_game import check_text, framed

from rulespec.compiler.typed.check import check
from rulespec.compiler.typed.print import show

HERE = Path(__file__).parent
GOOD = sorted((HERE / "good").glob("*.rules"))
MODULES = {path.stem: path.read_text() for path in [HERE / "modules" / "lots.rules"]}


@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_the_dump_is_as_it_was_read(path: Path, golden: Golden) -> None:
    rulebook, found = check_text(framed(path.read_text()), path.name, **MODULES)

    assert [(d.code, d.span.line, d.message) for d in found] == []
    assert rulebook is not None
    golden.check(path.with_suffix(".txt"), show(rulebook))


@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_the_invariants_of_typed_rulebooks_hold(path: Path) -> None:
    rulebook, _ = check_text(framed(path.read_text()), path.name, **MODULES)

    assert rulebook is not None
    assert check(rulebook) == ()
