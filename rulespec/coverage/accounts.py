"""What accounts for each paragraph of a rulebook's sources, from the rulebook and its index alone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec import api
from rulespec.compiler.surface.citing import Citing, citing
from rulespec.compiler.surface.tree import Beside
from rulespec.coverage import index as indexes
from rulespec.coverage.index import Index, Indexed
from rulespec.coverage.paragraphs import Paragraph

MOST = 200_000  # paragraphs that are cited, counted with each citation

Lines = tuple[tuple[int, int], ...]  # ranges, first and last


class TooMuch(Exception):
    """There are more citations than anybody has written."""


@dataclass(frozen=True)
class Account:
    """A citation, or an aside, that meets a paragraph in these of its lines."""

    by: Citing
    lines: Lines
    whole: bool  # all lines of the paragraph

    @property
    def aside(self) -> bool:
        """Whether it only says that no rule needs them."""
        return isinstance(self.by.node, Beside)


@dataclass(frozen=True)
class Covered:
    """A paragraph, what accounts for it, and those of its lines that nothing accounts for."""

    paragraph: Paragraph
    by: tuple[Account, ...]
    missing: Lines

    @property
    def accounted(self) -> bool:
        return not self.missing

    @property
    def state(self) -> str:
        """`cited`, `aside` (no rule needs it), `part` (some of its lines are left) or `open`."""
        if self.missing:
            return "part" if self.by else "open"
        return "aside" if all(one.aside for one in self.by) else "cited"


@dataclass(frozen=True)
class SourceCoverage:
    """A source of a rulebook. Without an index its paragraphs are not known; `cited` is what names it.

    `astray` are those that cite lines where nothing stands.
    """

    name: str
    title: str
    lines: int
    indexed: Indexed | None
    paragraphs: tuple[Covered, ...]
    cited: tuple[Citing, ...]
    astray: tuple[Citing, ...]

    @cached_property
    def open(self) -> tuple[Covered, ...]:
        """The paragraphs that are not accounted for, or not wholly."""
        return tuple(one for one in self.paragraphs if not one.accounted)

    @property
    def good(self) -> bool:
        """Whether the index fits, all of the source is accounted for, and each citation is of something."""
        fits = self.indexed is not None and self.indexed.lines == self.lines
        return fits and not self.open and not self.astray

    def count(self, state: str) -> int:
        """How many paragraphs are in one of the states of `Covered`."""
        return sum(one.state == state for one in self.paragraphs)


@dataclass(frozen=True)
class Coverage:
    """The sources of a rulebook, in the order in which it declares them."""

    sources: tuple[SourceCoverage, ...]

    @property
    def good(self) -> bool:
        return all(source.good for source in self.sources)


def of(book: api.Book) -> Coverage:
    """What a rulebook accounts for, by the index beside it.

    Raises:
        RulesError: the rulebook has errors.
        Unusable: the index cannot be read.
        TooMuch: see there.
    """
    if book.path is None:
        raise api.RulesError(book.diagnostics, book.sources)
    return with_index(book, indexes.read(indexes.path_of(book.path)))


def with_index(book: api.Book, index: Index) -> Coverage:
    """What a rulebook accounts for, by an index.

    Raises:
        RulesError: the rulebook has errors.
        TooMuch: see there.
    """
    checked = book.checked
    if checked is None or checked.rulebook is None:
        raise api.RulesError(book.diagnostics, book.sources)
    cited: dict[str, list[Citing]] = {source.name: [] for source in checked.rulebook.sources}
    for one in citing(checked.documents):
        cited[one.citation.source].append(one)
    return Coverage(
        tuple(
            _source(source.name, source.title, source.lines, index.get(source.name), cited[source.name])
            for source in checked.rulebook.sources
        )
    )


def _source(
    name: str, title: str, lines: int, indexed: Indexed | None, cited: Sequence[Citing]
) -> SourceCoverage:
    paragraphs = indexed.paragraphs if indexed is not None else ()
    astray = tuple(one for one in cited if indexed is not None and _is_astray(one, paragraphs))
    return SourceCoverage(name, title, lines, indexed, _covered(paragraphs, cited), tuple(cited), astray)


def _is_astray(one: Citing, paragraphs: Sequence[Paragraph]) -> bool:
    """Whether some of its ranges meet no paragraph."""
    for first, last in one.citation.lines:
        at = bisect_left(paragraphs, first, key=lambda paragraph: paragraph.last)
        if at == len(paragraphs) or paragraphs[at].first > last:
            return True
    return False


def _covered(paragraphs: Sequence[Paragraph], cited: Sequence[Citing]) -> tuple[Covered, ...]:
    ends = [paragraph.last for paragraph in paragraphs]
    accounts: list[list[Account]] = [[] for _ in paragraphs]
    number = 0
    for one in cited:
        met: dict[int, list[tuple[int, int]]] = {}
        for first, last in one.citation.lines:
            at = bisect_left(ends, first)
            while at < len(paragraphs) and paragraphs[at].first <= last:
                here = paragraphs[at]
                met.setdefault(at, []).append((max(first, here.first), min(last, here.last)))
                at += 1
        for at, lines in met.items():
            ranges = _joined(lines)
            accounts[at].append(Account(one, ranges, not _left(paragraphs[at], ranges)))
        number += len(met)
        if number > MOST:
            raise TooMuch(f"more than {MOST} paragraphs are cited")
    return tuple(_one(paragraph, by) for paragraph, by in zip(paragraphs, accounts, strict=True))


def _one(paragraph: Paragraph, by: Sequence[Account]) -> Covered:
    lines = _joined([part for account in by for part in account.lines])
    return Covered(paragraph, tuple(by), _left(paragraph, lines))


def _joined(ranges: Sequence[tuple[int, int]]) -> Lines:
    """The same lines in as few ranges as can be, in order."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return tuple(found)


def _left(paragraph: Paragraph, lines: Lines) -> Lines:
    """The lines of a paragraph that are in none of the ranges, which are joined."""
    found, start = [], paragraph.first
    for first, last in lines:
        if start < first:
            found.append((start, first - 1))
        start = last + 1
    if start <= paragraph.last:
        found.append((start, paragraph.last))
    return tuple(found)
