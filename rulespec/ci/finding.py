"""What a stage finds, in one form for terminals, for code scanning and for annotations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulespec import library, projects
from rulespec.api import Book
from rulespec.compiler.diagnostics import Diagnostic, Label
from rulespec.compiler.spans import Span

LEVELS = ("error", "warning", "note")


@dataclass(frozen=True)
class Finding:
    """`rule` is a diagnostic's code or the name of one of `kinds.KINDS`; `level` one of `LEVELS`.

    `line` is the text of the line where `span` begins, `shown` what a terminal shows, in color if so wanted.
    """

    rule: str
    level: str
    message: str
    span: Span
    line: str = ""
    related: tuple[Label, ...] = ()
    help: tuple[str, ...] = ()
    shown: str = ""

    @property
    def is_same_as(self) -> tuple[object, ...]:
        """What two stages that find the same have in common."""
        return self.rule, self.message, self.span


@dataclass(frozen=True)
class Opened:
    """A rulebook as it was named, and opened."""

    name: str
    book: Book

    @property
    def has_errors(self) -> bool:
        return self.book.outline is None

    @property
    def files(self) -> dict[str, str]:
        """The texts of the rulebook and of its own modules, by the names that are shown."""
        assert self.book.diagnostics is not None  # what is used is known once the text has been looked at
        sources = self.book.sources
        return {file: text for file, text in sources.items() if not library.is_standard(file)}

    @property
    def beginning(self) -> Span:
        """Where the game is declared: the place of what has no place of its own."""
        path = self.book.path
        file = next(iter(self.book.sources), self.name)
        line = projects.look(path).line if path is not None else 1
        return Span(file, line, 1, line, 1 + len(_line(self.book.sources, file, line)))

    def place(self, span: Span) -> Span:
        """The span, or the beginning where it lies in none of the rulebook's own files."""
        return span if span.line and span.file in self.files else self.beginning

    def found(self, diagnostic: Diagnostic, shown: str) -> Finding:
        """A diagnostic as a finding."""
        span = self.place(diagnostic.span) if self.book.path is not None else diagnostic.span
        return Finding(
            diagnostic.code,
            diagnostic.severity.value,
            diagnostic.message,
            span,
            _line(self.book.sources, span.file, span.line),
            tuple(label for label in diagnostic.labels if label.text and label.span.file in self.files),
            diagnostic.help,
            shown,
        )

    def finding(self, rule: str, level: str, message: str, span: Span, shown: str = "") -> Finding:
        """A finding of one of `kinds.KINDS`."""
        place = self.place(span)
        line = _line(self.book.sources, place.file, place.line)
        return Finding(rule, level, message, place, line, shown=shown)


def _line(sources: Mapping[str, str], file: str, number: int) -> str:
    lines = sources.get(file, "").split("\n")
    return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""
