"""Each mistake has a code, a page, and a message that was read; `pytest --refresh` writes it anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden import Golden
from trees import found_in, mistakes

from rulespec.compiler.codes import REGISTRY, Code
from rulespec.compiler.render import render
from rulespec.compiler.surface.codes import SURFACE

BAD = Path(__file__).parent / "bad"
FILES = sorted(BAD.glob("*.rules.md"))
# Their examples would have to be very long; test_limits.py makes them.
LONG = {"R0107", "R0111", "R0120", "R0121", "R0127", "R0128", "R0199"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.removesuffix(".rules.md"))
def test_message(path: Path, golden: Golden) -> None:
    text = path.read_text("utf-8")
    found = found_in(text, path.name)

    golden.check(
        path.with_name(path.name.removesuffix(".rules.md") + ".txt"), render(found, {path.name: text}, False)
    )


def test_every_code_has_a_message_that_was_read() -> None:
    assert {path.name[:5] for path in FILES} - {"many."} == {code.code for code in SURFACE} - LONG
    assert len(FILES) > 40


@pytest.mark.parametrize("path", [p for p in FILES if p.name[0] == "R"], ids=lambda path: path.name[:5])
def test_one_mistake_is_one_message(path: Path) -> None:
    codes = {code for code, _ in mistakes(path.read_text("utf-8"), path.name)}

    assert codes == {path.name[:5]}


def example(text: str) -> str:
    return "test.rules.md" if "```" in text else "test.rules"


@pytest.mark.parametrize("code", [c for c in SURFACE if c.code not in LONG], ids=lambda code: code.code)
def test_examples_of_a_page_are_what_they_say(code: Code) -> None:
    assert {c for c, _ in mistakes(code.example_bad, example(code.example_bad))} == {code.code}
    assert mistakes(code.example_good, example(code.example_good)) == []


def test_pages_are_written_like_sentences_of_one_text() -> None:
    for code in SURFACE:
        for text in (code.title, code.what, code.why):
            assert text
            assert not text.endswith(".")
        assert REGISTRY[code.code] is code


def test_messages_are_written_alike() -> None:
    for path in FILES:
        for d in found_in(path.read_text("utf-8"), path.name):
            for text in (d.message, *d.help, *(label.text for label in d.labels)):
                assert not text.endswith(".")
                assert not text[:1].isupper()
                assert text.count("`") % 2 == 0, text
