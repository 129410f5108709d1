"""The index of the search, in the form that Material's search reads: the sections of pages, and what pages
say can be found on them. Material's own indexing takes longer than all else in a build, and is left out.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulespec.site import address
from rulespec.site.page import Page

EXCLUDED = "data-search-exclude"
_PIECES = re.compile(r"<!--.*?-->|<(/?)([a-zA-Z][\w-]*)([^<>]*)>|([^<]+|<)", re.DOTALL)
_ID = re.compile(r'\bid="([^"]*)"')
_VOID = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_SILENT = frozenset({"script", "style", "svg", "template"})
_END = "\0"  # of a paragraph, an item, a cell
_INLINE = frozenset(
    {"a", "abbr", "b", "code", "del", "em", "i", "kbd", "q", "s", "small", "span", "strong", "sup"}
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass
class _Section:
    anchor: str
    title: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def complete(site: Path, pages: Iterable[Page], content: Mapping[str, str]) -> None:
    """Write the index of all pages; `content` is the HTML of each, without what is round it, by its path."""
    file = site / "search" / "search_index.json"
    index = json.loads(file.read_text(encoding="utf-8"))
    index["docs"] = [entry for page in pages for entry in _entries(page, content.get(page.path, ""))]
    file.write_text(json.dumps(index, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")


def _entries(page: Page, content: str) -> list[dict[str, Any]]:
    """The page's sections, the first of which stands for the page, and what it says is found on it."""
    place = address.output(page.path)
    first, *others = _sections(content)
    title = _joined(first.title) or html.escape(page.title, quote=False)
    entries = [_entry(place, title, _paragraphs(first.text))]
    entries += [_entry(f"{place}#{one.anchor}", _joined(one.title), _paragraphs(one.text)) for one in others]
    for found in page.found:
        title, text = (html.escape(said, quote=False) for said in (found.title, found.text))
        entries.append(_entry(f"{place}#{found.anchor}", title, text))
    return [entry | {"boost": _weight(place)} for entry in entries]


def _entry(location: str, title: str, text: str) -> dict[str, Any]:
    return {"location": location, "title": title, "text": text}


def _weight(place: str) -> float:
    """A rulebook comes first, then the files that it uses, pages about it, and the handbook."""
    folder, *below = place.strip("/").split("/")
    if folder == address.HANDBOOK:
        return 0.5
    return {(): 4, ("uses",): 2}.get(tuple(below[:1]), 1)


def _paragraphs(pieces: list[str]) -> str:
    """Each on its own, since what is shown of a page that is found are those with the words that were
    sought.
    """
    told = (_joined([part]) for part in "".join(pieces).split(_END))
    return "".join(f"<p>{part}</p>" for part in told if part)


def _joined(pieces: list[str]) -> str:
    """The pieces as one line of HTML, with no more marks than it needs."""
    return html.escape(" ".join(html.unescape("".join(pieces)).split()), quote=False)


def _sections(content: str) -> list[_Section]:
    """What stands under each heading with an id; what comes before and under the first is the page itself."""
    sections = [_Section("")]
    left_out: list[str] = []  # the elements that are open inside one that is left out, and that one
    heading, permalink = "", False
    for closing, name, attributes, words in _PIECES.findall(content):
        tag = name.lower()
        if left_out:
            _follow(left_out, closing, tag)
        elif words:
            if not permalink:
                (sections[-1].title if heading else sections[-1].text).append(words)
        elif not tag:
            continue
        elif closing:
            heading = "" if tag == heading else heading
            permalink = permalink and tag != "a"
            if not heading and tag not in _INLINE:
                sections[-1].text.append(_END)
        elif tag in _SILENT or EXCLUDED in attributes:
            left_out.append(tag)
        elif tag in _HEADINGS and (found := _ID.search(attributes)):
            heading = tag
            if sections[-1].title:
                sections.append(_Section(html.unescape(found[1])))
        elif 'class="headerlink"' in attributes:
            permalink = True
    return sections


def _follow(left_out: list[str], closing: str, tag: str) -> None:
    if closing:
        while left_out and left_out.pop() != tag:
            pass
    elif tag and tag not in _VOID:
        left_out.append(tag)
