"""A game that also waits at each loop's head, so that plays show every control point.

The added waits are chances with one outcome. Random draws are not spent on them, so the plays are those of
the game itself.
"""

from __future__ import annotations

from dataclasses import replace

from rulespec.compiler.core.tree import Block, Chance, Const, Core, Domain, Slot

HEAD = "proof.head"  # the slot that the added chances set; the last, so that no other moves
AFTER = "'"  # behind a head's name, the rest of its block


def watched(core: Core) -> Core:
    """`core` with a wait at each loop's head."""
    blocks: list[Block] = []
    for block in core.blocks:
        if block.loop is None:
            blocks.append(block)
            continue
        rest = block.name + AFTER
        wait = Chance(HEAD, 0, 0, Const(1), Const(-2), rest, Domain("Int"))
        blocks.append(replace(block, body=(), end=wait, loop=None))
        blocks.append(replace(block, name=rest, loop=None))
    slot = Slot(HEAD, 0, 0, role="control")
    return replace(core, slots=(*core.slots, slot), blocks=tuple(blocks))
