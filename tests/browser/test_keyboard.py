"""All can be reached with the keyboard alone, and where one is can be seen."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from visits import Visit

# Of the element that has the focus: is it on the screen, and is there a line around it? Material shows the
# label of a choice of colors, not the choice.
SEEN = """(() => {
    const active = document.activeElement;
    const here = active.matches(".md-option") ? active.nextElementSibling : active;
    const box = here.getBoundingClientRect();
    const inside = box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight;
    return inside && box.width > 0 && box.height > 0 && getComputedStyle(here).outlineStyle !== "none";
})()"""


def walk(tab: Page, steps: int) -> list[str]:
    """Where the focus cannot be seen in so many steps."""
    lost = []
    for _ in range(steps):
        tab.keyboard.press("Tab")
        if not tab.evaluate(SEEN) and tab.evaluate("document.activeElement !== document.body"):
            lost.append(tab.evaluate("document.activeElement.outerHTML.slice(0, 200)"))
    return lost


def test_the_first_key_skips_to_the_content(desk: Visit) -> None:
    tab = desk.go("il_principe/")
    tab.keyboard.press("Tab")
    expect(tab.locator(":focus")).to_have_text(re.compile("Skip to content"))
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.closest('article') !== null")


def test_the_focus_can_be_seen_at_each_step(desk: Visit) -> None:
    assert walk(desk.go("il_principe/"), 60) == []


def test_the_focus_can_be_seen_at_each_step_on_a_phone(phone: Visit) -> None:
    assert walk(phone.go("il_principe/"), 60) == []


def test_search_opens_finds_and_leads_without_a_mouse(seeking: Visit) -> None:
    tab = seeking.go("il_principe/")
    tab.keyboard.press("/")
    tab.keyboard.type("selling one color")
    expect(tab.locator(".md-search-result__item").first).to_be_visible()
    tab.keyboard.press("ArrowDown")
    leads_to = tab.evaluate("document.activeElement.href")
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(leads_to)


def test_nothing_moves_for_those_who_want_no_motion(desk: Visit) -> None:
    desk.tab.emulate_media(reduced_motion="reduce")
    tab = desk.go("il_principe/examples/")
    slow = """[...document.querySelectorAll("*")]
        .filter(each => Math.max(...["transitionDuration", "animationDuration"]
            .flatMap(kind => getComputedStyle(each)[kind].split(",").map(parseFloat))) > 0.01)
        .map(each => each.outerHTML.slice(0, 100))"""
    assert tab.evaluate(slow) == []


def test_escape_closes_the_search(desk: Visit) -> None:
    tab = desk.go("il_principe/")
    tab.keyboard.press("/")
    expect(tab.locator("#__search")).to_be_checked()
    tab.keyboard.press("Escape")
    expect(tab.locator("#__search")).not_to_be_checked()


def test_the_menu_of_a_phone_opens_and_closes_without_touching_it(phone: Visit) -> None:
    tab = phone.go("il_principe/")
    menu = tab.get_by_role("button", name="Menu")
    menu.focus()
    tab.keyboard.press("Enter")
    expect(menu).to_have_attribute("aria-expanded", "true")
    expect(tab.locator(".md-nav--primary .md-nav__link:focus")).to_be_in_viewport(ratio=1)
    assert walk(tab, 3) == []
    tab.keyboard.press("Escape")
    expect(menu).to_be_focused()
    expect(menu).to_have_attribute("aria-expanded", "false")
