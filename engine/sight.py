"""What a seat sees of a record, by places in it: the same that `engine.observation.slots` tells by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.tree import Chance, Choose, Core, Slot
from rulespec.engine.interpreter.evaluate import Wrong, evaluate

# What a seat sees, in plain numbers: equal where its observations are.
View = tuple[object, ...]

EVERYBODY = -1  # who sees what happens, where all do


@dataclass(frozen=True, slots=True)
class Veiled:
    """Elements whose content the seat does not see; `counted`: it sees their sum.

    While the element at `flag` is not 0 it sees them all the same; None: never.
    """

    slot: str
    positions: tuple[int, ...]
    counted: bool
    flag: int | None

    def is_shown(self, record: Sequence[int]) -> bool:
        """Whether the seat sees the content now."""
        return self.flag is not None and record[self.flag] != 0

    def seen(self, record: Sequence[int]) -> object:
        """What it sees: the content, the sum or nothing."""
        if self.is_shown(record):
            return tuple(record[p] for p in self.positions)
        return sum(record[p] for p in self.positions) if self.counted else None


@dataclass(frozen=True)
class Sight:
    """All of a record, parted in what a seat always sees (`plain`) and the rest."""

    seat: int
    plain: tuple[int, ...]
    veiled: tuple[Veiled, ...]

    def view(self, record: Sequence[int]) -> View:
        """What the seat sees of a record."""
        return (*(record[p] for p in self.plain), *(veiled.seen(record) for veiled in self.veiled))

    def unseen(self, record: Sequence[int]) -> frozenset[int]:
        """The places of a record that the seat does not see, whether it sees their sum or not."""
        return frozenset(
            position for veiled in self.veiled if not veiled.is_shown(record) for position in veiled.positions
        )


def sight(core: Core, seat: int, without: Collection[str] = (), witnessed: Collection[str] = ()) -> Sight:
    """What a seat sees of the records of a core; slots in `without` are left out of account, those that are
    `witnessed` it knows.
    """
    plain: list[int] = []
    veiled: list[Veiled] = []
    for slot in core.slots:
        if slot.name not in without:
            for positions, hidden in _parts(core, slot, seat):
                if hidden is None or slot.name in witnessed:
                    plain += positions
                else:
                    veiled.append(Veiled(slot.name, tuple(positions), slot.counted, hidden[0]))
    return Sight(seat, tuple(plain), tuple(veiled))


def is_witnessed(core: Core, record: Sequence[int], seat: int) -> bool:
    """Whether a seat sees what is chosen, or what happens, where a record waits."""
    end = core.blocks[record[-1]].end
    try:
        match end:
            case Choose(actor=actor, secret=secret):
                return not secret or evaluate(core, actor, record, {}) == seat
            case Chance(seen_by=seen_by):
                return evaluate(core, seen_by, record, {}) in (EVERYBODY, seat)
    except Wrong:
        pass  # the game breaks off here
    return True


def _parts(core: Core, slot: Slot, seat: int) -> Iterator[tuple[range, tuple[int | None] | None]]:
    """The elements of a slot that are seen or not seen together; None or the flag that opens them."""
    base = core.offset[slot.name]
    whole = range(base, base + slot.size)
    flag = core.offset[slot.unless] if slot.unless else None
    if slot.sight == "open":
        yield whole, None
    elif slot.sight == "hidden":
        yield whole, (flag,)
    else:
        width = slot.size // len(slot.dims[0].names)
        for owner in range(len(slot.dims[0].names)):
            part = whole[owner * width : (owner + 1) * width]
            by_seat = flag is not None and bool(core.slot[slot.unless].dims)
            own_flag = flag + owner if flag is not None and by_seat else flag
            yield part, None if owner == seat else (own_flag,)
