"""Loops. A `for` goes over the values as they are when it begins.

Within one block, a `for` is a core `For`. Otherwise a counter goes through the domain, and the loop's head is
a block. Where the body could change what is gone through, or an order is asked for, the values are first put
into a queue.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulespec.compiler.core import build, domains
from rulespec.compiler.core.blocks import BlockDraft, LoopDraft
from rulespec.compiler.core.domains import Sweep
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.frame import Frame, binders
from rulespec.compiler.core.limits import ITEMS, Refused
from rulespec.compiler.core.shapes import positions
from rulespec.compiler.core.tree import (
    TRUE,
    Domain,
    Expr,
    For,
    If,
    Origin,
    Read,
    Set,
    Statement,
    Var,
)
from rulespec.compiler.core.views import View
from rulespec.compiler.core.walk import reads, sets
from rulespec.compiler.spans import Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass

_COUNT = Domain("Int")


@dataclass(frozen=True, slots=True)
class Pass:
    """What a `for` goes through: a sweep, and the condition for each of its values."""

    sweep: Sweep
    where: Expr

    @property
    def test(self) -> Expr:
        return build.both(self.sweep.inside, self.where)


def loop_for(frame: Frame, s: t.For) -> None:
    flat = frame.work.plans.flat(s, False)
    if s.order:
        _queued(frame, s, flat)
    elif flat:
        _flat(frame, s)
    else:
        _waiting(frame, s)


def _pass(frame: Frame, s: t.For, sweep: Sweep) -> Pass:
    return Pass(sweep, TRUE if s.where is None else _inner(frame, s, sweep.value).expr(s.where))


def _in_order(frame: Frame, s: t.For) -> Sweep:
    return domains.in_order(frame.scope, s.domain, s.variable.name, s.span)


def _inner(frame: Frame, s: t.For, value: Expr) -> Scope:
    """In `where` and `order`, the variable stands as a bound name."""
    return frame.scope.bind(s.variable.name, value)


def around(
    frame: Frame,
    span: Span,
    condition: Expr,
    loop: LoopDraft,
    body: Callable[[BlockDraft], None],
    stops: bool = True,
    origin: Origin | None = None,
) -> None:
    """A loop head, and `body` as long as `condition` holds there; `stop` leads out of it if `stops`.

    `origin`: where the text has this very condition, if it does.
    """
    after = frame.block("step", span)
    head = frame.block("loop", span)
    head.loop = loop
    frame.build.goto(head)
    frame.build.start(head)
    with frame.build.looping(head), frame.build.depending(condition):
        first = frame.block("step", span)
        if condition == TRUE:
            frame.build.goto(first)
        else:
            frame.build.branch(condition, first, after, span, origin)
        frame.build.start(first)
        frame.stops.extend([after] if stops else [])
        body(head)
        del frame.stops[len(frame.stops) - stops :]
        frame.build.goto(head)
    frame.build.start(after)


def claims(frame: Frame, stated: tuple[t.Expr, ...]) -> tuple[Expr, ...]:
    return tuple(frame.ctx.sized(frame.scope.expr(e), e.span) for e in stated)


def loop_while(frame: Frame, s: t.While) -> None:
    condition, inner = (TRUE, frame.scope) if s.condition is None else frame.scope.condition(s.condition)
    bound = [] if s.condition is None else binders(s.condition, inner.named)

    def body(_: BlockDraft) -> None:
        for local, view in bound:
            frame.bind(local, view, frame.work.plans.flat_list(s.body, False), s.span)
        frame.work.run(frame, s.body, False)

    loop = LoopDraft(claims(frame, s.decreasing), False, claims(frame, s.keeps))
    stated = None if s.condition is None else frame.origin(s.condition.span)
    around(frame, s.span, condition, loop, body, origin=stated)


# --- within one block ---------------------------------------------------------------------------------------


def _flat(frame: Frame, s: t.For) -> None:
    whole = _pass(frame, s, _in_order(frame, s))
    sweep = whole.sweep
    with frame.build.depending(whole.test), frame.build.collect() as body:
        frame.bind(s.variable, sweep.value, True, s.span)
        bound = frame.scope.locals[s.variable.name]
        frame.work.run(frame, s.body, False)
    # The items of a list need not differ from each other.
    repeats = isinstance(s.domain, t.Members) and isinstance(s.domain.value.type, t.TList)
    if _disturbed(body, whole, () if repeats else (Var(sweep.variable), sweep.value, bound)):
        _queued(frame, s, True)
        return
    inside: tuple[Statement, ...] = tuple(body)
    if whole.test != TRUE:
        inside = (If(whole.test, inside),)
    frame.emit(For(sweep.variable, sweep.low, sweep.high, inside), s.span)


def _disturbed(body: list[Statement], whole: Pass, marks: tuple[View, ...]) -> bool:
    """Whether the body writes what decides which values there are.

    It may write what belongs to the value at hand alone: `marks` are the ways to write that value.
    """
    written = list(sets(body))
    for read in (r for e in (whole.test, whole.sweep.value) for r in reads(e)):
        places = [n for n, part in enumerate(read.index) if part in marks]
        for target in written:
            if target.slot == read.slot and not any(target.index[n] in marks for n in places):
                return True
    return False


# --- over blocks --------------------------------------------------------------------------------------------


def _waiting(frame: Frame, s: t.For) -> None:
    """A counter goes through the domain while the rules may stop and ask."""
    survey = frame.work.plans.survey
    written = survey.written(s.body)
    read = survey.read(s.where, s.domain.value if isinstance(s.domain, t.Members) else None)
    if read.meets(written):
        _queued(frame, s, False)
        return
    name = s.variable.name
    sweep = _steady(frame, s)
    low: Expr = build.number(sweep.low)
    high: Expr = build.number(sweep.high)
    spread = frame.ctx.spreads.pop(sweep.variable, None)
    if spread is None:
        counter = frame.control(f"{name}.next", sweep.low, sweep.high + 1, _COUNT, s.span)
    else:
        sweep = replace(sweep, inside=TRUE)
        counter = frame.control(f"{name}.next", None, None, _COUNT, s.span)
        last = frame.control(f"{name}.last", None, None, _COUNT, s.span)
        frame.set(last, spread.high, s.span)
        low, high = spread.low, Read(last)
    frame.set(counter, low, s.span)
    whole = _pass(frame, s, sweep)
    here = Read(counter)
    go_on = Set(counter, (), build.plus(here, build.ONE), frame.origin(s.span))

    def body(head: BlockDraft) -> None:
        test = domains.place_at(whole.test, sweep.variable, here)
        if test != TRUE:
            take, skip = frame.block("step", s.span), frame.block("step", s.span)
            frame.build.branch(test, take, skip, s.span)
            frame.build.start(skip)
            frame.emit(go_on, s.span)
            frame.build.goto(head)
            frame.build.start(take)
        frame.keep(s.variable, domains.place_at(sweep.value, sweep.variable, here), s.span)
        frame.emit(go_on, s.span)
        with frame.build.depending(test):
            frame.work.run(frame, s.body, False)

    loop = LoopDraft((), True, claims(frame, s.keeps))
    around(frame, s.span, build.compare("<=", here, high), loop, body)


def _steady(frame: Frame, s: t.For) -> Sweep:
    """The domain in order; the seat that it starts from is kept if it may change meanwhile."""
    if not isinstance(s.domain, t.SeatsFrom):
        return _in_order(frame, s)
    survey = frame.work.plans.survey
    start = frame.scope.expr(s.domain.start)
    if survey.read(s.domain.start).meets(survey.written(s.body)):
        seats = frame.ctx.domains["Player"]
        kept = frame.control(f"{s.variable.name}.start", 0, frame.ctx.players - 1, seats, s.span)
        frame.set(kept, start, s.span)
        start = Read(kept)
    return domains.seats(frame.ctx, s.variable.name, start)


# --- by way of a queue --------------------------------------------------------------------------------------


def _queued(frame: Frame, s: t.For, flat: bool) -> None:
    queue, count, size = _fill(frame, s)
    name = s.variable.name

    def value(position: Expr) -> Expr:
        found = Read(queue, (position,))
        return build.as_truth(found) if isinstance(s.variable.type, t.TBool) else found

    if flat:
        variable = frame.ctx.fresh("n")
        inside = build.compare("<", Var(variable), Read(count))
        with frame.build.depending(inside), frame.build.collect() as made:
            frame.bind(s.variable, value(Var(variable)), True, s.span)
            frame.work.run(frame, s.body, False)
        frame.emit(For(variable, 0, size - 1, (If(inside, tuple(made)),)), s.span)
        return
    counter = frame.control(f"{name}.next", 0, size, _COUNT, s.span)
    frame.set(counter, build.ZERO, s.span)

    def body(_: BlockDraft) -> None:
        frame.keep(s.variable, value(Read(counter)), s.span)
        frame.set(counter, build.plus(Read(counter), build.ONE), s.span)
        frame.work.run(frame, s.body, False)

    loop = LoopDraft((), True, claims(frame, s.keeps))
    around(frame, s.span, build.compare("<", Read(counter), Read(count)), loop, body)


def _without_row(s: t.For) -> Refused:
    if s.order:
        text = f"a loop in an order of its own goes over at most {ITEMS} values, known before play"
        return Refused("R0518", text, s.span)
    text = f"a loop that changes what it goes over has at most {ITEMS} values, known before play"
    return Refused("R0518", text, s.span, help=("keep the end of the range in a `let` before the loop",))


def _fill(frame: Frame, s: t.For) -> tuple[str, str, int]:
    """Puts the values into the slot `x.queue`, in order; `x.count` says how many there are."""
    whole = _pass(frame, s, _in_order(frame, s))
    sweep, name, span = whole.sweep, s.variable.name, s.span
    size = sweep.high - sweep.low + 1
    if sweep.variable in frame.ctx.spreads or size > ITEMS:
        raise _without_row(s)
    domain = frame.ctx.domain_of(s.variable.type)
    low, high = (0, len(domain.names) - 1) if domain.names else (None, None)
    queue = frame.array(f"{name}.queue", low, high, positions(size), domain, span)
    count = frame.control(f"{name}.count", 0, size, _COUNT, span)
    number = sweep.value
    if isinstance(s.variable.type, t.TBool):
        number = frame.ctx.stored(number)
    with frame.build.depending(whole.test), frame.build.collect() as made:
        if s.order:
            frame.set(queue, number, span, (_rank(frame, s, whole),))
        else:
            frame.set(queue, number, span, (Read(count),))
            frame.set(count, build.plus(Read(count), build.ONE), span)
    # Places beyond the last value look the same whatever was there before.
    k = frame.ctx.fresh("k")
    rest = build.number(low if low is not None else sweep.low)
    frame.emit(For(k, 0, size - 1, (Set(queue, (Var(k),), rest, frame.origin(span)),)), span)
    how_many = sweep.fold("count", whole.where, None) if s.order else build.ZERO
    frame.set(count, how_many, span)
    inside: tuple[Statement, ...] = tuple(made)
    if whole.test != TRUE:
        inside = (If(whole.test, inside),)
    frame.emit(For(sweep.variable, sweep.low, sweep.high, inside), span)
    return queue, count, size


def _rank(frame: Frame, s: t.For, whole: Pass) -> Expr:
    """How many values come before the one at hand; equals keep the order of the domain."""
    mine = [frame.named("key", _key(frame, s, key, whole.sweep.value), key.value.span) for key in s.order]
    other = _pass(frame, s, _in_order(frame, s))
    before = build.compare("<", Var(other.sweep.variable), Var(whole.sweep.variable))
    for key, own in reversed(list(zip(s.order, mine, strict=True))):
        theirs = _key(frame, s, key, other.sweep.value)
        ahead = build.compare(">" if key.descending else "<", theirs, own)
        before = build.either(ahead, build.both(build.compare("=", theirs, own), before))
    return frame.ctx.sized(other.sweep.fold("count", build.both(other.where, before), None), s.span)


def _key(frame: Frame, s: t.For, key: t.OrderKey, value: Expr) -> Expr:
    found = _inner(frame, s, value).expr(key.value)
    return frame.ctx.stored(found) if isinstance(key.value.type, t.TBool) else found
