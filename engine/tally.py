"""How often each rule began and each option was taken: what is counted, and in which order."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.compiler.core.tree import Choose, Core, Enter
from rulespec.compiler.core.walk import statements


@dataclass(frozen=True)
class Places:
    """What a core's counts stand for.

    `rules` are the names of all rules that are entered; `options` are the number of a block that chooses
    and an option's own number there. A count of either is a list in this order.
    """

    rules: tuple[str, ...]
    options: tuple[tuple[int, int], ...]


def places(core: Core) -> Places:
    within = (statement for block in core.blocks for statement in statements(block.body))
    entered = dict.fromkeys(statement.rule for statement in within if isinstance(statement, Enter))
    return Places(
        tuple(rule.name for rule in core.rules if rule.name in entered)
        + tuple(name for name in entered if all(name != rule.name for rule in core.rules)),
        tuple(
            (number, position)
            for number, block in enumerate(core.blocks)
            if isinstance(block.end, Choose)
            for position in range(len(block.end.options))
        ),
    )
