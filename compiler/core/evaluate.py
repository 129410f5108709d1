"""The value of an expression that reads no slot: what a configuration's constants and tables come to."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.compiler.core.build import calculate, holds
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
    Table,
    Truth,
    Var,
)

_STEPS = 200_000


class Open(ValueError):
    """The expression depends on the record, has no value, or takes too long."""


class Evaluator:
    """Truth values come out as 0 and 1. `looked` are the cells of tables that were looked at, by position."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        self.steps = 0
        self.looked: set[tuple[str, int]] = set()

    def value(self, e: Expr, names: Mapping[str, int]) -> int:
        self.steps += 1
        if self.steps > _STEPS:
            raise Open("it takes too long to work out")
        match e:
            case Const(value):
                return value
            case Truth(known):
                return int(known)
            case Var(name) if name in names:
                return names[name]
            case Var() | Read():
                raise Open("it depends on the state of play")
            case Lookup(table, index):
                return self._lookup(self.tables[table], [self.value(i, names) for i in index])
            case Arith(operator, left, right):
                return calculate(operator, self.value(left, names), self.value(right, names))
            case Compare(operator, left, right):
                return int(holds(operator, self.value(left, names), self.value(right, names)))
            case Not(value):
                return 1 - self.value(value, names)
            case And(items):
                return int(all(self.value(x, names) for x in items))
            case Or(items):
                return int(any(self.value(x, names) for x in items))
            case Ite(condition, then, other):
                return self.value(then if self.value(condition, names) else other, names)
            case Fold():
                return self._fold(e, names)

    def _lookup(self, table: Table, index: list[int]) -> int:
        position = 0
        for at, dim in zip(index, table.dims, strict=True):
            if not 0 <= at < len(dim.names):
                raise Open(f"there is no row {at} in {table.name}")
            position = position * len(dim.names) + at
        self.looked.add((table.name, position))
        return table.values[position]

    def _fold(self, e: Fold, names: Mapping[str, int]) -> int:
        found: list[int] = []
        for at in range(e.low, e.high + 1):
            inner = {**names, e.variable: at}
            if e.where is None or self.value(e.where, inner):
                found.append(1 if e.body is None else self.value(e.body, inner))
        match e.operator:
            case "sum" | "count":
                return sum(found)
            case "all":
                return int(all(found))
            case "any":
                return int(any(found))
        if found:
            return min(found) if e.operator == "min" else max(found)
        if e.default is None:
            raise Open(f"the {e.operator} of nothing has no value")
        return self.value(e.default, names)


def evaluate(e: Expr, tables: Mapping[str, Table]) -> int:
    """The value, or `Open`."""
    return Evaluator(tables).value(e, {})
