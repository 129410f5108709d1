"""Where the rules ask for a reading or a variant: the declaration, and the least part of it that depends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.surface.tree import Document

_FIELDS: dict[type[Any], tuple[str, ...]] = {}
_LEAVES = frozenset({str, int, bool, type(None), Span, Citation})
# What can be quoted by itself: a line of rules with what is beneath it.
_WHOLE = (
    s.Let, s.Assign, s.Add, s.Move, s.Draw, s.Pay, s.Score, s.If, s.For, s.While, s.Var, s.Return, s.Assert,
    s.Do, s.Option, s.StateVar, s.Setting, s.Given,
)  # fmt: skip


@dataclass(frozen=True)
class Ask:
    """`sort` is the declaration's kind (`rule`, `function`, `currency`, ...), `name` its own, "" for none;
    `part` is what to quote of it, `meaning` which meaning is asked for ("" for a variant).
    """

    sort: str
    name: str
    title: str
    declared: Span
    part: Span
    meaning: str = ""


@dataclass(frozen=True)
class Asks:
    """By the name of the reading or variant, in the order of the text; `players` compare how many play."""

    readings: Mapping[str, tuple[Ask, ...]]
    variants: Mapping[str, tuple[Ask, ...]]
    players: tuple[Ask, ...] = ()


def asks(documents: Iterable[Document]) -> Asks:
    """All places where rules ask."""
    readings: dict[str, dict[Ask, None]] = {}
    variants: dict[str, dict[Ask, None]] = {}
    players: dict[Ask, None] = {}
    for document in documents:
        for declaration in document.declarations:
            for node, part in _asking(declaration):
                match node:
                    case s.IsReading(reading, meaning):
                        ask = _ask(declaration, part, meaning.text)
                        readings.setdefault(reading.text, {})[ask] = None
                    case s.IsVariant(variant):
                        variants.setdefault(variant.text, {})[_ask(declaration, part, "")] = None
                    case _:
                        players[_ask(declaration, part, "")] = None
    return Asks(_tuples(readings), _tuples(variants), tuple(players))


def _tuples(found: Mapping[str, Iterable[Ask]]) -> dict[str, tuple[Ask, ...]]:
    return {name: tuple(each) for name, each in found.items()}


def _asking(declaration: s.Declaration) -> Iterator[tuple[s.Expr, Span]]:
    """Each question with the least part around it that stands by itself."""
    waiting: list[tuple[Any, Span]] = [(declaration, declaration.span)]
    while waiting:
        node, part = waiting.pop()
        if isinstance(node, s.IsReading | s.IsVariant) or _counts_players(node):
            yield node, part
            continue
        inside = node.span if isinstance(node, _WHOLE) else part
        waiting.extend((child, inside) for child in reversed(_children(node)))


def _counts_players(node: object) -> bool:
    """Whether it compares `size(players)` with something."""
    match node:
        case s.Binary(operator, left, right) if operator in ("=", "!=", "<", "<=", ">", ">="):
            return any(
                isinstance(side, s.Call)
                and side.function.text == "size"
                and [getattr(getattr(x, "name", None), "text", "") for x in side.arguments] == ["players"]
                for side in (left, right)
            )
    return False


def _children(node: Any) -> list[Any]:
    found: list[Any] = []
    waiting = [getattr(node, name) for name in _names(type(node))]
    for value in waiting:
        if isinstance(value, tuple):
            waiting.extend(value)
        elif type(value) not in _LEAVES:
            found.append(value)
    return found


def _names(kind: type[Any]) -> tuple[str, ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
    return _FIELDS[kind]


def _ask(declaration: s.Declaration, part: Span, meaning: str) -> Ask:
    name = getattr(declaration, "name", None)
    title = getattr(declaration, "title", "")
    sort = _SORTS.get(type(declaration), type(declaration).__name__.lower())
    return Ask(sort, name.text if name else "", title, declaration.span, part, meaning)


_SORTS: dict[type, str] = {s.WhenPlayers: "when players", s.State: "state"}
