"""Two cores of one rulebook side by side: which rules, numbers and claims came out otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Core,
    End,
    Enter,
    For,
    Goto,
    If,
    Origin,
    Set,
    Statement,
    Switch,
    Terminator,
)
from rulespec.compiler.digest import Digests


@dataclass(frozen=True)
class Differing:
    """What differs between two cores, by name.

    `rules` have other steps (`new` only in the second, `gone` only in the first, if nothing of them is left);
    `places` another range or beginning; `numbers` another value; `claims` say something else.
    """

    rules: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    numbers: tuple[tuple[str, int, int], ...] = ()
    tables: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    ranking: bool = False


class Compiled:
    """A core that was just compiled, not read from text, with hashes of what it does and claims."""

    def __init__(self, core: Core) -> None:
        self.core = core
        hashes = Digests()
        self.steps = _steps(core, hashes)
        self.claims = {claim.name: hashes.of(claim) for claim in core.properties}
        self.places = {slot.name: replace(slot, title="") for slot in core.slots if slot.role == "state"}


def differing(one: Compiled, other: Compiled) -> Differing:
    """What of the second core is not as in the first."""
    a, b = one.core, other.core
    ours, theirs = one.steps, other.steps
    names = list(dict.fromkeys((*ours, *theirs)))
    numbers = dict(b.params)
    return Differing(
        tuple(name for name in names if name in ours and name in theirs and ours[name] != theirs[name]),
        tuple(name for name in names if name not in ours),
        tuple(name for name in names if name not in theirs),
        tuple(_changed(one.places, other.places)),
        tuple((name, value, numbers[name]) for name, value in a.params if numbers.get(name, value) != value),
        tuple(_changed(a.table, b.table)),
        tuple(_changed(one.claims, other.claims)),
        a.ranking != b.ranking,
    )


def _changed(ours: Mapping[str, object], theirs: Mapping[str, object]) -> Iterator[str]:
    for name in dict.fromkeys((*ours, *theirs)):
        if ours.get(name) != theirs.get(name):
            yield name


def _steps(core: Core, hashes: Digests) -> dict[str, Counter[bytes]]:
    """What each rule does, as hashes of its steps: where they lead and in which order is left out."""
    found: dict[str, Counter[bytes]] = {}
    for block in core.blocks:
        for rule, piece in _pieces(block):
            found.setdefault(rule, Counter())[hashes.of(piece)] += 1
    found.pop("", None)
    return found


def _pieces(block: Block) -> Iterator[tuple[str, object]]:
    """What a block does, bit by bit, each with the rule that it is of."""
    own = block.origin.rule
    yield from _bits(block.body, own, "")
    end = _without_targets(block.end)
    if end is not None:
        yield _ruled(block.end) or own, end
    if block.loop is not None:
        yield own, replace(block.loop, body=())


def _bits(body: Sequence[Statement], own: str, way: str) -> Iterator[tuple[str, object]]:
    """Loops and conditions are taken apart, as rules that are written out in others may stand inside."""
    for number, statement in enumerate(body):
        rule = next(filter(None, map(_rule, body[number:])), own)
        match statement:
            case If(condition, then, other):
                yield rule, (way, "if", condition)
                yield from _bits(then, rule, f"{way} then")
                yield from _bits(other, rule, f"{way} else")
            case For(variable, low, high, inner):
                yield rule, (way, "for", variable, low, high)
                yield from _bits(inner, rule, f"{way} {variable}")
            case _:
                yield rule, (way, statement)


def _rule(statement: Statement) -> str:
    match statement:
        case Set(origin=origin) | Check(origin=origin) | Enter(origin=origin):
            return origin.rule
        case If(_, then, other, origin):
            return origin.rule or next(filter(None, map(_rule, (*then, *other))), "")
        case For(body=inner):
            return next(filter(None, map(_rule, inner)), "")
    return ""


def _ruled(end: Terminator) -> str:
    match end:
        case Branch(origin=Origin(rule=rule)):
            return rule
        case Choose(_, (first, *_)):
            return first.origin.rule
    return ""


def _without_targets(end: Terminator) -> Terminator | None:
    """What is asked or decided there; None where the way goes on by itself."""
    match end:
        case Branch():
            return replace(end, then="", other="")
        case Choose(options=options):
            return replace(end, options=tuple(replace(option, target="") for option in options))
        case Goto() | Switch() | End():
            return None
        case Chance():
            return replace(end, target="")
