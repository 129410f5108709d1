"""How a record lies in memory and in bytes, and what its elements and their values are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rulespec.compiler.core.tree import Core, Domain, Slot
from rulespec.engine.stepper import Record


@dataclass(frozen=True, slots=True)
class Element:
    """One integer of the record: where it stands, which slot it belongs to and its index there."""

    position: int
    slot: Slot
    index: tuple[int, ...]

    def __str__(self) -> str:
        return element_name(self.slot, self.index)


def element_name(slot: Slot, index: Sequence[int]) -> str:
    """`purse[p0]`: an element of a slot as people write it."""
    if not slot.dims:
        return slot.name
    return f"{slot.name}[{', '.join(dim.names[i] for dim, i in zip(slot.dims, index, strict=True))}]"


def value_name(domain: Domain, value: int) -> str:
    """What `value` is called in the rules: a member's name, else its digits."""
    return _called(domain.names, domain.low, value)


def value_label(domain: Domain, value: int) -> str:
    """What people call `value`: its label, else its name, else its digits."""
    return _called(domain.labels or domain.names, domain.low, value)


def _called(names: Sequence[str], low: int, value: int) -> str:
    return names[value - low] if 0 <= value - low < len(names) else str(value)


class Layout:
    """The record of one core, element by element, and packed into a fixed number of bytes.

    Each element takes the fewest whole bytes that hold its slot's range, counted from the slot's low,
    big-endian; the index of the waiting block comes last.
    """

    def __init__(self, core: Core) -> None:
        self.core = core
        self.elements = tuple(_elements(core))
        last = len(core.blocks) - 1
        self._fields = [(e.slot.low, e.slot.high, _width(e.slot.high - e.slot.low)) for e in self.elements]
        self._fields.append((0, last, _width(last)))
        self.bytes = sum(width for _, _, width in self._fields)

    def pack(self, r: Record) -> bytes:
        """The record as `bytes` bytes."""
        fields = zip(r, self._fields, strict=True)
        return b"".join((value - low).to_bytes(width, "big") for value, (low, _, width) in fields)

    def unpack(self, packed: bytes) -> Record:
        """The record that was packed; `ValueError` for bytes that no record packs to."""
        if len(packed) != self.bytes:
            raise ValueError(f"a state of this game has {self.bytes} bytes, not {len(packed)}")
        r: Record = []
        at = 0
        for low, high, width in self._fields:
            value = int.from_bytes(packed[at : at + width], "big") + low
            if value > high:
                raise ValueError(f"byte {at} holds {value}, above {high}")
            r.append(value)
            at += width
        return r

    def changes(self, before: Record, after: Record) -> list[tuple[Element, int, int]]:
        """The elements that differ, with the values before and after."""
        return [
            (e, before[e.position], after[e.position])
            for e in self.elements
            if before[e.position] != after[e.position]
        ]


def _elements(core: Core) -> Iterator[Element]:
    position = 0
    for slot in core.slots:
        for index in product(*(range(len(dim.names)) for dim in slot.dims)):
            yield Element(position, slot, index)
            position += 1


def _width(most: int) -> int:
    return max(1, (most.bit_length() + 7) // 8)
