"""What mkdocs is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulespec.site.page import Page


def config(title: str, pages: Sequence[Page], source: Path, out: Path) -> dict[str, Any]:
    """The settings of a site, as the content of a mkdocs configuration."""
    return {
        "site_name": title,
        "docs_dir": str(source),
        "site_dir": str(out),
        "theme": {"name": "material", "font": False, "features": ["navigation.top", "toc.follow"]},
        "plugins": ["search"],
        "markdown_extensions": ["attr_list", "md_in_html", "tables", "toc"],
        "nav": _menu(pages),
    }


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
