"""Calls of functions and rules: arguments, functions as arguments, the unit that `money` becomes."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.access import rule_as_value, too_early
from rulespec.compiler.typed.grids import square_at
from rulespec.compiler.typed.inference import coerce, infer, mismatch, needs_hint, value, wrong
from rulespec.compiler.typed.scope import (
    BUILT_IN_FUNCTIONS,
    Binding,
    Context,
    FunctionBinding,
    Symbol,
    Template,
)
from rulespec.compiler.typed.shapes import (
    INT,
    FunctionShape,
    a_type,
    known,
    mentions_money,
    plain,
    put_unit,
    same,
    show,
    unit_in,
)
from rulespec.compiler.typed.suggest import FOREIGN_FUNCTIONS, did_you_mean, with_article
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Called:
    """A call with its instance; `result` is None when the rule gives nothing."""

    instance: str
    arguments: tuple[t.Expr, ...]
    result: t.Type | None


@infer.register
def _call(e: s.Call, cx: Context, want: t.Type | None) -> t.Expr:
    name = e.function
    local = cx.scope.get(name.text)
    if isinstance(local, FunctionBinding):
        cx.book.uses[name.span] = local.span
        arguments = _given(cx, e, local.shape.parameters, local.span)
        return t.CallFunction(local.function, arguments, local.shape.result, e.span)
    if local is None and name.text in BUILT_IN_FUNCTIONS:
        return _built_in(e, cx, want)
    board = _grid(cx, e, local)
    if board is not None:
        return square_at(cx, e, board) if len(e.arguments) == 2 else _failed(cx, e.arguments, e.span)
    template = find_template(cx, e, local)
    if template is None:
        return _failed(cx, e.arguments, e.span)
    if template.sort == "rule":
        rule_as_value(cx, name, cx.book.symbols[name.text])
        return _failed(cx, e.arguments, e.span)
    called = call(cx, template, e)
    if called is None or called.result is None:
        return wrong(e.span)
    return t.CallFunction(called.instance, called.arguments, called.result, e.span)


def _grid(cx: Context, e: s.Call, local: Binding | None) -> s.Grid | None:
    """The grid whose name stands where a function's could."""
    symbol = cx.book.find(e.function) if local is None else None
    if symbol is None or symbol.sort != "grid":
        return None
    cx.book.used.add(symbol.name)
    if len(e.arguments) != 2:
        advice = f"write `{symbol.name}(column, row)`, both counted from 1"
        text = f"a square is named by 2 numbers, not {len(e.arguments)}"
        cx.report.error("R0303", text, e.span, Label(symbol.span, "defined here"), help=(advice,))
    return cx.book.grids[symbol.name]


def _failed(cx: Context, arguments: Sequence[s.Expr], span: Span) -> t.Expr:
    for argument in arguments:
        if not needs_hint(argument, cx) and not isinstance(argument, s.Ref):
            infer(argument, cx, None)
    return wrong(span)


def find_template(cx: Context, e: s.Call, local: Binding | None = None) -> Template | None:
    """The function or rule that a call names; reported when there is none."""
    name = e.function
    symbol = cx.book.find(name)
    template = cx.book.templates.get(name.text) if symbol and symbol.sort in ("function", "rule") else None
    if local is None and template is not None:
        cx.book.used.add(name.text)
        return template
    if local is not None or symbol is not None:
        span = local.span if local else symbol.span if symbol else name.span
        sort = local.sort if local else symbol.sort if symbol else ""
        _not_callable(cx, name, Symbol(sort, name.text, span))
        return None
    known_names = [*cx.book.names(name.span.file, "function", "rule"), *BUILT_IN_FUNCTIONS]
    known_names += [n for n, b in cx.scope.items() if isinstance(b, FunctionBinding)]
    advice = FOREIGN_FUNCTIONS.get(name.text) or did_you_mean(name.text, known_names)
    cx.report.error("R0205", f"there is no function or rule `{name.text}`", name.span, help=advice)
    return None


def _not_callable(cx: Context, name: s.Name, symbol: Symbol) -> None:
    if symbol.sort in ("function", "rule"):
        too_early(cx, name)
        return
    variable = cx.book.state.get(name.text)
    advice: tuple[str, ...] = ()
    if symbol.sort == "state variable" and variable is not None and variable.per_player:
        advice = (f"write `p.{name.text}`",)
    label = Label(symbol.span, "defined here")
    text = f"`{name.text}` is {with_article(symbol.sort)} and takes no arguments"
    cx.report.error("R0306", text, name.span, label, help=advice)


