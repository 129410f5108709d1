"""The one place where findings become text: the message, its place with the source around it, labels and
advice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from unicodedata import category, east_asian_width

from rulespec.compiler.diagnostics import Diagnostic, Label, Severity
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import literate
from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.tree import Heading
from rulespec.compiler.values import dataclass

WIDTH = 110  # of the source that is shown; longer lines are cut around the place
SENTENCE = 500  # of a message or a piece of advice

_COLORS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "quiet": "\x1b[34m",
    "bold": "\x1b[1m",
    "help": "\x1b[36m",
}
_PLAIN = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class _Mark:
    """A place on one line: columns from `start` to before `end`, and what to say about it."""

    start: int
    end: int
    text: str
    main: bool


def render(diagnostics: Sequence[Diagnostic], sources: Mapping[str, str], color: bool) -> str:
    """All findings, one after the other with an empty line between; `sources` holds the text of each file by
    name.
    """
    cut = {file: text.removeprefix("\ufeff").split("\n") for file, text in sources.items()}
    return "\n".join(_one(d, cut, sources, color) for d in diagnostics)


def as_json(diagnostic: Diagnostic, sources: Mapping[str, str]) -> dict[str, object]:
    """The finding for machines; lines and columns count from 1, the end column is just past the end.

    `sources` are as for `render`.
    """
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **_place(diagnostic.span),
        "breadcrumb": list(_breadcrumb(diagnostic, sources)),
        "labels": [{**_place(label.span), "text": label.text} for label in diagnostic.labels],
        "help": list(diagnostic.help),
    }


def _place(span: Span) -> dict[str, object]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _one(d: Diagnostic, cut: Mapping[str, Sequence[str]], sources: Mapping[str, str], color: bool) -> str:
    main = Label(d.span) if not any(label.span == d.span for label in d.labels) else None
    labels = [*([main] if main else []), *d.labels]
    width = max((len(str(label.span.line)) for label in labels), default=1)
    lines = [
        _painted(f"{d.severity.value}[{d.code}]", d.severity.value, color)
        + _painted(f": {_cut(d.message)}", "bold", color)
    ]
    if d.span.line:
        lines.append(_quiet(" " * width + "--> ", color) + f"{d.span.file}:{d.span.line}:{d.span.column}")
    breadcrumb = _breadcrumb(d, sources)
    if breadcrumb:
        lines.append(" " * width + "    in " + " > ".join(breadcrumb))
    for file in dict.fromkeys(label.span.file for label in labels):
        if file != d.span.file:
            lines.append(_quiet(" " * width + "::: ", color) + file)
        if file in cut:
            lines += _excerpt(
                [label for label in labels if label.span.file == file], d, cut[file], width, color
            )
    advice = _quiet(" " * width + " = ", color) + _painted("help", "help", color)
    lines += [f"{advice}: {_cut(text)}" for text in d.help]
    return "\n".join(lines) + "\n"


def _breadcrumb(d: Diagnostic, sources: Mapping[str, str]) -> tuple[str, ...]:
    """The headings above the place; who finds something in core knows of none."""
    file = d.span.file
    if d.breadcrumb or file not in sources or not file.endswith(".md"):
        return d.breadcrumb
    return literate.breadcrumb(_headings(sources[file], file), d.span.line)


@lru_cache(maxsize=1)
def _headings(text: str, file: str) -> tuple[Heading, ...]:
    """Kept for the next finding, which most likely is in the same file."""
    return literate.read(text, file, Findings()).headings


def _excerpt(
    labels: Sequence[Label], d: Diagnostic, rows: Sequence[str], width: int, color: bool
) -> list[str]:
    """The lines where the labels stand, with marks below; `...` where lines are left out."""
    kind = "error" if d.severity is Severity.ERROR else "warning"
    margin = _quiet(" " * width + " |", color)
    lines = [margin]
    before = 0
    for number in sorted({label.span.line for label in labels if 0 < label.span.line <= len(rows)}):
        if before and number == before + 2:
            lines.append(_row(before + 1, rows[before], 0, width, color))
        elif before and number > before + 1:
            lines.append(_quiet("...", color))
        row = rows[number - 1].rstrip("\r")
        marks = sorted(_marks(labels, d, number, row), key=lambda mark: (not mark.main, -mark.start))
        shift = _shift(row, marks)
        lines.append(_row(number, row, shift, width, color))
        lines += [f"{margin} {_marked(mark, row, shift, kind, color)}" for mark in marks]
        before = number
    return [*lines, margin] if len(lines) > 1 and d.help else lines if len(lines) > 1 else []


def _marks(labels: Sequence[Label], d: Diagnostic, number: int, row: str) -> list[_Mark]:
    found = []
    for label in labels:
        span = label.span
        if span.line == number:
            end = span.end_column if span.end_line == span.line else len(row) + 1
            found.append(_Mark(span.column, max(end, span.column + 1), label.text, span == d.span))
    return found


def _shift(row: str, marks: Sequence[_Mark]) -> int:
    """How many characters are left out at the start of a long line, so that its first mark is seen."""
    first = min(mark.start for mark in marks)
    return 0 if len(row) <= WIDTH or first <= WIDTH - 30 else first - 40


def _row(number: int, row: str, shift: int, width: int, color: bool) -> str:
    text = _shown(row[shift : shift + WIDTH])
    text = ("..." + text[3:] if shift else text) + ("..." if len(row) > shift + WIDTH else "")
    return (_quiet(f"{number:>{width}} |", color) + f" {text}").rstrip()


def _marked(mark: _Mark, row: str, shift: int, kind: str, color: bool) -> str:
    before = row[shift : mark.start - 1].ljust(mark.start - 1 - shift)
    under = row[mark.start - 1 : min(mark.end - 1, shift + WIDTH)]
    sign = "^" if mark.main else "-"
    signs = sign * max(1, _columns(under))
    text = f"{signs} {mark.text}" if mark.text else signs
    return " " * _columns(before) + _painted(text, kind if mark.main else "quiet", color)


def _columns(text: str) -> int:
    """How many columns of a terminal `_shown(text)` takes."""
    return sum(2 if east_asian_width(char) in "WF" else 0 if category(char) == "Mn" else 1 for char in text)


def _shown(text: str) -> str:
    """Source text is not trusted: what could steer a terminal is not sent to it."""
    return "".join(
        char if char.isprintable() else " " if char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in text
    )


def _cut(text: str) -> str:
    """A sentence that may quote the source: shown like it, and without the middle of what is far too long."""
    shown = _shown(text)
    return shown if len(shown) <= SENTENCE else f"{shown[: SENTENCE - 60]} ... {shown[-50:]}"


def _quiet(text: str, color: bool) -> str:
    return _painted(text, "quiet", color)


def _painted(text: str, kind: str, color: bool) -> str:
    return f"{_COLORS[kind]}{text}{_PLAIN}" if color else text
