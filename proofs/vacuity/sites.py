"""The places of the text that a play may come by, and games that note in a slot of their own which it did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulespec.compiler.core.tree import (
    TRUE,
    And,
    Block,
    Branch,
    Choose,
    Const,
    Core,
    Domain,
    Enter,
    For,
    Goto,
    If,
    Not,
    Option,
    Origin,
    Set,
    Slot,
    Statement,
)
from rulespec.compiler.core.walk import statements
from rulespec.compiler.spans import Span

SEEN = "vacuity.seen"  # the last slot, so that no other moves

# What happens there (see `Passage`), and where. A rule written out in several places is one all the same.
Key = tuple[str, Span]


def key(kind: str, origin: Origin) -> Key:
    return kind, origin.span


def sites(core: Core) -> dict[Key, Origin]:
    """All that core has of the text: rules, both outcomes of conditions, options, and that their `when` keeps
    them back.
    """
    found: dict[Key, Origin] = {}
    for block in core.blocks:
        for kind, origin in (*_of_statements(block.body), *_of_end(block)):
            if origin != Origin():
                found.setdefault(key(kind, origin), origin)
    return found


def _of_statements(body: Iterable[Statement]) -> Iterator[tuple[str, Origin]]:
    for statement in statements(body):
        match statement:
            case Enter(_, origin):
                yield "rule", origin
            case If(origin=origin):
                yield from (("then", origin), ("other", origin))


def _of_end(block: Block) -> Iterator[tuple[str, Origin]]:
    match block.end:
        case Branch(origin=origin):
            yield from (("then", origin), ("other", origin))
        case Choose(_, options):
            for option in options:
                yield "option", option.origin
                if option.guard != option.unasked:
                    yield "kept back", option.origin


def probed(core: Core) -> tuple[Core, tuple[Key, ...]]:
    """`core` that notes in `SEEN` what a play comes by, at the place of its key in the list.

    Moves, outcomes and the numbers of blocks are those of `core`; what keeps an option back leaves no note.
    """
    keys = tuple(sites(core))
    probe = _Probe({k: n for n, k in enumerate(keys)})
    blocks = [probe.block(block) for block in core.blocks]
    places = Domain("place", 0, tuple(str(n) for n in range(max(1, len(keys)))))
    slot = Slot(SEEN, 0, 1, (places,), role="control", initial=(0,) * len(places.names))
    return replace(core, slots=(*core.slots, slot), blocks=(*blocks, *probe.added)), keys


class _Probe:
    def __init__(self, number: dict[Key, int]) -> None:
        self.number = number
        self.added: list[Block] = []

    def note(self, kind: str, origin: Origin) -> tuple[Statement, ...]:
        number = self.number.get(key(kind, origin))
        return () if number is None else (Set(SEEN, (Const(number),), Const(1)),)

    def block(self, block: Block) -> Block:
        body = self.statements(block.body)
        match block.end:
            case Branch(then=then, other=other, origin=origin) as end if origin != Origin():
                then = self.on_the_way(block, "then", origin, then)
                other = self.on_the_way(block, "other", origin, other)
                return replace(block, body=body, end=replace(end, then=then, other=other))
            case Choose(_, options) as end:
                told = tuple(
                    replace(o, target=self.on_the_way(block, "option", o.origin, o.target)) for o in options
                )
                return replace(block, body=body, end=replace(end, options=told))
        return replace(block, body=body)

    def on_the_way(self, block: Block, kind: str, origin: Origin, target: str) -> str:
        """A block of its own between `block` and `target`, that leaves a note."""
        name = f"{block.name}'{len(self.added)}"
        self.added.append(Block(name, self.note(kind, origin), Goto(target)))
        return name

    def statements(self, body: Iterable[Statement]) -> tuple[Statement, ...]:
        result: list[Statement] = []
        for statement in body:
            match statement:
                case Enter(_, origin):
                    result += [statement, *self.note("rule", origin)]
                case If(_, then, other, origin, turned):
                    kinds = ("other", "then") if turned else ("then", "other")
                    yes = (*self.note(kinds[0], origin), *self.statements(then))
                    no = (*self.note(kinds[1], origin), *self.statements(other))
                    result.append(replace(statement, then=yes, other=no))
                case For(_, _, _, inner):
                    result.append(replace(statement, body=self.statements(inner)))
                case _:
                    result.append(statement)
        return tuple(result)


def opposed(core: Core) -> Core:
    """`core` that offers what only an option's own `when` keeps back, and one move more at each choice.

    For looking at what is offered, not for playing.
    """
    return replace(core, blocks=tuple(_opposed(block) for block in core.blocks))


def _opposed(block: Block) -> Block:
    if not isinstance(block.end, Choose):
        return block
    options = tuple(
        replace(o, guard=And((o.unasked, Not(o.guard)))) for o in block.end.options if o.guard != o.unasked
    )
    nothing = Option("", (), TRUE, (), block.end.options[0].target)
    return replace(block, end=replace(block.end, options=(*options, nothing)))
