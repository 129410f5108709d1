"""What never happens in one configuration, and how that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.context import Settled
from rulespec.compiler.core.tree import Core, Origin, Property
from rulespec.engine.python.stepper import PythonEngine
from rulespec.proofs.claims import Claims
from rulespec.proofs.plays import Player
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.locations import explore
from rulespec.proofs.smt.paths import Passage
from rulespec.proofs.smt.prove import WAITING, Prover
from rulespec.proofs.vacuity.plays import Met, play, visit
from rulespec.proofs.vacuity.sites import Key, key, sites
from rulespec.proofs.verdicts import Limits

PLAYS = 400
PLAY_SECONDS = 6.0
STATES = 30_000

PROVED = "proved"
VISITED = "every position visited"
NO_PLAY = "seen in no play"

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Never:
    """`kind` is one of `Passage`'s, or `premise` of this `name`.

    `method` is `PROVED`, `VISITED` (`count` positions) or `NO_PLAY` (out of `count`): the last is a remark,
    it may happen all the same.
    """

    kind: str
    origin: Origin
    method: str
    count: int = 0
    name: str = ""


def look(
    core: Core,
    settled: Iterable[Settled],
    premises: Sequence[Property],
    limits: Limits,
    progress: Progress = lambda text, done, whole: None,
) -> list[Never]:
    """All that never happens in plays of `core`, as far as plays, visits and proofs tell.

    `settled` are conditions that ranges decided when `core` was compiled; `premises` are conditions that some
    waiting point should meet, of kind `reachable`.
    """
    looker = _Looker(core, premises, limits, progress)
    return [*_settled(settled, looker.places), *looker.run()]


def _settled(settled: Iterable[Settled], places: Iterable[Key]) -> list[Never]:
    """Conditions that come out one way in each place that they are written out in."""
    known = set(places)
    ways: dict[Key, Origin] = {}
    for each in settled:
        ways.setdefault(key("then" if each.value else "other", each.origin), each.origin)
    found: list[Never] = []
    for (kind, span), origin in ways.items():
        opposite = "other" if kind == "then" else "then"
        if (opposite, span) not in ways and (opposite, span) not in known:
            found.append(Never(opposite, origin, PROVED))
    return found


class _Looker:
    def __init__(self, core: Core, premises: Sequence[Property], limits: Limits, progress: Progress) -> None:
        self.core = core
        self.premises = premises
        self.limits = limits
        self.progress = progress
        self.places = sites(core)
        self.met = Met()

    def run(self) -> list[Never]:
        self.met = play(
            self.core,
            self.premises,
            PLAYS,
            min(PLAY_SECONDS, self.limits.total),
            lambda n: self.progress("playing to see what happens", n, PLAYS),
        )
        if not self._open() and not self._open_premises():
            return []
        visited = visit(
            self.core,
            self.premises,
            STATES,
            min(self.limits.scope_seconds, PLAY_SECONDS),
            lambda n: self.progress("visiting every position", n, 0),
        )
        self.met.seen |= visited.seen
        self.met.premises |= visited.premises
        if visited.positions:
            return self._told(lambda _: (VISITED, visited.positions))
        proved = self._proved()
        return self._told(lambda k: (PROVED, 0) if k in proved else (NO_PLAY, self.met.plays))

    def _open(self) -> list[Key]:
        return [k for k in self.places if k not in self.met.seen]

    def _open_premises(self) -> list[Property]:
        return [p for p in self.premises if p.name not in self.met.premises]

    def _told(self, how: Callable[[object], tuple[str, int]]) -> list[Never]:
        found = [Never(k[0], self.places[k], *how(k)) for k in self._open()]
        found += [Never("premise", p.origin, *how(p.name), p.name) for p in self._open_premises()]
        return found

    # --- by proof ------------------------------------------------------------------------------------------

    def _proved(self) -> set[object]:
        """The keys, and the names of premises, that the facts at control points rule out."""
        prover = self._prover()
        proof = prover.run()
        if proof.stopped:
            return set()
        passages: list[Passage] = []
        explore(self.core, prover.encoder, watch=passages.append)
        by_key: dict[Key, list[Passage]] = {k: [] for k in self._open()}
        for each in passages:
            where = key(each.kind, each.origin)
            if where in by_key:
                by_key[where].append(each)
        found: set[object] = set()
        for number, (where, ways) in enumerate(by_key.items()):
            self.progress("asking what cannot happen", number, len(by_key))
            if all(self._excluded(prover, way) for way in ways):
                found.add(where)
        for premise in self._open_premises():
            goal = prover.encoder.sound_truth(premise.condition, {})
            locations = [at for at in proof.facts if at.kind in WAITING]
            if all(prover.solver.ask([goal], proof.facts[at]).status == "unsat" for at in locations):
                found.add(premise.name)
        return found

    def _prover(self) -> Prover:
        samples = Samples(self.core)
        samples.gather(Player(self.core, PythonEngine), self.limits.seed)
        return Prover(
            self.core,
            Claims(self.core),
            samples,
            seconds=self.limits.proof,
            question=self.limits.question,
            progress=self.progress,
        )

    def _excluded(self, prover: Prover, way: Passage) -> bool:
        facts = prover.proof.facts.get(way.source, set())  # none are needed at the start
        return prover.solver.ask(way.conditions, facts).status == "unsat"
