"""Every name of a rulebook and of the modules it uses: where it is defined, and what each use of it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Protocol

from rulespec.compiler.front import Checked
from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.surface import tree as s


@dataclass(frozen=True)
class Definition:
    """`sort` is the word for it (`rule`, `member`, `parameter`), `of` what it is part of: the enum of a
    member, the rule of a parameter. `span` is that of the name, `whole` that of the declaration or line it
    stands in.
    """

    sort: str
    name: str
    title: str
    of: str
    citation: Citation | None
    span: Span
    whole: Span

    @property
    def local(self) -> bool:
        """Whether it means something inside one declaration alone."""
        return self.sort in LOCAL


LOCAL = frozenset({"parameter", "let", "var", "option parameter", "each of", "part of the result", "player"})


@dataclass(frozen=True)
class Names:
    """`definitions` by the span of the defined name; `uses` from the span of a name to that of its
    definition.
    """

    definitions: Mapping[Span, Definition]
    uses: Mapping[Span, Span]

    def meaning(self, span: Span) -> Definition | None:
        """What the name at a span means: what is defined there, or what it was looked up as."""
        return self.definitions.get(span) or self.definitions.get(self.uses.get(span, span))


def names(checked: Checked) -> Names:
    """All names of a rulebook without errors."""
    definitions: dict[Span, Definition] = {}
    for document in checked.documents:
        for declaration in document.declarations:
            for found in _defined(declaration):
                if found.span.end_column - found.span.column == len(
                    found.name
                ):  # `random player` has no name
                    definitions.setdefault(found.span, found)
    uses = {use: of for use, of in checked.uses.items() if use not in definitions}
    return Names(definitions, uses)


# --- what a declaration defines -----------------------------------------------------------------------------


def _defined(e: s.Declaration) -> Iterator[Definition]:
    """The names that a declaration defines: its own, those of its parts, and those inside its rules."""
    match e:
        case s.Use() | s.Players() | s.WhenPlayers() | s.Aside():
            return
        case s.State():
            for variable in e.variables:
                of = "each player" if variable.per_player else ""
                yield _one("state variable", variable, variable.title, of, variable.citation)
            return
        case s.Ranking():
            yield Definition("player", e.name.text, e.title, "the ranking", e.citation, e.name.span, e.span)
        case s.Invariant():
            yield _one(e.kind, e, e.title)
        case s.Reading():
            yield _one("reading", e, e.question)
        case _:
            yield _one(type(e).__name__.lower(), e, e.title)
    yield from _parts(e)
    yield from _inside(e, _owner(e))


class _Named(Protocol):
    @property
    def name(self) -> s.Name: ...
    @property
    def span(self) -> Span: ...


def _one(sort: str, e: _Named, title: str, of: str = "", citation: Citation | None = None) -> Definition:
    cited = citation or getattr(e, "citation", None)
    return Definition(sort, e.name.text, title, of, cited, e.name.span, e.span)


def _owner(e: s.Declaration) -> str:
    name = getattr(e, "name", None)
    return name.text if isinstance(name, s.Name) and not isinstance(e, s.Ranking) else "the ranking"


def _parts(e: s.Declaration) -> Iterator[Definition]:
    match e:
        case s.Enum():
            for member in e.members:
                yield _part("member", member.name, member.label, e, e.citation)
        case s.Currency():
            yield _part("state variable", e.home, e.title, e, e.citation)
        case s.Record():
            for name, _ in e.fields:
                yield _part("field", name, "", e, None)
        case s.Table():
            for column in e.columns:
                yield Definition(
                    "column", column.name.text, "", e.name.text, None, column.name.span, column.span
                )
            for row in (*e.rows, *(row for part in e.assumed for row in part.rows)):
                yield _one("row", row, row.label, e.name.text)
        case s.Reading():
            for meaning in e.meanings:
                yield _one("meaning", meaning, meaning.title, e.name.text)
        case s.Function() | s.Rule():
            for parameter in e.parameters:
                yield _part("parameter", parameter.name, "", e, None)
            if isinstance(e.result, s.TupleType):
                for item, _ in e.result.items:
                    if item is not None:
                        yield _part("part of the result", item, "", e, None)


def _part(sort: str, name: s.Name, title: str, of: _Named, citation: Citation | None) -> Definition:
    line = Span(name.span.file, name.span.line, 1, name.span.line, name.span.end_column)
    return Definition(sort, name.text, title, of.name.text, citation, name.span, line)


def _inside(node: object, owner: str) -> Iterator[Definition]:
    """The names that rules, choices, loops and expressions bind, in the order of the text."""
    match node:
        case s.Let():
            for name in node.names:
                yield _local("let", name, node.span, owner)
        case s.Var():
            yield _local("var", node.name, node.span, owner)
        case s.Generator():
            yield _local("each of", node.name, node.span, owner)
        case s.AtOnce():
            yield _local("player", node.name, node.span, owner)
        case s.IsSome() if node.name is not None:
            yield _local("let", node.name, node.span, owner)
        case s.Option():
            yield _one("option", node, node.phrase, owner)
        case s.OptionParam():
            yield _local("option parameter", node.name, node.span, owner)
    for below in _below(node):
        yield from _inside(below, owner)


def _local(sort: str, name: s.Name, whole: Span, owner: str) -> Definition:
    return Definition(sort, name.text, "", owner, None, name.span, whole)


_LEAVES = (s.Name, Span, Citation, str, int)


def _below(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        yield from node
    elif is_dataclass(node) and not isinstance(node, _LEAVES):
        for field in fields(node):
            yield getattr(node, field.name)
