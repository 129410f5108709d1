"""Small cores at random: a few bounded slots, a few blocks, nothing that makes sense."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hypothesis import strategies as st

from rulespec.compiler.core.check import successors
from rulespec.compiler.core.tree import (
    TRUE,
    And,
    Arith,
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Compare,
    Configuration,
    Const,
    Core,
    Domain,
    End,
    Expr,
    Fold,
    Goto,
    If,
    Ite,
    Let,
    Lookup,
    Loop,
    Not,
    Option,
    Or,
    Origin,
    Param,
    Property,
    Read,
    Set,
    Slot,
    Statement,
    Table,
    Terminator,
    Var,
)
from rulespec.engine.interpreter.evaluate import evaluate

SIDE = Domain("Side", 0, ("left", "right"))
NUMBER = Domain("Int")
SLOTS = (
    Slot("a", 0, 3),
    Slot("b", -1, 2),
    Slot("c", 0, 4, role="local"),
    Slot("side", 0, 1, domain=SIDE),
    Slot("pile", 0, 2, (SIDE,), initial=(1, 2)),
    Slot("back", 0, 1, role="control"),
)
TABLE = Table("t", (SIDE,), (1, 2), (0, 1), ((0, 0, 3), (1, 1, 2)))
LIMITS = (Compare("<=", Lookup("t", (Const(0),)), Lookup("t", (Const(1),))),)
SCALARS = ("a", "b", "c", "side")
NAMES = ("one", "two", "three", "four", "five")
RULE = Origin(rule="r")


@st.composite
def numbers(draw: st.DrawFn, depth: int = 2, bound: tuple[str, ...] = ()) -> Expr:
    """A number over the slots and the bound names."""
    simple: list[st.SearchStrategy[Expr]] = [
        st.integers(-1, 3).map(Const),
        st.sampled_from(SCALARS).map(Read),
        st.sampled_from([Read("pile", (at,)) for at in (Read("side"), Const(0), Const(1))]),
        st.sampled_from([Lookup("t", (at,)) for at in (Read("side"), Const(0), Const(1))]),
    ]
    if bound:
        simple.append(st.sampled_from(bound).map(Var))
    if depth == 0:
        plain: Expr = draw(st.one_of(simple))
        return plain
    inner = numbers(depth - 1, bound)
    v = f"v{len(bound)}"  # no name is bound again where it is in reach
    operators = st.sampled_from(["+", "-", "min", "max", "*"])
    made: Expr = draw(
        st.one_of(
            *simple,
            st.builds(Arith, operators, inner, inner),
            st.builds(Arith, st.sampled_from(["div", "mod"]), inner, st.integers(1, 3).map(Const)),
            st.builds(Ite, truths(depth - 1, bound), inner, inner),
            st.builds(
                lambda where, body: Fold("sum", v, 0, 1, where, body),
                truths(depth - 1, (*bound, v)),
                numbers(depth - 1, (*bound, v)),
            ),
            st.builds(
                lambda op, where, body, default: Fold(op, v, 0, 1, where, body, default),
                st.sampled_from(["min", "max"]),
                truths(depth - 1, (*bound, v)),
                numbers(depth - 1, (*bound, v)),
                inner,
            ),
            st.builds(lambda where: Fold("count", v, 0, 1, where, None), truths(depth - 1, (*bound, v))),
        )
    )
    return made


@st.composite
def truths(draw: st.DrawFn, depth: int = 2, bound: tuple[str, ...] = ()) -> Expr:
    """A truth value over the slots and the bound names."""
    number = numbers(max(0, depth - 1), bound)
    compare = st.builds(Compare, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), number, number)
    if depth == 0:
        test: Expr = draw(compare)
        return test
    inner = truths(depth - 1, bound)
    w = f"w{len(bound)}"
    pairs = st.tuples(inner, inner)
    made: Expr = draw(
        st.one_of(
            compare,
            compare,
            st.builds(Not, inner),
            st.builds(And, pairs),
            st.builds(Or, pairs),
            st.builds(
                lambda op, body: Fold(op, w, 0, 1, None, body),
                st.sampled_from(["all", "any"]),
                truths(depth - 1, (*bound, w)),
            ),
        )
    )
    return made


def clamped(slot: Slot, value: Expr) -> Expr:
    return Arith("max", Const(slot.low), Arith("min", Const(slot.high), value))


@st.composite
def statements(draw: st.DrawFn, depth: int = 1) -> Statement:
    """Mostly assignments that stay in range; now and then one that may not, or a check."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return Check(draw(truths(1)), "assert", "so", RULE)
    if kind <= 2 and depth:
        then = draw(st.lists(statements(depth - 1), min_size=1, max_size=2))
        other = draw(st.lists(statements(depth - 1), max_size=1))
        return If(draw(truths(1)), tuple(then), tuple(other))
    slot = draw(st.sampled_from(SLOTS[:5]))
    places: list[Expr] = [Read("side"), Const(0), Const(1)]
    index = (draw(st.sampled_from(places)),) if slot.dims else ()
    value = draw(numbers(1))
    if draw(st.integers(0, 5)):
        value = clamped(slot, value)
    return Set(slot.name, index, value, RULE)


