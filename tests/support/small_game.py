"""A small game around a piece of rules text, so that a test shows only what it is about."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Diagnostic, Severity
from rulespec.compiler.surface.from_text import parse
from rulespec.compiler.surface.tree import Document
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.from_surface import resolve

FRAME = """
game sample "Sample"
source rb "The rules" of 100 lines
players 2..4
enum Color "a color": green, white, red
currency ducat "ducats": unlimited in bank
piece Card "card" of Color: 5 each in pile
state:
    pile hidden: Deck[Card]
    box: Bag[Card]
    turn: Player
    per player:
        hand private: Bag[Card]
        purse: ducat in 0..100
        points: points in 0..100
rule setup:
    nothing
rule play:
    nothing
ranking for p: p.points
"""


def framed(text: str) -> str:
    """The text with the small game after it, unless it is a game of its own; its lines keep their numbers."""
    has_game = any(line.startswith("game ") for line in text.splitlines())
    return text if has_game else text.rstrip("\n") + "\n" + FRAME


def check_text(
    text: str, file: str = "sample.rules", **modules: str
) -> tuple[t.Rulebook | None, tuple[Diagnostic, ...]]:
    """Parse and resolve a text as it stands, with modules by name; what the parser finds comes first."""
    documents: list[Document] = []
    found: list[Diagnostic] = []
    for name, source in ((file, text), *((f"{name}.rules", source) for name, source in modules.items())):
        document, diagnostics = parse(source, name)
        documents.append(document)
        found += diagnostics
    rulebook, diagnostics = resolve(documents)
    return rulebook, (*found, *diagnostics)


def errors(found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(d for d in found if d.severity is Severity.ERROR)
