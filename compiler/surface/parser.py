"""A small LALR(1) machine over the tables of `grammar.py`; it can be asked what it accepts and set back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.surface.grammar import Rule, Tables

Action = Callable[[list[Any], Span], Any]
Stretch = Span | None  # None for what has no place: layout, and parts that are not there
Snapshot = tuple[list[int], list[Any], list[Stretch]]


class Parser:
    """Fed token by token. Values that outlive a line are never changed, so a snapshot is three lists."""

    def __init__(self, tables: Tables, actions: Mapping[str, Action]) -> None:
        self._tables = tables
        self._actions = actions
        self._accept = tables.accept
        self._states = [tables.start]
        self._values: list[Any] = []
        self._spans: list[Stretch] = []

    @property
    def height(self) -> int:
        return len(self._states)

    def feed(self, kind: str, value: Any, span: Stretch) -> bool:
        """Takes one token; False when it cannot stand here, and then only `restore` makes sense."""
        rows, states = self._tables.actions, self._states
        while True:
            step = rows[states[-1]].get(kind)
            if step is None:
                return False
            if step >= 0:
                states.append(step)
                self._values.append(value)
                self._spans.append(span)
                return True
            self._reduce(self._tables.rules[-1 - step], kind)

    def finish(self) -> tuple[bool, Any]:
        """Whether the start symbol is complete, and its value."""
        while self._states[-1] != self._accept:
            step = self._tables.actions[self._states[-1]].get("$END")
            if step is None or step >= 0:
                return False, None
            self._reduce(self._tables.rules[-1 - step], "$END")
        return True, self._values[-1]

    def _reduce(self, rule: Rule, ahead: str) -> None:
        states, rules = self._states, self._tables.rules
        actions, gotos = self._tables.actions, self._tables.gotos
        size = rule.size
        if not (rule.plain and size == 1):
            if size:
                children, places = self._values[-size:], self._spans[-size:]
                del self._values[-size:], self._spans[-size:], states[-size:]
            else:
                children, places = [], []
            place = _stretch(places)
            if rule.absent:
                children = _with_absent(children, rule.absent)
            self._values.append(self._actions[rule.action](children, place or NOWHERE))
            self._spans.append(place)
        else:
            states.pop()
        below = gotos[states[-1]]
        state = below[rule.origin]
        # Chains of plain rules (each level of the operators is one) change the state and nothing else.
        while (
            (step := actions[state].get(ahead, 0)) < 0
            and rules[-1 - step].plain
            and rules[-1 - step].size == 1
        ):
            state = below[rules[-1 - step].origin]
        states.append(state)

    def accepts(self, kind: str) -> bool:
        """Whether a token of this kind could be fed now (the tables alone say yes too often)."""
        if kind not in self._tables.actions[self._states[-1]]:
            return False
        tables, states = self._tables, self._states[:]
        while True:
            step = tables.actions[states[-1]].get(kind)
            if step is None:
                return False
            if step >= 0:
                return True
            rule = tables.rules[-1 - step]
            if rule.size:
                del states[-rule.size :]
            states.append(tables.gotos[states[-1]][rule.origin])

    def expected(self) -> frozenset[str]:
        """All kinds of tokens that could be fed now."""
        return frozenset(kind for kind in self._tables.actions[self._states[-1]] if self.accepts(kind))

    def snapshot(self) -> Snapshot:
        return self._states[:], self._values[:], self._spans[:]

    def restore(self, snapshot: Snapshot) -> None:
        states, values, spans = snapshot
        self._states, self._values, self._spans = states[:], values[:], spans[:]


def _stretch(places: list[Stretch]) -> Stretch:
    """From the first place to the last."""
    first: Stretch = None
    last: Stretch = None
    for place in places:
        if place is not None:
            last = place
            if first is None:
                first = place
    if first is None or last is None or first is last:
        return first
    return first.to(last)


def _with_absent(children: list[Any], absent: tuple[int, ...]) -> list[Any]:
    """Puts None for each part in square brackets of the grammar that is not there."""
    full: list[Any] = []
    for i, child in enumerate(children):
        full += [None] * absent[i] + [child]
    return full + [None] * absent[-1]
