"""First look at all documents: which names are defined where, and what each file sees."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import grids
from rulespec.compiler.typed.citations import check_citation
from rulespec.compiler.typed.report import Report
from rulespec.compiler.typed.scope import MOST_MEMBERS, RESERVED, Book, Member, Symbol, seat_number
from rulespec.compiler.typed.suggest import did_you_mean, with_article

MOST_PLAYERS = 12
MOST_LINES = 100_000
SUFFIXES = (".rules.md", ".rules")
ONLY_MAIN = (s.Game, s.Players, s.Ranking, s.Scope, s.Example, s.Variant, s.WhenPlayers)


def module_name(path: str) -> str:
    """`auction` for `std/auction.rules` and for `use "auction"`."""
    last = path.replace("\\", "/").rsplit("/", 1)[-1]
    for suffix in SUFFIXES:
        last = last.removesuffix(suffix)
    return last


def collect(documents: Sequence[s.Document], report: Report) -> Book:
    """A book in which every definition has its place; nothing is typed yet."""
    book = Book(report, documents[0].file, _visible(documents, report))
    for document in documents:
        for declaration in document.declarations:
            _one(book, declaration, document.file == book.main)
    for document in documents:
        for declaration in document.declarations:
            check_citation(book, getattr(declaration, "citation", None))
            for part in _cited_apart(declaration):
                check_citation(book, part.citation)
    _whole(book, documents[0])
    return book


def _cited_apart(e: s.Declaration) -> Sequence[s.StateVar | s.Beside]:
    """What has citations of its own that no later stage looks at."""
    match e:
        case s.State():
            return e.variables
        case s.Aside():
            return e.parts
        case _:
            return ()


def _visible(documents: Sequence[s.Document], report: Report) -> dict[str, frozenset[str]]:
    """A module sees itself and what it uses, directly or not; the main file sees all."""
    files = {module_name(d.file): d.file for d in documents}
    uses: dict[str, set[str]] = {}
    for document in documents:
        uses[document.file] = set()
        for use in document.declarations:
            if not isinstance(use, s.Use):
                continue
            file = files.get(module_name(use.path))
            if file is None:
                advice = did_you_mean(module_name(use.path), files)
                report.error("R0209", f"there is no module `{use.path}`", use.span, help=advice)
            else:
                uses[document.file].add(file)
    main = documents[0].file
    seen = {file: _closure(file, uses) for file in uses if file != main}
    return {main: frozenset(uses), **seen}


def _closure(file: str, uses: dict[str, set[str]]) -> frozenset[str]:
    found, waiting = {file}, [file]
    while waiting:
        for other in uses[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return frozenset(found)


def _one(book: Book, e: s.Declaration, main: bool) -> None:
    if not main and isinstance(e, ONLY_MAIN):
        _not_in_module(book, e)
        return
    match e:
        case s.Players():
            _players(book, e)
        case s.Source():
            _source(book, e)
        case s.Enum():
            define(book, "enum", e.name)
            names = [m.name for m in e.members]
            _members(book, e.name, names, e.span)
        case s.Table():
            define(book, "table", e.name)
            rows = [row.name for row in e.rows] + [row.name for a in e.assumed for row in a.rows]
            _members(book, e.name, rows, e.span)
        case s.Grid():
            if define(book, "grid", e.name):
                book.grids[e.name.text] = e
            _members(book, e.name, grids.squares(book, e), e.span)
        case s.Currency():
            define(book, "currency", e.name)
            define(book, "state variable", e.home)
            book.currencies[e.name.text] = e.name.span
        case s.Piece():
            define(book, "piece", e.name)
        case s.Record() | s.Param() | s.Function() | s.Rule():
            define(book, type(e).__name__.lower(), e.name)
        case s.State():
            for variable in e.variables:
                define(book, "state variable", variable.name)
        case s.Reading():
            if define_apart(book, "reading", e.name):
                book.readings[e.name.text] = e
        case s.Variant():
            if define_apart(book, "variant", e.name):
                book.variants[e.name.text] = e
        case s.Invariant() | s.Bound():
            define_apart(book, "property", e.name)
        case s.Scope() | s.Example():
            define_apart(book, type(e).__name__.lower(), e.name)


def _not_in_module(book: Book, e: s.Declaration) -> None:
    word = {"WhenPlayers": "when players"}.get(type(e).__name__, type(e).__name__.lower())
    advice = "a module holds what several games share: enums, functions and rules"
    book.report.error("R0215", f"`{word}` stands only in a game's main file", e.span, help=(advice,))


# --- definitions --------------------------------------------------------------------------------------------


def define(book: Book, sort: str, name: s.Name) -> bool:
    """Give a name its meaning in the whole rulebook; false when it is taken."""
    if name.text in RESERVED or seat_number(name.text) is not None or _takes_unit(sort, name):
        what = "the name of a seat" if seat_number(name.text) is not None else "a word of the language"
        book.report.error("R0213", f"`{name.text}` is {what}", name.span, help=("choose another name",))
        return False
    earlier = book.symbols.get(name.text)
    if earlier is not None:
        duplicate(book, name, earlier.sort, earlier.span)
        return False
    if name.text in book.members:
        member = book.members[name.text][0]
        duplicate(book, name, f"member of `{member.enum}`", member.span)
        return False
    book.symbols[name.text] = Symbol(sort, name.text, name.span)
    return True


def _takes_unit(sort: str, name: s.Name) -> bool:
    return name.text == "points" and sort != "state variable"


def duplicate(book: Book, name: s.Name, sort: str, earlier: Span) -> None:
    label = Label(earlier, f"the first one, {with_article(sort)}")
    text = f"`{name.text}` is defined twice"
    book.report.error("R0210", text, name.span, label, help=("give one of them another name",))


def define_apart(book: Book, sort: str, name: s.Name) -> bool:
    """Names of readings, variants, properties, scopes and examples; each sort has names of its own."""
    key = f"{sort} {name.text}"
    earlier = book.symbols.get(key)
    if earlier is not None:
        duplicate(book, name, sort, earlier.span)
        return False
    book.symbols[key] = Symbol(f"named {sort}", key, name.span)
    return True


def _members(book: Book, enum: s.Name, names: Sequence[s.Name], span: Span) -> None:
    if enum.text in book.enums:
        return
    if not names:
        book.report.error("R0224", f"`{enum.text}` has no members", span, help=("list at least one",))
    elif len(names) > MOST_MEMBERS:
        text = f"`{enum.text}` has {len(names)} members, and {MOST_MEMBERS} are the most"
        book.report.error("R0224", text, enum.span)
    kept: list[str] = []
    first: dict[str, s.Name] = {}
    for name in names:
        if name.text in first:
            duplicate(book, name, f"member of `{enum.text}`", first[name.text].span)
        elif name.text in RESERVED or seat_number(name.text) is not None:
            book.report.error("R0213", f"`{name.text}` is a word of the language", name.span)
        elif name.text in book.symbols:
            earlier = book.symbols[name.text]
            duplicate(book, name, earlier.sort, earlier.span)
        else:
            # Several enums may have a member of one name: what is expected tells which is meant.
            book.members.setdefault(name.text, []).append(Member(enum.text, len(kept), name.span))
            kept.append(name.text)
            first[name.text] = name
    book.enums[enum.text] = tuple(kept)


def _source(book: Book, e: s.Source) -> None:
    if define_apart(book, "source", e.name):
        book.sources[e.name.text] = e
    if e.lines < 1:
        book.report.error("R0223", f"`{e.name.text}` has no lines", e.span, help=("count them",))
    elif e.lines > MOST_LINES:
        text = f"`{e.name.text}` has {e.lines} lines, and {MOST_LINES} are the most"
        book.report.error("R0223", text, e.span, help=("make several sources of it",))


def _players(book: Book, e: s.Players) -> None:
    if book.players is not None:
        label = Label(book.players.span, "the first one")
        book.report.error("R0216", "`players` stands twice", e.span, label)
        return
    book.players = e
    if e.low > e.high:
        advice = f"write `players {e.high}..{e.low}`?"
        book.report.error("R0217", f"nobody can play: `{e.low}..{e.high}` is empty", e.span, help=(advice,))
    elif e.low < 1 or e.high > MOST_PLAYERS:
        text = f"{e.low} to {e.high} players are not possible"
        advice = f"a game is for 1 to {MOST_PLAYERS} players"
        book.report.error("R0217", text, e.span, help=(advice,))


# --- what a game must have ----------------------------------------------------------------------------------


def _whole(book: Book, main: s.Document) -> None:
    games = [d for d in main.declarations if isinstance(d, s.Game)]
    rankings = [d for d in main.declarations if isinstance(d, s.Ranking)]
    top = Span(main.file, 1, 1, 1, 1)
    for kind, found in (("game", games), ("ranking", rankings)):
        for again in found[1:]:
            label = Label(found[0].span, "the first one")
            book.report.error("R0216", f"`{kind}` stands twice", again.span, label)
    if not games:
        advice = 'begin with `game my_game "My game"`'
        book.report.error("R0216", "this file has no `game`", top, help=(advice,))
        return
    span = games[0].span
    if book.players is None:
        book.report.error("R0216", "this game has no `players`", span, help=("add `players 2..4`",))
    if not rankings:
        advice = "add `ranking for p: p.points`"
        book.report.error("R0229", "nothing says who wins: there is no `ranking`", span, help=(advice,))
    for name in ("setup", "play"):
        _starting_rule(book, main, name, span)


def _starting_rule(book: Book, main: s.Document, name: str, game: Span) -> None:
    rules = [d for d in main.declarations if isinstance(d, s.Rule) and d.name.text == name]
    if not rules:
        advice = f"add `rule {name}:`; `setup` runs first, then `play`, and then the game is over"
        book.report.error("R0218", f"there is no rule `{name}`", game, help=(advice,))
        return
    rule = rules[0]
    if rule.parameters or rule.result is not None:
        what = "takes nothing" if rule.parameters else "gives nothing"
        book.report.error("R0219", f"the rule `{name}` {what}", rule.name.span)
