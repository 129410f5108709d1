"""Rulebooks with one small change each, to see whether anything notices it.

The operators, by the name that they have in a change's id:

| operator | change |
|---|---|
| `number` | a number one more, or one less |
| `truth` | `true` for `false`, and the other way round |
| `compare` | `<` for `<=`, `>` for `>=`, `=` for `!=`, and the other way round |
| `arith` | `+` for `-`, `min` for `max`, `half_up` for `half_down`, and the other way round |
| `part` | one side of an `and` or `or` left out, a `not` left out |
| `turn` | the condition of an `if` turned round, or the two values of an `if ... else` swapped |
| `else` | an `else` left out |
| `guard` | the `when` of an option left out |
| `option` | an option left out |
| `where` | a `where` left out |
| `order` | an `order by` turned round |
| `fold` | `all` for `any`, `min` for `max`, and the other way round |
| `set` | `union` for `intersect`, and the other way round |
| `side` | `left of` for `right of`, and the other way round |
| `neighbour` | the player to the left of the one that is meant |
| `up_to` | `up to` left out or put in |
| `drop` | a statement left out |
| `key` | a key of the ranking left out |

What only claims (`assert`, `requires`, `ensures`, `keeps`, `decreasing`, properties) is left alone: it
changes no play. So are tests of readings and variants, which have values of their own to try.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from rulespec.compiler.spans import NOWHERE, Citation, Span
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.mutations import Source, statement_changes, value_changes

Path = tuple[str | int, ...]

_CLAIMS = frozenset({"requires", "ensures", "keeps", "decreasing", "type", "span", "citation", "parameters"})


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: `new` for what is at `path` in `owner`, a declaration (`kind`, name).

    `text` is what would stand at `span`, None for what is left out whole. `before` and `after` are the lines
    with the change, `after` "" where `text` is None.
    """

    id: str
    operator: str
    kind: str
    owner: str
    path: Path
    new: Any
    span: Span
    text: str | None
    before: str
    after: str
    title: str
    citation: Citation | None


@dataclass(frozen=True, slots=True)
class _Site:
    path: Path
    node: Any
    citation: Citation | None


def mutants(
    rulebook: t.Rulebook, sources: Mapping[str, str], is_own: Callable[[Span], bool] = lambda span: True
) -> tuple[Mutant, ...]:
    """All changes of what `is_own`, in the order of the text. Ids stay the same while their rule does."""
    source = Source(sources)
    found: list[Mutant] = []
    numbers: Counter[tuple[str, str]] = Counter()
    for kind, owner, title, citation, root in _roots(rulebook):
        made: list[tuple[str, Path, Any, Span, str | None, Citation | None]] = []
        for site in _sites(root, (), citation):
            for change in (*value_changes(site.node, source), *statement_changes(site.node, source)):
                path = (*site.path, *change.below)
                made.append((change.operator, path, change.new, change.span, change.after, site.citation))
        seen: set[tuple[Span, str | None]] = set()
        for operator, path, new, span, after, cited in sorted(made, key=lambda m: (m[3], m[0], m[4] or "")):
            if span == NOWHERE or not is_own(span) or (span, after) in seen:
                continue
            if after in ("", source.text(span)):
                continue  # nothing that the text could say
            seen.add((span, after))
            numbers[owner, operator] += 1
            name = f"{owner}.{operator}.{numbers[owner, operator]}"
            lines = source.lines(span, after)
            found.append(Mutant(name, operator, kind, owner, path, new, span, after, *lines, title, cited))
    return tuple(sorted(found, key=lambda m: (m.span, m.id)))


def apply(rulebook: t.Rulebook, mutant: Mutant) -> t.Rulebook:
    """The rulebook with the change. It may be none that the compiler can work with."""
    match mutant.kind:
        case "rule":
            rules = tuple(_changed(r, mutant) if r.base == mutant.owner else r for r in rulebook.rules)
            return replace(rulebook, rules=rules)
        case "function":
            functions = tuple(
                _changed(f, mutant) if f.name == mutant.owner else f for f in rulebook.functions
            )
            return replace(rulebook, functions=functions)
        case "param":
            params = tuple(_changed(p, mutant) if p.name == mutant.owner else p for p in rulebook.params)
            return replace(rulebook, params=params)
        case "currency":
            found = tuple(_changed(c, mutant) if c.name == mutant.owner else c for c in rulebook.currencies)
            return replace(rulebook, currencies=found)
        case "piece":
            pieces = tuple(_changed(p, mutant) if p.name == mutant.owner else p for p in rulebook.pieces)
            return replace(rulebook, pieces=pieces)
    return replace(rulebook, ranking=_changed(rulebook.ranking, mutant))


def _changed(root: Any, mutant: Mutant) -> Any:
    """An instance of a rule may lack what another has: it stays as it is.

    What is written once may stand in the tree twice, as the place in `x += 1` does: it is changed in both.
    """
    try:
        old = root
        for part in mutant.path:
            old = old[part] if isinstance(part, int) else getattr(old, part)
    except (AttributeError, IndexError, TypeError):
        return root
    if getattr(old, "span", NOWHERE) == NOWHERE:
        return put(root, mutant.path, mutant.new)
    return _everywhere(root, old, mutant.new)


def _everywhere(node: Any, old: Any, new: Any) -> Any:
    if node is old or (type(node) is type(old) and node == old):
        return new
    if isinstance(node, tuple):
        items = tuple(_everywhere(item, old, new) for item in node)
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if not _is_node(node):
        return node
    changed = {}
    for each in fields(node):
        before = getattr(node, each.name)
        after = _everywhere(before, old, new)
        if after is not before:
            changed[each.name] = after
    return replace(node, **changed) if changed else node


def put(root: Any, path: Path, new: Any) -> Any:
    """The tree with another node at the path."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        items = list(root)
        items[first] = put(items[first], rest, new)
        return tuple(items)
    return replace(root, **{first: put(getattr(root, first), rest, new)})


def _roots(book: t.Rulebook) -> Iterator[tuple[str, str, str, Citation | None, Any]]:
    """Each declaration once: kind, name, title, citation and itself. Of a rule's instances the first."""
    for param in book.params:
        yield "param", param.name, param.title or param.name, param.citation, param
    for currency in book.currencies:
        yield "currency", currency.name, currency.title or currency.name, currency.citation, currency
    for piece in book.pieces:
        yield "piece", piece.name, piece.title or piece.name, piece.citation, piece
    for function in book.functions:
        yield "function", function.name, function.title or function.name, function.citation, function
    known: set[str] = set()
    for rule in book.rules:
        if rule.base not in known:
            known.add(rule.base)
            yield "rule", rule.base, rule.title or rule.base, rule.citation, rule
    if book.ranking is not None:
        yield "ranking", "ranking", book.ranking.title or "Ranking", book.ranking.citation, book.ranking


def _sites(node: Any, path: Path, citation: Citation | None) -> Iterator[_Site]:
    """All nodes that may be changed, with the citation of the option or declaration that they are in."""
    if isinstance(node, tuple):
        yield _Site(path, node, citation)
        for number, item in enumerate(node):
            yield from _sites(item, (*path, number), citation)
        return
    if not _is_node(node) or isinstance(node, t.Assert | t.ReadingIs | t.VariantOn):
        return
    if isinstance(node, t.Option):
        citation = node.citation or citation
    yield _Site(path, node, citation)
    for each in fields(node):
        if each.name not in _CLAIMS:
            yield from _sites(getattr(node, each.name), (*path, each.name), citation)


def _is_node(value: object) -> bool:
    return hasattr(value, "__dataclass_fields__") and not isinstance(value, Span | Citation)