@st.composite
def ends(draw: st.DrawFn, later: tuple[str, ...]) -> Terminator:
    """Any way to end a block that leads to one of `later`."""
    to = st.sampled_from(later)
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return Goto(draw(to))
    if kind == 1:
        return Branch(draw(truths(1)), draw(to), draw(to))
    if kind == 2:
        weight = draw(st.one_of(st.just(Const(1)), st.just(Read("pile", (Var("outcome"),)))))
        return Chance("side", 0, 1, weight, Const(-1), draw(to), SIDE)
    low, high = draw(st.integers(0, 1)), draw(st.integers(1, 3))
    highs: list[Expr] = [Const(high), Read("a")]
    param = Param("x", "a", Const(low), draw(st.sampled_from(highs)), 0, 3, NUMBER)
    guard = draw(st.one_of(st.just(TRUE), truths(1, ("x",))))
    options = [
        Option("take", (param,), guard, ("takes ", 0), draw(to), RULE),
        Option("pass", (), draw(st.one_of(st.just(TRUE), truths(1))), ("passes",), draw(to), RULE),
    ]
    seats: list[Expr] = [Const(0), Read("side")]
    return Choose(draw(st.sampled_from(seats)), tuple(options[draw(st.integers(0, 1)) :]))


@st.composite
def cores(draw: st.DrawFn) -> Core:
    """Three rounds of a few blocks; the loop counts in `round`, so most of these games end."""
    counts = draw(st.booleans())
    blocks: list[Block] = []
    for number, name in enumerate(NAMES):
        later = (*NAMES[number + 1 :], "next") if number + 1 < len(NAMES) else ("next",)
        body = tuple(draw(st.lists(statements(), max_size=2)))
        blocks.append(Block(name, body, draw(ends(later)), origin=RULE))
    keeps = tuple(draw(st.lists(truths(1), max_size=1)))
    rounds = Read("round")
    measure = (Arith("-", Const(3), rounds),)
    loop = Loop(measure, False, keeps, (*NAMES, "next"))
    step = Arith("+", rounds, Const(1)) if counts else draw(numbers(0))
    head = Block("head", (), Branch(Compare("<", rounds, Const(3)), "one", "over"), loop, RULE)
    onward = (Let("n", step), Set("round", (), clamped(Slot("round", 0, 3), Var("n")), RULE))
    blocks += [Block("next", onward, Goto("head"), origin=RULE), Block("over", (), End())]
    properties = tuple(
        Property("invariant", f"i{number}", "", draw(truths(2))) for number in range(draw(st.integers(1, 3)))
    )
    return Core(
        Configuration("random", 2),
        "Random",
        (*SLOTS, Slot("round", 0, 3)),
        (TABLE,),
        _reached((head, *blocks)),
        "head",
        properties,
        (Read("a"),),
        (),
        limits=LIMITS,
    )


def otherwise(core: Core) -> Iterator[Core]:
    """The core with each other table that its limits allow."""
    room = [range(low, high + 1) for _, low, high in TABLE.open]
    for values in product(*room):
        other = replace(core, tables=(replace(TABLE, values=values),))
        if values != TABLE.values and all(evaluate(other, limit, [], {}) for limit in other.limits):
            yield other


def _reached(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Those that the first leads to; the head of the loop keeps in its body what is left."""
    named = {block.name: block for block in blocks}
    seen: set[str] = set()
    waiting = [blocks[0].name]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(successors(named[name]))
    left = [block for block in blocks if block.name in seen]
    assert left[0].loop is not None
    body = tuple(name for name in left[0].loop.body if name in seen)
    return (replace(left[0], loop=replace(left[0].loop, body=body)), *left[1:])
