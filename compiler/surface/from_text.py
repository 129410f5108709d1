"""From the text of a rulebook to its tree. Never raises; goes on after a mistake and reports all it can.

A line that cannot be read is reported once and left out: the parser goes back to where it was before it and
is given BAD instead, or, when lines stand under it, a head of the same kind, so that these are still read in
their place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import literate
from rulespec.compiler.surface.build import ACTIONS
from rulespec.compiler.surface.check import check
from rulespec.compiler.surface.explain import explain
from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.fit import joined
from rulespec.compiler.surface.grammar import tables
from rulespec.compiler.surface.hints import CONTINUES
from rulespec.compiler.surface.keywords import classify
from rulespec.compiler.surface.layout import Line, lay_out, structure
from rulespec.compiler.surface.parser import Parser
from rulespec.compiler.surface.scan import Tok, cited, scan
from rulespec.compiler.surface.tree import Declaration, Document, Expr, Name
from rulespec.compiler.surface.trouble import Trouble, near, openings

LONGEST = 1_000_000

# Heads that stand for one that could not be read, by a word in it. A name fits everywhere, so options come
# last.
_HEADS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"rule"}), "rule NAME :"),
    (frozenset({"table"}), "table NAME :"),
    (frozenset({"enum"}), "enum NAME :"),
    (frozenset({"variant"}), "variant NAME :"),
    (frozenset({"reading"}), "reading NAME :"),
    (frozenset({"state"}), "state :"),
    (frozenset({"scope"}), "scope NAME :"),
    (frozenset({"example"}), "example NAME :"),
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


def parse(text: str, file: str) -> tuple[Document, tuple[Diagnostic, ...]]:
    """The document, as far as it could be read, and what is wrong with it, in the order of the text (at most
    50).

    `text` is Markdown with blocks of rules when `file` ends in `.md`, and all rules otherwise.
    """
    document, found, _ = read(text, file)
    return document, found


@dataclass(frozen=True, slots=True)
class Understood:
    """A line, and its tokens with keywords told from names."""

    line: Line
    tokens: tuple[Tok, ...]


def read(text: str, file: str) -> tuple[Document, tuple[Diagnostic, ...], tuple[Understood, ...]]:
    """As `parse`, with the lines that could be read."""
    found = Findings()
    if len(text) > LONGEST:
        message = f"the file has {len(text)} characters, and the most that is read is {LONGEST}"
        found.add(
            "R0111", message, Span(file, 1, 1, 1, 1), help=("divide it into several files, with `use`",)
        )
        return Document(file, ()), found.finish(), ()
    source = literate.read(text, file)
    found.kept += source.diagnostics
    layout = lay_out(source.text, file, source.blocks, found)
    reader = _Reader(layout.lines, found)
    declarations = reader.declarations()
    for declaration in declarations:
        check(declaration, found)
    document = Document(file, tuple(declarations), tuple(layout.comments), source.headings, source.blocks)
    return document, _with_breadcrumbs(found.finish(), document), tuple(reader.read)


def _with_breadcrumbs(found: Sequence[Diagnostic], document: Document) -> tuple[Diagnostic, ...]:
    return tuple(replace(d, breadcrumb=literate.breadcrumb(document.headings, d.span.line)) for d in found)


def parse_expression(text: str, place: Span) -> tuple[Expr | None, tuple[Diagnostic, ...]]:
    """One expression on one line, which begins where `place` does: for what is written inside a phrase."""
    found = Findings()
    padded = " " * (place.column - 1) + text
    scanned = scan(padded, place.file, place.line, found)
    line = Line(scanned.tokens, 0, scanned.whole, place.line)
    parser = Parser(tables(), ACTIONS, "expr")
    if found.kept or not line.whole:
        return None, found.finish()
    trouble = _feed_line(parser, line, [])
    complete, value = (False, None) if trouble else parser.finish()
    if not complete:
        trouble = trouble or Trouble(line, len(line.tokens), (), parser.expected())
        explain(trouble, found)
        return None, found.finish()
    return value, ()


class _Reader:
    """Reads the lines of a file, declaration by declaration."""

    def __init__(self, lines: Sequence[Line], found: Findings) -> None:
        self.lines = lines
        self.found = found
        self.read: list[Understood] = []
        self.lost = False  # the last line at the left margin was no declaration

    def declarations(self) -> list[Declaration]:
        made: list[Declaration] = []
        at = 0
        while at < len(self.lines):
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
            first = lines[0].tokens[0]
            guess = near(first.text, openings())
            if not self.lost or guess:
                explain(Trouble(lines[0], 0, (), openings()), self.found)
            self.lost = guess is None
            if guess is None:
                return None
            # Read as what was probably meant, so that the lines under it are read too.
            tokens = (Tok("WORD", guess, first.span), *lines[0].tokens[1:])
            reading = _Declaration((replace(lines[0], tokens=tokens), *lines[1:]), self.found, self.read)
        value = reading.run()
        self.lost = reading.bodiless and len(lines) == 1
        return value


class _Declaration:
    """Reads one declaration: its lines, of which the first stands at the left margin."""

    def __init__(self, lines: Sequence[Line], found: Findings, read: list[Understood]) -> None:
        self.lines = lines
        self.found = found
        self.read = read
        self.parser = Parser(tables(), ACTIONS, "declaration")
        self.depth = 0  # of the line before, as the parser knows it
        self.raised: list[int] = []  # depths that the parser does not know, as they were not expected
        self.bodiless = False  # a head was without its lines

    def begins(self) -> bool:
        """Whether the first line can begin a declaration; one that could not be read might."""
        kind, _ = classify(self.lines[0].tokens, 0, self.parser.accepts)
        return not self.lines[0].whole or self.parser.accepts(kind)

    def run(self) -> Declaration | None:
        at = 0
        while at < len(self.lines):
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
        trouble = None
        if line.whole:
            tokens: list[Tok] = []
            trouble = _feed_line(self.parser, line, tokens) or self._end(line, tokens)
            if trouble is None:
                self.read.append(Understood(line, tuple(tokens)))
                return at + 1
            explain(trouble, self.found)
        self.parser.restore(before)
        return self._repair(at)

    def _raise(self, line: Line) -> None:
        """Reads a line that is too deep as if it were as deep as the line above."""
        if line.tokens[0].text not in CONTINUES:
            message = "this line is indented deeper than the one above, which has nothing under it"
            help = ("give it the indentation of the line above",)
            self.found.add("R0109", message, line.tokens[0].span, help=help)
        self.raised.append(line.depth)

    def _end(self, line: Line, tokens: Sequence[Tok]) -> Trouble | None:
        if self.parser.accepts("NEWLINE"):
            self.parser.feed("NEWLINE", "NEWLINE", None)
            return None
        return Trouble(line, len(line.tokens), tuple(tokens), self.parser.expected())

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
        if not self.parser.accepts("BAD"):
            return None
        self.parser.feed("BAD", "BAD", None)
        return after if self.parser.feed("NEWLINE", "NEWLINE", None) else None

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


def _feed_line(parser: Parser, line: Line, tokens: list[Tok]) -> Trouble | None:
    """Feeds the tokens of a line, and lists them as they were understood."""
    at = 0
    while at < len(line.tokens):
        kind, size = classify(line.tokens, at, parser.accepts)
        token = line.tokens[at]
        if size == 2:
            token = Tok(kind, kind, token.span.to(line.tokens[at + 1].span))
        elif kind != token.kind:
            token = Tok(kind, token.text, token.span)
        if not parser.accepts(kind):
            return Trouble(line, at, tuple(tokens), parser.expected())
        parser.feed(kind, _value(token), token.span)
        tokens.append(token)
        at += size
    return None


def _value(token: Tok) -> Any:
    """What the builder gets for a token."""
    match token.kind:
        case "NAME":
            return Name(token.text, token.span)
        case "NUMBER":
            return int(token.text)
        case "DICE":
            dice, _, sides = token.text.partition("d")
            return int(dice), int(sides)
        case "STRING":
            return re.sub(r'\\(["\\])', r"\1", token.text[1:-1])
        case "CITATION":
            return cited(token)
    return token.kind


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
