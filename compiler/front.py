"""The front door of the compiler: from a main text to a typed rulebook. Whoever calls it reads the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from rulespec.compiler.diagnostics import Diagnostic, Severity
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import literate
from rulespec.compiler.surface.from_text import parse
from rulespec.compiler.surface.layout import MOST
from rulespec.compiler.surface.tree import Document, Use
from rulespec.compiler.typed.from_surface import resolve
from rulespec.compiler.typed.tree import Rulebook
from rulespec.compiler.values import dataclass

MOST_MODULES = 30


@dataclass(frozen=True, slots=True)
class Text:
    """What a file holds, and the name of the file for people."""

    file: str
    text: str


# The text that `use "name"` means, or why there is none; `check` gives that finding its place.
Load = Callable[[str], Text | Diagnostic]


@dataclass(frozen=True, slots=True)
class Checked:
    """`documents` begin with the main one; `rulebook` is None exactly when there is an error.

    `uses` leads from the span of each name that was looked up to that of the name where it is defined.
    """

    rulebook: Rulebook | None
    documents: tuple[Document, ...]
    diagnostics: tuple[Diagnostic, ...]
    uses: Mapping[Span, Span]


def check(main: Text, load: Load) -> Checked:
    """Read a rulebook with all that it uses, directly or not, and resolve it. Never raises for what a
    text says.

    Where a text cannot be read whole, names are not resolved: what is missing would be found missing
    everywhere.
    """
    documents, found = _read(main, load)
    if any(d.severity is Severity.ERROR for d in found):
        return Checked(None, documents, found, {})
    uses: dict[Span, Span] = {}
    rulebook, more = resolve(documents, uses)
    return Checked(rulebook, documents, (*found, *more), uses)


def _read(main: Text, load: Load) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    documents: list[Document] = []
    found: list[Diagnostic] = []
    texts = [main]
    asked: set[str] = set()
    for text in texts:  # grows on the way
        document, problems = parse(text.text, text.file, MOST - sum(d.size for d in documents))
        documents.append(document)
        found += problems
        for use in document.declarations:
            if not isinstance(use, Use) or use.path in asked:
                continue
            asked.add(use.path)
            module = load(use.path) if len(asked) <= MOST_MODULES else _too_many(use)
            if isinstance(module, Diagnostic):
                above = literate.breadcrumb(document.headings, use.span.line)
                found.append(replace(module, span=use.span, breadcrumb=above))
            elif all(module.file != other.file for other in texts):
                texts.append(module)
    return tuple(documents), tuple(found)


def _too_many(use: Use) -> Diagnostic:
    message = f"a rulebook may use {MOST_MODULES} modules, and this is one more"
    return Diagnostic("R0008", message, use.span, help=("join some of them",))
