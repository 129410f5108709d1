"""What holds of each page of a site: nothing from elsewhere, no error, nothing that shuts anybody out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from visits import Visit

GRAVE = ("serious", "critical")


def pages(folder: Path) -> list[str]:
    """The paths of all pages, without those that only the handbook's generator makes."""
    found = (file.parent.relative_to(folder).as_posix() for file in folder.rglob("index.html"))
    return sorted("" if path == "." else f"{path}/" for path in found)


def grave(visit: Visit) -> list[str]:
    """What axe-core finds on the page that is open, and calls serious or critical."""
    found: list[dict[str, Any]] = Axe().run(visit.tab).response["violations"]
    return [
        f"{visit.tab.url}: {each['id']}: {node['html'][:200]}"
        for each in found
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]


def test_all_can_be_used_by_everybody(desk: Visit, site_folder: Path) -> None:
    found = []
    for path in pages(site_folder):
        desk.go(path)
        found += grave(desk)
    assert found == []


def test_all_can_be_used_by_everybody_in_the_dark(dark: Visit, site_folder: Path) -> None:
    found = []
    for path in pages(site_folder):
        dark.go(path)
        found += grave(dark)
    assert found == []


def test_nothing_is_wider_than_a_phone(phone: Visit, site_folder: Path) -> None:
    wide = []
    for path in pages(site_folder):
        tab = phone.go(path)
        if tab.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1"):
            wide.append(path)
    assert wide == []
