"""Names, parts of values, readings and variants: what is looked up."""

from __future__ import annotations

from dataclasses import replace

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.inference import infer, value, wrong
from rulespec.compiler.typed.scope import Binding, Context, Member, Symbol, seat_number
from rulespec.compiler.typed.shapes import INT, a_type, known
from rulespec.compiler.typed.suggest import FOREIGN_VALUES, did_you_mean, listing, with_article

VALUE_SORTS = ("param", "state variable", "function", "rule", "enum", "table", "grid")


@infer.register
def _ref(e: s.Ref, cx: Context, want: t.Type | None) -> t.Expr:
    name = e.name
    local = cx.scope.get(name.text)
    if local is not None:
        cx.book.uses[name.span] = local.span
    if isinstance(local, Binding):
        return _local(cx, local, name)
    if local is not None:
        _needs_arguments(cx, name, Symbol("function", name.text, local.span))
        return wrong(e.span)
    if name.text == "players":
        binder = t.Bound(cx.names.fresh("seat"), t.PLAYER, e.span)
        return t.SetOf(t.Generator(binder, t.EveryMember(t.PLAYER)), None, t.TSet(t.PLAYER), e.span)
    seat = seat_number(name.text)
    if seat is not None:
        return _seat(cx, name, seat)
    members = cx.book.find_members(name)
    if members:
        return _member(cx, name, members, want)
    symbol = cx.book.find(name)
    return _symbol(cx, name, symbol) if symbol else _unknown(cx, name)


def _local(cx: Context, local: Binding, name: s.Name) -> t.Expr:
    node = local.value
    if isinstance(node, (t.Local, t.Bound)):
        cx.names.read.add(node.name)
        return replace(node, span=name.span)
    if isinstance(node, (t.FieldOf, t.ColumnOf)):
        return replace(node, span=name.span)
    return node


def _seat(cx: Context, name: s.Name, seat: int) -> t.Expr:
    if cx.seats is None:
        advice = "rules hold for all players: name one by a parameter or loop over `players`"
        cx.report.error(
            "R0214", f"the seat `{name.text}` is only known in examples", name.span, help=(advice,)
        )
        return wrong(name.span)
    if seat >= cx.seats:
        text = f"there is no seat `{name.text}` with {cx.seats} players"
        cx.report.error("R0603", text, name.span, help=(f"the seats are `p0` to `p{cx.seats - 1}`",))
        return wrong(name.span)
    return t.Lit(seat, t.PLAYER, name.span)


def _member(cx: Context, name: s.Name, members: list[Member], want: t.Type | None) -> t.Expr:
    inner = want.inner if isinstance(want, t.TOption) else want
    chosen = members[0]
    if len(members) > 1:
        fitting = [m for m in members if inner == t.TEnum(m.enum)]
        if not fitting:
            enums = [m.enum for m in members]
            labels = tuple(Label(m.span, f"in `{m.enum}`") for m in members)
            advice = "say which, as in " + " or ".join(f"`{enum}.{name.text}`" for enum in enums)
            text = f"`{name.text}` is a member of {listing(enums)}"
            cx.report.error("R0212", text, name.span, *labels, help=(advice,))
            return wrong(name.span)
        chosen = fitting[0]
    cx.book.uses[name.span] = chosen.span
    return t.Lit(chosen.position, t.TEnum(chosen.enum), name.span)


def _symbol(cx: Context, name: s.Name, symbol: Symbol) -> t.Expr:
    book, label = cx.book, Label(symbol.span, "defined here")
    book.used.add(name.text)
    match symbol.sort:
        case "param":
            param = book.params.get(name.text)
            if param is not None:
                return t.ParamRef(name.text, param.type, name.span)
            advice = "a param may use those that stand before it"
            text = f"the param `{name.text}` is settled only later"
            cx.report.error("R0232", text, name.span, label, help=(advice,))
        case "state variable":
            variable = book.state.get(name.text)
            if variable is None:
                too_early(cx, name)
                return wrong(name.span)
            if not variable.per_player:
                return t.StateRef(name.text, None, variable.type, name.span)
            advice = f"say whose: `p.{name.text}`"
            text = f"every player has a `{name.text}` of their own"
            cx.report.error("R0315", text, name.span, label, help=(advice,))
        case "function":
            _needs_arguments(cx, name, symbol)
        case "rule":
            rule_as_value(cx, name, symbol)
        case _:
            advice = ""
            if symbol.sort in ("enum", "table", "grid"):
                advice = f"to go through it write `for x in {name.text}`"
            elif symbol.sort == "piece":
                advice = f"its kinds are those of `{book.kinds(name.text).name}`"
            text = f"`{name.text}` is {with_article(symbol.sort)}, not a value"
            cx.report.error("R0203", text, name.span, label, help=(advice,) if advice else ())
    return wrong(name.span)


