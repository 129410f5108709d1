"""Typing of statements: values with names, control, contracts, rules called. Choices are in `choices`."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import places
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.blocks import block, statement
from rulespec.compiler.typed.calls import call, find_template
from rulespec.compiler.typed.expressions import (
    coerce,
    domain,
    generator_of,
    infer,
    truth,
    value,
    wrong,
)
from rulespec.compiler.typed.flow import endless, has_exit
from rulespec.compiler.typed.inference import mismatch
from rulespec.compiler.typed.scope import Binding, Context, FunctionBinding, Template
from rulespec.compiler.typed.shapes import INT, UNKNOWN, a_type, known, plain, scalar
from rulespec.compiler.typed.types_of import type_of

# --- values with names --------------------------------------------------------------------------------------


@statement.register
def _let(e: s.Let, cx: Context) -> list[t.Statement]:
    match e.value:
        case s.Draw():
            return _let_drawn(e, e.value, cx)
        case s.RandomExpr():
            return _let_random(e, e.value, cx)
        case s.Call() if _rule(cx, e.value):
            return _let_called(e, e.value, cx)
        case written:
            made = infer(written, cx, None)
            targets = _targets(cx, e, plain(made.type))
            return [t.Let(targets, made, e.span)] if targets and known(made.type) else []


def _rule(cx: Context, e: s.Expr) -> Template | None:
    """The rule that an expression calls, if it does nothing but call one."""
    if not isinstance(e, s.Call) or e.function.text in cx.scope or cx.book.find(e.function) is None:
        return None
    template = cx.book.templates.get(e.function.text)
    return template if template is not None and template.sort == "rule" else None


def _targets(cx: Context, e: s.Let, type: t.Type, declared: bool = True) -> tuple[t.Local, ...]:
    """Bind the names of a `let`; several take a tuple apart."""
    types = _component_types(cx, e, type)
    made = []
    for name, component in zip(e.names, types, strict=True):
        node, bindings = cx.local(name, component, "let")
        cx.scope.update(bindings)
        made.append(node)
    if declared:
        cx.names.declared.append((tuple(n.name for n in made), e.names))
    return tuple(made)


def _component_types(cx: Context, e: s.Let, type: t.Type) -> tuple[t.Type, ...]:
    if len(e.names) == 1:
        return (type,)
    items = type.items if isinstance(type, t.TTuple) else tuple(x for _, x in getattr(type, "fields", ()))
    if len(items) == len(e.names):
        return items
    if known(type):
        text = f"{len(e.names)} names cannot take apart {a_type(type)}"
        cx.report.error("R0421", text, e.names[0].span.to(e.names[-1].span))
    return (UNKNOWN,) * len(e.names)


def _let_drawn(e: s.Let, written: s.Draw, cx: Context) -> list[t.Statement]:
    kind = places.drawn_kind(cx, written)
    (local, *_) = _targets(cx, e, kind if kind is not None else UNKNOWN, declared=False)
    made = places.draw(cx, written, local)
    return [made] if made is not None else []


def _let_random(e: s.Let, written: s.RandomExpr, cx: Context) -> list[t.Statement]:
    generator: t.Generator | None = None
    where: t.Expr | None = None
    if written.generator is not None:
        generator, inner = generator_of(cx, written.generator)
        where = truth(inner, written.where)[0] if written.where is not None else None
        type = generator.binder.type
    elif written.dice:
        type = INT
    else:
        type = t.PLAYER
        binder = t.Bound(cx.names.fresh("seat"), t.PLAYER, written.span)
        generator = t.Generator(binder, t.EveryMember(t.PLAYER))
    seen_by = value(cx, written.seen_by, t.PLAYER) if written.seen_by is not None else None
    (local, *_) = _targets(cx, e, type, declared=False)
    return [t.Random(local, written.dice, written.sides, generator, where, seen_by, e.span)]


def _let_called(e: s.Let, written: s.Call, cx: Context) -> list[t.Statement]:
    made = _called(cx, written)
    result = made[1] if made is not None else None
    targets = _targets(cx, e, plain(result) if result is not None else UNKNOWN)
    if made is None or result is None:
        return []
    return [t.CallRule(made[0].rule, made[0].arguments, targets, e.span)]


def _called(cx: Context, e: s.Call, want_result: bool = True) -> tuple[t.CallRule, t.Type | None] | None:
    """A rule called, without targets yet, and the type of its result."""
    template = find_template(cx, e)
    made = call(cx, template, e) if template is not None else None
    if template is None or made is None:
        return None
    if made.result is None and want_result:
        label = Label(template.source.name.span, "defined here")
        text = f"the rule `{template.name}` gives no value"
        cx.report.error("R0412", text, e.span, label, help=(f"write `{template.name}(...)` alone",))
        return None
    return t.CallRule(made.instance, made.arguments, (), e.span), made.result


def _value_of(cx: Context, e: s.Expr, want: t.Type, *labels: Label) -> tuple[list[t.Statement], t.Expr]:
    """A value that may be the result of a rule: the call comes first, its result has a name of its own."""
    if not (isinstance(e, s.Call) and _rule(cx, e)):
        return [], value(cx, e, want, *labels)
    made = _called(cx, e)
    if made is None or made[1] is None:
        return [], wrong(e.span)
    local = t.Local(cx.names.fresh(e.function.text), plain(made[1]), e.span)
    first = t.CallRule(made[0].rule, made[0].arguments, (local,), e.span)
    return [first], coerce(cx, local, want, *labels)


@statement.register
def _var(e: s.Var, cx: Context) -> list[t.Statement]:
    before: list[t.Statement] = []
    if e.type is not None:
        type = type_of(cx, e.type)
        before, made = _value_of(cx, e.value, type)
    elif _rule(cx, e.value):
        before, made = _value_of(cx, e.value, UNKNOWN)
        type = plain(made.type)
    else:
        made = infer(e.value, cx, None)
        type = plain(made.type)
    if isinstance(type, (t.TDeck, t.TTuple)):
        advice = "a variable is a number, truth value, member, option, record, set, bag, map or list"
        cx.report.error("R0313", f"a variable cannot be {a_type(type)}", e.span, help=(advice,))
        type = UNKNOWN
    node, bindings = cx.local(e.name, type, "var")
    cx.scope.update(bindings)
    cx.names.declared.append(((node.name,), (e.name,)))
    return [*before, t.Assign(node, made, True, e.span)] if known(type, made.type) else before


@statement.register
def _assign(e: s.Assign, cx: Context) -> list[t.Statement]:
    if e.operator == ":=" and _rule(cx, e.value):
        target = places.target(cx, e)
        labels = places.declared(cx, target) if target is not None else ()
        before, made = _value_of(cx, e.value, target.type if target is not None else UNKNOWN, *labels)
        return [*before, t.Assign(target, made, False, e.span)] if target is not None else before
    return _maybe(places.assign(cx, e))


# --- pieces, money, sets and lists --------------------------------------------------------------------------


def _maybe(made: t.Statement | None) -> list[t.Statement]:
    return [made] if made is not None else []


@statement.register
def _add(e: s.Add, cx: Context) -> list[t.Statement]:
    return _maybe(places.update(cx, e))


@statement.register
def _move(e: s.Move, cx: Context) -> list[t.Statement]:
    return _maybe(places.move(cx, e))


@statement.register
def _draw(e: s.Draw, cx: Context) -> list[t.Statement]:
    return _maybe(places.draw(cx, e))


@statement.register
def _pay(e: s.Pay, cx: Context) -> list[t.Statement]:
    return _maybe(places.pay(cx, e))


@statement.register
def _score(e: s.Score, cx: Context) -> list[t.Statement]:
    return _maybe(places.score(cx, e))


# --- control ------------------------------------------------------------------------------------------------


@statement.register
def _if(e: s.If, cx: Context) -> list[t.Statement]:
    inner = cx.child()
    condition, bindings = truth(inner, e.condition, statement=True)
    then = block(inner, e.then, bindings)
    return [t.If(condition, then, block(cx, e.other), e.span)]


@statement.register
def _for(e: s.For, cx: Context) -> list[t.Statement]:
    ranges_over, type = domain(cx, e.generator.domain)
    variable, bindings = cx.local(e.generator.name, type, "loop variable")
    # Where the values are chosen and put in order, nothing runs yet: there the variable is a bound name.
    bound = t.Bound(variable.name, type, variable.span)
    fixed = cx.with_({e.generator.name.text: Binding(bound, "loop variable", variable.span)})
    where = truth(fixed, e.where)[0] if e.where is not None else None
    order = tuple(_order_key(fixed, key) for key in e.order)
    keeps = tuple(truth(cx, k)[0] for k in e.keeps)
    inner = cx.child()
    inner.in_loop = True
    body = block(inner, e.body, bindings)
    return [t.For(variable, ranges_over, where, order, keeps, body, e.span)]


def _order_key(cx: Context, key: s.OrderKey) -> t.OrderKey:
    made = infer(key.value, cx, None)
    if known(made.type) and not (scalar(made.type) and not isinstance(made.type, t.TOption)):
        advice = "order by numbers, truth values or members"
        cx.report.error("R0301", f"{a_type(made.type)} has no order", made.span, help=(advice,))
    return t.OrderKey(made, key.descending)


@statement.register
def _while(e: s.While, cx: Context) -> list[t.Statement]:
    condition = truth(cx, e.condition)[0] if e.condition is not None else None
    measure = []
    for written in e.decreasing:
        made = infer(written, cx, None)
        if known(made.type) and not isinstance(made.type, t.TInt):
            mismatch(cx, made, INT)
        measure.append(made)
    keeps = tuple(truth(cx, k)[0] for k in e.keeps)
    inner = cx.child()
    inner.in_loop = True
    body = block(inner, e.body)
    if endless(e) and not has_exit(e):
        advice = "leave it with `stop` or `return`, or give `while` a test"
        cx.report.error("R0418", "this loop is never left", e.span, help=(advice,))
    return [t.While(condition, tuple(measure), keeps, body, e.span)]


@statement.register
def _stop(e: s.Stop, cx: Context) -> list[t.Statement]:
    if cx.once is not None and not cx.in_loop:
        _cuts_off(cx, e)
        return []
    if not cx.in_loop:
        advice = "`stop` leaves the loop around it; to leave the rule write `return`"
        cx.report.error("R0410", "`stop` outside a loop", e.span, help=(advice,))
        return []
    return [t.Stop(e.span)]


def _cuts_off(cx: Context, e: s.Stop | s.Return) -> None:
    assert cx.once is not None
    word = "stop" if isinstance(e, s.Stop) else "return"
    text = f"`{word}` would leave out the answers of the players that follow"
    label = Label(cx.once, "everybody answers here")
    cx.report.error("R0417", text, e.span, label, help=("note what was chosen, and look at it afterwards",))


@statement.register
def _return(e: s.Return, cx: Context) -> list[t.Statement]:
    if cx.once is not None:
        _cuts_off(cx, e)
        return []
    if cx.result is None:
        if e.value is None:
            return [t.Return(None, e.span)]
        infer(e.value, cx, None) if not isinstance(e.value, s.Call) else None
        advice = "say what it gives: `rule name(...) -> Int`"
        cx.report.error("R0412", "this rule gives no value", e.value.span, help=(advice,))
        return []
    if e.value is None:
        text = f"`return` without a value, where the rule gives {a_type(cx.result)}"
        cx.report.error("R0412", text, e.span)
        return []
    labels = (Label(cx.result_span, "the rule gives this"),) if cx.result_span is not None else ()
    before, made = _value_of(cx, e.value, cx.result, *labels)
    return [*before, t.Return(made, e.span)]


@statement.register
def _assert(e: s.Assert, cx: Context) -> list[t.Statement]:
    return [t.Assert(truth(cx, e.condition)[0], e.text, e.span)]


@statement.register
def _do(e: s.Do, cx: Context) -> list[t.Statement]:
    local = cx.scope.get(e.call.function.text)
    handed = isinstance(local, FunctionBinding)
    template = None if isinstance(local, FunctionBinding) else find_template(cx, e.call, local)
    if handed or (template is not None and template.sort == "function"):
        span = local.span if local is not None else cx.book.symbols[e.call.function.text].span
        label = Label(span, "defined here")
        text = f"`{e.call.function.text}` only gives a value, and nothing is done with it"
        cx.report.error("R0318", text, e.span, label, help=("write `let x = ...`, or remove it",))
        return []
    if template is None:
        return []
    made = _called(cx, e.call, want_result=False)
    return [made[0]] if made is not None else []
