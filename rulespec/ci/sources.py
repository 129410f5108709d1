"""The stage that asks whether every paragraph of the sources is accounted for, by the indexes alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.ci.finding import Finding, Opened
from rulespec.ci.stage import Told, Work
from rulespec.ci.texts import counted, not_tried, told_by_compiler
from rulespec.compiler.spans import Span
from rulespec.compiler.surface.tree import Source
from rulespec.coverage import accounts
from rulespec.coverage.accounts import Coverage, SourceCoverage
from rulespec.coverage.index import Unusable


def covered(books: Sequence[Opened], work: Work) -> Told:
    """What of each source no citation and no aside accounts for."""
    found: list[Finding] = []
    untried = []
    sources: list[SourceCoverage] = []
    for opened in books:
        if opened.has_errors:
            untried.append(opened.name)
            found += told_by_compiler(opened, work)
            continue
        work.tell(f"looking for what {opened.name} leaves out of its sources")
        coverage = _coverage(opened)
        if isinstance(coverage, str):
            found.append(opened.finding("source-index", "error", coverage, opened.beginning, coverage))
            continue
        sources += coverage.sources
        for source in coverage.sources:
            found += _of_source(opened, source)
    if not sources and not found and not untried:
        return Told("no rulebook names a source", skipped=True)
    return Told("; ".join([*_told(sources), *not_tried(untried)]), tuple(found), failed=bool(untried))


def _coverage(opened: Opened) -> Coverage | str:
    """What is accounted for, or why nobody can say."""
    try:
        return accounts.of(opened.book)
    except (Unusable, accounts.TooMuch) as error:
        return str(error)


def _of_source(opened: Opened, source: SourceCoverage) -> Iterator[Finding]:
    place = _declared(opened, source.name)
    if source.indexed is None:
        made = f"rulespec coverage {opened.name} --source FILE --update"
        message = f"the source `{source.name}` has no index; `{made}` makes it"
        yield opened.finding("source-index", "error", message, place, f"{opened.name}: {message}")
        return
    if source.indexed.lines != source.lines:
        message = f"`{source.name}` has {source.indexed.lines} lines, and the rulebook says {source.lines}"
        yield opened.finding("source-index", "error", message, place, f"{opened.name}: {message}")
    for paragraph in source.open:
        left = ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in paragraph.missing)
        message = f"`@{source.name}({left})` is not accounted for by a citation or an aside"
        yield opened.finding("source-open", "error", message, place, f"{opened.name}: {message}")
    for one in source.astray:
        message = f"`{one.citation.alone}` is of lines where nothing stands"
        yield opened.finding("source-nothing", "error", message, one.span, f"{opened.name}: {message}")


def _declared(opened: Opened, name: str) -> Span:
    checked = opened.book.checked
    for each in checked.documents[0].declarations if checked is not None else ():
        if isinstance(each, Source) and each.name.text == name:
            return each.span
    return opened.beginning


def _told(sources: Sequence[SourceCoverage]) -> list[str]:
    number = sum(len(source.paragraphs) for source in sources)
    left = sum(len(source.open) for source in sources)
    without = sum(source.indexed is None for source in sources)
    told = [f"{left:,} of {counted(number, 'paragraph')} not accounted for"] if left else []
    astray = sum(len(source.astray) for source in sources)
    told += [f"{counted(astray, 'citation')} of nothing"] if astray else []
    told += [f"{counted(without, 'source')} without an index"] if without else []
    if not told and sources:
        told = [f"{counted(number, 'paragraph')} of {counted(len(sources), 'source')} accounted for"]
    return told
