"""Citations held against the sources that they name."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Citation
from rulespec.compiler.typed.scope import Book
from rulespec.compiler.typed.suggest import did_you_mean


def check_citation(book: Book, citation: Citation | None) -> None:
    """Report what is wrong with a citation and those written after it: an unknown source, lines past its end,
    or lines that run backwards.
    """
    if citation is not None:
        for one in (citation, *citation.also):
            _check(book, one)


def _check(book: Book, citation: Citation) -> None:
    source = book.sources.get(citation.source)
    if source is None:
        advice = did_you_mean(citation.source, book.sources)
        if not advice:
            advice = (f'declare it: `source {citation.source} "..." of 100 lines`',)
        text = f"there is no source `{citation.source}`"
        book.report.error("R0221", text, citation.span, help=advice)
        return
    label = Label(source.span, f"`{citation.source}` has {source.lines} lines")
    for first, last in citation.lines:
        if first > last:
            text = f"the lines {first}..{last} run backwards"
            book.report.error("R0222", text, citation.span, help=(f"write `{last}..{first}`?",))
        elif first < 1 or last > source.lines:
            wrong_line = first if first < 1 or first > source.lines else last
            text = f"`{citation.source}` has no line {wrong_line}"
            book.report.error("R0220", text, citation.span, label)
