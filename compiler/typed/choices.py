"""Typing of choices: options, their parameters, guards and phrases."""

from __future__ import annotations

import re

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.blocks import block, statement
from rulespec.compiler.typed.citations import check_citation
from rulespec.compiler.typed.expressions import coerce, domain, infer, truth, value
from rulespec.compiler.typed.folds import NOTHING
from rulespec.compiler.typed.places import Place, as_place
from rulespec.compiler.typed.scope import Binding, Context
from rulespec.compiler.typed.shapes import INT, UNKNOWN, a_type, known, plain, same, show
from rulespec.compiler.typed.suggest import did_you_mean, listing
from rulespec.compiler.typed.types_of import type_of

DECLINE = "decline"
IN_PHRASE = re.compile(r"\{([^{}]*)\}")


@statement.register
def _choose(e: s.Choose, cx: Context) -> list[t.Statement]:
    actor = value(cx, e.actor, t.PLAYER)
    options = _options(cx, e.options, e.optional, e.span)
    return [t.Choose(actor, options, e.span)]


@statement.register
def _at_once(e: s.AtOnce, cx: Context) -> list[t.Statement]:
    player, bindings = cx.local(e.name, t.PLAYER, "player")
    # Who is asked is settled before anybody answers: there the player is a bound name.
    bound = t.Bound(player.name, t.PLAYER, player.span)
    fixed = cx.with_({e.name.text: Binding(bound, "player", player.span)})
    where = truth(fixed, e.where)[0] if e.where is not None else None
    inner = cx.with_(bindings)
    if inner is cx:
        inner = cx.child()
    inner.once, inner.in_loop = e.span, False
    options = _options(inner, e.options, e.optional, e.span)
    return [t.AtOnce(player, where, options, e.span)]


def _options(cx: Context, written: tuple[s.Option, ...], optional: bool, span: Span) -> tuple[t.Option, ...]:
    made = []
    first: dict[str, s.Name] = {}
    for option in written:
        name = option.name
        if name.text in first:
            label = Label(first[name.text].span, "the first one")
            text = f"the option `{name.text}` stands twice in one choice"
            cx.report.error("R0414", text, name.span, label, help=("give each option a name of its own",))
        elif optional and name.text == DECLINE:
            text = "`may choose` has an option `decline` already"
            cx.report.error("R0414", text, name.span, help=("write `chooses`, or remove it",))
        first.setdefault(name.text, name)
        made.append(_option(cx, option))
    if optional:
        made.append(t.Option(DECLINE, (), None, ("does nothing",), None, (), span))
    return tuple(made)


def _option(cx: Context, e: s.Option) -> t.Option:
    inner = cx.child()
    params = []
    for param in e.params:
        made, bindings = _param(inner, param)
        inner.scope.update(bindings)
        params.append(made)
    guard = truth(inner, e.guard)[0] if e.guard is not None else None
    phrase = _phrase(inner, e, tuple(p.local for p in params))
    check_citation(cx.book, e.citation)
    body = block(inner, e.body)
    return t.Option(e.name.text, tuple(params), guard, phrase, e.citation, body, e.span)


# --- parameters ---------------------------------------------------------------------------------------------


def _param(cx: Context, e: s.OptionParam) -> tuple[t.OptionParam, dict[str, Binding]]:
    if e.size is not None or _is_bag(e.type):
        return _bag_param(cx, e)
    if isinstance(e.type, s.NamedType) and e.type.low is not None and e.type.high is not None:
        # `n: Int in 1..p.hand[c]` may be read as a type with a range; the ends may look at the play.
        written = s.RangeExpr(e.type.low, e.type.high, e.type.span)
        bare = s.NamedType(e.type.name, None, None, e.type.span)
        e = s.OptionParam(e.name, bare, None, written, e.span)
    type = type_of(cx, e.type)
    size = None
    if e.domain is None:
        ranges_over = _all_of(cx, e, type)
    else:
        ranges_over, item = domain(cx, e.domain, type)
        if known(item, type) and not same(item, type):
            checked = coerce(cx, t.Lit(0, item, e.domain.span), type, Label(e.type.span, "as it says here"))
            type = checked.type
        if known(type) and not isinstance(type, (t.TInt, t.TEnum)):
            _not_offered(cx, e, type)
            type = UNKNOWN
    local, bindings = cx.local(e.name, plain(type), "parameter of the option")
    return t.OptionParam(local, ranges_over, size, e.span), bindings


def _is_bag(written: s.Type) -> bool:
    return isinstance(written, s.GenericType) and written.head.text in ("Bag", "Set")


