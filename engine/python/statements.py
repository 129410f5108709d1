"""Core statements as Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulespec.compiler.core.tree import (
    Arith,
    Check,
    Const,
    Core,
    Enter,
    Expr,
    Fold,
    For,
    If,
    Let,
    Not,
    Origin,
    Read,
    Set,
    Slot,
    Statement,
    Var,
)
from rulespec.engine.python.expressions import indices, key_source, known, number, row_source, truth, within
from rulespec.engine.python.folds import free_variables, substitute, whole_row
from rulespec.engine.python.frame import Frame
from rulespec.engine.python.intervals import Facts, Interval, parts
from rulespec.engine.python.places import Index
from rulespec.engine.python.text import ATOM, Text, is_cheap, span
from rulespec.engine.python.writer import one_line

# Loops and branches inside one another in one function; Python takes 20 loops, and 100 levels in all.
_DEEPEST = 6


def run(frame: Frame, statements: Iterable[Statement]) -> None:
    """Writes the statements; what they bind and teach stays known to the frame."""
    for statement in statements:
        match statement:
            case Set(slot, index, value, origin):
                frame.come_to(origin)
                assign(frame, frame.core.slot[slot], index, value)
            case Let(name, value):
                text = number(frame, value)
                interval = frame.facts.interval(value)
                frame.out.append(f"{frame.bind(name, interval)} = {text.source}")
                if frame.facts.safe(value):
                    frame.facts.equate(name, value)
            case If() | For() if frame.nesting >= _DEEPEST:
                _outlined(frame, statement)
            case If():
                frame.nesting += 1
                _if(frame, statement)
                frame.nesting -= 1
            case For():
                frame.nesting += 1
                _for(frame, statement)
                frame.nesting -= 1
            case Check():
                frame.come_to(statement.origin)
                _check(frame, statement)
            case Enter(rule, origin):
                frame.come_to(origin)
                enter(frame, rule, origin)


def _outlined(frame: Frame, statement: If | For) -> None:
    """As a function of its own: Python reads loops and indentation only so deep."""
    free = list(dict.fromkeys(_free((statement,))))
    written = frozenset(slots_written((statement,)))
    inner = frame.helper(free)
    run(inner, (statement,))
    if all(line.lstrip().startswith("#") for line in inner.out.lines):
        return
    reached = inner.places.reached() + (["entered"] if frame.tally else [])
    scalars = [slot for slot in frame.core.slots if slot.name in written and not slot.dims]
    changed = [name for name in frame.places.changed(scalars) if name in reached]
    if changed:
        inner.out.append(f"return {', '.join(changed)}")
    name = frame.module.names.module("part")
    frame.module.define(name, [*reached, *(inner.variables[v] for v in free)], inner.out.lines)
    frame.places.reach(reached)
    call = f"{name}({', '.join([*reached, *(frame.variables[v] for v in free)])})"
    frame.out.append(f"{', '.join(changed)} = {call}" if changed else call)
    frame.facts.forget_all(written)


def _free(statements: Iterable[Statement], bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """Variables that statements use and that are bound outside them."""
    for statement in statements:
        match statement:
            case Set(_, index, value):
                yield from (v for e in (*index, value) for v in free_variables(e) if v not in bound)
            case Let(name, value):
                yield from (v for v in free_variables(value) if v not in bound)
                bound |= {name}
            case If(condition, then, other):
                yield from (v for v in free_variables(condition) if v not in bound)
                yield from _free(then, bound)
                yield from _free(other, bound)
            case For(variable, _, _, body):
                yield from _free(body, bound | {variable})
            case Check(condition):
                yield from (v for v in free_variables(condition) if v not in bound)
            case _:
                pass


def enter(frame: Frame, rule: str, origin: Origin) -> None:
    frame.out.comment(about_rule(frame.core, rule, origin))
    if frame.tally:
        frame.out.append(f"entered[{frame.module.counted.rules.index(rule)}] += 1")


def about_rule(core: Core, rule: str, origin: Origin) -> str:
    """Title, name, place in the source and citation of a rule, for people; "" outside rules."""
    title = next((r.title for r in core.rules if r.name == rule and r.title), rule)
    cited = f" {origin.citation}" if origin.citation else ""
    line = f", line {origin.span.line}" if origin.span.line else ""
    return f"{title} ({rule}{line}){cited}" if rule else ""


# --- writing a slot ----------------------------------------------------------------------------------------


def assign(frame: Frame, slot: Slot, index: tuple[Expr, ...], value: Expr) -> None:
    """`slot[index] := value`, with a check of each side of the range that `value` might leave."""
    interval = frame.facts.interval(value)
    in_range = slot.low <= interval[0] and interval[1] <= slot.high
    target = Read(slot.name, index)
    added = _added(value, target)
    if not frame.facts.safe(target):
        _assign_unsure(frame, slot, index, value)
    elif added is not None and in_range:
        place = frame.places.element(slot, indices(frame, slot.dims, index, slot.name))
        frame.out.append(f"{place} {added[0]}= {number(frame, added[1]).source}")
    else:
        text = number(frame, value)
        keys = indices(frame, slot.dims, index, slot.name)
        text = checked(frame, slot, keys, text, interval)
        frame.out.append(f"{frame.places.element(slot, keys)} = {text.source}")
    _remember(frame.facts, slot, target, (max(interval[0], slot.low), min(interval[1], slot.high)))


def _assign_unsure(frame: Frame, slot: Slot, index: tuple[Expr, ...], value: Expr) -> None:
    """Where an index may fault too, everything is evaluated first: the order decides which fault it is."""
    keys: list[Text] = []
    for expr in index:
        key = number(frame, expr)
        if not isinstance(expr, Var | Const):
            name = frame.scope.fresh("at")
            frame.out.append(f"{name} = {key.source}")
            key = Text(name)
        keys.append(key)
    text = Text(frame.scope.temporary("value"))
    frame.out.append(f"{text.source} = {number(frame, value).source}")
    for key, expr, dim in zip(keys, index, slot.dims, strict=True):
        if not frame.facts.within(expr, len(dim.names)):
            frame.out.append(within(frame, key, dim, slot.name).source)
    checked(frame, slot, keys, text, frame.facts.interval(value))
    frame.out.append(f"{frame.places.element(slot, keys)} = {text.source}")


def _added(value: Expr, target: Read) -> tuple[str, Expr] | None:
    """The change, where the value is the target's own with something added or taken away."""
    match value:
        case Arith("+" | "-", left, right) if left == target:
            return value.operator, right
        case Arith("+", left, right) if right == target:
            return "+", left
        case _:
            return None


