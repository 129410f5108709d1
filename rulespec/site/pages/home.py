"""The front page: what this site has."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.site import address
from rulespec.site.page import Page, plain
from rulespec.site.subject import Subject


def page(subjects: Sequence[Subject], title: str) -> Page:
    """The games, each with a link to its rulebook."""
    lines = [f"# {plain(title)}", ""]
    lines += [f"- [{plain(each.title)}]({address.game(each.name)})" for each in subjects]
    return Page("index.md", "Home", "\n".join(lines))
