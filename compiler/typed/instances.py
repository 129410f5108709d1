"""Functions and rules: their heads, and each instance that is called with its body checked."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import NOWHERE, Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import choices, statements
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.blocks import block
from rulespec.compiler.typed.expressions import truth, value
from rulespec.compiler.typed.flow import returns
from rulespec.compiler.typed.scope import Binding, Book, Context, FunctionBinding, Request, Template
from rulespec.compiler.typed.shapes import (
    MONEY,
    UNKNOWN,
    FunctionShape,
    Shape,
    a_type,
    known,
    plain,
    put_unit,
    with_unit,
)
from rulespec.compiler.typed.types_of import shape_of, type_of

# The forms of statements register themselves when these are imported.
FORMS = (statements, choices)
RESULT = "result"
MOST_INSTANCES = 1000


def template(book: Book, e: s.Function | s.Rule) -> Template:
    """The head of a function or rule; `money` is still a unit of its own."""
    in_module = e.name.span.file != book.main
    cx = Context(book, money=MONEY if in_module else None)
    parameters = tuple((p.name, shape_of(cx, p.type)) for p in e.parameters)
    result = type_of(cx, e.result) if e.result is not None else None
    names: tuple[str, ...] = ()
    if isinstance(e.result, s.TupleType):
        names = tuple(name.text if name else "" for name, _ in e.result.items)
    if isinstance(result, (t.TDeck, t.TRecord)) and isinstance(e, s.Function):
        _cannot_give(book, e, result)
    if isinstance(result, t.TTuple) and isinstance(e, s.Function):
        _cannot_give(book, e, result)
    sort = "function" if isinstance(e, s.Function) else "rule"
    return Template(sort, e.name.text, parameters, result, names, e)


def _cannot_give(book: Book, e: s.Function, result: t.Type) -> None:
    advice = "a function gives a number, truth value, member, option, set, bag, map or list"
    text = f"a function cannot give {a_type(result)}"
    book.report.error("R0313", text, e.result.span, help=(advice,))


def make_all(book: Book) -> tuple[list[t.Function], list[t.Rule]]:
    """Check the bodies of all instances that are waiting, and of those that these call, and so on."""
    functions: list[t.Function] = []
    rules: list[t.Rule] = []
    made = 0
    while book.instances.waiting:
        request = book.instances.waiting.pop(0)
        made += 1
        if made > MOST_INSTANCES:
            _too_many(book, request.template.source)
            book.instances.waiting.clear()
        if request.template.sort == "function":
            functions.append(_function(book, request))
        else:
            rules.append(_rule(book, request))
    return functions, rules


def check_unused_generics(book: Book) -> None:
    """Rules that nobody calls are checked too, `money` a unit of its own; what they become is dropped."""
    called = {name for name, _, _ in book.instances.known}
    for one in book.templates.values():
        if one.generic and one.name not in called:
            waiting, known_before = book.instances.waiting, dict(book.instances.known)
            counts = dict(book.instances.count)
            book.instances.waiting = []
            stand_ins = tuple(n.text for n, x in one.parameters if isinstance(x, FunctionShape))
            request = Request(one, stand_ins, MONEY, one.name)
            _function(book, request) if one.sort == "function" else _rule(book, request)
            book.instances.waiting, book.instances.known = waiting, known_before
            book.instances.count = counts


def _too_many(book: Book, source: s.Function | s.Rule) -> None:
    text = f"more than {MOST_INSTANCES} versions of functions and rules"
    advice = "each set of functions and units that a rule is called with is a version of it"
    book.report.error("R0241", text, source.name.span, help=(advice,))


# --- one instance -------------------------------------------------------------------------------------------


def _context(book: Book, request: Request) -> Context:
    one = request.template
    speaks = any(_speaks(shape) for _, shape in one.parameters) or (
        one.result is not None and put_unit(one.result, "") != one.result
    )
    money = request.unit if speaks else None
    result = put_unit(one.result, request.unit) if one.result is not None else None
    span = one.source.result.span if one.source.result is not None else None
    return Context(book, money=money, result=result, result_span=span)


def _speaks(shape: Shape) -> bool:
    return with_unit(shape, "") != shape


def _parameters(
    cx: Context, request: Request, as_local: bool
) -> tuple[tuple[t.Local | t.Bound, ...], dict[str, Binding]]:
    """The value parameters as nodes; function parameters are bound to the functions they stand for."""
    functions = iter(request.functions)
    made: list[t.Local | t.Bound] = []
    bindings: dict[str, Binding] = {}
    for name, shape in request.template.parameters:
        fixed_shape = with_unit(shape, request.unit)
        if name.text in bindings or isinstance(cx.scope.get(name.text), FunctionBinding):
            cx.report.error("R0210", f"the parameter `{name.text}` stands twice", name.span)
            continue
        if isinstance(fixed_shape, FunctionShape):
            cx.scope[name.text] = FunctionBinding(next(functions), fixed_shape, name.span)
        else:
            bind = cx.local if as_local else cx.bound
            node, bound = bind(name, plain(fixed_shape) if not as_local else fixed_shape, "parameter")
            made.append(node)
            bindings.update(bound)
    return tuple(made), bindings


def _function(book: Book, request: Request) -> t.Function:
    e = request.template.source
    assert isinstance(e, s.Function)
    cx = _context(book, request)
    parameters, bindings = _parameters(cx, request, as_local=False)
    inner = cx.with_(bindings)
    result = cx.result if cx.result is not None else UNKNOWN
    x = truth(inner, e.value)[0] if result == t.BOOL else value(inner, e.value, result)
    bounds = tuple(p for p in parameters if isinstance(p, t.Bound))
    return t.Function(request.name, e.title, bounds, plain(result), x, e.citation, e.span)


def _rule(book: Book, request: Request) -> t.Rule:
    e = request.template.source
    assert isinstance(e, s.Rule)
    cx = _context(book, request)
    if cx.result is not None:
        cx.names.counts[RESULT] = 1
    parameters, bindings = _parameters(cx, request, as_local=True)
    inner = cx.with_(bindings)
    requires = tuple(truth(inner, r)[0] for r in e.requires)
    after = inner.with_(_result_names(cx, request))
    ensures = tuple(truth(after, r)[0] for r in e.ensures)
    body = block(inner, e.body)
    _ends(book, e)
    if e.name.span.file == book.main or not request.template.generic:
        warn_unread(inner)
    locals_ = tuple(p for p in parameters if isinstance(p, t.Local))
    return t.Rule(
        request.name, e.name.text, e.title, locals_, cx.result, requires, ensures, body, e.citation, e.span
    )


def _result_names(cx: Context, request: Request) -> dict[str, Binding]:
    """What `ensures` may call the result: `result`, or the names of its parts."""
    type = cx.result
    if type is None or not known(type):
        return {}
    whole = t.Local(RESULT, plain(type), NOWHERE)
    source = request.template.source
    span = source.result.span if source.result is not None else source.span
    spans = _named_parts(source.result)
    if isinstance(type, t.TTuple):
        parts = {
            name: Binding(t.FieldOf(whole, n, plain(item), span), "part of the result", spans.get(name, span))
            for n, (name, item) in enumerate(zip(type.names, type.items, strict=True))
            if name
        }
    else:
        names = request.template.result_names
        parts = {name: Binding(whole, "result", spans.get(name, span)) for name in names if name}
    return parts or {RESULT: Binding(whole, "result", span)}


def _named_parts(result: s.Type | None) -> dict[str, Span]:
    """Where the parts of a result get their names."""
    items = result.items if isinstance(result, s.TupleType) else ()
    return {name.text: name.span for name, _ in items if name is not None}


def _ends(book: Book, e: s.Rule) -> None:
    if e.result is None or any(map(returns, e.body)):
        return
    label = Label(e.result.span, "this is what it should give")
    advice = "end every path with `return`"
    text = f"the rule `{e.name.text}` can end without giving its value"
    book.report.error("R0411", text, e.name.span, label, help=(advice,))


def warn_unread(cx: Context) -> None:
    """Warn of a `let` or `var` none of whose names is read."""
    for nodes, names in cx.names.declared:
        if not any(node in cx.names.read for node in nodes):
            text = f"`{names[0].text}` is never read"
            cx.report.warning("R0495", text, names[0].span, help=("remove it, or use it",))
