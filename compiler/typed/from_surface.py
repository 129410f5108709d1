"""From documents as written to a typed rulebook: names, types, units, citations, instances, examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulespec.compiler.diagnostics import Diagnostic, Severity
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.surface.literate import breadcrumb
from rulespec.compiler.typed import declarations, grids, properties, settings, tables
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.asides import asides
from rulespec.compiler.typed.collect import collect
from rulespec.compiler.typed.cycles import check_cycles
from rulespec.compiler.typed.examples import example, offers
from rulespec.compiler.typed.instances import check_unused_generics, make_all, template
from rulespec.compiler.typed.report import Enough, Report
from rulespec.compiler.typed.scope import Book
from rulespec.compiler.typed.unused import warn_unused
from rulespec.compiler.typed.walk import deepest

MOST_LEVELS = 100
Found = tuple[Diagnostic, ...]


def resolve(
    documents: Sequence[s.Document], uses: dict[Span, Span] | None = None
) -> tuple[t.Rulebook | None, Found]:
    """The typed rulebook of a game and the modules it uses, and everything that is wrong or odd about them.

    `documents[0]` is the main file. The rulebook is None when there is an error. Where `uses` is given, it is
    filled: from the span of each name that was looked up to that of the name where it is defined. Never
    raises.
    """
    report = Report()
    rulebook, whole = None, True
    try:
        try:
            rulebook = _resolve(documents, report, {} if uses is None else uses)
        except RecursionError:
            # Depth is limited for each declaration; this catches what adds up through calls.
            report.error("R0242", "this rulebook is nested too deeply", Span(documents[0].file, 1, 1, 1, 1))
    except Enough:
        whole = False
    found = report.finish({d.file: n for n, d in enumerate(documents)}, whole)
    failed = any(d.severity is Severity.ERROR for d in found)
    return None if failed else rulebook, tuple(_with_breadcrumb(d, documents) for d in found)


def resolve_examples(documents: Sequence[s.Document], extra: s.Document) -> tuple[t.Rulebook | None, Found]:
    """The rulebook with the examples of a file from outside in place of its own.

    Rules that only these examples run, with functions or units of their own, become instances too, so the
    examples belong to this rulebook and to no other. Diagnostics are those of `extra`; errors elsewhere give
    None alone.
    """
    main = documents[0]
    own = tuple(d for d in main.declarations if not isinstance(d, s.Example))
    added = tuple(d for d in extra.declarations if isinstance(d, s.Example))
    rulebook, found = resolve([replace(main, declarations=own + added), *documents[1:]])
    mine = [replace(d, breadcrumb=()) for d in found if d.span.file == extra.file]
    others = [d for d in extra.declarations if not isinstance(d, s.Example)]
    for other in others:
        advice = "the rules themselves stand in the rulebook"
        mine.append(Diagnostic("R0610", "only examples stand in this file", other.span, (), (advice,)))
    return None if others else rulebook, tuple(_with_breadcrumb(d, (extra,)) for d in mine)


def _with_breadcrumb(d: Diagnostic, documents: Sequence[s.Document]) -> Diagnostic:
    """The diagnostic with the headings under which it stands."""
    for document in documents:
        if document.file == d.span.file:
            return replace(d, breadcrumb=breadcrumb(document.headings, d.span.line))
    return d


# --- the stages ---------------------------------------------------------------------------------------------


def _resolve(documents: Sequence[s.Document], report: Report, uses: dict[Span, Span]) -> t.Rulebook | None:
    documents = [_shallow(d, report) for d in documents]
    book = collect(documents, report)
    book.uses = uses
    # Modules first: what they define stands before what uses it.
    ordered = [*documents[1:], documents[0]]
    every = [d for document in ordered for d in document.declarations]
    parts = _Parts()
    _components(book, every, parts)
    _heads(book, every)
    check_cycles(book)
    functions, rules = make_all(book)
    check_unused_generics(book)
    _claims(book, every, parts)
    examples = _examples(book, documents[0], functions, rules)
    parts.asides = asides(book, documents)
    warn_unused(book, documents[0])
    if report.failed:
        return None
    return _assemble(book, documents[0], every, parts, functions, rules, examples)


def _shallow(document: s.Document, report: Report) -> s.Document:
    """The document without declarations that are nested too deeply to be walked through."""
    kept = []
    for declaration in document.declarations:
        if deepest(declaration, MOST_LEVELS) is None:
            kept.append(declaration)
        else:
            text = f"this is nested more than {MOST_LEVELS} levels deep"
            advice = "give parts of it a name: a `let`, a `function`, a rule"
            report.error("R0242", text, declaration.span, help=(advice,))
    return replace(document, declarations=tuple(kept))


class _Parts:
    """Typed declarations, each sort in the order of the text."""

    def __init__(self) -> None:
        self.enums: list[t.Enum] = []
        self.tables: list[t.Table] = []
        self.pieces: list[t.Piece] = []
        self.currencies: list[t.Currency] = []
        self.readings: list[t.Reading] = []
        self.variants: list[t.Variant] = []
        self.when_players: list[t.WhenPlayers] = []
        self.properties: list[t.Property] = []
        self.scopes: tuple[t.Scope, ...] = ()
        self.rankings: list[t.Ranking] = []
        self.asides: tuple[t.Aside, ...] = ()


def _components(book: Book, every: Sequence[s.Declaration], parts: _Parts) -> None:
    """Everything that is there before the rules: what stands later may look at what stands earlier."""
    own = [e for e in every if not isinstance(e, _NAMED) or _is_own(book, e)]
    for e in own:
        if isinstance(e, s.Piece):
            book.pieces[e.name.text] = declarations.piece_kind(book, e)
    for e in own:
        if isinstance(e, s.Param):
            book.params[e.name.text] = declarations.param(book, e)
    for e in own:
        if isinstance(e, s.Record):
            declarations.record(book, e)
    for e in own:
        if isinstance(e, s.Table):
            book.columns[e.name.text] = tables.columns(book, e)
        elif isinstance(e, s.Grid):
            book.columns[e.name.text] = grids.columns(book, e)
    for e in own:
        match e:
            case s.Enum():
                parts.enums.append(declarations.enum(book, e))
            case s.Table():
                table, rows = tables.table(book, e)
                parts.tables.append(table)
                parts.enums.append(rows)
            case s.Grid():
                table, rows = grids.grid(book, e)
                parts.tables.append(table)
                parts.enums.append(rows)
            case s.Reading():
                parts.readings.append(settings.reading(book, e))
    _state(book, own)
    for e in own:
        if isinstance(e, s.Piece):
            parts.pieces.append(declarations.piece(book, e))
        elif isinstance(e, s.Currency):
            parts.currencies.append(declarations.currency(book, e))


_NAMED = (s.Param, s.Record, s.Piece, s.Enum, s.Table, s.Grid, s.Currency, s.Function, s.Rule)


def _is_own(
    book: Book,
    e: s.Param | s.Record | s.Piece | s.Enum | s.Table | s.Grid | s.Currency | s.Function | s.Rule,
) -> bool:
    """False when the name was taken, which has been reported."""
    symbol = book.symbols.get(e.name.text)
    return symbol is not None and symbol.span == e.name.span


def _state(book: Book, every: Sequence[s.Declaration]) -> None:
    for e in every:
        if isinstance(e, s.Currency):
            book.state.setdefault(e.home.text, declarations.home_of_money(e))
    written = [v for e in every if isinstance(e, s.State) for v in e.variables]
    for variable in written:
        book.state.setdefault(variable.name.text, declarations.state_variable(book, variable))
    for variable in written:
        declarations.shown_by(book, variable)
        made = book.state[variable.name.text]
        if made.span == variable.span:
            book.state[variable.name.text] = declarations.initial(book, variable, made)


def _heads(book: Book, every: Sequence[s.Declaration]) -> None:
    for e in every:
        if isinstance(e, (s.Function, s.Rule)) and _is_own(book, e):
            made = template(book, e)
            book.templates[e.name.text] = made
            if not made.generic:
                book.instances.name_of(made, (), "")


def _claims(book: Book, every: Sequence[s.Declaration], parts: _Parts) -> None:
    for e in every:
        match e:
            case s.Variant():
                parts.variants.append(settings.variant(book, e))
            case s.WhenPlayers():
                parts.when_players.append(settings.when_players(book, e))
            case s.Invariant() | s.Bound():
                parts.properties.append(properties.property_(book, e))
            case s.Ranking():
                parts.rankings.append(properties.ranking(book, e))
    parts.scopes = settings.scopes(book, [e for e in every if isinstance(e, s.Scope)])


def _examples(
    book: Book, main: s.Document, functions: list[t.Function], rules: list[t.Rule]
) -> list[t.Example]:
    """The examples; what they run beyond what the rules call becomes further instances."""
    made = []
    offered = offers(book, rules)
    for e in main.declarations:
        if not isinstance(e, s.Example):
            continue
        one = example(book, e, offered)
        if book.instances.waiting:
            more_functions, more_rules = make_all(book)
            functions.extend(more_functions)
            rules.extend(more_rules)
            offered = offers(book, rules)
        if one is not None:
            made.append(one)
    return made


def _assemble(
    book: Book,
    main: s.Document,
    every: Sequence[s.Declaration],
    parts: _Parts,
    functions: Sequence[t.Function],
    rules: Sequence[t.Rule],
    examples: Sequence[t.Example],
) -> t.Rulebook:
    game = next(d for d in main.declarations if isinstance(d, s.Game))
    assert book.players is not None
    order = {e.name.text: n for n, e in enumerate(every) if isinstance(e, (s.Function, s.Rule))}
    by_text = [*book.made.values(), *sorted(functions, key=lambda f: order[_base(f.name)])]
    return t.Rulebook(
        name=game.name.text,
        title=game.title,
        players=(book.players.low, book.players.high),
        sources=tuple(t.Source(x.name.text, x.title, x.lines) for x in book.sources.values()),
        enums=tuple(parts.enums),
        tables=tuple(parts.tables),
        currencies=tuple(parts.currencies),
        pieces=tuple(parts.pieces),
        params=tuple(book.params.values()),
        variants=tuple(parts.variants),
        when_players=tuple(parts.when_players),
        readings=tuple(parts.readings),
        state=tuple(book.state.values()),
        functions=tuple(by_text),
        rules=tuple(sorted(rules, key=lambda r: order[r.base])),
        ranking=parts.rankings[0] if parts.rankings else None,
        properties=tuple(parts.properties),
        scopes=parts.scopes,
        examples=tuple(examples),
        asides=parts.asides,
    )


def _base(name: str) -> str:
    return name.split("#", 1)[0]
