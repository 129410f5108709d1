"""A rulebook with a variable of each kind, and random terms over its record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from rulespec import api
from rulespec.compiler.core.tree import Core
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.language import Language
from rulespec.proofs.smt.terms import Term, Terms

BOOK = """
game words "Words"
players 2..4
enum Color "color": red, green, blue, yellow
currency coin "coins": 30 in bank
piece Card of Color: 3 each in pile
piece Title of Color: 1 each in titles
record Best: who: Player, much: Int in 0..6

state:
    pile hidden: Deck[Card]
    titles: Set[Title]
    leader: Player
    winner: Player?
    trump: Color
    asked: Color?
    high: (Int in 0..9)?
    done: Bool
    round: Int in 0..8
    row: List[Color] up to 3
    worth: Map[Color, Int in 0..5]
    best: Best
    per player:
        hand: Bag[Card]
        title: Set[Title]
        purse: coin in 0..20
        points: points in 0..40
        out: Bool

rule setup "Setting up":
    nothing

rule play "Playing":
    let first = random player
    var passed: Int in 0..3 = 0
    while passed < 3:
        decreasing 3 - passed
        first may choose:
            go "goes":
                leader := first
                move all red from pile to first.hand
                move all green from titles to first.title
                pay up to 2 from bank to first.purse
                winner := first
                trump := blue
                asked := red
                high := 3
                done := true
                round := 4
                worth[red] := 2
                best.much := 4
                append red to row
                first.out := true
                score 1 to first
        passed += 1

ranking "Most points" for p: p.points
"""


def core_of(text: str, folder: Path, players: int) -> Core:
    path = folder / "words.rules"
    path.write_text(text)
    book = api.open_rulebook(str(path))
    core, told = book.compile(book.configuration(players=players, variants=(), readings={}))
    found = [each for each in (*book.diagnostics, *told) if each.severity.name == "ERROR"]
    assert core is not None, [(each.message, each.help) for each in found]
    return core


class Made:
    """Random terms over the record of a core."""

    def __init__(self, core: Core, seed: int) -> None:
        self.core = core
        self.terms = Terms()
        self.encoder = Encoder(core, self.terms)
        self.language = Language(core, self.terms)
        self.random = Random(seed)
        state = [
            element
            for element, (slot, _) in zip(self.encoder.elements, self.encoder.owner, strict=True)
            if core.slot[slot].role == "state" and core.slot[slot].said
        ]
        self.of_unit = {
            unit: [e for e in state if self.language.unit(e) == frozenset((unit,) if unit else ())]
            for unit in ("", "coin", "points")
        }

    def number(self, unit: str, depth: int) -> Term:
        terms, draw = self.terms, self.random
        if depth and draw.random() < 0.2:
            return terms.ite(self.truth(depth - 1), self.number(unit, depth - 1), self.number(unit, 0))
        if depth and draw.random() < 0.1:
            return terms.div(self.number(unit, depth - 1), draw.randint(2, 4))
        if depth and draw.random() < 0.1:
            return terms.mod(self.number(unit, depth - 1), draw.randint(2, 4))
        if depth and draw.random() < 0.15:
            make = terms.maximum if draw.random() < 0.5 else terms.minimum
            return make(self.number(unit, depth - 1), self.number(unit, 0))
        if draw.random() < 0.4:
            return self.row(unit)
        items = [(draw.choice((1, 1, 2, -1)), self.one(unit)) for _ in range(draw.randint(1, 3))]
        return terms.total(items, draw.randint(-3, 3))

    def one(self, unit: str) -> Term:
        return self.random.choice(self.of_unit[unit if self.random.random() < 0.8 else ""])

    def row(self, unit: str) -> Term:
        """The sum over a whole variable, of which a part may be left out."""
        element = self.one(unit)
        slot = self.core.slot[self.encoder.owner[element.number][0]]
        base = self.core.offset[slot.name]
        chosen = list(range(base, base + slot.size))
        if len(chosen) > 4 and self.random.random() < 0.5:
            half = len(slot.dims[-1].names)
            chosen = chosen[half : 2 * half]
        return self.terms.total((1, self.encoder.elements[key]) for key in chosen)

    def truth(self, depth: int) -> Term:
        terms, draw = self.terms, self.random
        if depth and draw.random() < 0.4:
            parts = [self.truth(depth - 1) for _ in range(draw.randint(2, 3))]
            return terms.conj(parts) if draw.random() < 0.5 else terms.disj(parts)
        unit = draw.choice(("", "", "coin", "points"))
        operator = draw.choice(("=", "!=", "<", "<=", ">", ">="))
        if draw.random() < 0.5:
            return terms.compare(operator, self.one(unit), terms.integer(draw.randint(-1, 5)))
        return terms.compare(operator, self.number(unit, depth), self.number(unit, depth))

    def everywhere(self) -> Term:
        """The same of each player, or of two and two."""
        first = self.truth(1)
        width = {self.core.offset[s.name]: s for s in self.core.slots if s.said.startswith("{0}.")}
        parts = []
        for seat in range(self.core.configuration.players):
            shift: dict[int, Term] = {}
            for base, slot in width.items():
                by = seat * (slot.size // len(slot.dims[0].names))
                shift |= {
                    base + n: self.encoder.elements[base + (n + by) % slot.size] for n in range(slot.size)
                }
            parts.append(self.terms.substitute(first, shift, {}))
        return self.terms.conj(parts) if self.random.random() < 0.5 else self.terms.disj(parts)

    def records(self, number: int) -> Iterator[dict[int, int]]:
        for _ in range(number):
            yield {
                key: self.random.randint(*self.terms.range_of.get(key, (term.number, term.number)))
                for key, term in enumerate(self.encoder.elements)
            }
