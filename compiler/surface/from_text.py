"""From the text of a rulebook to its tree. Never raises; goes on after a mistake and reports all it can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulespec.compiler.diagnostics import Diagnostic
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import literate
from rulespec.compiler.surface.check import check
from rulespec.compiler.surface.declarations import Understood, declarations
from rulespec.compiler.surface.findings import Findings
from rulespec.compiler.surface.layout import MOST, lay_out
from rulespec.compiler.surface.tree import Document

LONGEST = 1_000_000


def parse(text: str, file: str, room: int = MOST) -> tuple[Document, tuple[Diagnostic, ...]]:
    """The document, as far as it could be read, and what is wrong with it, in the order of the text.

    `text` is Markdown with blocks of rules when `file` ends in `.md`, and all rules otherwise. After about
    fifty mistakes the last one says that there are more. `room` is what other files of the rulebook leave of
    the words, signs and lines that it may have.
    """
    document, found, _ = read(text, file, room)
    return document, found


def read(
    text: str, file: str, room: int = MOST
) -> tuple[Document, tuple[Diagnostic, ...], tuple[Understood, ...]]:
    """As `parse`, with the lines that could be read."""
    found = Findings()
    if len(text) > LONGEST:
        message = f"the file has {len(text)} characters, and the most that is read is {LONGEST}"
        help = ("divide it into several files, with `use`",)
        found.add("R0111", message, Span(file, 1, 1, 1, 1), help=help)
        return Document(file, ()), found.finish(), ()
    source = literate.read(text, file, found)
    layout = lay_out(source.text, file, source.blocks, room, found)
    made, understood = declarations(layout.lines, found)
    for declaration in made:
        check(declaration, found)
    comments = tuple(layout.comments)
    document = Document(file, tuple(made), comments, source.headings, source.blocks, layout.size)
    return document, _with_breadcrumbs(found.finish(), document), tuple(understood)


def _with_breadcrumbs(found: Sequence[Diagnostic], document: Document) -> tuple[Diagnostic, ...]:
    return tuple(replace(d, breadcrumb=literate.breadcrumb(document.headings, d.span.line)) for d in found)
