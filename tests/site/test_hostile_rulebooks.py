"""A whole site made of a rulebook that means harm: all that it says is shown, and nothing in it can do
anything."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from clicalls import write
from hostile import BAD, HOSTILE, PROSE

from rulespec.site.build import SameName, build
from rulespec.site.page import Page
from rulespec.site.subject import Subject

OURS = {"__config"}  # what Material's own scripts are told
HARMLESS = "\U0001f3b2 Heads / tails: {{ 7*7 }} # 'q'"


class _Site(HTMLParser):
    """What of a page could do something: tags, links, and attributes that a browser runs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.runs: list[str] = []
        self.strong: list[str] = []
        self.titles: list[str] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open = tag
        for name, value in attrs:
            said = (value or "").strip().lower()
            if name.startswith("on") or said.startswith(("javascript:", "data:text", "vbscript:")):
                self.runs.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open == "script":
            self.scripts.append(data)
        elif self._open in ("strong", "b"):
            self.strong.append(data)
        elif self._open == "title":
            self.titles.append(data)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    write(folder / "helper.rules", f'rule helper "{BAD}":\n    nothing\n')
    write(folder / "hostile.rules.md", f"{PROSE}\n\n```rules\n{HOSTILE}\n```\n")
    write(folder / "plain.rules", _plain(HARMLESS))
    build([Subject(str(folder / name)) for name in ("hostile.rules.md", "plain.rules")], folder / "site")
    return folder / "site"


def _plain(title: str, *, name: str = "plain", more: str = "") -> str:
    rules = "rule setup:\n    nothing\nrule play:\n    nothing\n"
    state = "state:\n    per player:\n        points: points in 0..1\n"
    return f'game {name} "{title}"\nplayers 2\n{more}{state}{rules}ranking "Most" for p: p.points\n'


def _pages(site: Path) -> dict[str, _Site]:
    files = sorted((site / "hostile").rglob("*.html"))
    assert len(files) > 6
    return {file.relative_to(site).as_posix(): _Site(file.read_text(encoding="utf-8")) for file in files}


def test_nothing_that_a_rulebook_says_can_run(site: Path) -> None:
    for name, page in _pages(site).items():
        assert page.runs == [], name
        assert not [script for script in page.scripts if "alert" in script], name


def test_nothing_that_a_rulebook_says_is_markup(site: Path) -> None:
    for name, page in _pages(site).items():
        if name != "hostile/index.html":  # whose prose may be bold
            assert "x" not in page.strong, name


def test_the_index_of_the_search_holds_no_tags_of_a_rulebook(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    for entry in index["docs"]:
        for part in (entry["title"], entry["text"]):
            assert "<script" not in part
            assert "<img" not in part


def test_links_of_prose_lead_to_headings_or_to_other_sites_alone(site: Path) -> None:
    page = (site / "hostile" / "index.html").read_text(encoding="utf-8")
    assert "alert(2)" not in "".join(re.findall(r'href="([^"]*)"', html.unescape(page)))
    assert 'href="https://example.org/" rel="nofollow noopener noreferrer"' in page
    assert "/etc/passwd" not in "".join(re.findall(r'(?:src|href)="([^"]*)"', page))


def test_titles_are_shown_as_they_are(site: Path) -> None:
    page = (site / "plain" / "components" / "index.html").read_text(encoding="utf-8")
    (title, *_) = _Site(page).titles
    assert "\U0001f3b2 Heads / tails: {{ 7*7 }}" in title
    heading = re.search(r"<h1[^>]*>(.*?)<a ", page, re.DOTALL)
    assert heading is not None
    assert html.unescape(heading[1]) == f"{HARMLESS}: components"
    article = page[page.index("<article") :]
    assert "title:" not in article.lower()


@pytest.mark.parametrize("module", ["index", "README"])
def test_a_module_may_be_called_like_a_first_page(tmp_path: Path, module: str) -> None:
    write(tmp_path / f"{module}.rules", 'rule helper "A helper":\n    nothing\n')
    write(tmp_path / "plain.rules", _plain("Plain", more=f'use "{module}"\n'))
    build([Subject(str(tmp_path / "plain.rules"))], tmp_path / "site")
    page = tmp_path / "site" / "plain" / "uses" / f"{module}-module" / "index.html"
    assert 'id="helper"' in page.read_text(encoding="utf-8")


def test_two_pages_at_one_place_are_an_error(tmp_path: Path) -> None:
    write(tmp_path / "handbook.rules", _plain("Hands", name="handbook"))
    more = [Page("handbook/index.md", "Handbook", "# Handbook\n")]
    with pytest.raises(SameName, match="2 pages would be at `handbook/`"):
        build([Subject(str(tmp_path / "handbook.rules"))], tmp_path / "site", more=more)
