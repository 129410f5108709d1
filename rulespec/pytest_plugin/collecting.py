"""From a file to its items, in the same order in every process."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from rulespec import projects
from rulespec.engine import conformance
from rulespec.proofs.claims import Claim
from rulespec.pytest_plugin import settings
from rulespec.pytest_plugin.items import (
    AgreementItem,
    CheckItem,
    ConformanceItem,
    ExampleItem,
    FormatItem,
    OtherClaimsItem,
    PropertyItem,
)
from rulespec.pytest_plugin.subject import Subject, Table

STATED = ("invariant", "bound", "reachable")
OTHERS = "found on the way"


def rulebook(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The collector of a file, if it is a rulebook."""
    return RulebookFile.from_parent(parent, path=path) if projects.is_rulebook(path) else None


class RulebookFile(pytest.File):
    """A rulebook. One with errors in its text has no more than the items that show them."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        subject = Subject(_shown(self.path), settings.read(self.config))
        yield CheckItem.from_parent(self, name="check", subject=subject)
        yield FormatItem.from_parent(self, name="format", subject=subject)
        for name, items in (
            ("example", _examples),
            ("property", _properties),
            ("conformance", _conformance),
        ):
            group = Group.from_parent(self, name=name, subject=subject, items=items)
            if subject.tables:
                yield group


class Group(pytest.Collector):
    """The items of one kind."""

    def __init__(
        self, *, subject: Subject, items: Callable[..., Iterable[pytest.Item]], **others: Any
    ) -> None:
        super().__init__(**others)
        self.subject = subject
        self.items = items

    def collect(self) -> Iterable[pytest.Item]:
        return self.items(self, self.subject)


def _shown(path: Path) -> str:
    """From here, as far as that is below: so messages and what is kept on disk are those of the commands."""
    here = Path.cwd()
    return os.fspath(path.relative_to(here)) if path.is_relative_to(here) else os.fspath(path)


def _examples(group: Group, subject: Subject) -> Iterable[pytest.Item]:
    for each in subject.examples:
        yield ExampleItem.from_parent(group, name=each.name, line=each.line, subject=subject)


def _properties(group: Group, subject: Subject) -> Iterable[pytest.Item]:
    for table in subject.tables:
        for name, claim in zip(_names(table.claims), table.claims, strict=True):
            yield PropertyItem.from_parent(
                group,
                name=f"{name}[{table.label}]",
                claim=claim.name,
                line=_line(claim, subject),
                table=table,
                subject=subject,
            )
        others = f"{OTHERS}[{table.label}]"
        yield OtherClaimsItem.from_parent(
            group, name=others, claim=OTHERS, line=1, table=table, subject=subject
        )


def _names(claims: Sequence[Claim]) -> list[str]:
    """What the rulebook states, by the name that it has there, unless two kinds share it."""
    short = [
        claim.name.removeprefix(f"{claim.kind} ") if claim.kind in STATED else claim.name for claim in claims
    ]
    number = Counter(short)
    return [name if number[name] == 1 else claim.name for name, claim in zip(short, claims, strict=True)]


def _line(claim: Claim, subject: Subject) -> int:
    return claim.origin.span.line if claim.origin.span.file == subject.name else 1


def _conformance(group: Group, subject: Subject) -> Iterable[pytest.Item]:
    for table in _full(subject.tables):
        name = f"engines_agree[{table.label}]"
        yield AgreementItem.from_parent(group, name=name, table=table, subject=subject)
        for check in conformance.CHECKS:
            name = f"{check.__name__.removeprefix('check_')}[{table.label}]"
            yield ConformanceItem.from_parent(group, name=name, check=check, table=table, subject=subject)


def _full(tables: Iterable[Table]) -> Iterable[Table]:
    """Without the small games, which are pieces of those for as many players."""
    return (table for table in tables if not table.part.scope)
