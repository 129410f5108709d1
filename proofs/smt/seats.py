"""A fact about one seat, said of the others."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from rulespec.compiler.core.tree import Slot
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.terms import Term, split

SEAT = "Player"


class Seats:
    """Turns facts around the table: what is said of each seat is said of one further on."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.terms = encoder.terms
        self.core = encoder.core
        self.number = encoder.core.configuration.players

    def others(self, fact: Term) -> Iterator[Term]:
        """The fact for each other seat, if it is about particular seats and can be turned."""
        for further in range(1, self.number):
            turned = self._turned(fact, further)
            if turned is None or turned is fact:
                return
            yield turned

    def _turned(self, fact: Term, further: int) -> Term | None:
        if fact.op in ("and", "or"):
            parts = [self._turned(part, further) for part in fact.kids]
            found = [part for part in parts if part is not None]
            if len(found) < len(parts):
                return None
            return self.terms.disj(found) if fact.op == "or" else self.terms.conj(found)
        slots = {key: self._slot(key) for key in fact.variables}
        if any(slot is not None and self._is_seat(slot) for slot in slots.values()):
            return self._other_seat(fact, further)
        store = {key: self._further(key, slot, further) for key, slot in slots.items() if slot is not None}
        return self.terms.substitute(fact, store, {})

    def _slot(self, key: int) -> Slot | None:
        owner = self.encoder.owner
        return self.core.slot[owner[key][0]] if key < len(owner) else None

    def _is_seat(self, slot: Slot) -> bool:
        return slot.domain.name.rstrip("?") == SEAT

    def _other_seat(self, fact: Term, further: int) -> Term | None:
        """Of a test which seat something is at, or whether it is at one at all."""
        const, atoms = split(fact.kids[0]) if fact.op in ("le", "eq", "ne") else (0, {})
        if len(atoms) != 1:
            return None
        ((atom, factor),) = atoms.items()
        if atom.op != "var" or abs(factor) != 1 or SEAT in self._dims(atom.number):
            return None
        if fact.op == "le":
            at_nothing = (factor, const) in ((1, 1), (-1, 0))
            return fact if at_nothing else None
        seat = -const * factor
        made = self.terms.eq(atom, self.terms.integer((seat + further) % self.number if seat >= 0 else seat))
        return self.terms.neg(made) if fact.op == "ne" else made

    def _dims(self, key: int) -> tuple[str, ...]:
        slot = self._slot(key)
        return tuple(dim.name for dim in slot.dims) if slot is not None else ()

    def _further(self, key: int, slot: Slot, further: int) -> Term:
        """The same element of another seat."""
        number = self.encoder.owner[key][1]
        found = 0
        for place, dim in enumerate(slot.dims):
            stride = prod(len(d.names) for d in slot.dims[place + 1 :])
            index, number = divmod(number, stride)
            found += stride * ((index + further) % self.number if dim.name == SEAT else index)
        return self.encoder.elements[self.core.offset[slot.name] + found]
