"""Hashes of trees: two that mean the same have the same hash, whatever their prose says and where it stands.

What is for people alone does not count: titles, labels, phrases, citations, asides, and places in the text.
All else does, and so does a field that a tree is given later.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from typing import Any

from rulespec.compiler.core.tree import Block, Check, Core, Enter, Set
from rulespec.compiler.values import getter

PROSE = frozenset({"title", "labels", "phrase", "question", "ident", "why", "citation", "span", "asides"})
SIZE = 16  # bytes

# A core's configuration and list of rules only say what things are called.
_PROSE_OF: dict[type, frozenset[str]] = {
    Core: frozenset({"configuration", "rules"}),
    Check: frozenset({"text"}),
}
_OF_RULES = (Set, Check, Enter, Block)  # what is claimed of these is claimed of a rule


class Digests:
    """Hashes of trees and their parts, each made once."""

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}
        self._kept: list[object] = []  # a number that stands for a part must not come to stand for another

    def of(self, value: object) -> bytes:
        """The hash of a tree, a tuple, a string or a number.

        Raises:
            TypeError: it is none of these.
        """
        if value is None or isinstance(value, bool | int | str):
            return repr(value).encode("utf-8", "surrogatepass")
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = self._made(value)
            self._kept.append(value)
        return known

    def _made(self, value: object) -> bytes:
        kind = type(value)
        if isinstance(value, tuple):
            return _joined(b"", map(self.of, value))
        if not dataclasses.is_dataclass(kind):
            raise TypeError(f"no hash can be made of `{kind.__name__}`")
        return _joined(kind.__name__.encode(), map(self.of, _content(kind)(value)))


def digest(value: object) -> str:
    """The hash of a tree as text.

    Raises:
        TypeError: see `Digests.of`.
    """
    return _joined(b"", (Digests().of(value),)).hex()


def _joined(kind: bytes, parts: Iterable[bytes]) -> bytes:
    text = b"".join(b"%d:%b" % (len(part), part) for part in (kind, *parts))
    return blake2b(text, digest_size=SIZE).digest()


@cache
def _content(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """What gives those fields of a value that count: what tells two values apart, and which rule they are of.

    Other fields than these are lost where a core is kept as text.
    """
    left = PROSE | _PROSE_OF.get(kind, frozenset())
    found = (field for field in dataclasses.fields(kind) if field.name not in left)
    return getter(f.name for f in found if f.compare or (f.name == "origin" and kind in _OF_RULES))
