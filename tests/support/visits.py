"""A tab of a browser on a site under test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page, Request, Route


@dataclass
class Visit:
    """A tab of the browser, and what went wrong in it."""

    tab: Page
    site: str
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def go(self, path: str) -> Page:
        """Open a page of the site: `il_principe/readings/`."""
        self.tab.goto(f"{self.site}/{path}", wait_until="load")
        return self.tab

    def look(self, request: Request) -> None:
        if not request.url.startswith((self.site + "/", "data:", "blob:")):
            self.outside.append(request.url)


def visiting(
    browser: Browser,
    site: str,
    width: int,
    height: int,
    *,
    dark: bool = False,
    touch: bool = False,
    search: bool = False,
) -> Iterator[Visit]:
    """A tab of a certain size, which must ask nothing of other hosts and say no error, by the end. Each page
    reads the whole index of the search, which takes long and is left out where nothing is sought.
    """
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", has_touch=touch
    )
    context.set_default_timeout(20_000)
    if not search:
        context.route("**/search/search_index.json", _nothing)
    tab = context.new_page()
    visit = Visit(tab, site)
    tab.on("request", visit.look)
    tab.on("pageerror", lambda error: visit.errors.append(str(error)))
    tab.on("console", lambda said: visit.errors.append(said.text) if said.type == "error" else None)
    yield visit
    context.close()
    assert visit.outside == []
    assert visit.errors == []


def _nothing(route: Route) -> None:
    route.fulfill(
        json={"config": {"lang": ["en"], "separator": " ", "pipeline": [], "fields": {}}, "docs": []}
    )
