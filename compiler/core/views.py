"""Values while an expression is lowered.

Core has numbers and truth values only. A composite value is a view: what it holds for each key, as core
expressions. A set says whether it has a member, a bag how many of a kind, a map what stands at a key; nothing
is built or copied.
"""

from __future__ import annotations

from collections.abc import Callable

from rulespec.compiler.core import build
from rulespec.compiler.core.tree import FALSE, TRUE, Const, Expr, Truth, Var
from rulespec.compiler.typed.tree import TBool, TEnum, TList, TMap, TOption, TRecord, TTuple, Type
from rulespec.compiler.values import dataclass

Fresh = Callable[[str], str]  # a variable name nobody else has


@dataclass(frozen=True, slots=True)
class Maybe:
    """An option of a scalar. `code`, where there is one, is -1 for none and else the value."""

    some: Expr
    value: Expr
    code: Expr | None = None


@dataclass(frozen=True, slots=True)
class SetView:
    """A subset of the numbers from 0 below `size`."""

    size: int
    has: Callable[[Expr], Expr]


@dataclass(frozen=True, slots=True)
class BagView:
    """How many of each of the kinds 0 up to below `size`."""

    size: int
    count: Callable[[Expr], Expr]


@dataclass(frozen=True, slots=True)
class MapView:
    size: int
    at: Callable[[Expr], View]


@dataclass(frozen=True, slots=True)
class ListView:
    """`at` is good for positions below `length` only; `length` is at most `limit`.

    A list that is `kept` in slots has no position -1: looking there is a fault.
    """

    limit: int
    length: Expr
    at: Callable[[Expr], Expr]
    kept: bool = False


@dataclass(frozen=True, slots=True)
class TupleView:
    items: tuple[View, ...]


View = Expr | Maybe | SetView | BagView | MapView | ListView | TupleView
COMPOSITE = (Maybe, SetView, BagView, MapView, ListView, TupleView)


def scalar(view: View) -> Expr:
    assert not isinstance(view, COMPOSITE), "the checker lets only scalars come here"
    return view


def maybe(view: View) -> Maybe:
    assert isinstance(view, Maybe), "the checker lets only options come here"
    return view


def some(value: Expr, inner: Type) -> Maybe:
    """The option that holds `value`; with a code when -1 is not a possible value."""
    match inner:
        case TBool():
            return Maybe(TRUE, value, build.as_number(value))
        case TEnum():
            return Maybe(TRUE, value, value)
    return Maybe(TRUE, value)


def coded(code: Expr, inner: Type) -> Maybe:
    """An option from its code."""
    value = build.compare("=", code, build.ONE) if isinstance(inner, TBool) else code
    return Maybe(build.compare("!=", code, Const(-1)), value, code)


def code_of(option: Maybe) -> Expr:
    assert option.code is not None, "only options of numbers have no code"
    return option.code


def as_bag(view: View) -> BagView:
    """A bag as it is, a set as one of each member."""
    match view:
        case BagView():
            return view
        case SetView(size, has):
            return BagView(size, lambda k: build.as_number(has(k)))
    raise AssertionError("the checker lets only sets and bags come here")


def size_of(view: View, fresh: Fresh) -> Expr:
    match view:
        case SetView(size, has):
            k = fresh("k")
            return build.fold("count", k, 0, size - 1, has(Var(k)), None)
        case BagView(size, count):
            k = fresh("k")
            return build.fold("sum", k, 0, size - 1, TRUE, count(Var(k)))
        case ListView(length=length):
            return length
    raise AssertionError("the checker lets only containers come here")


