"""What the handbook shows of Python is what Python says."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from rulespec.site import fences

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if ">>>" in path.read_text("utf-8")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_sessions_say_what_is_shown(path: Path) -> None:
    text = path.read_text("utf-8")
    blocks = [part for part, code in fences.parts(text) if code and part.startswith("```python\n>>>")]
    session = "".join(block.removeprefix("```python\n").removesuffix("```") for block in blocks)
    shown = doctest.DocTestParser().get_doctest(session, {}, path.name, str(path), 0)

    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(shown)

    assert (failed, tried > 3) == (0, True)


def test_there_is_such_a_page() -> None:
    assert "python" in [path.stem for path in PAGES]
