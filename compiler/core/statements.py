"""Statements of a rule, one after the other."""

from __future__ import annotations

from rulespec.compiler.core import build, calls, chance, choices, loops, moves
from rulespec.compiler.core.frame import Frame, binders
from rulespec.compiler.core.plan import Body
from rulespec.compiler.core.tree import Expr, If, Truth
from rulespec.compiler.core.views import TupleView, View
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t


def run(frame: Frame, body: Body, tail: bool) -> None:
    """Lowers `body`; `tail` says that nothing of the rule follows it."""
    plans = frame.work.plans
    flat_from = len(body)  # from here on, all lies within one block
    while flat_from > 0 and plans.flat(body[flat_from - 1], tail and flat_from == len(body)):
        flat_from -= 1
    for position, s in enumerate(body):
        flat = frame.build.collecting or flat_from <= position + 1
        frame.ctx.tick(s.span)
        _statement(frame, s, tail and position == len(body) - 1, flat)


def _statement(frame: Frame, s: t.Statement, tail: bool, flat: bool) -> None:
    """`flat`: what follows in this list lies within this block too."""
    match s:
        case t.Let(targets, value):
            take(frame, targets, frame.scope.view(value), flat, s.span)
        case t.Assign():
            moves.assign(frame, s)
        case t.Update():
            moves.update(frame, s)
        case t.MoveKind():
            moves.move_kind(frame, s)
        case t.MoveBag():
            moves.move_bag(frame, s)
        case t.Pay():
            moves.pay(frame, s)
        case t.Draw():
            chance.draw(frame, s)
        case t.Random():
            chance.random(frame, s)
        case t.If():
            _if(frame, s, tail)
        case t.For():
            loops.loop_for(frame, s)
        case t.While():
            loops.loop_while(frame, s)
        case t.Stop():
            frame.build.goto(frame.stops[-1])
        case t.Return():
            _return(frame, s, tail)
        case t.Assert(condition, text):
            frame.check(frame.scope.expr(condition), "assert", text, s.span)
        case t.CallRule():
            result = calls.call(frame, s)
            if s.targets:
                assert result is not None
                take(frame, s.targets, result, flat, s.span)
        case t.Choose():
            choices.choose(frame, s, tail)
        case t.AtOnce():
            choices.at_once(frame, s)


def take(frame: Frame, targets: tuple[t.Local, ...], value: View, flat: bool, span: Span) -> None:
    """Binds one local, or several to a tuple's parts."""
    if len(targets) == 1:
        frame.bind(targets[0], value, flat, span)
        return
    assert isinstance(value, TupleView)
    for target, item in zip(targets, value.items, strict=True):
        frame.bind(target, item, flat, span)


def _return(frame: Frame, s: t.Return, tail: bool) -> None:
    if s.value is not None and frame.rule.result is not None:
        calls.give(frame, frame.scope.view(s.value), s.span)
    if not tail:
        assert frame.exit is not None, "a rule that is written out returns at its end only"
        frame.build.goto(frame.exit)


# --- if -----------------------------------------------------------------------------------------------------


def _if(frame: Frame, s: t.If, tail: bool) -> None:
    condition, inner = frame.scope.condition(s.condition)
    bound = binders(s.condition, inner.named)
    flat = frame.work.plans.flat(s, tail)
    if isinstance(condition, Truth):
        if condition.value:
            _enter(frame, bound, flat or frame.build.collecting, s.span)
        run(frame, s.then if condition.value else s.other, tail)
    elif flat:
        _flat_if(frame, s, condition, bound, tail)
    else:
        _waiting_if(frame, s, condition, bound, tail)


def _enter(frame: Frame, bound: list[tuple[t.Local, View]], flat: bool, span: Span) -> None:
    for local, view in bound:
        frame.bind(local, view, flat, span)


def _flat_if(frame: Frame, s: t.If, condition: Expr, bound: list[tuple[t.Local, View]], tail: bool) -> None:
    with frame.build.collect() as then:
        _enter(frame, bound, True, s.span)
        run(frame, s.then, tail)
    with frame.build.collect() as other:
        run(frame, s.other, tail)
    if then or other:
        turned = not then
        test = build.negate(condition) if turned else condition
        origin = frame.origin(s.condition.span)
        yes, no = (other, then) if turned else (then, other)
        frame.emit(If(test, tuple(yes), tuple(no), origin, turned), s.span)


def _waiting_if(
    frame: Frame, s: t.If, condition: Expr, bound: list[tuple[t.Local, View]], tail: bool
) -> None:
    after = frame.block("step", s.span)
    with frame.build.depending(condition):
        then, other = frame.block("step", s.span), frame.block("step", s.span)
    frame.build.branch(condition, then, other, s.span, frame.origin(s.condition.span))
    with frame.build.depending(condition):
        frame.build.start(then)
        _enter(frame, bound, frame.work.plans.flat_list(s.then, tail), s.span)
        run(frame, s.then, tail)
        frame.build.goto(after)
    with frame.build.depending(condition):
        frame.build.start(other)
        run(frame, s.other, tail)
        frame.build.goto(after)
    frame.build.start(after)
