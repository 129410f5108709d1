"""Components: what the game is played with, who sees it, what of it is printed and what is assumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.reference.amounts import Change, Value, Varied, runs
from rulespec.reference.parts import Assumption, Currency, Entry, Param, Parts, Piece, Place, Sort
from rulespec.reference.values import Words, said, spaced, without_article
from rulespec.site import address
from rulespec.site.page import Found, Page, plain, text
from rulespec.site.pages import numbers
from rulespec.site.pages.badges import cited
from rulespec.site.pages.cells import (
    Row,
    code,
    composed,
    counted,
    declared,
    link,
    listed,
    mark,
    note,
    phrase,
    prose,
    table,
    titled,
    words,
)
from rulespec.site.pages.squares import board
from rulespec.site.subject import Subject

WHOLE = (
    "Numbers are those of the default readings; where another number of players, a variant or another "
    "reading makes them different, it says so."
)
CUT = (
    "Numbers are those of the default readings and without variants: there are too many of both to look at "
    "each."
)


def page(subject: Subject) -> Page | None:
    """None where the game has nothing but rules."""
    known = subject.parts
    if known.is_empty:
        return None
    made = _Made(subject, known)
    opening = f"What {plain(subject.title)} is played with. {WHOLE if known.is_whole else CUT}"
    body = composed([f"# {plain(subject.title)}: components", opening, *made.sections()])
    return body.page(f"{subject.name}/components.md", "Components", subject.title, made.found())


class _Made:
    """The page of one game in the making."""

    def __init__(self, subject: Subject, known: Parts) -> None:
        self.subject = subject
        self.known = known
        self.words = Words(subject.rulebook)
        self.tables = [sort for sort in known.sorts if sort.columns]
        self.enums = [sort for sort in known.sorts if not sort.columns]

    def sections(self) -> Iterator[str]:
        yield from self._printed()
        if self.tables:
            yield "## Cards and tables {#all-tables}"
            yield from (part for sort in self.tables for part in self._sort(sort))
        if self.known.boards:
            yield "## Boards {#all-boards}"
            yield from (board(self.subject, each) for each in self.known.boards)
        if self.enums:
            yield "## Kinds {#all-kinds}"
            yield from (part for sort in self.enums for part in self._sort(sort))
        if self.known.pieces:
            yield "## Pieces {#all-pieces}"
            yield self._pieces()
        if self.known.currencies:
            yield "## Money {#all-money}"
            yield self._money()
        if self.known.params:
            yield "## Numbers {#all-numbers}"
            yield self._params()
        if self.known.places:
            yield "## The table and who sees what {#all-table}"
            yield from self._places()

    def found(self) -> tuple[Found, ...]:
        """Each row, piece and number, for search."""
        rows = (
            Found(entry.label, _told(sort, entry), f"{sort.name}.{entry.name}")
            for sort in self.tables
            for entry in sort.entries
        )
        things = (Found(each.title or each.name, "a piece", each.name) for each in self.known.pieces)
        numbers = (
            Found(each.title or each.name, "a number of the rules", each.name) for each in self.known.params
        )
        return (*rows, *things, *numbers)

    # --- what is printed and what assumed -------------------------------------------------------------------

    def _printed(self) -> Iterator[str]:
        """How much is assumed of each kind of thing; nothing where the game names no source at all."""
        if not self.subject.rulebook.sources:
            return
        rows = [self._share(sort) for sort in self.known.sorts]
        if self.known.params:
            known = [_known(param.assumed, param.citation) for param in self.known.params]
            rows.append(_counted(link("#all-numbers", "Numbers of the rules"), known))
        if not rows:
            return
        yield "## Printed and assumed {#all-printed}"
        columns = ("What", "In all", "In a source", "Assumed", "No citation")
        yield table("How much of this some source has", columns, rows)
        if any(entry.assumed for sort in self.known.sorts for entry in sort.entries):
            yield (
                "What is *assumed* no source has. It was chosen within limits that are said with it, and "
                f"[properties]({self._to('properties')}) say what is proved for all that lies within them."
            )

    def _share(self, sort: Sort) -> Row:
        heading = link(f"#{sort.name}", _title(sort.name, sort.title))
        return _counted(heading, [_known(entry.assumed, entry.citation) for entry in sort.entries])

    def _to(self, what: str) -> str:
        return address.page(self.subject.name, what)

    # --- tables and enums -----------------------------------------------------------------------------------

    def _sort(self, sort: Sort) -> Iterator[str]:
        yield f"### {plain(_capital(self._name(sort.name, sort.title)))} {{#{sort.name}}}"
        yield self._of(sort)
        columns = [
            without_article(sort.title) or "name",
            *(spaced(name) for name, _ in sort.columns),
            "Known from",
        ]
        rows = [self._entry(sort, entry) for entry in sort.entries]
        yield table(f"All of {text(sort.name)}", [_capital(each) for each in columns], rows)
        if sort.columns:
            kinds = (f"{text(spaced(name))}: {text(kind)}" for name, kind in sort.columns)
            yield f'<p class="rs-note">Columns – {"; ".join(kinds)}.</p>'
        yield from self._reasons(sort)

    def _of(self, sort: Sort) -> str:
        """What it is called in the rules, how many there are, and where that is said."""
        what = "row" if sort.columns else "member"
        head = link(declared(self.subject, sort.name, sort.span), code(sort.name))
        count = counted(len(sort.entries), what)
        return f'<p class="rs-meta">{head}: {count} {cited(self.subject, sort.citation)}</p>'

    def _name(self, name: str, title: str) -> str:
        return without_article(title) if title else name

    def _entry(self, sort: Sort, entry: Entry) -> Row:
        heading = titled(entry.label, entry.name)
        cells = [words(self.subject, cell) for cell in entry.cells]
        if entry.assumed is None:
            known = mark("printed", "printed") if entry.citation else ""
        else:
            known = mark("assumed", "assumed")
        source = f"{known} {cited(self.subject, entry.citation)}".strip()
        kind = "rs-assumed" if entry.assumed else ""
        return Row([heading, *cells, source], f"{sort.name}.{entry.name}", kind)

    def _reasons(self, sort: Sort) -> Iterator[str]:
        """Why rows are assumed and within which limits, once for those that have it in common."""
        groups: dict[Assumption, list[str]] = {}
        for entry in sort.entries:
            if entry.assumed is not None:
                groups.setdefault(entry.assumed, []).append(entry.label)
        if not groups:
            return
        items = (self._reason(why, labels) for why, labels in groups.items())
        yield f'<div class="rs-assumptions"><p>Assumed here:</p><ul>{"".join(items)}</ul></div>'

    def _reason(self, why: Assumption, labels: list[str]) -> str:
        lines = [
            f"<strong>{text(listed(labels))}</strong>: {prose(why.why)} {cited(self.subject, why.citation)}"
        ]
        if why.limits:
            limits = (self._limit(limit.words, phrase(self.subject, limit.span)) for limit in why.limits)
            lines.append(f"<ul>{''.join(limits)}</ul>")
        return f"<li>{''.join(lines)}</li>"

    def _limit(self, said_as: str, written: str) -> str:
        return f"<li>{text(said_as)} {note(written)}</li>" if said_as else f"<li>{written}</li>"

    # --- pieces, money, numbers -----------------------------------------------------------------------------

    def _pieces(self) -> str:
        columns = ("Piece", "Of each kind", "In all", "At the start", "Source")
        return table(
            "How many there are, and where they are before setting up",
            columns,
            map(self._piece, self.known.pieces),
        )

    def _piece(self, piece: Piece) -> Row:
        name = link(declared(self.subject, piece.name, piece.span), text(piece.title or piece.name))
        kind = self.words.title(piece.kind)
        each = f"{self._varied(piece.each, numbers.plainly)} of each {text(kind)}"
        cells = [name, each, self._varied(piece.total, numbers.plainly), self._home(piece.home)]
        return Row([*cells, cited(self.subject, piece.citation)], piece.name)

    def _home(self, name: str) -> str:
        title = next((place.title for place in self.known.places if place.name == name), "")
        return (
            f"{link(f'#place-{name}', code(name))} {note(text(title))}"
            if title
            else link(f"#place-{name}", code(name))
        )

    def _money(self) -> str:
        columns = ("Money", "How much there is", "At the start", "Source")
        return table(
            "How much there is, and where it is before setting up",
            columns,
            map(self._currency, self.known.currencies),
        )

    def _currency(self, currency: Currency) -> Row:
        name = link(
            declared(self.subject, currency.name, currency.span), text(currency.title or currency.name)
        )
        amount = self._varied(currency.supply, lambda n: "without end" if n is None else f"{n:,}")
        if currency.unless is not None:
            written = phrase(self.subject, currency.unless)
            amount += note(f"in the rules: {text(currency.printed)} unless {written}")
        return Row(
            [name, amount, self._home(currency.home), cited(self.subject, currency.citation)], currency.name
        )

    def _params(self) -> str:
        columns = ("Number", "Value", "Kind", "Known from")
        return table(
            "What the rules call by a name, so that it can be changed",
            columns,
            map(self._param, self.known.params),
        )

    def _param(self, param: Param) -> Row:
        heading = titled(param.title, param.name, declared(self.subject, param.name, param.span))
        value = self._varied(param.value, numbers.worded(self.words, param))
        if param.assumed:
            known = (
                f"{mark('assumed', 'assumed')} {prose(param.assumed)} {cited(self.subject, param.citation)}"
            )
        else:
            known = cited(self.subject, param.citation)
        given = [g for g in param.given if g.citation is not None]
        if given:
            known += note("; ".join(f"{code(g.where)} {cited(self.subject, g.citation)}" for g in given))
        return Row(
            [heading, value, text(param.kind), known], param.name, "rs-assumed" if param.assumed else ""
        )

    def _varied(self, value: Varied, show: Callable[[Value], str]) -> str:
        """A number, and where it is another."""
        shown = runs(value.usual)
        first = text(show(shown[0][1])) if shown else "–"
        lines = [first] if value.is_one else [numbers.with_players(count, show(it)) for count, it in shown]
        lines += [
            f"{self._change(change)}: {numbers.values(values, show)}" for change, values in value.changed
        ]
        return "<br>".join(lines)

    def _change(self, change: Change) -> str:
        if change.meaning:
            where = address.reading(self.subject.name, change.name)
            return f"reading {link(where, code(f'{change.name} is {change.meaning}'))}"
        where = f"{self._to('variants')}#variant-{change.name}"
        return f"variant {link(where, code(change.name))}"

    # --- the table ------------------------------------------------------------------------------------------

    def _places(self) -> Iterator[str]:
        yield (
            "Where pieces and money may lie, and what the game keeps count of. In a *set* lies at most one "
            "of each kind, in a *bag* any number, in a *shuffled pile* they have an order that nobody knows."
        )
        columns = ("Place", "What it holds", "Who sees it", "At the start", "Source")
        common = [place for place in self.known.places if not place.per_player]
        own = [place for place in self.known.places if place.per_player]
        if common:
            yield table("On the table", columns, map(self._place, common))
        if own:
            yield table("Before each player", columns, map(self._place, own))

    def _place(self, place: Place) -> Row:
        heading = titled(place.title, place.name, declared(self.subject, place.name, place.span))
        cells = [
            heading,
            text(place.kind),
            self._sight(place),
            text(place.starts),
            cited(self.subject, place.citation),
        ]
        return Row(cells, f"place-{place.name}")

    def _sight(self, place: Place) -> str:
        owner = "its owner alone" if place.per_player else "the player it is of"
        seen = {"open": "all", "private": owner, "hidden": "nobody"}[place.sight]
        shown = mark(place.sight, place.sight) + f" {seen}"
        lines = ["all see how many there are"] if place.counted else []
        if place.unless:
            lines.append(f"all see it while {link(f'#place-{place.unless}', code(place.unless))}")
        return shown + "".join(note(line) for line in lines)


def _known(assumed: object, citation: object) -> str:
    return "assumed" if assumed else "cited" if citation else ""


def _counted(heading: str, known: list[str]) -> Row:
    return Row([heading, *map(str, (len(known), *map(known.count, ("cited", "assumed", ""))))])


def _title(name: str, title: str) -> str:
    return text(_capital(without_article(title))) if title else text(name)


def _capital(value: str) -> str:
    return value[:1].upper() + value[1:]


def _told(sort: Sort, entry: Entry) -> str:
    """A row in a sentence, for search."""
    cells = (
        f"{spaced(name)} {said(cell)}" for (name, _), cell in zip(sort.columns, entry.cells, strict=True)
    )
    return f"{without_article(sort.title) or sort.name}: {', '.join(cells)}"
