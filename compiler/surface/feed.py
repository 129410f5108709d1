"""Gives the tokens of a line to the parser, each as the word or name that it is where it stands."""

from __future__ import annotations

import re
from typing import Any

from rulespec.compiler.surface.keywords import classify
from rulespec.compiler.surface.layout import Line
from rulespec.compiler.surface.parser import Parser, Snapshot
from rulespec.compiler.surface.scan import Tok, cited
from rulespec.compiler.surface.tree import Name
from rulespec.compiler.surface.trouble import Trouble

# The height of the parser's stack; the deepest tree that `check.py` lets pass needs less.
HIGHEST = 2000


def feed_line(parser: Parser, line: Line, before: Snapshot) -> tuple[tuple[Tok, ...], Trouble | None]:
    """The tokens as they were understood, up to one that cannot stand there; the line began at `before`."""
    tokens: list[Tok] = []
    at = 0
    while at < len(line.tokens):
        kind, size = classify(line.tokens, at, parser.accepts)
        token = line.tokens[at]
        if size == 2:
            token = Tok(kind, kind, token.span.to(line.tokens[at + 1].span))
        elif kind != token.kind:
            token = Tok(kind, token.text, token.span)
        if parser.height > HIGHEST:
            return tuple(tokens), Trouble(line, at, tuple(tokens), frozenset())
        if not parser.feed(kind, _value(token), token.span):
            return tuple(tokens), _trouble(parser, line, at, tokens, before)
        tokens.append(token)
        at += size
    if not parser.feed("NEWLINE", "NEWLINE", None):
        return tuple(tokens), _trouble(parser, line, at, tokens, before)
    return tuple(tokens), None


def _trouble(parser: Parser, line: Line, at: int, tokens: list[Tok], before: Snapshot) -> Trouble:
    """What the parser expected before it met the token that it could not take."""
    parser.restore(before)
    for token in tokens:
        parser.feed(token.kind, _value(token), token.span)
    return Trouble(line, at, tuple(tokens), parser.expected())


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
