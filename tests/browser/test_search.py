"""Search finds rules by name and by title, terms and cards, and what it finds leads there. It asks nobody
else: each visit holds the site to that.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
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


@pytest.mark.parametrize(("typed", "title", "leads_to"), SOUGHT)
def test_what_is_found_leads_there(desk: Visit, typed: str, title: str, leads_to: str) -> None:
    tab = desk.go("")
    tab.keyboard.press("/")
    tab.keyboard.type(typed)
    expect(tab.locator(".md-search-result__link").first).to_be_visible()
    # Of each page the first is shown, and the others when one asks for more.
    found = tab.locator(".md-search-result__link").filter(has=tab.locator("h1, h2", has_text=title))
    addresses = [link.get_attribute("href") or "" for link in found.all()]
    there = [each for each in addresses if re.search(leads_to, re.sub(r"\?[^#]*", "", each))]
    assert there, addresses
    tab.goto(there[0])
    anchor = tab.url.partition("#")[2]
    expect(tab.locator(f"[id='{anchor}']")).to_be_in_viewport()


@pytest.mark.parametrize(("typed", "leads_to"), [("setting up", "setting-up"), ("city card", "CityCard")])
def test_what_the_rulebook_itself_has_comes_first(desk: Visit, typed: str, leads_to: str) -> None:
    tab = desk.go("handbook/")
    tab.keyboard.press("/")
    tab.keyboard.type(typed)
    first = tab.locator(".md-search-result__item").first.locator(".md-search-result__link")
    expect(first.nth(1)).to_have_attribute("href", re.compile(rf"/il_principe/\?.*#{leads_to}$"))
