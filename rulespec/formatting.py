"""Whether a text is in the one layout, and what would change."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.surface.print import format_text


@dataclass(frozen=True)
class Laid:
    """A text before and after formatting; both are the same where `diagnostics` say why it cannot be."""

    before: str
    after: str
    diagnostics: tuple[Diagnostic, ...]

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def first_change(self) -> int:
        """The number of the first line that changes; 1 where none does."""
        before, after = self.before.split("\n"), self.after.split("\n")
        pairs = enumerate(zip(before, after, strict=False), 1)
        return next((n for n, (old, new) in pairs if old != new), min(len(before), len(after)))


def lay_out(text: str, file: str) -> Laid:
    """Format a text; `file` is its name for people, and says by its ending whether it is Markdown."""
    after, found = format_text(text, file)
    return Laid(text, after, found)


def difference(before: str, after: str, file: str) -> Iterator[str]:
    """The lines of a unified diff, each with its line end."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), file, f"{file} (formatted)"
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ no newline at the end\n"
