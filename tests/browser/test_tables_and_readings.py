"""Readings can be filtered without scripts, and cards are tables that are told as such on a phone too."""

from __future__ import annotations

from playwright.sync_api import Browser, expect
from visits import Visit


def test_readings_are_filtered_without_scripts(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{site}/il_principe/readings/")
    settled, choice = tab.locator("#reading-card_backs"), tab.locator("#reading-bank")
    expect(settled).to_be_visible()
    tab.get_by_label("only those with a choice").check()
    expect(settled).to_be_hidden()
    expect(choice).to_be_visible()
    tab.get_by_label("all questions").check()
    expect(settled).to_be_visible()
    context.close()


def test_a_card_on_a_phone_is_still_a_row_of_a_table(phone: Visit) -> None:
    tab = phone.go("il_principe/components/")
    table = tab.get_by_role("table", name="All of City")
    row = table.get_by_role("row").filter(has=tab.get_by_role("rowheader", name="Milan"))
    expect(row).to_be_visible()
    cells = row.get_by_role("cell")
    expect(cells.nth(1)).to_have_text("4\u00a0ducats")
    left = row.bounding_box()
    assert left is not None
    assert left["x"] >= 0
    assert left["x"] + left["width"] <= 390
