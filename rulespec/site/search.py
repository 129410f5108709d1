"""The index of the search: what Material finds in the pages, and what the pages say can be found on them."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rulespec.site import address
from rulespec.site.page import Page

Entries = list[dict[str, Any]]


def index_of(site: Path) -> Path:
    """Where a built site has its index."""
    return site / "search" / "search_index.json"


def complete(site: Path, pages: Sequence[Page], kept: Entries, changed: Iterable[str]) -> Entries:
    """Write the index of all pages, and give what Material found, for the next time.

    Material has just indexed the pages that were `changed`; for the others its entries are `kept` from
    before.
    """
    file = index_of(site)
    index = json.loads(file.read_text(encoding="utf-8"))
    anew = {address.output(path) for path in changed}
    read: Entries = [entry for entry in kept if _page(entry) not in anew] + index["docs"]
    index["docs"] = read + [entry for page in pages for entry in _found(page)]
    file.write_text(json.dumps(index, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")
    return read


def _page(entry: dict[str, Any]) -> str:
    return str(entry["location"]).partition("#")[0]


def _found(page: Page) -> Entries:
    """The index holds HTML."""
    return [
        {
            "location": f"{address.output(page.path)}#{each.anchor}",
            "title": html.escape(each.title, quote=False),
            "text": html.escape(each.text, quote=False),
        }
        for each in page.found
    ]