def call(cx: Context, template: Template, e: s.Call) -> Called | None:
    """A call checked; None after a mistake in the number of arguments or in a function argument."""
    written, parameters = e.arguments, template.parameters
    if len(written) != len(parameters):
        _wrong_count(cx, e, len(parameters), Label(template.source.name.span, "defined here"))
        return None
    pairs = list(zip(written, (shape for _, shape in parameters), strict=True))
    handed = [(a, x, _function(cx, a, x)) for a, x in pairs if isinstance(x, FunctionShape)]
    bindings = [b for _, _, b in handed if b is not None]
    if len(bindings) != len(handed):
        return None
    early = {n: infer(a, cx, None) for n, (a, x) in enumerate(pairs) if _tells_unit(cx, a, x)}
    unit = _unit(pairs, early, [(x, b) for _, x, b in handed if b is not None])
    fits = [_shape_fits(cx, a, x, b, unit) for a, x, b in handed if b is not None]
    labels = [Label(name.span, f"`{name.text}` of `{template.name}`") for name, _ in parameters]
    arguments = tuple(
        coerce(cx, early[n] if n in early else infer(a, cx, put_unit(x, unit)), put_unit(x, unit), labels[n])
        for n, (a, x) in enumerate(pairs)
        if not isinstance(x, FunctionShape)
    )
    if not all(fits) or any(not known(a.type) for a in arguments):
        result = put_unit(template.result, unit) if template.result else None
        return Called(template.name, arguments, result)
    instance = cx.book.instances.name_of(template, tuple(b.function for b in bindings), unit)
    return Called(instance, arguments, put_unit(template.result, unit) if template.result else None)


def _wrong_count(cx: Context, e: s.Call, expected: int, label: Label) -> None:
    noun = "argument" if expected == 1 else "arguments"
    text = f"`{e.function.text}` takes {expected} {noun}, not {len(e.arguments)}"
    cx.report.error("R0303", text, e.span, label)


def _given(cx: Context, e: s.Call, types: tuple[t.Type, ...], defined: Span) -> tuple[t.Expr, ...]:
    if len(e.arguments) != len(types):
        _wrong_count(cx, e, len(types), Label(defined, "defined here"))
        return ()
    return tuple(value(cx, a, x) for a, x in zip(e.arguments, types, strict=True))


# --- the unit of `money` ------------------------------------------------------------------------------------


def _tells_unit(cx: Context, e: s.Expr, shape: t.Type | FunctionShape) -> bool:
    return not isinstance(shape, FunctionShape) and mentions_money(shape) and not needs_hint(e, cx)


def _unit(
    pairs: Sequence[tuple[s.Expr, t.Type | FunctionShape]],
    early: dict[int, t.Expr],
    handed: Sequence[tuple[FunctionShape, FunctionBinding]],
) -> str:
    """The unit of `money`: of a function handed on, else of the first argument that has one, else none."""
    for shape, binding in handed:
        unit = unit_in(shape.result, binding.shape.result)
        if unit is not None:
            return unit
    for n, (_, pattern) in enumerate(pairs):
        if n in early and not isinstance(pattern, FunctionShape):
            unit = unit_in(pattern, early[n].type)
            if unit is not None:
                return unit
    return ""


# --- functions as arguments ---------------------------------------------------------------------------------


def _function(cx: Context, e: s.Expr, shape: FunctionShape) -> FunctionBinding | None:
    """The function that an argument names; a variable of each player counts as a function of the player."""
    if not isinstance(e, s.Ref):
        _expected_function(cx, e, shape)
        return None
    name = e.name
    local = cx.scope.get(name.text)
    if isinstance(local, FunctionBinding):
        cx.book.uses[name.span] = local.span
        return local
    symbol = cx.book.find(name) if local is None else None
    if symbol is None:
        if local is not None or known(infer(e, cx, None).type):
            _expected_function(cx, e, shape)
        return None
    cx.book.used.add(name.text)
    variable = cx.book.state.get(name.text)
    if variable is not None and variable.per_player:
        return _variable_as_function(cx, variable, symbol.span)
    template = cx.book.templates.get(name.text)
    if template is None or template.sort == "rule":
        _expected_function(cx, e, shape)
        return None
    if template.generic or template.result is None:
        advice = "write a function that calls it with what is missing, and hand that on"
        text = f"`{name.text}` takes functions or `money` itself, so it cannot be handed on"
        cx.report.error("R0319", text, e.span, Label(symbol.span, "defined here"), help=(advice,))
        return None
    types = tuple(x for _, x in template.parameters if not isinstance(x, FunctionShape))
    instance = cx.book.instances.name_of(template, (), "")
    return FunctionBinding(instance, FunctionShape(types, template.result), symbol.span)


