"""The outline of a rulebook, made from its trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec import outline
from rulespec.compiler.core import from_typed
from rulespec.compiler.spans import Citation
from rulespec.compiler.surface import tree as surface
from rulespec.compiler.surface.citing import citing
from rulespec.compiler.surface.tree import Document
from rulespec.compiler.typed import tree as typed
from rulespec.outline import Outline


def summarize(rulebook: typed.Rulebook, documents: Iterable[Document]) -> Outline:
    """What the rulebook has to choose from, and how much there is of it."""
    written = tuple(documents)
    return Outline(
        rulebook.name,
        rulebook.title,
        rulebook.players,
        tuple((variant.name, variant.title) for variant in rulebook.variants),
        tuple(_reading(reading) for reading in rulebook.readings),
        tuple(_scopes(rulebook)),
        tuple(_counts(rulebook)),
        tuple(_cited(rulebook, written)),
        tuple(group for document in written for e in document.declarations for group in _groups(e)),
    )


def _groups(e: surface.Declaration) -> Iterator[outline.Assumed]:
    """What a declaration has on no source's word."""
    match e:
        case surface.Table():
            for group in e.assumed:
                names = tuple(row.name.text for row in group.rows)
                yield outline.Assumed(e.name.text, names, group.why, _shown(group.citation))
        case surface.Enum():
            for part in e.assumed:
                names = tuple(member.name.text for member in part.members)
                yield outline.Assumed(e.name.text, names, part.why, _shown(part.citation))
        case surface.Param() if e.assumed:
            yield outline.Assumed(e.name.text, (), e.assumed, _shown(e.citation))


def _reading(reading: typed.Reading) -> outline.Reading:
    meanings = tuple(
        outline.Meaning(each.name, each.title, _shown(each.citation)) for each in reading.meanings
    )
    citation = _shown(reading.citation)
    return outline.Reading(reading.name, reading.ident, reading.question, citation, meanings, reading.default)


def _scopes(rulebook: typed.Rulebook) -> Iterator[outline.Scope]:
    """Those whose settings have a value; compiling says what is wrong with the others."""
    for scope in rulebook.scopes:
        found, _ = from_typed.scope_configuration(rulebook, scope)
        if found is not None:
            settings = found.settings
            yield outline.Scope(
                scope.name, scope.title, scope.players, scope.variants, scope.readings, settings
            )


def _shown(citation: Citation | None) -> str:
    return "" if citation is None else str(citation)


def _counts(rulebook: typed.Rulebook) -> Iterator[tuple[str, int]]:
    yield "rule", len({rule.base for rule in rulebook.rules})
    yield "function", len(rulebook.functions)
    yield "table row", sum(len(table.rows) for table in rulebook.tables)
    yield "example", len(rulebook.examples)
    yield "claim", sum(p.kind != "hint" for p in rulebook.properties)
    yield "reading", len(rulebook.readings)
    yield "variant", len(rulebook.variants)


def _cited(rulebook: typed.Rulebook, documents: Iterable[Document]) -> Iterator[tuple[str, int, int]]:
    """Of each source how many lines the rules follow; what is set aside is not among them."""
    ranges: dict[str, list[tuple[int, int]]] = {source.name: [] for source in rulebook.sources}
    for one in citing(documents):
        if not isinstance(one.node, surface.Beside):
            ranges.get(one.citation.source, []).extend(one.citation.lines)
    for source in rulebook.sources:
        yield source.name, _number(ranges[source.name]), source.lines


def _number(ranges: list[tuple[int, int]]) -> int:
    """How many lines are in any of the ranges."""
    number = done = 0
    for first, last in sorted(ranges):
        number += max(0, last - max(first, done + 1) + 1)
        done = max(done, last)
    return number
