"""Graphs of names: orders, loop heads, dominators, cycles. Nothing here knows of rules or of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Edges = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Order:
    """What can be reached from the start, and how.

    `names` are in reverse postorder: every node before those it leads to, but for edges that go back to a
    node the search was still in; the targets of those are `heads`, and every cycle holds one.
    """

    names: tuple[str, ...]
    heads: frozenset[str]


def search(start: str, leads_to: Callable[[str], Sequence[str]]) -> Order:
    heads: set[str] = set()
    finished: list[str] = []
    seen = {start}
    inside = {start}
    path = [(start, iter(leads_to(start)))]
    while path:
        name, targets = path[-1]
        target = next(targets, None)
        if target is None:
            path.pop()
            inside.discard(name)
            finished.append(name)
        elif target in inside:
            heads.add(target)
        elif target not in seen:
            seen.add(target)
            inside.add(target)
            path.append((target, iter(leads_to(target))))
    return Order(tuple(reversed(finished)), frozenset(heads))


def dominators(order: Order, before: Edges) -> dict[str, str]:
    """For each node the last other one that every way to it passes; for the start itself.

    The iteration of Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm".
    """
    number = {name: i for i, name in enumerate(order.names)}
    start = order.names[0]
    above = {start: start}
    changed = True
    while changed:
        changed = False
        for name in order.names[1:]:
            known = [p for p in before[name] if p in above]
            nearest = known[0]
            for other in known[1:]:
                nearest = _meeting(nearest, other, above, number)
            if above.get(name) != nearest:
                above[name] = nearest
                changed = True
    return above


def _meeting(a: str, b: str, above: Mapping[str, str], number: Mapping[str, int]) -> str:
    while a != b:
        if number[a] > number[b]:
            a = above[a]
        else:
            b = above[b]
    return a


def dominates(above: Mapping[str, str], a: str, b: str) -> bool:
    """Whether every way to `b` passes `a`."""
    while a != b:
        if above[b] == b:
            return False
        b = above[b]
    return True


def on_cycles(nodes: Iterable[str], leads_to: Callable[[str], Iterable[str]]) -> set[str]:
    """All nodes on cycles and between two: what leads nowhere or comes from nowhere is peeled off."""
    left = set(nodes)
    after = {node: set(leads_to(node)) & left for node in left}
    before: dict[str, set[str]] = {node: set() for node in left}
    for node, targets in after.items():
        for target in targets:
            before[target].add(node)
    todo = list(left)
    while todo:
        node = todo.pop()
        if node in left and (not after[node] & left or not before[node] & left):
            left.discard(node)
            todo.extend((after[node] | before[node]) & left)
    return left
