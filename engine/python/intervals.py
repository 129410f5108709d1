"""What is known of a number without running: the range it lies in, and whether reading it can fault.

`Facts` start from what always holds (slot and table ranges, the ranges of bound variables) and are
sharpened by conditions that were tested on the way (`learn`) and dulled by writing (`forget`). The emitter
leaves out a check only where the facts show that it cannot fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulespec.compiler.core.tree import (
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

Interval = tuple[int, int]

# Wide enough to stand for "not known", small enough that arithmetic with it stays cheap.
UNKNOWN: Interval = (-(10**30), 10**30)

# Conditions inside conditions are learnt from only so deep: each level is looked at several times.
_DEEPEST = 3
# Facts that are kept at one place.
_MOST = 200

_MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class Facts:
    """What is known at one place of one function."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._known: dict[Expr, Interval] = {}
        self._depth = 0

    def copy(self) -> Facts:
        other = Facts(self.core)
        other._known = dict(self._known)
        other._depth = self._depth
        return other

    def _deeper(self) -> Facts:
        """For the parts of an expression that are looked at for its own sake."""
        other = self.copy()
        other._depth += 1
        return other

    def bind(self, variable: str, interval: Interval) -> None:
        """A variable begins (again) to stand for some number in the interval."""
        self._drop(lambda e: isinstance(e, Var) and e.name == variable)
        self._hold(Var(variable), interval)

    def _hold(self, expr: Expr, interval: Interval) -> None:
        """Keeps a fact, and only so many: each of them costs time at every write that follows."""
        if len(self._known) >= _MOST and expr not in self._known:
            del self._known[next(iter(self._known))]
        self._known[expr] = interval

    def forget(self, slot: str) -> None:
        """The slot was written: nothing that was read from it is known any more."""
        self._drop(lambda e: isinstance(e, Read) and e.slot == slot)

    def forget_all(self, slots: Iterable[str]) -> None:
        gone = set(slots)
        self._drop(lambda e: isinstance(e, Read) and e.slot in gone)

    def note(self, expr: Expr, interval: Interval) -> None:
        """From here on `expr`, a variable, a read or a difference, lies in the interval too."""
        low, high = self.interval(expr)
        self._hold(expr, (max(low, interval[0]), min(high, interval[1])))

    def equate(self, variable: str, value: Expr) -> None:
        """The variable has this value, until one of them changes."""
        if not isinstance(value, Const):
            self._hold(Arith("-", Var(variable), value), (0, 0))
            self._hold(Arith("-", value, Var(variable)), (0, 0))

    def about(self, expr: Expr) -> tuple[tuple[Expr, Interval], ...]:
        """All that is known of the variables and reads in an expression."""
        met = dict.fromkeys(parts(expr))
        return tuple((e, self._known[e]) for e in met if e in self._known)

    def settle(self, ways: list[Facts]) -> None:
        """Several ways come together here: what all of them know is known, and nothing else."""
        first, *others = (way._known for way in ways)
        self._known = {
            expr: (
                min([low, *(other[expr][0] for other in others)]),
                max([high, *(other[expr][1] for other in others)]),
            )
            for expr, (low, high) in first.items()
            if all(expr in other for other in others)
        }

    def _drop(self, gone: Callable[[Expr], bool]) -> None:
        self._known = {e: i for e, i in self._known.items() if not any(gone(part) for part in parts(e))}

    # --- ranges ---------------------------------------------------------------------------------------------

    def interval(self, expr: Expr) -> Interval:
        match expr:
            case Const(value):
                return value, value
            case Var():
                return self._known.get(expr, UNKNOWN)
            case Read(slot):
                declared = self.core.slot[slot]
                low, high = self._known.get(expr, UNKNOWN)
                return max(low, declared.low), min(high, declared.high)
            case Lookup(name, index):
                return self._of_table(name, index)
            case Arith(operator, left, right):
                low, high = _arith(operator, self.interval(left), self.interval(right))
                if operator != "-":
                    return low, high
                known = self._known.get(expr, UNKNOWN)
                return max(low, known[0]), min(high, known[1])
            case Ite(condition, then, other):
                return self._of_ite(condition, then, other)
            case Fold():
                return self._of_fold(expr)
            case _:
                return 0, 1

    def _of_table(self, name: str, index: tuple[Expr, ...]) -> Interval:
        table = self.core.table[name]
        fixed = self.position(table.dims, index)
        if fixed is not None:
            return table.values[fixed], table.values[fixed]
        return (min(table.values), max(table.values)) if table.values else UNKNOWN

    def _of_ite(self, condition: Expr, then: Expr, other: Expr) -> Interval:
        if self._depth >= _DEEPEST:
            branches = [self.interval(then), self.interval(other)]
            return min(low for low, _ in branches), max(high for _, high in branches)
        decided = self.truth(condition)
        branches = []
        if decided is not False:
            branches.append(self.after(condition, True).interval(then))
        if decided is not True:
            branches.append(self.after(condition, False).interval(other))
        return min(low for low, _ in branches), max(high for _, high in branches)

    def _of_fold(self, fold: Fold) -> Interval:
        rounds = max(0, fold.high - fold.low + 1)
        if fold.operator == "count":
            return 0, rounds
        if fold.body is None or fold.operator in ("all", "any"):
            return 0, 1
        low, high = self.inside(fold).interval(fold.body)
        if fold.operator == "sum":
            if fold.where is None:
                return rounds * low, rounds * high
            return rounds * min(low, 0), rounds * max(high, 0)
        if fold.default is not None:
            other = self.interval(fold.default)
            return min(low, other[0]), max(high, other[1])
        return low, high

    def inside(self, fold: Fold) -> Facts:
        """The facts in the body of a fold."""
        facts = self._deeper()
        facts.bind(fold.variable, (fold.low, fold.high))
        if fold.where is not None and facts._depth <= _DEEPEST:
            facts.learn(fold.where, True)
        return facts

    def position(self, dims: tuple[Domain, ...], index: tuple[Expr, ...]) -> int | None:
        """The row-major position, if the indices are known numbers in range."""
        position = 0
        for dim, expr in zip(dims, index, strict=True):
            low, high = self.interval(expr)
            if low != high or not self.safe(expr) or not 0 <= low < len(dim.names):
                return None
            position = position * len(dim.names) + low
        return position

    # --- truth ----------------------------------------------------------------------------------------------

    def truth(self, condition: Expr) -> bool | None:
        """What the condition must be if it can be looked at without a fault; None if that is open."""
        match condition:
            case Truth(value):
                return value
            case Compare(operator, left, right):
                decided = _compare(operator, self.interval(left), self.interval(right))
                difference = self._known.get(Arith("-", left, right))
                if decided is None and difference is not None:
                    return _compare(operator, difference, (0, 0))
                return decided
            case Not(value):
                inner = self.truth(value)
                return None if inner is None else not inner
            case And(items):
                return self._of_items(items, True)
            case Or(items):
                return self._of_items(items, False)
            case _:
                return None

    def _of_items(self, items: tuple[Expr, ...], neutral: bool) -> bool | None:
        facts = self.copy()
        open_ends = False
        for item in items:
            value = facts.truth(item)
            if value is (not neutral):
                return value
            open_ends = open_ends or value is None
            facts.learn(item, neutral)
        return None if open_ends else neutral

    def after(self, condition: Expr, value: bool) -> Facts:
        facts = self._deeper()
        if facts._depth <= _DEEPEST:
            facts.learn(condition, value)
        return facts

    def learn(self, condition: Expr, value: bool) -> None:
        """The condition was looked at and had this value."""
        match condition:
            case Not(inner):
                self.learn(inner, not value)
            case And(items) if value:
                for item in items:
                    self.learn(item, True)
            case Or(items) if not value:
                for item in items:
                    self.learn(item, False)
            case Compare(operator, left, right):
                operator = operator if value else _NEGATED[operator]
                ranges = self.interval(left), self.interval(right)
                self._narrow(operator, left, ranges[1])
                self._narrow(_MIRRORED[operator], right, ranges[0])
                self._relate(operator, left, right)
                self._relate(_MIRRORED[operator], right, left)
            case _:
                pass

    def _narrow(self, operator: str, target: Expr, other: Interval) -> None:
        """`target operator` some number in `other` holds; looks through sums with a constant."""
        match target:
            case Arith("+", inner, Const(shift)):
                self._narrow(operator, inner, (other[0] - shift, other[1] - shift))
            case Arith("-", inner, Const(shift)):
                self._narrow(operator, inner, (other[0] + shift, other[1] + shift))
            case Var() | Read():
                self._hold(target, _narrowed(operator, self.interval(target), other))
            case _:
                pass

    def _relate(self, operator: str, left: Expr, right: Expr) -> None:
        """`left operator right` holds: what that says of their difference."""
        if not isinstance(left, Const) and not isinstance(right, Const):
            difference = Arith("-", left, right)
            before = self._known.get(difference, UNKNOWN)
            self._hold(difference, _narrowed(operator, before, (0, 0)))

    # --- faults ---------------------------------------------------------------------------------------------

    def safe(self, expr: Expr) -> bool:
        """Looking at `expr` cannot fault."""
        match expr:
            case Const() | Truth() | Var():
                return True
            case Read(slot, index):
                return self._index_safe(self.core.slot[slot].dims, index)
            case Lookup(table, index):
                return self._index_safe(self.core.table[table].dims, index)
            case Arith(_, left, right) | Compare(_, left, right):
                return self.safe(left) and self.safe(right)
            case Not(value):
                return self.safe(value)
            case And(items):
                return self._items_safe(items, True)
            case Or(items):
                return self._items_safe(items, False)
            case Ite(condition, then, other):
                return (
                    self.safe(condition)
                    and self.after(condition, True).safe(then)
                    and self.after(condition, False).safe(other)
                )
            case Fold():
                return self._fold_safe(expr)

    def _index_safe(self, dims: tuple[Domain, ...], index: tuple[Expr, ...]) -> bool:
        return all(self.safe(e) and self.within(e, len(d.names)) for d, e in zip(dims, index, strict=True))

    def within(self, index: Expr, size: int) -> bool:
        low, high = self.interval(index)
        return low >= 0 and high < size

    def _items_safe(self, items: tuple[Expr, ...], neutral: bool) -> bool:
        facts = self.copy()
        for item in items:
            if not facts.safe(item):
                return False
            facts.learn(item, neutral)
        return True

    def _fold_safe(self, fold: Fold) -> bool:
        if fold.operator in ("min", "max") and fold.default is None:
            if fold.where is not None or fold.high < fold.low:
                return False
        elif fold.default is not None and not self.safe(fold.default):
            return False
        outside = self.copy()
        outside.bind(fold.variable, (fold.low, fold.high))
        if fold.where is not None and not outside.safe(fold.where):
            return False
        return fold.body is None or self.inside(fold).safe(fold.body)


