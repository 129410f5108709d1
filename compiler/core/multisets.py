"""The ways to take a number of pieces from a place: each is a row of a constant table, and has a name."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from rulespec.compiler.core import build
from rulespec.compiler.core.context import Context
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.limits import MULTISETS, Refused
from rulespec.compiler.core.tree import TRUE, Domain, Expr, Table, Var
from rulespec.compiler.core.views import BagView, View, as_bag
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Ways:
    table: str
    domain: Domain


def canonical(domain: Domain, counts: tuple[int, ...]) -> str:
    """`{red: 1, blue: 2}`, kinds in order, those with none left out."""
    parts = (f"{name}: {n}" for name, n in zip(domain.names, counts, strict=True) if n)
    return "{" + ", ".join(parts) + "}"


def _spoken(domain: Domain, counts: tuple[int, ...]) -> str:
    names = domain.labels or domain.names
    return ", ".join(f"{n} {name}" for name, n in zip(names, counts, strict=True) if n) or "nothing"


def counts(kinds: int, size: int, most: int) -> Iterator[tuple[int, ...]]:
    """All ways to take `size` of `kinds`, none more than `most` times; more of the first kinds come first."""
    if kinds == 1:
        if size <= most:
            yield (size,)
        return
    for first in range(min(size, most), -1, -1):
        for rest in counts(kinds - 1, size - first, most):
            yield (first, *rest)


def table(ctx: Context, place: t.Type, size: int, span: Span) -> Ways:
    """The table of the ways to take `size` pieces from a place of this type."""
    assert isinstance(place, t.TSet | t.TBag | t.TDeck)
    kinds = ctx.domains[place.kind.name]
    if size < 0:
        raise Refused("R0521", f"{size} pieces cannot be taken", span)
    most = min(size, _most(ctx, place))
    ways = comb(len(kinds.names) + size - 1, size)
    if ways > MULTISETS:
        text = (
            f"there are {ways} ways to take {size} pieces of {len(kinds.names)} kinds, more than {MULTISETS}"
        )
        raise Refused("R0521", text, span, help=("ask for one piece after the other",))
    name = f"{kinds.name}.take.{size}" + (f".of.{most}" if most < size else "")
    rows = tuple(counts(len(kinds.names), size, most))
    names = tuple(canonical(kinds, row) for row in rows)
    spoken = tuple(_spoken(kinds, row) for row in rows)
    domain = Domain(f"Bag[{place.piece or kinds.name}] of {size}", 0, names, spoken)
    if not rows:
        raise Refused("R0521", f"there are no {size} pieces of that sort", span)
    if name not in ctx.tables:
        ctx.tables[name] = Table(name, (domain, kinds), tuple(n for row in rows for n in row))
    return Ways(name, domain)


def _most(ctx: Context, place: t.TSet | t.TBag | t.TDeck) -> int:
    """How many pieces of one kind there can be in a place."""
    if isinstance(place, t.TSet):
        return 1
    for piece in ctx.rulebook.pieces:
        if piece.name == place.piece:
            return ctx.evaluate(Scope(ctx).expr(piece.each), piece.span)
    return MULTISETS


def view(ctx: Context, ways: str, kinds: int, number: Expr) -> BagView:
    return BagView(kinds, lambda k: ctx.lookup(ways, (number, k)))


def fits(ctx: Context, ways: str, kinds: int, number: Expr, place: View) -> Expr:
    """Whether the place holds all pieces of a way."""
    k = ctx.fresh("k")
    test = build.compare("<=", ctx.lookup(ways, (number, Var(k))), as_bag(place).count(Var(k)))
    return build.fold("all", k, 0, kinds - 1, TRUE, test)