def checked(frame: Frame, slot: Slot, keys: Index, value: Text, interval: Interval) -> Text:
    """Ahead of the statement that stores it: a fault unless the value is in the slot's range."""
    if slot.low <= interval[0] and interval[1] <= slot.high:
        return value
    if value.level != ATOM or not value.source.isidentifier():
        name = frame.scope.temporary("value")
        frame.out.append(f"{name} = {value.source}")
        value = Text(name)
    if interval[0] < slot.low and interval[1] > slot.high:
        test = f"not {slot.low} <= {value.source} <= {slot.high}"
    elif interval[1] > slot.high:
        test = f"{value.source} > {slot.high}"
    else:
        test = f"{value.source} < {slot.low}"
    with frame.out.indent(f"if {test}:"):
        arguments = [value.source, str(frame.site("range", slot.name)), *(key_source(key) for key in keys)]
        about = one_line(f"{slot.name} in {slot.low}..{slot.high}")
        frame.out.append(f"leaves({', '.join(arguments)})  # {about}")
    return value


def keep(frame: Frame, slot: Slot, value: Text, interval: Interval) -> None:
    """`slot := value` for what a player or chance has decided."""
    value = checked(frame, slot, [], value, interval)
    frame.out.append(f"{frame.places.element(slot, [])} = {value.source}")
    _remember(frame.facts, slot, Read(slot.name), interval)


def _remember(facts: Facts, slot: Slot, target: Read, interval: tuple[int, int]) -> None:
    facts.forget(slot.name)
    itself = any(isinstance(e, Read) and e.slot == slot.name for i in target.index for e in parts(i))
    if not itself:
        facts.note(target, interval)


# --- the rest ----------------------------------------------------------------------------------------------


def _check(frame: Frame, check: Check) -> None:
    if known(frame, check.condition) is not True:
        failed = truth(frame, Not(check.condition)).source
        if failed != "False":
            with frame.out.indent(f"if {failed}:"):
                about = one_line(f"{check.kind}: {check.text}")
                frame.out.append(f"fault({frame.site(check.kind, check.text)})  # {about}")
    frame.facts.learn(check.condition, True)


