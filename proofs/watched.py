"""Games that show more of themselves than the rules' own: where loops begin anew, and what they keep.

In both the moves and their outcomes are those of the game itself. Blocks that are cut in two keep their name
for the first part.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from rulespec.compiler.core.tree import Block, Chance, Const, Core, Domain, Goto, If, Not, Set, Slot

HEAD = "proof.head"  # the last slot, so that no other moves
NOTE = "proof.note."
AFTER = "'"  # behind a head's name, the rest of its block


def watched(core: Core) -> Core:
    """`core` with a wait at each loop's head, so that plays show every control point.

    The added waits are chances with one outcome. Random draws are not spent on them, so the plays are those
    of the game itself. While the game waits at the head with number n (in the order of the blocks), the slot
    `HEAD` is n, else -1.
    """
    blocks: list[Block] = []
    numbers = {name: n for n, name in enumerate(b.name for b in core.blocks if b.loop is not None)}
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


def noted(core: Core, without: Collection[str] = ()) -> tuple[Core, dict[str, str]]:
    """`core` that notes in slots of its own what loops do not keep, and the head's block for each such slot.

    A note is 0, and 1 once what it is about did not hold at the head. Heads in `without` note nothing.
    """
    blocks: list[Block] = []
    notes: dict[str, str] = {}
    for block in core.blocks:
        if block.loop is None or not block.loop.keeps or block.name in without:
            blocks.append(replace(block, loop=None))
            continue
        body: list[If] = []
        for kept in block.loop.keeps:
            note = f"{NOTE}{len(notes)}"
            notes[note] = block.name
            body.append(If(Not(kept), (Set(note, (), Const(1)),)))
        rest = block.name + AFTER
        blocks.append(replace(block, body=tuple(body), end=Goto(rest), loop=None))
        blocks.append(replace(block, name=rest, loop=None))
    slots = tuple(Slot(note, 0, 1, role="control") for note in notes)
    return replace(core, slots=(*core.slots, *slots), blocks=tuple(blocks)), notes
