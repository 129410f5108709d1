"""What random plays pass through: records at every control point, loops' heads too.

A watched core is the same game in which each loop's head waits for a chance that has one outcome; random draws are
not spent on it, so the plays are those of the game itself.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from rulespec.compiler.core.tree import Block, Chance, Const, Core, Domain, Slot
from rulespec.engine.faults import Fault
from rulespec.engine.rng import pick, pick_move
from rulespec.engine.stepper import Stepper
from rulespec.proofs.smt.paths import Location

HEAD = "proof.head"  # the slot that the added chances set; the last, so that no other moves
AFTER = "'"  # behind a head's name, the rest of its block


def watched(core: Core) -> Core:
    """`core` with a wait at each loop's head."""
    blocks: list[Block] = []
    for block in core.blocks:
        if block.loop is None:
            blocks.append(block)
            continue
        rest = block.name + AFTER
        wait = Chance(HEAD, 0, 0, Const(1), Const(-2), rest, Domain("Int"))
        blocks.append(replace(block, body=(), end=wait, loop=None))
        blocks.append(replace(block, name=rest, loop=None))
    slot = Slot(HEAD, 0, 0, role="control")
    return replace(core, slots=(*core.slots, slot), blocks=tuple(blocks))


@dataclass
class Sample:
    """Some of the records seen at a place, `(block, kind)` of a location, and how often it was passed in all."""

    records: list[tuple[int, ...]] = field(default_factory=list)
    visits: int = 0


@dataclass
class Samples:
    """`traces` has some whole plays: for each place passed its record. `faults` are plays that broke off."""

    core: Core
    most: int
    at: dict[tuple[str, str], Sample] = field(default_factory=dict)
    traces: list[list[tuple[tuple[str, str], tuple[int, ...]]]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    plays: int = 0

    def note(self, place: tuple[str, str], record: tuple[int, ...], rng: random.Random) -> None:
        """Each visit has the same chance to be kept (reservoir sampling)."""
        sample = self.at.setdefault(place, Sample())
        sample.visits += 1
        if len(sample.records) < self.most:
            sample.records.append(record)
            return
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


def gather(
    core: Core,
    stepper: Callable[[Core], Stepper],
    *,
    plays: int,
    seconds: float,
    seed: int = 0,
    most: int = 80,
    traces: int = 5,
    steps: int = 20_000,
) -> Samples:
    """Random plays, until there are enough of them or the time is over; at least one."""
    engine = stepper(watched(core))
    kinds = {b.name: b.kind for b in core.blocks}
    heads = {b.name for b in core.blocks if b.loop is not None}
    places: list[tuple[str, str]] = []
    for block in engine.core.blocks:
        name = block.name.removesuffix(AFTER)
        places.append((name, "head" if block.name in heads else kinds[name]))
    samples = Samples(core, most)
    end = time.perf_counter() + seconds
    for number in range(plays):
        if number and time.perf_counter() > end:
            break
        trace: list[tuple[tuple[str, str], tuple[int, ...]]] | None = [] if number < traces else None
        try:
            _play(engine, random.Random(seed + number), places, samples, trace, steps)
        except Fault as fault:
            samples.faults.append(fault)
        samples.plays += 1
        if trace is not None:
            samples.traces.append(trace)
    return samples


def _play(
    engine: Stepper,
    rng: random.Random,
    places: list[tuple[str, str]],
    samples: Samples,
    trace: list[tuple[tuple[str, str], tuple[int, ...]]] | None,
    steps: int,
) -> None:
    record = engine.start()
    keeping = random.Random(samples.plays)
    for _ in range(steps):
        place = places[record[-1]]
        seen = tuple(record[:-2])
        samples.note(place, seen, keeping)
        if trace is not None:
            trace.append((place, seen))
        match place[1]:
            case "choice":
                engine.play(record, pick_move(rng, engine.moves(record)))
            case "end":
                return
            case _:
                engine.happen(record, pick(rng, engine.outcomes(record)))
