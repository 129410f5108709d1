"""Records that random plays pass through, by control point: what a fact must at least agree with."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core
from rulespec.proofs.plays import Passed, Place, Trail
from rulespec.proofs.smt.paths import Location


@dataclass
class Sample:
    """Some of the records seen at a place, and how often it was passed in all."""

    records: list[tuple[int, ...]] = field(default_factory=list)
    visits: int = 0


@dataclass
class Samples:
    """`most` records for each place are kept, and what the first `whole` plays passed, in order."""

    core: Core
    most: int = 40
    whole: int = 6
    at: dict[Place, Sample] = field(default_factory=dict)
    traces: list[list[Passed]] = field(default_factory=list)
    plays: int = 0

    def add(self, trail: Trail) -> None:
        """Each visit of a place has the same chance to be kept (reservoir sampling)."""
        rng = random.Random(self.plays)
        self.plays += 1
        if len(self.traces) < self.whole:
            self.traces.append(trail.passed)
        for place, record in trail.passed:
            sample = self.at.setdefault(place, Sample())
            sample.visits += 1
            if len(sample.records) < self.most:
                sample.records.append(record)
            else:
                number = int(rng.random() * sample.visits)
                if number < self.most:
                    sample.records[number] = record

    def seen(self, location: Location) -> Iterator[tuple[int, ...]]:
        """Records seen at a location: those of its place in which the return addresses are the same."""
        sample = self.at.get((location.block, location.kind))
        if sample is None:
            return
        stack = [(self.core.offset[slot], value) for slot, value in location.stack]
        for record in sample.records:
            if all(record[position] == value for position, value in stack):
                yield record
