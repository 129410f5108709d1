"""Core expressions worked out as far as they can be when some values are known beforehand.

Folds over few numbers are written out, so that what depends on the number alone (where a line of a board
goes on, say) is gone from the running code. What an expression means is kept, its faults and their order
too: nothing is left out that could fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rulespec.compiler.core.build import (
    ZERO,
    calculate,
    holds,
    negate,
    number,
    truth,
)
from rulespec.compiler.core.tree import (
    FALSE,
    TRUE,
    And,
    Arith,
    Compare,
    Const,
    Core,
    Domain,
    Expr,
    Fold,
    Ite,
    Lookup,
    Not,
    Or,
    Read,
    Truth,
    Var,
)
from rulespec.compiler.core.walk import measure, reads
from rulespec.engine.python.folds import asked_row, effort, free_variables, whole_row
from rulespec.engine.python.intervals import Facts, parts

# Position of an element within its slot, or a variable -> what it is known to be.
Known = dict[tuple[str, int], int]
Names = Mapping[str, int]

# Expressions that are looked at in all, before folds are written out no more.
_WORK = 120_000
# What a fold may come to: its rounds, and expressions in it; so many are always good.
_MOST_ROUNDS = 64
_LARGEST = 1_200
_SMALL = 64

# Values of an element for each of which a fold may be written out.
_MOST_CASES = 16

_MIRROR = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class _TooMuch(Exception):
    """Enough has been looked at."""


class Reducer:
    """Works out expressions for the elements that are `known` now; whoever writes them keeps `known` true.

    Unless it `writes_out`, a fold is only tried where all that it reads is known.
    """

    def __init__(self, core: Core, *, writes_out: bool) -> None:
        self.core = core
        self.known: Known = {}
        self.writes_out = writes_out
        self._facts = Facts(core)
        self._work = _WORK
        self._about: dict[int, tuple[Fold, frozenset[str], tuple[str, ...]]] = {}
        self._done: dict[object, Expr] = {}
        self._in_cases = False

    def expr(self, e: Expr, names: Names) -> Expr:
        """`names` are variables that are known."""
        self._work -= 1
        match e:
            case Const() | Truth():
                return e
            case Var(name):
                return number(names[name]) if name in names else e
            case Read(slot, index):
                return self._read(slot, tuple([self.expr(i, names) for i in index]))
            case Lookup(table, index):
                return self._lookup(table, tuple([self.expr(i, names) for i in index]))
            case Arith(operator, left, right):
                return self._arith(operator, self.expr(left, names), self.expr(right, names))
            case Compare(operator, left, right):
                return self._compare(operator, self.expr(left, names), self.expr(right, names))
            case Not(value):
                return negate(self.expr(value, names))
            case And(items):
                return self.both(self.expr(item, names) for item in items)
            case Or(items):
                return self.either(self.expr(item, names) for item in items)
            case Ite(condition, then, other):
                return self._ite(self.expr(condition, names), then, other, names)
            case Fold():
                return self._fold(e, names)

    # --- all but folds --------------------------------------------------------------------------------------

    def position(self, dims: tuple[Domain, ...], index: tuple[Expr, ...]) -> int | None:
        """Of an element, if the indices are numbers in range."""
        at = 0
        for dim, i in zip(dims, index, strict=True):
            if not isinstance(i, Const) or not 0 <= i.value < len(dim.names):
                return None
            at = at * len(dim.names) + i.value
        return at

    def _read(self, slot: str, index: tuple[Expr, ...]) -> Expr:
        at = self.position(self.core.slot[slot].dims, index)
        value = None if at is None else self.known.get((slot, at))
        return Read(slot, index) if value is None else number(value)

    def _lookup(self, table: str, index: tuple[Expr, ...]) -> Expr:
        found = self.core.table[table]
        at = self.position(found.dims, index)
        return Lookup(table, index) if at is None else number(found.values[at])

    def _arith(self, operator: str, left: Expr, right: Expr) -> Expr:
        match left, right:
            case Const(a), Const(b):
                return number(calculate(operator, a, b))
            case (Const(0), one) | (one, Const(0)) if operator == "+":
                return one
            case (Const(1), one) | (one, Const(1)) if operator == "*":
                return one
            case (Const(0), one) | (one, Const(0)) if operator == "*" and self._safe(one):
                return ZERO
            case _, Const(0) if operator == "-":
                return left
            case _, Const(1) if operator == "div":
                return left
            case Arith("+" | "-" as inner, a, Const(b)), Const(c) if operator in ("+", "-"):
                total = (b if inner == "+" else -b) + (c if operator == "+" else -c)
                return self._arith("+" if total >= 0 else "-", a, number(abs(total)))
        return Arith(operator, left, right)

    def _compare(self, operator: str, left: Expr, right: Expr) -> Expr:
        match left, right:
            case Const(a), Const(b):
                return truth(holds(operator, a, b))
            case Const(), _:
                return self._compare(_MIRROR[operator], right, left)
            case Ite(condition, Const() as then, other), Const():
                sure = self._compare(operator, then, right)
                return self._choice(condition, sure, self._compare(operator, other, right))
        return Compare(operator, left, right)

    def _choice(self, condition: Expr, then: Expr, other: Expr) -> Expr:
        """`then` if the condition holds and else `other`, which are worked out already."""
        if then == other and self._safe(condition):
            return then
        match then, other:
            case Truth(True), Truth(False):
                return condition
            case Truth(False), Truth(True):
                return negate(condition)
            case Truth(True), _:
                return self.either((condition, other))
            case Truth(False), _:
                return self.both((negate(condition), other))
            case _, Truth(True):
                return self.either((negate(condition), then))
            case _, Truth(False):
                return self.both((condition, then))
        return Ite(condition, then, other)

    def both(self, items: Iterable[Expr]) -> Expr:
        kept: list[Expr] = []
        for item in items:
            if item == FALSE:
                return FALSE if self._safe(And(tuple(kept))) else And((*kept, FALSE))
            if isinstance(item, And):
                kept.extend(item.items)
            elif item != TRUE:
                kept.append(item)
        if not kept:
            return TRUE
        return kept[0] if len(kept) == 1 else And(tuple(kept))

    def either(self, items: Iterable[Expr]) -> Expr:
        kept: list[Expr] = []
        for item in items:
            if item == TRUE:
                return TRUE if self._safe(Or(tuple(kept))) else Or((*kept, TRUE))
            if isinstance(item, Or):
                kept.extend(item.items)
            elif item != FALSE:
                if kept and (merged := self._one_of_two(kept[-1], item)) is not None:
                    item = merged
                    kept.pop()
                kept.append(item)
        if not kept:
            return FALSE
        return kept[0] if len(kept) == 1 else Or(tuple(kept))

    def _one_of_two(self, first: Expr, second: Expr) -> Expr | None:
        """One question about a slot's element in place of two."""
        match first, second:
            case Compare("=", Read(slot) as read, Const(a)), Compare(operator, other, Const(b)) if (
                read == other and a != b
            ):
                if operator == "!=":
                    return second
                low, high = self.core.slot[slot].low, self.core.slot[slot].high
                left = [v for v in range(low, high + 1) if v not in (a, b)] if high - low == 2 else []
                return Compare("!=", read, number(left[0])) if operator == "=" and len(left) == 1 else None
        return None

    def _ite(self, condition: Expr, then: Expr, other: Expr, names: Names) -> Expr:
        if isinstance(condition, Truth):
            return self.expr(then if condition.value else other, names)
        return self._choice(condition, self.expr(then, names), self.expr(other, names))

    def _safe(self, e: Expr) -> bool:
        """Looking at it cannot fault, whatever is or is not known."""
        return self._facts.safe(e)

    # --- folds ----------------------------------------------------------------------------------------------

    def _fold(self, fold: Fold, names: Names) -> Expr:
        slots, free = self._looks_at(fold)
        settled = tuple((at, value) for at, value in self.known.items() if at[0] in slots)
        key = (id(fold), settled, tuple((v, names[v]) for v in free if v in names))
        if key not in self._done:
            self._done[key] = self._reduced(fold, names, slots)
        return self._done[key]

    def _looks_at(self, fold: Fold) -> tuple[frozenset[str], tuple[str, ...]]:
        """Slots and variables that a fold asks for. It is kept too, so that no other takes over its id."""
        if id(fold) not in self._about:
            slots = frozenset(r.slot for r in reads(fold))
            self._about[id(fold)] = fold, slots, tuple(free_variables(fold))
        return self._about[id(fold)][1:]

    def _reduced(self, fold: Fold, names: Names, slots: frozenset[str]) -> Expr:
        inside = {name: value for name, value in names.items() if name != fold.variable}
        where = None if fold.where is None else self.expr(fold.where, inside)
        body = None if fold.body is None else self.expr(fold.body, inside)
        default = None if fold.default is None else self.expr(fold.default, names)
        where = None if where == TRUE else where
        kept = replace(fold, where=where, body=body, default=default)
        readable = slots <= {slot for slot, _ in self.known}
        if fold.high - fold.low >= _MOST_ROUNDS or not (readable or self.writes_out) or self._work < 0:
            return kept
        row = self._is_row(kept)
        if row and not readable:
            return kept
        try:
            found = self._written_out(fold, names)
        except _TooMuch:
            return kept
        if found is None or isinstance(found, Const | Truth):
            return found or kept
        if row or _pays(kept, found):
            return kept if row else found
        return self._by_cases(fold, kept, names) or kept

    def _by_cases(self, fold: Fold, kept: Fold, names: Names) -> Expr | None:
        """The fold written out for each value of an element that it asks for, if that comes to little."""
        scalars = [read for read in dict.fromkeys(reads(kept)) if not read.index]
        if len(scalars) != 1 or self._in_cases:
            return None
        slot = self.core.slot[scalars[0].slot]
        if slot.high - slot.low >= _MOST_CASES:
            return None
        self._in_cases = True
        cases = self._cases((slot.name, 0), range(slot.low, slot.high + 1), fold, names)
        self._in_cases = False
        if any(isinstance(e, Fold) for case in cases for e in parts(case)):
            return None
        found = _halves(scalars[0], slot.low, cases)
        return found if size(found) <= _LARGEST else None

    def _cases(self, element: tuple[str, int], values: Iterable[int], e: Expr, names: Names) -> list[Expr]:
        before = self.known
        found = []
        for value in values:
            self.known = {**before, element: value}
            found.append(self.expr(e, names))
        self.known = before
        return found

    def _is_row(self, fold: Fold) -> bool:
        """Whether Python has a word for it (`count`, `in`), and enough to say to use one."""
        if fold.high - fold.low < 3:
            return False
        if fold.operator in ("sum", "min", "max") and fold.where is None and fold.body is not None:
            return whole_row(self.core, fold, fold.body) is not None
        asked = fold.where if fold.operator == "count" else fold.body if fold.where is None else None
        return asked is not None and asked_row(self.core, fold, asked) is not None

    def _written_out(self, fold: Fold, names: Names) -> Expr | None:
        rounds = self._rounds(fold, names)
        match fold.operator:
            case "all":
                return self.both(self.either((negate(w), b)) for w, b in rounds)
            case "any":
                return self._factored(self.either(self.both((w, b)) for w, b in rounds))
            case "sum" | "count":
                return self._total(rounds)
            case _:
                return self._extreme(fold, list(rounds), names)

    def _rounds(self, fold: Fold, names: Names) -> Iterator[tuple[Expr, Expr]]:
        """For each number, whether it counts and what it comes to."""
        for value in range(fold.low, fold.high + 1):
            if self._work < 0:
                raise _TooMuch
            inside = {**names, fold.variable: value}
            where = TRUE if fold.where is None else self.expr(fold.where, inside)
            body: Expr = ZERO if where == FALSE else number(1)
            if where != FALSE and fold.body is not None:
                body = self.expr(fold.body, inside)
            elif fold.operator in ("all", "any"):
                body = TRUE
            yield where, body

    def _total(self, rounds: Iterable[tuple[Expr, Expr]]) -> Expr:
        total: Expr = ZERO
        sure = 0
        for where, body in rounds:
            if where == FALSE:
                continue
            if where == TRUE and isinstance(body, Const):
                sure += body.value
            elif body != ZERO or not self._safe(where):
                total = self._arith("+", total, body if where == TRUE else Ite(where, body, ZERO))
        return self._arith("+", total, number(sure))

    def _extreme(self, fold: Fold, rounds: list[tuple[Expr, Expr]], names: Names) -> Expr | None:
        """Where what is sought is decided, or is the first of few, or there are only two."""
        counted = [(where, body) for where, body in rounds if where != FALSE]
        pick = min if fold.operator == "min" else max
        if not counted:
            return None if fold.default is None else self.expr(fold.default, names)
        if all(where == TRUE for where, _ in counted):
            values = [body for _, body in counted]
            if all(isinstance(v, Const) for v in values):
                return number(pick(v.value for v in values if isinstance(v, Const)))
            if len(values) <= 2:
                return values[0] if len(values) == 1 else Arith(fold.operator, *values)
            return None
        return self._first(fold, counted, names)

    def _first(self, fold: Fold, counted: list[tuple[Expr, Expr]], names: Names) -> Expr | None:
        """The first number that counts, going up for `min` and down for `max`: question after question."""
        up = fold.operator == "min"
        if not all(self._safe(where) and isinstance(body, Const) for where, body in counted):
            return None
        order = sorted(counted, key=lambda c: c[1].value if isinstance(c[1], Const) else 0, reverse=not up)
        sure = next((i for i, (where, _) in enumerate(order) if where == TRUE), None)
        if sure is not None:
            last = order[sure][1]
        elif fold.default is not None:
            last = self.expr(fold.default, names)
        else:
            return None
        for where, body in reversed(order[:sure]):
            last = Ite(where, body, last)
        return last

    def _factored(self, e: Expr) -> Expr:
        """`a and b or a and c` is `a and (b or c)`: asked once."""
        if not isinstance(e, Or):
            return e
        groups: list[tuple[Expr, list[Expr]]] = []
        for item in e.items:
            first, rest = (item.items[0], item.items[1:]) if isinstance(item, And) else (item, ())
            if groups and groups[-1][0] == first:
                groups[-1][1].append(self.both(rest))
            else:
                groups.append((first, [self.both(rest)]))
        return self.either(self.both((first, self._factored(self.either(rest)))) for first, rest in groups)


def _halves(read: Read, low: int, cases: list[Expr]) -> Expr:
    """The case of the element's value, which is `low` for the first."""
    if len(cases) == 1:
        return cases[0]
    if all(case == cases[0] for case in cases):
        return cases[0]
    half = len(cases) // 2
    test = Compare("<", read, number(low + half))
    return Ite(test, _halves(read, low, cases[:half]), _halves(read, low + half, cases[half:]))


def _pays(kept: Fold, found: Expr) -> bool:
    """Whether a fold written out is small enough, or so much smaller than its rounds."""
    found_size = size(found)
    return found_size <= _SMALL or found_size <= min(_LARGEST, effort(kept) // 2)


def size(e: Expr) -> int:
    return measure(e)[0]
