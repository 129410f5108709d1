"""Examples can be played step by step, and pictures made larger."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from visits import Visit


def cell(tab: Page, row: str, column: int) -> str:
    play = tab.locator(".play").first
    line = play.get_by_role("row").filter(has=tab.get_by_role("rowheader", name=row, exact=True))
    return line.get_by_role("cell").nth(column).inner_text()


def test_an_example_is_played_step_by_step(desk: Visit) -> None:
    tab = desk.go("il_principe/examples/#example-milan")
    play = tab.locator(".play").first
    told = play.locator(".play-told")
    assert (cell(tab, "ducats", 0), cell(tab, "victory points", 0)) == ("4", "0")
    expect(play.get_by_role("button", name="One step back")).to_be_disabled()
    play.get_by_role("button", name="Next step").click()
    expect(told).to_have_text(re.compile("^0 of"))
    while "builds Milan" not in told.inner_text():
        tab.keyboard.press("ArrowRight")
        expect(play.get_by_role("button", name="Next step")).to_be_enabled()
    assert (cell(tab, "ducats", 0), cell(tab, "victory points", 0)) == ("0", "6")
    expect(play.locator("[aria-current=step]")).to_have_count(1)
    play.get_by_role("button", name="To the given position").click()
    assert cell(tab, "ducats", 0) == "4"


def test_an_example_plays_by_itself_to_its_end(desk: Visit) -> None:
    tab = desk.tab
    tab.clock.install()
    desk.go("il_principe/examples/")
    play = tab.locator(".play").first
    play.get_by_role("button", name="Play all steps").click()
    expect(play.get_by_role("button", name="Pause")).to_be_visible()
    tab.clock.run_for(20_000)
    expect(play.get_by_role("button", name="Next step")).to_be_disabled()
    expect(play.get_by_role("button", name="Play all steps")).to_be_visible()


def test_a_picture_can_be_made_larger_and_smaller_by_buttons_and_keys(desk: Visit) -> None:
    tab = desk.go("il_principe/structure/")
    frame = tab.locator(".turns-frame").first
    picture = frame.locator("svg").first

    def width() -> float:
        return float(picture.evaluate("each => each.getBoundingClientRect().width"))

    first = width()
    tab.get_by_role("button", name="Larger").first.click()
    larger = width()
    assert larger > first * 1.1
    frame.focus()
    tab.keyboard.press("-")
    tab.keyboard.press("-")
    assert width() < first
    tab.get_by_role("button", name="The whole picture").first.click()
    assert frame.evaluate("each => each.scrollHeight <= each.clientHeight + 2")


def test_a_rule_in_a_picture_leads_to_its_text(desk: Visit) -> None:
    tab = desk.go("il_principe/structure/")
    tab.locator(".turns-frame").first.get_by_role("link", name="Setting up").click()
    expect(tab).to_have_url(re.compile("il_principe/#setup$"))
    expect(tab.locator("#setup")).to_be_in_viewport()
