"""Every node of a tree, whatever its class: for depth, for names that are mentioned, for constants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.values import getter

_PARTS: dict[type[Any], Callable[[Any], tuple[Any, ...]]] = {}
_LEAVES = frozenset({str, int, bool, type(None), Span, Citation})


def children(node: object) -> list[object]:
    """The dataclass nodes directly inside a node, also those in its tuples."""
    found: list[object] = []
    kind = type(node)
    _gather(node if isinstance(node, tuple) else (_PARTS.get(kind) or _learnt(kind))(node), found)
    return found


def every(node: object) -> Iterator[object]:
    """A node and all nodes below it, without recursion."""
    waiting = [node]
    while waiting:
        next_node = waiting.pop()
        yield next_node
        waiting.extend(reversed(children(next_node)))


def deepest(node: object, limit: int) -> object | None:
    """A node more than `limit` levels down, or None."""
    level = [node]
    for _ in range(limit):
        level = [child for parent in level for child in children(parent)]
        if not level:
            return None
    return level[0]


def _learnt(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    return _PARTS.setdefault(kind, getter(f.name for f in fields(kind)) if is_dataclass(kind) else getter(()))


def _gather(values: tuple[Any, ...], found: list[object]) -> None:
    for value in values:
        if type(value) is tuple:
            _gather(value, found)
        elif type(value) not in _LEAVES:
            found.append(value)
