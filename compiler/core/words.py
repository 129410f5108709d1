"""The words of core's text form: how names and strings are written, and the text cut into tokens."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from rulespec.compiler.values import dataclass

# Words that a name would be mistaken for where names can stand.
_WORDS = """
    all and any bounded branch chance check choose control count counted div else end enter false for goto
    hidden if in inside keeps let local loop max measure min mod not of option or private seat secret seen
    sum switch then to true unless weight when where within
    """
KEYWORDS = frozenset(_WORDS.split())

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*")
_DIGITS = re.compile(r"[0-9]+")
_TOKEN = re.compile(
    r"""(?P<space>[ ]+) | (?P<comment>\#.*)
      | (?P<string>"(?:[^"\\]|\\.)*") | (?P<quoted>`(?:[^`\\]|\\.)*`)
      | (?P<span>![0-9]+:[0-9]+:[0-9]+-(?:[0-9]+:)?[0-9]+)
      | (?P<number>[0-9]+) | (?P<word>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)
      | (?P<mark>:=|\.\.|!=|<=|>=|[-<>=+*()\[\],:;@$])""",
    re.VERBOSE,
)


class CoreTextError(ValueError):
    """Text that is not core's text form; says the line."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}")


def name(text: str) -> str:
    """A name as it is written: bare where that is not mistaken for something else, otherwise in backticks."""
    if _PLAIN.fullmatch(text) and text not in KEYWORDS:
        return text
    return "`" + json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("`", "\\u0060") + "`"


def member(text: str) -> str:
    """The name of a domain's value: there digits and any word are bare too."""
    return text if _DIGITS.fullmatch(text) or _PLAIN.fullmatch(text) else name(text)


def string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Token:
    """`kind`: `word` (bare), `name` (was in backticks), `string`, `number`, `span` or `mark`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A logical line: what stands in brackets may go on over several lines of text."""

    number: int
    indent: int
    tokens: tuple[Token, ...]


class Place(NamedTuple):
    """A token, or the space between two, and where in its line it stands."""

    at: int
    text: str


def token_spans(line: str) -> list[Place]:
    """All that a line consists of, spaces too."""
    return [Place(found.start(), found.group()) for found in _TOKEN.finditer(line)]


def _unquote(text: str, line: int) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        raise CoreTextError(line, f"{text} is not well written") from None
    return str(value)


def _token(kind: str, text: str, line: int) -> Token:
    match kind:
        case "string":
            return Token("string", _unquote(text, line))
        case "quoted":
            return Token("name", _unquote('"' + text[1:-1].replace('"', '\\"') + '"', line))
        case _:
            return Token(kind, text)


def lines(text: str) -> list[Line]:
    """The logical lines; empty lines and comments (`#`) are left out."""
    result: list[Line] = []
    pending: list[Token] = []
    known: dict[str, Token] = {}  # most words stand in a core many times
    first, indent, depth = 0, 0, 0
    # Only \n ends a line: strings may hold the other characters that `splitlines` would break at.
    for number, raw in enumerate(text.split("\n"), 1):
        position = len(raw) - len(raw.lstrip(" "))
        if not pending:
            first, indent = number, position
        while position < len(raw):
            if raw[position] == " ":
                position += 1
                continue
            found = _TOKEN.match(raw, position)
            if not found:
                raise CoreTextError(number, f"cannot read {raw[position : position + 20]!r}")
            position = found.end()
            if found.lastgroup == "comment":
                continue
            said = found.group()
            token = known.get(said)
            if token is None:
                token = known[said] = _token(found.lastgroup or "", said, number)
            pending.append(token)
            if token.kind == "mark":
                depth += (said in "([") - (said in ")]")
        if pending and depth <= 0:
            result.append(Line(first, indent, tuple(pending)))
            pending, depth = [], 0
    if pending:
        raise CoreTextError(first, "a bracket is not closed")
    return result
