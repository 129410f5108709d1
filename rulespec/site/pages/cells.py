"""Tables for people: read row by row on a phone, by their headings with a screen reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.spans import Citation, Span
from rulespec.reference.asks import Ask
from rulespec.reference.values import Runs
from rulespec.site import address
from rulespec.site.page import text
from rulespec.site.subject import Subject

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


def table(caption: str, columns: Sequence[str], rows: Iterable[Row]) -> str:
    """A table as HTML. `caption` is HTML, `columns` are text.

    On a phone each row is a card with its headings before the cells; the roles say what the rows and cells
    then still are.
    """
    heads = "".join(f'<th scope="col" role="columnheader">{text(each)}</th>' for each in columns)
    body = "\n".join(_row(columns, row) for row in rows)
    return (
        f'<table class="rs-table" role="table">\n<caption>{caption}</caption>\n'
        f'<thead role="rowgroup"><tr role="row">{heads}</tr></thead>\n'
        f'<tbody role="rowgroup">\n{body}\n</tbody>\n</table>'
    )


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
    return "".join(
        link(address.member(subject.name, run.enum, run.member), text(run.text))
        if run.enum and _is_own(subject, run.enum)
        else text(run.text)
        for run in runs
    )


def _is_own(subject: Subject, enum: str) -> bool:
    return any(e.name == enum and e.span.file == subject.main_file for e in subject.rulebook.enums)


def declared(subject: Subject, name: str, span: Span) -> str:
    """The address of a declaration, in the rulebook or in a module that it uses."""
    if span.file == subject.main_file:
        return address.declaration(subject.name, name)
    module = span.file.replace("\\", "/").rpartition("/")[2].removesuffix(".md").removesuffix(".rules")
    return address.module(subject.name, module, name)


def cited(subject: Subject, citation: Citation | None) -> str:
    """A citation as links to the lines in the source's coverage, "" for none."""
    if citation is None:
        return ""
    every = (Citation(each.source, each.lines) for each in (citation, *citation.also))
    return " ".join(link(address.source(subject.name, each), text(each)) for each in every)


def quoted(subject: Subject, span: Span) -> str:
    """The lines of a stretch of rules, whole and without what indents them all; of a long one the first."""
    lines = subject.book.sources.get(span.file, "").splitlines()[span.line - 1 : span.end_line]
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    shown = [line[indent:].rstrip() for line in lines[:MOST_LINES]]
    more = len(lines) - len(shown)
    if more > 0:
        shown.append(f"... ({more} more line{'s' * (more != 1)})")
    return f'<pre class="rs-rules"><code>{text(chr(10).join(shown))}</code></pre>'


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


def rule_links(subject: Subject, rules: Iterable[str]) -> str:
    """Rules by their titles, linked and divided by commas."""
    known = {rule.base: rule for rule in reversed(subject.rulebook.rules)}
    found = (known[name] for name in rules if name in known)
    return ", ".join(link(declared(subject, r.base, r.span), text(r.title or r.base)) for r in found)


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
