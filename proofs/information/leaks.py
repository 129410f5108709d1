"""Two plays that look alike to the one who is asked and end before different offers.

They are looked for in three ways: every position of a small game, put together by what is seen there; random
plays, put together likewise; and plays that are made again with what one seat does not see dealt otherwise,
step by step, so that all it sees stays as it was. Each position comes from a play, so that nothing is taken
for a leak that cannot happen.
"""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.core.liveness import masks
from rulespec.compiler.core.tree import Core
from rulespec.engine.explore import Packing
from rulespec.engine.faults import Fault
from rulespec.engine.positions import Positions
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.sight import Sight, is_witnessed, sight
from rulespec.engine.stepper import RawMove, Record
from rulespec.proofs.plays import Trail

Steps = tuple[tuple[int, ...], ...]
Pair = tuple[Steps, Steps]

# A choice, a seat, and the hash of what it sees. Where two views share one, what is no leak may be looked
# into, but no leak is overlooked.
Key = tuple[int, int, int]

KEPT = 60  # pairs of positions for one choice, some of which the interpreter may find unlike after all
ENOUGH = 24  # plays that are made again even where each choice has its pair: others may be shorter
STRIDE = 64  # positions between two looks at the clock
# One play is made again for one seat so many times, and so often is a step the same where it can be.
FAITHFUL = (0.95, 0.9, 0.7, 0.3)


@dataclass
class Compared:
    """What comparing positions came to. `pairs` has for some choices two plays that seem to speak against it,
    in the order in which they were found; `positions` were looked at in all.
    """

    pairs: dict[str, list[Pair]] = field(default_factory=dict)
    positions: int = 0
    finished: bool = False

    def note(self, block: str, pair: Pair) -> None:
        known = self.pairs.setdefault(block, [])
        if len(known) < KEPT:
            known.append(pair)


class Looker:
    """Compares positions at some choices of a core."""

    def __init__(self, core: Core, blocks: Collection[str]) -> None:
        self.core = core
        self.engine = PythonEngine(core)
        self.number = {block.name: n for n, block in enumerate(core.blocks)}
        self._wanted = {self.number[name] for name in blocks}
        self._sights: dict[tuple[int, frozenset[str]], Sight] = {}
        self._stale = _stale(core)

    def sees(self, seat: int, without: frozenset[str] = frozenset()) -> Sight:
        found = self._sights.get((seat, without))
        if found is None:
            found = self._sights[seat, without] = sight(self.core, seat, without)
        return found

    def asked(self, r: Record) -> tuple[int, tuple[RawMove, ...]] | None:
        """Who is asked and what is offered, if it is one of the choices that are looked at."""
        if r[-1] not in self._wanted:
            return None
        try:
            return self.engine.actor(r), tuple(self.engine.moves(r))
        except Fault:
            return None  # another claim's concern

    def take(self, r: Record, step: tuple[int, ...]) -> Record | None:
        """The record after a step; None where the game breaks off."""
        after = list(r)
        try:
            if self.engine.kind(r) == "choice":
                self.engine.play(after, step)
            else:
                self.engine.happen(after, step[0])
        except Fault:
            return None
        return after

    def steps(self, r: Record) -> list[tuple[int, ...]]:
        """All that can be done or happen."""
        try:
            match self.engine.kind(r):
                case "choice":
                    return list(self.engine.moves(r))
                case "chance":
                    return [(outcome,) for outcome, _ in self.engine.outcomes(r)]
        except Fault:
            pass
        return []

    # --- every position ------------------------------------------------------------------------------------

    def everywhere(self, states: int, seconds: float) -> Compared:
        """Positions from the start on, breadth first, within the limits (seconds of this process)."""
        return _Visit(self).run(states, time.process_time() + seconds)

    def without(self, block: int) -> frozenset[str]:
        """Slots that need not tell a position from another: somewhere, what is left in them is not read."""
        return self._stale[block]

    # --- plays ---------------------------------------------------------------------------------------------

    def between(self, trails: Iterable[Trail]) -> Compared:
        """Positions of different plays that look alike."""
        result = Compared()
        groups: dict[Key, tuple[tuple[RawMove, ...], Steps]] = {}
        for trail in trails:
            for number, r in enumerate(self.points(trail)):
                asked = self.asked(r)
                if asked is None:
                    continue
                seat, moves = asked
                steps = tuple(trail.steps[:number])
                key = r[-1], seat, hash(self.sees(seat).view(r))
                known = groups.setdefault(key, (moves, steps))
                result.positions += 1
                if known[0] != moves:
                    result.note(self.core.blocks[r[-1]].name, (known[1], steps))
        return result

    def dealt_otherwise(
        self, trails: Iterable[Trail], blocks: Collection[str], seconds: float, seed: int
    ) -> Compared:
        """Plays made again, for each seat, with what it does not see done or drawn otherwise, until there are
        pairs for all of these choices.
        """
        result = Compared()
        end = time.process_time() + seconds
        rng = random.Random(seed)
        for number, trail in enumerate(trails):
            if number >= ENOUGH and result.pairs.keys() >= set(blocks):
                break
            points = self.points(trail)
            for seat in range(self.core.configuration.players):
                for faithful in FAITHFUL:
                    if time.process_time() > end:
                        return result
                    self._again(trail, points, seat, _Other(rng, faithful), result)
        return result

    def points(self, trail: Trail) -> list[Record]:
        """The records at which the play waited, each as the engine has it."""
        waits = [*trail.waits]
        last = len(trail.passed) - 1
        if trail.fault is None and last not in waits:
            waits.append(last)
        return [[*trail.passed[n][1], self.number[trail.passed[n][0][0]]] for n in waits]

    def _again(
        self, trail: Trail, points: Sequence[Record], seat: int, chance: _Other, result: Compared
    ) -> None:
        """One play made again for a seat, as far as it stays the same to it; what is offered is compared."""
        sees = self.sees(seat)
        r, steps, apart = list(points[0]), [], False
        for number, (step, target) in enumerate(zip(trail.steps, points[1:], strict=False)):
            found = self._step(r, step, target, sees, chance)
            if found is None:
                return
            taken, r = found
            steps.append(taken)
            apart = apart or taken != step
            asked = self.asked(r) if apart else None
            if asked is None or asked[0] != seat:
                continue
            result.positions += 1
            there = self.asked(target)
            if there is not None and there != asked:
                pair = tuple(trail.steps[: number + 1]), tuple(steps)
                result.note(self.core.blocks[r[-1]].name, pair)

    def _step(
        self, r: Record, step: tuple[int, ...], target: Record, sees: Sight, chance: _Other
    ) -> tuple[tuple[int, ...], Record] | None:
        """A step after which the seat sees what it saw in the other play, and somebody is asked the same."""
        possible = self.steps(r)
        if is_witnessed(self.core, r, sees.seat):
            possible = [each for each in possible if each == step]
        chance.order(possible, step)
        view = sees.view(target)
        for each in possible:
            after = self.take(r, each)
            if after is not None and after[-1] == target[-1] and sees.view(after) == view:
                return each, after
        return None


