"""The tutorial does what it says, step by step."""

from __future__ import annotations

from pathlib import Path

import pytest
import walk

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"


LONGEST = "## 10. Publish it"  # from here on sites are built, and all is tried once more


def walked(folder: Path, page: str) -> int:
    """How many commands of a page come out as shown, which is all of them."""
    reader = walk.Walk(folder)
    typed = 0
    for step in walk.steps(page):
        if isinstance(step, walk.Written):
            reader.write(step)
            continue
        came = reader.type(step)
        typed += 1
        assert walk.same(step.shown, came), f"$ {step.command}\n" + "\n".join(came)
    return typed


@pytest.mark.slow
def test_every_step_of_the_tutorial_comes_out_as_shown(tmp_path: Path) -> None:
    page = TUTORIAL.read_text("utf-8")

    assert page.count(LONGEST) == 1
    assert walked(tmp_path, page.partition(LONGEST)[0]) > 14


@pytest.mark.deep
def test_and_so_do_the_last_steps(tmp_path: Path) -> None:
    assert walked(tmp_path, TUTORIAL.read_text("utf-8")) > 17


def test_what_is_left_out_may_be_anything_and_the_rest_may_not() -> None:
    came = ["", "one", "two  ", "three 3 took 0.4 s", "p0> ", "four", ""]

    assert walk.same(("one", "...", "three ... took 1.7 s", "p0> bid 2", "four"), came)
    assert walk.same(("...", "four"), came)
    assert not walk.same(("one", "two"), came)
    assert not walk.same(("one", "three ... took 0.4 s", "p0>", "four"), came)
    assert not walk.same(("one", "two", "three 4 took 0.4 s", "p0>", "four"), came)


def test_a_change_says_where_it_is() -> None:
    assert walk.changed("a\nb\nc\n", " a\n-b\n+x\n+y\n") == "a\nx\ny\nc\n"
    assert walk.changed("a\nb\n", "-b\n") == "a\n"
    with pytest.raises(ValueError, match="0 times"):
        walk.changed("a\nb\n", "-x\n+y\n")
    with pytest.raises(ValueError, match="2 times"):
        walk.changed("a\nb\na\n", "-a\n+y\n")


def test_a_page_is_read_as_files_and_commands() -> None:
    page = (
        '```text title="a.txt"\none\n```\n\n```diff title="a.txt"\n-one\n+two\n```\n'
        "```console\n$ ls\na.txt\n$ x\n```\n"
    )

    assert list(walk.steps(page)) == [
        walk.Written("a.txt", "one\n", False),
        walk.Written("a.txt", "-one\n+two\n", True),
        walk.Typed("ls", ("a.txt",)),
        walk.Typed("x", ()),
    ]
