"""The anchors of a file's page: one for each definition, short and for good but for names inside a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulespec.compiler.spans import Span
from rulespec.compiler.typed.collect import module_name
from rulespec.reference.names import Definition, Names
from rulespec.site import address

# Names of these sorts are apart from all others, so their anchors say the sort.
_APART = {
    **dict.fromkeys(("invariant", "reachable", "hint", "bound"), "property"),
    **{sort: sort for sort in ("example", "reading", "scope", "source", "variant")},
}
_PARTS = frozenset({"member", "row", "column", "field", "option"})


@dataclass(frozen=True)
class Anchors:
    """The anchor of each definition by the span of its name, for all files of a game; they are unique on a
    page.
    """

    game: str
    main: str
    by_span: Mapping[Span, str]

    def address(self, definition: Definition) -> str:
        """Where a definition stands."""
        anchor = self.by_span[definition.span]
        if definition.span.file == self.main:
            return address.declaration(self.game, anchor)
        return address.module(self.game, module_name(definition.span.file), anchor)

    def on_page(self, file: str) -> frozenset[str]:
        """All anchors on the page of a file."""
        return frozenset(anchor for span, anchor in self.by_span.items() if span.file == file)


def anchors(game: str, main: str, names: Names) -> Anchors:
    """Anchors for all that is defined in a game and the modules that it uses."""
    by_span: dict[Span, str] = {}
    taken: set[tuple[str, str]] = set()
    locals_: dict[str, int] = {}
    for span, definition in names.definitions.items():
        if definition.local:
            locals_[span.file] = locals_.get(span.file, 0) + 1
            anchor = f"l-{locals_[span.file]}"
        else:
            anchor = _unique(span.file, _anchor(definition), taken)
        by_span[span] = anchor
    return Anchors(game, main, by_span)


def _anchor(definition: Definition) -> str:
    if definition.sort in _APART:
        return f"{_APART[definition.sort]}-{definition.name}"
    if definition.sort == "meaning":
        return f"reading-{definition.of}.{definition.name}"
    if definition.sort in _PARTS:
        return f"{definition.of}.{definition.name}"
    return definition.name


def _unique(file: str, anchor: str, taken: set[tuple[str, str]]) -> str:
    number, found = 1, anchor
    while (file, found) in taken:
        number += 1
        found = f"{anchor}-{number}"
    taken.add((file, found))
    return found
