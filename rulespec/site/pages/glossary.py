"""The words of a game: what is in the box, what is counted, and the rules, each with its lines in the
sources.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.reference.names import Definition
from rulespec.site.page import Page, chunk, plain, text
from rulespec.site.pages.badges import cited
from rulespec.site.pages.terms import bare
from rulespec.site.subject import Subject

GROUPS = (
    ("Pieces, cards and money", ("piece", "currency", "table", "grid", "row")),
    ("Kinds", ("enum", "member")),
    ("What the table shows", ("state variable",)),
    ("Numbers", ("param",)),
    ("Rules", ("rule",)),
    ("Variants", ("variant",)),
)


def page(subject: Subject) -> Page | None:
    """The titles in alphabetical order, group by group; None where nothing has a title."""
    titled = [
        each
        for each in subject.names.definitions.values()
        if each.title and each.span.file == subject.main_file
    ]
    lines = [f"# {plain(subject.title)}: the words"]
    chunks: list[str] = []
    for heading, sorts in GROUPS:
        members = [each for each in titled if each.sort in sorts]
        if members:
            lines += [f"## {heading}", chunk(len(chunks))]
            chunks.append(_listed(subject, members))
    if not chunks:
        return None
    body = "\n\n".join(lines) + "\n"
    return Page(f"{subject.name}/glossary.md", "Words", body, subject.title, (), tuple(chunks))


def _listed(subject: Subject, definitions: Iterable[Definition]) -> str:
    ordered = sorted(definitions, key=lambda each: (bare(each.title).casefold(), each.name))
    return f'<dl class="rs-words">{"".join(_entry(subject, each) for each in ordered)}</dl>'


def _entry(subject: Subject, each: Definition) -> str:
    anchor = text(subject.anchors.by_span[each.span])
    to = text(subject.anchors.address(each))
    said = bare(each.title)
    parts = [f'<a href="{to}"><code>{text(each.name)}</code></a>', text(_what(each))]
    if each.citation is not None:
        parts.append(cited(subject, each.citation))
    return f'<dt id="{anchor}">{text(said[:1].upper() + said[1:])}</dt><dd>{", ".join(parts)}</dd>'


def _what(each: Definition) -> str:
    """`card of Building`: what it is, and of what."""
    if each.sort in ("row", "member"):
        return f"one of {each.of}"
    if each.sort == "state variable":
        return "of each player" if each.of == "each player" else "on the table"
    return _SORTS.get(each.sort, each.sort)


_SORTS = {"table": "printed on cards or boards", "enum": "kinds of thing", "param": "a number"}
