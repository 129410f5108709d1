"""What is accounted for, and what has changed, as values for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulespec.compiler.surface.citing import Citing
from rulespec.coverage.accounts import Account, Coverage, Covered, SourceCoverage
from rulespec.coverage.changes import Changes
from rulespec.coverage.given import Given
from rulespec.coverage.paragraphs import Paragraph


def as_json(before: Coverage, now: Coverage, given: Mapping[str, Given]) -> dict[str, Any]:
    """All of it; no text of a source."""
    sources = []
    for source, was in zip(now.sources, before.sources, strict=True):
        here = given.get(source.name)
        changes = here.changes if here is not None else None
        sources.append(_source(source) | ({"changes": _changes(was, changes)} if changes is not None else {}))
    return {"good": now.good, "sources": sources}


def _source(source: SourceCoverage) -> dict[str, Any]:
    return {
        "name": source.name,
        "title": source.title,
        "lines": source.lines,
        "indexed": source.indexed is not None,
        "open": len(source.open),
        "astray": [_citing(one) for one in source.astray],
        "paragraphs": [_covered(covered) for covered in source.paragraphs],
    }


def _covered(covered: Covered) -> dict[str, Any]:
    return {
        **_paragraph(covered.paragraph),
        "state": covered.state,
        "missing": [list(lines) for lines in covered.missing],
        "by": _accounts(covered.by),
    }


def _paragraph(paragraph: Paragraph) -> dict[str, Any]:
    return {"first": paragraph.first, "last": paragraph.last, "kind": paragraph.kind}


def _accounts(accounts: Sequence[Account]) -> list[dict[str, Any]]:
    return [
        {**_citing(one.by), "whole": one.whole, "lines": [list(lines) for lines in one.lines]}
        for one in accounts
    ]


def _citing(one: Citing) -> dict[str, Any]:
    return {
        "sort": one.sort,
        "name": one.name,
        "of": one.of,
        "title": one.title,
        "file": one.span.file,
        "line": one.span.line,
    }


def _changes(was: SourceCoverage, changes: Changes) -> dict[str, Any]:
    accounts = {covered.paragraph.first: covered.by for covered in was.paragraphs}
    pairs = {"changed": changes.changed, "moved": changes.moved, "shifted": changes.shifted}
    found: dict[str, Any] = {
        name: [
            {"was": _paragraph(old), "now": _paragraph(now), "by": _accounts(accounts[old.first])}
            for old, now in of
        ]
        for name, of in pairs.items()
    }
    found["gone"] = [{"was": _paragraph(old), "by": _accounts(accounts[old.first])} for old in changes.gone]
    found["new"] = [{"now": _paragraph(now)} for now in changes.new]
    return found
