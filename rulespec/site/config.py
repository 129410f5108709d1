"""What mkdocs is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulespec.site.page import Page, menu

# Material's templates with ours over them, and the style sheets and scripts of ours.
ASSETS = Path(__file__).parent / "assets"


# Between two words that the search finds: names are found by their parts too.
SEPARATOR = r"[\s\-_,;:!?=\[\]()\"'`/@]+|\.(?!\d)|&[lg]t;|(?!\b)(?=[A-Z][a-z])"

# What of Material is used; nothing of it asks another host for anything.
FEATURES = [
    "content.code.copy",
    "navigation.footer",
    "navigation.indexes",
    "navigation.prune",
    "navigation.sections",
    "navigation.tabs",
    "navigation.top",
    "search.highlight",
    "search.suggest",
    "toc.follow",
]


def config(title: str, pages: Sequence[Page], source: Path, out: Path, url: str = "") -> dict[str, Any]:
    """The settings of a site, as the content of a mkdocs configuration. `url` is where it will be published;
    only the page for addresses that do not exist needs it.
    """
    return {
        "site_name": menu(title),
        "site_url": url,
        "docs_dir": str(source),
        "site_dir": str(out),
        "theme": {
            "name": "material",
            "custom_dir": str(ASSETS),
            "font": False,
            "language": "en",
            "features": FEATURES,
            "palette": _palettes(),
        },
        "extra": {"generator": False},
        "extra_css": _assets(".css"),
        "extra_javascript": _assets(".js"),
        "plugins": [{"search": {"separator": SEPARATOR}}],
        "markdown_extensions": [
            "admonition",
            "attr_list",
            "def_list",
            "md_in_html",
            "tables",
            {"toc": {"permalink": "#", "permalink_title": "Permanent link"}},
            {"pymdownx.highlight": {"use_pygments": True, "guess_lang": False}},
            "pymdownx.superfences",
        ],
        # Links are checked in the pages that come out (`links.py`), which finds more.
        "validation": {
            "nav": {"omitted_files": "ignore", "not_found": "ignore", "absolute_links": "ignore"},
            "links": {"not_found": "ignore", "absolute_links": "ignore", "unrecognized_links": "ignore"},
        },
        "nav": _menu(pages),
    }


def _palettes() -> list[dict[str, Any]]:
    """As the system has it, then light, then dark; a button goes from one to the next."""
    kinds = (
        ("(prefers-color-scheme)", "", "material/brightness-auto", "Light colors"),
        ("(prefers-color-scheme: light)", "default", "material/brightness-7", "Dark colors"),
        ("(prefers-color-scheme: dark)", "slate", "material/brightness-4", "Colors as the system has them"),
    )
    colors = {"primary": "indigo", "accent": "indigo"}
    return [
        {"media": media, "toggle": {"icon": icon, "name": name}}
        | ({"scheme": scheme} | colors if scheme else colors)
        for media, scheme, icon, name in kinds
    ]


def _assets(kind: str) -> list[str]:
    return sorted(file.name for file in ASSETS.glob(f"*{kind}"))


def _menu(pages: Sequence[Page]) -> list[Any]:
    entries: list[Any] = []
    for page in pages:
        level = entries
        for name in filter(None, page.group.split("\n")):
            level = _group(level, menu(name))
        level.append({menu(page.title): page.path})
    return entries


def _group(entries: list[Any], name: str) -> list[Any]:
    for entry in entries:
        if isinstance(inside := entry.get(name), list):
            return inside
    inside = []
    entries.append({name: inside})
    return inside
