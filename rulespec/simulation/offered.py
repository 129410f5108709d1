"""What can happen in a configuration: its rules and options, so that what never does can be told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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

OptionName = tuple[str, str]  # the rule that asks, the option


@dataclass(frozen=True)
class Offered:
    """Rules that may be called and options that may be legal, in the order of core."""

    rules: tuple[str, ...]
    options: tuple[OptionName, ...]


def offered(core: Core) -> Offered:
    """What the configuration offers: what some path comes to, and no option whose guard is plainly false."""
    blocks = list(_reachable(core))
    entered = {rule for block in blocks for rule in _entered(block.body)}
    rules = [rule.name for rule in core.rules if rule.name in entered]
    options = dict.fromkeys(
        (option.origin.rule or block.origin.rule, option.name)
        for block in blocks
        if isinstance(block.end, Choose)
        for option in block.end.options
        if option.guard != FALSE
    )
    return Offered((*rules, *sorted(entered.difference(rules))), tuple(options))


def _reachable(core: Core) -> Iterator[Block]:
    """The blocks that some path from the start comes to, in the order of core."""
    seen: set[str] = set()
    waiting = [core.start]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += _following(core.block[name])
    return (block for block in core.blocks if block.name in seen)


def _following(block: Block) -> list[str]:
    match block.end:
        case Goto(target) | Chance(target=target):
            return [target]
        case Branch(_, then, other):
            return [then, other]
        case Switch(_, targets):
            return list(targets)
        case Choose(options=options):
            return [option.target for option in options if option.guard != FALSE]
        case _:
            return []


def _entered(body: tuple[Statement, ...]) -> Iterator[str]:
    for statement in body:
        match statement:
            case Enter(rule):
                yield rule
            case If(_, then, other):
                yield from _entered(then)
                yield from _entered(other)
            case For(body=inner):
                yield from _entered(inner)
            case _:
                pass
