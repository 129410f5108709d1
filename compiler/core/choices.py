"""Choices: one player picks an option, or all do at once without seeing each other's answers."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.compiler.core import build, domains, multisets
from rulespec.compiler.core.blocks import BlockDraft, LoopDraft
from rulespec.compiler.core.frame import Frame
from rulespec.compiler.core.loops import around
from rulespec.compiler.core.tree import (
    FALSE,
    TRUE,
    Choose,
    Const,
    Domain,
    Expr,
    For,
    Option,
    Param,
    Read,
    Set,
    Var,
)
from rulespec.compiler.core.views import View
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass

_COUNT = Domain("Int")


@dataclass(frozen=True, slots=True)
class Taken:
    """A parameter: its slot, and what its number means."""

    local: t.Local
    slot: str
    ways: str  # the table of multisets, "" for a plain value
    kinds: int

    def view(self, frame: Frame, number: Expr) -> View:
        if self.ways:
            return multisets.view(frame.ctx, self.ways, self.kinds, number)
        return build.as_truth(number) if isinstance(self.local.type, t.TBool) else number


def choose(frame: Frame, s: t.Choose, tail: bool) -> None:
    after = frame.block("step", s.span)
    ask = frame.block("choice", s.span)
    frame.build.goto(ask)
    frame.build.start(ask)
    actor = frame.scope.expr(s.actor)
    bodies: list[tuple[t.Option, BlockDraft, list[Taken]]] = []
    options: list[Option] = []
    for o in s.options:
        frame.citations.append(o.citation)
        target = frame.block("step", o.span)
        option, taken = _option(frame, o, target)
        frame.citations.pop()
        target.under = ()
        options.append(option)
        bodies.append((o, target, taken))
    frame.build.end(Choose(actor, _offered(options)))
    frame.build.announce()
    for o, target, taken in bodies:
        frame.build.start(target)
        for param in taken:
            frame.scope.locals[param.local.name] = param.view(frame, Read(param.slot))
        _carry_out(frame, o, tail)
        frame.build.goto(after)
    frame.build.start(after)


def _offered(options: list[Option]) -> tuple[Option, ...]:
    """Those that can ever be chosen; one, where there is none: a choice always has an option."""
    return tuple(o for o in options if o.guard != FALSE) or tuple(options[:1])


def _carry_out(frame: Frame, o: t.Option, tail: bool) -> None:
    frame.citations.append(o.citation)
    frame.work.run(frame, o.body, tail)
    frame.citations.pop()


def _option(frame: Frame, o: t.Option, target: BlockDraft) -> tuple[Option, list[Taken]]:
    """The option as it is offered; its parameters are variables here."""
    params: list[Param] = []
    taken: list[Taken] = []
    guards: list[Expr] = []
    for p in o.params:
        param, found, inside = _param(frame, p)
        frame.scope.locals[p.local.name] = found.view(frame, Var(param.name))
        guards.append(domains.place_at(inside, "", Var(param.name)))
        for bound in (param.low, param.high):
            frame.ctx.sized(bound, p.span)
        params.append(param)
        taken.append(found)
    unasked = build.both(*guards)
    if o.guard is not None:
        guards.append(frame.scope.expr(o.guard))
    guard = frame.ctx.sized(build.both(*guards), o.span)
    phrase = tuple(_phrase(part, taken) for part in o.phrase)
    return Option(o.name, tuple(params), guard, phrase, target.key, frame.origin(o.span), unasked), taken


def _phrase(part: str | t.Expr, taken: list[Taken]) -> str | int:
    """Text, or the number of a parameter; the checker lets nothing else stand in a phrase."""
    if isinstance(part, str):
        return part
    assert isinstance(part, t.Local)
    return [param.local.name for param in taken].index(part.name)


def _param(frame: Frame, p: t.OptionParam) -> tuple[Param, Taken, Expr]:
    """The parameter, and the test (over the variable `""`) that its value is in the domain."""
    if p.size is not None:
        return _bag_param(frame, p)
    ctx = frame.ctx
    name = ctx.fresh(p.local.name.split(".")[0])
    slot = frame.place(p.local.name, p.local.type, p.span)
    domain = ctx.domain_of(p.local.type)
    taken = Taken(p.local, slot, "", 0)
    if isinstance(p.domain, t.Numbers):
        low, high = frame.scope.expr(p.domain.low), frame.scope.expr(p.domain.high)
        if isinstance(low, Const) and isinstance(high, Const):
            ctx.swept(low.value, high.value, p.span)
        return Param(name, slot, low, high, 0, 0, domain), taken, TRUE
    if not domain.names:
        return _from_list(frame, p, Param(name, slot, build.ZERO, build.ZERO, 0, 0, domain), taken)
    most = len(domain.names) - 1
    here: Expr = build.as_truth(Var("")) if isinstance(p.local.type, t.TBool) else Var("")
    inside = domains.contains(frame.scope, p.domain, here)
    return Param(name, slot, build.ZERO, build.number(most), 0, most, domain), taken, inside


def _from_list(frame: Frame, p: t.OptionParam, param: Param, taken: Taken) -> tuple[Param, Taken, Expr]:
    """A number out of a list lies between the list's least and its greatest."""
    sweep = domains.sweep(frame.scope, p.domain, p.local.name, p.span)
    low = sweep.fold("min", TRUE, sweep.value, build.ZERO)
    high = sweep.fold("max", TRUE, sweep.value, Const(-1))
    inside = domains.contains(frame.scope, p.domain, Var(""))
    return Param(param.name, param.slot, low, high, 0, 0, param.domain), taken, inside


