"""Places in a source text: every tree node, typed node and piece of core carries one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open stretch of one file; lines and columns count from 1, `end_column` is just past the end."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of `other`."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


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

    def __str__(self) -> str:
        parts = (str(a) if a == b else f"{a}..{b}" for a, b in self.lines)
        own = f"@{self.source}({', '.join(parts)})" if self.lines else f"@{self.source}"
        return " ".join((own, *map(str, self.also)))
