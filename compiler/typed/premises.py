"""What stated properties speak of: the conditions that some position must meet for them to say anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t

HOLDING = ("invariant", "bound")

# Puts a condition into the surroundings in which it is asked: under the generators and premises around it.
Around = Callable[[t.Expr], t.Expr]


def premises(properties: tuple[t.Property, ...]) -> tuple[t.Property, ...]:
    """For each premise a property of kind `reachable` that it is met, at its own place in the text.

    A premise is the left side of an `implies`, the `where` of an `all`, or that an `all` over the members of
    a place or set has any. The name is that of the property, `#`, and a number.
    """
    found: list[t.Property] = []
    for stated in properties:
        if stated.kind in HOLDING:
            for number, (condition, span) in enumerate(_within(stated.condition, lambda e: e)):
                name = f"{stated.name}#{number}"
                found.append(replace(stated, kind="reachable", name=name, condition=condition, span=span))
    return tuple(found)


def _within(e: t.Expr, around: Around) -> Iterator[tuple[t.Expr, Span]]:
    match e:
        case t.Logic("implies", (left, right)):
            yield around(left), left.span
            yield from _within(right, lambda x: around(_both(left, x)))
        case t.Logic("and", (left, right)):
            yield from _within(left, around)
            yield from _within(right, lambda x: around(_both(left, x)))
        case t.Fold("all", generators, where, body):

            def some(x: t.Expr | None) -> t.Expr:
                return around(t.Fold("any", generators, where, x or _truth(e.span), None, t.BOOL, e.span))

            if where is not None:
                yield some(None), where.span
            elif any(isinstance(g.domain, t.Members) for g in generators):
                yield some(None), e.span
            if body is not None:
                yield from _within(body, some)


def _both(left: t.Expr, right: t.Expr) -> t.Expr:
    return t.Logic("and", (left, right), right.span)


def _truth(span: Span) -> t.Expr:
    return t.Lit(1, t.BOOL, span)
