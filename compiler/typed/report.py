"""Collects what the checker finds: each thing once, up to a limit, in the order of the text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rulespec.compiler.diagnostics import Diagnostic, Label, Severity
from rulespec.compiler.spans import Span

LIMIT = 200  # errors; and as many warnings


class Enough(Exception):
    """There are more errors than anybody reads at once: looking for others would take time for nothing."""


@dataclass
class Report:
    """Instances of one module rule find the same mistakes: a code at a span is kept once."""

    found: list[Diagnostic] = field(default_factory=list)
    seen: set[tuple[str, Span]] = field(default_factory=set)
    kept: Counter[Severity] = field(default_factory=Counter)
    left_out: int = 0  # warnings

    def error(self, code: str, message: str, span: Span, *labels: Label, help: tuple[str, ...] = ()) -> None:
        """Raises `Enough` for one error more than the limit."""
        self._keep(Diagnostic(code, message, span, labels, help))

    def warning(
        self, code: str, message: str, span: Span, *labels: Label, help: tuple[str, ...] = ()
    ) -> None:
        self._keep(Diagnostic(code, message, span, labels, help, Severity.WARNING))

    @property
    def failed(self) -> bool:
        return self.kept[Severity.ERROR] > 0

    def _keep(self, diagnostic: Diagnostic) -> None:
        key = (diagnostic.code, diagnostic.span)
        if key in self.seen:
            return
        self.seen.add(key)
        if self.kept[diagnostic.severity] < LIMIT:
            self.kept[diagnostic.severity] += 1
            self.found.append(diagnostic)
        elif diagnostic.severity is Severity.ERROR:
            raise Enough
        else:
            self.left_out += 1

    def finish(self, order: dict[str, int], whole: bool) -> tuple[Diagnostic, ...]:
        """All findings by file (as `order` numbers them) and place; the last says that some were left out.

        Not `whole`: there were enough.
        """
        found = sorted(self.found, key=lambda d: (order.get(d.span.file, len(order)), d.span))
        if (self.left_out or not whole) and found:
            last = found[-1].span
            text = f"{self.left_out} more warnings are left out" if whole else "more findings are left out"
            severity = Severity.WARNING if whole else Severity.ERROR
            help = ("repair some of the others first",)
            found.append(Diagnostic("R0299", text, last, help=help, severity=severity))
        return tuple(found)
