"""The components of a game: what and how many they are, who sees them, what is printed or assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.surface import tree as surface
from rulespec.compiler.surface.tree import Document
from rulespec.compiler.typed import tree as t
from rulespec.reference.amounts import Settled, Value, Varied, settle
from rulespec.reference.values import Runs, Words, spaced


@dataclass(frozen=True)
class Limit:
    """A test that assumed rows pass: its place in the text, and in words ("" for no better words)."""

    span: Span
    words: str


@dataclass(frozen=True)
class Assumption:
    """Why something is there although no source has it, and the limits within which it was assumed."""

    why: str
    citation: Citation | None
    limits: tuple[Limit, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A member of an enum or a row of a table, with a cell for each column. `assumed` None: it is printed."""

    name: str
    label: str
    cells: tuple[Runs, ...]
    citation: Citation | None
    assumed: Assumption | None


@dataclass(frozen=True)
class Sort:
    """An enum (`columns` empty) or a table. `columns` have a name and what their values are."""

    name: str
    title: str
    columns: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]
    citation: Citation | None
    span: Span


@dataclass(frozen=True)
class Board:
    """A grid of squares."""

    name: str
    title: str
    columns: int
    rows: int
    squares: tuple[str, ...]
    citation: Citation | None
    span: Span


@dataclass(frozen=True)
class Piece:
    """`each` of every kind, `total` in all; they begin at `home`, a place."""

    name: str
    title: str
    kind: str
    each: Varied
    total: Varied
    home: str
    citation: Citation | None
    span: Span


@dataclass(frozen=True)
class Currency:
    """`supply` in each configuration; `unless` is the test that makes it endless, if there is one."""

    name: str
    title: str
    supply: Varied
    unless: Span | None
    printed: str  # how many there are where it is not endless, "" where it always is
    home: str
    citation: Citation | None
    span: Span


@dataclass(frozen=True)
class Given:
    """Where a param gets another value. `where` is a variant's name or `players = 2`."""

    where: str
    value: str
    citation: Citation | None


@dataclass(frozen=True)
class Param:
    """A number of the rules. `unit` is a currency, `points`, "yes or no" or ""."""

    name: str
    title: str
    type: t.Type
    kind: str
    value: Varied
    citation: Citation | None
    assumed: str
    given: tuple[Given, ...]
    span: Span


@dataclass(frozen=True)
class Place:
    """A variable of the game. `sight` is `open`, `private` or `hidden`; `counted`: who may not see what lies
    there sees how many there are; `unless` is what shows it to all while it is true. `keeps` is the piece or
    currency that is kept there, "" for none.
    """

    name: str
    title: str
    kind: str
    per_player: bool
    sight: str
    counted: bool
    unless: str
    keeps: str
    starts: str
    citation: Citation | None
    span: Span


@dataclass(frozen=True)
class Parts:
    """All of a game. `sorts` are tables and enums, in the order of the text."""

    sorts: tuple[Sort, ...]
    boards: tuple[Board, ...]
    pieces: tuple[Piece, ...]
    currencies: tuple[Currency, ...]
    params: tuple[Param, ...]
    places: tuple[Place, ...]
    is_whole: bool

    @property
    def is_empty(self) -> bool:
        """Whether the game has nothing of the kind."""
        return not any((self.sorts, self.boards, self.pieces, self.currencies, self.params, self.places))


def parts(rulebook: t.Rulebook, documents: Iterable[Document]) -> Parts:
    """What the game is played with."""
    declared = [each for document in documents for each in document.declarations]
    words, settled = Words(rulebook), settle(rulebook)
    grids = {each.name.text: each for each in declared if isinstance(each, surface.Grid)}
    return Parts(
        tuple(_sorts(rulebook, declared, words, grids)),
        tuple(_board(rulebook, grid) for grid in grids.values()),
        tuple(_piece(rulebook, piece, settled) for piece in rulebook.pieces),
        tuple(_currency(each, settled, words) for each in rulebook.currencies),
        tuple(_param(rulebook, param, settled, words) for param in rulebook.params),
        tuple(_place(rulebook, variable, words) for variable in rulebook.state),
        settled.is_whole,
    )


# --- enums, tables, boards ----------------------------------------------------------------------------------


def _sorts(
    rulebook: t.Rulebook,
    declared: Iterable[surface.Declaration],
    words: Words,
    grids: Mapping[str, surface.Grid],
) -> Iterator[Sort]:
    tables = {table.name: table for table in rulebook.tables}
    assumed = dict(_assumptions(rulebook, declared, words))
    for enum in rulebook.enums:
        if enum.name in grids:
            continue
        table = tables.get(enum.name)
        columns = tuple((n, words.kind(type)) for n, type in table.columns) if table else ()
        entries = tuple(
            _entry(enum, position, table, words, assumed.get((enum.name, member)))
            for position, member in enumerate(enum.members)
        )
        yield Sort(enum.name, enum.title, columns, entries, enum.citation, enum.span)


