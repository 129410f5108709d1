"""Look-ups in place of what depends on few elements of few values alone: where a move leads, say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

from rulespec.compiler.core.build import ZERO, number
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
    Table,
    Truth,
)
from rulespec.compiler.core.walk import children, reads
from rulespec.engine.python.folds import free_variables
from rulespec.engine.python.intervals import parts
from rulespec.engine.python.reduce import Reducer

# Operations that a look-up is worth, beside its own; the elements and entries of a table.
_WORTH_A_TABLE = 2
_MOST_ASKED = 2
_LARGEST_TABLE = 512


class Tables:
    """Makes the tables, which are then in `made`."""

    def __init__(self, core: Core, reducer: Reducer) -> None:
        self.core = core
        self.reducer = reducer
        self.made: list[Table] = []
        self._names: dict[tuple[tuple[tuple[Read, range], ...], tuple[int, ...]], str] = {}

    def tabulated(self, e: Expr) -> Expr:
        """The same with look-ups for what depends on few elements of few values alone.

        `e` has been worked out already.
        """
        if not children(e):
            return e
        asked = self._asked(e)
        if asked and sum(1 for part in parts(e) if children(part)) > 2 * len(asked) + _WORTH_A_TABLE:
            found = self._table(e, asked)
            if found is not None:
                return found
        return e if isinstance(e, Fold) else rebuilt(e, self.tabulated)

    def _asked(self, e: Expr) -> dict[Read, range] | None:
        """The elements that `e` depends on, if on nothing else, and if all their values are few."""
        if free_variables(e):
            return None
        asked: dict[Read, range] = {}
        entries = 1
        for read in dict.fromkeys(reads(e)):
            slot = self.core.slot[read.slot]
            if self._position(read) is None:
                return None
            asked[read] = range(slot.low, slot.high + 1)
            entries *= len(asked[read])
            if len(asked) > _MOST_ASKED or entries > _LARGEST_TABLE:
                return None
        return asked

    def _table(self, e: Expr, asked: dict[Read, range]) -> Expr | None:
        places = [(read.slot, self._position(read) or 0) for read in asked]
        before = self.reducer.known
        values: list[Expr] = []
        for combination in product(*asked.values()):
            self.reducer.known = before | dict(zip(places, combination, strict=True))
            values.append(self.reducer.expr(e, {}))
            if not isinstance(values[-1], Const | Truth):
                break
        self.reducer.known = before
        numbers = tuple(int(v.value) for v in values if isinstance(v, Const | Truth))
        if len(numbers) < len(values):
            return None
        table = self._named(tuple(asked.items()), numbers)
        found = Lookup(table, tuple(_from(read, each[0]) for read, each in asked.items()))
        return Compare("!=", found, ZERO) if isinstance(values[0], Truth) else found

    def _position(self, read: Read) -> int | None:
        return self.reducer.position(self.core.slot[read.slot].dims, read.index)

    def _named(self, asked: tuple[tuple[Read, range], ...], values: tuple[int, ...]) -> str:
        """The table's name; equal ones are one."""
        name = self._names.get((asked, values))
        if name is None:
            about = " and ".join(read.slot for read, _ in asked)
            name = f"by {about}"
            while name in self.core.table or any(t.name == name for t in self.made):
                name += "'"
            dims = tuple(Domain(read.slot, 0, tuple(map(str, each))) for read, each in asked)
            self.made.append(Table(name, dims, values))
            self._names[asked, values] = name
        return name


def _from(read: Read, low: int) -> Expr:
    return Arith("-", read, number(low)) if low > 0 else Arith("+", read, number(-low)) if low else read


def rebuilt(e: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """`e` with its parts changed, and nothing else."""
    match e:
        case Read(_, index) | Lookup(_, index):
            return replace(e, index=tuple(map(change, index)))
        case Arith(_, left, right) | Compare(_, left, right):
            return replace(e, left=change(left), right=change(right))
        case Not(value):
            return Not(change(value))
        case And(items) | Or(items):
            return replace(e, items=tuple(map(change, items)))
        case Ite(condition, then, other):
            return Ite(change(condition), change(then), change(other))
        case _:
            return e
