"""Statements that write: assignments, changes of sets and lists, pieces and money that move."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.compiler.core import build, shapes
from rulespec.compiler.core.frame import Frame, simple
from rulespec.compiler.core.tree import TRUE, Arith, Const, Expr, For, Ite, Lookup, Read, Var
from rulespec.compiler.core.views import BagView, as_bag, components, scalar
from rulespec.compiler.core.walk import reads
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A variable or a part of one: which slot, where in it, and of what type."""

    slot: str
    index: tuple[Expr, ...]
    type: t.Type

    @property
    def money(self) -> Read:
        return Read(self.slot, self.index)

    def kind(self, k: Expr) -> Read:
        """How many pieces of a kind are there."""
        return Read(self.slot, (*self.index, k))

    def part(self, name: str, type: t.Type) -> Spot:
        return Spot(f"{self.slot}.{name}", self.index, type)

    def at(self, key: Expr, type: t.Type) -> Spot:
        return Spot(self.slot, (*self.index, key), type)


def spot(frame: Frame, e: t.Expr) -> Spot:
    match e:
        case t.StateRef(name, player):
            index = () if player is None else (frame.scope.expr(player),)
            return Spot(name, index, frame.ctx.state[name].type)
        case t.Local(name, type):
            return Spot(frame.work.places[(frame.rule.name, name)], (), type)
        case t.FieldOf(value, position):
            whole = spot(frame, value)
            assert isinstance(whole.type, t.TTuple | t.TRecord)
            return whole.part(shapes.part_names(whole.type)[position], components(whole.type)[position])
        case t.IndexOf(value, key):
            return _item(spot(frame, value), frame.scope.expr(key))
    raise AssertionError("the checker lets only variables be written")


def _item(whole: Spot, key: Expr) -> Spot:
    match whole.type:
        case t.TMap(_, value):
            return whole.at(key, value)
        case t.TList(item, _):
            used = build.compare("<", key, Read(f"{whole.slot}.size", whole.index))
            inside = build.both(build.compare(">=", key, build.ZERO), used)
            return whole.at(build.ite(inside, key, Const(-1)), item)
        case t.TSet():
            return whole.at(key, t.BOOL)
    return whole.at(key, t.TInt())


# --- variables ----------------------------------------------------------------------------------------------


def assign(frame: Frame, s: t.Assign) -> None:
    value = frame.scope.view(s.value)
    if s.declares:
        assert isinstance(s.target, t.Local)
        frame.keep(s.target, value, s.span)
        return
    target = spot(frame, s.target)
    frame.store(target.slot, target.type, target.index, value, s.span)


def update(frame: Frame, s: t.Update) -> None:
    target = spot(frame, s.target)
    value = frame.scope.expr(s.value)
    if s.operator != "append":
        number = build.ONE if s.operator == "add" else build.ZERO
        frame.set(target.slot, number, s.span, (*target.index, value))
        return
    assert isinstance(target.type, t.TList)
    size = f"{target.slot}.size"
    length = Read(size, target.index)
    room = len(frame.ctx.slots[target.slot].dims[len(target.index)].names)
    text = f"there is room for {room} and no more"
    frame.check(build.compare("<", length, Const(room)), "limit", text, s.span)
    frame.store(target.slot, target.type.item, (*target.index, length), value, s.span)
    frame.set(size, build.plus(length, build.ONE), s.span, target.index)


# --- pieces and money ---------------------------------------------------------------------------------------


def steady(frame: Frame, parts: tuple[Expr, ...], written: set[str], span: Span) -> tuple[Expr, ...]:
    """Numbers that stay what they are while the `written` slots change."""
    return tuple(
        frame.named("at", part, span) if any(r.slot in written for r in reads(part)) else part
        for part in parts
    )


def both_ends(frame: Frame, source: t.Expr, target: t.Expr, span: Span) -> tuple[Spot, Spot]:
    a, b = spot(frame, source), spot(frame, target)
    written = {a.slot, b.slot}
    a = Spot(a.slot, steady(frame, a.index, written, span), a.type)
    return a, Spot(b.slot, steady(frame, b.index, written, span), b.type)


def shift(frame: Frame, source: Read, target: Read, n: Expr, span: Span) -> None:
    """From one to the other. The second is read after the first is written: they may be the same."""
    frame.set(source.slot, build.minus(source, n), span, source.index)
    frame.set(target.slot, build.plus(target, n), span, target.index)


