"""What a page is: Markdown with HTML of ours in it, made in `pages` and written out by `build`."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>&~^:=\"'$])")

_IN_MENUS = str.maketrans({"<": "‹", ">": "›", '"': "”", "&": "&amp;"})


@dataclass(frozen=True)
class Found:
    """What search finds on a page besides its headings: a rule, a term, a card; `anchor` is its place."""

    title: str
    text: str
    anchor: str


@dataclass(frozen=True)
class Page:
    """`path` is that of the Markdown file in the site's source (`il_principe/readings.md`), `title` the name
    in the menu, `group` the menu that it is in ("" for the top), as names with a line end between them.

    `chunks` are HTML that stands where the body says `chunk(0)`, `chunk(1)`, ...: long HTML is better there
    than in the body, for it is not read as Markdown.
    """

    path: str
    title: str
    body: str
    group: str = ""
    found: tuple[Found, ...] = ()
    chunks: tuple[str, ...] = ()


def chunk(number: int) -> str:
    """A line of a body, alone between empty lines, that stands for one of the page's chunks."""
    return f'<div data-chunk="{number}"></div>'


def text(value: object) -> str:
    """Any text inside HTML or a quoted attribute: nothing in it can be taken for a tag."""
    return html.escape(str(value), quote=True)


def plain(value: object) -> str:
    """Any text inside Markdown: nothing in it can be taken for Markdown, HTML or an address."""
    return _MARKDOWN.sub(lambda mark: f"&#{ord(mark[1])};", " ".join(str(value).split()))


def menu(value: object) -> str:
    """A title for menus, the tab of the browser and the top of the page, where Material puts it as it is, and
    in one place with its marks undone: it looks as it should, and cannot be taken for HTML in any.
    """
    return " ".join(str(value).split()).translate(_IN_MENUS)
