"""A site on a phone: the menu and the search can be used, and nothing has to be moved sideways."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from visits import Visit


def test_the_menu_leads_to_another_page(phone: Visit) -> None:
    tab = phone.go("")
    tab.get_by_role("button", name="Menu").click()
    tab.locator(".md-nav--primary").get_by_role("link", name="Il Principe").click()
    expect(tab).to_have_url(re.compile("/il_principe/$"))


def test_search_covers_the_screen_and_leads_to_what_it_found(seeking_phone: Visit) -> None:
    tab = seeking_phone.go("il_principe/")
    tab.get_by_role("button", name="Search").click()
    field = tab.get_by_role("textbox", name="Search")
    expect(field).to_be_focused()
    field.press_sequentially("coats of arms and money")
    found = tab.locator(".md-search-result__link").filter(has_text="Coats of arms and money").last
    found.click()
    expect(tab).to_have_url(re.compile("#coats-of-arms-and-money"))
    expect(tab.locator("#__search")).not_to_be_checked()