def too_early(cx: Context, name: s.Name) -> None:
    """Report something of the play, or a function of it, where only params are settled yet."""
    advice = "only numbers, params, readings, variants and `size(players)` are"
    text = f"`{name.text}` is not fixed before play"
    cx.report.error("R0311", text, name.span, help=(advice,))


def _needs_arguments(cx: Context, name: s.Name, symbol: Symbol) -> None:
    label = Label(symbol.span, "defined here")
    text = f"`{name.text}` is a function and stands here without arguments"
    cx.report.error("R0319", text, name.span, label, help=(f"write `{name.text}(...)`",))


def rule_as_value(cx: Context, name: s.Name, symbol: Symbol) -> None:
    label = Label(symbol.span, "the rule")
    advice = f"carry it out first: `let x = {name.text}(...)`, and use `x`"
    text = f"the rule `{name.text}` does something, so it cannot stand inside an expression"
    cx.report.error(
        "R0317", text, name.span, label, help=(advice, "a `function` may, but it changes nothing")
    )


def _unknown(cx: Context, name: s.Name) -> t.Expr:
    file = name.span.file
    candidates = [*cx.scope, *cx.book.names(file, *VALUE_SORTS), *cx.book.members, "players", "Player"]
    advice = FOREIGN_VALUES.get(name.text) or did_you_mean(name.text, candidates)
    labels: tuple[Label, ...] = ()
    if name.text in cx.names.past:
        labels = (Label(cx.names.past[name.text], f"this `{name.text}` is known only near its place"),)
    cx.report.error("R0201", f"nothing is called `{name.text}` here", name.span, *labels, help=advice)
    return wrong(name.span)


# --- parts --------------------------------------------------------------------------------------------------


@infer.register
def _field(e: s.FieldOf, cx: Context, want: t.Type | None) -> t.Expr:
    qualified = _qualified(e, cx)
    if qualified is not None:
        return qualified
    owner = infer(e.value, cx, None)
    name = e.field.text
    match owner.type:
        case t.TEnum("Player"):
            return _of_player(e, cx, owner)
        case t.TEnum(table) if table in cx.book.symbols and cx.book.symbols[table].sort in ("table", "grid"):
            if table not in cx.book.columns:
                too_early(cx, e.field)
                return wrong(e.span)
            columns = cx.book.columns[table]
            cx.book.use_part(table, e.field)
            if name in columns:
                return t.ColumnOf(table, name, owner, columns[name], e.span)
            return _no_part(e, cx, owner.type, f"the table `{table}` has no column `{name}`", list(columns))
        case t.TRecord(record, fields):
            names = [field for field, _ in fields]
            cx.book.use_part(record, e.field)
            if name in names:
                position = names.index(name)
                return t.FieldOf(owner, position, fields[position][1], e.span)
            return _no_part(e, cx, owner.type, f"a `{record}` has no `{name}`", names)
        case t.TTuple(names, items):
            if name in names:
                return t.FieldOf(owner, names.index(name), items[names.index(name)], e.span)
            return _no_part(e, cx, owner.type, f"this has no part `{name}`", [n for n in names if n])
    if known(owner.type):
        return _no_part(e, cx, owner.type, f"{a_type(owner.type)} has no parts", [])
    return owner


def _qualified(e: s.FieldOf, cx: Context) -> t.Expr | None:
    """`Color.red`, where several enums have a `red`."""
    if not isinstance(e.value, s.Ref) or e.value.name.text in cx.scope:
        return None
    symbol = cx.book.find(e.value.name)
    if symbol is None or symbol.sort not in ("enum", "table", "grid"):
        return None
    members = cx.book.enums.get(symbol.name, ())
    for member in cx.book.members.get(e.field.text, ()):
        if member.enum == symbol.name:
            cx.book.uses[e.field.span] = member.span
    if e.field.text in members:
        return t.Lit(members.index(e.field.text), t.TEnum(symbol.name), e.span)
    advice = did_you_mean(e.field.text, members)
    text = f"`{e.field.text}` is not a member of `{symbol.name}`"
    cx.report.error("R0204", text, e.field.span, Label(symbol.span, "defined here"), help=advice)
    return wrong(e.span)


