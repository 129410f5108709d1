"""Finds the ranges that the rules do not say: of slots, of options' parameters, of loops over numbers.

Everything that is put into a slot is collected with the conditions under which that happens, and the ranges
are widened until all of it fits; what grows without end is then given a second chance to be held by those
conditions. A slot that still has no end is the author's to bound.
"""

from __future__ import annotations

from rulespec.compiler.core.blocks import BlockDraft
from rulespec.compiler.core.context import Context, SlotDraft
from rulespec.compiler.core.intervals import ANY, Facts, Interval, Intervals, hull, meet
from rulespec.compiler.core.limits import DOMAIN, FAR, WIDTH, Refused
from rulespec.compiler.core.tidy import Graph, targets
from rulespec.compiler.core.tree import (
    Branch,
    Chance,
    Check,
    Choose,
    Expr,
    Fold,
    For,
    If,
    Let,
    Option,
    Set,
    Statement,
)
from rulespec.compiler.core.walk import everything, reads, sets
from rulespec.compiler.values import dataclass

_ROUNDS = 8  # before a range that still grows is widened at once
_NARROWINGS = 3
_FACTS = 12  # conditions remembered at a place

# Conditions, whether they hold, and the slots that they read.
Given = tuple[tuple[Expr, bool, frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class Put:
    """`value`, or a number from it to `most`, comes into a slot (or is a variable's) where `given` holds."""

    value: Expr
    given: Given
    most: Expr | None = None


class Ranges:
    """Ranges of everything, `slots` and `variables`, once `find` has run."""

    def __init__(self, ctx: Context, blocks: Graph) -> None:
        self.ctx = ctx
        self.puts: dict[str, list[Put]] = {}
        self.lets: dict[str, Put] = {}  # named numbers and options' parameters
        self.loops: dict[str, Interval] = {}
        self.slots: dict[str, Interval | None] = {}
        self.swept: set[str] = set()  # variables of loops, folds and chances that are really there
        self._lets: dict[str, Interval | None] = {}
        self.intervals = Intervals(ctx.room, self._slot, self.variable)
        self._collect(blocks)

    # --- collecting -----------------------------------------------------------------------------------------

    def _collect(self, blocks: Graph) -> None:
        leading: dict[str, list[str]] = {}
        for key, block in blocks.items():
            for target in targets(block.end):
                leading.setdefault(target, []).append(key)
        leaving: dict[str, Given] = {}
        for key, block in blocks.items():
            before = leading.get(key, [])
            given: Given = ()
            if len(before) == 1 and before[0] in leaving:
                given = _on_the_way(blocks[before[0]], key, leaving[before[0]])
            given = self._statements(block.body, given)
            self._end(block, given)
            leaving[key] = given[-_FACTS:]

    def _statements(self, body: list[Statement] | tuple[Statement, ...], given: Given) -> Given:
        """What still holds afterwards of what was given."""
        for s in body:
            match s:
                case Set(slot, index, value):
                    self.puts.setdefault(slot, []).append(Put(value, given))
                    self.look(value, *index)
                    given = _without(given, {slot})
                case Let(name, value):
                    self.lets[name] = Put(value, given)
                    self.look(value)
                case If(condition, then, other):
                    self.look(condition)
                    one = self._statements(then, (*given, _known(condition, True)))
                    two = self._statements(other, (*given, _known(condition, False)))
                    given = tuple(g for g in given if g in one and g in two)
                case For(variable, low, high, inner):
                    self._sweep(variable, low, high)
                    given = _without(given, _written(inner))
                    self._statements(inner, given)
                case Check(condition):
                    self.look(condition)
                    given = (*given, _known(condition, True))
        return given[-_FACTS:]

    def _end(self, block: BlockDraft, given: Given) -> None:
        match block.end:
            case Branch(condition):
                self.look(condition)
            case Choose(actor, options):
                self.look(actor)
                for option in options:
                    self._option(option, given)
            case Chance(slot, low, high, weight):
                self.look(weight, block.end.seen_by)
                if block.spread:
                    self._sweep(block.spread, low, high)
                    spread = self.ctx.spreads[block.spread]
                    self.puts.setdefault(slot, []).append(Put(spread.low, given, spread.high))
                else:
                    self.loops[f"{slot}!"] = (low, high)
        if block.loop:
            self.look(*block.loop.measure, *block.loop.keeps)

    def _option(self, option: Option, given: Given) -> None:
        for p in option.params:
            self.look(p.low, p.high)
            self.lets[p.name] = Put(p.low, given, p.high)
            self.puts.setdefault(p.slot, []).append(self.lets[p.name])
        self.look(option.guard)

    def look(self, *expressions: Expr) -> None:
        """Takes in the folds of expressions."""
        for e in expressions:
            for x in everything(e):
                if isinstance(x, Fold) and x.variable not in self.swept:
                    self._sweep(x.variable, x.low, x.high)

    def _sweep(self, variable: str, low: int, high: int) -> None:
        self.swept.add(variable)
        spread = self.ctx.spreads.get(variable)
        if spread is None:
            self.loops[variable] = (low, high)
        else:
            self.look(spread.low, spread.high)

    # --- looking up -----------------------------------------------------------------------------------------

    def _slot(self, name: str) -> Interval | None:
        draft = self.ctx.slots[name]
        if draft.low is not None and draft.high is not None:
            return (draft.low, draft.high)
        return self.slots.get(name)

    def variable(self, name: str) -> Interval | None:
        spread = self.ctx.spreads.get(name)
        if spread is not None:
            low, high = self.intervals.of(spread.low, {}), self.intervals.of(spread.high, {})
            return None if low is None or high is None or low[0] > high[1] else (low[0], high[1])
        if name in self.loops:
            return self.loops[name]
        if name not in self.lets:
            return ANY
        if name not in self._lets:
            self._lets[name] = self._value(self.lets[name])
        return self._lets[name]

    def _value(self, put: Put) -> Interval | None:
        facts: Facts = {}
        for condition, holds, _ in put.given:
            facts = self.intervals.knowing(condition, holds, facts)
        least = self.intervals.of(put.value, facts)
        if put.most is None or least is None:
            return least
        most = self.intervals.of(put.most, facts)
        return None if most is None or most[1] < least[0] else (least[0], most[1])

    # --- finding --------------------------------------------------------------------------------------------

    def find(self) -> None:
        """Gives every slot a range; refuses those that grow without end."""
        open_slots = [d for d in self.ctx.slots.values() if d.low is None or d.high is None]
        for draft in open_slots:
            self.slots[draft.name] = self._start(draft)
        for turn in range(_ROUNDS + 2 * len(open_slots) + 2):
            if not self._grow(open_slots, widen=turn >= _ROUNDS):
                break
        for _ in range(_NARROWINGS):
            self._lets.clear()
            fresh = {d.name: self._all(d, self._start(d)) for d in open_slots}
            self.slots.update(fresh)
        self._lets.clear()
        for draft in open_slots:
            self._settle(draft)
        for name in sorted(self.swept & self.ctx.spreads.keys()):
            self._check_spread(name)

    def _start(self, draft: SlotDraft) -> Interval | None:
        if draft.initial is None:
            return None
        return (min(draft.initial), max(draft.initial))

    def _grow(self, open_slots: list[SlotDraft], widen: bool) -> bool:
        grew = False
        self._lets.clear()
        for draft in open_slots:
            old = self.slots[draft.name]
            new = self._all(draft, old)
            if new == old:
                continue
            grew = True
            if widen and old is not None and new is not None:
                new = (-FAR if new[0] < old[0] else new[0], FAR if new[1] > old[1] else new[1])
                new = meet(new, _declared(draft))
            self.slots[draft.name] = new
        return grew

    def _all(self, draft: SlotDraft, before: Interval | None) -> Interval | None:
        """The hull of all that is put into a slot, within what is declared."""
        found = before
        for put in self.puts.get(draft.name, ()):
            found = hull(found, self._value(put))
        found = hull(found, self.loops.get(f"{draft.name}!"))
        return meet(found, _declared(draft)) or before

    def _settle(self, draft: SlotDraft) -> None:
        low, high = self.slots[draft.name] or (0, 0)
        low = draft.low if draft.low is not None else low
        high = draft.high if draft.high is not None else max(low, high)
        if high - low >= WIDTH or low <= -FAR or high >= FAR:
            name = draft.name.split(".", 1)[-1] if draft.role != "state" else draft.name
            text = f"no end is found to what `{name}` can be"
            raise Refused("R0503", text, draft.origin.span, help=(_advice(draft),))
        draft.low, draft.high = low, max(low, high)

    def _check_spread(self, name: str) -> None:
        found = self.variable(name)
        if found is not None and found[1] - found[0] >= DOMAIN:
            text = f"no end is found to these numbers below {DOMAIN} values"
            raise Refused("R0511", text, self.ctx.spreads[name].span, help=("give what bounds them a range",))


def _advice(draft: SlotDraft) -> str:
    if draft.low is not None and draft.dims:  # only a bag has an end on one side
        return f"count in a map, whose numbers have a range: `Map[{draft.dims[-1].name}, Int in 0..100]`"
    return "give it a range: `Int in 0..100`"


def _declared(draft: SlotDraft) -> Interval:
    return (-FAR if draft.low is None else draft.low, FAR if draft.high is None else draft.high)


def _on_the_way(block: BlockDraft, key: str, given: Given) -> Given:
    """What is known when one comes from `block` to `key`."""
    match block.end:
        case Branch(condition, then, _):
            return (*given, _known(condition, then == key))
        case Choose(_, options):
            return _without(given, {p.slot for o in options for p in o.params})
        case Chance(slot):
            return _without(given, {slot})
    return given


def _written(body: tuple[Statement, ...]) -> set[str]:
    return {s.slot for s in sets(body)}


def _without(given: Given, written: set[str]) -> Given:
    return tuple(g for g in given if g[2].isdisjoint(written)) if written else given


def _known(condition: Expr, holds: bool) -> tuple[Expr, bool, frozenset[str]]:
    return condition, holds, frozenset(r.slot for r in reads(condition))
