"""The part of a core that a claim depends on: its cone, and a hash of that.

A cone has the slots that the claim is about, all statements that write to them, what these read, every
decision on which it depends whether, in which order and how often they are carried out, and so on from there.
What is left out are statements, choices, loops and rules after which, however they go, the same follows.

What it is good for: let two cores have the same cone of a claim, and let no play of the first stumble or go
on for ever. Then whatever the second can come to, as far as the slots and places of the cone show it, the
first can come to as well. Follow a play of the second from one block of the cone to the next. Inside the cone
both do the same with the same numbers. Between two blocks of the cone the first core has the same one before
it, comes to it whatever it does (for it does not stumble, get stuck or go on for ever), and writes
to no slot of the cone on the way. So what always holds in the first core always holds in the second. That the
second may stumble outside the cone only cuts plays short.

What must be true whenever somebody waits depends on where they wait, too: on whether a play waits between two
blocks of the cone, if numbers that the claim reads were written and nobody has waited since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulespec.compiler.core.check import successors
from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Const,
    Core,
    End,
    Enter,
    Expr,
    For,
    Goto,
    If,
    Let,
    Lookup,
    Read,
    Set,
    Statement,
    Switch,
    Table,
    Terminator,
    Var,
)
from rulespec.compiler.core.walk import answered, asked_by, everything, sets, statements
from rulespec.compiler.digest import Digests
from rulespec.proofs.claims import ALWAYS, Claim, Claims, rule_of

HOLDS = ("proved", "exhaustive", "vacuous")
# Where these hold, no play stumbles, nobody gets stuck, and nothing goes on for ever.
NO_STUMBLE = ("range", "checks", "choice", "chance", "loop", "end")
WAITING = ("choice", "chance", "end")
NO_WAIT, A_WAIT = 1, 2  # some way to the next block of the cone has nobody waiting, some has

NOBODY = Const(0)

Slots = frozenset[str]


@dataclass
class Cone:
    """`blocks` belong to it as far as they write to `slots`; of those in `ends` how they end matters too, of
    those in `actors` even whom they ask, and of those in `all_of` every statement.

    `about` are those that the claim names. `watched` are the slots of what must be true whenever somebody
    waits, None for other claims.
    """

    slots: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    blocks: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)
    actors: set[str] = field(default_factory=set)
    all_of: set[str] = field(default_factory=set)
    about: Slots = frozenset()
    watched: Slots | None = None

    @property
    def size(self) -> int:
        return len(self.slots) + len(self.blocks) + len(self.ends)


@dataclass(frozen=True, slots=True)
class _Part:
    """What of a block is in a cone, and what that reads."""

    body: tuple[Statement, ...]
    slots: Slots
    tables: Slots


@dataclass
class _Reading:
    """What is read: slots, tables, and variables."""

    slots: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    variables: set[str] = field(default_factory=set)

    def of(self, expressions: Iterable[Expr]) -> None:
        for whole in expressions:
            for e in everything(whole):
                match e:
                    case Read(slot):
                        self.slots.add(slot)
                    case Lookup(table):
                        self.tables.add(table)
                    case Var(name):
                        self.variables.add(name)


class Cones:
    """The cones of one core's claims."""

    def __init__(self, core: Core, claims: Claims) -> None:
        self.core = core
        self.claims = claims
        self._next = {b.name: tuple(dict.fromkeys(successors(b))) for b in core.blocks}
        self._bits = {b.name: 1 << n for n, b in enumerate(core.blocks)}
        self._names = {bit: name for name, bit in self._bits.items()}
        self._waits = {b.name for b in core.blocks if b.kind in WAITING}
        self._body_writes = {b.name: frozenset(s.slot for s in sets(b.body)) for b in core.blocks}
        self._end_writes = {b.name: frozenset(answered(b.end)) for b in core.blocks}
        self._digests = Digests()
        self._parts: dict[tuple[str, Slots, bool, bool, bool], _Part] = {}
        self._hashes: dict[str, str] = {}

    def hash(self, claim: Claim) -> str:
        """The hash of what a claim depends on, "" where that is taken to be the whole core."""
        if claim.name not in self._hashes:
            cone = self.cone(claim)
            self._hashes[claim.name] = "" if cone is None else self._hash(cone, claim)
        return self._hashes[claim.name]

    def cone(self, claim: Claim) -> Cone | None:
        """What a claim depends on; None for the whole core."""
        cone = self._seed(claim)
        if cone is None:
            return None
        cone.blocks |= {b.name for b in self.core.blocks if b.kind == "end"}
        while True:
            size = cone.size
            self._grow(cone)
            if size == cone.size:
                undecided = self._undecided(cone)
                if not undecided:
                    return cone
                cone.blocks |= undecided
                cone.ends |= undecided

    # --- where it begins -----------------------------------------------------------------------------------

    def _seed(self, claim: Claim) -> Cone | None:
        if claim.kind in ALWAYS and claim.property is not None:
            cone = _about([claim.property.condition])
            return replace(cone, watched=frozenset(cone.slots))
        if claim.parts:
            return None
        match claim.kind:
            case "range":
                return Cone({s.name for s in self.core.slots if self.claims.range_of(s) == claim.name})
            case "choice" | "chance" | "loop":
                return self._seed_at(claim)
            case "kept":
                heads = [b for b in self.core.blocks if b.loop and self.claims.kept(b.name) == claim.name]
                here = frozenset(b.name for b in heads)
                cone = _about(e for b in heads if b.loop for e in b.loop.keeps)
                return replace(cone, blocks=set(here), about=here)
            case "checks":
                return self._seed_of_rule(claim)
        return None

    def _seed_at(self, claim: Claim) -> Cone | None:
        names = {"choice": self.claims.choice, "chance": self.claims.chance, "loop": self.claims.loop}
        for block in self.core.blocks:
            if names[claim.kind](block.name) == claim.name:
                here = frozenset({block.name})
                if claim.kind != "loop":
                    return Cone(blocks=set(here), ends=set(here), actors=set(here), about=here)
                # What a stated measure says of going round depends on where going round begins anew.
                stated = block.loop is None or block.loop.measure
                return None if stated else Cone(blocks=set(here), about=here)
        return None

    def _seed_of_rule(self, claim: Claim) -> Cone | None:
        rules = ("", *(rule.name for rule in self.core.rules))
        rule = next((r for r in rules if self.claims.checks_of(r) == claim.name), None)
        if rule is None:
            return None
        here = frozenset(b.name for b in self.core.blocks if rule in _rules(b))
        ends = any(self.core.block[name].kind == "end" for name in here)
        cone = _about(self.core.ranking if ends else ())
        return replace(cone, blocks=set(here), ends=set(here), actors=set(here), all_of=set(here), about=here)

    # --- how it grows --------------------------------------------------------------------------------------

    def _grow(self, cone: Cone) -> None:
        slots = cone.slots
        for name in self._next:
            if not slots.isdisjoint(self._end_writes[name]):
                cone.blocks.add(name)
                cone.ends.add(name)
            elif not slots.isdisjoint(self._body_writes[name]):
                cone.blocks.add(name)
        following = self._following(cone.blocks)
        for name, after in self._next.items():
            if self._decides(after, following):
                cone.blocks.add(name)
                cone.ends.add(name)
        for name in cone.blocks:
            part = self._part(name, cone)
            slots |= part.slots
            cone.tables |= part.tables

    def _decides(self, after: tuple[str, ...], following: dict[str, int]) -> bool:
        """Whether it depends on the end of a block which of the cone comes next."""
        return len({following[target] for target in after}) > 1

    def _part(self, name: str, cone: Cone) -> _Part:
        """What of a block is in the cone: all that matters to it is in the key."""
        written = self._body_writes[name] & cone.slots
        key = name, written, name in cone.all_of, name in cone.ends, name in cone.actors
        found = self._parts.get(key)
        if found is None:
            block = self.core.block[name]
            reading = _Reading()
            body = _slice(block.body, written, name in cone.all_of, reading)
            end = self._end(name, cone, lambda target: target)
            reading.of(asked_by(end))
            slots = reading.slots | ({end.slot} if isinstance(end, Switch) else set())
            found = self._parts[key] = _Part(body, frozenset(slots), frozenset(reading.tables))
        return found

    def _following(self, blocks: set[str]) -> dict[str, int]:
        """For each block the blocks of the cone that may come first from its beginning on, as bits."""
        found = {name: bit if name in blocks else 0 for name, bit in self._bits.items()}
        return self._settled(found, frozenset(blocks))

    def _settled(self, found: dict[str, int], fixed: frozenset[str]) -> dict[str, int]:
        """Where a block is not `fixed`, all that is found for those that may come next."""
        rest = [(name, after) for name, after in reversed(self._next.items()) if name not in fixed]
        changed = True
        while changed:
            changed = False
            for name, after in rest:
                bits = found[name]
                for target in after:
                    bits |= found[target]
                if bits != found[name]:
                    found[name] = bits
                    changed = True
        return found

    def _end(self, name: str, cone: Cone, to: Callable[[str], str]) -> Terminator:
        """How a block ends as far as it matters; `to` says what to call where it leads to."""
        end = self.core.block[name].end
        if name not in cone.ends:
            return Goto(to(self._next[name][0])) if self._next[name] else End()
        match end:
            case Goto(target):
                return Goto(to(target))
            case Branch(condition, then, other):
                return Branch(condition, to(then), to(other))
            case Switch(slot, targets):
                return Switch(slot, tuple(map(to, targets)))
            case Choose(actor, options):
                actor = actor if name in cone.actors else NOBODY
                return Choose(actor, tuple(replace(o, target=to(o.target)) for o in options))
            case Chance():
                return replace(end, seen_by=NOBODY, target=to(end.target))
        return end

    # --- where somebody waits ------------------------------------------------------------------------------

    def _undecided(self, cone: Cone) -> set[str]:
        """The blocks outside that decide whether somebody waits where it matters."""
        found: set[str] = set()
        ways = self._ways(cone)
        for block, target in self._unseen(cone, ways):
            if block and block not in cone.ends and len({ways[t] for t in self._next[block]}) > 1:
                found.add(block)
            if ways[target] == NO_WAIT | A_WAIT:
                found |= {b for b in self._before_the_cone(target, cone) if self._parts_there(b, ways)}
        return found

    def _parts_there(self, block: str, ways: dict[str, int]) -> bool:
        return block not in self._waits and len({ways[target] for target in self._next[block]}) > 1

    def _before_the_cone(self, start: str, cone: Cone) -> set[str]:
        """The blocks that may come before one of the cone does, or before somebody waits."""
        found: set[str] = set()
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name not in found and name not in cone.blocks and name not in self._waits:
                found.add(name)
                waiting.extend(self._next[name])
        return found

    def _ways(self, cone: Cone) -> dict[str, int]:
        """Whether from a block on, until the next of the cone, somebody may wait, and whether nobody may."""
        found = dict.fromkeys(self._next, 0)
        found |= dict.fromkeys(self._waits, A_WAIT)
        found |= dict.fromkeys(cone.blocks, NO_WAIT)
        return self._settled(found, frozenset(cone.blocks | self._waits))

    def _unseen(self, cone: Cone, ways: dict[str, int]) -> list[tuple[str, str]]:
        """The ways out of the cone's blocks (and out of "", the start), on which somebody may be the first to
        wait since what is watched was written."""
        if cone.watched is None:
            return []
        following = self._following(cone.blocks)
        found: set[tuple[str, str]] = set()
        leaving = [("", self.core.start)]
        for name in cone.blocks:
            leaving += self._out(name, cone, False)
        while leaving:
            way = leaving.pop()
            into = self._names.get(following[way[1]])
            if way not in found and into is not None and ways[way[1]] != A_WAIT:
                leaving += self._out(into, cone, True)
            found.add(way)
        return sorted(found)

    def _out(self, name: str, cone: Cone, unseen: bool) -> list[tuple[str, str]]:
        """The ways out of a block, if what is watched may not have been seen there since it was written."""
        assert cone.watched is not None
        unseen = unseen or not cone.watched.isdisjoint(self._body_writes[name])
        out = unseen and name not in self._waits
        if out or not cone.watched.isdisjoint(self._end_writes[name]):
            return [(name, target) for target in self._next[name]]
        return []

    # --- the hash ------------------------------------------------------------------------------------------

    def _hash(self, cone: Cone, claim: Claim) -> str:
        following = self._following(cone.blocks)
        order = self._order(following)
        numbers = {self._bits[name]: str(number) for number, name in enumerate(order)}
        ways = self._ways(cone)
        unseen = {way: ways[way[1]] for way in self._unseen(cone, ways)}

        def to(target: str) -> str:
            return numbers.get(following[target], "")

        graph = tuple(
            (
                self._part(name, cone).body,
                self._end(name, cone, to),
                self._seen_at(name, cone, unseen),
                self._said_at(name, cone, claim),
            )
            for name in order
        )
        begins = to(self.core.start), unseen.get(("", self.core.start), 0)
        condition = None if claim.property is None else claim.property.condition
        ranking = self.core.ranking if any(self.core.block[n].kind == "end" for n in cone.all_of) else ()
        slots = tuple(s for s in self.core.slots if s.name in cone.slots)
        tables = tuple(t for t in self.core.tables if t.name in cone.tables)
        limits = self._limits(tables)
        return self._digests.of((claim.kind, condition, begins, graph, slots, tables, limits, ranking)).hex()

    def _limits(self, tables: Sequence[Table]) -> tuple[object, ...]:
        """What holds of assumed numbers: of all, as one limit may be about several tables."""
        if any(table.open for table in tables):
            others = tuple(table for table in self.core.tables if table.open)
            return (*self.core.limits, *others, *self.core.fixed)
        return self.core.fixed

    def _order(self, following: dict[str, int]) -> list[str]:
        """The blocks of the cone as play comes to them."""
        found: dict[str, None] = {}
        waiting = [self.core.start]
        while waiting:
            name = self._names.get(following[waiting.pop()])
            if name is not None and name not in found:
                found[name] = None
                waiting.extend(reversed(self._next[name]))
        return list(found)

    def _seen_at(self, name: str, cone: Cone, unseen: Mapping[tuple[str, str], int]) -> tuple[int, ...]:
        """Whether somebody waits at a block, and on each way out before the next, as far as it matters."""
        if cone.watched is None:
            return ()
        out = [unseen.get((name, target), 0) for target in self._next[name]]
        return int(name in self._waits), *(out if name in cone.ends else sorted(set(out)))

    def _said_at(self, name: str, cone: Cone, claim: Claim) -> tuple[Expr, ...] | bool:
        """What a claim says of a block."""
        loop = self.core.block[name].loop
        keeps = claim.kind == "kept" and loop is not None and name in cone.about
        return loop.keeps if keeps and loop is not None else name in cone.about


