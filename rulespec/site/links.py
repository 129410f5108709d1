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
from urllib.parse import unquote

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


def check(site: Path, root: str = "/") -> list[Broken]:
    """All that is broken in the pages of a folder. `root` is the path at which the site will be published."""
    pages = {file.relative_to(site).as_posix(): _read(file) for file in sorted(site.rglob("*.html"))}
    ids = {page: frozenset(read.ids) for page, read in pages.items()}
    files = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    broken: set[Broken] = set()
    for page, read in pages.items():
        twice = [name for name, count in Counter(read.ids).items() if count > 1]
        broken.update(Broken(page, f"the id `{name}` stands twice") for name in twice)
        for tag, attribute, address in read.links:
            reason = _wrong(page, tag, attribute, address, files, ids, root)
            if reason:
                broken.add(Broken(page, reason))
    return sorted(broken)


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


def _wrong(
    page: str,
    tag: str,
    attribute: str,
    address: str,
    files: set[str],
    ids: Mapping[str, frozenset[str]],
    root: str,
) -> str:
    """Why an address cannot be; "" where it can."""
    if _SCHEME.match(address):
        if tag == "a" and address.lower().startswith(_FOLLOWED):
            return ""
        return f"`{address}` is not of this site"
    path, _, anchor = address.partition("#")
    path = unquote(path).partition("?")[0]
    if path.startswith("/"):
        if page != NOT_FOUND or not path.startswith(root):
            return f"`{address}` begins at the root, which may be another site's"
        target = path.removeprefix(root)
    else:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    if path.endswith("/") or target in ("", "."):
        target = posixpath.normpath(posixpath.join(target, "index.html"))
    elif path.endswith("."):
        target = posixpath.join(target, "index.html")
    if target not in files:
        return f"`{address}` leads nowhere"
    if anchor and target in ids and unquote(anchor) not in ids[target]:
        return f"`{address}` leads to a page that has no `#{anchor}`"
    return ""
