"""Places in a source text: every tree node, typed node and piece of core carries one."""

from __future__ import annotations

from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of one file; lines and columns count from 1, `end_column` is just past the end."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __lt__(self, other: Span) -> bool:
        """Whether it begins earlier, or ends earlier where both begin at the same place."""
        return _place(self) < _place(other)

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of `other`."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


def _place(span: Span) -> tuple[str, int, int, int, int]:
    return span.file, span.line, span.column, span.end_line, span.end_column


NOWHERE = Span("", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Citation:
    """`@rb(39..49, 61)`: a source document and the lines of it that say so; `also` are those written after
    it.
    """

    source: str
    lines: tuple[tuple[int, int], ...]
    span: Span = NOWHERE
    also: tuple[Citation, ...] = ()

    @property
    def alone(self) -> str:
        """As it is written, without those after it."""
        parts = (str(a) if a == b else f"{a}..{b}" for a, b in self.lines)
        return f"@{self.source}({', '.join(parts)})" if self.lines else f"@{self.source}"

    def __str__(self) -> str:
        return " ".join((self.alone, *map(str, self.also)))
