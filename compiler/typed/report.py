"""Collects what the checker finds: each thing once, up to a limit, in the order of the text."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.compiler.diagnostics import Diagnostic, Label, Severity
from rulespec.compiler.spans import Span

LIMIT = 200


@dataclass
class Report:
    """Instances of one module rule find the same mistakes: a code at a span is kept once."""

    found: list[Diagnostic] = field(default_factory=list)
    seen: set[tuple[str, Span]] = field(default_factory=set)
    left_out: int = 0

    def error(self, code: str, message: str, span: Span, *labels: Label, help: tuple[str, ...] = ()) -> None:
        self._keep(Diagnostic(code, message, span, labels, help))

    def warning(
        self, code: str, message: str, span: Span, *labels: Label, help: tuple[str, ...] = ()
    ) -> None:
        self._keep(Diagnostic(code, message, span, labels, help, Severity.WARNING))

    @property
    def failed(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.found)

    def _keep(self, diagnostic: Diagnostic) -> None:
        key = (diagnostic.code, diagnostic.span)
        if key in self.seen:
            return
        self.seen.add(key)
        if len(self.found) < LIMIT:
            self.found.append(diagnostic)
        else:
            self.left_out += 1

    def finish(self, order: dict[str, int]) -> tuple[Diagnostic, ...]:
        """All findings by file (as `order` numbers them) and place; the last says how many were left out."""
        found = sorted(self.found, key=lambda d: (order.get(d.span.file, len(order)), d.span))
        if self.left_out and found:
            last = found[-1].span
            text = f"{self.left_out} more findings are left out"
            found.append(Diagnostic("R0299", text, last, help=("repair some of the others first",)))
        return tuple(found)
