"""What a proof needed and the rulebook does not say, in the rules language, ready to be pasted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rulespec.compiler.core.tree import Choose, Core, Origin
from rulespec.proofs.claims import rule_of
from rulespec.proofs.smt.cases import in_cases
from rulespec.proofs.smt.language import Language
from rulespec.proofs.smt.measures import FIRST_GHOST
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.terms import Term

if TYPE_CHECKING:
    from rulespec.proofs.smt.prove import Prover


class Telling:
    """Tells it claim by claim: `RULE: decreasing ...`, `RULE: keeps ...`, and `hint NAME: ...`, each with a
    name of its own. Of a rule that has several loops the line is told as well: `RULE (line 12): keeps ...`.

    A fact that holds only for as long as other rules' variables have their values cannot be said in any one
    place, and is left out; so is one that holds each time but not the first, or where all choose at once.
    """

    def __init__(self, prover: Prover) -> None:
        self.prover = prover
        self.core = prover.core
        self._names: dict[str, str] = {}
        self._heads = self._loops()
        self._cases: dict[Location, set[Term]] = {}
        always = prover.settled.always.values() if prover.settled is not None else ()
        self._stated: frozenset[Term] = frozenset().union(*always)

    def of(self, claim: str) -> tuple[str, ...]:
        """What the proof of a claim needed besides."""
        return (*self._measures(claim), *self._facts(claim))

    def _loops(self) -> dict[str, str]:
        """Heads of loops that may keep something, with what is said of where they are."""
        at_once = _at_once(self.core)
        heads = [b for b in self.core.blocks if b.loop is not None and b.origin not in at_once]
        rules = Counter(map(rule_of, heads))
        return {
            head.name: rule if rules[rule] == 1 else f"{rule} (line {head.origin.span.line})"
            for head in heads
            for rule in (rule_of(head),)
        }

    def _measures(self, claim: str) -> Iterator[str]:
        for block, parts in sorted(self.prover.proof.found_measures.items()):
            loop = self.core.block[block].loop
            if loop is None or loop.bounded or self.prover.claims.loop(block) != claim:
                continue
            rule = rule_of(self.core.block[block])
            language = Language(self.core, self.prover.terms, rule)
            if all(language.can_say(part) for part in parts):
                said = ", ".join(language.say(part) for part in parts)
                yield f"{self._heads.get(block, rule)}: decreasing {said}"

    def _facts(self, claim: str) -> Iterator[str]:
        if claim not in self.prover.deepened:
            return
        outside: dict[Term, None] = {}
        inside: dict[str, dict[Term, None]] = {}
        for location, fact in self._needed(claim):
            if self._is_of_the_game(fact):
                outside[fact] = None
            elif location.block in self._heads and location.kind == "head" and self._is_kept(location, fact):
                inside.setdefault(location.block, {})[fact] = None
        for block, about in sorted(inside.items()):
            language = Language(self.core, self.prover.terms, rule_of(self.core.block[block]))
            for said in language.tell(self._fewer(about, language), to_paste=True):
                yield f"{self._heads[block]}: keeps {said}"
        for said in Language(self.core, self.prover.terms).tell(outside, to_paste=True):
            name = self._names.setdefault(said, f"found_{len(self._names) + 1}")
            yield f"hint {name}: {said}"

    def _fewer(self, facts: Iterable[Term], language: Language) -> set[Term]:
        """Without those that follow from the others. What is said of each member alike stays whole."""
        left = set(facts)
        for fact in sorted(left, key=lambda fact: (len(fact.variables), fact)):
            rest = left - {fact}
            if rest and not language.mentions(fact):
                negated = self.prover.terms.neg(fact)
                if self.prover.solver.ask([negated], rest).status == "unsat":
                    left = rest
        return left

    def _needed(self, claim: str) -> Iterator[tuple[Location, Term]]:
        """What the rulebook does not state, case by case, and where."""
        needed, more = self.prover.certificate.rests_on([claim]).facts, self.prover.more
        for location in sorted(needed.keys() & more.keys()):
            for fact in sorted((needed[location] & more[location]) - self._stated):
                yield from ((location, case) for case in in_cases(self.prover.terms, fact))

    def _is_of_the_game(self, fact: Term) -> bool:
        owner = self.prover.encoder.owner
        return all(k < len(owner) and self.core.slot[owner[k][0]].role == "state" for k in fact.variables)

    def _is_kept(self, location: Location, fact: Term) -> bool:
        """Whether it is known whenever the loop's head is reached, whatever numbers are kept apart there."""
        heads = [v for v in self.prover.proof.facts if (v.block, v.kind) == (location.block, location.kind)]
        return max(fact.variables) < FIRST_GHOST and all(
            self.prover.at(head, fact) in self._known(head) for head in heads
        )

    def _known(self, location: Location) -> set[Term]:
        """All facts of a location, case by case."""
        found = self._cases.get(location)
        if found is None:
            terms = self.prover.terms
            facts = self.prover.proof.facts[location]
            found = self._cases[location] = {c for fact in facts for c in in_cases(terms, fact)} | {
                terms.true
            }
        return found


def _at_once(core: Core) -> frozenset[Origin]:
    """Where all choose at once: the innermost loops around secret choices, and those that carry them out."""
    found: set[Origin] = set()
    for block in core.blocks:
        if isinstance(block.end, Choose) and block.end.secret:
            around = [h for h in core.blocks if h.loop is not None and block.name in h.loop.body]
            around.sort(key=lambda head: len(head.loop.body if head.loop is not None else ()))
            found.update(head.origin for head in around[:1])
    return frozenset(found)
