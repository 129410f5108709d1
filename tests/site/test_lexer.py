"""The lexer for Pygments: it knows every word of the grammar, and no rulebook has a sign that it does not
know.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pygments.token import Keyword, Name, Operator, Token

from rulespec import library
from rulespec.compiler import surface
from rulespec.compiler.surface import literate
from rulespec.compiler.surface.findings import Findings
from rulespec.lexer import RulesLexer

GRAMMAR = Path(surface.__file__).parent / "rules.lark"
SMALL = Path(__file__).parents[1] / "games" / "small"
# Words that begin a declaration are highlighted where a name follows them.
FOLLOWED = {"game g", "source s", "enum E:", "currency c", "piece P", "record R:", "table T", "grid G 2 x 3"}
FOLLOWED |= {"param n", "variant v:", "reading r:", "function f()", "rule r:", "invariant i:", "reachable r:"}
FOLLOWED |= {"hint h:", "bound b:", "scope s:", "example e:", "sum(", "count(", "min(", "max(", "players 2"}


def tokens(text: str) -> list[tuple[Token, str]]:
    return [(sort, value) for sort, value in RulesLexer().get_tokens(text) if value.strip()]


def books() -> list[Path]:
    return sorted(
        [*library.PACKAGE.glob("**/*.rules"), *library.GAMES.glob("**/*.rules.md"), *SMALL.iterdir()]
    )


@pytest.mark.parametrize("file", books(), ids=lambda file: file.name)
def test_no_rulebook_has_an_unknown_sign(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    lines = text.split("\n")
    blocks = literate.read(text, file.name, Findings()).blocks
    assert blocks
    for first, last in blocks:
        block = "\n".join(lines[first - 1 : last])
        found = list(RulesLexer().get_tokens_unprocessed(block))
        assert [value for _, sort, value in found if sort in Token.Error] == []
        assert "".join(value for _, _, value in found) == block


def test_every_word_of_the_grammar_is_highlighted() -> None:
    grammar = re.sub(r"//.*", "", GRAMMAR.read_text(encoding="utf-8"))
    words = set(re.findall(r'"([a-z][a-z ]*)"', grammar))
    assert len(words) > 100
    shown = {text.partition(" ")[0].rstrip("(:") for text in FOLLOWED} | {"x"}
    for word in words - shown:
        ((sort, value),) = tokens(word)
        assert value == word
        assert sort in Keyword or sort in Operator.Word, word
    for text in FOLLOWED:
        sort, _ = tokens(text)[0]
        assert sort in Keyword or sort in Name.Builtin, text
    assert (Keyword, "x") in tokens("grid G 2 x 3")


def test_a_rule_in_colors() -> None:
    assert tokens('rule sell(c: Color) "Selling" @rb(43..49): # now')[:9] == [
        (Keyword.Declaration, "rule"),
        (Name.Function, "sell"),
        (Token.Punctuation, "("),
        (Name, "c"),
        (Token.Punctuation, ":"),
        (Name, "Color"),
        (Token.Punctuation, ")"),
        (Token.Literal.String.Double, '"Selling"'),
        (Name.Decorator, "@rb(43..49)"),
    ]


def test_anything_at_all_comes_out_as_it_went_in() -> None:
    text = 'p1 := "unclosed \\n ; ≤ \\t{{}} \\x00 "a\\\\"b" // é ..= 12abc @ @x( )'
    assert "".join(value for _, _, value in RulesLexer().get_tokens_unprocessed(text)) == text
