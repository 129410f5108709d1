"""Recursion: no function or rule may come back to itself, so that every local has one place in the record."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed.scope import Book
from rulespec.compiler.typed.walk import every

Edges = dict[str, dict[str, Span]]


def check_cycles(book: Book) -> None:
    """Report each cycle of calls once."""
    edges = {name: _mentions(book, template.source) for name, template in book.templates.items()}
    done: set[str] = set()
    for name in edges:
        cycle = _cycle(edges, name, done)
        if cycle:
            _report(book, edges, cycle)


def _mentions(book: Book, source: s.Function | s.Rule) -> dict[str, Span]:
    """The functions and rules that a body names, by call or as an argument, with the first place of each."""
    own = {p.name.text for p in source.parameters}
    found: dict[str, Span] = {}
    for node in every(source):
        name = node.function if isinstance(node, s.Call) else node.name if isinstance(node, s.Ref) else None
        if name is not None and name.text not in own and name.text in book.templates and book.find(name):
            found.setdefault(name.text, name.span)
    return found


def _cycle(edges: Edges, start: str, done: set[str]) -> list[str]:
    """A cycle reached from `start`, found without recursion; nodes that lead to none are noted in `done`."""
    path = [start]
    waiting = [iter(edges[start])]
    if start in done:
        return []
    while path:
        following = next(waiting[-1], None)
        if following is None:
            done.add(path.pop())
            waiting.pop()
        elif following in path:
            done.update(path)
            return path[path.index(following) :]
        elif following not in done:
            path.append(following)
            waiting.append(iter(edges[following]))
    return []


def _report(book: Book, edges: Edges, cycle: list[str]) -> None:
    following = [*cycle[1:], cycle[0]]
    places = [edges[a][b] for a, b in zip(cycle, following, strict=True)]
    chain = " -> ".join(f"`{name}`" for name in [*cycle, cycle[0]])
    word = book.templates[cycle[0]].sort
    labels = tuple(
        Label(span, f"`{a}` needs `{b}`") for a, b, span in zip(cycle, following, places, strict=True)
    )
    text = f"the {word} `{cycle[0]}` comes back to itself: {chain}"
    advice = "use a loop, so that it is sure to end"
    book.report.error("R0240", text, book.symbols[cycle[0]].span, *labels, help=(advice,))
