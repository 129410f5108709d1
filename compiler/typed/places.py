"""Places of pieces and money: what may be moved where, and what an assignment may not touch."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Label
from rulespec.compiler.spans import Span
from rulespec.compiler.surface import tree as s
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.constants import number
from rulespec.compiler.typed.expressions import coerce, infer, value
from rulespec.compiler.typed.inference import mismatch
from rulespec.compiler.typed.scope import Binding, Context
from rulespec.compiler.typed.shapes import INT, POINTS, a_type, holds, is_money, known, plain, same, show
from rulespec.compiler.typed.suggest import with_article
from rulespec.compiler.values import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """An expression that names a place; `kept` is the piece or currency, `kind` None for money."""

    node: t.Expr
    kept: str
    kind: t.TEnum | None
    variable: Span


def root(x: t.Expr) -> t.Expr:
    """What an element or part is taken from: `on` of `on[r][p]`."""
    while isinstance(x, (t.IndexOf, t.FieldOf)):
        x = x.value
    return x


def variable_span(cx: Context, x: t.Expr) -> Span:
    owner = root(x)
    if isinstance(owner, t.StateRef):
        return cx.book.symbols[owner.name].span
    return x.span


def as_place(cx: Context, x: t.Expr) -> Place | None:
    """The place that a typed expression names, or None."""
    owner = root(x)
    if not isinstance(owner, t.StateRef) or not holds(owner.type):
        return None
    span = variable_span(cx, x)
    match x.type:
        case t.TSet(kind, piece) | t.TBag(kind, piece) | t.TDeck(kind, piece) if piece:
            return Place(x, piece, kind, span)
        case t.TInt(unit) if is_money(x.type):
            return Place(x, unit, None, span)
    return None


def _place(cx: Context, e: s.Expr, verb: str, wants: str) -> Place | None:
    """A place where a statement needs one of pieces or money; reported when it is not."""
    x = infer(e, cx, None)
    if not known(x.type):
        return None
    place = as_place(cx, x)
    if place is not None and (place.kind is None) == (wants == "money"):
        return place
    if place is not None:
        other = "pay" if place.kind is None else "move"
        text = f"`{verb}` is for {wants}, and this is a place of `{place.kept}`"
        label = Label(place.variable, "declared here")
        cx.report.error("R0407", text, x.span, label, help=(f"write `{other}`",))
        return None
    advice = "pieces are in state variables such as `Bag[Card]`, money in those with a currency as type"
    text = f"`{verb}` needs a place of {wants}, found {a_type(x.type)}"
    labels: tuple[Label, ...] = ()
    if isinstance(root(x), t.StateRef):
        labels = (Label(variable_span(cx, x), "declared here"),)
    cx.report.error("R0407", text, x.span, *labels, help=(advice,))
    return None


def _both(cx: Context, verb: str, wants: str, source: s.Expr, target: s.Expr) -> tuple[Place, Place] | None:
    first, second = _place(cx, source, verb, wants), _place(cx, target, verb, wants)
    if first is None or second is None:
        return None
    if first.kept == second.kept:
        return first, second
    code = "R0404" if wants == "money" else "R0403"
    labels = (
        Label(first.variable, f"holds `{first.kept}`"),
        Label(second.variable, f"holds `{second.kept}`"),
    )
    text = f"`{first.kept}` cannot come to a place of `{second.kept}`"
    cx.report.error(code, text, second.node.span, *labels)
    return None


# --- the statements -----------------------------------------------------------------------------------------


def move(cx: Context, e: s.Move) -> t.Statement | None:
    ends = _both(cx, "move", "pieces", e.source, e.target)
    if ends is None:
        return None
    source, target = ends
    assert source.kind is not None
    if e.what is None:
        return t.MoveBag(None, source.node, target.node, e.span)
    what = infer(e.what, cx, t.TBag(source.kind) if isinstance(e.what, (s.MapExpr, s.Fold)) else source.kind)
    if not known(what.type):
        return None
    if isinstance(what.type, (t.TSet, t.TBag)):
        return _move_bag(cx, e, what, source, target)
    kind = coerce(cx, what, source.kind, Label(source.variable, f"holds `{source.kept}`"))
    if not known(kind.type):
        return None
    if e.every:
        return t.MoveKind(kind, None, source.node, target.node, e.span)
    amount = value(cx, e.amount, INT) if e.amount is not None else t.Lit(1, INT, e.span)
    for place in ends:
        if e.amount is not None and isinstance(place.node.type, t.TSet) and number(amount) != 1:
            _one_of_each(cx, e.amount, place)
    return t.MoveKind(kind, amount, source.node, target.node, e.span)


def _one_of_each(cx: Context, amount: s.Expr, place: Place) -> None:
    label = Label(place.variable, "a set holds one of each")
    advice = "leave the number out, or declare the place as a `Bag`"
    text = "a number of pieces cannot leave or reach a set"
    cx.report.error("R0405", text, amount.span, label, help=(advice,))


def _move_bag(cx: Context, e: s.Move, what: t.Expr, source: Place, target: Place) -> t.Statement | None:
    type = what.type
    assert isinstance(type, (t.TSet, t.TBag))
    assert source.kind is not None
    if e.every or e.amount is not None:
        text = f"a number stands before one kind, and this is {a_type(type)}"
        cx.report.error("R0301", text, what.span, help=("write `move cards from a to b`",))
        return None
    if not same(type.kind, source.kind) or (type.piece and type.piece != source.kept):
        label = Label(source.variable, f"holds `{source.kept}`")
        text = f"`{show(type)}` are not `{source.kept}`"
        cx.report.error("R0403", text, what.span, label)
        return None
    return t.MoveBag(what, source.node, target.node, e.span)


def draw(cx: Context, e: s.Draw, into: t.Local | None = None) -> t.Statement | None:
    ends = _both(cx, "draw", "pieces", e.source, e.target)
    amount = value(cx, e.amount, INT) if e.amount is not None else None
    if ends is None:
        return None
    source, target = ends
    if not isinstance(source.node.type, t.TDeck):
        text = f"one draws from a deck, and this is {a_type(source.node.type)}"
        advice = f"declare it as `Deck[{source.kept}]`, or `move` what is known to be there"
        cx.report.error(
            "R0406", text, source.node.span, Label(source.variable, "declared here"), help=(advice,)
        )
        return None
    return t.Draw(amount, e.up_to, source.node, target.node, into, e.span)


def drawn_kind(cx: Context, e: s.Draw) -> t.Type | None:
    """The type of the name in `let c = draw from deck to b`."""
    x = infer(e.source, cx, None)
    return x.type.kind if isinstance(x.type, t.TDeck) else None


def pay(cx: Context, e: s.Pay) -> t.Statement | None:
    ends = _both(cx, "pay", "money", e.source, e.target)
    if ends is None:
        infer(e.amount, cx, None)
        return None
    source, target = ends
    amount = value(cx, e.amount, t.TInt(source.kept))
    return t.Pay(amount, e.up_to, source.node, target.node, e.span)


def score(cx: Context, e: s.Score) -> t.Statement | None:
    """`score n to p` is `p.points += n`."""
    amount = value(cx, e.amount, POINTS)
    player = value(cx, e.player, t.PLAYER)
    points = cx.book.state.get("points")
    if points is None or not points.per_player or not same(points.type, POINTS):
        labels = (Label(points.span, "not the points of each player"),) if points else ()
        advice = "declare `points: points in 0..100` under `per player:`"
        text = "`score` adds to the `points` of a player, and players have none"
        cx.report.error("R0408", text, e.span, *labels, help=(advice,))
        return None
    cx.book.used.add("points")
    before = t.StateRef("points", player, points.type, e.span)
    return t.Assign(before, t.Arith("+", (before, amount), POINTS, e.span), False, e.span)


# --- assignments --------------------------------------------------------------------------------------------


def assign(cx: Context, e: s.Assign) -> t.Statement | None:
    goal = target(cx, e)
    if goal is None:
        infer(e.value, cx, None) if isinstance(e.value, s.Call) else None
        return None
    labels = declared(cx, goal)
    if e.operator == ":=":
        return t.Assign(goal, value(cx, e.value, goal.type, *labels), False, e.span)
    sign = e.operator[0]
    match goal.type:
        case t.TInt(unit):
            change = value(cx, e.value, t.TInt(unit), *labels)
            result: t.Expr = t.Arith(sign, (goal, change), t.TInt(unit), e.span)
        case t.TBag(kind):
            change = value(cx, e.value, t.TBag(kind), *labels)
            result = t.SetOp(sign, goal, change, t.TBag(kind), e.span)
        case t.TSet():
            word = "add x to" if sign == "+" else "remove x from"
            text = f"`{e.operator}` is for numbers and bags"
            cx.report.error("R0301", text, e.span, help=(f"for sets write `{word} ...`",))
            return None
        case type:
            mismatch(cx, goal, INT) if known(type) else None
            return None
    return t.Assign(goal, result, False, e.span)


def declared(cx: Context, x: t.Expr) -> tuple[Label, ...]:
    """Where the variable that an assignment sets is declared."""
    match root(x):
        case t.StateRef(name):
            return (Label(cx.book.symbols[name].span, "declared here"),)
        case t.Local(name):
            spans = (b.span for b in cx.scope.values() if isinstance(b, Binding) and _is(b.value, name))
            return tuple(Label(span, "declared here") for span in spans)
        case _:
            return ()


def target(cx: Context, e: s.Assign) -> t.Expr | None:
    """The place of an assignment: a `var` or a state variable that holds neither pieces nor money."""
    if not assignable(cx, e.target):
        return None
    read_before = set(cx.names.read)
    x = infer(e.target, cx, None)
    if not known(x.type):
        return None
    owner = root(x)
    if isinstance(owner, t.Local) and owner.name not in read_before:
        # Setting a variable is not reading it.
        cx.names.read.discard(owner.name)
    if isinstance(owner, t.StateRef) and holds(owner.type):
        _kept(cx, e, x, owner)
        return None
    if isinstance(owner, t.StateRef):
        return x
    if isinstance(owner, t.Local):
        return x if _is_var(cx, e, owner) else None
    cx.report.error(
        "R0422", "this cannot be set", e.target.span, help=("only a `var` or a state variable can",)
    )
    return None


def _is_var(cx: Context, e: s.Assign, owner: t.Local) -> bool:
    """Of a part such as `x.amount`, the whole `x` decides."""
    for name, binding in cx.scope.items():
        if isinstance(binding, Binding) and binding.sort != "var" and _is(binding.value, owner.name):
            _fixed(cx, s.Name(name, e.target.span), binding.sort, binding.span, "")
            return False
    return True


def _is(x: t.Expr, local: str) -> bool:
    return isinstance(x, t.Local) and x.name == local


def _only_moves(owner: t.StateRef) -> str:
    what = holds(owner.type)
    verb = "moves" if what == "money" else "move"
    return f"`{owner.name}` holds {what}, which only {verb} from place to place"


def _kept(cx: Context, e: s.Assign, target: t.Expr, owner: t.StateRef) -> None:
    what = holds(owner.type)
    verb = "pay" if what == "money" else "move"
    text = _only_moves(owner)
    label = Label(variable_span(cx, target), "declared here")
    advice = f"write `{verb} ... from ... to ...`: so nothing is ever lost or made"
    cx.report.error("R0402", text, e.span, label, help=(advice,))


def assignable(cx: Context, e: s.Expr) -> bool:
    """Report a name that never changes: a `let`, a parameter, a param, a member."""
    while isinstance(e, (s.Index, s.FieldOf)):
        if isinstance(e, s.FieldOf) and isinstance(e.value, s.Ref) and e.value.name.text in cx.scope:
            # `p.points`: the player stays, a variable of theirs changes.
            return True
        e = e.value
    if not isinstance(e, s.Ref):
        return True
    name = e.name
    local = cx.scope.get(name.text)
    if local is not None:
        sort = getattr(local, "sort", "parameter")
        if sort == "var":
            return True
        advice = (
            f"write `var {name.text} = ...` for what changes" if sort == "let" else "use a `var` of your own"
        )
        _fixed(cx, name, sort, local.span, advice)
        return False
    members = cx.book.find_members(name)
    if members:
        _fixed(cx, name, "member", members[0].span, "")
        return False
    symbol = cx.book.find(name)
    if symbol is not None and symbol.sort != "state variable":
        advice = "a `variant` or `when players` sets it" if symbol.sort == "param" else ""
        _fixed(cx, name, symbol.sort, symbol.span, advice)
        return False
    return True


def _fixed(cx: Context, name: s.Name, sort: str, span: Span, advice: str) -> None:
    text = f"`{name.text}` is {with_article(sort)} and never changes"
    cx.report.error("R0401", text, name.span, Label(span, "defined here"), help=(advice,) if advice else ())


def update(cx: Context, e: s.Add) -> t.Statement | None:
    """`add x to s`, `remove x from s`, `append x to xs`."""
    if not assignable(cx, e.target):
        return None
    target = infer(e.target, cx, None)
    if not known(target.type):
        return None
    owner = root(target)
    if isinstance(owner, t.StateRef) and holds(owner.type):
        text = _only_moves(owner)
        label = Label(variable_span(cx, target), "declared here")
        cx.report.error("R0402", text, e.span, label, help=("write `move ... from ... to ...`",))
        return None
    match e.operator, target.type:
        case "append", t.TList(item):
            return t.Update("append", value(cx, e.value, item), target, e.span)
        case "add" | "remove", t.TSet(kind):
            return t.Update(e.operator, value(cx, e.value, kind), target, e.span)
    wants = "list" if e.operator == "append" else "set"
    text = f"`{e.operator}` is for a {wants}, found {a_type(plain(target.type))}"
    cx.report.error("R0419", text, target.span, help=_other_word(e.operator, target.type))
    return None


def _other_word(operator: str, type: t.Type) -> tuple[str, ...]:
    match type:
        case t.TList() if operator == "add":
            return ("for lists write `append`",)
        case t.TSet():
            return ("for sets write `add`",)
        case t.TBag():
            return ("for bags write `b += {green: 1}`",)
        case t.TInt():
            return ("for numbers write `n += 1`",)
        case _:
            return ()
