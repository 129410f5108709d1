"""Edits of a core, as of somebody who changes the rules: one at a time, at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from rulespec.compiler.core.check import check, successors
from rulespec.compiler.core.tree import (
    TRUE,
    Arith,
    Block,
    Branch,
    Check,
    Choose,
    Compare,
    Const,
    Core,
    Goto,
    Not,
    Option,
    Read,
    Set,
    Slot,
)

NEW = "new"


def edits(core: Core, rng: random.Random, number: int) -> Iterator[Core]:
    """Other cores, each well-formed and one edit away."""
    for _ in range(number):
        block = rng.choice(core.blocks)
        changed = rng.choice(EDITS)(core, block, rng)
        if changed is not None and changed != core and check(changed) == ():
            yield changed


def _with(core: Core, *blocks: Block) -> Core:
    """The core with these blocks in the place of those of the same name, or as new ones."""
    names = {b.name: b for b in blocks}
    kept = tuple(names.pop(b.name, b) for b in core.blocks)
    return replace(core, blocks=(*kept, *names.values()))


def _put_in(core: Core, block: Block, rng: random.Random) -> Core | None:
    """A statement from elsewhere, once more."""
    body = rng.choice(core.blocks).body
    plain = [s for s in body if isinstance(s, Set)]
    if not plain:
        return None
    place = rng.randint(0, len(block.body))
    return _with(core, replace(block, body=(*block.body[:place], rng.choice(plain), *block.body[place:])))


def _take_out(core: Core, block: Block, rng: random.Random) -> Core | None:
    if not block.body:
        return None
    place = rng.randrange(len(block.body))
    return _with(core, replace(block, body=block.body[:place] + block.body[place + 1 :]))


def _write_another_number(core: Core, block: Block, rng: random.Random) -> Core | None:
    places = [n for n, s in enumerate(block.body) if isinstance(s, Set)]
    if not places:
        return None
    place = rng.choice(places)
    found = block.body[place]
    assert isinstance(found, Set)
    slot = core.slot[found.slot]
    value = Arith("max", Const(slot.low), Arith("-", found.value, Const(1)))
    other = replace(found, value=value if rng.random() < 0.5 else Const(slot.high))
    return _with(core, replace(block, body=(*block.body[:place], other, *block.body[place + 1 :])))


def _ask_first(core: Core, block: Block, rng: random.Random) -> Core | None:
    """Somebody is asked where nobody was."""
    if NEW in core.block:
        return None
    option = Option("go", (), TRUE, ("goes",), block.name)
    asked = Block(NEW, (), Choose(Const(0), (option,)))
    before = [b for b in core.blocks if block.name in successors(b) and isinstance(b.end, Goto | Branch)]
    if not before:
        return _with(replace(core, start=NEW), asked) if block.name == core.start else None
    way = rng.choice(before)
    match way.end:
        case Goto():
            return _with(core, replace(way, end=Goto(NEW)), asked)
        case Branch(condition, then, other):
            then, other = (NEW if name == block.name else name for name in (then, other))
            return _with(core, replace(way, end=Branch(condition, then, other)), asked)
    return None


def _do_not_ask(core: Core, block: Block, rng: random.Random) -> Core | None:
    if not isinstance(block.end, Choose):
        return None
    return _with(core, replace(block, end=Goto(rng.choice(block.end.options).target)))


def _turn(core: Core, block: Block, rng: random.Random) -> Core | None:
    if not isinstance(block.end, Branch):
        return None
    if rng.random() < 0.5:
        return _with(core, replace(block, end=Goto(block.end.then)))
    return _with(core, replace(block, end=replace(block.end, condition=Not(block.end.condition))))


def _refuse(core: Core, block: Block, rng: random.Random) -> Core | None:
    """An option has a guard more."""
    if not isinstance(block.end, Choose) or len(block.end.options) < 2:
        return None
    scalars = [s for s in core.slots if not s.dims]
    options = list(block.end.options)
    place = rng.randrange(len(options))
    slot = rng.choice(scalars)
    options[place] = replace(options[place], guard=Compare("!=", Read(slot.name), Const(slot.low)))
    return _with(core, replace(block, end=replace(block.end, options=tuple(options))))


def _do_it_later(core: Core, block: Block, rng: random.Random) -> Core | None:
    """The last statement only after the block has ended, where it leads to one place alone."""
    after = dict.fromkeys(successors(block))
    if not block.body or len(after) != 1 or not isinstance(block.body[-1], Set):
        return None
    (name,) = after
    later = core.block[name]
    if later.loop is not None or name == block.name:
        return None
    moved = replace(later, body=(block.body[-1], *later.body))
    return _with(core, replace(block, body=block.body[:-1]), moved)


def _check_more(core: Core, block: Block, rng: random.Random) -> Core | None:
    slot: Slot = rng.choice([s for s in core.slots if not s.dims])
    more = Check(Compare("<", Read(slot.name), Const(slot.high)), "assert", "it is less")
    return _with(core, replace(block, body=(*block.body, more)))


Edit = Callable[[Core, Block, random.Random], Core | None]
EDITS: tuple[Edit, ...] = (
    _put_in,
    _take_out,
    _write_another_number,
    _ask_first,
    _do_not_ask,
    _turn,
    _refuse,
    _do_it_later,
    _check_more,
)