def parts(expr: Expr) -> Iterator[Expr]:
    """The expression and all expressions in it."""
    yield expr
    for child in children(expr):
        yield from parts(child)


def children(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Read(_, index) | Lookup(_, index):
            return index
        case Arith(_, left, right) | Compare(_, left, right):
            return left, right
        case Not(value):
            return (value,)
        case And(items) | Or(items):
            return items
        case Ite(condition, then, other):
            return condition, then, other
        case Fold():
            return tuple(e for e in (fold_parts(expr)) if e is not None)
        case _:
            return ()


def fold_parts(fold: Fold) -> tuple[Expr | None, ...]:
    return fold.where, fold.body, fold.default


def _arith(operator: str, left: Interval, right: Interval) -> Interval:
    match operator:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            corners = [a * b for a in left for b in right]
            return min(corners), max(corners)
        case "min":
            return min(left[0], right[0]), min(left[1], right[1])
        case "max":
            return max(left[0], right[0]), max(left[1], right[1])
        case "div":
            corners = [a // b for a in left for b in right if b > 0]
            return min(corners), max(corners)
        case _:
            return _modulo(left, right)


def _modulo(left: Interval, right: Interval) -> Interval:
    if right[0] == right[1] and left[0] // right[0] == left[1] // right[0]:
        return left[0] % right[0], left[1] % right[0]
    return 0, right[1] - 1


def _compare(operator: str, left: Interval, right: Interval) -> bool | None:
    match operator:
        case "<":
            return True if left[1] < right[0] else False if left[0] >= right[1] else None
        case "<=":
            return True if left[1] <= right[0] else False if left[0] > right[1] else None
        case ">" | ">=":
            return _compare(_MIRRORED[operator], right, left)
        case "!=":
            equal = _compare("=", left, right)
            return None if equal is None else not equal
        case _:
            if left[0] == left[1] == right[0] == right[1]:
                return True
            return False if left[1] < right[0] or right[1] < left[0] else None


def _narrowed(operator: str, target: Interval, other: Interval) -> Interval:
    low, high = target
    match operator:
        case "<":
            return low, min(high, other[1] - 1)
        case "<=":
            return low, min(high, other[1])
        case ">":
            return max(low, other[0] + 1), high
        case ">=":
            return max(low, other[0]), high
        case "=":
            return max(low, other[0]), min(high, other[1])
        case _:
            if other[0] == other[1] == low:
                low += 1
            if other[0] == other[1] == high:
                high -= 1
            return low, high
