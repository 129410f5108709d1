"""What a configuration claims: the game's properties, and that nothing is lost or made."""

from __future__ import annotations

from rulespec.compiler.core import build
from rulespec.compiler.core.context import Context, SlotDraft
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.layout import keepers
from rulespec.compiler.core.limits import Refused
from rulespec.compiler.core.tree import TRUE, Const, Expr, Origin, Property, Quantity, Read, Var
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.constants import varying
from rulespec.compiler.typed.properties import Measured


def stated(ctx: Context) -> list[Property]:
    """The invariants, bounds, reachables and hints of the rulebook."""
    found = []
    for p in ctx.rulebook.properties:
        condition = ctx.sized(Scope(ctx).expr(p.condition), p.span)
        found.append(Property(p.kind, p.name, p.title, condition, Origin(p.span, "", p.citation)))
    return found


def conserved(ctx: Context) -> list[Property]:
    """For each kind of piece, and each currency: all places together hold what there is."""
    found: list[Property] = []
    kept = keepers(ctx)
    places: dict[str, list[SlotDraft]] = {name: [] for name in ("", *kept)}
    for draft in ctx.slots.values():
        places[draft.keeps].append(draft)
    for piece in ctx.rulebook.pieces:
        kinds = ctx.domains[piece.kind.name]
        for number, name in enumerate(kinds.names):
            label = kinds.labels[number] if kinds.labels else name
            held = _held(ctx, places[piece.name], build.number(number))
            title = f"{piece.title or piece.name} of {label}: none is lost or made"
            found.append(_equal(f"{piece.name}.{name}", title, held, kept[piece.name].each, piece))
    for currency in ctx.rulebook.currencies:
        held = _held(ctx, places[currency.name], None)
        title = f"{currency.title or currency.name}: none are lost or made"
        found.append(_equal(currency.name, title, held, kept[currency.name].each or 0, currency))
    return found


def _equal(name: str, title: str, held: Expr, total: int | None, declared: t.Piece | t.Currency) -> Property:
    condition = build.compare("=", held, Const(total or 0))
    origin = Origin(declared.span, "", declared.citation)
    return Property("conservation", name, title, condition, origin)


def _held(ctx: Context, places: list[SlotDraft], kind: Expr | None) -> Expr:
    """The sum over these places; `kind` is the last index where there is one."""
    total: Expr = build.ZERO
    for draft in places:
        total = build.plus(total, _sum(ctx, draft, kind))
    return total


def _sum(ctx: Context, draft: SlotDraft, kind: Expr | None) -> Expr:
    outer = draft.dims if kind is None else draft.dims[:-1]
    names = [ctx.fresh(dim.name[:1].lower()) for dim in outer]
    index: tuple[Expr, ...] = tuple(Var(name) for name in names)
    total: Expr = Read(draft.name, index if kind is None else (*index, kind))
    for name, dim in reversed(list(zip(names, outer, strict=True))):
        total = build.fold("sum", name, 0, len(dim.names) - 1, TRUE, total)
    return total


def extreme(ctx: Context, asked: Measured, operator: str) -> Expr:
    """The greatest (`max`) or least (`min`) that a measured number is for the values of its generators."""
    value = asked.value
    if asked.generators:
        value = t.Fold(operator, asked.generators, None, value, None, value.type, asked.span)
    return ctx.sized(Scope(ctx).expr(value), asked.span)


def quantity(ctx: Context, asked: Measured, most: Expr, least: Expr) -> Quantity:
    """With what is stated of it, where that is known before play."""
    origin = Origin(asked.span)
    stated = (_known(ctx, asked.low), _known(ctx, asked.high))
    return Quantity(asked.name, asked.title, most, least, stated, origin)


def _known(ctx: Context, e: t.Expr) -> int | None:
    if varying(e) is not None:
        return None
    try:
        return ctx.evaluate(Scope(ctx).expr(e), e.span)
    except Refused:
        return None


def ranking(ctx: Context) -> list[Expr]:
    """The keys over the variable `p`, the score first."""
    declared = ctx.rulebook.ranking
    if declared is None:
        return []
    scope = Scope(ctx).bind(declared.player.name, Var("p"))
    keys = []
    for key in declared.keys:
        found = scope.expr(key)
        keys.append(ctx.sized(ctx.stored(found) if isinstance(key.type, t.TBool) else found, key.span))
    return keys
