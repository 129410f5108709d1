"""The meaning of core: the interpreter. Slow and obvious; every other engine is tested against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulespec.compiler.core.tree import (
    Block,
    Branch,
    Chance,
    Check,
    Choose,
    Core,
    End,
    Enter,
    Expr,
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
from rulespec.engine.faults import Fault
from rulespec.engine.interpreter.evaluate import Names, Wrong, evaluate, store
from rulespec.engine.stepper import BUDGET, RawMove, Record

# Called with each block that is come to, before it does anything, and with each rule that begins.
Watch = Callable[[Block | Enter, Record], None]

_NO_NAMES: Names = {}


def initial(core: Core) -> Record:
    """The record before anything has happened, at the start block."""
    record = [value for slot in core.slots for value in slot.initial]
    record.append(next(i for i, b in enumerate(core.blocks) if b.name == core.start))
    return record


class Interpreter:
    """A `Stepper`. `watch` follows a play from block to block; it must not change the record.

    After `budget` blocks in which nobody is asked it gives up.
    """

    def __init__(self, core: Core, watch: Watch | None = None, budget: int = BUDGET) -> None:
        self.core = core
        self.budget = budget
        self.watch = watch
        self._index = {b.name: i for i, b in enumerate(core.blocks)}
        self.unmet: tuple[Expr, Names, Record] | None = None  # the latest check that failed, as it was then
        self._origin = Origin()  # of the latest statement that has one, for faults

    # --- waiting points -------------------------------------------------------------------------------------

    def start(self) -> Record:
        r = initial(self.core)
        self._run(r, self.core.start)
        return r

    def kind(self, r: Record) -> str:
        return self._block(r).kind

    def actor(self, r: Record) -> int:
        block, choose = self._choose(r)
        with self._faults(block, block.origin):
            seat = evaluate(self.core, choose.actor, r, _NO_NAMES)
            if not 0 <= seat < self.core.configuration.players:
                raise Wrong("seat", f"there is no seat {seat} to ask")
        return seat

    def moves(self, r: Record) -> list[RawMove]:
        block, choose = self._choose(r)
        result: list[RawMove] = []
        for number, option in enumerate(choose.options):
            with self._faults(block, option.origin):
                result += ((number, *values) for values in self._choices(option, r, {}))
        if not result:
            raise Fault("choice", "somebody is asked who has no legal move", block.origin, block.name)
        return result

    def _choices(self, option: Option, r: Record, chosen: dict[str, int]) -> Iterator[tuple[int, ...]]:
        """Values for the parameters that `chosen` has not yet, together with those it has."""
        if len(chosen) == len(option.params):
            if evaluate(self.core, option.guard, r, chosen):
                yield tuple(chosen.values())
            return
        p = option.params[len(chosen)]
        low = evaluate(self.core, p.low, r, chosen)
        high = evaluate(self.core, p.high, r, chosen)
        if low <= high and (low < p.least or high > p.most):
            raise Wrong("parameter", f"`{p.name}` in {low}..{high} leaves {p.least}..{p.most}")
        for value in range(low, high + 1):
            yield from self._choices(option, r, {**chosen, p.name: value})

    def play(self, r: Record, move: RawMove) -> None:
        block, choose = self._choose(r)
        option = choose.options[move[0]]
        with self._faults(block, option.origin):
            for p, value in zip(option.params, move[1:], strict=True):
                store(self.core, p.slot, (), value, r)
        self._run(r, option.target)

    def outcomes(self, r: Record) -> list[tuple[int, int]]:
        block, chance = self._chance(r)
        result: list[tuple[int, int]] = []
        with self._faults(block, block.origin):
            for outcome in range(chance.low, chance.high + 1):
                weight = evaluate(self.core, chance.weight, r, {"outcome": outcome})
                if weight < 0:
                    raise Wrong("chance", f"outcome {outcome} has the weight {weight}")
                if weight > 0:
                    result.append((outcome, weight))
            if not result:
                raise Wrong("chance", "chance decides where nothing is possible")
        return result

    def happen(self, r: Record, outcome: int) -> None:
        block, chance = self._chance(r)
        with self._faults(block, block.origin):
            store(self.core, chance.slot, (), outcome, r)
        self._run(r, chance.target)

    def scores(self, r: Record) -> tuple[tuple[int, ...], ...]:
        seats = range(self.core.configuration.players)
        with self._faults(self._block(r), Origin()):
            return tuple(
                tuple(evaluate(self.core, key, r, {"p": p}) for key in self.core.ranking) for p in seats
            )

    # --- from one to the next -------------------------------------------------------------------------------

    def _run(self, r: Record, name: str) -> None:
        """Pass blocks from `name` on, to the first that waits after its body."""
        for _ in range(self.budget):
            block = self.core.block[name]
            if self.watch:
                r[-1] = self._index[name]
                self.watch(block, r)
            self._origin = block.origin
            try:
                self._statements(block.body, r, _NO_NAMES)
                following = self._next(block, r)
            except Wrong as wrong:
                raise Fault(wrong.kind, wrong.text, self._origin, block.name) from None
            if following is None:
                r[-1] = self._index[name]
                return
            name = following
        block = self.core.block[name]
        raise Fault("endless", f"nobody is asked in {self.budget} blocks", block.origin, name)

    def _next(self, block: Block, r: Record) -> str | None:
        """The block that follows without waiting."""
        match block.end:
            case Goto(target):
                return target
            case Branch(condition, then, other):
                return then if evaluate(self.core, condition, r, _NO_NAMES) else other
            case Switch(slot, targets):
                return targets[r[self.core.offset[slot]]]
            case Choose() | Chance() | End():
                return None

    def _statements(self, body: tuple[Statement, ...], r: Record, names: Names) -> None:
        for s in body:
            match s:
                case Let(name, value):
                    names = {**names, name: evaluate(self.core, value, r, names)}
                case _:
                    self._statement(s, r, names)

    def _statement(self, s: Statement, r: Record, names: Names) -> None:
        if isinstance(s, Set | Check | Enter) and s.origin != Origin():
            self._origin = s.origin
        match s:
            case Set(slot, index, value):
                at = [evaluate(self.core, i, r, names) for i in index]
                store(self.core, slot, at, evaluate(self.core, value, r, names), r)
            case If(condition, then, other):
                self._inner(then if evaluate(self.core, condition, r, names) else other, r, names)
            case For(variable, low, high, body):
                for each in range(low, high + 1):
                    self._inner(body, r, {**names, variable: each})
            case Check(condition, kind, text):
                if not evaluate(self.core, condition, r, names):
                    self.unmet = condition, dict(names), list(r)
                    raise Wrong(kind, text)
            case Enter() if self.watch:
                self.watch(s, r)

    def _inner(self, body: tuple[Statement, ...], r: Record, names: Names) -> None:
        """Statements inside another; a fault after them has the origin of what stands before them."""
        before = self._origin
        self._statements(body, r, names)
        self._origin = before

    # --- where a record stands ------------------------------------------------------------------------------

    def _block(self, r: Record) -> Block:
        return self.core.blocks[r[-1]]

    def _choose(self, r: Record) -> tuple[Block, Choose]:
        block = self._block(r)
        if not isinstance(block.end, Choose):
            raise ValueError(f"nobody is asked at block {block.name!r}")
        return block, block.end

    def _chance(self, r: Record) -> tuple[Block, Chance]:
        block = self._block(r)
        if not isinstance(block.end, Chance):
            raise ValueError(f"chance does not decide at block {block.name!r}")
        return block, block.end

    @contextmanager
    def _faults(self, block: Block, origin: Origin) -> Iterator[None]:
        try:
            yield
        except Wrong as wrong:
            raise Fault(wrong.kind, wrong.text, origin, block.name) from None