def _about(expressions: Iterable[Expr]) -> Cone:
    reading = _Reading()
    reading.of(expressions)
    return Cone(slots=reading.slots, tables=reading.tables)


def _slice(body: Iterable[Statement], slots: Slots, whole: bool, reading: _Reading) -> tuple[Statement, ...]:
    """The statements that decide what is written to slots, or all that do anything.

    The last is looked at first: by then it is known which variables the rest reads.
    """
    kept: list[Statement] = []
    for s in reversed(tuple(body)):
        match s:
            case Set(slot, index, value) if whole or slot in slots:
                reading.of((*index, value))
                kept.append(s)
            case Let(name, value) if whole or name in reading.variables:
                reading.of((value,))
                kept.append(s)
            case Check(condition) if whole:
                reading.of((condition,))
                kept.append(s)
            case If(condition, then, other):
                both = _slice(then, slots, whole, reading), _slice(other, slots, whole, reading)
                if whole or any(both):
                    reading.of((condition,))
                    kept.append(If(condition, *both))
            case For(variable, low, high, inside):
                inner = _slice(inside, slots, whole, reading)
                if whole or inner:
                    kept.append(For(variable, low, high, inner))
    return tuple(reversed(kept))


def _rules(block: Block) -> Slots:
    """The rules that something in a block may be blamed on."""
    origins = [s.origin for s in statements(block.body) if isinstance(s, Set | Check | Enter)]
    if isinstance(block.end, Choose):
        origins += [option.origin for option in block.end.options]
    return frozenset({rule_of(block), block.origin.rule, *(origin.rule for origin in origins)})
