"""From games to a folder of HTML: pages are made, written out as Markdown, and given to mkdocs."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from rulespec.site import address
from rulespec.site.config import config
from rulespec.site.page import Page
from rulespec.site.pages import GAME_PAGES, home
from rulespec.site.subject import Subject


def build(subjects: Sequence[Subject], out: Path, *, title: str = "Rules") -> None:
    """Make the site of these games in the folder `out`."""
    with tempfile.TemporaryDirectory(prefix="rulespec-site-") as place:
        source = Path(place)
        pages = all_pages(subjects, title)
        write(pages, source)
        _run_mkdocs(title, pages, source, out)


def all_pages(subjects: Sequence[Subject], title: str) -> tuple[Page, ...]:
    """The pages of a site, in the order of its menu."""
    made = (make(subject) for subject in subjects for make in GAME_PAGES)
    return (home.page(subjects, title), *filter(None, made))


def write(pages: Sequence[Page], source: Path) -> None:
    """Write the Markdown of the pages, and touch nothing that is as it should be."""
    for page in pages:
        file = source / page.path
        body = address.relative(page.body, page.path)
        if not file.exists() or file.read_text(encoding="utf-8") != body:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body, encoding="utf-8")


def _run_mkdocs(title: str, pages: Sequence[Page], source: Path, out: Path) -> None:
    from mkdocs.commands.build import build as run
    from mkdocs.config.defaults import MkDocsConfig

    settings = MkDocsConfig()
    settings.load_dict(config(title, pages, source, out))
    settings.validate()
    run(settings)
