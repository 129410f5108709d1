"""Every node of a tree, whatever its class: for depth, for names that are mentioned, for constants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulespec.compiler.spans import Citation, Span

_FIELDS: dict[type, tuple[str, ...]] = {}
_LEAVES = (str, int, bool, type(None), Span, Citation)


def children(node: object) -> list[object]:
    """The dataclass nodes directly inside a node, also those in its tuples."""
    found: list[object] = []
    if isinstance(node, tuple):
        _gather(node, found)
    for name in _names(type(node)):
        _gather(getattr(node, name), found)
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


def _names(cls: type) -> tuple[str, ...]:
    if cls not in _FIELDS:
        _FIELDS[cls] = tuple(f.name for f in fields(cls)) if is_dataclass(cls) else ()
    return _FIELDS[cls]


def _gather(value: object, found: list[object]) -> None:
    if isinstance(value, _LEAVES):
        return
    if isinstance(value, tuple):
        for item in value:
            _gather(item, found)
    else:
        found.append(value)
