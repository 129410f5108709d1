"""What plays come by: random ones, and where a game is small, all that there are."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Chance, Choose, Core, Property
from rulespec.engine.explore import Limits as ExplorerLimits
from rulespec.engine.explore import explore
from rulespec.engine.faults import Fault
from rulespec.engine.python.predicates import conditions
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.stepper import RawMove, Record
from rulespec.proofs.plays import Chooser, chooser
from rulespec.proofs.vacuity.sites import Key, key, opposed, probed

MOST_STEPS = 20_000  # of one play


@dataclass
class Met:
    """What was come by, and which premises (by name) held somewhere.

    `plays` were played; `positions` is how many there are where all were visited, else 0.
    """

    seen: set[Key] = field(default_factory=set)
    premises: set[str] = field(default_factory=set)
    plays: int = 0
    positions: int = 0


class Watching:
    """A `Stepper` of the probed core that remembers what was come by, and keeps its records free of notes."""

    def __init__(self, core: Core) -> None:
        self.core, self._keys = probed(core)
        self.seen: set[Key] = set()
        self._engine = PythonEngine(self.core)
        self._opposed = PythonEngine(opposed(core))
        self._length = sum(slot.size for slot in core.slots)
        self._kept_back = [
            [key("kept back", o.origin) for o in b.end.options if o.guard != o.unasked]
            if isinstance(b.end, Choose)
            else []
            for b in core.blocks
        ]

    def start(self) -> Record:
        r = self._engine.start()
        self._harvest(r)
        return r

    def kind(self, r: Record) -> str:
        return self._engine.kind(r)

    def actor(self, r: Record) -> int:
        return self._engine.actor(r)

    def moves(self, r: Record) -> list[RawMove]:
        kept_back = self._kept_back[r[-1]]
        if not self.seen.issuperset(kept_back):
            offered = self._opposed.moves([*r[: self._length], r[-1]])
            self.seen |= {kept_back[move[0]] for move in offered if move[0] < len(kept_back)}
        return self._engine.moves(r)

    def play(self, r: Record, move: RawMove) -> None:
        self._engine.play(r, move)
        self._harvest(r)

    def outcomes(self, r: Record) -> list[tuple[int, int]]:
        return self._engine.outcomes(r)

    def happen(self, r: Record, outcome: int) -> None:
        self._engine.happen(r, outcome)
        self._harvest(r)

    def scores(self, r: Record) -> tuple[tuple[int, ...], ...]:
        return self._engine.scores(r)

    def _harvest(self, r: Record) -> None:
        notes = r[self._length : -1]
        if any(notes):
            self.seen |= {k for k, note in zip(self._keys, notes, strict=False) if note}
            r[self._length : -1] = [0] * len(notes)


def play(
    core: Core, premises: Sequence[Property], plays: int, seconds: float, progress: Callable[[int], None]
) -> Met:
    """Random plays, as many as are asked for or fit into `seconds` of this process."""
    watching = Watching(core)
    holds = conditions(watching.core, [p.condition for p in premises])
    met = Met(watching.seen)
    end = time.process_time() + seconds
    for seed in range(plays):
        if time.process_time() > end:
            break
        if seed % 16 == 0:
            progress(seed)
        met.plays += 1
        open_ones = len(met.premises) < len(premises)
        _one(watching, chooser(seed), premises if open_ones else (), holds, met)
    return met


def _one(
    engine: Watching,
    choose: Chooser,
    premises: Sequence[Property],
    holds: Callable[[Record], list[bool]],
    met: Met,
) -> None:
    """One play to its end, or to the fault that breaks it off."""
    try:
        r = engine.start()
        for _ in range(MOST_STEPS):
            if premises:
                met.premises |= {p.name for p, true in zip(premises, holds(r), strict=True) if true}
            match engine.kind(r):
                case "choice":
                    moves = engine.moves(r)
                    engine.play(r, moves[choose.move(moves)])
                case "chance":
                    outcomes = engine.outcomes(r)
                    engine.happen(r, outcomes[choose.outcome(outcomes)][0])
                case _:
                    return
    except Fault:
        return


def differ(a: Core, b: Core, plays: int, seconds: float) -> bool:
    """Whether random plays show that two cores are not one game: who is asked, what is offered, and the state
    at each step are compared.
    """
    one, other = PythonEngine(a), PythonEngine(b)
    views = [
        [(s.name, core.offset[s.name], s.size) for s in core.slots if s.role == "state"] for core in (a, b)
    ]
    end = time.process_time() + seconds
    for seed in range(plays):
        if time.process_time() > end:
            break
        choose = chooser(seed)
        r, s = one.start(), other.start()
        for _ in range(MOST_STEPS):
            if _shown(one, r, views[0]) != _shown(other, s, views[1]):
                return True
            if one.kind(r) == "end":
                break
            try:
                _step_both(one, r, other, s, choose)
            except Fault:
                return True
    return False


def _shown(engine: PythonEngine, r: Record, view: Sequence[tuple[str, int, int]]) -> object:
    kind = engine.kind(r)
    state = [(name, r[at : at + size]) for name, at, size in view]
    match engine.core.blocks[r[-1]].end:
        case Choose(_, options):
            offered = [(options[move[0]].name, move[1:]) for move in engine.moves(r)]
            return kind, state, engine.actor(r), offered
        case Chance():
            return kind, state, engine.outcomes(r)
    return kind, state, engine.scores(r)


def _step_both(one: PythonEngine, r: Record, other: PythonEngine, s: Record, choose: Chooser) -> None:
    """The same step of both, which look alike."""
    if one.kind(r) == "choice":
        moves = one.moves(r)
        number = choose.move(moves)
        one.play(r, moves[number])
        other.play(s, other.moves(s)[number])
    else:
        outcomes = one.outcomes(r)
        outcome = outcomes[choose.outcome(outcomes)][0]
        one.happen(r, outcome)
        other.happen(s, outcome)


def visit(
    core: Core, premises: Sequence[Property], states: int, seconds: float, progress: Callable[[int], None]
) -> Met:
    """All positions, where there are no more than `states` and no play breaks off; else what was met."""
    watching = Watching(core)

    def told(so_far: object) -> bool:
        progress(getattr(so_far, "states", 0))
        return True

    limits = ExplorerLimits(states, seconds)
    found = explore(watching.core, tuple(premises), limits=limits, progress=told, engine=watching)
    whole = found.finished and not found.faults
    return Met(watching.seen, set(found.reached), 0, found.states if whole else 0)
