"""mkdocs as a function: pages as Markdown go in, HTML comes out, and nothing is printed."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from rulespec.site import address
from rulespec.site.config import config
from rulespec.site.page import Page, chunk, menu

_CHUNK = re.compile(r'<div data-chunk="(\d+)" data-of="[0-9a-f]+"></div>')


class Missing(Exception):
    """What makes the site is not installed; the text says what to do."""


class Failed(Exception):
    """mkdocs could not make the site, or warned of something; the text says of what."""


def write(pages: Iterable[Page], source: Path, known: Sequence[Page]) -> list[Page]:
    """Write the Markdown of pages, and touch nothing that is as it should be; give those that have changed.

    `known` are all pages of the site.
    """
    folders = frozenset(address.output(page.path) for page in known)
    changed = []
    for page in pages:
        file = source / page.path
        body = address.relative(_body(page), page.path, folders)
        if not file.exists() or file.read_text(encoding="utf-8") != body:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body, encoding="utf-8")
            changed.append(page)
    return changed


def _body(page: Page) -> str:
    """The body in which each chunk is named by what it says, so that a page changes when a chunk or its title
    does.
    """
    body = page.body
    for number, html in enumerate(page.chunks):
        body = body.replace(chunk(number), f'<div data-chunk="{number}" data-of="{_mark(html)}"></div>')
    return f"<!-- {_mark(_title(page))} -->\n\n{body}"


def _mark(of: str) -> str:
    return hashlib.sha256(of.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _title(page: Page) -> str:
    """What the tab of a browser says: the page and the game that it is of."""
    of = page.group.partition("\n")[0]
    if page.path.endswith("/index.md") and of:
        return menu(of)
    return f"{menu(page.title)} - {menu(of)}" if of else menu(page.title)


def check_installed() -> None:
    """Find out early that what makes sites is missing.

    Raises:
        Missing: mkdocs or its theme is not installed.
    """
    try:
        import material  # noqa: F401  the theme
        import mkdocs  # noqa: F401
    except ImportError as error:
        advice = "install what makes sites: `pip install rulespec[site]`"
        raise Missing(f"`{error.name}` is not installed; {advice}") from None


def run(
    title: str, pages: Sequence[Page], source: Path, out: Path, *, url: str = "", only_changed: bool = False
) -> dict[str, str]:
    """Make the HTML of all pages, or of those whose Markdown is newer than what was made of it. Gives the
    content of each page that was made, without what is round it, by its path.

    Raises:
        Missing: mkdocs or its theme is not installed.
        Failed: mkdocs could not do it.
    """
    check_installed()
    from mkdocs.commands.build import build
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.exceptions import MkDocsException

    settings = MkDocsConfig()
    settings.load_dict(config(title, pages, source, out, url))
    errors, warnings = settings.validate()
    if errors or warnings:
        raise Failed("; ".join(f"{key}: {said}" for key, said in (*errors, *warnings)))
    made: dict[str, str] = {}
    settings.plugins["rulespec"] = _plugin(pages, made)
    with _heard() as said:
        try:
            build(settings, dirty=only_changed)
        except MkDocsException as error:
            raise Failed("; ".join((*said, str(error)))) from None
    if said:
        raise Failed("; ".join(said))
    return made


def _plugin(pages: Sequence[Page], made: dict[str, str]) -> Any:
    """Puts the chunks of pages where they belong, once the Markdown round them is HTML, and notes what it
    is.
    """
    from mkdocs.plugins import BasePlugin

    folders = frozenset(address.output(page.path) for page in pages)
    by_path = {page.path: page for page in pages}

    class Chunks(BasePlugin):  # type: ignore[type-arg]  # it has no settings
        def on_env(self, env: Any, /, **_: Any) -> Any:
            env.bytecode_cache = _compiled()
            return env

        def on_page_content(self, html: str, /, *, page: Any, **_: Any) -> str:
            page.meta["search"] = {"exclude": True}  # `search.py` does it
            ours = by_path.get(page.file.src_uri)
            if ours is not None and ours.chunks:
                chunks = [address.relative(each, ours.path, folders) for each in ours.chunks]
                html = _CHUNK.sub(lambda mark: chunks[int(mark[1])], html)
            if ours is not None:
                # Not written above the Markdown, where what is no YAML would be read as a part of the page.
                page.meta["title"] = _title(ours)
            if page.is_homepage:
                page.meta["hide"] = ["navigation", "toc"]
            made[page.file.src_uri] = html
            return html

    return Chunks()


@cache
def _compiled() -> Any:
    """The templates as they were compiled in this process, for the next build of the same site."""
    from jinja2 import BytecodeCache
    from jinja2.bccache import Bucket

    class Compiled(BytecodeCache):
        def __init__(self) -> None:
            self.kept: dict[str, bytes] = {}

        def load_bytecode(self, bucket: Bucket) -> None:
            if bucket.key in self.kept:
                bucket.bytecode_from_string(self.kept[bucket.key])

        def dump_bytecode(self, bucket: Bucket) -> None:
            self.kept[bucket.key] = bucket.bytecode_to_string()

    return Compiled()


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What mkdocs warns of, in place of what it would print; that a build is of changed pages alone is
    known.
    """
    said: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "'dirty' build" not in record.getMessage():
                said.append(record.getMessage())

    listener = Listener(logging.WARNING)
    logger = logging.getLogger("mkdocs")
    before = logger.propagate
    logger.addHandler(listener)
    logger.propagate = False
    try:
        yield said
    finally:
        logger.removeHandler(listener)
        logger.propagate = before
