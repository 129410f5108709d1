"""Which blocks of a core follow one another, and which rules they begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.compiler.core.tree import (
    FALSE,
    Block,
    Branch,
    Chance,
    Choose,
    Core,
    Enter,
    For,
    Goto,
    If,
    Statement,
    Switch,
)


def following(block: Block) -> tuple[str, ...]:
    """The blocks that may come after a block; options that are never legal lead nowhere."""
    match block.end:
        case Goto(target) | Chance(target=target):
            return (target,)
        case Branch(_, then, other):
            return (then, other)
        case Switch(_, targets):
            return targets
        case Choose(options=options):
            return tuple(option.target for option in options if option.guard != FALSE)
        case _:
            return ()


def reachable(core: Core, start: str, avoiding: Iterable[str] = ()) -> set[str]:
    """The names of the blocks that some path comes to from `start`, itself included.

    Paths end before the blocks that they are to avoid.
    """
    seen = set(avoiding)
    waiting, found = [start], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            found.add(name)
            waiting += following(core.block[name])
    return found


def entered(body: Iterable[Statement]) -> Iterator[str]:
    """The names of the rules that begin in some statements."""
    for statement in body:
        match statement:
            case Enter(rule):
                yield rule
            case If(_, then, other):
                yield from entered((*then, *other))
            case For(body=inner):
                yield from entered(inner)
            case _:
                pass
