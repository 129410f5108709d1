"""What chance decides: draws from a shuffled pile, dice, random members."""

from __future__ import annotations

from itertools import product

from rulespec.compiler.core import build, domains, views
from rulespec.compiler.core.blocks import LoopDraft
from rulespec.compiler.core.domains import Sweep
from rulespec.compiler.core.frame import Frame
from rulespec.compiler.core.limits import DOMAIN, Refused
from rulespec.compiler.core.loops import around
from rulespec.compiler.core.moves import Spot, not_negative, shift, spot
from rulespec.compiler.core.tree import TRUE, Chance, Const, Domain, Expr, Read, Table, Var
from rulespec.compiler.core.walk import reads
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t

EVERYBODY, NOBODY = Const(-1), Const(-2)
_OUTCOME = Var("outcome")
_DICE = 10_000  # sides of all dice multiplied


def draw(frame: Frame, s: t.Draw) -> None:
    amount = build.ONE if s.amount is None else frame.scope.expr(s.amount)
    if amount == build.ZERO:
        return
    not_negative(frame, amount, amount, "drawn", s.span)
    source, target = _held(frame, spot(frame, s.source), s), _held(frame, spot(frame, s.target), s)
    there = views.size_of(views.BagView(_kinds(frame, source), source.kind), frame.ctx.fresh)
    if not s.up_to:
        text = f"`{source.slot}` does not hold that much to draw from"
        frame.check(build.compare("<=", amount, there), "enough", text, s.span)
    elif amount != build.ONE:
        amount = build.arith("min", amount, there)
    if amount == build.ONE:
        _at_most_one(frame, source, target, s, there if s.up_to else None)
        return
    left = frame.control("left", 0, None, Domain("Int"), s.span)
    frame.set(left, amount, s.span)

    def body(_: object) -> None:
        _one(frame, source, target, s)
        frame.set(left, build.minus(Read(left), build.ONE), s.span)

    around(
        frame, s.span, build.compare(">", Read(left), build.ZERO), LoopDraft((), True, ()), body, stops=False
    )


def _at_most_one(frame: Frame, source: Spot, target: Spot, s: t.Draw, there: Expr | None) -> None:
    """One piece, if there is any where `there` counts them."""
    after = frame.block("step", s.span)
    if there is not None:
        first = frame.block("step", s.span)
        frame.build.branch(build.compare(">=", there, build.ONE), first, after, s.span)
        frame.build.start(first)
    _one(frame, source, target, s)
    frame.build.goto(after)
    frame.build.start(after)


def _kinds(frame: Frame, place: Spot) -> int:
    return len(frame.ctx.slots[place.slot].dims[len(place.index)].names)


def _held(frame: Frame, place: Spot, s: t.Draw) -> Spot:
    """The place, with indices that stay what they are while pieces move."""
    moved = {spot(frame, s.source).slot, spot(frame, s.target).slot}
    index: list[Expr] = []
    for number, part in enumerate(place.index):
        if any(r.slot in moved for r in reads(part)):
            dim = frame.ctx.slots[place.slot].dims[number]
            kept = frame.control(f"{place.slot}.at", 0, len(dim.names) - 1, dim, s.span)
            frame.set(kept, part, s.span)
            part = Read(kept)
        index.append(part)
    return Spot(place.slot, tuple(index), place.type)


def _one(frame: Frame, source: Spot, target: Spot, s: t.Draw) -> None:
    """One piece: which it is, is decided by how many of each are left."""
    kinds = frame.ctx.slots[source.slot].dims[len(source.index)]
    seen_by, sight = _seen_by(frame, target)
    if s.into is None:
        drawn = frame.control(f"drawn.{kinds.name}", 0, len(kinds.names) - 1, kinds, s.span)
    else:
        drawn = frame.place(s.into.name, s.into.type, s.span)
    if sight != "open":
        frame.ctx.slots[drawn].sight = "hidden"
    most = len(kinds.names) - 1
    _let_happen(frame, Chance(drawn, 0, most, source.kind(_OUTCOME), seen_by, "", kinds), "draw", s.span)
    shift(frame, source.kind(Read(drawn)), target.kind(Read(drawn)), build.ONE, s.span)


