"""The lowering of one rule: its names, its slots, and how values get into slots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rulespec.compiler.core import build, constants, layout, shapes
from rulespec.compiler.core.blocks import BlockDraft, Builder
from rulespec.compiler.core.context import Context
from rulespec.compiler.core.expressions import Scope
from rulespec.compiler.core.plan import Body, Plan, Plans
from rulespec.compiler.core.tree import (
    TRUE,
    Check,
    Const,
    Domain,
    Expr,
    For,
    Let,
    Origin,
    Read,
    Set,
    Statement,
    Var,
)
from rulespec.compiler.core.views import (
    ListView,
    MapView,
    Maybe,
    SetView,
    TupleView,
    View,
    as_bag,
    code_of,
    coded,
    components,
    maybe,
    scalar,
)
from rulespec.compiler.core.walk import children, reads, sets
from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.typed import tree as t


@dataclass
class Routine:
    """A rule that is gone to: a call sets `back` to its number, and the exit's switch leads back.

    `calls` are the places of the calls in the text.
    """

    plan: Plan
    entry: BlockDraft
    exit: BlockDraft
    back: str
    sites: list[str] = field(default_factory=list)
    calls: list[Origin] = field(default_factory=list)


Run = Callable[["Frame", Body, bool], None]


@dataclass
class Work:
    """What all rules of a configuration share while they are lowered."""

    ctx: Context
    build: Builder
    plans: Plans
    run: Run
    routines: dict[str, Routine] = field(default_factory=dict)
    waiting: list[Routine] = field(default_factory=list)
    places: dict[tuple[str, str], str] = field(default_factory=dict)  # (rule, local) -> slot


@dataclass
class Frame:
    """One rule being lowered; `exit` is None where it is written out in its caller's block."""

    work: Work
    plan: Plan
    scope: Scope
    exit: BlockDraft | None
    citations: list[Citation | None] = field(default_factory=list)
    stops: list[BlockDraft] = field(default_factory=list)  # where `stop` leads, innermost last

    @property
    def ctx(self) -> Context:
        return self.work.ctx

    @property
    def build(self) -> Builder:
        return self.work.build

    @property
    def rule(self) -> t.Rule:
        return self.plan.rule

    @property
    def prefix(self) -> str:
        return prefix(self.rule.name)

    def origin(self, span: Span) -> Origin:
        citation = next((c for c in reversed(self.citations) if c is not None), self.rule.citation)
        return Origin(span, self.rule.base, citation)

    def emit(self, s: Statement, span: Span) -> None:
        self.build.emit(s, span)

    def set(self, slot: str, value: Expr, span: Span, index: tuple[Expr, ...] = ()) -> None:
        self.emit(Set(slot, index, value, self.origin(span)), span)

    def check(self, condition: Expr, kind: str, text: str, span: Span) -> None:
        if condition != TRUE:
            self.emit(Check(condition, kind, text, self.origin(span)), span)

    def block(self, what: str, span: Span) -> BlockDraft:
        return self.build.new(what, self.origin(span))

    def named(self, base: str, value: Expr, span: Span) -> Expr:
        """A number under a name of its own, for the rest of this list of statements."""
        if isinstance(value, Const | Var):
            return value
        name = self.ctx.fresh(base)
        self.emit(Let(name, value), span)
        return Var(name)

    # --- slots of locals ------------------------------------------------------------------------------------

    def place(self, name: str, type: t.Type, span: Span) -> str:
        """The slots of a local; a rule's locals have one place however often it is written out."""
        key = (self.rule.name, name)
        if key not in self.work.places:
            wanted = f"{self.prefix}.{name}"
            self.work.places[key] = layout.declare_local(self.ctx, wanted, type, self.origin(span))
        slot = self.work.places[key]
        self.scope.locals[name] = shapes.read(self.ctx, slot, type)
        return slot

    def control(self, name: str, low: int | None, high: int | None, domain: Domain, span: Span) -> str:
        """A number of the compiler's own; shared by all that ask for this name in this rule."""
        key = (self.rule.name, f"{name}!")
        if key not in self.work.places:
            wanted = f"{self.prefix}.{name}"
            self.work.places[key] = layout.scalar_slot(self.ctx, wanted, low, high, domain, self.origin(span))
        return self.work.places[key]

    def array(
        self, name: str, low: int | None, high: int | None, dim: Domain, domain: Domain, span: Span
    ) -> str:
        """Like `control`, one number for each of `dim`."""
        slot = self.control(name, low, high, domain, span)
        self.ctx.slots[slot].dims = (dim,)
        return slot

    def keep(self, local: t.Local, view: View, span: Span) -> None:
        """Puts a value into the local's slots."""
        slot = self.place(local.name, local.type, span)
        self.store(slot, local.type, (), view, span)

    def bind(self, local: t.Local, view: View, flat: bool, span: Span) -> None:
        """Binds a local: with a name where that reaches as far as the local does (`flat`), else in slots."""
        if flat and local.name not in self.plan.mutable:
            bound = self._bound(local.name, local.type, view, span)
            if bound is not None:
                self.scope.locals[local.name] = bound
                return
        self.keep(local, view, span)

    def _bound(self, name: str, type: t.Type, view: View, span: Span) -> View | None:
        match type, view:
            case t.TBool(), _:
                return self._truth(name, scalar(view), span)
            case ((t.TInt() | t.TEnum()), _):
                return self.named(name, scalar(view), span)
            case t.TOption(t.TInt()), Maybe(some, value, _):
                return Maybe(self._truth(name, some, span), self._when(name, some, value, span))
            case t.TOption(inner), Maybe():
                return coded(self.named(name, code_of(view), span), inner)
            case ((t.TTuple() | t.TRecord()), TupleView(items)):
                if not all(map(_nameable, components(type))):
                    return None
                bound: list[View] = []
                for part, inner, item in zip(shapes.part_names(type), components(type), items, strict=True):
                    found = self._bound(f"{name}_{part}", inner, item, span)
                    assert found is not None
                    bound.append(found)
                return TupleView(tuple(bound))
        return None

    def _truth(self, name: str, value: Expr, span: Span) -> Expr:
        bound = self.named(name, self.ctx.stored(value), span)
        if isinstance(bound, Var):
            self.ctx.bits.add(bound.name)
        return build.as_truth(bound)

    def _when(self, name: str, some: Expr, value: Expr, span: Span) -> Expr:
        """A value that is looked at only when it is there."""
        return self.named(name, build.ite(some, value, build.ZERO), span)

    # --- putting values into slots --------------------------------------------------------------------------

    def store(self, slot: str, type: t.Type, index: tuple[Expr, ...], view: View, span: Span) -> None:
        """`slot[index] := view`; by way of other slots when it reads what it writes."""
        with self.build.collect() as made:
            self._write(slot, type, index, view, span)
        if clash(made):
            name = self._spare(slot, type, len(index), span)
            self._write(name, type, (), view, span)
            self._write(slot, type, index, shapes.read(self.ctx, name, type), span)
            return
        for s in made:
            self.emit(s, span)

    def _spare(self, slot: str, type: t.Type, depth: int, span: Span) -> str:
        """Other slots for what lies so deep in a slot; the same ones each time."""
        known = self.ctx.spares.get((slot, depth))
        if known is None:
            known = layout.declare_local(self.ctx, f"{slot}.new", type, self.origin(span), "control")
            self.ctx.spares[slot, depth] = known
        return known

    def _write(self, slot: str, type: t.Type, index: tuple[Expr, ...], view: View, span: Span) -> None:
        match type, view:
            case t.TBool(), _:
                self.set(slot, self.ctx.stored(scalar(view)), span, index)
            case t.TOption(t.TInt() as inner), Maybe(some, value, _):
                nothing = scalar(shapes.lowest(self.ctx, self._bounds, inner))
                self.set(slot, build.ite(some, value, nothing), span, index)
                self.set(f"{slot}.some", self.ctx.stored(some), span, index)
            case t.TOption(), _:
                self.set(slot, code_of(maybe(view)), span, index)
            case t.TSet(), SetView(size, has):
                self._each(size, lambda k: self.set(slot, self.ctx.stored(has(k)), span, (*index, k)), span)
            case ((t.TBag() | t.TDeck()), _):
                bag = as_bag(view)
                self._each(bag.size, lambda k: self.set(slot, bag.count(k), span, (*index, k)), span)
            case t.TMap(_, inside), MapView(size, at):
                self._each(size, lambda k: self._write(slot, inside, (*index, k), at(k), span), span)
            case t.TList(entry, _), ListView():
                self._write_list(slot, entry, index, view, span)
            case ((t.TTuple() | t.TRecord()), TupleView(items)):
                for name, part, item in zip(shapes.part_names(type), components(type), items, strict=True):
                    self._write(f"{slot}.{name}", part, index, item, span)
            case _:
                self.set(slot, scalar(view), span, index)

    def _bounds(self, type: t.TInt) -> tuple[int | None, int | None]:
        return constants.bounds(self.ctx, type)

    def _each(self, size: int, body: Callable[[Expr], None], span: Span) -> None:
        variable = self.ctx.fresh("k")
        with self.build.collect() as made:
            body(Var(variable))
        self.emit(For(variable, 0, size - 1, tuple(made)), span)

    def _write_list(
        self, slot: str, item: t.Type, index: tuple[Expr, ...], view: ListView, span: Span
    ) -> None:
        """Items beyond the length are put back to what they were at first, so that equal lists look equal."""
        room = len(self.ctx.slots[slot].dims[len(index)].names)
        rest = scalar(shapes.lowest(self.ctx, self._bounds, item))
        if view.limit > room:
            text = "the list is longer than there is room for"
            self.check(build.compare("<=", view.length, Const(room)), "limit", text, span)

        def write(k: Expr) -> None:
            inside = build.compare("<", k, view.length)
            self._write(slot, item, (*index, k), build.ite(inside, view.at(k), rest), span)

        self._each(room, write, span)
        self.set(f"{slot}.size", view.length, span, index)


