"""A rulebook's page: what its names mean, where they lead, what stands beside a rule, and prose alone."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect
from visits import Visit

RULEBOOK = "il_principe/"

# Whether rules were shown when the page was first painted: a frame is drawn just after its callbacks.
WATCH = """(() => {
    const look = () => {
        const block = document.querySelector(".rs-block");
        if (block) window.firstSeen = block.offsetParent !== null;
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})()"""


def block(tab: Page) -> Locator:
    return tab.locator(".rs-block").first


def name_of(tab: Page, rule: str, name: str) -> Locator:
    """A name in the rules after the line that declares a rule."""
    part = tab.locator(".rs-part").filter(has=tab.locator(f"#{rule}"))
    return part.locator("code a").filter(has_text=re.compile(f"^{name}$")).first


def tip(tab: Page) -> Locator:
    return tab.get_by_role("tooltip")


def test_a_name_shows_its_definition_under_the_pointer(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    name_of(tab, "city_phase", "can_build").hover()
    expect(tip(tab)).to_contain_text("can_build(p: Player, c: City)")
    tab.mouse.move(2, 500)
    expect(tip(tab)).to_be_hidden()


def test_a_name_shows_its_definition_to_the_keyboard_until_escape(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    before = name_of(tab, "city_phase", "principe")
    before.focus()
    tab.keyboard.press("Tab")
    expect(tip(tab)).to_be_visible()
    described = tab.evaluate("document.activeElement.getAttribute('aria-describedby')")
    assert described == tip(tab).get_attribute("id")
    tab.keyboard.press("Escape")
    expect(tip(tab)).to_be_hidden()


def test_a_name_of_another_file_shows_its_definition_too(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    name_of(tab, "sell", "ascending_auction").hover()
    expect(tip(tab)).to_contain_text("ascending_auction(")


def test_a_term_in_prose_shows_and_leads_to_what_it_means(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    term = tab.locator("a.rs-term").filter(has_text=re.compile("^ducats$")).first
    term.hover()
    expect(tip(tab)).to_contain_text("currency ducat")
    term.click()
    expect(tab.locator("#ducat")).to_be_in_viewport()


def test_a_name_leads_to_where_it_is_defined(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    name_of(tab, "city_phase", "can_build").click()
    expect(tab).to_have_url(re.compile("#can_build$"))
    expect(tab.locator("#can_build")).to_be_in_viewport()
    tab.go_back()
    name_of(tab, "sell", "ascending_auction").click()
    expect(tab).to_have_url(re.compile("/uses/auction/#ascending_auction$"))
    expect(tab.locator("#ascending_auction")).to_be_in_viewport()


def test_every_name_can_be_seen_where_it_is_defined(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    unseen = """[...document.querySelectorAll(".rs-block .d")]
        .filter(each => !each.checkVisibility({visibilityProperty: true, opacityProperty: true})
            || each.getBoundingClientRect().width < 2)
        .map(each => each.outerHTML)"""
    assert tab.locator(".rs-block .d").count() > 100
    assert tab.evaluate(unseen) == []


def test_a_citation_leads_to_the_line_of_the_source(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    name_of(tab, "sell", re.escape("@rb(43..49)")).click()
    expect(tab).to_have_url(re.compile("/coverage/#rb-43$"))
    expect(tab.locator("#rb-43")).to_be_in_viewport()


def test_what_is_proved_of_a_rule_opens_and_leads_to_the_verdict(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    badge = tab.get_by_role("group", name="About the rule Selling one color").locator("summary").first
    expect(badge).to_contain_text("proved")
    badge.click()
    link = badge.locator("..").get_by_role("link").first
    link.click()
    expect(tab).to_have_url(re.compile("/properties/#claim-"))
    claim = tab.locator(f"[id='{tab.url.partition('#')[2]}']")
    expect(claim).to_be_in_viewport()
    expect(claim).to_have_attribute("open", "")


def test_an_example_beside_a_rule_leads_to_its_steps(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    about = tab.get_by_role("group", name="About the rule Selling one color")
    about.locator("summary").filter(has_text="examples").click()
    about.locator("a[href*='examples/#']").first.click()
    expect(tab).to_have_url(re.compile("/examples/#example-"))
    expect(tab.locator(f"[id='{tab.url.partition('#')[2]}']")).to_be_in_viewport()


def test_prose_alone_is_remembered_and_never_shows_the_rules_first(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    switch = tab.get_by_role("button", name="Prose only")
    expect(block(tab)).to_be_visible()
    switch.focus()
    tab.keyboard.press("Enter")
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(block(tab)).to_be_hidden()
    tab.add_init_script(WATCH)
    desk.go(RULEBOOK)
    expect(tab.get_by_role("button", name="Prose only")).to_have_attribute("aria-pressed", "true")
    assert tab.evaluate("window.firstSeen") is False
    desk.go("tic_tac_toe/")
    assert tab.evaluate("window.firstSeen") is False
    tab.get_by_role("button", name="Prose only").click()
    desk.go(RULEBOOK)
    expect(block(tab)).to_be_visible()
    assert tab.evaluate("window.firstSeen") is True


def test_an_address_of_a_rule_shows_it_in_prose_alone_too(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    tab.get_by_role("button", name="Prose only").click()
    desk.go("il_principe/readings/")
    desk.go("il_principe/#can_build")
    expect(tab.locator("#can_build")).to_be_in_viewport()


def test_dark_and_light_are_remembered(desk: Visit) -> None:
    tab = desk.go(RULEBOOK)
    body = tab.locator("body")
    for _ in range(3):
        if body.get_attribute("data-md-color-scheme") == "slate":
            break
        tab.locator(".md-header__option label:visible").click()
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    desk.go("il_principe/readings/")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")


def test_a_finger_sees_first_and_goes_when_it_comes_again(touch: Visit) -> None:
    tab = touch.go(RULEBOOK)
    name = name_of(tab, "city_phase", "can_build")
    name.tap()
    expect(tip(tab)).to_contain_text("can_build(p: Player, c: City)")
    assert "#" not in tab.url
    tip(tab).get_by_role("link", name="Go there").tap()
    expect(tab).to_have_url(re.compile("#can_build$"))
