"""Ground terms: what core's expressions become once every element of the record has a variable of its own.

Terms are interned and built in a normal form, so that much is settled by building them: sums are linear with
each atom once, comparisons are `sum <= 0` or `sum = 0`, negation sits on equalities only, and two branches of
a conditional share what they have in common (`ite(c, x - k, x)` is `x + ite(c, -k, 0)`). A piece that leaves
one place for another so cancels out of the sum over all places before a solver is asked. Each number carries
an interval, from the ranges that the slots have; truth values that follow from intervals alone are `TRUE` or
`FALSE` at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import gcd

FIRST_SYMBOL = 3 << 22  # keys of cells of tables that are open
FIRST_FRESH = 1 << 24  # keys of variables that nothing else has
SMALL_WIDTH = 8  # values of a variable that a remainder is split on
EXPANDED_VALUES = 16  # a product or quotient is written out by cases up to so many values of one factor


class Term:
    """A number or a truth value; equal terms of one `Terms` are the same object.

    | op | kids | number | coefficients | |
    |---|---|---|---|---|
    | `int` | | n | | |
    | `var` | | key | | |
    | `lin` | atoms | constant | one for each atom | more than just an atom |
    | `ind` | c | | | 1 if c else 0 |
    | `ite` | c, a, b | | | numbers |
    | `div`, `mod` | a | k | | round down, k > 1 |
    | `mul` | a, b | | | neither constant |
    | `true`, `false` | | | | |
    | `le`, `eq`, `ne` | a | | | compared with 0 |
    | `and`, `or` | parts | | | at least two |
    """

    __slots__ = ("coefficients", "high", "id", "kids", "low", "number", "op", "opposite", "variables")

    def __init__(
        self,
        op: str,
        kids: tuple[Term, ...],
        number: int,
        coefficients: tuple[int, ...],
        interval: tuple[int | None, int | None],
        place: int,
    ) -> None:
        self.op = op
        self.kids = kids
        self.number = number
        self.coefficients = coefficients
        self.low, self.high = interval
        self.id = place
        self.opposite: Term | None = None
        self.variables: frozenset[int]
        if op == "var":
            self.variables = frozenset((number,))
        else:
            self.variables = frozenset().union(*(kid.variables for kid in kids))

    def __repr__(self) -> str:
        return f"<{self.op} {self.number} {list(self.kids)}>"

    def __lt__(self, other: Term) -> bool:
        return self.id < other.id

    def __hash__(self) -> int:
        return self.id  # not an address: sets of terms then have the same order in every run


Atoms = dict[Term, int]


def split(term: Term) -> tuple[int, Atoms]:
    """A number as constant and coefficients of atoms."""
    if term.op == "int":
        return term.number, {}
    if term.op == "lin":
        return term.number, dict(zip(term.kids, term.coefficients, strict=True))
    return 0, {term: 1}


class Terms:
    """Makes and keeps terms; terms of two makers must not be mixed."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[Term, ...], int, tuple[int, ...]], Term] = {}
        self.names: dict[int, str] = {}
        self.range_of: dict[int, tuple[int, int]] = {}
        self.somewhere: dict[int, int] = {}  # for each variable a number in its interval
        self._fresh = FIRST_FRESH
        self._series: dict[tuple[object, ...], Term] = {}
        self._serial: tuple[object, int] | None = None
        self.true = self._make("true")
        self.false = self._make("false")
        self.zero = self.integer(0)
        self.one = self.integer(1)

    def __len__(self) -> int:
        return len(self._known)

    def _make(
        self,
        op: str,
        kids: tuple[Term, ...] = (),
        number: int = 0,
        coefficients: tuple[int, ...] = (),
        interval: tuple[int | None, int | None] = (None, None),
    ) -> Term:
        key = (op, kids, number, coefficients)
        found = self._known.get(key)
        if found is None:
            found = Term(op, kids, number, coefficients, interval, len(self._known))
            self._known[key] = found
        return found

    # --- numbers -------------------------------------------------------------------------------------------

    def integer(self, value: int) -> Term:
        return self._make("int", (), value, (), (value, value))

    def variable(self, key: int, low: int | None, high: int | None, name: str) -> Term:
        """The variable of a key; its interval is fixed when it is first made."""
        if low is not None and low == high:
            return self.integer(low)
        self.names.setdefault(key, name)
        self.somewhere.setdefault(key, low if low is not None else high if high is not None else 0)
        if low is not None and high is not None:
            self.range_of.setdefault(key, (low, high))
        return self._make("var", (), key, (), (low, high))

    def fresh(self, name: str, low: int | None, high: int | None) -> Term:
        """A variable that nothing else has, but what is made under the same `serial` another time."""
        if self._serial is None:
            self._fresh += 1
            return self.variable(self._fresh, low, high, name)
        owner, number = self._serial
        self._serial = owner, number + 1
        key = owner, number, name, low, high
        found = self._series.get(key)
        if found is None:
            self._fresh += 1
            found = self._series[key] = self.variable(self._fresh, low, high, name)
        return found

    @contextmanager
    def serial(self, owner: object) -> Iterator[None]:
        """Fresh variables made meanwhile are numbered for `owner`: done again, it comes to the same terms."""
        self._serial = owner, 0
        try:
            yield
        finally:
            self._serial = None

    def linear(self, const: int, atoms: Mapping[Term, int]) -> Term:
        kept = sorted((a.id, c, a) for a, c in atoms.items() if c)
        if not kept:
            return self.integer(const)
        if len(kept) == 1 and const == 0 and kept[0][1] == 1:
            return kept[0][2]
        low: int | None = const
        high: int | None = const
        for _, c, a in kept:
            first, last = (a.low, a.high) if c > 0 else (a.high, a.low)
            low = None if low is None or first is None else low + c * first
            high = None if high is None or last is None else high + c * last
        return self._make(
            "lin", tuple(a for _, _, a in kept), const, tuple(c for _, c, _ in kept), (low, high)
        )

    def total(self, items: Iterable[tuple[int, Term]], const: int = 0) -> Term:
        """The sum of coefficient times number."""
        atoms: Atoms = {}
        for factor, item in items:
            if item.op == "lin":
                const += factor * item.number
                for c, a in zip(item.coefficients, item.kids, strict=True):
                    atoms[a] = atoms.get(a, 0) + factor * c
            elif item.op == "int":
                const += factor * item.number
            else:
                atoms[item] = atoms.get(item, 0) + factor
        return self.linear(const, atoms)

    def add(self, a: Term, b: Term) -> Term:
        return self.total(((1, a), (1, b)))

    def sub(self, a: Term, b: Term) -> Term:
        return self.total(((1, a), (-1, b)))

    def mul(self, a: Term, b: Term) -> Term:
        if a.op == "int":
            return self.total(((a.number, b),))
        if b.op == "int":
            return self.total(((b.number, a),))
        if _width(b) < _width(a):
            a, b = b, a
        if _width(a) > EXPANDED_VALUES:
            return self._make("mul", (a, b) if a.id < b.id else (b, a), interval=_product_interval(a, b))
        assert a.low is not None
        assert a.high is not None
        result = self.total(((a.high, b),))
        for value in range(a.high - 1, a.low - 1, -1):
            result = self.ite(self.le(a, self.integer(value)), self.total(((value, b),)), result)
        return result

    def div(self, a: Term, k: int) -> Term:
        """Rounded down, `k` positive."""
        const, atoms = split(a)
        outside = self.linear(const // k, {t: c // k for t, c in atoms.items() if c % k == 0})
        inside = self.linear(const % k, {t: c for t, c in atoms.items() if c % k})
        return self.add(outside, self._quotient(inside, k))

    def _quotient(self, a: Term, k: int) -> Term:
        low = None if a.low is None else a.low // k
        high = None if a.high is None else a.high // k
        if low is not None and low == high:
            return self.integer(low)
        if low is None or high is None or high - low > EXPANDED_VALUES:
            return self._make("div", (a,), k, (), (low, high))
        steps = [(1, self.indicator(self.le(self.integer(k * q), a))) for q in range(low + 1, high + 1)]
        return self.total(steps, low)

    def mod(self, a: Term, k: int) -> Term:
        """Rounded down, `k` positive."""
        const, atoms = split(a)
        inside = self.linear(const % k, {t: c % k for t, c in atoms.items()})
        if inside.low is None or inside.high is None or inside.low // k != inside.high // k:
            inside = self.linear(const, atoms)
        if inside.low is not None and inside.high is not None and inside.low // k == inside.high // k:
            return self.total(((1, inside),), -k * (inside.low // k))
        by_cases = self._mod_of_cases(inside, k)
        return self._make("mod", (inside,), k, (), (0, k - 1)) if by_cases is None else by_cases

    def _mod_of_cases(self, a: Term, k: int) -> Term | None:
        """The remainder of a sum that is itself by cases, case by case: each of them is simple.

        So `(turn + the first distance at which ...) mod 5` is, for each value of `turn`, one of five numbers.
        """
        const, atoms = split(a)
        if len(atoms) > 1:
            small = [t for t in sorted(atoms) if t.op == "var" and _width(t) <= SMALL_WIDTH]
            if small and any(t.op in ("ite", "ind") for t in atoms):
                return self._split_on(small[0], a, lambda case: self.mod(case, k))
            return None
        ((atom, c),) = atoms.items()
        if atom.op == "ite":
            test, then, other = atom.kids
            first = self.mod(self.total(((c, then),), const), k)
            return self.ite(test, first, self.mod(self.total(((c, other),), const), k))
        if atom.op == "ind":
            return self.ite(atom.kids[0], self.integer((c + const) % k), self.integer(const % k))
        return None

    def _split_on(self, variable: Term, a: Term, make: Callable[[Term], Term]) -> Term:
        """What `make` makes of `a`, for each value of a variable."""
        assert variable.low is not None
        assert variable.high is not None
        result: Term | None = None
        for value in range(variable.high, variable.low - 1, -1):
            number = self.integer(value)
            case = make(self.substitute(a, {variable.number: number}, {}))
            result = case if result is None else self.ite(self.le(variable, number), case, result)
        assert result is not None
        return result

    def minimum(self, a: Term, b: Term) -> Term:
        return self.ite(self.le(a, b), a, b)

    def maximum(self, a: Term, b: Term) -> Term:
        return self.ite(self.le(a, b), b, a)

    def indicator(self, c: Term) -> Term:
        """1 if `c` else 0."""
        if c is self.true:
            return self.one
        if c is self.false:
            return self.zero
        if c.op == "le":
            _, atoms = split(c.kids[0])
            if len(atoms) == 1:
                ((atom, coefficient),) = atoms.items()
                if atom.low == 0 and atom.high == 1 and abs(coefficient) == 1:
                    return atom if coefficient == -1 else self.total(((-1, atom),), 1)
        opposite = self.neg(c)
        if opposite.id < c.id:
            return self.total(((-1, self._make("ind", (opposite,), interval=(0, 1))),), 1)
        return self._make("ind", (c,), interval=(0, 1))

    def ite(self, c: Term, a: Term, b: Term) -> Term:
        """A number by cases."""
        if c is self.true or a is b:
            return a
        if c is self.false:
            return b
        if a.op == "ite" and a.kids[0] is c:
            a = a.kids[1]
        if b.op == "ite" and b.kids[0] is c:
            b = b.kids[2]
        const_a, atoms_a = split(a)
        const_b, atoms_b = split(b)
        common = {t: k for t, k in atoms_a.items() if atoms_b.get(t) == k}
        if common:
            atoms_a = {t: k for t, k in atoms_a.items() if t not in common}
            atoms_b = {t: k for t, k in atoms_b.items() if t not in common}
        if not atoms_a and not atoms_b:
            rest = self.total(((const_a - const_b, self.indicator(c)),), const_b)
        else:
            shift = const_b if not atoms_b else const_a if not atoms_a else 0
            rest = self._conditional(
                c, self.linear(const_a - shift, atoms_a), self.linear(const_b - shift, atoms_b)
            )
            rest = self.total(((1, rest),), shift)
        return self.total(((1, rest), (1, self.linear(0, common))))

    def _conditional(self, c: Term, a: Term, b: Term) -> Term:
        opposite = self.neg(c)
        if opposite.id < c.id:
            c, a, b = opposite, b, a
        low = None if a.low is None or b.low is None else min(a.low, b.low)
        high = None if a.high is None or b.high is None else max(a.high, b.high)
        return self._make("ite", (c, a, b), interval=(low, high))

    # --- truth values --------------------------------------------------------------------------------------

    def truth(self, value: bool) -> Term:
        return self.true if value else self.false

    def le(self, a: Term, b: Term) -> Term:
        return self._below(self.total(((1, a), (-1, b))))

    def lt(self, a: Term, b: Term) -> Term:
        return self._below(self.total(((1, a), (-1, b)), 1))

    def eq(self, a: Term, b: Term) -> Term:
        return self._zero(self.total(((1, a), (-1, b))))

    def ne(self, a: Term, b: Term) -> Term:
        return self.neg(self.eq(a, b))

    def compare(self, operator: str, a: Term, b: Term) -> Term:
        """One of `= != < <= > >=`."""
        match operator:
            case "=":
                return self.eq(a, b)
            case "!=":
                return self.ne(a, b)
            case "<":
                return self.lt(a, b)
            case "<=":
                return self.le(a, b)
            case ">":
                return self.lt(b, a)
            case ">=":
                return self.le(b, a)
        raise ValueError(f"no comparison {operator!r}")

    def _below(self, t: Term) -> Term:
        if t.high is not None and t.high <= 0:
            return self.true
        if t.low is not None and t.low > 0:
            return self.false
        const, atoms = split(t)
        common = gcd(*atoms.values())
        if common > 1:
            return self._below(self.linear(-(-const // common), {a: c // common for a, c in atoms.items()}))
        pushed = self._by_cases(const, atoms, self._below)
        return self._make("le", (t,)) if pushed is None else pushed

    def _zero(self, t: Term) -> Term:
        if (t.low is not None and t.low > 0) or (t.high is not None and t.high < 0):
            return self.false
        if t.low == 0:
            return self._below(t)
        if t.high == 0:
            return self._below(self.total(((-1, t),)))
        const, atoms = split(t)
        if not atoms:
            return self.truth(const == 0)
        common = gcd(*atoms.values())
        if const % common:
            return self.false
        if atoms[min(atoms)] < 0:
            common = -common
        if common != 1:
            return self._zero(self.linear(const // common, {a: c // common for a, c in atoms.items()}))
        pushed = self._by_cases(const, atoms, self._zero)
        return self._make("eq", (t,)) if pushed is None else pushed

    def _by_cases(self, const: int, atoms: Atoms, test: Callable[[Term], Term]) -> Term | None:
        """The test of a single conditional atom, put into its branches where that settles one of them."""
        if len(atoms) != 1:
            return None
        ((atom, k),) = atoms.items()
        if atom.op == "ind":
            one, zero = test(self.integer(const + k)), test(self.integer(const))
            return self.choose(atom.kids[0], one, zero)
        if atom.op == "ite":
            c, a, b = atom.kids
            then = test(self.total(((k, a),), const))
            other = test(self.total(((k, b),), const))
            if then.op in ("true", "false") or other.op in ("true", "false"):
                return self.choose(c, then, other)
        if atom.op == "mod":
            return self._mod_by_cases(const, atom, k, test)
        return None

    def _mod_by_cases(self, const: int, atom: Term, k: int, test: Callable[[Term], Term]) -> Term | None:
        """The numbers that a remainder is taken of, as stretches of those that pass."""
        a, divisor = atom.kids[0], atom.number
        if a.low is None or a.high is None or a.high - a.low > 4 * EXPANDED_VALUES:
            return None
        passing = [test(self.integer(k * r + const)) is self.true for r in range(divisor)]
        found: list[Term] = []
        begin: int | None = None
        for value in range(a.low, a.high + 2):
            good = value <= a.high and passing[value % divisor]
            if good and begin is None:
                begin = value
            elif not good and begin is not None:
                inside = (self.le(self.integer(begin), a), self.le(a, self.integer(value - 1)))
                found.append(self.conj(inside))
                begin = None
        return self.disj(found)

    def choose(self, c: Term, a: Term, b: Term) -> Term:
        """A truth value by cases."""
        if a is b:
            return a
        return self.conj((self.disj((self.neg(c), a)), self.disj((c, b))))

    def neg(self, a: Term) -> Term:
        if a.opposite is None:
            a.opposite = self._negated(a)
            if a.opposite.opposite is None:
                a.opposite.opposite = a
        return a.opposite

    def _negated(self, a: Term) -> Term:
        match a.op:
            case "true":
                return self.false
            case "false":
                return self.true
            case "le":
                return self._below(self.total(((-1, a.kids[0]),), 1))
            case "eq":
                return self._make("ne", a.kids)
            case "ne":
                return self._make("eq", a.kids)
            case "and":
                return self.disj(self.neg(p) for p in a.kids)
            case "or":
                return self.conj(self.neg(p) for p in a.kids)
        raise ValueError(f"not a truth value: {a.op}")

    def conj(self, items: Iterable[Term]) -> Term:
        return self._joined("and", items, self.true, self.false)

    def disj(self, items: Iterable[Term]) -> Term:
        return self._joined("or", items, self.false, self.true)

    def implies(self, a: Term, b: Term) -> Term:
        return self.disj((self.neg(a), b))

    def _joined(self, op: str, items: Iterable[Term], unit: Term, zero: Term) -> Term:
        found: set[Term] = set()
        for item in items:
            if item is zero:
                return zero
            if item.op == op:
                found.update(item.kids)
            elif item is not unit:
                found.add(item)
        if any(item.opposite in found for item in found if item.opposite is not None):
            return zero
        if not found:
            return unit
        if len(found) == 1:
            return found.pop()
        return self._make(op, tuple(sorted(found)))

    # --- through a whole term ------------------------------------------------------------------------------

    def substitute(self, term: Term, store: Mapping[int, Term], memo: dict[Term, Term]) -> Term:
        """`term` with variables replaced at once; `memo` belongs to the store."""
        if store.keys().isdisjoint(term.variables):
            return term
        found = memo.get(term)
        if found is None:
            found = self._replaced(term, store, memo)
            memo[term] = found
        return found

    def _replaced(self, term: Term, store: Mapping[int, Term], memo: dict[Term, Term]) -> Term:
        if term.op == "var":
            return store[term.number]
        if term.op == "lin":
            new = [self.substitute(a, store, memo) for a in term.kids]
            return self.total(zip(term.coefficients, new, strict=True), term.number)
        new = [self.substitute(p, store, memo) for p in term.kids]
        match term.op:
            case "ind":
                return self.indicator(new[0])
            case "ite":
                return self.ite(new[0], new[1], new[2])
            case "div":
                return self.div(new[0], term.number)
            case "mod":
                return self.mod(new[0], term.number)
            case "mul":
                return self.mul(new[0], new[1])
            case "le":
                return self._below(new[0])
            case "eq":
                return self._zero(new[0])
            case "ne":
                return self.neg(self._zero(new[0]))
            case "and":
                return self.conj(new)
            case _:
                return self.disj(new)


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts of a conjunction; the term itself where it is none."""
    if term.op == "and":
        return term.kids
    return () if term.op == "true" else (term,)


def _width(term: Term) -> int:
    return 1 << 30 if term.low is None or term.high is None else term.high - term.low + 1


def _product_interval(a: Term, b: Term) -> tuple[int | None, int | None]:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None, None
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)
