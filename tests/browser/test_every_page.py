"""What holds of each page of a site: nothing from elsewhere, no error, nothing that shuts anybody out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from visits import Visit

GRAVE = ("serious", "critical")

# axe-core looks at each element: of what is there again and again, only the first are left to it.
THIN = """most => {
    for (const parent of document.querySelectorAll("article, article *")) {
        const seen = {};
        for (const child of [...parent.children]) {
            const kind = `${child.tagName} ${child.getAttribute("class")}`;
            seen[kind] = (seen[kind] ?? 0) + 1;
            if (seen[kind] > most) child.remove();
        }
    }
}"""


def pages(folder: Path) -> list[str]:
    """The paths of all pages."""
    found = (file.parent.relative_to(folder).as_posix() for file in folder.rglob("index.html"))
    return sorted("" if path == "." else f"{path}/" for path in found)


def kinds(folder: Path, game: str) -> Iterator[str]:
    """A page of each kind: all of a game, the first of each folder of the handbook, and the front page."""
    seen = set()
    for path in pages(folder):
        top = path.partition("/")[0]
        kind = str(Path(path).parent) if top == "handbook" else path
        if top in ("", "handbook", game) and kind not in seen:
            seen.add(kind)
            yield path


def grave(visit: Visit, *rules: str) -> list[str]:
    """What axe-core finds on the page that is open, by all of its rules or by some, and calls serious or
    critical.
    """
    visit.tab.evaluate(THIN, 4)
    options: dict[str, Any] = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    found: list[dict[str, Any]] = Axe().run(visit.tab, options=options).response["violations"]
    return [
        f"{visit.tab.url}: {each['id']}: {node['html'][:200]}"
        for each in found
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]


def test_all_can_be_used_by_everybody(desk: Visit, site_folder: Path) -> None:
    found = []
    for path in kinds(site_folder, "il_principe"):
        desk.go(path)
        found += grave(desk)
    assert found == []


def test_all_can_be_read_in_the_dark(dark: Visit, site_folder: Path) -> None:
    found = []
    for path in kinds(site_folder, "tic_tac_toe"):
        dark.go(path)
        found += grave(dark, "color-contrast", "link-in-text-block")
    assert found == []


def test_nothing_is_wider_than_a_phone(phone: Visit, site_folder: Path) -> None:
    wide = []
    for path in kinds(site_folder, "il_principe"):
        tab = phone.go(path)
        if tab.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1"):
            wide.append(path)
    assert wide == []
