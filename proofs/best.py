"""The best play for a number: what all players and chance together can bring about, as far as it is found.

Small games are visited whole. In others plays are drawn by weights that learn from the best play so far
(C. D. Rosin, "Nested rollout policy adaptation for Monte Carlo tree search", IJCAI 2011), and the best one is
then varied step by step. What is spent is counted in steps, so that the same is found in every run.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, isqrt

from rulespec.compiler.core.tree import Core, Expr
from rulespec.engine.explore import Packing
from rulespec.engine.faults import Fault
from rulespec.engine.positions import Positions
from rulespec.engine.python.predicates import numbers
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.rng import pick
from rulespec.engine.stepper import Record
from rulespec.proofs.plays import chooser

LONGEST = 5_000  # steps of one play
LEARNT = 1.0  # by how much a weight learns from one play
MOST_INNER = 30  # plays from which the innermost level learns, and times that the one above does
AHEAD = 12  # steps of a play that may be left out where it is varied
STARTS = 3  # times that all is forgotten and begun anew, at least
RANDOM_SHARE = 5  # of the steps, one part in so many goes to plays without aim
Raw = tuple[int, ...]  # a move, or an outcome alone
Draw = Callable[[int, int, Sequence[Raw]], Raw]
Key = tuple[int, int, Raw]  # the block that waits, who is asked (-1: chance), and what is done


@dataclass(frozen=True)
class Goal:
    """An expression whose value, times `sign`, shall be great; `at_end`: once the game is over."""

    expr: Expr
    sign: int
    at_end: bool


@dataclass(frozen=True)
class Best:
    """The value of the expression, and a play that comes to it."""

    value: int
    steps: tuple[Raw, ...]


@dataclass
class Findings:
    """The best for each goal, by its place among them; None where no play comes to a value.

    `whole`: every position was visited, `positions` of them, so that nothing is better.
    """

    best: list[Best | None]
    whole: bool = False
    positions: int = 0


@dataclass
class Finder:
    """Looks for the best plays of one core. `stop` is asked now and then, and ends the search if true."""

    core: Core
    goals: Sequence[Goal]
    stop: Callable[[], bool] = lambda: False
    found: Findings = field(init=False)
    spent: int = 0
    length: int = 1  # of a play without aim

    def __post_init__(self) -> None:
        self.found = Findings([None] * len(self.goals))
        self.engine = PythonEngine(self.core)
        self._values = [numbers(self.core, [goal.expr]) for goal in self.goals]

    # --- every position ------------------------------------------------------------------------------------

    def visit(self, most: int) -> bool:
        """Every position, if there are no more than `most`; says whether all were seen."""
        packing = Packing(self.core)
        positions = Positions(self.core, [goal.expr for goal in self.goals])
        known: dict[bytes, int] = {}
        origin = array("q")
        taken: list[Raw] = []

        def arrive(record: Record, before: int, step: Raw) -> None:
            positions.settle(record)
            packed = packing.pack(record)
            if packed not in known:
                known[packed] = len(known)
                origin.append(before)
                taken.append(step)
                self._note(record, range(len(self.goals)), lambda: _path(origin, taken, known[packed]))
                waiting.append(packed)

        waiting: list[bytes] = []
        opening = self.started()
        if opening is not None:
            arrive(opening, -1, ())
        for number, packed in enumerate(waiting):
            if len(known) > most or (number % 256 == 0 and self.stop()):
                return False
            for step in self.possible_steps(packing.unpack(packed)):
                record = packing.unpack(packed)
                if self.take(record, step):
                    arrive(record, number, step)
        self.found.whole, self.found.positions = True, len(known)
        return True

    # --- plays ---------------------------------------------------------------------------------------------

    def search(self, steps: int, seed: int, progress: Callable[[int], None]) -> None:
        """Plays without aim, then with one goal after the other in mind."""
        began = self.spent
        number = 0
        while self.spent < began + steps // RANDOM_SHARE and not self.stop():
            self._play_freely(seed + number)
            number += 1
        self.length = max(1, (self.spent - began) // max(1, number))
        left = steps - steps // RANDOM_SHARE
        for place in range(len(self.goals)):
            progress(self.spent)
            self.improve(place, left // len(self.goals), seed)
        for best in list(self.found.best):
            self._follow(best.steps if best is not None else ())

    def improve(self, place: int, steps: int, seed: int) -> None:
        """Spend so many steps on one goal."""
        plays = steps // (2 * STARTS * self.length)
        inner = min(MOST_INNER, max(2, isqrt(plays)))
        aim = _Aim(self, place, random.Random(f"{seed}:{place}"), self.spent + steps // 2, inner)
        best = _Run(None, [])
        while not aim.over():
            best = aim.better(best, aim.level(2, {}))
        aim.until += steps - steps // 2
        while best.seen and not aim.over():
            best = aim.better(best, aim.varied(best.seen))

    def _play_freely(self, seed: int) -> None:
        choose, path = chooser(seed), list[Raw]()
        record = self.started()
        everything = range(len(self.goals))
        for _ in range(LONGEST):
            if record is None:
                return
            self._note(record, everything, lambda: tuple(path))
            possible = self.possible_steps(record)
            if not possible:
                return
            if self.engine.kind(record) == "choice":
                step = possible[choose.move(possible)]
            else:
                step = (pick(choose.rng, self.engine.outcomes(record)),)
            path.append(step)
            record = record if self.take(record, step) else None

    def _follow(self, steps: tuple[Raw, ...]) -> None:
        """What is best for one goal may be for another too."""
        record = self.started()
        path = list[Raw]()
        for step in (*steps, None):
            if record is None:
                return
            self._note(record, range(len(self.goals)), lambda: tuple(path))
            if step is not None:
                path.append(step)
                record = record if self.take(record, step) else None

    # --- one step ------------------------------------------------------------------------------------------

    def started(self) -> Record | None:
        try:
            return self.engine.start()
        except Fault:
            return None

    def possible_steps(self, record: Record) -> list[Raw]:
        """What can be done; nothing at an end, and where the rules stumble."""
        try:
            match self.engine.kind(record):
                case "choice":
                    self.engine.actor(record)
                    return self.engine.moves(record)
                case "chance":
                    return [(outcome,) for outcome, _ in self.engine.outcomes(record)]
        except Fault:
            return []
        return []

    def take(self, record: Record, step: Raw) -> bool:
        """Whether the rules could go on."""
        self.spent += 1
        try:
            if self.engine.kind(record) == "choice":
                self.engine.play(record, step)
            else:
                self.engine.happen(record, step[0])
        except Fault:
            return False
        return True

    def worth(self, place: int, record: Record) -> int | None:
        """The value times the sign; None where it does not count or there is none."""
        goal = self.goals[place]
        if goal.at_end and self.engine.kind(record) != "end":
            return None
        try:
            return self._values[place](record)[0] * goal.sign
        except Fault:
            return None

    def _note(self, record: Record, places: Sequence[int], path: Callable[[], tuple[Raw, ...]]) -> None:
        for place in places:
            worth = self.worth(place, record)
            if worth is not None:
                self.keep(place, worth, path)

    def keep(self, place: int, worth: int, path: Callable[[], tuple[Raw, ...]]) -> None:
        """If it is better than what is known."""
        known, sign = self.found.best[place], self.goals[place].sign
        if known is None or worth > known.value * sign:
            self.found.best[place] = Best(worth * sign, path())


def _path(origin: Sequence[int], taken: Sequence[Raw], number: int) -> tuple[Raw, ...]:
    steps: list[Raw] = []
    while number > 0:
        steps.append(taken[number])
        number = origin[number]
    return tuple(reversed(steps))


@dataclass(frozen=True)
class _Seen:
    """A waiting point of a play: what could be done, and which of it was."""

    block: int
    actor: int
    possible: Sequence[Raw]
    taken: Raw


@dataclass
class _Run:
    """A play up to where it is worth most; `worth` None if it never counts."""

    worth: int | None
    seen: list[_Seen]


@dataclass
class _Aim:
    """Plays for one goal, until so many steps are spent."""

    finder: Finder
    place: int
    rng: random.Random
    until: int
    inner: int

    def level(self, depth: int, weights: dict[Key, float]) -> _Run:
        """The best of many plays of the level below, drawn by weights that learn from the best so far."""
        if depth == 0:
            return self._play(lambda *point: self._drawn(weights, *point))
        best = _Run(None, [])
        weights = dict(weights)
        for _ in range(self.inner):
            if self.over():
                break
            best = self.better(best, self.level(depth - 1, weights))
            self._learn(weights, best)
        return best

    def over(self) -> bool:
        return self.finder.spent >= self.until or self.finder.stop()

    def better(self, a: _Run, b: _Run) -> _Run:
        """The one that is worth more; of equals the second, so that there is change."""
        return a if b.worth is None or (a.worth is not None and a.worth > b.worth) else b

    def varied(self, seen: Sequence[_Seen]) -> _Run:
        """A play with one step taken otherwise; from there on with the same steps in their order, as far as
        they are possible.
        """
        turn = self.rng.randrange(len(seen))
        known = 0
        waited = 0

        def draw(block: int, actor: int, possible: Sequence[Raw]) -> Raw:
            nonlocal known, waited
            waited += 1
            if waited - 1 == turn:
                known += 1
                return self.rng.choice(possible)
            for place in range(known, min(known + AHEAD, len(seen))):
                old = seen[place]
                if (old.block, old.actor) == (block, actor) and old.taken in possible:
                    known = place + 1
                    return old.taken
            return self.rng.choice(possible)

        return self._play(draw)

    def _play(self, draw: Draw) -> _Run:
        finder, engine = self.finder, self.finder.engine
        record = finder.started()
        seen: list[_Seen] = []
        worth: int | None = None
        length = 0
        for _ in range(LONGEST):
            if record is None:
                break
            here = finder.worth(self.place, record)
            if here is not None and (worth is None or here > worth):
                worth, length = here, len(seen)
            possible = finder.possible_steps(record)
            if not possible:
                break
            block = record[-1]
            actor = engine.actor(record) if engine.kind(record) == "choice" else -1
            step = draw(block, actor, possible)
            seen.append(_Seen(block, actor, possible, step))
            if not finder.take(record, step):
                record = None
        del seen[length:]
        if worth is not None:
            finder.keep(self.place, worth, lambda: tuple(s.taken for s in seen))
        return _Run(worth, seen)

    def _drawn(self, weights: dict[Key, float], block: int, actor: int, possible: Sequence[Raw]) -> Raw:
        if len(possible) == 1:
            return possible[0]
        chances = [exp(weights.get((block, actor, step), 0.0)) for step in possible]
        return self.rng.choices(possible, chances)[0]

    def _learn(self, weights: dict[Key, float], best: _Run) -> None:
        change: dict[Key, float] = {}
        for point in best.seen:
            keys = [(point.block, point.actor, step) for step in point.possible]
            chances = [exp(weights.get(key, 0.0)) for key in keys]
            whole = sum(chances)
            for key, chance in zip(keys, chances, strict=True):
                change[key] = change.get(key, 0.0) - LEARNT * chance / whole
            taken = (point.block, point.actor, point.taken)
            change[taken] += LEARNT
        for key, by in change.items():
            weights[key] = min(20.0, max(-20.0, weights.get(key, 0.0) + by))