def move_kind(frame: Frame, s: t.MoveKind) -> None:
    if s.amount is not None and frame.scope.expr(s.amount) == build.ZERO:
        return
    source, target = both_ends(frame, s.source, s.target, s.span)
    written = {source.slot, target.slot}
    (kind,) = steady(frame, (frame.scope.expr(s.kind),), written, s.span)
    if s.amount is None:
        amount = frame.named("n", source.kind(kind), s.span)
    else:
        wanted = frame.scope.expr(s.amount)
        amount = _amount(frame, wanted, written, s.span)
        not_negative(frame, wanted, amount, "moved", s.span)
        _enough(frame, amount, source.kind(kind), source, s.span)
    shift(frame, source.kind(kind), target.kind(kind), amount, s.span)


def _amount(frame: Frame, amount: Expr, written: set[str], span: Span) -> Expr:
    if simple(amount) and not any(r.slot in written for r in reads(amount)):
        return amount
    return frame.named("n", amount, span)


def _enough(frame: Frame, amount: Expr, there: Expr, source: Spot, span: Span) -> None:
    frame.check(
        build.compare("<=", amount, there), "enough", f"`{source.slot}` does not hold that much", span
    )


def not_negative(frame: Frame, wanted: Expr, amount: Expr, done: str, span: Span) -> None:
    """A check of the amount that is to be `done`, unless it can be seen by what was `wanted`."""
    if not never_negative(frame, wanted):
        text = f"no less than nothing can be {done}"
        frame.check(build.compare(">=", amount, build.ZERO), "enough", text, span)


def never_negative(frame: Frame, e: Expr) -> bool:
    """Whether the look of an expression shows that it is not below 0."""
    match e:
        case Const(value):
            return value >= 0
        case Read(slot):
            low = frame.ctx.slots[slot].low
            return low is not None and low >= 0
        case Lookup(table):
            return frame.ctx.room(table)[0] >= 0
        case Ite(_, then, other) | Arith("+" | "*" | "min", then, other):
            return never_negative(frame, then) and never_negative(frame, other)
        case Arith("max", then, other):
            return never_negative(frame, then) or never_negative(frame, other)
    return False


def move_bag(frame: Frame, s: t.MoveBag) -> None:
    source, target = both_ends(frame, s.source, s.target, s.span)
    size = len(frame.ctx.slots[source.slot].dims[len(source.index)].names)
    count: Callable[[Expr], Expr] = source.kind
    if s.pieces is not None:
        bag = as_bag(frame.scope.view(s.pieces))
        _all_there(frame, bag, source, s.span)
        count = _counted(frame, bag, source, target, s.span)
    k = frame.ctx.fresh("k")
    with frame.build.collect() as body:
        amount = frame.named("n", count(Var(k)), s.span)
        if amount != build.ZERO:
            shift(frame, source.kind(Var(k)), target.kind(Var(k)), amount, s.span)
    if body:
        frame.emit(For(k, 0, size - 1, tuple(body)), s.span)


def _all_there(frame: Frame, bag: BagView, source: Spot, span: Span) -> None:
    k = frame.ctx.fresh("k")
    amount, there = bag.count(Var(k)), source.kind(Var(k))
    if amount in (there, build.ZERO):
        return
    test = build.compare("<=", amount, there)
    if not never_negative(frame, amount):
        test = build.both(build.compare(">=", amount, build.ZERO), test)
    text = f"`{source.slot}` does not hold all of that"
    frame.check(build.fold("all", k, 0, bag.size - 1, TRUE, test), "enough", text, span)


def _counted(frame: Frame, bag: BagView, source: Spot, target: Spot, span: Span) -> Callable[[Expr], Expr]:
    """The counts, kept apart when moving one kind would change how many of another are meant."""
    k = Var(frame.ctx.fresh("k"))
    own = {source.slot: source.kind(k), target.slot: target.kind(k)}
    if all(r.slot not in own or r in (source.kind(k), target.kind(k)) for r in reads(bag.count(k))):
        return bag.count
    dim = frame.ctx.slots[source.slot].dims[len(source.index)]
    kept = frame.array("moved", 0, None, dim, frame.ctx.domain_of(t.TInt()), span)
    with frame.build.collect() as body:
        frame.set(kept, bag.count(k), span, (k,))
    frame.emit(For(k.name, 0, bag.size - 1, tuple(body)), span)
    return lambda x: Read(kept, (x,))


def pay(frame: Frame, s: t.Pay) -> None:
    source, target = both_ends(frame, s.source, s.target, s.span)
    endless = source.slot in frame.ctx.unlimited
    wanted = scalar(frame.scope.expr(s.amount))
    if wanted == build.ZERO:
        return
    if s.up_to and not endless:
        wanted = build.arith("min", wanted, source.money)
    amount = _amount(frame, wanted, {source.slot, target.slot}, s.span)
    not_negative(frame, wanted, amount, "paid", s.span)
    if not (s.up_to or endless):
        _enough(frame, amount, source.money, source, s.span)
    shift(frame, source.money, target.money, amount, s.span)
