"""Search finds rules by name and by title, terms and cards, and what it finds leads there. It asks nobody
else: each visit holds the site to that.
"""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect
from visits import Visit

# What is typed, the title of what is found, and the anchor that it leads to.
SOUGHT = [
    ("sell", "Selling one color", r"il_principe/#sell$"),
    ("selling one color", "Selling one color", r"il_principe/#sell$"),
    ("ducats", "ducats", r"#ducat$"),
    ("Florence", "Florence", r"#City\.florence$"),
    ("Major Role", "Major Role", r"#MajorRole$"),
    ("ascending auction", "Ascending auction", r"uses/auction/#ascending_auction$"),
]


FIRST = [("setting up", "setting-up"), ("city card", "CityCard")]


def seek(tab: Page, typed: str) -> Locator:
    """What is found: of each page the first is shown, and the others when one asks for more."""
    field = tab.locator(".md-search__input")
    field.fill("")
    field.press_sequentially(typed)
    # Of each page that is found the address has the words in it.
    expect(
        tab.locator(f".md-search-result__link[href*='h={typed.split()[0].lower()}']").first
    ).to_be_visible()
    return tab.locator(".md-search-result__link")


def test_what_is_found_leads_there(seeking: Visit) -> None:
    tab = seeking.go("")
    found = {}
    for typed, title, leads_to in SOUGHT:
        titled = seek(tab, typed).filter(has=tab.locator("h1, h2", has_text=title))
        addresses = [link.get_attribute("href") or "" for link in titled.all()]
        there = [each for each in addresses if re.search(leads_to, re.sub(r"\?[^#]*", "", each))]
        assert there, (typed, addresses)
        found[typed] = there[0]
    for address in found.values():
        tab.goto(address)
        assert tab.locator(f"[id='{address.partition('#')[2]}']").count() == 1
    expect(tab.locator("#ascending_auction")).to_be_in_viewport()


def test_what_the_rulebook_itself_has_comes_first(seeking: Visit) -> None:
    tab = seeking.go("handbook/")
    for typed, leads_to in FIRST:
        seek(tab, typed)
        first = tab.locator(".md-search-result__item").first.locator(".md-search-result__link")
        expect(first.nth(1)).to_have_attribute("href", re.compile(rf"/il_principe/\?.*#{leads_to}$"))