def either_of(condition: Expr, then: View, other: View, type: Type) -> View:
    """`then` if `condition` else `other`, both of `type`."""
    if isinstance(condition, Truth):
        return then if condition.value else other
    match then, other, type:
        case Maybe(), Maybe(), TOption(inner):
            return _either_option(condition, then, other, inner)
        case SetView(size, a), SetView(_, b), _:
            return SetView(size, lambda k: build.ite(condition, a(k), b(k)))
        case ((SetView(size, _) | BagView(size, _)), (SetView() | BagView()), _):
            c, d = as_bag(then).count, as_bag(other).count
            return BagView(size, lambda k: build.ite(condition, c(k), d(k)))
        case MapView(size, m), MapView(_, n), TMap(_, value):
            return MapView(size, lambda k: either_of(condition, m(k), n(k), value))
        case ListView(first, length, x, kept), ListView(second, length_2, y, kept_2), _:
            whole = build.ite(condition, length, length_2)
            at = lambda k: build.ite(condition, x(k), y(k))  # noqa: E731
            return ListView(max(first, second), whole, at, kept and kept_2)
        case TupleView(left), TupleView(right), _:
            parts = zip(left, right, components(type), strict=True)
            return TupleView(tuple(either_of(condition, a, b, part) for a, b, part in parts))
    return build.ite(condition, scalar(then), scalar(other))


def components(type: Type) -> tuple[Type, ...]:
    """The types of a tuple's or record's parts."""
    match type:
        case TTuple(_, items):
            return items
        case TRecord(_, fields):
            return tuple(part for _, part in fields)
    return ()


def _either_option(condition: Expr, then: Maybe, other: Maybe, inner: Type) -> Maybe:
    if then.code is not None and other.code is not None:
        return coded(build.ite(condition, then.code, other.code), inner)
    if other.some == FALSE:
        value = then.value
    elif then.some == FALSE:
        value = other.value
    else:
        value = build.ite(condition, then.value, other.value)
    return Maybe(build.ite(condition, then.some, other.some), value)


def equal(left: View, right: View, type: Type, fresh: Fresh) -> Expr:
    """Whether two values of one type are the same."""
    k = fresh("k")
    match left, right, type:
        case Maybe(), Maybe(), TOption(inner):
            return _equal_options(left, right, inner)
        case SetView(size, a), SetView(_, b), _:
            return build.fold("all", k, 0, size - 1, TRUE, build.same_truth(a(Var(k)), b(Var(k))))
        case ((SetView(size, _) | BagView(size, _)), (SetView() | BagView()), _):
            test = build.compare("=", as_bag(left).count(Var(k)), as_bag(right).count(Var(k)))
            return build.fold("all", k, 0, size - 1, TRUE, test)
        case MapView(size, m), MapView(_, n), TMap(_, value):
            return build.fold("all", k, 0, size - 1, TRUE, equal(m(Var(k)), n(Var(k)), value, fresh))
        case ListView(limit, length, x, _), ListView(other_limit, other_length, y, _), TList(item):
            inside = build.compare("<", Var(k), length)
            same = _equal_scalars(x(Var(k)), y(Var(k)), item)
            items = build.fold("all", k, 0, min(limit, other_limit) - 1, inside, same)
            return build.both(build.compare("=", length, other_length), items)
        case TupleView(a), TupleView(b), _:
            parts = zip(a, b, components(type), strict=True)
            return build.both(*(equal(x, y, part, fresh) for x, y, part in parts))
    return _equal_scalars(scalar(left), scalar(right), type)


def _equal_scalars(left: Expr, right: Expr, type: Type) -> Expr:
    return build.same_truth(left, right) if isinstance(type, TBool) else build.compare("=", left, right)


def _equal_options(left: Maybe, right: Maybe, inner: Type) -> Expr:
    if left.code is not None and right.code is not None:
        return build.compare("=", left.code, right.code)
    same = _equal_scalars(left.value, right.value, inner)
    if right.some == TRUE:
        return build.both(left.some, same)
    if left.some == TRUE:
        return build.both(right.some, same)
    both_none = build.both(build.negate(left.some), build.negate(right.some))
    return build.either(both_none, build.both(left.some, right.some, same))


def contained(left: View, right: View, fresh: Fresh) -> Expr:
    """`left <= right` for sets and bags: each count at most."""
    k = fresh("k")
    match left, right:
        case SetView(size, a), SetView(_, b):
            return build.fold("all", k, 0, size - 1, a(Var(k)), b(Var(k)))
        case ((SetView(size, _) | BagView(size, _)), (SetView() | BagView())):
            test = build.compare("<=", as_bag(left).count(Var(k)), as_bag(right).count(Var(k)))
            return build.fold("all", k, 0, size - 1, TRUE, test)
    raise AssertionError("the checker compares only sets and bags so")
