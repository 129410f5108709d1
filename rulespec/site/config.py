"""What mkdocs is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulespec.site.page import Page

# Material's templates with ours over them, and the style sheets and scripts of ours.
ASSETS = Path(__file__).parent / "assets"


def config(title: str, pages: Sequence[Page], source: Path, out: Path) -> dict[str, Any]:
    """The settings of a site, as the content of a mkdocs configuration."""
    return {
        "site_name": title,
        "docs_dir": str(source),
        "site_dir": str(out),
        "theme": {
            "name": "material",
            "custom_dir": str(ASSETS),
            "font": False,
            "features": ["navigation.top", "toc.follow"],
        },
        "extra_css": _assets(".css"),
        "extra_javascript": _assets(".js"),
        "plugins": ["search"],
        "markdown_extensions": ["attr_list", "md_in_html", "tables", "toc"],
        "nav": _menu(pages),
    }


def _assets(kind: str) -> list[str]:
    return sorted(file.name for file in ASSETS.glob(f"*{kind}"))


def _menu(pages: Sequence[Page]) -> list[Any]:
    menu: list[Any] = []
    for page in pages:
        level = menu
        for name in filter(None, page.group.split("/")):
            level = _group(level, name)
        level.append({page.title: page.path})
    return menu


def _group(menu: list[Any], name: str) -> list[Any]:
    for entry in menu:
        if isinstance(inside := entry.get(name), list):
            return inside
    inside = []
    menu.append({name: inside})
    return inside
