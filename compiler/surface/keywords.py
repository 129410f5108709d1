"""Which words are keywords where: a word of the language is a name wherever the grammar has no use for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulespec.compiler.surface.scan import Tok

# These are never names: they stand inside expressions, where a name could stand as well.
RESERVED = frozenset(
    {"true", "false", "none", "not", "and", "or", "implies", "if", "else", "for", "where", "in", "is"}
    | {"all", "any", "some"}
)

_CALLED = frozenset({"sum", "count", "min", "max"})
_ASSIGNS = frozenset({":=", "+=", "-="})
_VERBS = frozenset({"add", "append", "draw", "move", "pay", "remove", "run", "score"})
_GOES_ON = RESERVED | frozenset({"div", "mod", "union", "minus", "intersect", "to", "from", "chooses", "may"})


def classify(tokens: Sequence[Tok], at: int, accepts: Callable[[str], bool]) -> tuple[str, int]:
    """The kind of token `at` and how many tokens it is; `accepts` says what the parser can take there."""
    token = tokens[at]
    if token.kind != "WORD":
        return token.kind, 1
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is not None and after.kind == "WORD":
        pair = f"{token.text} {after.text}"
        if accepts(pair) and not (pair == "random player" and _text(tokens, at + 2) == "in"):
            return pair, 2
    if token.text in RESERVED:
        return token.text, 1
    if accepts(token.text) and not (accepts("NAME") and _is_name(tokens, at)):
        return token.text, 1
    return "NAME", 1


def _text(tokens: Sequence[Tok], at: int) -> str:
    return tokens[at].text if at < len(tokens) else ""


def _is_name(tokens: Sequence[Tok], at: int) -> bool:
    """Whether what follows shows that a word is a name, where a name and the keyword could both stand."""
    word, after = tokens[at].text, _text(tokens, at + 1)
    if word in _GOES_ON:
        return False
    beside = at + 1 < len(tokens) and tokens[at].span.end_column == tokens[at + 1].span.column
    if after in _ASSIGNS or after == "." or (after == "[" and beside):
        return True
    named = at + 1 < len(tokens) and tokens[at + 1].kind == "WORD"
    match word:
        case "first":
            return not (named and _text(tokens, at + 2) == "in")
        case "reading":
            return not (named and _text(tokens, at + 2) == "is")
        case "variant":
            return not named or after in _GOES_ON
        case "columns" | "random":
            return not named
        case "unlimited":
            return after != "in"
        case "players":
            return at + 1 >= len(tokens) or tokens[at + 1].kind != "NUMBER"
        case "assumed":
            labelled = at == 0 and _text(tokens, 2) == ","  # a member of that name
            return at + 1 >= len(tokens) or tokens[at + 1].kind != "STRING" or labelled
        case "roll":
            return at + 1 >= len(tokens) or tokens[at + 1].kind not in ("DICE", "NUMBER")
        case "draw" if at:
            return after != "from"
        case _ if word in _CALLED:
            return after != "("
        case _ if word in _VERBS:
            return after == "(" and beside
    return False
