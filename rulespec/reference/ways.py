"""The ways through a core as they look from one rule: what it stops at, what it calls, what follows what.

Core is flat: a rule's steps lie in blocks together with those of its callers and of the rules it calls. Here
they are told apart again by the origins of the pieces, so that a rule can be shown by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

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
    For,
    Goto,
    If,
    Let,
    Option,
    Origin,
    Set,
    Statement,
    Switch,
)
from rulespec.compiler.spans import NOWHERE, Span

DECLINE = "decline"  # the option that `may` adds; in the text it has the place of the whole choice
MOST_STEPS = 50_000  # to find the ways of one rule
MOST_STEPS_IN_ALL = 100_000  # of one core
MOST_WAYS = 1_000  # of one rule


class TooMany(Exception):
    """A rule has more ways through it than can be gone."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Something that a reader of the rule wants to see, by its place in the text.

    `kind`: `choose`, `option` (of a choice that all make at once; others are known from the choice),
    `chance`, `loop`, `test`, `call`, `step` (something happens), `start`, `return`. `name`: the option, or
    the rule that is called.
    """

    kind: str
    span: Span = NOWHERE
    name: str = ""


RETURN = Stop("return")
START = Stop("start")


@dataclass(frozen=True, slots=True)
class Way:
    """From a stop to the next. `label`: an option's name, `yes` or `no` of a test or loop, or ""."""

    source: Stop
    label: str
    target: Stop


@dataclass
class Ways:
    """In the order of coming to them. `asked` are the choices as core has them."""

    ways: list[Way]
    asked: dict[Stop, list[Choose]]


