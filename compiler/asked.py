"""Expressions from outside, in the scope of a rulebook: `p.points for p in players`, as a `bound` has it.

An expression is read and resolved as the body of a `bound` that stands in the rulebook, so it can say what a
property can, and what is wrong with it is said with its place in the text that was given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rulespec.compiler.diagnostics import Diagnostic, Severity
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.surface.from_text import parse
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.from_surface import resolve
from rulespec.compiler.typed.properties import Measured, measured
from rulespec.compiler.values import dataclass

LONGEST = 10_000  # characters of one expression
_BEGINNING = "    ("


@dataclass(frozen=True, slots=True)
class Asked:
    """An expression as it was given; `file` is what diagnostics call it."""

    file: str
    text: str


def resolve_asked(
    documents: Sequence[s.Document], asked: Sequence[Asked]
) -> tuple[tuple[t.Rulebook, tuple[Measured, ...]] | None, tuple[Diagnostic, ...]]:
    """The rulebook with what the expressions mean in it, and what is wrong with them.

    The rulebook may have further instances of rules and functions that only the expressions call; what was
    resolved belongs to it and to no other. `documents` must be without errors. Never raises for what a text
    says.
    """
    found: list[Diagnostic] = []
    added: list[s.Bound] = []
    wrapped = {one.file: _wrapped(one, _free_name(documents, n)) for n, one in enumerate(asked, 1)}
    for one in wrapped.values():
        declared, wrong = one.parse()
        found += wrong
        added += [declared] if declared is not None else []
    if any(d.severity is Severity.ERROR for d in found):
        return None, tuple(found)
    main = documents[0]
    rulebook, more = resolve([replace(main, declarations=(*main.declarations, *added)), *documents[1:]])
    mine = (wrapped[d.span.file].placed(d) for d in more if d.span.file in wrapped)
    found += dict.fromkeys(mine)
    if rulebook is None:
        return None, tuple(found)
    stated = {p.name: p for p in rulebook.properties}
    return (rulebook, tuple(measured(stated[e.name.text]) for e in added)), tuple(found)


def _free_name(documents: Sequence[s.Document], number: int) -> str:
    """A name that nothing in the rulebook has."""
    taken = {d.name.text for document in documents for d in document.declarations if hasattr(d, "name")}
    name = f"asked_{number}"
    while name in taken:
        name += "_"
    return name


def _wrapped(asked: Asked, name: str) -> _Wrapped:
    text = re.sub(r"\s", " ", asked.text)
    return _Wrapped(asked.file, text, name, *_split(text))


def _split(text: str) -> tuple[str, str | None]:
    """The expression, and the generators behind the `for` that follows it; None if there is no `for`."""
    depth = 0
    for found in re.finditer(r'"[^"]*"|[(\[{]|[)\]}]|\bfor\b', text):
        if found[0] == "for" and depth == 0:
            return text[: found.start()], text[found.end() :]
        depth += (found[0] in "([{") - (found[0] in ")]}")
    return text, None


@dataclass(frozen=True, slots=True)
class _Wrapped:
    """One expression as the declaration that it is read as: the generators on its first line, the rest on
    the second.
    """

    file: str
    text: str
    name: str
    body: str
    after_for: str | None

    def parse(self) -> tuple[s.Bound | None, list[Diagnostic]]:
        if len(self.text) > LONGEST:
            message = (
                f"the expression has {len(self.text)} characters, and the most that is read is {LONGEST}"
            )
            return None, [Diagnostic("R0111", message, Span(self.file, 1, 1, 1, len(self.text) + 1))]
        head = self._before_generators + (self.after_for or "") + ":"
        document, found = parse(f"{head}\n{_BEGINNING}{self.body}) in 0..0\n", self.file)
        placed = [self.placed(d) for d in found]
        if any(d.severity is Severity.ERROR for d in found):
            return None, placed
        match document.declarations:
            case (s.Bound() as only,):
                # Held in itself, so that its unit is nobody else's matter.
                return replace(only, low=only.value, high=only.value), placed
        raise AssertionError("a line and what is indented below it are one declaration")

    @property
    def _before_generators(self) -> str:
        return f"bound {self.name}" if self.after_for is None else f"bound {self.name} for"

    def placed(self, found: Diagnostic) -> Diagnostic:
        """With its places in the text that was given, where they are in the declaration made of it."""
        labels = tuple(replace(one, span=self._place(one.span)) for one in found.labels)
        message = found.message
        if found.span.file == self.file and found.span.line == 1 and found.span.column > self._first_line:
            message = message.replace("found `:`", "found the end")  # what was put behind it is nobody's
        return replace(found, message=message, span=self._place(found.span), labels=labels, breadcrumb=())

    @property
    def _first_line(self) -> int:
        """Columns of the first line before what was put behind it."""
        return len(self._before_generators) + len(self.after_for or "")

    def _place(self, span: Span) -> Span:
        if span.file != self.file:
            return span
        if span.line == 1:
            low, high = len(self.text) - len(self.after_for or ""), len(self.text)
            shift = low - len(self._before_generators)
        else:
            shift, low, high = -len(_BEGINNING), 0, len(self.body)
        if span.end_line == span.line and span.end_column - 1 + shift <= low:
            return Span(self.file, 1, low + 1, 1, high + 1)  # about what was put around it
        start = min(max(span.column - 1 + shift, low), high)
        end = min(max(span.end_column - 1 + shift, start), high) if span.end_line == span.line else high
        return Span(self.file, 1, start + 1, 1, end + 1)


def said(asked: Asked) -> tuple[str, str]:
    """The expression, and its generators ("" if it has none)."""
    body, generators = _split(re.sub(r"\s", " ", asked.text))
    return body.strip(), (generators or "").strip()
