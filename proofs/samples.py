"""Records that random plays pass through, by control point: what a fact must at least agree with."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core
from rulespec.proofs.plays import Passed, Place, Player, Trail, chooser
from rulespec.proofs.smt.contexts import index_counters, return_slots
from rulespec.proofs.smt.paths import Location

Values = tuple[int, ...]

FIRST_PLAYS = 160  # made before a proof, which must agree with them
FIRST_POINTS = 40_000  # control points after which no other of these plays is begun


@dataclass(frozen=True, slots=True)
class Seen:
    """A record, and the record at the latest visit of each loop's head before it (or at it)."""

    record: Values
    heads: Mapping[str, Values]


@dataclass
class Sample:
    """Some of what was seen at a place, and how often it was passed in all."""

    kept: list[Seen] = field(default_factory=list)
    visits: int = 0


@dataclass
class Samples:
    """What was seen at each place, apart by the values of the slots that proofs keep apart.

    Of each `most` are kept, for one location `together` are looked at. `traces` are the first `whole` plays,
    and more of them where plays are short: until they have passed `points` control points.
    """

    core: Core
    most: int = 60
    together: int = 100
    whole: int = 6
    points: int = 4000
    at: dict[Place, dict[Values, Sample]] = field(default_factory=dict)
    traces: list[list[Passed]] = field(default_factory=list)
    plays: int = 0

    def __post_init__(self) -> None:
        kept = sorted(return_slots(self.core) | index_counters(self.core))
        self._kept = {slot: (number, self.core.offset[slot]) for number, slot in enumerate(kept)}

    def gather(
        self, player: Player, seed: int, plays: int = FIRST_PLAYS, points: int = FIRST_POINTS
    ) -> list[Trail]:
        """Random plays, which are added and handed back.

        There are fewer than `plays` once they have passed so many control points together: the same in every
        run, on a slow machine too.
        """
        trails: list[Trail] = []
        for number in range(plays):
            if points <= 0:
                break
            trail = player.play(chooser(seed + number))
            points -= len(trail.passed)
            self.add(trail)
            trails.append(trail)
        return trails

    def add(self, trail: Trail) -> None:
        """Each visit of a place has the same chance to be kept (reservoir sampling)."""
        rng = random.Random(self.plays)
        self.plays += 1
        if len(self.traces) < self.whole or self.points > 0:
            self.traces.append(trail.passed)
            self.points -= len(trail.passed)
        heads: dict[str, Values] = {}
        for place, record in trail.passed:
            if place[1] == "head":
                heads = {**heads, place[0]: record}
            key = tuple(record[position] for _, position in self._kept.values())
            sample = self.at.setdefault(place, {}).setdefault(key, Sample())
            sample.visits += 1
            if len(sample.kept) < self.most:
                sample.kept.append(Seen(record, heads))
            else:
                number = int(rng.random() * sample.visits)
                if number < self.most:
                    sample.kept[number] = Seen(record, heads)

    def seen(self, location: Location) -> list[Seen]:
        """Some of what was seen at a location: at its place, with the same numbers that are kept apart."""
        stack = [(self._kept[slot][0], value) for slot, value in location.stack]
        found = [
            seen
            for key, sample in self.at.get((location.block, location.kind), {}).items()
            if all(key[number] == value for number, value in stack)
            for seen in sample.kept
        ]
        if len(found) > self.together:
            return random.Random(len(found)).sample(found, self.together)
        return found