@dataclass
class _Op:
    """A piece of core: where it belongs, and what follows it. `rule` "" says nothing about where one is."""

    kind: str
    rule: str = ""
    span: Span = NOWHERE
    sites: tuple[Origin, ...] = ()
    slot: str = ""  # that keeps a return address
    number: int = 0  # the address
    asks: Choose | None = None
    next: list[tuple[str, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Frame:
    rule: str
    site: int | None


# An op, the rules one is in, and the return address that was set last, with its slot.
_State = tuple[int, tuple[_Frame, ...], tuple[str, int] | None]


class Flow:
    """A core in pieces, each with what follows it. Made once for all rules.

    `told` says for the place of a statement where to point to tell that it happens; NOWHERE for not at all.
    """

    def __init__(self, core: Core, told: Callable[[Span], Span]) -> None:
        self._told = told
        self.steps = 0  # gone so far
        self.exits: dict[str, _Op] = {}  # of rules that are called from several places, by slot
        self.ops: list[_Op] = []
        self._first: dict[str, int] = {}
        self._calls = frozenset(
            (s.rule, site.span) for block in core.blocks for s in _entered(block.body) for site in s.sites
        )
        for block in core.blocks:
            self._first[block.name] = self._new(_Op("at"))
        secret = [o for block in core.blocks for o in _secret(block)]
        self._secret = frozenset(o.origin.span for o in secret if o.name != DECLINE)
        ends = [block.end for block in core.blocks]
        self._chosen = {end.then for end in ends if isinstance(end, Branch) and end.origin.span == NOWHERE}
        for block in core.blocks:
            self._block(block)

    def entries(self, rule: str) -> list[int]:
        """Where the rule begins; several where it is written out more than once."""
        return [n for n, op in enumerate(self.ops) if op.kind == "enter" and op.rule == rule]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that play comes to, in the order of the core."""
        return tuple(dict.fromkeys(op.rule for op in self.ops if op.kind == "enter"))

    # --- making the pieces ----------------------------------------------------------------------------------

    def _new(self, op: _Op) -> int:
        self.ops.append(op)
        return len(self.ops) - 1

    def _then(self, before: int, op: _Op) -> int:
        number = self._new(op)
        self.ops[before].next.append(("", number))
        return number

    def _block(self, block: Block) -> None:
        first = self.ops[self._first[block.name]]
        if not _begins_rule(block):
            first.rule, first.span = block.origin.rule, block.origin.span
            if first.span in self._secret and block.name in self._chosen:
                first.kind = "option"
        here = self._statements(self._first[block.name], block.body)
        end = block.end
        op = _Op(_kind(block))
        if op.kind in ("loop", "choose", "chance", "switch"):
            op.rule, op.span = block.origin.rule, block.origin.span
        match end:
            case Branch(_, then, other, origin):
                if op.kind != "loop":
                    op.rule, op.span = origin.rule, origin.span
                op.next = [("yes", self._first[then]), ("no", self._first[other])]
            case Goto(target):
                op.next = [("", self._first[target])]
            case Choose(_, options):
                op.asks = end
                op.next = [(o.name, self._first[o.target]) for o in options]
            case Chance():
                op.next = [("", self._first[end.target])]
            case Switch(slot, targets):
                self.exits[slot] = op
                op.next = [("", self._first[target]) for target in targets]
            case End():
                pass
        self._then(here, op)

    def _statements(self, here: int, body: Sequence[Statement]) -> int:
        for s in body:
            here = self._statement(here, s)
        return here

    def _statement(self, here: int, s: Statement) -> int:
        match s:
            case Enter(rule, _, sites):
                return self._then(here, _Op("enter", rule, sites=sites))
            case Set(slot, (), Const(value), origin) if slot.endswith(".return"):
                return self._then(here, _Op("back", origin.rule, slot=slot, number=value))
            case If(_, then, other) if any(_entered((*then, *other))):
                return self._fork(here, s)
            case For(_, _, _, body) if any(_entered(body)):
                return self._statements(here, body)
            case Let():
                return here
        origins = [o for o in _origins(s) if o.rule and (o.rule, o.span) not in self._calls]
        if not origins:
            return here
        told = (span for span in (self._told(o.span) for o in origins) if span != NOWHERE)
        return self._then(here, _Op("step", origins[0].rule, next(told, NOWHERE)))

    def _fork(self, here: int, s: If) -> int:
        fork = self._then(here, _Op("fork", s.origin.rule, s.origin.span))
        join = self._new(_Op("at"))
        for label, body in (("yes", s.then), ("no", s.other)):
            first = self._new(_Op("at"))
            asked = label if not s.turned else {"yes": "no", "no": "yes"}[label]
            self.ops[fork].next.append((asked, first))
            self.ops[self._statements(first, body)].next.append(("", join))
        self.ops[fork].next.sort(key=lambda way: way[0] != "yes")
        return join

    # --- going through them ---------------------------------------------------------------------------------

    def ways(self, rule: str, steps: bool = True) -> Ways:
        """The rule by itself, the rules that it calls each as one stop; with what happens if `steps`.

        Raises:
            TooMany: there are too many, or it would take too long to find them.
        """
        return _Walk(self, rule, steps).found


def _begins_rule(block: Block) -> bool:
    """Whether the block is where a rule is gone to; its origin is then the rule that only now begins."""
    return bool(block.body) and isinstance(block.body[0], Enter) and block.body[0].rule == block.origin.rule


def _secret(block: Block) -> tuple[Option, ...]:
    """The options of a choice that all make at once."""
    return block.end.options if isinstance(block.end, Choose) and block.end.secret else ()


def _kind(block: Block) -> str:
    if block.loop is not None:
        return "loop"
    match block.end:
        case Choose():
            return "choose"
        case Chance():
            return "chance"
        case Branch():
            return "fork"
        case Switch():
            return "switch"
        case End():
            return "end"
        case _:
            return "at"


def _entered(body: Iterable[Statement]) -> Iterator[Enter]:
    for s in body:
        match s:
            case Enter():
                yield s
            case If(_, then, other):
                yield from _entered((*then, *other))
            case For(_, _, _, inside):
                yield from _entered(inside)


def _origins(s: Statement) -> Iterator[Origin]:
    """Where a statement and all inside of it are from."""
    match s:
        case Set() | Check() | Enter():
            yield s.origin
        case If(_, then, other):
            yield s.origin
            for inside in (*then, *other):
                yield from _origins(inside)
        case For(_, _, _, body):
            for inside in body:
                yield from _origins(inside)


class _Walk:
    """One walk through a rule, from all the places where it begins."""

    def __init__(self, flow: Flow, rule: str, with_steps: bool) -> None:
        self.flow = flow
        self.ops = flow.ops
        self.with_steps = with_steps
        self.rule = rule
        self.steps = 0
        self.asked: dict[Stop, list[Choose]] = {}
        self.found = Ways(list(self._all(flow.entries(rule))), self.asked)

    def _all(self, entries: list[int]) -> dict[Way, None]:
        known: dict[Way, None] = {}
        seen: set[_State] = set()
        waiting: list[tuple[Stop, str, _State]] = []
        for entry in entries:
            frames = (_Frame(self.rule, None),)
            waiting += [(START, label, (n, frames, None)) for label, n in self.ops[entry].next]
        while waiting:
            source, label, state = waiting.pop()
            more: list[tuple[Stop, str, _State]] = []
            for stop, at in self._next_stops(state):
                known[Way(source, label, stop)] = None
                if len(known) > MOST_WAYS:
                    raise TooMany(self.rule)
                if at is not None and at not in seen:
                    seen.add(at)
                    more += [(stop, name, then) for name, then in self._after(at)]
            waiting += reversed(more)
        return known

    def _next_stops(self, state: _State) -> list[tuple[Stop, _State | None]]:
        """What is seen first on each way from here; the state is None where the rule is over."""
        found: dict[tuple[Stop, _State | None], None] = {}
        waiting, seen = [state], {state}
        while waiting:
            self.steps += 1
            self.flow.steps += 1
            if self.steps > MOST_STEPS or self.flow.steps > MOST_STEPS_IN_ALL:
                raise TooMany(self.rule)
            here = self._settled(waiting.pop())
            if here is None:
                found[RETURN, None] = None
                continue
            stop = self._stop(here)
            if stop is not None:
                found[stop, here] = None
                continue
            for _, then in reversed(self._after(here)):
                if then not in seen:
                    seen.add(then)
                    waiting.append(then)
        return list(found)

    def _settled(self, state: _State) -> _State | None:
        """The state with the rules that have ended left out; None where the one at hand has."""
        number, frames, back = state
        op = self.ops[number]
        if op.kind == "end":
            return None
        rule, site = op.rule, None
        if op.kind == "enter":
            site = back[1] if back is not None and len(op.sites) > 1 else 0
            rule = op.sites[site].rule
        elif not rule:
            return state
        while frames and frames[-1].rule != rule:
            frames = frames[:-1]
        if not frames:
            return None
        if op.kind == "enter":
            frames = (*frames, _Frame(op.rule, site))
        elif op.kind == "switch" and len(frames) == 1:
            return None
        return number, frames, back

    def _stop(self, state: _State) -> Stop | None:
        number, frames, _ = state
        op = self.ops[number]
        if op.kind == "enter":
            site = frames[-1].site or 0
            return Stop("call", op.sites[site].span, op.rule) if len(frames) == 2 else None
        if len(frames) > 1:
            return None
        match op.kind:
            case "fork":
                return Stop("test", op.span) if op.span != NOWHERE else None
            case "step":
                return Stop("step", op.span) if self.with_steps and op.span != NOWHERE else None
            case "loop" | "choose" | "chance" | "option":
                stop = Stop(op.kind, op.span)
                if op.asks is not None and op.asks not in self.asked.setdefault(stop, []):
                    self.asked[stop].append(op.asks)
                return stop
        return None

    def _after(self, state: _State) -> list[tuple[str, _State]]:
        number, frames, back = state
        op = self.ops[number]
        match op.kind:
            case "switch":
                site = frames[-1].site
                assert site is not None
                return [("", (op.next[site][1], frames[:-1], None))]
            case "back":
                back = op.slot, op.number
            case "enter" if back is not None and len(frames) > 1 and back[0] in self.flow.exits:
                # What happens inside is seen when that rule is looked at; it comes out where it was called.
                return [("", (self.flow.exits[back[0]].next[back[1]][1], frames[:-1], None))]
            case "enter":
                back = None
        return [(label, (then, frames, back)) for label, then in op.next]
