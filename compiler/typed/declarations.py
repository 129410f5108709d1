"""Components, params and state: what a game is made of, typed."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.citations import check_citation
from rulespec.compiler.typed.constants import World, number, varying
from rulespec.compiler.typed.expressions import truth, value
from rulespec.compiler.typed.scope import Book, Context
from rulespec.compiler.typed.shapes import INT, UNKNOWN, a_type, holds, known, scalar, show
from rulespec.compiler.typed.suggest import did_you_mean
from rulespec.compiler.typed.types_of import type_of


def fixed(cx: Context, x: t.Expr, what: str) -> bool:
    """Report a part of `x` that is not fixed before play; true when there is none."""
    loose = varying(x)
    if loose is not None:
        advice = "only numbers, params, readings, variants and `size(players)` are"
        cx.report.error("R0311", f"{what} is fixed before play, and this is not", loose.span, help=(advice,))
    return loose is None


def enum(book: Book, e: s.Enum) -> t.Enum:
    kept = {m.name.text: m for m in reversed(e.members)}
    names = book.enums.get(e.name.text, ())
    labels = tuple(kept[n].label or n for n in names if n in kept)
    for part in e.assumed:
        check_citation(book, part.citation)
    reasons = {m.name.text: part.why for part in e.assumed for m in part.members}
    assumed = tuple(reasons.get(n, "") for n in names)
    return t.Enum(e.name.text, e.title, names, labels, assumed, e.citation, e.span)


def record(book: Book, e: s.Record) -> None:
    """Records are found through their types; there is no list of them."""
    cx = Context(book)
    fields: dict[str, t.Type] = {}
    first: dict[str, s.Name] = {}
    for name, written in e.fields:
        type = type_of(cx, written)
        if name.text in first:
            label = Label(first[name.text].span, "the first one")
            book.report.error("R0210", f"the field `{name.text}` stands twice", name.span, label)
            continue
        if known(type) and not scalar(type):
            advice = "the fields of a record are numbers, truth values, members or options of these"
            book.report.error("R0313", f"a field cannot be {a_type(type)}", written.span, help=(advice,))
            type = UNKNOWN
        first[name.text] = name
        book.parts[e.name.text, name.text] = name.span
        fields[name.text] = type
    book.records[e.name.text] = t.TRecord(e.name.text, tuple(fields.items()))


def param(book: Book, e: s.Param) -> t.Param:
    cx = Context(book)
    type = type_of(cx, e.type)
    if known(type) and not isinstance(type, (t.TBool, t.TInt)):
        advice = "a param is a number or a truth value; for the rest there are readings and variants"
        book.report.error("R0313", f"a param cannot be {a_type(type)}", e.type.span, help=(advice,))
        type = UNKNOWN
    x = truth(cx, e.value)[0] if type == t.BOOL else value(cx, e.value, type)
    fixed(cx, x, f"the param `{e.name.text}`")
    return t.Param(e.name.text, e.title, type, x, e.citation, e.assumed, e.span)


def defaults(book: Book, params: Sequence[t.Param]) -> World:
    """What constants may look at, every param at its default."""
    values: dict[str, int] = {}
    sizes = {name: len(members) for name, members in book.enums.items()}
    for one in params:
        found = number(one.value, World(sizes, {}, values))
        if found is not None:
            values[one.name] = found
    return World(sizes, book.cells, values)


# --- pieces and money ---------------------------------------------------------------------------------------


def piece_kind(book: Book, e: s.Piece) -> t.TEnum:
    if e.kind.text == "Player":
        return t.PLAYER
    type = type_of(Context(book), s.NamedType(e.kind, None, None, e.kind.span))
    if isinstance(type, t.TEnum):
        return type
    advice = "the kinds of a piece are an enum, the rows of a table or `Player`"
    book.report.error("R0313", f"pieces cannot be of `{show(type)}`", e.kind.span, help=(advice,))
    return UNKNOWN


def piece(book: Book, e: s.Piece) -> t.Piece:
    cx = Context(book)
    each = value(cx, e.each, INT)
    if fixed(cx, each, "how many pieces there are"):
        found = number(each)
        if found is not None and found < 0:
            book.report.error("R0308", f"there are {found} of each", each.span)
    kind = book.pieces.get(e.name.text, UNKNOWN)
    made = t.Piece(e.name.text, e.title, kind, each, e.home.text, e.citation, e.span)
    _home_of_piece(book, e, made)
    _sets_of(book, made)
    return made


def _home_of_piece(book: Book, e: s.Piece, made: t.Piece) -> None:
    variable = book.state.get(e.home.text)
    book.find(e.home)
    if variable is None:
        if e.home.text in book.symbols:
            _no_home(book, e, f"`{e.home.text}` is not a place", book.symbols[e.home.text].span)
        else:
            advice = f"declare it under `state:` as `{e.home.text}: Bag[{made.name}]`"
            text = f"there is no place `{e.home.text}` for the pieces"
            book.report.error("R0225", text, e.home.span, help=(advice,))
        return
    book.used.add(e.home.text)
    if not known(variable.type):
        return
    if variable.per_player:
        _no_home(book, e, "all pieces begin in one place, not with the players", variable.span)
    elif getattr(variable.type, "piece", "") != made.name:
        text = f"`{e.home.text}` holds `{show(variable.type)}`, not `{made.name}`"
        _no_home(book, e, text, variable.span)


def _no_home(book: Book, e: s.Piece, text: str, span: Span) -> None:
    book.report.error("R0225", text, e.home.span, Label(span, "declared here"))


def _sets_of(book: Book, made: t.Piece) -> None:
    """A set is a place only for pieces of which there is one of each."""
    each = number(made.each)
    if each is None or each <= 1:
        return
    for variable in book.state.values():
        type = variable.type.value if isinstance(variable.type, t.TMap) else variable.type
        if isinstance(type, t.TSet) and type.piece == made.name:
            label = Label(made.span, f"{each} of each")
            advice = f"declare it as `Bag[{made.name}]`"
            text = f"`{variable.name}` holds one of each, and there are {each}"
            book.report.error("R0231", text, variable.span, label, help=(advice,))


def currency(book: Book, e: s.Currency) -> t.Currency:
    cx = Context(book)
    supply = value(cx, e.supply, t.TInt(e.name.text)) if e.supply is not None else None
    if supply is not None:
        fixed(cx, supply, "how much money there is")
    unlimited_if = truth(cx, e.unlimited_if)[0] if e.unlimited_if is not None else None
    if unlimited_if is not None:
        fixed(cx, unlimited_if, "whether money is unlimited")
    return t.Currency(e.name.text, e.title, supply, unlimited_if, e.home.text, e.citation, e.span)


def home_of_money(e: s.Currency) -> t.StateVar:
    """The place that a currency declares: open, one for all, holding the supply."""
    type = t.TInt(e.name.text)
    return t.StateVar(e.home.text, e.title, type, "open", "", None, False, e.citation, e.home.span)


# --- state --------------------------------------------------------------------------------------------------


def state_variable(book: Book, e: s.StateVar) -> t.StateVar:
    """The variable without its initial value, which may look at params and other variables' types."""
    type = type_of(Context(book), e.type)
    if isinstance(type, t.TTuple):
        advice = "declare a `record`, or several variables"
        book.report.error("R0313", f"a variable cannot be {a_type(type)}", e.type.span, help=(advice,))
        type = UNKNOWN
    if e.sight == "private" and not e.per_player:
        advice = "`hidden` is seen by nobody; what one player sees stands under `per player:`"
        text = f"`{e.name.text}` is private to nobody: it belongs to no player"
        book.report.error("R0226", text, e.name.span, help=(advice,))
    if isinstance(type, t.TDeck) and e.sight == "private":
        advice = "declare the deck as `hidden`, or the place as a `Bag`"
        text = f"the player would see the order in which `{e.name.text}` is drawn"
        book.report.error("R0226", text, e.name.span, help=(advice,))
    unless = e.unless.text if e.unless is not None else ""
    return t.StateVar(e.name.text, e.title, type, e.sight, unless, None, e.per_player, e.citation, e.span)


