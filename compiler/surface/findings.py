"""Collects what is wrong with a text, in bounded space."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.compiler.diagnostics import Diagnostic, Label
from rulespec.compiler.spans import Span

MOST = 50


@dataclass
class Findings:
    """The first so many findings as they come, and how many were left out."""

    kept: list[Diagnostic] = field(default_factory=list)
    left_out: int = 0

    def add(self, code: str, message: str, span: Span, *labels: Label, help: tuple[str, ...] = ()) -> None:
        if len(self.kept) < 4 * MOST:
            self.kept.append(Diagnostic(code, message, span, labels, help))
        else:
            self.left_out += 1

    def finish(self) -> tuple[Diagnostic, ...]:
        """In the order of the text; where there are too many, the last one says so."""
        found = sorted(self.kept, key=lambda d: (d.span.line, d.span.column))
        left_out = self.left_out + len(found) - MOST
        if left_out <= 0:
            return tuple(found)
        message = f"{left_out} more mistakes were found"
        last = Diagnostic("R0199", message, found[MOST - 1].span, help=("put the others right first",))
        return (*found[:MOST], last)
