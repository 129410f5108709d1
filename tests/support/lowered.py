"""Rules text straight to core, inside a small game that says the rest."""

from __future__ import annotations

from collections.abc import Mapping

from small_game import check_text, errors

from rulespec.compiler.core import from_typed
from rulespec.compiler.core.check import check
from rulespec.compiler.core.tree import Core, Script
from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.typed.tree import Rulebook
from rulespec.engine.interpreter.stepper import Interpreter

FRAME = """
game sample "Sample"
source rb "The rules" of 100 lines
players 2..4
enum Color "a color": green, white, red
currency ducat "ducats": 60 in bank
piece Card "card" of Color: 5 each in pile
piece Tile "tile" of Color: 1 each in shelf
state:
    pile hidden: Deck[Card]
    box: Bag[Card]
    shelf: Set[Tile]
    shown: Set[Tile]
    turn: Player
    count: Int in 0..20
    flag: Bool
    best: Player?
    marks: Set[Player]
    level: Map[Color, Int in 0..9]
    line: List[Player] up to 3
    per player:
        hand private: Bag[Card]
        purse private: ducat in 0..30
        points: points in 0..100
ranking for p: p.points
"""


def rulebook(text: str) -> Rulebook:
    """The typed rulebook of a text that has the rule `play`; the rule `setup` may be left out."""
    if "rule setup" not in text:
        text += "\nrule setup:\n    nothing\n"
    found, diagnostics = check_text(text + FRAME)
    assert [d.message for d in errors(diagnostics)] == []
    assert found is not None
    return found


def compiled(text: str, players: int = 2, readings: Mapping[str, str] | None = None, *variants: str) -> Core:
    """The core of a text, which has no flaw."""
    book = rulebook(text)
    made, found = from_typed.compile(book, from_typed.configuration(book, players, variants, readings or {}))
    assert found == ()
    assert made is not None
    assert check(made) == ()
    return made


def refused(text: str, players: int = 2) -> tuple[Diagnostic, ...]:
    """What is said about a text that the checker lets pass and that has no core."""
    book = rulebook(text)
    made, found = from_typed.compile(book, from_typed.configuration(book, players))
    assert made is None
    return found


def script(text: str) -> Script:
    """The only example of a text."""
    book = rulebook(text)
    made, found = from_typed.compile_example(book, book.examples[0])
    assert found == ()
    assert made is not None
    assert check(made.core) == ()
    return made


class Table:
    """A core that is being played: reads slots by name, takes moves by option and values."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.engine = Interpreter(core)
        self.record = self.engine.start()

    def read(self, slot: str, *index: int) -> int:
        found = self.core.slot[slot]
        position = 0
        for at, dim in zip(index, found.dims, strict=True):
            position = position * len(dim.names) + at
        return self.record[self.core.offset[slot] + position]

    def all(self, slot: str) -> list[int]:
        first = self.core.offset[slot]
        return self.record[first : first + self.core.slot[slot].size]

    @property
    def kind(self) -> str:
        return self.engine.kind(self.record)

    @property
    def moves(self) -> list[tuple[int, ...]]:
        return self.engine.moves(self.record)

    def play(self, *move: int) -> None:
        assert move in self.moves
        self.engine.play(self.record, move)

    def happen(self, outcome: int) -> None:
        self.engine.happen(self.record, outcome)


def played(text: str, players: int = 2) -> Table:
    return Table(compiled(text, players))
