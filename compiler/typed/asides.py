"""Asides: what a source says that no rule needs, declared so that all of it is accounted for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Citation
from rulespec.compiler.surface import tree as s
from rulespec.compiler.surface.citing import Citing, citing
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.scope import Book
from rulespec.compiler.typed.suggest import did_you_mean, listing, with_article

OUTSIDE = "outside"
KINDS: dict[str, str] = {
    "heading": "a title or a heading",
    "flavor": "what the game is about and for whom, not how it is played",
    "component": "what is in the box, where no rule needs it",
    "example": "an example, where it is not worked out as an `example`",
    "repeat": "what the source says elsewhere too",
    OUTSIDE: "what this rulebook leaves out",
}


def asides(book: Book, documents: Sequence[s.Document]) -> tuple[t.Aside, ...]:
    """The asides of a rulebook, in the order of the text; reports what is wrong with them."""
    written = [p for d in documents for e in d.declarations if isinstance(e, s.Aside) for p in e.parts]
    made = [one for part in written if (one := _aside(book, part)) is not None]
    if made:
        _check_apart(book, made)
        _check_outside(book, made, citing(documents))
    return tuple(made)


def _aside(book: Book, e: s.Beside) -> t.Aside | None:
    kind = e.kind.text
    if kind not in KINDS:
        advice = did_you_mean(kind, KINDS) or (f"the kinds are {listing(KINDS)}",)
        book.report.error("R0234", f"`{kind}` is no kind of aside", e.kind.span, help=advice)
        return None
    if kind == OUTSIDE and not e.why.strip():
        advice = ('say why: `outside "the tournament rules" @...`',)
        book.report.error("R0235", "what is left out has no reason", e.span, help=advice)
    if e.citation is None or not all(one.lines for one in _each(e.citation)):
        advice = ("name its lines: `@rb(4..6)`",)
        book.report.error("R0236", "this aside is about no lines", e.span, help=advice)
        return None
    return t.Aside(kind, e.why, e.citation, e.span)


def _each(citation: Citation) -> tuple[Citation, ...]:
    return (citation, *citation.also)


def _check_apart(book: Book, made: Sequence[t.Aside]) -> None:
    """Each line is one thing. Goes through the ranges of each source in order, as there may be many."""
    reach: dict[str, tuple[int, t.Aside]] = {}
    for source, first, last, aside in sorted(_ranges(book, made), key=lambda one: one[:3]):
        end, other = reach.get(source, (0, aside))
        if first <= end and other is not aside:
            earlier, later = sorted((other, aside), key=lambda one: one.span)
            label = Label(earlier.span, f"here it is `{earlier.kind}`")
            text = f"line {first} of `{source}` is set aside twice"
            book.report.error("R0237", text, later.span, label, help=("leave it in one of them",))
        if last > end:
            reach[source] = last, aside


def _check_outside(book: Book, made: Sequence[t.Aside], cited: Iterable[Citing]) -> None:
    """What is left out is not what a rule follows. Goes through both kinds of ranges in order."""
    ranges: list[_Range] = [one for one in _ranges(book, made) if one[3].kind == OUTSIDE]
    if not ranges:
        return
    citing = [one for one in cited if not isinstance(one.node, s.Beside)]
    ranges += [
        (one.citation.source, first, last, one) for one in citing for first, last in one.citation.lines
    ]
    asides: dict[str, tuple[int, t.Aside]] = {}  # of each source what reaches furthest down
    rules: dict[str, tuple[int, Citing]] = {}
    for source, first, last, what in sorted(ranges, key=lambda one: one[:3]):
        if isinstance(what, t.Aside):
            if source in rules and rules[source][0] >= first:
                _cited_yet(book, source, first, what, rules[source][1])
            asides[source] = max((last, what), asides.get(source, (0, what)), key=lambda one: one[0])
        else:
            if source in asides and asides[source][0] >= first:
                _cited_yet(book, source, first, asides[source][1], what)
            rules[source] = max((last, what), rules.get(source, (0, what)), key=lambda one: one[0])


def _cited_yet(book: Book, source: str, line: int, aside: t.Aside, by: Citing) -> None:
    label = Label(by.citation.span, f"{with_article(by.sort)} cites it")
    text = f"line {line} of `{source}` is left out and yet cited"
    advice = ("cite only what is followed, or do not declare it `outside`",)
    book.report.warning("R0238", text, aside.span, label, help=advice)


_Range = tuple[str, int, int, "t.Aside | Citing"]


def _ranges(book: Book, made: Sequence[t.Aside]) -> list[tuple[str, int, int, t.Aside]]:
    """Source, first and last line of all that is set aside and that its source has."""
    return [
        (one.source, first, last, aside)
        for aside in made
        for one in _each(aside.citation)
        if (source := book.sources.get(one.source)) is not None
        for first, last in one.lines
        if 1 <= first <= last <= source.lines
    ]
