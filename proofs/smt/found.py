"""What a proof needed and the rulebook does not say, in the rules language, ready to be pasted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

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
    name of its own.

    A fact that holds only for as long as other rules' variables have their values cannot be said in any one
    place, and is left out.
    """

    def __init__(self, prover: Prover) -> None:
        self.prover = prover
        self.core = prover.core
        self._names: dict[str, str] = {}

    def of(self, claim: str) -> tuple[str, ...]:
        """What the proof of a claim needed besides."""
        return (*self._measures(claim), *self._facts(claim))

    def _measures(self, claim: str) -> Iterator[str]:
        for block, parts in sorted(self.prover.proof.found_measures.items()):
            loop = self.core.block[block].loop
            if loop is None or loop.bounded or self.prover.claims.loop(block) != claim:
                continue
            language = Language(self.core, self.prover.terms, rule_of(self.core.block[block]))
            if all(language.can_say(part) for part in parts):
                said = ", ".join(language.say(part) for part in parts)
                yield f"{rule_of(self.core.block[block])}: decreasing {said}"

    def _facts(self, claim: str) -> Iterator[str]:
        if claim not in self.prover.deepened:
            return
        needed = self.prover.certificate.rests_on([claim]).facts
        outside: dict[Term, None] = {}
        inside: dict[str, dict[Term, None]] = {}
        for location, facts in _both(needed, self.prover.more):
            for fact in (case for said in facts for case in in_cases(self.prover.terms, said)):
                if self._is_of_the_game(fact):
                    outside[fact] = None
                elif location.kind == "head" and max(fact.variables) < FIRST_GHOST:
                    inside.setdefault(rule_of(self.core.block[location.block]), {})[fact] = None
        for rule, about in sorted(inside.items()):
            for said in Language(self.core, self.prover.terms, rule).tell(about, to_paste=True):
                yield f"{rule}: keeps {said}"
        for said in Language(self.core, self.prover.terms).tell(outside, to_paste=True):
            name = self._names.setdefault(said, f"found_{len(self._names) + 1}")
            yield f"hint {name}: {said}"

    def _is_of_the_game(self, fact: Term) -> bool:
        owner = self.prover.encoder.owner
        return all(k < len(owner) and self.core.slot[owner[k][0]].role == "state" for k in fact.variables)


def _both(
    needed: Mapping[Location, set[Term]], more: Mapping[Location, set[Term]]
) -> Iterable[tuple[Location, list[Term]]]:
    for location in sorted(needed.keys() & more.keys()):
        yield location, sorted(needed[location] & more[location])
