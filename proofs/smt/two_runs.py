"""Two games at once: positions that look alike to the one who is asked, and the moves that each offers.

Both games are at a location of the same choice, both satisfy the facts that were found there, and the same
seat is asked in both. What that seat sees is the same variable in both; of what it does not see the second
game has variables of its own. Where a move can be legal in one game only, what is offered may give a secret
away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from rulespec.compiler.core.tree import Choose, Core, Expr, Option
from rulespec.engine.sight import Sight, Veiled, sight
from rulespec.proofs.information.flow import Flow
from rulespec.proofs.smt.encode import Encoder, Scope
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.terms import Term, Terms

Store = dict[int, Term]
Facts = Mapping[Location, Iterable[Term]]
Behind = dict[Term, tuple[tuple[Location, Term], ...]]  # facts of a game as they were found at its location


@dataclass(frozen=True)
class Question:
    """`hard` and `facts` can hold together only where an option is open in one of two games that look alike.

    `first` and `second` are where they are. The facts are those of `behind`, said of the one or the other.
    """

    first: Location
    second: Location
    option: str
    hard: tuple[Term, ...]
    behind: Behind

    @property
    def facts(self) -> frozenset[Term]:
        return frozenset(self.behind)


@dataclass(frozen=True)
class _Pair:
    """Two records that look alike to a seat: what each holds, and what makes them look alike."""

    first: Store
    second: Store
    alike: tuple[Term, ...]


class TwoRuns:
    """Asks of the choices of one core whether two games can differ in what they offer."""

    def __init__(self, core: Core, encoder: Encoder) -> None:
        self.core = core
        self.encoder = encoder
        self.terms: Terms = encoder.terms
        self.flow = Flow(core)

    def questions(self, block: str, locations: Sequence[Location], facts: Facts) -> Iterator[Question]:
        """All that must be answered `unsat` for a choice to give nothing away; `locations` are all of its
        that may be reached.
        """
        choose = self.core.block[block].end
        assert isinstance(choose, Choose)
        witnessed = self.flow.witnessed(block)
        for seat in range(self.core.configuration.players):
            sees = sight(self.core, seat, witnessed=witnessed)
            for first, second in combinations_with_replacement(locations, 2):
                pair = self._pair(sees, first, second)
                if pair is not None:
                    yield from self._differing(choose, seat, pair, (first, second), facts)

    # --- two records ---------------------------------------------------------------------------------------

    def _pair(self, sees: Sight, first: Location, second: Location) -> _Pair | None:
        """None where the return addresses in force, as far as they are seen, tell the two apart."""
        one, two = self._kept(first), self._kept(second)
        for position in sees.plain:
            known = one.get(position), two.get(position)
            if known[0] is not None and known[1] is not None and known[0] is not known[1]:
                return None
            number = known[0] if known[0] is not None else known[1]
            if number is not None:
                one[position] = two[position] = number
        for veiled in sees.veiled:
            for position in veiled.positions:
                two.setdefault(position, self._other(self.encoder.elements[position]))
        alike = [self._alike(veiled, one, two) for veiled in sees.veiled]
        return _Pair(one, two, tuple(alike))

    def _kept(self, location: Location) -> Store:
        return {self.core.offset[slot]: self.terms.integer(value) for slot, value in location.stack}

    def _other(self, element: Term) -> Term:
        """A variable like that of an element; an element that never changes has none."""
        if element.op != "var":
            return element
        return self.terms.fresh(f"the other {self.terms.names[element.number]}", element.low, element.high)

    def _alike(self, veiled: Veiled, one: Store, two: Store) -> Term:
        """What is seen of elements that are not seen each by itself."""
        terms = self.terms
        before = [self._of(position, one) for position in veiled.positions]
        after = [self._of(position, two) for position in veiled.positions]
        seen: list[Term] = []
        if veiled.counted:
            seen.append(terms.eq(terms.total((1, t) for t in before), terms.total((1, t) for t in after)))
        if veiled.flag is not None:
            down = terms.eq(self._of(veiled.flag, one), terms.zero)
            same = terms.conj(terms.eq(a, b) for a, b in zip(before, after, strict=True))
            seen.append(terms.disj((down, same)))
        return terms.conj(seen)

    def _of(self, position: int, store: Store) -> Term:
        return store.get(position, self.encoder.elements[position])

    # --- what they offer -----------------------------------------------------------------------------------

    def _differing(
        self, choose: Choose, seat: int, pair: _Pair, places: tuple[Location, Location], facts: Facts
    ) -> Iterator[Question]:
        terms = self.terms
        asked = [self._is_asked(choose.actor, seat, store) for store in (pair.first, pair.second)]
        known: Behind | None = None
        for option in choose.options:
            chosen = [terms.fresh(param.name, param.least, param.most) for param in option.params]
            one, needs = self._legal(option, chosen, pair.first)
            two, more = self._legal(option, chosen, pair.second)
            if one is two:
                continue
            if known is None:
                known = self._facts(facts, places, pair)
            differ = terms.disj((terms.conj((one, terms.neg(two))), terms.conj((terms.neg(one), two))))
            hard = (*asked, *pair.alike, *needs, *more, differ)
            yield Question(*places, option.name, hard, known)

    def _is_asked(self, actor: Expr, seat: int, store: Store) -> Term:
        scope = Scope(store)
        who = self.encoder.number(actor, scope)
        return self.terms.conj(
            (*(n.claim for n in scope.needs), self.terms.eq(who, self.terms.integer(seat)))
        )

    def _legal(self, option: Option, chosen: Sequence[Term], store: Store) -> tuple[Term, list[Term]]:
        """Whether an option with these values is legal, and what holds where looking does not break the game
        off.
        """
        terms = self.terms
        scope = Scope(store)
        inside: list[Term] = []
        for param, value in zip(option.params, chosen, strict=True):
            low, high = self.encoder.number(param.low, scope), self.encoder.number(param.high, scope)
            inside += [terms.le(low, value), terms.le(value, high)]
            scope.names[param.name] = value
            scope.guards.append(terms.conj(inside[-2:]))
        guard = self.encoder.truth(option.guard, scope)
        return terms.conj((*inside, guard)), [need.claim for need in scope.needs]

    def _facts(self, facts: Facts, places: tuple[Location, Location], pair: _Pair) -> Behind:
        """The facts of both places, each about its own game."""
        found: Behind = {}
        stores = (pair.first, pair.second)
        for number, (place, store) in enumerate(zip(places, stores, strict=True)):
            for said, fact in self._about(facts[place], store, apart=number == 1):
                found[said] = (*found.get(said, ()), (place, fact))
        return found

    def _about(
        self, facts: Iterable[Term], store: Store, *, apart: bool = False
    ) -> Iterator[tuple[Term, Term]]:
        """`apart`: what is no element, as the measures at the heads of loops, is another game's too."""
        mapping = dict(store)
        if apart:
            size = len(self.encoder.elements)
            for fact in facts:
                for key in fact.variables:
                    if key >= size and key not in mapping and key not in self.encoder.given:
                        mapping[key] = self.terms.fresh("a measure", None, None)
        memo: dict[Term, Term] = {}
        for fact in sorted(facts):
            said = self.terms.substitute(fact, mapping, memo)
            if said is not self.terms.true:
                yield said, fact
