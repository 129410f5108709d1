"""Random plays against claims: a play that breaks one is made smaller and replayed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.stepper import Stepper
from rulespec.proofs.claims import Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.monitors import Broken, Monitor
from rulespec.proofs.plays import Given, Player, Trail, chooser, shrink
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.locations import Rounds
from rulespec.proofs.verdicts import Play

EXTRA = 40  # steps that a shortened play may go on, in case it breaks the claim a little later
LESS_FOR_REACHED = 10  # a play that reaches something need not be as small as one that breaks something
TRIED = 3  # plays that are made smaller for one claim; the smallest is shown


@dataclass
class Found:
    """What plays show: for each claim broken (or reached) a confirmed play. `denied`: the interpreter
    disagreed.
    """

    plays: dict[str, Play] = field(default_factory=dict)
    denied: dict[str, str] = field(default_factory=dict)
    tried: int = 0
    finished: int = 0


class Search:
    """Looks for plays that break some claims of a core, or reach what is said to be reachable."""

    def __init__(
        self,
        core: Core,
        claims: Claims,
        replayer: Replayer,
        stepper: Callable[[Core], Stepper] = PythonEngine,
    ) -> None:
        self.core = core
        self.claims = claims
        self.replayer = replayer
        self.player = Player(core, stepper)
        self.found = Found()
        self._kept: dict[str, list[tuple[Trail, Broken]]] = {}

    @property
    def claims_broken(self) -> frozenset[str]:
        """Claims against which (or for whose reach) a play is known."""
        return frozenset(self._kept)

    def reached(self, claim: str) -> bool:
        """Whether it is one that something can happen, and a play is known in which it does."""
        return claim in self._kept and self.claims.all[claim].kind == "reachable"

    def keep(self, trail: Trail, broken: Broken) -> None:
        """A play that was found elsewhere."""
        known = self._kept.setdefault(broken.claim, [])
        known.append((trail, broken))
        known.sort(key=lambda pair: pair[1].steps)
        del known[TRIED:]

    def gather(self, plays: int, points: int, seed: int, samples: Samples) -> list[Trail]:
        """First plays, for the proof to agree with, as many as `Samples.gather` says."""
        return samples.gather(self.player, seed, plays, points)

    def look(self, trails: Iterable[Trail], monitor: Monitor) -> None:
        """Note what plays that were made already show."""
        for trail in trails:
            self._look(trail, monitor)

    def _look(self, trail: Trail, monitor: Monitor) -> None:
        self.found.tried += 1
        self.found.finished += trail.over
        for broken in monitor.look(trail):
            self.keep(trail, broken)

    def run(
        self, monitor: Monitor, plays: int, seconds: float, seed: int, progress: Callable[[int], None]
    ) -> None:
        """New plays, until each claim that is watched is shown broken, or enough were made."""
        end = time.process_time() + seconds
        for number in range(plays):
            if time.process_time() > end or monitor.wanted <= self._kept.keys():
                break
            if number % 16 == 0:
                progress(number)
            self._look(self.player.play(chooser(seed + number)), monitor)

    def settle(self, rounds: Rounds | None, seconds: float) -> Found:
        """Make what was found smaller, and replay it; `seconds` a claim, less for what is only reached."""
        for claim, known in self._kept.items():
            if claim in self.found.plays and self.found.plays[claim].shortest:
                continue
            monitor = Monitor(self.core, self.claims, (claim,), rounds)
            each = seconds / len(known) / (LESS_FOR_REACHED if self.reached(claim) else 1)
            best = min(
                (self._smaller(trail, broken, monitor, each) for trail, broken in known),
                key=lambda pair: (pair[1].steps, pair[0].picks),
            )
            trail, broken = best
            play = self.replayer.confirm(broken, trail.steps)
            if play is not None:
                self.found.plays[claim] = play
            else:
                self.found.denied[claim] = "a play was found that the interpreter does not confirm"
        return self.found

    def _smaller(
        self, trail: Trail, broken: Broken, monitor: Monitor, seconds: float
    ) -> tuple[Trail, Broken]:
        best = {tuple(trail.picks[: broken.steps]): (trail, broken)}

        def breaks(picks: Sequence[int]) -> Sequence[int] | None:
            tried = self.player.play(Given(picks), len(picks) + EXTRA)
            again = next(iter(monitor.look(tried)), None)
            if again is None:
                return None
            needed = tuple(tried.picks[: again.steps])
            best[needed] = (tried, again)
            return needed

        smallest = shrink(trail.picks[: broken.steps], breaks, seconds)
        return best[tuple(smallest)]