def _expected_function(cx: Context, e: s.Expr, shape: FunctionShape) -> None:
    advice = "give the name of a function, or of a variable that each player has"
    cx.report.error("R0319", f"expected a function `{show(shape)}`", e.span, help=(advice,))


def _variable_as_function(cx: Context, variable: t.StateVar, span: Span) -> FunctionBinding:
    shape = FunctionShape((t.PLAYER,), plain(variable.type))
    if variable.name not in cx.book.made:
        player = t.Bound("q", t.PLAYER, variable.span)
        body = t.StateRef(variable.name, player, variable.type, variable.span)
        cx.book.made[variable.name] = t.Function(
            variable.name, variable.title, (player,), shape.result, body, variable.citation, variable.span
        )
    return FunctionBinding(variable.name, shape, span)


def _shape_fits(cx: Context, e: s.Expr, want: FunctionShape, found: FunctionBinding, unit: str) -> bool:
    types = tuple(put_unit(p, unit) for p in want.parameters)
    result = put_unit(want.result, unit)
    shape = found.shape
    if len(types) == len(shape.parameters) and all(map(same, types, shape.parameters)):
        if same(result, shape.result):
            return True
        if isinstance(result, t.TInt) and isinstance(shape.result, t.TInt):
            mismatch(cx, t.Lit(0, shape.result, e.span), result, Label(found.span, "defined here"))
            return False
    expected = FunctionShape(types, result)
    text = f"expected a function `{show(expected)}`, found `{show(shape)}`"
    cx.report.error("R0301", text, e.span, Label(found.span, "defined here"))
    return False


# --- built-in functions -------------------------------------------------------------------------------------


def _built_in(e: s.Call, cx: Context, want: t.Type | None) -> t.Expr:
    match e.function.text:
        case "size":
            return _size(e, cx)
        case "abs":
            return _abs(e, cx, want)
        case operator:
            return _extreme(e, cx, operator, want)


def _size(e: s.Call, cx: Context) -> t.Expr:
    if len(e.arguments) != 1:
        return _bad_count(e, cx, 1)
    argument = e.arguments[0]
    if isinstance(argument, s.Ref) and argument.name.text not in cx.scope:
        if argument.name.text == "Player":
            return _size_of(
                cx, infer(s.Ref(s.Name("players", argument.span), argument.span), cx, None), e.span
            )
        symbol = cx.book.find(argument.name)
        if symbol is not None and symbol.sort in ("enum", "table", "grid"):
            return t.Lit(len(cx.book.enums[symbol.name]), INT, e.span)
    return _size_of(cx, infer(argument, cx, None), e.span)


def _size_of(cx: Context, owner: t.Expr, span: Span) -> t.Expr:
    if isinstance(owner.type, (t.TSet, t.TBag, t.TDeck, t.TList)):
        return t.Size(owner, INT, span)
    if known(owner.type):
        text = f"{a_type(owner.type)} has no size"
        cx.report.error("R0306", text, owner.span, help=("sets, bags, decks and lists have one",))
    return wrong(span)


def _abs(e: s.Call, cx: Context, want: t.Type | None) -> t.Expr:
    if len(e.arguments) != 1:
        return _bad_count(e, cx, 1)
    inner = infer(e.arguments[0], cx, want)
    if not isinstance(inner.type, t.TInt):
        if known(inner.type):
            mismatch(cx, inner, INT)
        return wrong(e.span)
    return t.Arith("abs", (inner,), plain(inner.type), e.span)


def _extreme(e: s.Call, cx: Context, operator: str, want: t.Type | None) -> t.Expr:
    if len(e.arguments) < 2:
        return _bad_count(e, cx, 2)
    order = sorted(range(len(e.arguments)), key=lambda n: needs_hint(e.arguments[n], cx))
    first = infer(e.arguments[order[0]], cx, want)
    if not isinstance(first.type, t.TInt):
        if known(first.type):
            mismatch(cx, first, INT)
        return wrong(e.span)
    type = plain(first.type)
    found = {order[0]: first, **{n: value(cx, e.arguments[n], type) for n in order[1:]}}
    arguments = tuple(found[n] for n in range(len(e.arguments)))
    return (
        t.Arith(operator, arguments, type, e.span) if known(*(a.type for a in arguments)) else wrong(e.span)
    )


def _bad_count(e: s.Call, cx: Context, expected: int) -> t.Expr:
    name = e.function.text
    advice = (
        f"`{name}(a, b)`, or `{name}(E for x in D)` for the {name} of many"
        if expected == 2
        else f"`{name}(x)`"
    )
    count = len(e.arguments)
    text = f"`{name}` does not take {count} {'argument' if count == 1 else 'arguments'}"
    cx.report.error("R0303", text, e.span, help=(advice,))
    return wrong(e.span)