def shown_by(book: Book, e: s.StateVar) -> None:
    """What opens a variable to all has to be known, seen by all, and speak of those who have the variable."""
    if e.unless is None:
        return
    flag = book.state.get(e.unless.text)
    book.find(e.unless)
    if flag is None:
        advice = did_you_mean(e.unless.text, (v.name for v in book.state.values() if v.type == t.TBool()))
        book.report.error("R0201", f"no variable is called `{e.unless.text}`", e.unless.span, help=advice)
        return
    reason = _no_sign(e, flag)
    if reason:
        advice = ("declare an open variable of type `Bool`; while it is true, all see what else is secret",)
        text = f"`{flag.name}` cannot open `{e.name.text}` to all: {reason}"
        book.report.error("R0233", text, e.unless.span, Label(flag.span, "declared here"), help=advice)


def _no_sign(e: s.StateVar, flag: t.StateVar) -> str:
    if known(flag.type) and flag.type != t.TBool():
        return f"it is {a_type(flag.type)}"
    if flag.sight != "open":
        return f"it is {flag.sight} itself"
    if flag.per_player and e.sight == "hidden":
        return "each player has one, and what is hidden is hidden from all"
    if flag.per_player and not e.per_player:
        return "each player has one"
    return ""


def initial(book: Book, e: s.StateVar, made: t.StateVar) -> t.StateVar:
    if e.initial is None or not known(made.type):
        return made
    kept = holds(made.type)
    if kept:
        advice = "all pieces and all money begin at home; `setup` moves them"
        text = f"`{made.name}` holds {kept} and begins empty"
        book.report.error("R0227", text, e.initial.span, help=(advice,))
        return made
    cx = Context(book)
    x = value(cx, e.initial, made.type)
    fixed(cx, x, "the initial value")
    return t.StateVar(
        made.name,
        made.title,
        made.type,
        made.sight,
        made.unless,
        x,
        made.per_player,
        made.citation,
        made.span,
    )
