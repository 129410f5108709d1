"""The driver: proves, plays and explores until every claim of a configuration has its verdict."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rulespec.compiler.core.tree import Core
from rulespec.engine.python.stepper import PythonEngine
from rulespec.proofs.assemble import assembled
from rulespec.proofs.assumed import has_symbols, settles, together
from rulespec.proofs.claims import Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.crosscheck import broken_by_plays
from rulespec.proofs.evidence import Evidence, Task
from rulespec.proofs.exhaustive import OnEvent, explore_scope, visit
from rulespec.proofs.explained import rests_on
from rulespec.proofs.information.search import STATES, LeakSearch
from rulespec.proofs.machine import machine
from rulespec.proofs.monitors import Broken, Monitor
from rulespec.proofs.plays import Player, Trail
from rulespec.proofs.recheck import Recheck, Rechecked
from rulespec.proofs.sampled import Search
from rulespec.proofs.samples import FIRST_PLAYS, FIRST_POINTS, Samples
from rulespec.proofs.shortest import Shortest
from rulespec.proofs.smt.certificate import Certificate
from rulespec.proofs.smt.found import Telling
from rulespec.proofs.smt.locations import Rounds
from rulespec.proofs.smt.prove import Proof, Prover, contradicted
from rulespec.proofs.smt.second import SecondSolver
from rulespec.proofs.verdicts import Event, Limits, Verdict

FIRST_SECONDS = 1.5
FIRST_STATES = 30_000  # positions looked at breadth first where something is not proved
CHECKED_PLAYS = 12  # of these, so many are held against the claims that were proved
MACHINE_STEPS = 80
SECOND_STEPS = 5_000_000  # of cvc5's own count for one question, some seconds


def verify(
    core: Core,
    properties: Sequence[str] | None = None,
    limits: Limits | None = None,
    on_event: OnEvent = lambda event: None,
    sources: Mapping[str, str] | None = None,
) -> list[Verdict]:
    """Verdicts on the claims of one configuration, in the order of `Claims`.

    `properties` chooses claims by name, by a part of the name, or by kind. `sources` are the rulebook's texts
    by file name, so that counterexamples can quote it.
    """
    chosen = None if properties is None else tuple(properties)
    task = Task(core, "", chosen, limits or Limits(), sources or {})
    return _Run(task, on_event).verdicts()


def run_task(task: Task, on_event: OnEvent = lambda event: None) -> list[Verdict]:
    """The verdicts of one task."""
    if task.scope:
        return explore_scope(task.core, task.scope, task.properties, task.limits, on_event, task.sources)
    return _Run(task, on_event).verdicts()


@dataclass(frozen=True)
class Certified:
    """A proof for whoever looks into it: `proved` are the claims that it settles, of those asked for and of
    their parts; `open` has the verdict on each other one, as far as one was sought, and `shown` are those of
    them for or against which there is a play.
    """

    claims: Claims
    proof: Proof
    proved: tuple[str, ...]
    open: Mapping[str, Verdict]
    shown: frozenset[str]

    def otherwise(self, claim: str) -> str:
        """How it is known that an open claim holds all the same; "" where it is not."""
        verdict = self.open[claim]
        if verdict.verdict == "exhaustive":
            return f"it holds in each of the game's {verdict.count:,} positions, all of which were visited"
        reached = claim in self.shown and verdict.kind == "reachable"
        return "a play comes to it, which `verify --verbose` shows" if reached else ""

    def why_open(self, claim: str) -> str:
        """Why a claim is not proved."""
        if claim in self.shown:
            return "" if self.open[claim].kind == "reachable" else "a play speaks against it"
        return self.open[claim].reason or "some of what it sums up is not"


def certify(task: Task, on_event: OnEvent = lambda event: None) -> Certified:
    """Proves what it can of one configuration, and plays no more than it takes to trust that."""
    return _Run(task, on_event).certified()


class _Run:
    """The verification of one configuration."""

    def __init__(self, task: Task, on_event: OnEvent) -> None:
        self.task = task
        self.core = task.core
        self.limits = task.limits
        self.on_event = on_event
        self.evidence = Evidence(task)
        self.claims = self.evidence.claims
        self.began = time.process_time()
        self.rounds: Rounds | None = None
        self.prover: Prover | None = None
        self.replayer = Replayer(self.core, self.claims, None, dict(task.sources))
        self.search = Search(self.core, self.claims, self.replayer)
        self.samples = Samples(self.core)
        self.trails: list[Trail] = []  # plays that were made before the proof

    def stage(self, text: str, done: int = 0, whole: int = 0) -> None:
        configuration = self.core.configuration
        self.on_event(Event("stage", configuration.game, configuration.players, text, done, whole))

    def left(self) -> float:
        return self.limits.total - (time.process_time() - self.began)

    # --- the work ------------------------------------------------------------------------------------------

    def verdicts(self) -> list[Verdict]:
        self._prove_and_compare()
        evidence = self.evidence
        if self._prove_as_given():
            evidence.proof = together(evidence.for_any, evidence.proof, self.claims.all.values())
        self.replayer.rounds = self.rounds
        self._search()
        self._machine()
        self._make_plays_smaller()
        self._recheck()
        self._look_for_facts()
        result: list[Verdict] = []
        for verdict in assembled(evidence):
            configuration = self.core.configuration
            self.on_event(Event("verdict", configuration.game, configuration.players, verdict=verdict))
            result.append(verdict)
        return result

    def certified(self) -> Certified:
        self._prove_and_compare()
        self._prove_as_given()  # one proof is to show all, if need be with the numbers
        evidence = self.evidence
        shown = self.search.claims_broken | evidence.found.plays.keys()
        proved = tuple(name for name in evidence.proved() if name not in shown)
        open_ = {v.property: v for v in assembled(evidence) if v.property not in proved}
        return Certified(self.claims, evidence.proof, proved, open_, shown)

    # --- proofs --------------------------------------------------------------------------------------------

    def _prove_and_compare(self) -> None:
        """All that proofs show whatever the assumed numbers are, held against plays and a small visit."""
        self.stage("playing a few games")
        first = self.limits.seed
        self.trails = self.search.gather(FIRST_PLAYS, FIRST_POINTS, first, self.samples)
        self._prove(symbolic=has_symbols(self.core))
        self.replayer.rounds = self.rounds
        self._cross_check()
        self._look_alike()
        self._visit()
        self._prove_without_contracts()
        self._prove_deeper()
        self._keep_telling()
        self.evidence.for_any = self.evidence.proof

    def _prove(self, *, symbolic: bool, by_contract: bool = True) -> None:
        prover = Prover(
            self.core,
            self.claims,
            self.samples,
            seconds=min(self.limits.proof, self.left()),
            question=self.limits.question,
            claim=self.limits.claim,
            memory=self.limits.memory,
            progress=self.stage,
            by_contract=by_contract,
            wanted=lambda name: self.evidence.is_wanted(self.claims.all[name]),
            symbolic=symbolic,
        )
        self.evidence.proof = prover.run()
        self.rounds = prover.rounds
        self.prover = prover

    def _prove_without_contracts(self) -> None:
        """Where what called rules ensure is not enough, once more with their calls written out."""
        missing = self._missing()
        if not missing or not self.evidence.proof.contracts or self.evidence.distrust or self.left() < 1:
            return
        before = self.evidence.proof, self.rounds, self.prover
        self._prove(symbolic=has_symbols(self.core), by_contract=False)
        self._cross_check()
        if len(self._missing()) >= len(missing):
            self.evidence.proof, self.rounds, self.prover = before

    def _prove_deeper(self) -> None:
        """What nothing speaks against and is not proved is worth more effort."""
        missing, seconds = self._missing(), min(self.limits.proof, self.left())
        if not missing or self.prover is None or self.evidence.distrust or seconds < 1:
            return
        if self.prover.deepen(missing, seconds):
            self._cross_check()

    def _prove_as_given(self) -> bool:
        """Once more with the numbers that are assumed, if something does not follow for whatever they are."""
        proof = self.evidence.proof
        if not proof.given or not self._missing() or self.evidence.distrust or self.left() < 1:
            return False
        self._prove(symbolic=False, by_contract=bool(proof.contracts))
        self._cross_check()
        self._prove_deeper()
        self._keep_telling()
        return True

    def _keep_telling(self) -> None:
        if self.prover is not None:
            self.evidence.tellings.append(Telling(self.prover))

    def _missing(self) -> list[str]:
        return self.evidence.missing(self.search.claims_broken)

    def _open(self) -> list[str]:
        return self.evidence.open(self.search.claims_broken)

    def _cross_check(self) -> None:
        """Plays made before the proof, and some that were not, must agree with all that was proved."""
        monitor = Monitor(self.core, self.claims, self.evidence.unproved(), self.rounds)
        self.search.look(self.trails, monitor)
        fresh = Samples(self.core)
        new = self.search.gather(FIRST_PLAYS, FIRST_POINTS // 2, self.limits.seed + 1_000_000, fresh)
        self.search.look(new, monitor)
        proved = [c.name for c in self.evidence.chosen() if self.evidence.settled(c) and not c.parts]
        watcher = Monitor(self.core, self.claims, proved, self.rounds)
        found = next((b for t in new[:CHECKED_PLAYS] for b in watcher.look(t)), None)
        broken = "" if found is None else found.claim
        broken = broken or broken_by_plays(self.core, self.claims, proved, new)
        if broken:
            self.evidence.distrust = f"a fault in the verifier: {broken} was proved, and a play breaks it"
        elif not self.evidence.proof.stopped:
            fact = contradicted(self.evidence.proof, fresh)
            if fact:
                self.evidence.distrust = (
                    f"a fault in the verifier: a play contradicts {fact}, which was proved"
                )

    # --- plays ---------------------------------------------------------------------------------------------

    def _look_alike(self) -> None:
        """Pairs of plays to positions that look alike, where it is not proved that these offer the same.

        Of what is proved two plays must not say otherwise.
        """
        chosen = {
            name for c in self.evidence.chosen() if c.kind == "information" for name in (c.name, *c.parts)
        }
        doubted = {block: name for name, block in self.evidence.doubted.items() if name in chosen}
        if not doubted:
            return
        self.stage("comparing positions that look alike")
        proved = {block for block, name in doubted.items() if self.evidence.settled(self.claims.all[name])}
        seconds = max(0.1, min(self.limits.sampling, self.left()) / 3)
        search = LeakSearch(self.core, doubted, self.replayer)
        search.between(self.trails)
        search.look(doubted.keys() - proved, self.trails, STATES, seconds, self.limits.seed)
        self.evidence.told = search.told
        for block, play in search.told.plays.items():
            self.evidence.found.plays[doubted[block]] = play
            if block in proved:
                self.evidence.distrust = (
                    f"a fault in the verifier: {doubted[block]} was proved, and two plays break it"
                )

    def _visit(self) -> None:
        """A look at the first positions, breadth first: small games are visited whole, and plays are
        shortest.
        """
        if self.evidence.distrust or all(self.search.reached(name) for name in self.evidence.unproved()):
            return
        limits = replace(
            self.limits,
            scope_states=FIRST_STATES,
            scope_seconds=max(0.1, min(FIRST_SECONDS, self.left())),
        )
        self.evidence.visited = visit(self.core, self.claims, limits, self.on_event)
        for name in self.evidence.unproved():
            steps = self.evidence.visited.plays.get(name)
            play = None if steps is None else self.replayer.confirm(Broken(name, len(steps)), steps)
            if play is not None:
                self.evidence.found.plays[name] = replace(play, shortest=True)

    def _search(self) -> None:
        wanted = self._open()
        if not wanted:
            return
        monitor = Monitor(self.core, self.claims, wanted, self.rounds)
        seconds = min(self.limits.sampling, self.left())
        plays = self.limits.plays
        self.search.run(
            monitor,
            plays,
            seconds,
            self.limits.seed + 2_000_000,
            lambda n: self.stage("playing against what is not proved", n, plays),
        )
        self.evidence.sampled = self.search.found.tried

    def _machine(self) -> None:
        """Hypothesis goes on where plain plays found nothing."""
        wanted = self._open()
        if not wanted or not self.limits.machine or self.left() < 1:
            return
        self.stage("exploring with Hypothesis")
        monitor = Monitor(self.core, self.claims, wanted, self.rounds)
        player = Player(self.core, PythonEngine)
        result = machine.run(player, monitor, examples=self.limits.machine, steps=MACHINE_STEPS)
        if result.trail is not None and result.broken is not None:
            self.search.keep(result.trail, result.broken)
        self.evidence.sampled += result.plays

    def _make_plays_smaller(self) -> None:
        self.stage("making plays smaller")
        evidence, search = self.evidence, self.search
        search.found.plays.update(evidence.found.plays)
        seconds = min(self.limits.shrinking, self.left() / max(1, len(search.claims_broken)))
        evidence.found = search.settle(self.rounds, max(0.2, seconds))
        plays = evidence.found.plays
        shortest = Shortest(
            self.claims, plays, self.replayer, self.limits, self.left, self.stage, self.on_event
        )
        shortest.in_positions(evidence.visited)
        shortest.about_loops(search.player, self.rounds)

    # --- a second solver -----------------------------------------------------------------------------------

    def _recheck(self) -> None:
        """What is proved once more, by a solver that had no part in it."""
        evidence = self.evidence
        if not self.limits.recheck:
            return
        for proof, names in self._by_proof():
            if proof.certificate is not None and (names or evidence.rechecked is None):
                made = self._asked_again(proof.certificate, names)
                evidence.rechecked = evidence.rechecked.and_also(made) if evidence.rechecked else made

    def _by_proof(self) -> tuple[tuple[Proof, list[str]], ...]:
        """What each of the two proofs settles."""
        evidence = self.evidence
        for_any = [n for n in evidence.proved() if settles(evidence.for_any, self.claims.all[n])]
        rest = [n for n in evidence.proved() if n not in for_any]
        return (evidence.for_any, for_any), (evidence.proof, rest)

    def _asked_again(self, certificate: Certificate, names: Sequence[str]) -> Rechecked:
        second, seconds = SecondSolver(SECOND_STEPS), self.limits.recheck
        again = Recheck(self.core, self.claims, certificate, second, seconds=seconds, progress=self.stage)
        return again.run(names)

    def _look_for_facts(self) -> None:
        """What each proof rests on, in the rules' language."""
        if not self.limits.facts:
            return
        for proof, names in self._by_proof():
            if proof.certificate is not None and names:
                found = rests_on(
                    self.core, self.claims, proof.certificate, names, self.limits.facts, self.stage
                )
                self.evidence.facts.update(found)
