"""Where a slot's elements are kept in generated code, and how one is spelled.

`RecordPlaces` is for code that steps a record: `r[HAND_RED + 5 * p]`. `LocalPlaces` is for a play-out that
owns its game: every slot is a local variable, a number or nested lists, `hand[p][2]`, which Python reaches
much faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol

from rulespec.compiler.core.tree import Core, Slot
from rulespec.engine.python.names import Names
from rulespec.engine.python.text import ATOM, PRODUCT, Text, wrap

Index = Sequence[int | Text]


class Places(Protocol):
    def element(self, slot: Slot, index: Index) -> str:
        """One element; also what may stand left of `=`."""
        ...

    def row(self, slot: Slot, index: Index) -> str:
        """The elements along the last dimension, for fixed earlier ones, as a list."""
        ...

    def row_target(self, slot: Slot, index: Index) -> str:
        """What stands left of `=` to give all of a row new values, from a list of as many."""
        ...

    def reached(self) -> list[str]:
        """Local variables that were used since the places were made, in the order of the slots."""
        ...

    def reach(self, names: list[str]) -> None:
        """These are used too: a function that is called reaches them."""
        ...

    def changed(self, scalars: list[Slot]) -> list[str]:
        """Local variables that a function must give back if it has written these slots."""
        ...

    def inner(self) -> Places:
        """The same places, for another function."""
        ...


@dataclass(frozen=True, order=True)
class Offset:
    """A position in the record that has a name; `rank` 0: just past a slot, 1: its start, 2: an element."""

    position: int
    rank: int


class RecordPlaces:
    """Elements of the list `r`, found by named offsets."""

    def __init__(self, core: Core, names: Names, constants: dict[str, Offset]) -> None:
        self._core = core
        self._names = names
        self._constants = constants  # of the module
        self._given: dict[tuple[str, Offset, str], str] = {}

    def element(self, slot: Slot, index: Index) -> str:
        return f"r[{self._position(slot, index, 2)}]"

    def row(self, slot: Slot, index: Index) -> str:
        size = len(slot.dims[-1].names)
        start = self._position(slot, [*index, 0], 1)
        return f"r[{start}:{self._position(slot, [*index, size], 0)}]"

    def row_target(self, slot: Slot, index: Index) -> str:
        return self.row(slot, index)

    def reached(self) -> list[str]:
        return ["r"]

    def reach(self, names: list[str]) -> None:
        """All code has the record at hand."""

    def changed(self, scalars: list[Slot]) -> list[str]:
        return []

    def inner(self) -> Places:
        return self

    def _position(self, slot: Slot, index: Index, rank: int) -> str:
        sizes = [len(d.names) for d in slot.dims]
        fixed = 0
        terms: list[str] = []
        called: list[str] = []
        for number, at in enumerate(index):
            stride = prod(sizes[number + 1 :])
            if isinstance(at, int):
                fixed += at * stride
                called.append("end" if at == sizes[number] else slot.dims[number].names[at])
            else:
                terms.append(wrap(at, PRODUCT) if stride == 1 else f"{stride} * {wrap(at, ATOM)}")
        at_start = fixed == 0 and (terms or rank == 1 or not sizes)
        name = self._offset(slot, fixed, "" if at_start else "_".join(called), 1 if at_start else rank)
        return " + ".join([name, *terms])

    def _offset(self, slot: Slot, fixed: int, called: str, rank: int) -> str:
        offset = Offset(self._core.offset[slot.name] + fixed, rank)
        key = (slot.name, offset, called)
        if key not in self._given:
            self._given[key] = self._names.constant(f"{slot.name}_{called}" if called else slot.name)
            self._constants[self._given[key]] = offset
        return self._given[key]


class LocalPlaces:
    """A local variable for each slot, of the same name in every function of the module."""

    def __init__(self, core: Core, names: Names) -> None:
        self._names = {s.name: names.module(s.name) for s in core.slots}
        self._used: set[str] = set()

    def variable(self, slot: Slot) -> str:
        """The local variable that holds a slot."""
        name = self._names[slot.name]
        self._used.add(name)
        return name

    def element(self, slot: Slot, index: Index) -> str:
        return self.row(slot, index)

    def row(self, slot: Slot, index: Index) -> str:
        keys = (str(at) if isinstance(at, int) else at[0] for at in index)
        return self.variable(slot) + "".join(f"[{key}]" for key in keys)

    def row_target(self, slot: Slot, index: Index) -> str:
        return f"{self.row(slot, index)}[:]"

    def reached(self) -> list[str]:
        return [name for name in self._names.values() if name in self._used]

    def reach(self, names: list[str]) -> None:
        self._used.update(names)

    def changed(self, scalars: list[Slot]) -> list[str]:
        return [self._names[slot.name] for slot in scalars]

    def inner(self) -> Places:
        other = LocalPlaces.__new__(LocalPlaces)
        other._names = self._names
        other._used = set()
        return other
