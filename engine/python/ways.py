"""The moves of an option, each with what is left to be asked once the values of its parameters are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from rulespec.compiler.core.tree import FALSE, TRUE, And, Const, Core, Expr, Fold, Option, Read
from rulespec.engine.python.expressions import known
from rulespec.engine.python.folds import asked_row, effort
from rulespec.engine.python.frame import Frame
from rulespec.engine.python.options import asked
from rulespec.engine.python.reduce import Names, Reducer, size

# Moves and expressions that are written out, and so many expressions in any case.
_MOST = 256
_LARGEST = 4_000
_SMALL = 120


@dataclass(frozen=True)
class Way:
    """The values of a move's parameters and the questions that must all be answered yes for it."""

    values: tuple[int, ...]
    questions: tuple[Expr, ...]


def written_out(core: Core, option: Option) -> list[Way] | None:
    """All moves in canonical order, unless that is too much to write for what it saves."""
    ways: list[Way] = []
    total = looked_at = 0
    for way in _ways(Reducer(core, writes_out=True), option, option.guard, {}):
        looked_at += 1
        if way is None or looked_at > _MOST:
            return None
        if way.questions != (FALSE,):
            ways.append(way)
            total += sum(map(size, way.questions))
        if total > _LARGEST:
            return None
    return ways if total <= max(_SMALL, looked_at * effort(option.guard) // 2) else None


def _ways(reducer: Reducer, option: Option, guard: Expr, chosen: Names) -> Iterator[Way | None]:
    """None where a parameter's limits are not known beforehand."""
    if len(chosen) == len(option.params):
        questions = guard.items if isinstance(guard, And) else () if guard == TRUE else (guard,)
        yield Way(tuple(chosen.values()), questions)
        return
    param = option.params[len(chosen)]
    low, high = reducer.expr(param.low, chosen), reducer.expr(param.high, chosen)
    if not (isinstance(low, Const) and isinstance(high, Const)):
        yield None
        return
    if low.value <= high.value and (low.value < param.least or high.value > param.most):
        yield None
        return
    for value in range(low.value, high.value + 1):
        inside = {**chosen, param.name: value}
        yield from _ways(reducer, option, reducer.expr(guard, inside), inside)


def write_ways(frame: Frame, ways: list[Way], add: Callable[[tuple[int, ...]], None]) -> None:
    """What `add` writes for each move, inside its questions; what several ask first is asked once."""
    for first, group in groupby(ways, key=lambda way: way.questions[:1]):
        same = list(group)
        if not first:
            for way in same:
                add(way.values)
            continue
        whole = same[0].questions if len(same) == 1 else first
        with asked(frame, And(whole) if len(whole) > 1 else whole[0]) as possible:
            if possible:
                write_ways(frame, [replace(w, questions=w.questions[len(whole) :]) for w in same], add)


def row_of_moves(frame: Frame, option: Option) -> tuple[Read, int] | None:
    """The row, and the number to be found in it, where each place that holds it is a move of the option."""
    if len(option.params) != 1:
        return None
    param = option.params[0]
    if not (isinstance(param.low, Const) and isinstance(param.high, Const)):
        return None
    with frame.branch() as facts:
        facts.bind(param.name, (param.low.value, param.high.value))
        items = option.guard.items if isinstance(option.guard, And) else (option.guard,)
        left = [item for item in items if known(frame, item) is not True]
    if len(left) != 1:
        return None
    fold = Fold("count", param.name, param.low.value, param.high.value, left[0], None)
    found = asked_row(frame.core, fold, left[0])
    if found is None:
        return None
    row, same, value = found
    slot = frame.core.slot[row.slot]
    if same:
        return row, value
    return (row, slot.low + slot.high - value) if slot.high - slot.low == 1 else None
