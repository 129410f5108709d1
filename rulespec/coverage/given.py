"""Sources given as files: which file is which source, and what has changed in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulespec import library
from rulespec.compiler.typed.collect import MOST_LINES
from rulespec.coverage import changes, paragraphs
from rulespec.coverage.accounts import Coverage, SourceCoverage
from rulespec.coverage.changes import Changes
from rulespec.coverage.index import Index, Indexed

ALIKE = 0.5  # a file with so many of the paragraphs of an index is that source


class Unclear(Exception):
    """It does not follow which source a file is; the text says what to write."""


@dataclass(frozen=True)
class Given:
    """A source as it is now, and how that differs from its index; None where it has none."""

    file: str
    lines: tuple[str, ...]
    now: Indexed
    changes: Changes | None

    @property
    def changed(self) -> bool:
        return bool(self.changes)


def read(file: str) -> Given:
    """A file as a source of which nothing is known.

    Raises:
        Unreadable: it is not a plain UTF-8 file within the limit.
        Unclear: it has more lines than a source may have.
    """
    lines = tuple(paragraphs.lines_of(library.read_text(Path(file), file)))
    if len(lines) > MOST_LINES:
        raise Unclear(f"`{file}` has {len(lines):,} lines, and {MOST_LINES:,} are the most")
    return Given(file, lines, Indexed(len(lines), paragraphs.split(lines)), None)


def sources(files: Sequence[str], coverage: Coverage) -> Mapping[str, Given]:
    """The files by the names of the sources that they are, each `FILE` or `NAME=FILE`.

    Raises:
        Unreadable: a file cannot be read as text.
        Unclear: a file might be any of several sources, or two are the same.
    """
    known = {source.name: source for source in coverage.sources}
    found: dict[str, Given] = {}
    unnamed: list[Given] = []
    for file in files:
        name, sign, path = file.partition("=")
        if sign and name in known:
            _put(found, known[name], read(path))
        else:
            unnamed.append(read(file))
    for given in unnamed:
        _put(found, _meant(given, [known[name] for name in known if name not in found]), given)
    return found


def _put(found: dict[str, Given], source: SourceCoverage, given: Given) -> None:
    if source.name in found:
        raise Unclear(f"`{given.file}` and `{found[source.name].file}` are both given as `{source.name}`")
    known = source.indexed
    differing = None if known is None else changes.between(known.paragraphs, given.now.paragraphs)
    found[source.name] = Given(given.file, given.lines, given.now, differing)


def _meant(given: Given, left: Sequence[SourceCoverage]) -> SourceCoverage:
    """The only source that is left, or the one whose paragraphs are in the file."""
    if len(left) == 1:
        return left[0]
    if not left:
        raise Unclear(f"`{given.file}` is one file more than there are sources")
    now = {paragraph.hash for paragraph in given.now.paragraphs}
    alike = [(_share(source, now), source) for source in left]
    share, source = max(alike, key=lambda one: one[0])
    if share < ALIKE:
        names = " or ".join(f"`--source {one.name}={given.file}`" for one in left)
        raise Unclear(f"which source is `{given.file}`? write {names}")
    return source


def _share(source: SourceCoverage, now: set[str]) -> float:
    """How many of its paragraphs as they were are still there, from 0 to 1."""
    was = {paragraph.hash for paragraph in source.indexed.paragraphs} if source.indexed else set()
    return len(was & now) / len(was) if was else 0.0


def updated(index: Index, coverage: Coverage, given: Mapping[str, Given]) -> Index:
    """The index with these sources as they are now, and without those that the rulebook no longer has."""
    found: dict[str, Indexed] = {}
    for source in coverage.sources:
        if source.name in given:
            found[source.name] = given[source.name].now
        elif source.name in index:
            found[source.name] = index[source.name]
    return found
