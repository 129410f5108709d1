"""Terms: what a game's declarations give a title, and where prose speaks of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.site.page import text
from rulespec.site.subject import Subject


@dataclass
class Words:
    """Renders plain text of one page, each term as a link the first time that a section has it."""

    seen: set[str] = field(default_factory=set)

    def begin_section(self) -> None:
        self.seen.clear()

    def mark(self, words: str) -> str:
        return text(words)


def marker(subject: Subject, file: str) -> Words:
    """What marks the terms in the prose of a file."""
    return Words()
