"""The driver: proves, plays and explores until every claim of a configuration has its verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulespec.compiler.core.tree import Core
from rulespec.engine.python.stepper import PythonEngine
from rulespec.proofs import verdicts
from rulespec.proofs.assumed import has_symbols, settles, together, told
from rulespec.proofs.claims import GAME_ENDS, Claim, Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.crosscheck import broken_by_plays
from rulespec.proofs.exhaustive import Visited, explore_scope, visit
from rulespec.proofs.information.flow import Flow
from rulespec.proofs.information.search import STATES, LeakSearch, Told, remembered
from rulespec.proofs.machine import machine
from rulespec.proofs.monitors import Broken, Monitor
from rulespec.proofs.plays import Player, Trail
from rulespec.proofs.recheck import Recheck, Rechecked
from rulespec.proofs.sampled import Found, Search
from rulespec.proofs.samples import Samples
from rulespec.proofs.shortest import Shortest
from rulespec.proofs.smt.certificate import Certificate
from rulespec.proofs.smt.found import Telling
from rulespec.proofs.smt.locations import Rounds
from rulespec.proofs.smt.prove import Finding, Proof, Prover, contradicted
from rulespec.proofs.smt.second import SecondSolver
from rulespec.proofs.verdicts import WORST_FIRST, Event, Limits, Verdict, of

OnEvent = Callable[[Event], None]

FIRST_PLAYS = 160  # made before the proof, which must agree with them
FIRST_POINTS = 40_000  # control points after which no other of these plays is begun
FIRST_SECONDS = 1.5
FIRST_STATES = 30_000  # positions looked at breadth first where something is not proved
CHECKED_PLAYS = 12  # of these, so many are held against the claims that were proved
MACHINE_STEPS = 80
SECOND_STEPS = 5_000_000  # of cvc5's own count for one question, some seconds


@dataclass(frozen=True)
class Task:
    """One configuration to verify. A `scope` (its name) is small, and is explored whole instead.

    `known` are verdicts of other claims that are relied upon where a claim sums up several.
    """

    core: Core
    scope: str = ""
    properties: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)
    sources: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Verdict] = field(default_factory=dict)


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
    their parts; `open` says of the other ones why not.
    """

    claims: Claims
    proof: Proof
    proved: tuple[str, ...]
    open: Mapping[str, str]


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
        self.claims = Claims(task.core)
        self._parts = {name for claim in self.chosen() for name in claim.parts}
        self.began = time.process_time()
        self.proof = Proof()
        self.for_any = self.proof  # what is proved whatever the assumed numbers are
        self.found = Found()
        self.rounds: Rounds | None = None
        self.prover: Prover | None = None
        self.tellings: list[Telling] = []  # for any assumed numbers, and for those given
        self.distrust = ""
        self.sampled = 0
        self.visited: Visited | None = None
        flow = Flow(self.core)
        self.doubted = {
            self.claims.information(b.name): b.name
            for b in self.core.blocks
            if b.kind == "choice" and flow.doubts(b)
        }
        self.told = Told()
        self.rechecked: Rechecked | None = None

    def stage(self, text: str, done: int = 0, whole: int = 0) -> None:
        configuration = self.core.configuration
        self.on_event(Event("stage", configuration.game, configuration.players, text, done, whole))

    def left(self) -> float:
        return self.limits.total - (time.process_time() - self.began)

    def chosen(self) -> list[Claim]:
        return [claim for claim in self.claims.all.values() if self._is_chosen(claim)]

    def _is_chosen(self, claim: Claim) -> bool:
        wanted = self.task.properties
        return wanted is None or any(w == claim.kind or w in claim.name for w in wanted)

    def is_wanted(self, claim: Claim) -> bool:
        """Whether it is to be looked at: it is chosen, or is not known and belongs to one that is."""
        return self._is_chosen(claim) or (claim.name in self._parts and claim.name not in self.task.known)

    # --- the work ------------------------------------------------------------------------------------------

    def verdicts(self) -> list[Verdict]:
        replayer = Replayer(self.core, self.claims, None, dict(self.task.sources))
        search = Search(self.core, self.claims, replayer)
        samples = Samples(self.core)
        self.stage("playing a few games")
        trails = search.gather(FIRST_PLAYS, FIRST_POINTS, self.limits.seed, samples)
        self._prove(samples, symbolic=has_symbols(self.core))
        replayer.rounds = self.rounds
        self._cross_check(search, trails)
        self._look_alike(trails, replayer)
        self._visit(search, replayer)
        self._prove_without_contracts(search, trails, samples)
        self._prove_deeper(search, trails)
        self.tellings += [Telling(self.prover)] if self.prover else []
        self._prove_as_given(search, trails, samples)
        replayer.rounds = self.rounds
        self._search(search)
        self._machine(search)
        self.stage("making plays smaller")
        search.found.plays.update(self.found.plays)
        self.found = search.settle(self.rounds, self._shrinking(search))
        self._look_for_shorter(search, replayer)
        self._recheck()
        return self._assemble()

    def certified(self) -> Certified:
        replayer = Replayer(self.core, self.claims, None, dict(self.task.sources))
        search = Search(self.core, self.claims, replayer)
        samples = Samples(self.core)
        self.stage("playing a few games")
        trails = search.gather(FIRST_PLAYS, FIRST_POINTS, self.limits.seed, samples)
        self._prove(samples, symbolic=has_symbols(self.core))
        self._cross_check(search, trails)
        self._prove_without_contracts(search, trails, samples)
        # One proof is to show all, if need be with the numbers.
        if self.proof.given and self._missing(search):
            self._prove(samples, symbolic=False)
            self._cross_check(search, trails)
        broken = dict.fromkeys(search.claims_broken, "a play speaks against it")
        proved = tuple(name for name in self.proved() if name not in broken)
        open_ = {
            c.name: broken.get(c.name) or self._reason(self.proof.findings.get(c.name, Finding()))
            for c in self.chosen()
            if c.name not in proved and not c.parts
        }
        return Certified(self.claims, self.proof, proved, open_)

    def _recheck(self) -> None:
        """What is proved once more, by a solver that had no part in it."""
        if not self.limits.recheck:
            return
        for_any = [n for n in self.proved() if settles(self.for_any, self.claims.all[n])]
        rest = [n for n in self.proved() if n not in for_any]
        for proof, names in ((self.for_any, for_any), (self.proof, rest)):
            if proof.certificate is not None and (names or self.rechecked is None):
                self._recheck_with(proof.certificate, names)

    def _recheck_with(self, certificate: Certificate, names: Sequence[str]) -> None:
        second, seconds = SecondSolver(SECOND_STEPS), self.limits.recheck
        again = Recheck(self.core, self.claims, certificate, second, seconds=seconds, progress=self.stage)
        made = again.run(names)
        self.rechecked = made if self.rechecked is None else self.rechecked.and_also(made)

    def proved(self) -> list[str]:
        """Claims that the proof settles, of those that were chosen and of their parts."""
        names = dict.fromkeys(name for c in self.chosen() for name in (c.name, *c.parts))
        return [n for n in names if n not in self.found.plays and self._settled(self.claims.all[n])]

    def _shrinking(self, search: Search) -> float:
        return max(0.2, min(self.limits.shrinking, self.left() / max(1, len(search.claims_broken))))

    def _prove(self, samples: Samples, *, symbolic: bool, by_contract: bool = True) -> None:
        prover = Prover(
            self.core,
            self.claims,
            samples,
            seconds=min(self.limits.proof, self.left()),
            question=self.limits.question,
            claim=self.limits.claim,
            memory=self.limits.memory,
            progress=self.stage,
            by_contract=by_contract,
            wanted=lambda name: self.is_wanted(self.claims.all[name]),
            symbolic=symbolic,
        )
        self.proof = prover.run()
        self.rounds = prover.rounds
        self.prover = prover

    def _prove_without_contracts(self, search: Search, trails: list[Trail], samples: Samples) -> None:
        """Where what called rules ensure is not enough, once more with their calls written out."""
        missing = self._missing(search)
        if not missing or not self.proof.contracts or self.distrust or self.left() < 1:
            return
        before = self.proof, self.rounds, self.prover
        self._prove(samples, symbolic=has_symbols(self.core), by_contract=False)
        self._cross_check(search, trails)
        if len(self._missing(search)) >= len(missing):
            self.proof, self.rounds, self.prover = before

    def _prove_deeper(self, search: Search, trails: list[Trail]) -> None:
        """What nothing speaks against and is not proved is worth more effort."""
        missing, seconds = self._missing(search), min(self.limits.proof, self.left())
        if not missing or self.prover is None or self.distrust or seconds < 1:
            return
        if self.prover.deepen(missing, seconds):
            self._cross_check(search, trails)

    def _prove_as_given(self, search: Search, trails: list[Trail], samples: Samples) -> None:
        """What does not follow for whatever the assumed numbers are may follow for those that are assumed."""
        self.for_any = self.proof
        if not self.proof.given or not self._missing(search) or self.distrust or self.left() < 1:
            return
        self._prove(samples, symbolic=False, by_contract=bool(self.for_any.contracts))
        self._cross_check(search, trails)
        self._prove_deeper(search, trails)
        self.tellings += [Telling(self.prover)] if self.prover else []
        self.proof = together(self.for_any, self.proof, self.claims.all.values())

    def _missing(self, search: Search) -> list[str]:
        """Claims that a better proof might decide."""
        offers = [
            name
            for name, block in self.doubted.items()
            if block in self.told.looked_at
            and not self.told.is_decided(block)
            and not self._settled(self.claims.all[name])
        ]
        return offers + [name for name in self.open(search) if self.claims.all[name].kind != "reachable"]

    def unproved(self) -> list[str]:
        """Claims that plays should decide."""
        return [
            c.name
            for c in self.chosen()
            if c.kind != "information"
            and ((not c.parts and not self._settled(c)) or (c.kind == "end" and not self._all_settled(c)))
        ]

    def _all_settled(self, claim: Claim) -> bool:
        parts = (self.claims.all[name] for name in claim.parts)
        return self._settled(claim) and all(self._settled(part) for part in parts)

    def open(self, search: Search) -> list[str]:
        """Claims that neither a proof nor a play has decided, nor a visit of all positions."""
        if self.visited is not None and self.visited.whole:
            return []
        return [
            name
            for name in self.unproved()
            if name not in search.claims_broken and name not in self.found.plays
        ]

    def _settled(self, claim: Claim) -> bool:
        if self.distrust:
            return False
        if claim.name in self.task.known and not self.is_wanted(claim):
            return self.task.known[claim.name].holds
        if claim.kind == "information" and claim.name not in self.doubted:
            return True
        return settles(self.proof, claim)

    def _cross_check(self, search: Search, trails: list[Trail]) -> None:
        """Plays made before the proof, and some that were not, must agree with all that was proved."""
        monitor = Monitor(self.core, self.claims, self.unproved(), self.rounds)
        search.look(trails, monitor)
        fresh = Samples(self.core)
        new = search.gather(FIRST_PLAYS, FIRST_POINTS // 2, self.limits.seed + 1_000_000, fresh)
        search.look(new, monitor)
        proved = [c.name for c in self.chosen() if self._settled(c) and not c.parts]
        watcher = Monitor(self.core, self.claims, proved, self.rounds)
        found = next((b for t in new[:CHECKED_PLAYS] for b in watcher.look(t)), None)
        broken = "" if found is None else found.claim
        broken = broken or broken_by_plays(self.core, self.claims, proved, new)
        if broken:
            self.distrust = f"a fault in the verifier: {broken} was proved, and a play breaks it"
        elif not self.proof.stopped:
            fact = contradicted(self.proof, fresh)
            if fact:
                self.distrust = f"a fault in the verifier: a play contradicts {fact}, which was proved"

    def _look_alike(self, trails: list[Trail], replayer: Replayer) -> None:
        """Pairs of plays to positions that look alike, where it is not proved that these offer the same.

        Of what is proved two plays must not say otherwise.
        """
        chosen = {name for c in self.chosen() if c.kind == "information" for name in (c.name, *c.parts)}
        doubted = {block: name for name, block in self.doubted.items() if name in chosen}
        if not doubted:
            return
        self.stage("comparing positions that look alike")
        proved = {block for block, name in doubted.items() if self._settled(self.claims.all[name])}
        seconds = max(0.1, min(self.limits.sampling, self.left()) / 3)
        search = LeakSearch(self.core, doubted, replayer)
        search.between(trails)
        search.look(doubted.keys() - proved, trails, STATES, seconds, self.limits.seed)
        self.told = search.told
        for block, play in search.told.plays.items():
            self.found.plays[doubted[block]] = play
            if block in proved:
                self.distrust = (
                    f"a fault in the verifier: {doubted[block]} was proved, and two plays break it"
                )

    def _visit(self, search: Search, replayer: Replayer) -> None:
        """A look at the first positions, breadth first: small games are visited whole, and plays are
        shortest.
        """
        if self.distrust or all(search.reached(name) for name in self.unproved()):
            return
        limits = replace(
            self.limits,
            scope_states=FIRST_STATES,
            scope_seconds=max(0.1, min(FIRST_SECONDS, self.left())),
        )
        self.visited = visit(self.core, self.claims, limits, self.on_event)
        for name in self.unproved():
            steps = self.visited.plays.get(name)
            play = None if steps is None else replayer.confirm(Broken(name, len(steps)), steps)
            if play is not None:
                self.found.plays[name] = replace(play, shortest=True)

    def _search(self, search: Search) -> None:
        wanted = self.open(search)
        if not wanted:
            return
        monitor = Monitor(self.core, self.claims, wanted, self.rounds)
        seconds = min(self.limits.sampling, self.left())
        plays = self.limits.plays
        search.run(
            monitor,
            plays,
            seconds,
            self.limits.seed + 2_000_000,
            lambda n: self.stage("playing against what is not proved", n, plays),
        )
        self.sampled = search.found.tried

    def _machine(self, search: Search) -> None:
        """Hypothesis goes on where plain plays found nothing."""
        wanted = self.open(search)
        if not wanted or not self.limits.machine or self.left() < 1:
            return
        self.stage("exploring with Hypothesis")
        monitor = Monitor(self.core, self.claims, wanted, self.rounds)
        player = Player(self.core, PythonEngine)
        result = machine.run(player, monitor, examples=self.limits.machine, steps=MACHINE_STEPS)
        if result.trail is not None and result.broken is not None:
            search.keep(result.trail, result.broken)
        self.sampled += result.plays

    def _look_for_shorter(self, search: Search, replayer: Replayer) -> None:
        shortest = Shortest(
            self.claims, self.found.plays, replayer, self.limits, self.left, self.stage, self.on_event
        )
        shortest.in_positions(self.visited)
        shortest.about_loops(search.player, self.rounds)

    # --- verdicts ------------------------------------------------------------------------------------------

    def _assemble(self) -> list[Verdict]:
        looked_at = [c for c in self.claims.all.values() if not c.parts and self.is_wanted(c)]
        single = {**self.task.known, **{c.name: self._verdict(c) for c in looked_at}}
        result: list[Verdict] = []
        for claim in self.chosen():
            verdict = self._summary(claim, single) if claim.parts else single[claim.name]
            configuration = self.core.configuration
            self.on_event(Event("verdict", configuration.game, configuration.players, verdict=verdict))
            result.append(verdict)
        return result

    def _verdict(self, claim: Claim) -> Verdict:
        finding = self.proof.findings.get(claim.name, Finding())
        base = of(
            self.core.configuration,
            property=claim.name,
            kind=claim.kind,
            verdict="unknown",
            method="",
            seconds=finding.seconds + self.proof.shared_seconds / max(1, len(self.claims.all)),
            title=claim.title,
            origin=claim.origin,
            assumed=told(self.core, for_any=not self.distrust and settles(self.for_any, claim)),
        )
        if claim.name in self.found.plays:
            return self._shown(claim, base)
        if self._settled(claim):
            return self._twice(claim, base, self._proved(claim, base, finding))
        reason = self._reason(finding)
        if claim.kind == "reachable" and self.visited is not None and self.visited.whole:
            reason = "it holds in no position of the game"
            return replace(base, verdict="refuted", method="every position visited", reason=reason)
        if claim.kind == "reachable":
            reason = f"no play out of {self.sampled} came to it"
            return replace(base, method="plays", reason=reason, assumed="")
        return self._unbroken(base, reason)

    def _unbroken(self, base: Verdict, reason: str) -> Verdict:
        """Not proved, but nothing speaks against it."""
        if base.kind == "information":
            return self._alike_so_far(base, reason)
        if self.visited is not None and self.visited.whole:
            count, method = self.visited.states, "every position visited"
            return replace(base, verdict="exhaustive", method=method, count=count, reason=reason)
        if self.found.finished and self.sampled:
            return replace(base, verdict="sampled", method="plays", count=self.sampled, reason=reason)
        return replace(base, method="induction", reason=reason, assumed="")

    def _alike_so_far(self, base: Verdict, reason: str) -> Verdict:
        told, block = self.told, self.doubted.get(base.property, "")
        if block in told.lately:
            return replace(base, method="two plays", reason=remembered(told.lately[block]))
        if told.exhausted(block):
            method = "every position compared"
            return replace(base, verdict="exhaustive", method=method, count=told.positions, reason=reason)
        if told.made:
            return replace(base, verdict="sampled", method="plays compared", count=told.made, reason=reason)
        return replace(base, method="two runs", reason=reason, assumed="")

    def _shown(self, claim: Claim, base: Verdict) -> Verdict:
        play = self.found.plays[claim.name]
        verdict = "proved" if claim.kind == "reachable" else "refuted"
        return replace(
            base,
            verdict=verdict,
            method="two plays" if play.other else "play",
            play=play,
            reason=play.conjunct,
            assumed=told(self.core, for_any=False),
        )

    def _proved(self, claim: Claim, base: Verdict, finding: Finding) -> Verdict:
        local = claim.kind in ("range", "checks", "choice", "chance") and not finding.asked
        method = "intervals" if local else "induction"
        if claim.kind == "information":
            method = "two runs" if claim.name in self.doubted else "flow"
        if claim.kind == "reachable":
            reason = "it is proved that no play comes to it"
            return replace(base, verdict="refuted", method=method, reason=reason)
        if finding.places and finding.places <= self.proof.unreachable:
            reason = "no play comes to the place it is about"
            for_any = self.for_any.findings.get(claim.name, Finding())
            if not for_any.places <= self.for_any.unreachable:
                base = replace(base, assumed=told(self.core, for_any=False))
            return replace(base, verdict="vacuous", method=method, reason=reason)
        return replace(base, verdict="proved", method=method, found=self._told(claim))

    def _told(self, claim: Claim) -> tuple[str, ...]:
        """What the proof needed and the rulebook does not say."""
        number = 0 if settles(self.for_any, claim) else -1
        return self.tellings[number].of(claim.name) if self.tellings else ()

    def _twice(self, claim: Claim, base: Verdict, proved: Verdict) -> Verdict:
        """With what the second solver says; where it disagrees, nothing is proved."""
        if self.rechecked is None:
            return proved
        second, why = self.rechecked.of(claim.name)
        if second == verdicts.DISAGREES:
            return replace(base, reason=f"a fault in the verifier: {why}", second=second)
        return replace(proved, second=second, reason=why or proved.reason)

    def _reason(self, finding: Finding) -> str:
        if self.distrust or self.proof.stopped:
            return self.distrust or self.proof.stopped
        more = len(finding.failures) - 1
        first = str(finding.failures[0]) if finding.failures else ""
        return f"{first} (and {more} more)" if more > 0 else first

    def _summary(self, claim: Claim, single: Mapping[str, Verdict]) -> Verdict:
        """As good as the worst of its parts, and its own finding."""
        parts = [self._as_part(single[p]) for p in claim.parts]
        own = self._verdict(replace(claim, parts=()))
        worst = min([*parts, own], key=lambda v: WORST_FIRST.index(v.verdict))
        if worst.verdict == "vacuous":
            worst = own
        reason = worst.reason
        if reason and worst is not own:
            reason = f"{worst.property}: {reason}"
        if claim.kind == "information" and worst.verdict == "proved":
            worst = replace(worst, method=", ".join(sorted({p.method for p in parts if p.method})))
        said = {each.second for each in (*parts, own)}
        second = next(
            (each for each in (verdicts.DISAGREES, verdicts.GAVE_UP, verdicts.AGREES) if each in said), ""
        )
        given = worst.assumed and any(v.assumed == verdicts.GIVEN for v in (*parts, own))
        return replace(
            worst,
            property=claim.name,
            kind=claim.kind,
            title=claim.title,
            seconds=sum(p.seconds for p in parts),
            reason=reason,
            origin=worst.origin if reason else claim.origin,
            locked="",
            second=second,
            assumed=verdicts.GIVEN if given else worst.assumed,
        )

    def _as_part(self, verdict: Verdict) -> Verdict:
        """A loop whose measure does not do may end all the same: only a play that goes on is against that."""
        if verdict.kind != "loop" or verdict.verdict != "refuted" or GAME_ENDS in self.found.plays:
            return verdict
        base = replace(verdict, verdict="unknown", method="", play=None)
        return self._unbroken(base, "the measure that is stated does not do")