def _bag_param(frame: Frame, p: t.OptionParam) -> tuple[Param, Taken, Expr]:
    ctx = frame.ctx
    assert p.size is not None
    assert isinstance(p.domain, t.Members)
    size = ctx.evaluate(frame.scope.expr(p.size), p.size.span)
    place = frame.scope.view(p.domain.value)
    ways = multisets.table(ctx, p.domain.value.type, size, p.span)
    kinds = len(ctx.tables[ways.table].dims[1].names)
    name = ctx.fresh(p.local.name.split(".")[0])
    most = len(ways.domain.names) - 1
    slot = frame.control(p.local.name, 0, most, ways.domain, p.span)
    ctx.slots[slot].role = "local"
    taken = Taken(p.local, slot, ways.table, kinds)
    inside = multisets.fits(ctx, ways.table, kinds, Var(""), place)
    return Param(name, slot, build.ZERO, build.number(most), 0, most, ways.domain), taken, inside


# --- all at once --------------------------------------------------------------------------------------------


def at_once(frame: Frame, s: t.AtOnce) -> None:
    """Asks each, keeping the answers, and then carries them out, both in seat order."""
    seats = frame.ctx.domains["Player"]
    name = s.player.name
    answers = Domain("answer", -1, ("none", *(o.name for o in s.options)))
    answer = frame.array(f"{name}.answer", -1, len(s.options) - 1, seats, answers, s.span)
    frame.ctx.slots[answer].sight = "seat"
    frame.emit(_forget(frame, answer, Const(-1), s.span), s.span)
    kept: list[list[tuple[Taken, str]]] = []
    before = frame.build.current
    _each_seat(frame, s, lambda head: _ask(frame, s, answer, head, kept))
    for _, array in (found for option in kept for found in option):
        before.body.append(_forget(frame, array, Const(0), s.span))
    _each_seat(frame, s, lambda head: _carry_out_all(frame, s, answer, head, kept))


def _forget(frame: Frame, array: str, value: Const, span: Span) -> For:
    """What was answered before makes no difference."""
    k = frame.ctx.fresh("k")
    put = Set(array, (Var(k),), value, frame.origin(span))
    return For(k, 0, frame.ctx.players - 1, (put,))


def _each_seat(frame: Frame, s: t.AtOnce, body: Callable[[BlockDraft], None]) -> None:
    """Once for each seat; the local for the player is the seat at hand."""
    turn = frame.control(f"{s.player.name}.turn", 0, frame.ctx.players, _COUNT, s.span)
    frame.set(turn, build.ZERO, s.span)

    def once(head: BlockDraft) -> None:
        frame.keep(s.player, Read(turn), s.span)
        frame.set(turn, build.plus(Read(turn), build.ONE), s.span)
        body(head)

    more = build.compare("<", Read(turn), build.number(frame.ctx.players))
    around(frame, s.span, more, LoopDraft((), True, ()), once, stops=False)


def _ask(
    frame: Frame, s: t.AtOnce, answer: str, head: BlockDraft, kept: list[list[tuple[Taken, str]]]
) -> None:
    seat = Read(frame.work.places[(frame.rule.name, s.player.name)])
    ask = frame.block("choice", s.span)
    where = TRUE if s.where is None else frame.scope.bind(s.player.name, seat).expr(s.where)
    if where == TRUE:
        frame.build.goto(ask)
    else:
        frame.build.branch(where, ask, head, s.span)
    options: list[Option] = []
    for number, o in enumerate(s.options):
        frame.citations.append(o.citation)
        target = frame.block("step", o.span)
        option, taken = _option(frame, o, target)
        options.append(option)
        kept.append([(param, _array(frame, param, o.span)) for param in taken])
        frame.build.start(target)
        frame.set(answer, build.number(number), o.span, (seat,))
        for param, array in kept[-1]:
            frame.set(array, Read(param.slot), o.span, (seat,))
        frame.build.goto(head)
        frame.citations.pop()
    frame.build.start(ask)
    frame.build.end(Choose(seat, _offered(options), secret=True))


def _array(frame: Frame, param: Taken, span: Span) -> str:
    """Where the seats' values of a parameter are kept; each sees its own."""
    draft = frame.ctx.slots[param.slot]
    draft.sight = "hidden"
    seats = frame.ctx.domains["Player"]
    name = f"{param.local.name}.of"
    array = frame.array(name, draft.low, draft.high, seats, draft.domain, span)
    frame.ctx.slots[array].sight = "seat"
    return array


def _carry_out_all(
    frame: Frame, s: t.AtOnce, answer: str, head: BlockDraft, kept: list[list[tuple[Taken, str]]]
) -> None:
    seat = Read(frame.work.places[(frame.rule.name, s.player.name)])
    for number, o in enumerate(s.options):
        chosen = build.compare("=", Read(answer, (seat,)), build.number(number))
        mine, others = frame.block("step", o.span), frame.block("step", o.span)
        frame.build.branch(chosen, mine, others, o.span)
        frame.build.start(mine)
        for param, array in kept[number]:
            frame.scope.locals[param.local.name] = param.view(frame, Read(array, (seat,)))
        # Where there is but one answer, it is no secret.
        with frame.build.depending(chosen if len(s.options) > 1 else TRUE):
            _carry_out(frame, o, False)
        frame.build.goto(head)
        frame.build.start(others)
