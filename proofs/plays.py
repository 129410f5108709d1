"""Plays as sequences of small numbers: drawn at random, checked against claims, and made smaller.

Each number picks one of what is possible at its turn; when the numbers are used up, the first possibility is
taken. Any sequence of numbers is thus a play, which is what makes cutting and lowering them safe.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core
from rulespec.engine.faults import Fault
from rulespec.engine.rng import pick, pick_move
from rulespec.engine.stepper import RawMove, Record, Stepper
from rulespec.proofs.narrowed import Moves
from rulespec.proofs.watched import AFTER, watched

Place = tuple[str, str]  # a block and `head`, `choice`, `chance` or `end`
Passed = tuple[Place, tuple[int, ...]]


@dataclass
class Trail:
    """One play: what was picked at each waiting point, and every control point passed with its record.

    `steps[i]` was picked at `passed[waits[i]]`. `fault` broke it off; `over` says it came to an end.
    """

    picks: list[int] = field(default_factory=list)
    steps: list[tuple[int, ...]] = field(default_factory=list)
    waits: list[int] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    fault: Fault | None = None
    over: bool = False


class Session:
    """A play in progress: one of `possible` may be picked at `kind` (`choice chance end fault`).

    Of very many moves `possible` has some.
    """

    def __init__(self, engine: Stepper, moves: Moves, places: Sequence[Place]) -> None:
        self.trail = Trail()
        self.kind = ""
        self.possible: list[tuple[int, ...]] = []
        self.weights: list[tuple[int, int]] = []
        self._engine = engine
        self._moves = moves
        self._places = places
        self._record: Record = []
        self._guarded(self._start)

    def pick(self, number: int) -> None:
        """Take the possibility with this number."""
        raw = self.possible[number]
        trail = self.trail
        trail.picks.append(number)
        trail.steps.append(raw)
        trail.waits.append(len(trail.passed) - 1)
        self._guarded(lambda: self._take(raw))

    def _guarded(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Fault as fault:
            self.trail.fault = fault
            self.kind = "fault"
            self.possible = []

    def _start(self) -> None:
        self._record = self._engine.start()
        self._arrive()

    def _take(self, raw: tuple[int, ...]) -> None:
        if self.kind == "choice":
            self._engine.play(self._record, raw)
        else:
            self._engine.happen(self._record, raw[0])
        self._arrive()

    def _arrive(self) -> None:
        """Note all control points up to the next that waits, and what is possible there."""
        engine, record = self._engine, self._record
        since: set[Passed] = set()
        while True:
            place = self._places[record[-1]]
            passed = (place, tuple(record[:-2]))
            self.trail.passed.append(passed)
            if place[1] != "head":
                break
            if passed in since:
                block = engine.core.block[place[0]]
                raise Fault("endless", "nobody is ever asked again", block.origin, block.name)
            since.add(passed)
            engine.happen(record, -1)
        self.kind = place[1]
        self.possible, self.weights = [], []
        match self.kind:
            case "choice":
                engine.actor(record)
                self.possible = self._moves.at(record)
            case "chance":
                self.weights = engine.outcomes(record)
                self.possible = [(outcome,) for outcome, _ in self.weights]
            case _:
                engine.scores(record)
                self.trail.over = True


class Player:
    """Plays a core, noting loops' heads too. `most` steps at the longest."""

    def __init__(self, core: Core, stepper: Callable[[Core], Stepper], most: int = 20_000) -> None:
        self.core = core
        self.engine = stepper(watched(core))
        self._moves = Moves(self.engine.core, self.engine, stepper)
        self.most = most
        kinds = {b.name: b.kind for b in core.blocks}
        heads = {b.name for b in core.blocks if b.loop is not None}
        self._places: list[Place] = []
        for block in self.engine.core.blocks:
            name = block.name.removesuffix(AFTER)
            self._places.append((name, "head" if block.name in heads else kinds[name]))

    def begin(self) -> Session:
        """A play at its first waiting point."""
        return Session(self.engine, self._moves, self._places)

    def play(self, choose: Chooser, most: int | None = None) -> Trail:
        """One play of at most so many steps with everything picked by `choose`."""
        session = self.begin()
        for _ in range(self.most if most is None else most):
            if session.kind == "choice":
                session.pick(choose.move(session.possible))
            elif session.kind == "chance":
                session.pick(choose.outcome(session.weights))
            else:
                break
        return session.trail


