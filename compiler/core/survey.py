"""Walks over typed trees: what an expression uses, what statements write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.values import dataclass, getter

_SKIPPED = frozenset(
    {str, int, bool, type(None), Span, Citation}
    | {t.TBool, t.TInt, t.TEnum, t.TOption, t.TTuple, t.TRecord, t.TSet, t.TBag, t.TDeck, t.TMap, t.TList}
)


def nodes(*roots: object) -> Iterator[Any]:
    """All dataclass nodes of typed trees, types left out; the order is that of no one."""
    waiting: list[Any] = list(roots)
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind is tuple:
            waiting.extend(node)
        elif kind not in _SKIPPED:
            yield node
            waiting.extend((_PARTS.get(kind) or _learnt(kind))(node))


_PARTS: dict[type[Any], Callable[[Any], tuple[Any, ...]]] = {}


def _learnt(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    return _PARTS.setdefault(kind, getter(f.name for f in fields(kind) if f.name not in ("type", "span")))


def root(target: t.Expr) -> t.Local | t.StateRef:
    """The variable that an assignment or a place is a part of."""
    while not isinstance(target, t.Local | t.StateRef):
        assert isinstance(target, t.IndexOf | t.FieldOf), "the checker lets only variables be assigned to"
        target = target.value
    return target


def changed(statement: t.Statement) -> tuple[t.Expr, ...]:
    """The targets that a statement writes itself."""
    match statement:
        case t.Let(targets):
            return targets
        case t.Assign(target):
            return (target,)
        case t.Update(_, _, target):
            return (target,)
        case t.MoveKind(_, _, source, target) | t.MoveBag(_, source, target) | t.Pay(_, _, source, target):
            return (source, target)
        case t.Draw(_, _, source, target, into):
            return (source, target) if into is None else (source, target, into)
        case t.Random(into):
            return (into,)
        case t.For(variable):
            return (variable,)
        case t.CallRule(_, _, targets):
            return targets
        case t.Choose(_, options):
            return tuple(p.local for o in options for p in o.params)
        case t.AtOnce(player, _, options):
            return (player, *(p.local for o in options for p in o.params))
    return ()


def mutable(statements: Iterable[t.Statement]) -> set[str]:
    """Locals that are assigned to after they were bound."""
    found: set[str] = set()
    for node in nodes(tuple(statements)):
        if isinstance(node, t.Assign | t.Update):
            target = root(node.target)
            if isinstance(target, t.Local):
                found.add(target.name)
    return found


@dataclass(frozen=True, slots=True)
class Names:
    """State variables and locals; a local of another rule is none of ours."""

    state: frozenset[str]
    locals: frozenset[str]

    def meets(self, other: Names) -> bool:
        return bool(self.state & other.state or self.locals & other.locals)


class Survey:
    """What expressions read and rules write, by name, functions and called rules taken in."""

    def __init__(self, functions: Mapping[str, t.Function], rules: Mapping[str, t.Rule]) -> None:
        self.functions = functions
        self.rules = rules
        self._read: dict[str, frozenset[str]] = {}
        self._written: dict[str, frozenset[str]] = {}

    def read(self, *roots: object) -> Names:
        state: set[str] = set()
        names: set[str] = set()
        for node in nodes(*roots):
            match node:
                case t.StateRef(name):
                    state.add(name)
                case t.Local(name):
                    names.add(name)
                case t.CallFunction(function):
                    state |= self._function(function)
        return Names(frozenset(state), frozenset(names))

    def written(self, *roots: object) -> Names:
        state: set[str] = set()
        names: set[str] = set()
        for node in nodes(*roots):
            if isinstance(node, t.CallRule):
                state |= self._rule(node.rule)
            for target in changed(node):
                found = root(target)
                (state if isinstance(found, t.StateRef) else names).add(found.name)
        return Names(frozenset(state), frozenset(names))

    def _function(self, name: str) -> frozenset[str]:
        if name not in self._read:
            self._read[name] = frozenset()  # functions do not call themselves, but a broken tree might
            self._read[name] = self.read(self.functions[name].value).state
        return self._read[name]

    def _rule(self, name: str) -> frozenset[str]:
        if name not in self._written:
            self._written[name] = frozenset()
            self._written[name] = self.written(self.rules[name].body).state
        return self._written[name]