def _entry(
    enum: t.Enum, position: int, table: t.Table | None, words: Words, assumed: Assumption | None
) -> Entry:
    name = enum.members[position]
    label = enum.labels[position]
    label = spaced(name) if label in ("", name) else label
    if table is None:
        citation = assumed.citation if assumed else enum.citation
        return Entry(name, label, (), citation, assumed)
    row = table.rows[position]
    cells = tuple(words.cell(type, cell) for (_, type), cell in zip(table.columns, row.cells, strict=True))
    group = assumed.citation if assumed else table.citation
    return Entry(name, label, cells, row.citation or group, assumed)


def _assumptions(
    rulebook: t.Rulebook, declared: Iterable[surface.Declaration], words: Words
) -> Iterator[tuple[tuple[str, str], Assumption]]:
    """Why each member and row is assumed that is."""
    limits = {limit.condition.span: limit for table in rulebook.tables for limit in table.limits}
    for each in declared:
        match each:
            case surface.Enum(name, assumed=groups):
                for part in groups:
                    why = Assumption(part.why, part.citation)
                    yield from (((name.text, member.name.text), why) for member in part.members)
            case surface.Table(name, assumed=written):
                for group in written:
                    found = tuple(_limit(limits, e.span, words) for e in group.limits)
                    why = Assumption(group.why, group.citation, found)
                    yield from (((name.text, row.name.text), why) for row in group.rows)


def _limit(limits: Mapping[Span, t.AssumedLimit], span: Span, words: Words) -> Limit:
    typed = limits.get(span)
    return Limit(span, words.limit(typed.condition) if typed else "")


def _board(rulebook: t.Rulebook, grid: surface.Grid) -> Board:
    squares = next(enum.members for enum in rulebook.enums if enum.name == grid.name.text)
    return Board(grid.name.text, grid.title, grid.columns, grid.rows, squares, grid.citation, grid.span)


# --- pieces, money, numbers ---------------------------------------------------------------------------------


def _piece(rulebook: t.Rulebook, piece: t.Piece, settled: Settled) -> Piece:
    kind = piece.kind.name
    each = settled.kept[piece.name]
    members = {enum.name: len(enum.members) for enum in rulebook.enums}

    def total(players: int, number: Value) -> Value:
        return None if number is None else number * (players if kind == "Player" else members[kind])

    return Piece(piece.name, piece.title, kind, each, each.map(total), piece.home, piece.citation, piece.span)


def _currency(currency: t.Currency, settled: Settled, words: Words) -> Currency:
    supply, unless = currency.supply, currency.unlimited_if
    return Currency(
        currency.name,
        currency.title,
        settled.kept[currency.name],
        unless.span if supply is not None and unless is not None else None,
        words.bound(supply) if supply is not None else "",
        currency.home,
        currency.citation,
        currency.span,
    )


def _param(rulebook: t.Rulebook, param: t.Param, settled: Settled, words: Words) -> Param:
    given = (
        Given(where, words.bound(setting.value), setting.citation or citation)
        for where, settings, citation in _settings(rulebook)
        for setting in settings
        if setting.param == param.name
    )
    return Param(
        param.name,
        param.title,
        param.type,
        words.kind(param.type),
        settled.params[param.name],
        param.citation,
        param.assumed,
        tuple(given),
        param.span,
    )


def _settings(rulebook: t.Rulebook) -> Iterator[tuple[str, tuple[t.Setting, ...], Citation | None]]:
    for each in rulebook.when_players:
        yield f"players {each.operator} {each.number}", each.settings, each.citation
    for variant in rulebook.variants:
        yield variant.name, variant.settings, variant.citation


# --- the table ----------------------------------------------------------------------------------------------


def _place(rulebook: t.Rulebook, variable: t.StateVar, words: Words) -> Place:
    keeps = _kept({each.name for each in rulebook.currencies}, variable.type)
    homes = {piece.name for piece in rulebook.pieces if piece.home == variable.name}
    homes |= {each.name for each in rulebook.currencies if each.home == variable.name}
    starts = ""
    if variable.initial is not None:
        starts = "".join(run.text for run in words.cell(variable.type, variable.initial))
    elif homes:
        starts = "all of it" if any(c.name in homes for c in rulebook.currencies) else "all of them"
    else:
        starts = "empty" if keeps else words.least(variable.type)
    is_money = any(each.name == keeps for each in rulebook.currencies)
    return Place(
        variable.name,
        variable.title,
        words.kind(variable.type),
        variable.per_player,
        variable.sight,
        variable.sight != "open" and bool(keeps) and not is_money,
        variable.unless,
        keeps,
        starts,
        variable.citation,
        variable.span,
    )


def _kept(currencies: set[str], type: t.Type) -> str:
    """The piece or currency that a place of this type is for, "" for none."""
    match type:
        case t.TSet(_, piece) | t.TBag(_, piece) | t.TDeck(_, piece):
            return piece
        case t.TInt(unit):
            return unit if unit in currencies else ""
        case t.TMap(_, value):
            return _kept(currencies, value)
    return ""
