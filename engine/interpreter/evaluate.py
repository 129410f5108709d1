"""The value of an expression of core over a record: what every other engine is tested against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    Slot,
    Truth,
    Var,
)
from rulespec.engine.layout import element_name

Names = Mapping[str, int]


class Wrong(Exception):
    """An expression without a value, or a value without a place; the caller makes a `Fault` of it."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


def evaluate(core: Core, e: Expr, r: Sequence[int], names: Names) -> int:
    """The number, or for a truth value 0 or 1, that `e` comes to; `names` are the variables in reach."""
    match e:
        case Const(value):
            return value
        case Var(name):
            return names[name]
        case Read(slot, index):
            return r[element(core, slot, (evaluate(core, i, r, names) for i in index))]
        case Compare(operator, left, right):
            return _compare(operator, evaluate(core, left, r, names), evaluate(core, right, r, names))
        case Arith(operator, left, right):
            return _arith(operator, evaluate(core, left, r, names), evaluate(core, right, r, names))
        case And(items):
            return int(all(evaluate(core, i, r, names) for i in items))
        case Or(items):
            return int(any(evaluate(core, i, r, names) for i in items))
        case Not(value):
            return 1 - evaluate(core, value, r, names)
        case Ite(condition, then, other):
            return evaluate(core, then if evaluate(core, condition, r, names) else other, r, names)
        case Fold():
            return _fold(core, e, r, names)
        case Lookup(table, index):
            return lookup(core, table, (evaluate(core, i, r, names) for i in index))
        case Truth(value):
            return int(value)


def _compare(operator: str, left: int, right: int) -> int:
    match operator:
        case "=":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case _:
            return int(left >= right)


def _arith(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "div":
            return left // right
        case "mod":
            return left % right
        case "min":
            return min(left, right)
        case _:
            return max(left, right)


def _fold(core: Core, e: Fold, r: Sequence[int], names: Names) -> int:
    """`all` and `any` stop as soon as they are decided; the others look at every member."""
    match e.operator:
        case "sum":
            return sum(_members(core, e, r, names))
        case "count":
            return sum(1 for _ in _members(core, e, r, names))
        case "all":
            return int(all(_members(core, e, r, names)))
        case "any":
            return int(any(_members(core, e, r, names)))
    found = list(_members(core, e, r, names))
    if found:
        return min(found) if e.operator == "min" else max(found)
    if e.default is None:
        raise Wrong("empty", f"the {e.operator} of nothing is asked for")
    return evaluate(core, e.default, r, names)


def _members(core: Core, e: Fold, r: Sequence[int], names: Names) -> Iterator[int]:
    for value in range(e.low, e.high + 1):
        inner = {**names, e.variable: value}
        if e.where is None or evaluate(core, e.where, r, inner):
            yield evaluate(core, e.body, r, inner) if e.body is not None else 1


def element(core: Core, name: str, index: Iterable[int]) -> int:
    """Position in the record of an element of a slot."""
    slot = core.slot[name]
    return core.offset[name] + _row_major(name, slot.dims, index)


def lookup(core: Core, name: str, index: Iterable[int]) -> int:
    table = core.table[name]
    return table.values[_row_major(name, table.dims, index)]


def _row_major(name: str, dims: Sequence[Domain], index: Iterable[int]) -> int:
    """Each index is looked at before the next is worked out."""
    position = 0
    for dim, i in zip(dims, index, strict=True):
        if not 0 <= i < len(dim.names):
            if dim.is_of_positions:
                raise Wrong("index", "the list has no item there")
            raise Wrong("index", f"`{name}` has no element {i} among its {len(dim.names)} of `{dim.name}`")
        position = position * len(dim.names) + i
    return position


def store(core: Core, name: str, index: Sequence[int], value: int, r: list[int]) -> None:
    """Set an element of a slot, if the value is in the slot's range."""
    slot = core.slot[name]
    position = element(core, name, index)
    if not slot.low <= value <= slot.high:
        raise Wrong("range", f"`{element_name(slot, index)}` would become {value}, {_outside(slot, value)}")
    r[position] = value


def _outside(slot: Slot, value: int) -> str:
    return f"below {slot.low}" if value < slot.low else f"above {slot.high}"
