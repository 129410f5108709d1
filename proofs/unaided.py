"""A core as if its rulebook gave no help with proofs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulespec.compiler.core.tree import Block, Check, Core, For, If, Statement

HELP = ("requires", "ensures")  # kinds of checks that are only there for a reader and a proof


def unaided(core: Core) -> Core:
    """The core without measures, `keeps`, `requires`, `ensures` and hints.

    Its plays are the same, but for faults that only these checks make. What is claimed about what was taken
    away is claimed no more; every other claim stays, by the same name.
    """
    return replace(core, blocks=tuple(_block(each) for each in core.blocks), hints=())


def _block(block: Block) -> Block:
    loop = None if block.loop is None else replace(block.loop, measure=(), keeps=())
    return replace(block, body=_without_help(block.body), loop=loop)


def _without_help(body: Iterable[Statement]) -> tuple[Statement, ...]:
    left: list[Statement] = []
    for statement in body:
        match statement:
            case Check(kind=kind) if kind in HELP:
                continue
            case If(condition, then, other):
                left.append(If(condition, _without_help(then), _without_help(other)))
            case For(variable, low, high, inner):
                left.append(For(variable, low, high, _without_help(inner)))
            case _:
                left.append(statement)
    return tuple(left)
