"""Moves with wide ranges of numbers, listed at both ends only: a play needs one of them, not all hundred
thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rulespec.compiler.core.tree import Arith, Choose, Const, Core, Expr, Option, Param
from rulespec.engine.faults import Fault
from rulespec.engine.stepper import RawMove, Record, Stepper

WIDE = 400  # a parameter with more values is listed at its ends only
END = 60  # values that are listed at either end
SPLIT = 2  # wide parameters of one option that are listed at both ends; the others at their least values


class Moves:
    """Lists legal moves of a core: all of them, or where there are very many some, in canonical order."""

    def __init__(self, core: Core, engine: Stepper, stepper: Callable[[Core], Stepper]) -> None:
        self._engine = engine
        self._origins = {number: _origins(end) for number, end in _choices(core) if _is_wide(end)}
        self._narrow = stepper(_narrowed(core)) if self._origins else engine

    def at(self, record: Record) -> list[RawMove]:
        """Moves at a choice. Raises Fault as the engine's own list does."""
        origins = self._origins.get(record[-1])
        if origins is None:
            return self._engine.moves(record)
        try:
            found = self._narrow.moves(record)
        except Fault:
            # Nothing at either end: what is between, or the fault of the game itself.
            return self._engine.moves(record)
        return sorted({(origins[option], *values) for option, *values in found})


def _choices(core: Core) -> Iterator[tuple[int, Choose]]:
    for number, block in enumerate(core.blocks):
        if isinstance(block.end, Choose):
            yield number, block.end


def _wide(param: Param) -> bool:
    return param.most - param.least >= WIDE


def _is_wide(end: Choose) -> bool:
    return any(_wide(param) for option in end.options for param in option.params)


def _origins(end: Choose) -> tuple[int, ...]:
    """For each option of the narrowed choice the number of the one it is a part of."""
    return tuple(number for number, option in enumerate(end.options) for _ in _parts(option))


def _narrowed(core: Core) -> Core:
    blocks = [
        replace(block, end=replace(block.end, options=tuple(p for o in block.end.options for p in _parts(o))))
        if isinstance(block.end, Choose)
        else block
        for block in core.blocks
    ]
    return replace(core, blocks=tuple(blocks))


def _parts(option: Option) -> list[Option]:
    """The option with its wide parameters near their least values, and near their greatest."""
    found: list[tuple[Param, ...]] = [()]
    split = 0
    for param in option.params:
        ends: tuple[Param, ...] = (param,)
        if _wide(param):
            ends = (_low(param), _high(param)) if split < SPLIT else (_low(param),)
            split += 1
        found = [(*before, end) for before in found for end in ends]
    return [replace(option, params=params) for params in found]


def _low(param: Param) -> Param:
    most: Expr = Arith("+", param.low, Const(END - 1))
    return replace(param, high=Arith("min", param.high, most))


def _high(param: Param) -> Param:
    least: Expr = Arith("-", param.high, Const(END - 1))
    return replace(param, low=Arith("max", param.low, least))
