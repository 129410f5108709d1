"""What conditions and facts say as linear inequalities over atoms, for linear programs.

An atom is whatever a sum is made of: a variable, a number by cases, the truth of a condition as 0 or 1. How
atoms hang together is said by inequalities too. They are exact where every condition is 0 or 1, but a linear
program also takes what is between for possible: so what depends on a variable with few values is taken apart
case by case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from rulespec.proofs.smt.bounds import Bounds, is_simple
from rulespec.proofs.smt.terms import Atoms, Term, Terms, conjuncts, split

FARTHEST = 10**8  # numbers beyond are no use to a linear program in floating point
LONGEST = 8  # atoms of a fact
ALTERNATIVES = 4  # of a fact
NARROW = 8  # more values of a variable than its least that are taken apart
NAMED = 24  # the same, where each value has a condition of its own
CASES = 12  # into which a path is taken apart at most
MOST_TESTS = 60  # that are compared each with each
CLOSE = 3  # steps from what a sum is about to what is known of that


@dataclass(frozen=True)
class Inequality:
    """The constant and the atoms add up to at least 0; to 0, if `equal`."""

    constant: int
    atoms: Atoms
    equal: bool = False


@dataclass(frozen=True)
class Case:
    """Some variables have these values; what is known then."""

    values: Mapping[int, Term]
    memo: dict[Term, Term]
    conditions: tuple[Term, ...]
    facts: tuple[Term, ...]
    known: Bounds


class Inequalities:
    """Makes inequalities for the terms of one proof."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._memos: dict[tuple[tuple[int, int], ...], dict[Term, Term]] = {}

    # --- case by case --------------------------------------------------------------------------------------

    def cases(
        self, about: Iterable[Term], conditions: Sequence[Term], facts: Sequence[Term]
    ) -> Iterator[Case]:
        """Each case in which the conditions and facts may hold, by the variables on which it depends what the
        numbers in `about` are, and what the conditions say of them.
        """
        known = self._learnt(conditions, facts)
        for values in self._values(about, conditions, known):
            memo = self._memos.setdefault(tuple((k, v.number) for k, v in sorted(values.items())), {})
            here = tuple(self.terms.substitute(c, values, memo) for c in conditions)
            there = tuple(self.terms.substitute(f, values, memo) for f in facts)
            within = self._learnt(here, there)
            if not within.impossible and self.terms.false not in (*here, *there):
                yield Case(values, memo, here, there, within)

    def _learnt(self, conditions: Iterable[Term], facts: Iterable[Term]) -> Bounds:
        known = Bounds()
        known.learn([*conditions, *(f for f in facts if is_simple(f))])
        return known

    def _values(
        self, about: Iterable[Term], conditions: Iterable[Term], known: Bounds
    ) -> list[dict[int, Term]]:
        in_sums: dict[Term, int] = {}
        for term in about:
            self._count(term, in_sums)
        in_conditions: dict[Term, int] = {}
        for part in chain.from_iterable(conjuncts(c) for c in conditions):
            if part.op == "le":
                self._count(part.kids[0], in_conditions)
        found: list[dict[int, Term]] = [{}]
        often = {**in_conditions, **in_sums}
        for variable in sorted(often, key=lambda v: (-in_sums.get(v, 0), -in_conditions.get(v, 0), v)):
            low, high = known.interval(variable)
            if low is None or high is None or not 0 < high - low <= NARROW:
                continue
            if len(found) * (high - low + 1) <= CASES:
                numbers = [self.terms.integer(n) for n in range(low, high + 1)]
                found = [{**case, variable.number: n} for case in found for n in numbers]
        return found

    def _count(self, term: Term, found: dict[Term, int]) -> None:
        """How many conditions on which its value depends have a variable."""
        waiting, seen = [(term, False)], set[tuple[Term, bool]]()
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            one, decides = here
            if one.op == "var" and decides:
                found[one] = found.get(one, 0) + 1
            for number, kid in enumerate(one.kids):
                waiting.append((kid, decides or one.op == "ind" or (one.op == "ite" and number == 0)))

    # --- simpler -------------------------------------------------------------------------------------------

    def simpler(self, number: Term, known: Bounds) -> Term:
        """The same number with less cases: those that are left are not settled by what is known there."""
        match number.op:
            case "lin" if _has_cases(number):
                parts = [self.simpler(kid, known) for kid in number.kids]
                return self.terms.total(zip(number.coefficients, parts, strict=True), number.number)
            case "ind":
                value = known.truth(number.kids[0])
                return number if value is None else self.terms.integer(int(value))
            case "ite":
                test, then, other = number.kids
                value = known.truth(test)
                if value is not None:
                    return self.simpler(then if value else other, known)
                return self.terms.ite(
                    test, self._under(then, known, test), self._under(other, known, self.terms.neg(test))
                )
        return number

    def _under(self, number: Term, known: Bounds, condition: Term) -> Term:
        if not _has_cases(number):
            return number
        more = known.copy()
        more.learn([condition])
        return self.simpler(number, more)

    # --- inequalities --------------------------------------------------------------------------------------

    def about(self, atoms: Iterable[Term], case: Case) -> list[Inequality]:
        """What the case says of these atoms, and of those that it says something of in turn."""
        found: list[Inequality] = []
        here = dict.fromkeys(atoms)
        linked: set[Term] = set()
        conditions = list(self._said_by(case.conditions, case.known))
        said = [*conditions, *self._said_by(case.facts, case.known)]
        used: set[int] = set()
        ways = (all, any)  # facts are many: all that one is about has to matter
        for _ in range(CLOSE):
            before = len(here)
            found += self._hanging_together(here, linked, case.known)
            variables = frozenset().union(*(a.variables for a in here))
            for number, one in enumerate(said):
                if number not in used and self._is_near(one, variables, ways[number < len(conditions)]):
                    used.add(number)
                    found.append(one)
                    if number < len(conditions):
                        here.update(dict.fromkeys(one.atoms))
            if len(here) == before:
                break
        found += self._exclusive(atoms)
        found += self._values_named(dict.fromkeys(chain(here, *(one.atoms for one in found))), case.known)
        every = dict.fromkeys(chain(here, *(one.atoms for one in found)))
        found += chain.from_iterable(self._interval(atom, case.known) for atom in every)
        return [one for one in found if one.atoms and abs(one.constant) < FARTHEST]

    def _is_near(
        self, said: Inequality, variables: frozenset[int], way: Callable[[Iterable[bool]], bool]
    ) -> bool:
        """Whether some, or all, of what it is about is among the variables."""
        if len(said.atoms) > LONGEST:
            return False
        return way(key in variables for atom in said.atoms for key in atom.variables)

    def _hanging_together(
        self, atoms: dict[Term, None], linked: set[Term], known: Bounds
    ) -> Iterator[Inequality]:
        """How atoms hang together with their parts, which are added to them, and these with theirs."""
        waiting = [a for a in atoms if a not in linked]
        while waiting:
            atom = waiting.pop()
            if atom not in linked:
                linked.add(atom)
                for one in self._linked(atom, known):
                    yield one
                    waiting.extend(one.atoms)
                    atoms.update(dict.fromkeys(one.atoms))

    def _said_by(self, claims: Iterable[Term], known: Bounds) -> Iterator[Inequality]:
        for part in chain.from_iterable(conjuncts(c) for c in claims):
            match part.op:
                case "le" | "eq":
                    yield self._compared(part)
                case "ne":
                    yield self._sum(((-1, self.terms.indicator(self.terms.neg(part))),))
                case "or" if len(part.kids) <= ALTERNATIVES:
                    left = [kid for kid in part.kids if known.truth(kid) is not False]
                    if len(left) == 1:
                        yield from self._said_by(left, known)
                    elif left:
                        yield self._sum(((1, self.terms.indicator(kid)) for kid in left), -1)

    def _compared(self, claim: Term) -> Inequality:
        constant, atoms = split(claim.kids[0])
        return Inequality(-constant, {a: -c for a, c in atoms.items()}, claim.op == "eq")

    def _sum(
        self, items: Iterable[tuple[int, Term]], constant: int = 0, *, equal: bool = False
    ) -> Inequality:
        return Inequality(*split(self.terms.total(items, constant)), equal)

    def _interval(self, atom: Term, known: Bounds) -> Iterator[Inequality]:
        low, high = known.interval(atom)
        if low is not None:
            yield Inequality(-low, {atom: 1})
        if high is not None:
            yield Inequality(high, {atom: -1})

    def _linked(self, atom: Term, known: Bounds) -> Iterator[Inequality]:
        """How an atom hangs together with its parts."""
        match atom.op:
            case "ite":
                test, then, other = atom.kids
                yield from self._by_cases(atom, then, other, test, known)
                yield from self._by_cases(atom, other, then, self.terms.neg(test), known)
                yield from self._least_or_greatest(atom)
            case "ind":
                yield from self._truth(atom, atom.kids[0], known)
            case "div":
                yield self._sum(((1, atom.kids[0]), (-atom.number, atom)))
                yield self._sum(((-1, atom.kids[0]), (atom.number, atom)), atom.number - 1)

    def _by_cases(
        self, atom: Term, branch: Term, other: Term, test: Term, known: Bounds
    ) -> Iterator[Inequality]:
        """It is the branch, or if the test fails no farther from it than the other one can be."""
        for sign in (1, -1):
            _, most = known.interval(self.terms.total(((sign, other), (-sign, branch))))
            if most is not None and most < FARTHEST:
                away = self.terms.total(((-most, self.terms.indicator(test)),), most)
                yield self._sum(((-sign, atom), (sign, branch), (1, away)))

    def _least_or_greatest(self, atom: Term) -> Iterator[Inequality]:
        """The less or the greater of two numbers is no farther out than either."""
        test, then, other = atom.kids
        apart = self.terms.sub(then, other)
        for compared, sign in ((test, -1), (self.terms.neg(test), 1)):
            if compared.op == "le":
                for total, way in ((apart, sign), (self.terms.sub(other, then), -sign)):
                    if self.terms.sub(compared.kids[0], total) in (self.terms.zero, self.terms.one):
                        yield self._sum(((way, atom), (-way, then)))
                        yield self._sum(((way, atom), (-way, other)))

    def _exclusive(self, atoms: Iterable[Term]) -> Iterator[Inequality]:
        """Of two conditions that contradict each other at most one holds."""
        tests = [a for a in atoms if a.op == "ind"]
        for one, other in combinations(tests[:MOST_TESTS], 2):
            apart = one.variables.isdisjoint(other.variables)
            if not apart and self.terms.conj((one.kids[0], other.kids[0])) is self.terms.false:
                yield self._sum(((-1, one), (-1, other)), 1)

    def _truth(self, atom: Term, test: Term, known: Bounds) -> Iterator[Inequality]:
        """The atom is 1 if the test holds, else 0."""
        if test.op in ("and", "or"):
            parts = [(1, self.terms.indicator(kid)) for kid in test.kids]
            sign = 1 if test.op == "and" else -1
            for _, part in parts:
                yield self._sum(((sign, part), (-sign, atom)))
            yield self._sum(
                ((sign, atom), *((-sign, part) for _, part in parts)), len(parts) - 1 if sign == 1 else 0
            )
            return
        total = test.kids[0]
        low, high = known.interval(total)
        if low is None or high is None:
            return
        match test.op:
            case "le":
                yield self._sum(((-1, total), (-high, atom)), high)
                yield self._sum(((1, total), (1 - low, atom)), -1)
            case "eq":
                yield self._sum(((-1, total), (-high, atom)), high)
                yield self._sum(((1, total), (low, atom)), -low)
            case "ne":
                yield self._sum(((-1, total), (high, atom)))
                yield self._sum(((1, total), (-low, atom)))

    def _values_named(self, atoms: Iterable[Term], known: Bounds) -> Iterator[Inequality]:
        """Of variables with few values, that they have exactly one, and which conditions it meets."""
        tests: dict[Term, list[Term]] = {}
        for atom in atoms:
            if atom.op == "ind" and len(atom.variables) == 1 and atom.kids[0].op in ("le", "eq", "ne"):
                variable, *others = split(atom.kids[0].kids[0])[1]
                if variable.op == "var" and not others:
                    tests.setdefault(variable, []).append(atom)
        for variable, about in tests.items():
            low, high = known.interval(variable)
            if low is None or high is None or high - low > NAMED:
                continue
            numbers = [self.terms.integer(n) for n in range(low, high + 1)]
            named = [(n, self.terms.indicator(self.terms.eq(variable, n))) for n in numbers]
            yield self._sum(((1, one) for _, one in named), -1, equal=True)
            yield self._sum(((-1, variable), *((n.number, one) for n, one in named)), equal=True)
            for atom in about:
                met = [one for n, one in named if self._holds(atom.kids[0], variable, n)]
                yield self._sum(((-1, atom), *((1, one) for one in met)), equal=True)

    def _holds(self, test: Term, variable: Term, value: Term) -> bool:
        return self.terms.substitute(test, {variable.number: value}, {}) is self.terms.true


def _has_cases(number: Term) -> bool:
    return number.op in ("ite", "ind") or any(kid.op in ("ite", "ind") for kid in number.kids)
