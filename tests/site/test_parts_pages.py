"""The pages of components, readings and variants: what they show, and that no rulebook writes HTML there."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from clicalls import write
from hostile import HOSTILE

from rulespec import api
from rulespec.proofs.claims import Claims
from rulespec.proofs.verdicts import Limits, Verdict
from rulespec.site.config import config
from rulespec.site.page import Page
from rulespec.site.pages import components, readings, variants
from rulespec.site.subject import Subject
from rulespec.verifying.before import Known
from rulespec.verifying.ledger import Ledger
from rulespec.verifying.plan import Wanted, make

SMALL = Path(__file__).parents[1] / "games" / "small"
PAGES = (components.page, readings.page, variants.page)


class _Tags(HTMLParser):
    """All tags and attributes of a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name == "href"]


def _hostile(folder: Path) -> Path:
    write(folder / "helper.rules", "rule helper:\n    nothing\n")
    return write(folder / "hostile.rules", HOSTILE)


def _made(game: str | Path) -> dict[str, Page]:
    subject = Subject(str(game))
    return {page.title: page for made in PAGES if (page := made(subject)) is not None}


@pytest.fixture(scope="module")
def principe() -> dict[str, Page]:
    return _made("il_principe")


def _html(page: Page) -> str:
    return "\n".join(page.chunks)


def _text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_hostile_words_stay_words(tmp_path: Path) -> None:
    pages = _made(_hostile(tmp_path))
    assert sorted(pages) == ["Components", "Readings", "Variants"]
    for page in pages.values():
        found = _Tags(_html(page))
        assert found.tags <= {
            "a", "br", "caption", "code", "details", "div", "fieldset", "input", "label", "legend", "li",
            "ol", "p", "pre", "span", "strong", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
        }  # fmt: skip
        assert found.attributes <= {
            "checked", "class", "data-label", "href", "id", "name", "role", "scope", "type",
        }  # fmt: skip
        assert all(link.startswith(("#", "site:hostile/")) and ".." not in link for link in found.links)
        markdown = re.sub(r'<div data-chunk="\d+"></div>', "", page.body)
        assert "<" not in markdown
        assert "](javascript" not in markdown
        assert "**x**" not in markdown


def test_a_title_with_slashes_is_one_menu(tmp_path: Path) -> None:
    subject = Subject(str(_hostile(tmp_path)))
    pages = [page for made in PAGES if (page := made(subject)) is not None]
    (menu,) = config("Rules", pages, tmp_path, tmp_path)["nav"]
    ((title, entries),) = menu.items()
    assert "site:../../z" in title
    assert [list(entry) for entry in entries] == [["Components"], ["Readings"], ["Variants"]]


def test_verdicts_under_other_meanings_are_told(tmp_path: Path) -> None:
    path = write(tmp_path / "market.rules", (SMALL / "market.rules").read_text())
    book = api.open_rulebook(path)
    plan = make(book, Wanted((2,), readings={"bank": "endless"}, scopes=False), Limits())
    (part,) = plan.parts
    claims = list(Claims(part.core).all.values())
    found = [
        Verdict("market", 2, claim.name, claim.kind, "proved", "induction", 0.5, title=claim.title)
        for claim in claims
    ]
    Ledger(book, Limits()).keep(part, Known(), found)
    html = _text(_html(_made(path)["Readings"]))
    assert re.search(rf"Verified with 2 players: {len(claims)} ✓ proved\b(?!,)", html)
    assert "Not verified with it; rulespec verify does so with --reading odd=second_way" in html


@pytest.mark.parametrize("name", ["market", "mix", "numbers", "fair", "cups", "traps"])
def test_ids_stand_once_and_rows_that_search_finds_are_there(name: str) -> None:
    for page in _made(SMALL / f"{name}.rules").values():
        ids = _Tags(_html(page)).ids + re.findall(r"\{#([^\s}]+)", page.body)
        assert len(ids) == len(set(ids))
        assert {found.anchor for found in page.found} <= set(ids)


def test_a_card_is_a_row_with_all_that_is_printed_on_it(principe: dict[str, Page]) -> None:
    html = _html(principe["Components"])
    row = next(line for line in html.splitlines() if 'id="City.verona"' in line)
    assert (
        _text(row)
        .replace("\u00a0", " ")
        .startswith(
            "Verona verona 1 green , 2 white 3 ducats 5 points 1 the blue region assumed @data(10, 16, 18)"
        )
    )
    assert 'href="site:il_principe/#Color.green"' in row
    assert 'data-label="Price"' in row
    assert "of these cards only the names are known" in html
    found = {each.title: each for each in principe["Components"].found}
    assert found["Verona"].anchor == "City.verona"


def test_tables_can_be_read_aloud(principe: dict[str, Page]) -> None:
    for page in principe.values():
        for table in re.findall(r'<table class="rs-table".*?</table>', _html(page), re.DOTALL):
            assert "<caption" in table
            assert 'scope="col"' in table
            rows = re.findall(r'<tr role="row"[^>]*>(?!<th scope="col")', table)
            assert rows
            assert table.count('scope="row"') == len(rows)


def test_sight_is_told_in_words(principe: dict[str, Page]) -> None:
    rows = {
        found[1]: _text(line)
        for line in _html(principe["Components"]).splitlines()
        if (found := re.search(r'<tr role="row" id="place-(\w+)"', line))
    }
    assert "hidden nobody all see how many there are" in rows["pile"]
    assert "private its owner alone all see it while money_shown" in rows["purse"]
    assert "open all" in rows["row"]


def test_a_reading_says_who_asks_and_what_shows(principe: dict[str, Page]) -> None:
    page = principe["Readings"]
    assert "### IP1&#58; Can the bank run out of ducats? {#reading-bank}" in page.body
    text = _text(_html(page))
    assert "With 2 players both are the same game, step by step." in text
    assert "no, the printed money is only a supply unlimited default" in text
    assert "bid 0 only with zero" in text
    assert len(page.found) == 41
    assert 'id="reading-card_backs"' in _html(page)


def test_nothing_is_shown_where_there_is_nothing(tmp_path: Path) -> None:
    plain = 'game plain "Plain"\nplayers 2\nstate:\n    per player:\n        points: points in 0..1\n'
    plain += 'rule setup:\n    nothing\nrule play:\n    nothing\nranking "Most" for p: p.points\n'
    assert sorted(_made(write(tmp_path / "plain.rules", plain))) == ["Components"]


def test_variants_stand_beside_the_base_game(principe: dict[str, Page]) -> None:
    page = principe["Variants"]
    text = _text(_html(page)).replace("\u00a0", " ")
    assert "### Less shortage of money {#variant-generous}" in page.body
    assert (
        "ducats for each player, each round income 2 players: 6 ducats 3 to 5 players: 5 ducats 6 ducats"
        in text
    )
    assert "with fewer cards in the pile the last round begins few_cards 10 12 16 20" in text
    assert "copies : 1 instead of 20" in text