def _of_player(e: s.FieldOf, cx: Context, owner: t.Expr) -> t.Expr:
    name = e.field
    symbol = cx.book.find(name)
    variable = cx.book.state.get(name.text) if symbol else None
    if variable is None and symbol is not None and symbol.sort == "state variable":
        too_early(cx, name)
        return wrong(e.span)
    if variable is not None and variable.per_player:
        cx.book.used.add(name.text)
        return t.StateRef(name.text, owner, variable.type, e.span)
    if variable is not None:
        label = Label(cx.book.symbols[name.text].span, "one for all")
        text = f"`{name.text}` belongs to the table, not to a player"
        cx.report.error("R0316", text, name.span, label, help=(f"write `{name.text}` alone",))
        return wrong(e.span)
    seen = cx.book.names(name.span.file, "state variable")
    known_names = [n for n in seen if n in cx.book.state and cx.book.state[n].per_player]
    return _no_part(e, cx, owner.type, f"no player has a `{name.text}`", known_names)


def _no_part(e: s.FieldOf, cx: Context, type: t.Type, text: str, names: list[str]) -> t.Expr:
    advice = did_you_mean(e.field.text, names)
    if not advice and isinstance(type, t.TOption):
        advice = ("it may be `none`: test it first, as in `if x is some y:`",)
    elif not advice and names:
        advice = (f"there are {listing(names)}",)
    cx.report.error("R0204", text, e.field.span, help=advice)
    return wrong(e.span)


@infer.register
def _index(e: s.Index, cx: Context, want: t.Type | None) -> t.Expr:
    node = infer(e.value, cx, None)
    for key in e.keys:
        node = _element(cx, node, key)
        if not known(node.type):
            return node
    return node


def _element(cx: Context, owner: t.Expr, written: s.Expr) -> t.Expr:
    span = owner.span.to(written.span)
    match owner.type:
        case t.TMap(key, item):
            return t.IndexOf(owner, value(cx, written, key), item, span)
        case t.TBag(kind) | t.TDeck(kind):
            return t.IndexOf(owner, value(cx, written, kind), INT, span)
        case t.TList(item):
            return t.IndexOf(owner, value(cx, written, INT), item, span)
        case t.TSet(kind):
            advice = "a set holds a member or does not: write `x in s`"
            cx.report.error("R0306", "a set has no elements by key", span, help=(advice,))
        case type if known(type):
            text = f"{a_type(type)} has no elements"
            cx.report.error("R0306", text, span, help=("maps, bags, decks and lists have",))
    infer(written, cx, None)
    return wrong(span)


# --- configurations -----------------------------------------------------------------------------------------


@infer.register
def _reading(e: s.IsReading, cx: Context, want: t.Type | None) -> t.Expr:
    cx.book.used.add(f"reading {e.reading.text}")
    if check_reading(cx, e.reading, e.meaning):
        return t.ReadingIs(e.reading.text, e.meaning.text, e.span)
    return wrong(e.span)


def check_reading(cx: Context, name: s.Name, meaning: s.Name) -> bool:
    """Report an unknown reading or meaning; true when both are known."""
    reading = cx.book.readings.get(name.text)
    if reading is None or not cx.book.sees(name.span.file, reading.span.file):
        advice = did_you_mean(name.text, cx.book.readings)
        cx.report.error("R0206", f"there is no reading `{name.text}`", name.span, help=advice)
        return False
    cx.book.uses[name.span] = reading.name.span
    meanings = [m.name.text for m in reading.meanings]
    if meaning.text in meanings:
        cx.book.uses[meaning.span] = reading.meanings[meanings.index(meaning.text)].name.span
        return True
    label = Label(reading.name.span, "the question")
    advice = did_you_mean(meaning.text, meanings) or (f"its meanings are {listing(meanings)}",)
    text = f"the reading `{name.text}` has no meaning `{meaning.text}`"
    cx.report.error("R0206", text, meaning.span, label, help=advice)
    return False


@infer.register
def _variant(e: s.IsVariant, cx: Context, want: t.Type | None) -> t.Expr:
    if check_variant(cx, e.variant):
        return t.VariantOn(e.variant.text, e.span)
    return wrong(e.span)


def check_variant(cx: Context, name: s.Name) -> bool:
    if name.text in cx.book.variants:
        cx.book.uses[name.span] = cx.book.variants[name.text].name.span
        return True
    advice = did_you_mean(name.text, cx.book.variants)
    cx.report.error("R0207", f"there is no variant `{name.text}`", name.span, help=advice)
    return False
