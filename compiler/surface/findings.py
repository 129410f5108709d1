"""Collects what is wrong with a text, in bounded space."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.compiler.diagnostics import Diagnostic, Label
from rulespec.compiler.spans import Span

MOST = 50


@dataclass
class Findings:
    """The first findings as they come; only some of them are shown."""

    kept: list[Diagnostic] = field(default_factory=list)

    def add(self, code: str, message: str, span: Span, *labels: Label, help: tuple[str, ...] = ()) -> None:
        if not self.full:
            self.kept.append(Diagnostic(code, message, span, labels, help))

    @property
    def full(self) -> bool:
        """Whether so much was found that reading on is of no use."""
        return len(self.kept) >= 4 * MOST

    def finish(self) -> tuple[Diagnostic, ...]:
        """In the order of the text; where there are too many, the last one says so."""
        found = sorted(self.kept, key=lambda d: (d.span.line, d.span.column))
        if len(found) <= MOST:
            return tuple(found)
        message = f"there are {'at least ' if self.full else ''}{len(found) - MOST} more mistakes"
        last = Diagnostic("R0199", message, found[MOST - 1].span, help=("put the others right first",))
        return (*found[:MOST], last)
