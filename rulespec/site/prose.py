"""A rulebook's own Markdown, made safe: what it says is shown, and nothing in it can do anything.

Read as CommonMark with tables. HTML in it is shown as text. Links lead to headings of the page, or to
`https:` and `http:` addresses where a reader clicks on them; any other is left as its text. An image is left
as the text that stands for it: no file is read, and nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rulespec.site.page import text

_OUTSIDE = re.compile(r"https?://[^\s<>\"]+$", re.IGNORECASE)


@dataclass(frozen=True)
class Heading:
    """A heading that stands in no list and no quotation: these divide the page."""

    level: int
    text: str
    line: int


@dataclass(frozen=True)
class Rules:
    """A block of rules, by its first and last line."""

    first: int
    last: int


@dataclass(frozen=True)
class Passage:
    """Paragraphs, lists and so on as HTML."""

    html: str


Part = Heading | Rules | Passage
Words = Callable[[str], str]


@dataclass
class _Renderer:
    """`blocks`: the last line of the block of rules that begins in a line; `words` renders plain text."""

    blocks: Mapping[int, int]
    words: Words
    ids: Mapping[str, str]
    markdown: MarkdownIt = field(default_factory=lambda: _reader())

    def parts(self, written: str) -> Iterator[Part]:
        waiting: list[Token] = []
        tokens = iter(self.markdown.parse(written))
        for token in tokens:
            if token.type == "heading_open" and token.level == 0:
                yield from self._passage(waiting)
                inline, _ = next(tokens), next(tokens)
                assert token.map is not None
                yield Heading(int(token.tag[1]), plain_text(inline.children or ()), token.map[0] + 1)
            elif token.type == "fence" and (rules := self._rules(token)) is not None:
                yield from self._passage(waiting)
                yield rules
            else:
                waiting.append(token)
        yield from self._passage(waiting)

    def _rules(self, token: Token) -> Rules | None:
        if token.map is None or token.level or token.info.split()[:1] != ["rules"]:
            return None
        first = token.map[0] + 2
        last = self.blocks.get(first)
        return None if last is None else Rules(first, last)

    def _passage(self, waiting: list[Token]) -> Iterator[Passage]:
        if waiting:
            yield Passage(self._html(waiting))
            waiting.clear()

    def _html(self, tokens: Sequence[Token]) -> str:
        """Inline content is rendered here, for links, images and words; the rest as the library does."""
        for token in tokens:
            if token.type == "inline":
                token.children = list(self._inline(token.children or ()))
        return str(self.markdown.renderer.render(list(tokens), self.markdown.options, {}))

    def _inline(self, children: Sequence[Token]) -> Iterator[Token]:
        open_links: list[bool] = []
        for token in children:
            match token.type:
                case "link_open":
                    to = self._target(str(token.attrs.get("href", "")))
                    open_links.append(bool(to))
                    if to:
                        yield _raw(to)
                case "link_close":
                    if open_links.pop():
                        yield _raw("</a>")
                case "image":
                    yield _raw(text(token.content or "image"))
                case "text" if not open_links:
                    yield _raw(self.words(token.content))
                case _:
                    yield token

    def _target(self, href: str) -> str:
        if href.startswith("#"):
            return f'<a href="#{text(self.ids.get(href[1:], href[1:]))}">'
        if _OUTSIDE.match(href):
            return f'<a href="{text(href)}" rel="nofollow noopener noreferrer">'
        return ""


def parts(written: str, blocks: Mapping[int, int], words: Words, ids: Mapping[str, str]) -> Iterator[Part]:
    """The parts of a Markdown text in its order. `ids` gives the anchor that a `#name` in a link means."""
    return _Renderer(blocks, words, ids).parts(written)


def headings(written: str) -> list[Heading]:
    """The headings that divide a text."""
    return [part for part in parts(written, {}, text, {}) if isinstance(part, Heading)]


def plain_text(children: Sequence[Token]) -> str:
    """What inline content says, without its marks."""
    return "".join(
        " " if token.type in ("softbreak", "hardbreak") else token.content for token in children
    ).strip()


def slug(heading: str) -> str:
    """The anchor that a heading has by custom: its words in small letters, with hyphens between them."""
    return re.sub(r"[^\w]+", "-", re.sub(r"[^\w\s-]", "", heading.lower())).strip("-") or "section"


def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _raw(html: str) -> Token:
    return Token("html_inline", "", 0, content=html)
