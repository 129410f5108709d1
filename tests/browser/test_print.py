"""A page on paper: only what is to be read, and all of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize
from visits import Visit

# A4 with margins, in CSS pixels.
PAPER: ViewportSize = {"width": 680, "height": 1000}


@pytest.mark.parametrize("path", ["tic_tac_toe/", "il_principe/components/"])
def test_menus_are_left_out_and_nothing_is_cut_off(desk: Visit, path: str) -> None:
    tab = desk.tab
    tab.set_viewport_size(PAPER)
    tab.emulate_media(media="print")
    desk.go(path)
    for menu in (".md-header", ".md-sidebar", ".md-footer"):
        assert not tab.locator(menu).first.is_visible()
    cut = """[...document.querySelectorAll("article *")]
        .filter(each => each.getBoundingClientRect().right > innerWidth + 1 && each.checkVisibility())
        .map(each => each.outerHTML.slice(0, 120))"""
    assert tab.evaluate(cut) == []
