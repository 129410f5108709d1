"""Which parts of a Markdown file are rules."""

from __future__ import annotations

import pytest
from trees import document, found_in, mistakes

from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.literate import breadcrumb, read
from rulespec.compiler.surface.tree import Heading

GAME = "game duel\n"


def rules(text: str) -> str:
    """What is left of a Markdown text, without the empty parts."""
    return "\n".join(line for line in read(text, "x.rules.md", Findings()).text.split("\n") if line.strip())


def test_all_but_the_blocks_is_blanked_at_the_same_length() -> None:
    text = "# Über 🎲\n\nrule of thumb\n\n```rules\ngame duel\n```\n\nmore\n"
    kept = read(text, "x.rules.md", Findings()).text

    assert [len(line) for line in kept.split("\n")] == [len(line) for line in text.split("\n")]
    assert kept.split("\n")[5] == "game duel"
    assert kept.replace("game duel", "").strip() == ""


@pytest.mark.parametrize(
    "text",
    [
        "```rules\ngame duel\n```",
        "~~~rules\ngame duel\n~~~",
        "````rules\ngame duel\n````\n",
        "```rules\ngame duel\n`````\n",
        "``` rules\ngame duel\n```\n",
        "```rules of the game\ngame duel\n```\n",
        "```rules\r\ngame duel\r\n```\r\n",
        "\ufeff```rules\ngame duel\n```\n",
        "````markdown\n```rules\nno\n```\n````\n\n```rules\ngame duel\n```\n",
        "```text\nno\n```\n```rules\ngame duel\n   ```\n",
    ],
)
def test_fences(text: str) -> None:
    (game,) = document(text, "x.rules.md").declarations

    assert game.span.column == 1
    assert rules(text).strip() == "game duel"


@pytest.mark.parametrize("inner", ["``", "~~~", "```text", "    ```", "# ````"])
def test_a_block_is_closed_only_by_its_own_fence(inner: str) -> None:
    assert rules(f"````rules\n# {inner}\n{inner}\ngame duel\n````\nprose") == f"# {inner}\n{inner}\ngame duel"


def test_blocks_are_lines_of_the_file() -> None:
    made = document(
        'a\n```rules\n# x\ngame duel\n```\n\n```rules\n```\n\n~~~rules\nuse "b"\n~~~\n', "x.rules.md"
    )

    assert made.blocks == ((3, 4), (11, 11))
    assert [d.span.line for d in made.declarations] == [4, 11]


def test_a_plain_file_is_one_block() -> None:
    made = document(GAME + "# ```rules\n", "x.rules")

    assert (made.blocks, made.headings) == (((1, 3),), ())
    assert document("\ufeffgame duel", "x.rules").declarations[0].span.column == 1


def test_line_ends_of_other_systems_are_no_part_of_a_line() -> None:
    (game, rule) = document('game duel "D"\r\nrule play:\r\n    # x\r\n    nothing\r\n').declarations

    assert game.span.end_column == 14
    assert rule.span.end_line == 4


def test_an_unclosed_block_is_read_up_to_the_prose() -> None:
    text = "```rules\ngame duel\n\nrule play:\n    stop stop\n\nProse begins here.\n"

    assert mistakes(text, "x.rules.md") == [("R0112", 1), ("R0130", 5)]


def test_an_unclosed_block_ends_where_the_next_begins() -> None:
    text = '```rules\ngame duel\n\n```rules\nuse "x"\n```\n'

    assert mistakes(text, "x.rules.md") == [("R0112", 1)]


@pytest.mark.parametrize("mark", ["Rules", "rule", "RULES", "rulespec"])
def test_a_fence_that_is_nearly_right_is_not_passed_over(mark: str) -> None:
    assert mistakes(f"```{mark}\ngame duel\n```\n", "x.md") == [("R0113", 1)]
    assert mistakes("  ```rules\n  game duel\n  ```\n", "x.md") == [("R0113", 1)]


@pytest.mark.parametrize("mark", ["text", "python", "", "ruleset"])
def test_other_blocks_are_nobodys_business(mark: str) -> None:
    assert mistakes(f"```{mark}\n== && (((\n```\n", "x.md") == []


def test_headings_make_the_breadcrumb() -> None:
    text = "# Duel\n## Phase 1 ##\n### Draw #\n```rules\n# none\ngame duel\n```\n## Phase 2\n#none\n ## C# \n"
    headings = read(text, "x.md", Findings()).headings

    assert headings == (
        Heading(1, "Duel", 1),
        Heading(2, "Phase 1", 2),
        Heading(3, "Draw", 3),
        Heading(2, "Phase 2", 8),
        Heading(2, "C#", 10),
    )
    assert breadcrumb(headings, 6) == ("Duel", "Phase 1", "Draw")
    assert breadcrumb(headings, 9) == ("Duel", "Phase 2")
    assert breadcrumb(headings, 0) == ()


def test_a_mistake_carries_its_breadcrumb() -> None:
    (found,) = found_in("# Duel\n\n## Play\n\n```rules\nrule play:\n    x = 1\n```\n", "x.md")

    assert (found.breadcrumb, found.span.line, found.span.column) == (("Duel", "Play"), 7, 7)
