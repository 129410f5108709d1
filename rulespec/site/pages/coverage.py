"""The sources of a game by paragraph: what accounts for each, and what is left. Nothing of their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.compiler.surface.citing import Citing
from rulespec.coverage import accounts
from rulespec.coverage.accounts import Account, Covered, SourceCoverage
from rulespec.coverage.index import Unusable
from rulespec.site import address
from rulespec.site.page import Found, Page, plain, text
from rulespec.site.pages.body import Body
from rulespec.site.subject import Subject

OPENING = (
    "What the sources say is cited by line, and these are all of their paragraphs, with what accounts for"
    " each. The texts themselves are others', and are not here."
)
EVERY_LINE = 5_000  # a source with more lines has anchors only for those that a citation begins with
BETWEEN = " · "
LONGEST = 40  # lines of a paragraph that search finds by their numbers
SHOWN = 8  # of one sort in one place; the others are behind a summary

STATES = {
    "cited": ("✓", "cited", "rules, readings, examples or other declarations cite each of its lines"),
    "aside": ("–", "set aside", "no rule needs it, and the rulebook says why"),
    "part": ("◐", "in part", "some of its lines are cited or set aside, and others are left"),
    "open": ("✗", "not accounted for", "nothing is said of it yet"),
}
KINDS = {"row": "row of a table", "item": "list item", "text": ""}

# The groups in which is told what accounts for a paragraph, and the sorts in each.
GROUPS = {
    "Rules": ("rule", "function", "ranking"),
    "Choices": ("option",),
    "Components": ("enum", "assumed members", "currency", "piece", "table", "row", "assumed rows", "grid"),
    "State": ("state variable",),
    "Numbers": ("players", "param", "setting", "variant", "when players"),
    "Readings": ("reading", "meaning"),
    "Claims": ("invariant", "reachable", "hint", "bound"),
    "Examples": ("example",),
}


def page(subject: Subject) -> Page | None:
    """All sources of a game; None where it names none."""
    if not subject.rulebook.sources:
        return None
    problem = ""
    try:
        coverage = accounts.of(subject.book)
    except (Unusable, accounts.TooMuch) as error:
        problem, coverage = str(error), accounts.with_index(subject.book, {})
    body = Body()
    body.markdown(f"# {plain(subject.title)}: its sources")
    body.markdown(OPENING)
    if problem:
        body.markdown(f"The index of the sources cannot be used: {plain(problem)}.")
    body.html(_legend())
    for source in coverage.sources:
        body.markdown(f"## {plain(source.title or source.name)} {{#{source.name}}}")
        body.html("".join(_summary(source) if source.indexed is not None else _unknown(source)))
        body.html(_table(subject, source))
    found = tuple(one for source in coverage.sources for one in _found(source))
    return body.page(f"{subject.name}/coverage.md", "Sources", subject.title, found)


def _found(source: SourceCoverage) -> Iterator[Found]:
    """So that `line 43` and `rb(43)` are found, with what accounts for the line."""
    for covered in source.paragraphs if source.lines <= EVERY_LINE else ():
        here = covered.paragraph
        lines = range(here.first, min(here.last, here.first + LONGEST) + 1)
        marks = " ".join(f"{source.name}({line})" for line in lines)
        by = dict.fromkeys(_called(account.by) for account in covered.by)
        title = f"{_lines(here.first, here.last).capitalize()} of {source.title or source.name}"
        yield Found(title, f"{marks}: {', '.join(by) or 'not accounted for'}", _anchor(source, here.first))


def _legend() -> str:
    items = "".join(f"<dt>{_state(state)}</dt><dd>{means}</dd>" for state, (_, _, means) in STATES.items())
    return f'<details class="legend"><summary>What the words mean</summary><dl>{items}</dl></details>'


def _unknown(source: SourceCoverage) -> Iterator[str]:
    yield (
        f"<p>It has {source.lines} lines. There is no index of it, so its paragraphs are not known; these"
        " are the lines that are cited.</p>"
    )


def _summary(source: SourceCoverage) -> Iterator[str]:
    number = len(source.paragraphs)
    states = [state for state in STATES if source.count(state)]
    told = [f"{source.count(state)} {STATES[state][1]}" for state in states]
    told += [] if source.open else ["nothing is left"]
    yield f"<p>{number} paragraph{'s' * (number != 1)} in {source.lines} lines: {', '.join(told)}.</p>"
    if source.indexed is not None and source.indexed.lines != source.lines:
        yield f"<p>The index is of a text of {source.indexed.lines} lines, and has to be made anew.</p>"
    parts = "".join(
        f'<span class="part part--{state}" style="flex-grow: {source.count(state)}"></span>'
        for state in states
    )
    yield f'<div class="coverage-bar" aria-hidden="true">{parts}</div>'
    for one in source.astray:
        yield f"<p>{text(_called(one))} cites {text(one.citation.alone)}, where nothing stands.</p>"
    if source.open:
        yield f"<p>Left: {', '.join(_left(source, one) for one in source.open)}</p>"


def _left(source: SourceCoverage, covered: Covered) -> str:
    here = covered.paragraph
    return f'<a href="#{_anchor(source, here.first)}">{_lines(here.first, here.last)}</a>'


# --- the table of a source ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Row:
    first: int
    last: int
    kind: str
    state: str
    body: str


def _table(subject: Subject, source: SourceCoverage) -> str:
    rows = list(_paragraphs(subject, source) if source.indexed is not None else _cited(subject, source))
    if not rows:
        return "<p>Nothing cites it.</p>"
    anchors = _anchors(source, rows)
    body = "".join(_row(source, row, anchors[n]) for n, row in enumerate(rows))
    title = text(source.title or source.name)
    # Roles are said, since on a phone these are no longer shown as a table.
    return (
        '<table class="coverage" role="table" data-search-exclude>'
        f'<caption class="unseen">What accounts for {title}, by its lines</caption>'
        '<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Lines</th>'
        '<th scope="col" role="columnheader">Accounted for by</th></tr></thead>'
        f'<tbody role="rowgroup">{body}</tbody></table>'
    )


def _row(source: SourceCoverage, row: _Row, anchors: Sequence[int]) -> str:
    inside = "".join(f'<span id="{_anchor(source, line)}"></span>' for line in anchors)
    kind = f'<span class="coverage-kind">{row.kind}</span>' if row.kind else ""
    lines = _state(row.state, _lines(row.first, row.last), f": {STATES[row.state][1]}")
    return (
        f'<tr role="row" id="{_anchor(source, row.first)}">'
        f'<th scope="row" role="rowheader">{inside}{lines}{kind}</th>'
        f'<td role="cell">{row.body}</td></tr>'
    )


def _anchors(source: SourceCoverage, rows: Sequence[_Row]) -> list[list[int]]:
    """For each row the other lines that can be linked to and are found there: its own, and those above it
    that belong to none; the last row takes those below it too.
    """
    wanted = set(range(1, source.lines + 1)) if source.lines <= EVERY_LINE else set()
    wanted |= {first for one in source.cited for first, _ in one.citation.lines[:1]}
    wanted -= {row.first for row in rows}
    found: list[list[int]] = [[] for _ in rows]
    at = 0
    for line in sorted(wanted):
        while at < len(rows) - 1 and rows[at].last < line:
            at += 1
        found[at].append(line)
    return found


def _paragraphs(subject: Subject, source: SourceCoverage) -> Iterator[_Row]:
    """A row for each paragraph; those that follow one another and one aside alone is about, together."""
    together: list[Covered] = []
    for covered in source.paragraphs:
        if together and (_only(together[0]) is None or _only(covered) != _only(together[0])):
            yield _of(subject, together)
            together = []
        together.append(covered)
    if together:
        yield _of(subject, together)


def _only(covered: Covered) -> Citing | None:
    """The aside that alone is about all of a paragraph."""
    return covered.by[0].by if covered.state == "aside" and len(covered.by) == 1 else None


def _of(subject: Subject, together: Sequence[Covered]) -> _Row:
    first, last = together[0].paragraph, together[-1].paragraph
    kind = KINDS.get(first.kind, first.kind) if len(together) == 1 else f"{len(together)} paragraphs"
    parts = [*_missing(together[0]), *_accounts(subject, together[0].by, several=len(together) > 1)]
    return _Row(first.first, last.last, kind, together[0].state, "".join(parts))


def _missing(covered: Covered) -> Iterator[str]:
    """What nothing accounts for."""
    if covered.state == "open":
        yield "<p>Not accounted for</p>"
    elif covered.state == "part":
        left = ", ".join(_lines(first, last) for first, last in covered.missing)
        yield f"<p>Not accounted for: {left}</p>"


def _cited(subject: Subject, source: SourceCoverage) -> Iterator[_Row]:
    """A row for each line that a citation begins with."""
    by_line: dict[int, list[Citing]] = {}
    for one in source.cited:
        for first, _ in one.citation.lines[:1]:
            by_line.setdefault(first, []).append(one)
    for first, cited in sorted(by_line.items()):
        last = max(one.citation.lines[0][1] for one in cited)
        found = [Account(one, one.citation.lines, whole=True) for one in cited]
        yield _Row(first, last, "", "cited", "".join(_accounts(subject, found, several=False)))


# --- what accounts for a paragraph -------------------------------------------------------------------------


def _accounts(subject: Subject, by: Sequence[Account], *, several: bool) -> Iterator[str]:
    asides = [account for account in by if account.aside]
    for account in asides:
        why = f": {text(account.by.title)}" if account.by.title else ""
        yield f"<p>Set aside, {text(account.by.sort)}{why}{'' if several else _part(account)}</p>"
    items = []
    for group, sorts in GROUPS.items():
        links = [_link(subject, account) for account in by if not account.aside and account.by.sort in sorts]
        if links:
            items.append(f"<li>{group}: {_shortened(list(dict.fromkeys(links)))}</li>")
    if items:
        yield f"<ul>{''.join(items)}</ul>"


def _shortened(links: Sequence[str]) -> str:
    if len(links) <= SHOWN + 1:
        return BETWEEN.join(links)
    rest = BETWEEN.join(links[SHOWN:])
    more = f"<details><summary>and {len(links) - SHOWN} more</summary>{rest}</details>"
    return BETWEEN.join(links[:SHOWN]) + more


def _link(subject: Subject, account: Account) -> str:
    name, place = text(_called(account.by)), _address(subject, account.by)
    return (f'<a href="{place}">{name}</a>' if place else name) + _part(account)


def _part(account: Account) -> str:
    """The lines, where it is not about the whole paragraph."""
    if account.whole:
        return ""
    return f" <small>({', '.join(_lines(first, last) for first, last in account.lines)})</small>"


def _called(one: Citing) -> str:
    match one.sort:
        case "option" | "setting":
            return f"{one.name} ({one.of})"
        case "when players":
            return f"players {one.name}"
        case "assumed rows" | "assumed members":
            return f"{one.of}, assumed: {one.title}"
        case _:
            return one.title or one.name or one.sort


def _address(subject: Subject, one: Citing) -> str:
    """Where that stands, "" for what has no place of its own."""
    match one.sort:
        case "reading":
            return address.reading(subject.name, one.name)
        case "meaning":
            return address.reading(subject.name, one.of)
        case "example":
            return address.example(subject.name, one.name)
    definition = subject.names.definitions.get(one.span)
    if definition is None or definition.local:
        return ""
    return subject.anchors.address(definition)


# --- small pieces ------------------------------------------------------------------------------------------


def _state(state: str, told: str = "", unseen: str = "") -> str:
    """How a paragraph stands, by a sign and a color; in words too, which may be for screen readers alone."""
    sign, word, _ = STATES[state]
    hidden = f'<span class="unseen">{unseen}</span>' if unseen else ""
    shown = f'<span aria-hidden="true">{sign}</span> {told or word}{hidden}'
    return f'<span class="stands stands--{state}">{shown}</span>'


def _anchor(source: SourceCoverage, line: int) -> str:
    return f"{source.name}-{line}"


def _lines(first: int, last: int) -> str:
    return f"line {first}" if first == last else f"lines {first} to {last}"
