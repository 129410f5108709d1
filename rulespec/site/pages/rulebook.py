"""The rulebook's own Markdown as a page, and a page for each file that it uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed.collect import module_name
from rulespec.reference.names import Definition
from rulespec.site import address, prose
from rulespec.site.code import Marker
from rulespec.site.page import Found, Page, chunk, plain, text
from rulespec.site.pages import terms
from rulespec.site.pages.beside import beside, beside_property
from rulespec.site.subject import Subject

SWITCH = (
    '<div class="rs-tools" data-search-exclude><button type="button" class="rs-switch" id="rs-switch"'
    ' aria-pressed="false">Prose only</button></div>'
    '<script>try{if(localStorage.getItem("rulespec.prose")==="1")'
    'document.documentElement.classList.add("rs-prose")}catch(e){}</script>'
)


def page(subject: Subject) -> Page:
    """The rulebook: prose as it is written, and the rules highlighted, with links and what is known of
    each.
    """
    document = subject.checked.documents[0]
    return _Writer(subject, document).page(
        f"{subject.name}/index.md", "Rulebook", subject.title, subject.title
    )


def modules(subject: Subject) -> tuple[Page, ...]:
    """The files that the rulebook uses, each on a page of its own."""
    made = []
    for document in subject.checked.documents[1:]:
        name = module_name(document.file)
        path = f"{subject.name}/{address.module_folder(name).rstrip('/')}.md"
        group = f"{subject.title}\nUsed by it"
        made.append(_Writer(subject, document).page(path, name, name, group))
    return tuple(made)


@dataclass
class _Writer:
    subject: Subject
    document: s.Document
    lines: list[str] = field(default_factory=list)
    chunks: list[str] = field(default_factory=list)

    def page(self, path: str, title: str, heading: str, group: str) -> Page:
        written = self.subject.book.sources[self.document.file]
        if self.document.file.endswith(".md"):
            self._markdown(written, heading)
        else:
            taken = self.subject.anchors.on_page(self.document.file)
            self._heading(1, heading, _free(prose.slug(heading), set(taken)))
            self._chunk(self._block(1, len(written.split("\n"))))
        body = "\n\n".join(self.lines) + "\n"
        return Page(path, title, body, group, _found(self.subject, self.document), tuple(self.chunks))

    def _markdown(self, written: str, title: str) -> None:
        taken = set(self.subject.anchors.on_page(self.document.file))
        ids = {each.line: _free(prose.slug(each.text), taken) for each in prose.headings(written)}
        words = terms.marker(self.subject)
        links = {prose.slug(heading.text): ids[heading.line] for heading in reversed(prose.headings(written))}
        begun = False
        for part in prose.parts(written, dict(self.document.blocks), words.mark, links):
            if not begun and not (isinstance(part, prose.Heading) and part.level == 1):
                self._heading(1, title, _free(prose.slug(title), taken))
            if not begun and not isinstance(part, prose.Heading):
                self._chunk(SWITCH)
            match part:
                case prose.Heading(level, said, line):
                    self._heading(level, said, ids[line])
                    words.begin_section()
                    if not begun:
                        self._chunk(SWITCH)
                case prose.Rules(first, last):
                    self._chunk(self._block(first, last))
                case prose.Passage(html):
                    self._chunk(html)
            begun = True

    def _heading(self, level: int, said: str, anchor: str) -> None:
        mark = f" {{ #{anchor} }}" if anchor else ""
        self.lines.append(f"{'#' * level} {plain(said)}{mark}")

    def _chunk(self, html: str) -> None:
        self.lines.append(chunk(len(self.chunks)))
        self.chunks.append(html)

    def _block(self, first: int, last: int) -> str:
        parts = [self._part(part) for part in _divided(self.document, first, last)]
        # Material's index ends what is left out at the end of the first element of that name inside.
        return f'<section class="rs-block highlight no-copy" data-search-exclude>{"".join(parts)}</section>'

    def _part(self, part: _Part) -> str:
        source = self.subject.book.sources[self.document.file].split("\n")[part.first - 1 : part.last]
        before, kept = _stripped([line.rstrip("\r") for line in source])
        if not kept:
            return ""
        marker = Marker(self.subject.name, self.document.file, self.subject.names, self.subject.anchors)
        html = "".join(marker.lines(kept, part.first + before))
        gap = " gap" if before else ""
        more = self._beside(part.declaration) if part.declaration is not None else ""
        return f'<div class="rs-part{gap}"><pre><code>{html}</code></pre>{more}</div>'

    def _beside(self, declaration: s.Declaration) -> str:
        match declaration:
            case s.Rule():
                return self.subject.about(f"rule {declaration.name.text}", beside, declaration.name.text)
            case s.Invariant() | s.Bound():
                name = declaration.name.text
                return self.subject.about(f"property {name}", beside_property, name)
        return ""


# --- blocks in parts ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """Lines of a block with the declaration in them, if there is one; comments stand with what follows
    them.
    """

    first: int
    last: int
    declaration: s.Declaration | None


def _divided(document: s.Document, first: int, last: int) -> Iterator[_Part]:
    inside = [each for each in document.declarations if first <= each.span.line <= last]
    start = first
    for each in inside:
        end = min(last, max(start, _last_line(each)))
        yield _Part(start, end, each)
        start = end + 1
    if start <= last:
        yield _Part(start, last, None)


def _last_line(each: s.Declaration) -> int:
    """A span may end at the beginning of the line after."""
    span = each.span
    return span.end_line - 1 if span.end_column == 1 and span.end_line > span.line else span.end_line


def _stripped(lines: Sequence[str]) -> tuple[int, list[str]]:
    """How many empty lines stand before the others, and the others without those at the end."""
    before = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
    kept = list(lines[before:])
    while kept and not kept[-1].strip():
        kept.pop()
    return before, kept


def _free(anchor: str, taken: set[str]) -> str:
    """The anchor, or one like it where a declaration or another heading has it; it is taken from then on."""
    number, found = 1, anchor
    while found in taken:
        number += 1
        found = f"{anchor}-{number}"
    taken.add(found)
    return found


# --- search -------------------------------------------------------------------------------------------------

_SOUGHT = frozenset(
    {"rule", "function", "enum", "table", "row", "piece", "currency", "param", "state variable", "variant"}
)


def _found(subject: Subject, document: s.Document) -> tuple[Found, ...]:
    """Rules, cards and other things with a title, by name and title."""
    definitions = subject.names.definitions.values()
    return tuple(
        Found(each.title or each.name, _said(each), subject.anchors.by_span[each.span])
        for each in definitions
        if each.span.file == document.file and each.sort in _SOUGHT
    )


def _said(definition: Definition) -> str:
    of = f" of {definition.of}" if definition.of else ""
    return text(f"{definition.sort} {definition.name}{of}")
