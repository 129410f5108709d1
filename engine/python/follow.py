"""Statements worked out where some elements of the record are known, and what is known after them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulespec.compiler.core.tree import (
    TRUE,
    Branch,
    Chance,
    Check,
    Choose,
    Compare,
    Const,
    Core,
    Enter,
    Expr,
    For,
    Goto,
    If,
    Let,
    Option,
    Origin,
    Param,
    Read,
    Set,
    Statement,
    Switch,
    Terminator,
    Truth,
    Var,
)
from rulespec.compiler.core.walk import children
from rulespec.engine.python.reduce import Known, Names, Reducer
from rulespec.engine.python.statements import slots_written
from rulespec.engine.python.tables import Tables

# A loop is written out if it is so short and comes to so few expressions.
_MOST_ROUNDS = 64
_LARGEST = 400
_MOST_WORK = 4_000


class Follower:
    """What is known goes along in `known`; scalars in `stale` have not been written when they should."""

    def __init__(self, core: Core, tracked: set[str], reducer: Reducer, tables: Tables | None) -> None:
        self.core = core
        self.tracked = tracked
        self.reducer = reducer
        self.tables = tables
        self.stale: set[str] = set()
        self._lazy = True

    @property
    def known(self) -> Known:
        return self.reducer.known

    def begin(self, known: Known, stale: Iterable[str]) -> None:
        self.reducer.known = known
        self.stale = set(stale)

    def _expr(self, e: Expr, names: Names) -> Expr:
        found = self.reducer.expr(e, names)
        return found if self.tables is None else self.tables.tabulated(found)

    # --- statements -----------------------------------------------------------------------------------------

    def statements(self, body: Iterable[Statement], names: Names) -> list[Statement]:
        result: list[Statement] = []
        for s in body:
            match s:
                case Set():
                    result.append(self._set(s, names))
                case Let(name, value):
                    found = self._expr(value, names)
                    names = {other: known for other, known in names.items() if other != name}
                    if isinstance(found, Const):
                        names[name] = found.value
                    else:
                        result.append(Let(name, found))
                case If():
                    result += self._if(s, names)
                case For():
                    result += self._for(s, names)
                case Check(condition):
                    result.append(replace(s, condition=self._expr(condition, names)))
                case Enter():
                    result.append(s)
        return [s for s in result if s != _NOTHING or s.origin != Origin()]

    def _set(self, s: Set, names: Names) -> Statement:
        slot = self.core.slot[s.slot]
        index = tuple([self._expr(i, names) for i in s.index])
        value = self._expr(s.value, names)
        at = self.reducer.position(slot.dims, index)
        if at is None:
            self._forget_slot(s.slot)
        elif s.slot in self.tracked and isinstance(value, Const) and slot.low <= value.value <= slot.high:
            self.known[s.slot, at] = value.value
            if self._lazy and not slot.dims:
                self.stale.add(s.slot)
                return replace(_NOTHING, origin=s.origin)
        else:
            self.known.pop((s.slot, at), None)
        self.stale.discard(s.slot)
        return replace(s, index=index, value=value)

    def _forget_slot(self, slot: str) -> None:
        for element in [e for e in self.known if e[0] == slot]:
            del self.known[element]

    def _if(self, s: If, names: Names) -> Iterator[Statement]:
        named = _asked_for(s)
        if named is not None:
            yield from _once(self.statements(named, names))
            return
        test = self._expr(s.condition, names)
        if isinstance(test, Truth):
            yield from _once(self.statements(s.then if test.value else s.other, names))
            return
        before = dict(self.known), set(self.stale)
        then = self.statements(s.then, names)
        after_then = self.known, self.stale
        self.begin(*before)
        other = self.statements(s.other, names)
        after_other = self.known, self.stale
        same = {e: v for e, v in after_then[0].items() if after_other[0].get(e) == v}
        for branch, (known, stale) in ((then, after_then), (other, after_other)):
            branch += [_write(slot, known[slot, 0]) for slot in sorted(stale) if (slot, 0) not in same]
        self.begin(same, {slot for slot in after_then[1] | after_other[1] if (slot, 0) in same})
        yield replace(s, condition=test, then=tuple(then), other=tuple(other))

    def _for(self, s: For, names: Names) -> Iterator[Statement]:
        written_out = self._rounds(s, names)
        if written_out is not None:
            yield from written_out
            return
        written = set(slots_written(s.body))
        yield from self.written(written)
        for slot in written:
            self._forget_slot(slot)
        lazy, self._lazy = self._lazy, False
        inside = {name: known for name, known in names.items() if name != s.variable}
        body = self.statements(s.body, inside)
        self._lazy = lazy
        for slot in written:
            self._forget_slot(slot)
        yield replace(s, body=tuple(body))

    def _rounds(self, s: For, names: Names) -> list[Statement] | None:
        """The loop written out, unless that comes to too much."""
        if s.high - s.low >= _MOST_ROUNDS or _size((s,)) > _MOST_WORK:
            return None
        before = dict(self.known), set(self.stale)
        result: list[Statement] = []
        size = 0
        for value in range(s.low, s.high + 1):
            once = self.statements(s.body, {**names, s.variable: value})
            size += _size(once)
            if size > _LARGEST:
                self.begin(*before)
                return None
            result += _once(once)
        return result

    def written(self, slots: Iterable[str]) -> list[Statement]:
        """Those of the slots that should have been written are written now."""
        late = sorted(self.stale.intersection(slots))
        self.stale -= set(late)
        return [_write(slot, self.known[slot, 0]) for slot in late]

    # --- ends of blocks -------------------------------------------------------------------------------------

    def end(self, end: Terminator) -> Terminator:
        expr = self.reducer.expr
        match end:
            case Branch(condition, then, other):
                test = self._expr(condition, {})
                if isinstance(test, Truth):
                    return Goto(then if test.value else other)
                return replace(end, condition=test)
            case Switch(slot, targets):
                value = self.known.get((slot, 0))
                return end if value is None else Goto(targets[value])
            case Choose(actor, options, secret):
                return Choose(expr(actor, {}), tuple(map(self._option, options)), secret)
            case Chance():
                return replace(end, weight=expr(end.weight, {}), seen_by=expr(end.seen_by, {}))
            case _:
                return end

    def _option(self, option: Option) -> Option:
        return replace(
            option, params=tuple(map(self._param, option.params)), guard=self.reducer.expr(option.guard, {})
        )

    def _param(self, param: Param) -> Param:
        return replace(param, low=self.reducer.expr(param.low, {}), high=self.reducer.expr(param.high, {}))


# Says nothing but where the rules have come to.
_NOTHING = Check(TRUE, "", "")


def _write(slot: str, value: int) -> Set:
    return Set(slot, (), Const(value))


def _asked_for(s: If) -> tuple[Statement, ...] | None:
    """`if E != c: let x = E; ...` as `let x = E; if x != c: ...`: worked out once."""
    match s:
        case If(Compare(operator, value, Const() as than), (Let(name, again), *then), ()) if (
            value == again and children(value) and not isinstance(value, Read)
        ):
            asked = Compare(operator, Var(name), than)
            return Let(name, value), replace(s, condition=asked, then=tuple(then))
        case _:
            return None


def _once(body: list[Statement]) -> Iterator[Statement]:
    """As statements inside another: names and origins end with them."""
    if body:
        yield If(TRUE, tuple(body))


def _size(body: Iterable[Statement]) -> int:
    """Expressions in statements."""
    size = 0
    for s in body:
        match s:
            case Set(_, index, value):
                size += sum(map(_expressions, (*index, value)))
            case Let(_, value) | Check(value):
                size += _expressions(value)
            case If(condition, then, other):
                size += _expressions(condition) + _size(then) + _size(other)
            case For(_, low, high, inside):
                size += (high - low + 1) * _size(inside)
            case _:
                pass
    return size


def _expressions(e: Expr) -> int:
    return 1 + sum(map(_expressions, children(e)))