class Chooser:
    """Uniform random picks, the same that every engine makes from this seed."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def move(self, moves: Sequence[RawMove]) -> int:
        return moves.index(pick_move(self.rng, moves))

    def outcome(self, outcomes: Sequence[tuple[int, int]]) -> int:
        found = pick(self.rng, outcomes)
        return next(i for i, (value, _) in enumerate(outcomes) if value == found)


class Leaning(Chooser):
    """Picks the option first, each with a weight of its own for the whole play, and often its least or last
    values.
    """

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self._weights: dict[int, float] = {}
        self._ends = rng.choice((0.0, 0.3, 0.7))

    def move(self, moves: Sequence[RawMove]) -> int:
        options = sorted({m[0] for m in moves})
        weights = [self._weights.setdefault(o, self.rng.random() ** 2 + 0.02) for o in options]
        option = self.rng.choices(options, weights)[0]
        same = [i for i, m in enumerate(moves) if m[0] == option]
        if self.rng.random() < self._ends:
            return same[0] if self.rng.random() < 0.3 else same[-1]
        return self.rng.choice(same)

    def outcome(self, outcomes: Sequence[tuple[int, int]]) -> int:
        return int(self.rng.random() * len(outcomes))


class Given(Chooser):
    """Picks what a list of numbers says."""

    def __init__(self, picks: Sequence[int]) -> None:
        self._picks = iter(picks)

    def move(self, moves: Sequence[RawMove]) -> int:
        return min(next(self._picks, 0), len(moves) - 1)

    def outcome(self, outcomes: Sequence[tuple[int, int]]) -> int:
        return min(next(self._picks, 0), len(outcomes) - 1)


class Taken(Chooser):
    """Takes the steps of a play, and then whatever comes first."""

    def __init__(self, steps: Sequence[tuple[int, ...]]) -> None:
        self._steps = iter(steps)

    def move(self, moves: Sequence[RawMove]) -> int:
        step = next(self._steps, moves[0])
        return moves.index(step) if step in moves else 0

    def outcome(self, outcomes: Sequence[tuple[int, int]]) -> int:
        step = next(self._steps, (outcomes[0][0],))
        return next((n for n, (value, _) in enumerate(outcomes) if (value,) == step), 0)


def chooser(seed: int) -> Chooser:
    """Every other seed plays uniformly, the rest lean."""
    rng = random.Random(seed)
    return Leaning(rng) if seed % 2 else Chooser(rng)


# --- making a play smaller ---------------------------------------------------------------------------------


def shrink(
    picks: Sequence[int], breaks: Callable[[Sequence[int]], Sequence[int] | None], seconds: float
) -> list[int]:
    """A shorter and lower sequence that still does it.

    `breaks` plays a sequence and gives what of it was needed, or None if it no longer does it.
    """
    end = time.process_time() + seconds
    best = list(picks)
    progress = True
    while progress:
        progress = False
        for attempt in _smaller(best):
            if time.process_time() > end:
                return best
            found = breaks(attempt)
            if found is not None and _size(found) < _size(best):
                best = list(found)
                progress = True
                break
    return best


def _size(picks: Sequence[int]) -> tuple[int, int, list[int]]:
    return len(picks), sum(picks), list(picks)


def _smaller(picks: list[int]) -> Iterator[list[int]]:
    """Stretches cut out, long ones first; then numbers lowered."""
    length = len(picks) // 2
    while length >= 1:
        for start in range(len(picks) - length, -1, -max(1, length // 2)):
            yield [*picks[:start], *picks[start + length :]]
        length //= 2
    for place, number in enumerate(picks):
        for lower in sorted({0, number // 2, number - 1}):
            if 0 <= lower < number:
                yield [*picks[:place], lower, *picks[place + 1 :]]
