"""Conditions on a record as one Python function, for those who ask the same of very many records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulespec.compiler.core.tree import Core, Expr, Origin
from rulespec.engine.python.emit import about, assemble
from rulespec.engine.python.expressions import number, strict_truth
from rulespec.engine.python.frame import Frame, Module
from rulespec.engine.python.intervals import Facts
from rulespec.engine.python.load import load
from rulespec.engine.python.writer import Writer
from rulespec.engine.stepper import Record


def conditions(
    core: Core, asked: Sequence[Expr], origins: Sequence[Origin] = ()
) -> Callable[[Record], list[bool]]:
    """A function that tells of a record which of the conditions hold, in their order.

    `asked` are truth values over the record without free variables. Where one has no value for a record, the
    function raises a `Fault` with the condition's origin, if it has one, and "" for the block.
    """
    holds: Callable[[Record], list[bool]] = _compiled(core, asked, origins, strict_truth)
    return holds


def numbers(
    core: Core, asked: Sequence[Expr], origins: Sequence[Origin] = ()
) -> Callable[[Record], list[int]]:
    """The same for expressions that are numbers."""
    values: Callable[[Record], list[int]] = _compiled(core, asked, origins, _number)
    return values


def _number(frame: Frame, expr: Expr) -> str:
    return number(frame, expr).source


def _compiled(
    core: Core, asked: Sequence[Expr], origins: Sequence[Origin], source: Callable[[Frame, Expr], str]
) -> Any:
    module = Module(core)
    out = Writer()
    with out.define("holds", "r"):
        out.append("return [")
        for position, expr in enumerate(asked):
            origin = origins[position] if position < len(origins) else Origin()
            scope = module.names.scope()
            frame = Frame(module, scope, module.places, out, Facts(core), origin, "")
            out.append(f"    {source(frame, expr)},")
        out.append("]")
    return load(core, assemble(module, about(core), out.lines))["holds"]
