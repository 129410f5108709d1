"""What must be true, and who wins: invariants, bounds, reachable facts, the ranking."""

from __future__ import annotations

from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.expressions import generators, infer, truth, value
from rulespec.compiler.typed.inference import both, coerce, mismatch, needs_hint, wrong
from rulespec.compiler.typed.scope import Book, Context
from rulespec.compiler.typed.shapes import INT, known, plain
from rulespec.compiler.values import dataclass


def property_(book: Book, e: s.Invariant | s.Bound) -> t.Property:
    if isinstance(e, s.Invariant):
        condition = truth(Context(book), e.condition)[0]
        return t.Property(e.kind, e.name.text, e.title, condition, e.citation, e.span)
    return _bound(book, e)


def _bound(book: Book, e: s.Bound) -> t.Property:
    """`low <= value and value <= high` for all values of the generators."""
    made, cx = generators(Context(book), e.generators)
    if needs_hint(e.value, cx):
        low, x = both(cx, e.low, e.value, None)
    else:
        x = infer(e.value, cx, None)
        low = infer(e.low, cx, plain(x.type))
    if not isinstance(x.type, t.TInt):
        if known(x.type):
            mismatch(cx, x, INT)
        return t.Property("bound", e.name.text, e.title, wrong(e.span), e.citation, e.span)
    type = plain(x.type)
    low, high = coerce(cx, low, type), value(cx, e.high, type)
    at_least = t.Compare("<=", low, x, e.span)
    condition: t.Expr = t.Logic("and", (at_least, t.Compare("<=", x, high, e.span)), e.span)
    if made:
        condition = t.Fold("all", made, None, condition, None, t.BOOL, e.span)
    return t.Property("bound", e.name.text, e.title, condition, e.citation, e.span)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a `bound` is about: a number for all values of the generators, and the numbers it is held in."""

    name: str
    title: str
    generators: tuple[t.Generator, ...]
    value: t.Expr
    low: t.Expr
    high: t.Expr
    span: Span


def measured(p: t.Property) -> Measured:
    """What a property of kind `bound` is about."""
    made: tuple[t.Generator, ...] = ()
    condition = p.condition
    if isinstance(condition, t.Fold) and condition.body is not None:
        made, condition = condition.generators, condition.body
    match condition:
        case t.Logic("and", (t.Compare("<=", low, value), t.Compare("<=", _, high))):
            return Measured(p.name, p.title, made, value, low, high, p.span)
    raise ValueError(f"`{p.name}` is no bound")


def ranking(book: Book, e: s.Ranking) -> t.Ranking:
    player, bindings = (cx := Context(book)).bound(e.name, t.PLAYER, "player of the ranking")
    inner = cx.with_(bindings)
    keys = []
    for written in e.keys:
        key = infer(written, inner, None)
        if known(key.type) and not isinstance(key.type, t.TInt):
            mismatch(inner, key, INT)
        keys.append(key)
    return t.Ranking(e.title, player, tuple(keys), e.citation, e.span)
