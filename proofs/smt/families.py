"""Terms that differ only in a member of a domain, gathered into one with a variable in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rulespec.compiler.core.tree import Domain
from rulespec.proofs.smt.terms import Term

Member = tuple[str, int]  # a domain's name and the member's number
Named = tuple[tuple[Member, str], ...]
Binder = tuple[str, str, str]  # a variable, its domain, and another variable that it differs from or ""
Say = Callable[[Term, Named], str]


@dataclass(frozen=True)
class Family:
    """All `terms` that come of `term` when the members that are `named` become others, as `binders` say."""

    term: Term
    named: Named
    binders: tuple[Binder, ...]
    terms: tuple[Term, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.named)

    def keeping(self, binders: Iterable[Binder]) -> Family:
        return replace(self, binders=tuple(binders))


def folded(
    terms: Sequence[Term],
    say: Say,
    mentions: Callable[[Term], frozenset[Member]],
    variable: Callable[[str, Iterable[str]], str],
    domains: Mapping[str, Domain],
) -> list[Family]:
    """Families that together are exactly the terms.

    Two terms belong together where they read alike once the members that they name are left open.
    """
    families = [Family(term, (), (), (term,)) for term in terms]
    if len(terms) < 2:
        return families
    met = {member: None for term in terms for member in sorted(mentions(term))}
    order = sorted({name for name, _ in met}, key=lambda name: (name != "Player", name))
    for domain in order:
        size = len(domains[domain].names) if domain in domains else 0
        if 2 <= size <= len(families):
            families = _Folding(domain, size, say, mentions, variable).all(families)
    return families


@dataclass(frozen=True)
class _Folding:
    """Over one domain with `size` members."""

    domain: str
    size: int
    say: Say
    mentions: Callable[[Term], frozenset[Member]]
    variable: Callable[[str, Iterable[str]], str]

    def all(self, families: list[Family]) -> list[Family]:
        families = self._each(families)
        return self._pairs(families) if self.domain == "Player" else families

    def _open(self, family: Family) -> list[Member]:
        """Members of the domain that the family names and that are not open yet."""
        named = dict(family.named)
        return sorted(m for m in self.mentions(family.term) if m[0] == self.domain and m not in named)

    def _each(self, families: list[Family]) -> list[Family]:
        """One variable for each member."""
        buckets: dict[tuple[object, str], dict[int, Family]] = {}
        for family in families:
            name = self.variable(self.domain, family.names)
            for member in self._open(family):
                named = (*family.named, (member, name))
                key = (family.binders, self.say(family.term, named))
                buckets.setdefault(key, {})[member[1]] = family
        return self._merged(families, buckets, self.size)

    def _pairs(self, families: list[Family]) -> list[Family]:
        """Two variables for two different members."""
        buckets: dict[tuple[object, str], dict[tuple[int, int], Family]] = {}
        for family in families:
            members = self._open(family)
            if len(members) != 2:
                continue
            p = self.variable(self.domain, family.names)
            q = self.variable(self.domain, (*family.names, p))
            for one, other in (members, members[::-1]):
                text = self.say(family.term, (*family.named, (one, p), (other, q)))
                buckets.setdefault((family.binders, text), {})[one[1], other[1]] = family
        return self._merged(families, buckets, self.size * (self.size - 1))

    def _merged(
        self,
        families: list[Family],
        buckets: Mapping[tuple[object, str], Mapping[int, Family] | Mapping[tuple[int, int], Family]],
        whole: int,
    ) -> list[Family]:
        """One family for each bucket that is full; a family is used up by the first that takes it."""
        gone: set[Family] = set()
        made: list[Family] = []
        for full in buckets.values():
            if len(full) < whole or not gone.isdisjoint(full.values()) or len(set(full.values())) < 2:
                continue
            place, first = min(full.items(), key=lambda item: str(item[0]))
            gone.update(full.values())
            terms = dict.fromkeys(term for family in full.values() for term in family.terms)
            places = place if isinstance(place, tuple) else (place,)
            made.append(self._bound(first, places, tuple(terms)))
        return [family for family in families if family not in gone] + made

    def _bound(self, family: Family, places: tuple[int, ...], terms: tuple[Term, ...]) -> Family:
        named, binders, apart = family.named, family.binders, ""
        for place in places:
            name = self.variable(self.domain, (n for _, n in named))
            named = (*named, ((self.domain, place), name))
            binders = (*binders, (name, self.domain, apart))
            apart = name
        return Family(family.term, named, binders, terms)
