"""What a seat sees, and what it knows, as arrays of numbers from 0 to 1.

An observation has a part for where the game waits and who is asked, and one for each slot of which the seat
may see something: a number takes one place (0 its least, 1 its greatest value), a value with a name one place
for each name. Where it depends on the play whether content is seen, a place says so; what is not seen is 0,
and where its sum is public, that has a place. All seats of a game have the same places; what only its owner
ever sees is not repeated for the others.

An information state has a row for each point at which the play has waited: the step that led there, as far as
the seat saw it, and what it then observed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rulespec.compiler.core.tree import Chance, Choose, Core, Slot
from rulespec.engine.game import Game
from rulespec.engine.state import Played, Point, State, Step

Array = NDArray[np.float32]
Places = NDArray[np.intp]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Piece:
    """A part of an observation with a name: its places are `start` to `stop - 1`."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True)
class _Part:
    """Elements of a slot that are seen together, `positions` of the record, and where they are written.

    `owner`: the seat that always sees them; `own`: they are the first of as many stretches as there are
    seats, and each seat sees its own. Others see them while the element at `flag` is not 0, and then the
    place `shown` is 1. `total` is the place of their sum. What is None is not there.
    """

    slot: Slot
    positions: range
    content: int | None
    owner: int | None = None
    own: bool = False
    flag: int | None = None
    shown: int | None = None
    total: int | None = None

    def of(self, seat: int | None) -> range:
        """The positions that this seat sees here."""
        if not self.own or seat is None:
            return self.positions
        start = self.positions.start + seat * len(self.positions)
        return range(start, start + len(self.positions))

    def is_plain(self, seat: int | None) -> bool:
        """Whether this seat sees them at all times."""
        if self.content is None or (self.own and seat is None):
            return False
        return self.own or self.slot.sight == "open" or (seat is not None and seat == self.owner)


