"""The least and greatest number an expression can come to, from what slots and variables can hold.

None stands for no number at all: what reads a slot that nothing has been put into.
"""

from __future__ import annotations

from collections.abc import Callable

from rulespec.compiler.core.limits import FAR
from rulespec.compiler.core.tree import (
    And,
    Arith,
    Compare,
    Const,
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
Facts = dict[Expr, Interval]  # what is known of reads and variables at a place
ANY: Interval = (-FAR, FAR)


def hull(a: Interval | None, b: Interval | None) -> Interval | None:
    if a is None or b is None:
        return a or b
    return (min(a[0], b[0]), max(a[1], b[1]))


def meet(a: Interval | None, b: Interval | None) -> Interval | None:
    if a is None or b is None:
        return None
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else None


def _near(low: int, high: int) -> Interval:
    return (max(-FAR, min(FAR, low)), max(-FAR, min(FAR, high)))


class Intervals:
    """`room`, `slot` and `variable` tell what a table and a slot hold and what a variable stands for."""

    def __init__(
        self,
        room: Callable[[str], Interval],
        slot: Callable[[str], Interval | None],
        variable: Callable[[str], Interval | None],
    ) -> None:
        self.room = room
        self.slot = slot
        self.variable = variable
        self._table: dict[str, Interval] = {}

    def of(self, e: Expr, facts: Facts) -> Interval | None:
        match e:
            case Const(value):
                return (value, value)
            case Read(slot):
                found = self.slot(slot)
                return meet(found, facts[e]) if facts and e in facts else found
            case Var(name):
                found = self.variable(name)
                return meet(found, facts[e]) if facts and e in facts else found
            case Lookup(table):
                return self._lookup(table)
            case Arith(operator, left, right):
                a, b = self.of(left, facts), self.of(right, facts)
                return None if a is None or b is None else arith(operator, a, b)
            case Ite(condition, then, other):
                return hull(
                    self.of(then, self.knowing(condition, True, facts)),
                    self.of(other, self.knowing(condition, False, facts)),
                )
            case Fold():
                return self._fold(e, facts)
            case Truth() | Compare() | Not() | And() | Or():
                return (0, 1)

    def _lookup(self, table: str) -> Interval:
        if table not in self._table:
            self._table[table] = self.room(table)
        return self._table[table]

    def _fold(self, e: Fold, facts: Facts) -> Interval | None:
        """`variable` tells the range of the fold's own variable too."""
        times = self.variable(e.variable)
        low, high = times if times is not None else (0, -1)
        most = max(0, high - low + 1)
        if e.operator == "count":
            return (most if e.where is None else 0, most)
        if e.operator in ("all", "any"):
            return (0, 1)
        inner = facts if e.where is None else self.knowing(e.where, True, facts)
        body = self.of(e.body, inner) if e.body is not None and most else None
        if e.operator == "sum":
            if body is None:
                return (0, 0)
            least = most if e.where is None else 0
            return _near(*_times(body, least, most))
        return body if e.default is None else hull(body, self.of(e.default, facts))

    # --- what a condition tells -----------------------------------------------------------------------------

    def knowing(self, condition: Expr, holds: bool, facts: Facts) -> Facts:
        """The facts, and what follows from the condition holding or not."""
        found = dict(facts)
        self._learn(condition, holds, found)
        return found

    def _learn(self, condition: Expr, holds: bool, facts: Facts) -> None:
        match condition:
            case Not(value):
                self._learn(value, not holds, facts)
            case And(items) if holds:
                for item in items:
                    self._learn(item, True, facts)
            case Or(items) if not holds:
                for item in items:
                    self._learn(item, False, facts)
            case Compare(operator, left, right):
                operator = operator if holds else _OPPOSITE[operator]
                self._compare(operator, left, right, facts)
                self._compare(_MIRROR[operator], right, left, facts)

    def _compare(self, operator: str, left: Expr, right: Expr, facts: Facts) -> None:
        if not isinstance(left, Read | Var):
            return
        other = self.of(right, facts)
        mine = self.of(left, facts)
        if other is None or mine is None:
            return
        match operator:
            case "=":
                bound = other
            case "<":
                bound = (-FAR, other[1] - 1)
            case "<=":
                bound = (-FAR, other[1])
            case ">":
                bound = (other[0] + 1, FAR)
            case ">=":
                bound = (other[0], FAR)
            case _:
                if other[0] != other[1] or other[0] not in mine:
                    return
                bound = (mine[0] + 1, mine[1]) if other[0] == mine[0] else (mine[0], mine[1] - 1)
        known = meet(mine, bound)
        if known is not None:
            facts[left] = known


_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRROR = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _times(body: Interval, least: int, most: int) -> Interval:
    """The sum of `least` to `most` numbers."""
    ends = [times * end for times in (least, most) for end in body]
    return (min(ends), max(ends))


def arith(operator: str, a: Interval, b: Interval) -> Interval:
    match operator:
        case "+":
            return _near(a[0] + b[0], a[1] + b[1])
        case "-":
            return _near(a[0] - b[1], a[1] - b[0])
        case "*":
            ends = [x * y for x in a for y in b]
            return _near(min(ends), max(ends))
        case "div":
            return (a[0] // b[0], a[1] // b[0])
        case "mod":
            return a if a[0] >= 0 and a[1] < b[0] else (0, b[0] - 1)
        case "min":
            return (min(a[0], b[0]), min(a[1], b[1]))
        case _:
            return (max(a[0], b[0]), max(a[1], b[1]))
