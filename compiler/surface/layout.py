"""From rules text to lines: what stands in one pair of brackets is one line, and each knows how deep it is.

A line ends inside brackets when the next one is not indented deeper than its first and does not begin with a
closing bracket. So a bracket that was never closed costs one line, not the rest of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.scan import MOST_TOKENS, Scanned, Tok, scan, too_long
from rulespec.compiler.surface.tree import Comment
from rulespec.compiler.values import dataclass

DEEPEST_BRACKETS = 60
DEEPEST_LINES = 40
MOST = 50_000  # words, signs and lines of all files together; the largest rulebook so far has a sixth of it
_HEADS = frozenset({"if", "else", "for", "while"})
_CLOSES = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line. `depth` counts the lines it stands under; `whole`: it could be read to its end."""

    tokens: tuple[Tok, ...]
    depth: int
    whole: bool
    last: int  # its last line in the file


@dataclass
class Layout:
    """All lines of a file, block by block, and the comments; `size` counts words, signs and lines."""

    lines: list[Line] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    size: int = 0


def lay_out(text: str, file: str, blocks: Sequence[tuple[int, int]], room: int, found: Findings) -> Layout:
    """Reads the lines of each block; indentation starts anew in each. No more than `room` allows for."""
    layout = Layout()
    rows = text.split("\n")
    for first, last in blocks:
        reader = _Block(file, layout, found)
        for number in range(first, last + 1):
            if found.full or layout.size > room:
                break
            reader.read(rows[number - 1].rstrip("\r"), number)
            if layout.size > room:
                _too_much(file, number, found)
        reader.finish()
    if layout.size > room:
        _drop_last(layout.lines)
    return layout


def _drop_last(lines: list[Line]) -> None:
    """Without the last declaration, which is not whole."""
    while lines and lines.pop().depth:
        pass


def _too_much(file: str, number: int, found: Findings) -> None:
    message = f"the rules have more than {MOST} words, signs and lines, and the rest is not read"
    help = ("what is alike can be one rule with a parameter, or the rows of a table",)
    found.add("R0128", message, Span(file, number, 1, number, 2), help=help)


