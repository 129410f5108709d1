"""Blocks of rules as HTML: highlighted, each name with its anchor or a link to where it is defined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pygments.token import STANDARD_TYPES, Operator, Punctuation, Token, Whitespace, _TokenType

from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.surface import scan
from rulespec.lexer import RulesLexer
from rulespec.reference.names import Definition, Names
from rulespec.site import address
from rulespec.site.anchors import Anchors
from rulespec.site.page import text

# The classes that Pygments has for such names.
_CLASSES = {
    **dict.fromkeys(("rule", "function", "option"), "nf"),
    **dict.fromkeys(("enum", "table", "piece", "currency", "record", "grid"), "nc"),
    **dict.fromkeys(("param", "state variable", "reading", "variant"), "nv"),
    **dict.fromkeys(("member", "row", "meaning"), "no"),
    **dict.fromkeys(("column", "field"), "na"),
    **dict.fromkeys(("invariant", "reachable", "hint", "bound", "scope", "example", "source"), "nl"),
}
_PLAIN = frozenset({Token.Name, Token.Text, Punctuation, Whitespace, Operator})
_DEEPEST = 40  # columns of indentation that wrapped lines follow


@dataclass(frozen=True)
class Marker:
    """Turns lines of one file into HTML. `quotes`: they stand on another page, and hold no anchors."""

    game: str
    file: str
    names: Names
    anchors: Anchors
    quotes: bool = False

    def lines(self, written: Sequence[str], first: int) -> list[str]:
        """Each line as HTML; `first` is the number of the first."""
        rows = [""] * len(written)
        for line, column, sort, value in _tokens(written):
            rows[line] += self._token(value, sort, first + line, column + 1)
        return [_line(row, source) for row, source in zip(rows, written, strict=True)]

    def excerpt(self, written: Sequence[str], first: int) -> str:
        """Lines without what indents them all."""
        indent = min((len(line) - len(line.lstrip(" ")) for line in written if line.strip()), default=0)
        rows = [""] * len(written)
        for line, column, sort, value in _tokens(written):
            if column + len(value) > indent:
                shown = value[max(0, indent - column) :]
                rows[line] += self._token(shown, sort, first + line, max(column, indent) + 1)
        pairs = zip(rows, written, strict=True)
        return "".join(_line(row, source[indent:]) for row, source in pairs)

    def _token(self, value: str, sort: _TokenType, line: int, column: int) -> str:
        if sort in Token.Name.Decorator:
            return self._citation(value)
        span = Span(self.file, line, column, line, column + len(value))
        meaning = self.names.meaning(span)
        if meaning is None:
            return _marked(value, "" if sort in _PLAIN else STANDARD_TYPES.get(sort, ""))
        kind = _CLASSES.get(meaning.sort, "")
        if meaning.span == span and not self.quotes:
            return self._defined(value, kind, meaning)
        return f'<a{_class(kind)} href="{self.anchors.address(meaning)}">{text(value)}</a>'

    def _defined(self, value: str, kind: str, meaning: Definition) -> str:
        """A name where it is defined. That of a rule is its own permanent link, that of a reading leads to
        what each of its meanings changes.
        """
        anchor = self.anchors.by_span[meaning.span]
        head = f'id="{text(anchor)}"{_class(f"{kind} d".strip())}'
        if meaning.sort in ("rule", "function"):
            return f'<a {head} href="#{text(anchor)}">{text(value)}</a>'
        if meaning.sort == "reading" and self.file == self.anchors.main:
            return f'<a {head} href="{address.reading(self.game, meaning.name)}">{text(value)}</a>'
        return f"<span {head}>{text(value)}</span>"

    def _citation(self, value: str) -> str:
        cited = scan.cited(scan.Tok("CITATION", value, NOWHERE))
        to = address.source(self.game, cited)
        return f'<a class="nd" href="{to}">{text(value)}</a>'


def _tokens(written: Sequence[str]) -> Iterator[tuple[int, int, _TokenType, str]]:
    """Line and column from 0, sort and text of each token; none goes over the end of a line."""
    line = column = 0
    for _, sort, value in RulesLexer().get_tokens_unprocessed("\n".join(written)):
        for number, part in enumerate(value.split("\n")):
            if number:
                line, column = line + 1, 0
            if part:
                yield line, column, sort, part
            column += len(part)


def _marked(value: str, kind: str) -> str:
    return f"<span{_class(kind)}>{text(value)}</span>" if kind else text(value)


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _line(row: str, source: str) -> str:
    indent = min(len(source) - len(source.lstrip(" ")), _DEEPEST) // 4
    deep = f" i{indent}" if indent else ""
    return f'<span class="row{deep}">{row}\n</span>'
