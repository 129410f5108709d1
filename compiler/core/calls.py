"""Calls of rules. A small rule that does not wait is written out; any other is lowered once and gone to."""

from __future__ import annotations

from dataclasses import replace

from rulespec.compiler.core import layout, shapes
from rulespec.compiler.core.blocks import BlockDraft
from rulespec.compiler.core.context import SlotDraft
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.frame import Frame, Routine, Work, prefix
from rulespec.compiler.core.survey import nodes
from rulespec.compiler.core.tree import Const, Domain, Enter, Origin, Set, Switch
from rulespec.compiler.core.views import View
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t


def call(frame: Frame, s: t.CallRule) -> View | None:
    """The rule's result, to be taken before anything else is called."""
    arguments = [frame.scope.view(a) for a in s.arguments]
    if frame.work.plans.inlined(s.rule):
        return _write_out(frame, s, arguments)
    go(frame, s.rule, arguments, s.span)
    return result(frame.work, s.rule)


def give(frame: Frame, value: View, span: Span) -> None:
    """Puts a rule's result where its caller finds it."""
    type = frame.rule.result
    assert type is not None
    frame.store(_result_slot(frame.work, frame.rule), type, (), value, span)


def result(work: Work, rule: str) -> View | None:
    found = work.ctx.rules[rule]
    if found.result is None:
        return None
    return shapes.read(work.ctx, _result_slot(work, found), found.result)


def _result_slot(work: Work, rule: t.Rule) -> str:
    assert rule.result is not None
    key = (rule.name, "result!")
    if key not in work.places:
        wanted = f"{prefix(rule.name)}.result"
        origin = Origin(rule.span, rule.base, rule.citation)
        work.places[key] = layout.declare_local(work.ctx, wanted, rule.result, origin)
    return work.places[key]


# --- written out --------------------------------------------------------------------------------------------


def _write_out(frame: Frame, s: t.CallRule, arguments: list[View]) -> View | None:
    plan = frame.work.plans.of(s.rule)
    inner = Frame(frame.work, plan, Scope(frame.ctx), None)
    for parameter, argument in zip(plan.rule.parameters, arguments, strict=True):
        inner.bind(parameter, argument, True, s.span)
    _begin(inner, (frame.origin(s.span),))
    found = _single_result(inner)
    if found is None:
        inner.work.run(inner, plan.body, True)
        found = result(frame.work, s.rule)
    _ensure(inner, found)
    return found


def _single_result(frame: Frame) -> View | None:
    """The result of a rule whose only `return` is its last statement, without a slot for it."""
    *body, last = frame.plan.body or (None,)
    if not isinstance(last, t.Return) or last.value is None or frame.rule.result is None:
        return None
    if any(isinstance(node, t.Return) for node in nodes(tuple(body))):
        return None
    frame.work.run(frame, frame.plan.body[:-1], False)
    local = t.Local("result", frame.rule.result, last.span)
    frame.bind(local, frame.scope.view(last.value), True, last.span)
    return frame.scope.locals["result"]


def _begin(frame: Frame, sites: tuple[Origin, ...]) -> None:
    rule = frame.rule
    frame.emit(Enter(rule.base, frame.origin(rule.span), sites), rule.span)
    for claim in frame.rule.requires:
        text = f"`{rule.base}` is called where what it requires does not hold"
        frame.check(frame.scope.expr(claim), "requires", text, claim.span)


def _ensure(frame: Frame, found: View | None) -> None:
    if found is not None:
        frame.scope.locals["result"] = found
    for claim in frame.rule.ensures:
        text = f"`{frame.rule.base}` ends without what it ensures"
        frame.check(frame.scope.expr(claim), "ensures", text, claim.span)


# --- gone to ------------------------------------------------------------------------------------------------


def go(frame: Frame, rule: str, arguments: list[View], span: Span) -> None:
    """Ends the block with a call; what comes next is in the block that the rule returns to."""
    routine = _routine(frame.work, rule)
    callee = Frame(frame.work, routine.plan, Scope(frame.ctx), routine.exit)
    for parameter, argument in zip(routine.plan.rule.parameters, arguments, strict=True):
        callee.place(parameter.name, parameter.type, parameter.span)
        slot = frame.work.places[(rule, parameter.name)]
        frame.store(slot, parameter.type, (), argument, span)
    after = frame.block("step", span)
    frame.emit(Set(routine.back, (), Const(len(routine.sites)), frame.origin(span)), span)
    routine.sites.append(after.key)
    routine.calls.append(frame.origin(span))
    frame.build.goto(routine.entry)
    frame.build.start(after)


def _routine(work: Work, rule: str) -> Routine:
    if rule not in work.routines:
        plan = work.plans.of(rule)
        origin = Origin(plan.rule.span, plan.rule.base, plan.rule.citation)
        back = work.ctx.claim(f"{prefix(rule)}.return")
        work.ctx.slots[back] = SlotDraft(back, 0, 0, (), Domain("call"), "control", origin=origin)
        entry, exit = _block(work, rule, origin), _block(work, rule, origin)
        routine = Routine(plan, entry, exit, back)
        work.routines[rule] = routine
        work.waiting.append(routine)
    return work.routines[rule]


def _block(work: Work, rule: str, origin: Origin) -> BlockDraft:
    """A block of another rule than the one at hand, outside its loops."""
    build = work.build
    kept = build.rule, build.under, build.loops
    build.rule, build.under, build.loops = prefix(rule), [], []
    block = build.new("step", origin)
    build.rule, build.under, build.loops = kept
    return block


def lower(work: Work, routine: Routine) -> None:
    """The blocks of a rule from its entry to its exit."""
    plan = routine.plan
    work.build.rule, work.build.under, work.build.loops = prefix(plan.rule.name), [], []
    frame = Frame(work, plan, Scope(work.ctx), routine.exit)
    work.build.start(routine.entry)
    for parameter in plan.rule.parameters:
        frame.place(parameter.name, parameter.type, parameter.span)
    _begin(frame, ())
    work.run(frame, plan.body, True)
    work.build.goto(routine.exit)
    work.build.start(routine.exit)
    _ensure(frame, result(work, plan.rule.name))
    work.build.end(Switch(routine.back, ()))


def settle_returns(work: Work) -> None:
    """Fills in where each rule is called from and returns to, now that all calls are known."""
    for routine in work.routines.values():
        first = routine.entry.body[0]
        assert isinstance(first, Enter)
        routine.entry.body[0] = replace(first, sites=tuple(routine.calls))
        routine.exit.end = Switch(routine.back, tuple(routine.sites))
        work.ctx.slots[routine.back].high = max(0, len(routine.sites) - 1)
