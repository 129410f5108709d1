"""Proving all claims of a core at once: facts first, then each obligation under them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from rulespec.compiler.core.tree import Core
from rulespec.proofs.claims import ALWAYS, GAME_ENDS, Claims
from rulespec.proofs.information.flow import Flow
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.along import propose_along
from rulespec.proofs.smt.bounds import Bounds, is_simple
from rulespec.proofs.smt.candidates import Candidates
from rulespec.proofs.smt.certificate import TOGETHER, Certificate, Met
from rulespec.proofs.smt.columns import Columns, as_given
from rulespec.proofs.smt.deeper import deepened
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.goals import Failure, Goal, in_a_row
from rulespec.proofs.smt.houdini import Facts, Houdini, OutOfTime, Step, parted, split_up
from rulespec.proofs.smt.locations import Graph, Nesting, Rounds, explore, nesting
from rulespec.proofs.smt.measures import Measure, Measures, falls
from rulespec.proofs.smt.paths import Location, Obligation, TooMany
from rulespec.proofs.smt.ranking import find_measures
from rulespec.proofs.smt.remembered import remembered
from rulespec.proofs.smt.solver import Answer, Solver
from rulespec.proofs.smt.templates import propose_all
from rulespec.proofs.smt.terms import Term, Terms
from rulespec.proofs.smt.two_runs import Question, TwoRuns
from rulespec.proofs.smt.values import show

FEW_BLOCKS = 40  # of a small core: many more facts are tried there, and large claims taken apart
MANY_PARTS = 20  # of several claims, which are then asked for one by one
MOST_PARTS = 5  # of one claim, which is then asked for part by part
MOST_PAIRS = 600  # questions about one choice, whose control points are compared each with each
SAFE = 0.7  # of the memory that a process may have: if the solver has more, a proof is given up
TOO_LONG = "the time for one claim was over before it was asked of"
WAITING = ("choice", "chance", "end")
Progress = Callable[[str, int, int], None]


@dataclass
class Finding:
    """What was found on one claim.

    `places` are the locations it is about, `never` those of them never reached.
    """

    asked: int = 0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)
    places: set[Location] = field(default_factory=set)
    excluded: bool = False  # of a `reachable` claim: proved that it never holds

    @property
    def proved(self) -> bool:
        return not self.failures


@dataclass
class Proof:
    """All findings by claim. `stopped` says why nothing was found, if so."""

    findings: dict[str, Finding] = field(default_factory=dict)
    facts: Facts = field(default_factory=dict)
    unreachable: set[Location] = field(default_factory=set)
    stopped: str = ""
    questions: int = 0
    seconds: float = 0.0
    shared_seconds: float = 0.0  # that belong to no one claim
    found_measures: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    contracts: tuple[str, ...] = ()  # rules that were gone past where they are called
    certificate: Certificate | None = None
    given: Mapping[int, int] = field(default_factory=dict)  # what was assumed, where symbols stand for it


@dataclass(frozen=True)
class Settled:
    """What the facts of a proof rest on. `always` has the parts of each stated property."""

    graph: Graph
    loops: Nesting
    measures: Measures
    always: dict[str, set[Term]]
    houdini: Houdini
    candidates: Candidates
    asked: dict[str, int] = field(default_factory=dict)  # of Spacer, and up to how many steps


class Prover:
    """Proves what it can of one core within `seconds`. `by_contract`: see `contracts`.

    `question` and `claim` are the seconds for one question and for the obligations of one claim, `memory` the
    megabytes that the process may have.

    `wanted` says of a claim's name whether it is looked at; what others say is still tried as a fact. Not to
    look at an obligation is sound: a play in which it is not met goes no further, whoever knows of it.
    If `symbolic`, whatever the open cells of its tables are; else with the numbers that are assumed.
    """

    def __init__(
        self,
        core: Core,
        claims: Claims,
        samples: Samples,
        *,
        seconds: float,
        question: float,
        claim: float = float("inf"),
        memory: float = float("inf"),
        symbolic: bool = False,
        progress: Progress = lambda text, done, whole: None,
        by_contract: bool = True,
        wanted: Callable[[str], bool] = lambda claim: True,
    ) -> None:
        self.core = core
        self.claims = claims
        self.by_contract = by_contract
        self.is_wanted = wanted
        self.samples = samples
        self.progress = progress
        self.end = time.process_time() + seconds
        self.for_one_claim = claim
        self.memory = memory * SAFE
        self.small = len(core.blocks) <= FEW_BLOCKS
        self.terms = Terms()
        self.encoder = Encoder(core, self.terms, symbolic=symbolic)
        self.solver = Solver(self.terms, question, self.encoder.limits)
        self.certificate = Certificate(self.terms, self.encoder.limits)
        self.proof = Proof(certificate=self.certificate, given=self.encoder.given)
        self.rounds: Rounds | None = None
        self.settled: Settled | None = None
        self._aims: frozenset[str] = frozenset()  # claims for which more facts are looked for
        self.deepened: set[str] = set()  # claims that more facts were found for
        self.more: Facts = {}  # those facts
        self._never: dict[Location, frozenset[Term]] = {}
        self.at: Callable[[Location, Term], Term] = lambda location, fact: fact

    def late(self) -> bool:
        return time.process_time() > self.end or self.is_full()

    def is_full(self) -> bool:
        """Whether most of the memory is used: a solver that has none left takes its process with it."""
        return self.solver.memory() > self.memory

    def run(self) -> Proof:
        """The facts that are found quickly, and what follows from them."""
        self._timed(self._run)
        return self.proof

    def deepen(self, claims: Iterable[str], seconds: float) -> bool:
        """Look for more facts for these claims, for so long; whether one more was proved."""
        if self.settled is None or self.proof.stopped:
            return False
        self.end = time.process_time() + seconds
        self._aims = frozenset(claims)
        before = self.open()
        self._timed(self._deepen)
        return self.open() != before

    def _timed(self, work: Callable[[], None]) -> None:
        began = time.process_time()
        try:
            work()
        except TooMany as limit:
            self.proof.stopped = str(limit)
        except OutOfTime:
            what = "memory" if self.is_full() else "time"
            self.proof.stopped = f"{what} ran out before the facts were settled"
        self.proof.questions = self.solver.asked
        self.proof.seconds += time.process_time() - began
        own = sum(f.seconds for f in self.proof.findings.values())
        self.proof.shared_seconds = self.proof.seconds - own

    def _run(self) -> None:
        settled = self.settled = self.settle()
        self._unreachable(settled.graph)
        self._decide(settled)
        for location, exits in settled.graph.exits.items():
            for each in exits.settled:
                self._met(location, each.obligation, frozenset())
        self._reachable(settled.graph)
        self._vacuous()

    def _deepen(self) -> None:
        """Decide those claims anew that are open, each time that there are more facts."""
        assert self.settled is not None, "there are facts"
        asked_for = self.is_wanted
        try:
            for _ in deepened(self, self.settled):
                open_claims = frozenset(self.open())
                self.is_wanted = open_claims.__contains__
                for name in sorted(open_claims):
                    self.proof.findings[name].failures.clear()
                self.certificate.forget(open_claims)
                self.deepened |= open_claims
                self._decide(self.settled)
        finally:
            self.is_wanted = asked_for

    def open(self) -> list[str]:
        """Claims that were aimed at and are not proved so far."""
        return [n for n, finding in self.proof.findings.items() if not finding.proved and n in self._aims]

    def goals(self, kinds: Sequence[str] = ()) -> list[Goal]:
        """What the open claims, or those of some kinds, wait for."""
        names = [name for name in self.open() if not kinds or self.claims.all[name].kind in kinds]
        failures = [failure for name in names for failure in self.proof.findings[name].failures]
        return [failure.goal for failure in failures if failure.goal is not None]

    def _decide(self, settled: Settled) -> None:
        """Whether the facts are enough for each claim that is wanted."""
        self._stated(settled.graph, settled.always, settled.houdini)
        self._obligations(settled.graph)
        self._loops(settled.graph, settled.loops, settled.measures, settled.houdini)
        self._information(settled.graph)

    def settle(self) -> Settled:
        """Find the facts, which are then in `proof.facts`. Raises TooMany and OutOfTime."""
        self.progress("reading all paths", 0, 0)
        graph = explore(self.core, self.encoder, by_contract=self.by_contract)
        self.proof.contracts = tuple(contract.rule for contract in graph.contracts)
        loops = nesting(graph)
        self.rounds = Rounds(self.core, graph, loops.all())
        measures = Measures(self.core, self.encoder)
        for nest in loops.all():
            measures.state(nest)
        find_measures(self.core, self.encoder, graph, loops, measures, self.samples)
        always = self._always()
        candidates = self._propose(graph, loops, measures, always)
        self.proof.facts = candidates.facts
        self.at = candidates.at
        houdini = Houdini(graph, measures, self.solver, self.late, self.progress)
        self.certificate.steps, self.certificate.facts = houdini.steps, self.proof.facts
        self.certificate.ghosts = measures.remembered()
        houdini.run(self.proof.facts)
        return Settled(graph, loops, measures, always, houdini, candidates)

    def _always(self) -> dict[str, set[Term]]:
        """The parts of each stated property that must hold whenever somebody waits."""
        return {
            claim.name: parted([self.encoder.sound_truth(claim.property.condition, {})])
            for claim in self.claims.all.values()
            if claim.property is not None and claim.kind in ALWAYS
        }

    def _propose(
        self, graph: Graph, loops: Nesting, measures: Measures, always: dict[str, set[Term]]
    ) -> Candidates:
        self.progress("proposing facts", 0, 0)
        candidates = Candidates(self.core, self.encoder, graph, loops, measures, self.samples)
        for facts in always.values():
            candidates.everywhere(facts)
        candidates.from_loops()
        candidates.from_checks()
        candidates.from_paths()
        candidates.from_samples()
        if self.small:
            propose_along(candidates)
        propose_all(candidates)
        flow = Flow(self.core)
        doubted = [b for b in self.core.blocks if b.kind == "choice" and flow.doubts(b)]
        for kept in remembered(self.core, doubted):
            for location, fact in product(graph.locations, candidates.conjuncts_of(kept)):
                candidates.propose(location, fact)
        candidates.spread_out()
        return candidates

    def finding(self, claim: str) -> Finding:
        return self.proof.findings.setdefault(claim, Finding())

    # --- whether places are reached at all -----------------------------------------------------------------

    def _unreachable(self, graph: Graph) -> None:
        """Locations whose facts contradict each other; none of them may have been seen in a play."""
        for location in graph.locations:
            if location.kind == "start" or self.samples.seen(location):
                continue
            answer = self.solver.ask([], self.proof.facts[location])
            if answer.status == "unsat":
                self.proof.unreachable.add(location)
                self._never[location] = answer.used

    def _vacuous(self) -> None:
        """Claims about nothing but places that are never reached rest on that."""
        for claim, finding in self.proof.findings.items():
            if finding.places and finding.places <= self.proof.unreachable:
                for location in sorted(finding.places):
                    never, used = self.terms.false, self._never[location]
                    self._note(Met(claim, "never", location, (), never, used, "no play comes here"))

    def _note(self, met: Met) -> None:
        self.certificate.met.append(met)

    # --- stated properties ---------------------------------------------------------------------------------

    def _stated(self, graph: Graph, always: dict[str, set[Term]], houdini: Houdini) -> None:
        for claim, parts in always.items():
            if not self.is_wanted(claim):
                continue
            finding = self.finding(claim)
            for location in graph.locations:
                if location.kind not in WAITING:
                    continue
                finding.places.add(location)
                self._missing(claim, location, parts, houdini)

    def _missing(self, claim: str, location: Location, parts: Iterable[Term], houdini: Houdini) -> None:
        """A failure for each part that is not among the facts of the location."""
        here = {self.at(location, part) for part in parts} - {self.terms.true}
        self.certificate.holds(claim, location, here & self.proof.facts[location])
        for part in sorted(here - self.proof.facts[location]):
            why = houdini.dropped.get((location, part), "nothing shows that it holds")
            text = f"{show(part, self.terms.names)} ({why})"
            goal = Goal(location, (), part)
            self.finding(claim).failures.append(Failure(str(location), text, "", goal=goal))

    def _reachable(self, graph: Graph) -> None:
        for claim in self.claims.all.values():
            if claim.kind != "reachable" or claim.property is None or not self.is_wanted(claim.name):
                continue
            finding = self.finding(claim.name)
            goal = self.encoder.sound_truth(claim.property.condition, {})
            finding.excluded = all(
                self._excluded(claim.name, location, goal)
                for location in graph.locations
                if location.kind in WAITING
            )

    def _excluded(self, claim: str, location: Location, goal: Term) -> bool:
        answer = self._ask(self.finding(claim), [goal], self.proof.facts[location])
        if answer.status == "unsat":
            self._note(Met(claim, "excluded", location, (), self.terms.neg(goal), answer.used, "never holds"))
        return answer.status == "unsat"

    # --- obligations ---------------------------------------------------------------------------------------

    def _obligations(self, graph: Graph) -> None:
        whole = sum(len(exits.obligations) for exits in graph.exits.values())
        done = 0
        for location, exits in graph.exits.items():
            for group in in_a_row(exits.obligations, TOGETHER):
                self.progress("meeting obligations", done, whole)
                done += len(group)
                if wanted := [each for each in group if self.is_wanted(self.claim_of(each))]:
                    self._meet(location, wanted)
        for location in graph.locations:
            if location.kind in ("choice", "chance"):
                name = self.claims.choice if location.kind == "choice" else self.claims.chance
                self.finding(name(location.block)).places.add(location)

    def _meet(self, location: Location, group: Sequence[Obligation]) -> None:
        """Obligations that one path meets in turn: together, and each by itself if that fails."""
        findings = [self.finding(self.claim_of(obligation)) for obligation in group]
        for finding in findings:
            finding.places.add(location)
        many = self.small and sum(len(split_up(self.terms, o.claim)) for o in group) > MANY_PARTS
        hurried = self.late() or any(map(self._is_spent, findings))
        if len(group) > 1 and not many and not hurried:
            began = self.solver.seconds
            answer = self.solver.ask([self._one_fails(group)], self.proof.facts[location])
            for finding in findings:
                finding.asked += 1
                finding.seconds += (self.solver.seconds - began) / len(group)
            if answer.status == "unsat":
                for obligation in group:
                    self._met(location, obligation, answer.used)
                return
        for finding, obligation in zip(findings, group, strict=True):
            used = self._require(
                finding, location, obligation.conditions, obligation.claim, self._words(obligation)
            )
            if used is not None:
                self._met(location, obligation, used)

    def _met(self, location: Location, obligation: Obligation, used: frozenset[Term]) -> None:
        path = obligation.kind == "path"
        claim = "" if path else self.claim_of(obligation)
        self._note(
            Met(
                claim,
                "path" if path else "obligation",
                location,
                obligation.conditions,
                obligation.claim,
                used,
                self._words(obligation),
                obligation.origin,
            )
        )

    def _is_spent(self, finding: Finding) -> bool:
        return finding.seconds > self.for_one_claim

    def _one_fails(self, group: Sequence[Obligation]) -> Term:
        """The path is taken, and some obligation on it is not met where it comes up."""
        result = self.terms.false
        known = len(group[-1].conditions)
        for obligation in reversed(group):
            between = group[-1].conditions[len(obligation.conditions) : known]
            known = len(obligation.conditions)
            fails = self.terms.neg(obligation.claim)
            result = self.terms.disj((fails, self.terms.conj((*between, result))))
        return self.terms.conj((*group[0].conditions, result))

    def claim_of(self, obligation: Obligation) -> str:
        return self.claims.of_fault(
            obligation.kind, obligation.subject, obligation.block, obligation.origin.rule
        )

    def _words(self, obligation: Obligation) -> str:
        return obligation.text or f"{obligation.kind} of {obligation.subject}"

    def _require(
        self,
        finding: Finding,
        location: Location,
        conditions: Iterable[Term],
        claim: Term,
        text: str,
    ) -> frozenset[Term] | None:
        """`claim` must follow from the facts at the location and the conditions: the facts that it leans on
        if it does.
        """
        facts = self.proof.facts[location]
        if self.late():
            finding.failures.append(Failure(str(location), text, "", gave_up=True))
            return None
        if self._is_spent(finding):
            finding.failures.append(Failure(str(location), text, "", verb=TOO_LONG))
            return None
        hard = [*conditions, self.terms.neg(claim)]
        used = self._plain(hard, facts)
        if used is None:
            used = self._in_parts(finding, hard[:-1], claim, facts)
        if used is not None:
            return used
        answer = self._ask(finding, hard, facts)
        if answer.status == "unsat":
            return answer.used
        values, gave_up = self._values(hard, answer), answer.status == "unknown"
        goal = Goal(location, tuple(conditions), claim)
        finding.failures.append(Failure(str(location), text, values, gave_up, goal=goal))
        return None

    def _in_parts(
        self, finding: Finding, conditions: list[Term], claim: Term, facts: set[Term]
    ) -> frozenset[Term] | None:
        """The facts that all parts of a claim lean on, if each follows: of so many that a solver
        had better not be asked for all of them at once.
        """
        parts = split_up(self.terms, claim) if self.small else []
        used: frozenset[Term] = frozenset()
        for part in parts if len(parts) > MOST_PARTS else ():
            answer = None if self.late() else self._ask(finding, [*conditions, self.terms.neg(part)], facts)
            if answer is None or answer.status != "unsat":
                return None
            used |= answer.used
        return used if len(parts) > MOST_PARTS else None

    def _plain(self, hard: list[Term], facts: set[Term]) -> frozenset[Term] | None:
        """The facts from whose intervals alone it follows that `hard` cannot hold, if it does."""
        touched = frozenset().union(*(h.variables for h in hard))
        bounds = Bounds()
        simple = frozenset(f for f in facts if is_simple(f) and not touched.isdisjoint(f.variables))
        bounds.learn([*sorted(simple), *hard])
        plain = bounds.impossible or any(bounds.truth(h) is False for h in hard)
        return simple if plain else None

    def _ask(self, finding: Finding, hard: list[Term], facts: set[Term]) -> Answer:
        before = self.solver.seconds
        answer = self.solver.ask(hard, facts)
        finding.asked += 1
        finding.seconds += self.solver.seconds - before
        return answer

    def _values(self, hard: list[Term], answer: Answer) -> str:
        keys = sorted(frozenset().union(*(h.variables for h in hard)))[:12]
        known = [(self.terms.names.get(k, "?"), answer.model[k]) for k in keys if k in answer.model]
        return ", ".join(f"{name} = {value}" for name, value in known)

    # --- what choices give away -----------------------------------------------------------------------------

    def _information(self, graph: Graph) -> None:
        """Choices whose offers read what may be secret: two games that look alike must offer the same."""
        flow, runs = Flow(self.core), TwoRuns(self.core, self.encoder)
        for block in self.core.blocks:
            if block.kind != "choice" or not self.is_wanted(self.claims.information(block.name)):
                continue
            finding = self.finding(self.claims.information(block.name))
            finding.places.update(v for v in graph.locations if (v.block, v.kind) == (block.name, "choice"))
            if flow.doubts(block):
                reached = sorted(finding.places - self.proof.unreachable)
                claim = self.claims.information(block.name)
                self._gives_nothing_away(claim, runs.questions(block.name, reached, self.proof.facts))

    def _gives_nothing_away(self, claim: str, questions: Iterable[Question]) -> None:
        """One failure is enough."""
        finding = self.finding(claim)
        for number, question in enumerate(questions):
            text = f"whether `{question.option}` is open depends on what is not seen"
            if self.late() or number == MOST_PAIRS:
                finding.failures.append(Failure(str(question.first), text, "", gave_up=True))
                return
            answer = self._ask(finding, list(question.hard), set(question.facts))
            if answer.status != "unsat":
                values, gave_up = self._values(list(question.hard), answer), answer.status == "unknown"
                verb = "it is not excluded that"
                finding.failures.append(Failure(str(question.first), text, values, gave_up, verb))
                return
            behind = tuple(pair for fact in sorted(answer.used) for pair in question.behind[fact])
            never, told = (
                self.terms.false,
                f"`{question.option}` is open in both of two games that look alike",
            )
            self._note(
                Met(claim, "offer", question.first, question.hard, never, answer.used, told, behind=behind)
            )

    # --- loops ---------------------------------------------------------------------------------------------

    def _loops(self, graph: Graph, loops: Nesting, measures: Measures, houdini: Houdini) -> None:
        for nest in loops.all():
            block = nest.head.block
            if not self.is_wanted(self.claims.loop(block)):
                continue
            finding = self.finding(self.claims.loop(block))
            finding.places.add(nest.head)
            tries = measures.of.get(nest.head, [])
            if not tries:
                finding.failures.append(Failure(str(nest.head), "no measure is known that falls", ""))
                continue
            failures: list[Failure] = []
            for measure in tries:
                failures = self._falls(finding, measure, houdini)
                if not failures:
                    if measure.found:
                        self.proof.found_measures[block] = measure.parts
                    break
            finding.failures.extend(failures)
        for head in (b.name for b in self.core.blocks if b.loop is not None):
            self._kept(graph, head, houdini)
            self.finding(self.claims.loop(head))
        for tangle in loops.tangled if self.is_wanted(GAME_ENDS) else ():
            places = ", ".join(str(v) for v in sorted(tangle)[:4])
            failure = Failure(places, "a cycle that no loop's head accounts for", "")
            self.finding(GAME_ENDS).failures.append(failure)

    def _falls(self, finding: Finding, measure: Measure, houdini: Houdini) -> list[Failure]:
        before, noted = len(finding.failures), len(self.certificate.met)
        for step in houdini.steps:
            if step.edge in measure.nest.rounds:
                self._falls_on(finding, measure, step)
        failures = finding.failures[before:]
        del finding.failures[before:]
        if failures:
            del self.certificate.met[noted:]
        return failures

    def _falls_on(self, finding: Finding, measure: Measure, step: Step) -> None:
        now = [self.terms.substitute(p, step.store, step.memo) for p in measure.parts]
        least = [self.terms.le(self.terms.zero, part) for part in now]
        claim = self.terms.conj([falls(self.terms, now, measure.ghosts), *least])
        parts = ", ".join(show(p, self.terms.names) for p in measure.parts)
        text = f"the measure ({parts}) falls and is not below 0"
        source, conditions = step.edge.source, step.edge.conditions
        used = self._require(finding, source, conditions, claim, text)
        if used is not None:
            of = self.claims.loop(measure.nest.head.block)
            self._note(Met(of, "measure", source, conditions, claim, used, text))

    def _kept(self, graph: Graph, block: str, houdini: Houdini) -> None:
        loop = self.core.block[block].loop
        if loop is None or not loop.keeps or not self.is_wanted(self.claims.kept(block)):
            return
        finding = self.finding(self.claims.kept(block))
        parts = parted(self.encoder.sound_truth(e, {}) for e in loop.keeps)
        for location in graph.locations:
            if location.block == block and location.kind == "head":
                finding.places.add(location)
                self._missing(self.claims.kept(block), location, parts, houdini)


def contradicted(proof: Proof, samples: Samples) -> str:
    """A fact that some seen record contradicts, said in words; "" if there is none, as it must be."""
    for location, facts in proof.facts.items():
        if location.kind == "start":
            continue
        seen = [s.record for s in samples.seen(location)]
        columns = Columns(seen, as_given(proof.given, len(seen)))
        if not columns.size:
            continue
        for fact in facts:
            if columns.knows(fact) and not columns.holds(fact):
                return f"{show(fact)} at {location}"
    return ""