class _Block:
    """Reads one block; `levels` are the columns of the lines that the present one stands under."""

    def __init__(self, file: str, layout: Layout, found: Findings) -> None:
        self.file = file
        self.found = found
        self.layout = layout
        self.levels: list[int] = []
        self.open: list[Tok] = []  # brackets
        self.tokens: list[Tok] = []
        self.indent = 0
        self.whole = True
        self.tabs = False
        self.odd = -1  # the column of a line that was reported, as it is that of no level

    def read(self, row: str, number: int) -> None:
        text = row.lstrip(" \t")
        if not text:
            return
        indent = len(row) - len(text)
        scanned = scan(row, self.file, number, self.found)
        self.layout.size += len(scanned.tokens) + 1
        if scanned.tokens or not scanned.whole:
            if "\t" in row[:indent]:
                self._tab(row, number, indent)
                indent = len(row[:indent].expandtabs(4))
            if self.open and indent <= self.indent and not self._closing(scanned):
                self._unclosed()
            if not self.open:
                self._end_line()
                self.indent = indent
        if scanned.comment:
            self.layout.comments.append(scanned.comment)
        self.whole = self.whole and scanned.whole
        for token in scanned.tokens:
            self._take(token)
        if self.open and self._announces():
            self._unclosed()
        if not self.open:
            self._end_line()

    def finish(self) -> None:
        if self.open:
            self._unclosed()
        self._end_line()

    def _announces(self) -> bool:
        """Whether the row ends in a colon that is no part of what stands in the open bracket."""
        opened = self.open[-1]
        if opened.kind == "{" or self.tokens[-1].kind != ":":
            return False
        names_a_part = len(self.tokens) > 2 and self.tokens[-3].kind in ("(", ",")
        if names_a_part and self.tokens[0].text not in _HEADS:
            return False
        for token in reversed(self.tokens):
            if token.text in ("all", "any"):
                return False
            if token is opened:
                break
        return True

    def _closing(self, scanned: Scanned) -> bool:
        return bool(scanned.tokens) and scanned.tokens[0].kind in _CLOSES.values()

    def _tab(self, row: str, number: int, indent: int) -> None:
        if not self.tabs:
            column = row.index("\t") + 1
            span = Span(self.file, number, column, number, indent + 1)
            help = ("indent with spaces only, four for each level",)
            self.found.add("R0101", "a tab stands in the indentation", span, help=help)
        self.tabs = True

    def _take(self, token: Tok) -> None:
        if len(self.tokens) == MOST_TOKENS:
            if self.whole:
                too_long(token.span, self.found)
            self.whole = False
            return
        if token.kind in _CLOSES:
            self.open.append(token)
            if len(self.open) == DEEPEST_BRACKETS + 1:
                help = ("name the inner parts with `let` or `function`",)
                message = f"brackets are nested more than {DEEPEST_BRACKETS} deep"
                self.found.add("R0107", message, token.span, help=help)
                self.whole = False
        elif token.kind in _CLOSES.values() and not self._close(token):
            return
        self.tokens.append(token)

    def _close(self, token: Tok) -> bool:
        if not self.open:
            message = f"`{token.kind}` closes nothing"
            self.found.add("R0104", message, token.span)
            return False
        opened = self.open.pop()
        if _CLOSES[opened.kind] != token.kind:
            message = f"`{token.kind}` does not close `{opened.kind}`"
            label = Label(opened.span, "opened here")
            help = (f"write `{_CLOSES[opened.kind]}`",)
            self.found.add("R0104", message, token.span, label, help=help)
            self.whole = False
        return True

    def _unclosed(self) -> None:
        """Reports the innermost open bracket, unless something else is known to be wrong with the line."""
        if self.whole:
            self._report_unclosed()
        self.open.clear()
        self.whole = False

    def _report_unclosed(self) -> None:
        opened = self.open[-1]
        help = (
            f"close it with `{_CLOSES[opened.kind]}`",
            "a line that goes on inside brackets is indented deeper than the one where it begins",
        )
        message = f"this `{opened.kind}` is not closed"
        self.found.add("R0103", message, opened.span, help=help)

    def _end_line(self) -> None:
        tokens = tuple(self.tokens)
        if tokens:
            depth = self._depth(tokens[0].span)
            whole = self.whole and depth <= DEEPEST_LINES
            self.layout.lines.append(Line(tokens, min(depth, DEEPEST_LINES), whole, tokens[-1].span.line))
        self.tokens.clear()
        self.whole = True

    def _depth(self, place: Span) -> int:
        column, levels = self.indent, self.levels
        if column == self.odd:
            return len(levels) - 1
        self.odd = -1
        if not levels or column > levels[-1]:
            levels.append(column)
            if len(levels) == DEEPEST_LINES + 2:
                message = f"lines are indented more than {DEEPEST_LINES} levels deep"
                help = ("make a rule of the inner lines",)
                self.found.add("R0120", message, place, help=help)
            return len(levels) - 1
        while len(levels) > 1 and levels[-1] > column:
            levels.pop()
        if levels[-1] < column:
            self.odd = column
            at = Span(place.file, place.line, 1, place.line, place.column)
            message = "this indentation is that of no line above"
            less, more = levels[-1], levels[-1] + 4
            help = (f"indent it by {less} spaces, or by {more} to put it under the line above",)
            self.found.add("R0108", message, at, help=help)
        elif levels[-1] > column:
            levels[0] = column
        return len(levels) - 1


def structure(before: int, after: int) -> Iterator[str]:
    """The layout terminals between two lines of these depths."""
    if after > before:
        yield "INDENT"
    for _ in range(before - after):
        yield "DEDENT"
