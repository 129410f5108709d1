"""The rulebook's own Markdown as a page."""

from __future__ import annotations

from rulespec.site.page import Page
from rulespec.site.subject import Subject


def page(subject: Subject) -> Page:
    """The rulebook as it is written."""
    return Page(f"{subject.name}/index.md", "Rulebook", subject.text, subject.title)
