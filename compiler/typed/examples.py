"""Examples: positions, moves and expectations, held against the options that the rules offer."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.calls import call
from rulespec.compiler.typed.constants import varying
from rulespec.compiler.typed.expressions import infer, truth, value
from rulespec.compiler.typed.places import root
from rulespec.compiler.typed.report import Report
from rulespec.compiler.typed.scope import Book, Context, Template, seat_number
from rulespec.compiler.typed.settings import check_seats, chosen_readings, chosen_variants
from rulespec.compiler.typed.shapes import a_type, holds, is_money, known, plain
from rulespec.compiler.typed.suggest import did_you_mean, listing
from rulespec.compiler.typed.walk import every
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """An option of some rule, with the types of its parameters."""

    rule: Template
    option: t.Option

    @property
    def types(self) -> tuple[t.Type, ...]:
        return tuple(plain(p.local.type) for p in self.option.params)


Offers = dict[str, list[Offer]]


def offers(book: Book, rules: Sequence[t.Rule]) -> Offers:
    """All options by name, in the order of the text."""
    found: Offers = {}
    for rule in rules:
        template = book.templates[rule.base]
        for option in (
            x for node in every(rule.body) if isinstance(node, (t.Choose, t.AtOnce)) for x in node.options
        ):
            found.setdefault(option.name, []).append(Offer(template, option))
    return found


def example(book: Book, e: s.Example, offered: Offers) -> t.Example | None:
    """The typed example; None when its players are wrong, or nothing says where it starts."""
    if not check_seats(book, e):
        return None
    cx = Context(book, seats=e.players)
    variants = chosen_variants(cx, e.variants)
    readings = chosen_readings(cx, e.readings)
    given = tuple(g for g in (_given(cx, one) for one in e.given) if g is not None)
    steps = tuple(x for x in (_step(cx, one, offered) for one in e.steps) if x is not None)
    run = _run(cx, e, offered)
    then = tuple(truth(cx, one)[0] for one in e.then)
    if run is None:
        return None
    return t.Example(
        e.name.text, e.title, e.citation, e.players, variants, readings, given, run, steps, then, e.span
    )


# --- the position -------------------------------------------------------------------------------------------


def _given(cx: Context, e: s.Given) -> t.Given | None:
    target = infer(e.target, cx, None)
    if not known(target.type):
        return None
    owner = root(target)
    if not isinstance(owner, t.StateRef):
        advice = "a position says what stands in state variables"
        cx.report.error("R0606", "this cannot be given", e.target.span, help=(advice,))
        return None
    if holds(owner.type) == "pieces" and isinstance(target, t.IndexOf) and isinstance(target.type, t.TInt):
        advice = f"write `{owner.name} = {{...: 2}}`"
        cx.report.error("R0606", "pieces are given as a bag", e.target.span, help=(advice,))
        return None
    made = _included(cx, e, target) if e.includes else value(cx, e.value, _content(target.type))
    for x in (made, target.key if isinstance(target, t.IndexOf) else None):
        if x is not None and known(x.type) and not _constant(cx, x):
            return None
    return t.Given(target, e.includes, made, e.span) if known(made.type) else None


def _content(type: t.Type) -> t.Type:
    """A deck is given by what it holds."""
    return t.TBag(type.kind, type.piece) if isinstance(type, t.TDeck) else type


def _included(cx: Context, e: s.Given, target: t.Expr) -> t.Expr:
    """`row includes milan`, `hand includes {red: 2}`: one member, a set or a bag."""
    type = target.type
    if isinstance(type, (t.TSet, t.TBag, t.TDeck)):
        if isinstance(e.value, s.SetExpr):
            return value(cx, e.value, t.TSet(type.kind))
        if isinstance(e.value, s.MapExpr):
            return value(cx, e.value, t.TBag(type.kind))
        return value(cx, e.value, type.kind)
    if is_money(type):
        return value(cx, e.value, type)
    text = f"{a_type(type)} includes nothing"
    cx.report.error("R0606", text, e.target.span, help=("write `=`",))
    return value(cx, e.value, type)


def _constant(cx: Context, x: t.Expr) -> bool:
    loose = varying(x)
    if loose is not None:
        advice = "give the value itself"
        cx.report.error("R0607", "what is given is a constant, and this is not", loose.span, help=(advice,))
    return loose is None


# --- the rule that starts -----------------------------------------------------------------------------------


def _run(cx: Context, e: s.Example, offered: Offers) -> t.CallRule | None:
    if e.run is None:
        return _inferred(cx, e, offered)
    name = e.run.function
    template = cx.book.templates.get(name.text)
    if template is None or template.sort != "rule":
        rules = [x.name for x in cx.book.templates.values() if x.sort == "rule"]
        advice = did_you_mean(name.text, rules)
        cx.report.error("R0602", f"there is no rule `{name.text}`", name.span, help=advice)
        return None
    cx.book.used.add(name.text)
    cx.book.uses[name.span] = template.source.name.span
    made = call(cx, template, e.run)
    if made is None or any(known(a.type) and not _constant(cx, a) for a in made.arguments):
        return None
    return t.CallRule(made.instance, made.arguments, (), e.run.span)


def _inferred(cx: Context, e: s.Example, offered: Offers) -> t.CallRule | None:
    """The one rule that offers the first move and takes the player who moves, or nothing."""
    first = next((x for x in e.steps if isinstance(x, s.Act)), None)
    if first is None:
        advice = "add `run some_rule(...)`"
        cx.report.error(
            "R0608", "nothing says which rule this example carries out", e.name.span, help=(advice,)
        )
        return None
    rules = {o.rule.name: o.rule for o in offered.get(first.option.text, ()) if _takes_mover(o.rule)}
    if len(rules) == 1:
        (rule,) = rules.values()
        cx.book.used.add(rule.name)
        arguments = (first.actor,) if rule.parameters else ()
        return _start(cx, rule, arguments, e.name.span)
    if first.option.text in offered:
        names = list(rules)
        several = f"{listing(names)} all offer `{first.option.text}`"
        text = several if names else f"no rule that takes only a player offers `{first.option.text}`"
        cx.report.error("R0608", text, first.option.span, help=("add `run some_rule(...)`",))
    return None


def _takes_mover(rule: Template) -> bool:
    return not rule.parameters or [shape for _, shape in rule.parameters] == [t.PLAYER]


def _start(cx: Context, rule: Template, arguments: Sequence[s.Expr], span: Span) -> t.CallRule | None:
    made = call(cx, rule, s.Call(s.Name(rule.name, span), tuple(arguments), span))
    return t.CallRule(made.instance, made.arguments, (), span) if made is not None else None


# --- steps --------------------------------------------------------------------------------------------------


def _step(cx: Context, e: s.Act | s.Happens, offered: Offers) -> t.Act | t.Happens | None:
    if isinstance(e, s.Happens):
        return _happens(cx, e)
    actor = value(cx, e.actor, t.PLAYER)
    candidates = offered.get(e.option.text, [])
    if not candidates:
        advice = did_you_mean(e.option.text, offered)
        cx.report.error("R0601", f"no rule offers `{e.option.text}`", e.option.span, help=advice)
        return None
    cx.book.uses[e.option.span] = _name_of(candidates[0].option)
    arguments = _arguments(cx, e, candidates)
    if arguments is None or not known(actor.type):
        return None
    if not isinstance(actor, t.Lit):
        text = "a move is made by a seat"
        cx.report.error("R0603", text, e.actor.span, help=("write `p0`, `p1`, ...",))
        return None
    return t.Act(actor.value, e.refused, e.option.text, arguments, e.span)


def _name_of(option: t.Option) -> Span:
    """Where an option has its name: it begins with it."""
    span = option.span
    return Span(span.file, span.line, span.column, span.line, span.column + len(option.name))


def _arguments(cx: Context, e: s.Act, candidates: list[Offer]) -> tuple[t.Expr, ...] | None:
    """The arguments as the first of the options of that name takes them that can."""
    shapes = list(dict.fromkeys(o.types for o in candidates if len(o.types) == len(e.arguments)))
    if not shapes:
        counts = sorted({len(o.types) for o in candidates})
        takes = " or ".join(map(str, counts))
        label = Label(candidates[0].option.span, "the option")
        noun = "argument" if takes == "1" else "arguments"
        text = f"`{e.option.text}` takes {takes} {noun}, not {len(e.arguments)}"
        cx.report.error("R0605", text, e.span, label)
        return None
    if len(shapes) > 1:
        return _typed(cx, e, next((x for x in shapes if _would_fit(cx, e, x)), shapes[0]))
    return _typed(cx, e, shapes[0])


def _would_fit(cx: Context, e: s.Act, types: tuple[t.Type, ...]) -> bool:
    kept, cx.book.report = cx.book.report, Report()
    _typed(cx, e, types)
    tried, cx.book.report = cx.book.report, kept
    return not tried.failed


def _typed(cx: Context, e: s.Act, types: tuple[t.Type, ...]) -> tuple[t.Expr, ...]:
    made = tuple(value(cx, a, x) for a, x in zip(e.arguments, types, strict=True))
    for x in made:
        if known(x.type):
            _constant(cx, x)
    return made


def _happens(cx: Context, e: s.Happens) -> t.Happens | None:
    match e.outcome:
        case s.Number(number):
            return t.Happens(str(number), e.span)
        case s.Unary("-", s.Number(number)):
            return t.Happens(str(-number), e.span)
        case s.Ref(name) if seat_number(name.text) is not None:
            return t.Happens(name.text, e.span) if known(infer(e.outcome, cx, None).type) else None
        case s.Ref(name):
            if members := cx.book.find_members(name):
                cx.book.uses[name.span] = members[0].span
                return t.Happens(name.text, e.span)
            advice = did_you_mean(name.text, cx.book.members)
            cx.report.error("R0609", f"chance cannot give `{name.text}`", name.span, help=advice)
        case _:
            what = "an outcome is a member, a seat or a number"
            cx.report.error("R0609", "this is no outcome", e.outcome.span, help=(what,))
    return None
