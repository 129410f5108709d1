"""A place where a line cannot be read: what stands there, what was understood before, what could stand."""

from __future__ import annotations

from functools import cache

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface.grammar import tables
from rulespec.compiler.surface.layout import Line
from rulespec.compiler.surface.scan import Tok
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Trouble:
    """Token number `at` of `line`, or its end, cannot stand there; `expected` could, after `before`."""

    line: Line
    at: int
    before: tuple[Tok, ...]
    expected: frozenset[str]

    @property
    def found(self) -> str:
        """The text of the offending token, "" at the end of the line."""
        return self.text(self.at)

    @property
    def kind(self) -> str:
        return self.line.tokens[self.at].kind if self.at < len(self.line.tokens) else ""

    @property
    def first(self) -> str:
        return self.line.tokens[0].text

    @property
    def last(self) -> Tok | None:
        """The token before the offending one, as it was understood."""
        return self.before[-1] if self.before else None

    @property
    def place(self) -> Span:
        if self.at < len(self.line.tokens):
            return self.line.tokens[self.at].span
        end = self.line.tokens[-1].span
        return Span(end.file, end.end_line, end.end_column, end.end_line, end.end_column + 1)

    @property
    def begins(self) -> bool:
        """Whether a declaration was expected."""
        return self.at == 0 and self.expected == openings()

    def text(self, at: int) -> str:
        return self.line.tokens[at].text if 0 <= at < len(self.line.tokens) else ""

    def understood(self, *kinds: str) -> bool:
        """Whether the token before the offending one was one of these."""
        return self.last is not None and self.last.kind in kinds


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What to say; `place` is None for that of the trouble."""

    code: str
    message: str
    help: tuple[str, ...] = ()
    place: Span | None = None
    labels: tuple[Label, ...] = ()


@cache
def openings() -> frozenset[str]:
    """All words that begin a declaration."""
    kept = tables()
    return frozenset(kept.actions[kept.start])


# What begins an expression; the grammar says the same, and a test compares.
VALUES = frozenset(
    {
        "NAME",
        "NUMBER",
        "(",
        "[",
        "{",
        "-",
        "not",
        "some",
        "true",
        "false",
        "none",
        "all",
        "any",
        "first",
        "sum",
    }
    | {
        "count",
        "min",
        "max",
        "reading",
        "variant",
        "left of",
        "right of",
        "others of",
        "half up",
        "half down",
    }
    | {"half down", "players from"}
)
STATEMENTS = frozenset(
    {
        "let",
        "var",
        "add",
        "append",
        "remove",
        "move",
        "draw",
        "pay",
        "score",
        "if",
        "else",
        "for",
        "while",
        "repeat",
    }
    | {"stop", "return", "assert", "nothing"}
)
INFIX = frozenset(
    {
        "+",
        "-",
        "*",
        "div",
        "mod",
        "union",
        "minus",
        "intersect",
        "and",
        "or",
        "implies",
        "if",
        "else",
        "where",
        "in",
    }
    | {"=", "!=", "<", "<=", ">", ">=", "not in", "is some", "is none", ".", "..", "(", "["}
)

ARITHMETIC = frozenset({"+", "-", "*", "div", "mod", "union", "minus", "intersect"})

_NAMED = {
    "NAME": "a name", "NUMBER": "a number", "STRING": "text in double quotes", "CITATION": "a citation",
    "NEWLINE": "the end of the line", "DICE": "dice such as `2d6`", "INDENT": "an indented line",
}  # fmt: skip
_NEVER = frozenset({"BAD", "DEDENT"})


def wanted(expected: frozenset[str]) -> str:
    """What could stand, in words: at most four things, the most telling first."""
    left = set(expected) - _NEVER
    said: list[str] = []
    if expected == openings():
        return "a declaration"
    if left >= {"let", "move", "repeat"}:
        return "a statement"
    if left >= {"NAME", "NUMBER", "{"}:
        said, left = ["a value"], left - VALUES - {"draw", "random", "random player", "roll"}
    elif left >= {"NAME", "("} and not left & {"NUMBER", "+"}:
        said, left = ["a type"], left - {"NAME", "("}
    if left >= ARITHMETIC:
        left -= ARITHMETIC | {".", "(", "["}
    if len(left & INFIX) > 3:
        left -= INFIX
    said += [_NAMED.get(kind, f"`{kind}`") for kind in sorted(left, key=_telling)]
    if len(said) > 4:
        return ", ".join(said[:3]) + " or something else"
    return " or ".join([", ".join(said[:-1]), said[-1]] if said[1:] else said or ["an operator"])


def _telling(kind: str) -> tuple[bool, bool, bool, str]:
    return kind not in _NAMED, kind == "NEWLINE", not kind[0].isalpha(), kind


def near(word: str, expected: frozenset[str]) -> str | None:
    """The expected keyword that `word` probably is."""
    from difflib import get_close_matches  # only a mistake needs it, and it is slow to load

    known = [kind for kind in expected if kind[0].islower() and kind != word]
    found = get_close_matches(word.lower(), sorted(known), 1, 0.72) if 1 < len(word) < 40 else []
    return found[0] if found else None