def _if(frame: Frame, statement: If) -> None:
    test = truth(frame, statement.condition).source
    if test in ("True", "False"):
        with frame.branch(statement.condition, test == "True") as only:
            run(frame, statement.then if test == "True" else statement.other)
        frame.facts.settle([only])
        return
    with frame.branch(statement.condition, True) as then, frame.out.indent(f"if {test}:"):
        run(frame, statement.then)
    with frame.branch(statement.condition, False) as other:
        if statement.other:
            with frame.out.indent("else:"):
                run(frame, statement.other)
    frame.facts.settle([then, other])


def _for(frame: Frame, loop: For) -> None:
    rounds = loop.high - loop.low + 1
    if rounds <= 0:
        return
    if rounds == 1:
        with frame.branch() as once:
            run(frame, _all(loop.body, loop.variable, loop.low))
        frame.facts.settle([once])
        return
    if _row(frame, loop):
        return
    written = frozenset(slots_written(loop.body))
    frame.facts.forget_all(written)
    with frame.branch():
        variable = frame.bind(loop.variable, (loop.low, loop.high))
        with frame.out.indent(f"for {variable} in {span(loop.low, loop.high)}:"):
            run(frame, loop.body)


def _row(frame: Frame, loop: For) -> bool:
    """A loop that only fills a row of a slot, or copies one, written as one assignment."""
    match loop.body:
        case (Set(name, (*earlier, Var(last)), value),) if last == loop.variable:
            slot = frame.core.slot[name]
        case _:
            return False
    facts, variable = frame.facts, Var(loop.variable)
    size = len(slot.dims[-1].names)
    if (loop.low, loop.high) != (0, size - 1) or any(variable in parts(e) for e in earlier):
        return False
    low, high = facts.interval(value)
    if not (slot.low <= low and high <= slot.high and facts.safe(Read(name, (*earlier, Const(0))))):
        return False
    source = _row_of(frame, loop, slot, value)
    if source is None:
        return False
    keys = indices(frame, slot.dims[:-1], tuple(earlier), name)
    frame.out.append(f"{frame.places.row_target(slot, keys)} = {source}")
    facts.forget(name)
    return True


def _row_of(frame: Frame, loop: For, slot: Slot, value: Expr) -> str | None:
    """Source of the list that the row becomes."""
    variable, size = loop.variable, len(slot.dims[-1].names)
    read = whole_row(frame.core, Fold("sum", variable, loop.low, loop.high, None, value), value)
    if read is not None and frame.facts.safe(Read(read.slot, (*read.index[:-1], Const(0)))):
        same_size = len(frame.core.slot[read.slot].dims[-1].names) == size
        return row_source(frame, read) if same_size else None
    reads = [e for e in parts(value) if isinstance(e, Read) and e.slot == slot.name]
    if Var(variable) in parts(value) or reads or not frame.facts.safe(value):
        return None
    filler = number(frame, value)
    return f"[{', '.join([filler.source] * size)}]" if is_cheap(filler) else f"[{filler.source}] * {size}"


def slots_written(statements: Iterable[Statement]) -> Iterator[str]:
    for statement in statements:
        match statement:
            case Set(slot):
                yield slot
            case If(_, then, other):
                yield from slots_written(then)
                yield from slots_written(other)
            case For(_, _, _, body):
                yield from slots_written(body)
            case _:
                pass


def substituted(statement: Statement, variable: str, value: int) -> Statement:
    """The statement with a number for a variable that it does not bind itself."""

    def inner(e: Expr) -> Expr:
        return substitute(e, variable, value)

    match statement:
        case Set(_, index, assigned):
            return replace(statement, index=tuple(inner(e) for e in index), value=inner(assigned))
        case Let(name, bound):
            return Let(name, inner(bound))
        case If(condition, then, other):
            return If(inner(condition), _all(then, variable, value), _all(other, variable, value))
        case For(own, _, _, body):
            return statement if own == variable else replace(statement, body=_all(body, variable, value))
        case Check(condition):
            return replace(statement, condition=inner(condition))
        case _:
            return statement


def _all(statements: tuple[Statement, ...], variable: str, value: int) -> tuple[Statement, ...]:
    """A `Let` of the same name hides the variable from the statements after it."""
    result: list[Statement] = []
    for position, statement in enumerate(statements):
        result.append(substituted(statement, variable, value))
        if isinstance(statement, Let) and statement.name == variable:
            return (*result, *statements[position + 1 :])
    return tuple(result)
