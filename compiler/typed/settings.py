"""What a configuration settles: readings, variants, numbers of players, scopes."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.access import check_reading, check_variant
from rulespec.compiler.typed.citations import check_citation
from rulespec.compiler.typed.declarations import fixed
from rulespec.compiler.typed.expressions import truth, value
from rulespec.compiler.typed.scope import Book, Context
from rulespec.compiler.typed.suggest import did_you_mean, with_article
from rulespec.compiler.typed.walk import every as below

MOST_SCOPES = 20


def settings(book: Book, written: tuple[s.Setting, ...]) -> tuple[t.Setting, ...]:
    made = []
    first: dict[str, s.Setting] = {}
    for one in written:
        check_citation(book, one.citation)
        name = one.name.text
        if name in first:
            label = Label(first[name].span, "the first time")
            book.report.error("R0228", f"`{name}` is set twice", one.name.span, label)
        first.setdefault(name, one)
        setting = _setting(book, one)
        if setting is not None:
            made.append(setting)
    return tuple(made)


def _setting(book: Book, e: s.Setting) -> t.Setting | None:
    param = book.params.get(e.name.text)
    if param is None:
        symbol = book.symbols.get(e.name.text)
        labels = (Label(symbol.span, with_article(symbol.sort)),) if symbol is not None else ()
        advice = did_you_mean(e.name.text, book.params) if symbol is None else ("only params are set",)
        book.report.error("R0208", f"there is no param `{e.name.text}`", e.name.span, *labels, help=advice)
        return None
    book.uses[e.name.span] = book.symbols[e.name.text].span
    cx = Context(book)
    x = truth(cx, e.value)[0] if param.type == t.BOOL else value(cx, e.value, param.type)
    if fixed(cx, x, "a setting"):
        _only_earlier(book, e, x)
    return t.Setting(e.name.text, x, e.citation, e.span)


def _only_earlier(book: Book, e: s.Setting, x: t.Expr) -> None:
    """Params are settled in their order; a setting that looked ahead would depend on another order."""
    order = list(book.params)
    for node in below(x):
        if isinstance(node, t.ParamRef) and order.index(node.name) >= order.index(e.name.text):
            label = Label(book.params[node.name].span, "declared here")
            text = f"`{e.name.text}` is settled before `{node.name}`"
            advice = f"declare the param `{node.name}` before `{e.name.text}`"
            book.report.error("R0232", text, node.span, label, help=(advice,))


def variant(book: Book, e: s.Variant) -> t.Variant:
    return t.Variant(e.name.text, e.title, settings(book, e.settings), e.citation, e.span)


def when_players(book: Book, e: s.WhenPlayers) -> t.WhenPlayers:
    return t.WhenPlayers(e.operator, e.number, settings(book, e.settings), e.citation, e.span)


def reading(book: Book, e: s.Reading) -> t.Reading:
    first: dict[str, s.Meaning] = {}
    for meaning in e.meanings:
        check_citation(book, meaning.citation)
        if meaning.name.text in first:
            label = Label(first[meaning.name.text].span, "the first one")
            text = f"the meaning `{meaning.name.text}` stands twice"
            book.report.error("R0210", text, meaning.name.span, label)
        first.setdefault(meaning.name.text, meaning)
    chosen = [m for m in e.meanings if m.default]
    if len(chosen) != 1:
        _no_default(book, e, chosen)
    meanings = tuple(t.Meaning(m.name.text, m.title, m.citation) for m in e.meanings)
    default = chosen[0].name.text if chosen else ""
    return t.Reading(e.name.text, e.ident, e.question, meanings, default, e.citation, e.span)


def _no_default(book: Book, e: s.Reading, chosen: list[s.Meaning]) -> None:
    advice = ("write `default` after the meaning that is played unless another is asked for",)
    if not chosen:
        text = f"the reading `{e.name.text}` has no default"
        book.report.error("R0230", text, e.name.span, help=advice)
        return
    labels = tuple(Label(m.span, "a default") for m in chosen)
    text = f"the reading `{e.name.text}` has {len(chosen)} defaults"
    book.report.error("R0230", text, e.name.span, *labels, help=advice)


def chosen_readings(cx: Context, written: tuple[tuple[s.Name, s.Name], ...]) -> tuple[tuple[str, str], ...]:
    """The readings of a scope or example; each once."""
    first: dict[str, s.Name] = {}
    made = []
    for name, meaning in written:
        if name.text in first:
            label = Label(first[name.text].span, "the first time")
            cx.report.error("R0228", f"the reading `{name.text}` is chosen twice", name.span, label)
        first.setdefault(name.text, name)
        if check_reading(cx, name, meaning):
            made.append((name.text, meaning.text))
    return tuple(made)


def chosen_variants(cx: Context, written: tuple[s.Name, ...]) -> tuple[str, ...]:
    return tuple(name.text for name in written if check_variant(cx, name))


def check_seats(book: Book, e: s.Scope | s.Example) -> bool:
    """Report a number of players that the game does not allow. Where none is said, the parser has told."""
    game = book.players
    if e.players == 0:
        return False
    if game is None or game.low <= e.players <= game.high:
        return True
    label = Label(game.span, f"{game.low} to {game.high} players")
    text = f"`{e.name.text}` is for {e.players} players, and the game is not"
    book.report.error("R0604", text, e.name.span, label)
    return False


def scopes(book: Book, every: Sequence[s.Scope]) -> tuple[t.Scope, ...]:
    """All of them; each is compiled and visited, so there can only be so many."""
    if len(every) > MOST_SCOPES:
        text = f"there are {len(every)} scopes, and {MOST_SCOPES} are the most"
        book.report.error("R0243", text, every[MOST_SCOPES].name.span, help=("keep those that differ most",))
    return tuple(_scope(book, e) for e in every[:MOST_SCOPES])


def _scope(book: Book, e: s.Scope) -> t.Scope:
    cx = Context(book, seats=e.players)
    check_seats(book, e)
    variants = chosen_variants(cx, e.variants)
    readings = chosen_readings(cx, e.readings)
    return t.Scope(e.name.text, e.title, e.players, variants, readings, settings(book, e.settings), e.span)