class _Layout:
    """Gives out the places of an observation, one after the other."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.size = 0
        self.pieces: list[Piece] = []
        self.parts: list[_Part] = []
        waits = [n for n, b in enumerate(core.blocks) if isinstance(b.end, Choose | Chance)]
        self.blocks = {block: place for place, block in enumerate(waits)}
        self._take(len(waits))
        self.secret, self.over = self._take(1), self._take(1)
        self.actor = self._take(core.configuration.players)
        self.pieces.append(Piece("waiting", 0, self.size))
        for slot in core.slots:
            if slot.role != "control":
                start = self.size
                self.parts += self._parts(slot)
                if self.size > start:
                    self.pieces.append(Piece(slot.name, start, self.size))

    def _take(self, places: int) -> int:
        self.size += places
        return self.size - places

    def _parts(self, slot: Slot) -> Iterator[_Part]:
        base = self._core.offset[slot.name]
        whole = range(base, base + slot.size)
        flag = self._core.offset[slot.unless] if slot.unless else None
        if slot.sight in ("open", "hidden"):
            yield self._part(slot, whole, flag, None)
            return
        owners = len(slot.dims[0].names)
        width = slot.size // owners
        if flag is None:
            yield _Part(slot, whole[:width], self._take(width * _width(slot)), own=True)
        by_seat = bool(slot.unless) and bool(self._core.slot[slot.unless].dims)
        for owner in range(owners):
            part = whole[owner * width : (owner + 1) * width]
            if flag is not None or slot.counted:
                yield self._part(slot, part, flag + owner if flag is not None and by_seat else flag, owner)

    def _part(self, slot: Slot, positions: range, flag: int | None, owner: int | None) -> _Part:
        veiled = slot.sight != "open"
        return _Part(
            slot,
            positions,
            None if veiled and flag is None else self._take(len(positions) * _width(slot)),
            owner,
            flag=flag,
            shown=self._take(1) if veiled and flag is not None else None,
            total=self._take(1) if veiled and slot.counted else None,
        )


class _Writer:
    """Writes what one seat sees of a record."""

    def __init__(self, parts: list[_Part], seat: int | None) -> None:
        plain = [part for part in parts if part.is_plain(seat)]
        self._plain = _Encoding([(part, part.of(seat)) for part in plain])
        self._shown = [part.shown for part in plain if part.shown is not None]
        self._totals = [part for part in parts if part.total is not None]
        self._veiled = [
            (part, _Encoding([(part, part.positions)]))
            for part in parts
            if part.flag is not None and part.content is not None and not part.is_plain(seat)
        ]

    def write(self, record: Numbers, out: Array) -> None:
        self._plain.write(record, out)
        out[self._shown] = 1
        for part, encoding in self._veiled:
            if record[part.flag]:
                encoding.write(record, out)
                out[part.shown] = 1
        for part in self._totals:
            most = len(part.positions) * max(1, part.slot.high)
            out[part.total] = record[part.positions.start : part.positions.stop].sum() / most


class _Encoding:
    """Elements of a record and their places: names get a place each, numbers one that is between 0 and 1."""

    def __init__(self, parts: list[tuple[_Part, range]]) -> None:
        amounts: list[tuple[int, int, int, int]] = []
        names: list[tuple[int, int]] = []
        for part, positions in parts:
            assert part.content is not None
            low, span, width = part.slot.low, part.slot.high - part.slot.low, _width(part.slot)
            for number, position in enumerate(positions):
                if width > 1:
                    names.append((position, part.content + number * width - low))
                else:
                    amounts.append((position, part.content + number, low, max(1, span)))
        self._amounts = np.array(amounts, dtype=np.int64).reshape(-1, 4).T
        self._names = np.array(names, dtype=np.int64).reshape(-1, 2).T

    def write(self, record: Numbers, out: Array) -> None:
        positions, places, low, span = self._amounts
        out[places] = (record[positions] - low) / span
        positions, places = self._names
        out[places + record[positions]] = 1


def _width(slot: Slot) -> int:
    """How many places an element takes: a name one for each, a number or a truth value one."""
    named = bool(slot.domain.names) and not slot.domain.is_of_positions and slot.high - slot.low > 1
    return slot.high - slot.low + 1 if named else 1


class Tensors:
    """Observations and information states of a game's seats; None is a spectator."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._layout = _Layout(game.core)
        self._writers: dict[int | None, _Writer] = {}
        chances = [block.end for block in game.core.blocks if isinstance(block.end, Chance)]
        self._least = min((chance.low for chance in chances), default=0)
        most = max((chance.high - self._least for chance in chances), default=0)
        self._bits = max(game.num_moves, most).bit_length()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The parts of an observation, in their order: where the game waits, then the slots."""
        return tuple(self._layout.pieces)

    @property
    def observed(self) -> int:
        """How many numbers an observation has."""
        return self._layout.size

    @property
    def row(self) -> int:
        """How many numbers a row of an information state has: those of a step, then of an observation."""
        return 2 + self._bits + self._layout.size

    @cached_property
    def record_size(self) -> int:
        """How many numbers a whole state has: one for each element of the record, and where it waits."""
        return len(self._game.layout.elements) + len(self._layout.blocks) + 1

    def observation(self, state: State, seat: int | None) -> Array:
        """What a seat sees, as `observed` numbers."""
        return self._observed(state.points[-1], seat)

    def information_state(self, state: State, seat: int | None, rows: int) -> Array:
        """All that a seat has seen and done: a row for each point, the present one last, then rows of 0.

        Raises:
            ValueError: the play has waited more than `rows` times.
        """
        points = state.points
        if len(points) > rows:
            raise ValueError(f"the play has {len(points)} points, and there is room for {rows}")
        found = np.zeros((rows, self.row), np.float32)
        found[0, 2 + self._bits :] = self._observed(points[0], seat)
        for number, (step, point) in enumerate(zip(state.history, points[1:], strict=True), start=1):
            found[number] = self._row(point, step, seat)
        return found

    def everything(self, state: State) -> Array:
        """The whole state, whoever may see it, as `record_size` numbers."""
        found = np.zeros(self.record_size, np.float32)
        for element, value in zip(self._game.layout.elements, state.record, strict=False):
            span = max(1, element.slot.high - element.slot.low)
            found[element.position] = (value - element.slot.low) / span
        elements = len(self._game.layout.elements)
        found[elements + self._layout.blocks.get(state.record[-1], len(self._layout.blocks))] = 1
        return found

    def _row(self, point: Point, step: Step, seat: int | None) -> Array:
        key = (self, seat, "row")
        if key not in point.told:
            row = np.zeros(self.row, np.float32)
            row[: 2 + self._bits] = self._step(step, seat)
            row[2 + self._bits :] = self._observed(point, seat)
            point.told[key] = row
        found: Array = point.told[key]
        return found

    def _step(self, step: Step, seat: int | None) -> list[int]:
        """Whether it was seen, whether it was chance, and its number in binary."""
        if not step.is_witnessed(seat):
            return [0] * (2 + self._bits)
        chance = not isinstance(step, Played)
        number = step.move.number if isinstance(step, Played) else step.outcome.number - self._least
        return [1, int(chance), *(number >> bit & 1 for bit in range(self._bits))]

    def _observed(self, point: Point, seat: int | None) -> Array:
        key = (self, seat)
        if key not in point.told:
            found = np.zeros(self._layout.size, np.float32)
            self._write_waiting(point, seat, found)
            if seat not in self._writers:
                self._writers[seat] = _Writer(self._layout.parts, seat)
            self._writers[seat].write(np.array(point.record, np.int64), found)
            found.flags.writeable = False
            point.told[key] = found
        known: Array = point.told[key]
        return known

    def _write_waiting(self, point: Point, seat: int | None, out: Array) -> None:
        block, actor = point.record[-1], point.waiting.actor
        end = self._game.core.blocks[block].end
        if isinstance(end, Choose) and end.secret and actor != seat:
            out[self._layout.secret] = 1
        elif block in self._layout.blocks:
            out[self._layout.blocks[block]] = 1
            if isinstance(end, Choose):
                out[self._layout.actor + actor] = 1
        else:
            out[self._layout.over] = 1
