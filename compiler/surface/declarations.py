"""From lines to declarations, going on after what cannot be read.

A line that cannot be read is reported once and left out: the parser goes back to where it was before it and
is given BAD instead, or, when lines stand under it, a head of the same kind, so that these are still read in
their place. So one mistake hides no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulespec.compiler.spans import Span
from rulespec.compiler.surface.build import ACTIONS
from rulespec.compiler.surface.explain import explain
from rulespec.compiler.surface.feed import feed_line
from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.fit import joined
from rulespec.compiler.surface.grammar import tables
from rulespec.compiler.surface.hints import CONTINUES
from rulespec.compiler.surface.keywords import classify
from rulespec.compiler.surface.layout import Line, structure
from rulespec.compiler.surface.parser import Parser
from rulespec.compiler.surface.scan import Tok
from rulespec.compiler.surface.tree import Declaration, Name
from rulespec.compiler.surface.trouble import STATEMENTS, Trouble, near, openings
from rulespec.compiler.values import dataclass

PATIENCE = 100  # after so many lines that are no declarations, no more is guessed of them

# Heads that stand for one that could not be read, by a word in it. A name fits everywhere: it comes last.
_HEADS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"rule"}), "rule NAME :"),
    (frozenset({"table"}), "table NAME :"),
    (frozenset({"enum"}), "enum NAME :"),
    (frozenset({"variant"}), "variant NAME :"),
    (frozenset({"reading"}), "reading NAME :"),
    (frozenset({"state"}), "state :"),
    (frozenset({"scope"}), "scope NAME :"),
    (frozenset({"example"}), "example NAME :"),
    (frozenset({"aside"}), "aside :"),
    (frozenset({"when"}), "when players = NUMBER :"),
    (frozenset({"when"}), "when :"),
    (frozenset({"given"}), "given :"),
    (frozenset({"then"}), "then :"),
    (frozenset({"per"}), "per_player :"),
    (frozenset({"assumed"}), "assumed STRING :"),
    (frozenset({"else", "elif", "elsif", "elseif"}), "else :"),
    (frozenset({"if"}), "if true :"),
    (frozenset({"for"}), "for NAME in NAME :"),
    (frozenset({"while"}), "while true :"),
    (frozenset({"repeat"}), "repeat :"),
    (frozenset({"once"}), "all_players NAME at_once :"),
    (frozenset({"chooses", "choose"}), "NAME chooses :"),
    (frozenset(), "NAME :"),
)


@dataclass(frozen=True, slots=True)
class Understood:
    """A line, and its tokens with keywords told from names."""

    line: Line
    tokens: tuple[Tok, ...]


def declarations(lines: Sequence[Line], found: Findings) -> tuple[list[Declaration], list[Understood]]:
    """All declarations that could be read, and all lines that could."""
    reader = _Reader(lines, found)
    return reader.declarations(), reader.read


class _Reader:
    """Reads the lines of a file, declaration by declaration."""

    def __init__(self, lines: Sequence[Line], found: Findings) -> None:
        self.lines = lines
        self.found = found
        self.read: list[Understood] = []
        self.lost = 0  # so many lines at the left margin, up to the last, were no declarations

    def declarations(self) -> list[Declaration]:
        made: list[Declaration] = []
        at = 0
        while at < len(self.lines) and not self.found.full:
            end = at + 1
            while end < len(self.lines) and self.lines[end].depth > 0:
                end += 1
            declaration = self._declaration(self.lines[at:end])
            if declaration is not None:
                made.append(declaration)
            at = end
        return made

    def _declaration(self, lines: Sequence[Line]) -> Declaration | None:
        reading = _Declaration(lines, self.found, self.read)
        if not reading.begins():
            guess = self._guess(lines[0])
            if not self.lost or guess:
                explain(Trouble(lines[0], 0, (), openings()), self.found)
            if guess is None:
                self.lost += 1
                return None
            reading = _Declaration((guess, *lines[1:]), self.found, self.read)
        value = reading.run()
        self.lost = int(reading.bodiless and len(lines) == 1)
        return value

    def _guess(self, line: Line) -> Line | None:
        """The line as it was probably meant, so that those under it are read too."""
        first = line.tokens[0]
        if first.text in STATEMENTS or self.lost > PATIENCE:
            return None
        guess = near(first.text, openings())
        return replace(line, tokens=(Tok("WORD", guess, first.span), *line.tokens[1:])) if guess else None


class _Declaration:
    """Reads one declaration: its lines, of which the first stands at the left margin."""

    def __init__(self, lines: Sequence[Line], found: Findings, read: list[Understood]) -> None:
        self.lines = lines
        self.found = found
        self.read = read
        self.parser = Parser(tables(), ACTIONS)
        self.depth = 0  # of the line before, as the parser knows it
        self.raised: list[int] = []  # depths that the parser does not know, as they were not expected
        self.bodiless = False  # a head was without its lines

    def begins(self) -> bool:
        """Whether the first line can begin a declaration; one that could not be read might."""
        kind, _ = classify(self.lines[0].tokens, 0, self.parser.accepts)
        return not self.lines[0].whole or self.parser.accepts(kind)

    def run(self) -> Declaration | None:
        at = 0
        while at < len(self.lines) and not self.found.full:
            after = self._line(at)
            if after is None:
                return None
            at = after
        if not self._close(0, self.lines[-1]):
            return None
        complete, value = self.parser.finish()
        return value if complete else None

    def _line(self, at: int) -> int | None:
        """Reads line `at` and gives the next one; None when the rest of the declaration cannot be read."""
        line = self.lines[at]
        while self.raised and line.depth < self.raised[-1]:
            self.raised.pop()
        depth = line.depth - len(self.raised)
        if depth > self.depth and not self.parser.accepts("INDENT"):
            self._raise(line)
            depth -= 1
        if depth <= self.depth and at and not self._close(depth, self.lines[at - 1]):
            return None
        if depth > self.depth:
            self.parser.feed("INDENT", "INDENT", None)
        self.depth = depth
        before = self.parser.snapshot()
        if line.whole:
            tokens, trouble = feed_line(self.parser, line, before)
            if trouble is None:
                self.read.append(Understood(line, tokens))
                return at + 1
            explain(trouble, self.found)
            if not trouble.expected and not tokens:
                return None
        self.parser.restore(before)
        return self._repair(at)

    def _raise(self, line: Line) -> None:
        """Reads a line that is too deep as if it were as deep as the line above."""
        if line.tokens[0].text not in CONTINUES:
            message = "this line is indented deeper than the one above, which has nothing under it"
            help = ("give it the indentation of the line above",)
            self.found.add("R0109", message, line.tokens[0].span, help=help)
        self.raised.append(line.depth)

    def _close(self, depth: int, head: Line) -> bool:
        """Ends the lines that are deeper than `depth`; False when the declaration cannot go on."""
        if self.parser.accepts("INDENT"):
            self._without_body(head)
            if not self._fill():
                return False
            self.parser.feed("DEDENT", "DEDENT", None)
        for kind in structure(self.depth, depth):
            if not self.parser.accepts(kind):
                return False
            self.parser.feed(kind, kind, None)
        self.depth = depth
        return True

    def _without_body(self, head: Line) -> None:
        message = f"nothing stands under `{_shown(head)}`"
        help = ("indent the lines that belong to it by four spaces more",)
        self.found.add("R0110", message, head.tokens[0].span.to(head.tokens[-1].span), help=help)
        self.bodiless = True

    def _fill(self) -> bool:
        fed = self.parser.feed("INDENT", "INDENT", None) and self.parser.feed("BAD", "BAD", None)
        return fed and self.parser.feed("NEWLINE", "NEWLINE", None)

    def _repair(self, at: int) -> int | None:
        """Puts something in the place of line `at`; gives the next line to read."""
        line = self.lines[at]
        after = at + 1
        if after < len(self.lines) and self.lines[after].depth > line.depth and self._head(line):
            return after
        while after < len(self.lines) and self.lines[after].depth > line.depth:
            after += 1
        if self._goes_on(after, line) and self._head(line) and self._fill():
            return after if self.parser.feed("DEDENT", "DEDENT", None) else None
        if not self.parser.accepts("BAD"):
            return None
        self.parser.feed("BAD", "BAD", None)
        return after if self.parser.feed("NEWLINE", "NEWLINE", None) else None

    def _goes_on(self, after: int, line: Line) -> bool:
        """Whether the next line is an `else` that needs an `if` before it."""
        return (
            after < len(self.lines)
            and self.lines[after].depth == line.depth
            and self.lines[after].tokens[0].text == "else"
        )

    def _head(self, line: Line) -> bool:
        """Tries to put a head of the kind that `line` seems to be."""
        words = {token.text for token in line.tokens}
        before = self.parser.snapshot()
        for marks, head in _HEADS:
            if marks and not marks & words:
                continue
            kinds = [kind.replace("_", " ") for kind in head.split()]
            place = line.tokens[0].span
            fed = all(self.parser.feed(kind, _stand_in(kind, place), place) for kind in kinds)
            if fed and self.parser.feed("NEWLINE", "NEWLINE", None) and self.parser.accepts("INDENT"):
                return True
            self.parser.restore(before)
        return False


def _stand_in(kind: str, place: Span) -> Any:
    match kind:
        case "NAME":
            return Name("it", place)
        case "NUMBER":
            return 1
        case "STRING":
            return ""
    return kind


def _shown(line: Line) -> str:
    words = joined(line.tokens[:4])
    return words if len(line.tokens) <= 4 else words + " ..."
