"""Trying changes one after the other, or several at once, to the last or to Ctrl-C."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rulespec.compiler.typed.mutants import Mutant
from rulespec.mutating.bench import (
    COMPILER,
    EXAMPLES,
    PLAYED,
    PROOF,
    UNDECIDED,
    UNNOTICED,
    Bench,
    Tried,
    Work,
)
from rulespec.verifying.processes import Fault, Job, Tell, Workers, gather

NOTICED = (COMPILER, EXAMPLES, PLAYED, PROOF)


@dataclass
class Outcome:
    """What became of the changes that were tried, in the order of the text.

    `whole` is how many there are in all, `asked` how many were to be tried.
    """

    mutants: dict[str, Mutant]
    whole: int
    asked: int
    tried: dict[str, Tried] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    interrupted: bool = False

    def of(self, *outcomes: str) -> list[Tried]:
        return [self.tried[i] for i in self.mutants if i in self.tried and self.tried[i].outcome in outcomes]

    @property
    def noticed(self) -> int:
        return len(self.of(*NOTICED))

    @property
    def counted(self) -> int:
        """Those that make a difference and were decided."""
        return self.noticed + len(self.of(UNNOTICED))

    @property
    def score(self) -> float | None:
        """What share of those was noticed, from 0 to 1; None where there are none."""
        return self.noticed / self.counted if self.counted else None


@dataclass(frozen=True)
class ChangeJob:
    """Try one change. A process keeps its bench from one to the next."""

    bench: Bench
    id: str

    @property
    def seconds(self) -> float:
        return self.bench.seconds

    def do(self, tell: Tell) -> Tried:
        try:
            return _work(self.bench).look(self.id)
        except Exception as error:
            error.add_note(f"trying the change `{self.id}`")
            raise


@lru_cache(maxsize=1)
def _work(bench: Bench) -> Work:
    return Work(bench)


def choose(
    found: Sequence[Mutant], sample: int | None, seed: int, rules: Sequence[str], only: Sequence[str]
) -> tuple[Mutant, ...]:
    """Those that are meant: of some declarations, or by their ids, or so many of them drawn with a seed.

    Raises:
        KeyError: there is no declaration with changes, or no change, of a name.
    """
    known = {m.id for m in found} | {m.owner for m in found}
    for name in (*rules, *only):
        if name not in known:
            raise KeyError(name)
    wanted = [m for m in found if (not rules or m.owner in rules) and (not only or m.id in only)]
    if sample is not None and sample < len(wanted):
        drawn = {m.id for m in random.Random(seed).sample(sorted(wanted, key=lambda m: m.id), sample)}
        wanted = [m for m in wanted if m.id in drawn]
    return tuple(wanted)


def run(
    bench: Bench,
    chosen: Sequence[Mutant],
    whole: int,
    workers: Workers,
    tell: Callable[[Outcome], None],
) -> Outcome:
    """Try the chosen changes; after Ctrl-C those that are finished by then. `tell` is told of each."""
    outcome = Outcome({m.id: m for m in chosen}, whole, len(chosen))
    jobs: dict[int, Job] = {n: ChangeJob(bench, m.id) for n, m in enumerate(chosen)}

    def done(_: int, tried: Tried) -> None:
        outcome.tried[tried.id] = tried
        tell(outcome)

    came = gather(jobs, workers, done=done)
    for job, lost in came.lost.items():
        outcome.tried[chosen[job].id] = Tried(chosen[job].id, UNDECIDED, lost.reason)
        outcome.faults += [lost.fault] if lost.fault else []
    outcome.interrupted = came.interrupted
    return outcome
