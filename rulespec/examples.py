"""The examples of a rulebook, or of a file from outside, compiled and carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulespec import api, library
from rulespec.compiler.core import from_typed
from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.surface.from_text import parse
from rulespec.compiler.typed.from_surface import resolve_examples
from rulespec.compiler.typed.tree import Example, Rulebook
from rulespec.engine import examples as engine
from rulespec.engine.examples import ExampleResult
from rulespec.engine.stepper import BUDGET


@dataclass(frozen=True)
class Collection:
    """Examples and the rulebook that they are about; the rulebook is None where there are errors."""

    rulebook: Rulebook | None
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]

    @property
    def examples(self) -> tuple[Example, ...]:
        return self.rulebook.examples if self.rulebook else ()


@dataclass(frozen=True)
class Ran:
    """How one example went; `result` is None when it could not be compiled, and `diagnostics` say why."""

    example: Example
    result: ExampleResult | None
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def passed(self) -> bool:
        return self.result is not None and self.result.passed


def own(book: api.Book) -> Collection:
    """The examples in the rulebook itself."""
    checked = book.checked
    if checked is None:
        return Collection(None, book.diagnostics, book.sources)
    return Collection(checked.rulebook, checked.diagnostics, book.sources)


def outside(book: api.Book, file: str) -> Collection:
    """The examples in a file that holds nothing else."""
    inside = own(book)
    if inside.rulebook is None:
        return inside
    assert book.checked is not None
    try:
        place = library.at(file)
        text = library.read(place)
    except library.Unreadable as error:
        return Collection(None, (error.diagnostic,), {})
    sources = {**book.sources, place.shown: text}
    document, found = parse(text, place.shown)
    if found:
        return Collection(None, found, sources)
    rulebook, found = resolve_examples(book.checked.documents, document)
    return Collection(rulebook, found, sources)


def run(rulebook: Rulebook, example: Example, budget: int = BUDGET) -> Ran:
    """Carry out one example of a rulebook; it fails where nobody is asked in `budget` blocks."""
    script, found = from_typed.compile_example(rulebook, example)
    return Ran(example, engine.run(script, budget) if script else None, found)
