"""Each construct of the language as core text: `lowering/NAME.rules` and its golden `lowering/NAME.core`."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden import Golden
from lowered import compiled

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
