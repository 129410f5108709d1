"""More facts, where those that were tried first are not enough: only then, since it takes its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rulespec.proofs.smt.along import propose_along
from rulespec.proofs.smt.ends import propose_ends
from rulespec.proofs.smt.goals import Goal
from rulespec.proofs.smt.houdini import OutOfTime
from rulespec.proofs.smt.locations import Rounds
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.slopes import Slopes, Target, seen_steps
from rulespec.proofs.smt.spacer import AT_LENGTH, BRIEFLY, Spacer
from rulespec.proofs.smt.sums import propose_sums
from rulespec.proofs.smt.terms import Term

if TYPE_CHECKING:
    from rulespec.proofs.smt.prove import Prover, Settled

LARGEST = 12  # elements of a slot for which slopes are looked for
NEARBY = ("checks", "choice", "chance")
WIDENINGS = 8  # of a bound that was fitted to plays
Way = Callable[["Prover", "Settled"], None]


def _ends(prover: Prover, settled: Settled) -> None:
    propose_ends(settled.candidates)


def _along(prover: Prover, settled: Settled) -> None:
    if not prover.small:  # small ones have them from the beginning
        propose_along(settled.candidates)


def _sums_nearby(prover: Prover, settled: Settled) -> None:
    """For what the rules must find in a place: these goals are few, and near to where the sums are made."""
    _sums_for(settled, prover.goals(NEARBY))


def _sums(prover: Prover, settled: Settled) -> None:
    _sums_for(settled, prover.goals())


def _sums_for(settled: Settled, goals: Sequence[Goal]) -> None:
    proposed = propose_sums(settled.candidates, goals)
    settled.houdini.loose.update(dict.fromkeys(proposed, WIDENINGS))


def _slopes_of_claims(prover: Prover, settled: Settled) -> None:
    """For what the rulebook states as limits."""
    places: dict[Term, set[Location]] = {}
    stated = frozenset().union(*settled.always.values())
    for goal in prover.goals():
        if goal.claim.op == "le" and goal.claim in stated:
            places.setdefault(goal.claim, set()).add(goal.location)
    _propose_slopes(prover, settled, [(Target(fact.kids[0]), where) for fact, where in places.items()])


def _slopes_up(prover: Prover, settled: Settled) -> None:
    _slopes_of_ranges(prover, settled, 1)


def _slopes_down(prover: Prover, settled: Settled) -> None:
    _slopes_of_ranges(prover, settled, -1)


def _slopes_of_ranges(prover: Prover, settled: Settled, sign: int) -> None:
    """For numbers of the game that may leave their range."""
    apart: dict[str, set[Term]] = {}
    open_claims = set(prover.open())
    for _, obligation in settled.graph.obligations():
        if obligation.kind == "range" and prover.claim_of(obligation) in open_claims:
            apart.setdefault(obligation.subject, set()).add(obligation.claim)
    targets: list[tuple[Target, set[Location]]] = []
    for slot in prover.core.slots:
        if slot.name in apart and slot.role == "state" and slot.size <= LARGEST:
            base = prover.core.offset[slot.name]
            for element in prover.encoder.elements[base : base + slot.size]:
                number = prover.terms.total(((sign, element),))
                targets.append((Target(number, frozenset(apart[slot.name])), set(settled.graph.locations)))
    _propose_slopes(prover, settled, targets)


def _propose_slopes(
    prover: Prover, settled: Settled, targets: Sequence[tuple[Target, set[Location]]]
) -> None:
    if not targets:
        return
    rounds = Rounds(prover.core, settled.graph, settled.loops.all())
    seen = seen_steps(settled.graph, rounds, prover.samples.traces, prover.encoder.given)
    facts = {location: set(found) for location, found in settled.candidates.facts.items()}
    slopes = Slopes(settled.candidates, prover.solver, facts, seen, prover.late)
    for target, goals in targets:
        for location, fact in slopes.find(target, goals).items():
            settled.candidates.propose(location, fact)


def _spacer_briefly(prover: Prover, settled: Settled) -> None:
    """Of small rules it takes a moment, and finds what sums and slopes do not."""
    if prover.small:
        Spacer(prover, settled, BRIEFLY).propose(prover.goals())


def _spacer(prover: Prover, settled: Settled) -> None:
    Spacer(prover, settled, AT_LENGTH).propose(prover.goals())


WAYS: tuple[Way, ...] = (
    _ends,
    _sums_nearby,
    _spacer_briefly,
    _slopes_of_claims,
    _slopes_up,
    _slopes_down,
    _sums,
    _along,
    _spacer,
    _spacer,  # where it was given up before, it goes on from the facts that were kept
)


def deepened(prover: Prover, settled: Settled) -> Iterator[None]:
    """Tries one way after the other while claims are open; each time there are more facts, it yields."""
    for way in WAYS:
        if not prover.open() or prover.late():
            return
        prover.progress("looking for more facts", 0, 0)
        facts = settled.candidates.facts
        known = {location: set(found) for location, found in facts.items()}
        try:
            way(prover, settled)
            _again(settled)
            facts.update(settled.houdini.extend(known, facts))
        except OutOfTime:
            facts.update(known)
            return
        finally:
            settled.houdini.loose.clear()
        more = {location: facts[location] - found for location, found in known.items()}
        for location, new in more.items():
            prover.more.setdefault(location, set()).update(new)
        if any(more.values()):
            yield


def _again(settled: Settled) -> None:
    """What was dropped may hold beside the new facts."""
    for location, fact in settled.houdini.dropped:
        settled.candidates.propose(location, fact)
    settled.houdini.dropped.clear()
