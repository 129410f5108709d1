"""Each construct of the language as core text: `lowering/NAME.rules` and its golden `lowering/NAME.core`."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden import Golden
from lowered import compiled

from rulespec.compiler.core.check import successors
from rulespec.compiler.core.print import show

RULES = sorted((Path(__file__).parent / "lowering").glob("*.rules"))


def shown(text: str) -> str:
    """The core without what the frame around each text makes the same everywhere."""
    lines = show(compiled(text), spans=False).split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("start "))
    kept = (line for line in lines[:first] if " local " in line or " control " in line)
    return "\n".join([*kept, *lines[first:]])


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.stem)
def test_each_construct_becomes_the_core_it_should(path: Path, golden: Golden) -> None:
    golden.check(path.with_suffix(".core"), shown(path.read_text()))


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.stem)
def test_loops_tell_going_round_from_coming_in(path: Path) -> None:
    core = compiled(path.read_text())
    for head in core.blocks:
        if head.loop is None:
            continue
        leading = {b.name for b in core.blocks if head.name in successors(b)}

        assert leading & set(head.loop.body)
        assert leading - set(head.loop.body)


@pytest.mark.parametrize("path", RULES, ids=lambda p: p.stem)
def test_where_the_rules_wait_the_record_is_as_it_stands(path: Path) -> None:
    for block in compiled(path.read_text()).blocks:
        assert block.kind == "step" or block.body == ()
