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


class Player:
    """Plays a core, noting loops' heads too. `most` steps at the longest."""

    def __init__(self, core: Core, stepper: Callable[[Core], Stepper], most: int = 20_000) -> None:
        self.core = core
        self.engine = stepper(watched(core))
        self.most = most
        kinds = {b.name: b.kind for b in core.blocks}
        heads = {b.name for b in core.blocks if b.loop is not None}
        self._places: list[Place] = []
        for block in self.engine.core.blocks:
            name = block.name.removesuffix(AFTER)
            self._places.append((name, "head" if block.name in heads else kinds[name]))

    def play(self, choose: Chooser) -> Trail:
        """One play with everything picked by `choose`."""
        trail = Trail()
        try:
            self._go(choose, trail)
        except Fault as fault:
            trail.fault = fault
        return trail

    def _go(self, choose: Chooser, trail: Trail) -> None:
        engine = self.engine
        record = engine.start()
        while len(trail.steps) < self.most:
            place = self._places[record[-1]]
            trail.passed.append((place, tuple(record[:-2])))
            match place[1]:
                case "head":
                    engine.happen(record, 0)
                case "choice":
                    self._move(choose, trail, record)
                case "chance":
                    self._chance(choose, trail, record)
                case _:
                    engine.scores(record)
                    trail.over = True
                    return

    def _move(self, choose: Chooser, trail: Trail, record: Record) -> None:
        self.engine.actor(record)
        moves = self.engine.moves(record)
        number = choose.move(moves)
        self._note(trail, number, moves[number])
        self.engine.play(record, moves[number])

    def _chance(self, choose: Chooser, trail: Trail, record: Record) -> None:
        outcomes = self.engine.outcomes(record)
        number = choose.outcome(outcomes)
        self._note(trail, number, (outcomes[number][0],))
        self.engine.happen(record, outcomes[number][0])

    def _note(self, trail: Trail, number: int, raw: tuple[int, ...]) -> None:
        trail.picks.append(number)
        trail.steps.append(raw)
        trail.waits.append(len(trail.passed) - 1)


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
    end = time.perf_counter() + seconds
    best = list(picks)
    progress = True
    while progress:
        progress = False
        for attempt in _smaller(best):
            if time.perf_counter() > end:
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
