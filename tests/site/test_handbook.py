"""The handbook as pages: all of `docs/` is there, links lead somewhere, and what is made is whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.cli.main import app
from rulespec.cli.registry import COMMANDS
from rulespec.compiler.codes import REGISTRY
from rulespec.site import address, fences, handbook
from rulespec.site.generated import diagnostics, python
from rulespec.site.page import Page

DOCS = Path(__file__).parents[2] / "docs"
RELATIVE = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+)\)")


@pytest.fixture(scope="module")
def pages() -> dict[str, Page]:
    """The pages of the handbook by their paths."""
    return {page.path: page for page in handbook.pages(app)}


def test_every_file_of_docs_is_a_page_once(pages: dict[str, Page]) -> None:
    files = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]

    assert sorted(pages) == sorted(map(handbook.target, files))
    assert len(handbook.pages(app)) == len(files)


def test_menus_are_the_sections_of_the_index(pages: dict[str, Page]) -> None:
    sections = re.findall(r"^## (.+)$", (DOCS / "README.md").read_text(), re.M)

    groups = list(dict.fromkeys(page.group for page in pages.values()))
    assert groups == ["Handbook", *(f"Handbook\n{section}" for section in sections)]
    assert pages["handbook/decisions/index.md"].group == "Handbook\nDecisions"
    assert pages["handbook/how-to/verify.md"].title == "Verify a game"


def test_links_between_files_of_docs_lead_to_pages(pages: dict[str, Page]) -> None:
    folders = {address.output(path) for path in pages}
    linked = {
        found for page in pages.values() for found in re.findall(r"site:([\w./-]*)", page.body) if found
    }

    assert linked <= folders
    assert "handbook/how-to/bounds/" in linked
    assert "[Verify a game](site:handbook/how-to/verify/)" in pages["handbook/index.md"].body
    assert "[Decisions](site:handbook/decisions/)" in pages["handbook/index.md"].body


def test_links_out_of_docs_are_left_as_text(pages: dict[str, Page]) -> None:
    outside = [
        (page.path, found) for page in pages.values() for found in re.findall(r"\]\(\.[^)]*\)", page.body)
    ]

    assert outside == []


@pytest.mark.parametrize("file", sorted(DOCS.rglob("*.md")), ids=lambda file: str(file.relative_to(DOCS)))
def test_relative_links_lead_to_files(file: Path) -> None:
    text = "".join(part for part, code in fences.parts(file.read_text("utf-8")) if not code)
    links = [there.partition("#")[0] for there in RELATIVE.findall(text) if "://" not in there]

    assert [there for there in links if not (file.parent / there).exists()] == []


def test_anchors_of_links_between_files_are_there(pages: dict[str, Page]) -> None:
    there = {address.output(path): _anchors(page.body) for path, page in pages.items()}
    wanted = {
        (path, anchor)
        for page in pages.values()
        for path, anchor in re.findall(r"site:(handbook/[\w./-]*)#([\w.-]+)", page.body)
    }

    assert {(path, anchor) for path, anchor in wanted if anchor not in there[path]} == set()


def _anchors(body: str) -> set[str]:
    given = re.findall(r'\{#([\w.-]+)\}|id="([\w.-]+)"', body)
    headings = re.findall(r"^#+ (.+?)$", body, re.M)
    slugs = {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", head).strip().lower()) for head in headings}
    return slugs | {one or other for one, other in given}


def test_each_diagnostic_has_its_place(pages: dict[str, Page]) -> None:
    body = pages["handbook/reference/diagnostics.md"].body

    assert address.diagnostic("R0201") == "site:handbook/reference/diagnostics/#R0201"
    assert re.findall(r"^### R\d{4} .* \{#(R\d{4})\}$", body, re.M) == list(REGISTRY)
    assert set(diagnostics.GROUPS) == {code[:3] for code in REGISTRY}


def test_each_command_is_there_with_its_options(pages: dict[str, Page]) -> None:
    body = pages["handbook/reference/commands.md"].body
    sections = re.split(r"^## rulespec (?=[a-z-]+ \{)", body, flags=re.M)[1:]
    verify = next(section for section in sections if section.startswith("verify "))

    assert [section.split()[0] for section in sections] == [entry.name for entry in COMMANDS]
    assert "| `--locked` |" in verify
    assert "rulespec verify il_principe" in verify
    assert "\b" not in body


def test_each_public_name_is_there_and_described(pages: dict[str, Page]) -> None:
    import rulespec

    body = pages["handbook/reference/python.md"].body

    assert re.findall(r"^## .* \{#(\w+)\}$", body, re.M) == rulespec.__all__
    assert python.silent() == []
    assert "Game.start(seed: int | None = None, auto_chance: bool = True) -> State" in body
    assert "    engine: str = 'python',\n) -> Game" in body
    assert " at 0x" not in body


def test_fenced_blocks_are_left_as_they_are() -> None:
    text = "a [x](b.md)\n\n```rules\n[y](c.md)\n```\n[z](d.md)\n"

    assert [(piece, bool(fence)) for piece, fence in fences.parts(text)] == [
        ("a [x](b.md)\n\n", False),
        ("```rules\n[y](c.md)\n```", True),
        ("\n[z](d.md)\n", False),
    ]


def block(written: str) -> str | None:
    """One fenced block as HTML."""
    ((_, _), (_, fence), (_, _)) = fences.parts(written)
    assert fence is not None
    return fences.shown(fence)


def test_rules_are_highlighted_and_nothing_in_them_is_html() -> None:
    html = block('```rules title="a.rules"\nrule play "<b>":\n    nothing\n```') or ""

    assert '<span class="filename">a.rules</span>' in html
    assert '<span class="nf">play</span>' in html
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_rules_inside_of_markdown_are_highlighted() -> None:
    html = block("````markdown\n# A <i>\n\n```rules\nrule play:\n    nothing\n```\n````") or ""

    assert "# A &lt;i&gt;\n\n```rules\n" in html
    assert '<span class="nf">play</span>' in html
    assert html.endswith("\n```\n</code></pre></div>")


def test_other_blocks_are_left_to_the_theme(pages: dict[str, Page]) -> None:
    assert block("```console\n$ rulespec\n```") is None
    assert "```python\nimport rulespec" in pages["handbook/reference/python.md"].body
    assert "```rules" not in pages["handbook/language.md"].body
    assert len(pages["handbook/reference/diagnostics.md"].chunks) > 200