def _all_of(cx: Context, e: s.OptionParam, type: t.Type) -> t.Domain:
    """The domain of a parameter that has none of its own: all values of its type."""
    match type:
        case t.TEnum() if known(type):
            return t.EveryMember(type)
        case t.TInt():
            text = f"which `{show(type)}` may be chosen?"
            advice = f"give the numbers, as in `{e.name.text}: {show(type)} in 1..6`"
            cx.report.error("R0415", text, e.span, help=(advice,))
        case _ if known(type):
            _not_offered(cx, e, type)
    return NOTHING


def _not_offered(cx: Context, e: s.OptionParam, type: t.Type) -> None:
    advice = "one chooses a number, a member of an enum, a row, a player, or a bag taken from a place"
    more = ("for the rest write an option of its own",) if isinstance(type, (t.TBool, t.TOption)) else ()
    text = f"a player cannot choose {a_type(type)} in one move"
    cx.report.error("R0415", text, e.span, help=(advice, *more))


def _bag_param(cx: Context, e: s.OptionParam) -> tuple[t.OptionParam, dict[str, Binding]]:
    """`cards: Bag[Building] of 2 in p.hand`."""
    type = type_of(cx, e.type)
    size = value(cx, e.size, INT) if e.size is not None else None
    place = _source(cx, e) if known(type) else None
    local, bindings = cx.local(e.name, type, "parameter of the option")
    if place is None or not known(type):
        return t.OptionParam(local, NOTHING, size, e.span), bindings
    if not isinstance(type, t.TBag):
        text = f"a choice of several pieces is a `Bag[{place.kept}]`, not {a_type(type)}"
        cx.report.error("R0415", text, e.type.span)
    elif not same(type.kind, place.kind or type.kind) or type.piece not in ("", place.kept):
        label = Label(place.variable, f"holds `{place.kept}`")
        text = f"`{show(type)}` cannot come from a place of `{place.kept}`"
        cx.report.error("R0403", text, e.type.span, label)
    elif size is None:
        advice = f"write `{e.name.text}: {show(type)} of 2 in ...`"
        cx.report.error("R0415", "how many pieces may be chosen?", e.span, help=(advice,))
    else:
        node = t.Local(local.name, t.TBag(type.kind, place.kept), local.span)
        bindings = {e.name.text: Binding(node, "parameter of the option", e.name.span)}
        return t.OptionParam(node, t.Members(place.node), size, e.span), bindings
    return t.OptionParam(local, NOTHING, size, e.span), bindings


def _source(cx: Context, e: s.OptionParam) -> Place | None:
    if e.domain is None:
        advice = "say where from, as in `Bag[Card] of 2 in p.hand`"
        cx.report.error("R0415", "pieces are chosen from a place", e.span, help=(advice,))
        return None
    x = infer(e.domain, cx, None)
    place = as_place(cx, x) if known(x.type) else None
    if place is not None and isinstance(place.node.type, (t.TBag, t.TSet)):
        return place
    if known(x.type):
        labels = (Label(place.variable, "declared here"),) if place is not None else ()
        text = f"pieces are chosen from a bag or set of pieces, not from {a_type(x.type)}"
        cx.report.error("R0415", text, x.span, *labels)
    return None


# --- phrases ------------------------------------------------------------------------------------------------


def _phrase(cx: Context, e: s.Option, params: tuple[t.Local, ...]) -> tuple[str | t.Expr, ...]:
    """`"builds {c}"` as text and parameters in turn."""
    by_name = {p.name.text: local for p, local in zip(e.params, params, strict=True)}
    parts: list[str | t.Expr] = []
    position = 0
    for found in IN_PHRASE.finditer(e.phrase):
        name = found.group(1).strip()
        before = e.phrase[position : found.start()]
        parts.extend((before,) if before else ())
        position = found.end()
        if name in by_name:
            cx.names.read.add(by_name[name].name)
            parts.append(by_name[name])
        else:
            _not_in_phrase(cx, e, name, list(by_name))
    rest = e.phrase[position:]
    return (*parts, rest) if rest else tuple(parts)


def _not_in_phrase(cx: Context, e: s.Option, name: str, names: list[str]) -> None:
    advice = did_you_mean(name, names)
    if not advice:
        shown = f"they are {listing(names)}" if names else "it has none"
        advice = (f"a phrase shows the parameters of its option; {shown}",)
    span = e.phrase_span if e.phrase_span != NOWHERE else e.span
    cx.report.error("R0416", f"the option has no parameter `{name}` to show", span, help=advice)
