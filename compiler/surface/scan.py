"""From one line of rules text to tokens. The signs of other languages are reported, and read as was meant."""

from __future__ import annotations

import re

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.tree import Comment
from rulespec.compiler.values import dataclass

LARGEST = 10**12
MOST_TOKENS = 10_000  # on one line


@dataclass(frozen=True, slots=True)
class Tok:
    """`kind` is WORD, NAME, NUMBER, DICE, STRING, CITATION, or a keyword or symbol itself."""

    kind: str
    text: str
    span: Span


_TOKENS = re.compile(
    r"""
      (?P<space>[ \t]+)
    | (?P<comment>\#.*)
    | (?P<word>[A-Za-z][A-Za-z0-9_]*(?!\w))
    | (?P<dice>[0-9]+d[0-9]+(?![A-Za-z0-9_]))
    | (?P<number>[0-9]+(?![\w]))
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<unclosed>".*)
    | (?P<citation>@[A-Za-z][A-Za-z0-9_]*(?:\ ?\([^()"]*\))?)
    | (?P<wrong>===?|!==|!(?!=)|&&?|\|\|?|=>|=<|<>|\*\*|//|\+\+|--(?=\s*$)|[;%/^~]|\.\.\.|\.\.[<=]
        |[≤≥≠–—−×·÷…→⇒∧∨¬∈∪∩]|[“”„«][^“”„«»"]*[”“»]|'(?:[^'\\]|\\.)*'|[0-9][\w]*|_\w*|[^\W\d_]\w*)
    | (?P<symbol>:=|\+=|-=|->|\.\.|!=|<=|>=|[=<>+\-*:,.?(){}\[\]])
    | (?P<odd>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = re.compile(r'\\[^"\\]')
# What steers a terminal, turns the order of a line around, or ends a line.
_UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_CITED = re.compile(r"\(\s*[0-9]+\s*(?:\.\.\s*[0-9]+\s*)?(?:,\s*[0-9]+\s*(?:\.\.\s*[0-9]+\s*)?)*\)$")

# What is meant by the signs of other languages; "" means nothing at all.
MEANT = {
    "==": "=", "===": "=", "!==": "!=", "<>": "!=", "≠": "!=", "≤": "<=", "=<": "<=", "≥": ">=",
    "&&": "and", "&": "and", "∧": "and", "||": "or", "|": "or", "∨": "or", "!": "not", "¬": "not",
    "=>": "implies", "⇒": "implies", "∈": "in", "∪": "union", "∩": "intersect", "/": "div",
    "÷": "div", "%": "mod", "–": "-", "—": "-", "−": "-", "×": "*", "·": "*",
    "...": "..", "…": "..", "..=": "..", "..<": "..", "→": "->",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scanned:
    """One line: its tokens, its comment if it has one, and whether it could be read to its end."""

    tokens: tuple[Tok, ...]
    comment: Comment | None
    whole: bool


def scan(text: str, file: str, line: int, found: Findings) -> Scanned:
    """Reads `text`, the whole of line number `line`."""
    tokens: list[Tok] = []
    comment: Comment | None = None
    whole = True
    for match in _TOKENS.finditer(text):
        kind = str(match.lastgroup)
        if kind == "space":
            continue
        span = Span(file, line, match.start() + 1, line, match.end() + 1)
        if len(tokens) == MOST_TOKENS:
            too_long(span, found)
        if len(tokens) == MOST_TOKENS or found.full:
            whole = False
            break
        match kind:
            case "word":
                tokens.append(Tok("WORD", match[0], span))
            case "dice":
                tokens.append(Tok("DICE", _dice(match[0]), span))
            case "symbol":
                tokens.append(Tok(match[0], match[0], span))
            case "number":
                tokens.append(_number(match[0], span, found))
            case "string":
                tokens.append(_string(match[0], span, found))
            case "citation":
                tokens.append(_citation(match[0], span, found))
            case "comment":
                comment = Comment(match[0].rstrip(), not tokens, span)
            case "unclosed":
                whole = False
                _unclosed(match[0], span, found)
            case _:
                if match[0] == "//" and not tokens:
                    comment = Comment(match[0], True, span)
                    found.add(
                        "R0124", "`//` does not start a comment", span, help=("a comment starts with `#`",)
                    )
                    break
                tokens.extend(_wrong(match[0], span, found))
    return Scanned(tuple(tokens), comment, whole)


def _dice(text: str) -> str:
    """Dice with numbers short enough to be read; whoever checks them refuses far smaller ones."""
    return "d".join(number if len(number) < 10 else "9" * 9 for number in text.split("d"))


def too_long(place: Span, found: Findings) -> None:
    """Reports the first token that is one too many for its line."""
    message = f"this line has more than {MOST_TOKENS} words and signs"
    found.add("R0127", message, place, help=("write it as several lines",))


def _number(text: str, span: Span, found: Findings) -> Tok:
    digits = text.lstrip("0") or "0"
    if len(digits) > 13 or int(digits) > LARGEST:
        shown = text if len(text) <= 20 else text[:17] + "..."
        message = f"the number `{shown}` is too large"
        found.add("R0106", message, span, help=(f"the largest number is {LARGEST}",))
        return Tok("NUMBER", "0", span)
    return Tok("NUMBER", text, span)


def _string(text: str, span: Span, found: Findings) -> Tok:
    for sign in _UNSHOWN.finditer(text):
        if found.full:
            break
        message = f"the character U+{ord(sign[0]):04X} has no meaning in text"
        found.add("R0105", message, _part(span, sign), help=("leave it out",))
    for escape in _ESCAPES.finditer(re.sub(r'\\[\\"]', "  ", text)):
        if found.full:
            break
        message = f"`{escape[0]}` has no meaning in text"
        found.add("R0118", message, _part(span, escape), help=('write `\\\\` for `\\` and `\\"` for `"`',))
    return Tok("STRING", text, span)


def _part(span: Span, match: re.Match[str]) -> Span:
    """Where in a token something was found."""
    return Span(span.file, span.line, span.column + match.start(), span.line, span.column + match.end())


def _citation(text: str, span: Span, found: Findings) -> Tok:
    source, bracket, lines = text.partition("(")
    if not bracket or _CITED.match(bracket + lines):
        for number in re.findall(r"[0-9]{10,}", lines):
            found.add("R0106", f"the line number `{number[:12]}` is too large", span)
            return Tok("CITATION", source.rstrip(), span)
        return Tok("CITATION", text, span)
    message = f"`{text[:60]}` does not name lines of a source"
    repaired = (
        ""
        if len(text) > 60
        else re.sub(r"\s*(?:-|–|—|\bto\b|\.\.\.|…)\s*", "..", lines[:-1]).replace(";", ",")
    )
    advice = "lines are cited as `@rb(39..49)` or `@rb(16, 39)`"
    if _CITED.match(f"({repaired})"):
        advice = f"write `{source.rstrip()}({repaired})`"
    found.add("R0114", message, span, help=(advice,))
    return Tok("CITATION", source.rstrip(), span)


def _unclosed(text: str, span: Span, found: Findings) -> None:
    place = Span(span.file, span.line, span.column, span.line, span.column + 1)
    advice = 'close it with `"` on the same line'
    if re.search(r'\\"\s*$', text):
        advice = 'the last `\\"` is part of the text: close it with a `"` of its own'
    found.add("R0102", "this text is not closed", place, help=(advice,))


def _wrong(text: str, span: Span, found: Findings) -> list[Tok]:
    """Reports what is not of this language and gives what was probably meant."""
    if text[0] in "“”„«'" and len(text) > 1:
        advice = 'text stands between straight double quotes: `"`'
        found.add("R0115", f"`{text[0]}` does not begin text", span, help=(advice,))
        return [Tok("STRING", '"' + text[1:-1].replace('"', "'") + '"', span)]
    if text == ";":
        advice = "a statement ends with its line"
        found.add("R0117", "`;` has no meaning here", span, help=(advice,))
        return []
    if text in ("++", "--"):
        advice = f"write `x {text[0]}= 1`"
        found.add("R0116", f"`{text}` is not of this language", span, help=(advice,))
        return [Tok(text[0] + "=", text[0] + "=", span), Tok("NUMBER", "1", span)]
    if text in MEANT:
        meant = MEANT[text]
        help = (f"write `{meant}`",) if meant != "div" else ("write `div`, which rounds down",)
        found.add("R0116", f"`{text}` is not of this language", span, help=help)
        return [Tok("WORD" if meant.isalpha() else meant, meant, span)]
    if size := re.fullmatch(r"([0-9]{1,4})[xX]([0-9]{1,4})", text):
        columns, rows = size.groups()
        found.add("R0119", f"`{text}` is not a name", span, help=(f"write `{columns} x {rows}`",))
        return [Tok("NUMBER", columns, span), Tok("WORD", "x", span), Tok("NUMBER", rows, span)]
    if text[0].isalnum() or (text[0] == "_" and len(text) > 1):
        return [_bad_name(text, span, found)]
    return _odd(text, span, found)


def _bad_name(text: str, span: Span, found: Findings) -> Tok:
    if re.fullmatch(r"[0-9][0-9_]*", text):
        advice = f"write `{text.replace('_', '')}`"
        found.add("R0119", f"`{text}` is not a number", span, help=(advice,))
        return Tok("NUMBER", "0", span)
    advice = "a name begins with one of A to Z or a to z, and goes on with these, digits and `_`"
    found.add("R0119", f"`{text}` is not a name", span, help=(advice,))
    return Tok("WORD", "it", span)


def _odd(text: str, span: Span, found: Findings) -> list[Tok]:
    shown = (
        f"`{text}`" if text.isprintable() and not text.isspace() else f"the character U+{ord(text[0]):04X}"
    )
    found.add("R0105", f"{shown} has no meaning here", span)
    return []


def cited(token: Tok) -> Citation:
    """What a CITATION names."""
    source, _, inside = token.text[1:].partition("(")
    lines: list[tuple[int, int]] = []
    for part in inside.rstrip(")").split(",") if inside else ():
        low, _, high = part.partition("..")
        lines.append((int(low), int(high or low)))
    return Citation(source.rstrip(), tuple(lines), token.span)
