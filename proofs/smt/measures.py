"""That loops end: ghosts that remember a loop's measure, and what is claimed of them.

When a loop's head is reached, its ghosts take the values of its measure. Going round must find the measure
smaller than the ghosts say, lexicographically, and no part of it below 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.tree import Core
from rulespec.proofs.smt.encode import Encoder, Scope
from rulespec.proofs.smt.locations import Nest
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.terms import Term, Terms

FIRST_GHOST = 1 << 22


@dataclass(frozen=True)
class Measure:
    """Of one loop: the parts, most significant first, and the variable that remembers each. `found`: not
    stated.
    """

    nest: Nest
    parts: tuple[Term, ...]
    ghosts: tuple[Term, ...]
    keys: tuple[int, ...]
    found: bool = False


class Measures:
    """All measures that are looked at, by head; a loop may have several that are tried."""

    def __init__(self, core: Core, encoder: Encoder) -> None:
        self.core = core
        self.encoder = encoder
        self.terms = encoder.terms
        self.of: dict[Location, list[Measure]] = {}
        self._next = FIRST_GHOST

    def state(self, nest: Nest) -> None:
        """Take the measure that the core states, if it states one."""
        loop = self.core.block[nest.head.block].loop
        if loop is None or not loop.measure:
            return
        scope = Scope({})
        self.add(nest, [self.encoder.number(e, scope) for e in loop.measure], found=False)

    def add(self, nest: Nest, measure: Sequence[Term], *, found: bool) -> None:
        keys = tuple(range(self._next, self._next + len(measure)))
        self._next += len(measure)
        ghosts = tuple(
            self.terms.variable(key, part.low, part.high, f"before({nest.head.block}, {number})")
            for number, (key, part) in enumerate(zip(keys, measure, strict=True))
        )
        self.of.setdefault(nest.head, []).append(Measure(nest, tuple(measure), ghosts, keys, found))

    def arrival(self, head: Location, store: dict[int, Term], memo: dict[Term, Term]) -> dict[int, Term]:
        """The ghosts' new values on a path with this store that comes to the head."""
        return {
            key: self.terms.substitute(part, store, memo)
            for measure in self.of.get(head, ())
            for key, part in zip(measure.keys, measure.parts, strict=True)
        }

    def remembered(self) -> dict[int, Term]:
        """What each ghost remembers."""
        every = (measure for tries in self.of.values() for measure in tries)
        return {k: part for m in every for k, part in zip(m.keys, m.parts, strict=True)}

    def at_head(self, measure: Measure) -> Iterator[Term]:
        """The ghosts are up to date at the head."""
        for part, ghost in zip(measure.parts, measure.ghosts, strict=True):
            yield self.terms.eq(part, ghost)

    def inside(self, measure: Measure) -> Iterator[Term]:
        """What may hold inside the loop between the measure and what it was at the head."""
        for part, ghost in zip(measure.parts, measure.ghosts, strict=True):
            yield self.terms.eq(part, ghost)
            yield self.terms.le(part, ghost)
            yield self.terms.lt(part, ghost)
        if len(measure.parts) > 1:
            yield falls(self.terms, measure.parts, measure.ghosts)
            yield self.terms.disj(
                (
                    falls(self.terms, measure.parts, measure.ghosts),
                    equal(self.terms, measure.parts, measure.ghosts),
                )
            )


def falls(terms: Terms, now: Sequence[Term], before: Sequence[Term]) -> Term:
    """`now` is lexicographically less than `before`."""
    result = terms.false
    for a, b in zip(reversed(now), reversed(before), strict=True):
        result = terms.disj((terms.lt(a, b), terms.conj((terms.eq(a, b), result))))
    return result


def equal(terms: Terms, now: Sequence[Term], before: Sequence[Term]) -> Term:
    return terms.conj(terms.eq(a, b) for a, b in zip(now, before, strict=True))
