"""Two engines held against each other: random games played in both at once, step by step."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from rulespec.compiler.core.tree import Origin
from rulespec.engine import observation
from rulespec.engine.faults import Fault
from rulespec.engine.rng import pick, pick_move
from rulespec.engine.stepper import RawMove, Record, Stepper

# A step of a play: a move, or the outcome that chance decided for.
Taken = RawMove | int

# Plays a random game from a seed, for a number of steps at most: the last record and the number of steps.
Play = Callable[[int, int], tuple[Record, int]]

T = TypeVar("T")


@dataclass(frozen=True)
class Difference:
    """Where two engines part: after `taken`, `what` is `first` in one and `second` in the other."""

    seed: int
    what: str
    first: object
    second: object
    taken: tuple[Taken, ...]

    def __str__(self) -> str:
        where = f"after {len(self.taken)} steps of the game from seed {self.seed}"
        return f"{where}, {self.what} differs: {self.first} and {self.second}"


@dataclass(frozen=True)
class Failure:
    """A fault, to be compared: how long an endless run was, and where it stood, depends on who counts."""

    kind: str
    text: str = ""
    origin: Origin | None = None
    block: str = ""


class _Parted(Exception):
    def __init__(self, what: str, first: object, second: object) -> None:
        super().__init__(what)
        self.what, self.first, self.second = what, first, second


@dataclass
class Agreement:
    """Compares two engines of one core.

    At every step: the kind of waiting point, the record, the seat that is asked, the moves, the outcomes with
    their weights. What follows from a record, the ranking keys and what a seat or a spectator sees, is
    compared at every `stride`th step, for each observer in turn, and at the end. A fault must be the same
    in both. `play` is another way to the same random games, of which the end is compared. Games are given
    up after `most` steps.
    """

    first: Stepper
    second: Stepper
    play: Play | None = None
    most: int = 100_000
    stride: int = 8
    games: int = field(default=0, init=False)
    steps: int = field(default=0, init=False)

    def run(self, seeds: Iterable[int]) -> Difference | None:
        """The first difference in the games from these seeds; `games` and `steps` count what agreed."""
        for seed in seeds:
            found = self.game(seed)
            if found is not None:
                return found
        return None

    def game(self, seed: int) -> Difference | None:
        """Plays one game in both engines; a fault in both alike ends it."""
        taken: list[Taken] = []
        try:
            last = self._lockstep(seed, taken)
            if self.play is not None and last is not None:
                _same("the end of the play-out", last, _tried(partial(self.play, seed, self.most)))
        except _Parted as parted:
            return Difference(seed, parted.what, parted.first, parted.second, tuple(taken))
        self.games += 1
        self.steps += len(taken)
        return None

    def _lockstep(self, seed: int, taken: list[Taken]) -> tuple[Record, int] | Failure | None:
        """The last record and the number of steps, or the fault that ended the game; fills `taken`.

        None if it ended where nobody can be asked, which play-outs do not find out.
        """
        rng = random.Random(seed)
        opening = _same("the opening", *(_tried(engine.start) for engine in (self.first, self.second)))
        if isinstance(opening, Failure):
            return opening
        records = (opening, list(opening))
        while True:
            self._same_view(records, len(taken))
            if self.first.kind(records[0]) == "end" or len(taken) == self.most:
                return records[0], len(taken)
            step = self._draw(rng, records)
            if step is None or isinstance(step, Failure):
                return step
            taken.append(step)
            after = self._both("the record", records, partial(_gone, step=step))
            if isinstance(after, Failure):
                return after

    def _both(
        self, what: str, records: tuple[Record, Record], ask: Callable[[Stepper, Record], T]
    ) -> T | Failure:
        a, b = records
        return _same(what, _tried(lambda: ask(self.first, a)), _tried(lambda: ask(self.second, b)))

    def _same_view(self, records: tuple[Record, Record], step: int) -> None:
        kind = self._both("the kind of the waiting point", records, lambda engine, r: engine.kind(r))
        if step % self.stride and kind != "end":
            return
        self._both("the ranking", records, lambda engine, r: engine.scores(r))
        players = self.first.core.configuration.players
        observer = step // self.stride % (players + 1)
        seat = observer if observer < players else None
        self._both("the observation", records, lambda engine, r: observation.slots(engine.core, r, seat))

    def _draw(self, rng: random.Random, records: tuple[Record, Record]) -> Taken | Failure | None:
        if self.first.kind(records[0]) == "chance":
            outcomes = self._both("what chance may decide", records, lambda engine, r: engine.outcomes(r))
            return outcomes if isinstance(outcomes, Failure) else pick(rng, outcomes)
        actor = self._both("the seat that is asked", records, lambda engine, r: engine.actor(r))
        moves = self._both("what may be chosen", records, lambda engine, r: engine.moves(r))
        if isinstance(actor, Failure):
            return None
        return moves if isinstance(moves, Failure) else pick_move(rng, moves)


def _gone(engine: Stepper, r: Record, step: Taken) -> Record:
    if isinstance(step, tuple):
        engine.play(r, step)
    else:
        engine.happen(r, step)
    return list(r)


def _tried(ask: Callable[[], T]) -> T | Failure:
    try:
        return ask()
    except Fault as fault:
        if fault.kind == "endless":
            return Failure(fault.kind)
        return Failure(fault.kind, fault.text, fault.origin, fault.block)


def _same(what: str, first: T | Failure, second: T | Failure) -> T | Failure:
    if first != second:
        raise _Parted(what, first, second)
    return first
