"""A page as it is written: Markdown line by line, and HTML that is not read as Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.site.page import Found, Page, chunk


@dataclass
class Body:
    """Lines and chunks of a page in the order in which they are added."""

    lines: list[str] = field(default_factory=list)
    chunks: list[str] = field(default_factory=list)

    def markdown(self, text: str) -> None:
        """A paragraph or a heading."""
        self.lines += [text, ""]

    def html(self, html: str) -> None:
        """HTML of its own."""
        if html:
            self.markdown(chunk(len(self.chunks)))
            self.chunks.append(html)

    def page(self, path: str, title: str, group: str, found: tuple[Found, ...] = ()) -> Page:
        """The page that has all of this."""
        return Page(path, title, "\n".join(self.lines), group, found, tuple(self.chunks))
