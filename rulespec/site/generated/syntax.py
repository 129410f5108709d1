"""Productions of the grammar in a form to read: HTML with links from each name to where it is shown.

What the grammar needs and a reader does not is left out: ends of lines, lines that could not be read, and the
templates, which are written as what they mean: `item, ...` and indented lines.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.site.generated.grammar import (
    Alternatives,
    Either,
    Maybe,
    Name,
    Part,
    Word,
    names,
    productions,
)
from rulespec.site.page import text

LEFT_OUT = {"NEWLINE", "BAD", "bad"}
# What the scanner makes, and how it is shown.
TERMINALS = {
    "NAME": "NAME",
    "NUMBER": "NUMBER",
    "DICE": "DICE",
    "STRING": "TEXT",
    "CITATION": "CITATION",
}
WIDTH = 80
INDENT = "    "


def shown(wanted: list[str], addresses: Mapping[str, str]) -> str:
    """The productions of these names as one block; `addresses` says where each name is shown."""
    lines = "\n".join(_production(name, addresses) for name in wanted)
    return f'<pre class="rulespec-syntax">{lines}</pre>'


def anchor(name: str) -> str:
    """The anchor of a production."""
    return f"syntax-{name}"


def to_describe() -> set[str]:
    """All productions that a reader comes by."""
    found = {name for production in productions().values() for name in names(production.alternatives)}
    return ((found & set(productions())) | {"declaration"}) - LEFT_OUT


def _production(name: str, addresses: Mapping[str, str]) -> str:
    alternatives = [_sequence(parts, addresses) for parts in _kept(productions()[name].alternatives)]
    head = f'<span id="{anchor(name)}">{text(name)}</span> ='
    if any("\n" in each for each in alternatives):
        return "\n".join([head, *(_hanging(each, i) for i, each in enumerate(alternatives))])
    lines = [head]
    for i, each in enumerate(alternatives):
        piece = f"| {each}" if i else each
        if _width(lines[-1]) + _width(piece) < WIDTH:
            lines[-1] += f" {piece}"
        else:
            lines.append(f"{INDENT}{piece}")
    return "\n".join(lines)


def _hanging(alternative: str, number: int) -> str:
    """An alternative of several lines, below the name."""
    mark = "| " if number else ""
    if alternative.startswith("\n"):
        return f"{INDENT}{mark}<em>indented below:</em>" + alternative.replace("\n", f"\n{INDENT}")
    return f"{INDENT}{mark}" + alternative.replace("\n", f"\n{INDENT}")


def _kept(alternatives: Alternatives) -> Alternatives:
    """Without what cannot be read, and without an alternative that is nothing but more of the same."""
    return tuple(parts for parts in alternatives if parts != (Name("bad"),))


def _sequence(parts: tuple[Part, ...], addresses: Mapping[str, str]) -> str:
    written = ""
    for part in parts:
        piece = _part(part, addresses)
        if not piece:
            continue
        joined = not written or piece.startswith("\n") or _joins(part)
        written += ("" if joined else "\n" if written.endswith("...") and "\n" in written else " ") + piece
    return written or "<em>nothing</em>"


def _joins(part: Part) -> bool:
    """Whether it stands right behind what is before it."""
    return isinstance(part, Word) and part.text in (":", ",")


def _part(part: Part, addresses: Mapping[str, str]) -> str:
    match part:
        case Word(word):
            return f"<b>{text(word)}</b>"
        case Maybe(inner):
            return f"[{_alternatives(inner, addresses)}]"
        case Either(inner):
            return f"({_alternatives(inner, addresses)})"
        case Name("block" | "lines", inner):
            return f"\n{INDENT}{_sequence(inner, addresses)}\n{INDENT}..."
        case Name("commas" | "listed", inner):
            return f"{_sequence(inner, addresses)}<b>,</b> ..."
        case Name("listing", inner):
            return f"{_sequence(inner, addresses)}<b>,</b> ... <em>also on lines of their own</em>"
        case Name("meant", inner):
            return f"{_sequence(inner, addresses)} <em>also on a line of its own</em>"
        case Name(name):
            return _named(name, addresses)
    raise AssertionError(part)


def _named(name: str, addresses: Mapping[str, str]) -> str:
    if name in LEFT_OUT:
        return ""
    if name in TERMINALS:
        return f"<i>{TERMINALS[name]}</i>"
    if name in addresses:
        return f'<a href="{text(addresses[name])}#{anchor(name)}">{text(name)}</a>'
    return text(name)


def _alternatives(alternatives: Alternatives, addresses: Mapping[str, str]) -> str:
    return " | ".join(_sequence(parts, addresses) for parts in _kept(alternatives))


def _width(written: str) -> int:
    inside, width = False, 0
    for sign in written:
        inside = (sign == "<") or (inside and sign != ">")
        width += not inside and sign != ">"
    return width
