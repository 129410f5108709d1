"""Tables for people: read row by row on a phone, by their headings with a screen reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from rulespec.compiler.spans import Span
from rulespec.compiler.typed.collect import module_name
from rulespec.reference.asks import Ask
from rulespec.reference.values import Runs, spaced
from rulespec.site import address
from rulespec.site.code import Marker
from rulespec.site.page import text
from rulespec.site.pages.body import Body
from rulespec.site.subject import Subject

_TAG = re.compile(r"<[^<>]*>")
_BACKTICKED = re.compile(r"`([^`]+)`")
LINKED = frozenset(
    {"rule", "function", "param", "piece", "currency", "table", "enum"}
)  # sorts of declarations
MOST_LINES = 14  # of a stretch of rules that is quoted


@dataclass(frozen=True)
class Row:
    """`cells` are HTML, the first is the row's heading; `anchor` is its place on the page, "" for none."""

    cells: Sequence[str]
    anchor: str = ""
    kind: str = ""


def composed(parts: Iterable[str]) -> Body:
    """Parts of a page: what begins with a tag is HTML, all else is Markdown."""
    body = Body()
    for part in parts:
        if part.startswith("<"):
            body.html(part)
        else:
            body.markdown(part)
    return body


def table(caption: str, columns: Sequence[str], rows: Iterable[Row]) -> str:
    """A table as HTML. `caption` is HTML without links, `columns` are text; a column with nothing in it is
    left out.

    On a phone each row is a card with its headings before the cells; the roles say what the rows and cells
    then still are.
    """
    columns, rows = _filled(columns, list(rows))
    heads = "".join(f'<th scope="col" role="columnheader">{text(each)}</th>' for each in columns)
    body = "\n".join(_row(columns, row) for row in rows)
    return (
        f"{_captioned(caption)}\n"
        f'<thead role="rowgroup"><tr role="row">{heads}</tr></thead>\n'
        f'<tbody role="rowgroup">\n{body}\n</tbody>\n</table>'
    )


def _captioned(caption: str) -> str:
    """The beginning of a table. Links of a caption stand above it: by their roles tables have only rows."""
    named = _TAG.sub("", caption)
    if named == caption:
        return f'<table class="rs-table" role="table">\n<caption>{caption}</caption>'
    return (
        f'<p class="rs-caption">{caption}</p>\n'
        f'<table class="rs-table" role="table">\n<caption class="unseen">{named}</caption>'
    )


def _filled(columns: Sequence[str], rows: list[Row]) -> tuple[list[str], list[Row]]:
    kept = [n for n in range(len(columns)) if n == 0 or any(row.cells[n] for row in rows)]
    shown = [replace(row, cells=[row.cells[n] for n in kept]) for row in rows]
    return [columns[n] for n in kept], shown


def _row(columns: Sequence[str], row: Row) -> str:
    first, *rest = row.cells
    anchor = f' id="{text(row.anchor)}"' if row.anchor else ""
    kind = f' class="{row.kind}"' if row.kind else ""
    cells = "".join(
        f'<td role="cell" data-label="{text(column)}"><span>{cell or "–"}</span></td>'
        for column, cell in zip(columns[1:], rest, strict=True)
    )
    return f'<tr role="row"{anchor}{kind}><th scope="row" role="rowheader">{first}</th>{cells}</tr>'


def mark(word: str, kind: str) -> str:
    """A word in a frame: `printed`, `assumed`, `default`. The color only repeats what the word says."""
    return f'<span class="rs-mark rs-mark--{kind}">{text(word)}</span>'


def titled(title: str, name: str, to: str = "") -> str:
    """What people call a thing, linked where there is somewhere to go, with the rules' name for it where that
    is another.
    """
    called = title or spaced(name)
    shown = link(to, text(called)) if to else text(called)
    return shown if called == name else f"{shown} {note(code(name))}"


def code(value: str) -> str:
    """A name or a short text of the rules."""
    return f"<code>{text(value)}</code>"


def prose(value: str) -> str:
    """A sentence of the rulebook; what stands between backticks is code."""
    return "".join(code(part) if n % 2 else text(part) for n, part in enumerate(_BACKTICKED.split(value)))


def note(value: str) -> str:
    """Smaller words beneath others, as HTML."""
    return f'<span class="rs-note">{value}</span>'


def link(to: str, shown: str) -> str:
    """A link to an address with `shown` as HTML."""
    return f'<a href="{to}">{shown}</a>'


def words(subject: Subject, runs: Runs) -> str:
    """A value in words, its members linked to where they are declared."""
    known = _anchors(subject)
    return "".join(
        link(address.member(subject.name, run.enum, run.member), text(run.text))
        if f"{run.enum}.{run.member}" in known
        else text(run.text)
        for run in runs
    )


@cache
def _anchors(subject: Subject) -> frozenset[str]:
    return subject.anchors.on_page(subject.main_file)


def declared(subject: Subject, name: str, span: Span) -> str:
    """The address of a declaration, in the rulebook or in a module that it uses."""
    if span.file == subject.main_file:
        return address.declaration(subject.name, name)
    return address.module(subject.name, module_name(span.file), name)


def quoted(subject: Subject, span: Span) -> str:
    """The lines of a stretch of rules, whole and without what indents them all; of a long one the first."""
    lines = subject.book.sources.get(span.file, "").splitlines()[span.line - 1 : span.end_line]
    while lines and not lines[-1].strip():
        lines.pop()
    marker = Marker(subject.name, span.file, subject.names, subject.anchors, quotes=True)
    html = marker.excerpt(lines[:MOST_LINES], span.line)
    more = len(lines) - MOST_LINES
    rest = f"<p>... and {counted(more, 'more line')}</p>" if more > 0 else ""
    return f'<div class="rs-block highlight no-copy"><pre><code>{html}</code></pre></div>{rest}'


def phrase(subject: Subject, span: Span) -> str:
    """A stretch of rules on one line."""
    lines = subject.book.sources.get(span.file, "").splitlines()[span.line - 1 : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return code(" ".join(" ".join(lines).split()))


def listed(parts: Iterable[str]) -> str:
    """`a, b and c`."""
    every = list(parts)
    return " and ".join(filter(None, [", ".join(every[:-1]), *every[-1:]]))


def players(numbers: Iterable[int]) -> str:
    """`2 players`, `3 to 5 players`, `2, 3 and 5 players`."""
    every = list(numbers)
    if len(every) > 2 and every == list(range(every[0], every[-1] + 1)):
        return f"{every[0]} to {every[-1]} players"
    return f"{listed(map(str, every))} player{'s' * (every != [1])}"


def counted(number: int, what: str) -> str:
    """`1 play`, `60 plays`."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def asked_in(subject: Subject, asks: Iterable[Ask]) -> Iterator[str]:
    """Places where rules ask for something, each with what depends on it there."""
    for ask in asks:
        yield f'<div class="rs-ask"><p>{asker(subject, ask)}</p>{quoted(subject, ask.part)}</div>'


def asker(subject: Subject, ask: Ask) -> str:
    """The declaration that asks, linked."""
    if not ask.name:
        return text(ask.sort)
    shown = text(ask.title) if ask.title else code(ask.name)
    if ask.sort in LINKED:
        shown = link(declared(subject, ask.name, ask.declared), shown)
    elif ask.sort == "example":
        shown = link(address.example(subject.name, ask.name), shown)
    return f"{text(ask.sort)} {shown}"
