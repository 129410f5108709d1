"""Pictures of the turn structure in a browser: they can be zoomed, moved, followed by keyboard, and read."""

from __future__ import annotations

from playwright.sync_api import Browser, Locator, Page, expect
from visits import Visit

STRUCTURE = "il_principe/structure/"
# Texts that stick out of their box in a picture, by what they say.
STICKING_OUT = """() => [...document.querySelectorAll(".turns-frame .box")].flatMap((box) => {
  const around = box.querySelector("rect, polygon").getBoundingClientRect();
  return [...box.querySelectorAll("text")]
    .filter((text) => {
      const place = text.getBoundingClientRect();
      const aside = place.right > around.right + 1 || place.left < around.left - 1;
      return aside || place.bottom > around.bottom + 1;
    })
    .map((text) => text.textContent);
})"""


def _frame(tab: Page) -> Locator:
    return tab.locator(".turns-frame").first


def _wide(tab: Page) -> float:
    return float(_frame(tab).locator("svg").evaluate("picture => picture.getBoundingClientRect().width"))


def _press(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=name, exact=True).first.click()


def test_buttons_make_it_larger_smaller_and_show_it_whole(desk: Visit) -> None:
    tab = desk.go(STRUCTURE)
    before = _wide(tab)
    _press(tab, "Larger")
    assert _wide(tab) > before * 1.2
    _press(tab, "Smaller")
    assert abs(_wide(tab) - before) < 1
    _press(tab, "The whole picture")
    whole = _frame(tab).evaluate(
        "frame => [frame.scrollWidth - frame.clientWidth, frame.scrollHeight - frame.clientHeight]"
    )
    assert max(whole) <= 1


def test_keys_and_the_wheel_zoom_and_the_page_stays_as_large_as_it_was(desk: Visit) -> None:
    tab = desk.go(STRUCTURE)
    before, page = _wide(tab), tab.evaluate("window.devicePixelRatio")
    _frame(tab).focus()
    tab.keyboard.press("+")
    larger = _wide(tab)
    assert larger > before
    _frame(tab).hover(position={"x": 200, "y": 200})
    tab.keyboard.down("Control")
    tab.mouse.wheel(0, -200)
    tab.keyboard.up("Control")
    tab.wait_for_function(
        "wide => document.querySelector('.turns-frame svg').getBoundingClientRect().width > wide", arg=larger
    )
    assert tab.evaluate("window.devicePixelRatio") == page


def test_it_is_moved_by_dragging_and_by_the_arrow_keys(desk: Visit) -> None:
    tab = desk.go(STRUCTURE)
    frame = _frame(tab)
    frame.scroll_into_view_if_needed()
    place = frame.bounding_box()
    assert place is not None
    x, y = place["x"] + 8, place["y"] + 300
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x, y - 120, steps=4)
    tab.mouse.up()
    assert frame.evaluate("frame => frame.scrollTop") >= 100
    frame.focus()
    tab.keyboard.press("ArrowUp")
    tab.wait_for_function("document.querySelector('.turns-frame').scrollTop < 100")


def test_the_name_of_a_rule_leads_to_it_and_can_be_reached_by_keyboard(desk: Visit) -> None:
    tab = desk.go(STRUCTURE)
    _frame(tab).focus()
    tab.keyboard.press("Tab")
    expect(tab.locator(":focus")).to_have_attribute("aria-label", "The rule Setting up")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/il_principe/#setup")
    assert tab.locator("#setup").count() == 1


def test_a_box_leads_to_the_picture_of_its_rule(desk: Visit) -> None:
    tab = desk.go(STRUCTURE)
    tab.get_by_role("link", name="The picture of Phase 3: building").first.click()
    expect(tab.locator("#picture-city_phase")).to_be_in_viewport()


def test_no_text_sticks_out_of_its_box(desk: Visit, phone: Visit) -> None:
    for visit in (desk, phone):
        for game in ("il_principe", "tic_tac_toe"):
            assert visit.go(f"{game}/structure/").evaluate(STICKING_OUT) == []


def test_on_a_phone_it_begins_where_play_begins_and_can_be_read(phone: Visit) -> None:
    tab = phone.go(STRUCTURE)
    start = _frame(tab).locator(".start")
    start.scroll_into_view_if_needed()
    expect(start).to_be_in_viewport(ratio=0.9)
    size = start.locator("text").evaluate("text => text.getBoundingClientRect().height")
    assert size >= 9


def test_without_script_it_is_a_picture_that_scrolls(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    tab = context.new_page()
    tab.goto(f"{site}/{STRUCTURE}")
    expect(tab.locator(".turns-frame svg").first).to_be_visible()
    assert tab.get_by_role("button", name="Larger", exact=True).count() == 0
    place = tab.locator(".turns-frame").first.bounding_box()
    assert place is not None
    assert place["width"] <= 390
    context.close()


def test_the_same_can_be_read_as_a_list(desk: Visit) -> None:
    tab = desk.go(STRUCTURE)
    tab.get_by_text("The same as a list").first.click()
    first = tab.locator(".turns-figure ol").first
    expect(first).to_be_visible()
    expect(first).to_contain_text("Phase 3: building")
