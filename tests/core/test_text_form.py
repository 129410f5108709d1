"""Core prints as text and parses back to the same core."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
from golden import Golden
from hypothesis import given
from hypothesis import strategies as st
from samples import NAMES, sample, sample_text

from rulespec.compiler.core import print as core_print
from rulespec.compiler.core.from_text import parse, parse_expression
from rulespec.compiler.core.tree import (
    And,
    Arith,
    Check,
    Compare,
    Const,
    Core,
    Domain,
    Expr,
    Fold,
    For,
    If,
    Ite,
    Let,
    Lookup,
    Not,
    Or,
    Origin,
    Read,
    RuleInfo,
    Set,
    Slot,
    Statement,
    Truth,
    Var,
)
from rulespec.compiler.core.words import KEYWORDS, CoreTextError
from rulespec.compiler.spans import Citation, Span

GOLDEN = Path(__file__).parent / "golden"

names = st.one_of(
    st.sampled_from(
        ["a", "hand.2", "x_1", "0", "2nd", "", "has space", 'quote"', "tick`", "back\\slash", "é"]
    ),
    st.sampled_from(sorted(KEYWORDS)),
    st.text(max_size=4),
)
numbers = st.integers(-9, 99)


def truths(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    items = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Truth, st.booleans()),
        st.builds(Not, inner),
        st.builds(And, items),
        st.builds(Or, items),
        st.builds(Compare, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), inner, inner),
    )


def compounds(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    index = st.lists(inner, min_size=1, max_size=2).map(tuple)
    some = st.none() | inner
    folds = st.sampled_from(["sum", "count", "min", "max", "all", "any"])
    return st.one_of(
        truths(inner),
        st.builds(Read, names, index),
        st.builds(Lookup, names, index),
        st.builds(Arith, st.sampled_from(["+", "-", "*", "div", "mod", "min", "max"]), inner, inner),
        st.builds(Ite, inner, inner, inner),
        st.builds(Fold, folds, names, numbers, numbers, some, some, some),
    )


leaves: st.SearchStrategy[Expr] = st.one_of(
    st.builds(Const, numbers), st.builds(Var, names), st.builds(Read, names)
)
expressions = st.recursive(leaves, compounds, max_leaves=12)
spans = st.builds(
    Span,
    st.sampled_from(["a.md", "", "b c.md"]),
    numbers.map(abs),
    numbers.map(abs),
    numbers.map(abs),
    numbers.map(abs),
)
lines = st.lists(st.tuples(numbers.map(abs), numbers.map(abs)), max_size=2).map(tuple)
citations = st.none() | st.builds(Citation, names, lines, spans)
origins = st.builds(Origin, spans, names, citations)
statements = st.recursive(
    st.one_of(
        st.builds(Set, names, st.just(()) | st.tuples(expressions), expressions, origins),
        st.builds(Let, names, expressions),
        st.builds(Check, expressions, st.sampled_from(["assert", "enough"]), st.text(max_size=5), origins),
    ),
    lambda inner: st.one_of(
        st.builds(
            If, expressions, st.lists(inner, max_size=2).map(tuple), st.lists(inner, max_size=2).map(tuple)
        ),
        st.builds(For, names, numbers, numbers, st.lists(inner, max_size=2).map(tuple)),
    ),
    max_leaves=4,
)


def pieces(value: object) -> list[object]:
    """All that `value` is made of, with what its `==` leaves out."""
    if isinstance(value, tuple):
        return [x for item in value for x in pieces(item)]
    if is_dataclass(value):
        return [type(value), *(x for f in fields(value) for x in pieces(getattr(value, f.name)))]
    return [value]


@given(expressions)
def test_an_expression_parses_back(e: Expr) -> None:
    assert parse_expression(core_print.expression(e)) == e


@given(st.lists(statements, max_size=3).map(tuple))
def test_a_block_parses_back_with_every_origin(body: tuple[Statement, ...]) -> None:
    core = sample("duel")
    blocks = (replace(core.blocks[0], body=body), *core.blocks[1:])
    changed = replace(core, blocks=blocks)
    assert pieces(parse(core_print.show(changed))) == pieces(changed)


@given(names, st.lists(names, unique=True, max_size=4), st.booleans(), citations, spans)
def test_domains_slots_and_rules_parse_back(
    name: str, members: list[str], labelled: bool, citation: Citation | None, span: Span
) -> None:
    core = sample("duel")
    labels = tuple(f'"{m}"' for m in members) if labelled else ()
    domain = Domain(name, -2, tuple(members), labels)
    slot = Slot(
        name, -1, 5, (Domain(name, 0, tuple(members)),), domain, initial=(3, 4), keeps=name, unless=name
    )
    rules = (RuleInfo(name, "a\nb", citation, span),)
    changed = replace(core, slots=(*core.slots, slot), rules=rules)
    assert pieces(parse(core_print.show(changed))) == pieces(changed)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_parses_back(name: str) -> None:
    core = sample(name)
    assert pieces(parse(core_print.show(core))) == pieces(core)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_prints_as_before(name: str, golden: Golden) -> None:
    golden.check(GOLDEN / f"{name}.core", core_print.show(sample(name)))


def moved(core: Core, lines: int) -> Core:
    span = Span("somewhere.md", lines, 1, lines, 9)
    rules = tuple(replace(info, span=span) for info in core.rules)
    blocks = tuple(replace(b, origin=replace(b.origin, span=span)) for b in core.blocks)
    return replace(core, rules=rules, blocks=blocks)


def test_the_digest_does_not_see_where_the_text_stands_but_what_it_says() -> None:
    core = sample("auction")
    assert core_print.digest(moved(core, 3)) == core_print.digest(moved(core, 4)) == core_print.digest(core)
    assert core_print.show(moved(core, 3)) != core_print.show(moved(core, 4))
    changed = parse(sample_text("auction").replace("within 1..10", "within 1..11"))
    assert core_print.digest(changed) != core_print.digest(core)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("core 1", "core 2", "line 1: only version 1"),
        ("slot bank: ducat", "slot bank: dollar", "there is no domain 'dollar'"),
        ("live[$p] := 1", "live[$p] = 1", "only slots take values"),
        ("live[$p] := 1", "live[$p := 1", "a bracket is not closed"),
        ("high := amount", "$high := amount", "only slots take values"),
        ("block over:\n    end", "block over:\n", "block 'over' does not say how it ends"),
        ("block over:\n    end", "block over:\n    end\n    end", "block 'over' has already ended"),
        ("    goto lot\n\nblock lot", "    goto lot lot\n\nblock lot", "'lot' does not belong here"),
        ('[p0 "Anna", p1 "Ben"', '[p0 "Anna", p1', "labels to all of its values or to none"),
        ("@rb(4..9)\nproperty", "@rb(4..9) !7:1:2-3\nproperty", "there is no file 7"),
        ("title", "title", ""),
    ],
)
def test_text_that_is_not_core_is_refused_with_its_line(before: str, after: str, said: str) -> None:
    if before == "title":
        text = sample_text("auction").replace('"Two lots"', '"Two lots')
        said = "line 3: cannot read"
    else:
        assert before in sample_text("auction")
        text = sample_text("auction").replace(before, after)
    with pytest.raises(CoreTextError) as caught:
        parse(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text", ["(" * 5000, "(" * 5000 + "1" + ")" * 5000, "not " * 5000 + "true", "1 < 2 < 3", "1 = not true"]
)
def test_bad_nesting_is_refused(text: str) -> None:
    with pytest.raises(CoreTextError):
        parse_expression(text)


def test_a_long_chain_of_cases_parses_back() -> None:
    e: Expr = Const(0)
    for number in range(200):
        e = Ite(Compare("=", Read("x"), Const(number)), Const(number), e)
    assert parse_expression(core_print.expression(e)) == e
