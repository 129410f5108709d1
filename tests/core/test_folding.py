"""Folding constants changes no value, and an interval holds every value."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.compiler.core.build import calculate
from rulespec.compiler.core.evaluate import Evaluator, Open
from rulespec.compiler.core.intervals import Intervals, arith
from rulespec.compiler.core.tree import (
    And,
    Arith,
    Compare,
    Const,
    Domain,
    Expr,
    Fold,
    Ite,
    Lookup,
    Not,
    Or,
    Table,
    Truth,
    Var,
)
from rulespec.compiler.core.walk import rebuild

RANGES = {"x": (-2, 3), "y": (0, 4)}
TABLE = Table("t", (Domain("d", 0, ("a", "b", "c")),), (4, -1, 2))
COMPARE = ("=", "!=", "<", "<=", ">", ">=")

numbers: st.SearchStrategy[Expr] = st.deferred(
    lambda: (
        st.integers(-3, 5).map(Const)
        | st.sampled_from(["x", "y"]).map(Var)
        | st.integers(0, 2).map(lambda k: Lookup("t", (Const(k),)))
        | st.builds(Arith, st.sampled_from(("+", "-", "*", "min", "max")), numbers, numbers)
        | st.builds(Arith, st.sampled_from(("div", "mod")), numbers, st.integers(1, 4).map(Const))
        | st.builds(Ite, truths, numbers, numbers)
        | st.builds(fold, st.just("sum"), truths | st.none(), numbers, st.none())
        | st.builds(fold, st.sampled_from(("min", "max")), truths | st.none(), numbers, numbers)
    )
)
truths: st.SearchStrategy[Expr] = st.deferred(
    lambda: (
        st.booleans().map(Truth)
        | st.builds(Compare, st.sampled_from(COMPARE), numbers, numbers)
        | truths.map(Not)
        | st.lists(truths, max_size=3).map(tuple).map(And)
        | st.lists(truths, max_size=3).map(tuple).map(Or)
        | st.builds(Ite, truths, truths, truths)
        | st.builds(fold, st.sampled_from(("all", "any")), truths | st.none(), truths, st.none())
    )
)


def fold(operator: str, where: Expr | None, body: Expr, default: Expr | None) -> Fold:
    return Fold(operator, "k", -1, 2, where, body, default)


values = st.fixed_dictionaries({name: st.integers(*bounds) for name, bounds in RANGES.items()})


def folded(e: Expr) -> Expr:
    return rebuild(e, folded)


def value(e: Expr, names: dict[str, int]) -> int | None:
    try:
        return Evaluator({"t": TABLE}).value(e, names)
    except Open:
        return None


@settings(max_examples=60)
@given(numbers | truths, values)
def test_folding_changes_no_value(e: Expr, names: dict[str, int]) -> None:
    before = value(e, names)

    assert before is None or value(folded(e), names) == before


@settings(max_examples=60)
@given(numbers, values)
def test_an_interval_holds_every_value(e: Expr, names: dict[str, int]) -> None:
    known = {**RANGES, "k": (-1, 2)}
    found = Intervals(lambda _: (min(TABLE.values), max(TABLE.values)), lambda _: None, known.get).of(e, {})
    was = value(e, names)

    if was is not None:
        assert found is not None
        assert found[0] <= was <= found[1]


spans = st.tuples(st.integers(-9, 9), st.integers(0, 9))


@given(st.sampled_from(("+", "-", "*", "min", "max")), spans, spans, st.data())
def test_an_interval_of_two_holds_what_comes_of_any_two(
    operator: str, a: tuple[int, int], b: tuple[int, int], data: st.DataObject
) -> None:
    one, two = (a[0], a[0] + a[1]), (b[0], b[0] + b[1])
    x, y = data.draw(st.integers(*one)), data.draw(st.integers(*two))
    low, high = arith(operator, one, two)

    assert low <= calculate(operator, x, y) <= high
