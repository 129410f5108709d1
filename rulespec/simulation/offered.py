"""What can happen in a configuration: its rules and options, so that what never does can be told."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.compiler.core.tree import FALSE, Choose, Core
from rulespec.play.blocks import entered, reachable

OptionName = tuple[str, str]  # the rule that asks, the option


@dataclass(frozen=True)
class Offered:
    """Rules that may be called and options that may be legal, in the order of core."""

    rules: tuple[str, ...]
    options: tuple[OptionName, ...]


def offered(core: Core) -> Offered:
    """What the configuration offers: what some path comes to, and no option whose guard is plainly false."""
    reached = reachable(core, core.start)
    blocks = [block for block in core.blocks if block.name in reached]
    called = {rule for block in blocks for rule in entered(block.body)}
    rules = [rule.name for rule in core.rules if rule.name in called]
    options = dict.fromkeys(
        (option.origin.rule or block.origin.rule, option.name)
        for block in blocks
        if isinstance(block.end, Choose)
        for option in block.end.options
        if option.guard != FALSE
    )
    return Offered((*rules, *sorted(called.difference(rules))), tuple(options))
