"""Who cites a source: every citation in the trees of a rulebook, with what it is the citation of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.surface import tree
from rulespec.compiler.values import dataclass

# The word for each node that has a citation, where it is not the name of its class.
_SORTS: dict[type, str] = {
    tree.Assumed: "assumed rows",
    tree.AssumedMembers: "assumed members",
    tree.StateVar: "state variable",
    tree.WhenPlayers: "when players",
}

# Expressions, which are most of a tree, hold no citation.
_LEAVES = frozenset({str, int, bool, type(None), Span, Citation, tree.Name, *get_args(tree.Expr)})


@dataclass(frozen=True, slots=True)
class Citing:
    """What cites: an `option` (sort) `build` (name) in the rule `build_city` (of); "" where there is none.

    The sort of an aside is its kind, that of an invariant `invariant`, `reachable` or `hint`. The span is
    that of the name where there is one.
    """

    sort: str
    name: str
    of: str
    title: str
    citation: Citation
    span: Span
    node: Any


def citing(documents: Iterable[tree.Document]) -> Iterator[Citing]:
    """Every citation of these documents, in the order of their texts; those that follow one another apart."""
    for document in documents:
        for declaration in document.declarations:
            found = [one for node, of in _nodes(declaration) for one in _of(node, of)]
            yield from sorted(found, key=lambda one: one.citation.span)


def _nodes(declaration: tree.Declaration) -> Iterator[tuple[Any, str]]:
    """The nodes of a declaration that may cite, each with the name of what it stands in."""
    waiting: list[tuple[Any, str]] = [(declaration, "")]
    while waiting:
        node, of = waiting.pop()
        if type(node) is tuple:
            waiting += [(item, of) for item in node]
        elif type(node) not in _LEAVES:
            yield node, of
            inside = of or _name(node)
            waiting += [(getattr(node, name), inside) for name in getattr(node, "__slots__", ())]


def _of(node: Any, of: str) -> Iterator[Citing]:
    first: Citation | None = getattr(node, "citation", None)
    if first is None:
        return
    name = getattr(node, "name", None)
    span = node.span if name is None else name.span
    for one in (first, *first.also):
        yield Citing(_sort(node), _name(node), of, _title(node), one, span, node)


def _sort(node: Any) -> str:
    match node:
        case tree.Invariant():
            return node.kind
        case tree.Beside():
            return node.kind.text
        case _:
            return _SORTS.get(type(node), type(node).__name__.lower())


def _name(node: Any) -> str:
    match node:
        case tree.WhenPlayers():
            return f"{node.operator} {node.number}"
        case tree.Ranking():
            return ""
        case _:
            name = getattr(node, "name", None)
            return name.text if isinstance(name, tree.Name) else ""


def _title(node: Any) -> str:
    """The words for people; of a phrase, as it is written."""
    for part in ("title", "label", "question", "why", "phrase"):
        text = getattr(node, part, "")
        if text:
            return str(text)
    return ""
