"""Terms: what a game's declarations give a title, and where prose speaks of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rulespec.reference.names import Definition
from rulespec.site.page import text
from rulespec.site.subject import Subject

MOST = 500
LONGEST = 40  # signs of a title that prose is searched for
_ARTICLE = re.compile(r"^(?:a|an|the)\s+", re.IGNORECASE)
# Things that prose calls by their title, even in one word; of others only titles of several words are a term.
_THINGS = frozenset({"table", "row", "piece", "currency", "enum", "rule", "variant", "grid", "record"})
_NAMED = frozenset({"member", "state variable", "param"})


def terms(subject: Subject) -> dict[str, Definition]:
    """What the rulebook's own declarations give a title, by that title without its article. Of two with one
    title it is the first.
    """
    found: dict[str, Definition] = {}
    for each in subject.names.definitions.values():
        if each.span.file == subject.main_file and each.title and each.sort in _THINGS | _NAMED:
            found.setdefault(bare(each.title), each)
    return found


def bare(title: str) -> str:
    """A title without its article."""
    return _ARTICLE.sub("", " ".join(title.split()))


@dataclass
class Words:
    """Renders plain text of one page, each term as a link the first time that a section has it."""

    subject: Subject
    of: Mapping[str, Definition]
    pattern: re.Pattern[str] | None
    seen: set[Definition] = field(default_factory=set)

    def begin_section(self) -> None:
        self.seen.clear()

    def mark(self, words: str) -> str:
        """A text that stands in no link, code or heading, as HTML."""
        return "".join(self._marked(words)) if self.pattern else text(words)

    def _marked(self, words: str) -> Iterator[str]:
        assert self.pattern is not None
        end = 0
        for found in self.pattern.finditer(words):
            meant = self._meant(found[0])
            if meant is None or meant in self.seen:
                continue
            self.seen.add(meant)
            to = text(self.subject.anchors.address(meant))
            yield f'{text(words[end : found.start()])}<a class="rs-term" href="{to}">{text(found[0])}</a>'
            end = found.end()
        yield text(words[end:])

    def _meant(self, said: str) -> Definition | None:
        """Of several words for one thing; a title that begins with a capital is a name, and said as it is."""
        for form in _singular(said):
            for known in (form, form[:1].lower() + form[1:]):
                if known in self.of:
                    return self.of[known]
        return None


def marker(subject: Subject) -> Words:
    """What marks the terms in prose of a game."""
    sought = {title: each for title, each in terms(subject).items() if _is_sought(title, each)}
    kept = dict(sorted(sought.items(), key=lambda item: -len(item[0]))[:MOST])
    if not kept:
        return Words(subject, {}, None)
    either = "|".join(_pattern(title) for title in kept)
    return Words(subject, kept, re.compile(rf"(?<!\w)(?:{either})(?!\w)"))


def _is_sought(title: str, definition: Definition) -> bool:
    if not 2 < len(title) <= LONGEST:
        return False
    several = " " in title
    if definition.sort == "member":
        return several or title[0].isupper()
    return several or definition.sort in _THINGS


def _pattern(title: str) -> str:
    """One or several of it, at the beginning of a sentence too."""
    first, rest = title[0], title[1:]
    begin = f"[{first.upper()}{first}]" if first.islower() and first.isascii() else re.escape(first)
    many = "(?:s|es)?"
    if rest.endswith("y"):
        return f"{begin}{re.escape(rest[:-1])}(?:y|ies)"
    return f"{begin}{re.escape(rest)}{many}"


def _singular(said: str) -> Iterator[str]:
    yield said
    if said.endswith("ies"):
        yield said[:-3] + "y"
    for ending in ("s", "es"):
        if said.endswith(ending):
            yield said[: -len(ending)]
