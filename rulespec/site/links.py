"""Every link of a built site held against what is there: pages, files, anchors. Nothing may come from
elsewhere.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

_SILENT = re.compile(r"<(script|style)\b([^>]*)>.*?</\1>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<([a-zA-Z][\w-]*)\s([^<>]*)>")
# Each in turn, so that what stands inside a value is not taken for one.
_ATTRIBUTE = re.compile(r"([^\s\"'<>/=]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+)))?")
_LOOKED_AT = frozenset({"id", "href", "src"})
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_FOLLOWED = ("https:", "http:", "mailto:")  # only where a reader clicks on a link
NOT_FOUND = "404.html"  # shown at any address, so its links begin at the root


@dataclass(frozen=True, order=True)
class Broken:
    """What is wrong with a page: `page` is its path in the site."""

    page: str
    reason: str


@dataclass(frozen=True)
class _Read:
    ids: tuple[str, ...]
    links: frozenset[tuple[str, str, str]]  # tag, attribute, address


def check(site: Path, url: str = "") -> list[Broken]:
    """All that is broken in the pages of a folder. `url` is where the site will be published, if that is
    known.
    """
    pages = {file.relative_to(site).as_posix(): _read(file) for file in sorted(site.rglob("*.html"))}
    files = frozenset(file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file())
    there = _There(files, {page: frozenset(read.ids) for page, read in pages.items()}, url.rstrip("/"))
    broken: set[Broken] = set()
    for page, read in pages.items():
        twice = [name for name, count in Counter(read.ids).items() if count > 1]
        broken.update(Broken(page, f"the id `{name}` stands twice") for name in twice)
        for tag, _, address in read.links:
            if reason := there.wrong(page, tag, address):
                broken.add(Broken(page, reason))
    return sorted(broken)


@dataclass(frozen=True)
class _There:
    """What a site has: its files, and the ids of its pages."""

    files: frozenset[str]
    ids: Mapping[str, frozenset[str]]
    url: str

    def wrong(self, page: str, tag: str, address: str) -> str:
        """Why an address cannot be; "" where it can."""
        if self.url and address.startswith(f"{self.url}/"):
            return self._missing(address, address.removeprefix(f"{self.url}/"))
        if _SCHEME.match(address):
            followed = tag == "a" and address.lower().startswith(_FOLLOWED)
            return "" if followed else f"`{address}` is not of this site"
        root = f"{urlsplit(self.url).path}/"
        if not address.startswith("/"):
            path = address.partition("#")[0]
            return self._missing(
                address, posixpath.join(posixpath.dirname(page), address) if path else page + address
            )
        if page != NOT_FOUND or not address.startswith(root):
            return f"`{address}` begins at the root, which may be another site's"
        return self._missing(address, address.removeprefix(root))

    def _missing(self, address: str, place: str) -> str:
        """Why there is nothing at a place in the site."""
        path, _, anchor = place.partition("#")
        path = unquote(path.partition("?")[0])
        target = posixpath.normpath(path or ".")
        if path.endswith(("/", "/.", "..")) or target == ".":
            target = posixpath.normpath(posixpath.join(target, "index.html"))
        if target not in self.files:
            return f"`{address}` leads nowhere"
        if anchor and target in self.ids and unquote(anchor) not in self.ids[target]:
            return f"`{address}` leads to a page that has no `#{anchor}`"
        return ""


def _read(file: Path) -> _Read:
    return _read_text(file.read_text(encoding="utf-8"))


def _read_text(text: str) -> _Read:
    ids: list[str] = []
    links: set[tuple[str, str, str]] = set()
    for tag, rest in _TAG.findall(_SILENT.sub(r"<\1 \2>", text)):
        for attribute, value in _attributes(rest):
            if attribute == "id":
                ids.append(value)
            else:
                links.add((tag.lower(), attribute, value))
    return _Read(tuple(ids), frozenset(links))


def _attributes(inside: str) -> Iterator[tuple[str, str]]:
    for name, *values in _ATTRIBUTE.findall(inside):
        if name in _LOOKED_AT:
            yield name, html.unescape("".join(values))