def binders(condition: t.Expr, named: Mapping[str, View]) -> list[tuple[t.Local, View]]:
    """The locals that a conjunction binds, with what they stand for."""
    match condition:
        case t.IsSome(_, t.Local() as binder):
            return [(binder, named[binder.name])]
        case t.Logic("and", (left, right)):
            return binders(left, named) + binders(right, named)
    return []


def prefix(rule: str) -> str:
    """An instance's name as it stands in names of slots and blocks."""
    return rule.replace("#", ".")


def _nameable(type: t.Type) -> bool:
    match type:
        case t.TBool() | t.TInt() | t.TEnum() | t.TOption():
            return True
        case t.TTuple() | t.TRecord():
            return all(map(_nameable, components(type)))
    return False


def clash(made: list[Statement]) -> bool:
    """Whether these assignments read what they have written, other than each element itself."""
    before: set[str] = set()
    for s in made:
        own = list(sets([s]))
        slots = {x.slot for x in own}
        for x in own:
            for part in (x.value, *x.index):
                for found in reads(part):
                    if found.slot in before or (found.slot in slots and not _itself(found, x)):
                        return True
        before |= slots
    return False


def _itself(found: Read, target: Set) -> bool:
    return found.slot == target.slot and found.index == target.index


def simple(e: Expr) -> bool:
    """Whether `e` may as well be looked at again and again."""
    return isinstance(e, Const | Var) or (isinstance(e, Read) and all(map(simple, children(e))))
