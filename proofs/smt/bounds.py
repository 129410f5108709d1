"""Intervals of terms under conditions: settles most questions without a solver.

What it says follows from the conditions that were learned; where it says nothing, nothing is meant.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.proofs.smt.terms import Term

Interval = tuple[int | None, int | None]
SIMPLE_VARIABLES = 3  # facts about more are left to the solver
SMALL_CHOICE = 3  # of more alternatives it is not looked whether only one is left
PROPAGATED_ATOMS = 8  # longer sums are not used to sharpen their parts


class Bounds:
    """What is known of atoms besides the intervals they were made with."""

    def __init__(self) -> None:
        self._known: dict[Term, Interval] = {}
        self._facts: set[Term] = set()
        self._memo: dict[Term, Interval] = {}
        self._truths: dict[Term, bool | None] = {}  # of what is joined: parts of it may stand in many places
        self.impossible = False

    def copy(self) -> Bounds:
        other = Bounds()
        other._known = dict(self._known)
        other._facts = set(self._facts)
        other._memo = dict(self._memo)
        other._truths = dict(self._truths)
        other.impossible = self.impossible
        return other

    # --- learning ------------------------------------------------------------------------------------------

    def learn(self, facts: Iterable[Term]) -> None:
        """All of the facts hold; goes through them twice, so that each can sharpen the others."""
        flat: list[Term] = []
        for fact in facts:
            flat.extend(fact.kids if fact.op == "and" else (fact,))
        for _ in range(2):
            changed = False
            for fact in flat:
                changed = self._learn(fact) or changed
            if not changed:
                break

    def _learn(self, fact: Term) -> bool:
        if fact not in self._facts:
            self._facts.add(fact)
            self._truths.clear()
        match fact.op:
            case "false":
                self.impossible = True
                return False
            case "le":
                return self._narrow(fact.kids[0], upper=True, lower=False)
            case "eq":
                return self._narrow(fact.kids[0], upper=True, lower=True)
            case "ne":
                return self._exclude(fact.kids[0])
            case "or" if len(fact.kids) <= SMALL_CHOICE:
                left = [p for p in fact.kids if self.truth(p) is not False]
                if len(left) == 1:
                    return self._learn(left[0])
                self.impossible = self.impossible or not left
        return False

    def _narrow(self, total: Term, *, upper: bool, lower: bool) -> bool:
        """`total` is at most 0 (upper) and at least 0 (lower): what that says of each of its atoms."""
        const, items = _sum(total)
        if len(items) > PROPAGATED_ATOMS:
            return False
        changed = False
        spans = [(c, a, *self._scaled(c, a)) for c, a in items]
        for number, (c, a, _, _) in enumerate(spans):
            rest_low: int | None = const
            rest_high: int | None = const
            for other, (_, _, low, high) in enumerate(spans):
                if other != number:
                    rest_low = None if rest_low is None or low is None else rest_low + low
                    rest_high = None if rest_high is None or high is None else rest_high + high
            most = -rest_low if upper and rest_low is not None else None
            least = -rest_high if lower and rest_high is not None else None
            changed = self._bound(a, c, least, most) or changed
        return changed

    def _scaled(self, c: int, a: Term) -> Interval:
        low, high = self.interval(a)
        if c < 0:
            low, high = high, low
        return (None if low is None else c * low, None if high is None else c * high)

    def _bound(self, atom: Term, c: int, least: int | None, most: int | None) -> bool:
        """`least <= c * atom <= most`."""
        if c < 0:
            least, most = (None if most is None else -most), (None if least is None else -least)
            c = -c
        low, high = self.interval(atom)
        new_low = None if least is None else -(-least // c)
        new_high = None if most is None else most // c
        if new_low is None or (low is not None and low >= new_low):
            new_low = low
        if new_high is None or (high is not None and high <= new_high):
            new_high = high
        if (new_low, new_high) == (low, high):
            return False
        self._known[atom] = (new_low, new_high)
        self._memo.clear()
        self._truths.clear()
        if new_low is not None and new_high is not None and new_low > new_high:
            self.impossible = True
        return True

    def _exclude(self, total: Term) -> bool:
        """`total` is not 0: an end of a single atom's interval may go."""
        const, items = _sum(total)
        if len(items) != 1:
            return False
        ((c, atom),) = items
        if const % c:
            return False
        low, high = self.interval(atom)
        if low == -const // c and low is not None:
            return self._bound(atom, 1, low + 1, None)
        if high == -const // c and high is not None:
            return self._bound(atom, 1, None, high - 1)
        return False

    # --- asking --------------------------------------------------------------------------------------------

    def of_variable(self, key: int) -> Interval:
        """What is known of the variable with this key, besides its own interval."""
        for term, interval in self._known.items():
            if term.op == "var" and term.number == key:
                return interval
        return None, None

    def interval(self, term: Term) -> Interval:
        if not self._known:
            return term.low, term.high
        found = self._memo.get(term)
        if found is None:
            found = self._interval(term)
            self._memo[term] = found
        return found

    def _interval(self, term: Term) -> Interval:
        low, high = self._computed(term)
        if term in self._known:
            known_low, known_high = self._known[term]
            low = known_low if low is None else low if known_low is None else max(low, known_low)
            high = known_high if high is None else high if known_high is None else min(high, known_high)
        return low, high

    def _computed(self, term: Term) -> Interval:
        match term.op:
            case "lin":
                low: int | None = term.number
                high: int | None = term.number
                for c, a in zip(term.coefficients, term.kids, strict=True):
                    a_low, a_high = self._scaled(c, a)
                    low = None if low is None or a_low is None else low + a_low
                    high = None if high is None or a_high is None else high + a_high
                return low, high
            case "ind":
                value = self.truth(term.kids[0])
                return (0, 1) if value is None else (int(value), int(value))
            case "ite":
                return self._by_cases(term)
            case "div":
                low, high = self.interval(term.kids[0])
                k = term.number
                return (None if low is None else low // k, None if high is None else high // k)
        return term.low, term.high

    def _by_cases(self, term: Term) -> Interval:
        c, a, b = term.kids
        value = self.truth(c)
        if value is not None:
            return self.interval(a if value else b)
        (a_low, a_high), (b_low, b_high) = self.interval(a), self.interval(b)
        return (
            None if a_low is None or b_low is None else min(a_low, b_low),
            None if a_high is None or b_high is None else max(a_high, b_high),
        )

    def truth(self, term: Term) -> bool | None:
        """What the truth value must be, None where that is open."""
        if term in self._facts:
            return True
        if term.opposite is not None and term.opposite in self._facts:
            return False
        match term.op:
            case "true":
                return True
            case "false":
                return False
            case "le":
                low, high = self.interval(term.kids[0])
                return (
                    True if high is not None and high <= 0 else False if low is not None and low > 0 else None
                )
            case "eq" | "ne":
                low, high = self.interval(term.kids[0])
                if (low is not None and low > 0) or (high is not None and high < 0):
                    return term.op == "ne"
                return term.op == "eq" if low == high == 0 else None
            case "and" | "or":
                return self._joined(term)
        return None

    def _joined(self, term: Term) -> bool | None:
        if term not in self._truths:
            self._truths[term] = self._all_parts(term)
        return self._truths[term]

    def _all_parts(self, term: Term) -> bool | None:
        zero = term.op == "or"
        unsettled = False
        for part in term.kids:
            value = self.truth(part)
            if value is zero:
                return zero
            unsettled = unsettled or value is None
        return None if unsettled else not zero


def _sum(total: Term) -> tuple[int, tuple[tuple[int, Term], ...]]:
    """A number as constant and items."""
    if total.op == "lin":
        return total.number, tuple(zip(total.coefficients, total.kids, strict=True))
    return 0, ((1, total),)


def is_simple(fact: Term) -> bool:
    """Whether a fact is worth learning: a comparison of few variables."""
    return fact.op in ("le", "eq", "ne") and len(fact.variables) <= SIMPLE_VARIABLES
