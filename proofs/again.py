"""A proof taken up again for rules that are a little different: only what the change touches is looked at.

The facts of a proof hold at each location because every path keeps them. Paths that are the same terms in the
changed rules keep them still, so it is enough to ask about the others. Where old and new paths cannot be told
apart under the facts, the change makes no difference to any play.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from rulespec.compiler.core.tree import Chance, Choose, Core
from rulespec.engine.python.stepper import PythonEngine
from rulespec.proofs.claims import Claims
from rulespec.proofs.information.flow import Flow
from rulespec.proofs.plays import Player
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.houdini import parted
from rulespec.proofs.smt.locations import Graph, explore, nesting
from rulespec.proofs.smt.measures import Measure, falls
from rulespec.proofs.smt.paths import Edge, Location, Obligation, TooMany
from rulespec.proofs.smt.prove import Finding, Prover
from rulespec.proofs.smt.terms import Term
from rulespec.proofs.verdicts import Limits

SAME = "same"  # no play can tell the two apart
HOLDS = "holds"  # all facts hold still, and with them all that was proved
OPEN = "open"  # a new proof has to tell

EdgeKey = tuple[Location, tuple[Term, ...], tuple[tuple[int, Term], ...]]


def prover(core: Core, limits: Limits, *, by_contract: bool = True) -> Prover:
    """One that has seen as many plays as that of `verify`."""
    samples = Samples(core)
    samples.gather(Player(core, PythonEngine), limits.seed)
    seconds, question = limits.proof, limits.question
    return Prover(core, Claims(core), samples, seconds=seconds, question=question, by_contract=by_contract)


def unproved(made: Prover) -> set[str]:
    """Names of claims that a finished proof leaves open; what can be reached is for plays to show."""
    claims = made.claims.all.values()
    return {
        c.name
        for c in claims
        if c.kind != "reachable" and not made.proof.findings.get(c.name, Finding()).proved
    }


class Known:
    """A finished proof of a core."""

    def __init__(self, made: Prover) -> None:
        assert made.settled is not None
        self.prover = made
        self.core = made.core
        self.terms = made.terms
        self.facts = made.proof.facts
        self.settled = made.settled
        self.unproved = unproved(made)
        self.end = 0.0

    def check(self, changed: Core, seconds: float) -> str:
        """`SAME`, `HOLDS` or `OPEN` for changed rules, within so many seconds of this process."""
        self.end = time.process_time() + seconds
        if changed.slots != self.core.slots or changed.configuration != self.core.configuration:
            return OPEN
        encoder = Encoder(changed, self.terms)
        try:
            graph = explore(changed, encoder, by_contract=self.prover.by_contract)
        except TooMany:
            return OPEN
        old = self.settled.graph
        if graph.contracts != old.contracts or not graph.exits.keys() <= old.exits.keys():
            return OPEN
        if not self._same_claims(changed, encoder):
            return OPEN
        work = _Changed(self, graph)
        if not work.obligations_hold():
            return OPEN
        if work.nothing_else_broke_off() and _asks_alike(self.core, changed) and work.same():
            return SAME
        return HOLDS if self._gives_nothing_away(changed) and work.facts_hold() and work.loops_end() else OPEN

    def _same_claims(self, changed: Core, encoder: Encoder) -> bool:
        """Whether it is the same that is stated, in the rules and of loops."""
        stated = {
            f"{p.kind} {p.name}": parted([encoder.sound_truth(p.condition, {})]) for p in changed.properties
        }
        if any(stated.get(name) != parts for name, parts in self.settled.always.items()):
            return False
        for block in changed.blocks:
            before = self.core.block.get(block.name)
            keeps = block.loop.keeps if block.loop else ()
            old = before.loop.keeps if before is not None and before.loop else ()
            if keeps != old:
                return False
        return True

    def _gives_nothing_away(self, changed: Core) -> bool:
        """Whether flow settles what each choice gives away, or it asks as before of one who knows as much:
        what two games showed of that, they show under the same facts.
        """
        before, now = Flow(self.core), Flow(changed)
        for block in changed.blocks:
            if block.kind != "choice" or not now.doubts(block):
                continue
            old = self.core.block.get(block.name)
            if old is None or old.end != block.end:
                return False
            if not before.witnessed(block.name) <= now.witnessed(block.name):
                return False
        return True

    def late(self) -> bool:
        return time.process_time() > self.end

    def excluded(self, hard: Sequence[Term], at: Location) -> bool:
        """Whether the facts at a location rule the conditions out."""
        if self.late():
            return False
        return self.prover.solver.ask(hard, self.facts.get(at, set())).status == "unsat"


class _Changed:
    """The graph of changed rules beside the one that was proved."""

    def __init__(self, known: Known, graph: Graph) -> None:
        self.known = known
        self.terms = known.terms
        self.graph = graph
        self.old = known.settled.graph
        self.pairs = {at: self._apart(at) for at in graph.exits}

    def _apart(self, at: Location) -> tuple[list[Edge], list[Edge]]:
        """Old paths that are no more, and new ones."""
        old, new = self.old.exits[at].edges, self.graph.exits[at].edges
        before, now = {_key(e) for e in old}, {_key(e) for e in new}
        return [e for e in old if _key(e) not in now], [e for e in new if _key(e) not in before]

    def obligations_hold(self) -> bool:
        """Whether all that must hold on the way, and is new, follows from the facts."""
        for at, exits in self.graph.exits.items():
            before = {_what(o) for o in self.old.exits[at].obligations}
            if not all(self._holds(o, at) for o in exits.obligations if _what(o) not in before):
                return False
        return True

    def nothing_else_broke_off(self) -> bool:
        """Whether what had to hold before, and need not now, held anyway."""
        for at, exits in self.old.exits.items():
            left = {_what(o) for o in self.graph.exits[at].obligations} if at in self.graph.exits else set()
            if not all(self._holds(o, at) for o in exits.obligations if _what(o) not in left):
                return False
        return True

    def _holds(self, o: Obligation, at: Location) -> bool:
        return self.known.excluded([*o.conditions, self.terms.neg(o.claim)], at)

    def same(self) -> bool:
        """Whether each old path is a new one under the facts, or cannot be taken."""
        for at, (old, new) in self.pairs.items():
            gone = [e for e in old if not self.known.excluded(e.conditions, at)]
            come = [e for e in new if not self.known.excluded(e.conditions, at)]
            if [(e.target, e.label) for e in gone] != [(e.target, e.label) for e in come]:
                return False
            for one, other in zip(gone, come, strict=True):
                if not self.known.excluded([self._differ(one, other)], at):
                    return False
        return True

    def _differ(self, one: Edge, other: Edge) -> Term:
        """One is taken and the other not, or they leave different records."""
        a, b = self.terms.conj(one.conditions), self.terms.conj(other.conditions)
        elements = self.known.prover.encoder.elements
        written = sorted(one.store.keys() | other.store.keys())
        pairs = [(one.store.get(k, elements[k]), other.store.get(k, elements[k])) for k in written]
        apart = self.terms.disj(self.terms.neg(self.terms.eq(x, y)) for x, y in pairs if x is not y)
        return self.terms.disj(
            (
                self.terms.conj((a, self.terms.neg(b))),
                self.terms.conj((b, self.terms.neg(a))),
                self.terms.conj((a, b, apart)),
            )
        )

    def facts_hold(self) -> bool:
        """Whether each new path keeps all facts."""
        measures = self.known.settled.measures
        for at, (_, new) in self.pairs.items():
            for edge in new:
                memo: dict[Term, Term] = {}
                store = {**edge.store, **measures.arrival(edge.target, edge.store, memo)}
                memo = {}
                goals = [self.terms.substitute(f, store, memo) for f in sorted(self.known.facts[edge.target])]
                lost = self.terms.disj(self.terms.neg(g) for g in goals)
                if not self.known.excluded([*edge.conditions, lost], at):
                    return False
        return True

    def loops_end(self) -> bool:
        """Whether the loops are those that were, and a measure of each falls on its new ways round."""
        loops = nesting(self.graph)
        if loops.tangled:
            return False
        before = {nest.head: nest for nest in self.known.settled.loops.all()}
        new = {_key(edge) for _, come in self.pairs.values() for edge in come}
        for nest in loops.all():
            old = before.get(nest.head)
            if old is None or not nest.inside <= old.inside:
                return False
            if any(_key(edge) in new for edge in nest.rounds) and not any(
                self._falls(measure, nest.rounds)
                for measure in self.known.settled.measures.of.get(nest.head, ())
            ):
                return False
        return True

    def _falls(self, measure: Measure, rounds: Iterable[Edge]) -> bool:
        for edge in rounds:
            memo: dict[Term, Term] = {}
            now = [self.terms.substitute(part, edge.store, memo) for part in measure.parts]
            least = [self.terms.le(self.terms.zero, part) for part in now]
            claim = self.terms.conj([falls(self.terms, now, measure.ghosts), *least])
            if not self.known.excluded([*edge.conditions, self.terms.neg(claim)], edge.source):
                return False
        return True


def _key(edge: Edge) -> EdgeKey:
    return edge.target, edge.conditions, tuple(sorted(edge.store.items(), key=lambda item: item[0]))


def _what(o: Obligation) -> tuple[str, str, Term, tuple[Term, ...]]:
    return o.kind, o.subject, o.claim, o.conditions


def _asks_alike(a: Core, b: Core) -> bool:
    """Whether the same are asked, chance is the same and so are scores, as far as paths do not show that."""
    if a.ranking != b.ranking:
        return False
    ends = {block.name: block.end for block in a.blocks}
    for block in b.blocks:
        match ends.get(block.name), block.end:
            case Choose() as one, Choose() as other:
                if (one.actor, one.secret) != (other.actor, other.secret):
                    return False
                if [(o.name, o.phrase) for o in one.options] != [(o.name, o.phrase) for o in other.options]:
                    return False
            case Chance() as one, Chance() as other:
                if (one.weight, one.seen_by) != (other.weight, other.seen_by):
                    return False
            case one, (Choose() | Chance()):
                return False
    return True
