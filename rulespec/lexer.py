"""The rules language for Pygments: in this site's pages, in any Markdown with a fence `rules`, and in
editors.

A word of the language is a name wherever the grammar has no use for it, so what is highlighted as a keyword
here is a good guess from the words beside it. Where the tree is at hand (`site/code.py`), it corrects the
guess.
"""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

# Declarations that begin a line and are followed by their name: what the name is highlighted as.
CALLABLE = ("rule", "function")
TYPES = ("enum", "currency", "piece", "record", "table", "grid")
CLAIMS = ("invariant", "reachable", "hint", "bound", "scope", "example", "variant", "reading", "param")
HEADS = (*CALLABLE, *TYPES, *CLAIMS, "game", "source")
BARE_HEADS = ("aside", "use", r"players(?=[ \t]+[0-9])", "state", "ranking", "when")

STATEMENTS = (
    *("let", "var", "add", "append", "remove", "move", "draw", "pay", "score", "if", "else", "for", "while"),
    *("repeat", "stop", "return", "assert", "nothing", "decreasing", "keeps", "requires", "ensures"),
    *("given", "run", "then", "chance", "columns"),
)
PHRASES = (
    *("per player", "order by", "may choose", "all players", "at once", "up to", "is some", "is none"),
    *("seen by", "left of", "right of", "others of", "half up", "half down", "players from"),
    *("random player", "not in"),
)
WORDS = (
    *("where", "in", "is", "from", "to", "of", "by", "chooses", "each", "lines", "default", "assumed"),
    *("unless", "open", "private", "hidden", "unlimited", "descending", "includes", "cannot", "may"),
    *("random", "roll", "reading", "variant", "when", "first", "all", "any", "some"),
)
OPERATORS = ("and", "or", "not", "implies", "div", "mod", "union", "minus", "intersect")
CONSTANTS = ("true", "false", "none")
ASIDES = ("heading", "flavor", "component", "example", "repeat", "outside")
BUILT_IN_TYPES = ("Bool", "Int", "Player", "money", "points", "Set", "Bag", "Map", "Deck", "List")
BUILT_IN = ("size", "min", "max", "abs", "sum", "count")

NAME = r"[A-Za-z][A-Za-z0-9_]*(?!\w)"
_WORD_ENDS = r"(?![A-Za-z0-9_])"


_READING_IS = bygroups(Keyword, Whitespace, Name.Variable, Whitespace, Keyword, Whitespace, Name.Constant)


class RulesLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Highlights the rules language."""

    name = "rulespec rules"
    aliases: ClassVar[list[str]] = ["rules", "rulespec"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    mimetypes: ClassVar[list[str]] = ["text/x-rulespec"]
    url = ""

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (
                rf"^({'|'.join(CALLABLE)})([ \t]+)({NAME})",
                bygroups(Keyword.Declaration, Whitespace, Name.Function),
            ),
            (
                rf"^({'|'.join(TYPES)})([ \t]+)({NAME})",
                bygroups(Keyword.Declaration, Whitespace, Name.Class),
            ),
            (
                rf"^({'|'.join((*CLAIMS, 'game', 'source'))})([ \t]+)({NAME})",
                bygroups(Keyword.Declaration, Whitespace, Name.Variable),
            ),
            (rf"^({'|'.join(BARE_HEADS)}){_WORD_ENDS}", Keyword.Declaration),
            (rf"(?:{'|'.join(ASIDES)})(?=[ \t]+[\"@])", Keyword),
            (r"[ \t]+", Whitespace),
            (r"\r?\n", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String.Double),
            (r"@[A-Za-z][A-Za-z0-9_]*(?: ?\([^()\"\n]*\))?", Name.Decorator),
            (r"[0-9]+d[0-9]+(?![A-Za-z0-9_])", Number.Other),
            (r"([0-9]+)([ \t]+)(x)(?=[ \t]+[0-9])", bygroups(Number.Integer, Whitespace, Keyword)),
            (r"[0-9]+(?!\w)", Number.Integer),
            (rf"(\.)({NAME})", bygroups(Punctuation, Name.Attribute)),
            (words(PHRASES, suffix=_WORD_ENDS), Keyword),
            (rf"(reading)([ \t]+)({NAME})([ \t]+)(is)([ \t]+)({NAME})", _READING_IS),
            (rf"({'|'.join(BUILT_IN)})(?=\()", Name.Builtin),
            (rf"(?:{'|'.join(BUILT_IN_TYPES)}){_WORD_ENDS}", Keyword.Type),
            (words(OPERATORS, suffix=_WORD_ENDS), Operator.Word),
            (words(CONSTANTS, suffix=_WORD_ENDS), Keyword.Constant),
            (words((*STATEMENTS, *WORDS), suffix=_WORD_ENDS), Keyword),
            (r"p[0-9]{1,3}(?!\w)", Name.Builtin.Pseudo),
            (rf"({NAME})(?=\()", Name.Function),
            (NAME, Name),
            (r":=|\+=|-=|->|!=|<=|>=|\.\.|[=<>+\-*?]", Operator),
            (r"[:,.(){}\[\]]", Punctuation),
        ],
    }
