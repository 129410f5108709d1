"""Every state that a core can come to, breadth first: what holds in all of them, and a shortest way to
others.

States are waiting points: choices, chances and ends, told apart by what the rules may still read. They are
kept packed, each with the state it was first found from, so that what a state costs is known beforehand and
a limit on states is one on memory.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core, Property
from rulespec.engine.faults import Fault
from rulespec.engine.positions import Positions
from rulespec.engine.python.predicates import conditions
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.stepper import RawMove, Record, Stepper

# A step of a play: a move, or the outcome that chance decided for.
Taken = RawMove | int

# Beside the packed bytes of a state: its object, its share of a dict that is being enlarged, its numbers.
_OVERHEAD = 33 + 160 + 48
# States between two looks at the clock.
_STRIDE = 256


@dataclass(frozen=True)
class Limits:
    """Where an exploration stops unfinished: `seconds` of this process; `memory` in bytes, for the states."""

    states: int = 2_000_000
    seconds: float = float("inf")
    memory: int = 1_000_000_000


@dataclass(frozen=True)
class Found:
    """A shortest play to a state, and the record there."""

    play: tuple[Taken, ...]
    record: Record


@dataclass(frozen=True)
class Stumble:
    """A shortest play to a fault: its last step failed, or else the state it leads to has no way on."""

    play: tuple[Taken, ...]
    fault: Fault


@dataclass(frozen=True)
class Endless:
    """A play that comes back to a state it has passed, and could thus go on for ever.

    Its last step leads to the state that it was in after the first `back` of its steps.
    """

    play: tuple[Taken, ...]
    back: int


@dataclass
class Exploration:
    """What was found.

    `finished`: every state was visited. Otherwise `stopped` says why not: `states`, `memory` or `seconds` for
    the limit that was reached, `stop` if the caller wanted no more.

    `states` and `transitions` count what was seen, `ends` the states in which the game is over, `depth` the
    steps to those furthest away. `broken` has each property that must hold always and does not, `reached`
    each `reachable` one that holds somewhere, by name. `faults` has the first of each kind and place; the
    exploration goes on past them. Where a property has no value, the fault has its origin and no block.
    `endless` is looked for once all is finished.
    """

    finished: bool = False
    stopped: str = ""
    states: int = 0
    transitions: int = 0
    ends: int = 0
    depth: int = 0
    seconds: float = 0.0
    broken: dict[str, Found] = field(default_factory=dict)
    reached: dict[str, Found] = field(default_factory=dict)
    faults: list[Stumble] = field(default_factory=list)
    endless: Endless | None = None


# Asked now and then with what was found so far; False wants no more.
Progress = Callable[[Exploration], bool]


def explore(
    core: Core,
    properties: Sequence[Property] | None = None,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    engine: Stepper | None = None,
) -> Exploration:
    """Visits states from the opening on, looking at the properties in each; without any, at the core's.

    `engine` steps the core; without one it is the generated Python. A state in which a property has no value
    counts among the faults.
    """
    chosen = core.properties if properties is None else tuple(properties)
    explorer = _Explorer(core, chosen, limits or Limits(), engine or PythonEngine(core))
    return explorer.run(progress or (lambda _: True))


class Packing:
    """Records as bytes and back, each number as wide as the widest of the core needs."""

    def __init__(self, core: Core) -> None:
        low = min([0, *(slot.low for slot in core.slots)])
        high = max([len(core.blocks), *(slot.high for slot in core.slots)])
        self._code = next(code for code in "BbHhIiQq" if _holds(code, low, high))
        self.bytes = array(self._code).itemsize * (sum(slot.size for slot in core.slots) + 1)

    def pack(self, r: Record) -> bytes:
        return array(self._code, r).tobytes()

    def unpack(self, packed: bytes) -> Record:
        return array(self._code, packed).tolist()


def _holds(code: str, low: int, high: int) -> bool:
    bits = 8 * array(code).itemsize
    if code.isupper():
        return low >= 0 and high < 1 << bits
    return low >= -(1 << (bits - 1)) and high < 1 << (bits - 1)


class _Full(Exception):
    """There is no room for another state."""


class _Explorer:
    def __init__(self, core: Core, properties: Sequence[Property], limits: Limits, engine: Stepper) -> None:
        self.engine = engine
        self.properties = properties
        self.limits = limits
        self.packing = Packing(core)
        self.room = min(limits.states, limits.memory // (self.packing.bytes + _OVERHEAD))
        self.result = Exploration()
        self.began = time.process_time()
        self._holds = conditions(core, [p.condition for p in properties], [p.origin for p in properties])
        self._each_holds = [conditions(core, [p.condition], [p.origin]) for p in properties]
        self._positions = Positions(core, [p.condition for p in properties])
        self._usual = [p.kind != "reachable" for p in properties]
        self._number: dict[bytes, int] = {}  # packed state -> its number, in the order they were found
        self._from = array("q")  # state -> the one it was found from
        self._step = array("q")  # state -> the place in that one's list of steps
        self._first = array("q")  # state that was expanded -> where its steps begin in `_to`
        self._to = array("q")  # what each step leads to; -1 for a fault
        self._known_faults: set[object] = set()

    def run(self, progress: Progress) -> Exploration:
        result = self.result
        try:
            self._walk(progress)
        except _Full:
            result.stopped = "states" if self.room == self.limits.states else "memory"
        self._count()
        result.finished = not result.stopped
        if result.finished:
            result.endless = self._find_endless()
        return result

    def _walk(self, progress: Progress) -> None:
        try:
            opening = self.engine.start()
        except Fault as fault:
            self._stumble(fault, ())
            return
        level: list[bytes] = []
        self._add(opening, -1, -1, level)
        while level:
            following: list[bytes] = []
            for position, packed in enumerate(level):
                if position % _STRIDE == 0 and not self._goes_on(progress):
                    return
                self._expand(packed, following)
            level = following
            self.result.depth += bool(level)

    def _goes_on(self, progress: Progress) -> bool:
        self._count()
        if self.result.seconds > self.limits.seconds:
            self.result.stopped = "seconds"
        elif not progress(self.result):
            self.result.stopped = "stop"
        return not self.result.stopped

    def _count(self) -> None:
        self.result.states = len(self._number)
        self.result.seconds = time.process_time() - self.began

    def _expand(self, packed: bytes, following: list[bytes]) -> None:
        """Takes every step from a state."""
        number, r = self._number[packed], self.packing.unpack(packed)
        engine = self.engine
        self._first.append(len(self._to))
        try:
            steps = self._steps(r)
        except Fault as fault:
            self._stumble(fault, self._play_to(number))
            return
        for place, step in enumerate(steps):
            after = list(r)
            try:
                _take(engine, after, step)
            except Fault as fault:
                self._stumble(fault, (*self._play_to(number), step))
                self._to.append(-1)
            else:
                self._to.append(self._add(after, number, place, following))
        self.result.transitions += len(steps)

    def _steps(self, r: Record) -> Sequence[Taken]:
        match self.engine.kind(r):
            case "choice":
                self.engine.actor(r)
                return self.engine.moves(r)
            case "chance":
                return [outcome for outcome, _ in self.engine.outcomes(r)]
            case _:
                self.result.ends += 1
                self.engine.scores(r)
                return ()

    def _add(self, r: Record, origin: int, place: int, following: list[bytes]) -> int:
        """The number of the state, which is new or known."""
        self._positions.settle(r)
        packed = self.packing.pack(r)
        known = self._number.get(packed)
        if known is not None:
            return known
        if len(self._number) >= self.room:
            raise _Full
        number = len(self._number)
        self._number[packed] = number
        self._from.append(origin)
        self._step.append(place)
        following.append(packed)
        try:
            holds = self._holds(r)
        except Fault:
            holds = self._one_by_one(r, number)
        if holds != self._usual:
            self._note(number, holds)
        return number

    def _one_by_one(self, r: Record, number: int) -> list[bool]:
        """Which properties hold, where one without a value passes for usual."""
        found: list[bool] = []
        for holds, usual in zip(self._each_holds, self._usual, strict=True):
            try:
                found += holds(r)
            except Fault as fault:
                self._stumble(fault, self._play_to(number))
                found.append(usual)
        return found

    # --- plays without end ----------------------------------------------------------------------------------

    def _find_endless(self) -> Endless | None:
        """States are expanded in the order of their numbers, so that their steps lie one after the other."""
        if not self._number:
            return None
        ends = [*self._first[1:], len(self._to)]
        left = self._on_ways_back(ends)
        if not left:
            return None
        path = [min(left)]
        passed = {path[0]: 0}
        places: list[int] = []
        while True:
            steps = self._to[self._first[path[-1]] : ends[path[-1]]]
            place = next(i for i, target in enumerate(steps) if target in left)
            places.append(place)
            if steps[place] in passed:
                break
            passed[steps[place]] = len(path)
            path.append(steps[place])
        before = self._play_to(path[0])
        play = self._play_on(before, places)
        return Endless(play, len(before) + passed[steps[place]])

    def _on_ways_back(self, ends: list[int]) -> set[int]:
        """The states from which play need not end: the others are peeled off from the ends."""
        onward = array("q", (end - start for start, end in zip(self._first, ends, strict=True)))
        before, first = self._reversed(ends)
        todo = [state for state, steps in enumerate(onward) if not steps]
        todo.append(-1)  # where faults lead
        left = set(range(len(onward)))
        while todo:
            state = todo.pop()
            left.discard(state)
            for origin in before[first[state + 1] : first[state + 2]]:
                onward[origin] -= 1
                if not onward[origin]:
                    todo.append(origin)
        return left

    def _reversed(self, ends: list[int]) -> tuple[array[int], array[int]]:
        """All states by what they lead to: those that lead to `s` stand from place `first[s + 1]` on."""
        first = array("q", bytes(8 * (len(ends) + 2)))
        for target in self._to:
            first[target + 2] += 1
        for state in range(len(ends) + 1):
            first[state + 1] += first[state]
        free = array("q", first)
        before = array("q", bytes(8 * len(self._to)))
        for state, (start, end) in enumerate(zip(self._first, ends, strict=True)):
            for target in self._to[start:end]:
                before[free[target + 1]] = state
                free[target + 1] += 1
        return before, first

    # --- what is told ---------------------------------------------------------------------------------------

    def _note(self, number: int, holds: list[bool]) -> None:
        for p, holding, usual in zip(self.properties, holds, self._usual, strict=True):
            found = self.result.broken if usual else self.result.reached
            if holding != usual and p.name not in found:
                play = self._play_to(number)
                found[p.name] = Found(play, _played(self.engine, play))

    def _stumble(self, fault: Fault, play: tuple[Taken, ...]) -> None:
        place = (fault.kind, fault.subject, fault.block, fault.origin)
        if place not in self._known_faults:
            self._known_faults.add(place)
            self.result.faults.append(Stumble(play, fault))

    def _play_to(self, number: int) -> tuple[Taken, ...]:
        """The steps from the opening to a state, found again by playing them."""
        places: list[int] = []
        while number > 0:
            places.append(self._step[number])
            number = self._from[number]
        return self._play_on((), places[::-1])

    def _play_on(self, before: tuple[Taken, ...], places: Sequence[int]) -> tuple[Taken, ...]:
        """A play with further steps, given as places in the lists of what is possible."""
        r = _played(self.engine, before)
        play = list(before)
        for place in places:
            chance = self.engine.kind(r) == "chance"
            step: Taken = self.engine.outcomes(r)[place][0] if chance else self.engine.moves(r)[place]
            _take(self.engine, r, step)
            play.append(step)
        return tuple(play)


def _played(engine: Stepper, play: Sequence[Taken]) -> Record:
    r = engine.start()
    for step in play:
        _take(engine, r, step)
    return r


def _take(engine: Stepper, r: Record, step: Taken) -> None:
    if isinstance(step, tuple):
        engine.play(r, step)
    else:
        engine.happen(r, step)
