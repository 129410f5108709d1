"""A game that also waits at each loop's head, so that plays show every control point.

The added waits are chances with one outcome. Random draws are not spent on them, so the plays are those of
the game itself. While the game waits at the head with number n (in the order of the blocks), the slot `HEAD`
is n, else -1.
"""

from __future__ import annotations

from dataclasses import replace

from rulespec.compiler.core.tree import Block, Chance, Const, Core, Domain, Set, Slot

HEAD = "proof.head"  # the last slot, so that no other moves
AFTER = "'"  # behind a head's name, the rest of its block


def heads(core: Core) -> dict[str, int]:
    """The numbers of the loops' heads."""
    return {name: number for number, name in enumerate(b.name for b in core.blocks if b.loop is not None)}


def watched(core: Core) -> Core:
    """`core` with a wait at each loop's head."""
    blocks: list[Block] = []
    numbers = heads(core)
    for block in core.blocks:
        if block.loop is None:
            blocks.append(block)
            continue
        rest = block.name + AFTER
        here = Set(HEAD, (), Const(numbers[block.name]))
        wait = Chance(HEAD, -1, -1, Const(1), Const(-2), rest, Domain("Int"))
        blocks.append(replace(block, body=(here,), end=wait, loop=None))
        blocks.append(replace(block, name=rest, loop=None))
    slot = Slot(HEAD, -1, len(numbers), role="control", initial=(-1,))
    return replace(core, slots=(*core.slots, slot), blocks=tuple(blocks))