@dataclass(frozen=True)
class _Other:
    """Decides what is done otherwise in a play that is made again."""

    rng: random.Random
    faithful: float

    def order(self, possible: list[tuple[int, ...]], step: tuple[int, ...]) -> None:
        """What is to be tried first; `step` is what was done before."""
        self.rng.shuffle(possible)
        if step in possible and self.rng.random() < self.faithful:
            possible.remove(step)
            possible.insert(0, step)


class _Visit:
    """All positions, each with the one it was first found from."""

    def __init__(self, looker: Looker) -> None:
        self.looker = looker
        self._positions = Positions(looker.core)
        self._packing = Packing(looker.core)
        self._number: dict[bytes, int] = {}
        self._from: list[tuple[int, tuple[int, ...]]] = []
        self._groups: dict[Key, tuple[tuple[RawMove, ...], int]] = {}
        self._result = Compared()

    def run(self, states: int, end: float) -> Compared:
        result = self._result
        try:
            opening = self.looker.engine.start()
        except Fault:
            result.finished = True
            return result
        level = [self._add(opening, -1, ())]
        looked = 0
        while level:
            following: list[bytes] = []
            for packed in level:
                looked += 1
                if looked % STRIDE == 0 and time.process_time() > end:
                    return result
                for after, number, step in self._after(packed):
                    if len(self._number) >= states:
                        return result
                    new = self._add(after, number, step)
                    following += [new] if new else []
            level = following
        result.finished = True
        return result

    def _after(self, packed: bytes) -> Iterator[tuple[Record, int, tuple[int, ...]]]:
        r, number = self._packing.unpack(packed), self._number[packed]
        for step in self.looker.steps(r):
            after = self.looker.take(r, step)
            if after is not None:
                yield after, number, step

    def _add(self, r: Record, origin: int, step: tuple[int, ...]) -> bytes:
        """The position if it is new."""
        self._positions.settle(r)
        packed = self._packing.pack(r)
        if packed in self._number:
            return b""
        number = self._number[packed] = len(self._number)
        self._from.append((origin, step))
        self._result.positions += 1
        asked = self.looker.asked(r)
        if asked is not None:
            seat, moves = asked
            view = self.looker.sees(seat, self.looker.without(r[-1])).view(r)
            known = self._groups.setdefault((r[-1], seat, hash(view)), (moves, number))
            if known[0] != moves:
                pair = self._play(known[1]), self._play(number)
                self._result.note(self.looker.core.blocks[r[-1]].name, pair)
        return packed

    def _play(self, number: int) -> Steps:
        steps: list[tuple[int, ...]] = []
        while number > 0:
            number, step = self._from[number]
            steps.append(step)
        return tuple(reversed(steps))


def _stale(core: Core) -> list[frozenset[str]]:
    """For each block the slots that are put to rest where their content is not read again."""
    found = masks(core)
    return [
        frozenset() if block.body else frozenset(name for mask in found[block.name] for name in mask.dead)
        for block in core.blocks
    ]
