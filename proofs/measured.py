"""What is measured of a game beside what its rules count: how long it takes, as numbers of the record."""

from __future__ import annotations

from dataclasses import replace

from rulespec.compiler.core.tree import Arith, Block, Chance, Choose, Const, Core, Quantity, Read, Set, Slot

CHOICES = "proof.choices"
STEPS = "proof.steps"
MOST = 1_000_000_000  # beyond any game: a ceiling that comes near it is none
LENGTHS = (
    Quantity("choices", "choices made in a game", Read(CHOICES), Read(CHOICES)),
    Quantity("steps", "choices and chances in a game", Read(STEPS), Read(STEPS)),
)


def counting(core: Core) -> Core:
    """`core` with two more slots at the end: `CHOICES` counts the choices that were asked for, `STEPS` these
    and the chances that were left to decide, the one that waits included.

    The moves and their outcomes are those of the game itself.
    """
    slots = tuple(Slot(name, 0, MOST) for name in (CHOICES, STEPS))
    return replace(core, slots=(*core.slots, *slots), blocks=tuple(map(_counted, core.blocks)))


def _counted(block: Block) -> Block:
    match block.end:
        case Choose():
            return replace(block, body=(*block.body, _up(CHOICES), _up(STEPS)))
        case Chance():
            return replace(block, body=(*block.body, _up(STEPS)))
    return block


def _up(slot: str) -> Set:
    return Set(slot, (), Arith("+", Read(slot), Const(1)))