def _seen_by(frame: Frame, target: Spot) -> tuple[Expr, str]:
    """Who sees a piece that comes to the target, and whether that is everybody."""
    draft = frame.ctx.slots[target.slot]
    if draft.sight == "open":
        return EVERYBODY, "open"
    seen_by = target.index[0] if draft.sight == "private" else NOBODY
    if draft.unless:
        flag = Read(draft.unless, target.index[: len(frame.ctx.slots[draft.unless].dims)])
        seen_by = build.ite(build.compare("!=", flag, build.ZERO), EVERYBODY, seen_by)
    return seen_by, draft.sight


def _let_happen(frame: Frame, end: Chance, what: str, span: Span, spread: str = "") -> None:
    block, after = frame.block(what, span), frame.block("step", span)
    frame.build.goto(block)
    frame.build.start(block)
    block.spread = spread
    frame.ctx.sized(end.weight, span)
    frame.build.end(Chance(end.slot, end.low, end.high, end.weight, end.seen_by, after.key, end.domain))
    frame.build.start(after)


# --- dice and random members --------------------------------------------------------------------------------


def random(frame: Frame, s: t.Random) -> None:
    slot = frame.place(s.into.name, s.into.type, s.span)
    seen_by = EVERYBODY if s.seen_by is None else frame.scope.expr(s.seen_by)
    if seen_by != EVERYBODY:
        frame.ctx.slots[slot].sight = "hidden"
    if s.generator is None:
        _roll(frame, s, slot, seen_by)
        return
    name = s.generator.binder.name
    sweep = domains.sweep(frame.scope, s.generator.domain, name, s.span)
    where = TRUE if s.where is None else frame.scope.bind(name, sweep.value).expr(s.where)
    domain = frame.ctx.domain_of(s.into.type)
    spread = sweep.variable if sweep.variable in frame.ctx.spreads else ""
    if isinstance(s.generator.domain, t.Members) and isinstance(s.generator.domain.value.type, t.TList):
        low, high, weight = _item(frame, s, sweep, where, domain)
    else:
        low, high = sweep.low, sweep.high
        weight = build.as_number(build.both(sweep.inside, where))
        weight = domains.place_at(weight, sweep.variable, _OUTCOME)
    _let_happen(frame, Chance(slot, low, high, weight, seen_by, "", domain), "random", s.span, spread)


def _item(frame: Frame, s: t.Random, sweep: Sweep, where: Expr, domain: Domain) -> tuple[int, int, Expr]:
    """An item of a list, each place of it with equal chance."""
    if not domain.names:
        raise Refused("R0519", "a random item is taken from lists of members only", s.span)
    value = frame.ctx.stored(sweep.value) if isinstance(s.into.type, t.TBool) else sweep.value
    same = build.compare("=", value, _OUTCOME)
    return 0, len(domain.names) - 1, sweep.fold("count", build.both(where, same), None)


def _roll(frame: Frame, s: t.Random, slot: str, seen_by: Expr) -> None:
    if s.sides < 1 or s.dice * s.sides > DOMAIN or (s.sides**s.dice > _DICE and s.dice > 1):
        text = f"{s.dice} dice with {s.sides} sides fall in too many ways"
        raise Refused("R0511", text, s.span)
    low, high = s.dice, s.dice * s.sides
    weight: Expr = build.ONE
    if s.dice > 1:
        name = f"{s.dice}d{s.sides}"
        ways = [0] * (high - low + 1)
        for throw in product(range(1, s.sides + 1), repeat=s.dice):
            ways[sum(throw) - low] += 1
        dim = Domain(name, 0, tuple(str(low + n) for n in range(len(ways))))
        frame.ctx.tables[f"dice.{name}"] = Table(f"dice.{name}", (dim,), tuple(ways))
        weight = frame.ctx.lookup(f"dice.{name}", (build.minus(_OUTCOME, build.number(low)),))
    domain = frame.ctx.domain_of(s.into.type)
    _let_happen(frame, Chance(slot, low, high, weight, seen_by, "", domain), "roll", s.span)
