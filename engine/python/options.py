"""The legal moves of a choice and the outcomes of chance, written out as loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rulespec.compiler.core.tree import Arith, Chance, Choose, Const, Expr, Option, Param
from rulespec.engine.python.expressions import number, truth
from rulespec.engine.python.frame import Frame
from rulespec.engine.python.intervals import Interval
from rulespec.engine.python.text import SUM, TERNARY, Text, span, wrap

NO_MOVE = "somebody is asked who has no legal move"
NOTHING = "chance decides where nothing is possible"


def write_moves(frame: Frame, choose: Choose, add: Callable[[int, list[str]], None]) -> None:
    """For each legal move in canonical order, what `add` writes for its option's number and parameters."""
    for position, option in enumerate(choose.options):
        with frame.branch():
            frame.origin = option.origin
            write_option(frame, option, partial(add, position))


def write_option(
    frame: Frame, option: Option, add: Callable[[list[str]], None], values: tuple[str, ...] = ()
) -> None:
    """Loops over the parameters from number `len(values)` on, around what `add` writes for their values."""
    if len(values) < len(option.params):
        param = option.params[len(values)]
        low, stop = write_range(frame, param)
        with frame.branch():
            variable = frame.bind(param.name, (param.least, param.most))
            with frame.out.indent(f"for {variable} in {_range(low, stop)}:"):
                write_option(frame, option, add, (*values, variable))
        return
    with asked(frame, option.guard) as possible:
        if possible:
            add(list(values))


@contextmanager
def asked(frame: Frame, guard: Expr) -> Iterator[bool]:
    """Inside, the guard holds; yields False where it never can."""
    test = truth(frame, guard).source
    if test in ("True", "False"):
        yield test == "True"
        return
    with frame.branch(guard, True), frame.out.indent(f"if {test}:"):
        yield True


def write_range(frame: Frame, param: Param) -> tuple[Text, Text]:
    """The first value of a parameter and the one after the last; both may be evaluated once only.

    Ahead of them goes a fault if there is a value and one is outside `least..most`.
    """
    low, high = frame.facts.interval(param.low), frame.facts.interval(param.high)
    if low[0] >= param.least and high[1] <= param.most:
        return number(frame, param.low), number(frame, Arith("+", param.high, Const(1)))
    first, last = frame.scope.fresh("low"), frame.scope.fresh("high")
    frame.out.append(f"{first} = {number(frame, param.low).source}")
    frame.out.append(f"{last} = {number(frame, param.high).source}")
    site = frame.site("parameter", f"`{param.name}` in ", "..", f" leaves {param.least}..{param.most}")
    with frame.out.indent(f"if {first} <= {last} and ({first} < {param.least} or {last} > {param.most}):"):
        frame.out.append(f"fault({site}, {first}, {last})")
    return Text(first), Text(f"{last} + 1", SUM)


def _range(low: Text, stop: Text) -> str:
    return f"range({stop.source})" if low.source == "0" else f"range({low.source}, {wrap(stop, TERNARY)})"


def weight_range(frame: Frame, chance: Chance) -> Interval:
    """The range of the weights of all outcomes."""
    with frame.branch() as facts:
        facts.bind("outcome", (chance.low, chance.high))
        return facts.interval(chance.weight)


def write_outcomes(frame: Frame, chance: Chance) -> None:
    """The body of a function that returns [(outcome, weight above 0), ...]."""
    low, high = weight_range(frame, chance)
    few = chance.high - chance.low < 64
    if low == high and low > 0 and frame.facts.safe(chance.weight) and few:
        frame.out.append(f"return {[(outcome, low) for outcome in range(chance.low, chance.high + 1)]}")
        return
    found, weight = frame.scope.fresh("outcomes"), frame.scope.fresh("weight")
    frame.out.append(f"{found} = []")
    with frame.branch():
        outcome = frame.bind("outcome", (chance.low, chance.high))
        with frame.out.indent(f"for {outcome} in {span(chance.low, chance.high)}:"):
            frame.out.append(f"{weight} = {number(frame, chance.weight).source}")
            if low < 0:
                site = frame.site("chance", "outcome ", " has the weight ", "")
                with frame.out.indent(f"if {weight} < 0:"):
                    frame.out.append(f"fault({site}, {outcome}, {weight})")
            with frame.out.indent(f"if {weight}:"):
                frame.out.append(f"{found}.append(({outcome}, {weight}))")
    with frame.out.indent(f"if not {found}:"):
        frame.out.append(f"fault({frame.site('chance', NOTHING)})")
    frame.out.append(f"return {found}")
